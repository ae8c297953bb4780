//! Whether a command prints what a page shows.

use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, gaps_and_other_times_match);
}

const UNITS: [&str; 6] = ["us", "µs", "ms", "s", "min", "h"];

/// Returns whether `printed` is what is shown.
pub(super) fn is_shown(shown: &str, printed: &str) -> bool {
    let shown: Vec<_> = shown.trim_end().lines().map(str::trim_end).collect();
    let printed = printed.trim_end().lines().map(str::trim_end);
    let printed: Vec<_> = printed.filter(|line| !is_progress(line)).collect();
    are_lines(&shown, &printed)
}

fn are_lines(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"...", rest)) => {
            (0..=printed.len()).any(|skipped| are_lines(rest, &printed[skipped..]))
        }
        Some((line, rest)) => printed.split_first().is_some_and(|(first, others)| {
            let is_same =
                is_line(line, first) || is_line(&without_times(line), &without_times(first));
            is_same && are_lines(rest, others)
        }),
    }
}

/// Returns whether a line is as shown, where `...` stands for any part of it.
fn is_line(shown: &str, line: &str) -> bool {
    let Some((start, rest)) = shown.split_once("...") else {
        return shown == line;
    };
    line.strip_prefix(start).is_some_and(|after| {
        let mut ends = (0..=after.len()).filter(|end| after.is_char_boundary(*end));
        ends.any(|end| is_line(rest, &after[end..]))
    })
}

/// Returns whether a contest says by this line how far it is, which it does after some seconds: on
/// a slow machine.
fn is_progress(line: &str) -> bool {
    let games = line
        .split_once(" games, ")
        .and_then(|(games, _)| games.split_once('/'));
    games.is_some_and(|(played, all)| played.parse::<u32>().is_ok() && all.parse::<u32>().is_ok())
}

/// Returns the words of `line` with `#` for each time: a number and its unit, and the seconds with
/// three digits behind the point with which a line of a dialogue begins.
fn without_times(line: &str) -> String {
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let is_clock = |word: &str| {
        word.split_once('.')
            .is_some_and(|(_, digits)| digits.len() == 3)
    };
    let mut kept = String::new();
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let unit = words.next_if(|next| {
            is_number(word) && UNITS.contains(&next.trim_end_matches([',', ';', ':', ')', '.']))
        });
        if let Some(unit) = unit {
            kept += " #";
            kept += unit.trim_start_matches(char::is_alphabetic);
        } else if kept.is_empty() && is_number(word) && is_clock(word) {
            kept += " #";
        } else {
            kept.push(' ');
            kept += word;
        }
    }
    kept
}

fn gaps_and_other_times_match() {
    let printed = "ready after 15 ms\none\ntwo\nthree 3\n  0.120 a <- b\nend\n";
    for shown in [
        printed,
        "...\n",
        "ready after ... ms\n...\nend\n",
        "ready after 2.5 s\none\n...\nthree ...\n   99.001 a <- b\nend\n",
        "...\ntwo\nthree 3\n...\n",
    ] {
        assert!(is_shown(shown, printed), "{shown}");
    }
    for other in [
        "one\n...\n",
        "...\nfour\n...\n",
        "...\nthree 4\n  0.120 a <- b\nend\n",
        "ready after 15 ms\n",
        "...\ntwo\n",
        "ready after 15 games\n...\n",
    ] {
        assert!(!is_shown(other, printed), "{other}");
    }
}
