//! The 12x12 game, between bots that give the orders of the tests.

use serde_json::{Value, json};

use testkit::list::Tests;
use testkit::record::list;
use testkit::run::{Dir, Game};
use testkit::text::{ends, has, lacks};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        the_first_to_sink_all_units_wins,
        the_seed_draws_who_starts,
        each_turn_is_shown_with_the_movers_grids,
        a_game_without_hits_ends_at_the_cap,
        a_refused_order_wastes_the_turn,
        a_support_ship_repairs_and_a_submarine_searches,
        a_bot_of_another_game_could_not_start,
        a_player_learns_only_of_shots_at_it,
        a_log_is_the_originals,
        a_log_shows_the_game_that_was_played,
        a_game_without_turns_has_an_empty_list,
        a_game_beyond_the_log_gets_none
    );
    rows!(tests, FAULTS, a_wrong_reply_loses, 4);
}

/// Each unit in a row of its own, at the left.
const LEFT: &str = "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h";

/// A player that shoots at a cell without a unit.
const HARMLESS: &str = "act 0 2 11 11";

/// A player with its units at the left that gives these orders, again and again.
fn player(name: &str, orders: &[&str]) -> String {
    placed(name, LEFT, orders)
}

fn placed(name: &str, placement: &str, orders: &[&str]) -> String {
    let orders: Vec<_> = orders.iter().map(|order| format!(" '{order}'")).collect();
    let orders = orders.concat();
    format!("{name}=test-bot script '{placement}'{orders}")
}

/// A game in which the first of these players starts.
fn play(dir: &Dir, players: [&str; 2], options: &str) -> Game {
    let run = dir
        .run("play --json --rules twist --first 1 --seed 1")
        .arg(players[0])
        .arg(players[1]);
    run.args(options).ends().game()
}

/// The results of the turns of a game.
fn results(game: &Game) -> Vec<&str> {
    list(&game.0["moves"])
        .iter()
        .map(|turn| turn[5].as_str().unwrap())
        .collect()
}

/// A player that sinks a fleet at the left with 26 orders, one for each cell.
fn hunter() -> String {
    let lengths = (0..).zip([5, 5, 5, 3, 3, 3, 1, 1]);
    let cells = lengths.flat_map(|(row, length)| (0..length).map(move |col| (row, col)));
    let orders: Vec<_> = cells
        .map(|(row, col)| format!("act 0 2 {row} {col}"))
        .collect();
    player(
        "Ahab",
        &orders.iter().map(String::as_str).collect::<Vec<_>>(),
    )
}

fn the_first_to_sink_all_units_wins() {
    let game = play(&Dir::new(), [&hunter(), &player("Moby", &[HARMLESS])], "");
    game.won_by("Ahab");
    let game = game.0;
    assert_eq!(game["reason"], "Ahab sank the whole fleet of Moby");
    assert_eq!(
        [&game["rules"], &game["rows"], &game["cols"]],
        [&json!("twist"), &json!(12), &json!(12)]
    );
    assert_eq!([&game["max_turns"], &game["first"]], [100, 0]);
    assert_eq!(list(&game["ships"]).len(), 8);
    assert_eq!(
        game["ships"][0],
        json!({"length": 5, "symbol": "C", "name": "battleship"})
    );
    assert_eq!(
        game["ships"][3],
        json!({"length": 3, "symbol": "S", "name": "support ship"})
    );
    assert_eq!(
        game["ships"][7],
        json!({"length": 1, "symbol": "E", "name": "exploration submarine"})
    );
    for fleet in [&game["fleets"][0], &game["fleets"][1]] {
        assert_eq!(fleet.as_array().unwrap().len(), 8);
        assert_eq!(fleet[5], json!({"row": 5, "col": 0, "direction": "h"}));
    }
    assert_eq!(game.get("shots"), None);
    let turns = list(&game["moves"]);
    assert!(
        turns
            .iter()
            .all(|turn| turn[6].as_u64().unwrap() < 5_000_000)
    );
    // Twenty-six cells, and between every two of its shots a turn of the other's.
    assert_eq!(turns.len(), 26 + 25);
    let course = |turn: usize| Value::from(&turns[turn].as_array().unwrap()[..6]);
    assert_eq!(course(0), json!([0, 0, 2, 0, 0, "hit"]));
    assert_eq!(course(1), json!([1, 0, 2, 11, 11, "miss"]));
    assert_eq!(course(50), json!([0, 0, 2, 7, 0, "hit"]));
}

