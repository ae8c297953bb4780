//! The lessons of `good` from opponents that place in special ways, in series of games.

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Bot, BySide, CellSet, Game, Outcome, Placement, Point};
use bots::{Good, random_fleet};

use crate::games::{SERIES, attacks_on, fight, outcomes, sink};
use crate::hunter::ParityHunter;
use crate::sample::{Sample, on_all_cores};
use crate::{is_wanted, option};

/// The placement of an opponent in the games of a series.
#[derive(Clone, Copy)]
enum Kind {
    Anywhere,
    /// No two ships touch, corners too.
    Aloof,
    /// At most one cell is on the edge of the board.
    Inner,
    /// Of a hundred fleets the one where its opponent shot late, from the game with that number on
    /// (from 0).
    DodgesFrom(u32),
}

const KINDS: [(&str, Kind); 5] = [
    ("random", Kind::Anywhere),
    ("aloof", Kind::Aloof),
    ("inner", Kind::Inner),
    ("dodger", Kind::DodgesFrom(1)),
    ("late-dodger", Kind::DodgesFrom(10)),
];

/// An opponent of one kind, which shoots as the parity hunter does.
struct Placer {
    kind: Kind,
    shooter: ParityHunter,
    rng: SeededRng,
    /// The number of games before this one.
    games: u32,
    /// Each shot at it in the earlier games, with a weight that is less for later ones.
    heat: Vec<(Point, f64)>,
    weight: f64,
}

impl Placer {
    fn is_of_kind(&self, board: &Board<'_>) -> bool {
        let game = board.game();
        let ships = (0..game.n_ships()).filter_map(|ship| {
            let Placement {
                top_or_left,
                direction,
            } = board.placement(ship)?;
            CellSet::line(top_or_left, direction, game.ship_length(ship))
        });
        match self.kind {
            Kind::Anywhere | Kind::DodgesFrom(_) => true,
            Kind::Aloof => ships
                .map(|ship| board.occupied() & (ship.with_corners() - ship))
                .all(CellSet::is_empty),
            Kind::Inner => {
                let on_edge = |at: &Point| at.row % 9 == 0 || at.col % 9 == 0;
                board.occupied().iter().filter(on_edge).count() <= 1
            }
        }
    }

    fn heat_of(&self, board: &Board<'_>) -> f64 {
        let on = self
            .heat
            .iter()
            .filter(|(at, _)| board.occupied().contains(*at));
        on.map(|(_, weight)| weight).sum()
    }
}

impl Bot for Placer {
    fn new_game(&mut self, game: &Game, seed: u64) {
        self.shooter.new_game(game, seed);
        self.rng = SeededRng::in_domain(seed, 17);
        self.games += u32::from(self.weight < 1.0);
        self.weight = 1.0;
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        let dodges = matches!(self.kind, Kind::DodgesFrom(first) if self.games >= first);
        let choices = if dodges { 100 } else { 1 };
        let mut coldest: Option<Board<'_>> = None;
        for _ in 0..choices {
            let mut fleet = board.clone();
            while !random_fleet(&mut fleet, &mut self.rng) || !self.is_of_kind(&fleet) {
                fleet = board.clone();
            }
            if coldest
                .as_ref()
                .is_none_or(|coldest| self.heat_of(&fleet) < self.heat_of(coldest))
            {
                coldest = Some(fleet);
            }
        }
        *board = coldest.expect("there is a choice");
        true
    }

    fn attack(&mut self) -> Point {
        self.shooter.attack()
    }

    fn attack_result(&mut self, at: Point, result: AttackResult) {
        self.shooter.attack_result(at, result);
    }

    fn opponent_attacked(&mut self, at: Point) {
        self.heat.push((at, self.weight));
        self.weight *= 0.97;
    }
}

/// The games of a series: whether `good` won, and its attacks. Where it has lost, it shoots on
/// until its opponent's fleet is sunk, so that every game has a number of attacks; what it sees
/// then, it remembers too.
fn play_series(kind: Kind, series: u64) -> Vec<(bool, f64)> {
    let game = Game::standard();
    let mut good = Good::default();
    let mut other = Placer {
        kind,
        shooter: ParityHunter::default(),
        rng: SeededRng::default(),
        games: 0,
        heat: Vec::new(),
        weight: 1.0,
    };
    let game_of = |number: u64| {
        let (winner, boards) = fight(&game, BySide::new(&mut good, &mut other), number);
        let mut target = boards.two;
        sink(&mut good, &mut target);
        let outcomes = outcomes(winner);
        good.game_over(outcomes.one);
        other.game_over(outcomes.two);
        (outcomes.one == Outcome::Won, attacks_on(&target))
    };
    (series * SERIES..(series + 1) * SERIES)
        .map(game_of)
        .collect()
}

pub(crate) fn print() {
    let series = option("series", 10);
    println!(
        "attacks of good in games 1-5, 6-10 and 15-20 of a series against opponents that place in special ways and shoot as \
         parity does, and games won ({series} series of {SERIES} games each, lost games played on to the end; errors by series)"
    );
    for (name, kind) in KINDS {
        if !is_wanted(name) {
            continue;
        }
        let results = on_all_cores(series, |number| play_series(kind, number));
        let [first, second, last] = [0..5, 5..10, 14..20].map(|part| {
            let attacks = |games: &Vec<(bool, f64)>| {
                Sample::of(games[part.clone()].iter().map(|(_, attacks)| *attacks)).mean
            };
            Sample::of(results.iter().map(attacks))
        });
        let won =
            |games: &Vec<(bool, f64)>| Sample::percent(games.iter().map(|(won, _)| *won)).mean;
        let won = Sample::of(results.iter().map(won));
        println!("  {name:<12} {first}  {second}  {last}  {won}%");
    }
}
