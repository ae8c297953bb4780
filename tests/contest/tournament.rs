//! Tournaments of many players.

use crate::common::contest::without_times;
use crate::common::{cpp, good, misbehaving, misbehaving_bot, python, referee, text_of};
use predicates::str::{contains, is_empty};
use serde_json::Value;
use testkit::list::Tests;
use testkit::tools::{CXX, PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, CXX, PYTHON], |tests| {
        add!(tests, a_round_robin_of_three_languages_puts_good_first);
    });
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            the_summary_for_people_has_standings_and_who_met_whom,
            a_tournament_of_two_is_shown_as_one,
            in_a_gauntlet_only_the_first_player_meets_everybody,
            a_swiss_tournament_has_as_many_rounds_as_it_is_given,
            the_winner_of_all_ties_wins_a_knockout,
            fewer_than_two_players_are_not_a_tournament,
            a_bot_that_spoils_its_games_is_disqualified,
            with_a_share_of_1_no_player_is_disqualified,
            ratings_are_counted_from_the_anchor,
            a_name_is_neither_a_formula_nor_a_terminal_command,
            a_tournament_grows_by_the_series_of_its_new_players_and_nothing_else
        );
        rows!(
            tests,
            FORMATS,
            a_tournament_has_the_same_record_on_one_lane_and_on_two,
            1
        );
        rows!(tests, FORMATS, a_tournament_that_was_cut_off_continues, 1);
    });
}

/// Plays a tournament with `--json` and returns its summary.
fn tournament(players: &[&str], options: &[&str]) -> Value {
    let output = referee()
        .args(["tournament", "--json", "-q"])
        .args(players)
        .args(options)
        .output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The names of the players, the best first.
fn order(summary: &Value) -> Vec<&str> {
    let mut players: Vec<&Value> = summary["players"].as_array().unwrap().iter().collect();
    players.sort_by_key(|player| player["place"]["place"].as_u64().unwrap());
    players
        .iter()
        .map(|player| player["name"].as_str().unwrap())
        .collect()
}

/// The counted games of each pairing.
fn games_of_pairings(summary: &Value) -> Vec<u64> {
    let games = |pairing: &Value| -> u64 {
        ["wins", "draws", "losses"]
            .iter()
            .map(|what| pairing["results"][what].as_u64().unwrap())
            .sum()
    };
    summary["pairings"]
        .as_array()
        .unwrap()
        .iter()
        .map(games)
        .collect()
}

fn a_round_robin_of_three_languages_puts_good_first() {
    let folder = tempfile::tempdir().unwrap();
    let (python, cpp) = (
        format!("python={}", python()),
        format!("cpp={}", cpp(&folder)),
    );
    let players = ["awful", "mediocre", &good(), &python, &cpp];
    let summary = tournament(&players, &["--games", "6", "--seed", "1"]);
    assert_eq!(games_of_pairings(&summary), [6; 10]);
    assert_eq!(
        (&summary["games"], &summary["finish"]),
        (&60.into(), &"complete".into())
    );
    let order = order(&summary);
    assert_eq!((order[0], order[4]), ("good", "awful"), "{order:?}");
    assert!(
        order.contains(&"python") && order.contains(&"cpp"),
        "{order:?}"
    );
    let note = &summary["ratings"];
    assert_eq!(note["connected"], true);
    let ratings = summary["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| &player["rating"]);
    let sum: f64 = ratings
        .map(|rating| rating["rating"].as_f64().unwrap())
        .sum();
    assert!(sum.abs() < 1e-6, "their mean is 0");
}

fn the_summary_for_people_has_standings_and_who_met_whom() {
    let output = referee()
        .args([
            "tournament",
            "awful",
            "mediocre",
            &good(),
            "--games",
            "20",
            "--seed",
            "1",
            "-q",
        ])
        .assert()
        .code(0)
        .stderr(is_empty())
        .get_output()
        .clone();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("Round robin of 3 players: 60 games in 3 series, seed 1\n"),
        "{text}"
    );
    let starts: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with(" 1  good"))
        .collect();
    assert_eq!(
        starts.len(),
        2,
        "in the standings and in the crosstable: {text}"
    );
    assert!(starts[1].contains("/20"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 120),
        "{text}"
    );
}

