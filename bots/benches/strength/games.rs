//! Whole games between two bots, in pairs with the same seeds and both movers, in series of twenty.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use battleship::classic::State;
use battleship::{Board, Bot, BySide, Game, GameState, Outcome, Side};
use battleship_bots::{Good, Shipped, Terminal, Thinking};

use crate::counter::{COUNTERS, Counter};
use crate::hunter::ParityHunter;
use crate::sample::{Sample, on_all_cores};

const GAMES: u64 = 1_000;
/// Games in which `good` remembers its opponent.
const SERIES: u64 = 20;
/// Whole games whose replies are timed.
const TIMED: u64 = 100;

/// One attack of the bot on the board.
pub(crate) fn attack(bot: &mut dyn Bot, board: &mut Board<'_>) {
    let at = bot.attack();
    let result = board.attack(at).into();
    bot.attack_result(at, result);
}

/// The result of a game of `good`.
pub(crate) struct GameResult {
    pub(crate) won: bool,
    /// The number of attacks that `good` made, none of them wasted.
    pub(crate) attacks: f64,
}

/// The number of attacks on a board, if none was wasted.
pub(crate) fn attacks_on(board: &Board<'_>) -> f64 {
    f64::from(u32::try_from(board.attacked().len()).expect("at most 100"))
}

/// The first mover in the game with that number, and the seeds of both bots: those of a pair of games are the same, and
/// the first mover gets the first of them.
pub(crate) fn mover_and_seeds(number: u64) -> (Side, BySide<u64>) {
    let first = if number.is_multiple_of(2) {
        Side::One
    } else {
        Side::Two
    };
    let seed = number / 2 * 2;
    (
        first,
        BySide::from_fn(|side| seed + u64::from(side != first)),
    )
}

/// Plays a whole game but for its end, which the bots have still to be told.
pub(crate) fn fight<'g>(
    game: &'g Game,
    mut bots: BySide<&mut dyn Bot>,
    first: Side,
    seeds: BySide<u64>,
) -> State<'g> {
    for side in Side::BOTH {
        bots[side].new_game(game, seeds[side]);
    }
    let boards = bots.as_mut().map(|bot| {
        let mut board = Board::new(game);
        assert!(bot.place_ships(&mut board), "a standard fleet has room");
        board
    });
    let mut state = State::new(boards, first);
    while let Some(side) = state.turn() {
        let (mover, opponent) = bots.own_and_other(side);
        let at = mover.attack();
        let result = state.play(at).expect("the game was not over a moment ago");
        mover.attack_result(at, result);
        opponent.opponent_attacked(at);
    }
    state
}

/// Plays a whole game; `good` is the first of the bots.
fn play(
    game: &Game,
    mut bots: BySide<&mut dyn Bot>,
    first: Side,
    seeds: BySide<u64>,
) -> GameResult {
    let (one, two) = bots.own_and_other(Side::One);
    let state = fight(game, BySide::new(&mut **one, &mut **two), first, seeds);
    let won = state.winner() == Some(Side::One);
    bots.one
        .game_over(if won { Outcome::Won } else { Outcome::Lost });
    bots.two
        .game_over(if won { Outcome::Lost } else { Outcome::Won });
    GameResult {
        won,
        attacks: attacks_on(state.target_of(Side::One)),
    }
}

/// A bot of the kind with that name, the sparring partner `parity`, or a counter.
pub(crate) fn bot(kind: &str) -> Box<dyn Bot> {
    if let Some((_, how)) = COUNTERS.iter().find(|(name, _)| *name == kind) {
        return Box::new(Counter::new(*how));
    }
    match kind {
        "parity" => Box::new(ParityHunter::default()),
        kind => Shipped::named(kind)
            .expect("these players are shipped")
            .bot(kind, Thinking::default(), &Terminal::nowhere().shared()),
    }
}

/// The games of a series of `good` against that kind.
fn play_series(kind: &str, series: u64) -> Vec<GameResult> {
    let game = Game::standard();
    let (mut good, mut other) = (Good::default(), bot(kind));
    let numbers = series * SERIES..(series + 1) * SERIES;
    let game_of = |number: u64| {
        let (first, seeds) = mover_and_seeds(number);
        play(&game, BySide::new(&mut good, other.as_mut()), first, seeds)
    };
    numbers.map(game_of).collect()
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    let games = crate::option("games", GAMES);
    writeln!(
        out,
        "games that good won, in pairs, in series of {SERIES} ({games} games each)"
    )?;
    let counters = COUNTERS.iter().map(|(name, _)| *name);
    for kind in ["mediocre", "awful", "parity"].into_iter().chain(counters) {
        if !crate::is_wanted("kinds", kind) {
            continue;
        }
        let series = (0..games / SERIES).collect();
        let series = on_all_cores(series, |series| play_series(kind, series));
        let won = series.iter().flatten().map(|game| game.won);
        let early = series
            .iter()
            .flat_map(|games| &games[..5])
            .map(|game| game.won);
        // Of lost games it is known only that more attacks would have been needed.
        let later = series.iter().flat_map(|games| games.iter().skip(5));
        let later = later.filter(|game| game.won).map(|game| game.attacks);
        writeln!(
            out,
            "  against {kind:<12} {}%, games 1 to 5 {}%; attacks in games won after them {}",
            Sample::percent(won),
            Sample::percent(early),
            Sample::of(later)
        )?;
        out.flush()?;
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
        let mut bot = Good::default();
        timed(&mut all, || bot.new_game(&game, seed));
        let mut board = Board::new(&game);
        timed(&mut all, || assert!(bot.place_ships(&mut board)));
        let first = all.len();
        while !board.all_ships_destroyed() {
            let at = timed(&mut all, || bot.attack());
            let result = board.attack(at).into();
            bot.attack_result(at, result);
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
        writeln!(
            out,
            "  {name:<14} median {half:.2}, 99% {most:.2}, longest {longest:.2}"
        )?;
    }
    Ok(())
}
