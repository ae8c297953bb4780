//! Contests of a game in memory, disturbed in all ways that a machine knows: each is drawn from one
//! seed, resumed until it is whole, and compared with an undisturbed run. A seed that fails is
//! printed, and `SIMULATION=SEED` runs it alone; `SIMULATIONS=NUMBER` runs a longer campaign.

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bothost::{BotProgram, DialogueListener, Interrupt};
use league::schedule::{Format, Plan};
use league::statistics::sprt::{Model, Sprt};
use serde_json::Value;
use wire::game::{Bots, Game as _, Stopped};
use wire::seeds::SeededRng;
use wire::{Answer, BySide, Clock, EndedBy, Ending, Listener, Side, Stop};

use crate::contest::{
    Checked, Contest, ContestEvent, ContestSetup, Contradictions, Lanes, OpenRecord, merge,
};
use crate::game::{Entrant, StartedPair, Starter};
use crate::record::Shard;
use crate::record::{ContestConfig, ContestHeader, ListedPlayer, RecordReader};
use crate::result::{Finish, Tally};
use crate::terms::{GameTerms, OwnLimits};
use crate::tests::sums::{READERS, Sums};

/// The number of simulations where `SIMULATIONS` does not say another one.
const QUICK: u64 = 200;

/// The number of runs of a contest that may be disturbed.
const DISTURBED: usize = 3;

thread_local! {
    /// The number of bytes that this thread's disk still takes; `None` without a bound.
    static ROOM: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Returns the part of `bytes` that fits on the disk, and whether the disk is full then.
pub(crate) fn fitting(bytes: &[u8]) -> (&[u8], bool) {
    match ROOM.get() {
        Some(room) if room < bytes.len() => {
            ROOM.set(Some(0));
            (&bytes[..room], true)
        }
        room => {
            ROOM.set(room.map(|room| room - bytes.len()));
            (bytes, false)
        }
    }
}

/// The machine on which players run in memory: undisturbed, or with a source of its disturbances.
#[derive(Debug, Default)]
struct Machine {
    disturbances: Option<AtomicU64>,
    /// Whether it may be late: what later rounds depend on is then another contest.
    may_be_late: bool,
}

impl Machine {
    /// Returns a number below `bound`, and 0 on a machine that is not disturbed.
    fn draw(&self, bound: usize) -> usize {
        let Some(state) = &self.disturbances else {
            return 0;
        };
        let step = state.fetch_add(1, Ordering::Relaxed);
        SeededRng::new(step).below(bound)
    }
}

impl Starter for Arc<Machine> {
    fn start(
        &self,
        _players: &BySide<Entrant>,
        game: &str,
        _limit: Duration,
        _interrupt: &Arc<Interrupt>,
        _dialogue: Option<Box<dyn DialogueListener>>,
    ) -> Result<Box<dyn StartedPair>, Stopped> {
        assert_eq!(game, "sums");
        if self.draw(60) == 1 {
            return Err(Stopped::Failed(io::Error::other(
                "no process can be started",
            )));
        }
        Ok(Box::new(PairInMemory {
            machine: self.clone(),
            line: Vec::new(),
        }))
    }

    fn clock_for(&self, _player: &Entrant, clock: Clock) -> Clock {
        clock
    }

    fn confines(&self) -> bool {
        false
    }
}

struct PairInMemory {
    machine: Arc<Machine>,
    line: Vec<u8>,
}

impl StartedPair for PairInMemory {
    fn bots(&mut self, _clocks: BySide<Clock>) -> &mut dyn Bots {
        self
    }

    fn computed(&self) -> BySide<Option<Duration>> {
        BySide::from_fn(|_| Some(Duration::ZERO))
    }

    fn end(self: Box<Self>, _ending: Option<&Ending>) -> io::Result<BySide<Vec<String>>> {
        Ok(BySide::default())
    }
}

impl Bots for PairInMemory {
    fn tell(&mut self, _to: Side, _line: fmt::Arguments<'_>) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, of: Side, line: fmt::Arguments<'_>) -> Result<Answer<'_>, Stopped> {
        match self.machine.draw(400) {
            1 if self.machine.may_be_late => {
                let what = "the clock jumped by 7 s";
                return Err(Ending::void(None, EndedBy::MachineLate, what).into());
            }
            2 => return Err(Stopped::Failed(io::Error::other("a pipe broke"))),
            _ => {}
        }
        // What a bot does follows from what it is asked: from its seed and the turn.
        let mut hash = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(&line.to_string(), &mut hash);
        let mut rng = SeededRng::new(std::hash::Hasher::finish(&hash));
        match rng.below(40) {
            0 => return Err(Ending::lost_by(of, EndedBy::Exited, "exited with status 3").into()),
            1 => self.line = b"no number".to_vec(),
            _ => self.line = rng.below(10).to_string().into_bytes(),
        }
        Ok(Answer {
            line: &self.line,
            time: Duration::ZERO,
        })
    }

    fn comments(&mut self, _of: Side) -> Vec<u8> {
        Vec::new()
    }
}

