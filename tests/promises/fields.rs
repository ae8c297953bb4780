//! The names of what `--json` and `--events` print, and of what records have.

use std::collections::BTreeSet;

use serde_json::Value;

use super::compare;
#[cfg(target_os = "linux")]
use crate::class::Class;
use crate::common::{Folder, PLACEMENT, referee, scripted, text_of};

/// A command whose output has fields: a name of its own, and its arguments, in which `{..}` are the players below. A
/// record has no arguments, and is named by its file.
type Row = (&'static str, &'static str);

/// They run one after the other in one folder.
const COMMANDS: [Row; 49] = [
    ("play", "play awful mediocre --json --no-pause"),
    ("play twist", "play awful mediocre --json --no-pause --rules twist"),
    ("play faults", "play {wrong} {talks} --json --no-pause"),
    ("play figures", "play {talks} awful --json --no-pause --ponder"),
    ("play --record", "play awful mediocre --no-pause --record g.jsonl"),
    ("play --record twist", "play awful awful --no-pause --rules twist --record g.jsonl"),
    ("record g.jsonl", ""),
    ("match", "match good mediocre --games 4 --json --out m.jsonl"),
    ("match --events", "match awful mediocre --games 2 --events"),
    ("match twist", "match awful mediocre --games 2 --rules twist --json --out twist.jsonl"),
    (
        "match --sprt",
        "match awful mediocre --games 60 --series 2 --sprt elo0=0,elo1=300 --json --out sprt.jsonl",
    ),
    (
        "match with terms",
        "match here@.=awful {talks} --games 4 --json --out terms.jsonl --limits 50s:60s \
         --start-limits 50s:60s --ponder --no-pin --strict --env LANG --max-turns 200",
    ),
    (
        "match with faults",
        "match {wrong} awful --games 4 --events --out faults.jsonl --bundle bundles",
    ),
    ("tournament", "tournament awful mediocre good --games 2 --json --out t.jsonl"),
    (
        "tournament --format gauntlet",
        "tournament awful mediocre {talks} --format gauntlet --games 2 --json --anchor awful=1000",
    ),
    (
        "tournament --format swiss",
        "tournament awful mediocre {talks} --format swiss --rounds 2 --games 2 --json --out swiss.jsonl",
    ),
    (
        "tournament --format swiss --events",
        "tournament awful mediocre {talks} --format swiss --games 2 --events",
    ),
    (
        "tournament --format knockout",
        "tournament awful mediocre {talks} --format knockout --games 2 --json --out knockout.jsonl",
    ),
    (
        "tournament with a player that is disqualified",
        "tournament awful {talks} {wrong} --games 10 --events --out left-out.jsonl",
    ),
    (
        "tournament with a player that cannot play",
        "tournament awful {talks} nothing=false --games 2 --json --out cannot.jsonl",
    ),
    (
        "match --shard 1",
        "match awful mediocre --games 4 --series 2 --shard 1/2 --out 1.jsonl --quiet",
    ),
    (
        "match --shard 2",
        "match awful mediocre --games 4 --series 2 --shard 2/2 --out 2.jsonl --quiet",
    ),
    ("merge shards", "merge 1.jsonl 2.jsonl --out whole.jsonl"),
    ("merge --partial", "merge 1.jsonl --partial --out half.jsonl"),
    ("record 1.jsonl", ""),
    (
        "match --on local",
        "match awful mediocre --games 4 --series 2 --on local --shards 2 --json --out on.jsonl",
    ),
    (
        "tournament --on local",
        "tournament awful mediocre {talks} --games 2 --on local --shards 2 --json --out on-t.jsonl",
    ),
    ("merge", "merge m.jsonl --out merged.jsonl"),
    ("rank", "rank t.jsonl --json"),
    ("rank --anchor", "rank m.jsonl t.jsonl --by-name --anchor awful=1000 --json"),
    ("list", "list m.jsonl --json"),
    ("list single games", "list g.jsonl --json"),
    ("list twist", "list twist.jsonl --json"),
    ("list faults", "list faults.jsonl --player wrong --worst 2 --json"),
    ("explain", "explain t.jsonl --player awful --json"),
    ("explain twist", "explain twist.jsonl --player awful --json"),
    ("explain faults", "explain faults.jsonl --player wrong --bundle bundles --json"),
    ("explain --game", "explain faults.jsonl --player wrong --game 1 --run {wrong} --json"),
    ("check", "check mediocre --json --grace 60s"),
    ("check twist", "check awful --rules twist --json --grace 60s"),
    ("check --from", "check awful --from t.jsonl --json --grace 60s"),
    ("doctor", "doctor --json"),
    ("record m.jsonl", ""),
    ("record twist.jsonl", ""),
    ("record terms.jsonl", ""),
    ("record swiss.jsonl", ""),
    ("record cannot.jsonl", ""),
    ("record merged.jsonl", ""),
    ("record on.jsonl", ""),
];

