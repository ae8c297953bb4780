//! The downloads of learning platforms, students in teams, and students who got more time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_number_and_a_name_that_contradict_go_to_nobody,
        canvas_names_the_student_in_each_file,
        a_hand_in_gets_another_time_when_more_is_known,
        no_name_and_no_file_of_one_student_harms_another,
        moodle_names_it_in_the_folder,
        gradescope_says_whose_and_when_and_a_team_shares_all
    );
}

/// With the names of the platforms, in columns that are not in the order of the documentation.
const ROSTER: &str = "\
team,name,id,email,number
,\"Lovelace, Ada King\",ada,ada@x.edu,
,José de la Cruz,jose,,
Duo,Sam Lee,sam,sam@x.edu,
Duo,Pat Duo,pat,,778
";

const METADATA: &str = "\
---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1'
    :email: ada@x.edu
  :created_at: 2026-12-01 20:15:37.551264000 Z
  :results: {output: 'a: b'}
submission_2:
  :submitters:
  - :name: Samuel Lee
    :sid:
    :email: &1 sam@x.edu
  - :name: P.
    :sid: 778
    :email: *1
  :created_at: 2026-12-01 10:15:37.000000000 -08:00
submission_4:
  :submitters:
  - :sid: jose
";

const BOT: (&str, &str) = ("bot.toml", "run = 'sh bot.sh'\n");

/// Gives a file, or all in a folder, this time.
fn date(path: &Path, time: &str) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            date(&entry.unwrap().path(), time);
        }
    } else {
        let at: Timestamp = time.parse().unwrap();
        File::options()
            .append(true)
            .open(path)
            .unwrap()
            .set_modified(at.try_into().unwrap())
            .unwrap();
    }
}

fn class() -> Class {
    let class = Class::new(SETTINGS, &[]);
    fs::write(class.path("roster.csv"), ROSTER).unwrap();
    class
}

fn import(class: &Class, download: &Path) -> String {
    class.succeeds(&["import", download.to_str().unwrap()])
}

/// Nobody knows whose it is: the number is one's and the name another's.
fn a_number_and_a_name_that_contradict_go_to_nobody() {
    let (class, desk) = (class(), Desk::new());
    let name = "leesam_778_9001_bot.toml";
    let one = "noycebob_778_9002_bot.py";
    let canvas = desk.folder("canvas", &[(name, BOT.1), (one, "")]);
    let roster = format!("{ROSTER},Bob Noyce,bob,,\n");
    fs::write(class.path("roster.csv"), roster).unwrap();
    let said = import(&class, &canvas);
    let why = format!("{one:?}: \"778\" is pat in the roster, but \"noycebob\" fits bob;");
    // The other name is of the same team.
    assert!(said.starts_with("pat  ") && said.contains(&why), "{said}");
    assert!(!class.path("submissions/bob").exists());
}

fn canvas_names_the_student_in_each_file() {
    let (class, desk) = (class(), Desk::new());
    let project = desk.folder("project", &[BOT, ("bot.sh", "exit\n")]);
    let canvas = desk.folder(
        "canvas",
        &[
            ("lovelaceadaking_12345_9001_bot.toml", BOT.1),
            ("lovelaceadaking_12345_9002_bot-1.sh", "exit\n"),
            ("strange_12349_9004_bot.py", ""),
            ("points.csv", ""),
        ],
    );
    let late = canvas.join("delacruzjosé_LATE_12346_9003_p.zip");
    fs::rename(desk.zip(&project, "p.zip"), &late).unwrap();
    date(&canvas, "2026-12-02T09:00:00Z");
    // It is not a submission, and its time says nothing about theirs.
    date(&canvas.join("points.csv"), "2026-11-02T09:00:00Z");
    let download = desk.zip(&canvas, "submissions.zip");
    let said = import(&class, &download);
    for line in [
        "ada  2026-12-01T23-59-00\n",
        "jose  2026-12-02T09-00-00  too late\n",
        "2 new, 1 of them too late; 0 known\n",
        "not said when: 1;",
        "\"strange_12349_9004_bot.py\": the roster has no student called \"12349\" or \"strange\"",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(
        class
            .path("submissions/ada/2026-12-01T23-59-00/bot-1.sh")
            .is_file()
    );
    assert!(
        class
            .path("submissions/jose/2026-12-02T09-00-00.zip")
            .is_file()
    );
    assert!(import(&class, &download).contains("0 new, 0 of them too late; 2 known"));

    let intake = class.succeeds(&["intake"]);
    assert!(
        intake.contains("2 students have handed in nothing; 1 too late"),
        "{intake}"
    );
    let before = class.output(&["extend", "jose", "2026-11-30T12-00-00"]);
    assert!(
        String::from_utf8_lossy(&before.stderr).contains("the deadline of all is"),
        "{before:?}"
    );
    class.succeeds(&["extend", "jose", "2026-12-03T12:00:00+01:00"]);
    assert!(import(&class, &download).contains("0 new, 0 of them too late; 2 known"));
    let intake = class.succeeds(&["intake"]);
    assert!(
        intake.contains("jose  2026-12-02T09-00-00  built"),
        "{intake}"
    );
    assert!(intake.contains("0 too late"), "{intake}");
}

/// The download was made after the extension had ended, so its time came too late.
fn a_hand_in_gets_another_time_when_more_is_known() {
    let (class, desk) = (class(), Desk::new());
    let late = desk.folder(
        "canvas",
        &[("delacruzjosé_LATE_12346_9003_bot.toml", BOT.1)],
    );
    date(&late, "2026-12-09T09:00:00Z");
    assert!(import(&class, &late).starts_with("jose  2026-12-09T09-00-00  too late\n"));
    class.succeeds(&["extend", "jose", "2026-12-03T12:00:00Z"]);
    assert!(import(&class, &late).starts_with("jose  2026-12-03T12-00-00\n"));
    let said = class.succeeds(&[
        "import",
        late.to_str().unwrap(),
        "--at",
        "2026-12-02T08-00-00",
    ]);
    assert!(said.starts_with("jose  2026-12-02T08-00-00\n"), "{said}");
    assert_eq!(
        fs::read_dir(class.path("submissions/jose"))
            .unwrap()
            .count(),
        1
    );
}

/// A part of a name finds no student, and one submission keeps no other back.
fn no_name_and_no_file_of_one_student_harms_another() {
    let (class, desk) = (class(), Desk::new());
    let folder = |name: &str| {
        desk.folder(
            &format!("moodle/{name}_assignsubmission_file_"),
            &[BOT, ("bot.sh", name)],
        )
    };
    folder("Ada King Lovelace_5");
    folder("Anne-Sam Lee_778");
    folder("Eve-Sam Lee_99");
    let jose = folder("José de la Cruz_6");
    std::os::unix::fs::symlink("/etc/passwd", jose.join("link")).unwrap();
    File::create(jose.join("film"))
        .unwrap()
        .set_len(30 << 20)
        .unwrap();
    let output = class.output(&["import", desk.path("moodle").to_str().unwrap()]);
    let [said, noted] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    let ids: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split_once("  2026-").map(|it| it.0))
        .collect();
    // The number is that of pat, whose name the folder does not have.
    assert_eq!(
        ids.iter().collect::<std::collections::BTreeSet<_>>().len(),
        3,
        "{said}"
    );
    assert!(
        ["ada", "jose", "pat"].iter().all(|id| ids.contains(id)),
        "{said}"
    );
    assert!(
        said.contains("\"Eve-Sam Lee_99_assignsubmission_file_\": the roster has no student"),
        "{said}"
    );
    assert!(
        noted.contains("link\" is a link") && noted.contains("film\" has more than 20 MiB"),
        "{noted}"
    );
}

