//! Contests whose referee is killed at random moments and which then continue: does the record become that of a contest
//! that nothing has disturbed, and is nothing left after a kill?
//!
//! A test kills a few; `KILLS` in the environment is a number of more.

mod kinds;
mod leftovers;

use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use battleship::seeded::SeededRng;
use flate2::bufread::MultiGzDecoder;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde_json::Value;

use super::contest::{GZIP, text_of_record, without_times};
use kinds::Kind;
use leftovers::Leftovers;

/// Number of times that one contest is killed at most before it may end.
const MOST_IN_A_CONTEST: usize = 3;

/// The longest that a contest may take; an undisturbed one takes less than a second. For one that hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The phase in which the referee was killed, by the content of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No record, or no whole line in it.
    NoHeader,
    /// The header and no game.
    NoGame,
    /// Some lines, all of them whole.
    WholeLines,
    /// Some lines and a part of one.
    PartOfLine,
    /// Every line of the contest.
    AllLines,
}

impl Phase {
    const ALL: [Phase; 5] = [
        Phase::NoHeader,
        Phase::NoGame,
        Phase::WholeLines,
        Phase::PartOfLine,
        Phase::AllLines,
    ];

    /// Returns the phase of a referee that has left `record`, of a contest whose whole record has `all` lines.
    fn of(record: &[u8], all: usize) -> Phase {
        let lines = record.split(|byte| *byte == b'\n').count() - 1;
        match lines {
            0 => Phase::NoHeader,
            _ if record.last() != Some(&b'\n') => Phase::PartOfLine,
            1 => Phase::NoGame,
            lines if lines >= all => Phase::AllLines,
            _ => Phase::WholeLines,
        }
    }
}

/// The results of the contests of one kind.
#[derive(Debug)]
pub struct Row {
    name: &'static str,
    /// The time that it takes undisturbed.
    takes: Duration,
    contests: usize,
    /// Kills by phase.
    kills: [usize; Phase::ALL.len()],
}

/// The results of all contests.
#[derive(Debug)]
pub struct Report {
    rows: Vec<Row>,
    /// The faults, with everything that is needed to reproduce them.
    pub faults: Vec<String>,
}

impl Report {
    /// Returns how often a referee was killed.
    pub fn kills(&self) -> usize {
        self.rows.iter().map(Row::kills).sum()
    }
}

impl Row {
    fn kills(&self) -> usize {
        self.kills.iter().sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "                          undisturbed                    killed when the record had"
        )?;
        writeln!(
            f,
            "kind                           takes  contests   kills  no header  no game  whole lines  part of a line  all lines"
        )?;
        for row in &self.rows {
            let Row {
                name,
                takes,
                contests,
                kills: [header, game, lines, part, all],
            } = row;
            let (kills, takes) = (row.kills(), takes.as_millis());
            writeln!(
                f,
                "{name:29} {takes:4} ms  {contests:8} {kills:7}  {header:9}  {game:7}  {lines:11}  {part:14}  {all:9}"
            )?;
        }
        self.faults
            .iter()
            .try_for_each(|fault| writeln!(f, "FAULT: {fault}"))
    }
}

/// Kills referees `kills` times, or a few times more, in contests of every kind by turns; `seed` chooses the moments.
/// Stops after `most_faults`.
pub fn run(kills: usize, seed: u64, most_faults: usize) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let mut faults = Vec::new();
    let mut undisturbed: Vec<_> = kinds::all(folder.path())
        .into_iter()
        .map(|kind| Undisturbed::of(kind, folder.path()))
        .collect();
    let mut rng = SeededRng::new(seed);
    let mut done = 0;
    for number in 0.. {
        // Kills that came too late are none, so there is a bound on contests, too.
        if done >= kills || number >= 3 * kills || faults.len() >= most_faults {
            break;
        }
        let count = undisturbed.len();
        let like = &mut undisturbed[number % count];
        let folder = folder.path().join(number.to_string());
        fs::create_dir(&folder).unwrap();
        let mut contest = Contest::new(like, folder);
        if let Err(fault) = contest.play(&mut rng) {
            let (name, moments) = (contest.like.row.name, &contest.moments);
            faults.push(format!(
                "{name}, contest {number}, killed after {moments:?}: {fault}"
            ));
        }
        done += contest.moments.len();
        let _ = fs::remove_dir_all(&contest.folder);
    }
    Report {
        rows: undisturbed.into_iter().map(|like| like.row).collect(),
        faults,
    }
}

