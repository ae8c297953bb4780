//! The exit codes of the referee: each for each kind of command that has it.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::sync::OnceLock;

use crate::common::arena::until;
use crate::common::contest::{lines_in, match_in_tens};
use crate::common::{
    Folder, PLACEMENT, broken, misbehaving, program, referee, scripted, test_bot, text_of,
};

/// The commands that end with a code, in a folder with the record `m.jsonl` and its shard `half.jsonl`. A word in braces is one
/// of the players below.
const ENDS: [(&str, i32, &str); 48] = [
    ("a winner", 0, "play awful mediocre --seed 1 --no-pause"),
    ("a demo", 0, "demo 1 --no-pause"),
    ("a match", 0, "match awful awful --games 2 --quiet"),
    (
        "a match that no player wins",
        0,
        "match awful awful --games 2 --max-turns 1 --quiet",
    ),
    (
        "a test that decides",
        0,
        "match awful good --games 40 --quiet --sprt elo0=0,elo1=400",
    ),
    (
        "a match that is played twice",
        0,
        "match awful awful --games 2 --verify --quiet",
    ),
    (
        "a tournament",
        0,
        "tournament awful mediocre x=awful --games 2 --quiet",
    ),
    (
        "a tournament without one player",
        0,
        "tournament awful false x=awful --games 2 --quiet",
    ),
    (
        "a tuning",
        0,
        "tune {tunable} --param decay=0:1 --against awful --games 8 --quiet",
    ),
    ("a check", 0, "check awful --grace 60s"),
    ("a check that warns", 0, "check mediocre --grace 60s"),
    ("a list", 0, "list m.jsonl"),
    ("a ranking", 0, "rank m.jsonl"),
    ("an explanation", 0, "explain m.jsonl --player awful"),
    ("a replay", 0, "replay m.jsonl --delay 1ms"),
    ("a report", 0, "report m.jsonl --out page.html"),
    ("a merge", 0, "merge m.jsonl --out copy.jsonl"),
    ("a new bot", 0, "new python my-bot"),
    ("a script for a shell", 0, "completions bash"),
    ("a look at the machine", 0, "doctor"),
    ("a help", 0, "match --help"),
    ("a version", 0, "--version"),
    ("a command that is none", 2, "plai awful awful"),
    ("no choice", 2, "demo"),
    (
        "a number of games that is odd",
        2,
        "match awful awful --games 3",
    ),
    (
        "a tuning of what has no parameters",
        2,
        "tune awful --param x=0:1 --against awful",
    ),
    ("a check of a person", 2, "check human"),
    ("a list of no record", 2, "list no-record.jsonl"),
    ("a ranking of no record", 2, "rank no-record.jsonl"),
    (
        "an explanation of no record",
        2,
        "explain no-record.jsonl --player awful",
    ),
    (
        "an explanation of a stranger",
        2,
        "explain m.jsonl --player nobody",
    ),
    ("a replay of no record", 2, "replay no-record.jsonl"),
    ("a replay of no game", 2, "replay m.jsonl --game 99"),
    ("a report of no record", 2, "report no-record.jsonl"),
    (
        "a merge without all shards",
        2,
        "merge half.jsonl --out whole.jsonl",
    ),
    (
        "a record that is there",
        2,
        "match awful awful --games 2 --out m.jsonl",
    ),
    ("a bot in an unknown language", 2, "new latin my-bot"),
    ("no winner", 3, "play awful awful --max-turns 1 --no-pause"),
    (
        "a bot that cannot place its ships",
        3,
        "play {none} awful --no-pause",
    ),
    ("a demo without a winner", 3, "demo cc --no-pause --seed 1"),
    (
        "no such program",
        4,
        "play no-such-program-there awful --no-pause",
    ),
    (
        "a match with no such program",
        4,
        "match no-such-program-there awful --games 2",
    ),
    (
        "a tournament of too few",
        4,
        "tournament awful false no-such-program-there --games 2",
    ),
    (
        "a tuning against no such program",
        4,
        "tune {tunable} --param decay=0:1 --against ./none",
    ),
    (
        "a bot that plays another game",
        4,
        "match {moody} awful --games 2 --verify --quiet",
    ),
    (
        "a check of no such program",
        4,
        "check no-such-program-there",
    ),
    ("a failed check", 4, "check false"),
    (
        "a check that one step fails",
        4,
        "check {wrong} --grace 60s",
    ),
];

/// Returns an argument, or the player that it stands for.
fn player(argument: &str) -> String {
    match argument {
        "{none}" => scripted("none", &["place none"]),
        "{moody}" => format!("moody={} script --moody '{PLACEMENT}'", test_bot()),
        "{tunable}" => format!("bot={} tune", test_bot()),
        "{wrong}" => broken("wrong-word"),
        _ => argument.to_owned(),
    }
}