/// Checks what a contest reports while it is played.
struct Witness<'w> {
    record: &'w Path,
    reported: HashSet<usize>,
    /// After this many games the user presses Ctrl-C.
    games: u64,
    interrupt: &'w Interrupt,
}

impl Listener<ContestEvent<'_>> for Witness<'_> {
    fn on_event(&mut self, event: &ContestEvent<'_>) -> Result<(), Stop> {
        match event {
            ContestEvent::GameOver(_) => {
                self.games = self.games.saturating_sub(1);
                if self.games == 0 {
                    self.interrupt.note();
                }
            }
            ContestEvent::SeriesOver {
                series,
                end: Some(end),
                ..
            } => {
                let line = serde_json::to_string(end).unwrap();
                let text = fs::read_to_string(self.record).unwrap();
                let is_new = self.reported.insert(series.number);
                assert!(is_new, "{series:?} is reported twice");
                assert!(
                    text.contains(&line),
                    "{series:?} is reported and not recorded"
                );
            }
            ContestEvent::SeriesOver { end: None, .. }
            | ContestEvent::Started { .. }
            | ContestEvent::Disqualified { .. }
            | ContestEvent::Stopping
            | ContestEvent::Tick => {}
        }
        Ok(())
    }
}

/// A contest that is simulated.
struct Simulation {
    config: ContestConfig,
    games: u32,
    sprt: Option<Sprt>,
    rng: SeededRng,
}

impl Simulation {
    fn draw(seed: u64) -> Simulation {
        let mut rng = SeededRng::new(seed);
        let players = 2 + rng.below(5);
        let schedule = match rng.below(5) {
            0 if players > 2 => Format::Swiss { rounds: 2 },
            1 if players > 2 => Format::Knockout,
            2 => Format::Gauntlet,
            _ => Format::RoundRobin,
        };
        let is_open = schedule.is_fixed();
        let games = 2 * (1 + u32::try_from(rng.below(8)).unwrap());
        let games = if players == 2 { 4 * games } else { games };
        let sprt = (players == 2 && rng.coin())
            .then(|| Sprt::new(0.0, 100.0, 0.1, 0.1, Model::Normalized).unwrap());
        let player = |number: usize| {
            let name = format!("player {number}");
            ListedPlayer::called(name.clone(), name)
        };
        let played = Arc::default();
        Simulation {
            config: ContestConfig {
                schedule,
                games: (!is_open).then_some(games),
                series: 2 * (1 + u32::try_from(rng.below(3)).unwrap()),
                restart: rng.coin(),
                seed,
                terms: GameTerms::usual(2),
                game: Sums { played }.settings(),
                max_faults: (sprt.is_none() && rng.below(3) == 0).then_some(0.2),
                players: (0..players).map(player).collect(),
            },
            games,
            sprt,
            rng,
        }
    }

    /// Returns whether no game depends on the results of others.
    fn is_independent(&self) -> bool {
        self.config.schedule.is_fixed() && self.sprt.is_none() && self.config.max_faults.is_none()
    }

    fn plan(&self) -> Plan {
        Plan {
            format: self.config.schedule,
            players: self.config.players.len(),
            games: self.games,
            series: self.config.series,
        }
    }

