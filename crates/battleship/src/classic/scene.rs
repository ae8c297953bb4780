//! What there is to see of a classic game.

use super::CellSet;
use super::in_play::ClassicInPlay;
use super::sunk::cells_of_sunk;
use crate::scene::{Grid, MarkKind, Scene, ShipShape, ShipState, Viewer};
use crate::{BySide, Side, Turns};

/// Returns the scene of `game` for `viewer`.
pub(super) fn scene(game: &ClassicInPlay, viewer: Viewer) -> Scene {
    Scene {
        waters: BySide::from_fn(|side| waters(game, side, viewer)),
        notes: None,
        ships: BySide::from_fn(|side| ships(game, side, viewer)),
        remarks: BySide::from_fn(|side| remark(game, side)),
        ships_move: false,
    }
}

fn remark(game: &ClassicInPlay, side: Side) -> String {
    let times = |count| match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    };
    let attacks = game.attacks.iter().filter(|(mover, ..)| *mover != side);
    let attacked = format!("attacked {}", times(attacks.count()));
    match (game.turns, game.last_hits[side.other()]) {
        (Turns::Salvo(_), Some(hits)) => {
            format!("{attacked}, hit {} by the last salvo", times(hits))
        }
        _ => attacked,
    }
}

fn waters(game: &ClassicInPlay, side: Side, viewer: Viewer) -> Grid {
    let board = game.board(side);
    let sunk: CellSet = if viewer.sees(side) {
        let ships = (0..game.game.n_ships()).filter(|ship| board.is_sunk(*ship));
        ships.map(|ship| board.cells_of(ship)).collect()
    } else {
        let on = game.attacks.iter().filter(|(mover, ..)| *mover != side);
        let attacks: Vec<_> = on.map(|(_, at, result)| (*at, *result)).collect();
        cells_of_sunk(&game.game, &attacks)
    };
    let occupied = board.occupied();
    let mut hulls = Vec::new();
    if viewer.sees(side) {
        for (ship, kind) in game.game.ships().iter().enumerate() {
            let placement = board.placement(ship);
            let hull = placement.and_then(|placement| ShipShape::new(kind, placement));
            let sunk = board.is_sunk(ship);
            hulls.push(hull.map(|hull| ShipShape { sunk, ..hull }));
        }
    }
    Grid {
        hulls,
        marks: game
            .game
            .points()
            .map(|at| {
                let kind = match occupied.contains(at) {
                    _ if sunk.contains(at) => MarkKind::Sunk,
                    true => MarkKind::Hit,
                    false => MarkKind::Miss,
                };
                board.attacked().contains(at).then_some(kind.into())
            })
            .collect(),
    }
}

/// Returns the states of ships. A player knows of an opponent's ship only that it has sunk.
fn ships(game: &ClassicInPlay, side: Side, viewer: Viewer) -> Vec<ShipState> {
    let board = game.board(side);
    (0..game.game.n_ships())
        .map(|ship| {
            if board.is_sunk(ship) {
                return ShipState::Sunk;
            }
            let hit = board.cells_of(ship) & board.attacked();
            ShipState::Afloat(if viewer.sees(side) { hit.len() } else { 0 })
        })
        .collect()
}
