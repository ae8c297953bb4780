//! Runs a check: step after step, sparing the bot those that rely on what it cannot do.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use arena::game::{EndedBy, Game as _, Stopped};
use arena::result::TimesSummary;
use bothost::LeaveBy;
use league::statistics::distribution::Distribution;

use crate::battleship::play::Play;
use crate::check::{Ability, Check, CheckSetup, OtherBoards, Verdict};
use crate::failure::{StepError, StepFailure};
use crate::report::{CheckReport, Finding, Outcome, StepReport};
use crate::request::reply_word;
use crate::session::Session;
use crate::steps::{Step, steps};

/// Number of times that the bot has to place its ships well in the game in which it did not, before
/// the subject of a step is to blame. A bot that fails half of the time passes this often in a row
/// once in 256 checks.
const CONFIRMATIONS: u32 = 8;

/// The numbers of the seeds of the whole games in which the fault of a step must not happen, before
/// the subject of the step is to blame.
const CONTROL_SEEDS: std::ops::Range<u32> = 71..79;

/// Number of attempts at a step in all if the machine is too busy to tell.
const TRIES_IF_BUSY: u32 = 3;

/// Tries the bot, step by step; `on_step` is called with each step as soon as it is done.
///
/// # Errors
/// If the check is interrupted, if `on_step` fails, or if the referee or its machine fails.
/// Failures of the bot are in the report.
pub fn check_bot(
    setup: &CheckSetup,
    on_step: &mut dyn FnMut(&StepReport) -> io::Result<()>,
) -> Result<CheckReport, Stopped> {
    let mut check = new_check(setup);
    // Only a check asks who is left: the search for descendants costs time that games do not have.
    check.setup.launch.lists_left_behind = true;
    let mut reports = Vec::new();
    for (number, step) in (1..).zip(steps(setup)) {
        if setup.basics_only && step.loses.is_none() {
            continue;
        }
        let (outcome, said, finding) = match check.try_step(number, step)? {
            Verdict::Pass(said) => (Outcome::Pass, said, None),
            Verdict::Note(said) => (Outcome::Note, said, None),
            Verdict::Warn(finding) => (Outcome::Warn, String::new(), Some(finding)),
            Verdict::Fail(finding) => (Outcome::Fail, String::new(), Some(finding)),
            Verdict::Unknown(why) => (Outcome::NotTried, why, None),
        };
        let report = StepReport {
            number,
            step: step.name,
            title: step.title,
            outcome,
            said,
            finding,
        };
        on_step(&report)?;
        reports.push(report);
    }
    let rules = match &setup.judge {
        Some(judge) => judge.rules(),
        None => setup.rules.ruleset().word(),
    };
    let times = TimesSummary::of(&check.times);
    let name = &setup.player.name;
    let command = &setup.player.program.command_line;
    Ok(CheckReport::new(
        name, command, rules, setup.seed, reports, times,
    ))
}

fn new_check(setup: &CheckSetup) -> Check {
    Check {
        setup: setup.clone(),
        step_began: Instant::now(),
        attempt: 0,
        lost: Vec::new(),
        times: Distribution::default(),
        ready: Duration::ZERO,
        has_waited: false,
        stumbles_over_limit: false,
        silence: None,
        other_boards: OtherBoards::default(),
        placements: BTreeMap::new(),
        behind: None,
    }
}

/// Starts the bot and asks whether it is ready, and nothing else. Returns what is wrong if it does
/// not get ready.
///
/// # Errors
/// If the check is interrupted, or if the referee or its machine fails.
pub fn check_start(setup: &CheckSetup) -> Result<Option<Finding>, Stopped> {
    let mut check = new_check(setup);
    let left = Session::open(&mut check)
        .and_then(|mut session| session.leave(LeaveBy::Quit, Duration::ZERO));
    match left {
        Ok(_) => Ok(None),
        Err(StepError::Failure(failure)) => Ok(Some(failure.finding)),
        Err(StepError::Busy(what)) => Err(Stopped::Failed(io::Error::other(what))),
        Err(StepError::Stopped(stopped)) => Err(stopped),
    }
}

