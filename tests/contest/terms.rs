//! The terms of the games of a contest: the command that replays one, and the settings that `--resume` compares.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;

use crate::common::{Folder, referee};
use testkit::list::Tests;
use testkit::tools::{LANDLOCK, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, LANDLOCK], |tests| {
        add!(
            tests,
            a_game_in_a_sandbox_is_replayed_in_the_same_one,
            a_sandboxed_contest_is_resumed_only_in_the_same_sandbox
        );
    });
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_contest_is_resumed_only_under_the_same_terms_whichever_field_differs,
            a_contest_is_resumed_only_under_the_same_terms_if_a_field_is_left_out
        );
        rows!(tests, REPLAYS, a_game_is_replayed_as_it_was);
    });
}

/// A player that starts only where the variable of this name is set.
fn in_need_of(variable: &str) -> String {
    let referee = env!("CARGO_BIN_EXE_referee");
    format!("needy=sh -c 'test \"${variable}\" && exec {referee} bot awful'")
}

/// The referee, with a variable in its environment that bots get only if an option says so.
fn referee_with_variable() -> Command {
    let mut referee = referee();
    referee.env("SECRET_OF_THE_TEST", "1");
    referee
}

/// The part of a recorded game that a replay must repeat.
fn course(game: &Value) -> Value {
    let without_times = |list: &Value, time: usize| -> Vec<Value> {
        let mut list = list.as_array().cloned().unwrap_or_default();
        for entry in &mut list {
            entry[time] = Value::Null;
        }
        list
    };
    serde_json::json!([
        game["fleets"],
        without_times(&game["shots"], 4),
        without_times(&game["moves"], 6),
        game["winner"],
        game["ended_by"],
        game["sandbox"]
    ])
}

/// Plays a match with these options, and each player's worst game again by the command that the summary prints. The
/// command has to name the options in the words of `named`.
fn replays_its_worst_games(players: [&str; 2], options: &[&str], named: &str) {
    let folder = Folder::new();
    let record = folder.path("match.jsonl");
    let output = referee_with_variable()
        .arg("match")
        .args(players)
        .args([
            "--games", "4", "--series", "2", "--seed", "1", "--quiet", "--json",
        ])
        .args(["--out", &record])
        .args(options)
        .assert()
        .code(0)
        .get_output()
        .clone();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines = std::fs::read_to_string(&record).unwrap();
    let games: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Value| line["format"] == "battleship-game")
        .collect();
    let mut replayed = 0;
    for player in summary["players"].as_array().unwrap() {
        let worst = &player["worst_game"];
        let Some(command) = worst["repeat"].as_str() else {
            continue;
        };
        assert!(command.contains(named), "{command}");
        let words = command.strip_prefix("referee ").unwrap();
        let script = format!("exec '{}' {words} --json", env!("CARGO_BIN_EXE_referee"));
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("SECRET_OF_THE_TEST", "1")
            .output()
            .unwrap();
        let again: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{command}: {error}: {output:?}"));
        let recorded = games
            .iter()
            .find(|game| game["contest"]["game"] == worst["game"])
            .unwrap();
        // The players of the replay are in the order in which they moved.
        let mut recorded = recorded.clone();
        if recorded["first"] == 1 {
            recorded["fleets"].as_array_mut().unwrap().reverse();
            for list in ["shots", "moves"] {
                for turn in recorded[list].as_array_mut().into_iter().flatten() {
                    turn[0] = (1 - turn[0].as_u64().unwrap()).into();
                }
            }
        }
        assert_eq!(course(&again), course(&recorded), "{command}");
        replayed += 1;
    }
    assert!(replayed > 0, "no player has a worst game: {summary}");
}

/// What is special about a game, its options, and what the command that repeats it has to name.
const REPLAYS: [(&str, &[&str], &str); 7] = [
    (
        "a variable",
        &["--env", "SECRET_OF_THE_TEST"],
        "--env SECRET_OF_THE_TEST",
    ),
    ("no pinning", &["--no-pin"], "--no-pin"),
    ("pondering", &["--ponder"], "--ponder"),
    ("another grace", &["--grace", "2s"], "--grace 2000ms"),
    (
        "another board",
        &[
            "--rows",
            "4",
            "--ship",
            "3 D double ended dinghy",
            "--ship",
            "1 # x",
        ],
        "--rows 4 --ship '3 D double ended dinghy' --ship '1 # x'",
    ),
    (
        "its first mover",
        &["--rules", "twist", "--max-turns", "8"],
        "--rules twist --max-turns 8",
    ),
    (
        "other limits",
        &["--limit", "40s", "--start-limit", "1m", "--max-turns", "30"],
        "--max-turns 30 --limit 40000ms --start-limit 60000ms",
    ),
];

fn a_game_is_replayed_as_it_was((name, options, named): (&str, &[&str], &str)) {
    let needy = in_need_of("SECRET_OF_THE_TEST");
    let first = if name == "a variable" {
        &*needy
    } else {
        "awful"
    };
    replays_its_worst_games([first, "mediocre"], options, named);
}

fn a_game_in_a_sandbox_is_replayed_in_the_same_one() {
    let options = [
        "--sandbox",
        "--allow",
        "/usr/share",
        "--max-memory",
        "512",
        "--max-threads",
        "32",
    ];
    let named = "--allow /usr/share --max-memory 512 --max-threads 32 --sandbox";
    replays_its_worst_games(["awful", "mediocre"], &options, named);
}

