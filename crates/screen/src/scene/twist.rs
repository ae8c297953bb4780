//! The twist game: a grid for each player, on which units move.

use battleship::protocol::fleet_of;
use battleship::twist::{Cell, CellSet, Fleet, Mark, Quirks, SIZE, State, UnitId, UnitKind, View};
use battleship::{BySide, GameState, Side};

use super::{Eyes, empty};
use crate::look::{Aged, Sign};
use crate::picture::{Grid, Hull, ShipLine};
use crate::story::{Did, Story, Turn};

/// After so many turns of its player a mark is old: a unit may well have moved.
const OLD: usize = 4;

/// Returns the grid of the player on `side` after `turns` turns.
pub(super) fn waters(story: &Story, turns: usize, side: Side, eyes: Eyes) -> Grid {
    let mut grid = empty(&story.rules);
    let Some(state) = state_after(story, turns) else { return grid };
    if eyes.see(side) {
        let fleet = state.fleet(side);
        draw_fleet(&mut grid, fleet);
        grid.ships = lines_of(fleet);
        if eyes == Eyes::Judge {
            mark_misses(&mut grid, &story.turns[..turns], side);
        }
    } else {
        draw_marks(&mut grid, state.view(side.other()), &story.turns[..turns], side.other());
        grid.ships = unknown_fleet();
    }
    grid
}

/// Returns the game after so many turns; `None` before the fleets are known.
pub(crate) fn state_after(story: &Story, turns: usize) -> Option<State> {
    let fleets = story.fleets.as_ref()?;
    let fleet = |side: Side| fleet_of(&fleets[side]).ok();
    let fleets = BySide { one: fleet(Side::One)?, two: fleet(Side::Two)? };
    let mut state = State::new(fleets, story.first, Quirks::default());
    for turn in &story.turns[..turns] {
        if let Did::Order(order, _) = &turn.did {
            // What is told has been played.
            let _ = GameState::play(&mut state, *order);
        }
    }
    Some(state)
}

pub(crate) fn index(cell: Cell) -> usize {
    usize::from(cell.row()) * usize::from(SIZE) + usize::from(cell.column())
}

/// Draws the units where they are.
pub(crate) fn draw_fleet(grid: &mut Grid, fleet: &Fleet) {
    for unit in fleet.afloat() {
        let (letter, damaged) = (unit.kind().letter(), unit.damaged());
        for cell in unit.cells() {
            let hit = damaged.contains(cell);
            grid.signs[index(cell)] = if hit { Sign::Damaged(letter) } else { Sign::Ship(letter) };
        }
    }
}

/// Marks where the opponent fired into the water, if nothing is there now.
fn mark_misses(grid: &mut Grid, turns: &[Turn], side: Side) {
    let fired = turns.iter().filter(|turn| turn.mover != side).filter_map(shot_of);
    for (cell, hit) in fired {
        let sign = &mut grid.signs[index(cell)];
        if !hit && *sign == Sign::Water {
            *sign = Sign::Old(Aged::Miss);
        }
    }
}

/// Returns where a turn's shot fell, and whether it hit.
fn shot_of(turn: &Turn) -> Option<(Cell, bool)> {
    match &turn.did {
        Did::Order(order, result) if result.is_of_shot() => {
            let cell = battleship::protocol::cell_at(order.target)?;
            Some((cell, *result == battleship::protocol::OrderResult::Hit))
        }
        Did::Order(..) | Did::Attack(..) => None,
    }
}

/// Draws what a player has noted of the other's grid; a small letter stands for a mark that is old.
fn draw_marks(grid: &mut Grid, view: &View, turns: &[Turn], mover: Side) {
    for cell in Cell::all() {
        let Some(mark) = view.attack().mark(cell) else { continue };
        let is_old = age_of_mark(turns, mover, cell).is_some_and(|age| age >= OLD);
        grid.signs[index(cell)] = match (mark, is_old) {
            (Mark::Hit, false) => Sign::Hit,
            (Mark::Miss, false) => Sign::Miss,
            (Mark::Sonar, false) => Sign::Seen,
            (Mark::Hit, true) => Sign::Old(Aged::Hit),
            (Mark::Miss, true) => Sign::Old(Aged::Miss),
            (Mark::Sonar, true) => Sign::Old(Aged::Seen),
        };
    }
}

/// Returns how many of its own turns ago the player `mover` last learned something about `cell` of the other's grid; 0 in its
/// last turn.
pub(crate) fn age_of_mark(turns: &[Turn], mover: Side, cell: Cell) -> Option<usize> {
    let own = turns.iter().rev().filter(|turn| turn.mover == mover);
    own.into_iter().position(|turn| learned_in(turn).contains(cell))
}

/// Returns the cells about which a turn told its player something that its grid keeps.
fn learned_in(turn: &Turn) -> CellSet {
    use battleship::protocol::{OrderResult, cell_at};
    let Did::Order(order, result) = &turn.did else { return CellSet::EMPTY };
    match result {
        OrderResult::Hit | OrderResult::Miss => cell_at(order.target).into_iter().collect(),
        OrderResult::Found(seen) => seen.iter().filter_map(|(at, _)| cell_at(*at)).collect(),
        OrderResult::Repaired(_) | OrderResult::Refused(_) => CellSet::EMPTY,
    }
}

fn lines_of(fleet: &Fleet) -> Vec<ShipLine> {
    by_kind(|unit| {
        let unit = fleet.unit(unit);
        let length = usize::from(unit.kind().size());
        Hull { length, hit: length - usize::from(unit.armor()), sunk: unit.is_sunk() }
    })
}

/// The fleet of an opponent: a player is not told which of its units float.
fn unknown_fleet() -> Vec<ShipLine> {
    by_kind(|unit| Hull { length: usize::from(unit.kind().size()), hit: 0, sunk: false })
}

/// A line for each kind of unit.
fn by_kind(hull: impl Fn(UnitId) -> Hull) -> Vec<ShipLine> {
    let line = |kind: UnitKind| {
        let ships = UnitId::ALL.into_iter().filter(|unit| unit.kind() == kind);
        ShipLine { name: format!("{kind}s"), ships: ships.map(&hull).collect() }
    };
    UnitKind::ALL.into_iter().map(line).collect()
}
