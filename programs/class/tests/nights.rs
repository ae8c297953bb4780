//! Three nights of a class of 24, with submissions of every kind and changes between the nights.

use std::collections::BTreeMap;
use std::fs;

use super::submissions::{BOMB, Desk, OUTSIDE};
use super::{Class, SETTINGS};
use testkit::list::{Tests, Tier};
use testkit::tools::{CC, CXX, GO, JAVA, JAVAC, MAKE, NAMESPACES, NODE, RUBY, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(
            &[
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
            ],
            |tests| {
                add!(tests, a_class_continues_night_after_night);
            },
        )
    });
}

const STUDENTS: [(&str, &str, &str); 24] = [
    ("py", "Ada Lovelace", "Popeye"),
    ("c", "Brian", ""),
    ("cpp", "Bjarne", ""),
    ("java", "James", ""),
    ("js", "Brendan", ""),
    ("rust", "Graydon", ""),
    ("go", "Rob", ""),
    ("ruby", "Matz", ""),
    ("cs32", "David", ""),
    ("unbuilt", "Una", ""),
    ("loops", "Lou", ""),
    ("fails", "Fay", ""),
    ("crashes", "Cris", ""),
    ("bomb", "Bo", ""),
    ("outside", "Otto", ""),
    ("quote", "Cyd O'Neil", "O'Neil & Sons"),
    ("twin1", "Tim", ""),
    ("twin2", "Tom", ""),
    ("late", "Lea", ""),
    ("slow", "Sly", ""),
    ("cheats", "Chad", ""),
    ("links", "Lin", ""),
    ("absent", "Abe", ""),
    ("own", "Oona", "<script>alert(1)</script>"),
];

const FIRST: &str = "2026-11-30T10-00-00";
const SECOND: &str = "2026-12-01T10-00-00";
const LATE: &str = "2026-12-02T00-01-30";

/// Hands in what there is before the first night.
fn hand_in(class: &Class, desk: &Desk) {
    let add = |id: &str, path: &std::path::Path, at: &str| {
        class.succeeds(&["add", id, path.to_str().unwrap(), "--at", at]);
    };
    let kit = |language: &str| desk.kit(language, language);
    add("py", &kit("python"), FIRST);
    add("c", &desk.zip(&kit("c"), "c.zip"), FIRST);
    add("cpp", &desk.tar(&kit("cpp"), "cpp.tgz"), FIRST);
    add("java", &desk.tar(&kit("java"), "java.tar"), FIRST);
    add("js", &desk.tar(&kit("javascript"), "js.tar.gz"), FIRST);
    for (id, language) in [("rust", "rust"), ("go", "go"), ("ruby", "ruby")] {
        add(id, &kit(language), FIRST);
    }
    add("cs32", &desk.course_classes("classes"), FIRST);
    let broken = [("bot.c", "int main(void) { return sail(; }\n")];
    add("unbuilt", &desk.folder("unbuilt", &broken), FIRST);
    let fails = [("bot.toml", "run = 'sh bot.sh'\n"), ("bot.sh", "cat\n")];
    add("fails", &desk.folder("fails", &fails), FIRST);
    let deed = "if self.random.random() < 0.005: raise KeyError('the secret of Cris')";
    add("crashes", &desk.python_that("crashes", deed), FIRST);
    add("bomb", &desk.made_by_python("bomb.zip", BOMB), FIRST);
    add(
        "outside",
        &desk.made_by_python("outside.zip", OUTSIDE),
        FIRST,
    );
    let quoted = desk.kit("python", "quote");
    let inner = quoted.join("Cyd's bot, take 2");
    fs::create_dir(&inner).unwrap();
    for file in ["bot.py", "strategy.py"] {
        fs::rename(quoted.join(file), inner.join(file)).unwrap();
    }
    fs::write(
        quoted.join("bot.toml"),
        "run = \"python3 \\\"Cyd's bot, take 2/bot.py\\\"\"\n",
    )
    .unwrap();
    add("quote", &quoted, FIRST);
    for twin in ["twin1", "twin2"] {
        add(twin, &desk.kit("ruby", twin), FIRST);
    }
    add("late", &desk.kit("python", "late"), LATE);
    let sleeps = "if self.random.random() < 0.004: __import__('time').sleep(60)";
    add("slow", &desk.python_that("slow", sleeps), FIRST);
    add(
        "cheats",
        &desk.folder("cheats", &[("bot.toml", "run = 'good'\n")]),
        FIRST,
    );
    let linked = desk.kit("python", "linked");
    std::os::unix::fs::symlink("/etc/passwd", linked.join("passwd")).unwrap();
    // As a teacher's script would copy it: `add` itself refuses a link.
    let place = class.path("submissions/links");
    fs::create_dir_all(&place).unwrap();
    fs::rename(&linked, place.join(FIRST)).unwrap();
    add("own", &desk.python_that("own", "pass"), FIRST);
}

