//! The time that the referee adds to a pipe: `cargo bench --bench wire`.
//!
//! The program `referee` itself is measured: it plays a game of the smallest bot against itself. Everything is
//! measured in one run, in turns and each on one core, so that the ratios hold on a machine whose speed drifts.
//! `cargo build --release` builds it before; `REFEREE=PATH cargo bench --bench wire` measures another build.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use bothost::pin;
use serde::Deserialize;

/// Round trips of one measurement.
const ROUND_TRIPS: u32 = 40_000;

/// The measurements of each kind; the median counts.
const REPEATS: usize = 9;

fn main() -> io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("echo") => echo(),
        Some("bot") => smallest_bot(),
        _ => measure(),
    }
}

/// Answers every message with one of the size of an attack.
fn echo() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut buffer = [0; 4096];
    while input.read(&mut buffer)? > 0 {
        output.write_all(b"attack 9 9\n")?;
        output.flush()?;
    }
    Ok(())
}

/// The least that can play. It wastes every shot, so that a game continues to its turn cap.
fn smallest_bot() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut buffer = [0; 4096];
    loop {
        let told = match input.read(&mut buffer)? {
            0 => return Ok(()),
            count => &buffer[..count],
        };
        let reply: &[u8] = if told.ends_with(b"attack\n") {
            b"attack 9 9\n"
        } else if told.ends_with(b"place\n") {
            b"place 0 0 h\n"
        } else if told.starts_with(b"battleship") {
            b"ready\n"
        } else {
            return Ok(());
        };
        output.write_all(reply)?;
        output.flush()?;
    }
}

fn measure() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let cores = pin::cores();
    let (mut raw, mut refereed) = (Vec::new(), Vec::new());
    let mut starts = Vec::new();
    for _ in 0..REPEATS {
        raw.push(Trips::of(ping_pong(cores[0])?));
        refereed.push(Trips::of(game(cores[0])?));
        starts.push(start_supervised()?.as_secs_f64() * 1e3);
    }
    let ratios = raw
        .iter()
        .zip(&refereed)
        .map(|(raw, refereed)| refereed.mean / raw.mean);
    writeln!(
        out,
        "microseconds a round trip, {ROUND_TRIPS} round trips, median of {REPEATS}"
    )?;
    writeln!(
        out,
        "                                    mean    p50    p99"
    )?;
    writeln!(
        out,
        "  raw, blocking, two processes   {}",
        Trips::median(&raw)
    )?;
    writeln!(
        out,
        "  a reply to the referee         {}",
        Trips::median(&refereed)
    )?;
    writeln!(
        out,
        "  ratio of the means             {:7.2}",
        median(ratios.collect())
    )?;
    if let [first, second, ..] = cores[..] {
        let (mut gains, mut refereed) = (Vec::new(), Vec::new());
        for _ in 0..REPEATS {
            let alone = total(&game(first)?);
            let together = Barrier::new(2);
            let both = thread::scope(|scope| {
                let games = [first, second].map(|core| {
                    let together = &together;
                    scope.spawn(move || {
                        together.wait();
                        game(core)
                    })
                });
                games.map(|game| game.join().expect("a game does not panic"))
            });
            let mut gain = 0.0;
            for trips in both {
                let trips = trips?;
                gain += alone / total(&trips);
                refereed.push(Trips::of(trips));
            }
            gains.push(gain);
        }
        writeln!(
            out,
            "  a reply, two games on two cores{}",
            Trips::median(&refereed)
        )?;
        writeln!(
            out,
            "  both games: {:.2} times the replies of one",
            median(gains)
        )?;
    }
    writeln!(
        out,
        "start to first reply of a supervised bot: {:.2} ms",
        median(starts)
    )
}

/// Sends as much as the referee says in a turn, and reads a reply, again and again: the pace of the pipes.
fn ping_pong(core: usize) -> io::Result<Vec<u32>> {
    assert!(pin::to_core(core), "core {core} is available");
    let mut child = Command::new(std::env::current_exe()?)
        .arg("echo")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stdout = child.stdout.take().expect("it is piped");
    let mut buffer = [0; 4096];
    let mut clock = Clock::start();
    for _ in 0..ROUND_TRIPS {
        stdin.write_all(b"opponent 9 9\nresult 9 9 wasted\nattack\n")?;
        let _ = stdout.read(&mut buffer)?;
        clock.lap();
    }
    drop(stdin);
    child.wait()?;
    Ok(clock.laps)
}

/// The part of a game's record that the bench needs.
#[derive(Deserialize)]
struct Record {
    shots: Vec<(u8, i32, i32, String, u32)>,
}

