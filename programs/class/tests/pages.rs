//! The texts on the pages of the class of `nights`.

use std::fs;

use super::Class;
use super::handed_in::{WITH_SKELETON, put_skeleton, settings};
use super::submissions::Desk;
use testkit::list::Tests;
use testkit::tools::{CXX, MAKE, NAMESPACES, PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[CXX, MAKE, NAMESPACES, PYTHON], |tests| {
        add!(tests, a_page_of_the_course_says_what_cost_games);
    });
}

/// Returns the page of `id`, which has to say all of `wanted`.
fn says(class: &Class, id: &str, wanted: &[&str]) -> String {
    let page = class.page_of(id);
    for text in wanted {
        assert!(page.contains(text), "{id}: {text}");
    }
    page
}

pub(super) fn first_night(class: &Class) {
    sentences_find_their_lines(class);
    let public = class.public_page();
    for text in [
        "Popeye",
        "O&#39;Neil",
        "Not playing",
        "the newest version cannot be built",
    ] {
        assert!(public.contains(text), "{text}");
    }
    // Names are not markup, and what bots say and where their ships are is on no public page.
    assert!(!public.contains("<script>alert(1)"));
    for secret in ["the secret of Cris", "Ada Lovelace", "KeyError", "bot.c:1"] {
        assert!(!public.contains(secret), "{secret}");
    }
    assert!(
        public.contains("\"kept\":0"),
        "no games are on the public page"
    );
    says(
        class,
        "unbuilt",
        &[
            "Its build failed",
            "bot.c:1",
            "Attention: the newest version cannot be built",
        ],
    );
    says(
        class,
        "loops",
        &["The build took more than 1s and was ended."],
    );
    says(
        class,
        "bomb",
        &[
            "It was refused before it was built",
            "unpacked it has more than 20 MiB",
        ],
    );
    says(class, "outside", &["leads out of its folder"]);
    says(class, "links", &["is a link or a device"]);
    says(
        class,
        "cheats",
        &["is a player that comes with the referee"],
    );
    says(
        class,
        "fails",
        &[
            "It cannot play: look for the line “FAIL",
            "Its check found: ",
            "does not keep to the protocol",
        ],
    );
    says(
        class,
        "late",
        &["handed in too late", "1 version came after the deadline"],
    );
    says(
        class,
        "py",
        &[
            "Your bot has won",
            "It passed.",
            "games to watch",
            "Its worst games against the staff",
        ],
    );
    // The hidden requirement is not on it.
    let page = class.page_of("py");
    assert!(page.contains("above 10.0 %") && !page.contains("above 99.0 %"));
    let crashed = says(
        class,
        "crashes",
        &["by a fault of its program", "Forfeits: ", "!! "],
    );
    assert!(crashed.contains("the secret of Cris"));
    // Files are named as their author knows them. Where a check wraps its lines, a folder with spaces, as this class has, may
    // be in two.
    let (_, forfeits) = crashed.split_once("Forfeits: ").unwrap();
    let texts: Vec<_> = forfeits.split("<pre class=\"card\"").skip(1).collect();
    assert!(texts.iter().any(|text| text.contains("strategy.py")));
    for text in texts.iter().filter_map(|text| text.split("</pre>").next()) {
        assert!(!text.contains("/bots/"), "{text}");
    }
    says(
        class,
        "slow",
        &["by a fault of its program", "did not reply", "Forfeits: "],
    );
    // Nothing of that is on the pages of others.
    for (id, _, _) in [("py", "", ""), ("c", "", ""), ("own", "", "")] {
        assert!(!class.page_of(id).contains("the secret of Cris"), "{id}");
    }
}

pub(super) fn second_night(class: &Class) {
    sentences_find_their_lines(class);
    let page = class.page_of("own");
    assert!(page.contains("2026-11-30T10-00-00") && page.contains("2026-12-01T10-00-00"));
    assert!(!class.public_page().contains(">unbuilt<"));
    assert!(!class.page_of("unbuilt").contains("Attention"));
}

pub(super) fn third_night(class: &Class) {
    says(
        class,
        "c",
        &["Attention: the newest version cannot be built; an earlier one plays."],
    );
    says(class, "go", &["1 version came after the deadline"]);
}

/// Checks that on each page of a student each sentence that sends to a line of the report, or to a part, finds it there.
pub(super) fn sentences_find_their_lines(class: &Class) {
    for entry in fs::read_dir(class.path("private")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension() != Some("html".as_ref()) {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap();
        for line in page.split("look for the line “").skip(1) {
            let (mark, _) = line.split_once('”').unwrap();
            assert!(
                page.contains(&format!("\n{mark}  ")),
                "{mark}: {}",
                path.display()
            );
        }
        for (sentence, part) in [
            ("see Forfeits", ">Forfeits: "),
            ("below, at Check", ">Check<"),
            ("at Check, look", ">Check<"),
            ("see its check", ">Check<"),
            ("look at its ten games", " games against awful: "),
            ("a warning below", "\nwarn "),
        ] {
            assert!(
                !page.contains(sentence) || page.contains(part),
                "{sentence}: {}",
                path.display()
            );
        }
    }
}

/// The pages sent to warnings about boards that were never played, said "It passed" above a failure, and gave a cause from the
/// program's author to none.
fn a_page_of_the_course_says_what_cost_games() {
    let edits = [
        ("sound", "", "", "It passed."),
        (
            "wastes",
            "m_untried.erase(m_untried.begin() + chosen);",
            "",
            "something costs it games: look for the line “warn   4” and the cause below it",
        ),
        (
            "crashes",
            "cout << \"valid \"",
            "if (shotHit && shipId < 0) *(volatile int*)nullptr = 1;\ncout << \"valid \"",
            "recordAttackResult, with shipDestroyed false and shipId -1: the specification promises nothing",
        ),
        (
            "places",
            "bool placeShips(Board& b) override\n    {",
            "bool placeShips(Board& b) override\n    { if (randInt(20) > 0) return true;",
            "does not show the aircraft carrier as 5 cells in a line",
        ),
    ];
    let (desk, students) = (Desk::new(), edits.map(|edit| (edit.0, "", "")));
    let class = Class::new(&settings(WITH_SKELETON), &students);
    put_skeleton(&class, "handed out");
    for (id, from, to, _) in edits {
        let folder = desk.course_classes(id);
        let file = folder.join("Player.cpp");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(&file, text.replace(from, to)).unwrap();
        let at = ["--at", "2026-11-30T10-00-00"];
        class.succeeds(&[&["add", id, folder.to_str().unwrap()], &at[..]].concat());
    }
    for step in ["intake", "check", "play", "site"] {
        class.succeeds(&[step]);
    }
    for (id, _, _, wanted) in edits {
        let page = says(
            &class,
            id,
            &[wanted, "In its check it played 10 games against awful: "],
        );
        assert!(!page.contains("on a board of "), "{id}");
    }
    sentences_find_their_lines(&class);
    let grades = class.succeeds(&["grade"]);
    for (id, why) in [
        (
            "wastes",
            " attacks wasted; 0.0 % of the points in 4 games against awful, with an interval from 0.0 %, which is not above 10.0 %",
        ),
        (
            "crashes",
            "the newest version is unfit to play: see its check",
        ),
        (
            "places",
            "the newest version is unfit to play: see its check",
        ),
    ] {
        let line = grades.lines().find(|line| line.starts_with(id)).unwrap();
        assert!(line.contains(why), "{why}: {grades}");
    }
}
