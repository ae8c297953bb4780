//! A person places ships.

use battleship::seeded::SeededRng;
use battleship::{CellSet, Direction, Placement, Rules, ShipType};

use crate::picture::{At, point_of};

/// A fleet that is being placed.
#[derive(Clone, Debug)]
pub(super) struct Placing {
    rows: usize,
    cols: usize,
    kinds: Vec<ShipType>,
    /// The least distance between the ships.
    apart: bool,
    placed: Vec<(At, Direction)>,
    /// The first cell of the next ship.
    at: At,
    direction: Direction,
}

/// The number of times a random fleet is begun again when a ship does not fit.
const ATTEMPTS: usize = 10_000;

impl Placing {
    /// Returns an empty board.
    pub(super) fn new(rules: &Rules) -> Placing {
        let [rows, cols] = rules
            .size()
            .map(|lines| usize::try_from(lines).unwrap_or(0));
        let kinds = rules.ships();
        let apart = rules.options().apart;
        let placed = Vec::new();
        Placing {
            rows,
            cols,
            kinds,
            apart,
            placed,
            at: (0, 0),
            direction: Direction::Horizontal,
        }
    }

    /// Returns the ship that is placed next; `None` once all are.
    pub(super) fn next(&self) -> Option<&ShipType> {
        self.kinds.get(self.placed.len())
    }

    /// Returns how many ships are placed, and of how many.
    pub(super) fn progress(&self) -> (usize, usize) {
        (self.placed.len(), self.kinds.len())
    }

    /// Returns the ships that are placed, with their cells.
    pub(super) fn ships(&self) -> impl Iterator<Item = (&ShipType, Vec<At>)> {
        self.kinds
            .iter()
            .zip(&self.placed)
            .map(|(kind, (at, direction))| (kind, line(*at, *direction, length_of(kind)).collect()))
    }

    /// Returns the cells that the next ship would cover, and whether it may.
    pub(super) fn outline(&self) -> (Vec<At>, bool) {
        let Some(kind) = self.next() else {
            return (Vec::new(), true);
        };
        let cells: Vec<At> = line(self.at, self.direction, length_of(kind)).collect();
        let fits = self.fits(&cells);
        (cells, fits)
    }

    /// Returns where the first cell of the next ship is.
    pub(super) fn at(&self) -> At {
        self.at
    }

    fn fits(&self, cells: &[At]) -> bool {
        cells
            .iter()
            .all(|(row, col)| *row < self.rows && *col < self.cols)
            && self
                .ships()
                .all(|(_, ship)| !self.is_in_the_way(&ship, cells))
    }

    /// Whether a placed ship excludes a ship on `cells`.
    fn is_in_the_way(&self, ship: &[At], cells: &[At]) -> bool {
        let set = |cells: &[At]| cells.iter().map(|at| point_of(*at)).collect::<CellSet>();
        let touches = || !(set(ship).with_corners() & set(cells)).is_empty();
        cells.iter().any(|cell| ship.contains(cell)) || self.apart && touches()
    }

    /// Moves the next ship there, or as near as it lies on the board.
    pub(super) fn move_to(&mut self, (row, col): At) {
        let length = self.next().map_or(1, length_of);
        let (down, right) = match self.direction {
            Direction::Horizontal => (1, length),
            Direction::Vertical => (length, 1),
        };
        let row = row.min(self.rows.saturating_sub(down));
        self.at = (row, col.min(self.cols.saturating_sub(right)));
    }

    /// Moves it by this many cells.
    pub(super) fn move_by(&mut self, down: isize, right: isize) {
        let (row, col) = self.at;
        self.move_to((
            row.saturating_add_signed(down),
            col.saturating_add_signed(right),
        ));
    }

    pub(super) fn rotate(&mut self) {
        self.direction = match self.direction {
            Direction::Horizontal => Direction::Vertical,
            Direction::Vertical => Direction::Horizontal,
        };
        self.move_to(self.at);
    }