fn the_seed_draws_who_starts() {
    let player = player("A", &[HARMLESS]);
    let game = |options: String| {
        let dir = Dir::new();
        let run = dir
            .run("play --json --rules twist --max-turns 1")
            .arg(&player)
            .arg(&player);
        let game = run.args(&options).ends().json();
        assert_eq!(game["moves"][0][0], game["first"]);
        game
    };
    let drawn: Vec<_> = (4..=6)
        .map(|seed| game(format!("--seed {seed}"))["first"].clone())
        .collect();
    assert!(
        drawn.contains(&json!(0)) && drawn.contains(&json!(1)),
        "{drawn:?}"
    );
    let [one, two] = ["1", "2"].map(|first| game(format!("--seed 1 --first {first}")));
    assert_eq!([&one["first"], &two["first"]], [0, 1]);
    // The starter gets the first of the two seeds.
    assert_eq!(one["players"][0]["seed"], two["players"][1]["seed"]);
    assert_eq!(one["players"][1]["seed"], two["players"][0]["seed"]);
}

const SECOND_TURN: &str = "\
Moby fired from A3 at N12: a miss.
                                    Player 2
             Defence board                           Attack board
  1  2  3  4  5  6  7  8  9  10 11 12\t  1  2  3  4  5  6  7  8  9  10 11 12
A c  C  C  C  C  ~  ~  ~  ~  ~  ~  ~  A\tA ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  A
";

fn each_turn_is_shown_with_the_movers_grids() {
    let dir = Dir::new();
    let run = dir.run("play --rules twist --first 1 --seed 1 --no-pause");
    let done = run
        .arg(hunter())
        .arg(player("Moby", &[HARMLESS]))
        .succeeds();
    done.warns("referee: Moby: 21 of its 25 turns were wasted; referee check ");
    done.warns(" --rules twist says why\n").prints(SECOND_TURN);
    assert!(
        done.stdout
            .starts_with("Ahab fired from A3 at A1: a hit.\n"),
        "{}",
        done.stdout
    );
    ends(&done.stdout, "Ahab wins!\n");
    assert_eq!(done.stdout.matches("   Player 1\n").count(), 26);
    assert_eq!(done.stdout.matches("   Player 2\n").count(), 25);
}

fn a_game_without_hits_ends_at_the_cap() {
    for (options, cap) in [("", 100), ("--max-turns 3", 3)] {
        let game = play(
            &Dir::new(),
            [&player("A", &[HARMLESS]), &player("B", &[HARMLESS])],
            options,
        );
        assert_eq!(game.text("ended_by"), "turn_cap");
        assert!(
            game.text("reason").ends_with(&format!("{cap} turns each")),
            "{}",
            game.text("reason")
        );
        assert_eq!([&game.0["winner"], &game.0["by"]], [&Value::Null; 2]);
        assert_eq!(results(&game).len(), 2 * cap);
    }
}

/// What a rogue places and orders, how the game ends, and the reason. The library has tests of all
/// wrong placements.
const FAULTS: [(&str, &str, (&str, &str)); 9] = [
    (
        LEFT,
        "act 0 2",
        (
            "bad_reply",
            "expected \"act ROW COL ROW COL\", got \"act 0 2\"",
        ),
    ),
    (LEFT, "resign", ("resigned", "rogue resigned")),
    (
        "place none",
        "",
        ("cannot_place", "rogue could not place its units"),
    ),
    (
        "place -1 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 17 0 v",
        "",
        (
            "illegal_placement",
            "placed battleship 0 outside the grid at (-1,0); placed submarine 7 outside the grid at (17,0)",
        ),
    ),
    (
        LEFT,
        "act 0 2 1 1 1",
        ("bad_reply", "got \"act 0 2 1 1 1\""),
    ),
    (LEFT, "attack 0 2", ("bad_reply", "got \"attack 0 2\"")),
    (
        LEFT,
        "act A3 B4",
        (
            "bad_reply",
            "\"act A3 B4\" (\"A3\" is not a plain whole number of 32 bits)",
        ),
    ),
    (
        "place here",
        "",
        (
            "bad_reply",
            "expected \"place ROW COL h|v ...\" (8 units) or \"place none\", got \"place here\" (\"here\" is not a plain whole number of 32 bits)",
        ),
    ),
    (
        "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h 8 0 h",
        "",
        ("illegal_placement", "placed 9 units instead of 8"),
    ),
];

