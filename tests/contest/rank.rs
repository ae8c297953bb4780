//! Rankings by all games of some records, and their tables.

use serde_json::{Value, json};

use testkit::list::Tests;
use testkit::record::list;
use testkit::run::{Dir, cut_off};
use testkit::text::has;
use testkit::tools::PYTHON;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_record_ranks_as_its_tournament,
        a_series_in_two_files_counts_once,
        a_game_in_two_records_counts_once,
        games_are_chosen_by_their_players,
        a_torn_record_counts_with_a_warning,
        a_damaged_line_is_named,
        a_table_may_be_cut_off,
        a_group_that_always_loses_is_named,
        sixty_players_fit_80_columns,
        faults_and_remarks_fit_too
    );
    rows!(
        tests,
        CROSSTABLES,
        a_crosstable_has_what_there_is_room_for,
        2
    );
    tests.needing(&[PYTHON], |tests| {
        add!(
            tests,
            another_program_is_another_player,
            records_of_one_time_have_no_newest,
            bots_of_one_folder_change_together
        );
    });
}

/// The words of a tournament.
const CUP: &str = "tournament awful Olive=awful mediocre -q --seed 6 --games 20 --series 10";

/// A folder with the record `cup` of the tournament.
fn cup() -> Dir {
    let dir = Dir::new();
    dir.ran(format!("{CUP} --out cup"));
    dir
}

fn rank(dir: &Dir, words: &str) -> Value {
    dir.run(format!("rank --json {words}")).succeeds().json()
}

fn ratings(summary: &Value) -> Vec<&Value> {
    let players = list(&summary["players"]).iter();
    players
        .map(|player| &player["rating"])
        .chain([&summary["ratings"]])
        .collect()
}

fn a_record_ranks_as_its_tournament() {
    let dir = cup();
    let words = format!("{CUP} --json --out again --anchor awful=1000");
    let summary = dir.run(&words).succeeds().json();
    let ranking = rank(&dir, "cup --anchor awful=1000");
    assert_eq!(ratings(&ranking), ratings(&summary));
    assert_eq!(ranking["pairings"], summary["pairings"]);
    assert_eq!([&ranking["games"], &ranking["series"]], [60, 6]);
    let table = dir.run("rank cup").succeeds();
    table
        .is_quiet()
        .prints("3 players, 60 games in 6 series\n")
        .prints("\n 1  mediocre ");
    dir.run("rank cup --csv")
        .succeeds()
        .prints("\n1,mediocre,")
        .prints("\n3,awful,awful,");
    // The records of its shards come to the same.
    for shard in ["1/2", "2/2"] {
        dir.run(format!("{CUP} --shard {shard} --out part{}", &shard[..1]))
            .succeeds();
    }
    let ranking = rank(&dir, "part1 part2 --anchor awful=1000");
    assert_eq!(ratings(&ranking), ratings(&summary));
    assert_eq!(ranking["games"], 60);
    // So do single games, beside the others.
    for seed in [1, 2] {
        dir.run(format!("play mediocre awful --out games --seed {seed}"))
            .succeeds();
    }
    let ranking = rank(&dir, "games");
    assert_eq!([&ranking["games"], &ranking["series"]], [2, 0]);
    assert_eq!(ranking["players"][0]["name"], "mediocre");
    let ranking = rank(&dir, "games cup");
    assert_eq!(
        [&ranking["games"], &ranking["players"][0]["games"]],
        [62, 42]
    );
}

fn a_series_in_two_files_counts_once() {
    let dir = cup();
    dir.file("copy", dir.text("cup"));
    let ranking = rank(&dir, "cup copy");
    assert_eq!(ratings(&ranking), ratings(&rank(&dir, "cup")));
    assert_eq!(ranking["games"], 60);
    let note = "copy: 60 games with the same players, seed and turns came before and count once";
    dir.run("rank cup copy").succeeds().warns(note);
}

fn a_game_in_two_records_counts_once() {
    let dir = Dir::new();
    dir.run("play awful mediocre --seed 1 --json --out games")
        .succeeds();
    let note = "games: 1 game with the same players, seed and turns came before and count once";
    dir.run("rank games games")
        .succeeds()
        .prints("2 players, 1 game")
        .warns(note);
    // The same games under another limit are the same, and those of another seed are not.
    for (file, options) in [
        ("one", "--seed 1"),
        ("two", "--seed 1 --limit 4s"),
        ("three", "--seed 2"),
    ] {
        dir.run(format!(
            "match awful mediocre --games 2 -q --out {file} {options}"
        ))
        .succeeds();
    }
    dir.run("rank one two")
        .succeeds()
        .prints("2 players, 2 games");
    dir.run("rank one three")
        .succeeds()
        .prints("2 players, 4 games");
}

