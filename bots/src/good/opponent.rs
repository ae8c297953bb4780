//! What is remembered of an opponent from game to game: how it places, and where it shoots first.
//!
//! Four ideas of how it places compete: uniformly; as the mediocre player of the course's specification does; as a few
//! features of places say (learned, shrunk towards the uniform); and where it placed before. Each idea gives every place of
//! every ship a chance. After each game an idea's credit is multiplied by how much better it foresaw the game than
//! the mixture did (Bayes' rule, ship by ship). A little of the credit is handed back each time, so that an opponent
//! that changes its ways is noticed soon.

use battleship::seeded::SeededRng;
use battleship::{Board, Direction, Game, Placement, Point};

use super::count::count;
use super::features::Taste;
use super::grid::{SIZE, index, real};
use super::lines::{Line, Lines};
use super::prior::Prior;
use super::sight::Sight;
use crate::fleet::all_placements;
use crate::mediocre::place_on_a_half;

/// The ideas: uniformly, as mediocre does, by features, as before (two of these, with more or less trust in few games).
const IDEAS: usize = 5;
/// The credit of each idea before the first game.
const CREDIT: [f64; IDEAS] = [0.62, 0.12, 0.2, 0.03, 0.03];
/// The part of all credit that is handed back after each game.
const HANDED_BACK: f64 = 0.02;
/// An idea that places where it did before counts a game for so many of its kind (Dirichlet's prior).
const DOUBT: [f64; 2] = [0.3, 4.0];
/// How fast the weight of a shot of the opponent falls with every shot before it.
const FADING: f64 = 0.97;
/// The steps that the count of a blank board may take.
const BLANK_STEPS: f64 = 30_000.0;

/// What is remembered of one opponent. A new memory is empty.
#[derive(Debug, Default)]
pub struct Memory {
    of: Option<Remembered>,
}

/// Ships of one length are not told apart: which of them lies where makes no difference to where to shoot.
#[derive(Debug)]
struct Remembered {
    game: Game,
    /// Which ships there are, and how likely each place of each length is if all fleets are equally likely.
    blank: Prior,
    /// By length: how likely each place is for mediocre.
    mediocre: Vec<Lines>,
    /// By length: how often each place was seen, or how likely it was; the sum over the games and ships.
    seen: Vec<Lines>,
    games: usize,
    credit: [f64; IDEAS],
    taste: Taste,
    /// By cell: how early it was attacked; the sum over the games.
    attacked: [f64; SIZE * SIZE],
    games_attacked: usize,
}

impl Memory {
    /// What is remembered of the opponent in this game. Memories of other boards or fleets are dropped: they say little.
    fn of(&mut self, game: &Game) -> &mut Remembered {
        if self.of.as_ref().is_some_and(|of| of.game != *game) {
            self.of = None;
        }
        self.of.get_or_insert_with(|| Remembered::nothing(game))
    }

    /// How likely this opponent is to place its ships where.
    pub(super) fn prior(&mut self, game: &Game) -> Prior {
        self.of(game).prior()
    }

    /// After a game: how likely each place of each ship turned out to be, and the opponent's attacks in order.
    pub(super) fn learn(&mut self, game: &Game, places: Option<&[Lines]>, attacks: &[Point]) {
        self.of(game).learn(places, attacks);
    }

    /// The opponent placed its ships as on `board`.
    pub fn see(&mut self, board: &Board<'_>) {
        let game = board.game();
        let place = |ship: usize| {
            let mut lines = Lines::ZERO;
            let line =
                board.placement(ship).and_then(|place| line_at(place, game.ship_length(ship)));
            lines.set(line?, 1.0);
            Some(lines)
        };
        if let Some(places) = (0..game.n_ships()).map(place).collect::<Option<Vec<_>>>() {
            self.learn(game, Some(&places), &[]);
        }
    }

    /// Returns by cell how early this opponent attacks it, from 0 to 1, or `None` before the first game.
    pub(super) fn heat(&mut self, game: &Game) -> Option<[f64; SIZE * SIZE]> {
        let of = self.of(game);
        (of.games_attacked > 0).then(|| of.attacked.map(|sum| sum / real(of.games_attacked)))
    }
}

impl Remembered {
    fn nothing(game: &Game) -> Remembered {
        let mut blank = Prior::uniform(game);
        let counted = count(&Sight::new(game), &blank, BLANK_STEPS).map(|(posterior, _)| posterior);
        let counted = counted.filter(|posterior| posterior.total > 0.0);
        for (ship, (_, table)) in blank.ships.iter().enumerate() {
            blank.tables[*table] = match &counted {
                Some(posterior) => posterior.places_of(ship),
                None => blank.tables[*table].shares(),
            };
        }
        let mut mediocre = vec![Lines::ZERO; blank.tables.len()];
        for ((_, table), places) in blank.ships.iter().zip(mediocre_places(game, &blank)) {
            mediocre[*table].add_scaled(1.0 / blank.many(*table), &places);
        }
        Remembered {
            game: game.clone(),
            mediocre,
            seen: vec![Lines::ZERO; blank.tables.len()],
            games: 0,
            credit: CREDIT,
            taste: Taste::default(),
            attacked: [0.0; SIZE * SIZE],
            games_attacked: 0,
            blank,
        }
    }

