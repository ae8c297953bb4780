//! Placements that break the rules: a recorded one is found again, and none is blamed on what came with it.

use crate::common::check::{PATIENT, check, step};
use crate::common::{Folder, PLACEMENT, SMALL, broken, play, referee, scripted, text_of};
use serde_json::{Value, json};

/// A record in `folder` of a game with one ship, in which a bot places the whole usual fleet, and that bot.
fn too_many_ships(folder: &Folder) -> (String, String) {
    let (bot, file) = (scripted("bot", &[PLACEMENT]), folder.path("game.jsonl"));
    let (game, _) = play(
        ["awful", &bot],
        &[&SMALL[..], &["--record", &file]].concat(),
    );
    assert_eq!(
        (&game["by"], &game["ended_by"]),
        (&json!(1), &json!("illegal_placement"))
    );
    // The first of its ships would have been legal.
    assert_eq!(game["fleets"][1], Value::Null, "{game}");
    (bot, file)
}

/// Checks that the check looks at all that the bot said, and not at its first ship as a placement of its own.
fn finds_it_again(bot: &str, file: &str) {
    let (report, code) = check(bot, &[&PATIENT[..], &["--from", file]].concat());
    let what = step(&report, "fault")["finding"]["what"]
        .as_str()
        .unwrap_or_default();
    assert_eq!(
        what, "fails as recorded (illegal_placement): placed 5 ships instead of 1",
        "{report:#}"
    );
    assert_eq!((code, &report["verdict"]), (4, &json!("fails")));
}

#[test]
fn too_many_ships_are_found_again() {
    let folder = Folder::new();
    let (bot, file) = too_many_ships(&folder);
    finds_it_again(&bot, &file);
    let fixed = scripted("bot", &["place 0 0 h"]);
    assert_eq!(
        check(&fixed, &["--from", &file]).0["verdict"],
        "does not fail again"
    );
}

/// Until 1.0.0 the first of too many ships was recorded as the fleet.
#[test]
fn too_many_ships_in_an_earlier_record_are_found_again_and_explained() {
    let folder = Folder::new();
    let (bot, file) = too_many_ships(&folder);
    let mut game: Value = serde_json::from_str(&text_of(&file)).unwrap();
    game["fleets"][1] = json!([{ "row": 0, "col": 0, "direction": "h" }]);
    let earlier = folder.file("earlier.jsonl", &format!("{game}\n"));
    finds_it_again(&bot, &earlier);
    let explain = [
        "explain", &earlier, "--player", "bot", "--game", "1", "--json",
    ];
    let explained = referee().args(explain).output().unwrap();
    let explained: Value = serde_json::from_slice(&explained.stdout).unwrap();
    assert_eq!(
        explained["game"]["fault"]["dialogue"],
        json!(["<- place"]),
        "{explained:#}"
    );
}

/// Steps in which a ship is outside the board with this seed of the check, though the usual fleet was placed well before. The
/// subject of each step comes with lines that this bot reads well.
const BLAMED: [(&str, &str); 7] = [
    ("results", "2"),
    ("notices", "11"),
    ("unknown_commands", "6"),
    ("more_words", "6"),
    ("crlf", "6"),
    ("games", "8"),
    ("end", "42"),
];

#[test]
#[rows(BLAMED)]
fn a_placement_outside_the_board_is_not_blamed_on_the_lines_of_a_step((name, seed): (&str, &str)) {
    let (report, code) = check(
        &broken("outside-at-times"),
        &[&PATIENT[..], &["--seed", seed]].concat(),
    );
    let finding = &step(&report, name)["finding"];
    assert_eq!(
        (code, &finding["what"]),
        (
            4,
            &json!("placed the patrol boat outside the board at (9,10)")
        )
    );
    let cause = finding["cause"].as_str().unwrap();
    assert!(
        cause.starts_with("A ship reaches outside the board"),
        "{cause}"
    );
}
