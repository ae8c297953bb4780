//! Matches: what they count, show, survive and stop at.

use std::io::Read;
use std::process::Stdio;

use serde_json::{Value, json};

use testkit::arena::until;
use testkit::list::{Tests, Tier};
use testkit::record::{lines_in, list};
use testkit::run::{Dir, Signal, signal};
use testkit::text::has;
use testkit::tools::{LANDLOCK, NAMESPACES, PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        mediocre_wins_most_games_against_awful,
        a_player_against_itself_wins_every_other_game,
        a_fault_costs_one_game,
        a_player_that_stops_starting_loses_the_rest,
        a_player_that_starts_again_is_tried_again,
        a_player_that_cannot_play_is_named,
        a_sequential_test_stops_at_the_decisive_pair,
        bounds_chosen_later_promise_no_error_rates,
        the_summary_is_for_people,
        an_interrupted_match_can_be_continued,
        interrupt_counts_though_nobody_reads,
        program_changed_meanwhile_ends_the_contest
    );
    rows!(tests, SENTENCES, a_match_ends_with_what_it_shows);
    rows!(tests, REPLACED, a_replaced_referee_ends_its_match, 1);
    tests.tier(Tier::Thorough, |tests| {
        add!(tests, memory_does_not_grow_with_the_games);
    });
    tests.needing(&[PYTHON], |tests| {
        add!(tests, a_bot_is_started_in_its_folder);
        tests.needing(&[LANDLOCK, NAMESPACES], |tests| {
            add!(tests, a_confined_bot_is_started_in_its_folder);
        });
    });
}

fn summary(words: &str) -> Value {
    Dir::new()
        .run(format!("match --json -q {words}"))
        .succeeds()
        .json()
}

fn mediocre_wins_most_games_against_awful() {
    let summary = summary("awful mediocre --games 100 --seed 1");
    assert_eq!([&summary["games"], &summary["series"]], [100, 5]);
    let wins = |player: usize, results: &str| {
        summary["players"][player][results]["wins"]
            .as_u64()
            .unwrap()
    };
    assert!((90..=98).contains(&wins(1, "results")), "{summary:#}");
    assert_eq!(wins(0, "results") + wins(1, "results"), 100);
    for player in [0, 1] {
        assert_eq!(
            wins(player, "results"),
            wins(player, "moving_first") + wins(player, "moving_second")
        );
        assert_eq!(summary["players"][player]["faults"], json!({}));
        assert_eq!(summary["players"][player]["wasted"], 0);
    }
    let pairs = &summary["pairings"][0]["pairs"];
    let counts: Vec<f64> = serde_json::from_value(pairs["counts"].clone()).unwrap();
    assert!((counts.iter().sum::<f64>() - 50.0).abs() < 1e-9);
    let points: f64 = [0.0, 0.5, 1.0, 1.5, 2.0]
        .iter()
        .zip(&counts)
        .map(|(p, n)| p * n)
        .sum();
    assert!((points / 100.0 - pairs["score"].as_f64().unwrap()).abs() < 1e-9);
}

/// The first mover gets the first of two seeds, so between equals each wins one game of a pair.
/// Pairs that are all alike have an interval of the score, and none of normalized Elo.
fn a_player_against_itself_wins_every_other_game() {
    let words = "awful awful --games 20 --seed 5";
    let summary = summary(words);
    assert_eq!(summary["players"][1]["name"], "awful 2");
    let pairs = &summary["pairings"][0]["pairs"];
    assert_eq!(pairs["counts"], json!([0, 0, 10, 0, 0]));
    let interval = &summary["players"][0]["score"]["wilson"];
    assert_eq!(interval, &pairs["interval"]);
    assert!(interval["low"].as_f64().unwrap() < 0.45 && interval["high"].as_f64().unwrap() > 0.55);
    assert_eq!(
        pairs["normalized_elo"],
        json!({"elo": 0.0, "low": null, "high": null})
    );
    let done = Dir::new().run(format!("match -q {words}")).succeeds();
    done.prints("normalized Elo +0 (no interval: too few pairs differ)");
}

