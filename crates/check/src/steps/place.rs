//! Steps on the placement of fleets.

use battleship::Rules;
use battleship::protocol::Outcome;

use crate::advice::Advice;
use crate::asked::Asked;
use crate::boards::{FULL, ROOMY, TOO_SMALL, TrialBoard, size_in_words};
use crate::examination::Examination;
use crate::halt::{Fault, Halt};
use crate::placing::ask_for_fleet;
use crate::play::Play;
use crate::report::Finding;
use crate::session::Session;
use crate::step::Verdict;
use arena::game::{EndedBy, Ending};
use bothost::Side;

/// After this many boards on which a bot fails, more of them do not help its author.
const ENOUGH: usize = 3;

/// A board on which a bot has failed.
struct Failure {
    size: [i32; 2],
    fault: Fault,
}

/// The usual fleet.
pub(super) fn usual_fleet(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let rules = examination.usual_game();
    let mut session = Session::open(examination)?;
    Play::begin(&mut session, &rules, examination.seed(1))?;
    session.tell_won()?;
    // Other steps judge how it leaves, and whether it says more than it is asked.
    drop(session);
    Ok(Verdict::Pass(String::new()))
}

/// Fleets for which there is room enough.
pub(super) fn other_boards(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let verdict = with_room(examination, &ROOMY, ", 1x1 to 10x10");
    examination.seen.one_board_only.set(verdict.is_err());
    let is_silence = |halt: &Halt| matches!(halt, Halt::Fault(fault) if fault.is_silence());
    examination
        .seen
        .silent_on_others
        .set(verdict.as_ref().is_err_and(is_silence));
    verdict
}

/// Fleets for which there is room in one way only.
pub(super) fn only_placement(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    with_room(examination, &FULL, "")
}

/// Fleets that have room. A bot that does not find it may continue to play.
fn with_room(
    examination: &Examination<'_>,
    boards: &[TrialBoard],
    which: &str,
) -> Result<Verdict, Halt> {
    let usual = &examination.setup.rules;
    let boards: Vec<_> = boards
        .iter()
        .copied()
        .filter(|board| board.has_room(usual))
        .collect();
    let (placed, failures) = on_boards(
        examination,
        &boards,
        |session, rules| match ask_for_fleet(session, rules)? {
            Some(_) => Ok(()),
            None => Err(says_none(session)),
        },
    )?;
    // Bots that lose a game are shown before those that only do not win it.
    let (gives_up, fails): (Vec<_>, Vec<_>) = failures
        .into_iter()
        .partition(|failure| failure.fault.ended_by == EndedBy::CannotPlace);
    match (folded(fails), folded(gives_up)) {
        (Some(fault), _) => Err(Halt::Fault(Box::new(fault))),
        (None, Some(fault)) => Ok(Verdict::Warn(fault.finding)),
        (None, None) => Ok(Verdict::Pass(format!("{placed} boards{which}"))),
    }
}

/// Fleets for which there is no room.
pub(super) fn no_placement(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let (said, failures) = on_boards(examination, &TOO_SMALL, |session, rules| {
        ask_for_fleet(session, rules).map(drop)
    })?;
    Ok(match folded(failures) {
        None => Verdict::Pass(format!("{said} boards")),
        Some(fault) => Verdict::Warn(Finding {
            expected: "\"place none\": these ships do not fit on this board".to_owned(),
            cause: "It does not notice that there is no room. Give the search an end (a number of tries, or until every \
                    place has been tried) and say \"place none\" then. Such a game has no winner; otherwise it is lost."
                .to_owned(),
            ..fault.finding
        }),
    })
}

/// The first failure, which says on how many other boards there were more.
fn folded(failures: Vec<Failure>) -> Option<Fault> {
    let others = failures.len().saturating_sub(1);
    let are_oblong = failures
        .iter()
        .all(|failure| failure.size[0] != failure.size[1]);
    // The one that has the fewest causes says the most.
    let causes = |failure: &Failure| failure.fault.finding.cause.matches(" Or: ").count();
    let Failure { size, mut fault } = failures.into_iter().min_by_key(causes)?;
    if are_oblong {
        fault.blame_oblong(size);
    }
    let board = size_in_words(size);
    let what = &fault.finding.what;
    let more = match others {
        0 => String::new(),
        1 => "; same on 1 more board".to_owned(),
        others => format!("; same on {others} more boards"),
    };
    fault.finding.what = format!("on a board of {board}, {what}{more}");
    Some(fault)
}

fn says_none(session: &mut Session<'_>) -> Halt {
    let what = "said \"place none\" where there is room".to_owned();
    let by = Some(Side::One);
    let ending = Ending {
        winner: None,
        by,
        ended_by: EndedBy::CannotPlace,
        what,
    };
    let advice = Advice::certain(
        "\"place ROW COL h|v ...\", three words for each ship: they do fit on this board",
        "It gives up too soon. Try more places, or search: if the next ship fits nowhere, move the last one and continue.",
    );
    session.fault(ending, Asked::Placement, advice)
}

/// Announces a game on each board, one after the other, and tries `place` there. On how many it went well, and what
/// was wrong on the others. What goes wrong only after other games of the same process is not counted here.
fn on_boards(
    examination: &Examination<'_>,
    boards: &[TrialBoard],
    place: impl Fn(&mut Session<'_>, &Rules) -> Result<(), Halt>,
) -> Result<(usize, Vec<Failure>), Halt> {
    let (mut placed, mut fails, mut failures) = (0, 0, Vec::new());
    let mut session: Option<Session<'_>> = None;
    let mut keeps_session = true;
    for (seed, board) in (1..).zip(boards) {
        if fails >= ENOUGH || examination.takes_too_long() {
            break;
        }
        let rules = board.rules(&examination.setup.rules);
        let attempt = |session: &mut Session<'_>| {
            session.announce(&rules, examination.seed(seed))?;
            place(session, &rules)?;
            session.tell_end(Outcome::Void, EndedBy::Interrupted)
        };
        let mut outcome = None;
        if let Some(mut open) = session.take() {
            match attempt(&mut open) {
                Ok(()) => {
                    session = Some(open);
                    outcome = Some(Ok(()));
                }
                // Perhaps it cannot play a second game; then it gets a process for each.
                Err(Halt::Fault(_)) => keeps_session = false,
                Err(halt) => return Err(halt),
            }
        }
        let outcome = match outcome {
            Some(outcome) => outcome,
            None => Session::open(examination).and_then(|mut fresh| {
                attempt(&mut fresh)?;
                session = Some(fresh).filter(|_| keeps_session);
                Ok(())
            }),
        };
        match outcome {
            Ok(()) => placed += 1,
            Err(Halt::Fault(fault)) => {
                // It failed on its own account, not because of the game before.
                keeps_session = true;
                // To see silence on two boards more would take the time of two replies more.
                if fault.is_silence() {
                    fails += ENOUGH;
                } else if fault.ended_by != EndedBy::CannotPlace {
                    fails += 1;
                }
                failures.push(Failure {
                    size: rules.size(),
                    fault: *fault,
                });
            }
            Err(halt) => return Err(halt),
        }
    }
    Ok((placed, failures))
}
