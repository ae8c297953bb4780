//! The information in an opponent's shots in one game about how early it would have found other
//! fleets.

use battleship::{CellSet, Game, Point};

use super::fleets::Fleet;
use crate::good::cells::{ByCell, SIZE, index, real};

/// By cell, how many shots the opponent spent on its search before it came there.
#[derive(Debug)]
pub(super) struct Hunt(ByCell);

impl Hunt {
    /// Returns what the attacks on `own`, in order, say. Shots that follow a hit say where that
    /// ship is, not where the opponent looks first, so the cells that they reach count as ordinary
    /// ones.
    pub(super) fn new(game: &Game, own: &Fleet, attacks: &[Point]) -> Hunt {
        let occupied: CellSet = own.ships().collect();
        let mut attacked = CellSet::EMPTY;
        let mut hits = CellSet::EMPTY;
        let mut followed = CellSet::EMPTY;
        let mut when = [None; SIZE * SIZE];
        let mut shots = 0;
        for at in attacks {
            if !game.is_valid(*at) || attacked.contains(*at) {
                continue;
            }
            let is_search = own
                .ships()
                .all(|ship| (ship & hits).is_empty() || ship.is_subset(hits));
            if is_search {
                when[index(*at)] = Some(real(shots));
                shots += 1;
            } else {
                followed.insert(*at);
            }
            attacked.insert(*at);
            if occupied.contains(*at) {
                hits.insert(*at);
            }
        }
        // It would have come to the rest later, in an order that is not known.
        let rest = game.cells() - attacked;
        let late = real(shots) + real(rest.len()) / 2.0;
        for point in rest {
            when[index(point)] = Some(late);
        }
        let known: Vec<f64> = when.iter().copied().flatten().collect();
        let usual = known.iter().sum::<f64>() / real(known.len().max(1));
        Hunt(when.map(|when| when.unwrap_or(usual)))
    }

    /// Returns the number of shots of its search that the opponent would have needed to find the
    /// last ship of the fleet.
    pub(super) fn lasts(&self, fleet: &Fleet) -> f64 {
        let found = |ship: CellSet| {
            ship.iter()
                .map(|point| self.0[index(point)])
                .fold(f64::INFINITY, f64::min)
        };
        fleet.ships().map(found).fold(0.0, f64::max)
    }
}
