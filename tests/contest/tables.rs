//! Standings as tables in lines that fit a terminal.

use serde_json::json;

use crate::common::{Folder, misbehaving, referee};
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            sixty_players_fit_80_columns_whatever_they_are_called,
            what_there_is_no_room_for_is_named,
            a_cross_table_says_as_much_as_it_has_room_for,
            faults_and_remarks_fit_too
        );
    });
}

/// A record of single games on a board of one cell, each player against each other one as many times as `games`; the
/// better a player the earlier its name.
fn record(folder: &Folder, names: &[String], games: usize) -> String {
    let mut lines = String::new();
    for (a, one) in names.iter().enumerate() {
        for (b, two) in names.iter().enumerate().skip(a + 1) {
            for game in 0..games {
                let winner = usize::from((7 * a + 5 * b + 3 * game) % 10 < 3);
                let player = |name: &String| {
                    json!({"name": name, "command": "awful", "author": null, "human": false, "seed": 1, "limit_ms": 5000,
                           "warnings": []})
                };
                let fleet = json!([{"row": 0, "col": 0, "direction": "h"}]);
                let line = json!({
                    "format": "battleship-game", "version": 1, "referee": "0.1.0", "rules": "classic", "rows": 1, "cols": 1,
                    "ships": [{"length": 1, "symbol": "B", "name": "buoy"}], "seed": 1, "max_turns": 10, "sandbox": null,
                    "players": [player(one), player(two)], "first": winner, "fleets": [fleet, fleet],
                    "shots": [[winner, 0, 0, "sunk 0", 12_345]], "winner": ([one, two][winner]), "by": winner,
                    "ended_by": "fleet_sunk", "reason": "",
                });
                lines.push_str(&line.to_string());
                lines.push('\n');
            }
        }
    }
    folder.file("games.jsonl", &lines)
}

fn printed(words: &[&str]) -> String {
    let output = referee().args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the number of columns of a terminal that a line takes: two for each character of the scripts and pictures that are
/// used here.
fn columns(line: &str) -> usize {
    line.chars()
        .map(|character| {
            if character >= '\u{1100}' && character != '…' {
                2
            } else {
                1
            }
        })
        .sum()
}

fn fits(text: &str, most: usize) {
    for line in text.lines() {
        assert!(columns(line) <= most, "{} columns: {line}", columns(line));
    }
}

fn names(count: usize, name: impl Fn(usize) -> String) -> Vec<String> {
    (1..=count).map(name).collect()
}

const LONG: &str = "a name that is far longer than a column has room for";

fn sixty_players_fit_80_columns_whatever_they_are_called() {
    let kinds: [&dyn Fn(usize) -> String; 4] = [
        &|number| format!("p{number}"),
        &|number| format!("{number} {LONG}"),
        &|number| format!("鯨の艦隊の指揮官たち {number}"),
        &|number| format!("🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢 {number}"),
    ];
    for kind in kinds {
        let folder = Folder::new();
        let path = record(&folder, &names(60, kind), 1);
        let text = printed(&["rank", &path]);
        fits(&text, 80);
        for head in ["points", "score", "rating ± 95%"] {
            assert!(text.lines().nth(2).unwrap().contains(head), "{text}");
        }
        // A line in the standings and one in the cross table, where no player has met itself.
        let after = text.split_once("--json has all results.\n").unwrap().1;
        let crosstable: Vec<_> = after.lines().take(62).collect();
        let [tens, ones, rows @ ..] = &crosstable[..] else {
            panic!("{text}")
        };
        assert!(
            tens.trim_start().starts_with("11111111112") && ones.ends_with("7890"),
            "{text}"
        );
        assert!(
            rows[0].starts_with(" 1 ") && rows[59].starts_with("60 "),
            "{text}"
        );
        for (number, row) in rows.iter().enumerate() {
            let cells: Vec<char> = row.chars().rev().take(60).collect();
            assert_eq!(cells[59 - number], '-', "{text}");
            let others = cells.iter().filter(|cell| cell.is_ascii_digit()).count();
            assert_eq!(others, 59, "{text}");
        }
    }
}

fn what_there_is_no_room_for_is_named() {
    let folder = Folder::new();
    let path = record(&folder, &names(8, |number| format!("{number} {LONG}")), 4);
    let text = printed(&["rank", &path]);
    fits(&text, 80);
    assert!(
        text.contains("\n--csv shows also: faults (all 0), games.\n"),
        "{text}"
    );
}

fn a_cross_table_says_as_much_as_it_has_room_for() {
    for (players, caption) in [
        (3, "points out of games"),
        (9, "points out of games"),
        (14, "Percent of the points. --json has all results."),
        (20, "Tenths of the points"),
        (31, "--json has all results."),
        (66, "--json has all results."),
        (67, "has no room here"),
    ] {
        let folder = Folder::new();
        let path = record(
            &folder,
            &names(players, |number| format!("player {number:05}")),
            2,
        );
        let text = printed(&["rank", &path]);
        fits(&text, 80);
        let unwrapped = text.replace("\n  ", " ");
        assert!(unwrapped.contains(caption), "{caption}: {text}");
    }
}

fn faults_and_remarks_fit_too() {
    let names = ["a", "b", "c"].map(|name| format!("{name}-{}=awful", "long".repeat(12)));
    let rogue =
        misbehaving("crash --after 5").replace("rogue", &format!("rogue-{LONG}").replace(' ', "-"));
    let mut words = vec!["tournament", "--games", "20", "--seed", "1", "-q", &rogue];
    words.extend(names.iter().map(String::as_str));
    let text = printed(&words);
    fits(&text, 80);
    assert!(text.lines().nth(2).unwrap().contains("faults"), "{text}");
    let text = text.replace("\n  ", " ");
    assert!(text.contains("No game against it counts."), "{text}");
    words.extend(["--format", "swiss"]);
    fits(&printed(&words), 80);
    // A knockout and a match, too.
    *words.last_mut().unwrap() = "knockout";
    fits(&printed(&words), 80);
    let pair = [
        "match", "--games", "4", "--seed", "1", "-q", &names[0], &names[1],
    ];
    let table = printed(&pair);
    fits(
        table
            .split("The first mover")
            .next()
            .unwrap()
            .split_once('\n')
            .unwrap()
            .1,
        80,
    );
}
