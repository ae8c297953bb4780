//! The twist game as its referee knows it, and the switches between the rules and the original
//! program.

use super::{Cell, CellSet, Fleet, Refused, UnitKind, View};
use crate::protocol::{Order, OrderResult};
use crate::{BySide, Side};

/// The number of single turns after which the original program ends a game of computer against
/// computer undecided. The rules have no such limit, and [`State`] does not know it.
pub const ORIGINAL_TURN_LIMIT: u32 = 200;

/// The departures of the original program from its own rules. Each is a switch; by default all are
/// off and the rules hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OriginalQuirks {
    /// A support ship that moved repairs itself too. In the rules it needs another support ship for
    /// that.
    pub self_repair: bool,
    /// The sonar covers 17 of the 25 cells: the 3x3 block from the submarine down and right, and
    /// the one from it up and left. In the rules it covers the 5x5 area around it.
    pub diagonal_sonar: bool,
    /// An order may name any cell of its unit. In the rules it names the central one.
    pub any_origin: bool,
    /// The replay of a log lets player 2 move first, even if the log's first line says otherwise.
    /// Only [`replay`](super::replay()) asks for this.
    pub starter_ignored: bool,
}

impl OriginalQuirks {
    /// All on: the original program.
    pub const ORIGINAL: OriginalQuirks = OriginalQuirks {
        self_repair: true,
        diagonal_sonar: true,
        any_origin: true,
        starter_ignored: true,
    };

    /// Returns the cells that a submarine at `centre` scans.
    pub fn sonar_area(self, centre: Cell) -> CellSet {
        let area = CellSet::around(centre, 2);
        if !self.diagonal_sonar {
            return area;
        }
        // The original scans the 3x3 blocks down-right and up-left of the centre; it never looks at
        // the two other quadrants.
        let row = centre.row();
        let column = centre.column();
        let scanned = area.iter().filter(|cell| {
            (cell.row() >= row && cell.column() >= column)
                || (cell.row() <= row && cell.column() <= column)
        });
        scanned.collect()
    }
}

/// The game as its referee knows it: what both players know, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    views: BySide<View>,
    turn: Side,
    quirks: OriginalQuirks,
}

impl State {
    /// Returns a game of these fleets, in which `starter` has the first turn.
    pub fn new(fleets: impl Into<BySide<Fleet>>, starter: Side, quirks: OriginalQuirks) -> State {
        let views = fleets.into().map(|fleet| View::new(fleet, quirks));
        State {
            views,
            turn: starter,
            quirks,
        }
    }

    /// Returns the side whose turn it is, or `None` once the game is over.
    pub fn turn(&self) -> Option<Side> {
        self.winner().is_none().then_some(self.turn)
    }

    /// Returns the side whose opponent has no unit left, or `None` while both have some.
    pub fn winner(&self) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.fleet(side.other()).is_lost())
    }

    /// Returns the view of this player.
    pub fn view(&self, side: Side) -> &View {
        &self.views[side]
    }

    /// This player's fleet.
    pub fn fleet(&self, side: Side) -> &Fleet {
        self.view(side).fleet()
    }

    /// Carries out an order of the player whose turn it is. Then it is the other's turn.
    ///
    /// # Errors
    /// If the game is over, or if the order is illegal. The game is then unchanged, and the player
    /// may try again.
    pub fn act(&mut self, order: Order) -> Result<OrderResult, Refused> {
        let side = self.turn().ok_or(Refused::Over)?;
        let (own, enemy) = self.views.own_and_other(side);
        // Everything that can be refused comes before the first change, so a refused order leaves
        // the game as it was.
        let (unit, target) = own.ordered(order)?;
        let result = match unit.kind() {
            // A battleship may fire at any cell, again and again at the same one: units move, so an
            // old miss says little.
            UnitKind::Battleship if enemy.fleet.strike(target) => OrderResult::Hit,
            UnitKind::Battleship => OrderResult::Miss,
            UnitKind::Support => {
                own.fleet.move_to(unit, target)?;
                // After the move: a support ship repairs where it arrives.
                OrderResult::Repaired(own.fleet.repair_around(unit, self.quirks.self_repair))
            }
            UnitKind::Submarine => {
                own.fleet.move_to(unit, target)?;
                let area = self.quirks.sonar_area(target);
                // Sonar sees where units are, not where they were: sunk ones have left the grid.
                let damaged = enemy.fleet.damaged() & area;
                let whole = (enemy.fleet.occupied() & area) - damaged;
                OrderResult::Found { whole, damaged }
            }
        };
        // Through the same method as a player's own view, so that the two stay equal.
        own.mark(target, &result);
        self.turn = side.other();
        Ok(result)
    }

    /// Carries out an order of the player whose turn it is. One that the rules refuse costs the
    /// turn all the same.
    pub fn play(&mut self, order: Order) -> OrderResult {
        match self.act(order) {
            Ok(result) => result,
            Err(refused) => {
                self.turn = self.turn.other();
                OrderResult::Refused(refused.in_numbers())
            }
        }
    }
}
