//! A check in progress: what it is made with, and what it has learned of the bot.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use battleship::seeded::SeededRng;
use bothost::{ExitReport, Launch, pin};
use league::statistics::distribution::Times;

use super::setup::CheckSetup;
use crate::terms::Rules;

/// After so long a time no step begins anything more.
const LONGEST_STEP: Duration = Duration::from_secs(60);

/// The domain of [`SeededRng`] from which the seeds of a check come.
const DOMAIN: u64 = u64::from_be_bytes(*b"checking");

/// A check in progress: its setup, and what it has learned of the bot so far.
pub(super) struct Examination<'c> {
    pub(super) setup: &'c CheckSetup,
    pub(super) launch: Launch,
    step_began: Cell<Instant>,
    pub(super) seen: Observations,
}

/// What a check learns of a bot in passing.
#[derive(Debug, Default)]
pub(super) struct Observations {
    /// How long its replies took.
    pub(super) times: RefCell<Times>,
    /// The longest time that it took to get ready.
    pub(super) ready: Cell<Option<Duration>>,
    /// Whether a late reply has been waited for a second time.
    pub(super) has_waited: Cell<bool>,
    /// Whether it has failed on boards other than the usual one.
    pub(super) one_board_only: Cell<bool>,
    /// The processes that it left behind whenever it left by itself; `None` if that is not known.
    pub(super) behind: RefCell<Option<Vec<String>>>,
}

impl Observations {
    pub(super) fn note_reply(&self, time: Duration) {
        self.times.borrow_mut().add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    pub(super) fn note_ready(&self, time: Duration) {
        self.ready.set(self.ready.get().max(Some(time)));
    }

    pub(super) fn note_exit(&self, report: &ExitReport) {
        if let Some(names) = &report.behind {
            self.behind.borrow_mut().get_or_insert_default().extend(names.iter().cloned());
        }
    }
}

impl<'c> Examination<'c> {
    /// A check that begins now.
    pub(super) fn new(setup: &'c CheckSetup) -> Examination<'c> {
        let pinned = setup.launch.pinned && pin::to_this_core();
        // Only a check asks who is left: the search for descendants costs time that games do not have.
        let launch = Launch { pinned, tells_who_is_left: true, ..setup.launch.clone() };
        let step_began = Cell::new(Instant::now());
        Examination { setup, launch, step_began, seen: Observations::default() }
    }

    /// A seed for the bot, one of many that come from the seed of the check.
    pub(super) fn seed(&self, number: u32) -> u32 {
        let mut rng = SeededRng::keyed([self.setup.seed, DOMAIN, number.into(), 0]);
        u32::try_from(rng.below(1 << 31)).expect("31 bits")
    }

    /// A step begins.
    pub(super) fn begin_step(&self) {
        self.step_began.set(Instant::now());
    }

    /// Whether the step has gone on for so long that it goes no further, as with a bot that thinks for seconds.
    pub(super) fn takes_too_long(&self) -> bool {
        self.step_began.get().elapsed() > LONGEST_STEP
    }

    /// The usual game by the rules that are examined.
    pub(super) fn usual_game(&self) -> Rules {
        Rules::usual(self.setup.rules)
    }
}