fn a_fault_costs_one_game() {
    let dir = Dir::new();
    let rogue = "rogue=test-bot act --after 100 --stderr '\u{1b}[2JI give up' exit 3";
    let run = dir
        .run("match --games 20 --seed 1 --json -q --out m")
        .arg(rogue)
        .arg("awful");
    let rogue = &run.succeeds().json()["players"][0];
    let faults = rogue["faults"]["exited"].as_u64().unwrap();
    assert!(faults > 2 && faults < 20, "{rogue}");
    assert_eq!(rogue["games"], 20);
    let reason = rogue["worst_game"]["why"].as_str().unwrap();
    has(reason, "I give up");
    // The end of its dialogue is in the record, for a terminal.
    let record = dir.record("m");
    let said = record
        .lines
        .iter()
        .find_map(|line| line["said"].as_array())
        .unwrap();
    let lines: Vec<_> = list(&said[0]["lines"])
        .iter()
        .map(|line| line.as_str().unwrap())
        .collect();
    for end in ["rogue !! \\u{1b}[2JI give up", "rogue <- attack"] {
        assert!(lines.iter().any(|line| line.ends_with(end)), "{lines:?}");
    }
}

/// The match does not wait for such a bot again in every game.
fn a_player_that_stops_starting_loses_the_rest() {
    let dir = Dir::new();
    // The two of the check and one of the first series start; later ones do not.
    let script = "echo x >> starts\n[ $(wc -l < starts) -le 3 ] || exit 9\nexec test-bot act --after 6 exit 1\n";
    dir.file("bot.sh", script);
    let done = dir
        .run("match --json -q 'sh bot.sh' awful --games 20 --seed 1 --jobs 1")
        .succeeds();
    let summary = done.json();
    assert_eq!(
        summary["players"][0]["faults"],
        json!({"exited": 1, "could_not_start": 19})
    );
    assert_eq!(summary["players"][1]["results"]["wins"], 20);
    assert_eq!(dir.text("starts").lines().count(), 2 + 1 + 2);
}

/// Only two failures in a row end its series.
fn a_player_that_starts_again_is_tried_again() {
    let dir = Dir::new();
    // The two of the check start, and then every second one.
    let script = "echo x >> starts\nn=$(wc -l < starts)\n[ $n -le 2 ] || [ $((n % 2)) = 0 ] || exit 9\nexec test-bot act --after 6 exit 1\n";
    dir.file("bot.sh", script);
    let done = dir
        .run("match --json -q 'sh bot.sh' awful --games 8 --seed 1 --jobs 1")
        .succeeds();
    let faults = json!({"exited": 4, "could_not_start": 4});
    assert_eq!(done.json()["players"][0]["faults"], faults);
}

fn a_player_that_cannot_play_is_named() {
    let dir = Dir::new();
    let done = dir.run("match 'rogue=test-bot act crash' no-program --games 2");
    let done = done.fails(4, "rogue cannot play: was ended by signal 6");
    done.warns("no-program cannot play: could not start: no program");
}

/// It was looked at the ends of series only, and longer matches were refused.
fn a_sequential_test_stops_at_the_decisive_pair() {
    let dir = Dir::new();
    let run = |words: &str| {
        let match_ =
            "match mediocre awful --games 5000000 --seed 3 --json -q --sprt elo0=0,elo1=200";
        dir.run(format!("{match_} {words}")).succeeds().json()
    };
    let first = run("--series 200 --jobs 1 --out one");
    let games = first["games"].as_u64().unwrap();
    assert!((4..80).contains(&games) && games % 2 == 0, "{first}");
    assert_eq!(
        [&first["finish"], &first["sprt"]["decision"]],
        ["decided", "accept_h1"]
    );
    let record = dir.record("one");
    // The header, the games and the end of the series, which was cut.
    assert_eq!(record.lines.len() as u64, 1 + games + 1);
    assert_eq!(record.lines.last().unwrap()["games"], games);
    run("--series 200 --jobs 4 --out four");
    assert_eq!(dir.record("four"), record);
    // The series are others where they are shorter, but the pairs and with them the decision are
    // not.
    let pairs = |summary: &Value| summary["pairings"][0]["pairs"]["counts"].clone();
    assert_eq!(
        pairs(&run("--series 2 --jobs 2 --out short")),
        pairs(&first)
    );
    // The record has the decision, so nothing is played again; cut off in the middle it is played
    // to the same end.
    let before = dir.text("one");
    assert_eq!(
        pairs(&run("--series 200 --out one --resume")),
        pairs(&first)
    );
    assert_eq!(dir.text("one"), before);
    let lines: Vec<_> = before.split_inclusive('\n').collect();
    dir.file("one", lines[..lines.len() - 3].concat());
    assert_eq!(
        pairs(&run("--series 200 --out one --resume")),
        pairs(&first)
    );
    assert_eq!(dir.record("one"), record);
    // Another test continues from there, with whole series.
    let words = "match mediocre awful --games 5000000 --seed 3 -q --series 200 --out one --resume";
    let done = dir
        .run(format!("{words} --sprt elo0=0,elo1=200,alpha=0.000001"))
        .succeeds();
    done.prints("so its error rates do not hold");
    assert!(dir.record("one").lines.len() > record.lines.len());
}

