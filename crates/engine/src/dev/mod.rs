//! What the author of a bot works with while it changes: its folder, looked at again and again, and the versions that were kept.

mod versions;
mod watch;

pub use self::versions::{Versions, VersionsError};
pub use self::watch::{Contents, Watch};
