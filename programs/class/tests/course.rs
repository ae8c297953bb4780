//! Bots of the course's classes: what their pages say, and how their program is started.

use std::fs;

use crate::class::Class;
use testkit::list::{Tests, Tier};
use testkit::text::lacks;
use testkit::tools::{CXX, MAKE, NAMESPACES, PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[CXX, MAKE, NAMESPACES, PYTHON], |tests| {
            add!(tests, a_page_says_what_cost_games);
        });
    });
}

/// Sentences that send to a part of the page, and that part.
const PARTS: [(&str, &str); 6] = [
    ("see Forfeits", ">Forfeits: "),
    ("below, at Check", ">Check<"),
    ("at Check, look", ">Check<"),
    ("see its check", ">Check<"),
    ("look at its games", " games against awful: "),
    ("a warning below", "\nwarn "),
];

/// Checks that on each page of a student each sentence that sends to a line of the report, or to a
/// part, finds it there.
pub(crate) fn sentences_find_their_lines(class: &Class) {
    for entry in fs::read_dir(class.path("private")).unwrap() {
        let page = fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in page.split("look for step ").skip(1) {
            let (number, line) = line.split_once(", “").unwrap();
            let (title, _) = line.split_once('”').unwrap();
            let step = format!(" {number}  {title}");
            assert!(page.contains(&step), "{step}: {page}");
        }
        for (sentence, part) in PARTS {
            let is_there = !page.contains(sentence) || page.contains(part);
            assert!(is_there, "{sentence}: {page}");
        }
    }
}

/// Students, an edit of their solution, what their page says, and what the table of grades says.
const EDITS: [(&str, &str, &str, &str, &str); 4] = [
    (
        // Its program plays one game and then exits.
        "sound",
        "Player* createPlayer(string type, string nm, const Game& g)\n{",
        "#include <cstdlib>\nPlayer* createPlayer(string type, string nm, const Game& g)\n{ static int made = 0; if (++made > 1) exit(7);",
        "It passed.",
        ",40,yes,",
    ),
    (
        "wastes",
        "m_untried.erase(m_untried.begin() + chosen);",
        "",
        "something costs it games: look for step 4, “attacks cell after cell until it has sunk every ship”, and the cause below it",
        " attacks wasted; close: 0.0 % of the points in 4 games against mediocre, 95% interval ",
    ),
    (
        "crashes",
        "cout << \"valid \"",
        "if (shotHit && shipId < 0) *(volatile int*)nullptr = 1;\ncout << \"valid \"",
        "recordAttackResult, with shipDestroyed false and shipId -1: the specification promises nothing",
        "the newest version is unfit to play: see its check",
    ),
    (
        "places",
        "bool placeShips(Board& b) override\n    {",
        "bool placeShips(Board& b) override\n    { return true;",
        "does not show the aircraft carrier as 5 cells in a line",
        "the newest version is unfit to play: see its check",
    ),
];

/// The pages sent to warnings about boards that were never played, said "It passed" above a
/// failure, and gave a cause from the program's author to none.
fn a_page_says_what_cost_games() {
    let class = Class::new("sound wastes crashes places");
    class.fix_games();
    class.skeleton();
    for (id, from, to, _, _) in EDITS {
        class.course(id, "");
        class.edit(&format!("{id}/Player.cpp"), from, to);
        class.adds(id);
    }
    for step in ["intake", "check", "play", "site"] {
        class.run(step);
    }
    let grades = class.run("grade").stdout;
    let played = "In its check it played 10 games against awful: ";
    for (id, _, _, sentence, grade) in EDITS {
        class.pages_have(&[(id, sentence), (id, played)]);
        assert!(!class.page(id).contains("on a board of "), "{id}");
        let line = grades.lines().find(|line| line.starts_with(id)).unwrap();
        assert!(line.contains(grade), "{grade}: {grades}");
    }
    sentences_find_their_lines(&class);
    // Each game is the first of its program. A class can say otherwise: then the second game of
    // each series is lost.
    let games = || {
        let check = class.run("check sound --again").stdout;
        let (_, games) = check.split_once("10 games against awful: ").expect(&check);
        games.to_owned()
    };
    let first = games();
    lacks(&first, "exited");
    class.set("[play]", "[play]\nrestart = false");
    assert!(games().contains("exited"));
    // The builds depend on the settings, and are made again with others.
    class.set("'-O0'", "'-O0 -DX'");
    class.run("intake").prints("4 new: 4 built");
    class.run("intake").prints("0 new");
}