/// A match, and the beginning of its last sentence.
const SENTENCES: [(&str, &str); 3] = [
    (
        "awful mediocre --games 100",
        "mediocre is the better one: 9",
    ),
    (
        "awful awful --games 20",
        "Too close to call after 20 games: the players are even so far.",
    ),
    (
        "awful mediocre --games 2",
        "Too close to call after 2 games; about ",
    ),
];

fn a_match_ends_with_what_it_shows((words, sentence): (&str, &str)) {
    let done = Dir::new()
        .run(format!("match {words} --seed 1 -q"))
        .succeeds();
    let last = done.stdout.lines().last().unwrap();
    assert!(last.starts_with(sentence), "{last}");
    if sentence.contains("better one: 9") {
        assert!(
            last.contains(" of 100, at least ") && last.ends_with("% with 95% confidence."),
            "{last}"
        );
    }
}

fn the_summary_is_for_people() {
    let done = Dir::new()
        .run("match awful mediocre --games 20 --seed 1 -q")
        .succeeds();
    done.is_quiet()
        .prints(" mediocre   (20 games, 1 series, seed 1)\n")
        .prints("moving first");
    done.prints("likelihood of superiority")
        .prints("Worst game of awful: game ")
        .prints("  referee play ");
    let done = Dir::new()
        .run("match awful awful --games 2 --seed 1 --jobs 1000 -q")
        .succeeds();
    done.warns("1000 games at once are more than this machine has cores");
}

/// The most memory that a process has had, in kB, if it lives.
fn peak_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.parse().ok()
}

fn memory_does_not_grow_with_the_games() {
    let dir = Dir::new();
    let run = dir.run("match awful awful -q --games 4000 --out m").small();
    let mut child = run.stdout(Stdio::null()).spawn();
    let mut first = None;
    let mut last = None;
    until("the match is over", || {
        last = peak_memory(child.id()).or(last);
        if first.is_none() && lines_in(dir.path("m")) >= 1000 {
            first = last;
        }
        child.try_wait().unwrap().is_some()
    });
    assert!(child.wait().unwrap().success());
    // A header, and a line for each game and each series.
    assert_eq!(lines_in(dir.path("m")), 1 + 4000 + 200);
    let [first, last] = [first, last].map(Option::unwrap);
    assert!(
        last * 10 <= first * 12,
        "{first} kB after 1000 games, {last} kB at last"
    );
}

fn bounds_chosen_later_promise_no_error_rates() {
    let dir = Dir::new();
    let words = "match mediocre awful -q --series 4 --out";
    let first = "--games 4 --sprt elo0=0,elo1=300";
    dir.run(format!("{words} m {first}")).small().succeeds();
    let planned = dir
        .run(format!(
            "{words} m --games 400 --sprt elo0=0,elo1=300 --resume"
        ))
        .small()
        .succeeds();
    planned
        .prints("the test is wrong in at most 5%")
        .lacks("the contest began");
    dir.run(format!("{words} n --games 4")).small().succeeds();
    let late = dir
        .run(format!(
            "{words} n --games 400 --sprt elo0=0,elo1=300 --resume"
        ))
        .small()
        .succeeds();
    late.warns("the contest began without --sprt; the error rates of --sprt elo0=0")
        .prints("so its error rates do not hold");
}

