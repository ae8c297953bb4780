//! Shards as tasks of a real Slurm with two nodes on this machine, one of which dies.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use rustix::process::Signal;

use super::{
    ALL_SHARDS, Marked, SHARDS, attempts, is_over, is_that_of_one_run, output, process_in, signal,
    signal_one, tournament, until,
};
use testkit::list::{Tests, Tier};
use testkit::programs::{Folder, built, text_of};
use testkit::tools::{MUNGED, ROOT, SLURMCTLD, SLURMD};

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[MUNGED, ROOT, SLURMCTLD, SLURMD], |tests| {
            add!(
                tests,
                a_contest_on_slurm_survives_a_dead_node_and_a_killed_task,
                an_array_that_slurm_does_not_allow_becomes_a_smaller_one
            );
        })
    });
}

/// A Slurm of two nodes with a core each. All that it has started ends with it.
struct Slurm {
    folder: Folder,
    nodes: [Child; 2],
    /// The controller and the service that signs its messages.
    others: [Child; 2],
    _marked: Marked,
}

impl Slurm {
    /// Starts one that allows arrays of less than this many tasks.
    fn start(max_array_size: usize) -> Slurm {
        let folder = Folder::new();
        let marked = Marked(format!("SLURM_CONF={}", folder.path("slurm.conf")));
        for name in ["munge", "state", "n0", "n1", "work"] {
            fs::create_dir(folder.path(name)).unwrap();
        }
        fs::set_permissions(folder.path(""), fs::Permissions::from_mode(0o755)).unwrap();
        let key = folder.file(
            "munge.key",
            &text_of("/proc/sys/kernel/random/uuid").repeat(4),
        );
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400)).unwrap();
        let configuration = configuration(&folder, max_array_size);
        folder.file("slurm.conf", &configuration);
        let start = |program: &str, arguments: &[&str]| {
            let log = fs::File::create(folder.path(&format!("{program}.out"))).unwrap();
            let mut command = Command::new(program);
            command
                .args(arguments)
                .env("SLURM_CONF", folder.path("slurm.conf"));
            command
                .stdin(Stdio::null())
                .stdout(log.try_clone().unwrap())
                .stderr(log);
            command.spawn().unwrap()
        };
        let munge = |name: &str| folder.path(&format!("munge/{name}"));
        let munged = start(
            "munged",
            &[
                "--foreground",
                &format!("--key-file={key}"),
                &format!("--socket={}", munge("socket")),
                &format!("--pid-file={}", munge("pid")),
                &format!("--log-file={}", munge("log")),
                &format!("--seed-file={}", munge("seed")),
            ],
        );
        until("munged listens", || fs::exists(munge("socket")).unwrap());
        let controller = start("slurmctld", &["-D"]);
        let nodes = ["n0", "n1"].map(|name| start("slurmd", &["-D", "-N", name]));
        let slurm = Slurm {
            folder,
            nodes,
            others: [munged, controller],
            _marked: marked,
        };
        until("both nodes are idle", || slurm.states() == ["idle", "idle"]);
        slurm
    }

    /// A command that finds this Slurm.
    fn command(&self, mut command: Command) -> Command {
        command.env("SLURM_CONF", self.folder.path("slurm.conf"));
        command
    }

    /// Returns the output of a command of Slurm.
    fn says(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = self.command(Command::new(program));
        String::from_utf8(output(command.args(arguments)).stdout).unwrap()
    }

    /// The states of both nodes.
    fn states(&self) -> Vec<String> {
        let lines = self.says("sinfo", &["--noheader", "--Node", "--format=%T"]);
        lines.lines().map(|line| line.trim().to_owned()).collect()
    }

    /// The node of one of the array's tasks: `None` once it is over.
    fn node_of(&self, task: &str) -> Option<usize> {
        let lines = self.says("squeue", &["--noheader", "--array", "--format=%K %N"]);
        let node = lines
            .lines()
            .find_map(|line| line.trim().strip_prefix(&format!("{task} ")))?;
        number_of_node(node.trim())
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

/// All ports are free when this returns. Another program could take one before Slurm does; there is no better way.
fn configuration(folder: &Folder, max_array_size: usize) -> String {
    let host = text_of("/proc/sys/kernel/hostname");
    let host = host.trim().split('.').next().unwrap();
    let listeners: Vec<_> = (0..3)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let ports: Vec<u16> = listeners
        .iter()
        .map(|listener| listener.local_addr().unwrap().port())
        .collect();
    let at = |name: &str| folder.path(name);
    format!(
        "ClusterName=referee
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
# The second is for how long a task that has lost its node waits before it starts again.
AuthInfo=socket={},cred_expire=5
StateSaveLocation={}
SlurmdSpoolDir={}
SlurmctldPidFile={}
SlurmdPidFile={}
SlurmctldLogFile={}
SlurmdLogFile={}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
SlurmdTimeout=5
MessageTimeout=3
KillWait=2
SchedulerParameters=sched_interval=2
MaxArraySize={max_array_size}
NodeName=n0 NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs=1
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs=1
PartitionName=all Nodes=n0,n1 Default=YES MaxTime=INFINITE State=UP
",
        ports[0],
        at("munge/socket"),
        at("state"),
        at("%n"),
        at("slurmctld.pid"),
        at("slurmd-%n.pid"),
        at("slurmctld.log"),
        at("slurmd-%n.log"),
        ports[1],
        ports[2],
    )
}

fn number_of_node(name: &str) -> Option<usize> {
    ["n0", "n1"].iter().position(|node| *node == name)
}

/// The node of a task's process: Slurm names it in its environment.
fn node_in(process: i32) -> usize {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap();
    let mut variables = environment.split(|byte| *byte == 0);
    let name = variables
        .find_map(|variable| variable.strip_prefix(b"SLURMD_NODENAME="))
        .unwrap();
    number_of_node(std::str::from_utf8(name).unwrap()).unwrap()
}

/// The parent of a process.
fn parent(process: i32) -> i32 {
    let status = text_of(format!("/proc/{process}/status"));
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("PPid:"))
        .unwrap();
    line.trim().parse().unwrap()
}