/// A Swiss tournament whose configuration has a value in every field.
const SWISS: [&str; 16] = [
    "--format",
    "swiss",
    "--rounds",
    "1",
    "--games",
    "2",
    "--series",
    "2",
    "--seed",
    "1",
    "--rows",
    "3",
    "--cols",
    "3",
    "--ship",
    "2 R rowboat",
];

/// For each field of a configuration: options that change it. A later option of the same name would be refused, so they
/// are given whole.
const CHANGES: [(&str, &[&str]); 19] = [
    ("schedule", &["--format", "round-robin"]),
    ("rounds", &["--rounds", "2"]),
    ("games", &["--games", "4"]),
    ("series", &["--series", "4"]),
    ("restart", &["--restart"]),
    ("seed", &["--seed", "2"]),
    ("rules", &["--rules", "twist"]),
    ("rows", &["--rows", "4"]),
    ("cols", &["--cols", "4"]),
    ("ships", &["--ship", "2 S ship"]),
    ("max_turns", &["--max-turns", "9"]),
    ("limit_ms", &["--limit", "6s"]),
    ("start_limit_ms", &["--start-limit", "11s"]),
    ("grace_ms", &["--grace", "600ms"]),
    ("env", &["--env", "SECRET_OF_THE_TEST"]),
    ("pin", &["--no-pin"]),
    ("portable", &["--portable"]),
    ("max_faults", &["--max-faults", "0.5"]),
    ("players", &[]),
];

/// The fields that are left out while they have their usual value.
const CHANGES_OF_OPTIONAL: [(&str, &[&str]); 1] = [("ponder", &["--ponder"])];

/// The fields that only a sandboxed contest can change.
const CHANGES_OF_SANDBOX: [(&str, &[&str]); 4] = [
    ("sandbox", &[]),
    ("allow", &["--sandbox", "--allow", "/usr/share"]),
    ("max_memory_mib", &["--sandbox", "--max-memory", "512"]),
    ("max_threads", &["--sandbox", "--max-threads", "32"]),
];

fn swiss(players: [&str; 3], base: &[&str], changes: &[&str], rest: &[&str]) -> Command {
    let mut referee = referee_with_variable();
    referee.arg("tournament").args(players);
    let mut base = base.iter();
    while let Some(option) = base.next() {
        let value = base.next().unwrap();
        // A schedule without rounds has none to give.
        let replaced = changes.contains(option)
            || (*option == "--rounds" && changes.contains(&"round-robin"))
            || (changes.contains(&"twist") && ["--rows", "--cols", "--ship"].contains(option));
        if !replaced {
            referee.args([option, value]);
        }
    }
    referee.args(changes).args(["--quiet"]).args(rest);
    referee
}

fn refuses_each(changes: &[(&str, &[&str])], own: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    let record = folder.path("swiss.jsonl");
    let players = ["awful", "mediocre", "more=awful"];
    swiss(players, &SWISS, own, &["--out", &record])
        .assert()
        .code(0)
        .stderr(is_empty());
    for (field, change) in changes {
        let players = if *field == "players" {
            ["awful", "mediocre", "more=mediocre"]
        } else {
            players
        };
        let says =
            contains("is of another contest; what differs: ").and(contains(format!("{field}: ")));
        let says = says.or(contains(format!("{field} 1: ")).or(contains(format!("{field} 3: "))));
        let change: Vec<_> = own
            .iter()
            .filter(|option| !change.is_empty() && !change.contains(option))
            .chain(*change)
            .copied()
            .collect();
        let change = if *field == "players" { own } else { &change };
        swiss(players, &SWISS, change, &["--resume", "--out", &record])
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(says);
    }
    let text = std::fs::read_to_string(&record).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    header["config"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect()
}

fn a_contest_is_resumed_only_under_the_same_terms_whichever_field_differs() {
    let mut fields = refuses_each(&CHANGES, &[]);
    // No option changes this one any more.
    fields.retain(|field| field != "strict");
    let known = CHANGES
        .iter()
        .chain(&CHANGES_OF_SANDBOX)
        .map(|(field, _)| *field);
    let mut known: Vec<_> = known.collect();
    known.sort_unstable();
    assert_eq!(
        fields, known,
        "every field of the configuration has its row here"
    );
}

fn a_contest_is_resumed_only_under_the_same_terms_if_a_field_is_left_out() {
    let changed: Vec<_> = CHANGES_OF_OPTIONAL
        .iter()
        .flat_map(|(_, options)| *options)
        .copied()
        .collect();
    for (field, _) in CHANGES_OF_OPTIONAL {
        let without = refuses_each(&CHANGES_OF_OPTIONAL, &[]);
        assert!(!without.iter().any(|known| known == field), "{without:?}");
        // And the other way round, where the header has it.
        let with = refuses_each(&[("games", &["--games", "4"])], &changed);
        assert!(with.iter().any(|known| known == field), "{with:?}");
    }
}

fn a_sandboxed_contest_is_resumed_only_in_the_same_sandbox() {
    refuses_each(&CHANGES_OF_SANDBOX, &["--sandbox"]);
}
