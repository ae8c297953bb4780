//! A night in parts, each for a machine of its own: the tasks of a scheduler play them, without the index of the class.
//!
//! The plan of a night is a list of series for each part, as a file. A part is played as a contest of these series, so its
//! result is a record, with as many attempts as there are: see [`Attempts`]. What they have is put into the pool.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::choice::SeriesChoice;
use bothost::Interrupt;
use league::schedule::Series;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::class::{make_folder, short};
use crate::pool::Pool;
use crate::{Bot, BotKey, Class, ClassError};
use engine::cluster::{self, Left, Work};
use engine::contest::{
    Attempts, Contest, Finish, Fixtures, Lanes, OpenRecord, PlayedSeries, Reporter, Shard,
    series_of,
};
use engine::game::Entrant;
use engine::record::{RecordError, RecordReader};

/// The parts of a night when no option says otherwise.
const PARTS: usize = 8;

/// The most series of a night: the choice of what is worth playing grows old.
const MOST: u64 = 100_000;

/// The most series of a plan, whatever is asked for.
const LARGEST: u64 = 10_000_000;

/// The most parts that a plan can have.
const MOST_PARTS: usize = 100_000;

/// The version of the plan. Parts of version 1 had files of a form of their own.
const VERSION: u32 = 2;

/// The part of the plan that is the same in every version.
#[derive(Deserialize)]
struct Form {
    version: u32,
}

/// The plan of a night. It alone decides which series are in which part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct NightPlan {
    version: u32,
    /// The digest of what games depend on.
    terms: String,
    /// The number of parts.
    parts: usize,
    bots: Vec<PlannedBot>,
    pairs: Vec<PlannedPair>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PlannedBot {
    /// The key that tells it from others.
    #[serde(flatten)]
    key: BotKey,
    /// The command that starts it in its folder.
    command: String,
    /// Whether it is built of the course's classes; not in plans of version 1.0.0-rc.1.
    #[serde(default)]
    of_course: bool,
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
#[derive(Debug)]
pub struct PartedNight<'c> {
    pool: Pool<'c>,
    plan: NightPlan,
    folder: PathBuf,
    /// The number of series that were played and are not in the pool yet, as another program plays their bots.
    waiting: usize,
}

impl NightPlan {
    /// Plans at most `most` series, in this number of parts.
    fn new(
        class: &Class,
        mut choice: SeriesChoice,
        bots: &[Bot],
        most: u64,
        parts: usize,
    ) -> NightPlan {
        let places: HashMap<i64, usize> = bots.iter().map(|bot| bot.id).zip(0..).collect();
        let mut pairs: Vec<PlannedPair> = Vec::new();
        let mut known: HashMap<[i64; 2], usize> = HashMap::new();
        let none = HashSet::new();
        for _ in 0..most {
            let Some(pair) = choice.next(&none) else {
                break;
            };
            let at = *known.entry(pair).or_insert_with(|| {
                let first = u32::try_from(choice.series(pair)).unwrap_or(u32::MAX);
                pairs.push(PlannedPair {
                    bots: pair.map(|bot| places[&bot]),
                    first,
                    series: 0,
                });
                pairs.len() - 1
            });
            pairs[at].series += 1;
        }
        let bots = bots.iter().map(|bot| PlannedBot {
            key: bot.key.clone(),
            command: bot.command.clone(),
            of_course: bot.of_course,
        });
        NightPlan {
            version: VERSION,
            terms: class.terms_key(),
            parts,
            bots: bots.collect(),
            pairs,
        }
    }

    /// Reads the plan in `folder`; `None` if there is none.
    fn read(folder: &Path) -> Result<Option<NightPlan>, ClassError> {
        let path = NightPlan::path(folder);
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
        let plan: NightPlan =
            serde_json::from_slice(&text).map_err(|error| about(&path, &error))?;
        let n_bots = plan.bots.len();
        let is_pair = |pair: &PlannedPair| {
            let [one, two] = pair.bots;
            one != two && one.max(two) < n_bots && pair.first.checked_add(pair.series).is_some()
        };
        let is_sound = plan.version == VERSION
            && (1..=MOST_PARTS).contains(&plan.parts)
            && plan.pairs.iter().all(is_pair)
            && plan.series() <= LARGEST;
        if is_sound {
            Ok(Some(plan))
        } else {
            Err(about(&path, &"not a plan of this version"))
        }
    }

