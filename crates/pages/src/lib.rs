//! Games and contests for people: the transcript of a game as the course's sample program prints
//! it, the progress and the summary of a contest; and for programs: events and summaries.

mod attack_review;
mod bars;
mod check;
mod check_formats;
mod crosstable;
mod csv;
mod csv_table;
mod duel;
mod explain;
mod eye;
mod game_list;
mod game_record;
mod judged;
mod keyboard;
mod live_scores;
mod match_summary;
mod pace;
mod page;
mod pauses;
mod picture;
mod plain;
mod player_games;
mod progress;
mod recorded_file;
mod skill;
mod slides;
mod standings;
mod standings_text;
mod transcript;
mod tuning;
mod verdict;
mod width;

pub use arena::words::{counted, reason_in_words};
pub use attack_review::{AttackReview, GameReview, review_attacks, review_game};
pub use check::CheckPrinter;
pub use check_formats::check_for_github;
pub use csv::standings_csv;
pub use csv_table::{Cell, CsvTable};
pub use duel::{Duel, DuelSummary, PlaceScore};
pub use explain::{Explanation, GameExplanation, LossExplanation, explanation};
pub use eye::Eye;
pub use game_list::game_line;
pub use keyboard::Keyboard;
pub use match_summary::match_summary;
pub use pace::Pace;
pub use page::{
    Collector, Live, LivePage, PastGame, Report, Source, game_page, report_page, usual_policy,
};
pub use page::{ServedPage, live_page, live_policy, replay_data, served};
pub use page::{Supplement, SupplementPart, SupplementTable, tuning_page};
pub use pauses::Pause;
pub use picture::{NoPicture, Shown, picture};
pub use plain::plain;
pub use player_games::PlayerGames;
pub use progress::{Progress, STOPPING, disqualified};
pub use recorded_file::{RecordedFile, game_in_words};
pub use skill::{Skill, SkillSample};
pub use slides::show_slides;
pub use standings::Standings;
pub use standings_text::{ranking, tournament_summary};
pub use transcript::Transcript;
pub use tuning::TuningSummary;
pub use width::Width;
