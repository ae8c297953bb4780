//! What the referee adds to a pipe: `cargo bench --bench wire`. Everything is measured in one run, in turns and
//! each on one core, so that the ratios hold on a machine whose speed drifts.

use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use battleship::Game;
use battleship::protocol::Ruleset;
use battleship_referee::game::{Event, Listener, Match, Rules, Stop, greet, play};
use bothost::{Interrupt, Lane, Launch, Program, Side, pin};

/// Round trips of one measurement.
const ROUND_TRIPS: u32 = 40_000;

/// Measurements of each kind, of which the median counts.
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

/// The least that can play. It wastes every shot, so that a game lasts as long as it is let.
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
    let interrupt = Arc::new(Interrupt::listen(130)?);
    let lane_on = |core| lane(core, &interrupt);

    let (mut raw, mut refereed) = (Vec::new(), Vec::new());
    let mut starts = Vec::new();
    for _ in 0..REPEATS {
        raw.push(Trips::of(ping_pong(cores[0])?));
        refereed.push(Trips::of(lane(cores[0], &interrupt)?));
        starts.push(start_supervised()?.as_secs_f64() * 1e3);
    }
    let ratios = raw.iter().zip(&refereed).map(|(raw, refereed)| refereed.mean / raw.mean);
    writeln!(out, "microseconds a round trip, {ROUND_TRIPS} round trips, median of {REPEATS}")?;
    writeln!(out, "                                    mean    p50    p99")?;
    writeln!(out, "  raw, blocking, two processes   {}", Trips::median(&raw))?;
    writeln!(out, "  a reply to the referee         {}", Trips::median(&refereed))?;
    writeln!(out, "  ratio of the means             {:7.2}", median(ratios.collect()))?;
    if let [first, second, ..] = cores[..] {
        let (mut gains, mut refereed) = (Vec::new(), Vec::new());
        for _ in 0..REPEATS {
            let alone = total(&lane_on(first)?);
            let together = Barrier::new(2);
            let both = thread::scope(|scope| {
                let (together, lane_on) = (&together, &lane_on);
                let lanes = [first, second].map(|core| {
                    scope.spawn(move || {
                        together.wait();
                        lane_on(core)
                    })
                });
                lanes.map(|lane| lane.join().expect("a lane does not panic"))
            });
            let mut gain = 0.0;
            for trips in both {
                let trips = trips?;
                gain += alone / total(&trips);
                refereed.push(Trips::of(trips));
            }
            gains.push(gain);
        }
        writeln!(out, "  a reply, two lanes on two cores{}", Trips::median(&refereed))?;
        writeln!(out, "  both lanes: {:.2} times the replies of one", median(gains))?;
    }
    writeln!(out, "start to first reply of a supervised bot: {:.2} ms", median(starts))?;
    writeln!(out, "the referee's memory at its peak: {}", peak_memory()?)
}

/// Sends as much as the referee says in a turn, and reads a reply, again and again: the pace of the pipes.
fn ping_pong(core: usize) -> io::Result<Vec<u32>> {
    assert!(pin::to_core(core), "the core {core} can be had");
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

/// Plays a game of the smallest bot against itself; returns the time of each turn.
fn lane(core: usize, interrupt: &Arc<Interrupt>) -> io::Result<Vec<u32>> {
    let pinned = pin::to_core(core);
    let program = Program {
        file: std::env::current_exe()?.into(),
        arguments: vec!["bot".into()],
        command_line: "bot".to_owned(),
        on_terminal: false,
    };
    let launch = Launch { pinned, ..Launch::supervised_by(REFEREE.into()) };
    let limit = Duration::from_secs(5);
    let mut lane = Lane::start([&program, &program], &launch, interrupt.clone(), None)
        .map_err(|(_, error)| io::Error::other(error))?;
    greet(&mut lane, Ruleset::Classic, limit)
        .map_err(|over| io::Error::other(format!("{over:?}")))?;
    let mut game = Game::new(10, 10).map_err(io::Error::other)?;
    game.add_ship(1, 'D', "dinghy").map_err(io::Error::other)?;
    let game = Match {
        rules: Rules::Classic(game),
        seeds: [1, 2],
        limits: [Some(limit); 2],
        max_turns: ROUND_TRIPS / 2,
    };
    let mut clock = Clock::start();
    play(&mut lane, &game, Side::One, &mut clock)?;
    lane.end([None, None])?;
    assert_eq!(clock.laps.len(), ROUND_TRIPS as usize, "the game went its full length");
    Ok(clock.laps)
}

const REFEREE: &str = env!("CARGO_BIN_EXE_referee");

/// Starts the smallest bot under its supervisor, as a lane does, on the core that this thread is on; returns the time
/// to its first reply.
fn start_supervised() -> io::Result<Duration> {
    let began = Instant::now();
    let mut child = Command::new(REFEREE)
        .args(["supervise", "--referee", &std::process::id().to_string(), "--"])
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
        Clock { last: Instant::now(), laps }
    }

    fn lap(&mut self) {
        let now = Instant::now();
        self.laps.push(u32::try_from((now - self.last).as_nanos()).unwrap_or(u32::MAX));
        self.last = now;
    }
}

impl Listener for Clock {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Placed { .. } | Event::UnitsPlaced { .. } => self.last = Instant::now(),
            Event::Attacked { .. } | Event::Ordered { .. } => self.lap(),
            Event::Turn { .. } | Event::TurnToOrder { .. } | Event::Ended { .. } => {}
        }
        Ok(())
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
        Trips { mean: total(&trips) / f64::from(ROUND_TRIPS) / 1e3, p50: at(50), p99: at(99) }
    }

    fn median(measurements: &[Trips]) -> String {
        let of = |part: fn(&Trips) -> f64| median(measurements.iter().map(part).collect());
        let (mean, p50, p99) =
            (of(|trips| trips.mean), of(|trips| trips.p50), of(|trips| trips.p99));
        format!("{mean:7.2}{p50:7.2}{p99:7.2}")
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What the operating system says of this process, which is the referee here.
fn peak_memory() -> io::Result<String> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(peak.map_or("unknown", str::trim).to_owned())
}
