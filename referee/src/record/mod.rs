//! Games as data: one self-contained JSON line a game; the record of a contest has a header before its games and a
//! line after each series. `docs/record.md` describes it.

mod contest;
mod dialogue;
mod error;
mod game;
mod original_log;
mod reader;
mod recorder;
mod replay;
#[cfg(test)]
pub(crate) mod testing;
mod writer;

pub use contest::{
    CONTEST_FORMAT, ContestConfig, ContestHeader, EntrantInRecord, SERIES_FORMAT, SeriesRecord,
    hexadecimal,
};
pub use dialogue::Dialogue;
pub use error::RecordError;
pub use game::{
    FORMAT, GameRecord, InContest, Move, NoShotResult, Placed, Player, SandboxOfGame, ShipOfGame,
    Shot, ShotResult, VERSION, ships_of,
};
pub use original_log::{NoLog, original_log};
pub use reader::{Chunk, RecordReader};
pub use recorder::{Recorder, append_line};
pub use replay::{ReplayError, fleet_of_twist, replay};
pub(crate) use replay::{placement_of, rules_of};
pub use writer::ContestFile;
pub(crate) use writer::lock_patiently;
