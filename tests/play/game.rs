//! Playing one game: its transcript, its record, its dialogue and its end.

use serde_json::json;

use testkit::list::Tests;
use testkit::record::list;
use testkit::run::{Dir, cut_off};
use testkit::text::{ends, has};
use testkit::tools::{STRACE, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        awful_wins_with_its_hundredth_attack,
        a_drawn_seed_is_reported,
        a_record_has_all_of_a_game,
        a_dialogue_has_every_line_in_order,
        both_hear_of_waste_and_resignation,
        an_impossible_fleet_ends_the_game,
        a_turn_cap_ends_the_game,
        a_bots_own_name_stands_beside_its_name,
        a_file_with_a_shipped_name_is_ignored
    );
    rows!(tests, LIMITS, a_bot_gets_its_limit_after_its_seed, 2);
    tests.needing(&[UNIX], |tests| {
        rows!(tests, WRONG, a_wrong_reply_has_its_cause);
        add!(
            tests,
            the_transcript_is_the_sample_programs,
            an_unfinished_line_is_in_the_dialogue,
            a_full_disk_is_reported_by_file,
            a_record_is_appended_to_a_torn_line,
            a_game_goes_on_without_its_reader,
            the_demos_menu_is_the_samples,
            the_demos_mini_game_is_popeyes,
            the_demos_match_alternates_the_first_mover,
            the_demos_person_reads_the_input
        );
    });
    tests.needing(&[UNIX, STRACE], |tests| {
        add!(tests, a_reply_takes_three_calls_at_most);
    });
    #[cfg(target_os = "linux")]
    add!(tests, a_budget_takes_little_memory);
}

fn awful_wins_with_its_hundredth_attack() {
    let done = Dir::new()
        .run("play awful awful --seed 1 --no-pause")
        .succeeds();
    let transcript = &done.is_quiet().stdout;
    assert_eq!(transcript.matches(" attacked (").count(), 199);
    assert!(transcript.ends_with("9 oooooooooo\nawful wins!\n"));
}

/// The whole of a small game, in the words, the spacing and the order of the sample program.
/// Without a terminal there is no pause in it.
fn the_transcript_is_the_sample_programs() {
    let expected = "\
awful's turn.  Board for Bluto:
  012
0 RR.
1 ...
awful attacked (1,2) and missed, resulting in:
  012
0 RR.
1 ..o
Bluto's turn.  Board for awful:
  012
0 RR.
1 ...
Bluto attacked (0,0) and hit something, resulting in:
  012
0 XR.
1 ...
awful's turn.  Board for Bluto:
  012
0 RR.
1 ..o
awful attacked (1,1) and missed, resulting in:
  012
0 RR.
1 .oo
Bluto's turn.  Board for awful:
  012
0 XR.
1 ...
Bluto wasted a shot at (0,0).
awful's turn.  Board for Bluto:
  012
0 RR.
1 .oo
awful attacked (1,0) and missed, resulting in:
  012
0 RR.
1 ooo
Bluto's turn.  Board for awful:
  012
0 XR.
1 ...
Bluto attacked (0,1) and destroyed the rowboat, resulting in:
  012
0 XX.
1 ...
Bluto wins!
";
    let bluto = "Bluto=test-bot script 'place 0 0 h' 'attack 0 0' 'attack 0 0' 'attack 0 1'";
    Dir::new()
        .run("play awful")
        .arg(bluto)
        .small()
        .succeeds()
        .prints_all(expected);
}

fn a_drawn_seed_is_reported() {
    let dir = Dir::new();
    let done = dir.run("play mediocre mediocre").succeeds();
    let seed = done.stderr.trim_end().rsplit_once("--seed ").unwrap().1;
    let seed = seed.strip_suffix(" repeats this").unwrap();
    let again = dir.run(format!("play mediocre mediocre --seed {seed}"));
    again.succeeds().prints_all(&done.stdout);
}

fn a_record_has_all_of_a_game() {
    let dir = Dir::new();
    let words = "--json --seed 5 --out games.jsonl";
    let first = dir.run(format!("play awful awful {words}")).succeeds();
    let second = dir
        .run(format!("play Popeye=good mediocre {words}"))
        .succeeds();
    assert_eq!(
        dir.text("games.jsonl"),
        format!("{}{}", first.stdout, second.stdout)
    );
    let game = first.json();
    assert_eq!(
        [&game["players"][0]["name"], &game["players"][1]["name"]],
        ["awful", "awful 2"]
    );
    assert_eq!(
        [&game["winner"], &game["ended_by"]],
        ["awful", "fleet_sunk"]
    );
    assert_eq!(game["reason"], "awful sank the whole fleet of awful 2");
    assert_eq!(game["seed"], 5);
    assert_eq!(
        game["fleets"][1][4],
        json!({"row": 4, "col": 0, "direction": "h"})
    );
    let shots = list(&game["shots"]);
    assert_eq!(shots.len(), 199);
    assert_eq!(
        shots[0].as_array().unwrap()[..4],
        [json!(0), json!(9), json!(9), json!("miss")]
    );
    assert!(shots[0][4].as_u64().unwrap() < 5_000_000);
    assert_eq!(shots[198][3], "sunk 0");
}

