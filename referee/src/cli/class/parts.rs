//! A night in parts, each for a machine of its own: the tasks of a scheduler play them, without the index of the class.
//!
//! The plan of a night is a list of series for each part, as a file. A part is played as a contest of these series, so its
//! result is a record, with as many attempts as there are: see [`Attempts`]. What they have is put into the pool.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use class::choice::Choice;
use class::{Bot, BotKey};
use league::schedule::Series;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::play::{PlayOptions, warn_of_unchecked};
use super::pool::Pool;
use super::{Class, DIGITS, make_folder};
use crate::cli::exit::{self, Failure};
use crate::cli::scheduler::{SchedulerPlan, attempt_name, stuck, write_only};
use crate::cli::{complain, listen};
use engine::cluster::{self, Job, Left, Outcome, Word, Work};
use engine::contest::{
    Attempts, Contest, Finish, Fixtures, Lanes, OpenRecord, PlayedSeries, Reporter, Shard,
    series_of,
};
use engine::record::{RecordError, RecordReader, hexadecimal};

/// The parts of a night when no option says otherwise.
const PARTS: usize = 8;

/// The most series of a night: the choice of what is worth playing grows old.
const MOST: u64 = 100_000;

/// The version of the plan. Parts of version 1 had files of a form of their own.
const VERSION: u32 = 2;

/// What every version of the plan says of itself.
#[derive(Deserialize)]
struct Form {
    version: u32,
}

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

/// A night in parts.
struct Night<'c> {
    pool: Pool<'c>,
    plan: Plan,
    folder: PathBuf,
}

