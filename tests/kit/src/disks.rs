//! Disks that are full.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::programs::built;

/// Finds out whether this user may mount something, or needs a user namespace for that.
const MOUNTS: &str = "
way=--mount
unshare $way mount -t tmpfs tiny \"$tiny\" || way='--user --map-root-user --mount'
exec unshare $way sh -euc \"$0\"";

/// Runs `script` where it may mount file systems that no other process sees and that end with it:
/// as root, or in a user namespace. `$referee` is the referee, `$tiny` an empty folder to mount on.
pub fn run_where_disks_are_tiny(folder: &Path, script: &str) {
    let tiny = folder.join("tiny");
    fs::create_dir(&tiny).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", MOUNTS, script]).current_dir(folder);
    command.env("tiny", &tiny).env("referee", built("referee"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}
