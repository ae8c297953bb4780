//! Disks that are full.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::programs::built;

/// Runs `script` where it may mount file systems that no other process sees and that end with it: as root, or in a user
/// namespace. `$referee` is the referee, `$tiny` an empty folder to mount on.
pub fn run_where_disks_are_tiny(folder: &Path, script: &str) {
    let tiny = folder.join("tiny");
    fs::create_dir(&tiny).unwrap();
    let unshare = |options: &[&str], script: &str| {
        let mut command = Command::new("unshare");
        command.args(options).args(["sh", "-euc", script]);
        command.env("tiny", &tiny).env("referee", built("referee"));
        command.current_dir(folder).output()
    };
    let ways = [&["--mount"][..], &["--user", "--map-root-user", "--mount"]];
    let probes = ways.map(|way| unshare(way, "mount -t tmpfs tiny \"$tiny\""));
    let is_possible = |(_, probe): &(_, &std::io::Result<std::process::Output>)| {
        probe.as_ref().is_ok_and(|output| output.status.success())
    };
    let Some((way, _)) = ways.into_iter().zip(&probes).find(is_possible) else {
        panic!(
            "this test has to mount a tmpfs, as root or in a user namespace, and neither works: {probes:?}"
        );
    };
    let output = unshare(way, script).unwrap();
    assert!(output.status.success(), "{output:?}");
}
