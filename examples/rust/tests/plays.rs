//! Tests of the program: what it replies to lines on its standard input.

use std::io::Write;
use std::process::{Command, Stdio};

const GAME: &str = "\
battleship 1
game classic 10 10
ship 0 5 A aircraft carrier
ship 1 4 B battleship
seed 7
place
";

/// The bot's replies to a game that goes on with these lines, without its greeting.
fn replies(lines: &str) -> Vec<String> {
    // Cargo builds the bot two folders above its tests.
    let tests = std::env::current_exe().unwrap();
    let bot = tests
        .ancestors()
        .nth(2)
        .unwrap()
        .join(env!("CARGO_PKG_NAME"));
    let mut bot = Command::new(bot)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = format!("{GAME}{lines}quit\n");
    bot.stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let output = bot.wait_with_output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let replies = printed.lines().skip_while(|line| *line != "ready").skip(1);
    replies.map(str::to_owned).collect()
}

#[test]
fn a_fleet_is_placed() {
    let placed = &replies("")[0];
    assert!(placed.starts_with("place "), "{placed}");
    assert_eq!(placed.split(' ').count(), 1 + 3 * 2);
}

#[test]
fn a_neighbour_of_a_hit_is_attacked() {
    let neighbours = ["attack 3 4", "attack 5 4", "attack 4 3", "attack 4 5"];
    assert!(neighbours.contains(&&*replies("result 4 4 hit\nattack\n")[1]));
}

#[test]
fn an_unknown_line_is_ignored() {
    assert_eq!(replies("weather fine\nattack\n").len(), 2);
}