    /// Runs the contest, or a part of it, with its record at `path`. Returns the seeds of the games
    /// that were played, and whether it has come to its end.
    fn run(
        &self,
        path: &Path,
        lanes: usize,
        machine: Machine,
        shard: Option<Shard>,
        games: u64,
    ) -> (Vec<u64>, bool) {
        let played = Arc::new(Mutex::new(Vec::new()));
        let shard_in_words = shard.map(|shard| shard.to_string());
        let record = OpenRecord::open(path, true, false, READERS).unwrap();
        let header = ContestHeader::new(self.config.clone(), self.games, shard_in_words);
        let header = match record.recorded() {
            Some(there) => header.after(there),
            None => header,
        };
        let setup = setup(header, machine, played.clone());
        let interrupt = Interrupt::never().unwrap();
        let contest = Contest {
            setup: &setup,
            lanes: &Lanes::new(Some(lanes), false),
            record: Some(record),
            sprt: self.sprt,
            interrupt: &interrupt,
            breaks_off: None,
            watched: None,
        };
        let mut witness = Witness {
            record: path,
            reported: HashSet::new(),
            games,
            interrupt: &interrupt,
        };
        let result = contest.run(&mut witness);
        let is_over = match result {
            Ok(result) => {
                if result.finish == Finish::Complete {
                    check_tally(&result.tally, path);
                }
                result.finish != Finish::Interrupted
            }
            Err(_) => false,
        };
        let played = played.lock().unwrap().clone();
        (played, is_over)
    }

    /// Disturbs a contest whose undisturbed record is `whole` until its record at `path` is whole.
    fn disturb(&mut self, path: &Path, shard: Option<Shard>) {
        for run in 0..=DISTURBED {
            let known = whole_games(path);
            let is_disturbed = run < DISTURBED;
            let machine = Machine {
                disturbances: is_disturbed.then(|| self.rng.next_u64().into()),
                may_be_late: self.is_independent(),
            };
            let games = if is_disturbed && self.rng.below(3) == 0 {
                1 + self.rng.below(40) as u64
            } else {
                u64::MAX
            };
            if is_disturbed && self.rng.below(3) == 0 {
                ROOM.set(Some(self.rng.below(40_000)));
            }
            let lanes = 1 + self.rng.below(3);
            let (played, is_over) = self.run(path, lanes, machine, shard, games);
            ROOM.set(None);
            for seed in played {
                assert!(!known.contains(&seed), "a whole series is played again");
            }
            assert!(is_disturbed || is_over, "an undisturbed run does not end");
            if is_disturbed && self.rng.coin() {
                // Killed, at any byte behind the header's first.
                let text = fs::read(path).unwrap();
                let length = self.rng.below(text.len() + 1);
                fs::write(path, &text[..length]).unwrap();
            }
        }
    }
}

/// Returns the setup of a contest on `machine`, which lists in `played` the seeds of the games.
fn setup(header: ContestHeader, machine: Machine, played: Arc<Mutex<Vec<u64>>>) -> ContestSetup {
    let players = &header.config.players;
    let entrant = |player: &ListedPlayer| Entrant {
        name: player.name.clone(),
        named: true,
        shipped: false,
        human: false,
        program: BotProgram::default(),
        dir: None,
        typed_folder: None,
        limits: OwnLimits::default(),
        one_game: false,
    };
    ContestSetup {
        game: Arc::new(Sums { played }),
        entrants: players.iter().map(entrant).collect(),
        profiles: vec![Checked::default(); players.len()],
        unfit: vec![None; players.len()],
        starter: Arc::new(Arc::new(machine)),
        sandbox: None,
        pair_seeds: None,
        file_watch: None,
        own_files: Vec::new(),
        header,
    }
}

/// Returns the setup of a contest of two players on a machine that is not disturbed.
pub(crate) fn setup_of_two() -> ContestSetup {
    let mut config = Simulation::draw(0).config;
    config.players = ["ada", "ben"]
        .map(|name| ListedPlayer::called(name.into(), name.into()))
        .into();
    setup(
        ContestHeader::new(config, 2, None),
        Machine::default(),
        Arc::default(),
    )
}

