//! The series that one run of the whole contest would have played, in order.

use std::ops::Range;
use std::path::PathBuf;

use super::MergeError;
use super::index::{Index, Indexed};
use crate::contest::resume::is_beginning;
use crate::contest::run::has_spoiled_too_many;
use crate::record::ContestHeader;
use league::crosstable::Crosstable;
use league::schedule::{Format, Plan, Schedule};

/// The series of a whole contest, as far as they are known from the records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// The series to take, by number, in order, as ranges: mostly it is one.
    pub(super) takes: Vec<Range<usize>>,
    /// The series that are not there.
    pub(super) missing: Vec<usize>,
    /// Whether later rounds depend on the missing series.
    pub(super) is_open: bool,
    /// The number of series that one run would not have played, or may not have played.
    pub(super) left_out: usize,
}

impl Order {
    /// Takes a series with a higher number than those before.
    fn take(&mut self, number: usize) {
        match self.takes.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            Some(_) | None => self.takes.push(number..number + 1),
        }
    }

    /// Returns whether a series is taken.
    fn has_taken(&self, number: usize) -> bool {
        let behind = self.takes.partition_point(|taken| taken.start <= number);
        behind > 0 && self.takes[behind - 1].contains(&number)
    }

    /// Returns how many series are taken.
    pub(super) fn count(&self) -> usize {
        self.takes.iter().map(ExactSizeIterator::len).sum()
    }
}

/// Goes through the contest as one run would have played it, with the results that are in `index`. The first of the
/// records at `paths` is the one that messages about the header name.
pub(super) fn order(index: &Index, paths: &[PathBuf]) -> Result<Order, MergeError> {
    let header = &index.header;
    let plan = plan(header);
    let bad_plan = |error| MergeError::Plan {
        path: paths[0].clone(),
        error,
    };
    let mut schedule = Schedule::grown(plan, &header.grown).map_err(bad_plan)?;
    let mut standing = Standing::new(header);
    let mut order = Order::default();
    let mut there = index.firsts().peekable();
    // The schedule is asked as in a run, with the results of the index: which series a Swiss tournament or a
    // knockout has is known only round by round.
    while let Some(round) = schedule.next_round(&standing.table, &|player| standing.out[player]) {
        for series in round {
            // A schedule numbers series in the order in which it gives them out. Those that it leaves out are passed.
            while there
                .next_if(|found| found.series.number < series.number)
                .is_some()
            {}
            let found = there.next_if(|found| found.series.number == series.number);
            let is_out = series.players.iter().any(|player| standing.out[*player]);
            match found {
                // Behind a gap a player may seem disqualified only because the games in the gap are missing.
                // Played by a lane that ran ahead of the disqualification, or by a shard that did not know of
                // it. Left out below.
                Some(_) if is_out && order.missing.is_empty() => {}
                None if is_out => {}
                None => order.missing.push(series.number),
                Some(found) if found.series == series => {
                    standing.add(&found);
                    order.take(series.number);
                }
                // A sequential test had decided in its middle. A merged record has whole series only.
                Some(found) if is_beginning(&found.series, &series) => {
                    order.missing.push(series.number);
                }
                Some(found) => return Err(foreign(&found, paths)),
            }
        }
        // With a gap the results are incomplete, and the next round drawn from them would be a wrong one.
        let depends_on_results = match plan.format {
            Format::RoundRobin | Format::Gauntlet => false,
            Format::Swiss { .. } | Format::Knockout => true,
        };
        if depends_on_results && !order.missing.is_empty() {
            order.is_open = true;
            break;
        }
    }
    for found in index.firsts() {
        let number = found.series.number;
        if !order.has_taken(number) {
            let is_out = |player: &usize| standing.out.get(*player).is_some_and(|out| *out);
            // All rounds are known here, so a series that is in none of them and has no disqualified player
            // is not of this contest, though the header says so.
            let is_cut = order.missing.binary_search(&number).is_ok();
            if !order.is_open && !is_cut && !found.series.players.iter().any(is_out) {
                return Err(foreign(&found, paths));
            }
            order.left_out += 1;
        }
    }
    Ok(order)
}

fn foreign(found: &Indexed, paths: &[PathBuf]) -> MergeError {
    let (path, series) = (paths[found.file].clone(), found.series.number + 1);
    MergeError::Foreign {
        path,
        line: found.line,
        series,
    }
}

/// Returns what was planned, by what the record says of it.
fn plan(header: &ContestHeader) -> Plan {
    let config = &header.config;
    let (players, series) = (config.players.len(), config.series);
    Plan {
        format: config.schedule,
        players,
        games: header.games,
        series,
    }
}

/// The standing of a contest, as far as its schedule depends on it.
struct Standing {
    table: Crosstable,
    /// The number of games that each player has spoiled and how many it has played.
    faults: Vec<(u64, u64)>,
    out: Vec<bool>,
    bound: Option<f64>,
}

impl Standing {
    fn new(header: &ContestHeader) -> Standing {
        let players = header.config.players.len();
        Standing {
            table: Crosstable::new(players),
            faults: vec![(0, 0); players],
            out: header
                .config
                .players
                .iter()
                .map(|player| player.cannot_play)
                .collect(),
            bound: header.config.max_faults,
        }
    }

    fn add(&mut self, found: &Indexed) {
        let [one, other] = found.series.players;
        self.table.add(one, other, found.half_points, found.counted);
        for (player, new) in found.series.players.into_iter().zip(found.faults) {
            let (faults, games) = &mut self.faults[player];
            *faults += new;
            *games += u64::from(found.series.games);
            self.out[player] |= self
                .bound
                .is_some_and(|bound| has_spoiled_too_many(*faults, *games, bound));
        }
    }
}
