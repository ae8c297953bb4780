//! Whether contests survive the death of their referee: `cargo bench --bench kills -- --kills 1000 --seed 1`.
//!
//! Contests of every format are begun, killed at random moments and continued, until the referee was killed so often.
//! The exit code is 1 if a record differs from that of an undisturbed contest by more than times, or if a process, a
//! temporary file or a cgroup is left after a kill.

#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use std::process::ExitCode;

use clap::Parser;
#[cfg(target_os = "linux")]
use testkit::common::kills;

/// Kills referees, continues their contests, and compares the records.
#[derive(Debug, Parser)]
struct Options {
    /// Number of kills
    #[arg(long, default_value_t = 1000)]
    kills: usize,
    /// Chooses the moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Option that cargo adds
    #[arg(long, hide = true)]
    bench: bool,
}

#[cfg(target_os = "linux")]
fn main() -> std::io::Result<ExitCode> {
    use std::io::Write;

    let options = Options::parse();
    let began = std::time::Instant::now();
    let report = kills::run(options.kills, options.seed, 20);
    let (kills, seconds) = (report.kills(), began.elapsed().as_secs());
    let mut out = std::io::stdout().lock();
    write!(out, "{report}")?;
    let passed = report.faults.is_empty() && kills >= options.kills;
    writeln!(
        out,
        "{kills} kills in {seconds} s, seed {}, {} faults",
        options.seed,
        report.faults.len()
    )?;
    Ok(ExitCode::from(u8::from(!passed)))
}

/// Elsewhere nothing ends the bots of a referee that was killed.
#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    let _ = Options::parse();
    ExitCode::SUCCESS
}