/// A contest that nothing disturbs.
struct Undisturbed {
    kind: Kind,
    row: Row,
    /// Its record without times.
    record: Vec<Value>,
}

impl Undisturbed {
    fn of(kind: Kind, folder: &Path) -> Undisturbed {
        let out = folder.join(kind.record);
        let began = Instant::now();
        let played = kind.command(&out).output().unwrap();
        let takes = began.elapsed();
        assert!(played.status.success(), "{}: {played:?}", kind.name);
        let record = without_times(&text_of_record(&out));
        fs::remove_file(out).unwrap();
        let row = Row {
            name: kind.name,
            takes,
            contests: 0,
            kills: [0; Phase::ALL.len()],
        };
        Undisturbed { kind, row, record }
    }
}

/// Checks that a process and a file that are left would be found.
pub fn what_is_left_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (leftovers, patience) = (Leftovers::before(folder.path()), Duration::from_millis(50));
    assert_eq!(leftovers.check(folder.path(), patience), Ok(()));
    let mut left = Command::new("sleep");
    let mut left = left
        .arg("60")
        .env(leftovers::MARK, folder.path())
        .spawn()
        .unwrap();
    // A process has its environment a moment after it was started.
    leftovers.wait_for_a_process();
    let found = leftovers.check(folder.path(), patience);
    left.kill().unwrap();
    left.wait().unwrap();
    assert!(found.is_err_and(|what| what.contains("sleep 60")));
    File::create(folder.path().join("left")).unwrap();
    assert!(
        leftovers
            .check(folder.path(), patience)
            .is_err_and(|what| what.contains("left"))
    );
}

/// One contest that is killed and continued.
struct Contest<'u> {
    like: &'u mut Undisturbed,
    folder: PathBuf,
    out: PathBuf,
    temporary: PathBuf,
    /// The times of its kills, each after its start.
    moments: Vec<Duration>,
}

