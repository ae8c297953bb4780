//! The twist game in the words of the protocol: how placements and orders on the wire become those of the rules.

use thiserror::Error;

use super::{Order, OrderResult, cell_at};
use crate::twist::{self, Fleet, PlacementFault, Refused, State, UNITS, UnitId};
use crate::{GameOver, GameState, Placement, Point, Side};

/// Returns the fleet that a `place` line describes: the bow and the direction of each unit, in id order.
///
/// # Errors
/// If the rules do not allow it. All faults are named at once, but whether units fit and do not overlap is known only
/// if all of them begin on the grid.
///
/// ```
/// use battleship::protocol::fleet_of;
/// use battleship::{Direction, Placement, Point};
///
/// let row = |row| Placement { top_or_left: Point::new(row, 0), direction: Direction::Horizontal };
/// let mut placements: Vec<Placement> = (0..8).map(row).collect();
/// assert!(fleet_of(&placements).is_ok());
/// placements[1].top_or_left = Point::new(0, 4);
/// let faults = fleet_of(&placements).unwrap_err();
/// assert_eq!(faults.to_string(), "placed battleship 1 over battleship 0 at (0,4)");
/// ```
pub fn fleet_of(placements: &[Placement]) -> Result<Fleet, IllegalFleet> {
    if placements.len() != UNITS {
        return Err(IllegalFleet(vec![FleetFault::Count {
            given: placements.len(),
        }]));
    }
    let (mut on_grid, mut faults) = (Vec::new(), Vec::new());
    for (
        unit,
        Placement {
            top_or_left,
            direction,
        },
    ) in UnitId::ALL.into_iter().zip(placements)
    {
        match cell_at(*top_or_left) {
            Some(bow) => on_grid.push(twist::Placement {
                bow,
                direction: *direction,
            }),
            None => faults.push(FleetFault::OutsideGrid {
                unit,
                at: *top_or_left,
            }),
        }
    }
    // The rules compare whole fleets on the grid, so they can judge only one that begins on it.
    if !faults.is_empty() {
        return Err(IllegalFleet(faults));
    }
    Fleet::new(&on_grid).map_err(|faults| {
        IllegalFleet(
            faults
                .faults()
                .iter()
                .map(|fault| (*fault).into())
                .collect(),
        )
    })
}

/// Everything that is wrong with a fleet on the wire, as the end of a sentence that begins with the player's name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct IllegalFleet(Vec<FleetFault>);

impl IllegalFleet {
    /// The faults. There is at least one.
    #[must_use]
    pub fn faults(&self) -> &[FleetFault] {
        &self.0
    }
}

/// One thing that is wrong with a fleet on the wire. Rows and columns are counted as in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[allow(
    missing_docs,
    reason = "the messages say what each case and each of its numbers is"
)]
pub enum FleetFault {
    #[error("placed {given} {} instead of {UNITS}", if *given == 1 { "unit" } else { "units" })]
    Count { given: usize },
    #[error("placed {unit} outside the grid at {at}")]
    OutsideGrid { unit: UnitId, at: Point },
    #[error("placed {unit} partly outside the grid from {bow}")]
    PartlyOutsideGrid { unit: UnitId, bow: Point },
    #[error("placed {unit} over {other} at {at}")]
    Overlaps {
        unit: UnitId,
        other: UnitId,
        at: Point,
    },
    #[error("placed its units wrongly: {0}")]
    Other(PlacementFault),
}

impl From<PlacementFault> for FleetFault {
    fn from(fault: PlacementFault) -> FleetFault {
        match fault {
            PlacementFault::OffGrid { unit, bow } => FleetFault::PartlyOutsideGrid {
                unit,
                bow: bow.into(),
            },
            PlacementFault::Overlaps { unit, other, cell } => FleetFault::Overlaps {
                unit,
                other,
                at: cell.into(),
            },
            PlacementFault::Missing(_)
            | PlacementFault::TooMany(_)
            | PlacementFault::Crooked { .. }
            | PlacementFault::Backwards { .. }
            | PlacementFault::Length { .. } => FleetFault::Other(fault),
        }
    }
}

/// The twist game by orders as they come over the wire. An order that the rules refuse costs the turn all the same:
/// its result is [`OrderResult::Refused`].
impl GameState for State {
    type Turn = Order;
    type TurnResult = OrderResult;

    fn turn(&self) -> Option<Side> {
        State::turn(self)
    }

