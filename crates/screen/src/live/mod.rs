//! Games that people take part in or watch while they are played: what happens goes to whatever
//! shows it, on another thread, and what a person answers comes back.

mod contest;
mod person;
mod stage;
mod teller;

pub(crate) use self::contest::ContestState;
pub use self::contest::{LiveContest, Standing};
pub use self::person::Person;
pub use self::stage::{OnStage, Stage};
pub use self::teller::{Teller, recorded_story};
