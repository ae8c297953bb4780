//! How many attacks a player needs to sink a uniformly random standard fleet.

use std::io::{self, Write};

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Game};
use battleship_bots::{Memory, Shooter, Thinking, random_fleet};

use crate::games::{attack, bot};
use crate::sample::{Sample, on_all_cores};

const FLEETS: usize = 20_000;
/// The simple players need no more, and different thinking is compared on the same fleets.
const FEWER: usize = 4_000;

fn fleets(game: &Game, many: usize) -> Vec<Board<'_>> {
    let mut rng = SeededRng::new(1);
    let fleet = |_| {
        let mut board = Board::new(game);
        assert!(random_fleet(&mut board, &mut rng));
        board
    };
    (0..many).map(fleet).collect()
}

/// Some of the fleets and what is known of each of them, which is the same for all.
struct Branch<'g> {
    shooter: Shooter,
    boards: Vec<(usize, Board<'g>)>,
    attacks: u32,
}

impl<'g> Branch<'g> {
    /// The next attack on all of the fleets. Those of which the same is known go on together, those that are sunk leave.
    fn attack(mut self, sunk: &mut Vec<(usize, u32)>) -> Vec<Branch<'g>> {
        let at = self.shooter.target().expect("there are ships left");
        let attacks = self.attacks + 1;
        let mut branches: Vec<(AttackResult, Branch<'g>)> = Vec::new();
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
            branches.push((result, Branch { shooter, boards: vec![(number, board)], attacks }));
        }
        branches.into_iter().map(|(_, branch)| branch).collect()
    }
}

/// How many attacks each of the fleets takes. A shooter does the same where it has seen the same, so what games have in
/// common is played once.
fn attacks_of(shooter: Shooter, boards: Vec<Board<'_>>) -> Vec<f64> {
    let mut sunk = Vec::new();
    let boards = boards.into_iter().enumerate().collect();
    let mut branches = vec![Branch { shooter, boards, attacks: 0 }];
    for _ in 0..5 {
        branches = branches.into_iter().flat_map(|branch| branch.attack(&mut sunk)).collect();
    }
    // The largest first, so that all cores end together.
    branches.sort_by_key(|branch| std::cmp::Reverse(branch.boards.len()));
    let finished = on_all_cores(branches, |branch| {
        let (mut sunk, mut branches) = (Vec::new(), vec![branch]);
        while let Some(branch) = branches.pop() {
            branches.extend(branch.attack(&mut sunk));
        }
        sunk
    });
    sunk.extend(finished.into_iter().flatten());
    sunk.sort_by_key(|(number, _)| *number);
    sunk.into_iter().map(|(_, attacks)| f64::from(attacks)).collect()
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
        writeln!(out, "  {kind:<24} {} of {FEWER} fleets", Sample::of(attacks))?;
    }
    let thinking = Thinking::default();
    let greedy = Shooter::at_random_fleets(&game, Thinking::greedy(), 1);
    let knowing = Shooter::at_random_fleets(&game, thinking, 1);
    let good = Shooter::at(&game, &mut Memory::default(), thinking, 1);
    let greedy = attacks_of(greedy, fleets(&game, FLEETS));
    writeln!(
        out,
        "  {:<24} {} of {FLEETS} fleets",
        "exact count, greedy",
        Sample::of(greedy.clone())
    )?;
    for (name, shooter) in [("good, of random fleets", knowing), ("good, of a stranger", good)] {
        let attacks = attacks_of(shooter, fleets(&game, FLEETS));
        let saved = difference(&attacks, &greedy);
        writeln!(out, "  {name:<24} {} of the same, {saved} to greedy", Sample::of(attacks))?;
    }
    Ok(())
}

pub(crate) fn print_thinking(out: &mut dyn Write) -> io::Result<()> {
    let game = Game::standard();
    writeln!(
        out,
        "what more thinking brings: attacks compared to greedy ({FEWER} fleets, the same)"
    )?;
    let attacks =
        |thinking| attacks_of(Shooter::at_random_fleets(&game, thinking, 2), fleets(&game, FEWER));
    let greedy = attacks(Thinking::greedy());
    for budget in [85, 150, 300] {
        let saved = difference(&attacks(Thinking::for_milliseconds(budget)), &greedy);
        writeln!(out, "  budget {budget:>4} ms {saved}")?;
    }
    Ok(())
}
