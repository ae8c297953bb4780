//! The number of attacks that shooters need for the fleets of `good`, compared with random ones.

use std::io::{self, Write};
use std::ops::Range;
use std::time::Instant;

use battleship::seeded::SeededRng;
use battleship::{Board, Bot, CellSet, Game, Outcome, Point};
use battleship_bots::{Good, Thinking};

use crate::bulk::{Belief, sink};
use crate::counter::COUNTERS;
use crate::fleets::{Fleet, cells, indices, put, random};
use crate::games::{attack, bot};
use crate::sample::{Sample, on_all_cores};

/// The games of a series.
const GAMES: u64 = 20;
/// The games that the learner plays in a row; the second half counts.
const LEARNED: u64 = 600;
/// The learner thinks again after this many games.
const LESSON: u64 = 50;
/// Of this many random fleets a sample of what it believes is drawn.
const DRAWN: usize = 40_000;
/// Number of games after which the observations weigh as much as the belief before.
const DOUBT: f64 = 100.0;

/// The player that places the ships.
#[derive(Clone, Copy)]
enum Placer {
    Random,
    Good,
}

/// The fleet of the board's ships, in order.
pub(crate) fn fleet_of(board: &Board<'_>) -> Fleet {
    let game = board.game();
    std::array::from_fn(|ship| {
        let placement = board.placement(ship).expect("all ships are placed");
        let length = game.ship_length(ship);
        let line = CellSet::line(placement.top_or_left, placement.direction, length);
        line.expect("it is on the board").bits()
    })
}

