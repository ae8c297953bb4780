//! The places of a server's connections: how many there can be, and which one goes when a new one comes.
//!
//! Any program of the machine can connect. So a connection that has not been let in keeps its place only until another one
//! needs it: programs without the cookie cannot keep the browser out, however many connections they open.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use tokio::sync::Notify;

/// The places of all connections.
#[derive(Debug)]
pub(super) struct Places {
    most: usize,
    /// In the order in which they came.
    taken: Mutex<Vec<Visitor>>,
    freed: Notify,
}

/// The other end of a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Visitor(Arc<Standing>);

#[derive(Debug, Default)]
struct Standing {
    is_let_in: AtomicBool,
    sent_away: Notify,
}

/// A place that is taken. It is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    visitor: Visitor,
}

impl Visitor {
    /// Notes that a request on the connection was let in. From then on it keeps its place.
    pub(super) fn let_in(&self) {
        self.0.is_let_in.store(true, Ordering::Relaxed);
    }

    fn is_let_in(&self) -> bool {
        self.0.is_let_in.load(Ordering::Relaxed)
    }

    fn is(&self, other: &Visitor) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Places {
    /// Returns so many free places.
    pub(super) fn new(most: usize) -> Arc<Places> {
        Arc::new(Places { most, taken: Mutex::default(), freed: Notify::new() })
    }

    /// Takes a place for a new connection: a free one, or that of the oldest connection that was never let in. Waits if all
    /// were let in. One task at a time may wait.
    pub(super) async fn take(self: &Arc<Places>) -> Place {
        loop {
            if let Some(place) = self.try_take() {
                return place;
            }
            self.freed.notified().await;
        }
    }

    fn try_take(self: &Arc<Places>) -> Option<Place> {
        let mut taken = self.taken();
        if taken.len() >= self.most {
            let oldest = taken.iter().position(|visitor| !visitor.is_let_in())?;
            taken.remove(oldest).0.sent_away.notify_one();
        }
        let visitor = Visitor::default();
        taken.push(visitor.clone());
        Some(Place { places: self.clone(), visitor })
    }

    /// Waits until all places are free.
    pub(super) async fn emptied(&self) {
        while !self.taken().is_empty() {
            self.freed.notified().await;
        }
    }

    fn taken(&self) -> MutexGuard<'_, Vec<Visitor>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Returns who has the place.
    pub(super) fn visitor(&self) -> &Visitor {
        &self.visitor
    }

    /// Runs `visit` to its end, or until another connection needs the place.
    pub(super) async fn keep_during(self, visit: impl Future) {
        let mut visit = pin!(visit);
        let mut sent_away = pin!(self.visitor.0.sent_away.notified());
        poll_fn(|context| {
            let is_over = sent_away.as_mut().poll(context).is_ready()
                || visit.as_mut().poll(context).is_ready();
            if is_over { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.taken().retain(|visitor| !visitor.is(&self.visitor));
        self.places.freed.notify_one();
    }
}
