//! The downloads of learning platforms, students in teams, and students who got more time.

use std::collections::BTreeSet;
use std::fs::File;

use jiff::Timestamp;

use crate::class::{Class, SH};
use testkit::list::Tests;
use testkit::run::Done;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        canvas_names_the_student_in_each_file,
        a_hand_in_gets_its_time_late,
        no_name_harms_another_student,
        moodle_names_the_student_in_the_folder,
        gradescope_names_students_and_times
    );
}

/// With the names of the platforms, in columns that are not in the order of the documentation.
const ROSTER: &str = "team,name,id,email,number\n,\"Lovelace, Ada King\",ada,ada@x.edu,\n,José de la Cruz,jose,,\nDuo,Sam Lee,sam,sam@x.edu,\nDuo,Pat Duo,pat,,778\n,Bob Noyce,bob,,\n";

/// Makes a file of a download, with its time.
fn dated(class: &Class, name: &str, text: impl AsRef<[u8]>, time: &str) {
    class.desk.file(name, text);
    let time: Timestamp = time.parse().unwrap();
    let file = File::options().append(true).open(class.desk.path(name));
    let file = file.unwrap();
    file.set_modified(time.try_into().unwrap()).unwrap();
}

/// Imports the folder `all` as it is.
fn import(class: &Class) -> Done {
    class.run("import all")
}

fn canvas_names_the_student_in_each_file() {
    let class = Class::new(ROSTER);
    class.desk.file("p/bot.toml", SH).file("p/bot.sh", "exit\n");
    class.zip("p");
    let project = std::fs::read(class.desk.path("p.zip")).unwrap();
    let at = "2026-12-02T09:00:00Z";
    dated(
        &class,
        "all/delacruzjosé_LATE_12346_9003_p.zip",
        project,
        at,
    );
    dated(&class, "all/lovelaceadaking_12345_9001_bot.toml", SH, at);
    dated(
        &class,
        "all/lovelaceadaking_12345_9002_bot-1.sh",
        "exit\n",
        at,
    );
    dated(&class, "all/strange_12349_9004_bot.py", "", at);
    // It is not a submission, and its time says nothing about theirs.
    dated(&class, "all/points.csv", "", "2026-11-02T09:00:00Z");
    class.zip("all");
    let import = |sentence: &str| {
        let done = class.run("import all.zip");
        done.prints(sentence);
        done
    };
    import("2 new, 1 of them too late; 0 known\n")
        .prints("ada  2026-12-01T23-59-00\n")
        .prints("jose  2026-12-02T09-00-00  too late\n")
        .prints("not said when: 1;")
        .prints("\"strange_12349_9004_bot.py\": the roster has no student called \"12349\" or \"strange\"");
    class.text("submissions/ada/2026-12-01T23-59-00/bot-1.sh");
    assert!(
        class
            .path("submissions/jose/2026-12-02T09-00-00.zip")
            .is_file()
    );
    import("0 new, 0 of them too late; 2 known");

    class.run("intake").prints("; 1 too late");
    class
        .step("extend jose 2026-11-30T12-00-00")
        .fails(2, "the deadline of all is");
    class.run("extend jose 2026-12-03T12:00:00+01:00");
    import("0 new, 0 of them too late; 2 known");
    let intake = class.run("intake");
    intake
        .prints("jose  2026-12-02T09-00-00  built")
        .prints("0 too late");
}

/// The download was made after the extension had ended, so its time came too late.
fn a_hand_in_gets_its_time_late() {
    let class = Class::new(ROSTER);
    let late = "all/delacruzjosé_LATE_12346_9003_bot.toml";
    dated(&class, late, SH, "2026-12-09T09:00:00Z");
    import(&class).prints("jose  2026-12-09T09-00-00  too late\n");
    class.run("extend jose 2026-12-03T12:00:00Z");
    import(&class).prints("jose  2026-12-03T12-00-00\n");
    let done = class.run("import all --at 2026-12-02T08-00-00");
    done.prints("jose  2026-12-02T08-00-00\n");
    assert_eq!(class.count("submissions/jose"), 1);
}

