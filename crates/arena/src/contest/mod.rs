//! Contests: matches and tournaments, their series on lanes, and their records, resumed and merged.

mod enrol;
mod event;
mod known;
#[cfg_attr(
    target_os = "wasi",
    allow(dead_code, unused_imports, reason = "a page has no threads")
)]
mod lanes;
mod merge;
mod preflight;
mod resume;
mod run;
mod seeds;
mod sequential;
mod series;
mod setup;
mod verify;

pub use enrol::{Enrolment, NotEnrolled};
pub use event::{ContestEvent, ContestListener, GameOver, LaneListeners};
pub use lanes::{Delivery, Done, Lanes, Next, Sink, Source, play_all, play_until};
pub use merge::{Contradictions, MergeError, Merged, merge, missing_shards};
pub use preflight::{Checked, NotChecked, Preflight};
pub use resume::OpenRecord;
pub use run::{Contest, ContestError};
pub use series::{PlayedSeries, SeriesReferee};
pub use setup::{ContestSetup, PairSeeds};
pub use verify::{Verified, Verifier, differences};
