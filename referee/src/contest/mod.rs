//! Many games: matches and tournaments, their statistics and ratings.

mod check;
mod crew;
mod event;
mod evidence;
mod fingerprint;
mod lanes;
mod merge;
mod past;
mod points;
mod pool;
mod ranking;
mod ratings;
mod repeat;
mod run;
mod seeds;
mod series;
mod shard;
mod summary;
mod tally;
mod terms;
mod verify;

pub use check::{Check, Checked, NotChecked};
pub use event::{Audience, ContestEvent, GameOver};
pub use evidence::Evidence;
pub use fingerprint::fingerprint;
pub use lanes::Lanes;
pub use merge::{Merge, MergeError, Merged};
pub use past::OpenRecord;
pub use points::outcomes;
pub use pool::{Choice, Pool, PoolError};
pub use ranking::{RANKING_FORMAT, Ranking};
pub use ratings::{
    AnchorArgument, AnchorNote, ContestRatings, NoAnchor, RatingSummary, RatingsNote, rate,
};
pub use repeat::{quoted, repeat_game};
pub use run::{Contest, ContestError, Finish, Played, is_disqualified};
pub use seeds::pair_seed;
pub use shard::{Shard, ShardArgument, ShardError};
pub use summary::{PairingSummary, PlaceSummary, PlayerSummary, SUMMARY_FORMAT, Score, Summary};
pub use tally::{PairingTally, PlayerTally, Tally, Worst};
pub use terms::Terms;
pub use verify::{Verified, Verifier};
