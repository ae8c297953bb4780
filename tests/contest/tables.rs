//! Standings as tables: in lines that fit a terminal, and as Markdown.

use serde_json::{Value, json};

use crate::common::{Folder, SMALL, misbehaving, referee};

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

#[test]
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
        // The whole, on demand.
        let wide = printed(&["rank", &path, "--wide"]);
        assert!(
            wide.contains("games  score  rating ± 95%  faults  attacks to win"),
            "{wide}"
        );
    }
}

#[test]
fn what_there_is_no_room_for_is_named() {
    let folder = Folder::new();
    let path = record(&folder, &names(8, |number| format!("{number} {LONG}")), 4);
    let text = printed(&["rank", &path]);
    fits(&text, 80);
    assert!(
        text.contains("\n--wide shows also: faults (all 0), games.\n"),
        "{text}"
    );
    let wide = printed(&["rank", &path, "--wide"]);
    assert!(
        !wide.contains("--wide") && wide.contains("  faults  "),
        "{wide}"
    );
}

#[test]
fn a_cross_table_says_as_much_as_it_has_room_for() {
    for (players, caption) in [
        (3, "points out of games"),
        (9, "points out of games"),
        (
            14,
            "Percent of the points. --wide shows points out of games.",
        ),
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

#[test]
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

/// The rows of all tables of Markdown, as a renderer splits them.
fn rows(markdown: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let inner = line.strip_prefix('|').unwrap().strip_suffix('|').unwrap();
        let (mut cells, mut escaped) = (vec![String::new()], false);
        for character in inner.chars() {
            match character {
                '|' if !escaped => cells.push(String::new()),
                _ => cells.last_mut().unwrap().push(character),
            }
            escaped = character == '\\';
        }
        cells.iter().map(|cell| cell.trim().to_owned()).collect()
    };
    markdown
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(cells)
        .collect()
}

#[test]
fn a_ranking_in_markdown_has_its_tables_whatever_the_players_are_called() {
    let folder = Folder::new();
    let hostile = [
        "good",
        "a|b",
        "``x`",
        "<img src=x>",
        "*bold* _it_",
        "[l](http://x.y)",
        "@team #1",
        "a\nb",
        "\\|",
        "$x$ :eyes:",
    ];
    let names = hostile.map(str::to_owned);
    let path = record(&folder, &names, 4);
    let text = printed(&["rank", &path, "--markdown"]);
    let rows = rows(&text);
    assert!(
        text.starts_with("10 players, 180 games in 0 series\n\n| # | player |"),
        "{text}"
    );
    // Heads, the line below, and a row for each player; twice.
    assert_eq!(rows.len(), 2 * 12, "{text}");
    let (standings, crosstable) = rows.split_at(12);
    assert!(standings.iter().all(|row| row.len() == 9), "{text}");
    assert!(crosstable.iter().all(|row| row.len() == 12), "{text}");
    let heads = "# player points games score rating±95% attackstowin,median replytime,mean faults";
    assert_eq!(
        standings[0]
            .iter()
            .map(|head| head.replace(' ', ""))
            .collect::<Vec<_>>()
            .join(" "),
        heads
    );
    // Names are code, which formats nothing and notifies no one.
    for expected in [
        "`good`",
        "`a\\|b`",
        "```` ``x` ````".replace("````", "```").as_str(),
        "`<img src=x>`",
        "`*bold* _it_`",
        "`[l](http://x.y)`",
        "`@team #1`",
        "`a\\nb`",
        "`\\\\|`",
        "`$x$ :eyes:`",
    ] {
        assert!(
            standings.iter().any(|row| row[1] == expected),
            "{expected}: {text}"
        );
        assert_eq!(
            crosstable[0]
                .iter()
                .filter(|head| *head == expected)
                .count(),
            1,
            "{text}"
        );
    }
    for (place, row) in crosstable[2..].iter().enumerate() {
        assert_eq!(row[place + 2], "-", "{text}");
        assert_eq!(
            row.iter().filter(|cell| cell.ends_with("/4")).count(),
            9,
            "{text}"
        );
    }
}

#[test]
fn markdown_has_numbers_as_heads_for_many_players_and_no_cross_table_for_very_many() {
    for (players, tables) in [(13, 2), (31, 1)] {
        let folder = Folder::new();
        let path = record(&folder, &names(players, |number| format!("p{number}")), 2);
        let text = printed(&["rank", &path, "--markdown"]);
        assert_eq!(rows(&text).len(), tables * (players + 2), "{text}");
        assert_eq!(text.contains("| 11 | 12 | 13 |"), tables == 2, "{text}");
        assert_eq!(
            text.contains("is left out: there is room for 30 players"),
            tables == 1,
            "{text}"
        );
    }
}

#[test]
fn a_tournament_can_be_printed_as_markdown() {
    let rogue = misbehaving("exit 3 --at place");
    let players = [
        "tournament",
        "awful",
        "mediocre",
        &rogue,
        "--games",
        "4",
        "-q",
    ];
    let options = ["--format", "swiss", "--rounds", "1", "--markdown"];
    let text = printed(&[&players[..], &SMALL, &options].concat());
    assert!(
        text.contains("| match points |") && text.contains(" Buchholz "),
        "{text}"
    );
    assert!(
        text.contains("\n- `rogue` could not play: `exited with status 3"),
        "{text}"
    );
    let both = referee()
        .args(players)
        .args(["--markdown", "--csv"])
        .assert()
        .code(2);
    let said = String::from_utf8(both.get_output().stderr.clone()).unwrap();
    assert!(said.contains("cannot be used with"), "{said}");
    // In a file, what is typed replaces it.
    let folder = Folder::new();
    let file = folder.file(
        "cup.toml",
        "markdown = true\ngames = 2\n[[player]]\ncommand = \"awful\"\n[[player]]\ncommand = \"mediocre\"\n",
    );
    let config = ["tournament", "--config", &file, "-q"];
    assert!(printed(&config).contains("| # | player |"));
    let json: Value = serde_json::from_str(&printed(&[&config[..], &["--json"]].concat())).unwrap();
    assert_eq!(json["games"], 2);
    assert!(printed(&[&config[..], &["--csv"]].concat()).starts_with("place,"));
}
