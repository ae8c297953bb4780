//! Tests of the words of a file.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::commands::grammar;

/// A tournament with most of the settings that a file can have.
const CUP: &str = include_str!("../../tests/corpus/cup.toml");

/// Mistaken values of a setting.
const VALUES: [&str; 14] = [
    "",
    "0",
    "-1",
    "1e400",
    "nan",
    "18446744073709551616",
    "true",
    "{}",
    "[]",
    "[[",
    "\"",
    "\n",
    "=",
    "\u{202e}",
];

/// Returns the words in front of `typed`, or the failure.
fn merged(text: &str, typed: &str) -> Result<Vec<String>, Failure> {
    let typed: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
    let mut whole = grammar(|name| typed[1] == name);
    let command = whole.find_subcommand(&typed[1]).unwrap();
    let words = words(text, None, false).map_err(|(_, what)| Failure::misuse(what))?;
    let path = "cup.toml".into();
    let mut file = SettingsFile { path, words };
    let words = file.before(&typed, command);
    if let Err(error) = whole.try_get_matches_from_mut(&words) {
        return Err(file.failure(&error).unwrap_or(Failure::misuse(error)));
    }
    let words = words.iter().skip(2);
    Ok(words
        .map(|word| word.to_string_lossy().into_owned())
        .collect())
}

#[test]
fn typed_words_replace_those_of_a_file() {
    for (text, typed, expected) in [
        ("games = 4", "", "--games=4 P P"),
        ("games = 4", "--games 2", "P P --games 2"),
        ("seed = 0x10", "", "--seed=16 P P"),
        (
            "ship = ['2 R r', '3 S s']",
            "",
            "--ship=2 R r --ship=3 S s P P",
        ),
        ("ship = ['2 R r', '3 S s']", "--ship=1", "P P --ship=1"),
        ("limit = '5s'", "--limit 2s", "P P --limit 2s"),
        (
            "limit = '5s'",
            "--limit 2=2s",
            "--limit=5s P P --limit 2=2s",
        ),
        (
            "limit = ['5s', '1=4s']",
            "--clock 9s",
            "--limit=1=4s P P --clock 9s",
        ),
        ("clock = '9s'", "--limit 2s", "P P --limit 2s"),
        (
            "clock = '9s'",
            "--limit 1=2s --limit 5s",
            "P P --limit 1=2s --limit 5s",
        ),
        ("clock = '9s'", "--clock=8s", "P P --clock=8s"),
        ("force = true", "--resume", "P P --resume"),
        ("resume = true", "--force", "P P --force"),
        ("quiet = true", "--watch", "P P --watch"),
        ("quiet = true", "-q", "P P -q"),
        ("jobs = 2", "-j3", "P P -j3"),
        ("ponder = true\nrestart = false", "", "--ponder P P"),
        ("[sandbox]\nmax-memory = 5", "", "P P"),
        (
            "[sandbox]\nmax-memory = 5",
            "--sandbox",
            "--max-memory=5 P P --sandbox",
        ),
        ("[sandbox]\nsandbox = 'basic'", "", "--sandbox=basic P P"),
    ] {
        let typed = format!("referee match P P {typed}");
        let words = merged(text, typed.trim_end()).unwrap();
        assert_eq!(words.join(" "), expected, "{text}");
    }
}

#[test]
fn players_of_a_file_are_words() {
    let words = merged(CUP, "referee tournament").unwrap();
    let players: Vec<_> = words
        .iter()
        .filter(|word| !word.starts_with("--"))
        .collect();
    assert_eq!(
        players.len(),
        CUP.matches("[[player]]").count(),
        "{words:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn files_nearly_right_become_words_or_errors(
        changes in prop::collection::vec((any::<Index>(), 0..3_usize, select(&VALUES[..])), 1..4),
    ) {
        let mut words: Vec<&str> = CUP.split_inclusive([' ', '\n', '"']).collect();
        for (place, removed, value) in changes {
            let start = place.index(words.len());
            let end = (start + removed).min(words.len());
            words.splice(start..end, [value]);
        }
        if let Err(failure) = merged(&words.concat(), "referee tournament") {
            prop_assert!(!failure.to_string().is_empty());
        }
    }
}