/// What needs a sandbox, in a list of its own.
#[cfg(target_os = "linux")]
const SANDBOXED: [Row; 5] = [
    ("play --sandbox", "play awful mediocre --json --no-pause --sandbox"),
    ("play --sandbox=basic", "play awful mediocre --json --no-pause --sandbox=basic"),
    (
        "match --sandbox",
        "match awful mediocre --games 2 --sandbox --max-threads 20 --max-memory 200 --allow . \
         --json --out confined.jsonl",
    ),
    ("check --sandbox", "check mediocre --sandbox --json --grace 60s"),
    ("record confined.jsonl", ""),
];

/// Returns an argument, or the player that it stands for: one that answers an attack wrongly, one that prints a figure.
fn player(argument: &str) -> String {
    match argument {
        // A contest tries a few turns of a player before it lets it play.
        "{wrong}" => scripted(
            "wrong",
            &[&[PLACEMENT], &["attack 9 9"; 10][..], &["attack nowhere"]].concat(),
        ),
        "{talks}" => scripted("talks", &[&format!("# heat = 0.5\n{PLACEMENT}")]),
        _ => argument.to_owned(),
    }
}

/// Adds the paths of all that a value has, as `players[].name`.
fn add(paths: &mut BTreeSet<String>, path: &str, value: &Value) {
    paths.insert(path.to_owned());
    if let Some(fields) = value.as_object() {
        for (name, value) in fields {
            add(paths, &format!("{path}.{name}"), value);
        }
    }
    for value in value.as_array().into_iter().flatten().filter(|value| !value.is_array()) {
        if value.is_object() {
            add(paths, &format!("{path}[]"), value);
        }
    }
}

/// A contest always has another seed, and so other ends, unless it is given. A busy machine breaks no limit here.
fn with_terms(arguments: &str) -> Vec<String> {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let has_games = ["play", "match", "tournament"].contains(&arguments[0]);
    let has_limits = arguments.contains(&"--limits");
    let terms: &[&str] = match (has_games, has_limits) {
        (true, false) => &["--seed", "1", "--limit", "60s"],
        (true, true) => &["--seed", "1"],
        (false, _) => &[],
    };
    arguments.iter().chain(terms).map(|argument| player(argument)).collect()
}

/// Returns the paths of all values that a text has, a line each.
fn paths_in(text: &str) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let value: Value = serde_json::from_str(line).unwrap();
        // What kind of line it is, where there are several.
        let kind = ["event", "format"].into_iter().find_map(|field| value[field].as_str());
        let kind = kind.or_else(|| value.get("end").map(|_| "series")).unwrap_or("object");
        add(&mut paths, kind, &value);
    }
    paths
}

/// Runs the commands of these rows in one folder, and returns the lines of their list.
fn fields_of(folder: &Folder, rows: &[Row]) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for (name, arguments) in rows {
        let text = if let Some(record) = name.strip_prefix("record ") {
            text_of(folder.path(record))
        } else {
            let mut command = referee();
            command.args(with_terms(arguments)).current_dir(folder.path(""));
            let output = command.output().unwrap();
            // A game may end without a winner.
            assert!(matches!(output.status.code(), Some(0 | 3)), "{name}: {output:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        lines.extend(paths_in(&text).iter().map(|path| format!("{name}: {path}")));
    }
    lines
}

#[test]
fn every_field_is_promised_and_every_promised_field_is_there() {
    let folder = Folder::new();
    let mut lines = fields_of(&folder, &COMMANDS);
    // A bundle is a folder for each bad game.
    let mut games = std::fs::read_dir(folder.path("bundles")).unwrap().flatten();
    let game = games.find_map(|entry| std::fs::read_to_string(entry.path().join("game.json")).ok());
    lines.extend(paths_in(&game.unwrap()).iter().map(|path| format!("bundle game.json: {path}")));
    compare("fields.txt", &lines);
}

#[cfg(target_os = "linux")]
#[test]
#[needs(LANDLOCK, NAMESPACES)]
fn every_field_of_a_sandbox_is_promised_and_there() {
    compare("fields_sandbox.txt", &fields_of(&Folder::new(), &SANDBOXED));
}

/// A class with one requirement.
#[cfg(target_os = "linux")]
const CLASS: &str = "\
[[staff]]
name = 'awful'
command = 'awful'
[[grade]]
against = 'awful'
above = 0.1
points = 40
";

/// Of a student who has handed in nothing: a build would need a sandbox, and adds no field.
#[cfg(target_os = "linux")]
#[test]
fn every_field_for_gradescope_is_promised_and_there() {
    let class = Class::new(CLASS, &[("absent", "Abe", "")]);
    let results = class.path("results");
    class.succeeds(&["grade", "--gradescope", results.to_str().unwrap()]);
    let text = text_of(results.join("absent/results.json"));
    let mut paths = BTreeSet::new();
    add(&mut paths, "results.json", &serde_json::from_str(&text).unwrap());
    compare("fields_gradescope.txt", &paths);
}
