//! Steps on what is good to know: seeds and reply times.

use arena::result::TimesSummary;

use crate::battleship::play::Play;
use crate::check::{Check, StepResult, Verdict};
use crate::failure::StepError;
use crate::report::Finding;
use crate::session::Session;

const SEED: u32 = 41;

/// Turns that are compared.
const TURNS: usize = 25;

/// Two processes and one seed. It is good to know, and no fault, if they play differently.
pub(crate) fn seed(check: &mut Check) -> StepResult {
    let (one, two) = match (replies(check), replies(check)) {
        (Ok(one), Ok(two)) => (one, two),
        // Other steps find what it says wrong.
        (Err(StepError::Failure(failure)), _) | (_, Err(StepError::Failure(failure))) => {
            return Ok(Verdict::Note(format!(
                "not known, since it {}",
                failure.finding.what
            )));
        }
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let same = one.iter().zip(&two).take_while(|(one, two)| one == two);
    let number = same.count() + 1;
    Ok(Verdict::Note(if number > one.len().min(two.len()) {
        "it does".to_owned()
    } else {
        format!(
            "it does not, from reply {number} on: its games cannot be repeated. Let all that is random come from the number in the `seed` line"
        )
    }))
}

fn replies(check: &mut Check) -> Result<Vec<Vec<u8>>, StepError> {
    let mut session = Session::open(check)?;
    match Play::usual(&mut session, SEED) {
        Err(error) if error.is_giving_up() => Ok(vec![session.last.0]),
        Err(error) => Err(error),
        Ok(mut play) => {
            let mut replies = vec![play.session.last.0.clone()];
            for _ in 0..TURNS {
                if play.session.check.takes_too_long() || play.turn()?.is_empty() {
                    break;
                }
                replies.push(play.session.last.0.clone());
                play.opponents_turn()?;
            }
            session.tell_won()?;
            session.close()?;
            Ok(replies)
        }
    }
}

/// The time that its replies took. Slow ones are named before they are too slow.
#[allow(clippy::unnecessary_wraps, reason = "every step is such a function")]
pub(crate) fn times(check: &mut Check) -> StepResult {
    Ok(match TimesSummary::of(&check.times) {
        None => Verdict::Unknown("it has not replied to anything".to_owned()),
        Some(times) => Verdict::Note(in_words(times, check.setup.limit().as_micros())),
    })
}

/// In microseconds.
fn in_words(times: TimesSummary, limit: u128) -> String {
    let ms = |micros| format!("{}.{:03} ms", micros / 1000, micros % 1000);
    let remark = format!(
        "{} replies, half within {}, 99% within {}, the slowest after {}",
        times.count,
        ms(times.p50),
        ms(times.p99),
        ms(times.max)
    );
    // Half of the limit: the machine of a contest may be half as fast, or busy. This one may be
    // busy too, so it is a note.
    if u128::from(times.p99) <= limit / 2 {
        return remark;
    }
    format!(
        "{remark}; this is near the limit of {} ms, and other machines are slower: look at the clock while thinking, and answer with the best so far",
        limit / 1000
    )
}

/// Whether it placed its ships each time, in all games so far in which they fit.
#[allow(clippy::unnecessary_wraps, reason = "every step is such a function")]
pub(crate) fn placements(check: &mut Check) -> StepResult {
    let mut all = 0;
    let mut all_gave_up = 0;
    let mut boards = Vec::new();
    for (size, [games, gave_up]) in &check.placements {
        all += games;
        all_gave_up += gave_up;
        if *gave_up > 0 {
            boards.push(format!("{gave_up} of {games} on {size}"));
        }
    }
    if boards.is_empty() {
        return Ok(Verdict::Pass(format!("{all} games")));
    }
    Ok(Verdict::Warn(Finding {
        what: format!(
            "could not place its ships in {all_gave_up} of {all} games: {}",
            boards.join(", ")
        ),
        expected: "a placement in each of them: there is room enough".to_owned(),
        cause: "It gives up too soon. A game without a placement has no winner. Try more places, or search: if the next ship fits nowhere, move the last one and continue."
            .to_owned(),
        dialogue: Vec::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use league::statistics::distribution::Distribution;

    #[test]
    fn replies_near_the_limit_are_told() {
        for (slow, near) in [(1, false), (3, true)] {
            let mut times = Distribution::default();
            (0..197).for_each(|_| times.add(1_000));
            (0..slow).for_each(|_| times.add(600_000));
            let remark = in_words(TimesSummary::of(&times).unwrap(), 1_000_000);
            assert_eq!(
                remark.contains("near the limit of 1000 ms"),
                near,
                "{remark}"
            );
        }
    }
}