/// Returns the states of the newest versions, as `intake` prints them.
fn states(said: &str) -> BTreeMap<String, String> {
    let words = said
        .lines()
        .filter(|line| line.contains("  20"))
        .map(|line| {
            let mut words = line.split_whitespace();
            (
                words.next().unwrap().to_owned(),
                words.nth(1).unwrap().to_owned(),
            )
        });
    words.collect()
}

/// Returns how often each bot is in the records that are new since `before`, and how many of the old ones have changed.
fn changes(
    class: &Class,
    before: &[(std::path::PathBuf, Vec<u8>)],
) -> (BTreeMap<String, u32>, usize) {
    let old: BTreeMap<_, _> = before.iter().cloned().collect();
    let mut new = BTreeMap::new();
    let mut changed = 0;
    for (path, bytes) in class.records() {
        if let Some(before) = old.get(&path) {
            changed += usize::from(*before != bytes);
            continue;
        }
        let listed = testkit::programs::referee()
            .arg("list")
            .arg(&path)
            .output()
            .unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        let line = listed.lines().next().unwrap().to_owned();
        let (pair, _) = line.split_once(", ").unwrap();
        for name in pair.trim_start().split_once("  ").unwrap().1.split(" - ") {
            *new.entry(name.trim().to_owned()).or_default() += 1;
        }
    }
    (new, changed)
}

const SECRET: &str = "00112233445566778899aabbccddeeff\n";

fn a_class_continues_night_after_night() {
    let (class, desk) = (Class::new(SETTINGS, &STUDENTS), Desk::new());
    // Some bots fail by chance. With this secret those that are to fail do so, and no other.
    fs::write(class.path("class.secret"), SECRET).unwrap();
    // A reply may take less here than usual, as one bot sleeps.
    let settings = format!("[game]\nlimit = '3s'\n{SETTINGS}");
    class.set(&settings);
    hand_in(&class, &desk);
    first_intake(&class);
    class.set(&settings.replace("time = '120s'", "time = '1s'"));
    a_build_without_end(&class, &desk);
    class.set(&settings);
    first_night(&class);
    second_night(&class, &desk);
    third_night(&class, &desk);
}

fn first_intake(class: &Class) {
    let said = class.succeeds(&["intake"]);
    let states = states(&said);
    for (id, state) in &states {
        let expected = match &**id {
            "unbuilt" => "unbuilt",
            "bomb" | "outside" | "cheats" | "links" => "refused",
            _ => "built",
        };
        assert_eq!(state, expected, "{id}: {said}");
    }
    assert_eq!(states.len(), 21, "{said}");
    let sum = "21 new: 16 built, 1 not built, 4 refused; 0 known; 3 students have handed in nothing; 1 too late";
    assert!(said.ends_with(&format!("{sum}\n")), "{said}");
    assert!(!class.path("escaped.txt").exists() && !class.path("submissions/escaped.txt").exists());
}

fn a_build_without_end(class: &Class, desk: &Desk) {
    let loops = [("bot.toml", "run = './bot'\nbuild = 'while :; do :; done'\n")];
    let loops = desk.folder("loops", &loops);
    class.succeeds(&["add", "loops", loops.to_str().unwrap(), "--at", FIRST]);
    let said = class.succeeds(&["intake"]);
    assert!(
        said.contains("1 new: 0 built, 1 not built, 0 refused; 21 known;"),
        "{said}"
    );
}

