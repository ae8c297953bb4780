//! Verdicts and points that do not depend on when somebody looks, or on what the machine lacks.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::class::Class;
use testkit::list::Tests;
use testkit::tools::NAMESPACES;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[NAMESPACES], |tests| {
        add!(
            tests,
            a_look_at_a_report_changes_nothing,
            a_bot_that_finishes_a_game_plays,
            what_waits_has_no_points
        );
    });
    add!(
        tests,
        a_lost_module_is_no_fault_of_students,
        an_added_module_has_its_bot_checked
    );
}

/// Each check of one bot was a new one, with another result.
fn a_look_at_a_report_changes_nothing() {
    let class = Class::new("ada bob");
    for id in ["ada", "bob"] {
        class.plain(id);
        class.adds(id);
    }
    class.run("intake");
    // A new bot is checked.
    let first = class.run("check ada").stdout;
    assert!(first.starts_with("ada  sound\n"), "{first}");
    for _ in 0..3 {
        assert_eq!(class.run("check ada").stdout, first);
    }
    class.run("check").prints("1 checked: ");
    let again = class.run("check ada --again").stdout;
    let (before, after) = again
        .split_once("\nAnother check, which does not change the verdict, ended at ")
        .expect(&again);
    assert_eq!(before, first);
    assert!(after.contains("ada  sound\n"), "{after}");
    assert_eq!(class.run("check ada").stdout, again);
    class.run("site");
    class.pages_have(&[("ada", "Another check, which ended at ")]);
    class.step("check --again").fails(2, "ID");
}

/// With this secret the bot fails in 8 of the 10 games of its check, by its seeds.
fn a_bot_that_finishes_a_game_plays() {
    let class = Class::new("ada");
    class.fix_games();
    let fails = "seed*) [ $((${word#seed } % 4)) = 0 ] || exit 3 ;;\nplace*) cell=0;";
    class.plain("ada");
    class.edit("ada/bot.sh", "place*) cell=0;", fails);
    class.adds("ada");
    class.run("intake");
    class.run("check ada").prints("ada  faulty  ");
    assert!(class.plays() > 0);
}

/// Makes a bot that starts only while the file `module` is there. It has no sandbox, and so sees
/// the file.
fn needs_module(class: &Class, id: &str) {
    let module = class.desk.path("module");
    class.plain(id);
    let starts = format!(
        "[ -e '{}' ] || {{ echo no module >&2; exit 3; }}\nwhile read",
        module.display()
    );
    class.edit(&format!("{id}/bot.sh"), "while read", &starts);
    class.adds(id);
}

/// The row of a student in the table of grades, up to the points; and the reason.
fn row(table: &str, id: &str) -> String {
    let mut lines = table.lines();
    let line = lines.find(|line| line.starts_with(&format!("{id},")));
    line.expect(id).to_owned()
}

/// Each of its games was lost for good: it could not start.
fn a_lost_module_is_no_fault_of_students() {
    let class = Class::new("ada bob");
    class.fix_games();
    class.set("[build]", "[game]\nsandbox = false\n[build]");
    class.desk.file("module", "");
    needs_module(&class, "ada");
    class.plain("bob");
    class.adds("bob");
    class.run("intake");
    class.run("check").prints("2 checked: 2 sound, ");
    fs::remove_file(class.desk.path("module")).unwrap();
    for _ in 0..2 {
        let play = class.step("play").ends();
        play.exits(1);
        play.warns("could not be started: ada: the bot started in its check, and does not now: ");
        play.warns("no module");
        play.warns("the next night tries these again");
    }
    assert!(class.is_whole() >= 4);
    assert_eq!(class.games().len(), 4, "those of bob");
    let grade = class.step("grade").ends();
    grade.exits(1);
    grade.warns("1 student waits for this machine (");
    assert!(
        row(&grade.stdout, "bob").starts_with("bob,,,40,yes,"),
        "{grade:?}"
    );
    let ada = row(&grade.stdout, "ada");
    assert!(
        ada.starts_with("ada,,,,") && ada.contains("no module"),
        "{ada}"
    );
    class.step("check").fails(1, "could not be checked: ada: ");
    // The pages name no fault of the student.
    class.run("site");
    assert!(!class.page("ada").contains(">Forfeits: "));
    class.pages_have(&[("ada", "does not start on the machine of the class now")]);
    class.desk.file("module", "");
    class.run("check");
    assert!(class.plays() >= 4);
    let grades = class.run("grade").stdout;
    assert!(row(&grades, "ada").starts_with("ada,,,40,yes,"), "{grades}");
}

