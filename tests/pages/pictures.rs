//! Recorded games as pictures: `referee replay --svg`.

use testkit::list::Tests;
use testkit::programs::project_file;
use testkit::run::Dir;
use testkit::tools::PYTHON;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_picture_shows_a_position,
        a_moving_picture_shows_all_turns,
        a_twist_game_has_four_grids,
        a_log_of_the_original_has_pictures,
        an_impossible_picture_is_refused,
        an_impossible_record_is_refused
    );
    tests.needing(&[PYTHON], |tests| {
        add!(tests, a_picture_is_well_formed_with_any_name);
    });
}

/// A folder with the record `game` of eleven turns, in which one sinks its opponent's patrol boat with its last two attacks and
/// gives up.
fn short_game() -> Dir {
    let dir = Dir::new();
    let place = "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h";
    let one = format!(
        "one=test-bot script '{place}' 'attack 9 9' 'attack 9 9' 'attack 0 0' 'attack 4 0' 'attack 4 1' resign"
    );
    let two = format!("two=test-bot script '{place}' 'attack 1 1' 'attack 7 7' 'attack -3 99'");
    dir.run("play --seed 1 --no-pause --out game")
        .arg(one)
        .arg(two)
        .succeeds();
    dir
}

fn draw(dir: &Dir, words: &str) -> String {
    dir.run(&format!("replay {words} --force --svg out.svg"))
        .succeeds();
    dir.text("out.svg")
}

/// The numbers of marks in a picture: of misses, hits, parts of sunk ships, and the last turn.
fn marks(picture: &str) -> [usize; 4] {
    ['m', 'h', 's', 'l'].map(|kind| picture.matches(&format!("href=\"#{kind}\"")).count())
}

#[track_caller]
fn has(picture: &str, texts: &[&str]) {
    for text in texts {
        assert!(picture.contains(text), "{text}: {picture}");
    }
}

fn a_picture_shows_a_position() {
    let dir = short_game();
    let end = draw(&dir, "game");
    assert!(
        end.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""),
        "{end}"
    );
    // One has missed once, wasted an attack, hit, and sunk a ship of two; two has hit once and missed once.
    assert_eq!(marks(&end), [2, 2, 2, 0], "{end}");
    has(
        &end,
        &[
            "<title id=\"title\">Game 1: one against two</title>",
            "After 10 of 10 turns: two wasted a shot at (-3,99). ",
            "two, attacked 5 times: afloat aircraft carrier, battleship, destroyer, submarine; sunk patrol boat. ",
            "10x10, ships of 5, 4, 3, 3, 2 · one resigned</desc>",
            ">attacked 5 times</text>",
            "class=\"gone\"",
            ">turn 10 of 10</text>",
            "@media (prefers-color-scheme:dark)",
        ],
    );
    for never in [
        "<script",
        "http://www.w3.org/1999",
        "@keyframes",
        "<image",
        "url(",
    ] {
        assert!(!end.contains(never), "{never}: {end}");
    }
    for (shot, expected, text) in [
        (
            0,
            [0, 0, 0, 0],
            "After 0 of 10 turns: one, attacked 0 times",
        ),
        (1, [1, 0, 0, 1], "one missed at (9,9)."),
        (3, [1, 1, 0, 1], "one wasted a shot at (9,9)."),
        (7, [2, 3, 0, 1], "one hit something at (4,0)."),
        (9, [2, 2, 2, 1], "one sank two&#39;s patrol boat at (4,1)."),
    ] {
        let picture = draw(&dir, &format!("game --game 1 --shot {shot}"));
        assert_eq!(marks(&picture), expected, "{shot}: {picture}");
        has(&picture, &[text]);
    }
}

fn a_moving_picture_shows_all_turns() {
    let dir = short_game();
    let moving = draw(&dir, "game --animate");
    has(
        &moving,
        &[
            "--turn:0.4s",
            "@media (prefers-reduced-motion:reduce)",
            "All 10 turns, one after the other",
            ">turn 0 of 10</text>",
            ">one missed at (9,9).</text>",
            ">turn 10 of 10</text>",
            // The first miss comes with the first turn, and its outline goes with the second.
            "<g class=\"i\" style=\"--t:1\"><use href=\"#m\"",
            "<g class=\"o\" style=\"--t:1;--u:2\"><use href=\"#l\"",
        ],
    );
    assert!(
        !moving.contains("<script") && !moving.contains("<animate"),
        "{moving}"
    );
    // The parts that never disappear are those of a still of the end.
    let stays = moving
        .lines()
        .filter(|line| !line.contains("class=\"o\"") && !line.contains("class=\"x\""));
    assert_eq!(
        marks(&stays.collect::<String>()),
        marks(&draw(&dir, "game"))
    );
    has(
        &draw(&dir, "game --animate --delay 1500ms"),
        &["--turn:1.5s"],
    );
    dir.run("play awful awful --seed 1 --no-pause --out whole")
        .succeeds();
    let picture = draw(&dir, "whole --animate");
    assert!(picture.len() < 150_000, "{}", picture.len());
}

