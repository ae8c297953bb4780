//! Tournaments from a file.

use crate::common::{quoted_there, referee};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_file_says_everything_about_a_tournament,
            what_is_typed_replaces_what_the_file_says,
            players_are_named_in_one_place,
            a_fault_that_no_single_line_has_is_named,
            a_file_that_cannot_be_read_is_named,
            settings_of_the_current_folder_hold_and_are_named,
            what_is_typed_replaces_the_settings,
            an_option_is_set_in_one_place
        );
        rows!(tests, WRONG_FILES, a_fault_in_a_file_is_named_with_its_line);
        rows!(
            tests,
            WRONG_SETTINGS,
            a_wrong_setting_is_named_with_its_line
        );
    });
}

const CUP: &str = r#"
format = "gauntlet"
games = 4
series = 2
seed = 0x10
rows = 4
cols = 5
ship = ["3 S submarine", "2 R rowboat"]
limit = "60s"
max-faults = 0.5
restart = false
ponder = true
json = true
quiet = true

[[player]]
name = "Popeye the Sailor"
command = "mediocre"

[[player]]
command = "awful"

[[player]]
command = "good"
"#;

/// A tournament from a file that says `text`, with what is typed besides.
fn cup(text: &str, typed: &[&str]) -> assert_cmd::assert::Assert {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cup.toml"), text).unwrap();
    let mut referee = referee();
    referee
        .current_dir(folder.path())
        .args(["tournament", "--config", "cup.toml"]);
    referee.args(typed).assert()
}

fn summary(text: &str, typed: &[&str]) -> Value {
    let output = cup(text, typed)
        .code(0)
        .stderr(is_empty())
        .get_output()
        .clone();
    serde_json::from_slice(&output.stdout).unwrap()
}

