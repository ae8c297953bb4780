//! The documents show the output of the programs.

use std::collections::BTreeSet;

use referee::EXIT_CODES;
use serde_json::Value;
use testkit::list::{Tests, names};
use testkit::programs::{block, built, project_file, text_of};
use testkit::run::Dir;

use super::markdown::anchors;
use testkit::record::list;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        exit_codes_are_those_of_the_program,
        fields_of_records_are_described,
        fields_of_a_check_are_described,
        steps_of_a_check_are_described,
        tutorials_have_the_same_chapters,
        the_example_of_a_record_is_true,
        the_areas_of_hostile_bots_have_tests,
        attacks_of_the_players_are_those_measured,
        thoughts_of_good_are_as_shown,
        reasons_for_an_end_are_the_programs,
        ways_to_flush_are_described,
        the_guessing_game_prints_what_is_shown
    );
}

fn document(path: &str) -> String {
    text_of(project_file(path))
}

fn exit_codes_are_those_of_the_program() {
    let text = document("docs/exit-codes.md");
    let table = text.split("\n\n").nth(1).unwrap();
    let rows: Vec<_> = table.lines().skip(2).collect();
    let codes = EXIT_CODES.map(|(code, meaning)| format!("| {code} | {meaning} |"));
    assert_eq!(rows, codes);
}

