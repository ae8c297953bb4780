//! Protocol 1, as `protocol.md` has it: its dialogues, and what the shipped bots reply to lines on
//! standard input.
//!
//! These are plain tests with [`assert_cmd`], as you can write them for a bot of your own:
//! `docs/testing-a-bot.md` begins with one.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::fs;
use std::path::Path;
use std::process::Command as StdCommand;

use assert_cmd::Command;
use serde_json::Value;
use testkit::record::list;

const PROTOCOL: &str = include_str!("../protocol.md");

/// The texts of the blocks of a language in a section of the protocol.
fn blocks<'s>(section: &'s str, language: &str) -> Vec<&'s str> {
    let fence = format!("```{language}\n");
    let rests = section.split(&fence).skip(1);
    rests
        .map(|rest| rest.split_once("```").unwrap().0)
        .collect()
}

/// The text of the one block of a language in a section of the protocol.
fn block<'s>(section: &'s str, language: &str) -> Option<&'s str> {
    blocks(section, language).first().copied()
}

/// Runs the command of a section in an empty folder, where the scripts of the section lie; the
/// dialogue that the referee writes down is the one in the section.
fn is_played_as_written(heading: &str) {
    let section = PROTOCOL
        .split("\n### ")
        .find(|section| section.starts_with(heading))
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    for script in blocks(section, "sh") {
        let name = script.lines().next().unwrap().trim_start_matches("# ");
        fs::write(folder.path().join(name), script).unwrap();
    }
    let console = block(section, "console").unwrap();
    let words = console
        .lines()
        .next()
        .unwrap()
        .trim_start_matches("$ referee ");
    let script = format!(
        "exec '{}' {words} --transcript dialogue --out record",
        env!("CARGO_BIN_EXE_referee")
    );
    let mut referee = Command::from_std(StdCommand::new("sh"));
    referee.args(["-c", &script]).current_dir(&folder);
    // A game may end without a winner.
    let _ = referee
        .write_stdin(block(section, "typed").unwrap_or_default())
        .ok();
    let dialogue = fs::read_to_string(folder.path().join("dialogue")).unwrap();
    // Each line begins with its time.
    let lines: Vec<_> = dialogue.lines().map(|line| &line[11..]).collect();
    let shown = block(section, "dialogue").unwrap();
    let (of_judge, of_bots): (Vec<_>, Vec<_>) =
        shown.lines().partition(|line| line.starts_with("judge "));
    assert_eq!(lines, of_bots);
    if !of_judge.is_empty() {
        assert_eq!(judge_lines(&folder.path().join("record")), of_judge);
    }
}

/// The lines to and from the judge of the game in a record, which leaves out those before and after
/// the game.
fn judge_lines(record: &Path) -> Vec<String> {
    let game: Value = serde_json::from_str(&fs::read_to_string(record).unwrap()).unwrap();
    let name = game["rules"].as_str().unwrap().trim_start_matches("judge ");
    let mut lines = vec![
        "judge <- judge 1".to_owned(),
        format!("judge -> game {name} {}", game["words"].as_str().unwrap()),
    ];
    for line in list(&game["dialogue"]) {
        let line = line.as_str().unwrap();
        let is_for_judge = line.starts_with("begin ") || line.starts_with("reply ");
        let arrow = if is_for_judge { "<-" } else { "->" };
        lines.push(format!("judge {arrow} {line}"));
    }
    lines.push("judge <- quit".to_owned());
    lines
}

#[test]
fn a_game_is_played_as_written() {
    is_played_as_written("A game\n");
}

#[test]
fn a_bad_reply_is_judged_as_written() {
    is_played_as_written("A bad reply\n");
}

#[test]
fn touching_ships_are_judged_as_written() {
    is_played_as_written("Ships that touch\n");
}

#[test]
fn a_salvo_game_is_played_as_written() {
    is_played_as_written("A salvo game\n");
}

#[test]
fn a_persons_game_is_played_as_written() {
    is_played_as_written("A game with a human\n");
}

#[test]
fn a_twist_game_is_played_as_written() {
    is_played_as_written("A twist game\n");
}

#[test]
fn a_judged_game_is_played_as_written() {
    is_played_as_written("A game of sticks\n");
}

