use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::{Duration, Instant};

use battleship::protocol::Ruleset;
use battleship::seeded::SeededRng;

use super::report::{CHECK_FORMAT, Outcome, Report, StepReport};
use super::session::Halt;
use super::step::{Ability, Step, Verdict, steps};
use crate::game::{Entrant, GameStopped};
use crate::terms::Rules;
use bothost::{Interrupt, Launch, Parting, pin};
use league::statistics::distribution::Times;

/// After so long a time no step begins anything more.
const LONGEST_STEP: Duration = Duration::from_secs(60);

/// The domain of [`SeededRng`] from which the seeds of a check come.
const DOMAIN: u64 = u64::from_be_bytes(*b"checking");

/// Who is examined, and under what.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    /// The bot.
    pub(crate) player: Entrant,
    /// The game.
    pub(crate) rules: Ruleset,
    /// Where all that is random in the check comes from.
    pub(crate) seed: u64,
    /// How long the bot may take for a reply.
    pub(crate) limit: Duration,
    /// How long it may take to get ready.
    pub(crate) start_limit: Duration,
    /// How it is started.
    pub(crate) launch: Launch,
    /// Who may stop the check.
    pub(crate) interrupt: Arc<Interrupt>,
}

/// An examination that is going on: what it is made under, and what has been learnt of the bot so far.
pub(super) struct Examination<'c> {
    pub(super) conditions: &'c Conditions,
    pub(super) launch: Launch,
    step_began: Cell<Instant>,
    pub(super) diary: Diary,
}

/// What is learnt of a bot in passing.
#[derive(Debug, Default)]
pub(super) struct Diary {
    /// How long its replies took.
    pub(super) times: RefCell<Times>,
    /// How long it took to get ready, at the longest.
    pub(super) ready: Cell<Option<Duration>>,
    /// Whether a reply that did not come in time has been waited for once more.
    pub(super) has_waited: Cell<bool>,
    /// Whether it has failed on boards other than the usual one.
    pub(super) one_board_only: Cell<bool>,
    /// What it left behind whenever it left by itself and that could be known.
    pub(super) behind: RefCell<Option<Vec<String>>>,
}

impl Diary {
    pub(super) fn note_reply(&self, time: Duration) {
        self.times.borrow_mut().add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    pub(super) fn note_ready(&self, time: Duration) {
        self.ready.set(self.ready.get().max(Some(time)));
    }

    pub(super) fn note_parting(&self, parting: &Parting) {
        if let Some(names) = &parting.behind {
            self.behind.borrow_mut().get_or_insert_default().extend(names.iter().cloned());
        }
    }
}

impl<'c> Examination<'c> {
    pub(super) fn new(conditions: &'c Conditions) -> Examination<'c> {
        let pinned = conditions.launch.pinned && pin::to_this_core();
        let launch = Launch { pinned, tells_who_is_left: true, ..conditions.launch.clone() };
        let step_began = Cell::new(Instant::now());
        Examination { conditions, launch, step_began, diary: Diary::default() }
    }

    /// A seed for the bot, one of many that come from the seed of the check.
    pub(super) fn seed(&self, number: u32) -> u32 {
        let mut rng = SeededRng::keyed([self.conditions.seed, DOMAIN, number.into(), 0]);
        u32::try_from(rng.below(1 << 31)).expect("31 bits")
    }

    /// Whether the step has gone on for so long that it goes no further, as with a bot that thinks for seconds.
    pub(super) fn takes_too_long(&self) -> bool {
        self.step_began.get().elapsed() > LONGEST_STEP
    }

    /// The usual game by the rules that are examined.
    pub(super) fn usual_game(&self) -> Rules {
        match self.conditions.rules {
            Ruleset::Classic => Rules::Classic(battleship::Game::standard()),
            Ruleset::Twist => Rules::Twist,
        }
    }

    /// The report of these steps.
    pub(super) fn report(&self, steps: Vec<StepReport>, verdict: &'static str) -> Report {
        let Conditions { player, rules, seed, .. } = self.conditions;
        Report {
            format: CHECK_FORMAT,
            version: 1,
            referee: env!("CARGO_PKG_VERSION"),
            name: player.name.clone(),
            command: player.program.command_line.clone(),
            rules: rules.word().to_owned(),
            seed: *seed,
            verdict,
            passed: steps.iter().all(|step| step.outcome != Outcome::Fail),
            steps,
            times: self.diary.times.borrow().summary(),
        }
    }
}

/// Tries the bot, step by step; `hear` hears of each step as soon as it is done.
///
/// # Errors
/// If somebody stops the check, if `hear` does, or if the referee or its machine fails. Whatever the bot does is in the
/// report.
pub(crate) fn examine(
    conditions: &Conditions,
    hear: &mut dyn FnMut(&StepReport) -> std::io::Result<()>,
) -> Result<Report, GameStopped> {
    let examination = Examination::new(conditions);
    let mut reports: Vec<StepReport> = Vec::new();
    // What the bot has turned out not to be able to, and in which step.
    let mut lost: Vec<(Ability, usize)> = Vec::new();
    for (number, step) in (1..).zip(steps(conditions.rules)) {
        let missing = lost.iter().find(|(ability, _)| step.needs.contains(ability));
        let (verdict, broke_off) = match missing {
            Some((_, failed)) => (Verdict::Unknown(format!("step {failed} failed")), false),
            None => try_step(step, &examination)?,
        };
        if let Some(ability) = step.loses.filter(|_| broke_off) {
            lost.push((ability, number));
        }
        let report = report_of(number, step, verdict);
        hear(&report).map_err(GameStopped::Failed)?;
        reports.push(report);
    }
    let failed = reports.iter().any(|report| report.outcome == Outcome::Fail);
    let verdict = if failed { "does not keep to the protocol" } else { "keeps to the protocol" };
    Ok(examination.report(reports, verdict))
}

/// What came of the step, and whether the bot broke off the dialogue in it.
fn try_step(step: &Step, examination: &Examination<'_>) -> Result<(Verdict, bool), GameStopped> {
    examination.step_began.set(Instant::now());
    match (step.run)(examination) {
        Ok(verdict) => Ok((verdict, false)),
        Err(Halt::Fault(mut fault)) => {
            if let Some(cause) = step.cause.filter(|_| !fault.certain) {
                cause.clone_into(&mut fault.finding.cause);
            }
            Ok((Verdict::Fail(fault.finding), true))
        }
        Err(Halt::Busy(what)) => Ok((Verdict::Unknown(what), false)),
        Err(Halt::Over(over)) => Err(over),
    }
}

pub(super) fn report_of(number: usize, step: &Step, verdict: Verdict) -> StepReport {
    let (outcome, said, finding) = match verdict {
        Verdict::Pass(said) => (Outcome::Pass, said, None),
        Verdict::Note(said) => (Outcome::Note, said, None),
        Verdict::Warn(finding) => (Outcome::Warn, String::new(), Some(finding)),
        Verdict::Fail(finding) => (Outcome::Fail, String::new(), Some(finding)),
        Verdict::Unknown(why) => (Outcome::NotTried, why, None),
    };
    StepReport { number, step: step.name, title: step.title, outcome, said, finding }
}
