//! Pages of single games, and what pages say of games.

use super::{Page, report};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use testkit::list::Tests;
use testkit::programs::{Folder, misbehaving, referee, scripted};
use testkit::tools::{PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_game_that_is_played_has_a_page_with_what_was_said,
        a_twist_game_has_a_page_too,
        the_worst_games_show_what_good_would_have_attacked,
        a_game_without_fleets_and_one_that_contradicts_the_rules
    );
    tests.needing(&[UNIX], |tests| {
        add!(tests, a_recorded_game_has_a_page);
    });
    tests.needing(&[PYTHON], |tests| {
        add!(tests, figures_that_bots_print_are_in_the_report);
    });
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[UNIX], |tests| {
            add!(
                tests,
                a_page_opens_in_the_browser_or_the_message_says_where_it_is
            );
        });
    }
}

fn a_game_that_is_played_has_a_page_with_what_was_said() {
    let folder = Folder::new();
    let (page, log) = (folder.path("game.html"), folder.path("dialogue.txt"));
    let rogue = misbehaving("exit 3 --after 2 --stderr 'no <i>idea</i>'");
    let mut play = referee();
    play.args([
        "play",
        &rogue,
        "awful",
        "--seed",
        "1",
        "--no-pause",
        "--html",
        &page,
    ]);
    play.args(["--transcript", &log]).assert().code(0);
    let page = Page::read(page);
    assert_eq!(
        (&page.data["kind"], &page.data["kept"]),
        (&"game".into(), &1.into())
    );
    let lines = page.data["dialogue"]["1"].as_array().unwrap();
    let line = |turn: i64, seat: u64, mark: &str| -> Vec<&str> {
        let is_so = |line: &&Value| line[0] == turn && line[1] == seat && line[2] == mark;
        lines
            .iter()
            .filter(is_so)
            .map(|line| line[3].as_str().unwrap())
            .collect()
    };
    assert_eq!(line(-1, 0, "<-")[0], "battleship 1");
    assert!(
        line(-1, 1, "->")
            .iter()
            .any(|said| said.starts_with("place ")),
        "{lines:?}"
    );
    assert_eq!(line(0, 0, "<-")[0], "attack");
    assert!(line(1, 1, "->")[0].starts_with("attack "), "{lines:?}");
    // In its third turn, the fifth of the game, it says this and exits.
    assert_eq!(line(4, 0, "!!"), ["no <i>idea</i>"]);
    assert!(!page.html.contains("<i>idea"));
    assert!(
        std::fs::read_to_string(log)
            .unwrap()
            .contains("!! no <i>idea</i>")
    );
}

fn a_recorded_game_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let rogue = misbehaving("crash --after 5 --stderr oops");
    let run = |arguments: &[&str]| {
        let mut command = referee();
        command.args(arguments).current_dir(at).assert()
    };
    run(&[
        "match", &rogue, "awful", "--games", "2", "-q", "--out", "m.jsonl",
    ])
    .code(0);
    run(&["replay", "m.jsonl", "--game", "2", "--html", "2.html"]).code(0);
    let page = Page::read(at.join("2.html"));
    assert_eq!(
        page.data["chunks"][0]["numbers"],
        serde_json::json!([[2, 1]])
    );
    assert_eq!(page.data["dialogue"], serde_json::json!({}));
    run(&["replay", "m.jsonl", "--game", "3", "--html", "3.html"])
        .code(2)
        .stderr(contains("2 games"));
    assert!(!at.join("3.html").exists());
}

fn a_twist_game_has_a_page_too() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut play = referee();
    play.args([
        "match", "awful", "mediocre", "--rules", "twist", "--games", "4", "--seed", "1", "-q",
    ]);
    play.args(["--out", "twist.jsonl"])
        .current_dir(at)
        .assert()
        .code(0);
    let page = report(at, &["twist.jsonl"], &[]);
    assert_eq!(
        (&page.data["kept"], &page.data["setups"][0]["rules"]),
        (&4.into(), &"twist".into())
    );
    assert_eq!(
        page.data["setups"][0]["cells"].as_array().unwrap().len(),
        144
    );
}

