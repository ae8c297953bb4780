//! The tools of the author of a bot who changes it: its folder, looked at again and again, and the versions that were kept.

mod versions;
mod watch;

pub use self::versions::{Versions, VersionsError};
pub use self::watch::{Contents, Watch};
