//! The report of contests and of any records.

use std::path::Path;

use super::{Page, report};
use serde_json::Value;
use testkit::list::Tests;
use testkit::programs::{good, misbehaving, referee, text_of};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_report_has_the_standings_and_every_game,
        the_places_of_every_schedule_are_those_of_its_tournament,
        players_that_are_out_stay_out,
        names_with_markup_stay_text,
        several_records_make_one_ranking_with_games_numbered_on,
        a_match_a_shard_and_an_interrupted_contest_have_reports,
        the_page_of_a_contest_is_the_report_of_its_record,
        a_page_claims_no_more_than_the_match_does,
        games_in_which_one_player_always_moves_first_say_nothing_of_the_first_move,
        the_course_of_ratings_ends_at_the_ratings_of_the_table,
        a_match_that_a_test_has_decided_is_over
    );
}

/// Plays a tournament in the folder `at` whose record is `cup.jsonl`; returns its summary.
fn tournament(at: &Path, players: &[&str], options: &[&str]) -> Value {
    let mut command = referee();
    command.args([
        "tournament",
        "--json",
        "-q",
        "--seed",
        "3",
        "--out",
        "cup.jsonl",
    ]);
    let output = command
        .args(players)
        .args(options)
        .current_dir(at)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The names and places of the players of a summary.
fn places(summary: &Value) -> Vec<(&Value, &Value)> {
    let players = summary["players"].as_array().unwrap();
    players
        .iter()
        .map(|player| (&player["name"], &player["place"]["place"]))
        .collect()
}

fn a_report_has_the_standings_and_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let summary = tournament(at, &["awful", "mediocre", &good()], &["--games", "4"]);
    let page = report(at, &["cup.jsonl"], &[]);
    assert_eq!(page.data["title"], "Round robin of 3 players");
    assert_eq!(
        (&page.data["games"], &page.data["kept"]),
        (&12.into(), &12.into())
    );
    assert_eq!(page.order(), ["good", "mediocre", "awful"]);
    let of_page: Vec<_> = page.data["players"].as_array().unwrap().iter().collect();
    let of_page: Vec<_> = of_page
        .iter()
        .map(|player| (&player["name"], &player["place"]))
        .collect();
    assert_eq!(of_page, places(&summary));
    for heading in [
        "Standings",
        "Who beat whom",
        "Attacks to win",
        "The first move",
        "Reply times",
    ] {
        assert!(
            page.html.contains(&format!("<h2>{heading}</h2>")),
            "{heading}"
        );
    }
    assert!(page.html.contains("with 8 of 8 points") || page.html.contains(": 8 of 8 points"));
    assert_eq!(page.data["live"], Value::Null);
    let awful = page.details("awful");
    let duel = &awful["duel"];
    assert_eq!(
        (&duel["fell"], &duel["stood"]),
        (&8.into(), &0.into()),
        "it lost all its games"
    );
    assert_eq!(page.data["duels"].as_array().unwrap().len(), 3);
    assert_eq!(awful["worst"].as_array().unwrap().len(), 3);
}

