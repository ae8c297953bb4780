//! Referees that are killed in the middle of a contest: it continues to the record of one that
//! nothing has disturbed, and nothing is left after a kill. `KILLS=1000` in the environment kills
//! that many in the release tier.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use battleship::seeded::SeededRng;
use testkit::list::{Tests, Tier};
use testkit::run::{Dir, Done};

use testkit::arena::until;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_killed_contest_becomes_the_undisturbed_one,
        what_is_left_would_be_found
    );
    tests.tier(Tier::Release, |tests| {
        add!(tests, a_contest_survives_kills_at_any_moment);
    });
}

/// Contests that take some tenths of a second: one of each format, and what else takes another way
/// through the referee.
const CONTESTS: [&str; 7] = [
    "match awful mediocre --games 120 --series 4 --jobs 2 --out records/r",
    "match awful mediocre --games 120 --series 4 --jobs 2 --out records/r.gz",
    "match awful mediocre --rules twist --games 20 --series 2 --out records/r",
    "tournament awful mediocre 'test-bot act --after 7 crash' --games 24 --series 4 --jobs 2 --out records/r",
    "tournament --format swiss one=awful two=awful three=awful mediocre --games 16 --series 4 --jobs 2 --out records/r",
    "tournament --format knockout one=awful two=awful mediocre --games 8 --series 4 --jobs 1 --out records/r",
    "tournament --format gauntlet mediocre one=awful two=awful --games 16 --series 2 --jobs 2 SANDBOX --out records/r",
];

/// The variable by which the processes of a contest are known: its folder.
const MARK: &str = "KILLED_CONTEST";

fn a_killed_contest_becomes_the_undisturbed_one() {
    let is_hit = (0..3).any(|number| survives(number, 1) > 0);
    assert!(is_hit, "each contest had ended when it was killed");
}

fn a_contest_survives_kills_at_any_moment() {
    let kills = std::env::var("KILLS").map_or(50, |kills| kills.parse().expect("a number"));
    let hits: u64 = (0..kills / 2).map(|number| survives(number, 2)).sum();
    assert!(hits >= kills / 2, "{hits} of {kills} kills hit a contest");
}

/// Plays one of the contests, kills it some times, and continues it to its end. The number chooses
/// it and the moments. Returns how many kills came before that.
fn survives(number: u64, kills: u32) -> u64 {
    let kind = usize::try_from(number).unwrap() % CONTESTS.len();
    let can_confine = || {
        let run = Dir::new().run("play awful awful --json --sandbox").ends();
        run.code == Some(0)
    };
    let mut words = CONTESTS[kind].to_owned();
    if words.contains("SANDBOX") {
        words = words.replace("SANDBOX", if can_confine() { "--sandbox" } else { "" });
    }
    survives_kills(&words, number, kills)
}

/// Plays a contest, kills it so many times at moments that the number chooses, and continues it to
/// its end. Returns how many kills came before that.
pub(crate) fn survives_kills(words: &str, number: u64, kills: u32) -> u64 {
    let mut hits = 0;
    let mut rng = SeededRng::new(number);
    let words = format!("{words} --seed 1 -q --env {MARK}");
    let start = |dir: &Dir, more: &str, killed_after: Option<Duration>| -> Done {
        dir.file("tmp/.keep", "").file("records/.keep", "");
        let run = dir.run(format!("{words} {more}"));
        let run = run.env(MARK, dir.path("")).env("TMPDIR", dir.path("tmp"));
        match killed_after {
            None => run.succeeds(),
            Some(moment) => run.killed_after(moment),
        }
    };
    let record = if words.contains("r.gz") {
        "records/r.gz"
    } else {
        "records/r"
    };
    let undisturbed = Dir::new();
    let began = Instant::now();
    start(&undisturbed, "", None);
    let duration = began.elapsed();
    let dir = Dir::new();
    for kill in 0..kills {
        let groups = cgroups();
        let moment = duration.mul_f64(rng.unit());
        let done = start(&dir, if kill > 0 { "--resume" } else { "" }, Some(moment));
        hits += u64::from(done.code.is_none());
        leaves_nothing(&dir, &groups);
    }
    start(&dir, "--resume", None);
    assert_eq!(
        dir.record(record),
        undisturbed.record(record),
        "{words}, killed with seed {number}"
    );
    assert_eq!(
        fs::read_dir(dir.path("records")).unwrap().count(),
        2,
        "only the record is there"
    );
    hits
}

/// Waits until no process of a contest is left. Neither are its temporary files and cgroups then.
fn leaves_nothing(dir: &Dir, groups: &BTreeSet<PathBuf>) {
    until("no process is left", || processes(dir).is_empty());
    let files: Vec<_> = fs::read_dir(dir.path("tmp"))
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    assert_eq!(files, [".keep"]);
    until("no cgroup is left", || cgroups().is_subset(groups));
}

fn processes(dir: &Dir) -> Vec<PathBuf> {
    let variable = format!("{MARK}={}", dir.path("").display());
    let entries = fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let is_marked = |path: &PathBuf| {
        let environment = fs::read(path.join("environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|one| one == variable.as_bytes())
    };
    entries.filter(is_marked).collect()
}

/// The folders of this project in all cgroup hierarchies whose maker has ended. The last number in
/// a name is its maker.
fn cgroups() -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut folders = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let name = entry.file_name().to_string_lossy().into_owned();
                let maker = name
                    .rsplit('-')
                    .find(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
                let is_used =
                    maker.is_some_and(|maker| PathBuf::from("/proc").join(maker).exists());
                if name.starts_with("battleship") && !is_used {
                    found.insert(entry.path());
                }
                folders.push(entry.path());
            }
        }
    }
    found
}

fn what_is_left_would_be_found() {
    let dir = Dir::new();
    assert!(processes(&dir).is_empty());
    let mut left = dir.program("sleep", "60").env(MARK, dir.path("")).spawn();
    // A process has its environment a moment after it was started.
    until("the process is found", || !processes(&dir).is_empty());
    left.kill().unwrap();
    left.wait().unwrap();
}
