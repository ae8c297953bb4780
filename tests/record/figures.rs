//! Figures that bots print about themselves, from their comments into records.

use serde_json::{Value, json};

use crate::common::{Folder, play, referee, scripted, text_of};
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            figures_are_recorded_with_the_turn_that_they_were_printed_in,
            a_game_without_figures_has_no_such_field,
            each_game_of_a_match_has_its_own_figures_and_the_record_survives_a_merge,
            names_and_values_are_bounded_and_what_is_hostile_is_not_a_figure,
            ten_thousand_comments_a_turn_neither_break_a_game_nor_fill_its_record,
            a_twist_game_has_figures_and_no_more_than_a_thousand_values
        );
    });
}

/// A player in the shell that runs these commands before its replies to the greeting, to `place` and to `attack`; `$n` is
/// the number of its turn, from 1. It attacks the cells of a row of ten, one after the other.
fn bot(folder: &Folder, name: &str, [greeted, placing, attacking]: [&str; 3]) -> String {
    let script = format!(
        "while read -r word rest; do
           case $word in
             battleship) {greeted}
               echo ready ;;
             game) n=0 ;;
             place) {placing}
               echo place 0 9 h ;;
             attack) n=$((n + 1))
               {attacking}
               echo attack 0 $((n - 1)) ;;
             quit) exit ;;
           esac
         done"
    );
    format!("{name}=sh {}", folder.file(&format!("{name}.sh"), &script))
}

/// A board of a row of ten, with a ship of one cell. It is at the end, so each player has ten turns.
const ROW: [&str; 8] = [
    "--rows", "1", "--cols", "10", "--ship", "1 B buoy", "--seed", "1",
];

fn figures_are_recorded_with_the_turn_that_they_were_printed_in() {
    let folder = Folder::new();
    let one = bot(
        &folder,
        "one",
        [
            "echo '# start = 1'",
            "echo '# start = 2'",
            "echo \"# heat = $n.5\"; echo '#x=-1e-2'",
        ],
    );
    let two = bot(
        &folder,
        "two",
        [":", ":", "test $n = 3 && echo '# heat = 7'"],
    );
    let path = folder.path("games.jsonl");
    let (printed, _) = play([&one, &two], &[&ROW[..], &["--record", &path]].concat());
    let values = |value: &dyn Fn(u32) -> f64| -> Vec<Value> {
        (1..=10).map(|turn| json!([turn, value(turn)])).collect()
    };
    let expected = json!([
        {"player": 0, "name": "start", "values": [[0, 2.0]]},
        {"player": 0, "name": "heat", "values": values(&|turn| f64::from(turn) + 0.5)},
        {"player": 0, "name": "x", "values": values(&|_| -0.01)},
        {"player": 1, "name": "heat", "values": [[3, 7.0]]},
    ]);
    assert_eq!(printed["figures"], expected);
    let recorded: Value = serde_json::from_str(&text_of(&path)).unwrap();
    assert_eq!(recorded, printed);
    // The game can be shown, and says the same as without figures.
    let shown = folder.path("shown");
    referee()
        .args(["replay", &path, "--to", &shown])
        .assert()
        .success();
    assert!(!text_of(&shown).contains("heat"));
}

fn a_game_without_figures_has_no_such_field() {
    let comments = "echo '# thinking'; echo '# heat: 0.5'; echo '# heat = nan'";
    let folder = Folder::new();
    let one = bot(&folder, "one", [comments, comments, comments]);
    let (game, _) = play([&one, "awful"], &ROW);
    assert_eq!(
        (&game["ended_by"], game.get("figures")),
        (&json!("fleet_sunk"), None)
    );
}