fn a_dialogue_has_every_line_in_order() {
    let dir = Dir::new();
    let rogue = "rogue=test-bot act --at place --stderr 'I am here' nothing";
    dir.run("play --seed 1 --transcript dialogue")
        .arg(rogue)
        .arg("awful")
        .succeeds();
    let dialogue = dir.text("dialogue");
    let mut rest = &*dialogue;
    // What is written to standard error may come later than a line that was written after it.
    for line in [
        "rogue <- battleship 1",
        "rogue -> ready",
        "rogue <- game classic 10 10",
        "rogue <- ship 0 5 A aircraft carrier",
        "rogue <- place",
        "rogue -> place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h",
        "rogue -> attack 0 0",
        "rogue <- result 0 0 hit",
        "awful <- opponent 0 0",
        "rogue <- end won fleet_sunk",
        "rogue <- quit",
    ] {
        let found = rest.split_once(&format!(" {line}\n"));
        rest = found
            .unwrap_or_else(|| panic!("no {line} there:\n{dialogue}"))
            .1;
    }
    has(&dialogue, " rogue !! I am here\n");
    has(&dialogue, " awful <- end lost fleet_sunk\n");
    for line in dialogue.lines() {
        assert!(line[..10].trim().parse::<f64>().is_ok(), "no time: {line}");
    }
}

fn both_hear_of_waste_and_resignation() {
    let dir = Dir::new();
    dir.run("play --first 1 --no-pause --transcript dialogue")
        .arg("one=test-bot script 'place 0 0 h' 'attack 0 2' 'attack 0 2' resign")
        .arg("two=test-bot script 'place 1 0 h' 'attack 0 2'")
        .small()
        .ends();
    let dialogue = dir.text("dialogue");
    let lines: Vec<_> = dialogue.lines().map(|line| &line[11..]).collect();
    let expected = "\
        one <- attack\none -> attack 0 2\none <- result 0 2 miss\ntwo <- opponent 0 2\n\
        two <- attack\ntwo -> attack 0 2\ntwo <- result 0 2 miss\none <- opponent 0 2\n\
        one <- attack\none -> attack 0 2\none <- result 0 2 wasted\ntwo <- opponent 0 2\n\
        two <- attack\ntwo -> attack 0 2\ntwo <- result 0 2 wasted\none <- opponent 0 2\n\
        one <- attack\none -> resign\none <- end lost resigned\ntwo <- end won resigned\n\
        one <- quit\ntwo <- quit\n";
    assert!(
        lines.join("\n").ends_with(expected.trim_end()),
        "{dialogue}"
    );
}

fn an_unfinished_line_is_in_the_dialogue() {
    let dir = Dir::new();
    let rogue = "rogue=sh -c 'echo ready; printf \"no newline\" >&2; printf plac; sleep 30'";
    let run = dir
        .run("play --json --limit 2s --transcript dialogue")
        .arg(rogue)
        .arg("awful");
    assert_eq!(run.succeeds().game().text("ended_by"), "timeout");
    let dialogue = dir.text("dialogue");
    has(&dialogue, " rogue -| plac\n");
    has(&dialogue, " rogue !! no newline\n");
}

fn an_impossible_fleet_ends_the_game() {
    let dir = Dir::new();
    let words = "play good awful --rows 4 --no-pause --seed 1";
    let done = dir
        .run(words)
        .fails(3, "referee: awful could not place its ships\n");
    done.prints_all("");
    let game = dir.run(format!("{words} --json")).fails(3, "").game();
    assert_eq!(game.text("ended_by"), "cannot_place");
    assert_eq!(game.0["winner"], json!(null));
    assert_eq!(list(&game.0["fleets"][0]).len(), 5);
    assert_eq!(game.0["fleets"][1], json!(null));
}

fn a_turn_cap_ends_the_game() {
    let rogue = "rogue=test-bot act --at attack --after 0 say 'attack 0 0\\n'";
    let run = Dir::new()
        .run("play --json --max-turns 3 --seed 1")
        .arg(rogue)
        .arg("awful")
        .fails(3, "");
    let game = run.game();
    assert_eq!(game.text("ended_by"), "turn_cap");
    assert!(
        game.text("reason").ends_with("3 attacks each"),
        "{}",
        game.text("reason")
    );
    assert_eq!(list(&game.0["shots"]).len(), 6);
}

