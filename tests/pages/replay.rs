//! Recorded games: `referee replay`, and the program `replay` with the arguments of the original.

use std::time::Duration;

use serde_json::{Value, json};

use testkit::list::Tests;
use testkit::programs::project_file;
use testkit::run::{Dir, cut_off};
#[cfg(unix)]
use testkit::terminal::CTRL_C;
use testkit::text::{ends, lacks};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_log_is_shown_as_by_the_original,
        wrong_arguments_get_the_usage,
        a_recorded_game_is_shown_as_played,
        a_game_without_turns_is_not_shown,
        a_classic_record_against_the_rules_is_refused,
        a_twist_record_against_the_rules_is_refused
    );
    rows!(tests, WRONG_LOGS, a_wrong_log_is_refused_with_its_line, 2);
    rows!(tests, NO_GAMES, a_file_without_games_is_refused, 3);
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            an_unreadable_file_is_named,
            a_replay_may_be_cut_off,
            a_record_is_replayed_from_a_pipe,
            a_replay_that_nobody_watches_has_no_pauses
        );
        #[cfg(unix)]
        add!(
            tests,
            ctrl_c_ends_a_replay,
            a_replay_leaves_the_terminal_as_it_was,
            a_log_without_moves_is_over_at_once,
            a_dumb_terminal_gets_no_escapes
        );
    });
}

