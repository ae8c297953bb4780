//! Places that players who count places come to late.

use std::collections::{BTreeMap, BTreeSet};

use battleship::Game;

use super::super::sample::PlaceWeights;
use super::super::yard::{Kind, PlaceIndex, Yard};

/// By ship of the standard game, the longest first: how many attacks more than on average it takes
/// where the ship lies so. The numbers are for places that no reflection or rotation takes to each
/// other, in the order of their first ones. A fit to 16 games on each of 12,000 random fleets (with
/// version 1.0.0).
const LASTING: [(i32, &[f64]); 4] = [
    (
        5,
        &[
            1.0, 0.5, 0.2, 0.3, -0.1, -0.1, -0.4, -0.1, -0.2, -0.2, -0.1, -0.6, -0.7, -0.3, -0.7,
        ],
    ),
    (
        4,
        &[
            2.0, 0.8, 0.9, 0.3, 0.1, 0.1, -0.4, 0.2, 0.0, -0.1, -0.7, -0.2, -0.6, -0.8, -0.1, -0.6,
            -0.1, -0.9, -0.4, -0.9,
        ],
    ),
    (
        3,
        &[
            3.1, 1.0, 0.6, 0.3, -0.4, 0.6, -0.3, -0.3, -0.3, -0.3, -1.4, -0.9, -1.2, 0.1, -1.3,
            -0.2, -0.9, 0.3, 0.4, -1.6,
        ],
    ),
    (
        2,
        &[
            9.5, 3.7, -0.2, 3.2, 0.8, 3.2, 1.2, 2.4, -0.8, -3.0, 0.0, -0.7, -1.2, -1.4, -2.5, -1.9,
            -2.5, -0.7, -3.0, 0.1, 0.2, -1.2, 0.9, -1.2, -6.2,
        ],
    ),
];

/// Returns how many attacks more than on average a fleet takes of which a ship lies at a place, by
/// kind and place; `None` if the game is not the standard one.
pub(crate) fn lasting(game: &Game, yard: &Yard) -> Option<PlaceWeights> {
    if *game != Game::standard() {
        return None;
    }
    let of_kind = |kind: &Kind| {
        let (_, numbers) = LASTING
            .iter()
            .find(|(length, _)| *length == kind.length)
            .expect("all standard ships are listed");
        let first = |images: &Vec<PlaceIndex>| images.iter().min().copied();
        let firsts: Vec<_> = kind.mirrored(game).iter().map(first).collect();
        let distinct: BTreeSet<_> = firsts.iter().collect();
        let of_first: BTreeMap<_, _> = distinct.into_iter().zip(*numbers).collect();
        firsts.iter().map(|first| *of_first[first]).collect()
    };
    Some(yard.kinds.iter().map(of_kind).collect())
}
