//! A night in parts, each for a machine of its own: what is to be played, as a file; a part of it played without the index;
//! and what the parts have come to, put into the pool.
//!
//! A part writes a line for each series, whole or not at all, to a file of its own: another attempt at the same part, on
//! another machine or at the same time, writes another file. What is in one of them is not played again, and what is in two
//! counts once.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use class::choice::Choice;
use class::{Bot, BotKey, Forfeit, PlayedSeries, Results, Store};
use jiff::Timestamp;
use league::statistics::{Pentanomial, Wdl};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::pool::Table;
use super::records::RecordFile;
use super::{Class, DIGITS, make_folder};
use crate::cli::complain;
use crate::cli::exit::Failure;
use crate::cli::listen;
use crate::contest::Lanes;
use crate::record::{frame, hexadecimal};
use crate::system;

/// The version of the files here.
const VERSION: u32 = 1;

/// What a night consists of. Which series are in which part follows from this alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Plan {
    version: u32,
    /// The digest of what games depend on.
    terms: String,
    /// The number of parts.
    pub(super) parts: usize,
    bots: Vec<PlannedBot>,
    pairs: Vec<PlannedPair>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PlannedBot {
    student: String,
    name: String,
    digest: String,
    command: String,
}

/// Series of two bots that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PlannedPair {
    /// The places of the bots in the list; the first one is the first in their games.
    bots: [usize; 2],
    /// The number of the first series, from 0.
    first: u32,
    series: u32,
}

/// A series that a part has played, as a line of its file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    terms: String,
    /// The place of its pair in the plan.
    pair: usize,
    number: u32,
    played: i64,
    took_ms: u64,
    games: u64,
    pairs: [u64; 5],
    singles: [u64; 3],
    odd: [String; 2],
    forfeits: Vec<LineForfeit>,
    /// The frame of its record, in base64.
    record: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct LineForfeit {
    game: u32,
    seat: usize,
    reason: String,
    said: String,
}

impl Plan {
    /// Plans at most `most` series, in so many parts.
    pub(super) fn new(
        class: &Class,
        mut choice: Choice,
        bots: &[Bot],
        most: u64,
        parts: usize,
    ) -> Plan {
        let places: HashMap<i64, usize> = bots.iter().map(|bot| bot.id).zip(0..).collect();
        let mut pairs: Vec<PlannedPair> = Vec::new();
        let mut known: HashMap<[i64; 2], usize> = HashMap::new();
        let none = HashSet::new();
        for _ in 0..most {
            let Some(pair) = choice.next(&none) else { break };
            let at = *known.entry(pair).or_insert_with(|| {
                let first = u32::try_from(choice.series(pair)).unwrap_or(u32::MAX);
                pairs.push(PlannedPair { bots: pair.map(|bot| places[&bot]), first, series: 0 });
                pairs.len() - 1
            });
            pairs[at].series += 1;
        }
        let bots = bots.iter().map(|bot| PlannedBot {
            student: bot.key.student.clone(),
            name: bot.key.name.clone(),
            digest: bot.key.digest.clone(),
            command: bot.command.clone(),
        });
        Plan { version: VERSION, terms: class.terms_key(), parts, bots: bots.collect(), pairs }
    }

    /// Reads the plan in `folder`; `None` if there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Plan>, Failure> {
        let path = Plan::path(folder);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(about(&path, &error)),
        };
        let plan: Plan = serde_json::from_slice(&text).map_err(|error| about(&path, &error))?;
        let n_bots = plan.bots.len();
        let is_sound = plan.version == VERSION
            && plan.parts > 0
            && plan.pairs.iter().all(|pair| pair.bots.iter().all(|bot| *bot < n_bots));
        if is_sound {
            Ok(Some(plan))
        } else {
            Err(about(&path, &"this is no plan of this version"))
        }
    }

    /// Writes the plan into `folder`.
    pub(super) fn write(&self, folder: &Path) -> Result<(), Failure> {
        make_folder(folder)?;
        let path = Plan::path(folder);
        let part = folder.join(".plan.json.part");
        let text = serde_json::to_vec(self).map_err(io::Error::from)?;
        fs::write(&part, text)
            .and_then(|()| fs::rename(&part, &path))
            .map_err(|error| about(&path, &error))
    }

    fn path(folder: &Path) -> PathBuf {
        folder.join("plan.json")
    }

    /// Returns what tells this plan from others.
    pub(super) fn key(&self) -> String {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let mut key = hexadecimal(&Sha256::digest(text));
        key.truncate(DIGITS);
        key
    }

    /// Returns the number of its series.
    pub(super) fn series(&self) -> u64 {
        self.pairs.iter().map(|pair| u64::from(pair.series)).sum()
    }

    /// Returns the series of a part, counted from 1: the places of their pairs, and their numbers. All series of a pair are
    /// in one part, in their order.
    fn of_part(&self, part: usize) -> impl Iterator<Item = (usize, u32)> {
        let (parts, pairs) = (self.parts, self.pairs.iter().enumerate());
        // Dealt out in turn, so that pairs with a slow bot are spread.
        let own = pairs.filter(move |(place, _)| place % parts == part - 1);
        own.flat_map(|(place, pair)| {
            (0..pair.series).map(move |number| (place, pair.first + number))
        })
    }

    fn bot(&self, place: usize) -> Bot {
        let PlannedBot { student, name, digest, command } = self.bots[place].clone();
        Bot::unknown(BotKey { student, name, digest }, command)
    }
}