fn an_added_module_has_its_bot_checked() {
    let class = Class::new("ada");
    class.set("[build]", "[game]\nsandbox = false\n[build]");
    needs_module(&class, "ada");
    class.run("intake");
    class.run("check").prints("1 unfit to play");
    class
        .run("check")
        .prints_all("every bot has been checked\n");
    class.desk.file("module", "");
    class.run("check").prints("1 checked: 1 sound, ");
    class
        .run("check")
        .prints_all("every bot has been checked\n");
    assert!(class.plays() >= 4);
}

/// The table had 0 points, and the command no error.
fn what_waits_has_no_points() {
    let class = Class::new("ada none ruby");
    class.fix_games();
    class.plain("ada");
    class.adds("ada");
    class.hands_in(
        "ruby",
        &[("bot.rb", "exit"), ("bot.toml", "run = 'ruby bot.rb'\n")],
    );
    let grades = |sentence: &str| {
        let done = class.step("grade --gradescope results").ends();
        done.exits(1);
        done.warns(sentence);
        for line in done.stdout.lines().skip(1) {
            assert!(
                line.starts_with("ada,,,40,") || !line.ends_with(','),
                "{line}"
            );
        }
        assert!(
            row(&done.stdout, "none").starts_with("none,,,0,no,"),
            "{done:?}"
        );
        done.stdout
    };
    let waits = |table: &str, id: &str, why: &str| {
        let row = row(table, id);
        assert!(
            row.starts_with(&format!("{id},,,,")) && row.contains(why),
            "{row}"
        );
        let text = class.desk.text(&format!("results/{id}/results.json"));
        let results: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(results["score"], Value::Null);
        for test in results["tests"].as_array().unwrap() {
            assert_eq!(test["score"], Value::Null, "{text}");
        }
        assert_ne!(results["output"], "");
    };
    let table = grades("2 students wait for intake: these are not grades");
    waits(&table, "ada", "not looked at yet");
    // A machine without ruby.
    let tools = class.desk.path("tools");
    fs::create_dir(&tools).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let mut paths = std::env::split_paths(&path).map(|folder| folder.join("sh"));
    symlink(paths.find(|path| path.is_file()).unwrap(), tools.join("sh")).unwrap();
    let intake = class.step("intake").env("PATH", &tools);
    intake.fails(
        1,
        "could not be built: ruby: ruby is not installed on this machine",
    );
    let table =
        grades("1 student waits for this machine (ruby), 1 for check: these are not grades");
    waits(&table, "ruby", "waits for the machine of the class");
    class.run("check");
    let table =
        grades("1 student waits for this machine (ruby), 1 for games: these are not grades");
    waits(&table, "ada", "not all games have been played yet");
    class.run("play --most 1");
    let table =
        grades("1 student waits for this machine (ruby), 1 for games: these are not grades");
    assert!(row(&table, "ada").starts_with("ada,,,,"), "{table}");
    class.run("play");
    let table = grades("1 student waits for this machine (ruby): these are not grades");
    assert!(row(&table, "ada").starts_with("ada,,,40,yes,"), "{table}");
    // A hidden requirement shows in no sum before the grades are published.
    let text = class.desk.text("results/ada/results.json");
    let results: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(results["score"], Value::Null);
    let scores = results["tests"].as_array().unwrap().iter();
    let scores: Vec<f64> = scores.map(|test| test["score"].as_f64().unwrap()).collect();
    assert_eq!(scores, [0.0, 0.0, 40.0, 0.0], "{text}");
    for file in ["class.db", "class.db-wal", "class.db-shm"] {
        let _ = fs::remove_file(class.path(file));
    }
    let table = grades("2 students wait for intake: these are not grades");
    waits(&table, "ada", "not looked at yet");
}
