//! The classic game: a board for each player.

use battleship::{AttackResult, Game, Placement, Point, Side};

use super::sunk::hulls_of_sunk;
use super::{Eyes, empty};
use crate::look::Sign;
use crate::picture::{Grid, Hull, ShipLine};
use crate::story::{Did, Story};

/// Returns the board of the player on `side` after `turns` turns.
pub(super) fn waters(story: &Story, game: &Game, turns: usize, side: Side, eyes: Eyes) -> Grid {
    let attacks: Vec<(Point, AttackResult)> = story.turns[..turns]
        .iter()
        .filter(|turn| turn.mover == side.other())
        .filter_map(|turn| match turn.did {
            Did::Attack(at, result) if result != AttackResult::Wasted => Some((at, result)),
            Did::Attack(..) | Did::Order(..) => None,
        })
        .collect();
    let fleet = story.fleets.as_ref().filter(|_| eyes.see(side)).map(|fleets| &fleets[side][..]);
    let mut grid = empty(&story.rules);
    let mut mark = |at: Point, sign: Sign| {
        if let Some(index) = index(game, at) {
            grid.signs[index] = sign;
        }
    };
    for (ship, placement) in fleet.unwrap_or_default().iter().enumerate() {
        for at in cells_of(game, ship, *placement) {
            mark(at, Sign::Ship(game.ship_symbol(ship)));
        }
    }
    for (at, result) in &attacks {
        mark(*at, if *result == AttackResult::Miss { Sign::Miss } else { Sign::Hit });
    }
    let sunk = |ship| attacks.iter().any(|(_, result)| *result == AttackResult::Sunk(ship));
    match fleet {
        Some(fleet) => {
            for (ship, placement) in fleet.iter().enumerate().filter(|(ship, _)| sunk(*ship)) {
                cells_of(game, ship, *placement).for_each(|at| mark(at, Sign::Sunk));
            }
        }
        None => hulls_of_sunk(game, &attacks).for_each(|at| mark(at, Sign::Sunk)),
    }
    let hit = |ship: usize| {
        let placement = fleet.and_then(|fleet| fleet.get(ship).copied());
        let cells = placement.into_iter().flat_map(|placement| cells_of(game, ship, placement));
        cells.filter(|cell| attacks.iter().any(|(at, _)| at == cell)).count()
    };
    let line = |(ship, kind): (usize, &battleship::ShipType)| ShipLine {
        name: kind.name.clone(),
        ships: vec![Hull {
            length: usize::try_from(kind.length).unwrap_or(0),
            hit: hit(ship),
            sunk: sunk(ship),
        }],
    };
    grid.ships = game.ships().iter().enumerate().map(line).collect();
    grid
}

fn index(game: &Game, at: Point) -> Option<usize> {
    let index = at.row.checked_mul(game.cols())?.checked_add(at.col)?;
    usize::try_from(index).ok().filter(|_| game.is_valid(at))
}

/// Returns the cells that a ship covers.
pub(super) fn cells_of(
    game: &Game,
    ship: usize,
    placement: Placement,
) -> impl Iterator<Item = Point> + use<> {
    // Checked, since ships may be told of that the game does not have.
    let length = game.ships().get(ship).map_or(0, |kind| kind.length);
    let cells = battleship::CellSet::line(placement.top_or_left, placement.direction, length);
    cells.into_iter().flatten()
}