fn a_file_says_everything_about_a_tournament() {
    let summary = summary(CUP, &[]);
    let names: Vec<_> = summary["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| &player["name"])
        .collect();
    assert_eq!(names, ["Popeye the Sailor", "awful", "good"]);
    assert_eq!(summary["players"][0]["command"], "mediocre");
    let what = ["schedule", "games", "series", "seed"].map(|what| summary[what].to_string());
    assert_eq!(what, ["\"gauntlet\"", "8", "4", "16"]);
    let repeat = summary["players"][1]["worst_game"]["repeat"]
        .as_str()
        .unwrap();
    assert!(
        repeat.contains(&quoted_there(
            "--rows 4 --cols 5 --ship '3 S submarine' --ship '2 R rowboat'"
        )),
        "{repeat}"
    );
    assert!(
        repeat.contains("--limit 60000ms") && repeat.contains("--ponder"),
        "{repeat}"
    );
}

fn what_is_typed_replaces_what_the_file_says() {
    let typed = ["--games", "2", "--format=round-robin", "--ship", "1 B buoy"];
    let round_robin = summary(CUP, &typed);
    assert_eq!(
        (&round_robin["schedule"], &round_robin["games"]),
        (&"round-robin".into(), &6.into())
    );
    let repeat = round_robin["players"][1]["worst_game"]["repeat"]
        .as_str()
        .unwrap();
    assert!(
        repeat.contains(&quoted_there("--ship '1 B buoy'")) && !repeat.contains("rowboat"),
        "{repeat}"
    );
    cup(CUP, &["--csv"])
        .code(0)
        .stdout(predicates::str::starts_with("place,player,"));
}

fn players_are_named_in_one_place() {
    let both = "there are players on the command line and in the file";
    cup(CUP, &["awful", "good"])
        .code(2)
        .stdout(is_empty())
        .stderr(contains(both));
    let options = CUP.split_once("[[player]]").unwrap().0;
    assert_eq!(summary(options, &["awful", "good"])["games"], 4);
    cup(options, &[])
        .code(2)
        .stderr(contains("there are no players"));
    let one = format!("{options}\n[[player]]\ncommand = 'awful'");
    cup(&one, &[])
        .code(2)
        .stderr(contains("there is only one player: name another"));
}

/// A file, its wrong line, and what is said of that.
const WRONG_FILES: [(&str, u32, &str); 20] = [
    ("games = 4\ngames 5", 2, "this is not TOML: "),
    (
        "games = 2.0",
        1,
        "games: expected a number that this option allows; whole numbers have no point",
    ),
    (
        "games = ten",
        1,
        "text has quotation marks, as in command = \"./bot\"",
    ),
    (
        "[[players]]\ncommand = 'awful'",
        1,
        "each player is a table: [[player]]",
    ),
    (
        "[[player]]\ncommand = \"C:\\bots\\bot.exe\"",
        2,
        "write the text between apostrophes, as in 'C:\\bots\\bot.exe'",
    ),
    ("gaems = 4", 1, "there is no \"gaems\"; did you mean games?"),
    (
        "seed = 1\nmax_faults = 1",
        2,
        "there is no \"max_faults\"; write max-faults",
    ),
    (
        "games = true",
        1,
        "games: expected a number that this option allows",
    ),
    (
        "\n\ngames = 'many'",
        3,
        "games: \"many\" is not a whole number",
    ),
    (
        "format = 'league'",
        1,
        "format: there is no `league`; there are `round-robin`",
    ),
    (
        "games = [2, 4]",
        1,
        "games: expected a number that this option allows",
    ),
    (
        "ship = [['2 R rowboat']]",
        1,
        "ship: expected text or a list of texts",
    ),
    (
        "ponder = 'yes'",
        1,
        "ponder: string \"yes\", where true or false belongs",
    ),
    (
        "limit = 5",
        1,
        "limit: expected a time in quotation marks, as \"5s\" or \"250ms\"",
    ),
    (
        "sandbox = 'loose'",
        1,
        "sandbox: expected true, false, \"world\" or \"basic\"",
    ),
    ("config = 'cup.toml'", 1, "there is no \"config\""),
    ("player = 'awful'", 1, "each player is a table: [[player]]"),
    ("[[player]]\nname = 'x'", 1, "player: `command` is missing"),
    (
        "[[player]]\ncommand = 1",
        2,
        "player: expected a command as text, or as a list of its words",
    ),
    (
        "[[player]]\ncommand = 'x'\nelo = 1",
        3,
        "player: there is no `elo`; there are `name`, `command`, `dir`, `limit`, `start-limit`",
    ),
];

fn a_fault_in_a_file_is_named_with_its_line((wrong, line, what): (&str, u32, &str)) {
    let says = contains(format!("referee: cup.toml, line {line}: ")).and(contains(what));
    cup(wrong, &[]).code(2).stdout(is_empty()).stderr(says);
}

fn a_fault_that_no_single_line_has_is_named() {
    cup("resume = true", &["awful", "good"])
        .code(2)
        .stderr(contains("--resume: name the record with --out FILE"));
    let players = "[[player]]\ncommand = \"'x\"\n[[player]]\ncommand = 'awful'";
    cup(players, &[])
        .code(2)
        .stderr(contains("a quotation mark is not closed"));
}

fn a_file_that_cannot_be_read_is_named() {
    let none = ["tournament", "--config", "no-such.toml"];
    referee()
        .args(none)
        .assert()
        .code(2)
        .stderr(contains("--config no-such.toml: No such file"));
}

/// Runs the referee in a folder whose `referee.toml` says `text`.
fn with_settings(text: &str, typed: &[&str]) -> assert_cmd::assert::Assert {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("referee.toml"), text).unwrap();
    std::fs::write(
        folder.path().join("other.toml"),
        "[limits]\nlimit = '50s'\n",
    )
    .unwrap();
    referee().current_dir(folder.path()).args(typed).assert()
}

const MATCH: [&str; 7] = ["match", "awful", "mediocre", "--games", "2", "--seed", "1"];

const LIMITS: &str = "[limits]\nlimit = '40s'\ngrace = '2s'\n[sandbox]\nmax-memory = 512\n";

