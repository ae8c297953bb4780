//! What happened in single games: their dialogue, what they say in short, why they were lost, and
//! the command that repeats one.

mod dialogue_capture;
mod dialogue_tail;
mod digest;
mod losses;
mod recorded_games;
mod replay_command;

pub use dialogue_capture::DialogueCapture;
pub(crate) use dialogue_tail::DialogueTail;
pub use digest::{GameDigest, GameFilter, NamesSeen, TopGames};
pub use losses::{LossReason, LossSummary, Losses, Results, VersusOpponent};
pub use recorded_games::{RecordedGames, env_of_contest, last_said};
pub(crate) use replay_command::PlayedOnce;
pub use replay_command::replay_command;