/// The page has the code of each way that the advice on silence names.
fn ways_to_flush_are_described() {
    let text = document("docs/writing-a-bot.md").replace("\\|", "|");
    let (_, section) = text.split_once("\n## Flushing\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let ways = kits::LANGUAGES
        .iter()
        .flat_map(|language| language.flushing);
    let mut count = 0;
    for way in ways {
        count += 1;
        assert!(way.how.contains(way.code), "{way:?}");
        assert!(section.contains(&format!("`{}`", way.code)), "{way:?}");
    }
    assert!(count >= 12, "{count}");
}

#[track_caller]
fn describes(text: &str, values: &[&Value]) {
    for field in values
        .iter()
        .flat_map(|value| value.as_object().unwrap().keys())
    {
        assert!(
            text.contains(&format!("`{field}`")),
            "{field} is not described"
        );
    }
}

fn fields_of_records_are_described() {
    let dir = Dir::new();
    dir.run("match awful awful --games 2 --quiet --seed 1 --out match")
        .succeeds();
    let text = dir.text("match");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [header, game, _, series] = &lines[..] else {
        panic!("{} lines", lines.len())
    };
    let config = &header["config"];
    let text = document("docs/record.md");
    let (of_games, of_contests) = text.split_once("## The record of a contest").unwrap();
    describes(
        of_contests,
        &[
            header,
            config,
            &config["players"][0],
            &game["contest"],
            series,
        ],
    );
    let game = buoy();
    describes(of_games, &[&game, &game["players"][0], &game["ships"][0]]);
}

/// A game on two cells.
fn buoy() -> Value {
    let words = "play awful awful --json --rows 1 --cols 2 --ship '1 B buoy' --seed 1";
    Dir::new().run(words).succeeds().json()
}

fn the_example_of_a_record_is_true() {
    // Nor is the version of the referee the same in each release.
    let without_times = |mut record: Value| {
        record["referee"] = Value::Null;
        for shot in record["shots"].as_array_mut().unwrap() {
            shot[4] = Value::Null;
        }
        record
    };
    let text = document("docs/record.md");
    let shown = serde_json::from_str(block(&text, "### An example", "json")).unwrap();
    assert_eq!(without_times(buoy()), without_times(shown));
}

/// Chapters that one language has and another lacks are noticed by no reader of one language.
fn tutorials_have_the_same_chapters() {
    let chapters =
        |language| anchors(&document(&format!("docs/tutorial/{language}.md"))).split_off(1);
    let expected = chapters("python");
    assert!(expected.len() > 5, "{expected:?}");
    for language in ["cpp", "java", "rust"] {
        assert_eq!(chapters(language), expected, "{language}");
    }
}

fn check(options: &str) -> Value {
    let words = format!("check awful --json --grace 60s {options}");
    Dir::new().run(&words).ends().json()
}

fn steps_of_a_check_are_described() {
    let text = document("docs/checking-a-bot.md");
    for (heading, options) in [
        ("| for the classic game |", ""),
        ("| for the twist game |", "--rules twist"),
    ] {
        let table = text
            .split_once(heading)
            .unwrap()
            .1
            .split("\n\n")
            .next()
            .unwrap();
        let rows: Vec<_> = table
            .lines()
            .filter_map(|line| {
                line.strip_prefix("| ")?
                    .split(" | ")
                    .next()?
                    .split_once(". ")
            })
            .map(|(number, title)| (number.to_owned(), title.to_owned()))
            .collect();
        let report = check(options);
        let steps = list(&report["steps"]).iter();
        let steps: Vec<_> = steps
            .map(|step| {
                (
                    step["number"].to_string(),
                    step["title"].as_str().unwrap().to_owned(),
                )
            })
            .collect();
        assert_eq!(rows, steps);
    }
}

fn fields_of_a_check_are_described() {
    let text = document("docs/checking-a-bot.md");
    let report = check("");
    let steps = list(&report["steps"]);
    let mut findings = steps.iter().map(|step| &step["finding"]);
    let finding = findings.find(|finding| finding.is_object()).unwrap();
    let (_, described) = text.split_once("## As JSON").unwrap();
    describes(described, &[&report, &steps[0], finding, &report["times"]]);
}

/// A page that promises tests which are not there promises too much.
fn the_areas_of_hostile_bots_have_tests() {
    let page = document("docs/hostile-bots.md");
    let areas: BTreeSet<_> = page
        .split('`')
        .filter(|piece| piece.contains("::"))
        .collect();
    assert!(areas.len() > 5, "{areas:?}");
    let tests = names();
    let is_of = |test: &str, area: &str| {
        let rest = test.strip_prefix(area);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    for area in &areas {
        assert!(
            tests.iter().any(|test| is_of(test, area)),
            "{area} has no tests"
        );
    }
    for test in tests.iter().filter(|test| is_of(test, "hostile")) {
        let is_named = areas.iter().any(|area| is_of(test, area));
        assert!(is_named, "the page has no area for {test}");
    }
}

fn attacks_of_the_players_are_those_measured() {
    let page = document("docs/just-play.md");
    for shipped in bots::SHIPPED {
        if let Some(attacks) = shipped.attacks {
            let row = format!("\n| `{}` | {attacks:.1}", shipped.name);
            assert!(page.contains(&row), "{row}");
        }
    }
}

fn thoughts_of_good_are_as_shown() {
    let text = document("docs/how-good-plays.md");
    let dialogue = "battleship 1\ngame classic 10 10\nship 0 5 A ship\nship 1 4 B ship\nship 2 3 D ship\n\
                    ship 3 3 S ship\nship 4 2 P ship\nseed 1\nresult 4 4 miss\nresult 5 5 miss\n\
                    result 3 6 hit\nattack\nquit\n";
    let dir = Dir::new();
    let done = dir.program("good-bot", "--explain").types(dialogue);
    assert_eq!(
        done.stderr.trim_end(),
        block(&text, "## See good think", "text")
    );
}

/// `list` names all reasons to one who has typed another.
fn reasons_for_an_end_are_the_programs() {
    let dir = Dir::new();
    let done = dir
        .run("list m.jsonl --ended-by bored")
        .fails(2, "the reasons are ");
    let (_, list) = done.stderr.split_once("the reasons are ").unwrap();
    let reasons: Vec<_> = list.lines().next().unwrap().split(", ").collect();
    let protocol = document("protocol.md");
    for reason in &reasons {
        assert!(
            protocol.contains(&format!("`{reason}`")),
            "{reason} is not explained"
        );
    }
    for path in [
        "protocol.md",
        "docs/record.md",
        "docs/contests.md",
        "README.md",
    ] {
        let text = document(path);
        // The reason of a judge is free text.
        let text = text.split("\n## A judge\n").next().unwrap();
        for before in ["end won ", "end lost ", "end void ", "\"ended_by\":\""] {
            for rest in text.split(before).skip(1) {
                let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '_');
                let word = &rest[..end.unwrap_or(rest.len())];
                assert!(
                    word.is_empty() || reasons.contains(&word),
                    "{path}: {word:?}"
                );
            }
        }
    }
}

fn the_guessing_game_prints_what_is_shown() {
    let page = document("docs/your-own-game.md");
    let shown = block(&page, "### A referee of another game", "text");
    let done = Dir::new()
        .program(&built("examples/guessing"), "")
        .succeeds();
    assert_eq!(done.stdout.trim_end(), shown);
}
