//! Who meets whom, and when.

mod plan;
mod shard;

pub use self::plan::{
    Format, MOST_GAMES, MOST_GAMES_PER_SERIES, MOST_PLAYERS, MOST_SERIES, Plan, PlanError,
    default_swiss_rounds,
};
pub use self::shard::{Shard, ShardArgument, ShardError};
