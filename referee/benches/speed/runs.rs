//! Running a command and measuring it.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use bothost::pin;

/// The time of a run.
#[derive(Clone, Copy)]
pub(crate) struct Took {
    pub(crate) wall: Duration,
    /// The processor time of all its processes.
    pub(crate) cpu: Duration,
}

/// The referee that is measured.
pub(crate) fn referee() -> OsString {
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

/// Returns this bench as a player that runs `word` of it.
pub(crate) fn own_player(word: &str) -> io::Result<String> {
    let own = std::env::current_exe()?;
    let own = shlex::try_quote(own.to_str().unwrap_or_default()).map_err(io::Error::other)?;
    Ok(format!("{own} {word}"))
}

fn quiet(program: &OsString, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Runs `program` with `words` to its end, on the core that this thread is bound to.
pub(crate) fn run(program: &OsString, words: &[&str]) -> io::Result<Took> {
    let mut command = quiet(program, words);
    let (began, before) = (Instant::now(), of_ended_children()?);
    let status = command.status()?;
    assert!(status.success(), "{command:?}: {status}");
    Ok(Took {
        wall: began.elapsed(),
        cpu: of_ended_children()?.saturating_sub(before),
    })
}

/// Runs `program` with `words` to its end. Returns the most memory that it had at a time, in MiB.
pub(crate) fn most_memory(program: &OsString, words: &[&str]) -> io::Result<u64> {
    let mut child = quiet(program, words).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    // The kernel's figure only grows, and is gone when the process has ended.
    while child.try_wait()?.is_none() {
        let text = std::fs::read_to_string(&status)?;
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(kib) = peak.and_then(|peak| peak.trim().strip_suffix(" kB")) {
            most = kib.parse().unwrap_or(most);
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(most / 1024)
}

/// Binds this thread to the first core that it may use.
pub(crate) fn bind() {
    let bound = pin::cores().first().is_some_and(|core| pin::to_core(*core));
    assert!(bound, "a core to measure on");
}

/// Busy loops, one on each core, until this is dropped.
pub(crate) struct Busy(Vec<Child>);

impl Busy {
    /// Starts them.
    pub(crate) fn start(cores: &[usize]) -> io::Result<Busy> {
        let mut busy = Busy(Vec::new());
        for core in cores {
            assert!(pin::to_core(*core), "core {core} is available");
            busy.0
                .push(Command::new(std::env::current_exe()?).arg("spin").spawn()?);
        }
        Ok(busy)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that has ended by itself is as good.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Returns the processor time of all processes that this one has waited for, and of those that they
/// have.
fn of_ended_children() -> io::Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // Behind the name, the 14th and 15th words are those of children: see proc_pid_stat(5).
    let words = stat
        .rsplit_once(')')
        .map_or("", |(_, words)| words)
        .split_whitespace();
    let ticks: u64 = words
        .skip(13)
        .take(2)
        .filter_map(|word| word.parse::<u64>().ok())
        .sum();
    Ok(Duration::from_millis(
        1000 * ticks / rustix::param::clock_ticks_per_second(),
    ))
}

/// Returns the middle one of `values`.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
