//! Shards as tasks of `HyperQueue`: its real server with two workers, behind a stand-in for its command, `hq.py`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use rustix::process::Signal;

use super::{
    ALL_SHARDS, Marked, PYTHON, attempts, is_over, is_that_of_one_run, signal_one, tournament,
};
use testkit::list::{Tests, Tier};
use testkit::programs::{Folder, project_file, text_of};
use testkit::tools::CLUSTER_PACKAGES;

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[CLUSTER_PACKAGES], |tests| {
            add!(tests, a_contest_on_hyperqueue_survives_a_killed_task);
        })
    });
}

/// A server of HyperQueue with two workers.
struct Server {
    serving: Child,
    path: String,
    folder: String,
    _marked: Marked,
}

impl Server {
    /// Starts one in `folder`.
    fn start(folder: &Folder) -> Server {
        let (python, script) = (
            project_file(PYTHON),
            project_file("programs/cluster/tests/hq.py"),
        );
        let server = folder.path("server");
        fs::create_dir_all(&server).unwrap();
        fs::create_dir(folder.path("bin")).unwrap();
        let hq = folder.file(
            "bin/hq",
            &format!(
                "#!/bin/sh\nexec '{}' '{}' \"$@\"\n",
                python.display(),
                script.display()
            ),
        );
        fs::set_permissions(&hq, fs::Permissions::from_mode(0o755)).unwrap();
        let marked = Marked(format!("HQ_SERVER_DIR={server}"));
        let mut serving = Command::new(&hq)
            .args(["serve", &server, "2"])
            .env("HQ_SERVER_DIR", &server)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(serving.stdout.take().unwrap()).lines();
        // The server describes itself first, in a table.
        assert!(lines.map(Result::unwrap).any(|line| line == "ready"));
        let path = format!("{}:{}", folder.path("bin"), std::env::var("PATH").unwrap());
        Server {
            serving,
            path,
            folder: server,
            _marked: marked,
        }
    }

    /// Returns what has to be in the environment of its clients.
    fn environment(&self) -> [(&str, &str); 2] {
        [("PATH", &self.path), ("HQ_SERVER_DIR", &self.folder)]
    }

    fn end(mut self) {
        drop(self.serving.stdin.take());
        assert!(self.serving.wait().unwrap().success());
    }
}

fn a_contest_on_hyperqueue_survives_a_killed_task() {
    let folder = Folder::new();
    let server = Server::start(&folder);
    let command = || {
        let mut command = tournament(&folder, "hyperqueue", "cup.jsonl");
        command.envs(server.environment());
        command
    };
    let mut running = command().stderr(Stdio::piped()).spawn().unwrap();
    let (shard, _) = signal_one(&folder, "cup.jsonl", ALL_SHARDS, Signal::KILL);
    let said: Vec<String> = BufReader::new(running.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap)
        .collect();
    assert!(running.wait().unwrap().success(), "{said:#?}");
    is_that_of_one_run(&folder, "cup.jsonl");
    assert_eq!(attempts(&folder, "cup.jsonl", &shard).len(), 2, "{said:#?}");
    let log = text_of(folder.path(&format!("cup.jsonl.shards/logs/{shard}.log")));
    assert_eq!(
        log.matches("the record is").count(),
        2,
        "both attempts are in one log: {log}"
    );
    is_over(&mut command(), &folder.path("cup.jsonl"));
    server.end();
}
