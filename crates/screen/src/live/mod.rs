//! Games that people take part in or watch while they are played: what happens goes to whatever
//! shows it, on another thread, and what a person answers comes back.

mod gallery;
mod person;
mod stage;
mod teller;

pub use self::gallery::{Gallery, LaneTeller};
pub use self::person::Person;
pub use self::stage::{OnStage, Stage};
pub use self::teller::{Teller, recorded_story};
