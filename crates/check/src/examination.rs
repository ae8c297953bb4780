//! A check in progress: what it is made with, and what it has learned of the bot.

use battleship::Rules;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use battleship::seeded::SeededRng;
use bothost::{ExitReport, Launch};
use league::statistics::distribution::Distribution;

use super::boards::{GAMES, TrialBoard, size_in_words};
use super::halt::Fault;
use super::setup::CheckSetup;

/// Time after which a step begins nothing more.
const LONGEST_STEP: Duration = Duration::from_secs(60);

/// Number of times that a bot is asked for its ships before it counts as one that cannot place them. A bot that gives up half
/// of the time fails this often in a row once in a million checks.
pub(super) const TRIES: u32 = 20;

/// The domain of [`SeededRng`] from which the seeds of a check come.
const DOMAIN: u64 = u64::from_be_bytes(*b"checking");

/// A check in progress: its setup, and what it has learned of the bot so far.
pub(super) struct Examination<'c> {
    pub(super) setup: &'c CheckSetup,
    pub(super) launch: Launch,
    step_began: Cell<Instant>,
    /// Number of earlier attempts at the step, each with other seeds.
    attempt: Cell<u32>,
    pub(super) seen: Observations,
}

/// Facts that a check learns about a bot in passing.
#[derive(Debug, Default)]
pub(super) struct Observations {
    /// The time that its replies took.
    pub(super) times: RefCell<Distribution>,
    /// The longest time that it took to get ready.
    pub(super) ready: Cell<Option<Duration>>,
    /// Whether a late reply has been waited for a second time.
    pub(super) has_waited: Cell<bool>,
    /// Whether it fails in games in which it is told its time for a reply, as it would at any command that it does not
    /// know. That is one fault with a step of its own, so the others are tried without the line.
    pub(super) stumbles_over_limit: Cell<bool>,
    /// The fault of a bot that said nothing until its time was over, in two games. The step that would try the same again need
    /// not.
    pub(super) silence: RefCell<Option<Box<Fault>>>,
    /// Whether it has failed on boards other than the usual one.
    pub(super) one_board_only: Cell<bool>,
    /// Whether it says nothing when it is to place its ships on such a board.
    pub(super) silent_on_others: Cell<bool>,
    /// For each size of the board in words: the number of times that it was asked for ships that there is room for, in games
    /// that continue, and the number of times that it then said that it cannot place them.
    pub(super) placements: RefCell<BTreeMap<String, [u32; 2]>>,
    /// The processes that it left behind whenever it left by itself; `None` if that is not known.
    pub(super) behind: RefCell<Option<Vec<String>>>,
}

impl Observations {
    pub(super) fn note_reply(&self, time: Duration) {
        self.times
            .borrow_mut()
            .add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    pub(super) fn note_ready(&self, time: Duration) {
        self.ready.set(self.ready.get().max(Some(time)));
    }

    /// Counts a placement on a board of this size; `None` if the bot gave up.
    pub(super) fn note_placement<T>(&self, size: [i32; 2], placed: Option<&T>) {
        let mut placements = self.placements.borrow_mut();
        let [games, gave_up] = placements.entry(size_in_words(size)).or_default();
        *games += 1;
        *gave_up += u32::from(placed.is_none());
    }

    /// Whether it has placed its ships in some game.
    pub(super) fn has_placed(&self) -> bool {
        self.placements
            .borrow()
            .values()
            .any(|[games, gave_up]| gave_up < games)
    }

    pub(super) fn note_exit(&self, report: &ExitReport) {
        if let Some(names) = &report.behind {
            self.behind
                .borrow_mut()
                .get_or_insert_default()
                .extend(names.iter().cloned());
        }
    }
}

impl<'c> Examination<'c> {
    /// A check that begins now.
    pub(super) fn new(setup: &'c CheckSetup) -> Examination<'c> {
        // Only a check asks who is left: the search for descendants costs time that games do not have.
        let launch = Launch {
            lists_left_behind: true,
            ..setup.launch.clone()
        };
        let step_began = Cell::new(Instant::now());
        let attempt = Cell::new(0);
        Examination {
            setup,
            launch,
            step_began,
            attempt,
            seen: Observations::default(),
        }
    }

    /// A seed for the bot, one of many that come from the seed of the check.
    pub(super) fn seed(&self, number: u32) -> u32 {
        self.nth_seed(number, self.attempt.get())
    }

    /// The seed for the bot in place of `seed`, with which it gave up, the `nth` such.
    pub(super) fn seed_instead_of(&self, seed: u32, nth: u32) -> u32 {
        if nth == 0 {
            seed
        } else {
            self.nth_seed(seed, nth)
        }
    }

    fn nth_seed(&self, number: u32, nth: u32) -> u32 {
        let mut rng = SeededRng::keyed([self.setup.seed, DOMAIN, number.into(), nth.into()]);
        u32::try_from(rng.below(1 << 31)).expect("31 bits")
    }

    /// A step begins.
    pub(super) fn begin_step(&self) {
        self.step_began.set(Instant::now());
        self.attempt.set(0);
    }

    /// The step begins again with other seeds: a bot that follows its seed would do the same for the same seeds.
    pub(super) fn begin_again(&self) {
        self.attempt.set(self.attempt.get() + 1);
    }

    /// Whether the step may begin again: not too often, and not for too long.
    pub(super) fn may_begin_again(&self) -> bool {
        self.attempt.get() + 1 < TRIES && !self.takes_too_long()
    }

    /// Whether the step has taken too long to continue, as with a bot that thinks for seconds.
    pub(super) fn takes_too_long(&self) -> bool {
        self.step_began.get().elapsed() > LONGEST_STEP
    }

    /// Returns the rules of whole games: on different boards, if the game has them and the bot plays more than one game.
    pub(super) fn games(&self) -> Vec<Rules> {
        let usual = self.usual_game();
        let has_others = usual.game().is_some() && !self.setup.player.one_game;
        let rules = |board: &TrialBoard| {
            let others = has_others.then(|| board.rules(&usual));
            others.unwrap_or_else(|| usual.clone())
        };
        GAMES.iter().map(rules).collect()
    }

    /// The usual game by the rules that are examined.
    pub(super) fn usual_game(&self) -> Rules {
        self.setup.rules.clone()
    }
}
