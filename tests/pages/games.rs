//! Pages of single games, and what reports have of games.

use serde_json::json;

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::UNIX;

use super::Page;
use testkit::record::list;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        the_page_of_a_game_has_its_dialogue,
        a_twist_game_has_a_page,
        the_worst_games_show_the_better_attacks,
        a_game_against_the_rules_has_no_replay
    );
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_recorded_game_has_a_page,
            figures_of_bots_are_in_the_report
        );
        #[cfg(target_os = "linux")]
        add!(tests, a_page_opens_in_the_browser);
    });
}

fn the_page_of_a_game_has_its_dialogue() {
    let dir = Dir::new();
    let rogue = "rogue=test-bot act exit 3 --after 2 --stderr 'no <i>idea</i>'";
    let words = "play --seed 1 --no-pause --report game.html --transcript dialogue";
    dir.run(words).arg(rogue).arg("awful").succeeds();
    let page = Page::read(&dir, "game.html");
    assert_eq!(
        (&page.data["kind"], &page.data["kept"]),
        (&json!("game"), &json!(1))
    );
    let lines = page.data["dialogue"]["1"].as_array().unwrap();
    // The lines of a turn, to or from a side.
    let of = |turn: i64, side: u64, mark: &str| -> Vec<&str> {
        let lines = lines
            .iter()
            .filter(|line| line[0] == turn && line[1] == side && line[2] == mark);
        lines.map(|line| line[3].as_str().unwrap()).collect()
    };
    assert_eq!(of(-1, 0, "<-")[0], "battleship 1");
    assert!(
        of(-1, 1, "->")
            .iter()
            .any(|line| line.starts_with("place ")),
        "{lines:?}"
    );
    assert_eq!(of(0, 0, "<-")[0], "attack");
    assert!(of(1, 1, "->")[0].starts_with("attack "), "{lines:?}");
    // In its third turn, the fifth of the game, it writes this and exits.
    assert_eq!(of(4, 0, "!!"), ["no <i>idea</i>"]);
    page.lacks("<i>idea");
    assert!(dir.text("dialogue").contains("!! no <i>idea</i>"));
}

fn a_recorded_game_has_a_page() {
    let dir = Dir::new();
    let rogue = "'rogue=test-bot act crash --after 5 --stderr oops'";
    dir.run(format!("match {rogue} awful --games 2 -q --out m"))
        .succeeds();
    dir.run("report m --game 2 -o 2.html").succeeds();
    let page = Page::read(&dir, "2.html");
    assert_eq!(page.data["chunks"][0]["numbers"], json!([[2, 1]]));
    assert_eq!(page.data["dialogue"], json!({}));
    dir.run("report m --game 3 -o 3.html").fails(2, "2 games");
    assert!(!dir.path("3.html").exists());
}

fn a_twist_game_has_a_page() {
    let dir = Dir::new();
    dir.run("match awful mediocre --rules twist --games 4 --seed 1 -q --out m")
        .succeeds();
    let page = Page::of(&dir, "m");
    let setup = &page.data["setups"][0];
    assert_eq!((page.games()[1], &setup["rules"]), (4, &json!("twist")));
    assert_eq!(list(&setup["cells"]).len(), 144);
}

fn figures_of_bots_are_in_the_report() {
    let dir = Dir::new();
    let script = "n=0; while read -r word rest; do case $word in battleship) echo ready;; \
        place) n=0; echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h;; attack) echo \"# heat = $n\"; echo '# <b>x</b> = 1'; \
        echo attack $((n / 10)) $((n % 10)); n=$((n + 1));; quit) exit;; esac; done";
    dir.file("bot.sh", script);
    dir.run("match 'warm=sh bot.sh' awful --games 2 --seed 1 -q --out m")
        .succeeds();
    let page = Page::of(&dir, "m");
    assert_eq!(page.data["figureNames"], json!(["heat"]));
    assert_eq!(
        page.details("warm")["figures"][0]["points"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

fn the_worst_games_show_the_better_attacks() {
    let dir = Dir::new();
    dir.run("match awful mediocre --games 2 --seed 1 -q --out m")
        .succeeds();
    let page = Page::of(&dir, "m --review");
    let worst = page.details("awful")["worst"][0]["game"].to_string();
    let review = &page.data["reviews"][&worst];
    // A corner is a poor first attack; a cell of the middle would have been the best.
    let [made, best] = [1, 2].map(|part| review["attacks"][0][0][part].as_f64().unwrap());
    assert!(made < best && best > 15.0, "{made} {best}");
    // The last moment is the end.
    let winning = list(&review["winning"]);
    let turns: usize = [0, 1]
        .map(|side| review["attacks"][side].as_array().unwrap().len())
        .iter()
        .sum();
    assert_eq!(winning.len(), turns + 1);
    assert!(
        ["0.0", "100.0"].contains(&&*winning[turns].to_string()),
        "{}",
        winning[turns]
    );
    let skill = &page.details("awful")["skill"];
    assert_eq!(skill["games"], 2);
    assert!(skill["lost"].as_f64().unwrap() > 5.0, "{skill}");
}

fn a_game_against_the_rules_has_no_replay() {
    let dir = Dir::new();
    let lost = "'lost=test-bot script \"place none\"'";
    dir.run(format!(
        "play {lost} awful --seed 1 --json --out g --report g.html"
    ))
    .fails(3, "");
    assert_eq!(Page::read(&dir, "g.html").games()[1], 1);
    dir.run("play awful mediocre --seed 1 --json --out g")
        .succeeds();
    dir.file("g", dir.text("g").replace("\"miss\"", "\"hit\""));
    let page = Page::of(&dir, "g");
    assert_eq!(page.games(), [2, 1]);
    page.has("1 game without a replay: their records contradict the rules.");
    let sentence = "g, game 2: the record cannot be right: turn 1";
    dir.run("report g --game 2 -o wrong.html")
        .fails(2, sentence);
}

/// `--open` hands the page to the program that opens files on this system.
#[cfg(target_os = "linux")]
fn a_page_opens_in_the_browser() {
    let dir = Dir::new();
    dir.run("match awful mediocre --games 2 --seed 1 -q --out m")
        .succeeds();
    let open = || {
        dir.run("report m --open")
            .env("PATH", dir.path(""))
            .succeeds()
    };
    open()
        .warns("no browser could be started; open ")
        .warns("report.html in one");
    dir.file("xdg-open", "#!/bin/sh\necho \"$@\" > opened\n")
        .executable("xdg-open");
    open().warns("the report is in report.html\n");
    assert_eq!(
        dir.text("opened").trim(),
        dir.path("report.html").to_str().unwrap()
    );
}
