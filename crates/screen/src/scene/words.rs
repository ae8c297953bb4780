//! Turns in words.

use battleship::protocol::{Order, OrderResult, cell_at};
use battleship::twist::Mark;
use battleship::{AttackResult, Point, Side};

use super::twist::age_of_mark;

use super::Eyes;
use crate::story::{Did, Rules, Story, Turn};

/// Returns a cell as people write it: `(3,6)`, or `B7` in the twist game.
pub(crate) fn cell_name(rules: &Rules, at: Point) -> String {
    match (rules, cell_at(at)) {
        (Rules::Twist, Some(cell)) => cell.to_string(),
        (Rules::Twist, None) | (Rules::Classic(_), _) => at.to_string(),
    }
}

/// Returns what happened in a turn, as a sentence, as far as `eyes` may see it.
pub(crate) fn said(story: &Story, turn: &Turn, eyes: Eyes) -> String {
    let you = eyes == Eyes::Player(turn.mover);
    let name = if you { "You" } else { &story.names[turn.mover] };
    let whose = match eyes {
        Eyes::Player(side) if side != turn.mover => "your".to_owned(),
        Eyes::Judge | Eyes::Player(_) => format!("{}'s", story.names[turn.mover.other()]),
    };
    match &turn.did {
        Did::Attack(at, result) => format!("{name} {}", attacked(story, *at, *result, &whose)),
        Did::Order(order, result) if eyes.see(turn.mover) => {
            format!("{name} {}", ordered(story, *order, result))
        }
        Did::Order(order, result) => format!("{name} {}", seen_of(story, *order, result)),
    }
}

fn attacked(story: &Story, at: Point, result: AttackResult, whose: &str) -> String {
    let cell = cell_name(&story.rules, at);
    match result {
        AttackResult::Miss => format!("missed at {cell}."),
        AttackResult::Hit => format!("hit something at {cell}."),
        AttackResult::Wasted => format!("wasted a shot at {cell}."),
        AttackResult::Sunk(ship) => {
            let name = match &story.rules {
                Rules::Classic(game) => game.ship(ship).map(|kind| kind.name.as_str()),
                Rules::Twist => None,
            };
            format!("sank {whose} {} at {cell}.", name.unwrap_or("ship"))
        }
    }
}

fn ordered(story: &Story, order: Order, result: &OrderResult) -> String {
    let cell = |at| cell_name(&story.rules, at);
    let (from, to) = (cell(order.origin), cell(order.target));
    match result {
        OrderResult::Hit => format!("fired from {from} at {to}: a hit."),
        OrderResult::Miss => format!("fired from {from} at {to}: a miss."),
        OrderResult::Repaired(units) => match units.len() {
            0 => format!("moved a support ship from {from} to {to}."),
            1 => format!("moved a support ship from {from} to {to}; it repaired a unit."),
            count => {
                format!("moved a support ship from {from} to {to}; it repaired {count} units.")
            }
        },
        OrderResult::Found(seen) => match seen.len() {
            0 => format!("moved a submarine from {from} to {to}; it found nothing."),
            1 => format!("moved a submarine from {from} to {to}; it found a cell of a unit."),
            count => {
                format!("moved a submarine from {from} to {to}; it found {count} cells of units.")
            }
        },
        OrderResult::Refused(why) => format!("lost a turn: {why}."),
    }
}

/// What the opponent learns of an order.
fn seen_of(story: &Story, order: Order, result: &OrderResult) -> String {
    let at = cell_name(&story.rules, order.target);
    match result {
        OrderResult::Hit => format!("fired at {at}: a hit."),
        OrderResult::Miss => format!("fired at {at}: a miss."),
        OrderResult::Repaired(_) | OrderResult::Found(_) | OrderResult::Refused(_) => {
            "did not fire.".to_owned()
        }
    }
}

/// Returns what the player on `side` knows of a cell of the other's grid in the twist game, as `: hit 4 turns ago`; nothing if
/// that is nothing.
pub(crate) fn age_in_words(story: &Story, side: Side, cell: battleship::twist::Cell) -> String {
    let Some(state) = super::state_after(story, story.turns.len()) else { return String::new() };
    let Some(mark) = state.view(side).attack().mark(cell) else { return String::new() };
    let what = match mark {
        Mark::Hit => "a hit",
        Mark::Miss => "water",
        Mark::Sonar => "seen whole",
    };
    match age_of_mark(&story.turns, side, cell) {
        None => String::new(),
        Some(0) => format!(": {what} in your last turn"),
        Some(age) => format!(": {what} {} turns ago", age + 1),
    }
}
