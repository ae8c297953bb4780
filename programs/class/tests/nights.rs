//! Three nights of a class of 21, with submissions of every kind and changes between the nights.

use serde_json::Value;

use crate::class::{AT, Class, SH};
use crate::course::sentences_find_their_lines;
use testkit::list::{Tests, Tier};
use testkit::record::Record;
use testkit::text::lacks;
use testkit::tools::{CC, CXX, GO, JAVA, JAVAC, MAKE, NAMESPACES, NODE, RUBY, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    let tools = [
        CC,
        CXX,
        GO,
        JAVA,
        JAVAC,
        MAKE,
        NAMESPACES,
        NODE,
        RUBY,
        SYSTEM_PYTHON,
    ];
    tests.tier(Tier::Release, |tests| {
        tests.needing(&tools, |tests| add!(tests, a_class_continues_every_night));
    });
}

const STUDENTS: &str = "id,name,team\npy,Ada Lovelace,Popeye\nc,Brian,\ncpp,Bjarne,\njava,James,\njs,Brendan,\nrust,Graydon,\ngo,Rob,\nruby,Matz,\ncs32,David,\nunbuilt,Una,\nloops,Lou,\nfails,Fay,\ncrashes,Cris,\nquote,Cyd O'Neil,O'Neil & Sons\ntwin1,Tim,\ntwin2,Tom,\nlate,Lea,\nslow,Sly,\ncheats,Chad,\nabsent,Abe,\nown,Oona,<script>alert(1)</script>\n";

const SECOND: &str = "2026-12-01T10-00-00";
const LATE: &str = "2026-12-02T00-01-30";

/// Languages of kits, and how they are packed.
const KITS: [(&str, &str); 8] = [
    ("c", "c.zip"),
    ("cpp", "cpp.tgz"),
    ("java", "java.tar"),
    ("js", "js.tar.gz"),
    ("py", "py"),
    ("rust", "rust"),
    ("go", "go"),
    ("ruby", "ruby"),
];

/// Hands in what there is before the first night.
fn hand_in(class: &Class) {
    for (id, path) in KITS {
        class.kit(id, id);
        if path.ends_with("zip") {
            class.zip(id);
        } else if let Some((_, ending)) = path.split_once('.') {
            let compressed = if ending == "tar" { "" } else { "z" };
            let words = format!("-c{compressed}f {path} -C {id} .");
            class.desk.program("tar", &words).succeeds();
        }
        class.run(format!("add {id} {path} --at {AT}"));
    }
    class.course("cs32", "");
    class.adds("cs32");
    class.hands_in(
        "unbuilt",
        &[("bot.c", "int main(void) { return sail(; }\n")],
    );
    class.hands_in("fails", &[("bot.toml", SH), ("bot.sh", "cat\n")]);
    let deed = "if self.random.random() < 0.005: raise KeyError('the secret of Cris')";
    class.python_that("crashes", deed);
    let sleeps = "if self.random.random() < 0.004: __import__('time').sleep(60)";
    class.python_that("slow", sleeps);
    class.python_that("own", "pass");
    class.plain("quote");
    class.kit("ruby", "twin1");
    class.kit("ruby", "twin2");
    for id in ["crashes", "slow", "own", "quote", "twin1", "twin2"] {
        class.adds(id);
    }
    class.kit("python", "late");
    class.run(format!("add late late --at {LATE}"));
    class.hands_in("cheats", &[("bot.toml", "run = 'good'\n")]);
}

fn a_class_continues_every_night() {
    let class = Class::new(STUDENTS);
    // Some bots fail by chance. With this secret those that are to fail do so, and no other.
    class.fix_games();
    // A reply may take less here than usual, as one bot sleeps.
    class.set("[build]", "[game]\nlimit = '3s'\n[build]");
    hand_in(&class);
    let intake = class.run("intake");
    intake.prints("18 new: 16 built, 1 not built, 1 refused; 0 known; 3 students have handed in nothing; 1 too late\n");
    intake.prints(&format!("\ncheats  {AT}  refused"));
    intake.prints(&format!("\nunbuilt  {AT}  unbuilt"));
    // A build without end has two minutes.
    let loops = "run = './bot'\nbuild = 'while :; do :; done'\n";
    class.hands_in("loops", &[("bot.toml", loops)]);
    class
        .run("intake")
        .prints("1 new: 0 built, 1 not built, 0 refused; 18 known;");
    first_night(&class);
    second_night(&class);
    third_night(&class);
}

