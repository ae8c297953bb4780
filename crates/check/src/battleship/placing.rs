//! Asks for a placement, and says what is wrong with one.

use std::collections::BTreeSet;

use arena::game::{EndedBy, Ending};
use battleship::protocol::{Outcome, Reply, Request};
use battleship::{Direction, Placement, Point, RuleOptions, Rules};
use bothost::Side;

use super::boards::{cells, extent, hull, mirror, one_less, size_in_words};
use crate::advice::Advice;
use crate::advice::PLACE_NONE;
use crate::check::TRIES;
use crate::failure::StepError;
use crate::session::Session;

/// Announces a game that continues after the placement, and has the bot place its ships. Returns
/// them, and the bot's seed. If the bot gives up in a process that has played before, it is asked
/// for another game.
///
/// # Errors
/// The bot gives up in its first game; then a new process tells whether it gives up every time.
pub(crate) fn begin_game(
    session: &mut Session<'_>,
    rules: &Rules,
    seed: u32,
) -> Result<(Vec<Placement>, u32), StepError> {
    let mut nth = 0;
    loop {
        let seed = session.check.seed_instead_of(seed, nth);
        session.announce(rules, seed)?;
        let fleet = ask_for_fleet(session, rules)?;
        let placements = &mut session.check.placements;
        let [games, gave_up] = placements.entry(size_in_words(rules.size())).or_default();
        *games += 1;
        if let Some(fleet) = fleet {
            session.has_placed = true;
            return Ok((fleet, seed));
        }
        *gave_up += 1;
        nth += 1;
        if !session.has_placed || nth >= TRIES || session.check.takes_too_long() {
            let what = rules.describe().cannot_place();
            return Err(gives_up(session, what, "there is room enough", PLACE_NONE));
        }
        session.tell_end(Outcome::Void, EndedBy::CannotPlace)?;
    }
}

/// Returns the failure of a bot that said that it cannot place its ships, although they fit.
pub(crate) fn gives_up(
    session: &mut Session<'_>,
    what: String,
    room: &str,
    cause: &str,
) -> StepError {
    let ending = Ending::void(Some(Side::One), EndedBy::CannotPlace, what);
    let expected = format!("\"place ROW COL h|v ...\", three words for each ship: {room}");
    session.fail(ending, Request::Place, Advice::certain(expected, cause))
}

/// Asks the bot for its ships in a game by `rules`, which has been announced. Returns `None` if it
/// says that it cannot place them.
pub(crate) fn ask_for_fleet(
    session: &mut Session<'_>,
    rules: &Rules,
) -> Result<Option<Vec<Placement>>, StepError> {
    let expected = rules.describe().expected_placement();
    let Reply::Place(fleet) = session.ask(Request::Place, &expected)? else {
        return Ok(None);
    };
    match rules.begin().place(Side::One, &fleet) {
        Ok(()) => Ok(Some(fleet)),
        Err(faults) => {
            let ending = Ending::lost_by(Side::One, EndedBy::IllegalPlacement, faults);
            let mut error = session.fail(ending, Request::Place, on_placement(rules, &fleet));
            if let StepError::Failure(failure) = &mut error {
                let usual = &session.check.setup.rules;
                let is_usual = |rules: &Rules| rules.begin().place(Side::One, &fleet).is_ok();
                failure.places_as_usual = !failure.certain
                    && (is_usual(usual)
                        || Rules::new(
                            usual.ruleset(),
                            usual.size(),
                            &rules.ships(),
                            usual.options(),
                        )
                        .is_ok_and(|rules| is_usual(&rules)));
            }
            Err(error)
        }
    }
}

/// On a placement that is not legal by `rules`: what it would take to make it so says what is
/// wrong.
fn on_placement(rules: &Rules, fleet: &[Placement]) -> Advice {
    let n_ships = rules.ships().len();
    let extent = extent(rules.size());
    let expected = match n_ships {
        1 => format!("one ship, on the board of {extent}"),
        n_ships => format!("{n_ships} ships on the board of {extent}, no two on one cell"),
    };
    let may_touch = rules.clone().with(RuleOptions {
        apart: false,
        ..rules.options()
    });
    if may_touch.begin().place(Side::One, fleet).is_ok() {
        return Advice::certain(
            format!("{expected}, and none next to another"),
            "Its ships touch. The line `rule apart` behind the `ship` lines forbids that: with the word `all` also at corners, with `sides` not there. A cell beside a ship of its own is as good as taken.",
        );
    }
    if fleet.len() != n_ships {
        return Advice::usual(
            expected,
            format!(
                "This game has {n_ships} {}: one for each `ship` line since the last `game` line; the fleet is not always the same. Answer with three words for each ship, in the order of their ids.",
                if n_ships == 1 { "ship" } else { "ships" }
            ),
        );
    }
    // Each change undoes one usual mistake. If that makes the placement legal, it is almost
    // certainly the mistake.
    let legal_with = |change: fn(Point) -> Point, turned: bool| {
        let mut changed = fleet.to_vec();
        for ship in &mut changed {
            ship.top_or_left = change(ship.top_or_left);
            let is_down = (ship.direction == Direction::Vertical) != turned;
            ship.direction = Direction::BOTH[usize::from(is_down)];
        }
        rules.begin().place(Side::One, &changed).is_ok()
    };
    let mut causes = Vec::new();
    if legal_with(mirror, false) {
        causes.push("Row and column are the wrong way round: the row comes first. (With the two swapped this placement would be legal.)");
    }
    if legal_with(one_less, false) {
        causes.push("It counts from 1: rows and columns count from 0. (One less everywhere and this placement would be legal.)");
    }
    if legal_with(|at| at, true) {
        causes.push("The directions are the wrong way round: h is horizontal, along a row, to the right; v is vertical, downwards. (With the two swapped this placement would be legal.)");
    }
    if legal_with(mirror, true) {
        causes.push("It takes the board for one with rows and columns swapped: the `game` line has the rows first. (On that board this placement would be legal.)");
    }
    if causes.is_empty() && legal_with(|at| mirror(one_less(at)), false) {
        causes.push("Row and column are the wrong way round, and it counts from 1: the row comes first, and both count from 0.");
    }
    if causes.is_empty() {
        return Advice::usual(expected, on_illegal_cells(rules, fleet));
    }
    Advice::certain(expected, causes.join(" Or: "))
}

fn on_illegal_cells(rules: &Rules, fleet: &[Placement]) -> String {
    let [_, cols] = rules.size();
    let mut free: BTreeSet<Point> = cells(rules.size()).collect();
    let board = free.clone();
    for (ship, at) in rules.ships().iter().zip(fleet) {
        if !hull(ship, at).all(|cell| board.contains(&cell)) {
            return format!(
                "A ship reaches outside the board, which is {} in this game (see its `game` line; the size is not always 10x10). A ship extends to the right or down from the cell that is named: from column c, a horizontal ship of length n needs c + n <= {cols}.",
                extent(rules.size()),
            );
        }
        if !hull(ship, at).all(|cell| free.remove(&cell)) {
            return "Ships overlap: before a ship is placed, look whether all of its cells are still free, not only the first one; if not, choose another place for it."
                .to_owned();
        }
    }
    "The ships do not lie as the rules want it.".to_owned()
}