fn a_contest_on_slurm_survives_a_dead_node_and_a_killed_task() {
    let mut slurm = Slurm::start(1001);
    let record = slurm.folder.path("cup.jsonl");
    let command = |slurm: &Slurm| slurm.command(tournament(&slurm.folder, "slurm", "cup.jsonl"));
    let mut running = command(&slurm).stderr(Stdio::piped()).spawn().unwrap();

    // The node dies while its task plays: its daemons are gone. The task itself is only cut off, and stands still until
    // Slurm has started it again; then both copies run.
    let (shard, lost) = signal_one(&slurm.folder, "cup.jsonl", ALL_SHARDS, Signal::STOP);
    let node = node_in(lost);
    slurm.nodes[node].kill().unwrap();
    slurm.nodes[node].wait().unwrap();
    let step = parent(lost);
    // It continues for a moment: a stopped process that loses its parent is hung up.
    signal(lost, Signal::CONT);
    signal(step, Signal::KILL);
    until("the task is cut off", || parent(lost) != step);
    signal(lost, Signal::STOP);

    // A task on the other node is killed alone, as by a system that is short of memory.
    let others: Vec<&str> = ALL_SHARDS
        .iter()
        .copied()
        .filter(|other| *other != shard)
        .collect();
    let (other, killed) = signal_one(&slurm.folder, "cup.jsonl", &others, Signal::KILL);

    until("Slurm sees that the node is dead", || {
        slurm.states()[node].starts_with("down")
    });
    // All other shards may come first, on the one node that is left: this many times the usual patience.
    let is_started = || attempts(&slurm.folder, "cup.jsonl", &shard).len() == 2;
    for other in others {
        until(
            "another shard or that of the dead node starts on the other",
            || is_started() || !attempts(&slurm.folder, "cup.jsonl", other).is_empty(),
        );
    }
    until("the shard of the dead node starts on the other", is_started);
    assert_eq!(slurm.node_of(&shard), Some(1 - node));
    signal(lost, Signal::CONT);

    let said: Vec<String> = BufReader::new(running.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap)
        .collect();
    assert!(running.wait().unwrap().success(), "{said:#?}");
    is_that_of_one_run(&slurm.folder, "cup.jsonl");
    for shard in [&shard, &other] {
        let attempts = attempts(&slurm.folder, "cup.jsonl", shard);
        assert_eq!(attempts.len(), 2, "{shard}: {attempts:?} {said:#?}");
        assert!(
            attempts
                .iter()
                .any(|path| [lost, killed].contains(&process_in(path)))
        );
    }
    // The killed task failed, so the array ended without it, and it was submitted alone.
    assert!(
        said.iter().any(|line| line.contains(" of 1 tasks ended")),
        "{said:#?}"
    );
    is_over(&mut command(&slurm), &record);
}

fn an_array_that_slurm_does_not_allow_becomes_a_smaller_one() {
    let slurm = Slurm::start(4);
    let folder = slurm.folder.path("work");
    let command = |more: &[&str]| {
        let mut referee = slurm.command(Command::new(built("referee")));
        referee.args(["cluster", "slurm", "--shards", SHARDS, "--out", "cup.jsonl"]);
        referee
            .args(more)
            .args(["--", "match", "awful", "mediocre"]);
        referee.args(["--games", "64", "--series", "4", "--seed", "1"]);
        referee.current_dir(&folder);
        referee
    };
    let written = output(&mut command(&["--dry-run"]));
    assert!(written.status.success(), "{written:?}");
    let script = text_of(slurm.folder.path("work/cup.jsonl.shards/cup.slurm"));
    assert!(script.contains("\n#SBATCH --array=1-3\n"), "{script}");

    // Ctrl-C leaves the job to Slurm; the same command waits for it, and submits nothing.
    let mut running = command(&[]).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(running.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap);
    assert!(lines.by_ref().any(|line| line.contains("submitted job")));
    signal(running.id().cast_signed(), Signal::INT);
    let rest: Vec<String> = lines.collect();
    assert_eq!(running.wait().unwrap().code(), Some(130), "{rest:#?}");
    assert!(
        rest.iter().any(|line| line.contains("scancel")),
        "{rest:#?}"
    );
    let second = output(&mut command(&[]));
    let said = String::from_utf8(second.stderr).unwrap();
    assert!(second.status.success(), "{said}");
    assert!(
        said.contains("waiting for it") && !said.contains("submitted job"),
        "{said}"
    );
    assert!(said.contains("16 series, 64 games of 8 shards"), "{said}");
}
