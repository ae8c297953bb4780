//! Whether a command prints what a page shows.

use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(tests, what_is_shown_may_have_gaps_and_other_times);
    });
}

/// The units of times.
const UNITS: [&str; 6] = ["us", "µs", "ms", "s", "min", "h"];

/// Checks that `printed` is what is shown; returns the first line that is not, or the last lines that are not shown.
pub(super) fn is_shown(shown: &str, printed: &str) -> Result<(), String> {
    let lines = |text: &str| -> Vec<String> {
        text.trim_end()
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    };
    let (shown, mut printed) = (lines(shown), lines(printed));
    printed.retain(|line| !is_progress(line));
    let mut rest = &printed[..];
    let mut is_after_gap = false;
    let mut parts = shown.split(|line| line == "...").peekable();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        let fits = |start: usize| {
            rest[start..].len() >= part.len()
                && part
                    .iter()
                    .zip(&rest[start..])
                    .all(|(shown, line)| is_line(shown, line))
        };
        let found = match (is_after_gap, is_last) {
            // The end of what is printed.
            (true, true) if part.is_empty() => return Ok(()),
            (true, true) => rest
                .len()
                .checked_sub(part.len())
                .filter(|start| fits(*start)),
            (true, false) => (0..=rest.len()).find(|start| fits(*start)),
            (false, _) => Some(0).filter(|start| fits(*start)),
        };
        let Some(start) = found else {
            let is_missing = |line: &&String| !rest.iter().any(|printed| is_line(line, printed));
            return Err(part
                .iter()
                .find(is_missing)
                .or(part.first())
                .cloned()
                .unwrap_or_default());
        };
        rest = &rest[start + part.len()..];
        is_after_gap = true;
    }
    if rest.is_empty() {
        Ok(())
    } else {
        Err(format!("more is printed: {}", rest.join("\n")))
    }
}

/// Returns whether a contest says by this line how far it is, which it does after some seconds: on a slow machine.
fn is_progress(line: &str) -> bool {
    let is_number = |word: &str| word.parse::<u32>().is_ok();
    let games = line
        .split_once(" games, ")
        .and_then(|(games, _)| games.split_once('/'));
    games.is_some_and(|(played, all)| is_number(played) && is_number(all))
}

/// Returns whether a line is as shown, but for its times.
fn is_line(shown: &str, line: &str) -> bool {
    matches(shown, line) || matches(&without_times(shown), &without_times(line))
}

/// Returns whether a line is as shown, where `...` stands for any part of it.
fn matches(shown: &str, line: &str) -> bool {
    let mut parts = shown.split("...");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    true
}

/// Returns `line` with `#` for each time: a number before a unit, and the number of milliseconds with which a line of a dialogue begins.
fn without_times(line: &str) -> String {
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let words: Vec<&str> = line.split(' ').collect();
    let is_unit = |word: &str| UNITS.contains(&word.trim_end_matches([',', ';', ':', ')', '.']));
    let is_time =
        |at: usize| is_number(words[at]) && words.get(at + 1).is_some_and(|next| is_unit(next));
    let mut kept = Vec::new();
    let first = words.iter().position(|word| !word.is_empty());
    for (at, word) in words.iter().enumerate() {
        let is_clock = Some(at) == first
            && is_number(word)
            && word
                .split_once('.')
                .is_some_and(|(_, digits)| digits.len() == 3);
        if is_clock {
            // Their numbers are aligned.
            kept.clear();
        }
        kept.push(if is_clock || is_time(at) { "#" } else { word });
    }
    for at in 1..kept.len() {
        if kept[at - 1] == "#" && is_unit(kept[at]) {
            kept[at] = kept[at].trim_start_matches(char::is_alphabetic);
        }
    }
    kept.join(" ")
}

fn what_is_shown_may_have_gaps_and_other_times() {
    let printed = "ready after 15 ms\none\ntwo\nthree 3\n  0.120 a <- b\nend\n";
    for shown in [
        printed,
        "...\n",
        "ready after ... ms\n...\nend\n",
        "ready after 2.5 s\none\n...\nthree ...\n   99.001 a <- b\nend\n",
        "...\ntwo\nthree 3\n...\n",
    ] {
        assert_eq!(is_shown(shown, printed), Ok(()), "{shown}");
    }
    for (shown, missing) in [
        ("one\n...\n", "one"),
        ("...\nfour\n...\n", "four"),
        ("...\nthree 4\n  0.120 a <- b\nend\n", "three 4"),
        (
            "ready after 15 ms\n",
            "more is printed: one\ntwo\nthree 3\n  0.120 a <- b\nend",
        ),
        ("...\ntwo\n", "two"),
    ] {
        assert_eq!(is_shown(shown, printed), Err(missing.to_owned()), "{shown}");
    }
}
