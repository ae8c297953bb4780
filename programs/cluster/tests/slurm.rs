//! Shards as tasks of a real Slurm with two nodes on this machine, one of which dies.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use rustix::process::Signal;

use crate::{Cluster, Marked, TOURNAMENT, process_in, send, until};
use testkit::list::{Tests, Tier};
use testkit::programs::text_of;
use testkit::terminal::CTRL_C;
use testkit::text::has;
use testkit::tools::{MUNGED, ROOT, SLURMCTLD, SLURMD};

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[MUNGED, ROOT, SLURMCTLD, SLURMD], |tests| {
            add!(
                tests,
                a_contest_on_slurm_survives_dead_tasks,
                an_array_that_is_too_large_becomes_smaller
            );
        });
    });
}

/// A Slurm of two nodes with a core each. All that it has started ends with it.
struct Slurm {
    cluster: Cluster,
    nodes: [Child; 2],
    /// The controller and the service that signs its messages.
    others: [Child; 2],
    _marked: Marked,
}

const MUNGED_WORDS: &str = "--foreground --key-file=DIR/munge.key --socket=DIR/munge/socket --pid-file=DIR/munge/pid --log-file=DIR/munge/log --seed-file=DIR/munge/seed";

/// The second part of `AuthInfo` is for how long a task that has lost its node waits before it
/// starts again.
const CONFIGURATION: &str = include_str!("slurm.conf");

