//! Steps on the placement of fleets.

use arena::game::EndedBy;
use battleship::Rules;
use battleship::protocol::Outcome;

use super::boards::{FULL, ROOMY, TOO_SMALL, TrialBoard, size_in_words};
use super::oblong::fails_on_oblong_only;
use super::placing::{ask_for_fleet, gives_up};
use crate::battleship::play::Play;
use crate::check::{Check, OtherBoards, PASS, StepResult, Verdict};
use crate::failure::is_silence;
use crate::failure::{StepError, StepFailure};
use crate::report::Finding;
use crate::session::Session;

/// After this many boards on which a bot fails, more of them do not help its author.
const ENOUGH: usize = 3;

/// The sizes of the boards on which a bot has failed, its failures, and the rules of the games.
type FailedBoards = Vec<([i32; 2], StepFailure, Rules)>;

/// The usual fleet.
pub(crate) fn usual_fleet(check: &mut Check) -> StepResult {
    // Other steps judge how the bot leaves, and whether it says more than it is asked.
    let mut session = Session::open(check)?;
    Play::usual(&mut session, 1)?.session.tell_won()?;
    Ok(PASS)
}

/// Fleets for which there is space enough. A bot that plays the game of the check alone loses nothing
/// there.
pub(crate) fn other_boards(check: &mut Check) -> StepResult {
    let verdict = with_room(check, &ROOMY, ", 1x1 to 10x10");
    check.other_boards = match &verdict {
        Ok(_) => OtherBoards::Legally,
        Err(StepError::Failure(failure)) if failure.places_as_usual => OtherBoards::AsUsual,
        Err(StepError::Failure(failure)) if is_silence(failure.ended_by) => OtherBoards::Silently,
        Err(_) => OtherBoards::Wrongly,
    };
    match verdict {
        Err(StepError::Failure(failure)) if failure.places_as_usual => {
            let mut finding = failure.finding;
            finding.cause = format!(
                "It places its ships as in step 3, whatever the `game` and `ship` lines say. That costs nothing in games with that board and that fleet, and loses all others. {}",
                finding.cause
            );
            Ok(Verdict::Warn(finding))
        }
        verdict => verdict,
    }
}

/// Fleets that fit in one way only.
pub(crate) fn only_placement(check: &mut Check) -> StepResult {
    with_room(check, &FULL, "")
}

/// Fleets that fit. A bot that does not find it may continue to play.
fn with_room(check: &mut Check, boards: &[TrialBoard], which: &str) -> StepResult {
    let mut boards = boards.to_vec();
    boards.retain(|board| board.has_room(&check.setup.rules));
    let (placed, failed) = on_boards(check, &boards, |session, rules| {
        if ask_for_fleet(session, rules)?.is_some() {
            return Ok(());
        }
        Err(gives_up(
            session,
            "said \"place none\" where there is room".to_owned(),
            "they do fit on this board",
            "It gives up too soon. Try more places, or search: if the next ship fits nowhere, move the last one and continue.",
        ))
    })?;
    // Bots that lose a game are shown before those that only do not win it.
    let (gives_up, fails): (Vec<_>, Vec<_>) = failed
        .into_iter()
        .partition(|(_, failure, _)| failure.ended_by == EndedBy::CannotPlace);
    match (folded(check, fails)?, folded(check, gives_up)?) {
        (Some(failure), _) => Err(StepError::Failure(Box::new(failure))),
        (None, Some(failure)) => Ok(Verdict::Warn(failure.finding)),
        (None, None) => Ok(Verdict::Pass(format!("{placed} boards{which}"))),
    }
}

/// Fleets that do not fit.
pub(crate) fn no_placement(check: &mut Check) -> StepResult {
    let (boards, failed) = on_boards(check, &TOO_SMALL, |session, rules| {
        ask_for_fleet(session, rules).map(drop)
    })?;
    Ok(match folded(check, failed)? {
        None => Verdict::Pass(format!("{boards} boards")),
        Some(failure) => Verdict::Warn(Finding {
            expected: "\"place none\": these ships do not fit on this board".to_owned(),
            cause: "It does not notice that the ships do not fit. Give the search an end (a number of tries, or until every place has been tried) and say \"place none\" then. Such a game has no winner; otherwise it is lost."
                .to_owned(),
            ..failure.finding
        }),
    })
}

