//! Many games: matches and tournaments, their statistics and ratings.

mod attack_review;
mod attempts;
mod digest;
mod event;
mod evidence;
mod identity;
mod lanes;
mod live_scores;
mod losses;
mod merge;
mod order;
mod points;
mod pool;
mod preflight;
mod ranking;
mod ratings;
mod replay_command;
mod resume;
mod run;
mod scoreboard;
mod seeds;
mod sequential;
mod series;
mod series_set;
mod setup;
mod shard;
mod shard_folder;
#[cfg(feature = "class")]
mod single;
mod summary;
mod tally;
mod verify;
mod worker_pool;

pub(crate) use attack_review::{AttackReview, attack_chances, review_attacks};
pub use attack_review::{HitChance, HitChances};
pub(crate) use attempts::Attempts;
pub(crate) use digest::{GameDigest, GameFilter, NamesSeen, Worst};
pub(crate) use event::{ContestEvent, GameOver, Reporter};
pub(crate) use evidence::{DialogueCapture, Evidence};
#[cfg(feature = "class")]
pub(crate) use identity::in_parallel;
pub(crate) use identity::{Identity, fingerprint, identify, separate};
pub(crate) use lanes::Lanes;
pub(crate) use live_scores::LiveScores;
pub(crate) use losses::{Against, LossSummary, Losses, LostBy, Results};
pub(crate) use merge::{Merge, MergeError};
pub(crate) use order::BY_RATING;
pub(crate) use pool::{Choice, RecordPool};
pub(crate) use preflight::{Checked, NotChecked, Preflight};
pub(crate) use ranking::{FAILED_CHECK, PROVISIONAL, Ranking};
pub(crate) use ratings::{AnchorArgument, RatingSummary, RatingsNote};
pub(crate) use replay_command::replay_command;
pub(crate) use resume::OpenRecord;
pub(crate) use run::{Contest, ContestError, Finish, Played};
pub(crate) use scoreboard::{ReadContest, Scoreboard, read_contest};
pub(crate) use setup::ContestSetup;
pub(crate) use shard::{Shard, ShardArgument};
pub(crate) use shard_folder::ShardedContest;
#[cfg(feature = "class")]
pub(crate) use single::{SingleSeries, play_single};
pub(crate) use summary::{
    FinishName, PairingSummary, PlaceSummary, PlayerSummary, Score, SprtSummary, Summary,
};
pub(crate) use tally::{PairingTally, PlayerTally, Tally};
pub(crate) use verify::{Verified, Verifier};