fn figures_that_bots_print_are_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bot = at.join("bot.py");
    let program = "import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == 'battleship': print('name warm\\nready')
    elif word == 'place': print('place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h'); turn = 0
    elif word == 'attack':
        print('# heat = %g' % (turn / 2)); print('# <b>x</b> = 1')
        print('attack', turn // 10, turn % 10); turn += 1
    sys.stdout.flush()
";
    std::fs::write(&bot, program).unwrap();
    let bot = format!("warm=python3 {}", bot.display());
    let mut play = referee();
    play.args([
        "match", &bot, "awful", "--games", "2", "--seed", "1", "-q", "--out", "m.jsonl",
    ]);
    play.current_dir(at).assert().code(0);
    let page = report(at, &["m.jsonl"], &[]);
    assert_eq!(page.data["figureNames"], serde_json::json!(["heat"]));
    let figure = &page.details("warm")["figures"][0];
    assert_eq!(figure["points"].as_array().unwrap().len(), 2);
}

fn the_worst_games_show_what_good_would_have_attacked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut play = referee();
    play.args([
        "match", "awful", "mediocre", "--games", "2", "--seed", "1", "-q", "--out", "m.jsonl",
    ]);
    play.current_dir(at).assert().code(0);
    let page = report(at, &["m.jsonl"], &["--with-good"]);
    let worst = page.details("awful")["worst"][0]["game"].to_string();
    let review = &page.data["reviews"][&worst];
    let attacks = &review["attacks"][0];
    // A corner is a poor first attack; a cell of the middle would have been the best.
    let (made, best) = (
        attacks[0][1].as_f64().unwrap(),
        attacks[0][2].as_f64().unwrap(),
    );
    assert!(made < best && best > 15.0, "{made} {best}");
    // The last moment is the end.
    let winning = review["winning"].as_array().unwrap();
    let turns: usize = [0, 1]
        .map(|seat| review["attacks"][seat].as_array().unwrap().len())
        .iter()
        .sum();
    assert_eq!(winning.len(), turns + 1);
    assert!(
        ["0.0", "100.0"].contains(&winning[turns].to_string().as_str()),
        "{}",
        winning[turns]
    );
    let skill = &page.details("awful")["skill"];
    assert_eq!(skill["games"], 2);
    assert!(skill["lost"].as_f64().unwrap() > 5.0, "{skill}");
}

fn a_game_without_fleets_and_one_that_contradicts_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let lost = scripted("lost", &["place none"]);
    let mut play = referee();
    play.args([
        "play", &lost, "awful", "--seed", "1", "--json", "--record", "g.jsonl", "--html", "g.html",
    ]);
    play.current_dir(at).assert().code(3);
    let page = Page::read(at.join("g.html"));
    assert_eq!(page.data["kept"], 1);
    let mut play = referee();
    play.args([
        "play", "awful", "mediocre", "--seed", "1", "--json", "--record", "g.jsonl",
    ]);
    play.current_dir(at).assert().code(0);
    let record = std::fs::read_to_string(at.join("g.jsonl")).unwrap();
    std::fs::write(at.join("g.jsonl"), record.replace("\"miss\"", "\"hit\"")).unwrap();
    let page = report(at, &["g.jsonl"], &[]);
    assert_eq!(
        (&page.data["games"], &page.data["kept"]),
        (&2.into(), &1.into())
    );
    assert!(
        page.html
            .contains("1 game without a replay: their records contradict the rules.")
    );
    let mut replay = referee();
    replay
        .args(["replay", "g.jsonl", "--game", "2", "--html", "wrong.html"])
        .current_dir(at);
    replay.assert().code(2).stderr(contains(
        "g.jsonl, game 2: the record cannot be right: turn 1",
    ));
}

/// `--open` hands the page to the program that opens files on this system.
#[cfg(target_os = "linux")]
fn a_page_opens_in_the_browser_or_the_message_says_where_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut play = referee();
    play.args([
        "match", "awful", "mediocre", "--games", "2", "--seed", "1", "-q", "--out", "m.jsonl",
    ]);
    play.current_dir(at).assert().code(0);
    let open = |path: &std::path::Path| {
        let mut report = referee();
        report
            .args(["report", "m.jsonl", "--open"])
            .env("PATH", path)
            .current_dir(at)
            .assert()
            .code(0)
    };
    open(at)
        .stderr(contains("no browser could be started; open ").and(contains("report.html in one")));
    let opener = at.join("xdg-open");
    std::fs::write(&opener, "#!/bin/sh\necho \"$@\" > opened\n").unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    open(at).stderr(contains("the report is in report.html\n"));
    let opened = std::fs::read_to_string(at.join("opened")).unwrap();
    assert_eq!(opened.trim(), at.join("report.html").to_str().unwrap());
}
