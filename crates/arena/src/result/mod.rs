//! Results: what games of contests count for players, and the ratings and places that follow.

mod contest_result;
mod figures;
mod order;
mod player;
mod pool;
mod ranking;
mod ratings;
mod score;
mod scoreboard;
mod summary;
mod tally;
mod worst;

pub(crate) use contest_result::is_disqualified;
pub use contest_result::{ContestResult, Finish};
pub use figures::{FIGURES, HALF_POINTS, NOTE, POINTS, PlayerFigure, Value, labelled_figures};
pub use order::BY_RATING;
pub use player::{
    AttacksSummary, GivenFigures, JUDGE_FAILURES, PlaceSummary, PlayerSummary, PlayerTally,
    TimesSummary,
};
pub use pool::{Choice, RecordPool};
pub use ranking::{FAILED_CHECK, PROVISIONAL, Ranking};
pub use ratings::{AnchorArgument, RatingsNote};
pub use score::{Score, scores_of};
pub use scoreboard::{ReadContest, Scoreboard, read_contest};
pub use summary::{FinishName, PairingSummary, SprtSummary, Summary};
pub(crate) use tally::add_warnings;
pub use tally::{JudgeFailure, PairingTally, Tally};