fn about(path: &Path, what: &dyn std::fmt::Display) -> Failure {
    Failure::misuse(format!("{}: {what}", path.display()))
}

/// Returns the beginning of the names of the files of a part.
fn beginning(part: usize) -> String {
    format!("part-{part}.")
}

/// Returns the files that attempts at a part have written.
fn files(folder: &Path, part: usize) -> Vec<PathBuf> {
    let beginning = beginning(part);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(&beginning)))
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 256 << 20;

/// Calls `each` with all whole lines of a file. A last one that was cut short is left out.
fn each_line(
    path: &Path,
    each: &mut dyn FnMut(Line) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut reader = BufReader::new(File::open(path).map_err(|error| about(path, &error))?);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        if read.map_err(|error| about(path, &error))? == 0 || bytes.last() != Some(&b'\n') {
            return Ok(());
        }
        let line = serde_json::from_slice(&bytes).map_err(|error| about(path, &error))?;
        each(line)?;
    }
}

/// Plays what is left of a part of the plan in `folder`.
pub(in crate::cli) fn play_part(class: &Path, folder: &Path, part: &str) -> Result<(), Failure> {
    let interrupt = listen()?;
    let class = Class::open(class)?;
    let plan = Plan::read(folder)?.ok_or_else(|| about(folder, &"there is no plan"))?;
    let part = part
        .split_once('/')
        .and_then(|(part, of)| Some((part.parse::<usize>().ok()?, of.parse::<usize>().ok()?)));
    let part = part.filter(|(part, of)| *of == plan.parts && (1..=*of).contains(part));
    let Some((part, _)) = part else {
        let what = format!(
            "the plan in {} has {} parts; write K/{}",
            folder.display(),
            plan.parts,
            plan.parts
        );
        return Err(Failure::misuse(what));
    };
    let terms = class.terms_key();
    if plan.terms != terms {
        let what =
            "the class has other terms now than when this was planned: type class play --on again";
        return Err(about(folder, &what));
    }
    let mut done = BTreeSet::new();
    for file in files(folder, part) {
        each_line(&file, &mut |line| {
            done.insert((line.pair, line.number));
            Ok(())
        })?;
    }
    let left: Vec<_> = plan.of_part(part).filter(|one| !done.contains(one)).collect();
    if left.is_empty() {
        return Ok(());
    }
    let sandbox = class.test_sandbox()?;
    // Several parts may be played on one machine, and not all schedulers keep them apart.
    let lanes = Lanes::new(Some(1), class.terms.pin).of_part(part - 1);
    lanes.make_room().map_err(Failure::misuse)?;
    let table = Table { class: &class, terms, sandbox, lanes, stop: AtomicBool::new(false) };
    let (host, process, now) =
        (system::host_name(), std::process::id(), Timestamp::now().as_millisecond());
    let path = folder.join(format!("{}{host}-{process}-{now}.jsonl", beginning(part)));
    let mut file = File::create_new(&path).map_err(|error| about(&path, &error))?;
    for (pair, number) in left {
        if interrupt.is_noted() {
            return Err(Failure::Interrupted(
                "interrupted; the same part goes on where it was".to_owned(),
            ));
        }
        let line = play_one(&table, &plan, pair, number)?;
        let mut text = serde_json::to_vec(&line).map_err(io::Error::from)?;
        text.push(b'\n');
        let written = file.write_all(&text).and_then(|()| file.sync_data());
        written.with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn play_one(table: &Table<'_>, plan: &Plan, place: usize, number: u32) -> Result<Line, Failure> {
    let bots = plan.pairs[place].bots.map(|bot| plan.bot(bot));
    let both = [&bots[0], &bots[1]];
    let mut pair = table.class.pair(both, table.sandbox.as_ref())?;
    let series = pair.series(number);
    let Some((played, forfeits, lines)) = table.play_series(&pair, both, &series, 0)? else {
        return Err(Failure::Interrupted("interrupted".to_owned()));
    };
    let Wdl { wins, draws, losses } = played.results.singles;
    let forfeits = forfeits.into_iter().map(|(seat, forfeit)| {
        let Forfeit { game, reason, said, .. } = forfeit;
        LineForfeit { game, seat, reason, said }
    });
    Ok(Line {
        terms: plan.terms.clone(),
        pair: place,
        number,
        played: played.played.as_second(),
        took_ms: u64::try_from(played.took.as_millis()).unwrap_or(u64::MAX),
        games: played.results.games,
        pairs: played.results.pairs.counts(),
        singles: [wins, draws, losses],
        odd: played.odd,
        forfeits: forfeits.collect(),
        record: STANDARD.encode(frame(&lines)?),
    })
}

/// What has been put into the pool of a plan.
pub(super) struct Merged {
    /// The parts that are not complete.
    pub(super) left: Vec<usize>,
    /// The series of the plan that are in the pool.
    pub(super) done: u64,
}

/// Puts all that the parts of the plan in `folder` have come to into the pool. It may be done at any time, and as often as one
/// likes.
pub(super) fn merge(
    class: &Class,
    store: &mut Store,
    plan: &Plan,
    folder: &Path,
) -> Result<Merged, Failure> {
    let mut ids = Vec::new();
    for place in 0..plan.bots.len() {
        let bot = plan.bot(place);
        ids.push(store.put_bot(&bot.key, &bot.command)?);
    }
    let mut merged = Merged { left: Vec::new(), done: 0 };
    for part in 1..=plan.parts {
        for file in files(folder, part) {
            each_line(&file, &mut |line| {
                if line.terms != plan.terms || plan.terms != class.terms_key() {
                    return Err(about(
                        &file,
                        &"it was played under other terms; it does not count",
                    ));
                }
                let Some(pair) = plan.pairs.get(line.pair) else {
                    return Err(about(&file, &"it is of another plan; it does not count"));
                };
                put(class, store, plan, pair, &ids, &line, &file)
            })?;
        }
        let mut complete = true;
        for (place, number) in plan.of_part(part) {
            let pair = plan.pairs[place].bots.map(|bot| ids[bot]);
            let there = store.next_number(pair, &plan.terms)? > number;
            merged.done += u64::from(there);
            complete &= there;
        }
        if !complete {
            merged.left.push(part);
        }
    }
    Ok(merged)
}

/// Puts a series into the pool, if it is the next one of its pair.
fn put(
    class: &Class,
    store: &mut Store,
    plan: &Plan,
    pair: &PlannedPair,
    ids: &[i64],
    line: &Line,
    file: &Path,
) -> Result<(), Failure> {
    let bots = pair.bots.map(|bot| ids[bot]);
    let both = pair.bots.map(|bot| Bot { id: ids[bot], ..plan.bot(bot) });
    if store.next_number(bots, &plan.terms)? != line.number {
        // Known already, or behind one that is still to come.
        return Ok(());
    }
    let setup = class.pair([&both[0], &both[1]], None)?;
    let bytes = STANDARD.decode(&line.record).map_err(|error| about(file, &error))?;
    let path = class.folder.path().join(&setup.file);
    let Some(mut record) = RecordFile::lock(&path)? else {
        complain(&format!(
            "{}: another program plays these two; merge again later",
            path.display()
        ));
        return Ok(());
    };
    let behind = store.end_of(&setup.file)?;
    let behind = record.append_frame(behind, &bytes)?;
    let [wins, draws, losses] = line.singles;
    let played = PlayedSeries {
        bots,
        terms: plan.terms.clone(),
        number: line.number,
        played: Timestamp::from_second(line.played).unwrap_or_default(),
        took: Duration::from_millis(line.took_ms),
        file: setup.file.clone(),
        behind,
        results: Results {
            games: line.games,
            pairs: Pentanomial::new(line.pairs),
            singles: Wdl { wins, draws, losses },
        },
        odd: line.odd.clone(),
    };
    let forfeits: Vec<Forfeit> = line
        .forfeits
        .iter()
        .filter(|one| one.seat < 2)
        .map(|one| Forfeit {
            bots,
            game: one.game,
            bot: bots[one.seat],
            reason: one.reason.clone(),
            said: one.said.clone(),
        })
        .collect();
    store.add_series(&played, &forfeits)?;
    Ok(())
}
