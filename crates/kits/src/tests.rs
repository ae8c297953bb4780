//! Tests of the table as a whole.

use std::path::Path;

use super::*;

#[test]
fn each_bot_says_its_name_once() {
    for Kit {
        own_name,
        yours,
        files,
        ..
    } in kits()
    {
        let Some(own) = own_name else { continue };
        let (_, text) = files.iter().find(|(path, _)| path == yours).unwrap();
        assert_eq!(text.matches(&format!("\"{own}\"")).count(), 1, "{own}");
    }
}

#[test]
fn a_bot_made_of_a_kit_is_recognized() {
    for kit in kits().into_iter().filter(|kit| kit.own_name.is_some()) {
        let markers = || LANGUAGES.iter().flat_map(|language| language.markers);
        let has = |marker: &Marker| kit.files.iter().any(|(path, _)| *path == marker.file);
        assert!(markers().any(has), "{}", kit.language());
    }
}

#[test]
fn each_word_is_of_one_language() {
    let names = || LANGUAGES.iter().flat_map(|language| language.interpreters);
    let endings = || all_endings().map(|(_, ending)| ending.ending);
    let kits = || kits().into_iter().flat_map(|kit| kit.names);
    let tools = || all_tools().map(|tool| tool.name);
    assert!(names().all(|name| names().filter(|other| *other == name).count() == 1));
    assert!(endings().all(|ending| endings().filter(|other| *other == ending).count() == 1));
    assert!(kits().all(|name| kits().filter(|other| *other == name).count() == 1));
    assert!(tools().all(|tool| tools().filter(|other| *other == tool).count() == 1));
}

#[test]
fn interpreters_and_files_are_known_by_their_names() {
    assert_eq!(interpreted_by("python3.12").unwrap().name, "Python");
    assert!(interpreted_by("mybot").is_none());
    assert_eq!(
        kind_of_file(Path::new("bots/bot.mjs")).unwrap().0.name,
        "JavaScript"
    );
    assert!(kind_of_file(Path::new("bots.py/bot")).is_none());
    assert!(is_byproduct("a.pyc") && is_byproduct("bot.c~") && !is_byproduct("bot.c"));
}

/// Without the variable there is no referee to fetch, and a job that fails.
#[test]
fn the_workflow_of_a_kit_waits_for_its_variable() {
    let kit = kit_called("python").unwrap();
    let files = kit.files_of("bot");
    let (_, workflow) = files
        .iter()
        .find(|(path, _)| path.ends_with("check.yml"))
        .unwrap();
    let job = workflow.split("  check:\n").nth(1).unwrap();
    assert!(job.starts_with("    if: vars.REFEREE != ''\n"), "{job}");
}
