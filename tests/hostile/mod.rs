//! Bots that misbehave, by mistake or on purpose.

mod attacks;
mod fairness;
pub(crate) mod faults;
mod life;
mod outliving;
mod shortage;
mod tampering;
mod terminal;
mod words;
