//! The adapter for the course's classes, around classes of our own that are declared as the
//! specification does.

use std::fs;

use serde_json::json;

use testkit::list::{Tests, Tier};
use testkit::programs::project_file;
use testkit::record::list;
use testkit::report::{PATIENT, Report};
use testkit::run::{Dir, Done};
use testkit::tools::{CXX, MAKE};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[MAKE], |tests| add!(tests, a_wrong_folder_is_named));
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[CXX, MAKE], |tests| {
            add!(
                tests,
                the_courses_players_play_and_pass,
                touching_ships_are_distinguished,
                a_salvo_has_no_cell_twice,
                a_fleet_without_room_is_not_placed,
                another_type_of_player_does_not_start,
                any_source_of_chance_follows_the_seed,
                a_submission_without_headers_is_built,
                a_students_header_may_use_the_adapters_names,
                a_refused_ship_is_not_waited_for,
                any_layout_of_the_board_is_read,
                a_board_of_another_size_is_no_placement
            );
        });
    });
}

/// A folder with the adapter, and the classes in `student`, changed as the edits are: file, text,
/// and what is there instead.
fn adapter(edits: &[(&str, &str, &str)]) -> Dir {
    let dir = Dir::new();
    dir.run("new cs32 .").succeeds();
    for file in fs::read_dir(project_file("tests/programs/cs32")).unwrap() {
        let file = file.unwrap();
        dir.file(
            &format!("student/{}", file.file_name().display()),
            fs::read(file.path()).unwrap(),
        );
    }
    for (file, from, to) in edits {
        let file = format!("student/{file}");
        let text = dir.text(&file);
        assert!(text.contains(from), "{file}: {from}");
        dir.file(&file, text.replacen(from, to, 1));
    }
    dir
}

/// Builds the player of a type. Optimizing takes longer than all games.
fn make(dir: &Dir, words: &str) -> Done {
    dir.program("make", format!("STUDENT=student CXXFLAGS=-O0 {words}"))
        .ends()
}

/// A folder with the players of these types.
fn players(types: &[&str]) -> Dir {
    let dir = adapter(&[]);
    for kind in types {
        make(
            &dir,
            &format!("TYPE={kind} OUT=cs32-{kind} 'CXXFLAGS=-std=c++17 -Wall -Wextra -Werror'"),
        )
        .exits(0);
    }
    dir
}

/// What a program of the folder does with these lines.
fn talk(dir: &Dir, program: &str, lines: &str) -> Done {
    dir.program(&format!("./{program}"), "").types(lines)
}

fn a_wrong_folder_is_named() {
    let dir = Dir::new();
    let done = dir.run("new cs32 .").succeeds();
    done.prints("Start with Board.cpp, Game.cpp, Player.cpp, Board.h, Game.h, Player.h and globals.h, the seven files that it needs");
    let readme = dir.text("README.md");
    for step in done
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .skip(1)
    {
        assert!(readme.contains(&format!("\n{step}\n")), "{step}");
    }
    let done = dir.program("make", "STUDENT=nowhere TYPE=good").ends();
    done.prints("There is no Player.cpp Board.h Game.h Player.h globals.h in nowhere");
    assert_ne!(done.code, Some(0));
}

/// A game whose fleet was sunk, with no warning and no wasted shot of the classes.
fn plays(dir: &Dir, words: &str) {
    let game = dir
        .run(format!("play --json --seed 3 {words}"))
        .succeeds()
        .game();
    assert_eq!(game.text("ended_by"), "fleet_sunk");
    for side in [0, 1] {
        let player = &game.0["players"][side];
        assert_eq!(player["warnings"], json!([]), "{words}");
        let is_course = player["name"].as_str().unwrap().starts_with("cs32");
        let mut shots = list(&game.0["shots"]).iter();
        assert!(
            !is_course
                || words.contains("--salvo 7")
                || !shots.any(|shot| shot[0] == side && shot[3] == "wasted"),
            "{words}"
        );
    }
}