fn a_tournament_of_two_is_shown_as_one() {
    let output = referee()
        .args([
            "tournament",
            "awful",
            &good(),
            "--games",
            "2",
            "--seed",
            "1",
            "--json",
            "-q",
        ])
        .assert()
        .code(0)
        .get_output()
        .clone();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(order(&summary), ["good", "awful"]);
    assert!(summary["players"][1]["rating"]["rating"].as_f64().unwrap() > 0.0);
}

fn in_a_gauntlet_only_the_first_player_meets_everybody() {
    let players = [&good(), "awful", "mediocre", "awful"];
    let summary = tournament(
        &players,
        &["--format", "gauntlet", "--games", "4", "--seed", "1"],
    );
    assert_eq!(games_of_pairings(&summary), [4; 3]);
    let firsts = summary["pairings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["players"][0]);
    assert!(firsts.into_iter().all(|first| *first == 0));
    assert_eq!(order(&summary)[0], "good");
}

fn a_swiss_tournament_has_as_many_rounds_as_it_is_given() {
    let players = [&good(), "awful", "mediocre", "awful"];
    let options = [
        "--format", "swiss", "--games", "4", "--seed", "1", "--rounds", "2",
    ];
    let summary = tournament(&players, &options);
    assert_eq!(
        games_of_pairings(&summary),
        [4; 4],
        "two rounds of two encounters"
    );
    assert_eq!(order(&summary)[0], "good");
    let summary = tournament(&players, &options[..6]);
    assert_eq!(
        games_of_pairings(&summary),
        [4; 6],
        "three rounds of two encounters"
    );
}

fn the_winner_of_all_ties_wins_a_knockout() {
    let players = [&good(), "awful", "mediocre", "awful"];
    let summary = tournament(
        &players,
        &["--format", "knockout", "--games", "10", "--seed", "1"],
    );
    let games = games_of_pairings(&summary);
    assert!(
        games.len() == 3 && games.iter().all(|games| *games >= 10),
        "{games:?}"
    );
    assert_eq!(order(&summary)[0], "good");
    let winner = &summary["players"][0]["place"];
    assert_eq!(
        (&winner["points"], &winner["note"]),
        (&2.0.into(), &"winner".into())
    );
}

fn fewer_than_two_players_are_not_a_tournament() {
    for (players, what) in [
        (&[][..], "there are no players"),
        (&["good"][..], "only one player"),
    ] {
        referee()
            .arg("tournament")
            .args(players)
            .assert()
            .code(2)
            .stderr(contains(what));
    }
    let human = ["tournament", "good", "human", "awful"];
    referee()
        .args(human)
        .assert()
        .code(2)
        .stderr(contains("a human plays one game at a time"));
}

const FORMATS: [&str; 3] = ["round-robin", "swiss", "knockout"];

fn a_tournament_has_the_same_record_on_one_lane_and_on_two(format: &str) {
    let folder = tempfile::tempdir().unwrap();
    let record = |jobs: &str| {
        let path = folder.path().join(format!("{format}-{jobs}.jsonl"));
        let options = [
            "--format", format, "--games", "8", "--series", "4", "--seed", "7",
        ];
        let out = ["--jobs", jobs, "--out", path.to_str().unwrap()];
        tournament(
            &["awful", "mediocre", "awful", "mediocre"],
            &[&options[..], &out].concat(),
        );
        without_times(&text_of(path))
    };
    let lines = record("1");
    assert!(lines.len() > 24);
    assert!(lines == record("2"), "{format}");
}

fn a_bot_that_spoils_its_games_is_disqualified() {
    let folder = tempfile::tempdir().unwrap();
    let rogue = misbehaving("crash --at attack --after 5");
    let play = |jobs: &str| {
        let path = folder.path().join(format!("{jobs}.jsonl"));
        let options = [
            "--games", "20", "--series", "2", "--seed", "1", "--jobs", jobs, "--out",
        ];
        let options = [&options[..], &[path.to_str().unwrap()]].concat();
        let summary = tournament(&["awful", &rogue, "mediocre"], &options);
        let rogue = &summary["players"][1];
        assert_eq!(
            (&rogue["name"], &rogue["disqualified"]),
            (&"rogue".into(), &true.into())
        );
        assert_eq!(rogue["faults"]["crashed"], 10, "{rogue}");
        assert_eq!(rogue["place"]["note"], "disqualified");
        assert_eq!(
            games_of_pairings(&summary)[1],
            20,
            "the others play all their games"
        );
        assert_eq!(order(&summary)[2], "rogue");
        without_times(&text_of(path))
    };
    assert!(play("1") == play("2"));
    let text = referee()
        .args([
            "tournament",
            "awful",
            &rogue,
            "mediocre",
            "--games",
            "10",
            "-q",
            "--seed",
            "1",
        ])
        .assert()
        .code(0);
    text.stdout(contains(
        "rogue is disqualified: it spoiled 10 of its 10 games (10 crashed).",
    ));
}

/// Later rounds depend on the earlier ones, and those on who was disqualified by then.
fn a_tournament_that_was_cut_off_continues(format: &str) {
    let folder = tempfile::tempdir().unwrap();
    let rogue = misbehaving("crash --at attack --after 5");
    let players = ["mediocre", &rogue, "awful", "mediocre", "awful"];
    let path = folder.path().join(format);
    let options = [
        "--format", format, "--games", "12", "--series", "4", "--seed", "2",
    ];
    let options = [&options[..], &["--out", path.to_str().unwrap()]].concat();
    let whole = tournament(&players, &options);
    let record = text_of(&path);
    let lines: Vec<&str> = record.split_inclusive('\n').collect();
    for kept in [1, lines.len() / 3, lines.len() - 2] {
        std::fs::write(&path, lines[..kept].concat()).unwrap();
        let resumed = tournament(&players, &[&options[..], &["--resume"]].concat());
        assert_eq!(
            without_times(&text_of(&path)),
            without_times(&record),
            "{format}, {kept}"
        );
        assert_eq!(order(&resumed), order(&whole));
        assert_eq!(resumed["players"][1]["disqualified"], true);
    }
}

fn with_a_share_of_1_no_player_is_disqualified() {
    let rogue = misbehaving("crash --at attack --after 5");
    let options = ["--games", "12", "--max-faults", "1", "--seed", "1"];
    let summary = tournament(&["awful", &rogue, "awful"], &options);
    assert_eq!(summary["players"][1]["disqualified"], false);
    assert_eq!(summary["players"][1]["faults"]["crashed"], 24);
}

fn ratings_are_counted_from_the_anchor() {
    let options = ["--games", "4", "--seed", "1", "--anchor", "mediocre=1500"];
    let summary = tournament(&["awful", "mediocre", &good()], &options);
    let rating = &summary["players"][1]["rating"];
    assert_eq!(
        (&rating["rating"], &rating["standard_error"]),
        (&1500.0.into(), &0.0.into())
    );
    assert!(summary["players"][2]["rating"]["rating"].as_f64().unwrap() > 1500.0);
    assert_eq!(summary["ratings"]["anchor"]["player"], "mediocre");
    referee()
        .args([
            "tournament",
            "awful",
            "mediocre",
            "--anchor",
            "Popeye",
            "--seed",
            "1",
        ])
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr(contains(
            "no player has that name; there are awful, mediocre",
        ));
}

/// Names come from bots, and a spreadsheet runs text that begins with an equals sign.
fn a_name_is_neither_a_formula_nor_a_terminal_command() {
    let bot = misbehaving_bot();
    let named = |name: &str| format!(r"{bot} --at greeting say 'name {name}\nready\n'");
    let (formula, painter) = (named("=cmd()"), named(r"\e[31mred"));
    let play = |output: &[&str]| {
        let mut referee = referee();
        referee.args([
            "tournament",
            "awful",
            &formula,
            &painter,
            "--games",
            "2",
            "--seed",
            "1",
            "-q",
        ]);
        let output = referee.args(output).assert().code(0).get_output().clone();
        String::from_utf8(output.stdout).unwrap()
    };
    let csv = play(&["--csv"]);
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[0][1]), (4, "player"));
    let own = rows[0]
        .iter()
        .position(|head| *head == "calls_itself")
        .unwrap();
    assert!(rows.iter().any(|row| row[own] == "'=cmd()"), "{csv}");
    assert!(
        rows.iter()
            .flatten()
            .all(|cell| !cell.starts_with(['=', '+', '@'])),
        "{csv}"
    );
    let text = play(&[]);
    assert!(
        text.contains("(calls itself =cmd())") && text.contains(r"\u{1b}[31mred"),
        "{text}"
    );
    assert!(!csv.contains('\x1b') && !text.contains('\x1b'));
}

