//! Shards as tasks of `HyperQueue`: its real server with two workers, behind a stand-in for its
//! command, `hq.py`.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use rustix::process::Signal;

use crate::{Cluster, Marked, TOURNAMENT};
use testkit::list::{Tests, Tier};
use testkit::programs::project_file;
use testkit::tools::CLUSTER_PACKAGES;

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[CLUSTER_PACKAGES], |tests| {
            add!(tests, a_contest_on_hyperqueue_survives_a_killed_task);
        });
    });
}

fn a_contest_on_hyperqueue_survives_a_killed_task() {
    let mut queue = Cluster::of("hyperqueue");
    let folder = project_file("programs/cluster/tests").display().to_string();
    let script = format!("exec '{folder}/.venv/bin/python' '{folder}/hq.py' \"$@\"");
    queue.program("hq", &script);
    queue.dir.file("server/.keep", "");
    let server = queue.dir.path("server").display().to_string();
    let _marked = Marked(format!("HQ_SERVER_DIR={server}"));
    let mut serving = Command::new(queue.dir.path("bin/hq"))
        .args(["serve", &server, "2"])
        .env("HQ_SERVER_DIR", &server)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(serving.stdout.take().unwrap()).lines();
    // The server describes itself first, in a table.
    assert!(lines.any(|line| line.unwrap() == "ready"));
    queue.variables.push(("HQ_SERVER_DIR", server));

    let mut shard = 0;
    let running = queue.plays(8, "", TOURNAMENT).until(
        || true,
        |_| (shard, _) = queue.signal_one(&[1, 2, 3, 4, 5, 6, 7, 8], Signal::KILL),
    );
    running.exits(0);
    assert_eq!(queue.attempts(shard).len(), 2, "{running:?}");
    let log = queue
        .dir
        .text(&format!("cup.jsonl.shards/logs/{shard}.log"));
    // Both attempts are in one log.
    assert_eq!(log.matches("the record is").count(), 2, "{log}");
    queue.is_over();
    drop(serving.stdin.take());
    assert!(serving.wait().unwrap().success());
}
