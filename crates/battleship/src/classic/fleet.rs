//! A whole fleet on a board, or all that is wrong with it.

use super::{Board, Placement, PlacementError};

/// The number of faults that a reason names; it only counts the rest.
const MAX_NAMED: usize = 5;

/// Places a whole fleet, in id order, on `board`, which is empty.
///
/// # Errors
/// All that is wrong with it at once, as the end of a sentence that begins with the player's name.
pub(super) fn place_fleet(board: &mut Board<'_>, fleet: &[Placement]) -> Result<(), String> {
    let game = board.game();
    let mut faults = Vec::new();
    if fleet.len() != game.n_ships() {
        let ships = if fleet.len() == 1 { "ship" } else { "ships" };
        faults.push(format!(
            "placed {} {ships} instead of {}",
            fleet.len(),
            game.n_ships()
        ));
    }
    for (ship, placement) in fleet.iter().enumerate().take(game.n_ships()) {
        let name = game.ship_name(ship);
        match board.place_ship(placement.top_or_left, ship, placement.direction) {
            Ok(()) => {}
            Err(PlacementError::OutsideBoard(cell)) => {
                faults.push(format!("placed the {name} outside the board at {cell}"));
            }
            Err(PlacementError::Overlaps { cell, other }) => {
                let other = game.ship_name(other);
                faults.push(format!("placed the {name} over the {other} at {cell}"));
            }
            Err(PlacementError::Touches { cell, other }) => {
                let other = game.ship_name(other);
                faults.push(format!(
                    "placed the {name} at {cell}, next to the {other}: in this game ships may not touch"
                ));
            }
            Err(
                error @ (PlacementError::NoSuchShip(_)
                | PlacementError::AlreadyPlaced(_)
                | PlacementError::Blocked(_)
                | PlacementError::Attacked(_)),
            ) => faults.push(format!("could not place the {name}: {error}")),
        }
    }
    match faults.len().checked_sub(MAX_NAMED) {
        _ if faults.is_empty() => Ok(()),
        None | Some(0) => Err(faults.join("; ")),
        Some(rest) => Err(format!(
            "{}; and {rest} more",
            faults[..MAX_NAMED].join("; ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Direction, Game, Point};

    fn place(fleet: &[(i32, i32, Direction)]) -> Result<(), String> {
        let fleet: Vec<_> = fleet
            .iter()
            .map(|&(row, col, direction)| Placement {
                top_or_left: Point::new(row, col),
                direction,
            })
            .collect();
        place_fleet(&mut Board::new(&Game::standard()), &fleet)
    }

    #[test]
    fn a_rejected_placement_names_all_its_faults() {
        use Direction::{Horizontal, Vertical};
        let faults = place(&[
            (0, 0, Horizontal),
            (3, 1, Horizontal),
            (3, 4, Vertical),
            (8, 9, Vertical),
            (-1, 0, Vertical),
        ]);
        assert_eq!(
            faults.unwrap_err(),
            "placed the destroyer over the battleship at (3,4); \
             placed the submarine outside the board at (10,9); \
             placed the patrol boat outside the board at (-1,0)"
        );
        assert_eq!(
            place(&[(0, 0, Horizontal)]).unwrap_err(),
            "placed 1 ship instead of 5"
        );
        assert_eq!(
            place(&[0, 1, 2, 3, 4].map(|row| (row, 0, Horizontal))),
            Ok(())
        );
        let outside = place(&[(10, 10, Horizontal); 6]).unwrap_err();
        assert!(outside.starts_with("placed 6 ships instead of 5; placed the aircraft carrier"));
        assert!(outside.ends_with("(10,10); and 1 more"), "{outside}");
    }
}