impl Check {
    fn try_step(&mut self, number: usize, step: &Step) -> Result<Verdict, Stopped> {
        let mut lost = self.lost.iter();
        if let Some((ability, failed)) = lost.find(|(ability, _)| *ability <= step.needs) {
            let is_warned =
                *ability == Ability::PlacesAnywhere && self.other_boards == OtherBoards::AsUsual;
            return Ok(Verdict::Unknown(if is_warned {
                format!("it places one fleet on one board (step {failed})")
            } else {
                format!("step {failed} failed")
            }));
        }
        self.step_began = Instant::now();
        self.attempt = 0;
        let known = self.silence.take_if(|failure| {
            let shown = match reply_word(&failure.request) {
                "ready" => Ability::Ready,
                "place" => Ability::Places,
                _ => Ability::Plays,
            };
            step.loses == Some(shown)
        });
        // To see the same silence again would take the time of a reply again.
        let mut result = match known {
            Some(failure) => Err(StepError::Failure(failure)),
            None => (step.run)(self),
        };
        for _ in 1..TRIES_IF_BUSY {
            if result.as_ref().is_err_and(StepError::is_of_busy_machine) {
                result = (step.run)(self);
            }
        }
        // A bot may give up placing its ships now and then. That says nothing of what this step is
        // for.
        while result.as_ref().is_err_and(StepError::is_giving_up) && self.may_begin_again() {
            self.attempt += 1;
            result = (step.run)(self);
        }
        let mut placements = self.placements.values();
        let has_placed = placements.any(|[games, gave_up]| gave_up < games);
        Ok(match result {
            Ok(verdict) => {
                if step.loses == Some(Ability::PlacesAnywhere)
                    && self.other_boards == OtherBoards::AsUsual
                {
                    self.lost.push((Ability::PlacesAnywhere, number));
                }
                verdict
            }
            Err(error) if error.is_giving_up() && has_placed => {
                Verdict::Unknown("it said \"place none\" again and again".to_owned())
            }
            Err(StepError::Failure(mut failure)) => {
                if let Some(cause) = step.cause
                    && !failure.certain
                    && self.fails_again(step, &failure)?
                    && !self.places_wrongly_anyway(&failure)?
                    && !self.fails_anyway(&failure)?
                {
                    cause.clone_into(&mut failure.finding.cause);
                }
                self.lost
                    .extend(step.loses.map(|ability| (ability, number)));
                Verdict::Fail(failure.finding)
            }
            Err(StepError::Busy(what)) => Verdict::Unknown(format!("the machine was busy: {what}")),
            Err(StepError::Stopped(stopped)) => return Err(stopped),
        })
    }

    /// Returns whether the bot fails again in the same way. Another fault that comes now and then
    /// has another cause than the usual one of the step.
    fn fails_again(&mut self, step: &Step, failure: &StepFailure) -> Result<bool, Stopped> {
        match (step.run)(self) {
            Err(StepError::Failure(again)) => Ok(again.ended_by == failure.ended_by),
            Err(StepError::Stopped(stopped)) => Err(stopped),
            Ok(_) | Err(_) => Ok(false),
        }
    }

    /// Returns whether the bot fails in the same way in whole games that have nothing of the
    /// subject of the step. Then that is not the cause.
    fn fails_anyway(&mut self, failure: &StepFailure) -> Result<bool, Stopped> {
        self.fails_in_one(failure, CONTROL_SEEDS, |session, number| {
            Play::usual(session, number)?.finish().map(drop)
        })
    }

    /// Returns whether the bot, which placed its ships illegally in a game of a step, does the same
    /// in this game without what the step is for. Then that is not the cause.
    fn places_wrongly_anyway(&mut self, failure: &StepFailure) -> Result<bool, Stopped> {
        let is_illegal = failure.ended_by == EndedBy::IllegalPlacement;
        let Some(seed) = failure.seed.filter(|_| is_illegal) else {
            return Ok(false);
        };
        let rules = self.setup.rules.clone();
        self.fails_in_one(failure, 0..CONFIRMATIONS, |session, _| {
            Play::begin(session, rules.clone(), seed).map(drop)
        })
    }

    /// Returns whether one of some trials, each in a process of its own, ends as `failure`. The
    /// trials end when the step takes too long.
    fn fails_in_one<Number>(
        &mut self,
        failure: &StepFailure,
        numbers: impl IntoIterator<Item = Number>,
        trial: impl Fn(&mut Session<'_>, Number) -> Result<(), StepError>,
    ) -> Result<bool, Stopped> {
        for number in numbers {
            let tried = Session::open(self).and_then(|mut session| trial(&mut session, number));
            match tried {
                Err(StepError::Failure(again)) if again.ended_by == failure.ended_by => {
                    return Ok(true);
                }
                Err(StepError::Stopped(stopped)) => return Err(stopped),
                Ok(()) | Err(_) => {}
            }
            if self.takes_too_long() {
                break;
            }
        }
        Ok(false)
    }
}
