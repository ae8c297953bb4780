//! `parallel.sh` with GNU parallel, on this machine and over ssh, with killed tasks.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use super::{Cluster, SHARDS, TOURNAMENT, until};
use testkit::list::{Tests, Tier};
use testkit::tools::{PARALLEL, ROOT, SSHD};

pub(super) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[PARALLEL], |tests| {
            add!(
                tests,
                parallel_survives_two_killed_tasks,
                parallel_continues_after_ctrl_c
            );
            tests.needing(&[ROOT, SSHD], |tests| {
                add!(
                    tests,
                    parallel_over_ssh_survives_killed_tasks,
                    parallel_over_ssh_continues_after_ctrl_c
                );
            });
        });
    });
}

fn play_with_two_killed_tasks(cluster: &Cluster) {
    let done = cluster.play(SHARDS, TOURNAMENT).until(
        || true,
        |_| {
            let mut shards: Vec<u32> = (1..=SHARDS).collect();
            for _ in 0..2 {
                let shard = cluster.kill_shard(&shards);
                shards.retain(|other| *other != shard);
            }
        },
    );
    done.exits(0);
    for shard in 1..=SHARDS {
        let log = cluster
            .dir
            .text(&format!("my cup.jsonl.shards/{shard}.log"));
        // A shard prints its result at the end, a killed shard none.
        assert_eq!(log.matches("seed 7").count(), 1, "{shard}: {log}");
    }
    cluster.check_record();
}

fn play_with_an_interruption(cluster: &Cluster) {
    cluster.interrupt();
    until("the referees end", || {
        (1..=SHARDS).all(|shard| cluster.processes(shard).is_empty())
    });
    cluster.play(SHARDS, TOURNAMENT).succeeds();
    cluster.check_record();
}

fn local_cluster() -> Cluster {
    let mut cluster = Cluster::new("parallel.sh");
    cluster.variables.push(("PARALLEL", "--jobs 2".to_owned()));
    cluster
}

fn parallel_survives_two_killed_tasks() {
    play_with_two_killed_tasks(&local_cluster());
}

fn parallel_continues_after_ctrl_c() {
    play_with_an_interruption(&local_cluster());
}

/// A server of ssh on this machine, for the user of the tests alone.
struct SshServer(Child);

impl Drop for SshServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl SshServer {
    /// Starts a server that the file `ssh_config` of the folder names `n0` and `n1`.
    fn start(cluster: &Cluster) -> SshServer {
        let dir = &cluster.dir;
        let home = dir.path("").display().to_string();
        let home = home.trim_end_matches('/');
        for key in ["host", "user"] {
            let mut command = Command::new("ssh-keygen");
            command.args(["-q", "-t", "ed25519", "-N", "", "-f"]);
            let made = command.arg(dir.path(key)).status().unwrap();
            assert!(made.success());
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = port.local_addr().unwrap().port();
        dir.file(
            "sshd_config",
            format!(
                "ListenAddress 127.0.0.1:{port}\nHostKey {home}/host\nAuthorizedKeysFile {home}/user.pub\nPidFile none\n\
                 StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\n"
            ),
        );
        dir.file(
            "ssh_config",
            format!(
                "Host n0 n1\nHostName 127.0.0.1\nPort {port}\nIdentityFile {home}/user\nUserKnownHostsFile /dev/null\n\
                 StrictHostKeyChecking no\nLogLevel ERROR\n"
            ),
        );
        // The server of a Debian that has not been started by an init system lacks this folder.
        fs::create_dir_all("/run/sshd").unwrap();
        let log = fs::File::create(dir.path("sshd.out")).unwrap();
        let mut command = Command::new("/usr/sbin/sshd");
        command
            .args(["-D", "-e", "-f"])
            .arg(dir.path("sshd_config"));
        let server = command.stdin(Stdio::null()).stderr(log).spawn();
        let server = SshServer(server.unwrap());
        until("the server of ssh listens", || {
            std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        server
    }
}

fn ssh_cluster() -> (Cluster, SshServer) {
    let mut cluster = Cluster::new("parallel.sh");
    let server = SshServer::start(&cluster);
    cluster.dir.file("nodes", "1/n0\n1/n1\n");
    let config = cluster.dir.path("ssh_config").display().to_string();
    let options = "--sshloginfile nodes --workdir . --env PATH".to_owned();
    cluster.variables.push(("PARALLEL", options));
    let ssh = format!("ssh -F {config}");
    cluster.variables.push(("PARALLEL_SSH", ssh));
    (cluster, server)
}

fn parallel_over_ssh_survives_killed_tasks() {
    let (cluster, _server) = ssh_cluster();
    play_with_two_killed_tasks(&cluster);
}

fn parallel_over_ssh_continues_after_ctrl_c() {
    let (cluster, _server) = ssh_cluster();
    play_with_an_interruption(&cluster);
}
