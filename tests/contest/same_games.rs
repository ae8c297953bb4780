//! The same seed plays the same games: on any number of lanes, resumed or not, and again by the
//! command that is printed.

use std::collections::HashSet;

use serde_json::{Value, json};

use testkit::list::Tests;
use testkit::record::{Record, list};
use testkit::run::{Dir, Done};
use testkit::text::has;
use testkit::tools::{LANDLOCK, NAMESPACES};

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, CONTESTS, a_record_depends_only_on_the_seed, 1);
    add!(
        tests,
        every_player_of_every_game_has_its_seed,
        a_seed_gives_no_ships_away,
        a_resumed_match_keeps_its_drawn_seed,
        a_tournament_grows_by_its_new_players,
        verify_finds_a_bot_that_ignores_its_seed
    );
    rows!(tests, REPEATS, the_printed_command_repeats_the_game, 3);
    tests.needing(&[LANDLOCK, NAMESPACES], |tests| {
        rows!(tests, CONFINED, the_printed_command_repeats_the_game);
    });
}

/// A bot that crashes in long games, so that it is disqualified.
const ROGUE: &str = "'rogue=test-bot act crash --at attack --after 5'";

/// Two players of the twist game that draw their orders from their seeds.
const DRAWING: &str =
    "'A=test-bot script \"place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h\"'";

/// A board on which games are short, but not all alike.
const BOARD: &str = "--rows 5 --cols 5 --ship '3 A ark' --ship '2 B boat'";

/// Contests, and the numbers of their lines.
const CONTESTS: [(&str, &str, usize); 5] = [
    (
        "a swiss",
        "tournament BOARD --format swiss mediocre ROGUE awful a=mediocre b=awful --games 8",
        76,
    ),
    (
        "a match",
        "match awful mediocre --rows 2 --cols 3 --ship '2 R rowboat' --games 60",
        1 + 60 + 15,
    ),
    (
        "a round robin",
        "tournament BOARD mediocre ROGUE awful a=mediocre --games 8",
        46,
    ),
    (
        "a knockout",
        "tournament BOARD --format knockout mediocre ROGUE awful a=mediocre --games 8",
        31,
    ),
    (
        "a twist match",
        "match DRAWING b=mediocre --rules twist --max-turns 40 --games 40",
        1 + 40 + 10,
    ),
];

/// Later rounds depend on the earlier ones, and those on who was disqualified by then.
fn a_record_depends_only_on_the_seed((_, words, lines): (&str, &str, usize)) {
    let dir = Dir::new();
    let words = [("ROGUE", ROGUE), ("DRAWING", DRAWING), ("BOARD", BOARD)]
        .iter()
        .fold(words.to_owned(), |words, (name, text)| {
            words.replace(name, text)
        });
    let words = format!("{words} --series 4 --seed 7 -q --json");
    let play = |more: &str| dir.run(format!("{words} {more}")).succeeds().json();
    let whole = play("--jobs 1 --out one");
    let record = dir.record("one");
    assert_eq!(record.lines.len(), lines);
    play("--jobs 2 --out two");
    assert_eq!(dir.record("two"), record);
    let text = dir.text("one");
    let parts: Vec<_> = text.split_inclusive('\n').collect();
    for kept in [1, lines / 3, lines - 2] {
        dir.file("two", parts[..kept].concat());
        let resumed = play("--out two --resume");
        assert_eq!(dir.record("two"), record, "from {kept} lines");
        assert_eq!(resumed["pairings"], whole["pairings"]);
    }
}

/// A pair is for who moves first. The seeds are new in every game, for both players.
fn every_player_of_every_game_has_its_seed() {
    let dir = Dir::new();
    dir.run("match awful mediocre --games 60 --series 4 -q --out m")
        .small()
        .succeeds();
    let record = dir.record("m");
    let mut seeds = HashSet::new();
    for (number, pair) in record.games().chunks(2).enumerate() {
        assert_eq!([&pair[0]["first"], &pair[1]["first"]], [0, 1]);
        assert_eq!(pair[0]["contest"]["game"], 2 * number + 1);
        assert_eq!(pair[0]["contest"]["series"], number / 2 + 1);
        for game in pair {
            seeds.insert(game["seed"].to_string());
            seeds.extend([0, 1].map(|player| game["players"][player]["seed"].to_string()));
        }
    }
    assert_eq!(seeds.len(), 3 * 60);
}

