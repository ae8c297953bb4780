//! A twist game that the bot plays against the check.

use battleship::protocol::{OrderResult, Request, fleet_of};
use battleship::seeded::SeededRng;
use battleship::twist::{self, Cell, Fleet, Quirks, SIZE, State, UnitId, UnitKind};
use battleship::{Direction, GameState, Point};

use super::advice::Advice;
use super::asked::Asked;
use super::halt::Halt;
use super::session::Session;
use crate::game::{EndedBy, Ending, Twist};
use bothost::Side;

/// A twist game that the bot plays against the check.
pub(super) struct TwistPlay {
    state: State,
    /// The cells that the check will fire at, in that order from the end, and again from the beginning.
    to_fire_at: Vec<Cell>,
    next: usize,
}

impl TwistPlay {
    pub(super) fn begin(session: &mut Session<'_>, seed: u32) -> Result<TwistPlay, Halt> {
        let (fleet, seed) = session.begin_game(&Twist, seed, ask_for_units, gives_up)?;
        let mut rng = SeededRng::new(seed.into());
        let mut to_fire_at: Vec<Cell> = (0..SIZE)
            .flat_map(|row| (0..SIZE).filter_map(move |column| Cell::new(row, column)))
            .collect();
        rng.shuffle(&mut to_fire_at);
        let fleets = [fleet, random_fleet(&mut rng)];
        let state = State::new(fleets, Side::One, Quirks::default());
        Ok(TwistPlay { state, to_fire_at, next: 0 })
    }

    /// Asks the bot for an order, tells it the result, and returns that.
    pub(super) fn turn(&mut self, session: &mut Session<'_>) -> Result<OrderResult, Halt> {
        let order = session.ask_for_order()?;
        let result = self.state.play(order).expect("the check asks only in a game that goes on");
        session.tell(&Request::OrderResult(order, result.clone()))?;
        Ok(result)
    }

    /// Fires at the next cell, but never the last shot that a fleet can take.
    pub(super) fn opponents_turn(&mut self, session: &mut Session<'_>) -> Result<(), Halt> {
        let (bot, check) = (Side::One, Side::Two);
        if self.is_won() {
            return Ok(());
        }
        let fleet = self.state.fleet(bot);
        let whole = fleet.occupied() - fleet.damaged();
        let target = self.to_fire_at[self.next % self.to_fire_at.len()];
        self.next += 1;
        let battleship = self
            .state
            .fleet(check)
            .afloat()
            .find(|unit| unit.kind() == UnitKind::Battleship)
            .map(battleship::twist::Unit::centre);
        match battleship {
            // The bot has to keep a unit until the end of the step, so the last undamaged cells are spared.
            Some(origin) if whole.len() > 3 => {
                let fired = self.state.act(check, twist::Order { origin, target });
                fired.expect("a battleship may fire at any cell");
                session.tell(&Request::Opponent(target.into()))
            }
            Some(_) | None => {
                self.state.pass(check).expect("it is the check's turn, and neither has won");
                Ok(())
            }
        }
    }

    /// Whether the bot has sunk every unit.
    pub(super) fn is_won(&self) -> bool {
        self.state.winner().is_some()
    }
}

fn wrong(ended_by: EndedBy, what: String) -> Ending {
    Ending { winner: None, by: Some(Side::One), ended_by, what }
}

fn advice(cause: &str) -> Advice {
    let expected =
        "eight units on the grid of 12x12, rows and columns from 0 to 11, no two units on one cell";
    Advice::usual(expected, cause)
}

/// The bot says that it cannot place its units.
pub(super) fn gives_up(session: &mut Session<'_>) -> Halt {
    let ending = wrong(EndedBy::CannotPlace, "could not place its units".to_owned());
    let advice = Advice { certain: true, ..advice("There is always room for the eight units.") };
    session.fault(ending, Asked::Placement, advice)
}

/// Asks the bot for its units in a game that has been announced. Returns `None` if it says that it cannot place them.
pub(super) fn ask_for_units(session: &mut Session<'_>) -> Result<Option<Fleet>, Halt> {
    let expected = "\"place ROW COL h|v ...\" (8 units)";
    let Some(placements) = session.ask_for_placement(expected)? else { return Ok(None) };
    fleet_of(&placements).map(Some).map_err(|faults| {
        let one_less = |placement: &battleship::Placement| {
            let Point { row, col } = placement.top_or_left;
            let top_or_left = Point::new(row.saturating_sub(1), col.saturating_sub(1));
            battleship::Placement { top_or_left, ..*placement }
        };
        let one_less: Vec<_> = placements.iter().map(one_less).collect();
        let cause = if fleet_of(&one_less).is_ok() {
            "It counts from 1: rows and columns count from 0. (One less everywhere and this placement would be legal.)"
        } else {
            "Three battleships of 5 cells, three support ships of 3 and two submarines of 1 are placed in this order; \
             each goes on to the right (h) or down (v) from its first cell. Look whether all cells of a unit are free \
             before it is placed."
        };
        session.fault(wrong(EndedBy::IllegalPlacement, faults.to_string()), Asked::Placement, advice(cause))
    })
}

/// A fleet at random places.
fn random_fleet(rng: &mut SeededRng) -> Fleet {
    let size = usize::from(SIZE);
    loop {
        let placements = UnitId::ALL.map(|_| {
            let number = |rng: &mut SeededRng| u8::try_from(rng.below(size)).expect("below 12");
            let bow = Cell::new(number(rng), number(rng)).expect("it is on the grid");
            let direction = if rng.coin() { Direction::Horizontal } else { Direction::Vertical };
            twist::Placement { bow, direction }
        });
        if let Ok(fleet) = Fleet::new(&placements) {
            return fleet;
        }
    }
}
