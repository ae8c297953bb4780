//! Records to look at in a browser.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;

use super::feed::{Feed, Presence};
use super::site::{Refused, Site};
use crate::ServedPage;

/// The source of a shelf's page: made from files that may grow.
pub trait Stock: Send + Sync + 'static {
    /// Returns a text that tells one state of the files from another.
    fn state(&self) -> String;

    /// Makes the page.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    fn page(&self) -> Result<ServedPage, String>;
}

/// A page of records that is made again when they have grown.
pub struct Shelf<S> {
    stock: S,
    presence: Arc<Presence>,
    /// The page, and the state that it was made of.
    made: Mutex<Option<(String, ServedPage)>>,
}

impl<S> fmt::Debug for Shelf<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shelf").finish_non_exhaustive()
    }
}

impl<S: Stock> Shelf<S> {
    /// Puts files on a shelf.
    pub fn new(stock: S) -> Shelf<S> {
        Shelf {
            stock,
            presence: Arc::default(),
            made: Mutex::default(),
        }
    }
}

impl<S: Stock> Site for Shelf<S> {
    fn page(&self) -> Result<ServedPage, String> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self.stock.state();
        if let Some((of, page)) = &*made
            && *of == state
        {
            return Ok(page.clone());
        }
        let page = self.stock.page()?;
        *made = Some((state, page.clone()));
        Ok(page)
    }

    fn presence(&self) -> Arc<Presence> {
        self.presence.clone()
    }

    fn feed(&self) -> Option<Arc<Feed>> {
        None
    }

    fn say(&self, _number: u64, _reply: &str) -> Result<(), Refused> {
        Err(Refused::new(
            StatusCode::CONFLICT,
            "This page only shows games.",
        ))
    }
}
