//! Placements that break the rules: a recorded one is explained, and none is blamed on what came with it.

use serde_json::{Value, json};
use testkit::check::{PATIENT, check, step};
use testkit::list::Tests;
use testkit::programs::{Folder, PLACEMENT, SMALL, broken, play, referee, scripted, text_of};

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, too_many_ships_in_an_earlier_record_are_explained);
    rows!(
        tests,
        BLAMED,
        a_placement_outside_the_board_is_not_blamed_on_the_lines_of_a_step
    );
}

/// A record in `folder` of a game with one ship, in which a bot places the whole usual fleet.
fn too_many_ships(folder: &Folder) -> String {
    let bot = scripted("bot", &[PLACEMENT]);
    let file = folder.path("game.jsonl");
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
    file
}

/// Until 1.0.0 the first of too many ships was recorded as the fleet.
fn too_many_ships_in_an_earlier_record_are_explained() {
    let folder = Folder::new();
    let file = too_many_ships(&folder);
    let mut game: Value = serde_json::from_str(&text_of(&file)).unwrap();
    game["fleets"][1] = json!([{ "row": 0, "col": 0, "direction": "h" }]);
    let earlier = folder.file("earlier.jsonl", &format!("{game}\n"));
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