/// Without this rule a record has games of two programs, and --resume continues the record.
fn program_changed_meanwhile_ends_the_contest() {
    let dir = Dir::new();
    let bot = "#!/bin/sh\nexec referee bot awful\n";
    dir.file("bot.sh", bot);
    let words = "match 'bot=sh bot.sh' mediocre --games 100000 --series 2 --seed 1 --out m -q";
    let done = dir.run(words).until(
        || lines_in(dir.path("m")) > 4,
        |_| {
            dir.file("bot.sh", format!("{bot}# changed\n"));
        },
    );
    done.exits(1)
        .warns("bot: bot.sh has changed since the contest began")
        .warns("this continues:");
    let resumed = dir.run(format!("{words} --resume")).ends();
    resumed.exits(2).warns("bot: bot.sh has changed since game");
}

/// In `match ... | tee log` Ctrl-C ends tee first, and the match looked finished.
fn interrupt_counts_though_nobody_reads() {
    let dir = Dir::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut referee = dir
        .run("match awful mediocre --games 40000 --seed 1 --out m")
        .stdout(writer)
        .piped_stderr();
    until("some games are recorded", || lines_in(dir.path("m")) > 10);
    signal(referee.id(), Signal::INT);
    let mut said = String::new();
    let stderr = referee.stderr.as_mut().unwrap();
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(referee.wait().unwrap().code(), Some(130), "{said}");
    has(&said, "this continues:");
}

/// Ctrl-C once: the running games are played to their end, and what was played is saved.
fn an_interrupted_match_can_be_continued() {
    let dir = Dir::new();
    let words = "match awful mediocre -q --json --games 60 --series 4";
    dir.run(format!("{words} --out whole")).small().succeeds();
    let run = dir
        .run(format!("{words} --out m"))
        .small()
        .interrupted(|| lines_in(dir.path("m")) > 10);
    run.exits(130).warns("games; this continues:\n");
    assert!(
        run.stderr.trim_end().ends_with("--resume"),
        "{}",
        run.stderr
    );
    assert_eq!(run.json()["finish"], "interrupted");
    // Every game that was played is in the record.
    assert_eq!(run.json()["games"], dir.record("m").games().len());
    dir.run(format!("{words} --out m --resume"))
        .small()
        .succeeds();
    assert_eq!(dir.record("m"), dir.record("whole"));
}

/// Commands for a shell that replace the program of a referee.
const REPLACED: [(&str, &str); 2] = [
    ("by another file", "touch new && mv new referee"),
    ("moved away", "mv referee old"),
];

/// As by a build or an update meanwhile: the shipped players would be others from then on.
fn a_replaced_referee_ends_its_match((_, command): (&str, &str)) {
    let dir = Dir::new();
    testkit::programs::referee_in(&dir.path(""));
    let run = dir
        .program(
            "./referee",
            "match awful mediocre --games 100000 --series 2 -q --out m",
        )
        .small();
    let done = run.until(
        || lines_in(dir.path("m")) > 1,
        |_| {
            dir.program("sh", "-c").arg(command).succeeds();
        },
    );
    done.exits(1).warns("was replaced or removed while it ran");
}

/// A bot that plays only if it finds a file beside itself by a relative name. It becomes a player
/// of the referee's, which is in no world by itself.
fn plays_in_its_folder(options: &str) {
    let dir = Dir::new();
    let bot = "import os\nreferee = open('weights.bin').read()\nos.execv(referee, ['referee', 'bot', 'awful'])\n";
    let referee = testkit::programs::built("referee");
    dir.file("my bots/one/bot.py", bot)
        .file("my bots/one/weights.bin", &referee);
    let programs = std::path::Path::new(&referee).parent().unwrap().display();
    let options = options.replace("PROGRAMS", &format!("'{programs}'"));
    for player in [
        "'Popeye the Sailor@my bots/one=python3' bot.py",
        "'@my bots/one=python3' bot.py",
    ] {
        let run = dir
            .run(format!("play --json --seed 1 {options}"))
            .arg(player)
            .arg("mediocre");
        let game = run.succeeds().game();
        assert_eq!(game.text("ended_by"), "fleet_sunk");
        assert_eq!(game.0["players"][0]["command"], "python3 bot.py");
    }
}

fn a_bot_is_started_in_its_folder() {
    plays_in_its_folder("");
    Dir::new()
        .run("play Popeye@no/such=./bot awful")
        .fails(2, "there is no folder \"no/such\"");
}

fn a_confined_bot_is_started_in_its_folder() {
    plays_in_its_folder("--sandbox --allow PROGRAMS");
}
