//! What the tests of several modules share.

pub(crate) mod nearly_right;
pub(crate) mod records;
