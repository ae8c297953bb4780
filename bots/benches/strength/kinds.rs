//! Opponents that place in special ways, and shoot as the parity hunter does.

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Bot, Game, Point};

use crate::fleets::{Drawn, Fleet, cells, put, random, sum_over};
use crate::hunter::ParityHunter;

/// The placement of an opponent in the games of a series.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Drawn again for each game, whatever its opponent does.
    Of(Drawn),
    /// One of this many fleets, which it draws before the first game.
    OneOf(usize),
    /// The cells where the opponent shot late, from the game with that number on (from 1); before that random.
    DodgesFrom(u32),
}

/// All kinds, and their names.
pub(crate) const KINDS: [(&str, Kind); 10] = [
    ("random", Kind::Of(Drawn::Uniform)),
    ("apart", Kind::Of(Drawn::Apart)),
    ("aloof", Kind::Of(Drawn::Aloof)),
    ("edge", Kind::Of(Drawn::Edge)),
    ("inner", Kind::Of(Drawn::Inner)),
    ("flat", Kind::Of(Drawn::Flat)),
    ("few", Kind::OneOf(5)),
    ("fixed", Kind::OneOf(1)),
    ("dodger", Kind::DodgesFrom(1)),
    ("late-dodger", Kind::DodgesFrom(11)),
];

/// Of this many random fleets a dodger takes the one that its opponent would have found last.
const DODGES: usize = 100;
/// The ratio of the weight of a shot to that of the one before.
const FADING: f64 = 0.97;

/// An opponent of one kind, for the games of a series.
pub(crate) struct Placer {
    kind: Kind,
    shooter: ParityHunter,
    rng: SeededRng,
    /// The game's number, from 1.
    number: u32,
    /// Those that it draws before the first game.
    fleets: Vec<Fleet>,
    /// By cell, how early it was shot at in the earlier games.
    heat: [f64; 100],
    /// The weight of the opponent's next shot.
    weight: f64,
}

impl Placer {
    pub(crate) fn new(kind: Kind) -> Placer {
        Placer {
            kind,
            shooter: ParityHunter::default(),
            rng: SeededRng::default(),
            number: 0,
            fleets: Vec::new(),
            heat: [0.0; 100],
            weight: 1.0,
        }
    }

    fn fleet(&mut self) -> Fleet {
        let rng = &mut self.rng;
        match self.kind {
            Kind::Of(drawn) => drawn.draw(rng),
            Kind::OneOf(_) => rng.choose(&self.fleets).expect("there is at least one"),
            Kind::DodgesFrom(first) if self.number < first.max(2) => random(rng),
            Kind::DodgesFrom(_) => {
                let heat = |fleet: &Fleet| sum_over(cells(fleet), &self.heat);
                let fleets = (0..DODGES).map(|_| random(rng));
                let coldest = fleets.min_by(|one, other| heat(one).total_cmp(&heat(other)));
                coldest.expect("there is at least one")
            }
        }
    }
}

impl Bot for Placer {
    fn new_game(&mut self, game: &Game, seed: u64) {
        self.shooter.new_game(game, seed);
        self.rng = SeededRng::in_domain(seed, 17);
        if let (Kind::OneOf(many), 0) = (self.kind, self.number) {
            self.fleets = (0..many).map(|_| random(&mut self.rng)).collect();
        }
        self.number += 1;
        self.weight = 1.0;
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        put(&self.fleet(), board);
        true
    }

    fn attack(&mut self) -> Point {
        self.shooter.attack()
    }

    fn attack_result(&mut self, at: Point, result: AttackResult) {
        self.shooter.attack_result(at, result);
    }

    fn opponent_attacked(&mut self, at: Point) {
        let index = usize::try_from(10 * at.row + at.col).expect("good attacks the board");
        self.heat[index] += self.weight;
        self.weight *= FADING;
    }
}
