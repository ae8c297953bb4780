//! The contests that are killed: one of each format, and what else takes another way through the referee.

use std::path::Path;
use std::process::{Command, Stdio};

/// A contest that takes some tenths of a second.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// The name of its record.
    pub(super) record: &'static str,
    arguments: Vec<String>,
}

/// A bot in the shell that shoots from the top left and crashes before its eighth attack.
const CRASHER: &str = "\
n=0
while read -r word rest; do
  case $word in
    battleship) echo ready ;;
    place) echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h ;;
    attack) [ $n -lt 7 ] || kill -SEGV $$; echo attack $((n / 10)) $((n % 10)); n=$((n + 1)) ;;
    quit) exit ;;
  esac
done
";

/// Returns all kinds; the file of a bot is written into `folder`.
pub(super) fn all(folder: &Path) -> Vec<Kind> {
    let script = folder.join("crasher.sh");
    std::fs::write(&script, CRASHER).unwrap();
    let crasher = format!("crasher=sh '{}'", script.display());
    let kind = |name, words: &str, players: &[&str]| {
        let words = words.split(' ').chain(players.iter().copied());
        Kind {
            name,
            record: "r.jsonl",
            arguments: words.map(str::to_owned).collect(),
        }
    };
    let four = ["one=awful", "two=awful", "three=awful", "mediocre"];
    let three = ["mediocre", "one=awful", "two=awful"];
    let gauntlet = "tournament --format gauntlet --games 16 --series 2 --jobs 2";
    vec![
        kind(
            "match",
            "match --games 120 --series 4 --jobs 2",
            &["awful", "mediocre"],
        ),
        Kind {
            record: "r.jsonl.gz",
            ..kind(
                "match, compressed",
                "match --games 120 --series 4 --jobs 2",
                &["awful", "mediocre"],
            )
        },
        kind(
            "match of twist",
            "match --rules twist --games 20 --series 2",
            &["awful", "mediocre"],
        ),
        kind(
            "round robin, one bot crashes",
            "tournament --games 24 --series 4 --jobs 2",
            &["awful", "mediocre", &crasher],
        ),
        kind(
            "swiss",
            "tournament --format swiss --games 16 --series 4 --jobs 2",
            &four,
        ),
        kind(
            "knockout",
            "tournament --format knockout --games 8 --series 4 --jobs 1",
            &four,
        ),
        if has_sandbox() {
            kind(
                "gauntlet in the sandbox",
                &format!("{gauntlet} --sandbox"),
                &three,
            )
        } else {
            kind("gauntlet (without a sandbox)", gauntlet, &three)
        },
    ]
}

/// Returns whether this machine has a sandbox: the referee tests it before a game.
fn has_sandbox() -> bool {
    let mut play = Command::new(crate::common::built("referee"));
    play.args(["play", "awful", "awful", "--json", "--sandbox"])
        .stdout(Stdio::null());
    play.stderr(Stdio::null()).status().unwrap().success()
}

impl Kind {
    /// Returns the command for this contest, with its record in `out`.
    pub(super) fn command(&self, out: &Path) -> Command {
        let mut command = Command::new(crate::common::built("referee"));
        command
            .args(&self.arguments)
            .args(["--seed", "1", "--quiet"]);
        // The bots and their supervisors are found by this variable.
        command
            .args(["--env", super::leftovers::MARK, "--out"])
            .arg(out);
        command
    }
}
