//! The number of attacks that a player needs to sink a uniformly random standard fleet.

use std::io::{self, Write};

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Bot, Game, Point};
use battleship_bots::{Good, Memory, Shooter, Thinking, random_fleet};

use crate::games::{attack, attacks_on, bot};
use crate::sample::{Sample, on_all_cores};
use crate::yardstick::Greedy;

const FLEETS: usize = 20_000;
/// The number of them that are attacked by shooters with the same random numbers. The exact count has none but for ties.
const OF_A_SEED: usize = 500;
const OF_A_COUNT: usize = 5_000;
/// The simple players need no more, and different thinking is compared on the same fleets.
const FEWER: usize = 4_000;
/// The number in games by house rules, unless `--fleets=N` says otherwise.
const SOME: usize = 600;

fn fleets(game: &Game, many: usize) -> Vec<Board<'_>> {
    let mut rng = SeededRng::new(1);
    let fleet = |_| {
        let mut board = Board::new(game);
        assert!(random_fleet(&mut board, &mut rng));
        board
    };
    (0..many).map(fleet).collect()
}

/// A way to choose attacks by the results of the ones before.
trait Shoots: Clone + Send {
    fn target(&mut self) -> Option<Point>;
    fn record(&mut self, at: Point, result: AttackResult);
}

impl Shoots for Shooter {
    fn target(&mut self) -> Option<Point> {
        self.target()
    }
    fn record(&mut self, at: Point, result: AttackResult) {
        self.record(at, result);
    }
}

impl Shoots for Greedy {
    fn target(&mut self) -> Option<Point> {
        Greedy::target(self)
    }
    fn record(&mut self, at: Point, result: AttackResult) {
        self.record(at, result);
    }
}

/// Some of the fleets and what is known of each of them, which is the same for all.
struct Branch<'g, S> {
    shooter: S,
    boards: Vec<(usize, Board<'g>)>,
    attacks: u32,
}

impl<'g, S: Shoots> Branch<'g, S> {
    /// The next attack on all of the fleets. Those with the same known cells are attacked together; those that are sunk leave.
    fn attack(mut self, sunk: &mut Vec<(usize, u32)>) -> Vec<Branch<'g, S>> {
        let at = self.shooter.target().expect("there are ships left");
        let attacks = self.attacks + 1;
        let mut branches: Vec<(AttackResult, Branch<'g, S>)> = Vec::new();
        for (number, mut board) in self.boards {
            let result = board.attack(at).expect("it attacks no cell twice").into();
            if board.all_ships_destroyed() {
                sunk.push((number, attacks));
                continue;
            }
            if let Some((_, branch)) = branches.iter_mut().find(|(other, _)| *other == result) {
                branch.boards.push((number, board));
                continue;
            }
            let mut shooter = self.shooter.clone();
            shooter.record(at, result);
            branches.push((
                result,
                Branch {
                    shooter,
                    boards: vec![(number, board)],
                    attacks,
                },
            ));
        }
        branches.into_iter().map(|(_, branch)| branch).collect()
    }
}

/// Returns the number of attacks that each of the fleets takes. A shooter that has seen the same does the same, so the common
/// part of games is played once.
fn attacks_of<S: Shoots>(shooter: S, boards: Vec<Board<'_>>) -> Vec<f64> {
    let mut sunk = Vec::new();
    let mut branches = vec![Branch {
        shooter,
        boards: boards.into_iter().enumerate().collect(),
        attacks: 0,
    }];
    while let Some(branch) = branches.pop() {
        branches.extend(branch.attack(&mut sunk));
    }
    sunk.sort_by_key(|(number, _)| *number);
    sunk.into_iter()
        .map(|(_, attacks)| f64::from(attacks))
        .collect()
}

