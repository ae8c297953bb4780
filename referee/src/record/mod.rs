//! Games as data: one self-contained JSON line a game; the record of a contest has a header before its games and a
//! line after each series. `docs/record.md` describes it.

mod contest;
mod dialogue;
mod earlier;
mod error;
mod figures;
mod frames;
mod game;
mod game_name;
mod original_log;
mod output;
mod page_file;
mod reader;
mod recorder;
mod replay;
#[cfg(test)]
pub(crate) mod testing;
mod turns;
mod writer;

pub(crate) use contest::{
    ContestConfig, ContestHeader, FileDigest, LastSaid, RecordedPlayer, SERIES_FORMAT,
    SeriesRecord, hexadecimal,
};
pub(crate) use dialogue::Dialogue;
pub(crate) use error::{RecordError, remedy};
pub(crate) use figures::Figure;
#[cfg(feature = "class")]
pub(crate) use frames::append_frame;
pub(crate) use frames::{Mark, Text};
pub(crate) use game::{
    FORMAT, GameRecord, InContest, Move, Placed, Player, SandboxOfGame, Shot, ShotResult, VERSION,
    in_milliseconds,
};
pub(crate) use game_name::GameChoice;
pub(crate) use original_log::{original_differs, original_log};
pub(crate) use output::{Output, OutputError, advice, check_folder};
pub(crate) use page_file::{is_same_file, page_output, write_page};
pub(crate) use reader::{Chunk, RecordReader};
pub(crate) use recorder::{Recorder, append_line};
pub(crate) use replay::{ReplayError, replay};
pub(crate) use replay::{placement_of, rules_of};
pub(crate) use writer::ContestFile;
pub(crate) use writer::lock_patiently;
