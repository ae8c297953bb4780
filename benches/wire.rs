//! What the referee adds to a pipe: `cargo bench --bench wire`. Everything is measured in one run, on one
//! core, so that the ratios can be trusted on a machine whose speed drifts.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use battleship::Game;
use battleship_referee::play::{Event, Listener, Match, Stop, greet, play};
use battleship_referee::process::{Interrupt, Lane, Program, Side};

/// Round trips of one measurement.
const ROUND_TRIPS: usize = 400_000;

/// Measurements, of which the median counts.
const REPEATS: usize = 7;

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

/// The least that can play: it never wins, so that a game lasts as long as it is let.
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
    let raw = raw(ROUND_TRIPS)?;
    let lane = lane(ROUND_TRIPS)?;
    let mut out = io::stdout().lock();
    writeln!(out, "raw {raw:?} lane {lane:?}")
}

fn raw(count: usize) -> io::Result<Duration> {
    let mut child: Child = Command::new(std::env::current_exe()?)
        .arg("echo")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stdout = child.stdout.take().expect("it is piped");
    let mut buffer = [0; 4096];
    let began = Instant::now();
    for _ in 0..count {
        stdin.write_all(b"result 9 9 wasted\nopponent 9 9\nattack\n")?;
        let _ = stdout.read(&mut buffer)?;
    }
    let time = began.elapsed() / u32::try_from(count).unwrap_or(u32::MAX);
    drop(stdin);
    child.wait()?;
    Ok(time)
}

struct Deaf;
impl Listener for Deaf {
    fn hear(&mut self, _event: &Event<'_>) -> Result<(), Stop> {
        Ok(())
    }
}

fn lane(count: usize) -> io::Result<Duration> {
    let program = Program {
        file: std::env::current_exe()?.into(),
        arguments: vec!["bot".into()],
        command_line: "bot".to_owned(),
        on_terminal: false,
    };
    let interrupt = Arc::new(Interrupt::listen(130)?);
    let mut lane =
        Lane::start([&program, &program], interrupt, None).map_err(|(_, e)| io::Error::other(e))?;
    greet(&mut lane, Duration::from_secs(5)).map_err(|e| io::Error::other(format!("{e:?}")))?;
    let mut game = Game::new(10, 10).map_err(io::Error::other)?;
    game.add_ship(2, 'R', "rowboat").map_err(io::Error::other)?;
    let game = Match {
        game,
        seeds: [1, 2],
        limits: [Some(Duration::from_secs(5)); 2],
        max_turns: u32::try_from(count / 2).unwrap_or(1),
    };
    let began = Instant::now();
    let ending = play(&mut lane, &game, Side::One, &mut Deaf)?;
    let time = began.elapsed() / u32::try_from(count).unwrap_or(u32::MAX);
    lane.end([None, None])?;
    let _ = ending;
    Ok(time)
}
