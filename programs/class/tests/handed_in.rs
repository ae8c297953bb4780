//! The ways in which projects of the course arrive. All are made here of classes of our own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::programs::project_file;

use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::list::{Tests, Tier};
use testkit::tools::{BSDTAR, CXX, MAKE, NAMESPACES, PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[CXX, MAKE, NAMESPACES, PYTHON], |tests| {
        add!(
            tests,
            what_the_course_asks_for_is_built,
            the_teacher_is_told_what_the_class_lacks_and_no_student_is_blamed,
            a_program_of_one_game_plays_each_game_as_its_first
        );
    });
    tests.needing(&[CXX, MAKE, NAMESPACES], |tests| {
        add!(tests, sources_in_utf_16_are_named);
    });
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[BSDTAR, CXX, MAKE, NAMESPACES, PYTHON], |tests| {
            add!(tests, projects_arrive_in_many_ways);
        })
    });
}

/// The packing of a project.
#[derive(Clone, Copy)]
enum Packed {
    Folder,
    Zip,
    ZipInZip,
    SevenZip,
    /// A file of this name that is something else.
    Text(&'static str),
}

/// The content of a file: a file of our classes with some text after it, or a text.
#[derive(Clone, Copy)]
enum Content {
    Of(&'static str, &'static str),
    Text(&'static str),
}

use Content::{Of, Text};
use Packed::{Folder, SevenZip, Zip, ZipInZip};

/// The owner, the packing, the files besides those that `files` makes, and the message of `class intake`.
type Row = (
    &'static str,
    Packed,
    &'static str,
    &'static [(&'static str, Content)],
    &'static str,
);

/// The three files that the course asks for, under these names, in a folder.
fn asked(folder: &'static str) -> Vec<(String, Content)> {
    let names = ["Player.cpp", "Board.cpp", "Game.cpp"];
    names
        .into_iter()
        .map(|name| (folder.replace('@', name), Of(name, "")))
        .collect()
}

const MAIN: Content = Text("#include \"Game.h\"\nint main() { return 0; }\n");
const BUILT: &str = "built     classes of the course";

/// The message about a project whose `Board.cpp` consists of an error, which takes a tenth of a build: its classes were found.
const ARRIVED: &str = "failed: Board.cpp:1:2: error: #error arrived";

/// The projects that are built in each run of the tests, and then the others. In the folder, `@` stands for each of the three
/// names.
const ROWS: &[Row] = &[
    ("three", Zip, "@", &[], BUILT),
    (
        "xcode",
        Zip,
        "P3/P3/@",
        &[("P3/P3.xcodeproj/project.pbxproj", Text("{}"))],
        BUILT,
    ),
    (
        "leftover",
        Folder,
        "@",
        &[("old.cpp", Of("Player.cpp", "")), ("test.cpp", MAIN)],
        BUILT,
    ),
    (
        "mistake",
        Zip,
        "@",
        &[("Board.cpp", Of("Board.cpp", "int f() { return x; }\n"))],
        "failed: Board.cpp:",
    ),
    (
        "forgot",
        Zip,
        "",
        &[
            ("Player.cpp", Of("Player.cpp", "")),
            ("Board.cpp", Of("Board.cpp", "")),
        ],
        "failed: Game.cpp is missing; hand in all of Board.cpp, Game.cpp, Player.cpp",
    ),
    (
        "apart",
        Zip,
        "",
        &[
            ("Board/Board.cpp", Of("Board.cpp", "")),
            ("Game/Game.cpp", Of("Game.cpp", "")),
            ("Player/Player.cpp", Of("Player.cpp", "")),
        ],
        "failed: Board.cpp is in the folder Board, and the others are not",
    ),
    (
        "none",
        Zip,
        "",
        &[("notes.txt", Text("later"))],
        "no folder and no archive here has Player.cpp",
    ),
    ("folder", Zip, "Project 3/@", &[], ARRIVED),
    ("rar", Packed::Text("p.rar"), "", &[], "refused"),
    (
        "studio",
        Zip,
        "P3/P3/@",
        &[("P3/P3.sln", Text("")), ("P3/.vs/x", Text(""))],
        ARRIVED,
    ),
    (
        "eclipse",
        Zip,
        "ws/src/@",
        &[("ws/.project", Text("<x/>")), ("ws/.cproject", Text(""))],
        ARRIVED,
    ),
    (
        "report",
        Zip,
        "P3/@",
        &[("report.docx", Text("words"))],
        ARRIVED,
    ),
    ("nested", ZipInZip, "P3/@", &[], ARRIVED),
    ("seven", SevenZip, "P3/@", &[], ARRIVED),
    ("canvas", Folder, "ada_12345_678901_@", &[], ARRIVED),
    ("late", Folder, "ada_LATE_12345_678901_@", &[], ARRIVED),
    (
        "again",
        Folder,
        "",
        &[
            ("Player-1.cpp", Of("Player.cpp", "")),
            ("Board-1.cpp", Of("Board.cpp", "")),
            ("Game-1.cpp", Of("Game.cpp", "")),
        ],
        ARRIVED,
    ),
    (
        "case",
        Zip,
        "",
        &[
            ("player.cpp", Of("Player.cpp", "#include \"board.h\"\n")),
            ("BOARD.CPP", Of("Board.cpp", "")),
            ("game.cpp", Of("Game.cpp", "")),
        ],
        ARRIVED,
    ),
    (
        "own-make",
        Zip,
        "@",
        &[("Makefile", Text("all:\n\tc++ -o proj3 *.cpp\n"))],
        ARRIVED,
    ),
    (
        "copy",
        Zip,
        "@",
        &[("Copy of Player.cpp", Of("Player.cpp", ""))],
        BUILT,
    ),
    (
        "broken-copy",
        Zip,
        "@",
        &[("draft.cpp", Text("class {"))],
        BUILT,
    ),
    (
        "own-main",
        Zip,
        "@",
        &[("Game.cpp", Of("Game.cpp", "int main() { return 0; }\n"))],
        BUILT,
    ),
    (
        "helper",
        Zip,
        "@",
        &[
            (
                "Board.cpp",
                Of(
                    "Board.cpp",
                    "int helped();\nint uses() { return helped(); }\n",
                ),
            ),
            ("help.cpp", Text("int helped() { return 1; }\n")),
        ],
        BUILT,
    ),
    (
        "lacks",
        Zip,
        "@",
        &[("Game.cpp", Text("// Nothing yet.\n"))],
        "failed: undefined reference to",
    ),
    (
        "header",
        Zip,
        "@",
        &[(
            "Player.h",
            Text("#include \"globals.h\"\nclass Game;\nclass Player { };\n"),
        )],
        "failed: Player.cpp:",
    ),
    (
        "two",
        Zip,
        "one/@",
        &[
            ("two/Player.cpp", Of("Player.cpp", "")),
            ("two/Board.cpp", Of("Board.cpp", "")),
            ("two/Game.cpp", Of("Game.cpp", "")),
        ],
        "more than one project: one, two",
    ),
];

