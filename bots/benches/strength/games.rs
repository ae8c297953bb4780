//! Attacks on random fleets, and whole games between two bots: in pairs with the same seeds and
//! both movers, in series of twenty.

use std::time::{Duration, Instant};

use battleship::seeded::SeededRng;
use battleship::{Board, Bot, BySide, Game, Outcome, Side};
use bots::{Good, Shipped, Shooter, Terminal, Thinking, random_fleet};

use crate::counter::COUNTERS;
use crate::hunter::ParityHunter;
use crate::sample::{Sample, on_all_cores};
use crate::{counter::Counter, is_wanted, option};

/// Games in which `good` remembers its opponent.
pub(crate) const SERIES: u64 = 20;
/// Whole games whose replies are timed.
const TIMED: u64 = 100;

/// The attacks of the bot on the board, until all ships are sunk.
pub(crate) fn sink(bot: &mut dyn Bot, board: &mut Board<'_>) {
    while !board.all_ships_destroyed() {
        let at = bot.attack();
        bot.attack_result(at, board.attack(at));
    }
}

pub(crate) fn random_board(game: &Game, seed: u64) -> Board<'_> {
    let mut board = Board::new(game);
    assert!(random_fleet(
        &mut board,
        &mut SeededRng::in_domain(seed, 43)
    ));
    board
}

/// The number of attacks on a board, if none was wasted.
pub(crate) fn attacks_on(board: &Board<'_>) -> f64 {
    f64::from(u32::try_from(board.attacked().len()).expect("at most 100"))
}

/// The outcomes of a game for both players.
pub(crate) fn outcomes(winner: Side) -> BySide<Outcome> {
    BySide::from_fn(|side| {
        if winner == side {
            Outcome::Won
        } else {
            Outcome::Lost
        }
    })
}

/// Plays the game with that number but for its end, which the bots have still to be told. The seeds
/// of a pair of games are the same, and the first mover gets the first of them. Returns the winner,
/// and both boards.
pub(crate) fn fight<'g>(
    game: &'g Game,
    mut bots: BySide<&mut dyn Bot>,
    number: u64,
) -> (Side, BySide<Board<'g>>) {
    let first = Side::BOTH[usize::from(!number.is_multiple_of(2))];
    for side in Side::BOTH {
        bots[side].new_game(game, number / 2 * 2 + u64::from(side != first));
    }
    let mut boards = bots.as_mut().map(|bot| {
        let mut board = Board::new(game);
        assert!(bot.place_ships(&mut board), "a standard fleet has room");
        board
    });
    let mut side = first;
    loop {
        let (mover, opponent) = bots.own_and_other(side);
        let at = mover.attack();
        let result = boards[side.other()].attack(at);
        mover.attack_result(at, result);
        opponent.opponent_attacked(at);
        if boards[side.other()].all_ships_destroyed() {
            return (side, boards);
        }
        side = side.other();
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
            .bot(kind, Thinking::default(), &Terminal::nowhere()),
    }
}

pub(crate) fn print_shots() {
    let fleets = option("fleets", 4_000);
    println!("attacks to sink a uniformly random standard fleet ({fleets} fleets)");
    let game = Game::standard();
    for kind in ["awful", "mediocre", "parity", "fair", "decent", "good"] {
        if !is_wanted(kind) {
            continue;
        }
        let attacks = on_all_cores(fleets, |seed| {
            let mut board = random_board(&game, seed);
            if kind == "good" {
                // It is told that the fleets are random.
                let mut shooter = Shooter::at_random_fleets(&game, Thinking::default(), seed);
                while let Some(at) = shooter.target() {
                    shooter.record(at, board.attack(at));
                    if board.all_ships_destroyed() {
                        break;
                    }
                }
            } else {
                let mut bot = bot(kind);
                bot.new_game(&game, seed);
                sink(bot.as_mut(), &mut board);
            }
            attacks_on(&board)
        });
        println!("  {kind:<12} {}", Sample::of(attacks));
    }
}

/// For each game of a series of `good` against that kind, whether it won and its attacks.
fn play_series(kind: &str, series: u64) -> Vec<(bool, f64)> {
    let game = Game::standard();
    let (mut good, mut other) = (Good::default(), bot(kind));
    let game_of = |number: u64| {
        let (winner, boards) = fight(&game, BySide::new(&mut good, other.as_mut()), number);
        let outcomes = outcomes(winner);
        good.game_over(outcomes.one);
        other.game_over(outcomes.two);
        let attacks = attacks_on(&boards.two);
        (outcomes.one == Outcome::Won, attacks)
    };
    (series * SERIES..(series + 1) * SERIES)
        .map(game_of)
        .collect()
}

pub(crate) fn print() {
    let games = option("games", 1_000);
    println!("games that good won, in pairs, in series of {SERIES} ({games} games each)");
    let counters = COUNTERS.iter().map(|(name, _)| *name);
    for kind in ["mediocre", "awful", "parity"].into_iter().chain(counters) {
        if !is_wanted(kind) {
            continue;
        }
        let series = on_all_cores(games / SERIES, |series| play_series(kind, series));
        let won = |games: usize| {
            let games = series.iter().flat_map(|series| &series[..games]);
            Sample::percent(games.map(|(won, _)| *won))
        };
        // Of lost games it is known only that more attacks would have been needed.
        let later = series.iter().flat_map(|series| &series[5..]);
        let later = later.filter(|(won, _)| *won).map(|(_, attacks)| *attacks);
        println!(
            "  against {kind:<12} {}%, games 1 to 5 {}%; attacks in games won after them {}",
            won(20),
            won(5),
            Sample::of(later)
        );
    }
}

pub(crate) fn print_reply_times() {
    let game = Game::standard();
    let (mut placing, mut first, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..TIMED {
        // Nothing is known beforehand: each game begins a series.
        let mut bot = Good::default();
        let mut timed = |work: &mut dyn FnMut(&mut Good)| -> Duration {
            let start = Instant::now();
            work(&mut bot);
            all.push(start.elapsed());
            start.elapsed()
        };
        let mut board = Board::new(&game);
        timed(&mut |bot| bot.new_game(&game, seed));
        placing.push(timed(&mut |bot| assert!(bot.place_ships(&mut board))));
        let mut attacks = Vec::new();
        while !board.all_ships_destroyed() {
            attacks.push(timed(&mut |bot| {
                let at = bot.attack();
                bot.attack_result(at, board.attack(at));
            }));
        }
        first.push(attacks[0]);
    }
    println!("reply times of good in milliseconds ({TIMED} whole games)");
    for (name, mut times) in [("placing", placing), ("first attack", first), ("all", all)] {
        times.sort();
        let [half, most, longest] = [50, 99, 100]
            .map(|percent| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1000.0);
        println!("  {name:<14} median {half:.2}, 99% {most:.2}, longest {longest:.2}");
    }
}