/// A file of the samples of the original twist program.
fn sample(name: &str) -> String {
    let path = project_file("crates/battleship/tests/data/twist").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// A folder with the sample `log` of the original.
fn sampled() -> Dir {
    let dir = Dir::new();
    dir.file("log", sample("probe-log.txt"));
    dir
}

fn a_log_is_shown_as_by_the_original() {
    let dir = sampled();
    let expected = sample("probe-replay.txt");
    let shown = |words: &str| {
        dir.program("replay", words)
            .succeeds()
            .is_quiet()
            .prints_all("");
        dir.text("out")
    };
    assert_eq!(shown("f log out"), expected);
    dir.run("replay log --delay 1ms")
        .succeeds()
        .prints_all(&expected);
    // Line ends of other systems make no difference.
    let log = dir.text("log");
    for text in [
        format!("{log}\n"),
        log.replace('\n', "\r\n"),
        log.replace('\n', "\r\n") + "\r\n",
    ] {
        dir.file("log", text);
        assert_eq!(shown("f log out"), expected);
    }
    // What `v` shows is what `f` writes.
    dir.file(
        "log",
        log.split_inclusive('\n')
            .take(24)
            .collect::<String>()
            .trim_end(),
    );
    let one_move = shown("f log out");
    assert!(
        one_move.contains("Player 2") && !one_move.contains("Player 1"),
        "{one_move}"
    );
    dir.program("replay", "v log")
        .succeeds()
        .prints_all(&one_move);
    dir.run("replay log --delay 1year")
        .succeeds()
        .prints_all(&one_move);
    dir.run("replay log --game 1")
        .fails(2, "--game: a log of the original has one game only");
}

fn wrong_arguments_get_the_usage() {
    let dir = sampled();
    for words in ["", "f log out more", "x log"] {
        let done = dir.program("replay", words).fails(1, "usage: replay v LOG");
        done.warns("replay f LOG OUT").prints_all("");
    }
}

fn an_unreadable_file_is_named() {
    let dir = sampled();
    let missing = "/nosuch/file: No such file or directory";
    for words in ["v /nosuch/file", "f /nosuch/file out", "f log /nosuch/file"] {
        dir.program("replay", words)
            .fails(1, &format!("replay: {missing}"))
            .prints_all("");
    }
    dir.run("replay /nosuch/file")
        .fails(2, missing)
        .prints_all("");
    dir.run("replay /").fails(2, "Is a directory");
}

/// The message about the sample log if the line of this number is replaced.
const WRONG_LOGS: [(&str, usize, &str); 7] = [
    (
        "line 1: the log is of a player against the computer",
        1,
        "0",
    ),
    (
        "line 1: expected the number of the player that starts, 1 or 2",
        1,
        "battleship",
    ),
    (
        "line 4: battleship 0: A1 to A4 is 4 cells long",
        4,
        "A1 A4 5",
    ),
    ("line 12: expected an empty line", 12, "I5 I5 1"),
    ("line 25: an order is two cells", 25, "A3"),
    ("line 30: the origin: no column \"A\"", 30, "AA AA"),
    ("line 26: L1 E2: there is no unit at L1", 26, "L1 E2"),
];

fn a_wrong_log_is_refused_with_its_line((message, line, new): (&str, usize, &str)) {
    let dir = sampled();
    let log = dir.text("log");
    let mut lines: Vec<_> = log.lines().collect();
    lines[line - 1] = new;
    dir.file("log", lines.join("\n"));
    dir.program("replay", "f log out")
        .fails(1, &format!("replay: log: {message}"));
    assert!(!dir.path("out").exists());
    dir.run("replay log")
        .fails(2, &format!("referee: log: {message}"))
        .prints_all("");
}

const NO_GAMES: [(&str, &str, &str); 5] = [
    (
        "an empty file",
        "",
        "line 1: expected the number of the player that starts",
    ),
    (
        "JSON",
        "{\"a\":1}\n",
        "this is not a record; records come from --out or --json",
    ),
    (
        "half a line",
        "{\"format\":\"battleship-game\"",
        "has no games",
    ),
    (
        "a text",
        "Dear diary\n",
        "line 1: expected the number of the player that starts",
    ),
    ("bytes", "\u{0}\u{1}\u{2}", "line 1: "),
];

fn a_file_without_games_is_refused((_, text, message): (&str, &str, &str)) {
    let dir = Dir::new();
    dir.file("file", text)
        .run("replay file")
        .fails(2, message)
        .warns("file")
        .prints_all("");
    dir.program("replay", "v file").fails(1, message);
}

/// The placement of a twist fleet at the left, and what a player of it does.
fn twist(name: &str, orders: &[&str]) -> String {
    let orders = orders.join("' '");
    format!(
        "{name}=test-bot script 'place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h' '{orders}'"
    )
}

fn hunter() -> String {
    let lengths = (0..).zip([5, 5, 5, 3, 3, 3, 1, 1]);
    let cells = lengths
        .flat_map(|(row, length)| (0..length).map(move |col| format!("act 0 2 {row} {col}")));
    let orders: Vec<_> = cells.collect();
    twist(
        "Ahab",
        &orders.iter().map(String::as_str).collect::<Vec<_>>(),
    )
}

const TWIST: &str = "--rules twist --first 1 --seed 1";
const HARMLESS: &str = "act 0 2 11 11";

fn a_recorded_game_is_shown_as_played() {
    let dir = Dir::new();
    let fault = |word: &str| format!("rogue=test-bot act --at attack --after 3 say '{word}\\n'");
    let good = "good=good-bot --budget 0.1".to_owned();
    let games = [
        ([good, "mediocre".into()], "--seed 1 --first 2".to_owned()),
        (
            ["mediocre".into(), "awful".into()],
            "--seed 1 --max-turns 3".to_owned(),
        ),
        // The forfeits in mid-turn that replays once left without the board of that turn.
        (["awful".into(), fault("fire 3 4")], "--seed 1".to_owned()),
        ([fault("resign"), "mediocre".into()], "--seed 1".to_owned()),
        ([hunter(), twist("Moby", &[HARMLESS])], TWIST.to_owned()),
        (
            [twist("A", &[]), twist("B", &[])],
            format!("{TWIST} --max-turns 30"),
        ),
        ([hunter(), twist("B", &["fire"])], TWIST.to_owned()),
        (
            [twist("A", &["resign"]), twist("B", &[HARMLESS])],
            TWIST.to_owned(),
        ),
    ];
    for (number, ([one, two], options)) in games.iter().enumerate() {
        let run = dir
            .run("play --no-pause --out games")
            .args(options)
            .arg(one)
            .arg(two);
        let printed = run.ends().stdout;
        assert!(!printed.is_empty());
        let game = number + 1;
        dir.run(format!("report games --game {game} -o {game}.txt"))
            .succeeds()
            .warns(&format!("the game is in {game}.txt"))
            .prints_all("");
        assert_eq!(dir.text(&format!("{game}.txt")), printed, "{one} {two}");
        let forfeit =
            "rogue forfeits: expected \"attack ROW COL\", got \"fire 3 4\".\nawful wins!\n";
        assert!(number != 2 || printed.ends_with(forfeit), "{printed}");
        if number == 0 {
            // The first game is the one that is shown if none is picked, and a pipe is shown the
            // same.
            dir.run("replay games --delay 1ms")
                .succeeds()
                .prints_all(&printed);
        }
    }
    assert_eq!(
        dir.run("replay games --game 9").ends().exits(2).stderr,
        "referee: --game 9: games has 8 games\n"
    );
    dir.run("replay games --game 0").fails(2, "--game");
    dir.run("match awful mediocre --games 4 -q --out match")
        .small()
        .succeeds();
    for (game, first) in [(1, "awful's turn."), (2, "mediocre's turn.")] {
        let words = format!("replay match --game {game} --delay 1ms");
        let shown = dir.run(&words).succeeds().stdout;
        assert!(
            shown.starts_with(first) && shown.ends_with(" wins!\n"),
            "{shown}"
        );
    }
}

fn a_game_without_turns_is_not_shown() {
    let dir = Dir::new();
    let run = dir
        .run("play --no-pause --out games")
        .args(TWIST)
        .arg("rogue=test-bot script 'place 0 0 h'");
    run.arg(twist("B", &[HARMLESS])).ends();
    let sentence =
        "games: there is nothing to see of this game: rogue forfeits: placed 1 unit instead of 8\n";
    dir.run("replay games").fails(2, sentence).prints_all("");
}

/// Changes of a record, each a place and its new value, with what is found then. Without a value
/// the last turn goes; one behind the last turn is a turn more.
type Changes<'r> = &'r [(&'r str, Value, &'r str)];

fn finds(dir: &Dir, changes: Changes) {
    let record = dir.record("game").lines.remove(0);
    for (place, value, found) in changes {
        let mut record = record.clone();
        match (record.pointer_mut(place), value) {
            (Some(Value::Array(turns)), Value::Null) => drop(turns.pop()),
            (Some(Value::Array(turns)), Value::Array(turn)) if turn.len() > 4 => {
                turns.push(value.clone());
            }
            (Some(old), _) => *old = value.clone(),
            (None, _) => panic!("no {place}"),
        }
        dir.file("changed", format!("{record}\n"));
        let sentence = format!("referee: changed: the record cannot be right: {found}");
        dir.run("replay changed").fails(2, &sentence).prints_all("");
    }
}

fn a_classic_record_against_the_rules_is_refused() {
    let dir = Dir::new();
    dir.run("play awful awful --no-pause --out game")
        .small()
        .succeeds();
    let sunk = "a fleet has been sunk, and it ended in another way";
    finds(
        &dir,
        &[
            (
                "/shots/2/3",
                json!("hit"),
                "turn 3: hit for attack 1 1, where the rules say miss",
            ),
            (
                "/shots/0/1",
                json!(7),
                "turn 1: miss for attack 7 2, where the rules say wasted",
            ),
            (
                "/shots/1/0",
                json!(0),
                "turn 2: it is not this player's turn",
            ),
            ("/first", json!(1), "turn 1: it is not this player's turn"),
            (
                "/shots",
                json!([1, 0, 0, "hit", 1]),
                "turn 12: the game is over",
            ),
            ("/shots", Value::Null, "no fleet has been sunk"),
            ("/winner", json!("Bluto"), ""),
            ("/winner", json!("awful 2"), sunk),
            ("/ended_by", json!("turn_cap"), sunk),
            ("/fleets/0/0/col", json!(9), ""),
        ],
    );
}

fn a_twist_record_against_the_rules_is_refused() {
    let dir = Dir::new();
    let run = dir
        .run("play --no-pause --out game")
        .args(TWIST)
        .arg(hunter());
    run.arg(twist("B", &[HARMLESS])).succeeds();
    finds(
        &dir,
        &[
            (
                "/moves/2/5",
                json!("miss"),
                "turn 3: miss for act 0 2 0 1, where the rules say hit",
            ),
            (
                "/moves/2/1",
                json!(9),
                "turn 3: hit for act 9 2 0 1, where the rules say refused there is no unit at (9,2)",
            ),
            (
                "/moves/2/3",
                json!(12),
                "turn 3: hit for act 0 2 12 1, where the rules say refused (0,2) and (12,1) are not both on the grid",
            ),
            (
                "/moves/2/0",
                json!(1),
                "turn 3: it is not this player's turn",
            ),
            (
                "/moves",
                json!([1, 0, 2, 0, 0, "hit", 1]),
                "turn 52: the game is over",
            ),
            ("/moves", Value::Null, "no fleet has been sunk"),
            (
                "/fleets/0/7/row",
                json!(6),
                "placed submarine 7 over submarine 6 at (6,0)",
            ),
        ],
    );
}

fn a_replay_may_be_cut_off() {
    let (line, code) = cut_off(sampled().run("replay log --delay 1ms"));
    ends(&line, "Player 2\n");
    assert_eq!(code, 0);
}

#[cfg(unix)]
fn ctrl_c_ends_a_replay() {
    let dir = sampled();
    let mut terminal = dir.run("replay log --delay 1h").in_terminal();
    terminal.expect("Player 2").unwrap();
    terminal.send(CTRL_C);
    let (rest, status) = terminal.ends();
    lacks(&rest, "Player");
    assert_eq!(status.code(), Some(130));
}

/// Shows the log of a folder with this delay, on a terminal of this kind; presses Ctrl-C when it
/// reads `key`. Returns what was shown, after a look at the settings of the terminal.
#[cfg(unix)]
fn watched(dir: &Dir, terminal: &str, delay: &str, key: Option<&str>) -> (String, String) {
    let script = format!(
        "trap : INT; stty echo; stty -a > before; referee replay log --delay {delay}; echo $? > code; stty -a > after"
    );
    let run = dir.program("sh", "-c").arg(script).env("TERM", terminal);
    let mut terminal = run.in_terminal();
    if let Some(key) = key {
        terminal.expect(key).unwrap();
        terminal.send(CTRL_C);
    }
    let (shown, _) = terminal.ends();
    let before = dir.text("before");
    assert!(
        ["icanon", "echo"]
            .iter()
            .all(|mode| before.split_whitespace().any(|word| word == *mode)),
        "{before}"
    );
    assert_eq!(dir.text("after"), before);
    (shown, dir.text("code"))
}

#[cfg(unix)]
fn a_replay_leaves_the_terminal_as_it_was() {
    let (shown, code) = watched(&sampled(), "xterm", "1ms", None);
    // The turns follow each other, and the last one stays.
    assert_eq!(shown.matches("\x1b[H\x1b[J").count(), 12);
    assert_eq!(shown.matches("Player ").count(), 12);
    assert_eq!(code, "0\n");
    assert_eq!(
        watched(&sampled(), "xterm", "1h", Some("Player 2")).1,
        "130\n"
    );
}

/// There was no turn to show first, which made the program panic.
#[cfg(unix)]
fn a_log_without_moves_is_over_at_once() {
    let dir = sampled();
    let log = dir.text("log");
    dir.file("log", &log[..log.find("C1 E1").unwrap()]);
    assert_eq!(
        watched(&dir, "xterm", "1h", None),
        (String::new(), "0\n".to_owned())
    );
}

#[cfg(unix)]
fn a_dumb_terminal_gets_no_escapes() {
    let (shown, code) = watched(&sampled(), "dumb", "1ms", None);
    assert!(!shown.contains('\u{1b}'), "{shown}");
    assert_eq!(code, "0\n");
}

fn a_record_is_replayed_from_a_pipe() {
    let dir = Dir::new();
    dir.run("match awful mediocre --games 4 --seed 1 -q --out m.gz")
        .succeeds();
    let shown = dir.run("replay m.gz --game 3").succeeds().stdout;
    let pipe = "gzip -dc m.gz | referee replay /dev/stdin --game 3";
    dir.program("sh", "-c")
        .arg(pipe)
        .succeeds()
        .prints_all(&shown);
    let pipe = "cat m.gz | referee replay /dev/stdin --game 3";
    dir.program("sh", "-c")
        .arg(pipe)
        .succeeds()
        .prints_all(&shown);
}

/// With a second for each turn a game would take minutes.
fn a_replay_that_nobody_watches_has_no_pauses() {
    let dir = Dir::new();
    dir.run("match awful mediocre --games 2 --seed 1 -q --out m")
        .succeeds();
    let turns = |words: &str| {
        let run = dir.run(words).patient(Duration::from_secs(60));
        run.succeeds().stdout.matches(" attacked ").count()
    };
    assert!(turns("replay m --plain") > 60);
    assert!(turns("replay m --plain --delay 0ms") > 60);
}
