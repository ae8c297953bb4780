//! Games and contests for people: the transcript of a game as the course's sample program prints it, the
//! progress and the summary of a contest; and for programs: events and summaries.

mod bundle_text;
mod bundles;
mod check;
mod crosstable;
mod csv;
mod csv_table;
mod events;
mod explain;
mod figures;
mod fleet_orders;
mod game_list;
mod keyboard;
mod markdown;
mod match_summary;
mod pace;
mod page;
mod pauses;
mod picture;
mod plain;
mod progress;
mod slides;
mod standings;
mod standings_text;
mod transcript;
mod verdict;
mod width;
mod words;

pub(crate) use bundle_text::{BundleText, BundledDialogues};
pub(crate) use bundles::Bundles;
pub(crate) use check::CheckPrinter;
pub(crate) use csv::standings_csv;
#[cfg(feature = "class")]
pub(crate) use csv_table::{Cell, CsvTable};
pub(crate) use events::EventStream;
#[cfg(feature = "schema")]
pub(crate) use events::Line;
pub(crate) use explain::{Explanation, GameExplanation, PlayerSummary, explanation};
pub(crate) use game_list::game_line;
pub(crate) use keyboard::Keyboard;
pub(crate) use match_summary::match_summary;
pub(crate) use pace::Pace;
pub(crate) use page::{
    Collector, Live, LivePage, PastGame, Report, Source, game_page, report_page,
};
#[cfg(feature = "web")]
pub(crate) use page::{ServedPage, live_page, replay_data, served};
#[cfg(feature = "class")]
pub(crate) use page::{Supplement, SupplementPart, SupplementTable};
pub(crate) use pauses::Pause;
pub(crate) use picture::{NoPicture, Shown, picture, picture_of_log};
#[cfg(feature = "class")]
pub(crate) use plain::plain;
pub(crate) use progress::{Progress, STOPPING, disqualified};
pub(crate) use slides::Slides;
pub(crate) use standings::Standings;
pub(crate) use standings_text::{ranking, tournament_summary};
pub(crate) use transcript::Transcript;
pub(crate) use width::Width;
#[cfg(feature = "class")]
pub(crate) use words::{counted, reason_in_words};