impl Plan {
    /// Plans at most `most` series, in so many parts.
    fn new(class: &Class, mut choice: Choice, bots: &[Bot], most: u64, parts: usize) -> Plan {
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
    fn read(folder: &Path) -> Result<Option<Plan>, Failure> {
        let path = Plan::path(folder);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(about(&path, &error)),
        };
        let Form { version } =
            serde_json::from_slice(&text).map_err(|error| about(&path, &error))?;
        if version == 1 {
            let what = "version 1.0.0-rc.1 of the referee planned this night: let that version finish it, or remove this \
                        folder and type class play --on again";
            return Err(about(&path, &what));
        }
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
    fn write(&self, folder: &Path) -> Result<(), Failure> {
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
    fn key(&self) -> String {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let mut key = hexadecimal(&Sha256::digest(text));
        key.truncate(DIGITS);
        key
    }

    /// Returns the number of its series.
    fn series(&self) -> u64 {
        self.pairs.iter().map(|pair| u64::from(pair.series)).sum()
    }

    /// Returns the series of a part as they are played, with their numbers among those of their pairs. All series of a pair
    /// are in one part, in their order.
    fn of_part(&self, class: &Class, part: Shard) -> Vec<(Series, u32)> {
        let mut number = 0;
        let mut all = Vec::new();
        for (place, pair) in self.pairs.iter().enumerate() {
            for of_pair in pair.first..pair.first.saturating_add(pair.series) {
                // Pairs are dealt out in turn, so that those with a slow bot are spread.
                if part.takes(place) {
                    all.push((Series { number, ..class.series(pair.bots, of_pair) }, of_pair));
                }
                number += 1;
            }
        }
        all
    }

    /// Returns its bots.
    fn all_bots(&self) -> Vec<Bot> {
        (0..self.bots.len()).map(|place| self.bot(place)).collect()
    }

    fn bot(&self, place: usize) -> Bot {
        let PlannedBot { student, name, digest, command } = self.bots[place].clone();
        Bot::unknown(BotKey { student, name, digest }, command)
    }
}

fn about(path: &Path, what: &dyn std::fmt::Display) -> Failure {
    Failure::misuse(format!("{}: {what}", path.display()))
}

impl Work for Night<'_> {
    type Error = Failure;

    /// Puts what the parts have come to into the pool, and returns which of them are not complete.
    fn left(&mut self) -> Result<Left, Failure> {
        let class = self.pool.class;
        if self.plan.terms != self.pool.terms {
            return Err(about(&self.folder, &OTHER_TERMS));
        }
        let mut left = Left::default();
        for (part, attempts) in Attempts::of_all(&self.folder, self.plan.parts) {
            let series = self.plan.of_part(class, part);
            let longest = attempts.longest()?;
            let done = longest.as_ref().map_or(0, |longest| longest.series);
            left.done += done as u64;
            if done < series.len() {
                left.tasks.push(part.index() + 1);
            }
            if let Some(longest) = longest {
                self.put(&longest.path, &series)?;
            }
        }
        Ok(left)
    }

    fn say(&mut self, what: &str) {
        complain(what);
    }
}

impl Night<'_> {
    /// Puts the series of a part that are in the record at `path` into the pool, but for those that are there already.
    fn put(&mut self, path: &Path, of_part: &[(Series, u32)]) -> Result<(), Failure> {
        let class = self.pool.class;
        let mut bots = self.plan.all_bots();
        for bot in &mut bots {
            bot.id = self.pool.store.put_bot(&bot.key, &bot.command)?;
        }
        let setup = class.setup(&bots, 0, None)?;
        let known: HashMap<usize, (Series, u32)> =
            of_part.iter().map(|one| (one.0.number, *one)).collect();
        let mut reader = RecordReader::open(path)?;
        loop {
            let chunk = match reader.next_chunk() {
                Ok(Some(chunk)) => chunk,
                // A task that runs now writes it.
                Ok(None) | Err(RecordError::Line { .. }) => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            let Some(series) = series_of(&chunk) else { continue };
            let Some((_, number)) = known.get(&series.number).filter(|one| one.0 == series) else {
                return Err(about(path, &"it is of another plan; it does not count"));
            };
            let both = series.players.map(|player| &bots[player]);
            if self.pool.store.next_number(both.map(|bot| bot.id), &self.pool.terms)? > *number {
                continue;
            }
            let entrants = series.players.map(|player| &setup.entrants[player]);
            let Some(place) = self.pool.take(both, entrants)? else {
                let [one, two] = both.map(|bot| bot.key.called());
                complain(&format!(
                    "{one} against {two}: another program plays these two; type the same command again later"
                ));
                continue;
            };
            if place.number == *number {
                self.pool.put(place, &PlayedSeries::of_record(series, chunk))?;
            }
        }
    }
}

/// Why a plan cannot be played.
const OTHER_TERMS: &str = "[game], [play] or the secret of the class changed since this was planned; remove this folder and type class play --on again";

/// Plays what is left of a part of the plan in `folder`.
pub(in crate::cli) fn play_part(class: &Path, folder: &Path, part: &str) -> Result<(), Failure> {
    let interrupt = &listen()?;
    let class = Class::open(class)?;
    let plan = Plan::read(folder)?.ok_or_else(|| about(folder, &"there is no plan"))?;
    let Some(part) = part.parse::<Shard>().ok().filter(|part| part.of() == plan.parts) else {
        let (folder, parts) = (folder.display(), plan.parts);
        return Err(Failure::misuse(format!(
            "the plan in {folder} has {parts} parts; write K/{parts}"
        )));
    };
    if plan.terms != class.terms_key() {
        return Err(about(folder, &OTHER_TERMS));
    }
    let series: Vec<Series> =
        plan.of_part(&class, part).into_iter().map(|(series, _)| series).collect();
    let attempts = Attempts::new(folder, part);
    if attempts.longest()?.is_some_and(|longest| longest.series >= series.len()) {
        return Ok(());
    }
    // Several parts may be played on one machine, and not all schedulers keep them apart.
    let lanes = Lanes::new(Some(1), class.terms.pin).of_part(part.index());
    lanes.make_room().map_err(Failure::misuse)?;
    let setup = class.setup(&plan.all_bots(), 0, class.test_sandbox()?)?;
    let record = OpenRecord::open(&attempts.begin(&attempt_name())?, true, false)?;
    let contest = Contest {
        setup: &setup,
        fixtures: Fixtures::List(series),
        disqualifies: false,
        lanes: &lanes,
        record: Some(record),
        sprt: None,
        keeps_evidence: true,
        interrupt,
        gallery: None,
    };
    match contest.run(&mut Vec::<&mut dyn Reporter>::new())?.finish {
        Finish::Complete | Finish::Decided(_) => Ok(()),
        Finish::Interrupted => {
            let what = "interrupted; the same part continues where it stopped";
            Err(Failure::Interrupted(what.to_owned()))
        }
    }
}

/// Has a scheduler play what is missing.
pub(super) fn play_on(
    class: &Class,
    scheduler: &SchedulerPlan,
    options: &PlayOptions,
) -> Result<(), Failure> {
    let interrupt = listen()?;
    let folder = class.folder.path().join("cluster");
    let mut night = begin(class, scheduler, options, folder)?;
    if night.plan.series() == 0 {
        writeln!(io::stdout(), "nothing to play: every bot is known well enough")?;
        return forget(&night.folder);
    }
    let lanes = Lanes::new(options.jobs(class), class.terms.pin);
    let job = job(class, scheduler, &night)?;
    let mut runner = scheduler.scheduler(lanes.count(), class.terms.pin);
    if scheduler.dry_run {
        return write_only(&*runner, &job, &mut night);
    }
    let run = night.pool.store.begin_run(runner.name(), night.plan.parts)?;
    let outcome = cluster::run(&mut *runner, &job, &mut night, &interrupt);
    night.pool.store.end_run(run)?;
    class.write_night(&mut night.pool.store)?;
    match outcome? {
        Outcome::Done => {}
        Outcome::Interrupted(advice) => {
            complain(&format!("{advice}; the same command continues"));
            return Err(Failure::Said(exit::INTERRUPTED));
        }
        Outcome::Stuck(parts) => return Err(stuck(&job, &parts)),
    }
    forget(&night.folder)?;
    writeln!(
        io::stdout(),
        "{} series of {} parts are in the pool",
        night.plan.series(),
        night.plan.parts
    )?;
    Ok(())
}

/// Continues the night that was planned before, or plans one.
fn begin<'c>(
    class: &'c Class,
    scheduler: &SchedulerPlan,
    options: &PlayOptions,
    folder: PathBuf,
) -> Result<Night<'c>, Failure> {
    let pool = Pool::open(class)?;
    if let Some(plan) = Plan::read(&folder)? {
        let mut night = Night { pool, plan, folder };
        let left = night.left()?;
        if !left.tasks.is_empty() {
            let parts = left.tasks.len();
            complain(&format!(
                "continuing the night that was planned before: {parts} parts are left"
            ));
            return Ok(night);
        }
        forget(&night.folder)?;
        return begin(class, scheduler, options, night.folder);
    }
    let current = class.current(&pool.store)?;
    warn_of_unchecked(class, &current);
    let choice = class.choice(&pool.store, &current)?;
    let bots: Vec<Bot> = current.playing().cloned().collect();
    let most = options.most().unwrap_or(MOST);
    let parts = scheduler.shards.unwrap_or(PARTS);
    let plan = Plan::new(class, choice, &bots, most, parts);
    plan.write(&folder)?;
    Ok(Night { pool, plan, folder })
}

