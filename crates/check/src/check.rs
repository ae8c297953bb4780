//! A check in progress: its settings, and what it has learned of the bot.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::game::{Entrant, Game as _};
use arena::judge::Judge;
use battleship::Rules;
use battleship::seeded::SeededRng;
use bothost::{Clock, Interrupt, Launch};
use league::statistics::distribution::Distribution;

use crate::failure::{StepError, StepFailure};
use crate::report::Finding;

/// Time after which a step begins nothing more.
const LONGEST_STEP: Duration = Duration::from_secs(60);

/// Number of times that a bot is asked for its ships before it counts as one that cannot place
/// them. A bot that gives up half of the time fails this often in a row once in a million checks.
pub(crate) const TRIES: u32 = 20;

/// The domain of [`SeededRng`] from which the seeds of a check come.
const DOMAIN: u64 = u64::from_be_bytes(*b"checking");

/// The bot that is checked, and the settings of the check.
#[derive(Clone, Debug)]
pub struct CheckSetup {
    /// The bot.
    pub player: Entrant,
    /// The game, with its options. Some steps have boards of their own.
    pub rules: Rules,
    /// The judge, if one knows the game instead.
    pub judge: Option<Judge>,
    /// The turns of each player in a game that a judge knows.
    pub max_turns: u32,
    /// The replies that a judge may refuse in a game, and that are asked for again.
    pub retries: u32,
    /// The seed of everything that is random in the check.
    pub seed: u64,
    /// The clock of the bot: a time for each reply, or for a game.
    pub clock: Clock,
    /// The time that it may take to get ready.
    pub start_limit: Duration,
    /// The settings for starting the bot.
    pub launch: Launch,
    /// The interrupt that may stop the check.
    pub interrupt: Arc<Interrupt>,
    /// Whether to try only the steps on which others rely: whether the bot gets ready, places its
    /// ships and plays.
    pub basics_only: bool,
}

impl CheckSetup {
    /// Returns the name of the game, as a bot says it after `plays`.
    pub(crate) fn game(&self) -> &str {
        match &self.judge {
            Some(judge) => judge.name(),
            None => self.rules.ruleset().word(),
        }
    }

    /// Returns the longest time for a reply.
    pub(crate) fn limit(&self) -> Duration {
        let total = match self.clock {
            Clock::Game { total, .. } => Some(total),
            Clock::Wall(_) | Clock::Fuel { .. } | Clock::None => self.clock.reply_limit(),
        };
        total.unwrap_or(Duration::MAX)
    }
}

/// An ability that other steps rely on. A bot that turns out not to have it is spared them. Each
/// needs those before it; only who plays need not place its ships anywhere, which is why that comes
/// last, although it is tried before.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Ability {
    /// The bot gets ready.
    Ready,
    /// It says one line for each request, so that it is known which line answers what.
    InStep,
    /// It places the usual fleet.
    Places,
    /// It takes turns in a game.
    Plays,
    /// It plays another game after the first.
    PlaysAgain,
    /// It places other fleets on other boards.
    PlacesAnywhere,
}

/// How a bot places its ships on boards other than the usual one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OtherBoards {
    /// As the rules want it, as far as is known.
    #[default]
    Legally,
    /// As on the usual board, which is worth a warning only.
    AsUsual,
    /// Wrongly.
    Wrongly,
    /// Not at all: it says nothing.
    Silently,
}

/// The result of a step.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// All is well.
    Pass(String),
    /// Good to know.
    Note(String),
    /// The bot can play, but this should be fixed.
    Warn(Finding),
    /// The bot breaks the protocol, or loses by it.
    Fail(Finding),
    /// It could not be tried; why.
    Unknown(String),
}

pub(crate) type StepResult = Result<Verdict, StepError>;

/// All is well, and there is no more to say.
pub(crate) const PASS: Verdict = Verdict::Pass(String::new());

/// A check in progress, and what it has learned of the bot so far.
pub(crate) struct Check {
    pub(crate) setup: CheckSetup,
    pub(crate) step_began: Instant,
    /// Number of earlier attempts at the step, each with other seeds.
    pub(crate) attempt: u32,
    /// The abilities that the bot turned out not to have, and the steps that showed it.
    pub(crate) lost: Vec<(Ability, usize)>,
    /// The times of its replies, in microseconds.
    pub(crate) times: Distribution,
    /// The longest time that it took to get ready.
    pub(crate) ready: Duration,
    /// Whether a late reply has been waited for a second time.
    pub(crate) has_waited: bool,
    /// Whether it fails in games in which it is told its time for a reply, as it would at any
    /// command that it does not know. That is one fault with a step of its own, so the others are
    /// tried without the line.
    pub(crate) stumbles_over_limit: bool,
    /// The failure of a bot that said nothing until its time was over, in two games. The step that
    /// would try the same again need not.
    pub(crate) silence: Option<Box<StepFailure>>,
    /// How it places its ships on boards other than the usual one.
    pub(crate) other_boards: OtherBoards,
    /// For each size of the board in words: the number of times that it was asked for ships that
    /// there is space for, in games that continue, and the number of times that it then said that it
    /// cannot place them.
    pub(crate) placements: BTreeMap<String, [u32; 2]>,
    /// The processes that it left behind whenever it left by itself; `None` if that is not known.
    pub(crate) behind: Option<Vec<String>>,
}

impl Check {
    /// Whether the step may begin again with other seeds: not too often, and not for too long. A
    /// bot that follows its seed would do the same for the same seeds.
    pub(crate) fn may_begin_again(&self) -> bool {
        self.attempt + 1 < TRIES && !self.takes_too_long()
    }

    /// Whether the step has taken too long to continue, as with a bot that thinks for seconds.
    pub(crate) fn takes_too_long(&self) -> bool {
        self.step_began.elapsed() > LONGEST_STEP
    }

    /// Returns a seed for the bot, one of many that come from the seed of the check.
    pub(crate) fn seed(&self, number: u32) -> u32 {
        self.nth_seed(number, self.attempt)
    }

    /// Returns the seed for the bot in place of `seed`, with which it gave up, the `nth` such.
    pub(crate) fn seed_instead_of(&self, seed: u32, nth: u32) -> u32 {
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
}