    /// Places the next ship at its present place.
    ///
    /// # Errors
    /// If another is in the way, or the board is too small: what is wrong, as a sentence.
    pub(super) fn place(&mut self) -> Result<(), String> {
        let Some(kind) = self.next() else {
            return Ok(());
        };
        let (cells, fits) = self.outline();
        if fits {
            self.placed.push((self.at, self.direction));
            self.move_to(self.at);
            return Ok(());
        }
        let other = self
            .ships()
            .find(|(_, ship)| self.is_in_the_way(ship, &cells));
        let why = if self.apart {
            " Ships may not touch."
        } else {
            ""
        };
        Err(match other {
            Some((other, _)) => format!("The {} is in the way.{why}", other.name),
            None => format!(
                "The {} does not fit on the board in this direction.",
                kind.name
            ),
        })
    }

    /// Takes the last ship away again.
    pub(super) fn undo(&mut self) {
        if let Some((at, direction)) = self.placed.pop() {
            (self.at, self.direction) = (at, direction);
        }
    }

    /// Takes all ships away.
    pub(super) fn start_over(&mut self) {
        self.placed.clear();
    }

    /// Places all ships at random.
    ///
    /// # Errors
    /// If no fleet was found that fits: what to do, as a sentence.
    pub(super) fn place_randomly(&mut self, rng: &mut SeededRng) -> Result<(), String> {
        let before = std::mem::take(&mut self.placed);
        for _ in 0..ATTEMPTS {
            self.placed.clear();
            while let Some(kind) = self.next() {
                let length = length_of(kind);
                let mut free = Vec::new();
                for direction in [Direction::Horizontal, Direction::Vertical] {
                    let cells =
                        (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| (row, col)));
                    free.extend(cells.map(|at| (at, direction)).filter(|(at, direction)| {
                        self.fits(&line(*at, *direction, length).collect::<Vec<_>>())
                    }));
                }
                let Some(chosen) = rng.choose(&free) else {
                    break;
                };
                self.placed.push(chosen);
            }
            if self.next().is_none() {
                return Ok(());
            }
        }
        self.placed = before;
        Err("No random fleet was found; the board is too full.".to_owned())
    }

    /// Returns the whole fleet, once all ships are placed.
    pub(super) fn fleet(&self) -> Option<Vec<Placement>> {
        self.next().is_none().then(|| {
            self.placed
                .iter()
                .map(|(at, direction)| Placement {
                    top_or_left: point_of(*at),
                    direction: *direction,
                })
                .collect()
        })
    }
}

fn length_of(ship: &ShipType) -> usize {
    usize::try_from(ship.length).unwrap_or(1)
}

/// Returns the cells of a ship.
fn line((row, col): At, direction: Direction, length: usize) -> impl Iterator<Item = At> {
    (0..length).map(move |step| match direction {
        Direction::Horizontal => (row, col + step),
        Direction::Vertical => (row + step, col),
    })
}

#[cfg(test)]
mod tests {
    use battleship::{Board, Game};

    use super::*;

    #[test]
    fn random_fleets_are_legal_in_both_games() {
        let mut rng = SeededRng::new(1);
        let game = Game::standard();
        for _ in 0..50 {
            let mut placing = Placing::new(&Rules::classic(game.clone()));
            placing.place_randomly(&mut rng).unwrap();
            let mut board = Board::new(&game);
            for (ship, placement) in placing.fleet().unwrap().iter().enumerate() {
                board
                    .place_ship(placement.top_or_left, ship, placement.direction)
                    .unwrap();
            }
            let mut placing = Placing::new(&Rules::Twist);
            placing.place_randomly(&mut rng).unwrap();
            battleship::twist::Fleet::new(&placing.fleet().unwrap()).unwrap();
        }
    }

    #[test]
    fn a_ship_stays_on_the_board() {
        let mut placing = Placing::new(&Rules::classic(Game::standard()));
        placing.move_to((9, 9));
        assert_eq!(placing.at(), (9, 5));
        placing.rotate();
        assert_eq!(placing.at(), (5, 5));
        placing.place().unwrap();
        placing.rotate();
        placing.move_to((7, 4));
        assert_eq!(
            placing.place(),
            Err("The aircraft carrier is in the way.".to_owned())
        );
        placing.undo();
        assert_eq!((placing.progress(), placing.at()), ((0, 5), (5, 5)));
    }
}