/// Checks that each game of the record at `path` is counted once, and that no player has a fault or
/// a result of a game that a late machine has ended.
fn check_tally(tally: &Tally, path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let games = text.matches("{\"format\":\"battleship-game\"").count();
    assert_eq!(tally.games, games as u64, "games are counted otherwise");
    let mut uncounted = 0;
    for player in &tally.players {
        uncounted += player.games - player.results.games();
        for fault in player.faults.keys() {
            assert!(
                matches!(fault, EndedBy::Exited | EndedBy::BadReply),
                "a player is blamed for {fault}"
            );
        }
    }
    let late = text.matches("\"ended_by\":\"machine_late\"").count();
    assert_eq!(uncounted, 2 * late as u64, "a late machine has a result");
}

/// Returns the seeds of the games of all whole series in the record at `path`.
fn whole_games(path: &Path) -> HashSet<u64> {
    let mut seeds = HashSet::new();
    let Ok(mut reader) = RecordReader::open(path, READERS) else {
        return seeds;
    };
    while let Ok(Some(chunk)) = reader.next_chunk() {
        if chunk
            .end
            .is_some_and(|end| end.games as usize == chunk.games.len())
        {
            seeds.extend(chunk.games.iter().map(|game| game.seed));
        }
    }
    seeds
}

/// Returns the lines of a record, as far as they are the same in each run, by their kind and
/// number. Of a game that a late machine has ended only that is left.
fn lines_of(path: &Path) -> BTreeMap<(u8, u64, u64), Value> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = BTreeMap::new();
    for line in text.lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let key = match line["format"].as_str().unwrap() {
            "battleship-game" => {
                let place = &line["contest"];
                let number = |name: &str| place[name].as_u64().unwrap();
                (1, number("series"), number("game"))
            }
            "battleship-series" => (2, line["series"].as_u64().unwrap(), 0),
            _ => (0, 0, 0),
        };
        for field in ["took_ms", "time", "said"] {
            line.as_object_mut().unwrap().remove(field);
        }
        if line["ended_by"] == "machine_late" {
            assert_eq!((&line["by"], &line["winner"]), (&Value::Null, &Value::Null));
            line = Value::Null;
        }
        assert!(
            lines.insert(key, line).is_none(),
            "line {key:?} is in the record twice"
        );
    }
    lines
}

fn compare(whole: &Path, resumed: &Path, may_be_late: bool) {
    let whole = lines_of(whole);
    let resumed = lines_of(resumed);
    assert!(whole.keys().eq(resumed.keys()), "other lines");
    for ((key, line), other) in whole.iter().zip(resumed.values()) {
        let is_late = may_be_late && other.is_null();
        assert!(is_late || line == other, "{key:?}: {line} became {other}");
    }
}

/// Simulates the contest of `seed` in `folder`.
fn simulate(seed: u64, folder: &Path) {
    let mut simulation = Simulation::draw(seed);
    if simulation.plan().check().is_err() {
        return;
    }
    let path = |name: &str| folder.join(name);
    let whole = path("whole");
    let resumed = path("resumed");
    let (_, is_over) = simulation.run(&whole, 1, Machine::default(), None, u64::MAX);
    assert!(is_over);
    let may_be_late = simulation.is_independent();
    if may_be_late && simulation.rng.below(3) == 0 {
        let files = [path("one"), path("two")];
        for (file, shard) in files.iter().zip(["1/2", "2/2"]) {
            simulation.disturb(file, Some(shard.parse().unwrap()));
        }
        let interrupt = Interrupt::never().unwrap();
        merge(
            &files,
            &resumed,
            false,
            Contradictions::Refuse,
            READERS,
            &interrupt,
        )
        .unwrap();
    } else {
        simulation.disturb(&resumed, None);
    }
    compare(&whole, &resumed, may_be_late);
}

fn simulate_all(seeds: impl Iterator<Item = u64>) {
    for seed in seeds {
        // In memory where there is such a folder: a campaign would wait for the disk.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        let folder = folder.unwrap();
        let simulated = catch_unwind(AssertUnwindSafe(|| simulate(seed, folder.path())));
        ROOM.set(None);
        assert!(simulated.is_ok(), "SIMULATION={seed} fails");
    }
}

#[test]
fn disturbed_contests_come_to_the_same_record() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse().unwrap());
    match number("SIMULATION") {
        Some(seed) => simulate_all(std::iter::once(seed)),
        None => simulate_all(0..number("SIMULATIONS").unwrap_or(QUICK)),
    }
}
