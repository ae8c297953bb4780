//! The bots that `referee new` writes.

mod cs32;
mod templates;
