//! The exit codes of the referee.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};

use crate::common::{program, referee};

/// What ends with a code, and the arguments for it.
const ENDS: [(&str, i32, &[&str]); 8] = [
    ("a winner", 0, &["play", "awful", "mediocre", "--seed", "1", "--no-pause"]),
    ("a match", 0, &["match", "awful", "awful", "--games", "2", "--quiet"]),
    ("a folder that cannot be made", 1, &["man", "/dev/null/pages"]),
    ("an unknown option", 2, &["play", "awful", "awful", "--nonsense"]),
    ("no winner", 3, &["play", "awful", "awful", "--max-turns", "1", "--no-pause"]),
    ("no such program", 4, &["play", "no-such-program-there", "awful", "--no-pause"]),
    ("a check of no such program", 4, &["check", "no-such-program-there"]),
    ("a failed check", 4, &["check", "false"]),
];

#[test]
#[rows(ENDS)]
fn a_command_ends_with_the_promised_code((_, code, arguments): (&str, i32, &[&str])) {
    let output = referee().args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

#[test]
fn an_interrupted_contest_ends_with_130() {
    let mut command = program("referee");
    command.args(["match", "awful", "awful", "--games", "1000000", "--events"]);
    let mut running: Child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // It has begun as soon as it says so.
    let mut events = std::io::BufReader::new(running.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut events, &mut String::new()).unwrap();
    let process = rustix::process::Pid::from_child(&running);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    std::io::copy(&mut events, &mut std::io::sink()).unwrap();
    let status = running.wait().unwrap();
    assert_eq!((status.code(), status.signal()), (Some(130), None));
}
