//! The bots that `referee new` writes.

mod cs32;
pub(crate) mod kits;