fn a_game_goes_on_without_its_reader() {
    let dir = Dir::new();
    let game = dir.run("play awful awful --seed 1 --out games.jsonl");
    let line = "awful's turn.  Board for awful 2:\n".to_owned();
    assert_eq!(cut_off(game), (line, 0));
    assert_eq!(dir.record("games.jsonl").lines[0]["ended_by"], "fleet_sunk");
}

fn a_full_disk_is_reported_by_file() {
    let dir = Dir::new();
    for option in [
        "--transcript /dev/full",
        "--out /dev/full",
        "--json --out /dev/full",
    ] {
        let done = dir.run(format!("play awful awful {option}")).small();
        let done = done.fails(1, "/dev/full: No space left on device");
        done.prints(if option.contains("--json") {
            "{"
        } else {
            "awful wins!\n"
        });
    }
}

fn a_record_is_appended_to_a_torn_line() {
    let dir = Dir::new();
    dir.run("play awful awful --out /dev/null")
        .small()
        .succeeds();
    let torn = "{\"format\":\"battleship-ga";
    dir.file("games.jsonl", torn);
    dir.run("play awful awful --out games.jsonl")
        .small()
        .succeeds();
    let text = dir.text("games.jsonl");
    let (first, second) = text.split_once('\n').unwrap();
    assert_eq!(first, torn);
    ends(second, "}\n");
}

fn a_bots_own_name_stands_beside_its_name() {
    let dir = Dir::new();
    let game = dir
        .run("play awful-bot 'awful-bot --name Olive' --json --seed 1")
        .succeeds()
        .json();
    let [first, second] = [0, 1].map(|side| &game["players"][side]);
    assert_eq!(
        [&first["name"], &second["name"]],
        ["awful-bot", "awful-bot 2"]
    );
    assert_eq!(
        first["warnings"],
        json!(["it calls itself awful, which is another player's name"])
    );
    assert_eq!(first.get("calls_itself"), None);
    assert_eq!(second["calls_itself"], "Olive");
    let game = dir
        .run("play 'Popeye=awful-bot --name popeye' awful-bot --json")
        .succeeds()
        .json();
    assert_eq!(game["players"][0]["name"], "Popeye");
}

fn a_file_with_a_shipped_name_is_ignored() {
    let dir = Dir::new();
    dir.file("awful", "#!/bin/sh\nexit 1\n").executable("awful");
    dir.run("play awful mediocre --seed 1").succeeds();
}

/// The options of a game, and the limits in milliseconds that its players get.
const LIMITS: [(&str, [u32; 2]); 6] = [
    ("", [5000, 5000]),
    ("--limit 1=20s --limit '2=1m 1ms'", [20_000, 60_001]),
    ("--limit 1500ms", [1500, 1500]),
    ("--limit 2m", [120_000, 120_000]),
    // Every language can read a number of 32 bits.
    ("--limit 365days", [2_147_483_647, 2_147_483_647]),
    ("--rules twist --max-turns 3 --limit 30s", [30_000, 30_000]),
];

fn a_bot_gets_its_limit_after_its_seed((options, limits): (&str, [u32; 2])) {
    let dir = Dir::new();
    dir.run(format!(
        "play awful mediocre --no-pause --transcript dialogue {options}"
    ))
    .ends();
    let dialogue = dir.text("dialogue");
    for (name, limit) in ["awful", "mediocre"].into_iter().zip(limits) {
        let to_player = format!(" {name} <- ");
        let lines = dialogue
            .lines()
            .filter_map(|line| Some(line.split_once(&to_player)?.1));
        let lines: Vec<_> = lines.collect();
        let seed = lines
            .iter()
            .position(|line| line.starts_with("seed "))
            .unwrap();
        assert_eq!(
            lines[seed + 1..seed + 3],
            [&format!("limit {limit}"), "place"]
        );
        assert_eq!(
            lines
                .iter()
                .filter(|line| line.starts_with("limit"))
                .count(),
            1
        );
    }
}

/// The calls by which lines are exchanged, but for those that read: the referee reads whole
/// programs too.
const CALLS: &str = "trace=write,poll,ppoll,epoll_wait,epoll_pwait,epoll_pwait2,sched_yield";

/// A request, a wait and the reply; the wait is saved where the kernel keeps to short time slices.
/// A count does not depend on how busy the machine is.
fn a_reply_takes_three_calls_at_most() {
    let dir = Dir::new();
    let referee = "referee match awful awful --games 20 --jobs 1 -q";
    dir.program("strace", format!("-f -c -e {CALLS} -o counts {referee}"))
        .succeeds();
    let counts = dir.text("counts");
    let total = counts
        .lines()
        .find(|line| line.ends_with(" total"))
        .unwrap();
    // Percent, seconds, microseconds a call, calls.
    let total: u32 = total.split_whitespace().nth(3).unwrap().parse().unwrap();
    // Each attacks a hundred cells in the same order. The starts of the programs take some hundreds
    // more.
    let replies = 200 * 20;
    assert!(
        (2 * replies..3 * replies + replies / 4).contains(&total),
        "{counts}"
    );
}