/// With the seeds of both players exchanged in the second game of a pair, it sank the whole fleet
/// in 17 attacks, 20 of 20 times.
fn a_seed_gives_no_ships_away() {
    let dir = Dir::new();
    dir.run("match 'Cheat=test-bot cheat mediocre-bot' mediocre --games 40 --seed 99 -q --out m")
        .succeeds();
    for game in dir.record("m").games() {
        let shots = list(&game["shots"]);
        let attacks = shots.iter().filter(|shot| shot[0] == 0).take(17);
        let hits = attacks.filter(|shot| shot[3] != "miss").count();
        // By chance it hits with 17 of 100 attacks on 17 of 100 cells: three times; more than ten
        // times with a probability of one in ten thousand.
        assert!(hits <= 10, "{hits} of 17 attacks hit: {}", game["contest"]);
    }
}

fn a_resumed_match_keeps_its_drawn_seed() {
    let dir = Dir::new();
    dir.run("match awful awful -q --games 2 --out m")
        .succeeds()
        .warns("--seed");
    dir.run("match awful awful -q --games 4 --out m --resume")
        .succeeds()
        .is_quiet();
    let record = dir.record("m");
    let headers = record.of("battleship-contest");
    assert_eq!(headers.len(), 2);
    assert_eq!(headers[0]["config"]["seed"], headers[1]["config"]["seed"]);
}

fn a_tournament_grows_by_its_new_players() {
    let dir = Dir::new();
    let play = |words: &str| {
        let games = if words.contains("--games") {
            ""
        } else {
            "--games 4"
        };
        dir.run(format!(
            "tournament -q --series 2 --seed 3 {BOARD} {games} {words}"
        ))
    };
    let three = "awful mediocre A=awful";
    let four = "awful mediocre A=awful B=mediocre --out cup --resume";
    let five = "awful mediocre A=awful B=mediocre C=awful";
    play(&format!("{three} --out cup")).succeeds();
    let before = dir.text("cup");
    play(&format!("{five} --out whole")).succeeds();
    play(four).succeeds();
    let grown = dir.text("cup");
    assert!(grown.starts_with(&before), "the old lines stay");
    // An interrupted growth continues.
    dir.file("cup", &grown[..grown.len() - 100]);
    play(four).succeeds();
    assert_eq!(dir.record("cup"), Record::parse(&grown));
    let again = format!("{five} --out cup --resume");
    play(&again).succeeds();
    // The games by their players, without their places in the contest.
    let games = |file: &str| {
        let mut lines = dir.record(file).without_times();
        lines.retain(|line| line["format"] == "battleship-game");
        let keyed = lines.into_iter().map(|mut game| {
            let place = game["contest"].take()["game"].as_u64().unwrap();
            let names = [0, 1].map(|side| game["players"][side]["name"].to_string());
            ((names, place), game)
        });
        let mut games: Vec<_> = keyed.collect();
        games.sort_by(|one, other| one.0.cmp(&other.0));
        games
            .into_iter()
            .map(|((names, _), game)| (names, game))
            .collect::<Vec<_>>()
    };
    assert_eq!(games("cup"), games("whole"));
    let grown = dir.text("cup");
    play(&again).succeeds();
    assert_eq!(dir.text("cup"), grown);
    // The others keep their places in the list, and the number of games stays.
    play("B=mediocre awful mediocre A=awful C=awful --out cup --resume")
        .fails(2, "another contest");
    play(&format!("{again} --games 20")).fails(2, "stays with 4 games each");
    play(&format!("{five} D=./none --out cup --resume")).fails(4, "");
    let swiss = "--format swiss --rounds 2 --out swiss";
    play(&format!("{three} {swiss}")).succeeds();
    play(&format!("{five} {swiss} --resume")).fails(2, "players: 3 there, 5 here");
    assert_eq!(dir.text("cup"), grown);
}