fn settings_of_the_current_folder_hold_and_are_named() {
    let typed = [&MATCH[..], &["--out", "games.jsonl", "--quiet"]].concat();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("referee.toml"), LIMITS).unwrap();
    let run = |typed: &[&str]| referee().current_dir(folder.path()).args(typed).assert();
    run(&typed)
        .code(0)
        .stderr("referee: referee.toml sets grace, limit, max-memory\n");
    let record = std::fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    let header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    let config = &header["config"];
    let times = ["limit_ms", "grace_ms"].map(|time| config[time].as_u64());
    assert_eq!(times, [Some(40_000), Some(2000)], "{config}");
    // As if they had been typed, they are compared when the contest continues.
    std::fs::remove_file(folder.path().join("referee.toml")).unwrap();
    let resumed = [&typed[..], &["--resume"]].concat();
    run(&resumed).code(2).stderr(contains("limit"));
    run(&[&resumed[..], &["--limit", "40s", "--grace", "2s"]].concat()).code(0);
}

fn what_is_typed_replaces_the_settings() {
    let limit = |typed: &[&str]| {
        let typed = [
            &["play", "awful", "mediocre", "--seed", "1", "--json"],
            typed,
        ]
        .concat();
        let output = with_settings(LIMITS, &typed).code(0).get_output().clone();
        let record: Value = serde_json::from_slice(&output.stdout).unwrap();
        let named = String::from_utf8(output.stderr)
            .unwrap()
            .contains("referee.toml sets");
        (record["players"][0]["limit_ms"].as_u64(), named)
    };
    assert_eq!(limit(&[]), (Some(40_000), true));
    assert_eq!(limit(&["--limit", "30s"]), (Some(30_000), true));
    assert_eq!(limit(&["--config", "other.toml"]), (Some(50_000), false));
}

/// Settings, their wrong line, and what is said of that.
const WRONG_SETTINGS: [(&str, u32, &str); 9] = [
    (
        "[sandbox]\nmax-memry = 5",
        2,
        "there is no \"max-memry\"; did you mean max-memory?",
    ),
    (
        "[limits]\n\nmax-memory = 5",
        3,
        "there is no \"max-memory\"; there are fuel, grace, limit",
    ),
    (
        "[sandboxe]\nallow = '/'",
        1,
        "there is no \"sandboxe\"; did you mean [sandbox]?",
    ),
    (
        "[sandbox]\nallow = ['no-such-folder']",
        2,
        "--allow no-such-folder: there is no such folder",
    ),
    ("[limits]\nlimit = 'soon'", 2, "limit: "),
    (
        "[cluster]\nshards = 0",
        2,
        "shards: expected a whole number from 1",
    ),
    ("[cluster]\non = 'slurm'", 2, "there is no \"on\""),
    (
        "games = 4",
        1,
        "there is no \"games\"; there are [limits], [sandbox], [bots], [cluster]",
    ),
    (
        "[[player]]\ncommand = 'good'",
        2,
        "only a tournament takes players",
    ),
];

fn a_wrong_setting_is_named_with_its_line((wrong, line, what): (&str, u32, &str)) {
    let says = contains(format!("referee: referee.toml, line {line}: ")).and(contains(what));
    with_settings(wrong, &MATCH)
        .code(2)
        .stdout(is_empty())
        .stderr(says);
    let check = with_settings(wrong, &["check", "mediocre"]);
    check
        .code(2)
        .stderr(contains(format!("referee.toml, line {line}: ")));
}

fn an_option_is_set_in_one_place() {
    let twice = "limit = '1s'\n[limits]\nlimit = '2s'";
    cup(twice, &["awful", "good"])
        .code(2)
        .stderr(contains("cup.toml, line 3: limit stands above"));
    let players = "[[player]]\ncommand = 'good'";
    let typed = [&MATCH[..], &["--config", "players.toml"]].concat();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("players.toml"), players).unwrap();
    let run = referee().current_dir(folder.path()).args(&typed).assert();
    run.code(2).stderr(contains(
        "players.toml, line 2: only a tournament takes players from a file",
    ));
}
