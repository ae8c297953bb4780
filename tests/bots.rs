//! The shipped bots as programs: their answers to a dialogue on standard input.

use crate::common::referee;
use assert_cmd::Command;
use predicates::function::function;
use predicates::str::{contains, is_empty};
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        awful_answers_to_the_letter,
        the_others_answer_in_form_and_the_same_for_the_same_seed,
        a_bot_plays_several_games_in_one_process,
        a_bot_that_cannot_place_its_ships_says_so,
        a_referee_that_breaks_the_protocol_is_named_on_standard_error,
        the_referee_knows_every_kind_of_player_that_there_is,
        only_the_shipped_bots_can_be_named,
        good_takes_a_budget_and_needs_little_memory_for_any
    );
}

fn programs_of(kind: &str) -> [Command; 2] {
    let own = match kind {
        "awful" => env!("CARGO_BIN_EXE_awful-bot"),
        "mediocre" => env!("CARGO_BIN_EXE_mediocre-bot"),
        "good" => env!("CARGO_BIN_EXE_good-bot"),
        _ => env!("CARGO_BIN_EXE_human-bot"),
    };
    let mut built_in = referee();
    built_in.args(["bot", kind]);
    [Command::new(own), built_in]
}

const SMALL_GAME: &str = "battleship 1\ngame classic 2 3\nship 0 2 R rowboat\nseed 42\n";

fn awful_answers_to_the_letter() {
    for mut program in programs_of("awful") {
        program
            .write_stdin(format!(
                "{SMALL_GAME}place\nattack\nresult 1 2 miss\nopponent 0 0\nattack\nresult 1 1 hit\nattack\n\
                 end lost fleet_sunk\nquit\n"
            ))
            .assert()
            .code(0)
            .stdout(
                "name awful\nplays classic salvo twist apart\nready\nplace 0 0 h\nattack 1 2\nattack 1 1\nattack 1 0\n",
            )
            .stderr(is_empty());
    }
}

/// Returns what a bot said with ROW, COL and h/v for what it chose on a board of 2x3.
fn form(said: &str) -> String {
    let line = |line: &str| -> String {
        let word = |(place, word): (usize, &str)| match (place, word) {
            (1, "0" | "1") => "ROW".to_owned(),
            (2, "0" | "1" | "2") => "COL".to_owned(),
            (3, "h" | "v") => "h/v".to_owned(),
            (_, word) => word.to_owned(),
        };
        line.split(' ')
            .enumerate()
            .map(word)
            .collect::<Vec<_>>()
            .join(" ")
            + "\n"
    };
    said.lines().map(line).collect()
}

fn the_others_answer_in_form_and_the_same_for_the_same_seed() {
    for kind in ["mediocre", "good"] {
        let answers = |seed: u32| {
            programs_of(kind).map(|mut program| {
                let dialogue =
                    SMALL_GAME.replace("42", &seed.to_string()) + "place\nattack\nattack\nquit\n";
                let output = program
                    .write_stdin(dialogue)
                    .assert()
                    .code(0)
                    .get_output()
                    .clone();
                String::from_utf8(output.stdout).unwrap()
            })
        };
        let [own, built_in] = answers(42);
        let greeting = format!("name {kind}\nplays classic salvo twist apart\nready\n");
        assert_eq!(
            form(&own),
            greeting + "place ROW COL h/v\nattack ROW COL\nattack ROW COL\n"
        );
        assert_eq!(own, built_in);
        assert!(
            (0..20).any(|seed| answers(seed)[0] != own),
            "{kind} heeds its seed"
        );
    }
}

fn a_bot_plays_several_games_in_one_process() {
    for kind in ["awful", "mediocre", "good"] {
        let [mut program, _] = programs_of(kind);
        program
            .write_stdin(
                "battleship 1\r\ngame classic 1 1\r\nship 0 1 A dot\r\nplace\r\nsing loudly\r\nattack now\r\n\
                 result 0 0 sunk 0\r\nend won fleet_sunk\r\ngame classic 1 1\nship 0 1 B blot\nplace\nattack\n",
            )
            .assert()
            .code(0)
            .stdout(function(|said: &str| {
                let game = "place ROW COL h/v\nattack ROW COL\n";
                form(said) == format!("name {kind}\nplays classic salvo twist apart\nready\n{game}{game}")
            }));
    }
}

fn a_bot_that_cannot_place_its_ships_says_so() {
    for kind in ["awful", "mediocre", "good"] {
        let [mut program, _] = programs_of(kind);
        program
            .write_stdin("game classic 1 2\nship 0 2 A raft\nship 1 1 B buoy\nplace\nquit\n")
            .assert()
            .code(0)
            .stdout("place none\n");
    }
}

fn a_referee_that_breaks_the_protocol_is_named_on_standard_error() {
    let [mut program, _] = programs_of("good");
    program
        .write_stdin("attack\n")
        .assert()
        .code(1)
        .stderr(contains(
            "the referee said \"attack\" before it announced a game",
        ));
}

fn the_referee_knows_every_kind_of_player_that_there_is() {
    for shipped in battleship_bots::SHIPPED {
        referee()
            .args(["bot", shipped.name, "--help"])
            .assert()
            .code(0);
    }
}

fn only_the_shipped_bots_can_be_named() {
    referee()
        .args(["bot", "excellent"])
        .assert()
        .code(2)
        .stderr(contains("awful, mediocre, fair, decent, good, human"));
}

fn good_takes_a_budget_and_needs_little_memory_for_any() {
    use std::io::{BufRead, BufReader, Write};
    for (budget, most) in [("1", 64), ("2000", 64)] {
        let mut good = std::process::Command::new(env!("CARGO_BIN_EXE_good-bot"));
        let good = good
            .args(["--budget", budget])
            .stdin(std::process::Stdio::piped());
        let mut good = good.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut input = good.stdin.take().unwrap();
        input
            .write_all(b"game classic 10 10\nship 0 5 A ship\nship 1 4 B ship\n")
            .unwrap();
        input
            .write_all(b"ship 2 3 D ship\nship 3 3 S ship\nship 4 2 P ship\nattack\n")
            .unwrap();
        let mut reply = String::new();
        BufReader::new(good.stdout.take().unwrap())
            .read_line(&mut reply)
            .unwrap();
        assert!(reply.starts_with("attack "), "{reply}");
        if cfg!(target_os = "linux") {
            let status = std::fs::read_to_string(format!("/proc/{}/status", good.id())).unwrap();
            let peak = status
                .lines()
                .find_map(|line| line.strip_prefix("VmHWM:"))
                .unwrap();
            let kib: u32 = peak.trim().trim_end_matches(" kB").parse().unwrap();
            assert!(kib < most * 1024, "{kib} KiB with a budget of {budget} ms");
        }
        drop(input);
        assert!(good.wait().unwrap().success());
    }
    for wrong in ["0", "2001", "fast"] {
        let mut good = Command::new(env!("CARGO_BIN_EXE_good-bot"));
        good.args(["--budget", wrong])
            .assert()
            .code(2)
            .stderr(contains("--budget <MS>"));
    }
    let mut mediocre = Command::new(env!("CARGO_BIN_EXE_mediocre-bot"));
    mediocre
        .arg("--explain")
        .assert()
        .code(2)
        .stderr(contains("--explain"));
}
