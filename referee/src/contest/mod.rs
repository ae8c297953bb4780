//! Many games: matches and tournaments, their statistics and ratings.

mod attack_review;
mod attempts;
mod digest;
mod engine;
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
mod summary;
mod tally;
mod verify;
mod worker_pool;

pub(crate) use attack_review::{AttackReview, attack_chances, review_attacks};
pub use attack_review::{HitChance, HitChances};
pub(crate) use attempts::Attempts;
pub(crate) use digest::{GameDigest, GameFilter, NamesSeen, Worst};
pub(crate) use engine::{Done, Engine, Sink, Task};
pub(crate) use event::{ContestEvent, GameOver, Reporter};
pub(crate) use evidence::{DialogueCapture, Evidence, is_said_with, last_of, said_with};
#[cfg(feature = "class")]
pub(crate) use identity::in_parallel;
pub(crate) use identity::{identify, separate};
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
pub(crate) use resume::{OpenRecord, series_of};
pub(crate) use run::{Contest, ContestError, Finish, Fixtures, Played};
pub(crate) use scoreboard::{ReadContest, Scoreboard, read_contest};
pub(crate) use series::PlayedSeries;
pub(crate) use setup::{ContestSetup, PairSeeds};
pub(crate) use shard::Shard;
pub(crate) use shard_folder::ShardedContest;
pub(crate) use summary::{
    FinishName, PairingSummary, PlaceSummary, PlayerSummary, Score, SprtSummary, Summary,
};
pub(crate) use tally::{PairingTally, PlayerTally, Tally};
pub(crate) use verify::{Verified, Verifier, differences};
pub(crate) use worker_pool::{Jobs, Next, Order};