/// A folder with the records that the commands read.
fn folder() -> Folder {
    // Played once for all rows.
    static RECORDS: OnceLock<[String; 2]> = OnceLock::new();
    let records = RECORDS.get_or_init(|| {
        [&[][..], &["--shard", "1/2"]].map(|more| {
            let folder = Folder::new();
            let path = folder.path("played");
            let done = match_in_tens("20", path.as_ref())
                .args(more)
                .stdout(Stdio::null())
                .status();
            assert!(done.unwrap().success());
            text_of(path)
        })
    });
    let folder = Folder::new();
    folder.file("m.jsonl", &records[0]);
    folder.file("half.jsonl", &records[1]);
    folder
}

#[test]
#[rows(ENDS)]
fn a_command_ends_with_the_promised_code((_, code, arguments): (&str, i32, &str)) {
    let folder = folder();
    let mut command = referee();
    command
        .args(arguments.split(' ').map(player))
        .current_dir(folder.path(""));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

/// All commands that are listed, and the programs of the players.
#[test]
fn every_command_ends_with_2_for_an_option_that_it_does_not_have() {
    fn words_of(command: &clap::Command, words: &[String]) -> Vec<Vec<String>> {
        let listed = command.get_subcommands().filter(|part| !part.is_hide_set());
        let parts = listed.filter(|part| part.get_name() != "help");
        let inner =
            parts.flat_map(|part| words_of(part, &[words, &[part.get_name().to_owned()]].concat()));
        std::iter::once(words.to_vec()).chain(inner).collect()
    }
    let grammars = battleship_referee::cli::grammars();
    let of_referee = grammars
        .iter()
        .find(|grammar| grammar.get_name() == "referee")
        .unwrap();
    let commands = words_of(of_referee, &[]);
    assert!(commands.len() > 15, "{commands:?}");
    for words in commands {
        let output = referee()
            .args(&words)
            .arg("--no-such-option")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {output:?}");
    }
    for bot in ["awful-bot", "mediocre-bot", "good-bot", "human-bot"] {
        let status = program(bot)
            .arg("--no-such-option")
            .stderr(Stdio::null())
            .status();
        assert_eq!(status.unwrap().code(), Some(2), "{bot}");
    }
}

/// The commands that print something, one of each kind.
#[cfg(target_os = "linux")]
const PRINTING: [&str; 11] = [
    "play awful awful --json",
    "demo 1 --no-pause",
    "match awful awful --games 2 --json",
    "tournament awful mediocre x=awful --games 2 --json",
    "check awful",
    "list m.jsonl",
    "rank m.jsonl",
    "explain m.jsonl --player awful",
    "replay m.jsonl --delay 1ms",
    "completions bash",
    "doctor",
];

#[cfg(target_os = "linux")]
#[test]
#[rows(PRINTING)]
fn a_command_whose_output_does_not_fit_ends_with_1(arguments: &str) {
    let (folder, full) = (folder(), std::fs::File::create("/dev/full").unwrap());
    let mut command = program("referee");
    command
        .args(arguments.split(' '))
        .current_dir(folder.path(""))
        .stdout(full);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

/// The commands that can be interrupted once they have printed or recorded something.
const LONG: [(&str, &str); 5] = [
    (
        "a match",
        "match awful awful --games 1000000 --out long.jsonl",
    ),
    (
        "a tournament",
        "tournament awful mediocre x=awful --games 1000000 --out long.jsonl",
    ),
    ("a check", "check {hangs} --limit 1h"),
    ("a replay", "replay m.jsonl --delay 1h"),
    ("a demo", "demo 3 --games 1000000"),
];

#[test]
#[rows(LONG)]
fn what_is_interrupted_ends_with_130((_, arguments): (&str, &str)) {
    let folder = folder();
    let mut command = program("referee");
    let hangs = |word: &str| match word {
        "{hangs}" => misbehaving("--at place hang"),
        _ => word.to_owned(),
    };
    command
        .args(arguments.split(' ').map(hangs))
        .current_dir(folder.path(""));
    let mut running = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // It has begun as soon as it says so, or has recorded a game.
    let mut printed = BufReader::new(running.stdout.take().unwrap());
    if arguments.ends_with("--out long.jsonl") {
        until("games are recorded", || {
            lines_in(folder.path("long.jsonl")) > 1
        });
    } else {
        printed.read_line(&mut String::new()).unwrap();
    }
    let process = rustix::process::Pid::from_child(&running);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    printed.read_to_end(&mut Vec::new()).unwrap();
    let status = running.wait().unwrap();
    assert_eq!((status.code(), status.signal()), (Some(130), None));
}
