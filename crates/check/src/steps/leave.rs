//! Steps on how the bot leaves.

use std::time::Duration;

use crate::examination::Examination;
use crate::halt::Halt;
use crate::report::Finding;
use crate::session::Session;
use crate::step::Verdict;
use bothost::LeaveBy;

/// It leaves at `quit`, with its input still open.
pub(super) fn quit(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let cause = "It does not leave at `quit`: end the program there, at once, with everything it has started: threads, \
                 windows, other programs. In games it is killed.";
    leaves(examination, LeaveBy::Quit, "quit", cause)
}

/// It leaves when its input ends.
pub(super) fn end_of_input(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let cause = "It does not notice that its input has ended: a read that finds nothing more says so (EOFError or an \
                 empty string in Python, false from getline in C++, null in Java). Leave the loop there, or it may run \
                 for ever.";
    leaves(
        examination,
        LeaveBy::EndOfInput,
        "the end of its input",
        cause,
    )
}

fn leaves(
    examination: &Examination<'_>,
    leave_by: LeaveBy,
    at: &str,
    cause: &str,
) -> Result<Verdict, Halt> {
    let mut session = Session::open(examination)?;
    let report = session.leave(leave_by, Duration::ZERO)?;
    let grace = examination.launch.grace.as_millis();
    Ok(match report.left {
        Some((_, took)) => Verdict::Pass(format!("after {} ms", took.as_millis())),
        None if report.was_busy => {
            return Err(Halt::Busy(format!(
                "it was still there {grace} ms after {at}"
            )));
        }
        None => Verdict::Fail(Finding {
            what: format!("was still there {grace} ms after {at}"),
            expected: format!("it leaves within {grace} ms"),
            cause: cause.to_owned(),
            dialogue: session.dialogue(),
        }),
    })
}

/// The programs that it has started end with it. Known whenever it left by itself.
#[allow(clippy::unnecessary_wraps, reason = "every step is such a function")]
pub(super) fn processes(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let behind = examination.seen.behind.borrow();
    let Some(names) = &*behind else {
        return Ok(Verdict::Unknown(
            "it never left by itself, or this system does not say".to_owned(),
        ));
    };
    if names.is_empty() {
        return Ok(Verdict::Pass(String::new()));
    }
    let mut different = names.clone();
    different.sort();
    different.dedup();
    different.truncate(5);
    Ok(Verdict::Fail(Finding {
        what: format!("left processes behind when it ended: {}", different.join(", ")),
        expected: "nothing that it has started outlives it".to_owned(),
        cause: "It starts other programs and does not end them. Before it leaves, at `quit` or at the end of its input, \
                it has to close their input or kill them, and to wait for them. In games they are killed."
            .to_owned(),
        dialogue: Vec::new(),
    }))
}