    /// How likely each place of ships of that length is by each idea, the first being uniform.
    fn ideas(&self, table: usize) -> [Lines; IDEAS] {
        let blank = &self.blank.tables[table];
        let again = |doubt: f64| {
            let all = real(self.games) + doubt;
            let mut lines = Lines::ZERO;
            lines.add_scaled(doubt / all, blank);
            lines.add_scaled(1.0 / (all * self.blank.many(table)), &self.seen[table]);
            lines
        };
        let mut mediocre = Lines::ZERO;
        mediocre.add_scaled(0.9, &self.mediocre[table]);
        mediocre.add_scaled(0.1, blank);
        let by_taste = self.taste.shares(&self.game, self.blank.length(table), blank);
        [blank.clone(), mediocre, by_taste, again(DOUBT[0]), again(DOUBT[1])]
    }

    fn mixture(&self, ideas: &[Lines; IDEAS]) -> Lines {
        let mut mixture = Lines::ZERO;
        for (credit, idea) in self.credit.iter().zip(ideas) {
            mixture.add_scaled(*credit, idea);
        }
        mixture
    }

    /// Fleets are counted as if all were equally likely; so a place weighs by how much likelier it is than that.
    fn prior(&self) -> Prior {
        let table =
            |table: usize| ratios(&self.mixture(&self.ideas(table)), &self.blank.tables[table]);
        Prior {
            ships: self.blank.ships.clone(),
            tables: (0..self.blank.tables.len()).map(table).collect(),
            is_uniform: false,
        }
    }

    fn learn(&mut self, places: Option<&[Lines]>, attacks: &[Point]) {
        if let Some(places) = places {
            let foreseen =
                (0..self.blank.tables.len()).map(|table| self.ideas(table)).collect::<Vec<_>>();
            for ((_, table), found) in self.blank.ships.iter().zip(places) {
                let ideas = &foreseen[*table];
                let mixture = self.mixture(ideas);
                for (credit, idea) in self.credit.iter_mut().zip(ideas) {
                    // How much better it foresaw where the ship is than the mixture did.
                    let foresaw: f64 = found
                        .nonzero()
                        .map(|(line, chance)| {
                            chance * idea.get(line) / mixture.get(line).max(1e-12)
                        })
                        .sum();
                    *credit *= foresaw.max(1e-6);
                }
                let sum: f64 = self.credit.iter().sum();
                self.credit = self.credit.map(|credit| credit / sum);
            }
            // Without this, an idea that was right for a long series would take as long to be given up.
            for (credit, first) in self.credit.iter_mut().zip(CREDIT) {
                *credit = (1.0 - HANDED_BACK) * *credit + HANDED_BACK * first;
            }
            for ((_, table), found) in self.blank.ships.iter().zip(places) {
                self.seen[*table].add_scaled(1.0, found);
            }
            self.games += 1;
            self.taste.learn(&self.game, &self.seen, &self.blank);
        }
        if !attacks.is_empty() {
            // The first attacks say most: later ones follow hits, so they say where the ships were.
            let mut weight = 1.0;
            for attack in attacks {
                if self.game.is_valid(*attack) {
                    self.attacked[index(*attack)] += weight;
                }
                weight *= FADING;
            }
            self.games_attacked += 1;
        }
    }
}

/// One number for each place divided by the other; 0 where the other is.
fn ratios(of: &Lines, by: &Lines) -> Lines {
    let mut ratios = Lines::ZERO;
    for (line, value) in by.nonzero() {
        ratios.set(line, of.get(line) / value);
    }
    ratios
}

/// By ship: how likely each place is for the mediocre player, from fleets placed as it does; as `blank` says where that
/// hardly ever succeeds.
fn mediocre_places(game: &Game, blank: &Prior) -> Vec<Lines> {
    const FLEETS: usize = 400;
    // The same fleets in every game and on every machine: the stream has a fixed seed.
    let candidates: Vec<_> =
        game.ships().iter().map(|ship| all_placements(game, ship.length)).collect();
    let mut rng = SeededRng::new(0);
    let mut found = vec![Lines::ZERO; game.n_ships()];
    let mut placed = 0;
    let mut budget = 100 * FLEETS;
    while placed < FLEETS && budget > 0 {
        let mut board = Board::new(game);
        // An attempt costs something even if it needs no search.
        budget -= 1;
        if place_on_a_half(&mut board, &candidates, &mut budget, &mut rng) {
            placed += 1;
            for (ship, lines) in found.iter_mut().enumerate() {
                let line =
                    board.placement(ship).and_then(|place| line_at(place, game.ship_length(ship)));
                lines.add(line.expect("all ships were placed"), 1.0);
            }
        }
    }
    if placed < FLEETS / 10 {
        return blank.ships.iter().map(|(_, table)| blank.tables[*table].clone()).collect();
    }
    found.iter().map(Lines::shares).collect()
}

/// A placement as an index.
fn line_at(place: Placement, length: i32) -> Option<Line> {
    let row = usize::try_from(place.top_or_left.row).ok()?;
    let col = usize::try_from(place.top_or_left.col).ok()?;
    let way = usize::from(place.direction == Direction::Vertical && length > 1);
    Some(Line::at(way, row, col))
}
