//! The strategy of the bot: the file to change.

use std::collections::HashSet;

pub const NAME: &str = "Oxide";

/// Row and column.
pub type Cell = (i32, i32);

/// The place of a ship: its topmost or leftmost cell, and 'h' or 'v'.
pub type Place = (Cell, char);

/// One Strategy plays all games of a series, so it can learn from one game to the next.
#[derive(Default)]
pub struct Strategy {
    lengths: Vec<i32>,
    /// Whether ships may not touch, not at corners either.
    apart: bool,
    random: u64,
    untried: Vec<Cell>,
    /// On ships still afloat, as far as we know.
    hits: Vec<Cell>,
}

impl Strategy {
    pub fn new_game(&mut self, rows: i32, cols: i32, lengths: &[i32], seed: i32, apart: bool) {
        self.lengths = lengths.to_vec();
        self.apart = apart;
        self.random = seed as u64; // the same seed, the same game
        self.untried = (0..rows * cols).map(|i| (i / cols, i % cols)).collect();
        self.hits.clear();
    }

    /// Returns where each ship goes, in the order of their lengths; `None` if there is no way.
    pub fn place(&mut self) -> Option<Vec<Place>> {
        (0..200).find_map(|_| self.try_to_place())
    }

    /// Puts each ship at a random free place, the longest first; `None` if a ship does not fit.
    fn try_to_place(&mut self) -> Option<Vec<Place>> {
        let mut places = vec![((0, 0), 'h'); self.lengths.len()];
        let mut free: HashSet<Cell> = self.untried.iter().copied().collect(); // all, before the first attack
        let mut ships: Vec<usize> = (0..places.len()).collect();
        ships.sort_by_key(|&ship| -self.lengths[ship]);
        for ship in ships {
            let length = self.lengths[ship];
            let starts = self.untried.iter();
            let options = starts.flat_map(|&start| [(start, 'h'), (start, 'v')]);
            let has_room = |place: &Place| cells(*place, length).all(|cell| free.contains(&cell));
            let options: Vec<Place> = options.filter(has_room).collect();
            places[ship] = self.one_of(&options)?;
            let beside = i32::from(self.apart);
            for (row, col) in cells(places[ship], length) {
                free.retain(|cell| (cell.0 - row).abs() > beside || (cell.1 - col).abs() > beside);
            }
        }
        Some(places)
    }

    /// Returns where to shoot: next to a hit if there is one, else anywhere.
    pub fn attack(&mut self) -> Cell {
        let touch = |a: Cell, b: Cell| (a.0 - b.0).abs() + (a.1 - b.1).abs() == 1;
        let near = |cell: &Cell| self.hits.iter().any(|&hit| touch(hit, *cell));
        let near: Vec<Cell> = self.untried.iter().copied().filter(near).collect();
        let targets = if near.is_empty() {
            self.untried.clone()
        } else {
            near
        };
        let chosen = self.one_of(&targets).unwrap_or_default();
        self.untried.retain(|&cell| cell != chosen);
        chosen
    }

    /// Returns the cells for all shots of a turn of the salvo game. Their results come after the
    /// last shot.
    pub fn salvo(&mut self, shots: usize) -> Vec<Cell> {
        (0..shots).map(|_| self.attack()).collect()
    }

    /// A random one. The standard library has no random numbers, so this makes its own.
    fn one_of<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        let product = self.random.wrapping_mul(6364136223846793005);
        self.random = product.wrapping_add(1);
        let index = (self.random >> 33) as usize % choices.len().max(1);
        choices.get(index).copied()
    }

    /// Says what became of an attack: "miss", "hit", "sunk" (then with the ship's number) or
    /// "wasted".
    pub fn result(&mut self, cell: Cell, what: &str, _ship: Option<i32>) {
        self.untried.retain(|&other| other != cell); // a test may tell other attacks
        match what {
            "hit" => self.hits.push(cell),
            "sunk" => self.hits.clear(),
            _ => {}
        }
    }

    /// Says where the opponent has shot.
    pub fn opponent(&mut self, _cell: Cell) {}
}

/// The cells of a ship of this length that lies there.
pub fn cells(((row, col), direction): Place, length: i32) -> impl Iterator<Item = Cell> {
    (0..length).map(move |i| {
        if direction == 'h' {
            (row, col + i)
        } else {
            (row + i, col)
        }
    })
}
