//! The viewers of a game while it is played, on a thread of their own.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::Left;
use crate::story::News;
use battleship::BySide;
use bothost::Interrupt;

use super::Teller;

/// A thread that shows a game. When this is dropped the thread ends, whatever it shows.
#[derive(Debug)]
pub struct Stage {
    news: Sender<News>,
    /// Whether the thread is to end at once.
    closes: Arc<AtomicBool>,
    interrupt: Arc<Interrupt>,
    /// Disconnected when the thread ends.
    lives: Receiver<()>,
    thread: Option<JoinHandle<io::Result<Left>>>,
}

/// The poll interval for a request to end while the person still looks at a game.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// The time that a thread may take to end after that. One that has lost its terminal may never.
const PATIENCE: Duration = Duration::from_secs(2);

/// The data of a stage's thread.
#[derive(Debug)]
pub struct OnStage {
    /// The events of the game.
    pub news: Receiver<News>,
    interrupt: Arc<Interrupt>,
    closes: Arc<AtomicBool>,
}

impl OnStage {
    /// Ends the game, if the person has left it before its end, and returns how it was left. To be
    /// called while there still is who answers: without an answer the person would resign.
    #[must_use]
    pub fn left(&self, left: Left) -> Left {
        match left {
            Left::Willingly | Left::For(_) => {}
            Left::Interrupted => self.interrupt.note(),
        }
        left
    }

    /// Whether the thread is to end at once.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.closes.load(Ordering::Relaxed) || self.interrupt.is_noted()
    }
}

/// Ends a game whose stage has failed: a person could not answer any more.
#[derive(Debug)]
struct Warden(Option<Arc<Interrupt>>);

impl Warden {
    /// All is well.
    fn dismiss(mut self) {
        self.0 = None;
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        self.0.iter().for_each(|interrupt| interrupt.note());
    }
}

impl Stage {
    /// Begins to show a game: `show` does it, and returns how the person left.
    ///
    /// # Errors
    /// If there is no thread to spare.
    pub fn open(
        interrupt: &Arc<Interrupt>,
        show: impl FnOnce(OnStage) -> io::Result<Left> + Send + 'static,
    ) -> io::Result<Stage> {
        let (sender, news) = mpsc::channel();
        let closes = Arc::new(AtomicBool::new(false));
        let on_stage = OnStage {
            news,
            interrupt: interrupt.clone(),
            closes: closes.clone(),
        };
        let thread = thread::Builder::new().name("stage".to_owned());
        let warden = Warden(Some(interrupt.clone()));
        let (life, lives) = mpsc::channel::<()>();
        let thread = thread.spawn(move || {
            let _life = life;
            let shown = show(on_stage);
            if shown.is_ok() {
                warden.dismiss();
            }
            shown
        })?;
        let interrupt = interrupt.clone();
        Ok(Stage {
            news: sender,
            closes,
            interrupt,
            lives,
            thread: Some(thread),
        })
    }

    /// Returns where news of the game go.
    #[must_use]
    pub fn news(&self) -> Sender<News> {
        self.news.clone()
    }

    /// Returns what tells the game between players of these names.
    #[must_use]
    pub fn teller(&self, names: BySide<String>) -> Teller {
        Teller::new(names, self.news())
    }

    /// Waits until the person has seen enough of the game, which is over. Returns how the person
    /// left.
    ///
    /// # Errors
    /// If it could not be shown.
    pub fn wait(mut self) -> io::Result<Left> {
        self.join()
    }

    /// Ends the thread, whatever it shows.
    ///
    /// # Errors
    /// If it has failed.
    pub fn close(mut self) -> io::Result<()> {
        self.closes.store(true, Ordering::Relaxed);
        self.join().map(drop)
    }

    fn join(&mut self) -> io::Result<Left> {
        let Some(thread) = self.thread.take() else {
            return Ok(Left::Willingly);
        };
        let mut told_at = None;
        while self.lives.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
            if self.interrupt.is_noted() || self.closes.load(Ordering::Relaxed) {
                let told_at = *told_at.get_or_insert_with(Instant::now);
                if told_at.elapsed() > PATIENCE {
                    crate::give_back();
                    return Err(io::Error::other("what showed the game does not end"));
                }
            }
        }
        thread
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("what showed the game has failed")))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.closes.store(true, Ordering::Relaxed);
        // The error that led here counts more.
        let _ = self.join();
    }
}