fn verify_finds_a_bot_that_ignores_its_seed() {
    let verify = |words: &str| {
        Dir::new()
            .run(format!("match {words} --seed 1 --verify -q"))
            .ends()
    };
    let same = |done: &Done, games: u32| {
        done.exits(0).warns(&format!(
            "referee: {games} games were played twice: the same happened both times\n"
        ));
    };
    same(&verify("mediocre awful --games 40"), 40);
    let unseeded = "'bot=test-bot script \"place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h\" --moody'";
    let done = verify(&format!("{unseeded} awful --games 2"));
    done.exits(4)
        .warns("series 1, game 1: reply ")
        .warns(" was bot's \"attack ");
    // Once only the attacks of classic games were compared, so that any two twist games of one
    // length were the same.
    let twist = "--rules twist --max-turns 40 --games 4";
    same(&verify(&format!("{DRAWING} b=awful {twist}")), 4);
    let unseeded = DRAWING.trim_end_matches('\'');
    verify(&format!("{unseeded} --moody' b=awful {twist}"))
        .exits(4)
        .warns("series 1, game 1: reply ");
}

/// The options of a match, and what the command that repeats a game of it has to name.
const REPEATS: [(&str, &str); 8] = [
    ("--env SECRET_OF_THE_TEST", "--env SECRET_OF_THE_TEST"),
    (
        "--rows 4 --ship '3 D double ended dinghy' --ship '1 # x'",
        "--rows 4 --ship '3 D double ended dinghy' --ship '1 # x'",
    ),
    ("--rules twist --max-turns 8", "--rules twist --max-turns 8"),
    ("--no-pin", "--no-pin"),
    ("--ponder", "--ponder"),
    ("--grace 2s", "--grace 2000ms"),
    (
        "--limit 40s --start-limit 1m --max-turns 30",
        "--max-turns 30 --limit 40000ms --start-limit 60000ms",
    ),
    (
        "--limit 1=9s --limit 2=9s",
        "--limit '1=9000ms' --limit '2=9000ms'",
    ),
];

const CONFINED: [(&str, &str); 1] = [(
    "--sandbox --allow /usr/share --max-memory 512 --max-threads 32",
    "--allow /usr/share --max-memory 512 --max-threads 32 --sandbox",
)];

/// The fleets, turns and end of a game, with the first mover first.
fn course(game: &Value) -> Value {
    let mut game = Record {
        lines: vec![game.clone()],
    }
    .without_times()
    .remove(0);
    if game["first"] == 1 && game.get("contest").is_some() {
        game["fleets"].as_array_mut().unwrap().reverse();
        for list in ["shots", "moves"] {
            for turn in game[list].as_array_mut().into_iter().flatten() {
                turn[0] = (1 - turn[0].as_u64().unwrap()).into();
            }
        }
    }
    let parts = ["fleets", "shots", "moves", "winner", "ended_by", "sandbox"];
    json!(parts.map(|part| &game[part]))
}

/// Each player's worst game is played again by the command that the summary prints.
fn the_printed_command_repeats_the_game((options, named): (&str, &str)) {
    let dir = Dir::new();
    // It starts only where the variable is set, which bots get only if an option names it.
    let needy = r#""'the needy=sh' -c 'test \"\$SECRET_OF_THE_TEST\" && exec referee bot awful'""#;
    let first = if options.starts_with("--env") {
        needy
    } else {
        "awful"
    };
    let words =
        format!("match {first} mediocre --games 4 --series 2 --seed 1 -q --json --out m {options}");
    let summary = dir
        .run(&words)
        .env("SECRET_OF_THE_TEST", "1")
        .succeeds()
        .json();
    let record = dir.record("m");
    let mut repeated = 0;
    for player in list(&summary["players"]) {
        let Some(command) = player["worst_game"]["repeat"].as_str() else {
            continue;
        };
        has(command, named);
        let run = dir
            .program("sh", "-c")
            .arg(format!("exec {command} --json"));
        let again = run.env("SECRET_OF_THE_TEST", "1").ends().json();
        let games = record.games();
        let number = &player["worst_game"]["game"];
        let game = games
            .iter()
            .find(|game| game["contest"]["game"] == *number)
            .unwrap();
        assert_eq!(course(&again), course(game), "{command}");
        repeated += 1;
    }
    assert!(repeated > 0, "no player has a worst game: {summary}");
}
