//! Whole games, by keys and by mouse.

use serde_json::Value;

use super::{USUAL, cell, origins};
use testkit::list::{Tests, Tier};
use testkit::record::{Record, list};
use testkit::run::Dir;
use testkit::screen::Screen;
use testkit::text::{has, lacks};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_classic_game_is_won_by_keys,
        a_classic_game_is_won_by_mouse,
        a_twist_game_is_won_by_mouse,
        a_game_continues_in_a_resized_terminal,
        two_people_see_their_own_board_only,
        the_score_is_kept_over_rematches,
        a_salvo_is_chosen_cell_by_cell
    );
    tests.tier(Tier::Thorough, |tests| {
        add!(tests, a_twist_game_is_won_by_keys);
    });
}

/// The words of a game against awful that is recorded. It attacks from the last cell on, so a fleet
/// in the first rows lives longest.
const CLASSIC: &str = "play human awful --seed 3 --out game.jsonl";
const TWIST: &str = "play human awful --seed 3 --out game.jsonl --rules twist";

/// The cells of the units of a twist game, as they are typed: awful fires from the first cell on.
const UNITS: [&str; 8] = ["N1", "M1", "L1", "I1", "H1", "G1", "F1", "F3"];

/// The cells of a twist grid, row by row.
fn cells_of_twist() -> impl Iterator<Item = String> {
    let rows = "ABCDEFGHILMN".chars();
    rows.flat_map(|row| (1..=12).map(move |column| format!("{row}{column}")))
}

/// Plays the same game in plain words, with what is typed there. Returns its record.
fn in_plain_words(words: &str, typed: &str) -> Record {
    let dir = Dir::new();
    dir.run(words).args("--no-pause").types(typed).exits(0);
    dir.record("game.jsonl")
}

fn a_classic_game_is_won_by_keys() {
    let mut screen = Screen::of(USUAL, CLASSIC);
    screen.sees("Place the aircraft carrier (length 5), ship 1 of 5.");
    // The first by arrow keys, the others by typing.
    screen.press("\r").sees("ship 2 of 5");
    for (row, next) in [
        (1, "ship 3 of 5"),
        (2, "ship 4 of 5"),
        (3, "ship 5 of 5"),
        (4, "All ships are placed"),
    ] {
        screen.press(&format!("{row} 0\r")).sees(next);
    }
    screen.press("\r");
    let placed = (0..5)
        .map(|row| format!("h\n{row} 0\n"))
        .collect::<Vec<_>>()
        .concat();
    // All of it at once: keys that come early are kept.
    let attacks: Vec<String> = (0..5)
        .flat_map(|row| (0..5).map(move |column| format!("{row} {column}")))
        .collect();
    screen.press(&format!("{}\r", attacks.join("\r")));
    screen
        .sees("You won in 22 attacks, 77% hits; good would have needed ")
        .press("q");
    screen.leaves(0);
    has(&screen.text(), "human wins!");
    let typed = format!("{placed}{}\n", attacks.join("\n"));
    assert_eq!(
        Record::parse(&screen.file("game.jsonl")),
        in_plain_words(CLASSIC, &typed)
    );
}

fn a_classic_game_is_won_by_mouse() {
    let mut screen = Screen::of(USUAL, CLASSIC);
    screen.sees("ship 1 of 5");
    let [enemy, own] = origins(&screen, "0 1 2");
    for row in 0..5 {
        screen.click(cell(own, row, 0));
    }
    screen.sees("All ships are placed").press("\r");
    for number in 0..25 {
        screen
            .sees(&format!("attack {}", number + 1))
            .click(cell(enemy, number / 5, number % 5));
        if screen
            .until("the turn", |shown| {
                shown.contains(&format!("attack {} ", number + 2)) || shown.contains("the end")
            })
            .text()
            .contains("the end")
        {
            break;
        }
    }
    screen.sees("You won in ").press("q");
    screen.leaves(0);
}

fn a_twist_game_is_won_by_keys() {
    let mut screen = Screen::of(USUAL, TWIST);
    screen.sees("Place the battleship (length 5), ship 1 of 8.");
    for unit in UNITS {
        screen.press(&format!("{unit}\r"));
    }
    screen.sees("All ships are placed").press("\r");
    screen.sees("Choose a unit.");
    // Its units stay where they are; one round over the grid finds them all.
    let mut orders: Vec<String> = Vec::new();
    for target in cells_of_twist() {
        let turn = format!("turn {}", orders.len() + 2);
        screen.press(&format!("N3 {target}\r"));
        screen.until(&turn, |shown| {
            shown.contains(&turn) || shown.contains("the end")
        });
        orders.push(target);
        if screen.text().contains("the end") {
            break;
        }
    }
    screen.sees("You won in ").press("q");
    screen.leaves(0);
    let ends = [
        "N1 N5", "M1 M5", "L1 L5", "I1 I3", "H1 H3", "G1 G3", "F1 F1", "F3 F3",
    ];
    let orders: Vec<String> = orders
        .iter()
        .map(|target| format!("N3 {target}\n"))
        .collect();
    let typed = format!("{}\n{}", ends.join("\n"), orders.concat());
    assert_eq!(
        Record::parse(&screen.file("game.jsonl")),
        in_plain_words(TWIST, &typed)
    );
}

