//! The tables of games that follow each other in one browser: the page is that of the last one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::feed::{Feed, Presence};
use super::site::{Refused, Site};
use super::table::WebTable;
use pages::ServedPage;

/// The place where a person plays one game after the other.
#[derive(Debug)]
pub(crate) struct Hall(Mutex<Arc<WebTable>>);

impl Hall {
    /// Opens a hall with a first table.
    #[must_use]
    pub(crate) fn new(table: Arc<WebTable>) -> Hall {
        Hall(Mutex::new(table))
    }

    /// Seats the person at another table: pages that show the one before reload.
    pub(crate) fn seat(&self, table: Arc<WebTable>) {
        let before = std::mem::replace(&mut *self.lock(), table);
        before.leave();
    }

    fn lock(&self) -> MutexGuard<'_, Arc<WebTable>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self) -> Arc<WebTable> {
        self.lock().clone()
    }
}

impl Site for Hall {
    fn page(&self) -> Result<ServedPage, String> {
        self.table().page()
    }

    fn presence(&self) -> Arc<Presence> {
        self.table().presence()
    }

    fn feed(&self) -> Option<Arc<Feed>> {
        self.table().feed()
    }

    fn say(&self, number: u64, line: &str) -> Result<(), Refused> {
        self.table().say(number, line)
    }
}
