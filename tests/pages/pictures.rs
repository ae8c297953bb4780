//! Recorded games as pictures: `referee report --game -o FILE.svg`.

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::PYTHON;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_picture_shows_a_position,
        a_moving_picture_shows_all_turns,
        a_twist_game_has_four_grids,
        an_impossible_picture_is_refused,
        an_impossible_record_is_refused
    );
    tests.needing(&[PYTHON], |tests| {
        add!(tests, a_picture_is_well_formed_with_any_name);
    });
}

/// A folder with the record `game` of eleven turns, in which one sinks its opponent's patrol boat
/// with its last two attacks and gives up.
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

/// The last position of the short game.
const LAST: &str = "game --turn 10";

/// The picture of the first game of a record.
fn draw(dir: &Dir, words: &str) -> String {
    dir.run(format!("report {words} --game 1 --force -o out.svg"))
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
    let end = draw(&dir, LAST);
    assert!(
        end.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""),
        "{end}"
    );
    // One has missed once, wasted an attack, hit, and sunk a ship of two; two has hit once and
    // missed once.
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
        let picture = draw(&dir, &format!("game --turn {shot}"));
        assert_eq!(marks(&picture), expected, "{shot}: {picture}");
        has(&picture, &[text]);
    }
}

fn a_moving_picture_shows_all_turns() {
    let dir = short_game();
    let moving = draw(&dir, "game");
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
    assert_eq!(marks(&stays.collect::<String>()), marks(&draw(&dir, LAST)));
    dir.run("play awful awful --seed 1 --no-pause --out whole")
        .succeeds();
    let picture = draw(&dir, "whole");
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
    let first = draw(&dir, "game --turn 0");
    assert_eq!(
        (marks(&first), first.matches("href=\"#y\"").count()),
        ([0; 4], 0)
    );
    assert_eq!(first.matches(">8 of 8 units afloat</text>").count(), 2);
    assert_eq!(first.matches("class=\"kind\"").count(), 16);
    has(&draw(&dir, "game"), &["--turn:0.4s"]);
}

fn an_impossible_picture_is_refused() {
    let dir = short_game();
    dir.file("there.svg", "mine");
    dir.run("play 'one=test-bot script \"place none\"' awful --seed 1 --no-pause --out game")
        .fails(3, "");
    for (words, sentence) in [
        (
            "--game 1 --turn 999 -o out.svg",
            "game, game 1: there is no turn 999: the game has 10 turns; name one from 0 to 10",
        ),
        (
            "--game 1 -o there.svg",
            "exists, and files are not overwritten",
        ),
        (
            "-o out.svg",
            "a picture shows one game; choose it with --game N",
        ),
        ("--turn 3", "--turn: only a picture shows one turn"),
        (
            "--game 1 --turn 3 -o out.txt",
            "--turn: only a picture shows one turn",
        ),
        (
            "--game 1 -o out.png",
            "--out out.png: a report is a page (.html), a picture of a game (.svg) or text (.txt)",
        ),
        ("--game 7 -o out.svg", "7"),
        (
            "--game 2 -o out.svg",
            "game, game 2: there is nothing to see of this game",
        ),
        ("game --game 1 -o out.svg", "--game needs one record"),
        ("--game 1 --follow", "cannot be used with"),
        ("--game 1 --only awful", "cannot be used with"),
        ("--review -o out.txt", "--review: only a page shows attacks"),
    ] {
        dir.run(format!("report game {words}")).fails(2, sentence);
    }
    for out in ["out.svg", "out.txt", "out.png", "report.html"] {
        assert!(!dir.path(out).exists(), "{out}");
    }
}

fn an_impossible_record_is_refused() {
    let dir = short_game();
    let game = dir.text("game");
    for (size, options) in [
        ("0", "--turn 0"),
        ("1000000000", ""),
        ("2147483647", "--turn 0"),
    ] {
        dir.file(
            "huge",
            game.replace("\"rows\":10", &format!("\"rows\":{size}")),
        );
        dir.run(format!("report huge --game 1 -o out.svg {options}"))
            .fails(2, "the record cannot be right");
    }
    // A very long reason makes no long picture.
    dir.file(
        "long",
        game.replace("one resigned", &format!("one {}", "no ".repeat(1_000_000))),
    );
    let picture = draw(&dir, "long --turn 10");
    assert!(picture.len() < 100_000, "{}", picture.len());
}

fn a_picture_is_well_formed_with_any_name() {
    for (rules, options) in [
        ("--rows 3 --cols 4 --ship '2 R rowboat'", ""),
        ("--rules twist", "--turn 0"),
    ] {
        let dir = Dir::new();
        dir.run(format!(
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
        let picture = draw(&dir, &format!("game {options}"));
        assert!(
            !picture.contains("<script") && !picture.contains("<b>"),
            "{picture}"
        );
        let check = "import xml.etree.ElementTree as tree; tree.parse('out.svg')";
        dir.program("python3", "-c").arg(check).succeeds();
    }
}