fn games_are_chosen_by_their_players() {
    let dir = cup();
    for options in ["--only mediocre,awful", "--without Olive"] {
        let ranking = rank(&dir, &format!("cup {options}"));
        let players = list(&ranking["players"]).iter();
        assert_eq!(
            players.map(|player| &player["name"]).collect::<Vec<_>>(),
            ["awful", "mediocre"]
        );
        assert_eq!(ranking["games"], 20);
    }
    dir.run("rank cup --only mediocre --only Popeye")
        .fails(2, "Popeye");
}

fn a_torn_record_counts_with_a_warning() {
    let dir = cup();
    let text = dir.text("cup");
    // A disqualification is known only after a record has been read, and a pipe is read once.
    let once = "/dev/stdin: this is not a file and can be read only once";
    dir.run("rank /dev/stdin").types(&text).exits(0).warns(once);
    // Without the end of the last series, and with a piece of its last game.
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let (whole, torn) = lines.split_at(lines.len() - 2);
    dir.file("cup", whole.concat() + &torn[0][..50]);
    let done = dir.run("rank cup").succeeds();
    done.warns("line 66 was cut short and does not count");
    done.warns("series 6 was not played to its end; its 9 games count");
    done.prints("3 players, 59 games in 5 series and 1 unfinished\n");
    dir.file("cup", "");
    dir.run("rank cup").fails(2, "have no games");
}

fn a_damaged_line_is_named() {
    let dir = cup();
    let text = dir.text("cup");
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    let third = lines[2].clone();
    let game: Value = serde_json::from_str(&third).unwrap();
    let damaged = |field: &str, value: &str| {
        let mut game = game.clone();
        *game.pointer_mut(field).unwrap() = json!(value);
        game.to_string()
    };
    for (line, reason) in [
        (third[..100].to_owned(), "this is not a line of a record"),
        (
            damaged(
                "/players/0/name",
                game["players"][1]["name"].as_str().unwrap(),
            ),
            "both players of this game have the same name",
        ),
        (
            damaged("/winner", "nobody"),
            "the winner of this game did not play it",
        ),
        (
            third.replace("\"first\":1", "\"first\":2"),
            "there is no player 2: players are 0 and 1",
        ),
    ] {
        lines[2] = line;
        dir.file("cup", lines.join("\n") + "\n");
        dir.run("rank cup")
            .fails(2, "cup, line 3: ")
            .warns(reason)
            .prints_all("");
    }
}

/// This was once reported as a fault of the referee.
fn a_table_may_be_cut_off() {
    let dir = cup();
    for output in ["--csv", "--json"] {
        assert_eq!(cut_off(dir.run(format!("rank cup {output}"))).1, 0);
    }
}

/// Nobody won or lost everything, and the ratings are regularized all the same.
fn a_group_that_always_loses_is_named() {
    let dir = Dir::new();
    dir.run("tournament A=mediocre B=mediocre C=awful D=awful --games 2 --seed 7 -q --out cup")
        .succeeds();
    let groups = "A player, or a group of players, won or lost everything against the";
    dir.run("rank cup").succeeds().prints(groups);
}

/// A bot whose program lies in two files, of which the command names the one that never changes.
const BOT: &str =
    "from strategy import KIND\nimport os\nos.execvp('referee', ['referee', 'bot', KIND])\n";

fn bot(dir: &Dir, name: &str) {
    dir.file(&format!("bots/{name}/strategy.py"), "KIND = 'awful'\n");
    dir.file(&format!("bots/{name}/bot.py"), BOT);
}