fn the_places_of_every_schedule_are_those_of_its_tournament() {
    for schedule in [
        &["--format", "swiss", "--rounds", "3"][..],
        &["--format", "knockout"],
        &["--format", "gauntlet"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let players = ["a=awful", "b=mediocre", "c=awful", "d=mediocre", "e=awful"];
        let options = [&["--games", "4", "--series", "2"], schedule].concat();
        let summary = tournament(at, &players, &options);
        let page = report(at, &["cup.jsonl"], &[]);
        let players = page.data["players"].as_array().unwrap();
        let of_page: Vec<_> = players
            .iter()
            .map(|player| (&player["name"], &player["place"]))
            .collect();
        assert_eq!(of_page, places(&summary), "{schedule:?}");
        assert!(
            !page.html.contains("stopped before its end"),
            "{schedule:?}"
        );
    }
}

fn players_that_are_out_stay_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let rogue = misbehaving("exit 3 --after 5");
    let players = ["awful", "mediocre", &rogue, "absent=./absent"];
    let options = ["--games", "10", "--series", "2", "--max-faults", "0.2"];
    let summary = tournament(at, &players, &options);
    let page = report(at, &["cup.jsonl"], &[]);
    let players = page.data["players"].as_array().unwrap();
    let of_page: Vec<_> = players
        .iter()
        .map(|player| (&player["name"], &player["place"]))
        .collect();
    assert_eq!(of_page, places(&summary));
    assert!(
        page.html
            .contains("rogue is disqualified: it spoiled 10 of its 10 games (10 exited)")
    );
    assert!(
        page.html
            .contains("absent could not play: it failed the check before the first game")
    );
    let forfeits = page.details("rogue");
    assert_eq!(forfeits["nForfeits"], 10);
    let first = &forfeits["forfeits"][0];
    let reason = usize::try_from(first["reason"].as_u64().unwrap()).unwrap();
    assert_eq!(page.data["reasons"][reason]["word"], "exited");
    assert!(
        first["advice"]
            .as_str()
            .unwrap()
            .starts_with("It ended by itself"),
        "{first}"
    );
}

fn names_with_markup_stay_text() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let name = "<script>alert(1)<b>";
    let markup = format!("'{name}=awful'");
    tournament(
        at,
        &[&markup, "'x&y=mediocre'", "<style>=awful"],
        &["--games", "2"],
    );
    let page = report(at, &["cup.jsonl"], &[]);
    assert_eq!(page.data["players"][0]["name"], name);
    assert!(!page.html.contains("<script>alert"));
    assert_eq!(page.html.matches("</style>").count(), 1);
    assert!(
        page.html.contains("&lt;script&gt;alert(1)")
            || page.html.contains("&#60;script&#62;alert(1)")
    );
}

fn several_records_make_one_ranking_with_games_numbered_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    tournament(at, &["awful", "mediocre", "m=mediocre"], &["--games", "2"]);
    for seed in ["1", "2"] {
        let mut play = referee();
        play.args([
            "play",
            "awful",
            "mediocre",
            "--seed",
            seed,
            "--json",
            "--record",
            "single.jsonl",
        ]);
        play.current_dir(at).assert().code(0);
    }
    let page = report(at, &["cup.jsonl", "single.jsonl"], &[]);
    assert_eq!(page.data["title"], "Ranking of 3 players");
    assert_eq!(
        (&page.data["games"], &page.data["kept"]),
        (&8.into(), &8.into())
    );
    let records = [("cup.jsonl", 6), ("single.jsonl", 2)];
    for ((name, games), record) in records.iter().zip(page.data["records"].as_array().unwrap()) {
        assert_eq!(
            (&record["name"], &record["games"]),
            (&(*name).into(), &(*games).into())
        );
    }
    let numbers = page.data["chunks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|chunk| &chunk["numbers"]);
    assert!(
        numbers
            .clone()
            .any(|runs| runs.to_string().contains("[5,4]")),
        "{:?}",
        numbers.collect::<Vec<_>>()
    );
    let only = report(
        at,
        &["cup.jsonl", "single.jsonl"],
        &["--only", "awful,mediocre"],
    );
    assert_eq!(only.data["players"].as_array().unwrap().len(), 2);
}

fn a_match_a_shard_and_an_interrupted_contest_have_reports() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    tournament(
        at,
        &["awful", "mediocre", "m=mediocre"],
        &["--games", "8", "--series", "2", "--shard", "1/2"],
    );
    let shard = report(at, &["cup.jsonl"], &[]);
    assert_eq!(shard.data["games"], 12);
    assert!(!shard.html.contains("stopped before its end"));
    let record = text_of(at.join("cup.jsonl"));
    let lines: Vec<&str> = record.lines().collect();
    // The header, three whole series, and a game of the fourth.
    std::fs::write(at.join("half.jsonl"), lines[..11].join("\n") + "\n").unwrap();
    let half = report(at, &["half.jsonl"], &[]);
    assert_eq!(
        (&half.data["games"], &half.data["kept"]),
        (&7.into(), &6.into())
    );
    assert!(
        half.html
            .contains("1 game left out: their series were not played to their end.")
    );
    assert!(half.html.contains("stopped before its end"));
    let mut play = referee();
    play.args([
        "match", "awful", "mediocre", "--games", "4", "--seed", "1", "-q", "--out", "m.jsonl",
    ]);
    play.current_dir(at).assert().code(0);
    assert_eq!(
        report(at, &["m.jsonl"], &[]).data["title"],
        "awful against mediocre"
    );
}