/// The awful player places one ship below the other and nowhere else; by the specification,
/// mediocre gives up after fifty tries.
fn the_courses_players_play_and_pass() {
    let dir = players(&["awful", "mediocre", "good"]);
    let odd = "--rows 7 --cols 5 --ship '5 Z ark' --ship '1 B buoy' --ship '3 A sub'";
    let gives_up = ["boards", "only_placement"];
    for (player, warned) in [
        ("awful", &gives_up[..]),
        ("mediocre", &gives_up),
        ("good", &[]),
    ] {
        plays(&dir, &format!("./cs32-{player} mediocre"));
        plays(&dir, &format!("awful ./cs32-{player} {odd}"));
        plays(
            &dir,
            &format!("./cs32-{player} awful --rows 1 --cols 1 --ship '1 B buoy'"),
        );
        Report::of(&dir, &format!("./cs32-{player}"), PATIENT).passes_but_for(warned);
    }
    plays(&dir, &format!("./cs32-good ./cs32-mediocre {odd}"));
    plays(&dir, "./cs32-mediocre mediocre --apart");
    plays(&dir, "./cs32-good mediocre --rules salvo");
    // More shots than cells: the players are asked for no more than there are.
    plays(
        &dir,
        "./cs32-good ./cs32-mediocre --salvo 7 --rows 2 --cols 3 --ship '2 B buoy'",
    );
    let words = "match ./cs32-good ./cs32-mediocre --games 6 --series 6 --seed 1 --json";
    let summary = dir.run(words).succeeds().json();
    assert_eq!(
        summary["pairings"][0]["without_winner"],
        json!({}),
        "{summary}"
    );
    for player in list(&summary["players"]) {
        assert_eq!(
            (&player["faults"], &player["warnings"]),
            (&json!({}), &json!([])),
            "{summary}"
        );
    }
}

/// The player puts its ships side by side, has other numbers for them, and prints to cout in every
/// function.
fn touching_ships_are_distinguished() {
    let dir = players(&["good"]);
    let lines = "battleship 1\r\ngame classic 5 4\r\nship 0 3 Z ark royal\r\nship 1 1 B buoy\r\nship 2 3 A sub\r\n\
                 seed 5\r\nplace\r\nattack\r\nresult 0 0 sunk 0\r\nresult 0 0 wasted\r\nopponent 1 2\r\nend won x\r\n\
                 nonsense\r\ngame classic 1 4\r\nship 0 4 C canoe\r\nseed 6\r\nplace\r\nquit\r\n";
    let done = talk(&dir, "cs32-good", lines);
    let replies: Vec<_> = done.stdout.lines().collect();
    let [
        "name cs32-good",
        "plays classic salvo",
        "ready",
        placed,
        attack,
        "place 0 0 h",
    ] = replies[..]
    else {
        panic!("{replies:?}")
    };
    assert_eq!(placed, "place 0 2 v 0 1 h 0 0 v");
    assert!(
        attack.starts_with("attack ") && attack != "attack 99 99",
        "{attack}"
    );
    for printed in [
        "attack 99 99\nvalid 1, hit 1, destroyed ark royal\n",
        "valid 0, hit 0, destroyed nothing\n",
        "attacked at 1 2\n",
        "  0123\n0 ABZ.\n",
    ] {
        done.warns(printed);
    }
}

/// A player that takes a cell for tried only when it hears the result recommends one for a whole
/// salvo. The adapter takes others. Ships that always touch are not placed.
fn a_salvo_has_no_cell_twice() {
    let dir = players(&["stubborn"]);
    let game = "battleship 1\ngame salvo 2 2\nship 0 2 A ark\nship 1 1 B buoy\nrule apart all\nseed 1\nplace\nsalvo 3\nsalvo 2\nquit\n";
    let done = talk(&dir, "cs32-stubborn", game);
    done.prints_all("name cs32-stubborn\nplays classic salvo\nready\nplace none\nsalvo 1 1 0 0 0 1\nsalvo 1 0 0 0\n");
    done.warns("placeShips let ships touch 200 times");
}

