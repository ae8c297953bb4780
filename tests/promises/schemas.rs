//! `docs/schemas` names each field of a record and of the summary of a contest, and no other.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Folder, PLACEMENT, project_file, referee, scripted, text_of};
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, schemas_name_the_fields_of_records_and_summaries);
}

/// Contests and games that have most fields: what they print is a summary or a game. `{talks}` is a player that prints a
/// figure, and `{wrong}` one that forfeits.
const COMMANDS: [(&str, &str); 6] = [
    (
        "summary",
        "match here@.=awful {talks} --games 60 --series 2 --sprt elo0=0,elo1=300 --ponder --no-pin \
         --env LANG --out match.jsonl",
    ),
    (
        "summary",
        "tournament awful {talks} good --games 2 --format swiss --anchor awful=1000 --out swiss.jsonl",
    ),
    (
        "summary",
        "tournament awful {wrong} nothing=false --games 12 --max-faults 0.1 --out faults.jsonl",
    ),
    ("record", "play awful mediocre --rules twist --no-pause"),
    ("record", "play awful mediocre --salvo 2 --apart --no-pause"),
    (
        "record",
        "play {wrong} {talks} --no-pause --record one.jsonl",
    ),
];

/// Fields that the commands above do not print: of sandboxes, modules, classes and shards, of
/// players with a second name or with unknown files, and of earlier versions.
const RARE: [&str; 12] = [
    "calls_itself",
    "count",
    "files_left_out",
    "fuel_millions",
    "grown",
    "hard_limits",
    "level",
    "lines",
    "refused",
    "said",
    "shard",
    "submission",
];

/// Objects whose keys are words that a game ends by.
const BY_ENDING: [&str; 2] = ["faults", "without_winner"];

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

/// Adds the names of all fields in `value`, at any depth.
fn add_fields(value: &Value, names: &mut BTreeSet<String>) {
    for inner in value.as_array().into_iter().flatten() {
        add_fields(inner, names);
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        names.insert(name.clone());
        if !BY_ENDING.contains(&&**name) {
            add_fields(inner, names);
        }
    }
}

/// Adds the names of all fields in the lines of JSON that are `text`.
fn add_lines(text: &str, names: &mut BTreeSet<String>) {
    for line in text.lines() {
        add_fields(&serde_json::from_str(line).unwrap(), names);
    }
}

/// Adds the names of all fields that a schema has.
fn add_properties(schema: &Value, names: &mut BTreeSet<String>) {
    for inner in schema.as_array().into_iter().flatten() {
        add_properties(inner, names);
    }
    for (name, inner) in schema.as_object().into_iter().flatten() {
        if name == "properties" {
            names.extend(inner.as_object().unwrap().keys().cloned());
        }
        add_properties(inner, names);
    }
}

fn schemas_name_the_fields_of_records_and_summaries() {
    let folder = Folder::new();
    let mut records = BTreeSet::new();
    let mut summaries = BTreeSet::new();
    for (schema, arguments) in COMMANDS {
        let mut command = referee();
        command
            .args(arguments.split_whitespace().map(player))
            // Another seed could end otherwise. A busy machine breaks no limit here.
            .args(["--json", "--seed", "1", "--limit", "60s"])
            .current_dir(folder.path(""));
        let output = command.output().unwrap();
        // A game may end without a winner.
        let is_over = matches!(output.status.code(), Some(0 | 3));
        assert!(is_over, "{arguments}: {output:?}");
        let printed = str::from_utf8(&output.stdout).unwrap();
        if schema == "summary" {
            add_lines(printed, &mut summaries);
        } else {
            add_lines(printed, &mut records);
        }
    }
    for record in ["match.jsonl", "swiss.jsonl", "faults.jsonl", "one.jsonl"] {
        add_lines(&text_of(folder.path(record)), &mut records);
    }
    for (name, found) in [("record", records), ("summary", summaries)] {
        let text = text_of(project_file("docs/schemas").join(format!("{name}.json")));
        let mut named = BTreeSet::new();
        add_properties(&serde_json::from_str(&text).unwrap(), &mut named);
        let unnamed: Vec<_> = found.difference(&named).collect();
        assert!(unnamed.is_empty(), "{name}.json does not name {unnamed:?}");
        let unused: Vec<_> = named
            .difference(&found)
            .filter(|field| !RARE.contains(&&***field))
            .collect();
        assert!(unused.is_empty(), "{name}.json names {unused:?}");
    }
}
