//! Bots are told how long a reply may take.

use crate::common::{Folder, referee, text_of};
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, TOLD, bots_are_told_their_time_limit_after_their_seed);
}

/// The limits that the first player and the second are told, by the options of `play`.
const TOLD: [(&str, &[&str], [&str; 2]); 6] = [
    ("the default", &[], ["5000", "5000"]),
    (
        "one and a half seconds",
        &["--limit", "1500ms"],
        ["1500", "1500"],
    ),
    ("minutes", &["--limit", "2m"], ["120000", "120000"]),
    (
        "each its own",
        &["--limits", "20s:1m 1ms"],
        ["20000", "60001"],
    ),
    // A number of 32 bits, which every language can read.
    (
        "a year",
        &["--limit", "365days"],
        ["2147483647", "2147483647"],
    ),
    (
        "in the twist",
        &["--rules", "twist", "--max-turns", "3", "--limit", "30s"],
        ["30000", "30000"],
    ),
];

fn bots_are_told_their_time_limit_after_their_seed((_, options, told): (&str, &[&str], [&str; 2])) {
    let folder = Folder::new();
    let dialogue = folder.path("dialogue");
    let arguments = [
        "play",
        "awful",
        "mediocre",
        "--no-pause",
        "--transcript",
        &dialogue,
    ];
    let _ended = referee().args(arguments).args(options).assert();
    let dialogue = text_of(&dialogue);
    for (player, told) in ["awful", "mediocre"].into_iter().zip(told) {
        let to_player = format!(" {player} <- ");
        let lines: Vec<_> = dialogue
            .lines()
            .filter_map(|line| Some(line.split_once(&to_player)?.1))
            .collect();
        let seed = lines
            .iter()
            .position(|line| line.starts_with("seed "))
            .unwrap();
        assert_eq!(
            lines[seed + 1..seed + 3],
            [&format!("limit {told}"), "place"],
            "{dialogue}"
        );
        assert_eq!(
            lines
                .iter()
                .filter(|line| line.starts_with("limit"))
                .count(),
            1,
            "{dialogue}"
        );
    }
}
