//! The names of what `--json` and `--events` print, and of what records have.

use std::collections::BTreeSet;

use serde_json::Value;

use super::compare;
use crate::common::{Folder, referee};

/// The commands whose output has fields, each by a name of its own; they run one after the other in one folder.
const COMMANDS: [(&str, &[&str]); 13] = [
    ("play", &["play", "awful", "mediocre", "--json", "--no-pause"]),
    ("play twist", &["play", "awful", "mediocre", "--json", "--no-pause", "--rules", "twist"]),
    ("match", &["match", "good", "mediocre", "--games", "4", "--json", "--out", "m.jsonl"]),
    ("match --events", &["match", "awful", "mediocre", "--games", "2", "--events"]),
    (
        "tournament",
        &["tournament", "awful", "mediocre", "good", "--games", "2", "--json", "--out", "t.jsonl"],
    ),
    ("rank", &["rank", "t.jsonl", "--json"]),
    ("list", &["list", "m.jsonl", "--json"]),
    ("explain", &["explain", "t.jsonl", "--player", "awful", "--json"]),
    ("check", &["check", "mediocre", "--json", "--grace", "60s"]),
    ("doctor", &["doctor", "--json"]),
    ("merge", &["merge", "m.jsonl", "--out", "merged.jsonl"]),
    ("record m.jsonl", &[]),
    ("record merged.jsonl", &[]),
];

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
fn with_terms<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let has_games = ["play", "match", "tournament"].contains(&arguments[0]);
    let terms: &[&str] = if has_games { &["--seed", "1", "--limit", "60s"] } else { &[] };
    [arguments, terms].concat()
}

#[test]
fn every_field_is_promised_and_every_promised_field_is_there() {
    let folder = Folder::new();
    let mut paths = BTreeSet::new();
    for (name, arguments) in COMMANDS {
        let text = if let Some(record) = name.strip_prefix("record ") {
            std::fs::read_to_string(folder.path(record)).unwrap()
        } else {
            let mut command = referee();
            command.args(with_terms(arguments)).current_dir(folder.path(""));
            let output = command.output().unwrap();
            // A game may end without a winner.
            assert!(matches!(output.status.code(), Some(0 | 3)), "{name}: {output:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        for line in text.lines().filter(|line| line.starts_with('{')) {
            let value: Value = serde_json::from_str(line).unwrap();
            // What kind of line it is, where there are several.
            let kind = ["event", "format"].into_iter().find_map(|field| value[field].as_str());
            let kind = kind.or_else(|| value.get("end").map(|_| "series")).unwrap_or("object");
            add(&mut paths, &format!("{name}: {kind}"), &value);
        }
    }
    compare("fields.txt", &paths);
}