#[test]
fn a_drawn_game_is_played_as_written() {
    is_played_as_written("A drawn game\n");
}

const SMALL_GAME: &str = "battleship 1\ngame classic 2 3\nship 0 2 R rowboat\nseed 42\n";

/// A bot that is a program of its own, and the same as the referee starts it.
fn programs(name: &str) -> [Command; 2] {
    let own = match name {
        "awful" => env!("CARGO_BIN_EXE_awful-bot"),
        "mediocre" => env!("CARGO_BIN_EXE_mediocre-bot"),
        _ => env!("CARGO_BIN_EXE_good-bot"),
    };
    let mut built_in = Command::new(env!("CARGO_BIN_EXE_referee"));
    built_in.args(["bot", name]);
    [Command::new(own), built_in]
}

/// What a program prints if it reads these lines.
fn replies(program: &mut Command, lines: &str) -> String {
    let assert = program.write_stdin(lines).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[test]
fn awful_replies_to_the_letter() {
    let lines = format!(
        "{SMALL_GAME}place\nattack\nresult 1 2 miss\nopponent 0 0\nattack\nresult 1 1 hit\nattack\nend lost fleet_sunk\nquit\n"
    );
    let expected = "name awful\nplays classic salvo twist apart\nready\nplace 0 0 h\nattack 1 2\nattack 1 1\nattack 1 0\n";
    for mut program in programs("awful") {
        assert_eq!(replies(&mut program, &lines), expected);
    }
}

/// Replies with ROW, COL and h/v in place of what the bot chose on a board of 2x3.
fn form(replies: &str) -> String {
    let mut form = String::new();
    for line in replies.lines() {
        let words = line
            .split(' ')
            .enumerate()
            .map(|(place, word)| match (place, word) {
                (1, "0" | "1") => "ROW",
                (2, "0" | "1" | "2") => "COL",
                (3, "h" | "v") => "h/v",
                (_, word) => word,
            });
        form += &(words.collect::<Vec<_>>().join(" ") + "\n");
    }
    form
}

#[test]
fn the_others_reply_in_form_by_their_seed() {
    for name in ["mediocre", "good"] {
        let with_seed = |seed: u32| {
            let lines =
                SMALL_GAME.replace("42", &seed.to_string()) + "place\nattack\nattack\nquit\n";
            programs(name).map(|mut program| replies(&mut program, &lines))
        };
        let [own, built_in] = with_seed(42);
        let greeting = format!("name {name}\nplays classic salvo twist apart\nready\n");
        assert_eq!(
            form(&own),
            greeting + "place ROW COL h/v\nattack ROW COL\nattack ROW COL\n"
        );
        assert_eq!(own, built_in);
        assert!(
            (0..20).any(|seed| with_seed(seed)[0] != own),
            "{name} ignores its seed"
        );
    }
}

#[test]
fn a_bot_plays_several_games_in_one_process() {
    let first = "battleship 1\r\ngame classic 1 1\r\nship 0 1 A dot\r\nplace\r\nsing loudly\r\nattack now\r\nresult 0 0 sunk 0\r\nend won fleet_sunk\r\n";
    let second = "game classic 1 1\nship 0 1 B blot\nplace\nattack\n";
    for name in ["awful", "mediocre", "good"] {
        let [mut program, _] = programs(name);
        let game = "place ROW COL h/v\nattack ROW COL\n";
        let expected = format!("name {name}\nplays classic salvo twist apart\nready\n{game}{game}");
        assert_eq!(
            form(&replies(&mut program, &format!("{first}{second}"))),
            expected
        );
    }
}

#[test]
fn a_fleet_without_room_is_not_placed() {
    for name in ["awful", "mediocre", "good"] {
        let [mut program, _] = programs(name);
        let lines = "game classic 1 2\nship 0 2 A raft\nship 1 1 B buoy\nplace\nquit\n";
        assert_eq!(replies(&mut program, lines), "place none\n");
    }
}

#[test]
fn a_referee_that_breaks_the_protocol_is_named() {
    let [mut program, _] = programs("good");
    let assert = program.write_stdin("attack\n").assert().code(1);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(
        message.contains("the referee said \"attack\" before it announced a game"),
        "{message}"
    );
}