/// Lets the referee play a game of the smallest bot against itself on `core`; returns the time of each turn in
/// nanoseconds.
///
/// The record has the reply times in microseconds, which is too coarse for a mean: what the whole game took beyond a
/// game of one turn is divided among its turns, and the record's times say only how that is distributed.
fn game(core: usize) -> io::Result<Vec<u32>> {
    assert!(pin::to_core(core), "core {core} is available");
    let (short, _) = play(1)?;
    let (long, times) = play(ROUND_TRIPS / 2)?;
    assert_eq!(
        times.len(),
        ROUND_TRIPS as usize,
        "the game has its full length"
    );
    let whole = (long.saturating_sub(short)).as_nanos();
    let recorded: u128 = times.iter().map(|time| u128::from(*time)).sum();
    let share = |time: u32| u32::try_from(u128::from(time) * whole / recorded.max(1));
    Ok(times
        .into_iter()
        .map(|time| share(time).unwrap_or(u32::MAX))
        .collect())
}

/// Plays a game of this many turns of each player; returns how long it took, and the reply times in microseconds.
fn play(turns: u32) -> io::Result<(Duration, Vec<u32>)> {
    let bot = shlex::try_quote(std::env::current_exe()?.to_str().unwrap_or_default())
        .map_err(io::Error::other)?
        .into_owned();
    let began = Instant::now();
    let output = Command::new(referee())
        .args([
            "play",
            &format!("{bot} bot"),
            &format!("{bot} bot"),
            "--json",
            "--seed",
            "1",
        ])
        .args(["--ship", "1 D dinghy", "--max-turns", &turns.to_string()])
        .stderr(Stdio::null())
        .output()?;
    let time = began.elapsed();
    let record: Record = serde_json::from_slice(&output.stdout)?;
    Ok((time, record.shots.into_iter().map(|(.., us)| us).collect()))
}

/// The referee that is measured.
fn referee() -> OsString {
    std::env::var_os("REFEREE").unwrap_or_else(|| {
        let own = std::env::current_exe().expect("the path of this bench");
        // Cargo puts benches into a folder below that of the programs.
        let programs = own.parent().and_then(Path::parent);
        let referee = programs.map(|folder| folder.join("referee"));
        let referee = referee.filter(|referee| referee.is_file());
        referee
            .expect("cargo build --release builds the referee")
            .into()
    })
}

/// Starts the smallest bot under its supervisor, as a game does, on the core that this thread is on; returns the time
/// to its first reply.
fn start_supervised() -> io::Result<Duration> {
    let began = Instant::now();
    let mut child = Command::new(referee())
        .args([
            "supervise",
            "--referee",
            &std::process::id().to_string(),
            "--",
        ])
        .args([std::env::current_exe()?.as_os_str(), "bot".as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stdout = child.stdout.take().expect("it is piped");
    stdin.write_all(b"battleship 1\n")?;
    let mut reply = [0; 16];
    let count = stdout.read(&mut reply)?;
    let time = began.elapsed();
    assert_eq!(&reply[..count], b"ready\n");
    drop(stdin);
    child.wait()?;
    Ok(time)
}

/// Takes the time of one turn after the other, in nanoseconds.
struct Clock {
    last: Instant,
    laps: Vec<u32>,
}

impl Clock {
    fn start() -> Clock {
        let laps = Vec::with_capacity(ROUND_TRIPS as usize);
        Clock {
            last: Instant::now(),
            laps,
        }
    }

    fn lap(&mut self) {
        let now = Instant::now();
        self.laps
            .push(u32::try_from((now - self.last).as_nanos()).unwrap_or(u32::MAX));
        self.last = now;
    }
}

fn total(trips: &[u32]) -> f64 {
    trips.iter().copied().map(f64::from).sum()
}

/// Microseconds of a measurement's round trips.
#[derive(Clone, Copy)]
struct Trips {
    mean: f64,
    p50: f64,
    p99: f64,
}

impl Trips {
    fn of(mut trips: Vec<u32>) -> Trips {
        trips.sort_unstable();
        let at = |percent: usize| f64::from(trips[trips.len() * percent / 100]) / 1e3;
        Trips {
            mean: total(&trips) / f64::from(ROUND_TRIPS) / 1e3,
            p50: at(50),
            p99: at(99),
        }
    }

    fn median(measurements: &[Trips]) -> String {
        let of = |part: fn(&Trips) -> f64| median(measurements.iter().map(part).collect());
        let (mean, p50, p99) = (
            of(|trips| trips.mean),
            of(|trips| trips.p50),
            of(|trips| trips.p99),
        );
        format!("{mean:7.2}{p50:7.2}{p99:7.2}")
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
