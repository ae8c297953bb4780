//! Games as data: one self-contained JSON line a game; the record of a contest has a header before its games and a
//! line after each series. `docs/record.md` describes it.

mod contest;
mod dialogue;
mod earlier;
mod error;
mod figures;
mod game;
mod game_name;
mod gzip;
mod original_log;
mod output;
mod page_file;
mod reader;
mod recorder;
mod replacement;
mod replay;
mod writer;

pub use contest::{
    ContestConfig, ContestHeader, FileDigest, LastSaid, RecordedPlayer, SERIES_FORMAT,
    SeriesRecord, hexadecimal,
};
pub use dialogue::Dialogue;
pub use error::{RecordError, remedy};
pub use figures::Figure;
pub use game::{
    FORMAT, GameRecord, InContest, Placed, Player, SandboxOfGame, VERSION, in_milliseconds,
};
pub use game_name::GameChoice;
pub use gzip::{ForeignFormat, Text, append_member};
pub use original_log::{original_differs, original_log};
pub use output::{Output, OutputError, advice, check_folder};
pub use page_file::{is_same_file, page_output, write_page};
pub use reader::{Chunk, RecordReader};
pub use recorder::{Recorder, append_line};
pub use replacement::Replacement;
pub(crate) use replay::placement_of;
pub use replay::rules_of;
pub use replay::{ReplayError, replay};
pub use writer::ContestFile;
pub use writer::lock_patiently;
