//! `slurm.sh` on a real Slurm of two nodes on this machine, one of which dies.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use rustix::process::Signal;

use super::{Cluster, ProcessGuard, SHARDS, TOURNAMENT, parent, send, until};
use testkit::list::{Tests, Tier};
use testkit::programs::text_of;
use testkit::tools::{MUNGED, ROOT, SLURMCTLD, SLURMD};

pub(super) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[MUNGED, ROOT, SLURMCTLD, SLURMD], |tests| {
            add!(
                tests,
                slurm_survives_a_dead_node_and_task,
                slurm_script_waits_for_its_earlier_job
            );
        });
    });
}

/// A Slurm of two nodes with one core each.
struct Slurm {
    cluster: Cluster,
    nodes: [Child; 2],
    /// The controller and the service that signs its messages.
    others: [Child; 2],
    _guard: ProcessGuard,
}

const MUNGED_WORDS: &str = "--foreground --key-file=DIR/munge.key --socket=DIR/munge/socket --pid-file=DIR/munge/pid --log-file=DIR/munge/log --seed-file=DIR/munge/seed";

const CONFIGURATION: &str = include_str!("slurm.conf");

impl Slurm {
    fn start() -> Slurm {
        let mut cluster = Cluster::new("slurm.sh");
        let home = cluster.dir.path("").display().to_string();
        let home = home.trim_end_matches('/');
        let conf = format!("{home}/slurm.conf");
        let guard = ProcessGuard(format!("SLURM_CONF={conf}"));
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
        // Another program could take one of these ports before Slurm does; Slurm does not choose
        // free ports itself.
        let host = text_of("/proc/sys/kernel/hostname");
        let host = host.trim().split('.').next().unwrap();
        let ports = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let mut text = CONFIGURATION.replace("DIR", home).replace("HOST", host);
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
            _guard: guard,
        };
        until("both nodes are idle", || {
            slurm.cluster.output_lines(STATES) == ["idle", "idle"]
        });
        slurm
    }
}

const STATES: &str = "sinfo --noheader --Node --format=%T";
const JOBS: &str = "scontrol --oneliner show jobs";

impl Cluster {
    /// The lines of a command of Slurm.
    fn output_lines(&self, command: &str) -> Vec<String> {
        let (program, words) = command.split_once(' ').unwrap();
        let run = self.dir.program(program, words);
        let done = run.env("SLURM_CONF", self.dir.path("slurm.conf")).ends();
        let lines = done.stdout.lines().map(|line| line.trim().to_owned());
        lines.collect()
    }

    /// The descriptions of the jobs of Slurm that have played a shard.
    fn jobs(&self, shard: u32) -> Vec<String> {
        let mut jobs = self.output_lines(JOBS);
        let task = format!(" ArrayTaskId={shard} ");
        jobs.retain(|job| job.contains(&task));
        jobs
    }
}

/// The guard kills the processes that the children have started.
impl Drop for Slurm {
    fn drop(&mut self) {
        for child in self.nodes.iter_mut().chain(&mut self.others) {
            // A node may be dead already.
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

fn slurm_survives_a_dead_node_and_task() {
    let mut slurm = Slurm::start();
    let Slurm { cluster, nodes, .. } = &mut slurm;
    let cluster = &*cluster;
    let mut lost_shard = 0;
    let mut killed_shard = 0;
    let done = cluster.play(SHARDS, TOURNAMENT).until(
        || true,
        |_| {
            let all: Vec<u32> = (1..=SHARDS).collect();
            let (shard, process) = cluster.stop_shard(&all);
            // The daemons end before the task: they would report its end to the controller.
            let node = node_of(process);
            nodes[node].kill().unwrap();
            nodes[node].wait().unwrap();
            assert!(send(parent(process).unwrap(), Signal::KILL));
            assert!(send(process, Signal::KILL));
            lost_shard = shard;
            // Of the other node only the task is killed, as by a system that is short of memory.
            let others: Vec<u32> = all.into_iter().filter(|other| *other != shard).collect();
            killed_shard = cluster.kill_shard(&others);
        },
    );
    done.exits(0);
    // Slurm has started the task of the dead node again, and the script that of the killed task.
    let jobs = cluster.jobs(lost_shard);
    assert_eq!(jobs.len(), 1, "{jobs:?}");
    assert!(jobs[0].contains(" Restarts=1 "), "{jobs:?}");
    let jobs = cluster.jobs(killed_shard);
    assert_eq!(jobs.len(), 2, "{jobs:?}");
    for state in [" JobState=FAILED ", " JobState=COMPLETED "] {
        assert!(jobs.iter().any(|job| job.contains(state)), "{jobs:?}");
    }
    done.warns(" of 8 files");
    cluster.check_record();
}

fn slurm_script_waits_for_its_earlier_job() {
    let slurm = Slurm::start();
    let cluster = &slurm.cluster;
    cluster.interrupt();
    let second = cluster.play(SHARDS, TOURNAMENT).succeeds();
    second.lacks("Submitted batch job");
    for shard in 1..=SHARDS {
        assert_eq!(cluster.jobs(shard).len(), 1);
    }
    cluster.check_record();
}
