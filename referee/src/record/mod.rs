//! Games as data: one self-contained JSON line a game. `docs/record.md` describes it.

mod game;
mod recorder;

pub use game::{
    FORMAT, GameRecord, InContest, NoShotResult, Placed, Player, SandboxOfGame, ShipOfGame, Shot,
    ShotResult, VERSION,
};
pub use recorder::{Recorder, append_line};
