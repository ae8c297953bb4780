//! The games that decide the requirements of a class.

use std::fs;

use crate::class::{Class, PLAIN, SH};
use testkit::list::Tests;
use testkit::tools::{NAMESPACES, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, settings_of_an_earlier_version_are_noted);
    tests.needing(&[NAMESPACES], |tests| {
        add!(tests, identical_programs_share_one_result);
    });
    tests.needing(&[SYSTEM_PYTHON], |tests| {
        add!(tests, a_submission_changes_no_bot_of_the_staff);
    });
}

const SETTINGS: &str = "name = 'CS 32'\n[play]\nseries = 10\ngames = 20\n[[staff]]\nname = 'mediocre'\ncommand = 'mediocre'\n[[staff]]\nname = 'awful'\ncommand = 'awful'\n";

fn grade(above: f64) -> String {
    format!("[[grade]]\nagainst = 'mediocre'\nabove = {above}\npoints = 10\n")
}

/// The columns of each student in the table of grades from the points on.
fn grades(class: &Class) -> Vec<String> {
    let table = class.run("grade").stdout;
    let lines = table.lines().skip(1);
    lines
        .map(|line| line.splitn(4, ',').nth(3).unwrap().to_owned())
        .collect()
}

/// Hands in the program that all others have, too.
fn copy(class: &Class, id: &str) {
    class.hands_in(id, &[("bot.toml", SH), ("bot.sh", PLAIN)]);
}

/// Each copy had seeds of its own, and passed or not by chance.
fn identical_programs_share_one_result() {
    let copies = [
        "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "later",
    ];
    let class = Class::new(&format!("{} other", copies.join(" ")));
    let [low, high] = [0.05, 0.3].map(grade);
    class.file("class.toml", format!("{SETTINGS}{low}{high}"));
    for id in &copies[..10] {
        copy(&class, id);
    }
    // Other bytes, and so another program, that plays in the same way.
    class.plain("other");
    class.adds("other");
    class.run("intake");
    class.run("check");
    // Four series of each bot for its rating, and two of both programs for the requirements.
    assert_eq!(class.plays(), 4 * 11 + 2 * 2);
    class.is_whole();
    let all = grades(&class);
    assert_eq!(all.len(), 12);
    for (place, of_copy) in all.iter().enumerate().filter(|(place, _)| *place != 10) {
        assert_eq!(*of_copy, all[0], "{place}");
    }
    assert!(all[0].contains(",20,"), "{all:?}");
    let status = class.run("status");
    status
        .prints("grades      ")
        .prints(", 0 waiting for games");

    // The games of a program are there for one that comes later, and when the first is gone.
    copy(&class, "later");
    class.desk.file("c0/bot.sh", format!("# new\n{PLAIN}"));
    class.run("add c0 c0 --at 2026-12-01T10-00-00");
    class.run("intake");
    class.run("check");
    assert_eq!(class.plays(), 4 * 2 + 2);
    assert_eq!(grades(&class), vec![all[0].clone(); 12]);

    // The order of the requirements decides nothing.
    class.file("class.toml", format!("{SETTINGS}{high}{low}"));
    assert_eq!(class.plays(), 0);
    let points = |grades: &[String]| grades[0].split(',').next().unwrap().to_owned();
    assert_eq!(points(&grades(&class)), points(&all));

    // A page has the result, and no game of it.
    class.run("site");
    class.pages_have(&[("c3", "20 of 20"), ("c9", "20 of 20")]);
    let page = class.page("c3");
    assert!(!page.contains(">c1<") && !page.contains("c1 forfeits"));
}

fn settings_of_an_earlier_version_are_noted() {
    let class = Class::new("ada");
    class.set(
        "games = 4",
        "provisional = 4\nstaff-games = 4\nmost-staff-games = 4\ninterval = 1000",
    );
    let status = class.run("status");
    status.warns("[play]: since version 1.1 these have no effect: provisional, staff-games, most-staff-games, interval;");
    class.set("above = 0.3", "above = 0.99");
    class
        .step("status")
        .fails(2, "above = 0.99 cannot be passed");
}

/// Whatever a step keeps below the folder of the class, or a teacher puts where it belongs.
fn a_submission_changes_no_bot_of_the_staff() {
    let class = Class::new("ada bob");
    class.set("[build]", "[game]\nsandbox = false\n[build]");
    class.set("command = 'awful'", "command = 'python3 simple.py'");
    class.file("simple.py", "import bot\n");
    class.file("bot.py", "print('ready')\n");
    let digests = || {
        class.run("status");
        class.desk.program("python3", "-c").arg(
            "import sqlite3, glob; print(sorted(row[0] for row in sqlite3.connect(glob.glob('*/class.db')[0])\
             .execute('select digest from bot where name = \"awful\"')))",
        ).succeeds().stdout
    };
    let before = digests();
    for folder in [
        "bots/x",
        "games",
        "site",
        "private",
        "imports/x",
        "results/x",
    ] {
        class.file(&format!("{folder}/bot.py"), "print('another')\n");
    }
    class.hands_in("ada", &[("bot.py", "print('mine')\n")]);
    class.run("intake");
    assert_eq!(digests(), before);
    // A file of its own is one of the program.
    class.file("bot.py", "print('changed')\n");
    assert_ne!(digests(), before);
    fs::remove_file(class.path("bot.py")).unwrap();
}