fn a_twist_game_has_four_grids() {
    let dir = Dir::new();
    dir.run("play mediocre awful --seed 1 --no-pause --rules twist --out game")
        .ends();
    let texts = [
        ">What mediocre knows of awful</text>",
        ">What awful knows of mediocre</text>",
        "12x12 with a twist",
        "units afloat",
        ">support ship</text>",
        ">L</text>",
    ];
    has(&draw(&dir, "game"), &texts);
    let first = draw(&dir, "game --shot 0");
    assert_eq!(
        (marks(&first), first.matches("href=\"#y\"").count()),
        ([0; 4], 0)
    );
    assert_eq!(first.matches(">8 of 8 units afloat</text>").count(), 2);
    assert_eq!(first.matches("class=\"kind\"").count(), 16);
    has(&draw(&dir, "game --animate"), &["--turn:0.4s"]);
}

fn a_log_of_the_original_has_pictures() {
    let dir = Dir::new();
    let log = project_file("crates/battleship/tests/data/twist/probe-log.txt");
    dir.file("probe-log.txt", std::fs::read(log).unwrap());
    let picture = draw(&dir, "probe-log.txt --shot 3");
    has(
        &picture,
        &[
            ">probe-log.txt</title>",
            "What Player 1 knows of Player 2",
            "turn 3 of ",
        ],
    );
    has(&draw(&dir, "probe-log.txt --animate"), &["All "]);
}

fn an_impossible_picture_is_refused() {
    let dir = short_game();
    dir.file("there.svg", "mine");
    dir.run("play 'one=test-bot script \"place none\"' awful --seed 1 --no-pause --out game")
        .fails(3, "");
    for (words, sentence) in [
        (
            "--svg out --shot 999",
            "--shot 999: the game has 10 turns; name a number from 0 to 10",
        ),
        ("--svg there.svg", "exists, and files are not overwritten"),
        ("--svg out --to there.svg", "cannot be used with"),
        ("--shot 3", "--svg <OUT>"),
        ("--svg out --animate --shot 3", "cannot be used with"),
        ("--svg out --delay 1s", "add --animate to show all turns"),
        ("--html out --delay 1s", "cannot be used with"),
        ("--html out --shot 3", "cannot be used with"),
        ("--to out --animate", "cannot be used with"),
        ("--svg out --game 7", "7"),
        ("--svg out --game 2", "there is nothing to see of this game"),
    ] {
        dir.run(&format!("replay game {words}")).fails(2, sentence);
    }
    assert!(!dir.path("out").exists());
}

fn an_impossible_record_is_refused() {
    let dir = short_game();
    let game = dir.text("game");
    for size in ["0", "1000000000", "2147483647"] {
        dir.file(
            "huge",
            game.replace("\"rows\":10", &format!("\"rows\":{size}")),
        );
        for options in ["--shot 0", "--animate"] {
            dir.run(&format!("replay huge --svg out {options}"))
                .fails(2, "the record cannot be right");
        }
    }
    // A very long reason makes no long picture.
    dir.file(
        "long",
        game.replace("one resigned", &format!("one {}", "no ".repeat(1_000_000))),
    );
    let picture = draw(&dir, "long");
    assert!(picture.len() < 100_000, "{}", picture.len());
}

fn a_picture_is_well_formed_with_any_name() {
    for rules in ["--rows 3 --cols 4 --ship '2 R rowboat'", "--rules twist"] {
        let dir = Dir::new();
        dir.run(&format!(
            "play FIRST=awful SECOND=awful --seed 1 --no-pause --out game {rules}"
        ))
        .ends();
        let game = dir
            .text("game")
            .replace("FIRST", "<script>alert(1)</script>");
        // As JSON has them.
        let game = game
            .replace("SECOND", r#"]]>&\"'鯨🚢\u001b\uffff"#)
            .replace("rowboat", "<b>&");
        dir.file("game", game);
        for options in ["", "--animate", "--shot 0"] {
            let picture = draw(&dir, &format!("game {options}"));
            assert!(
                !picture.contains("<script") && !picture.contains("<b>"),
                "{picture}"
            );
            let check = "import xml.etree.ElementTree as tree; tree.parse('out.svg')";
            dir.program("python3", "-c").arg(check).succeeds();
        }
    }
}