fn a_twist_game_is_won_by_mouse() {
    let mut screen = Screen::of(USUAL, TWIST);
    screen.sees("ship 1 of 8");
    let [enemy, own] = origins(&screen, "1 2 3");
    for (row, column) in [
        (11, 0),
        (10, 0),
        (9, 0),
        (8, 0),
        (7, 0),
        (6, 0),
        (5, 0),
        (5, 2),
    ] {
        screen.click(cell(own, row, column));
    }
    screen.sees("All ships are placed").press("\r");
    screen.sees("Choose a unit.");
    for number in 0..144 {
        screen.click(cell(own, 11, 2)).sees("The battleship at N3");
        screen.click(cell(enemy, number / 12, number % 12));
        // The number alone is not enough: it is shown for a moment before the end too.
        let turn = format!("turn {}", number + 2);
        let is_next = |shown: &str| shown.contains(&turn) && shown.contains("Choose a unit.");
        screen.until(&turn, |shown| is_next(shown) || shown.contains("the end"));
        if screen.text().contains("the end") {
            break;
        }
    }
    screen.sees("You won in ").press("q");
    screen.leaves(0);
}

fn a_game_continues_in_a_resized_terminal() {
    let mut screen = Screen::of(USUAL, "play human awful");
    screen.sees("ship 1 of 5").press("\r").sees("ship 2 of 5");
    screen.resize((60, 20)).sees("needs 80x24");
    screen.resize((120, 40)).sees("ship 2 of 5");
    screen.resize(USUAL).sees("ship 2 of 5").suspends();
    screen
        .press("r")
        .sees("All ships are placed")
        .press("\r")
        .sees("attack 1");
    screen.press("qy").sees("You lost: you gave up.").press("q");
    screen.leaves(0);
}

fn two_people_see_their_own_board_only() {
    let mut screen = Screen::of(USUAL, "play Ada=human Bob=human");
    screen
        .sees("Ada, it is your turn.")
        .press("\r")
        .sees("ship 1 of 5");
    screen.press("r").sees("All ships are placed").press("\r");
    screen
        .sees("Enter hides your board")
        .press("\r")
        .sees("Bob, it is your turn.");
    lacks(&screen.text(), "A A");
    screen
        .press("\r")
        .sees("ship 1 of 5")
        .press("r")
        .sees("All ships are placed")
        .press("\r");
    screen
        .sees("pass the keyboard to Ada")
        .press("\r")
        .sees("Ada, it is your turn.");
    screen
        .press("\r")
        .sees("Your attack")
        .press("\r")
        .sees("pass the keyboard to Bob");
    screen
        .press("\r")
        .sees("Bob, it is your turn.")
        .press("\r")
        .sees("Your attack");
    screen.press("qy").sees("Ada won in 1 attack, ").press("q");
    screen.leaves(0);
}

fn the_score_is_kept_over_rematches() {
    let words = "play human awful --seed 3 --force --out game.jsonl --report a.html";
    let seeds = || {
        let mut screen = Screen::of(USUAL, words);
        screen
            .sees("ship 1 of 5")
            .press("qy")
            .sees("You lost: you gave up.")
            .press("r");
        screen
            .sees("ship 1 of 5")
            .press("r\r")
            .sees("Your attack")
            .press("t")
            .sees("likely to hit");
        screen
            .press("\r")
            .sees("attack 2")
            .press("qy")
            .sees("the end: you 0, awful 2");
        screen
            .sees("You lost after 1 attack, ")
            .press("?")
            .sees("a rematch")
            .press("?");
        screen.press("o").sees("3  fair (59.3 attacks)").press("3");
        screen
            .sees("ship 1 of 5")
            .press("qy")
            .sees("You lost: you gave up.")
            .press("q");
        screen.leaves(0);
        let shown = screen.text();
        has(&shown, "awful wins!\nhuman 0, awful 2\n");
        has(&shown, "--report a.html has the first game only");
        let record = screen.file("game.jsonl");
        let seed = |line: &str| serde_json::from_str::<Value>(line).unwrap()["seed"].clone();
        record.lines().map(seed).collect::<Vec<_>>()
    };
    let first = seeds();
    assert_eq!((first.len(), &first[0]), (3, &Value::from(3)));
    assert_eq!(first, seeds());
}

/// Each cell counts when the last of its salvo is chosen; what was chosen can be taken back.
fn a_salvo_is_chosen_cell_by_cell() {
    let words = &format!("{CLASSIC} --rules salvo");
    let mut screen = Screen::of(USUAL, words);
    let fleet = (0..5)
        .map(|row| format!("{row} 0\r"))
        .collect::<Vec<_>>()
        .concat();
    screen
        .sees("ship 1 of 5")
        .press(&fleet)
        .sees("All ships are placed")
        .press("\r");
    screen
        .sees("Your shot 1 of 5")
        .press("9 9\r")
        .sees("Your shot 2 of 5");
    screen
        .press("9 9\r")
        .sees("You have chosen (9,9) twice; choose another cell.");
    screen.press("u").sees("Your shot 1 of 5");
    let cells = (0..5).flat_map(|row| (0..5).map(move |column| format!("{row} {column}\r")));
    screen
        .press(&cells.collect::<String>())
        .sees("You won in 25 ")
        .press("q");
    screen.leaves(0);
    let game = &Record::parse(&screen.file("game.jsonl")).lines[0];
    assert_eq!(
        (&game["rules"], &game["winner"]),
        (&"salvo".into(), &"human".into())
    );
    let own = |shot: &&Value| shot[0] == 0;
    let shots: Vec<_> = list(&game["shots"]).iter().filter(own).collect();
    assert_eq!(shots.len(), 25);
}