    /// Writes the plan into `folder`.
    fn write(&self, folder: &Path) -> Result<(), ClassError> {
        make_folder(folder)?;
        let path = NightPlan::path(folder);
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
        short(&Sha256::digest(text))
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
            // Pairs are dealt out in turn, so that those with a slow bot are spread.
            if part.takes(place) {
                let of_pair = pair.first..pair.first.saturating_add(pair.series);
                all.extend((number..).zip(of_pair).map(|(number, of_pair)| {
                    (
                        Series {
                            number,
                            ..class.series(pair.bots, of_pair)
                        },
                        of_pair,
                    )
                }));
            }
            number += pair.series as usize;
        }
        all
    }

    /// Returns its bots.
    fn all_bots(&self) -> Vec<Bot> {
        (0..self.bots.len()).map(|place| self.bot(place)).collect()
    }

    fn bot(&self, place: usize) -> Bot {
        let PlannedBot {
            key,
            command,
            of_course,
        } = self.bots[place].clone();
        Bot {
            of_course,
            ..Bot::unknown(key, command)
        }
    }
}

fn about(path: &Path, what: &dyn std::fmt::Display) -> ClassError {
    ClassError::misuse(format!("{}: {what}", path.display()))
}

impl Work for PartedNight<'_> {
    type Error = ClassError;

    /// Puts what the parts have come to into the pool, and returns which of them are not complete.
    fn left(&mut self) -> Result<Left, ClassError> {
        let class = self.pool.class;
        if self.plan.terms != self.pool.terms {
            return Err(about(&self.folder, &OTHER_TERMS));
        }
        let mut bots = self.plan.all_bots();
        for bot in &mut bots {
            bot.id = self.pool.store.put_bot(&bot.key, &bot.command)?;
        }
        let setup = class.setup(&bots, 0, None)?;
        let mut left = Left::default();
        self.waiting = 0;
        for (part, attempts) in Attempts::of_all(&self.folder, self.plan.parts) {
            let series = self.plan.of_part(class, part);
            let longest = attempts.longest()?;
            let done = longest.as_ref().map_or(0, |longest| longest.series);
            left.done += done as u64;
            if done < series.len() {
                left.tasks.push(part.index() + 1);
            }
            if let Some(longest) = longest {
                self.waiting += self.put(&longest.path, &series, &bots, &setup.entrants)?;
            }
        }
        Ok(left)
    }

    fn say(&mut self, what: &str) {
        self.pool.class.note(what);
    }
}

impl PartedNight<'_> {
    /// Puts the series of a part that are in the record at `path` into the pool, but for those that are there already. Returns
    /// how many have to wait. `bots` are those of the plan, and `entrants` the same as players.
    fn put(
        &mut self,
        path: &Path,
        of_part: &[(Series, u32)],
        bots: &[Bot],
        entrants: &[Entrant],
    ) -> Result<usize, ClassError> {
        let class = self.pool.class;
        let known: HashMap<usize, (Series, u32)> =
            of_part.iter().map(|one| (one.0.number, *one)).collect();
        let mut reader = RecordReader::open(path)?;
        let mut waiting = 0;
        loop {
            let chunk = match reader.next_chunk() {
                Ok(Some(chunk)) => chunk,
                // A task that runs now writes it.
                Ok(None) | Err(RecordError::Line { .. }) => return Ok(waiting),
                Err(error) => return Err(error.into()),
            };
            let Some(series) = series_of(&chunk) else {
                continue;
            };
            let Some((_, number)) = known.get(&series.number).filter(|one| one.0 == series) else {
                return Err(about(path, &"it is of another plan; it does not count"));
            };
            let both = series.players.map(|player| &bots[player]);
            if self
                .pool
                .store
                .next_number(both.map(|bot| bot.id), &self.pool.terms)?
                > *number
            {
                continue;
            }
            let as_players = series.players.map(|player| &entrants[player]);
            let Some(place) = self.pool.take(both, as_players)? else {
                let [one, two] = both.map(|bot| bot.key.called());
                class.note(&format!(
                    "{one} against {two}: another program plays these two"
                ));
                waiting += 1;
                continue;
            };
            match place.number.cmp(number) {
                Ordering::Equal => {
                    self.pool
                        .put(place, &PlayedSeries::of_record(series, chunk))?;
                }
                // One before it has to wait.
                Ordering::Less => waiting += 1,
                // Another program has just played it.
                Ordering::Greater => {}
            }
        }
    }
}

/// The reason why a plan cannot be played.
const OTHER_TERMS: &str = "[game], [play] or the secret of the class changed since this was planned; remove this folder and type class play --on again";

