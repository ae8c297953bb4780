//! `hyperqueue.sh` on the real server of HyperQueue with two workers, behind a stand-in for its
//! command, `hq.py`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::{Cluster, ProcessGuard, SHARDS, TOURNAMENT};
use testkit::list::{Tests, Tier};
use testkit::programs::project_file;
use testkit::tools::{HYPERQUEUE, UNIX};

pub(super) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[HYPERQUEUE, UNIX], |tests| {
            add!(
                tests,
                hyperqueue_survives_a_killed_task,
                hyperqueue_script_waits_for_its_earlier_job
            );
        });
    });
}

struct HyperQueue {
    cluster: Cluster,
    server: Child,
    _guard: ProcessGuard,
}

impl HyperQueue {
    fn start() -> HyperQueue {
        let mut cluster = Cluster::new("hyperqueue.sh");
        let folder = project_file("tests/cluster").display().to_string();
        let script = format!("exec '{folder}/.venv/bin/python' '{folder}/hq.py' \"$@\"");
        cluster.program("hq", &script);
        cluster.dir.file("server/.keep", "");
        let server = cluster.dir.path("server").display().to_string();
        let guard = ProcessGuard(format!("HQ_SERVER_DIR={server}"));
        let mut server_process = Command::new(cluster.dir.path("bin/hq"))
            .args(["serve", &server, "2"])
            .env("HQ_SERVER_DIR", &server)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(server_process.stdout.take().unwrap()).lines();
        // The server describes itself first, in a table.
        assert!(lines.any(|line| line.unwrap() == "ready"));
        cluster.variables.push(("HQ_SERVER_DIR", server));
        HyperQueue {
            cluster,
            server: server_process,
            _guard: guard,
        }
    }
}

impl Drop for HyperQueue {
    fn drop(&mut self) {
        // The server ends when its standard input does.
        drop(self.server.stdin.take());
        let _ = self.server.wait();
    }
}

fn hyperqueue_survives_a_killed_task() {
    let queue = HyperQueue::start();
    let cluster = &queue.cluster;
    let all: Vec<u32> = (1..=SHARDS).collect();
    let mut shard = 0;
    let done = cluster
        .play(SHARDS, TOURNAMENT)
        .until(|| true, |_| shard = cluster.kill_shard(&all));
    done.exits(0);
    assert_eq!(
        cluster.dir.text("server/arrays"),
        format!("1,2,3,4,5,6,7,8\n{shard}\n"),
        "{done:?}"
    );
    cluster.check_record();
}

fn hyperqueue_script_waits_for_its_earlier_job() {
    let queue = HyperQueue::start();
    let cluster = &queue.cluster;
    cluster.interrupt();
    cluster.play(SHARDS, TOURNAMENT).succeeds();
    assert_eq!(cluster.dir.text("server/arrays"), "1,2,3,4,5,6,7,8\n");
    cluster.check_record();
}
