//! The documents show the output of the programs.

use std::collections::BTreeSet;

use battleship_referee::cli::EXIT_CODES;
use serde_json::Value;
use testkit::list::Tests;
use testkit::programs::{block, built, play, project_file, referee, text_of};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            the_exit_codes_are_those_that_the_program_has,
            the_fields_of_a_contests_record_are_described,
            the_tutorial_has_the_same_chapters_in_all_languages,
            the_steps_of_a_check_are_those_that_are_described,
            the_fields_of_a_check_are_described,
            the_record_in_its_description_is_the_one_that_is_written,
            the_tests_of_hostile_bots_are_in_the_areas_that_the_page_names,
            the_players_are_in_the_documents_with_their_attacks,
            the_picture_of_what_good_thinks_is_what_it_says,
            the_protocol_explains_every_reason_for_an_end,
            every_word_behind_end_or_ended_by_in_the_documents_is_a_reason
        );
    });
    #[cfg(unix)]
    {
        tests.needing(&[UNIX], |tests| {
            add!(
                tests,
                the_referee_of_another_game_prints_what_its_page_shows
            );
        });
    }
}

fn the_exit_codes_are_those_that_the_program_has() {
    let text = text_of(project_file("docs/exit-codes.md"));
    let table = text.split("\n\n").nth(1).unwrap();
    let rows: Vec<_> = table.lines().skip(2).map(str::to_owned).collect();
    let codes = EXIT_CODES.map(|(code, meaning)| format!("| {code} | {meaning} |"));
    assert_eq!(rows, codes);
}

fn the_fields_of_a_contests_record_are_described() {
    let text = text_of(project_file("docs/record.md"));
    let described = text.split_once("## The record of a contest").unwrap().1;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match");
    let mut command = referee();
    command.args([
        "match", "awful", "awful", "--games", "2", "--quiet", "--seed", "1", "--out",
    ]);
    command.arg(&file).assert().success();
    let lines: Vec<Value> = text_of(&file)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [header, game, _, series] = &lines[..] else {
        panic!("{} lines", lines.len())
    };
    let (config, player) = (&header["config"], &header["config"]["players"][0]);
    for part in [header, config, player, &game["contest"], series] {
        for field in part.as_object().unwrap().keys() {
            assert!(
                described.contains(&format!("`{field}`")),
                "{field} is described"
            );
        }
    }
}

/// Chapters that one language has and another lacks are noticed by no reader of one language.
fn the_tutorial_has_the_same_chapters_in_all_languages() {
    let headings = |language: &str| {
        let text = text_of(project_file(format!("docs/tutorial/{language}.md")));
        super::markdown::anchors(&text).split_off(1)
    };
    let expected = headings("python");
    assert!(expected.len() > 5, "{expected:?}");
    for language in ["cpp", "java", "rust"] {
        assert_eq!(headings(language), expected, "{language}");
    }
}

