//! The adapter for the course's classes, around classes of our own that are declared as the specification does.

use std::process::Output;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::check::passes_but_for;
use testkit::list::{Tests, Tier};
use testkit::programs::{project_file, referee, text_of};
use testkit::tools::{CXX, MAKE};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[MAKE], |tests| {
        add!(tests, what_to_type_is_said_and_a_wrong_folder_is_named);
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[CXX, MAKE], |tests| {
            add!(
                tests,
                the_courses_players_play_on_any_board,
                the_courses_players_keep_to_the_protocol,
                ships_that_touch_are_distinguished,
                a_salvo_has_no_cell_twice_and_ships_that_always_touch_are_not_placed,
                a_player_that_cannot_place_its_ships_says_so,
                a_type_that_is_not_a_computer_player_does_not_start,
                a_player_that_draws_from_anywhere_follows_the_seed,
                a_submission_without_headers_builds_under_its_own_name,
                a_students_header_may_declare_what_the_adapter_does,
                a_ship_that_the_students_game_refuses_is_not_waited_for
            );
        })
    });
}

/// A folder with the adapter, and the player of each type that is asked for.
fn adapter(types: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut command = referee();
    command
        .args(["new", "cs32", "."])
        .current_dir(&folder)
        .assert()
        .success();
    let student = format!("STUDENT={}", project_file("tests/programs/cs32").display());
    for kind in types {
        let mut make = Command::new("make");
        make.args([
            &student,
            &format!("TYPE={kind}"),
            "CXXFLAGS=-std=c++17 -Wall -Wextra -Werror",
        ]);
        make.current_dir(&folder).assert().success();
    }
    folder
}

fn what_to_type_is_said_and_a_wrong_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = referee();
    let assert = command
        .args(["new", "cs32", "."])
        .current_dir(&folder)
        .assert()
        .success();
    let said = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let readme = text_of(folder.path().join("README.md"));
    for step in said
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .skip(1)
    {
        assert!(readme.contains(&format!("\n{step}\n")), "{step}");
    }
    let mut make = Command::new("make");
    make.args(["STUDENT=nowhere", "TYPE=good"])
        .current_dir(&folder);
    make.assert().failure().stdout(contains(
        "There is no Player.cpp Board.h Game.h Player.h globals.h in nowhere",
    ));
    assert!(
        said.contains(
            "Start with Board.cpp, Game.cpp, Player.cpp, Board.h, Game.h, Player.h and globals.h, the seven files that it needs"
        )
    );
}

/// A game whose fleet was sunk, with no fault and no wasted shot of the classes on the way.
fn play(folder: &TempDir, players: [&str; 2], options: &[&str]) -> Value {
    let record = play_on(folder, players, options);
    let wasted = |index: usize| {
        let mut shots = record["shots"].as_array().unwrap().iter();
        shots.any(|shot| shot[0] == index && shot[3] == "wasted")
    };
    assert!(
        (0..2).all(|index| !players[index].starts_with("./") || !wasted(index)),
        "{record}"
    );
    record
}

/// A game whose fleet was sunk, with no fault on the way; returns its record.
fn play_on(folder: &TempDir, players: [&str; 2], options: &[&str]) -> Value {
    let mut command = referee();
    command
        .arg("play")
        .args(players)
        .args(["--json", "--seed", "3"])
        .args(options);
    let output = command.current_dir(folder).output().unwrap();
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["ended_by"], "fleet_sunk", "{output:?}");
    for player in record["players"].as_array().unwrap() {
        assert_eq!(player["warnings"], json!([]), "{record}");
    }
    record
}

/// Returns the answers of a player of the type to these lines.
fn spoken(folder: &TempDir, kind: &str, lines: &str) -> Output {
    let mut bot = Command::new(folder.path().join(kind));
    bot.write_stdin(lines).output().unwrap()
}

