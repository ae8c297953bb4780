//! A whole check: step after step, sparing the bot those that rely on what it cannot do.

use super::asked::Asked;
use super::examination::Examination;
use super::halt::{Fault, Halt};
use super::play::Play;
use super::report::{CHECK_FORMAT, CheckVerdict, Outcome, Report, StepReport};
use super::session::Session;
use super::setup::CheckSetup;
use super::step::{Ability, Step, Verdict};
use super::steps::steps;
use arena::game::{EndedBy, Stopped};
use arena::result::TimesSummary;

/// Number of times that the bot has to place its ships well in the game in which it did not, before the subject of a step is to
/// blame. A bot that fails half of the time passes this often in a row once in 256 checks.
const CONFIRMATIONS: u32 = 8;

/// Number of attempts at a step in all if the machine is too busy to tell.
const TRIES_IF_BUSY: u32 = 3;

/// Tries the bot, step by step; `hear` is called with each step as soon as it is done.
///
/// # Errors
/// If the check is interrupted, if `hear` fails, or if the referee or its machine fails. Failures of the bot are in
/// the report.
pub fn examine(
    setup: &CheckSetup,
    hear: &mut dyn FnMut(&StepReport) -> std::io::Result<()>,
) -> Result<Report, Stopped> {
    examine_steps(setup, |_| true, hear)
}

/// The same with those steps alone on which others rely: whether the bot gets ready, places its ships and plays.
///
/// # Errors
/// As [`examine`].
pub fn examine_basics(
    setup: &CheckSetup,
    hear: &mut dyn FnMut(&StepReport) -> std::io::Result<()>,
) -> Result<Report, Stopped> {
    examine_steps(setup, |step| step.loses.is_some(), hear)
}

fn examine_steps(
    setup: &CheckSetup,
    wanted: impl Fn(&Step) -> bool,
    hear: &mut dyn FnMut(&StepReport) -> std::io::Result<()>,
) -> Result<Report, Stopped> {
    let examination = Examination::new(setup);
    let mut reports: Vec<StepReport> = Vec::new();
    // The abilities that the bot turned out not to have, and the steps that showed it.
    let mut lost: Vec<(Ability, usize)> = Vec::new();
    for (number, step) in (1..)
        .zip(steps(&setup.rules, setup.player.one_game))
        .filter(|(_, step)| wanted(step))
    {
        let missing = lost
            .iter()
            .find(|(ability, _)| step.needs.contains(ability));
        let (verdict, broke_off) = match missing {
            Some((_, failed)) => (Verdict::Unknown(format!("step {failed} failed")), false),
            None => try_step(step, &examination)?,
        };
        if let Some(ability) = step.loses.filter(|_| broke_off) {
            lost.push((ability, number));
        }
        let report = step_report(number, step.name, step.title, verdict);
        hear(&report).map_err(Stopped::Failed)?;
        reports.push(report);
    }
    let failed = reports.iter().any(|report| report.outcome == Outcome::Fail);
    let verdict = if failed {
        CheckVerdict::BreaksProtocol
    } else {
        CheckVerdict::KeepsToProtocol
    };
    Ok(report(&examination, reports, verdict))
}