impl Contest<'_> {
    fn new(like: &mut Undisturbed, folder: PathBuf) -> Contest<'_> {
        let (records, temporary) = (folder.join("records"), folder.join("tmp"));
        fs::create_dir(&records).unwrap();
        fs::create_dir(&temporary).unwrap();
        like.row.contests += 1;
        Contest {
            out: records.join(like.kind.record),
            like,
            temporary,
            folder,
            moments: Vec::new(),
        }
    }

    /// Plays it to its end, with one kill or some; says what is wrong.
    fn play(&mut self, rng: &mut SeededRng) -> Result<(), String> {
        let times = 1 + rng.below(MOST_IN_A_CONTEST);
        for time in 0..times {
            let moment = moment(self.like.row.takes, rng);
            let leftovers = Leftovers::before(&self.folder);
            let mut child = self.start(time > 0);
            let ended = ends_within(&child, moment);
            // To one that has ended meanwhile it does nothing.
            child.kill().unwrap();
            let status = child.wait().unwrap();
            leftovers.check(&self.temporary, leftovers::PATIENCE)?;
            if ended {
                // Before its moment had come: it has to be complete.
                if !status.success() {
                    return Err(self.said(&format!("it was not killed and ended with {status}")));
                }
                break;
            }
            self.moments.push(moment);
            let phase = Phase::of(&what_is_there(&self.out), self.like.record.len());
            let place = Phase::ALL.iter().position(|other| *other == phase);
            self.like.row.kills[place.expect("all phases")] += 1;
        }
        let leftovers = Leftovers::before(&self.folder);
        let mut child = self.start(true);
        if !ends_within(&child, PATIENCE) {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err(self.said("it was resumed and did not end"));
        }
        let status = child.wait().unwrap();
        if !status.success() {
            return Err(self.said(&format!("it was resumed and ended with {status}")));
        }
        leftovers.check(&self.temporary, leftovers::PATIENCE)?;
        self.compare()
    }

    /// Starts or continues the contest.
    fn start(&self, resume: bool) -> Child {
        let said = File::create(self.folder.join("stderr")).unwrap();
        let mut command = self.like.kind.command(&self.out);
        command
            .args(resume.then_some("--resume"))
            .env(leftovers::MARK, &self.folder);
        command.env("TMPDIR", &self.temporary);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(said)
            .spawn()
            .unwrap()
    }

    fn said(&self, what: &str) -> String {
        let said = fs::read_to_string(self.folder.join("stderr")).unwrap_or_default();
        format!("{what}; it said: {said}")
    }

    /// Compares its record with that of the undisturbed contest.
    fn compare(&self) -> Result<(), String> {
        let text = text_of_record(&self.out);
        let (played, wanted) = (without_times(&text), &self.like.record);
        let same = played
            .iter()
            .zip(wanted)
            .take_while(|(played, wanted)| played == wanted)
            .count();
        if same < played.len().max(wanted.len()) {
            let line =
                |lines: &[Value]| lines.get(same).map_or("none".to_owned(), Value::to_string);
            let (played, wanted) = (line(&played), line(wanted));
            return Err(format!(
                "line {} of its record is {played}\nand not {wanted}",
                same + 1
            ));
        }
        let beside = fs::read_dir(self.out.parent().expect("a folder")).unwrap();
        let beside: Vec<_> = beside.map(|entry| entry.unwrap().file_name()).collect();
        let only_it = beside == [self.out.file_name().expect("a file")];
        if only_it {
            Ok(())
        } else {
            Err(format!("beside its record there is more: {beside:?}"))
        }
    }
}

/// Returns the text of a record as far as it goes, compressed or not.
fn what_is_there(record: &Path) -> Vec<u8> {
    let bytes = fs::read(record).unwrap_or_default();
    if !bytes.starts_with(&GZIP) {
        return bytes;
    }
    let mut text = Vec::new();
    // A member that was cut short counts as a part of a line.
    if MultiGzDecoder::new(&bytes[..])
        .read_to_end(&mut text)
        .is_err()
    {
        text.push(b'{');
    }
    text
}

/// Chooses a moment in a contest that takes so long, a fifth of them in its first and in its last milliseconds.
fn moment(takes: Duration, rng: &mut SeededRng) -> Duration {
    let ends = Duration::from_millis(10);
    match rng.below(5) {
        0 if rng.coin() => ends.mul_f64(rng.unit()),
        0 => takes.saturating_sub(ends) + (2 * ends).mul_f64(rng.unit()),
        _ => takes.mul_f64(rng.unit()),
    }
}

/// Waits until the child ends, at most so long; returns whether it has.
fn ends_within(child: &Child, time: Duration) -> bool {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    // It has not been waited for, so the number is its own.
    let end = pidfd_open(pid, PidfdFlags::empty()).unwrap();
    is_readable_within(&end, time)
}

fn is_readable_within(end: &impl std::os::fd::AsFd, time: Duration) -> bool {
    let until = Instant::now() + time;
    loop {
        let left = Timespec::try_from(until.saturating_duration_since(Instant::now())).unwrap();
        let mut watched = [PollFd::new(end, PollFlags::IN)];
        match poll(&mut watched, Some(&left)) {
            // A signal, or a machine that was suspended. The time left is recomputed.
            Err(Errno::INTR) => {}
            ready => return ready.unwrap() > 0,
        }
    }
}