fn a_fleet_without_room_is_not_placed() {
    let dir = players(&["awful", "boaster"]);
    let game = "battleship 1\ngame classic 2 2\nship 0 2 A ark\nship 1 1 B buoy\nship 2 1 C canoe\nseed 1\nplace\n";
    for kind in ["awful", "boaster"] {
        let expected = format!("name cs32-{kind}\nplays classic salvo\nready\nplace none\n");
        talk(&dir, &format!("cs32-{kind}"), game).prints_all(&expected);
    }
    talk(&dir, "cs32-boaster", game).warns("does not show the ark as 2 cells in a line");
    dir.run("play ./cs32-boaster awful")
        .fails(3, "boaster could not place its ships");
}

fn another_type_of_player_does_not_start() {
    let dir = players(&["human", "unknown"]);
    for kind in ["human", "unknown"] {
        let sentence = format!("createPlayer makes no computer player of the type {kind}");
        dir.run(format!("play ./cs32-{kind} awful"))
            .fails(4, &sentence)
            .warns("could not start");
    }
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

/// The same game for the same seed, and another for another. One program has all sources, since
/// compiling takes longest.
fn any_source_of_chance_follows_the_seed() {
    let ways =
        SOURCES.map(|(name, lines)| format!("    if (from == \"{name}\") {{\n{lines}\n    }}\n"));
    let source = format!(
        "    static const std::string from = std::getenv(\"FROM\");\n{}    std::abort();",
        ways.concat()
    );
    let headers = "#include <chrono>\n#include <ctime>\n#include <numeric>\n#include <random>\n#include <vector>\n\
                   #include <algorithm>\n#include <cstdlib>\n#include <string>";
    let dir = adapter(&[
        ("globals.h", RAND, &source),
        ("globals.h", "#include <cstdlib>", headers),
    ]);
    make(
        &dir,
        "TYPE=good OUT=cs32-good 'CXXFLAGS=-O0 -Wall -Wextra -Werror'",
    )
    .exits(0);
    for (from, _) in SOURCES {
        let talk = |lines: String| {
            let run = dir.program("./cs32-good", "").env("FROM", from);
            run.types(&format!("battleship 1\n{lines}quit\n"))
                .exits(0)
                .stdout
                .clone()
        };
        let game = |seed: u32| {
            let attacks = "attack\n".repeat(12);
            talk(format!(
                "game classic 10 10\nship 0 2 P patrol boat\nseed {seed}\nplace\n{attacks}"
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
            let replies = talk(game(seed) + &game(5));
            replies
                .lines()
                .skip(6)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(two(1), two(2), "{from}");
    }
}

/// Three files, as the course asks for; the headers are elsewhere. Another file, and a main, are
/// there too.
fn a_submission_without_headers_is_built() {
    let dir = adapter(&[
        (
            "Player.cpp",
            "using namespace std;",
            "using namespace std;\nint more();",
        ),
        ("Player.cpp", "cout << \"attack 99 99\" << endl;", "more();"),
    ]);
    fs::create_dir(dir.path("skeleton")).unwrap();
    for header in ["Board.h", "Game.h", "Player.h", "globals.h"] {
        fs::rename(
            dir.path("student").join(header),
            dir.path("skeleton").join(header),
        )
        .unwrap();
    }
    dir.file("student/main.cpp", "int main() { return 7; }")
        .file("student/helper.cpp", "int more() { return 1; }");
    let without = make(&dir, "TYPE=good OUT=cs32-good");
    without.prints("add SKELETON=FOLDER");
    assert_ne!(without.code, Some(0));
    let run = dir.program(
        "make",
        "STUDENT=student CXXFLAGS=-O0 TYPE=good SKELETON=skeleton",
    );
    run.arg("OUT=bots/o'brien")
        .arg("NAME=O'Brien \"the\" \\ sailor")
        .succeeds();
    let greeting = "name O'Brien \"the\" \\ sailor\nplays classic salvo\nready\n";
    talk(&dir, "bots/o'brien", "battleship 1\nquit\n").prints_all(greeting);
}

fn a_students_header_may_use_the_adapters_names() {
    let names = "struct Ship { int a; };\nclass Match { int b; };\nint run();\nvoid rowsShown();\n\nclass Board;";
    make(
        &adapter(&[("Player.h", "class Board;", names)]),
        "TYPE=good OUT=cs32-good",
    )
    .exits(0);
}

/// Its placeShips would try for ever to place a ship that its Game does not have.
fn a_refused_ship_is_not_waited_for() {
    let waits = "while (game().nShips() < 2) {}\n        const bool placed = placeFrom(0, b);";
    let dir = adapter(&[
        (
            "Game.cpp",
            "return length > 0",
            "return symbol != 'Q' && length > 0",
        ),
        ("Player.cpp", "const bool placed = placeFrom(0, b);", waits),
    ]);
    make(&dir, "TYPE=good OUT=cs32-good").exits(0);
    let lines =
        "battleship 1\ngame classic 9 9\nship 0 3 Q queen\nship 1 2 P boat\nseed 1\nplace\nquit\n";
    let done = talk(&dir, "cs32-good", lines);
    done.prints_all("name cs32-good\nplays classic salvo\nready\nplace none\n")
        .warns("addShip refused the queen");
}

const PLACE: &str = "battleship 1\ngame classic 10 10\nship 0 5 A carrier\nship 1 4 B battleship\nship 2 3 D destroyer\nship 3 3 S submarine\nship 4 2 P boat\nseed 1\nplace\nquit\n";

/// The texts in `Board::display` before each row, before each cell, and after each row.
fn display(before: &str, cell: &str, after: &str) -> [(&'static str, &'static str, String); 2] {
    [
        (
            "Board.cpp",
            "cout << r << ' ';",
            format!("cout << {before};"),
        ),
        (
            "Board.cpp",
            "cout << (shotsOnly && cell != 'X' && cell != 'o' ? '.' : cell);\n        cout << endl;",
            format!(
                "cout << {cell} << (shotsOnly && cell != 'X' && cell != 'o' ? '.' : cell);\n        cout << {after} << endl;"
            ),
        ),
    ]
}

fn shown_as(texts: [&str; 3]) -> Dir {
    let edits = display(texts[0], texts[1], texts[2]);
    let edits = edits
        .each_ref()
        .map(|(file, from, to)| (*file, *from, &**to));
    let dir = adapter(&edits);
    make(&dir, "TYPE=good OUT=cs32-good").exits(0);
    dir
}

fn any_layout_of_the_board_is_read() {
    let usual = adapter(&[]);
    make(&usual, "TYPE=good OUT=cs32-good").exits(0);
    let expected = talk(&usual, "cs32-good", PLACE).stdout;
    assert!(expected.contains("\nplace ") && !expected.contains("none"));
    for texts in [
        ["r << \" \"", "' '", "\"\""],
        ["r << ' '", "\"\"", "\" \""],
        ["r", "'\\t'", "\"\\r\""],
        ["r << ' '", "\"  \"", "\"\""],
        ["char('A' + r) << ' '", "' '", "\"\""],
        ["(r < 9 ? \"0\" : \"\") << r + 1 << ' '", "\"\"", "\"\""],
        ["r << ':'", "' '", "\"\""],
        ["r << ' '", "'|'", "\"|\\n  ---------------------\""],
        ["\"\"", "\"\"", "\"\""],
    ] {
        let dir = shown_as(texts);
        let done = talk(&dir, "cs32-good", PLACE);
        assert_eq!(done.stdout, expected, "{texts:?}");
    }
}

fn a_board_of_another_size_is_no_placement() {
    let dir = shown_as(["r << ' '", "cell", "\"\""]);
    let done = talk(&dir, "cs32-good", PLACE);
    done.warns("Board::display(false) shows 20 columns on a board of 10, in row 0: 0 ");
    assert!(!done.stdout.contains("place"), "{}", done.stdout);
}
