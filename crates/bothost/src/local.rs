//! Players that are no processes: each is a thread of the referee behind the pipes that a process
//! would have, so that it has the same clock and the same waits.

use std::fmt;
use std::sync::Arc;

use wire::Local;

/// Makes a player that is no process.
#[derive(Clone)]
pub struct LocalPlayer(pub(super) Arc<dyn Fn() -> Box<dyn Local> + Send + Sync>);

impl LocalPlayer {
    /// `make` is called in the thread of the player, once for each start.
    pub fn new(make: impl Fn() -> Box<dyn Local> + Send + Sync + 'static) -> LocalPlayer {
        LocalPlayer(Arc::new(make))
    }
}

impl fmt::Debug for LocalPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalPlayer").finish_non_exhaustive()
    }
}

/// Two are equal if they are the same one.
impl PartialEq for LocalPlayer {
    fn eq(&self, other: &LocalPlayer) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for LocalPlayer {}