/// Tries one step. Returns its result, and whether the bot broke off the dialogue in it.
fn try_step(step: &Step, examination: &Examination<'_>) -> Result<(Verdict, bool), Stopped> {
    examination.begin_step();
    let mut result = match known_silence(step, examination) {
        Some(fault) => Err(Halt::Fault(fault)),
        None => (step.run)(examination),
    };
    for _ in 1..TRIES_IF_BUSY {
        if !result.as_ref().is_err_and(Halt::is_of_busy_machine) {
            break;
        }
        result = (step.run)(examination);
    }
    // A bot may give up placing its ships now and then. That says nothing of what this step is for.
    while result.as_ref().is_err_and(Halt::is_giving_up) && examination.may_begin_again() {
        examination.begin_again();
        result = (step.run)(examination);
    }
    match result {
        Ok(verdict) => Ok((verdict, false)),
        Err(halt) if halt.is_giving_up() && examination.seen.has_placed() => Ok((
            Verdict::Unknown("it said \"place none\" again and again".to_owned()),
            false,
        )),
        Err(Halt::Fault(mut fault)) => {
            if let Some(cause) = step.cause.filter(|_| !fault.certain)
                && !places_wrongly_anyway(examination, &fault)?
            {
                // The usual cause is named if it happens again: another fault that comes now and then has another cause.
                match (step.run)(examination) {
                    Err(Halt::Fault(again)) if again.ended_by == fault.ended_by => {
                        cause.clone_into(&mut fault.finding.cause);
                    }
                    Err(Halt::Over(over)) => return Err(over),
                    Ok(_) | Err(Halt::Fault(_) | Halt::Busy(_)) => {}
                }
            }
            Ok((Verdict::Fail(fault.finding), true))
        }
        Err(Halt::Busy(what)) => Ok((
            Verdict::Unknown(format!("the machine was busy: {what}")),
            false,
        )),
        Err(Halt::Over(over)) => Err(over),
    }
}

/// Returns how the bot has been silent already, in two games, where this step would see the same: it would wait again
/// until the time of a reply is over.
fn known_silence(step: &Step, examination: &Examination<'_>) -> Option<Box<Fault>> {
    let silence = &examination.seen.silence;
    let shows = match silence.borrow().as_ref()?.asked {
        Asked::Greeting => Ability::Ready,
        Asked::Placement => Ability::Places,
        Asked::Attack | Asked::Salvo(_) | Asked::Order => Ability::Plays,
    };
    if step.loses == Some(shows) {
        silence.take()
    } else {
        None
    }
}

/// Returns whether the bot, which placed its ships illegally in a game of a step, does the same in this game without what
/// the step is for. Then that is not the cause.
fn places_wrongly_anyway(examination: &Examination<'_>, fault: &Fault) -> Result<bool, Stopped> {
    let Some(seed) = fault
        .seed
        .filter(|_| fault.ended_by == EndedBy::IllegalPlacement)
    else {
        return Ok(false);
    };
    let rules = examination.usual_game();
    for _ in 0..CONFIRMATIONS {
        let begun = Session::open(examination)
            .and_then(|mut session| Play::begin(&mut session, &rules, seed).map(drop));
        match begun {
            Err(Halt::Fault(again)) if again.ended_by == fault.ended_by => return Ok(true),
            Err(Halt::Over(over)) => return Err(over),
            Ok(()) | Err(Halt::Fault(_) | Halt::Busy(_)) => {}
        }
        if examination.takes_too_long() {
            break;
        }
    }
    Ok(false)
}

/// Returns the report of one step.
fn step_report(
    number: usize,
    step: &'static str,
    title: &'static str,
    verdict: Verdict,
) -> StepReport {
    let (outcome, said, finding) = match verdict {
        Verdict::Pass(said) => (Outcome::Pass, said, None),
        Verdict::Note(said) => (Outcome::Note, said, None),
        Verdict::Warn(finding) => (Outcome::Warn, String::new(), Some(finding)),
        Verdict::Fail(finding) => (Outcome::Fail, String::new(), Some(finding)),
        Verdict::Unknown(why) => (Outcome::NotTried, why, None),
    };
    StepReport {
        number,
        step,
        title,
        outcome,
        said,
        finding,
    }
}

/// Returns the report of a check with these steps.
fn report(examination: &Examination<'_>, steps: Vec<StepReport>, verdict: CheckVerdict) -> Report {
    let CheckSetup {
        player,
        rules,
        seed,
        ..
    } = examination.setup;
    Report {
        format: CHECK_FORMAT,
        version: 1,
        referee: env!("CARGO_PKG_VERSION"),
        name: player.name.clone(),
        command: player.program.command_line.clone(),
        rules: rules.ruleset(),
        seed: *seed,
        verdict,
        passed: steps.iter().all(|step| step.outcome != Outcome::Fail),
        steps,
        times: TimesSummary::of(&examination.seen.times.borrow()),
    }
}
