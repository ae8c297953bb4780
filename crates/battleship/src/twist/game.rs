//! The twist game as its referee knows it, and the switches between the rules and the original program.

use std::fmt;

use super::{
    Cell, CellSet, Clear, Fleet, Order, Refused, Struck, UnitId, UnitKind, UnitSet, View, show,
};
use crate::{BySide, Side};

/// The number of single turns after which the original program ends a game of computer against computer undecided. The
/// rules have no such limit, and [`State`] does not know it.
pub const ORIGINAL_TURN_LIMIT: u32 = 200;

/// The departures of the original program from its own rules. Each is a switch; by default all are off and the rules hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Quirks {
    /// A support ship that moved repairs itself too. In the rules it needs another support ship for that.
    pub self_repair: bool,
    /// The sonar covers 17 of the 25 cells: the 3x3 block from the submarine down and right, and the one from it up
    /// and left. In the rules it covers the 5x5 area around it.
    pub diagonal_sonar: bool,
    /// An order may name any cell of its unit. In the rules it names the central one.
    pub any_origin: bool,
    /// The replay of a log lets player 2 move first, even if the log's first line says otherwise. Only
    /// [`replay`](super::replay()) asks for this.
    pub starter_ignored: bool,
}

impl Quirks {
    /// All on: the original program.
    pub const ORIGINAL: Quirks = Quirks {
        self_repair: true,
        diagonal_sonar: true,
        any_origin: true,
        starter_ignored: true,
    };

    /// Returns the cells that a submarine at `centre` scans.
    #[must_use]
    pub fn sonar_area(self, centre: Cell) -> CellSet {
        if !self.diagonal_sonar {
            return CellSet::around(centre, 2);
        }
        // The original scans the 3x3 blocks down-right and up-left of the centre; it never looks at the two
        // other quadrants.
        let (row, column) = (centre.row(), centre.column());
        CellSet::between((row, column), (row + 2, column + 2))
            | CellSet::between(
                (row.saturating_sub(2), column.saturating_sub(2)),
                (row, column),
            )
    }
}

/// The effect of an order, as far as the player that gave it learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// A battleship fired.
    Fired {
        /// Whether an enemy unit was there. Not which, nor whether it sank, nor whether that part was damaged
        /// before.
        hit: bool,
    },
    /// A support ship moved.
    Repaired {
        /// The own units that were damaged and are whole again.
        units: UnitSet,
    },
    /// A submarine moved.
    Searched {
        /// The scanned cells that undamaged parts of enemy units are on; the attack grid marks them Y.
        undamaged: CellSet,
        /// The scanned cells that damaged parts of enemy units are on; the attack grid marks them X.
        damaged: CellSet,
    },
}

/// One turn, as the referee and the record see it. Its player learns the effect only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The unit that acted.
    pub unit: UnitId,
    /// The knowledge that the player gains.
    pub effect: Effect,
    /// The enemy unit that a shot hit, which the player does not learn.
    pub struck: Option<Struck>,
}

/// The game as its referee knows it: what both players know, and whose turn it is.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct State {
    views: BySide<View>,
    turn: Side,
    quirks: Quirks,
}

impl State {
    /// Returns a game of these fleets, in which `starter` has the first turn.
    #[must_use]
    pub fn new(fleets: impl Into<BySide<Fleet>>, starter: Side, quirks: Quirks) -> State {
        let views = fleets.into().map(|fleet| View::new(fleet, quirks));
        State {
            views,
            turn: starter,
            quirks,
        }
    }

    /// Returns the side whose turn it is, or `None` once the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        self.winner().is_none().then_some(self.turn)
    }

    /// Returns the side whose opponent has no unit left, or `None` while both have some.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.fleet(side.other()).is_lost())
    }

    /// Returns what this player knows.
    #[must_use]
    pub fn view(&self, side: Side) -> &View {
        &self.views[side]
    }

    /// This player's fleet.
    #[must_use]
    pub fn fleet(&self, side: Side) -> &Fleet {
        self.view(side).fleet()
    }

    /// Returns the switches that the game is played with.
    #[must_use]
    pub const fn quirks(&self) -> Quirks {
        self.quirks
    }

    /// Carries out an order of `side`, after which it is the other's turn.
    ///
    /// # Errors
    /// If the game is over, if it is not this player's turn, or if the order is illegal. The game is then
    /// unchanged, and the player may try again.
    pub fn act(&mut self, side: Side, order: Order) -> Result<Event, Refused> {
        self.check_turn(side)?;
        let (own, enemy) = self.views.own_and_other(side);
        // Everything that can be refused comes before the first change, so a refused order leaves the game as it was.
        let unit = own.fleet.ordered(order.origin, self.quirks.any_origin)?;
        let mut struck = None;
        let (effect, shot) = match unit.kind() {
            UnitKind::Battleship => {
                // A battleship may fire at any cell, again and again at the same one: units move, so an old
                // miss says little.
                struck = enemy.fleet.strike(order.target);
                (
                    Effect::Fired {
                        hit: struck.is_some(),
                    },
                    Some(order.target),
                )
            }
            UnitKind::Support => {
                own.fleet.move_to(unit, order.target)?;
                // After the move: a support ship repairs where it arrives.
                let units = own.fleet.repair_around(unit, self.quirks.self_repair);
                (Effect::Repaired { units }, None)
            }
            UnitKind::Submarine => {
                own.fleet.move_to(unit, order.target)?;
                let area = self.quirks.sonar_area(order.target);
                // Sonar sees where units are, not where they were: sunk ones have left the grid.
                let damaged = enemy.fleet.damaged() & area;
                let undamaged = (enemy.fleet.occupied() & area) - damaged;
                (Effect::Searched { undamaged, damaged }, None)
            }
        };
        // Through the same method as a player's own view, so that the two stay equal.
        own.mark(order.target, effect);
        enemy.note_incoming(shot);
        self.turn = side.other();
        Ok(Event {
            unit,
            effect,
            struck,
        })
    }

    /// Lets a turn of `side` go by without an action. The rules do not have this; a referee needs it for a
    /// player whose order was illegal. The opponent learns that there was no shot.
    ///
    /// # Errors
    /// If the game is over or if it is not this player's turn.
    pub fn pass(&mut self, side: Side) -> Result<(), Refused> {
        self.check_turn(side)?;
        // Also for a turn without a shot: the last incoming shot is that of the opponent's last turn.
        self.views[side.other()].note_incoming(None);
        self.turn = side.other();
        Ok(())
    }

    /// Takes marks off the attack grid of `side`. This uses no turn and may be done at any time.
    pub fn clear(&mut self, side: Side, what: Clear) {
        self.views[side].clear(what);
    }

    fn check_turn(&self, side: Side) -> Result<(), Refused> {
        match self.turn() {
            None => Err(Refused::Over),
            Some(turn) if turn != side => Err(Refused::NotYourTurn),
            Some(_) => Ok(()),
        }
    }
}

/// Both players' grids, and whose turn it is.
impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in Side::BOTH {
            write!(f, "\n{}", show(self.view(side)).headed(side))?;
        }
        write!(f, "turn: {:?}, {:?}", self.turn(), self.quirks)
    }
}
