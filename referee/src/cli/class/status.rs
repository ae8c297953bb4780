//! `referee class status`: what waits, what runs, what is done.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use class::{State, Verdict, Version};
use jiff::Timestamp;

use super::Class;
use crate::cli::exit::Failure;

/// A program that has said nothing for so long is taken to be gone.
const SILENCE: i64 = 600;

/// Says how far the class is.
pub(in crate::cli) fn run(folder: &Path) -> Result<(), Failure> {
    let class = Class::open(folder)?;
    let store = class.store()?;
    let current = class.current(&store)?;
    let terms = class.terms_key();
    let mut out = io::stdout().lock();
    let students = class.roster.students().len();
    let mut waiting = 0;
    let mut none = 0;
    for entry in &current.entries {
        let handed_in = class.handed_in(entry.student);
        let newest = handed_in.newest(class.config.deadline, class.config.grace);
        let Some(newest) = newest else {
            none += 1;
            continue;
        };
        let is_known = |version: &Version| version.submitted == newest.at;
        if !entry.versions.iter().any(is_known) {
            waiting += 1;
        }
    }
    let newest = current.entries.iter().filter_map(|entry| entry.versions.last());
    let unbuilt = newest.filter(|version| version.state != State::Built).count();
    let unchecked = current.unchecked(&terms).count();
    let failed = current.entries.iter().filter(|entry| {
        entry
            .newest
            .as_ref()
            .is_some_and(|bot| bot.verdict == Some(Verdict::Unfit) && bot.checked == terms)
    });
    writeln!(out, "students    {students}, {none} without a submission")?;
    writeln!(out, "intake      {waiting} waiting, {unbuilt} whose newest version cannot be built")?;
    writeln!(out, "check       {unchecked} waiting, {} unfit to play", failed.count())?;
    let students_playing = current.entries.iter().filter(|entry| entry.bot.is_some()).count();
    writeln!(
        out,
        "bots        {students_playing} of students, {} of the staff",
        current.staff.len()
    )?;
    let pairings = store.pairings(&terms)?;
    let playing: Vec<i64> = current.playing().map(|bot| bot.id).collect();
    let is_current = |bots: &[i64; 2]| bots.iter().all(|bot| playing.contains(bot));
    let of_current = pairings.iter().filter(|pairing| is_current(&pairing.bots));
    let (series, games, took) =
        of_current.fold((0, 0, Duration::ZERO), |(series, games, took), one| {
            (series + u64::from(one.series), games + one.results.games, took + one.took)
        });
    let all: u64 = pairings.iter().map(|pairing| pairing.results.games).sum();
    writeln!(
        out,
        "played      {series} series, {games} games of the bots that play; {all} games in all"
    )?;
    let now = Timestamp::now().as_second();
    let runs = store.runs()?;
    let running: Vec<_> = runs
        .iter()
        .filter(|run| run.ended.is_none() && now - run.seen.as_second() < SILENCE)
        .collect();
    let left = class.choice(&store, &current)?.left();
    let jobs: u64 = running.iter().map(|run| run.jobs).sum();
    let mean = took.checked_div(u32::try_from(series).unwrap_or(u32::MAX));
    let time = mean.map(|mean| mean.as_secs_f64() * league::statistics::real(left));
    match time {
        _ if left == 0 => writeln!(out, "left        nothing")?,
        None => writeln!(out, "left        about {left} series")?,
        Some(time) => {
            let jobs = if jobs == 0 { cores() } else { jobs };
            let time = Duration::from_secs_f64((time / league::statistics::real(jobs)).ceil());
            let time = humantime::format_duration(time);
            writeln!(out, "left        about {left} series, {time} with {jobs} at a time")?;
        }
    }
    for run in &running {
        let begun = humantime::format_rfc3339_seconds(run.begun.into());
        writeln!(
            out,
            "running     process {} on {} since {begun}: {} series, the last {} s ago",
            run.process,
            run.host,
            run.series,
            now - run.seen.as_second()
        )?;
    }
    if running.is_empty() {
        writeln!(out, "running     nothing")?;
    }
    Ok(())
}

fn cores() -> u64 {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64)
}