fn the_courses_players_play_on_any_board() {
    let folder = adapter(&["awful", "mediocre", "good"]);
    let odd = [
        "--rows", "7", "--cols", "5", "--ship", "5 Z ark", "--ship", "1 B buoy", "--ship",
        "3 A sub",
    ];
    for player in ["./cs32-awful", "./cs32-mediocre", "./cs32-good"] {
        let record = play(&folder, [player, "mediocre"], &[]);
        // It calls itself as its program is called.
        assert_eq!(record["players"][0]["name"], player[2..]);
        play(&folder, ["awful", player], &odd);
        play(
            &folder,
            [player, "awful"],
            &["--rows", "1", "--cols", "1", "--ship", "1 B buoy"],
        );
    }
    play(&folder, ["./cs32-good", "./cs32-mediocre"], &odd);
    play(&folder, ["./cs32-mediocre", "mediocre"], &["--apart"]);
    play(&folder, ["./cs32-good", "mediocre"], &["--rules", "salvo"]);
    // More shots than cells: the players are asked for no more than there are.
    let small = [
        "--salvo", "7", "--rows", "2", "--cols", "3", "--ship", "2 B buoy",
    ];
    let record = play_on(&folder, ["./cs32-good", "./cs32-mediocre"], &small);
    assert_eq!(record["shots"].as_array().unwrap().len(), 7, "{record}");
    let mut games = referee();
    games.args([
        "match",
        "./cs32-good",
        "./cs32-mediocre",
        "--games",
        "6",
        "--series",
        "6",
        "--seed",
        "1",
    ]);
    games.arg("--json").current_dir(&folder);
    let output = games.output().unwrap();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        summary["pairings"][0]["without_winner"],
        json!({}),
        "{summary}"
    );
    for player in summary["players"].as_array().unwrap() {
        assert_eq!(
            (&player["faults"], &player["warnings"]),
            (&json!({}), &json!([])),
            "{summary}"
        );
    }
}

/// The awful player places one ship below the other and nowhere else; by the specification, mediocre gives up after
/// fifty tries.
fn the_courses_players_keep_to_the_protocol() {
    let folder = adapter(&["awful", "mediocre", "good"]);
    let gives_up = ["boards", "only_placement"];
    passes_but_for(&gives_up, &folder, "./cs32-awful", &[]);
    passes_but_for(&gives_up, &folder, "./cs32-mediocre", &[]);
    passes_but_for(&[], &folder, "./cs32-good", &[]);
}

/// The player puts its ships side by side, has other numbers for them, and prints to cout in every function.
fn ships_that_touch_are_distinguished() {
    let folder = adapter(&["good"]);
    let lines = "battleship 1\r\ngame classic 5 4\r\nship 0 3 Z ark royal\r\nship 1 1 B buoy\r\nship 2 3 A sub\r\n\
                 seed 5\r\nplace\r\nattack\r\nresult 0 0 sunk 0\r\nresult 0 0 wasted\r\nopponent 1 2\r\nend won x\r\n\
                 nonsense\r\ngame classic 1 4\r\nship 0 4 C canoe\r\nseed 6\r\nplace\r\nquit\r\n";
    let output = spoken(&folder, "cs32-good", lines);
    let said = String::from_utf8(output.stdout).unwrap();
    let said: Vec<_> = said.lines().collect();
    let [
        "name cs32-good",
        "plays classic salvo",
        "ready",
        placed,
        attack,
        "place 0 0 h",
    ] = said[..]
    else {
        panic!("{said:?}")
    };
    assert_eq!(placed, "place 0 2 v 0 1 h 0 0 v");
    assert!(
        attack.starts_with("attack ") && attack != "attack 99 99",
        "{attack}"
    );
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(
        printed.contains("attack 99 99\nvalid 1, hit 1, destroyed ark royal\n"),
        "{printed}"
    );
    assert!(
        printed.contains("valid 0, hit 0, destroyed nothing\n"),
        "{printed}"
    );
    assert!(printed.contains("attacked at 1 2\n"), "{printed}");
    assert!(printed.contains("  0123\n0 ABZ.\n"), "{printed}");
}

/// A player that takes a cell for tried only when it hears the result recommends one for a whole salvo. The adapter takes others.
fn a_salvo_has_no_cell_twice_and_ships_that_always_touch_are_not_placed() {
    let folder = adapter(&["stubborn"]);
    let game = "battleship 1\ngame salvo 2 2\nship 0 2 A ark\nship 1 1 B buoy\nrule apart all\nseed 1\nplace\nsalvo 3\nsalvo 2\nquit\n";
    let output = spoken(&folder, "cs32-stubborn", game);
    let said = String::from_utf8(output.stdout).unwrap();
    let greeting = "name cs32-stubborn\nplays classic salvo\nready";
    assert_eq!(
        said,
        format!("{greeting}\nplace none\nsalvo 1 1 0 0 0 1\nsalvo 1 0 0 0\n")
    );
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(
        printed.contains("placeShips let ships touch 200 times"),
        "{printed}"
    );
}

fn a_player_that_cannot_place_its_ships_says_so() {
    let folder = adapter(&["awful", "boaster"]);
    let game = "battleship 1\ngame classic 2 2\nship 0 2 A ark\nship 1 1 B buoy\nship 2 1 C canoe\nseed 1\nplace\n";
    for kind in ["awful", "boaster"] {
        let output = spoken(&folder, &format!("cs32-{kind}"), game);
        assert_eq!(
            output.stdout,
            format!("name cs32-{kind}\nplays classic salvo\nready\nplace none\n").into_bytes()
        );
    }
    let boast = String::from_utf8(spoken(&folder, "cs32-boaster", game).stderr).unwrap();
    assert!(
        boast.contains("does not show the ark as 2 cells in a line"),
        "{boast}"
    );
    let mut command = referee();
    command
        .args(["play", "./cs32-boaster", "awful"])
        .current_dir(&folder);
    command
        .assert()
        .code(3)
        .stderr(contains("boaster could not place its ships"));
}