/// The games of a record, by their players and numbers, without times and places in the contest.
fn games_by_players(record: &str) -> Vec<(String, Value)> {
    let lines = without_times(record);
    let games = lines
        .into_iter()
        .filter(|line| line["format"] == "battleship-game");
    let mut games: Vec<_> = games
        .map(|mut game| {
            let name = |seat: usize| game["players"][seat]["name"].as_str().unwrap().to_owned();
            let place = game["contest"]["game"].as_u64().unwrap();
            let key = format!("{} {} {place:03}", name(0), name(1));
            game["contest"] = Value::Null;
            (key, game)
        })
        .collect();
    games.sort_by(|one, other| one.0.cmp(&other.0));
    games
}

fn a_tournament_grows_by_the_series_of_its_new_players_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let play = |players: &[&str], more: &[&str]| {
        let mut command = referee();
        command
            .current_dir(&folder)
            .args(["tournament", "-q", "--series", "4", "--seed", "3"]);
        if !more.contains(&"--games") {
            command.args(["--games", "8"]);
        }
        command.args(players).args(more);
        command.assert()
    };
    let text = |file: &str| text_of(folder.path().join(file));
    let three = ["awful", "mediocre", "A=awful"];
    let five = ["awful", "mediocre", "A=awful", "B=mediocre", "C=awful"];
    play(&three, &["--out", "cup.jsonl"]).success();
    let before = text("cup.jsonl");
    play(&five, &["--out", "whole.jsonl"]).success();
    // One player, and then another; an interrupted growth continues.
    play(&five[..4], &["--out", "cup.jsonl", "--resume"]).success();
    let grown = text("cup.jsonl");
    assert!(grown.starts_with(&before), "what was there stays");
    std::fs::write(folder.path().join("cup.jsonl"), &grown[..grown.len() - 100]).unwrap();
    play(&five[..4], &["--out", "cup.jsonl", "--resume"]).success();
    assert_eq!(without_times(&text("cup.jsonl")), without_times(&grown));
    play(&five, &["--out", "cup.jsonl", "--resume"]).success();
    let grown = text("cup.jsonl");
    assert_eq!(
        games_by_players(&grown),
        games_by_players(&text("whole.jsonl"))
    );
    play(&five, &["--out", "cup.jsonl", "--resume"]).success();
    assert_eq!(text("cup.jsonl"), grown);
    let rank = |file: &str| {
        let output = referee()
            .current_dir(&folder)
            .args(["rank", "--csv", file])
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(rank("cup.jsonl").lines().count(), 6);
    // The others keep their places in the list, and the number of games stays.
    let moved = ["B=mediocre", "awful", "mediocre", "A=awful", "C=awful"];
    play(&moved, &["--out", "cup.jsonl", "--resume"])
        .code(2)
        .stderr(contains("another contest"));
    let more = play(&five, &["--out", "cup.jsonl", "--resume", "--games", "20"]);
    more.code(2).stderr(contains("stays with 8 games each"));
    let swiss = ["--format", "swiss", "--rounds", "2", "--out", "swiss.jsonl"];
    play(&three, &swiss).success();
    play(&five, &[&swiss[..], &["--resume"]].concat())
        .code(2)
        .stderr(contains("players: 3 there, 5 here"));
    let absent = [&five[..], &["D=./there-is-no-such-bot"]].concat();
    play(&absent, &["--out", "cup.jsonl", "--resume"]).code(4);
    assert_eq!(text("cup.jsonl"), grown);
}