/// A part of a name finds no student, and one submission keeps no other back.
fn no_name_harms_another_student() {
    let class = Class::new(ROSTER);
    let folder = |name: &str| format!("all/{name}_assignsubmission_file_");
    let names = [
        "Ada King Lovelace_5",
        "Anne-Sam Lee_778",
        "Eve-Sam Lee_99",
        "José de la Cruz_6",
    ];
    for name in names {
        let folder = folder(name);
        class.desk.file(&format!("{folder}/bot.toml"), SH);
        class.desk.file(&format!("{folder}/bot.sh"), name);
    }
    let jose = class.desk.path(&folder(names[3]));
    std::os::unix::fs::symlink("/etc/passwd", jose.join("link")).unwrap();
    File::create(jose.join("film"))
        .unwrap()
        .set_len(70 << 20)
        .unwrap();
    let done = import(&class);
    let lines = done.stdout.lines();
    let ids: BTreeSet<_> = lines
        .filter_map(|line| Some(line.split_once("  2026-")?.0))
        .collect();
    // The number is that of pat, whose name the folder does not have.
    assert_eq!(
        ids,
        BTreeSet::from(["ada", "jose", "pat"]),
        "{}",
        done.stdout
    );
    done.prints("\"Eve-Sam Lee_99_assignsubmission_file_\": the roster has no student");
    done.warns("link\" is a link")
        .warns("film\" has more than 64 MiB");

    // Nobody knows whose a hand-in is if the number is one's and the name another's. The first name
    // is of the same team.
    class.desk.file("canvas/leesam_778_9001_bot.toml", SH);
    class.desk.file("canvas/noycebob_778_9002_bot.py", "");
    let done = class.run("import canvas");
    done.prints("pat  ");
    done.prints(
        "\"noycebob_778_9002_bot.py\": \"778\" is pat in the roster, but \"noycebob\" fits bob;",
    );
    assert!(!class.path("submissions/bob").exists());
}

fn moodle_names_the_student_in_the_folder() {
    let class = Class::new(ROSTER);
    let make = |name: &str, text: &str, time: &str| {
        let folder = format!("all/{name}_assignsubmission_file_");
        dated(&class, &format!("{folder}/bot.toml"), SH, time);
        dated(&class, &format!("{folder}/bot.sh"), text, time);
    };
    let ada = "Ada King Lovelace_503";
    make("José de la Cruz_501", "jose", "2026-12-01T20:00:00Z");
    make("Duo-Pat Duo_502", "pat", "2026-12-02T20:00:00Z");
    make(ada, "first", "2026-11-30T20:00:00Z");
    import(&class).prints_all("ada  2026-11-30T20-00-00\njose  2026-12-01T20-00-00\npat  2026-12-02T20-00-00  too late\n3 new, 1 of them too late; 0 known\n");
    // Another version, and then the first one once more, which is the newest now.
    for (text, time) in [
        ("second", "2026-12-01T21:00:00Z"),
        ("first", "2026-12-01T22:00:00Z"),
    ] {
        make(ada, text, time);
        import(&class).prints("1 new, 0 of them too late; 2 known");
    }
    assert!(class.path("submissions/ada/2026-12-01T22-00-00").is_dir());
}

const METADATA: &str = "---
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

fn gradescope_names_students_and_times() {
    let class = Class::new(ROSTER);
    let export = "export/assignment_5_export";
    for name in ["submission_1", "submission_2", "submission_3"] {
        class.desk.file(&format!("{export}/{name}/bot.toml"), SH);
        class.desk.file(&format!("{export}/{name}/bot.sh"), name);
    }
    let metadata = format!("{export}/submission_metadata.yml");
    class.desk.file(&metadata, METADATA);
    class.zip("export");
    let done = class.run("import export.zip");
    done.prints(
        "sam  2026-12-01T18-15-37\nada  2026-12-01T20-15-37\n2 new, 0 of them too late; 0 known\n",
    );
    done.prints("\"submission_3\": ");
    done.prints("\"submission_4\": the download has no files of it");
    // A submission of the other member is the team's newest version.
    class
        .desk
        .file("later/bot.toml", SH)
        .file("later/bot.sh", "later");
    class.run("add pat later --at 2026-12-01T19-00-00");
    class
        .run("intake")
        .prints("pat  2026-12-01T19-00-00  built");
    let grades = class.step("grade --gradescope results").ends();
    grades.exits(1);
    grades.warns("3 students wait for check: these are not grades");
    for (id, row) in [("sam", "sam,Sam Lee,Duo,,"), ("pat", "pat,Pat Duo,Duo,,")] {
        grades.prints(row);
        class.desk.text(&format!("results/{id}/results.json"));
    }
    class.run("site");
    assert_eq!(class.page("sam"), class.page("pat"));
}
