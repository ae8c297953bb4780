//! Whole games between two players, in pairs with the same seeds and both movers, in series of twenty.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

use battleship::{AttackResult, Board, Game, Player};
use battleship_bots::{GoodPlayer, Memory, Thinking, create_player};

use crate::hunter::ParityHunter;
use crate::sample::{Sample, on_all_cores};

const GAMES: u64 = 1_000;
/// Games in which `good` remembers its opponent.
const SERIES: u64 = 20;
/// Whole games whose replies are timed.
const TIMED: u64 = 100;

/// One attack of the player on the board.
pub(crate) fn attack(player: &mut dyn Player, board: &mut Board<'_>) {
    let at = player.recommend_attack();
    let result = board.attack(at).map_or(AttackResult::Wasted, AttackResult::from);
    player.record_attack_result(at, result);
}

/// How a game ended.
struct Outcome {
    first_player_won: bool,
    /// How many attacks the first player made.
    attacks: u32,
}

/// Plays a whole game.
fn play(game: &Game, players: &mut [&mut dyn Player; 2], first: usize) -> Outcome {
    let mut boards = [Board::new(game), Board::new(game)];
    for side in [first, 1 - first] {
        assert!(players[side].place_ships(&mut boards[side]), "a standard fleet has room");
    }
    let (mut mover, mut attacks) = (first, 0);
    loop {
        let target = &mut boards[1 - mover];
        let at = players[mover].recommend_attack();
        let result = target.attack(at).map_or(AttackResult::Wasted, AttackResult::from);
        players[mover].record_attack_result(at, result);
        players[1 - mover].record_attack_by_opponent(at);
        attacks += u32::from(mover == 0);
        if target.all_ships_destroyed() {
            return Outcome { first_player_won: mover == 0, attacks };
        }
        mover = 1 - mover;
    }
}

fn opponent(kind: &str, game: &Game, seed: u64) -> Box<dyn Player> {
    match kind {
        "parity" => Box::new(ParityHunter::new(game, seed)),
        kind => create_player(kind, kind, game, seed).expect("these kinds exist"),
    }
}

/// The games of a series of `good` against that kind.
fn play_series(kind: &str, series: u64) -> Vec<Outcome> {
    let game = Game::standard();
    let memory = Rc::new(RefCell::new(Memory::default()));
    let numbers = series * SERIES..(series + 1) * SERIES;
    let game_of = |number: u64| {
        let first = number % 2;
        // Whoever moves first gets the first of the pair's seeds.
        let [one, other] = if first == 0 { [0, 1] } else { [1, 0] };
        let seed = number / 2 * 2;
        let thinking = Thinking::default();
        let mut good = GoodPlayer::in_series("good", &game, seed + one, thinking, &memory);
        let mut other = opponent(kind, &game, seed + other);
        let first = usize::try_from(first).expect("0 or 1");
        play(&game, &mut [&mut good, other.as_mut()], first)
    };
    numbers.map(game_of).collect()
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "games that good won, in pairs, in series of {SERIES} ({GAMES} games each)")?;
    for kind in ["mediocre", "awful", "parity"] {
        let series = (0..GAMES / SERIES).collect();
        let series = on_all_cores(series, |series| play_series(kind, series));
        let won = series.iter().flatten().map(|game| game.first_player_won);
        // Of lost games it is known only that more attacks would have been needed.
        let later = series.iter().flat_map(|games| games.iter().skip(5));
        let later = later.filter(|game| game.first_player_won).map(|game| f64::from(game.attacks));
        writeln!(
            out,
            "  against {kind:<10} {}%; attacks in games won after five of the series {}",
            Sample::percent(won),
            Sample::of(later)
        )?;
    }
    Ok(())
}

/// The time that `work` takes is added to `times`.
fn timed<R>(times: &mut Vec<Duration>, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    times.push(start.elapsed());
    result
}

pub(crate) fn print_reply_times(out: &mut dyn Write) -> io::Result<()> {
    let game = Game::standard();
    let (mut firsts, mut all) = (Vec::new(), Vec::new());
    for seed in 0..TIMED {
        // Nothing is known beforehand: each game begins a series.
        let mut player = timed(&mut all, || GoodPlayer::new("good", &game, seed));
        let mut board = Board::new(&game);
        timed(&mut all, || assert!(player.place_ships(&mut board)));
        let first = all.len();
        while !board.all_ships_destroyed() {
            let at = timed(&mut all, || player.recommend_attack());
            let result = board.attack(at).map_or(AttackResult::Wasted, AttackResult::from);
            player.record_attack_result(at, result);
        }
        firsts.push(all[first]);
    }
    writeln!(
        out,
        "reply times of good in milliseconds ({TIMED} whole games, {} replies)",
        all.len()
    )?;
    for (name, mut times) in [("first attack", firsts), ("all", all)] {
        times.sort();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
        let (half, most, longest) = (at(50), at(99), at(100));
        writeln!(out, "  {name:<14} median {half:.2}, 99% {most:.2}, longest {longest:.2}")?;
    }
    Ok(())
}
