//! Steps on what is good to know: seeds and reply times.

use crate::examination::Examination;
use crate::halt::Halt;
use crate::play::Play;
use crate::report::Finding;
use crate::session::Session;
use crate::step::Verdict;
use arena::result::TimesSummary;

const SEED: u32 = 41;

/// Turns that are compared.
const TURNS: usize = 25;

/// Two processes and one seed. It is good to know, and no fault, if they play differently.
pub(super) fn seed(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let (one, two) = match (replies(examination), replies(examination)) {
        (Ok(one), Ok(two)) => (one, two),
        // Other steps find what it says wrong.
        (Err(Halt::Fault(fault)), _) | (_, Err(Halt::Fault(fault))) => {
            return Ok(Verdict::Note(format!(
                "not known, since it {}",
                fault.finding.what
            )));
        }
        (Err(halt), _) | (_, Err(halt)) => return Err(halt),
    };
    let differs = (1..)
        .zip(one.iter().zip(&two))
        .find(|(_, (one, two))| one != two);
    Ok(Verdict::Note(match differs {
        None => "it does".to_owned(),
        Some((number, _)) => format!(
            "it does not, from reply {number} on: its games cannot be repeated. Let all that is random come from the \
             number in the `seed` line"
        ),
    }))
}

fn replies(examination: &Examination<'_>) -> Result<Vec<Vec<u8>>, Halt> {
    let rules = examination.usual_game();
    let mut session = Session::open(examination)?;
    let mut play = match Play::begin(&mut session, &rules, examination.seed(SEED)) {
        Err(halt) if halt.is_giving_up() => return Ok(vec![session.last_reply()]),
        play => play?,
    };
    let mut replies = vec![session.last_reply()];
    for _ in 0..TURNS {
        if session.takes_too_long() {
            break;
        }
        if play.turn(&mut session)?.is_empty() {
            break;
        }
        replies.push(session.last_reply());
        play.opponents_turn(&mut session)?;
    }
    session.tell_won()?;
    session.close()?;
    Ok(replies)
}

/// The time that its replies took. Slow ones are named before they are too slow.
#[allow(clippy::unnecessary_wraps, reason = "every step is such a function")]
pub(super) fn times(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    Ok(match TimesSummary::of(&examination.seen.times.borrow()) {
        None => Verdict::Unknown("it has not replied to anything".to_owned()),
        Some(times) => Verdict::Note(in_words(times, examination.setup.limit.as_micros())),
    })
}

/// In microseconds.
fn in_words(times: TimesSummary, limit: u128) -> String {
    let ms = |micros| format!("{}.{:03} ms", micros / 1000, micros % 1000);
    let said = format!(
        "{} replies, half within {}, 99% within {}, the slowest after {}",
        times.count,
        ms(times.p50),
        ms(times.p99),
        ms(times.max)
    );
    // Half of the limit: the machine of a contest may be half as fast, or busy. This one may be busy too, so it is a note.
    if u128::from(times.p99) <= limit / 2 {
        return said;
    }
    format!(
        "{said}; this is near the limit of {} ms, and other machines are slower: look at the clock while thinking, and answer \
         with the best so far",
        limit / 1000
    )
}

/// Whether it placed its ships each time, in all games so far that had room for them.
#[allow(clippy::unnecessary_wraps, reason = "every step is such a function")]
pub(super) fn placements(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let placements = examination.seen.placements.borrow();
    let sum = |which: usize| placements.values().map(|counts| counts[which]).sum::<u32>();
    let (games, gave_up) = (sum(0), sum(1));
    if gave_up == 0 {
        return Ok(Verdict::Pass(format!("{games} games")));
    }
    let boards = placements.iter().filter(|(_, [_, gave_up])| *gave_up > 0);
    let boards: Vec<String> = boards
        .map(|(size, [games, gave_up])| format!("{gave_up} of {games} on {size}"))
        .collect();
    Ok(Verdict::Warn(Finding {
        what: format!(
            "could not place its ships in {gave_up} of {games} games: {}",
            boards.join(", ")
        ),
        expected: "a placement in each of them: there is room enough".to_owned(),
        cause: "It gives up too soon. A game without a placement has no winner. Try more places, or search: if the next \
                ship fits nowhere, move the last one and continue."
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
            let said = in_words(TimesSummary::of(&times).unwrap(), 1_000_000);
            assert_eq!(said.contains("near the limit of 1000 ms"), near, "{said}");
        }
    }
}