/// Returns the failure that has the fewest causes, which says the most, and on how many other
/// boards there were more.
fn folded(check: &mut Check, failed: FailedBoards) -> Result<Option<StepFailure>, StepError> {
    let more = match failed.len() {
        0 | 1 => String::new(),
        2 => "; same on 1 more board".to_owned(),
        boards => format!("; same on {} more boards", boards - 1),
    };
    let as_usual = failed.iter().all(|(_, failure, _)| failure.places_as_usual);
    let are_oblong = failed.iter().all(|([rows, cols], ..)| rows != cols);
    let simplest = failed
        .into_iter()
        .min_by_key(|(_, failure, _)| failure.finding.cause.matches(" Or: ").count());
    let Some((size, mut failure, rules)) = simplest else {
        return Ok(None);
    };
    failure.places_as_usual = as_usual;
    let places = |check: &mut Check, rules: &Rules, seed| {
        let mut session = Session::open(check)?;
        session.announce(rules, seed)?;
        ask_for_fleet(&mut session, rules).map(drop)
    };
    if are_oblong && fails_on_oblong_only(check, &failure, &rules, &places)? {
        failure.blame_oblong(size);
    }
    let what = &mut failure.finding.what;
    *what = format!("on a board of {}, {what}{more}", size_in_words(size));
    Ok(Some(failure))
}

/// Announces a game on each board, one after the other, and tries `place` there. Returns on how
/// many it went well, and what was wrong on the others. What goes wrong only after other games of
/// the same process is not counted here.
fn on_boards(
    check: &mut Check,
    boards: &[TrialBoard],
    place: impl Fn(&mut Session<'_>, &Rules) -> Result<(), StepError>,
) -> Result<(usize, FailedBoards), StepError> {
    let boards: Vec<Rules> = boards
        .iter()
        .map(|board| board.rules(&check.setup.rules))
        .collect();
    let mut placed = 0;
    let mut fails = 0;
    let mut failed = Vec::new();
    let mut next = 0;
    let mut one_each = false;
    let mut again = false;
    while next < boards.len() && fails < ENOUGH && (again || !check.takes_too_long()) {
        let first = next;
        let last = if one_each { first + 1 } else { boards.len() };
        let result = in_one_process(check, &boards[..last], &mut next, &place);
        placed += next - first;
        // Perhaps the bot cannot play a second game; then it gets a process for each.
        again = result.is_err() && next > first;
        one_each |= again;
        match result {
            Ok(()) => {}
            Err(StepError::Failure(_)) if again => {}
            Err(StepError::Failure(failure)) => {
                // It failed on its own account, not because of the game before.
                one_each = false;
                // To see silence on two boards more would take the time of two replies more.
                if is_silence(failure.ended_by) {
                    fails += ENOUGH;
                } else if failure.ended_by != EndedBy::CannotPlace {
                    fails += 1;
                }
                failed.push((boards[next].size(), *failure, boards[next].clone()));
                next += 1;
            }
            Err(error) => return Err(error),
        }
    }
    Ok((placed, failed))
}

/// Tries `place` on the boards from the `next` on, which is counted up for each on which it goes
/// well.
fn in_one_process(
    check: &mut Check,
    boards: &[Rules],
    next: &mut usize,
    place: impl Fn(&mut Session<'_>, &Rules) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let mut session = Session::open(check)?;
    for (seed, rules) in (1..).zip(boards).skip(*next) {
        session.announce(rules, session.check.seed(seed))?;
        place(&mut session, rules)?;
        session.tell_end(Outcome::Void, EndedBy::Interrupted)?;
        *next += 1;
        if session.check.takes_too_long() {
            break;
        }
    }
    Ok(())
}