fn a_wrong_reply_loses((placement, order, (ended_by, reason)): (&str, &str, (&str, &str))) {
    let rogue = placed("rogue", placement, &[order]);
    let game = play(&Dir::new(), [&rogue, &player("B", &[HARMLESS])], "");
    assert_eq!(game.text("ended_by"), ended_by, "{}", game.text("reason"));
    assert!(
        game.text("reason").ends_with(reason),
        "{}",
        game.text("reason")
    );
    let winner = if ended_by == "cannot_place" {
        Value::Null
    } else {
        json!("B")
    };
    assert_eq!(game.0["winner"], winner);
}

/// Why orders are refused is tested in the library.
fn a_refused_order_wastes_the_turn() {
    let reason = "there is no unit at (9,9)";
    let dir = Dir::new();
    let players = [
        &*player("rogue", &["act 9 9 0 0"]),
        &player("B", &[HARMLESS]),
    ];
    let game = play(&dir, players, "--max-turns 2 --transcript dialogue");
    assert_eq!(game.text("ended_by"), "turn_cap", "{}", game.text("reason"));
    assert_eq!(results(&game)[0], format!("refused {reason}"));
    assert_eq!(results(&game).len(), 4);
    let dialogue = dir.text("dialogue");
    has(
        &dialogue,
        &format!(" rogue <- result 9 9 0 0 refused {reason}\n"),
    );
    lacks(&dialogue, " B <- opponent");
}

fn a_support_ship_repairs_and_a_submarine_searches() {
    let busy = player("busy", &["act 4 1 4 1", "act 6 0 9 9", "act 9 9 4 4"]);
    // Its shots hit a support ship beside the one that repairs.
    let game = play(
        &Dir::new(),
        [&player("other", &["act 0 2 3 1"]), &busy],
        "--max-turns 3",
    );
    // In the 5x5 cells around (4,4) are the ends of a battleship and of three support ships.
    let found = "found 2 2 y 2 3 y 2 4 y 3 2 y 4 2 y 5 2 y";
    assert_eq!(
        results(&game),
        ["hit", "repaired 3", "hit", "found", "hit", found]
    );
}

fn a_bot_of_another_game_could_not_start() {
    for greeting in ["ready", "plays classic\\nready"] {
        let classic = format!("rogue=test-bot act --at greeting say '{greeting}\\n'");
        let game = play(&Dir::new(), [&player("A", &[HARMLESS]), &classic], "");
        assert_eq!(game.text("ended_by"), "could_not_start");
        assert_eq!(
            game.text("reason"),
            "rogue could not start: it does not play twist"
        );
    }
}

fn a_player_learns_only_of_shots_at_it() {
    let dir = Dir::new();
    let mover = player(
        "mover",
        &[
            "act 4 1 4 1",
            "act 6 0 9 9",
            "act 0 2 0 0",
            "act 5 5 5 5",
            HARMLESS,
        ],
    );
    play(
        &dir,
        [&mover, &player("other", &[HARMLESS])],
        "--max-turns 5 --transcript dialogue",
    );
    let dialogue = dir.text("dialogue");
    let lines = dialogue
        .lines()
        .filter_map(|line| Some(line.split_once(" other <- ")?.1));
    let lines: Vec<_> = lines.filter(|line| *line != "act").collect();
    assert_eq!(
        lines[..3],
        ["battleship 1", "game twist 12 12", "ship 0 5 C battleship"]
    );
    assert!(lines[10].starts_with("seed "), "{dialogue}");
    assert_eq!(lines[11..13], ["limit 5000", "place"]);
    let own = "result 0 2 11 11 miss";
    assert_eq!(
        lines[13..20],
        [own, own, "opponent 0 0", own, own, "opponent 11 11", own]
    );
    assert_eq!(lines[20..], ["end void turn_cap", "quit"]);
}