/// Makes what the student of `row` hands in.
fn made(desk: &Desk, (id, packed, folder, more, expected): &Row) -> PathBuf {
    if let Packed::Text(name) = packed {
        return desk
            .folder(id, &[(name, "what it says is of no kind\n")])
            .join(name);
    }
    let root = desk.folder(id, &[(".keep", "")]);
    fs::remove_file(root.join(".keep")).unwrap();
    let asked = if folder.is_empty() {
        Vec::new()
    } else {
        asked(folder)
    };
    let arrived = |content| match content {
        Of("Board.cpp", _) if *expected == ARRIVED => Text("#error arrived\n"),
        Of(..) | Text(_) => content,
    };
    let more = more
        .iter()
        .map(|(name, content)| ((*name).to_owned(), *content));
    for (name, content) in asked.into_iter().chain(more) {
        let text = match arrived(content) {
            Of(file, after) => {
                let path = project_file("tests/programs/cs32").join(file);
                fs::read_to_string(path).unwrap() + after
            }
            Text(text) => text.to_owned(),
        };
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    match packed {
        Zip => desk.zip(&root, &format!("{id}.zip")),
        ZipInZip => {
            let outer = desk.folder(&format!("{id}-outer"), &[("readme.txt", "hello")]);
            fs::rename(desk.zip(&root, &format!("{id}.zip")), outer.join("P3.zip")).unwrap();
            desk.zip(&outer, &format!("{id}-outer.zip"))
        }
        SevenZip => {
            let path = desk.path(&format!("{id}.7z"));
            let mut tar = Command::new("bsdtar");
            tar.arg("-acf").arg(&path).arg("-C").arg(&root).arg(".");
            assert!(tar.status().unwrap().success());
            path
        }
        Folder | Packed::Text(_) => root,
    }
}

/// Puts the headers of our classes into a folder of the class.
pub(super) fn put_skeleton(class: &Class, folder: &str) {
    fs::create_dir_all(class.path(folder)).unwrap();
    for name in ["Board.h", "Game.h", "Player.h", "globals.h"] {
        let from: &Path = &project_file("tests/programs/cs32").join(name);
        fs::copy(from, class.path(folder).join(name)).unwrap();
    }
}

pub(super) fn settings(build: &str) -> String {
    SETTINGS.replacen("[build]\n", &format!("[build]\n{build}\n"), 1)
}

pub(super) const WITH_SKELETON: &str = "skeleton = 'handed out'\nflags = '-O0'";

/// Takes in what the students of `rows` hand in.
fn arrives(rows: &[Row]) -> Class {
    let desk = Desk::new();
    let students: Vec<_> = rows.iter().map(|row| (row.0, "Ada", "")).collect();
    let class = Class::new(&settings(WITH_SKELETON), &students);
    put_skeleton(&class, "handed out");
    for row in rows {
        let path = made(&desk, row);
        let at = "2026-11-30T10-00-00";
        class.succeeds(&["add", row.0, path.to_str().unwrap(), "--at", at]);
    }
    let said = class.succeeds(&["intake"]);
    for (id, .., expected) in rows {
        let line = said.lines().find(|line| line.split(' ').next() == Some(id));
        assert!(
            line.is_some_and(|line| line.contains(expected)),
            "{id}: {expected}\n{said}"
        );
    }
    class
}

fn what_the_course_asks_for_is_built() {
    arrives(&ROWS[..7]);
}

fn projects_arrive_in_many_ways() {
    let class = arrives(&ROWS[7..]);
    // The program that the linker found among the leftovers plays.
    class.succeeds(&["check", "helper"]);
}

fn the_teacher_is_told_what_the_class_lacks_and_no_student_is_blamed() {
    let desk = Desk::new();
    let students = [("ada", "Ada", ""), ("bob", "Bob", "")];
    let class = Class::new(&settings("flags = '-O0'"), &students);
    let path = made(&desk, &ROWS[0]);
    class.succeeds(&[
        "add",
        "ada",
        path.to_str().unwrap(),
        "--at",
        "2026-11-30T10-00-00",
    ]);
    class.succeeds(&[
        "add",
        "bob",
        path.to_str().unwrap(),
        "--at",
        "2026-11-30T10-00-00",
    ]);
    let output = class.output(&["intake"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.matches("the class has no").count(), 1, "{said}");
    class.succeeds(&["site"]);
    let waits = "class waits for the course";
    assert!(class.page_of("bob").contains(waits) && class.public_page().contains(waits));
    assert!(
        said.contains("the class has no Board.h, Game.h, Player.h, globals.h"),
        "{said}"
    );
    assert!(
        said.contains("skeleton = \"FOLDER\" below [build]"),
        "{said}"
    );
    class.set(&settings(WITH_SKELETON));
    let output = class.output(&["intake"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("class.toml, [build] skeleton: handed out: "),
        "{said}"
    );
    fs::create_dir(class.path("handed out")).unwrap();
    let output = class.output(&["intake"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("handed out: it is empty"), "{said}");
    put_skeleton(&class, "handed out");
    let said = class.succeeds(&["intake"]);
    assert!(said.contains(BUILT), "{said}");
    // The build depends on the settings, and is made again with others.
    class.set(&settings("skeleton = 'handed out'\nflags = '-O0 -DX'"));
    assert!(class.succeeds(&["intake"]).contains("2 new: 2 built"));
    assert!(class.succeeds(&["intake"]).contains("0 new"));
}

/// Ends the program when a second player is made.
const ONE_GAME: &str = "{\n    static int made = 0;\n    if (++made > 1) exit(7);\n";

fn a_program_of_one_game_plays_each_game_as_its_first() {
    let desk = Desk::new();
    let class = Class::new(&settings(WITH_SKELETON), &[("ada", "Ada", "")]);
    put_skeleton(&class, "handed out");
    let path = made(&desk, &("ada", Folder, "@", &[], BUILT));
    let file = path.join("Player.cpp");
    let text = fs::read_to_string(&file).unwrap();
    let (head, rest) = text.split_once("Player* createPlayer(").unwrap();
    let rest = rest.replacen('{', ONE_GAME, 1);
    fs::write(
        &file,
        format!("#include <cstdlib>\n{head}Player* createPlayer({rest}"),
    )
    .unwrap();
    class.succeeds(&[
        "add",
        "ada",
        path.to_str().unwrap(),
        "--at",
        "2026-11-30T10-00-00",
    ]);
    class.succeeds(&["intake"]);
    let said = class.succeeds(&["check", "ada"]);
    let games = said.split_once("10 games against awful: ").expect(&said).1;
    assert!(!games.contains("exited"), "{said}");
    assert!(class.plays() > 0);
    let said = class.succeeds(&["status"]);
    assert!(!said.contains("exited"), "{said}");
    // The class can say otherwise: then the second game of each series is lost.
    class.set(&settings(WITH_SKELETON).replacen("[play]", "[play]\nrestart = false", 1));
    let said = class.succeeds(&["check", "ada"]);
    assert!(
        said.split_once("10 games against awful: ")
            .unwrap()
            .1
            .contains("exited"),
        "{said}"
    );
}

fn sources_in_utf_16_are_named() {
    let (desk, students) = (Desk::new(), ["cpp", "py"].map(|id| (id, "", "")));
    let class = Class::new(SETTINGS, &students);
    for (id, file) in [("cpp", "bot.cpp"), ("py", "bot.py")] {
        let folder = desk.folder(id, &[(file, "")]);
        fs::write(folder.join(file), b"\xff\xfei\0n\0t\0\n\0").unwrap();
        let at = ["--at", "2026-11-30T10-00-00"];
        class.succeeds(&[&["add", id, folder.to_str().unwrap()], &at[..]].concat());
    }
    let said = class.succeeds(&["intake"]);
    for file in ["bot.cpp", "bot.py"] {
        let named = format!("{file} is UTF-16 text; save it as UTF-8");
        assert!(said.contains(&named), "{said}");
    }
}
