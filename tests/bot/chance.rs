//! What is left to chance.

use std::time::Duration;

use clap::Args;

use super::{Cell, Game, Player, below};

#[derive(Debug, Args)]
pub(super) struct Chance {
    /// Cannot place its ships once in this many times; 0 for never
    #[arg(long, default_value_t = 0)]
    gives_up: usize,
    /// Attacks any cell from -2 to 11 once in this many times; 0 for never
    #[arg(long, default_value_t = 0)]
    wastes: usize,
    /// Attacks a random cell of the board, tried or not
    #[arg(long)]
    random: bool,
    /// Attacks the cells in a random order
    #[arg(long)]
    shuffles: bool,
    /// Is a column too far in odd rows of even columns, where it goes diagonally
    #[arg(long)]
    slips: bool,
    /// Forgets once in this many games which cells it has tried at their beginning; 0 for never
    #[arg(long, default_value_t = 0)]
    forgets: usize,
    /// Fails if the referee says that an attack was wasted on a cell that it attacks for the first
    /// time
    #[arg(long)]
    objects: bool,
    /// Thinks for this many milliseconds at most
    #[arg(long, default_value_t = 0)]
    slow: usize,
    /// The cells that are not tried yet, the next one last
    #[arg(skip)]
    untried: Vec<Cell>,
    #[arg(skip)]
    tried: Vec<Cell>,
}

fn once_in(times: usize) -> bool {
    times > 0 && below(times) == 0
}

impl Player for Chance {
    fn hear(&mut self, game: &mut Game, words: &[&str]) {
        game.hear(words);
        match words {
            ["game", ..] => {
                self.tried.clear();
                self.untried = (0..game.rows * game.cols)
                    .rev()
                    .map(|number| game.cell(number))
                    .collect();
                if self.shuffles {
                    self.untried.sort_by_cached_key(|_| below(1 << 32));
                }
                if once_in(self.forgets) {
                    let from = self.untried.len().saturating_sub(3);
                    self.untried.extend_from_within(from..);
                }
            }
            ["result", row, col, "wasted"] if self.objects => {
                let of_it =
                    |cell: &&Cell| [cell.0, cell.1].map(|at| at.to_string()) == [*row, *col];
                let times = self.tried.iter().filter(of_it).count();
                assert_ne!(times, 1, "{} is not true", words.join(" "));
            }
            _ => {}
        }
    }

    fn place(&self, game: &Game) -> String {
        if once_in(self.gives_up) {
            return "place none".to_owned();
        }
        game.place_line(&game.placement())
    }

    fn turn(&mut self, game: &mut Game, _: &[&str]) -> String {
        let time = u64::try_from(below(self.slow + 1)).expect("a few milliseconds");
        std::thread::sleep(Duration::from_millis(time));
        if once_in(self.wastes) {
            let [row, col] = [(); 2].map(|()| below(14).cast_signed() - 2);
            return format!("attack {row} {col}");
        }
        let (row, mut col) = if self.random {
            (below(game.rows), below(game.cols))
        } else {
            self.untried.pop().unwrap_or_default()
        };
        // On the usual board, ten columns wide, the slip stays on the board.
        let is_odd = row % 2 == 1 && col % 2 == 0;
        if self.slips && is_odd && !self.tried.contains(&(row, col + 1)) {
            self.untried.insert(0, (row, col));
            col += 1;
        }
        self.tried.push((row, col));
        format!("attack {row} {col}")
    }
}