/// Only files that the command named were once compared, so that half of a contest was played by
/// another program.
fn another_program_is_another_player() {
    let dir = Dir::new();
    bot(&dir, "one");
    bot(&dir, "two");
    let words = "match 'one=python3 bots/one/bot.py' 'two=python3 bots/two/bot.py' -q --seed 1 --series 2 --out cup";
    dir.run(format!("{words} --games 4")).succeeds();
    let refuses = |change: &str| {
        let done = dir.run(format!("{words} --games 6 --resume")).ends();
        done.exits(2)
            .warns(&format!("what differs: {change} since game 4."))
            .lacks("program");
    };
    dir.file("bots/one/strategy.py", "KIND = 'mediocre'\n");
    refuses("one: strategy.py has changed");
    bot(&dir, "one");
    dir.file("bots/two/openings.py", "");
    refuses("two: openings.py has been added");
    for file in ["openings.py", "strategy.py"] {
        std::fs::remove_file(dir.path(&format!("bots/two/{file}"))).unwrap();
    }
    dir.file(
        "bots/two/bot.py",
        BOT.replace("from strategy import KIND", "KIND = 'awful'"),
    );
    refuses("two: bot.py has changed, strategy.py has been removed");
    bot(&dir, "two");
    // These files are not part of either: a neighbour, a cache, a record, the output of this
    // command.
    bot(&dir, "three");
    dir.file("bots/one/__pycache__/strategy.cpython-39.pyc", "x")
        .file("bots/one/old.jsonl", dir.text("cup"));
    dir.run(format!("{words} --games 6 --resume")).succeeds();
    // A ranking has two players of one name.
    dir.file("bots/one/strategy.py", "KIND = 'mediocre'\n");
    dir.run("match 'one=python3 bots/one/bot.py' awful -q --seed 1 --games 4 --out later")
        .succeeds();
    dir.run("rank cup later")
        .succeeds()
        .warns("one has 2 versions: one [");
    let ranking = rank(&dir, "cup later");
    let names: Vec<_> = list(&ranking["players"])
        .iter()
        .map(|player| player["name"].to_string())
        .collect();
    assert_eq!(
        names
            .iter()
            .filter(|name| name.starts_with("\"one ["))
            .count(),
        2,
        "{names:?}"
    );
    let ranking = rank(&dir, "cup later --latest");
    let mut players = list(&ranking["players"]).iter();
    assert_eq!(
        players.find(|player| player["name"] == "one").unwrap()["games"],
        4
    );
}

/// A record of 1.0.0 does not have the time of its contest, and copies may share one time.
fn records_of_one_time_have_no_newest() {
    let dir = Dir::new();
    dir.file("a.py", BOT);
    for (file, kind) in [("one", "awful"), ("two", "mediocre"), ("three", "mediocre")] {
        dir.file("strategy.py", format!("KIND = '{kind}'\n"));
        dir.run(format!(
            "match 'a=python3 a.py' awful -q --seed 1 --games 2 --out {file}"
        ))
        .succeeds();
        let text = dir.text(file);
        let (before, rest) = text.split_once("\"time\":").unwrap();
        let (_, after) = rest.split_once(',').unwrap();
        dir.file(file, format!("{before}{after}"));
        let copy = std::fs::File::options().write(true).open(dir.path(file));
        copy.unwrap()
            .set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000))
            .unwrap();
    }
    dir.run("rank one two --latest").succeeds().warns(
        "one and two have different programs of a and the same time, so the one that is named last counts: two",
    );
    let done = dir.run("rank two three --latest").succeeds();
    assert!(!done.stderr.contains("same time"), "{}", done.stderr);
}

fn bots_of_one_folder_change_together() {
    let dir = Dir::new();
    dir.file("a.py", BOT)
        .file("b.py", BOT)
        .file("strategy.py", "KIND = 'awful'\n");
    let words = "match 'a=python3 a.py' 'b=python3 b.py' -q --seed 1 --series 2 --out cup";
    dir.run(format!("{words} --games 4")).succeeds();
    dir.file("strategy.py", "KIND = 'mediocre'\n");
    let both = "a: strategy.py has changed since game 4; b: strategy.py has changed since game 4.";
    dir.run(format!("{words} --games 6 --resume"))
        .fails(2, both);
}

