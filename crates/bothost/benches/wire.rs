//! The time that the referee adds to a pipe: `cargo bench --bench wire`.
//!
//! The program `referee` itself is measured: it plays a game of the smallest bot against itself.
//! Everything is measured in one run, in turns and on one core, so that the ratio holds on a
//! machine whose speed drifts. `cargo build --release` builds it before; `REFEREE=PATH cargo bench
//! --bench wire` measures another build.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use bothost::pin;

/// Round trips of one measurement.
const ROUND_TRIPS: u32 = 40_000;

/// The measurements of each kind; the median counts.
const REPEATS: usize = 9;

fn main() -> io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("bot") {
        return smallest_bot();
    }
    let core = pin::cores()[0];
    assert!(pin::to_core(core), "core {core} is available");
    let (mut raw, mut refereed, mut ratios, mut starts) = (vec![], vec![], vec![], vec![]);
    for _ in 0..REPEATS {
        let trip = ping_pong()?;
        let reply = (game(ROUND_TRIPS / 2)? - game(1)?) / f64::from(ROUND_TRIPS);
        raw.push(trip);
        refereed.push(reply);
        ratios.push(reply / trip);
        starts.push(start_supervised()?);
    }
    let (raw, refereed, ratio) = (1e6 * median(raw), 1e6 * median(refereed), median(ratios));
    let start = 1e3 * median(starts);
    writeln!(
        io::stdout(),
        "microseconds a round trip, mean of {ROUND_TRIPS}, median of {REPEATS}\n  \
         raw, blocking, two processes {raw:7.2}\n  \
         a reply to the referee       {refereed:7.2}\n  \
         ratio of the means           {ratio:7.2}\n\
         start to first reply of a supervised bot: {start:.2} ms"
    )
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

/// Starts `command` with pipes.
fn piped(command: &mut Command) -> io::Result<Child> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

/// Writes `message` to the program; returns what it reads then.
fn ask<'b>(child: &mut Child, message: &[u8], buffer: &'b mut [u8]) -> io::Result<&'b [u8]> {
    let (input, output) = (child.stdin.as_mut(), child.stdout.as_mut());
    input.expect("it is piped").write_all(message)?;
    let count = output.expect("it is piped").read(buffer)?;
    Ok(&buffer[..count])
}

/// Sends as much as the referee says in a turn, and reads a reply, again and again: the pace of the
/// pipes. Returns the seconds of a round trip.
fn ping_pong() -> io::Result<f64> {
    let mut child = piped(Command::new(std::env::current_exe()?).arg("bot"))?;
    let mut buffer = [0; 4096];
    let began = Instant::now();
    for _ in 0..ROUND_TRIPS {
        let message = b"opponent 9 9\nresult 9 9 wasted\nattack\n";
        ask(&mut child, message, &mut buffer)?;
    }
    let time = began.elapsed().as_secs_f64();
    drop(child.stdin.take());
    child.wait()?;
    Ok(time / f64::from(ROUND_TRIPS))
}

/// Lets the referee play a game of this many turns of each player; returns its seconds. What a game
/// takes beyond one of one turn is the time of its turns.
fn game(turns: u32) -> io::Result<f64> {
    let own = std::env::current_exe()?;
    let own = shlex::try_quote(own.to_str().unwrap_or_default()).map_err(io::Error::other)?;
    let bot = format!("{own} bot");
    let began = Instant::now();
    let output = Command::new(referee())
        .args(["play", &bot, &bot, "--json", "--seed", "1"])
        .args(["--ship", "1 D dinghy", "--max-turns", &turns.to_string()])
        .stderr(Stdio::null())
        .output()?;
    let time = began.elapsed().as_secs_f64();
    let played = String::from_utf8_lossy(&output.stdout)
        .matches("wasted")
        .count();
    assert_eq!(played, 2 * turns as usize, "the game has its full length");
    Ok(time)
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

/// Starts the smallest bot under its supervisor, as a game does; returns the seconds to its first
/// reply.
fn start_supervised() -> io::Result<f64> {
    let began = Instant::now();
    let own = std::process::id();
    let task = format!(r#"{{"referee":{own},"on_terminal":false,"lists_left_behind":false}}"#);
    let mut command = Command::new(referee());
    command.args(["supervise", &task]);
    command.arg(std::env::current_exe()?).arg("bot");
    let mut child = piped(&mut command)?;
    let mut buffer = [0; 16];
    let reply = ask(&mut child, b"battleship 1\n", &mut buffer)?;
    let time = began.elapsed().as_secs_f64();
    assert_eq!(reply, b"ready\n");
    drop(child.stdin.take());
    child.wait()?;
    Ok(time)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