impl Class {
    /// Continues the night in parts that was planned before, or plans one: at most `most` series, in `parts` parts.
    ///
    /// # Errors
    /// If the index or a plan cannot be read, or a plan cannot be written.
    pub fn parted_night(
        &self,
        most: Option<u64>,
        parts: Option<usize>,
    ) -> Result<PartedNight<'_>, ClassError> {
        let folder = self.folder.path().join("cluster");
        let pool = Pool::open(self)?;
        if let Some(plan) = NightPlan::read(&folder)? {
            let mut night = PartedNight {
                pool,
                plan,
                folder,
                waiting: 0,
            };
            let left = night.left()?;
            if !left.tasks.is_empty() || night.waiting > 0 {
                let parts = left.tasks.len();
                self.note(&format!(
                    "continuing the night that was planned before: {parts} parts are left"
                ));
                return Ok(night);
            }
            forget(&night.folder)?;
            return self.parted_night(most, parts);
        }
        let current = self.current(&pool.store)?;
        self.note_unchecked(&current);
        let choice = self.choice(&pool.store, &current)?;
        let bots: Vec<Bot> = current.playing().cloned().collect();
        let most = most.unwrap_or(MOST).min(LARGEST);
        let parts = parts.unwrap_or(PARTS);
        let plan = NightPlan::new(self, choice, &bots, most, parts);
        plan.write(&folder)?;
        Ok(PartedNight {
            pool,
            plan,
            folder,
            waiting: 0,
        })
    }

    /// Plays what is left of a part of the plan in `folder`, into an attempt of this name. The part is `None` if what was typed is
    /// not a part of any plan.
    ///
    /// # Errors
    /// If there is no such part, there is no sandbox, or its games cannot be played.
    pub fn play_part(
        &self,
        folder: &Path,
        part: Option<Shard>,
        attempt: &str,
        interrupt: &Interrupt,
    ) -> Result<(), ClassError> {
        let plan = NightPlan::read(folder)?.ok_or_else(|| about(folder, &"there is no plan"))?;
        let Some(part) = part.filter(|part| part.of() == plan.parts) else {
            let (folder, parts) = (folder.display(), plan.parts);
            return Err(ClassError::misuse(format!(
                "the plan in {folder} has {parts} parts; write K/{parts}"
            )));
        };
        if plan.terms != self.terms_key() {
            return Err(about(folder, &OTHER_TERMS));
        }
        let series: Vec<Series> = plan
            .of_part(self, part)
            .into_iter()
            .map(|(series, _)| series)
            .collect();
        let attempts = Attempts::new(folder, part);
        if attempts
            .longest()?
            .is_some_and(|longest| longest.series >= series.len())
        {
            return Ok(());
        }
        // Several parts may be played on one machine, and not all schedulers keep them apart.
        let lanes = Lanes::new(Some(1), self.terms.pin).of_part(part.index());
        lanes.make_room().map_err(ClassError::misuse)?;
        let setup = self.setup(&plan.all_bots(), 0, self.test_sandbox()?)?;
        let record = OpenRecord::open(&attempts.begin(attempt)?, true, false)?;
        let contest = Contest {
            setup: &setup,
            fixtures: Fixtures::List(series),
            disqualifies: false,
            lanes: &lanes,
            record: Some(record),
            sprt: None,
            keeps_evidence: true,
            interrupt,
            breaks_off: None,
            gallery: None,
        };
        match contest.run(&mut Vec::<&mut dyn Reporter>::new())?.finish {
            Finish::Complete | Finish::Decided(_) => Ok(()),
            Finish::Interrupted => {
                let what = "interrupted; the same part continues where it stopped";
                Err(ClassError::Interrupted(what.to_owned()))
            }
        }
    }
}

impl PartedNight<'_> {
    /// Returns the number of its series.
    #[must_use]
    pub fn series(&self) -> u64 {
        self.plan.series()
    }

    /// Returns the number of its parts.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.plan.parts
    }

    /// Returns the number of series that were played and are not in the pool yet, as another program plays their bots. They
    /// stay in the folder of the plan.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// Returns the folder of its plan.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns what tells its plan from others.
    #[must_use]
    pub fn key(&self) -> String {
        self.plan.key()
    }

    /// Notes in the index that `scheduler` plays it. Returns the number of the note.
    ///
    /// # Errors
    /// If the index cannot be written.
    pub fn begin_run(&self, scheduler: &str) -> Result<i64, ClassError> {
        Ok(self.pool.store.begin_run(scheduler, self.plan.parts)?)
    }

    /// Notes in the index that this run is over, and how the bots stand.
    ///
    /// # Errors
    /// If the index cannot be written.
    pub fn end_run(&mut self, run: i64) -> Result<(), ClassError> {
        self.pool.store.end_run(run)?;
        self.pool.class.write_night(&mut self.pool.store)
    }

    /// Removes what was written for it, once it is in the pool.
    ///
    /// # Errors
    /// If a scheduler may still run its parts, or the folder cannot be removed.
    pub fn forget(self) -> Result<(), ClassError> {
        forget(&self.folder)
    }
}

/// Removes what was written for a night that is in the pool.
fn forget(folder: &Path) -> Result<(), ClassError> {
    cluster::check_free(folder)?;
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}