/// The same with a shooter for every this many fleets, made from its seed.
fn attacks_by<S: Shoots>(
    game: &Game,
    many: usize,
    of_a_seed: usize,
    shooter: impl Fn(u64) -> S + Sync,
) -> Vec<f64> {
    let mut boards = fleets(game, many).into_iter();
    let parts: Vec<(u64, Vec<Board<'_>>)> = (1..)
        .map(|seed| (seed, boards.by_ref().take(of_a_seed).collect()))
        .take(many.div_ceil(of_a_seed))
        .collect();
    let attacks = on_all_cores(parts, |(seed, boards)| attacks_of(shooter(seed), boards));
    attacks.into_iter().flatten().collect()
}

fn difference(one: &[f64], other: &[f64]) -> Sample {
    Sample::of(one.iter().zip(other).map(|(one, other)| one - other))
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    let game = Game::standard();
    writeln!(out, "attacks to sink a uniformly random standard fleet")?;
    for kind in ["awful", "mediocre", "parity"] {
        let numbered = fleets(&game, FEWER).into_iter().zip(0..).collect();
        let attacks = on_all_cores(numbered, |(mut board, seed)| {
            let mut bot = bot(kind);
            bot.new_game(&game, seed);
            let mut attacks = 0;
            while !board.all_ships_destroyed() {
                attack(bot.as_mut(), &mut board);
                attacks += 1;
            }
            f64::from(attacks)
        });
        writeln!(
            out,
            "  {kind:<24} {} of {FEWER} fleets",
            Sample::of(attacks)
        )?;
    }
    for (name, careless) in [("fair", 100), ("decent", 65)] {
        let numbered = fleets(&game, FEWER).into_iter().zip(0..).collect();
        let attacks = on_all_cores(numbered, |(mut board, seed)| {
            let mut bot = Good::new(Thinking::default().careless(careless));
            bot.new_game(&game, seed);
            while !board.all_ships_destroyed() {
                attack(&mut bot, &mut board);
            }
            attacks_on(&board)
        });
        writeln!(
            out,
            "  {:<24} {} of {FEWER} fleets",
            name,
            Sample::of(attacks)
        )?;
    }
    let greedy = attacks_by(&game, FLEETS, OF_A_COUNT, |seed| Greedy::new(&game, seed));
    let of = greedy.iter().copied();
    writeln!(
        out,
        "  {:<24} {} of {FLEETS} fleets",
        "exact count, greedy",
        Sample::of(of)
    )?;
    let mut compare = |name: &str, attacks: Vec<f64>| {
        let saved = difference(&attacks, &greedy);
        writeln!(
            out,
            "  {name:<24} {} of the same, {saved} to greedy",
            Sample::of(attacks)
        )
    };
    let thinking = Thinking::default();
    let knowing =
        |thinking| move |seed| Shooter::at_random_fleets(&Game::standard(), thinking, seed);
    compare(
        "sample, greedy",
        attacks_by(&game, FLEETS, OF_A_SEED, knowing(thinking.greedy())),
    )?;
    compare(
        "good, of random fleets",
        attacks_by(&game, FLEETS, OF_A_SEED, knowing(thinking)),
    )?;
    let stranger = |seed| Shooter::at(&game, &mut Memory::default(), thinking, seed);
    compare(
        "good, of a stranger",
        attacks_by(&game, FLEETS, OF_A_SEED, stranger),
    )
}

/// The mean of each way to shoot, and what it saves on the same fleets compared with the first.
fn compare(out: &mut dyn Write, ways: &[(&str, Vec<f64>)]) -> io::Result<()> {
    for (name, needed) in ways {
        let saved = difference(needed, &ways[0].1);
        let of = Sample::of(needed.iter().copied());
        writeln!(out, "  {name:<24} {of}, {saved} to the first")?;
    }
    Ok(())
}

pub(crate) fn print_apart(out: &mut dyn Write) -> io::Result<()> {
    let many = count("fleets", SOME);
    let game = Game::standard().with_apart(true);
    writeln!(
        out,
        "attacks to sink a random standard fleet whose ships do not touch ({many} fleets, the same)"
    )?;
    let by = |thinking| {
        let shooter = |seed| Shooter::at_random_fleets(&game, thinking, seed);
        attacks_by(&game, many, OF_A_SEED, shooter)
    };
    let stranger = |seed| Shooter::at(&game, &mut Memory::default(), Thinking::default(), seed);
    let ways = [
        (
            "large sample, greedy",
            by(Thinking::for_milliseconds(30.0).greedy()),
        ),
        ("good, of random fleets", by(Thinking::default())),
        (
            "good, of a stranger",
            attacks_by(&game, many, OF_A_SEED, stranger),
        ),
    ];
    compare(out, &ways)
}

/// The salvos that each of the fleets takes, all of this many shots.
fn salvos(many: usize, shots: usize, thinking: Thinking) -> Vec<f64> {
    let game = Game::standard();
    let numbered = fleets(&game, many).into_iter().zip(0..).collect();
    on_all_cores(numbered, |(mut board, seed)| {
        let mut shooter = Shooter::at_random_fleets(&game, thinking, seed);
        let mut salvos = 0;
        while !board.all_ships_destroyed() {
            let cells: Vec<Point> = shooter.salvo(shots).into_iter().collect();
            let results: Vec<AttackResult> = cells
                .iter()
                .map(|at| board.attack(*at).expect("no shot is wasted").into())
                .collect();
            cells
                .iter()
                .zip(results)
                .for_each(|(at, result)| shooter.record(*at, result));
            salvos += 1;
        }
        f64::from(salvos)
    })
}

pub(crate) fn print_salvo(out: &mut dyn Write) -> io::Result<()> {
    const SHOTS: usize = 5;
    let many = count("fleets", SOME);
    writeln!(
        out,
        "salvos of {SHOTS} to sink a uniformly random standard fleet ({many} fleets, the same)"
    )?;
    let by = |thinking| salvos(many, SHOTS, thinking);
    let greedy = by(Thinking::default().greedy());
    compare(
        out,
        &[
            ("likeliest cells", greedy),
            ("good", by(Thinking::default())),
        ],
    )
}

/// The number that the command line gives for an option, or `default`.
fn count(name: &str, default: usize) -> usize {
    usize::try_from(crate::option(name, default as u64)).expect("a small number")
}

pub(crate) fn print_thinking(out: &mut dyn Write) -> io::Result<()> {
    let game = Game::standard();
    writeln!(
        out,
        "what more thinking brings: attacks compared to the usual ({FEWER} fleets, the same)"
    )?;
    let attacks = |budget| {
        let thinking = Thinking::for_milliseconds(budget);
        attacks_by(&game, FEWER, OF_A_SEED, |seed| {
            Shooter::at_random_fleets(&game, thinking, seed)
        })
    };
    let usual = attacks(1.0);
    for budget in [0.1, 0.3, 3.0, 10.0] {
        let saved = difference(&attacks(budget), &usual);
        writeln!(out, "  budget {budget:>4} ms {saved}")?;
    }
    Ok(())
}