/// The steps that `referee check` does of a bot, and their sentences.
fn checked(options: &[&str]) -> Vec<(String, String)> {
    let command = ["check", "awful", "--json", "--grace", "60s"];
    let output = referee()
        .args(command)
        .args(options)
        .output()
        .unwrap()
        .stdout;
    let report: Value = serde_json::from_slice(&output).unwrap();
    let text = |value: &Value| value.to_string().trim_matches('"').to_owned();
    let step = |step: &Value| (text(&step["number"]), text(&step["title"]));
    report["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(step)
        .collect()
}

fn the_steps_of_a_check_are_those_that_are_described() {
    let text = text_of(project_file("docs/checking-a-bot.md"));
    for (heading, options) in [
        ("| for the classic game |", &[][..]),
        ("| for the twist game |", &["--rules", "twist"]),
    ] {
        let table = text
            .split_once(heading)
            .unwrap()
            .1
            .split("\n\n")
            .next()
            .unwrap();
        let rows = table
            .lines()
            .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        let rows: Vec<_> = rows.filter_map(|row| row.split_once(". ")).collect();
        let steps = checked(options);
        let steps: Vec<_> = steps
            .iter()
            .map(|(number, title)| (&**number, &**title))
            .collect();
        assert_eq!(rows, steps);
    }
}

fn the_fields_of_a_check_are_described() {
    let text = text_of(project_file("docs/checking-a-bot.md"));
    let described = text.split_once("## As JSON").unwrap().1;
    let output = referee()
        .args(["check", "awful", "--json"])
        .output()
        .unwrap()
        .stdout;
    let report: Value = serde_json::from_slice(&output).unwrap();
    let steps = report["steps"].as_array().unwrap();
    let finding = steps
        .iter()
        .map(|step| &step["finding"])
        .find(|finding| finding.is_object());
    for part in [&report, &steps[0], finding.unwrap(), &report["times"]] {
        for field in part.as_object().unwrap().keys() {
            assert!(
                described.contains(&format!("`{field}`")),
                "{field} is described"
            );
        }
    }
}

fn the_record_in_its_description_is_the_one_that_is_written() {
    let text = text_of(project_file("docs/record.md"));
    // Nor is the version of the referee the same in each release.
    let without_times = |mut record: Value| {
        record["referee"] = Value::Null;
        for shot in record["shots"].as_array_mut().unwrap() {
            shot[4] = Value::Null;
        }
        record
    };
    let shown: Value = serde_json::from_str(block(&text, "### An example", "json")).unwrap();
    let options = [
        "--rows", "1", "--cols", "2", "--ship", "1 B buoy", "--seed", "1",
    ];
    let (record, _) = play(["awful", "awful"], &options);
    for part in [&record, &record["players"][0], &record["ships"][0]] {
        for field in part.as_object().unwrap().keys() {
            assert!(text.contains(&format!("`{field}`")), "{field} is described");
        }
    }
    assert_eq!(without_times(record), without_times(shown));
}

/// A page that promises tests which are not there promises too much.
fn the_tests_of_hostile_bots_are_in_the_areas_that_the_page_names() {
    let page = text_of(project_file("docs/hostile-bots.md"));
    let areas: BTreeSet<_> = page
        .split('`')
        .filter(|piece| piece.contains("::"))
        .collect();
    assert!(areas.len() > 5, "{areas:?}");
    let tests: BTreeSet<_> = testkit::list::names().clone();
    let is_of = |test: &str, area: &str| {
        test.strip_prefix(area)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    for area in &areas {
        assert!(
            tests.iter().any(|test| is_of(test, area)),
            "{area} has no tests"
        );
    }
    for test in tests.iter().filter(|test| is_of(test, "hostile")) {
        assert!(
            areas.iter().any(|area| is_of(test, area)),
            "the page has no area for {test}"
        );
    }
}

#[cfg(unix)]
fn the_referee_of_another_game_prints_what_its_page_shows() {
    let page = text_of(project_file("docs/embedding.md"));
    let output = std::process::Command::new(built("examples/guessing"))
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        printed.trim_end(),
        block(&page, "## A referee of another game", "text")
    );
}

fn the_players_are_in_the_documents_with_their_attacks() {
    let page = text_of(project_file("docs/just-play.md"));
    for shipped in battleship_bots::SHIPPED {
        if let Some(attacks) = shipped.attacks {
            let row = format!("\n| `{}` | {attacks:.1}", shipped.name);
            assert!(page.contains(&row), "{row}");
        }
    }
}

fn the_picture_of_what_good_thinks_is_what_it_says() {
    let text = text_of(project_file("docs/how-good-plays.md"));
    let picture = block(&text, "## See good think", "text");
    let dialogue = "battleship 1\ngame classic 10 10\nship 0 5 A ship\nship 1 4 B ship\nship 2 3 D ship\n\
                    ship 3 3 S ship\nship 4 2 P ship\nseed 1\nresult 4 4 miss\nresult 5 5 miss\n\
                    result 3 6 hit\nattack\nquit\n";
    let mut good = assert_cmd::Command::new(env!("CARGO_BIN_EXE_good-bot"));
    let output = good
        .arg("--explain")
        .write_stdin(dialogue)
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap().trim_end(),
        picture
    );
}

/// The words for the reasons of a game's end, as the referee names them to one who has typed another.
fn reasons() -> Vec<String> {
    let output = referee()
        .args(["list", "m.jsonl", "--ended-by", "bored"])
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    let list = message
        .split_once("the reasons are ")
        .unwrap()
        .1
        .lines()
        .next()
        .unwrap();
    list.split(", ").map(str::to_owned).collect()
}

fn the_protocol_explains_every_reason_for_an_end() {
    let protocol = text_of(project_file("protocol.md"));
    for reason in reasons() {
        assert!(
            protocol.contains(&format!("`{reason}`")),
            "{reason} is not explained"
        );
    }
}

fn every_word_behind_end_or_ended_by_in_the_documents_is_a_reason() {
    let reasons = reasons();
    for path in [
        "protocol.md",
        "docs/record.md",
        "docs/contests.md",
        "README.md",
    ] {
        let text = text_of(project_file(path));
        let ends = ["end won ", "end lost ", "end void ", "\"ended_by\":\""];
        let words = ends
            .iter()
            .flat_map(|before| text.split(before).skip(1))
            .map(|rest| {
                let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '_');
                &rest[..end.unwrap_or(rest.len())]
            });
        for word in words.filter(|word| !word.is_empty()) {
            assert!(
                reasons.iter().any(|reason| reason == word),
                "{path}: {word:?}"
            );
        }
    }
}