fn a_type_that_is_not_a_computer_player_does_not_start() {
    let folder = adapter(&["human", "unknown"]);
    for kind in ["human", "unknown"] {
        let mut command = referee();
        command
            .args(["play", &format!("./cs32-{kind}"), "awful"])
            .current_dir(&folder);
        let why = format!("createPlayer makes no computer player of the type {kind}");
        command
            .assert()
            .code(4)
            .stderr(contains(why).and(contains("could not start")));
    }
}

/// A copy of the student's folder, changed as `edits` say: file, text, and what is there instead.
fn changed_student(edits: &[(&str, &str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(project_file("tests/programs/cs32")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    for (file, from, to) in edits {
        let path = folder.path().join(file);
        let text = text_of(&path);
        assert!(text.contains(from), "{file}: {from}");
        std::fs::write(path, text.replacen(from, to, 1)).unwrap();
    }
    folder
}

/// Makes a bot of the classes in `student`, in `folder`; returns whether that went well, and what was said.
fn make(folder: &TempDir, student: &TempDir, options: &[&str]) -> Output {
    let mut make = Command::new("make");
    // Nothing here computes for long: optimizing takes longer than all games. The last word on the line counts.
    make.args(["CXXFLAGS=-O0", "OUT=cs32-good"]);
    make.arg(format!("STUDENT={}", student.path().display()))
        .args(options)
        .current_dir(folder);
    make.output().unwrap()
}

fn new_kit() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut command = referee();
    command
        .args(["new", "cs32", "."])
        .current_dir(&folder)
        .assert()
        .success();
    folder
}

const RAND: &str = "    return std::rand() % limit;";

/// The source of students' random numbers: the last lines of `randInt`.
const SOURCES: [(&str, &str); 8] = [
    (
        "the course's",
        "    static std::random_device rd; static std::mt19937 generator(rd());\n    \
         std::uniform_int_distribution<> distro(0, limit - 1); return distro(generator);",
    ),
    (
        "default engine",
        "    static std::default_random_engine generator((std::random_device())());\n    \
         std::uniform_int_distribution<> distro(0, limit - 1); return distro(generator);",
    ),
    (
        "64 bits and the clock",
        "    static std::mt19937_64 generator(std::chrono::system_clock::now().time_since_epoch().count());\n    \
         return std::uniform_int_distribution<int>{0, limit - 1}(generator);",
    ),
    (
        "a device alone",
        "    std::random_device rd; return rd() % limit;",
    ),
    (
        "a device and its range",
        "    std::random_device rd;\n    return std::uniform_int_distribution<>(0, limit - 1)(rd);",
    ),
    (
        "rand and the clock",
        "    static int once = (srand(static_cast<unsigned>(time(nullptr))), 0); (void)once; return rand() % limit;",
    ),
    (
        "a seed sequence",
        "    std::random_device rd; std::seed_seq seeds{rd(), rd()}; std::minstd_rand generator(seeds);\n    \
         generator.discard(3); generator.seed(rd()); auto copy = generator;\n    \
         return std::uniform_int_distribution<>(0, limit - 1)(copy);",
    ),
    (
        "a shuffle",
        "    static std::mt19937 generator{std::random_device{}()}; std::vector<int> all(limit);\n    \
         std::iota(all.begin(), all.end(), 0); std::shuffle(all.begin(), all.end(), generator); return all[0];",
    ),
];

/// The same game for the same seed, and another for another. One program has all sources, since compiling takes longest.
fn a_player_that_draws_from_anywhere_follows_the_seed() {
    let ways =
        SOURCES.map(|(name, lines)| format!("    if (from == \"{name}\") {{\n{lines}\n    }}\n"));
    let source = format!(
        "    static const std::string from = std::getenv(\"FROM\");\n{}    std::abort();",
        ways.concat()
    );
    let headers = "#include <chrono>\n#include <ctime>\n#include <numeric>\n#include <random>\n#include <vector>\n\
                   #include <algorithm>\n#include <cstdlib>\n#include <string>";
    let edits = [
        ("globals.h", RAND, &*source),
        ("globals.h", "#include <cstdlib>", headers),
    ];
    let (folder, student) = (new_kit(), changed_student(&edits));
    let output = make(
        &folder,
        &student,
        &["TYPE=good", "CXXFLAGS=-O0 -Wall -Wextra -Werror"],
    );
    assert!(output.status.success(), "{output:?}");
    for (from, _) in SOURCES {
        follows_the_seed(&folder, from);
    }
}

fn follows_the_seed(folder: &TempDir, from: &str) {
    let says = |lines: &str| {
        let mut bot = Command::new(folder.path().join("cs32-good"));
        let output = bot.env("FROM", from).write_stdin(lines).output().unwrap();
        assert!(output.status.success(), "{from}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let game = |seed: u32| {
        let attacks = "attack\n".repeat(12);
        says(&format!(
            "battleship 1\ngame classic 10 10\nship 0 2 P patrol boat\nseed {seed}\nplace\n{attacks}quit\n"
        ))
    };
    assert_eq!(game(7), game(7), "{from}");
    assert_ne!(game(7), game(8), "{from}");
    // The same within one process, whatever was played before.
    let two = |seed: u32| {
        let game = |seed| {
            format!(
                "game classic 9 9\nship 0 2 P boat\nseed {seed}\nplace\nattack\nattack\nend void x\n"
            )
        };
        says(&format!("battleship 1\n{}{}quit\n", game(seed), game(5)))
    };
    assert!(
        two(1).lines().skip(6).eq(two(2).lines().skip(6)),
        "{from}: {} {}",
        two(1),
        two(2)
    );
}

/// Three files, as the course asks for; the headers are elsewhere. Another file, and a main, are there too.
fn a_submission_without_headers_builds_under_its_own_name() {
    let (folder, student, skeleton) = (
        new_kit(),
        changed_student(&[]),
        tempfile::tempdir().unwrap(),
    );
    for header in ["Board.h", "Game.h", "Player.h", "globals.h"] {
        std::fs::rename(student.path().join(header), skeleton.path().join(header)).unwrap();
    }
    std::fs::write(student.path().join("main.cpp"), "int main() { return 7; }").unwrap();
    let without = make(&folder, &student, &["TYPE=good"]);
    let said = String::from_utf8_lossy(&without.stdout).into_owned();
    assert!(
        !without.status.success() && said.contains("add SKELETON=FOLDER"),
        "{said}"
    );

    let player = text_of(student.path().join("Player.cpp"));
    let with_more = player.replace("using namespace std;", "using namespace std;\nint more();");
    let with_more = with_more.replace("cout << \"attack 99 99\" << endl;", "more();");
    std::fs::write(student.path().join("Player.cpp"), with_more).unwrap();
    std::fs::write(
        student.path().join("helper.cpp"),
        "int more() { return 1; }",
    )
    .unwrap();
    let skeleton = format!("SKELETON={}", skeleton.path().display());
    let options = [
        &skeleton,
        "TYPE=good",
        "OUT=bots/o'brien",
        "NAME=O'Brien \"the\" \\ sailor",
    ];
    let output = make(&folder, &student, &options);
    assert!(output.status.success(), "{output:?}");
    let said = spoken(&folder, "bots/o'brien", "battleship 1\nquit\n").stdout;
    assert_eq!(
        String::from_utf8(said).unwrap(),
        "name O'Brien \"the\" \\ sailor\nplays classic salvo\nready\n"
    );
}

fn a_students_header_may_declare_what_the_adapter_does() {
    let names = "struct Ship { int a; };\nclass Match { int b; };\nint run();\nvoid rowsShown();\n\nclass Board;";
    let (folder, student) = (
        new_kit(),
        changed_student(&[("Player.h", "class Board;", names)]),
    );
    let output = make(&folder, &student, &["TYPE=good"]);
    assert!(output.status.success(), "{output:?}");
}

/// Its placeShips would try for ever to place a ship that its Game does not have.
fn a_ship_that_the_students_game_refuses_is_not_waited_for() {
    let edits = [
        (
            "Game.cpp",
            "return length > 0",
            "return symbol != 'Q' && length > 0",
        ),
        (
            "Player.cpp",
            "const bool placed = placeFrom(0, b);",
            "while (game().nShips() < 2) {}\n        const bool placed = placeFrom(0, b);",
        ),
    ];
    let (folder, student) = (new_kit(), changed_student(&edits));
    let output = make(&folder, &student, &["TYPE=good"]);
    assert!(output.status.success(), "{output:?}");
    let lines =
        "battleship 1\ngame classic 9 9\nship 0 3 Q queen\nship 1 2 P boat\nseed 1\nplace\nquit\n";
    let output = spoken(&folder, "cs32-good", lines);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "name cs32-good\nplays classic salvo\nready\nplace none\n"
    );
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("addShip refused the queen")
    );
}