/// The attacks of a series of `games`, in each of which `shoot` sinks the fleet on the board, whose owner hears of it.
fn series(
    placer: Placer,
    seeds: impl Iterator<Item = u64>,
    mut shoot: impl FnMut(&Board<'_>, u64) -> Vec<Point>,
) -> Vec<f64> {
    let game = Game::standard();
    let mut good = Good::new(Thinking::default().greedy());
    let play = |seed: u64| {
        let mut board = Board::new(&game);
        good.new_game(&game, seed);
        match placer {
            Placer::Random => put(&random(&mut SeededRng::in_domain(seed, 43)), &mut board),
            Placer::Good => assert!(good.place_ships(&mut board)),
        }
        let attacks = shoot(&board, seed);
        for at in &attacks {
            good.opponent_attacked(*at);
        }
        good.game_over(Outcome::Lost);
        f64::from(u32::try_from(attacks.len()).expect("at most 100"))
    };
    seeds.map(play).collect()
}

/// The attacks of a bot that plays to the end.
fn attacks_of(bot: &mut dyn Bot, board: &Board<'_>, seed: u64) -> Vec<Point> {
    let (mut board, mut attacks) = (board.clone(), Vec::new());
    bot.new_game(board.game(), seed);
    while !board.all_ships_destroyed() {
        let before = board.attacked();
        attack(bot, &mut board);
        attacks.extend((board.attacked() - before).first());
    }
    bot.game_over(Outcome::Won);
    attacks
}

fn points(attacks: &[u128]) -> Vec<Point> {
    attacks
        .iter()
        .filter_map(|cell| CellSet::from_bits(*cell).first())
        .collect()
}

/// Attacks in parts of a series, the errors by series.
fn parts(out: &mut dyn Write, name: &str, all: &[Vec<Vec<f64>>; 2]) -> io::Result<()> {
    let part = |series: &[Vec<f64>], games: Range<usize>| {
        Sample::of(
            series
                .iter()
                .map(|series| Sample::of(series[games.clone()].iter().copied()).mean),
        )
    };
    let [random, good] = all;
    let [first, middle, last] = [0..5, 5..15, 15..20].map(|games| part(good, games));
    writeln!(
        out,
        "  {name:<12} {} {first} {middle} {last}",
        part(random, 0..20)
    )?;
    out.flush()
}

/// The time it takes to place the ships, in games after many others.
fn print_time(out: &mut dyn Write) -> io::Result<()> {
    const TIMED: u64 = 100;
    let game = Game::standard();
    let mut good = Good::new(Thinking::default().greedy());
    let mut times = Vec::new();
    for seed in 0..TIMED {
        good.new_game(&game, seed);
        let mut board = Board::new(&game);
        let start = Instant::now();
        assert!(good.place_ships(&mut board));
        times.push(start.elapsed());
        let mut points: Vec<Point> = game.points().collect();
        SeededRng::new(seed).shuffle(&mut points);
        for at in points {
            good.opponent_attacked(at);
        }
        good.game_over(Outcome::Lost);
    }
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1000.0;
    writeln!(
        out,
        "  good places its ships in {:.2} ms (median of {TIMED} games, 99% within {:.2} ms)",
        at(50),
        at(99)
    )
}

pub(crate) fn print(out: &mut dyn Write) -> io::Result<()> {
    let count = crate::option("series", 50);
    writeln!(
        out,
        "attacks for random fleets, and for good's in games 1 to 5, 6 to 15, and 16 to 20 of a series ({count} series)"
    )?;
    print_time(out)?;
    let seeds = |series: u64| series * GAMES..(series + 1) * GAMES;
    let both = |count: u64, work: &(dyn Fn(Placer, u64) -> Vec<f64> + Sync)| {
        [Placer::Random, Placer::Good]
            .map(|placer| on_all_cores((0..count).collect(), |number| work(placer, number)))
    };
    let counters = COUNTERS.iter().map(|(name, _)| *name);
    for kind in ["awful", "mediocre", "parity", "good"]
        .into_iter()
        .chain(counters)
    {
        if !crate::is_wanted("kinds", kind) {
            continue;
        }
        let count = if kind == "good" {
            count.div_ceil(10)
        } else {
            count
        };
        let all = both(count, &|placer, number| {
            let mut shooter = bot(kind);
            series(placer, seeds(number), |board, seed| {
                attacks_of(shooter.as_mut(), board, seed + (1 << 40))
            })
        });
        parts(out, kind, &all)?;
    }
    let uniform = Belief::uniform(2);
    if crate::is_wanted("kinds", "greedy") {
        let all = both(count, &|placer, number| {
            series(placer, seeds(number), |board, seed| {
                let mut rng = SeededRng::in_domain(seed, 47);
                points(&sink(&fleet_of(board), &uniform, &uniform, &mut rng))
            })
        });
        parts(out, "greedy", &all)?;
    }
    if crate::is_wanted("kinds", "learner") {
        let all = both(2, &|placer, number| learner(placer, number, &uniform));
        let later = all.map(|series| {
            Sample::of(
                series
                    .iter()
                    .flat_map(|games| games[games.len() / 2..].iter().copied()),
            )
        });
        writeln!(
            out,
            "  learner      {}, good's {} (games {} to {LEARNED} of 2 series)",
            later[0],
            later[1],
            LEARNED / 2 + 1
        )?;
    }
    Ok(())
}

/// The games of one who learns how often each cell is covered, and is shown the fleet after each game.
fn learner(placer: Placer, number: u64, uniform: &Belief) -> Vec<f64> {
    let (mut seen, mut games, mut belief) = ([0.0; 100], 0, None);
    let mut usual = [0.0; 100];
    let share = 1.0 / f64::from(u32::try_from(DRAWN).expect("a small number"));
    let mut rng = SeededRng::in_domain(number, 53);
    let pool: Vec<Fleet> = (0..DRAWN).map(|_| random(&mut rng)).collect();
    pool.iter()
        .flat_map(|fleet| indices(cells(fleet)))
        .for_each(|cell| usual[cell] += share);
    let numbers = (number + 100) * LEARNED..(number + 101) * LEARNED;
    series(placer, numbers, |board, seed| {
        if games > 0 && games % LESSON == 0 {
            let all = f64::from(u32::try_from(games).expect("a small number"));
            let liking: [f64; 100] = std::array::from_fn(|cell| {
                ((seen[cell] + DOUBT * usual[cell]) / ((all + DOUBT) * usual[cell])).ln()
            });
            belief = Some(learned(&pool, &liking, &mut rng));
        }
        let fleet = fleet_of(board);
        let attacks = sink(
            &fleet,
            belief.as_ref().unwrap_or(uniform),
            uniform,
            &mut SeededRng::in_domain(seed, 47),
        );
        indices(cells(&fleet)).for_each(|cell| seen[cell] += 1.0);
        games += 1;
        points(&attacks)
    })
}

/// A belief by which a ship is as likely to lie somewhere as the mean of what `liking` says of its cells, a logarithm.
fn learned(pool: &[Fleet], liking: &[f64; 100], rng: &mut SeededRng) -> Belief {
    let liking = *liking;
    let weight = move |fleet: &Fleet| {
        let of_ship =
            |ship: &u128| crate::fleets::sum_over(*ship, &liking) / f64::from(ship.count_ones());
        fleet.iter().map(of_ship).sum::<f64>().exp()
    };
    let mut sums = Vec::with_capacity(pool.len());
    let mut sum = 0.0;
    for fleet in pool {
        sum += weight(fleet);
        sums.push(sum);
    }
    let draw = |rng: &mut SeededRng| {
        let at = rng.unit() * sum;
        pool[sums.partition_point(|sum| *sum <= at).min(pool.len() - 1)]
    };
    Belief::new(draw, weight, rng.next_u64())
}