/// Why a student has no points.
const WITHOUT: [(&str, &str); 5] = [
    ("late", "handed in too late"),
    ("absent", "nothing was handed in"),
    ("unbuilt", "the newest version cannot be built"),
    ("cheats", "the newest version was refused"),
    (
        "fails",
        "the newest version is unfit to play: see its check",
    ),
];

/// What the pages of students say after the first night.
const PAGES: [(&str, &str); 24] = [
    ("unbuilt", "Its build failed"),
    ("unbuilt", "bot.c:1"),
    ("unbuilt", "Attention: the newest version cannot be built"),
    ("loops", "The build took more than 2m and was ended."),
    ("cheats", "It was refused before it was built"),
    ("cheats", "is a player that comes with the referee"),
    (
        "fails",
        "It cannot play: look for step 1, “answers the greeting”",
    ),
    ("fails", "Its check found: "),
    ("fails", "does not keep to the protocol"),
    ("late", "handed in too late"),
    ("late", "1 version came after the deadline"),
    ("py", "Your bot has won"),
    ("py", "It passed."),
    ("py", "games to watch"),
    ("py", "Its worst games against the staff"),
    // The hidden requirement is not on it.
    ("py", "above 10.0 %"),
    ("crashes", "by a fault of its program"),
    ("crashes", "Forfeits: "),
    ("crashes", "!! "),
    ("crashes", "the secret of Cris"),
    ("crashes", "strategy.py"),
    ("slow", "by a fault of its program"),
    ("slow", "did not reply"),
    ("slow", "Forfeits: "),
];

fn first_night(class: &Class) {
    // Nothing is built twice.
    let intake = class.run("intake");
    intake.prints("0 new: 0 built, 0 not built, 0 refused; 19 known;");
    class
        .run("status")
        .prints("check       16 waiting, 0 unfit to play");
    let check = class.run("check");
    check.prints("16 checked: ").prints(", 1 unfit to play");
    check.prints("crashes  faulty  ").prints("fails  unfit  ");
    class
        .run("check")
        .prints_all("every bot has been checked\n");
    // Fifteen bots against two of the staff, twice.
    let series = class.plays();
    assert!(series >= 60, "{series}");
    assert_eq!(class.plays(), 0);
    // The ruby kit, too, was handed in as it is.
    class.run("suspicious").prints("ruby, twin1, twin2");

    let grades = class.run("grade --gradescope results").stdout;
    let mut passed = 0;
    for line in grades.lines().skip(1) {
        // The second is asked for much more.
        let count = line.matches(",yes,").count();
        assert!(count < 2, "{line}");
        passed += count;
    }
    assert!(passed >= 5 && grades.lines().count() == 22, "{grades}");
    for (id, why) in WITHOUT {
        let mut lines = grades.lines();
        let line = lines.find(|line| line.starts_with(&format!("{id},")));
        assert!(
            line.unwrap().ends_with(&format!(",{why}")),
            "{id}: {grades}"
        );
    }
    let results = class.desk.text("results/unbuilt/results.json");
    let results: Value = serde_json::from_str(&results).unwrap();
    // A sum would show the points of the hidden requirement.
    assert_eq!(results["score"], Value::Null);
    let tests = &results["tests"];
    assert_eq!(
        [&tests[0]["name"], &tests[0]["status"]],
        ["Build", "failed"]
    );
    assert!(
        tests[0]["output"].as_str().unwrap().contains("bot.c:1"),
        "{results}"
    );
    let visible = [1, 2].map(|at| &tests[at]["visibility"]);
    assert_eq!(visible, ["visible", "after_published"]);

    class.run("site");
    sentences_find_their_lines(class);
    class.pages_have(&PAGES);
    let public = class.public_page();
    for text in [
        "Popeye",
        "O&#39;Neil",
        "Not playing",
        "the newest version cannot be built",
        "\"kept\":0",
    ] {
        assert!(public.contains(text), "{text}");
    }
    // Names are not markup, and what bots say and where their ships are is on no page of others.
    for text in [
        "<script>alert(1)",
        "the secret of Cris",
        "Ada Lovelace",
        "KeyError",
        "bot.c:1",
    ] {
        assert!(!public.contains(text), "{text}");
    }
    for (id, text) in [
        ("py", "above 30.0 %"),
        ("py", "the secret of Cris"),
        ("c", "the secret of Cris"),
        ("own", "the secret of Cris"),
    ] {
        assert!(!class.page(id).contains(text), "{id}: {text}");
    }
    // Files are named as their author knows them. Where a check wraps its lines, a folder with
    // spaces, as this class has, may be in two.
    let crashed = class.page("crashes");
    let (_, forfeits) = crashed.split_once("Forfeits: ").unwrap();
    for card in forfeits.split("<pre class=\"card\"").skip(1) {
        let (text, _) = card.split_once("</pre>").unwrap();
        lacks(text, "/bots/");
    }
    class
        .run("dispute c mediocre:3")
        .prints("the same happened.\n");
}