impl Slurm {
    /// Starts one that allows arrays of less than this many tasks.
    fn start(max_array_size: u32) -> Slurm {
        let mut cluster = Cluster::of("slurm");
        let home = cluster.dir.path("").display().to_string();
        let home = home.trim_end_matches('/');
        let conf = format!("{home}/slurm.conf");
        let marked = Marked(format!("SLURM_CONF={conf}"));
        for name in ["munge", "state", "n0", "n1"] {
            fs::create_dir(cluster.dir.path(name)).unwrap();
        }
        let open = |name: &str, mode| {
            let path = cluster.dir.path(name);
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        open("", 0o755);
        let key = text_of("/proc/sys/kernel/random/uuid").repeat(4);
        cluster.dir.file("munge.key", key);
        open("munge.key", 0o400);
        // All ports are free at the end of this. Another program could take one before Slurm does;
        // there is no better way.
        let host = text_of("/proc/sys/kernel/hostname");
        let host = host.trim().split('.').next().unwrap();
        let ports = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let mut text = CONFIGURATION
            .replace("DIR", home)
            .replace("HOST", host)
            .replace("ARRAY", &max_array_size.to_string());
        for (number, port) in ports.iter().enumerate() {
            let port = port.local_addr().unwrap().port();
            text = text.replace(&format!("PORT{number}"), &port.to_string());
        }
        drop(ports);
        cluster.dir.file("slurm.conf", text);
        let start = |program: &str, words: &str| {
            let log = fs::File::create(cluster.dir.path(&format!("{program}.out"))).unwrap();
            let words = words.replace("DIR", home);
            let mut command = Command::new(program);
            command.args(words.split(' ')).env("SLURM_CONF", &conf);
            command
                .stdin(Stdio::null())
                .stdout(log.try_clone().unwrap());
            command.stderr(log).spawn().unwrap()
        };
        let munged = start("munged", MUNGED_WORDS);
        let socket = cluster.dir.path("munge/socket");
        until("munged listens", || socket.exists());
        let controller = start("slurmctld", "-D");
        let nodes = ["-D -N n0", "-D -N n1"].map(|words| start("slurmd", words));
        cluster.variables.push(("SLURM_CONF", conf));
        let slurm = Slurm {
            cluster,
            nodes,
            others: [munged, controller],
            _marked: marked,
        };
        until("both nodes are idle", || {
            slurm.cluster.prints(STATES) == ["idle", "idle"]
        });
        slurm
    }
}

const STATES: &str = "sinfo --noheader --Node --format=%T";
const TASKS: &str = "squeue --noheader --array --format='%K %N'";

impl Cluster {
    /// The lines of a command of Slurm.
    fn prints(&self, command: &str) -> Vec<String> {
        let (program, words) = command.split_once(' ').unwrap();
        let run = self.dir.program(program, words);
        let done = run.env("SLURM_CONF", self.dir.path("slurm.conf")).ends();
        let lines = done.stdout.lines().map(|line| line.trim().to_owned());
        lines.collect()
    }
}

/// The processes that these have started themselves end by the mark.
impl Drop for Slurm {
    fn drop(&mut self) {
        for child in self.nodes.iter_mut().chain(&mut self.others) {
            // One of them is dead in one of the tests.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The node of a task's process: Slurm names it in its environment.
fn node_of(process: i32) -> usize {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap();
    let is_first = |part: &[u8]| part == b"SLURMD_NODENAME=n0";
    usize::from(!environment.split(|byte| *byte == 0).any(is_first))
}

fn parent(process: i32) -> i32 {
    let status = text_of(format!("/proc/{process}/status"));
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("PPid:"));
    line.unwrap().trim().parse().unwrap()
}

fn a_contest_on_slurm_survives_dead_tasks() {
    let mut slurm = Slurm::start(1001);
    let Slurm { cluster, nodes, .. } = &mut slurm;
    let cluster = &*cluster;
    let mut ended = Vec::new();
    let running = cluster.plays(8, "", TOURNAMENT).until(
        || true,
        |_| {
            // The node dies while its task plays: its daemons are gone. The task itself is only cut
            // off, and stands still until Slurm has started it again; then both copies run.
            let (shard, lost) = cluster.signal_one(&[1, 2, 3, 4, 5, 6, 7, 8], Signal::STOP);
            let node = node_of(lost);
            nodes[node].kill().unwrap();
            nodes[node].wait().unwrap();
            let step = parent(lost);
            // It continues for a moment: a stopped process that loses its parent is hung up.
            send(lost, Signal::CONT).unwrap();
            send(step, Signal::KILL).unwrap();
            until("the task is cut off", || parent(lost) != step);
            send(lost, Signal::STOP).unwrap();

            // A task on the other node is killed alone, as by a system that is short of memory.
            let others: Vec<_> = (1..=8).filter(|other| *other != shard).collect();
            let (other, killed) = cluster.signal_one(&others, Signal::KILL);
            until("Slurm sees that the node is dead", || {
                cluster.prints(STATES)[node].starts_with("down")
            });
            // All other shards may come first, on the one node that is left: this many times the
            // usual patience.
            let is_started = || cluster.attempts(shard).len() == 2;
            for other in others {
                until(
                    "another shard or that of the dead node starts on the other",
                    || is_started() || !cluster.attempts(other).is_empty(),
                );
            }
            until("the shard of the dead node starts on the other", is_started);
            let task = format!("{shard} n{}", 1 - node);
            assert!(cluster.prints(TASKS).contains(&task), "{task}");
            send(lost, Signal::CONT).unwrap();
            ended = vec![(shard, lost), (other, killed)];
        },
    );
    running.exits(0);
    for (shard, process) in ended {
        let attempts = cluster.attempts(shard);
        let is_there = attempts.iter().any(|path| process_in(path) == process);
        assert!(
            attempts.len() == 2 && is_there,
            "{shard}: {attempts:?} {running:?}"
        );
    }
    // The killed task failed, so the array ended without it, and it was submitted alone.
    running.warns(" of 1 tasks ended");
    cluster.is_over();
}

fn an_array_that_is_too_large_becomes_smaller() {
    let slurm = Slurm::start(4);
    let cluster = &slurm.cluster;
    let plays = |options: &str| {
        let words = "match awful mediocre --games 64 --series 4 --seed 1";
        cluster.plays(8, options, words)
    };
    plays("--dry-run").succeeds();
    let script = cluster.dir.text("cup.jsonl.shards/cup.slurm");
    has(&script, "\n#SBATCH --array=1-3\n");

    // Ctrl-C leaves the job to Slurm; the same command waits for it, and submits nothing.
    let mut terminal = plays("").in_terminal();
    terminal.expect("submitted job").unwrap();
    terminal.send(CTRL_C);
    let (rest, status) = terminal.ends();
    assert_eq!(status.code(), Some(130), "{rest}");
    has(&rest, "scancel");
    let second = plays("").succeeds();
    second.warns("waiting for it").lacks("submitted job");
    second.warns("16 series, 64 games of 8 shards");
}