/// A record of single games on a board of one cell, `games` of each player against each other one;
/// the better a player the earlier its name. Returns its ranking.
fn ranking(players: usize, games: usize, name: impl Fn(usize) -> String) -> String {
    let mut lines = String::new();
    for first in 0..players {
        for second in first + 1..players {
            for game in 0..games {
                let winner = usize::from((7 * first + 5 * second + 3 * game) % 10 < 3);
                let names = [name(first + 1), name(second + 1)];
                let player = |name: &String| {
                    json!({"name": name, "command": "awful", "author": null, "human": false, "seed": 1,
                           "limit_ms": 5000, "warnings": []})
                };
                let fleet = json!([{"row": 0, "col": 0, "direction": "h"}]);
                let line = json!({
                    "format": "battleship-game", "version": 1, "referee": "0.1.0", "rules": "classic", "rows": 1,
                    "cols": 1, "ships": [{"length": 1, "symbol": "B", "name": "buoy"}], "seed": 1, "max_turns": 10,
                    "sandbox": null, "players": names.each_ref().map(player), "first": winner,
                    "fleets": [fleet, fleet], "shots": [[winner, 0, 0, "sunk 0", 12_345]],
                    "winner": names[winner], "by": winner, "ended_by": "fleet_sunk", "reason": "",
                });
                lines += &line.to_string();
                lines.push('\n');
            }
        }
    }
    let dir = Dir::new();
    let text = dir.file("games", lines).run("rank games").succeeds().stdout;
    fits(&text);
    text
}

/// Each line fits 80 columns of a terminal, where the scripts and pictures that are used here take
/// two for a character.
#[track_caller]
fn fits(text: &str) {
    let columns = |char: char| {
        if char >= '\u{1100}' && char != '…' {
            2
        } else {
            1
        }
    };
    for line in text.lines() {
        assert!(line.chars().map(columns).sum::<usize>() <= 80, "{line}");
    }
}

const LONG: &str = "a name that is far longer than a column is wide enough for";

fn sixty_players_fit_80_columns() {
    for name in ["p", "鯨の艦隊の指揮官たち🚢🚢🚢🚢🚢🚢🚢🚢"] {
        let text = ranking(60, 1, |number| format!("{number} {name}"));
        let head = text.lines().nth(2).unwrap();
        assert!(
            head.contains("points") && head.contains("score") && head.contains("rating ± 95%"),
            "{text}"
        );
        // A line in the standings and one in the cross table, where no player has met itself.
        let after = text.split_once("--json has all results.\n").unwrap().1;
        let mut rows = after.lines();
        assert!(
            rows.next().unwrap().trim_start().starts_with("11111111112"),
            "{text}"
        );
        assert!(rows.next().unwrap().ends_with("7890"), "{text}");
        for (number, row) in rows.take(60).enumerate() {
            let cells: Vec<char> = row.chars().rev().take(60).collect();
            assert_eq!(cells[59 - number], '-', "{text}");
            assert_eq!(
                cells.iter().filter(|cell| cell.is_ascii_digit()).count(),
                59,
                "{text}"
            );
        }
    }
    let text = ranking(8, 4, |number| format!("{number} {LONG}"));
    has(&text, "\n--csv shows also: faults (all 0), games.\n");
}

/// Numbers of players, and what is printed about the cells of their table.
const CROSSTABLES: [(&str, usize); 6] = [
    ("points out of games", 9),
    ("Tenths of the points", 20),
    ("Percent of the points. --json has all results.", 14),
    ("--json has all results.", 31),
    ("--json has all results.", 66),
    ("is too wide for this terminal", 67),
];

fn a_crosstable_has_what_there_is_room_for((caption, players): (&str, usize)) {
    let text = ranking(players, 2, |number| format!("player {number:05}"));
    assert!(text.replace("\n  ", " ").contains(caption), "{text}");
}

fn faults_and_remarks_fit_too() {
    let names = ["a", "b", "c"]
        .map(|name| format!("'{name}-{}=awful'", "long".repeat(12)))
        .join(" ");
    let rogue = format!(
        "'rogue-{}=test-bot act crash --after 5'",
        LONG.replace(' ', "-")
    );
    let words = format!(
        "tournament --rows 5 --cols 5 --ship '3 A ark' --games 20 --seed 1 -q {rogue} {names}"
    );
    let print = |options: &str| {
        Dir::new()
            .run(format!("{words} {options}"))
            .succeeds()
            .stdout
    };
    let text = print("");
    fits(&text);
    assert!(text.lines().nth(2).unwrap().contains("faults"), "{text}");
    assert!(
        text.replace("\n  ", " ")
            .contains("No game against it counts."),
        "{text}"
    );
    fits(&print("--format swiss"));
    fits(&print("--format knockout"));
}
