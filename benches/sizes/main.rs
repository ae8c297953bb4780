//! Time and memory of the commands that read large records: `cargo bench --bench sizes -- --games 1000000 --players 2`.
//!
//! A record of that many games is made of a thousand games that are played, and written compressed to the folder of `--dir`.
//! It stays there, so that a second run measures at once. `REFEREE=PATH` measures another referee.

#![cfg_attr(
    target_os = "linux",
    allow(clippy::unwrap_used, reason = "what fails here is a finding")
)]

#[cfg(target_os = "linux")]
mod record;
#[cfg(target_os = "linux")]
mod run;

use std::path::PathBuf;

use clap::Parser;

/// Measures the commands that read large records.
#[derive(Debug, Parser)]
struct Options {
    /// The games of the record, at least
    #[arg(long, default_value_t = 1_000_000)]
    games: u64,
    /// Its players, who all meet
    #[arg(long, default_value_t = 2)]
    players: usize,
    /// The games of a series
    #[arg(long, default_value_t = 20)]
    series: u32,
    /// Games of an attack or two instead of whole ones
    #[arg(long)]
    short: bool,
    /// The folder of the records
    #[arg(long, default_value = "target/sizes")]
    dir: PathBuf,
    /// Option that cargo adds
    #[arg(long, hide = true)]
    bench: bool,
}

#[cfg(target_os = "linux")]
fn main() -> std::io::Result<()> {
    use std::io::Write;

    let Options {
        games,
        players,
        series,
        short,
        dir,
        bench: _,
    } = Options::parse();
    std::fs::create_dir_all(&dir)?;
    let kind = if short { "short-" } else { "" };
    let record = dir.join(format!("{kind}{games}-{players}-{series}.jsonl.zst"));
    if !record.exists() {
        record::write(&record, games, players, series, short)?;
    }
    let mut out = std::io::stdout().lock();
    let size = std::fs::metadata(&record)?.len() / 1_000_000;
    writeln!(
        out,
        "{games} {kind}games, {players} players, series of {series}: {size} MB"
    )?;
    for (name, words) in run::COMMANDS {
        let run::Took { wall, cpu, memory } = run::run(&record, words)?;
        let [wall, cpu] = [wall, cpu].map(|time| time.as_secs_f64());
        writeln!(
            out,
            "{name:20} {wall:8.1} s {cpu:8.1} s of a core {:6} MiB",
            memory >> 10
        )?;
        out.flush()?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn main() {
    let _ = Options::parse();
}
