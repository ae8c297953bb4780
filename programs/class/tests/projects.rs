//! The ways in which projects of the course arrive, and what a class builds besides.

use std::fs;

use crate::class::{AT, Class};
use testkit::list::{Tests, Tier};
use testkit::programs::project_file;
use testkit::tools::{BSDTAR, CXX, MAKE, NAMESPACES, PYTHON, RUBY, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[CXX, MAKE, NAMESPACES, PYTHON], |tests| {
        add!(tests, a_class_without_headers_blames_nobody);
        tests.tier(Tier::Thorough, |tests| {
            tests.needing(&[BSDTAR], |tests| add!(tests, projects_arrive_in_many_ways));
        });
    });
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[NAMESPACES, SYSTEM_PYTHON, RUBY], |tests| {
            add!(tests, a_class_plays_salvos_of_ships_apart);
        });
    });
}

/// How a student's project arrives, and what `class intake` prints. `@` stands for each of the
/// three files that the course asks for, `NAME<FILE+TEXT` for a copy of one of them with some text
/// behind it, and `NAME=TEXT` for a file with this text.
type Project = (&'static str, &'static str, &'static str);

const BUILT: &str = "built     classes of the course";

/// The message about a project whose `Board.cpp` consists of an error, which takes a tenth of a
/// build: its classes were found.
const ARRIVED: &str = "failed: Board.cpp:1:2: error: #error arrived";

const USUAL: [Project; 7] = [
    ("three", "zip | @", BUILT),
    (
        "mistake",
        "zip | @ | Board.cpp<Board.cpp+int f() { return x; }\n",
        "failed: Board.cpp:",
    ),
    (
        "forgot",
        "zip | Player.cpp<Player.cpp | Board.cpp<Board.cpp",
        "failed: Game.cpp is missing; hand in all of Board.cpp, Game.cpp, Player.cpp",
    ),
    (
        "apart",
        "zip | Board/Board.cpp<Board.cpp | Game/Game.cpp<Game.cpp | Player/Player.cpp<Player.cpp",
        "failed: Board.cpp is in the folder Board, and the others are not",
    ),
    (
        "none",
        "zip | notes.txt=later",
        "no folder and no archive here has Player.cpp",
    ),
    (
        "cpp",
        "folder | bot.cpp=",
        "bot.cpp is UTF-16 text; save it as UTF-8",
    ),
    (
        "py",
        "folder | bot.py=",
        "bot.py is UTF-16 text; save it as UTF-8",
    ),
];

/// Which folder of an archive has the project, and by which names, is in the tests of `project`.
const OTHERS: [Project; 12] = [
    (
        "leftover",
        "folder | @ | old.cpp<Player.cpp | test.cpp=#include \"Game.h\"\nint main() { return 0; }\n",
        BUILT,
    ),
    ("folder", "zip | Project 3/@", ARRIVED),
    (
        "rar",
        "p.rar | p.rar=what it says is of no kind\n",
        "refused",
    ),
    (
        "case",
        "zip | player.cpp<Player.cpp+#include \"board.h\"\n | BOARD.CPP<Board.cpp | game.cpp<Game.cpp",
        ARRIVED,
    ),
    ("copy", "zip | @ | Copy of Player.cpp<Player.cpp", BUILT),
    ("broken-copy", "zip | @ | draft.cpp=class {", BUILT),
    (
        "own-main",
        "zip | @ | Game.cpp<Game.cpp+int main() { return 0; }\n",
        BUILT,
    ),
    (
        "helper",
        "zip | @ | Board.cpp<Board.cpp+int helped();\nint uses() { return helped(); }\n | help.cpp=int helped() { return 1; }\n",
        BUILT,
    ),
    (
        "lacks",
        "zip | @ | Game.cpp=// Nothing yet.\n",
        "failed: undefined reference to",
    ),
    (
        "header",
        "zip | @ | Player.h=#include \"globals.h\"\nclass Game;\nclass Player { };\n",
        "failed: Player.cpp:",
    ),
    ("nested", "zip in zip | P3/@", ARRIVED),
    ("seven", "7z | P3/@", ARRIVED),
];

/// A class whose students hand in these projects.
fn class_of(projects: &[Project]) -> Class {
    let ids: Vec<_> = projects.iter().map(|project| project.0).collect();
    let class = Class::new(&ids.join(" "));
    for (id, arrives, expected) in projects {
        let write = |name: &str, file: &str, more: &str| {
            let text = fs::read_to_string(project_file("tests/programs/cs32").join(file));
            let text = if file == "Board.cpp" && *expected == ARRIVED {
                "#error arrived\n".to_owned()
            } else {
                text.unwrap() + more
            };
            class.desk.file(&format!("{id}/{name}"), text);
        };
        let mut parts = arrives.split(" | ");
        let packed = parts.next().unwrap();
        for part in parts {
            if let Some((name, text)) = part.split_once('=') {
                class.desk.file(&format!("{id}/{name}"), text);
            } else if let Some((name, file)) = part.split_once('<') {
                let (file, more) = file.split_once('+').unwrap_or((file, ""));
                write(name, file, more);
            } else {
                for file in ["Player.cpp", "Board.cpp", "Game.cpp"] {
                    write(&part.replace('@', file), file, "");
                }
            }
        }
        let path = match packed {
            "zip" => {
                class.zip(id);
                format!("{id}.zip")
            }
            "zip in zip" => {
                class.zip(id);
                let inner = fs::read(class.desk.path(&format!("{id}.zip"))).unwrap();
                class.desk.file("outer/P3.zip", inner);
                class.desk.file("outer/readme.txt", "hello");
                class.zip("outer");
                "outer.zip".to_owned()
            }
            "7z" => {
                let words = format!("-acf {id}.7z -C {id} .");
                class.desk.program("bsdtar", &words).succeeds();
                format!("{id}.7z")
            }
            "folder" => (*id).to_owned(),
            file => format!("{id}/{file}"),
        };
        class.run(format!("add {id} {path} --at {AT}"));
    }
    class
}

/// Takes in these projects.
fn arrive(class: &Class, projects: &[Project]) {
    let intake = class.run("intake");
    for (id, _, expected) in projects {
        let mut lines = intake.stdout.lines();
        let line = lines.find(|line| line.split(' ').next() == Some(id));
        if !line.is_some_and(|line| line.contains(expected)) {
            intake.fail(&format!("{id}: {expected}"));
        }
    }
}

fn projects_arrive_in_many_ways() {
    let class = class_of(&OTHERS);
    class.skeleton();
    arrive(&class, &OTHERS);
    // The program that the linker found among the leftovers plays.
    class.run("check helper");
}

fn a_class_without_headers_blames_nobody() {
    let class = class_of(&USUAL);
    for (id, file) in [("cpp", "bot.cpp"), ("py", "bot.py")] {
        class.file(
            &format!("submissions/{id}/{AT}/{file}"),
            b"\xff\xfei\0n\0t\0\n\0",
        );
    }
    let done = class.step("intake").ends();
    done.exits(2);
    done.warns("the class has no Board.h, Game.h, Player.h, globals.h");
    done.warns("skeleton = \"FOLDER\" below [build]");
    assert_eq!(
        done.stderr.matches("the class has no").count(),
        1,
        "{done:?}"
    );
    class.run("site");
    let waits = "class waits for the course";
    assert!(class.page("three").contains(waits) && class.public_page().contains(waits));
    class.set("[build]", "[build]\nskeleton = 'empty'");
    class
        .step("intake")
        .fails(2, "class.toml, [build] skeleton: empty: ");
    fs::create_dir(class.path("empty")).unwrap();
    class.step("intake").fails(2, "empty: it is empty");
    class.set("[build]\nskeleton = 'empty'", "[build]");
    class.skeleton();
    arrive(&class, &USUAL);
}

/// A class whose games have another rule; a bot that knows the classic game alone is unfit.
fn a_class_plays_salvos_of_ships_apart() {
    let class = Class::new("py ruby old");
    class.set("[build]", "[game]\nrules = 'salvo'\napart = true\n[build]");
    for (id, language) in [("py", "python"), ("ruby", "ruby")] {
        class.kit(language, id);
        class.adds(id);
    }
    class.plain("old");
    class.adds("old");
    class.run("intake");
    class.run("check").prints("it does not play salvo");
    assert!(class.plays() > 0);
    for record in class.games() {
        for game in record.games() {
            assert_eq!(game["rules"], "salvo");
            assert_eq!(game["options"]["apart"], "all");
            assert_eq!(game["ended_by"], "fleet_sunk", "{game}");
        }
    }
    class.run("site");
    class.pages_have(&[("py", "that may not touch, a shot for each ship afloat")]);
    class.run("suspicious");
}
