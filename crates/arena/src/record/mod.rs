//! Games as data: one self-contained JSON line a game; the record of a contest has a header before
//! its games and a line after each series. `docs/record.md` describes it.

mod append;
mod dialogue;
mod error;
mod figures;
mod file_watch;
mod game_name;
mod gzip;
mod header;
mod identity;
mod line;
mod output;
mod reader;
mod replacement;
mod shard;
mod writer;

pub use append::append_line;
pub use dialogue::Dialogue;
pub use error::{RecordError, remedy};
pub use figures::{Figure, FigureRecorder};
pub(crate) use figures::{add_results, decimal, is_name as is_name_of_figure};
pub use file_watch::FileWatch;
pub(crate) use file_watch::WatchedProgram;
pub use game_name::GameChoice;
pub use gzip::{ForeignFormat, Text, append_member};
pub use header::{
    ContestConfig, ContestHeader, FileDigest, LastSaid, ListedPlayer, SERIES_FORMAT, SeriesRecord,
    hexadecimal,
};
pub(crate) use identity::digest_of_judge;
pub use identity::{Identity, digest_of, files_of, files_of_bot, identify, separate};
pub use line::{FORMAT, GameLine, InContest, LinePlayer, SandboxOfGame, VERSION, in_milliseconds};
pub use output::{
    Output, OutputError, advice, check_folder, is_same_file, page_output, write_page,
};
pub(crate) use reader::LONGEST_LINE;
pub use reader::{Chunk, RecordReader};
pub use replacement::Replacement;
pub use shard::Shard;
pub use writer::ContestFile;
pub use writer::lock_patiently;