fn moodle_names_it_in_the_folder() {
    let (class, desk) = (class(), Desk::new());
    let folder = |name: &str, time: &str| -> PathBuf {
        let folder = desk.folder(&format!("moodle/{name}"), &[BOT, ("bot.sh", name)]);
        date(&folder, time);
        folder
    };
    folder(
        "José de la Cruz_501_assignsubmission_file_",
        "2026-12-01T20:00:00Z",
    );
    folder(
        "Duo-Pat Duo_502_assignsubmission_file_",
        "2026-12-02T20:00:00Z",
    );
    let ada = folder(
        "Ada King Lovelace_503_assignsubmission_file_",
        "2026-11-30T20:00:00Z",
    );
    let said = import(&class, &desk.path("moodle"));
    let all =
        "ada  2026-11-30T20-00-00\njose  2026-12-01T20-00-00\npat  2026-12-02T20-00-00  too late\n";
    assert_eq!(said, format!("{all}3 new, 1 of them too late; 0 known\n"));
    // Another version, and then the first one once more, which is the newest now.
    for (text, time) in [
        ("second", "2026-12-01T21:00:00Z"),
        ("", "2026-12-01T22:00:00Z"),
    ] {
        let first = ada.file_name().unwrap().to_str().unwrap();
        fs::write(
            ada.join("bot.sh"),
            if text.is_empty() { first } else { text },
        )
        .unwrap();
        date(&ada, time);
        assert!(
            import(&class, &desk.path("moodle")).contains("1 new, 0 of them too late; 2 known")
        );
    }
    assert!(class.path("submissions/ada/2026-12-01T22-00-00").is_dir());
}

fn gradescope_says_whose_and_when_and_a_team_shares_all() {
    let (class, desk) = (class(), Desk::new());
    let files = |one: &'static str| [("bot.toml", BOT.1), ("bot.sh", one)];
    for one in ["submission_1", "submission_2", "submission_3"] {
        desk.folder(&format!("export/assignment_5_export/{one}"), &files(one));
    }
    desk.folder(
        "export/assignment_5_export",
        &[("submission_metadata.yml", METADATA)],
    );
    let said = import(&class, &desk.zip(&desk.path("export"), "export.zip"));
    let all =
        "sam  2026-12-01T18-15-37\nada  2026-12-01T20-15-37\n2 new, 0 of them too late; 0 known\n";
    assert!(
        said.starts_with(all)
            && said.contains("\"submission_3\": ")
            && said.contains("\"submission_4\": the download has no files of it"),
        "{said}"
    );
    // A submission of the other member is the team's newest version.
    let later = desk.folder("later", &[BOT, ("bot.sh", "later")]);
    class.succeeds(&[
        "add",
        "pat",
        later.to_str().unwrap(),
        "--at",
        "2026-12-01T19-00-00",
    ]);
    let intake = class.succeeds(&["intake"]);
    assert!(
        intake.contains("pat  2026-12-01T19-00-00  built"),
        "{intake}"
    );
    let folder = class.path("results");
    let grades = class.succeeds(&["grade", "--gradescope", folder.to_str().unwrap()]);
    for (id, name) in [("sam", "Sam Lee"), ("pat", "Pat Duo")] {
        assert!(grades.contains(&format!("{id},{name},Duo,0,")), "{grades}");
        assert!(folder.join(id).join("results.json").is_file());
    }
    class.succeeds(&["site"]);
    assert_eq!(class.page_of("sam"), class.page_of("pat"));
}
