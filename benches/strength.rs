//! How well the shipped players play: `cargo bench --bench strength`. The players play within this process,
//! without a referee; every figure comes with its standard error.

use std::io::{self, Write};

use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, Game, Player};
use battleship_bots::{create_admiral, create_player, play_twist, random_fleet};

const FLEETS: u32 = 2_000;
const GAMES: u32 = 2_000;
const TWIST_GAMES: u32 = 500;
/// Turns of each player, after which a twist game is undecided.
const TWIST_TURNS: u32 = 100;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let game = Game::standard();
    writeln!(
        out,
        "shots to sink a uniformly random standard fleet ({FLEETS} fleets, the same for all)"
    )?;
    for kind in ["awful", "mediocre", "good"] {
        let mut fleets = SeededRng::new(1);
        let shots = Sample::of((0..u64::from(FLEETS)).map(|seed| {
            let mut board = Board::new(&game);
            assert!(random_fleet(&mut board, &mut fleets));
            let mut player = player(kind, &game, seed);
            f64::from(shots_to_sink_all(player.as_mut(), &mut board))
        }));
        writeln!(out, "  {kind:<10} mean {:6.2} +- {:.2}", shots.mean, shots.standard_error)?;
    }
    writeln!(out, "share of games won ({GAMES} games, movers alternating)")?;
    for (one, other) in [("mediocre", "awful"), ("good", "mediocre"), ("good", "awful")] {
        let wins = Sample::of((0..u64::from(GAMES)).map(|seed| {
            let first_moves = seed % 2 == 0;
            let mut players = [player(one, &game, seed), player(other, &game, seed)];
            f64::from(u8::from(first_wins(&game, &mut players, first_moves)))
        }));
        let (mean, error) = (100.0 * wins.mean, 100.0 * wins.standard_error);
        writeln!(out, "  {one:<10} against {other:<10} {mean:5.1}% +- {error:.1}%")?;
    }
    writeln!(
        out,
        "twist games won and lost within {TWIST_TURNS} turns of each; the rest are undecided \
         ({TWIST_GAMES} games, each pair of seeds with both movers)"
    )?;
    for (one, other) in [("mediocre", "awful"), ("good", "mediocre"), ("good", "good")] {
        let winners: Vec<Option<usize>> =
            (0..u64::from(TWIST_GAMES)).map(|game| twist_winner(one, other, game)).collect();
        let share = |player| {
            let won = winners.iter().map(|winner| f64::from(u8::from(*winner == Some(player))));
            let sample = Sample::of(won);
            (100.0 * sample.mean, 100.0 * sample.standard_error)
        };
        let ((won, won_error), (lost, lost_error)) = (share(0), share(1));
        writeln!(
            out,
            "  {one:<10} against {other:<10} won {won:5.1}% +- {won_error:.1}%  \
             lost {lost:5.1}% +- {lost_error:.1}%"
        )?;
    }
    Ok(())
}

/// Who wins game number `game` of two kinds of players; every two games have the same seeds and both movers.
fn twist_winner(one: &str, other: &str, game: u64) -> Option<usize> {
    let admiral = |kind, seed| create_admiral(kind, kind, seed).expect("these kinds play it");
    let (seed, first) = (game / 2, usize::from(game % 2 == 1));
    let (mut one, mut other) = (admiral(one, 2 * seed), admiral(other, 2 * seed + 1));
    play_twist([one.as_mut(), other.as_mut()], first, TWIST_TURNS)
}

fn player(kind: &str, game: &Game, seed: u64) -> Box<dyn Player> {
    create_player(kind, kind, game, seed).expect("the kinds named here exist")
}

/// Lets `player` attack `board` until no ship is left; returns the number of attacks.
fn shots_to_sink_all(player: &mut dyn Player, board: &mut Board<'_>) -> u32 {
    let mut attacks = 0;
    while !board.all_ships_destroyed() {
        attack(player, board);
        attacks += 1;
    }
    attacks
}

fn attack(player: &mut dyn Player, board: &mut Board<'_>) {
    let at = player.recommend_attack();
    let result = board.attack(at).map_or(AttackResult::Wasted, AttackResult::from);
    player.record_attack_result(at, result);
}

/// Plays a whole game; true if the first of the players wins.
fn first_wins(game: &Game, players: &mut [Box<dyn Player>; 2], first_moves: bool) -> bool {
    let mut boards = [Board::new(game), Board::new(game)];
    for (player, board) in players.iter_mut().zip(&mut boards) {
        assert!(player.place_ships(board));
    }
    let mut mover = usize::from(!first_moves);
    loop {
        let target = &mut boards[1 - mover];
        attack(players[mover].as_mut(), target);
        if target.all_ships_destroyed() {
            return mover == 0;
        }
        mover = 1 - mover;
    }
}

struct Sample {
    mean: f64,
    standard_error: f64,
}

impl Sample {
    fn of(values: impl Iterator<Item = f64>) -> Sample {
        let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for value in values {
            n += 1.0;
            sum += value;
            squares += value * value;
        }
        let mean = sum / n;
        let variance = (squares - n * mean * mean) / (n - 1.0);
        Sample { mean, standard_error: (variance / n).sqrt() }
    }
}
