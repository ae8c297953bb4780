//! Steps on the dialogue: one line for each request, and lines of later versions.

use crate::advice::{BUFFERED, FLUSH};
use crate::examination::Examination;
use crate::halt::Halt;
use crate::play::Play;
use crate::report::Finding;
use crate::session::Session;
use crate::step::Verdict;
use battleship::protocol::Request;
use std::time::Duration;

/// The turns of a game in which something else is tried.
const FEW: usize = 3;

const SEED: u32 = 2;

/// It gets ready, and does so by itself: the referee has Python flush each line, as others do not.
pub(super) fn greeting(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let session = Session::open(examination)?;
    // Other steps judge whether it leaves, and what it says then.
    drop(session);
    let ready = examination.seen.ready.get().unwrap_or_default();
    let limit = (4 * ready + Duration::from_secs(1)).min(examination.setup.start_limit);
    let buffered = Session::open_buffered(examination, limit);
    examination.seen.has_waited.set(false);
    if let Err(Halt::Fault(fault)) = buffered
        && fault.finding.cause.starts_with(BUFFERED)
    {
        return Ok(Verdict::Warn(Finding {
            what: "does not flush its output; it works only because the referee sets PYTHONUNBUFFERED=1"
                .to_owned(),
            expected: "every line flushed by the bot itself".to_owned(),
            cause: format!("Its output stays in a buffer until that is full. {FLUSH}"),
            dialogue: Vec::new(),
        }));
    }
    Ok(Verdict::Pass(format!(
        "ready after {} ms",
        ready.as_millis()
    )))
}

/// It says one line for each request and nothing else.
pub(super) fn one_line(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    match a_few_turns_with_or_without_limit(examination) {
        Ok(()) => Ok(Verdict::Pass(String::new())),
        // Other faults are for other steps to find; up to there, it said what it was asked.
        // Another process may place its ships and show more.
        Err(halt) if halt.is_giving_up() && examination.may_begin_again() => Err(halt),
        Err(Halt::Fault(fault)) if !fault.out_of_step => {
            let said = format!("up to its first fault, at {}", fault.asked);
            if fault.is_silence() {
                examination.seen.silence.replace(Some(fault));
            }
            Ok(Verdict::Pass(said))
        }
        Err(halt) => Err(halt),
    }
}

/// Plays a few turns. If the bot fails, and without the line `limit` fails elsewhere or not at all, all that follows is
/// without it: bots that were written before there was this line need not know it, but have to ignore it.
fn a_few_turns_with_or_without_limit(examination: &Examination<'_>) -> Result<(), Halt> {
    let told = a_few_turns(examination, Session::open(examination)?);
    let Err(Halt::Fault(fault)) = &told else {
        return told;
    };
    let stumbles_over_limit = &examination.seen.stumbles_over_limit;
    if told.as_ref().is_err_and(Halt::is_giving_up) || stumbles_over_limit.replace(true) {
        return told;
    }
    match a_few_turns(examination, Session::open(examination)?) {
        Err(Halt::Fault(again)) if again.is_as(fault) => {
            stumbles_over_limit.set(false);
            told
        }
        untold => untold,
    }
}

/// A game in which lines come that the bot does not know. The first is `limit`, which is new in version 1.1.
pub(super) fn unknown_commands(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let rules = examination.usual_game();
    let mut session = Session::open(examination)?;
    session.tell_limit();
    session.tell_line("weather sunny")?;
    let mut play = Play::begin(&mut session, &rules, examination.seed(SEED))?;
    for line in ["chat Ahoy, captain!", "clock 300000 300000", "x"] {
        session.tell_line(line)?;
        play.turn(&mut session)?;
        session.tell_line(line)?;
        play.opponents_turn(&mut session)?;
    }
    session.tell_won()?;
    session.close()?;
    Ok(Verdict::Pass(String::new()))
}

/// A game whose lines have more words than the bot knows.
pub(super) fn more_words(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    // Not behind a text, which would have other words then.
    let more = |line: &[u8]| {
        if Request::parse(line).is_ok_and(|request| request.ends_with_text()) {
            "\n"
        } else {
            " of a later version\n"
        }
    };
    let session = Session::open_with(examination, |bots| bots.end_lines_with(more))?;
    a_few_turns(examination, session)?;
    Ok(Verdict::Pass(String::new()))
}

/// A game whose lines end with a carriage return and a line feed.
pub(super) fn crlf(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let session = Session::open_with(examination, |bots| bots.end_lines_with(|_| "\r\n"))?;
    a_few_turns(examination, session)?;
    Ok(Verdict::Pass(String::new()))
}

fn a_few_turns(examination: &Examination<'_>, mut session: Session<'_>) -> Result<(), Halt> {
    let rules = examination.usual_game();
    let mut play = Play::begin(&mut session, &rules, examination.seed(SEED))?;
    play.turns(&mut session, FEW)?;
    session.tell_won()?;
    session.close()
}
