//! Steps on how the bot leaves.

use std::time::Duration;

use crate::check::{Check, PASS, StepResult, Verdict};
use crate::failure::StepError;
use crate::report::Finding;
use crate::session::Session;
use bothost::LeaveBy;

/// The bot leaves at `quit`, with its input still open.
pub(crate) fn quit(check: &mut Check) -> StepResult {
    let cause = "It does not leave at `quit`: end the program there, at once, with everything it has started: threads, windows, other programs. In games it is killed.";
    leaves(check, LeaveBy::Quit, "quit", cause)
}

/// The bot leaves when its input ends.
pub(crate) fn end_of_input(check: &mut Check) -> StepResult {
    let cause = "It does not notice that its input has ended: a read that finds nothing more says so (EOFError or an empty string in Python, false from getline in C++, null in Java). Leave the loop there, or it may run for ever.";
    leaves(check, LeaveBy::EndOfInput, "the end of its input", cause)
}

fn leaves(check: &mut Check, by: LeaveBy, at: &str, cause: &str) -> StepResult {
    let grace = check.setup.launch.grace.as_millis();
    let mut session = Session::open(check)?;
    let report = session.leave(by, Duration::ZERO)?;
    if let Some((_, took)) = report.left {
        return Ok(Verdict::Pass(format!("after {} ms", took.as_millis())));
    }
    let what = format!("was still there {grace} ms after {at}");
    if report.was_busy {
        return Err(StepError::Busy(format!("it {what}")));
    }
    Ok(Verdict::Fail(Finding {
        what,
        expected: format!("it leaves within {grace} ms"),
        cause: cause.to_owned(),
        dialogue: session.log.shortened(),
    }))
}

/// The programs that the bot has started end with it, as far as it has left by itself.
#[allow(clippy::unnecessary_wraps, reason = "every step is such a function")]
pub(crate) fn processes(check: &mut Check) -> StepResult {
    let Some(mut names) = check.behind.clone() else {
        return Ok(Verdict::Unknown(
            "the bot did not leave by itself, or this system does not list processes".to_owned(),
        ));
    };
    if names.is_empty() {
        return Ok(PASS);
    }
    names.sort();
    names.dedup();
    names.truncate(5);
    Ok(Verdict::Fail(Finding {
        what: format!("left processes behind when it ended: {}", names.join(", ")),
        expected: "nothing that it has started outlives it".to_owned(),
        cause: "It starts other programs and does not end them. Before it leaves, at `quit` or at the end of its input, it has to close their input or kill them, and to wait for them. In games they are killed."
            .to_owned(),
        dialogue: Vec::new(),
    }))
}
