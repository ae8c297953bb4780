//! Steps on the dialogue: one line for each request, and lines of later versions.

use std::time::Duration;

use battleship::protocol::Request;

use crate::advice::{BUFFERED, flush_after_every_line};
use crate::battleship::play::Play;
use crate::check::{Check, PASS, StepResult, Verdict};
use crate::failure::StepError;
use crate::failure::is_silence;
use crate::report::Finding;
use crate::session::Session;

/// The turns of a game in which something else is tried.
const FEW: usize = 3;

const SEED: u32 = 2;

/// The bot gets ready, and does so by itself: the referee has Python flush each line, as others do
/// not.
pub(crate) fn greeting(check: &mut Check) -> StepResult {
    // Other steps judge whether the bot leaves, and what it says then.
    drop(Session::open(check)?);
    let ready = check.ready;
    let usual = check.setup.clone();
    let unset = ("PYTHONUNBUFFERED".into(), "".into());
    check.setup.player.program.variables.push(unset);
    check.setup.start_limit = (4 * ready + Duration::from_secs(1)).min(usual.start_limit);
    let buffered = Session::open(check).map(drop);
    check.setup = usual;
    check.has_waited = false;
    if let Err(StepError::Failure(failure)) = buffered
        && failure.finding.cause.starts_with(BUFFERED)
    {
        let how = check.setup.player.program.flushing.map(|way| way.how);
        let flush = flush_after_every_line(how);
        return Ok(Verdict::Warn(Finding {
            what: "does not flush its output; it works only because the referee sets PYTHONUNBUFFERED=1"
                .to_owned(),
            expected: "every line flushed by the bot itself".to_owned(),
            cause: format!("Its output stays in a buffer until that is full. {flush}"),
            dialogue: Vec::new(),
        }));
    }
    Ok(Verdict::Pass(format!(
        "ready after {} ms",
        ready.as_millis()
    )))
}

/// The bot says one line for each request and nothing else.
pub(crate) fn one_line(check: &mut Check) -> StepResult {
    match a_few_turns_with_or_without_limit(check) {
        Ok(()) => Ok(PASS),
        // Another process may place its ships and show more.
        Err(error) if error.is_giving_up() && check.may_begin_again() => Err(error),
        // Other faults are for other steps to find; up to there, the bot said what it was asked.
        Err(StepError::Failure(failure)) if !failure.out_of_step => {
            let remark = format!("up to its first fault, at {}", failure.request.word());
            if is_silence(failure.ended_by) {
                check.silence = Some(failure);
            }
            Ok(Verdict::Pass(remark))
        }
        Err(error) => Err(error),
    }
}

/// Plays a few turns. If the bot fails, and without the line `limit` fails elsewhere or not at all,
/// all that follows is without it: bots that were written before there was this line need not know
/// it, but have to ignore it.
fn a_few_turns_with_or_without_limit(check: &mut Check) -> Result<(), StepError> {
    let result = a_few_turns(Session::open(check)?);
    let Err(StepError::Failure(failure)) = &result else {
        return result;
    };
    if result.as_ref().is_err_and(StepError::is_giving_up) || check.stumbles_over_limit {
        return result;
    }
    check.stumbles_over_limit = true;
    let untold = a_few_turns(Session::open(check)?);
    if let Err(StepError::Failure(again)) = &untold
        && (again.ended_by, &again.request, again.out_of_step)
            == (failure.ended_by, &failure.request, failure.out_of_step)
    {
        check.stumbles_over_limit = false;
        return result;
    }
    untold
}

/// A game in which lines come that the bot does not know. The first is `limit`, which is new in
/// version 1.1.
pub(crate) fn unknown_commands(check: &mut Check) -> StepResult {
    let mut session = Session::open(check)?;
    session.tells_limit = true;
    session.tell("weather sunny")?;
    let mut play = Play::usual(&mut session, SEED)?;
    for line in ["chat Ahoy, captain!", "clock 300000 300000", "x"] {
        play.session.tell(line)?;
        play.turn()?;
        play.session.tell(line)?;
        play.opponents_turn()?;
    }
    session.tell_won()?;
    session.close()?;
    Ok(PASS)
}

/// A game whose lines have more words than the bot knows.
pub(crate) fn more_words(check: &mut Check) -> StepResult {
    // Not behind a text, which would have other words then.
    a_few_turns(Session::open_with(
        |line| {
            if Request::parse(line).is_ok_and(|request| request.ends_with_text()) {
                "\n"
            } else {
                " of a later version\n"
            }
        },
        check,
    )?)?;
    Ok(PASS)
}

/// A game whose lines end with a carriage return and a line feed.
pub(crate) fn crlf(check: &mut Check) -> StepResult {
    a_few_turns(Session::open_with(|_| "\r\n", check)?)?;
    Ok(PASS)
}

fn a_few_turns(mut session: Session<'_>) -> Result<(), StepError> {
    Play::usual(&mut session, SEED)?.turns(FEW)?;
    session.tell_won()?;
    session.close()
}