    fn play(&mut self, order: Order) -> Result<OrderResult, GameOver> {
        let mover = State::turn(self).ok_or(GameOver)?;
        let acted = match order.on_grid() {
            Some(on_grid) => self.act(mover, on_grid).map_err(reason),
            None => Err(format!(
                "{} and {} are not both on the grid",
                order.origin, order.target
            )),
        };
        match acted {
            Ok(event) => Ok(event.effect.into()),
            Err(why) => {
                self.pass(mover)
                    .expect("the game continues, and it is this player's turn");
                Ok(OrderResult::Refused(why))
            }
        }
    }

    fn winner(&self) -> Option<Side> {
        State::winner(self)
    }
}

/// Returns why an order was refused, with rows and columns as the protocol counts them.
fn reason(why: Refused) -> String {
    match why {
        Refused::Over | Refused::NotYourTurn => why.to_string(),
        Refused::NoUnit(cell) => format!("there is no unit at {}", Point::from(cell)),
        Refused::NotCentre { unit, centre, .. } => {
            format!(
                "unit {} is ordered by its centre, {}",
                unit.index(),
                Point::from(centre)
            )
        }
        Refused::OffGrid { unit, target } => {
            format!(
                "unit {} does not fit on the grid at {}",
                unit.index(),
                Point::from(target)
            )
        }
        Refused::Occupied {
            unit,
            target,
            cell,
            other,
        } => format!(
            "unit {} cannot move to {}: unit {} is at {}",
            unit.index(),
            Point::from(target),
            other.index(),
            Point::from(cell)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;
    use crate::protocol::Sighting;
    use crate::twist::Quirks;

    fn state() -> State {
        let at = |row| Placement {
            top_or_left: Point::new(row, 0),
            direction: Direction::Horizontal,
        };
        let fleet = || fleet_of(&(0..8).map(at).collect::<Vec<_>>()).unwrap();
        State::new([fleet(), fleet()], Side::One, Quirks::default())
    }

    fn order(numbers: [i32; 4]) -> Order {
        let [row, col, to_row, to_col] = numbers;
        Order {
            origin: Point::new(row, col),
            target: Point::new(to_row, to_col),
        }
    }

    #[test]
    fn an_impossible_order_costs_the_turn() {
        for (numbers, why) in [
            ([12, 0, 0, 0], "(12,0) and (0,0) are not both on the grid"),
            ([9, 9, 0, 0], "there is no unit at (9,9)"),
            ([0, 0, 0, 0], "unit 0 is ordered by its centre, (0,2)"),
            ([3, 1, 3, 11], "unit 3 does not fit on the grid at (3,11)"),
            (
                [3, 1, 4, 1],
                "unit 3 cannot move to (4,1): unit 4 is at (4,0)",
            ),
        ] {
            let mut state = state();
            assert_eq!(
                state.play(order(numbers)),
                Ok(OrderResult::Refused(why.to_owned()))
            );
            assert_eq!(GameState::turn(&state), Some(Side::Two));
        }
    }

    #[test]
    fn an_opponent_is_told_only_of_shots() {
        let mut state = state();
        let mut play = |numbers| {
            let result = state.play(order(numbers)).unwrap();
            (result.is_of_shot(), result)
        };
        assert_eq!(play([0, 2, 5, 2]), (true, OrderResult::Hit));
        // The opponent's two submarines, on rows 6 and 7 as its own were, are in sight from row 9.
        let seen = vec![(Point::new(7, 0), Sighting::Whole)];
        assert_eq!(play([7, 0, 9, 0]), (false, OrderResult::Found(seen)));
        assert_eq!(play([0, 2, 11, 11]), (true, OrderResult::Miss));
        assert_eq!(play([4, 1, 4, 1]), (false, OrderResult::Repaired(vec![5])));
    }

    #[test]
    fn all_faults_of_a_fleet_are_named() {
        let row = |row, col| Placement {
            top_or_left: Point::new(row, col),
            direction: Direction::Horizontal,
        };
        let faults = |placements: &[Placement]| fleet_of(placements).unwrap_err().to_string();
        assert_eq!(faults(&[row(0, 0)]), "placed 1 unit instead of 8");
        let mut placements: Vec<Placement> = (0..8).map(|at| row(at, 0)).collect();
        placements[0] = row(0, 8);
        placements[4] = row(3, 2);
        assert_eq!(
            faults(&placements),
            "placed battleship 0 partly outside the grid from (0,8); \
             placed support ship 4 over support ship 3 at (3,2)"
        );
        placements[1] = row(-1, 0);
        assert_eq!(
            faults(&placements),
            "placed battleship 1 outside the grid at (-1,0)"
        );
    }
}
