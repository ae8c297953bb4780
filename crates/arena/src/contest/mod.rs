//! Many games: matches and tournaments, their statistics and ratings.

mod dialogue_capture;
mod dialogue_tail;
mod digest;
mod event;
mod known;
mod lanes;
mod losses;
mod merge;
mod order;
mod player;
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
mod summary;
mod tally;
mod verify;
mod worst;

pub use dialogue_capture::DialogueCapture;
pub use digest::{GameDigest, GameFilter, NamesSeen, Worst};
pub use event::{ContestEvent, ContestListener, GameOver, LaneListeners};
pub use known::series_of;
pub use lanes::{Delivery, Done, Lanes, Next, Sink, Source, in_parallel, play_all, play_until};
pub use losses::{Against, LossSummary, Losses, LostBy, Results};
pub use merge::{MergeError, Merged, merge};
pub use order::BY_RATING;
pub use player::{
    AttacksSummary, FIGURES, Figure, HALF_POINTS, NOTE, POINTS, PlaceSummary, PlayerSummary,
    PlayerTally, TimesSummary, Value, labelled_figures,
};
pub use points::outcomes;
pub use pool::{Choice, RecordPool};
pub use preflight::{Checked, NotChecked, Preflight};
pub use ranking::{FAILED_CHECK, PROVISIONAL, Ranking};
pub use ratings::{AnchorArgument, RatingsNote};
pub use replay_command::replay_command;
pub use resume::OpenRecord;
pub use run::{Contest, ContestError, Finish, Fixtures, Played};
pub use scoreboard::{ReadContest, Scoreboard, read_contest};
pub use series::{PlayedSeries, SeriesReferee};
pub use setup::{ContestSetup, PairSeeds};
pub use shard::Shard;
pub use summary::{FinishName, PairingSummary, Score, SprtSummary, Summary, scores_of};
pub use tally::{PairingTally, Tally};
pub use verify::{Verified, Verifier, differences};