fn the_page_of_a_contest_is_the_report_of_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let players = ["awful", "mediocre", "m=mediocre"];
    tournament(
        at,
        &players,
        &["--games", "6", "--series", "2", "--report", "live.html"],
    );
    let page = report(at, &["cup.jsonl"], &[]);
    assert_eq!(Page::read(at.join("live.html")).html, page.html);
    // And of one that continues.
    tournament(
        at,
        &players,
        &[
            "--games",
            "10",
            "--series",
            "2",
            "--report",
            "live.html",
            "--resume",
        ],
    );
    let page = report(at, &["cup.jsonl"], &[]);
    assert_eq!(Page::read(at.join("live.html")).html, page.html);
    assert_eq!(page.data["games"], 30);
}

fn a_page_claims_no_more_than_the_match_does() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut play = referee();
    play.args([
        "match",
        "mediocre",
        "x=mediocre",
        "--games",
        "10",
        "--seed",
        "1",
        "-q",
        "--out",
        "m.jsonl",
    ]);
    let said = String::from_utf8(play.current_dir(at).output().unwrap().stdout).unwrap();
    assert!(
        said.contains("These 10 games do not decide which player is the better one"),
        "{said}"
    );
    let page = report(at, &["m.jsonl"], &[]);
    assert!(
        page.html
            .contains("These 10 games do not decide which player is the better one")
    );
}

fn games_in_which_one_player_always_moves_first_say_nothing_of_the_first_move() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for seed in ["1", "2", "3"] {
        let mut play = referee();
        play.args([
            "play", "mediocre", "awful", "--seed", seed, "--json", "--record", "p.jsonl",
        ]);
        play.current_dir(at).assert().code(0);
    }
    let page = report(at, &["p.jsonl"], &[]);
    assert!(
        page.html
            .contains("Some players moved first more often than others")
    );
    assert!(!page.html.contains("moving first is an advantage"));
}

fn the_course_of_ratings_ends_at_the_ratings_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let players = ["awful", "mediocre", "m=mediocre"];
    let summary = tournament(
        at,
        &players,
        &[
            "--games",
            "20",
            "--series",
            "2",
            "--anchor",
            "mediocre=1500",
        ],
    );
    let page = report(at, &["cup.jsonl"], &["--anchor", "mediocre=1500"]);
    let course = page
        .html
        .split_once("id=\"course\"")
        .unwrap()
        .1
        .split_once("</section>")
        .unwrap()
        .0;
    let last = course.rsplit_once("<tr>").unwrap().1;
    for player in summary["players"].as_array().unwrap() {
        let rating = player["rating"]["rating"].as_f64().unwrap().round();
        assert!(
            last.contains(&format!(">{rating:+}<")),
            "{rating} in {last}"
        );
    }
}

fn a_match_that_a_test_has_decided_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut play = referee();
    play.args([
        "match", "awful", "mediocre", "--games", "1000", "--series", "100", "--seed", "1", "-q",
    ]);
    play.args([
        "--sprt",
        "elo0=0,elo1=100",
        "--out",
        "m.jsonl",
        "--report",
        "live.html",
    ]);
    play.current_dir(at).assert().code(0);
    let page = report(at, &["m.jsonl"], &[]);
    assert!(page.data["games"].as_u64().unwrap() < 100);
    assert!(!page.html.contains("stopped before its end"));
    assert_eq!(Page::read(at.join("live.html")).html, page.html);
}
