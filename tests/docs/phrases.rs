//! Documents, messages and comments are plain English: some phrases of an older one do not come back.

use std::path::{Path, PathBuf};

use crate::common::{project_file, text_of};
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            no_text_has_a_phrase_of_the_older_english,
            a_phrase_is_found_over_the_end_of_a_line_and_not_within_a_word
        );
    });
}

/// Phrases, each with what to say instead.
const PHRASES: [(&str, &str); 17] = [
    ("anew", "again"),
    ("goes on", "continues"),
    ("go on", "continue"),
    ("went on", "continued"),
    ("so many", "this many, or a number"),
    ("came of", "the result of"),
    ("comes of", "the result of"),
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("is put to", "runs with"),
    ("whoever", "the player who"),
    ("belong into", "belong in"),
    ("belongs into", "belongs in"),
    ("is none of a", "is not a"),
    ("type the same command", "run the same command again"),
    ("how often it is looked", "the poll interval"),
];

/// The words that may stand behind "is no" without "there" before it.
const AFTER_IS_NO: [&str; 8] = [
    "longer", "more", "fewer", "less", "later", "better", "larger", "one",
];

/// Folders with what others have written and with what is built.
const LEFT_OUT: [&str; 5] = ["target", "node_modules", ".venv", ".git", "corpus"];

/// Returns the texts below `folder`.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap_or_default();
        if path.is_dir() && !path.is_symlink() && !LEFT_OUT.contains(&name) {
            found.extend(texts(&path));
        } else if ["md", "rs", "mjs", "html"]
            .iter()
            .any(|kind| name.ends_with(&format!(".{kind}")))
        {
            found.push(path);
        }
    }
    found
}

/// Returns the words of `text` in lower case, with a space on both sides: a phrase may go over the end of a line of a comment.
fn words(text: &str) -> String {
    let text = text.to_lowercase();
    let is_mark = |word: &&str| !["//", "///", "//!", "*", "\\"].contains(word);
    let words: Vec<_> = text.split_whitespace().filter(is_mark).collect();
    format!(" {} ", words.join(" "))
}

/// Returns each place of `phrase` in `words` as what stands before and behind it.
fn places<'w>(words: &'w str, phrase: &str) -> Vec<(&'w str, &'w str)> {
    let is_in_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let is_whole = |(before, after): &(&str, &str)| {
        !before.ends_with(is_in_word) && !after.starts_with(is_in_word)
    };
    let found = words
        .match_indices(phrase)
        .map(|(at, _)| words.split_at(at));
    found
        .map(|(before, rest)| (before, &rest[phrase.len()..]))
        .filter(is_whole)
        .collect()
}

/// Returns the words around a place, to find it by.
fn around(phrase: &str, (before, after): (&str, &str)) -> String {
    let last: Vec<_> = before.rsplit(' ').take(5).collect();
    let last: Vec<_> = last.into_iter().rev().collect();
    let next: Vec<_> = after.split(' ').take(5).collect();
    format!("{}{phrase}{}", last.join(" "), next.join(" "))
}

fn no_text_has_a_phrase_of_the_older_english() {
    let mut faults = Vec::new();
    for path in texts(&project_file("")) {
        if path.ends_with("tests/docs/phrases.rs") {
            continue;
        }
        let words = words(&text_of(&path));
        for (phrase, instead) in PHRASES {
            for place in places(&words, phrase) {
                let around = around(phrase, place);
                faults.push(format!("{}: {around:?}: say {instead:?}", path.display()));
            }
        }
        for phrase in ["is no", "are no"] {
            for place @ (before, after) in places(&words, phrase) {
                let next = after.split_whitespace().next().unwrap_or_default();
                let next = next.trim_end_matches(|letter: char| !letter.is_alphanumeric());
                let is_there = before.trim_end().ends_with("there");
                if after.starts_with(' ') && !is_there && !AFTER_IS_NO.contains(&next) {
                    let around = around(phrase, place);
                    faults.push(format!("{}: {around:?}: say \"is not\"", path.display()));
                }
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} phrases:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

fn a_phrase_is_found_over_the_end_of_a_line_and_not_within_a_word() {
    let count = |text, phrase| places(&words(text), phrase).len();
    assert_eq!(count("/// It goes\n    /// on.", "goes on"), 1);
    assert_eq!(count("Goes on, or go_on.", "goes on"), 1);
    assert_eq!(count("recommend an amendment", "mend"), 0);
}