fn second_night(class: &Class) {
    let before = class.records();
    // A new version, one that is the same as before, and one that builds at last.
    class.python_that("own2", "self.opponent(0, 0) if False else None");
    class.kit("python", "same");
    class.kit("c", "fixed");
    for (id, folder) in [("own", "own2"), ("py", "same"), ("unbuilt", "fixed")] {
        class.run(format!("add {id} {folder} --at {SECOND}"));
    }
    let intake = class.run("intake");
    intake.prints("3 new: 3 built, 0 not built, 0 refused; 16 known;");
    class
        .run("check")
        .prints("2 checked: ")
        .prints(", 0 unfit to play");
    let series = class.plays();
    assert!((8..20).contains(&series), "{series}");
    // Every new record is of a new bot, and what was there is as it was.
    let mut new = [0, 0];
    let after = class.records();
    for (path, bytes) in &after {
        if let Some(old) = before.get(path) {
            assert!(old == bytes, "{}", path.display());
            continue;
        }
        let record = Record::read(path);
        for (count, id) in new.iter_mut().zip(["own", "unbuilt"]) {
            let players = record.games()[0]["players"].as_array().unwrap();
            *count += usize::from(players.iter().any(|player| player["name"] == id));
        }
    }
    assert!(new.iter().all(|count| *count >= 2), "{new:?}");
    assert_eq!(new[0] + new[1], after.len() - before.len());
    class.run("site");
    sentences_find_their_lines(class);
    class.pages_have(&[("own", AT), ("own", SECOND)]);
    assert!(!class.public_page().contains(">unbuilt<"));
    assert!(!class.page("unbuilt").contains("Attention"));
}

fn third_night(class: &Class) {
    let before = class.records();
    // Too late, and so nothing new; and a version that does not build, so that the one before it
    // plays on.
    class.kit("go", "late-go");
    class.run(format!("add go late-go --at {LATE}"));
    class.desk.file("broken/bot.c", "no C at all\n");
    class.run(format!("add c broken --at {SECOND}"));
    class.run("intake").prints("1 new: 0 built, 1 not built");
    class
        .run("check")
        .prints_all("every bot has been checked\n");
    assert_eq!(class.plays(), 0);
    assert_eq!(class.records(), before);
    class.run("site");
    class.pages_have(&[
        (
            "c",
            "Attention: the newest version cannot be built; an earlier one plays.",
        ),
        ("go", "1 version came after the deadline"),
    ]);
    // Other rules are another pool: everyone is checked and played again.
    class.set(
        "limit = '3s'",
        "limit = '3s'\nrows = 6\ncols = 6\nship = ['2 R rowboat']",
    );
    class.run("status").prints("played      0 series");
}