/// The most that `good` has in memory while it thinks for as long as it may.
#[cfg(target_os = "linux")]
fn a_budget_takes_little_memory() {
    let dir = Dir::new();
    let good = "good=sh -c 'ulimit -v 300000; exec good-bot --budget 2000'";
    let run = dir.run("play awful --json --max-turns 1").arg(good);
    run.fails(3, "");
    for budget in ["0", "2001", "fast"] {
        dir.program("good-bot", "--budget")
            .arg(budget)
            .fails(2, "--budget <MS>");
    }
}

const MENU: &str = "Select one of these choices for an example of the game:
  1.  A mini-game between two mediocre players
  2.  A mediocre player against a human player
  3.  A 100-game match between a mediocre and an awful player, with no pauses
Enter your choice: ";

fn the_demos_menu_is_the_samples() {
    let dir = Dir::new();
    let none = "You did not enter a choice\n";
    let wrong = "That's not one of the choices.\n";
    for (typed, answer) in [("", none), ("\n", none), ("4\n", wrong), ("x", wrong)] {
        let done = dir.run("demo").types(typed);
        done.exits(2).prints_all(&format!("{MENU}{answer}"));
    }
    let opening =
        "This mini-game has one ship, a 2-segment rowboat.\nPopeye's turn.  Board for Bluto:\n";
    let done = dir.run("demo --seed 1").types("1 please\n");
    done.exits(0).prints(&format!("{MENU}{opening}"));
}

fn the_demos_mini_game_is_popeyes() {
    let done = Dir::new().run("demo 1 --seed 2").succeeds();
    done.prints("destroyed the rowboat, resulting in:");
    let ends = ["Popeye wins!\n", "Bluto wins!\n"];
    assert!(
        ends.iter().any(|end| done.stdout.ends_with(end)),
        "{}",
        done.stdout
    );
}

fn the_demos_match_alternates_the_first_mover() {
    let done = Dir::new().run("demo 3 --games 4 --seed 1").succeeds();
    let line = "=".repeat(29);
    for (game, first) in [
        (1, "Awful Audrey"),
        (2, "Mediocre Mimi"),
        (3, "Awful Audrey"),
    ] {
        done.prints(&format!(
            "{line} Game {game} {line}\n{first}'s turn.  Board for "
        ));
    }
    let wins = done.stdout.matches("Mediocre Mimi wins!\n").count();
    assert_eq!(
        wins + done.stdout.matches("Awful Audrey wins!\n").count(),
        4
    );
    done.prints(&format!("The mediocre player won {wins} out of 4 games.\n"));
}

/// The input is for the menu, and behind it for the game.
fn the_demos_person_reads_the_input() {
    let fleet = "h\n0 0\nh\n1 0\nh\n2 0\nh\n3 0\nh\n4 0\n9 9\n";
    for (words, typed) in [("demo 2", fleet), ("demo", &*format!("2\n{fleet}"))] {
        let done = Dir::new().run(format!("{words} --seed 1")).types(typed);
        done.exits(0)
            .prints("Shuman the Human must place 5 ships.\n");
        done.prints("Shuman the Human attacked (9,9) and ");
        done.prints("\nShuman the Human resigned.\nMediocre Midori wins!\n");
    }
}

/// A reply to `attack`, and its cause, which `check` names too.
const WRONG: [(&str, &str); 4] = [
    (
        "attack (0,0)",
        "numbers are plain (3, not 3.0, 03 or +3), and there are no commas or parentheses",
    ),
    (
        "attack 0.0 0",
        "\"0.0\" is not a plain whole number of 32 bits",
    ),
    (
        "0 0",
        "The first word of the reply to attack has to be \"attack\", and it is \"0\"",
    ),
    ("Attack 0 0", "Words are in lower case: attack"),
];

fn a_wrong_reply_has_its_cause((reply, cause): (&str, &str)) {
    let dir = Dir::new();
    let bot = format!(
        "sh -c 'while read -r word rest; do case $word in battleship) echo ready;; \
         place) echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h;; attack) echo \"{reply}\";; quit) exit;; esac; done'"
    );
    dir.run("play --no-pause")
        .arg(format!("B={bot}"))
        .arg("awful")
        .succeeds()
        .warns(cause);
    let check = dir.run("check").arg(&bot).fails(4, "").stdout;
    let words = check.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(cause), "{check}");
}
