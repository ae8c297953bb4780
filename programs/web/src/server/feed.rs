//! The events of a page: everything that has happened, in order. A page that comes late or comes
//! back gets what it missed.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use hyper::body::{Body, Frame};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

/// A stream with nothing to tell says so after this time, by which the server notices that its
/// reader has gone.
const SILENCE: Duration = Duration::from_secs(10);

/// The number of writes that wait for a slow reader before its stream waits for it.
const WAITING: usize = 4;

/// All events so far.
#[derive(Debug)]
pub(crate) struct Feed {
    begun: Instant,
    events: Mutex<Vec<String>>,
    /// Changes with each event.
    changed: watch::Sender<()>,
}

impl Feed {
    pub(super) fn new() -> Feed {
        Feed {
            begun: Instant::now(),
            events: Mutex::default(),
            changed: watch::Sender::new(()),
        }
    }

    /// Returns the milliseconds since the feed began, by which pages know how long ago something
    /// was.
    pub(super) fn now(&self) -> u64 {
        self.begun
            .elapsed()
            .as_millis()
            .try_into()
            .unwrap_or(u64::MAX)
    }

    /// Adds an event.
    pub(super) fn push(&self, event: &Value) {
        self.events().push(event.to_string());
        self.changed.send_replace(());
    }

    /// Returns the events as the lines of a stream, from this number on, and the number of all.
    fn since(&self, number: usize) -> (String, usize) {
        let events = self.events();
        let lines = events.iter().enumerate().skip(number);
        // JSON has no line feeds of its own.
        let text = lines.map(|(number, event)| format!("id: {}\ndata: {event}\n\n", number + 1));
        (text.collect(), events.len())
    }

    fn events(&self) -> MutexGuard<'_, Vec<String>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a stream of the events after the one with the number `last`, and of all that follow.
    /// `presence` counts it until its reader has gone. Call it within the runtime.
    pub(super) fn stream(
        self: &Arc<Feed>,
        last: Option<usize>,
        presence: &Arc<Presence>,
    ) -> EventStream {
        let (send, receive) = mpsc::channel(WAITING);
        tokio::spawn(self.clone().tell(last.unwrap_or(0), send));
        EventStream {
            receive,
            _here: presence.enter(),
        }
    }

    async fn tell(self: Arc<Feed>, last: usize, out: mpsc::Sender<Bytes>) {
        // Before the events are read: none falls between.
        let mut changes = self.changed.subscribe();
        let mut next = if last > self.since(0).1 { 0 } else { last };
        let clock = json!({ "type": "clock", "now": self.now() });
        let mut text = format!("retry: 1000\ndata: {clock}\n\n");
        loop {
            let (news, count) = self.since(next);
            text.push_str(&news);
            next = count;
            if !text.is_empty()
                && out
                    .send(Bytes::from(std::mem::take(&mut text)))
                    .await
                    .is_err()
            {
                return;
            }
            match timeout(SILENCE, changes.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return,
                Err(_) => text.push_str(": still here\n\n"),
            }
        }
    }
}

/// The body of an answer that lasts as long as its reader stays.
#[derive(Debug)]
pub(super) struct EventStream {
    receive: mpsc::Receiver<Bytes>,
    _here: Here,
}

impl Body for EventStream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.receive
            .poll_recv(context)
            .map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// Whether a browser has the page open.
#[derive(Debug, Default)]
pub(crate) struct Presence(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    streams: usize,
    /// The time of the last request, or of the end of the last stream.
    last: Option<Instant>,
}

impl Presence {
    /// Returns since when no browser has the page open; zero while one has, `None` if none ever
    /// had.
    pub(crate) fn gone_for(&self) -> Option<Duration> {
        let seen = self.seen();
        let last = seen.last?;
        Some(if seen.streams > 0 {
            Duration::ZERO
        } else {
            last.elapsed()
        })
    }

    /// Notes a request.
    pub(super) fn note(&self) {
        self.seen().last = Some(Instant::now());
    }

    fn enter(self: &Arc<Presence>) -> Here {
        self.seen().streams += 1;
        self.note();
        Here(self.clone())
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A browser that has the page open.
#[derive(Debug)]
struct Here(Arc<Presence>);

impl Drop for Here {
    fn drop(&mut self) {
        self.0.seen().streams -= 1;
        self.0.note();
    }
}