fn each_game_of_a_match_has_its_own_figures_and_the_record_survives_a_merge() {
    let folder = Folder::new();
    let one = bot(
        &folder,
        "one",
        ["echo '# started = 1'", ":", "echo \"# turn = $n\""],
    );
    let (half, rest, whole, merged) = (
        folder.path("1"),
        folder.path("2"),
        folder.path("all"),
        folder.path("merged"),
    );
    let two = bot(&folder, "two", [":", ":", ":"]);
    let run = |more: &[&str]| {
        let mut command = referee();
        command.args([
            "match", &one, &two, "--games", "4", "--series", "2", "--quiet",
        ]);
        command
            .args(&ROW[..6])
            .args(["--seed", "5"])
            .args(more)
            .assert()
            .success()
    };
    run(&["--out", &whole, "--verify"]);
    run(&["--out", &half, "--shard", "1/2"]);
    run(&["--out", &rest, "--shard", "2/2"]);
    referee()
        .args(["merge", &half, &rest, "-o", &merged])
        .assert()
        .success();

    let figures = |path: &str| -> Vec<Value> {
        let lines = text_of(path);
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .filter(|line| line["format"] == "battleship-game")
            .map(|mut line| line["figures"].take())
            .collect()
    };
    let all = figures(&whole);
    assert_eq!(all, figures(&merged));
    assert_eq!(all.len(), 4);
    for (number, game) in all.iter().enumerate() {
        // A series starts its bots once, for its first game.
        let names: Vec<_> = game
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["name"])
            .collect();
        let expected: &[&str] = if number % 2 == 0 {
            &["started", "turn"]
        } else {
            &["turn"]
        };
        assert_eq!(names, expected, "{game}");
    }
    // Another run of the same command finds nothing left to play.
    let before = text_of(&whole);
    run(&["--out", &whole, "--resume"]);
    assert_eq!(text_of(&whole), before);
}

fn names_and_values_are_bounded_and_what_is_hostile_is_not_a_figure() {
    let folder = Folder::new();
    let names = (0..20)
        .map(|name| format!("name {name}"))
        .chain(["x".repeat(33)]);
    let hostile = [
        "<script>",
        "a\u{1b}[31mb",
        "a|b",
        "`a`",
        "a\u{202e}b",
        "a\"b",
        "5",
        "",
        " ",
    ];
    let names = names.chain(hostile.map(str::to_owned));
    let mut noise = names
        .map(|name| format!("# {name} = 1\n"))
        .collect::<Vec<_>>()
        .concat();
    noise.push_str("# name 0 = 1e999\n# name 0 = 2 2\n");
    let noise = folder.file("noise", &noise);
    let one = bot(&folder, "one", [":", ":", &format!("cat {noise}")]);
    let (game, _) = play([&one, &bot(&folder, "two", [":", ":", ":"])], &ROW);
    let names: Vec<_> = game["figures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].clone())
        .collect();
    let expected: Vec<_> = (0..8).map(|name| json!(format!("name {name}"))).collect();
    assert_eq!(names, expected);
}

fn ten_thousand_comments_a_turn_neither_break_a_game_nor_fill_its_record() {
    let folder = Folder::new();
    let noise = folder.file("noise", &"#a=1\n".repeat(10_000));
    let one = bot(&folder, "one", [":", ":", &format!("cat {noise}")]);
    let (game, _) = play([&one, &bot(&folder, "two", [":", ":", ":"])], &ROW);
    assert_eq!(game["ended_by"], "fleet_sunk", "{game}");
    assert_eq!(game["figures"][0]["values"].as_array().unwrap().len(), 10);
}

fn a_twist_game_has_figures_and_no_more_than_a_thousand_values() {
    let folder = Folder::new();
    let script = "while read -r word rest; do
           case $word in
             battleship) echo plays twist; echo ready ;;
             place) echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h ;;
             act) for name in a b c d e f g h; do echo \"# $name = 1.5\"; done; echo act 0 2 0 0 ;;
             quit) exit ;;
           esac
         done";
    let one = format!("one=sh {}", folder.file("twist.sh", script));
    let two = scripted(
        "two",
        &[
            "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h",
            "act 0 2 11 11",
        ],
    );
    let (game, _) = play(
        [&one, &two],
        &["--rules", "twist", "--max-turns", "200", "--seed", "1"],
    );
    assert_eq!(game["ended_by"], "turn_cap", "{game}");
    let figures = game["figures"].as_array().unwrap();
    let values = |figure: &Value| figure["values"].as_array().unwrap().len();
    assert_eq!(figures.iter().map(values).sum::<usize>(), 1000);
    assert_eq!(
        figures[7]["values"].as_array().unwrap().last(),
        Some(&json!([125, 1.5]))
    );
}
