//! Steps that are killed at random moments: what has been played stays, and is not played again.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use battleship::seeded::SeededRng;
use rusqlite::Connection;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::class::{AT, Class, PLAIN};
use testkit::list::{Tests, Tier};
use testkit::run::Run;
use testkit::tools::NAMESPACES;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[NAMESPACES], |tests| {
        rows!(tests, NIGHTS, a_killed_night_loses_nothing);
        tests.tier(Tier::Thorough, |tests| {
            add!(tests, killed_steps_change_no_class);
        });
        tests.tier(Tier::Release, |tests| {
            rows!(tests, LONG_NIGHTS, a_killed_night_loses_nothing);
        });
    });
}

/// Kills a step after so long if it has not ended before.
fn kill(step: Run, after: Duration) {
    let mut step = step.stdout(Stdio::null()).spawn();
    let end = pidfd_open(Pid::from_child(&step), PidfdFlags::empty()).unwrap();
    let timeout = after.try_into().unwrap();
    poll(&mut [PollFd::new(&end, PollFlags::IN)], Some(&timeout)).unwrap();
    step.kill().unwrap();
    step.wait().unwrap();
}

/// How long each record is up to the end of what is in the index, which is what `report` and others
/// can rely on.
fn indexed(class: &Class) -> BTreeMap<PathBuf, usize> {
    let index = Connection::open(class.path("class.db")).unwrap();
    let ends = "select file, max(behind) from series group by file";
    let mut ends = index.prepare(ends).unwrap();
    let ends = ends.query_map((), |row| Ok((row.get(0)?, row.get(1)?)));
    let ends = ends.unwrap().map(|end| {
        let (file, end): (String, usize) = end.unwrap();
        let path = class.path(&file);
        assert!(fs::read(&path).unwrap().len() >= end, "{file}");
        (path, end)
    });
    ends.collect()
}

/// Students, and how often their night is killed.
const NIGHTS: [(&str, u32); 1] = [("ada", 2)];
const LONG_NIGHTS: [(&str, u32); 1] = [("ada bob cyd dan", 20)];

/// The night does not end by itself. At last Ctrl-C ends it, after the running games.
fn a_killed_night_loses_nothing((students, kills): (&str, u32)) {
    let class = Class::new(students);
    class.set("games = 4", "games = 2000");
    for id in students.split(' ') {
        class.plain(id);
        class.adds(id);
    }
    class.run("intake");
    class.run("check");
    let mut rng = SeededRng::keyed([7; 4]);
    let mut before: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for _ in 0..kills {
        let moment = Duration::from_millis(20 + rng.next_u64() % 200);
        kill(class.step("play --quiet"), moment);
        // Whole series stay as they were: a record only grows.
        let records = class.records();
        for (path, length) in &before {
            assert!(records[path].len() >= *length, "{}", path.display());
        }
        class.run("status").prints("played");
        before = indexed(&class);
    }
    let length = |records: BTreeMap<_, Vec<u8>>| records.values().map(Vec::len).sum::<usize>();
    let killed = length(class.records());
    let night = class.step("play --quiet");
    night
        .interrupted(|| length(class.records()) > killed)
        .exits(130);
    let series = class.is_whole();
    assert!(series > 0);
    class.run("play --most 1 --quiet");
    assert_eq!(class.is_whole(), series + 1);
}

/// The steps of a class, and the longest time in milliseconds after which each is killed.
const STEPS: [(&str, u64); 6] = [
    ("import download --at", 20),
    ("intake", 150),
    ("check", 600),
    ("play", 200),
    ("site", 100),
    ("grade", 50),
];

/// Pairs once had other seeds in a class whose intake was killed, since its bots were numbered in
/// another order.
fn killed_steps_change_no_class() {
    let [whole, killed] = [(); 2].map(|()| {
        let class = Class::new("ada bob cyd dan");
        class.fix_games();
        for id in ["ada", "bob", "cyd", "dan"] {
            // With a build, whose end takes its time.
            let toml = "run = 'sh bot.sh'\nbuild = 'true'\n";
            class.desk.file(&format!("download/{id}/bot.toml"), toml);
            let bot = format!("# {id}\n{PLAIN}");
            class.desk.file(&format!("download/{id}/bot.sh"), bot);
        }
        class
    });
    let mut rng = SeededRng::keyed([8; 4]);
    for (step, longest) in STEPS {
        let words = step.replace("--at", &format!("--at {AT}"));
        whole.run(&words);
        for _ in 0..20 {
            let moment = Duration::from_millis(rng.next_u64() % longest);
            kill(killed.step(&words), moment);
        }
        killed.run(&words);
    }
    for id in ["ada", "bob", "cyd", "dan"] {
        let submissions = format!("submissions/{id}");
        assert_eq!(
            [whole.count(&submissions), killed.count(&submissions)],
            [1; 2]
        );
    }
    assert_eq!(whole.games(), killed.games());
    assert_eq!(whole.run("grade").stdout, killed.run("grade").stdout);
    killed.is_whole();
}
