//! Ways to place the eight units.

use battleship::seeded::SeededRng;
use battleship::twist::{Cell, CellSet, SIZE, UnitId};
use battleship::{Direction, Placement, Point};

/// Each unit in turn at a place chosen uniformly among those that are still free, as the original
/// program does it. There is always space: 25 cells of 144 cannot be in the way of every line.
pub(super) fn random_placements(rng: &mut SeededRng) -> Vec<Placement> {
    let mut occupied = CellSet::EMPTY;
    let mut placements = Vec::new();
    for unit in UnitId::ALL {
        let free: Vec<(Placement, CellSet)> = all_placements(unit.kind().size())
            .filter(|(_, cells)| (*cells & occupied).is_empty())
            .collect();
        if let Some((placement, cells)) = rng.choose(&free) {
            occupied |= cells;
            placements.push(placement);
        }
    }
    placements
}

/// One unit below the other, every second row until the grid ends, then in the rows between: enough
/// space for all.
pub(super) fn placements_in_rows() -> Vec<Placement> {
    let rows = (0..SIZE).step_by(2).chain((1..SIZE).step_by(2));
    UnitId::ALL
        .into_iter()
        .zip(rows)
        .map(|(_, row)| Placement {
            top_or_left: Point::new(row.into(), 0),
            direction: Direction::Horizontal,
        })
        .collect()
}

/// Every place on an empty grid for a unit of `size`, with its cells. A unit of one cell has one
/// direction.
pub(super) fn all_placements(size: u8) -> impl Iterator<Item = (Placement, CellSet)> {
    let directions = &Direction::BOTH[..if size == 1 { 1 } else { 2 }];
    Cell::all().flat_map(move |bow| {
        directions.iter().filter_map(move |&direction| {
            Some((
                Placement {
                    top_or_left: bow.into(),
                    direction,
                },
                CellSet::line(bow, direction, size)?,
            ))
        })
    })
}

#[cfg(test)]
mod tests {
    use battleship::twist::Fleet;

    use super::*;

    #[test]
    fn placements_are_always_legal() {
        for seed in 0..1000 {
            Fleet::new(&random_placements(&mut SeededRng::new(seed))).unwrap();
        }
        Fleet::new(&placements_in_rows()).unwrap();
    }

    #[test]
    fn a_unit_has_all_places_that_fit() {
        assert_eq!(
            [5, 3, 1].map(|size| all_placements(size).count()),
            [192, 240, 144]
        );
    }
}