/// Removes what was written for a night that is in the pool.
fn forget(folder: &Path) -> Result<(), Failure> {
    cluster::check_free(folder)?;
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn job(class: &Class, scheduler: &SchedulerPlan, night: &Night<'_>) -> Result<Job, Failure> {
    let text = |word: &std::ffi::OsStr| {
        word.to_str().map(|word| Word::Same(word.to_owned())).ok_or_else(|| {
            Failure::misuse(format!("{} is not UTF-8, as --on needs it", word.display()))
        })
    };
    let same = |word: &str| Word::Same(word.to_owned());
    let parts = night.plan.parts;
    let command = vec![
        text(&scheduler.program()?)?,
        same("class"),
        same("-C"),
        text(class.folder.path().as_os_str())?,
        same("part"),
        text(night.folder.as_os_str())?,
        Word::Numbered { before: String::new(), after: format!("/{parts}") },
    ];
    Ok(Job {
        name: Job::name_from(&format!("{} {}", class.config.name, night.plan.key())),
        about: format!("{}: a night in {parts} parts, one a task.", class.config.name),
        tasks: parts,
        command,
        work_dir: class.folder.path().to_owned(),
        folder: night.folder.clone(),
        cpus: 1,
        pinned: class.terms.pin,
        options: scheduler.words.clone(),
    })
}
