//! Who meets whom, and when.

mod shard;

pub use self::shard::{Shard, ShardArgument, ShardError};