fn a_log_is_the_originals() {
    let dir = Dir::new();
    let right = "place 0 7 h 1 7 h 2 7 h 3 9 h 4 9 h 5 9 h 6 11 h 7 11 v";
    let players = [
        player("A", &[HARMLESS]),
        placed("B", right, &["act 0 9 0 0", "act 3 10 8 1"]),
    ];
    let run = dir.run("play --rules twist --first 2 --seed 1 --max-turns 2 --log log");
    run.arg(&players[0]).arg(&players[1]).fails(3, "");
    let expected = "22\n\n\n\
        A1 A5 5\nB1 B5 5\nC1 C5 5\nD1 D3 3\nE1 E3 3\nF1 F3 3\nG1 G1 1\nH1 H1 1\n\n\n\
        A8 A12 5\nB8 B12 5\nC8 C12 5\nD10 D12 3\nE10 E12 3\nF10 F12 3\nG12 G12 1\nH12 H12 1\n\n\n\
        A10 A1\nA3 N12\nD11 I2\nA3 N12";
    assert_eq!(dir.text("log"), expected);
    let done = dir.run("replay log --delay 1ms").succeeds();
    let movers = done
        .stdout
        .lines()
        .filter(|line| line.contains("Player"))
        .map(str::trim);
    let movers: Vec<_> = movers.collect();
    assert_eq!(movers, ["Player 2", "Player 1", "Player 2", "Player 1"]);
}

/// The grids in a replay, without the words about each turn, which a log does not have.
fn grids(shown: &str) -> Vec<&str> {
    let words = [" fired ", " moved ", " wins!"];
    let lines = shown.lines().filter(|line| !line.is_empty());
    lines
        .filter(|line| !words.iter().any(|word| line.contains(word)))
        .collect()
}

/// Logs were replayed with the quirks of the original, so that most showed other grids and some
/// could not be replayed. What the original shows otherwise is warned of.
fn a_log_shows_the_game_that_was_played() {
    let dir = Dir::new();
    let games: usize = std::env::var("TWIST_LOGS").map_or(3, |games| games.parse().unwrap());
    let mut others = 0;
    for seed in 100..100 + games {
        let players = ["mediocre awful", "mediocre mediocre", "awful awful"][seed % 3];
        let words = format!("play {players} --rules twist --no-pause --seed {seed} --force");
        let _ = std::fs::remove_file(dir.path("record"));
        let done = dir.run(&words).args("--log log --out record").ends();
        let shown = |file: &str| {
            let words = format!("replay {file} --delay 1ms");
            dir.run(&words).succeeds().stdout
        };
        let played = shown("record");
        let logged = shown("log");
        assert_eq!(grids(&logged), grids(&played), "seed {seed}");
        dir.program("replay", "f log original").succeeds();
        assert_eq!(dir.text("original"), logged);
        // The original reads any number in the first line, and would show this.
        let unmarked = dir
            .text("log")
            .replacen("21\n", "2\n", 1)
            .replacen("22\n", "2\n", 1);
        dir.file("unmarked", unmarked);
        let swapped = logged
            .replace("Player 1", "Player x")
            .replace("Player 2", "Player 1");
        let swapped = swapped.replace("Player x", "Player 2");
        let original = dir.run("replay unmarked --delay 1ms").ends();
        let same = original.code == Some(0) && [logged, swapped].contains(&original.stdout);
        others += u32::from(!same);
        assert_eq!(
            done.stderr.contains(": the original program "),
            !same,
            "seed {seed}"
        );
    }
    assert!(others > 0);
}

fn a_game_without_turns_has_an_empty_list() {
    let dir = Dir::new();
    let game = play(
        &dir,
        [&player("A", &["resign"]), &player("B", &[HARMLESS])],
        "",
    )
    .0;
    assert_eq!((&game["moves"], game.get("shots")), (&json!([]), None));
    let rogue = "rogue=test-bot act --at attack say 'resign\\n'";
    let game = dir
        .run("play --json --seed 1")
        .arg(rogue)
        .arg("awful")
        .succeeds()
        .json();
    assert_eq!((&game["shots"], game.get("moves")), (&json!([]), None));
}

fn a_game_beyond_the_log_gets_none() {
    let dir = Dir::new();
    dir.file("log", "an old log");
    let refused = "turn 1 was refused, and such a log has only orders that were carried out";
    let unplaced = "the game ended before both players had placed their units";
    for (player, reason) in [
        (player("A", &["act 9 9 0 0"]), refused),
        (placed("A", "place none", &[]), unplaced),
    ] {
        let words = "play --rules twist --first 1 --seed 1 --max-turns 1 --force --log log";
        let run = dir
            .run(words)
            .arg(player)
            .arg(self::player("B", &[HARMLESS]));
        run.fails(3, &format!("referee: --log log is not written: {reason}\n"));
        assert_eq!(dir.text("log"), "an old log");
    }
}