fn first_night(class: &Class) {
    // Nothing is built twice.
    let again = class.succeeds(&["intake"]);
    assert!(
        again.starts_with("0 new: 0 built, 0 not built, 0 refused; 22 known;"),
        "{again}"
    );
    let status = class.succeeds(&["status"]);
    assert!(
        status.contains("check       16 waiting, 0 unfit to play"),
        "{status}"
    );
    let checked = class.succeeds(&["check"]);
    assert!(
        checked.contains("16 checked: ") && checked.contains(", 1 unfit to play"),
        "{checked}"
    );
    assert!(checked.contains("crashes  faulty  "), "{checked}");
    assert!(checked.contains("fails  unfit  "), "{checked}");
    assert_eq!(class.succeeds(&["check"]), "every bot has been checked\n");
    let series = class.plays();
    // Fifteen bots against two of the staff, twice.
    assert!(series >= 60, "{series}");
    assert_eq!(class.plays(), 0);
    class.succeeds(&["site"]);
    let suspicious = class.succeeds(&["suspicious"]);
    // The ruby kit, too, was handed in as it is.
    assert!(suspicious.contains("ruby, twin1, twin2"), "{suspicious}");
    let grade = class.succeeds(&["grade"]);
    let row = |id: &str| {
        let begin = format!("{id},");
        grade
            .lines()
            .find(|line| line.starts_with(&begin))
            .unwrap()
            .to_owned()
    };
    assert_eq!(grade.lines().count(), 25, "{grade}");
    assert!(row("late").ends_with(",handed in too late"), "{grade}");
    assert!(row("absent").ends_with(",nothing was handed in"), "{grade}");
    assert!(
        row("unbuilt").ends_with(",the newest version cannot be built"),
        "{grade}"
    );
    assert!(
        row("bomb").ends_with(",the newest version was refused"),
        "{grade}"
    );
    assert!(
        row("fails").ends_with(",the newest version is unfit to play: see its check"),
        "{grade}"
    );
    // Above 0.99 is not sure after four games.
    let passed: Vec<_> = grade
        .lines()
        .skip(1)
        .map(|line| line.matches(",yes,").count())
        .collect();
    assert!(
        passed.iter().sum::<usize>() >= 5 && passed.iter().all(|count| *count < 2),
        "{grade}"
    );
    let results = class.path("results");
    class.succeeds(&["grade", "--gradescope", results.to_str().unwrap()]);
    let results = fs::read_to_string(results.join("unbuilt/results.json")).unwrap();
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    assert_eq!(results["score"], 0.0);
    let tests = results["tests"].as_array().unwrap();
    assert_eq!(
        (&tests[0]["name"], &tests[0]["status"]),
        (&"Build".into(), &"failed".into())
    );
    assert!(
        tests[0]["output"].as_str().unwrap().contains("bot.c:1"),
        "{results}"
    );
    let visible = |at: usize| tests[at]["visibility"].as_str().unwrap().to_owned();
    assert_eq!(
        (visible(1), visible(2)),
        ("visible".to_owned(), "after_published".to_owned())
    );
    super::pages::first_night(class);
    let said = class.succeeds(&["dispute", "c", "mediocre:3"]);
    assert!(said.ends_with("the same happened.\n"), "{said}");
}

fn second_night(class: &Class, desk: &Desk) {
    let before = class.records();
    // A new version, one that is the same as before, and one that builds at last.
    let own = desk.python_that("own2", "self.opponent(0, 0) if False else None");
    class.succeeds(&["add", "own", own.to_str().unwrap(), "--at", SECOND]);
    let same = desk.kit("python", "same");
    class.succeeds(&["add", "py", same.to_str().unwrap(), "--at", SECOND]);
    let fixed = desk.kit("c", "fixed");
    class.succeeds(&["add", "unbuilt", fixed.to_str().unwrap(), "--at", SECOND]);
    let said = class.succeeds(&["intake"]);
    assert!(
        said.contains("3 new: 3 built, 0 not built, 0 refused; 19 known;"),
        "{said}"
    );
    let checked = class.succeeds(&["check"]);
    assert!(
        checked.contains("2 checked: ") && checked.contains(", 0 unfit to play"),
        "{checked}"
    );
    let series = class.plays();
    let (new, changed) = changes(class, &before);
    // Every new series is of a new bot, and what was there is as it was.
    assert_eq!(changed, 0, "{new:?}");
    let of = |id: &str| new.get(id).copied().unwrap_or_default();
    assert!(of("own") >= 2 && of("unbuilt") >= 2, "{new:?}");
    assert_eq!(
        of("own") + of("unbuilt"),
        new.values().sum::<u32>() / 2,
        "{new:?}"
    );
    assert!((8..20).contains(&series), "{series}");
    class.succeeds(&["site"]);
    super::pages::second_night(class);
}

fn third_night(class: &Class, desk: &Desk) {
    let before = class.records();
    // Too late, and so nothing new; and a version that does not build, so that the one before it plays on.
    let late = desk.kit("go", "late-go");
    class.succeeds(&["add", "go", late.to_str().unwrap(), "--at", LATE]);
    let broken = desk.folder("broken", &[("bot.c", "no C at all\n")]);
    class.succeeds(&["add", "c", broken.to_str().unwrap(), "--at", SECOND]);
    let said = class.succeeds(&["intake"]);
    assert!(said.contains("1 new: 0 built, 1 not built"), "{said}");
    assert_eq!(class.succeeds(&["check"]), "every bot has been checked\n");
    assert_eq!(class.plays(), 0);
    assert_eq!(class.records(), before);
    class.succeeds(&["site"]);
    super::pages::third_night(class);
    // Other rules are another pool: everyone is checked and played again.
    class.set(&format!(
        "[game]\nrows = 6\ncols = 6\nship = ['2 R rowboat']\n{SETTINGS}"
    ));
    let status = class.succeeds(&["status"]);
    assert!(status.contains("played      0 series"), "{status}");
}
