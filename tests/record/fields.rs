//! `docs/schemas` names each field of a record and of the summary of a contest, and no other.

use std::collections::BTreeSet;

use serde_json::Value;

use testkit::list::Tests;
use testkit::run::Dir;

use testkit::programs::{project_file, text_of};

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, schemas_name_every_field);
}

/// Contests and games that have most fields. What a contest prints is a summary.
const COMMANDS: [&str; 6] = [
    "match here@.=awful TALKS --games 60 --series 2 --sprt elo0=0,elo1=300 --ponder --no-pin --env LANG --out match",
    "tournament awful TALKS decent --games 2 --format swiss --anchor awful=1000 --out swiss",
    "tournament awful WRONG nothing=false --games 12 --max-faults 0.1 --out faults",
    "play awful mediocre --rules twist --no-pause --out games",
    "play awful mediocre --salvo 2 --apart --no-pause --out games",
    "play WRONG TALKS --no-pause --out games",
];

/// A player that prints a figure.
const TALKS: &str = "'talks=test-bot script \"# heat = 0.5\nplace 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h\"'";

/// One that forfeits. A contest tries a few turns of a player before it lets it play.
const WRONG: &str = "'wrong=test-bot act --after 10 say \"attack nowhere\\n\"'";

/// Fields that the commands above do not print: of sandboxes, modules, classes and shards, of
/// players with a second name or with unknown files, of judges, and of earlier versions.
const RARE: [&str; 22] = [
    "calls_itself",
    "chosen_late",
    "count",
    "dialogue",
    "figures",
    "fuel_millions",
    "grown",
    "hard_limits",
    "judge",
    "judge_digest",
    "judge_failed",
    "level",
    "lines",
    "pictures_cut",
    "refused",
    "reply_us",
    "retries",
    "said",
    "sprt",
    "shard",
    "submission",
    "words",
];

/// Objects whose keys are words that a game ends by.
const BY_ENDING: [&str; 2] = ["faults", "without_winner"];

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

fn schemas_name_every_field() {
    let dir = Dir::new();
    let mut summaries = BTreeSet::new();
    for words in COMMANDS {
        // Another seed could end otherwise. A busy machine breaks no limit here.
        let words =
            words.replace("TALKS", TALKS).replace("WRONG", WRONG) + " --json --seed 1 --clock 10m";
        let done = dir.run(&words).ends();
        if !words.starts_with("play") {
            add_fields(&done.json(), &mut summaries);
        }
    }
    let mut records = BTreeSet::new();
    for record in ["match", "swiss", "faults", "games"] {
        for line in dir.record(record).lines {
            add_fields(&line, &mut records);
        }
    }
    for (name, found) in [("record", records), ("summary", summaries)] {
        let text = text_of(project_file("docs/schemas").join(format!("{name}.json")));
        let mut named = BTreeSet::new();
        add_properties(&serde_json::from_str(&text).unwrap(), &mut named);
        let unnamed: Vec<_> = found.difference(&named).collect();
        assert!(unnamed.is_empty(), "{name}.json does not name {unnamed:?}");
        let mut unused = named
            .difference(&found)
            .filter(|field| !RARE.contains(&&***field));
        assert_eq!(unused.next(), None, "{name}.json names it");
    }
}
