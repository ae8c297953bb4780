//! The content of a server.

use std::fmt::Debug;
use std::sync::Arc;

use axum::http::StatusCode;

use super::feed::{Feed, Presence};
use pages::ServedPage;

/// The reason why something that was said does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(super) status: StatusCode,
    /// A sentence for the person.
    pub(super) why: String,
}

impl Refused {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Refused {
        Refused {
            status,
            why: why.into(),
        }
    }
}

/// The content of a server: one page, its events if it has any, and the messages that it accepts.
pub(crate) trait Site: Debug + Send + Sync + 'static {
    /// Returns the page as it is now. It may take its time.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    fn page(&self) -> Result<ServedPage, String>;

    /// Returns who has the page open.
    fn presence(&self) -> Arc<Presence>;

    /// Returns its events; `None` if it has none, and takes no replies.
    fn feed(&self) -> Option<Arc<Feed>>;

    /// Takes a reply to the question with this number, or a wish of the person.
    ///
    /// # Errors
    /// If it was not asked for, or is not understood.
    fn say(&self, number: u64, reply: &str) -> Result<(), Refused>;
}
