//! Figures that bots print about themselves, from their comments into records.

use serde_json::{Value, json};

use testkit::list::Tests;
use testkit::record::list;
use testkit::run::{Dir, Run};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_figure_is_recorded_with_its_turn,
        a_game_without_figures_has_no_field,
        each_game_of_a_match_has_its_figures,
        hostile_names_are_no_figures,
        ten_thousand_comments_break_nothing,
        a_game_has_at_most_a_thousand_values
    );
}

/// Writes a player in the shell that runs these commands before its replies to the greeting, to
/// `place` and to `attack`; `$n` is the number of its turn, from 1. It attacks the cells of a row
/// of ten, one after the other.
fn bot(dir: &Dir, name: &str, [greeting, placing, attacking]: [&str; 3]) {
    let script = format!(
        "while read -r word rest; do
           case $word in
             battleship) {greeting}
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
    dir.file(&format!("{name}.sh"), script);
}

/// A game on a row of ten, with a ship of one cell. It is at the end, so each player has ten turns.
fn play(dir: &Dir) -> Run<'_> {
    dir.run(
        "play --json 'one=sh one.sh' 'two=sh two.sh' --rows 1 --cols 10 --ship '1 B buoy' --seed 1",
    )
}

fn a_figure_is_recorded_with_its_turn() {
    let dir = Dir::new();
    let heat = "echo \"# heat = $n.5\"; echo '#x=-1e-2'";
    bot(
        &dir,
        "one",
        ["echo '# start = 1'", "echo '# start = 2'", heat],
    );
    bot(&dir, "two", [":", ":", "test $n = 3 && echo '# heat = 7'"]);
    let game = play(&dir).args("--out games").succeeds().json();
    let values = |value: &dyn Fn(u32) -> f64| -> Vec<Value> {
        (1..=10).map(|turn| json!([turn, value(turn)])).collect()
    };
    let expected = json!([
        {"player": 0, "name": "start", "values": [[0, 2.0]]},
        {"player": 0, "name": "heat", "values": values(&|turn| f64::from(turn) + 0.5)},
        {"player": 0, "name": "x", "values": values(&|_| -0.01)},
        {"player": 1, "name": "heat", "values": [[3, 7.0]]},
    ]);
    assert_eq!(game["figures"], expected);
    assert_eq!(dir.record("games").lines, [game]);
    let done = dir.run("replay games --delay 1ms").succeeds();
    assert!(!done.stdout.contains("heat"));
}

fn a_game_without_figures_has_no_field() {
    let dir = Dir::new();
    let comments = "echo '# thinking'; echo '# heat: 0.5'; echo '# heat = nan'";
    bot(&dir, "one", [comments; 3]);
    bot(&dir, "two", [":"; 3]);
    let game = play(&dir).succeeds().game();
    assert_eq!(
        (game.text("ended_by"), game.0.get("figures")),
        ("fleet_sunk", None)
    );
}

fn each_game_of_a_match_has_its_figures() {
    let dir = Dir::new();
    bot(
        &dir,
        "one",
        ["echo '# started = 1'", ":", "echo \"# turn = $n\""],
    );
    bot(&dir, "two", [":"; 3]);
    let run = |more: &str| {
        let words = "match 'one=sh one.sh' 'two=sh two.sh' --games 4 --series 2 -q --rows 1 --cols 10 --ship '1 B buoy'";
        dir.run(format!("{words} --seed 5 {more}")).succeeds();
    };
    run("--out whole --verify");
    let record = dir.record("whole");
    for (number, game) in record.games().iter().enumerate() {
        // A series starts its bots once, for its first game.
        let figures = list(&game["figures"]).iter();
        let names: Vec<_> = figures.map(|figure| &figure["name"]).collect();
        assert_eq!(names, ["started", "turn"][number % 2..], "{game}");
    }
    run("--out 1 --shard 1/2");
    run("--out 2 --shard 2/2");
    dir.run("merge 1 2 -o merged").succeeds();
    assert_eq!(dir.record("merged"), record);
}

fn hostile_names_are_no_figures() {
    let dir = Dir::new();
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
    let lines = names
        .chain(hostile.map(str::to_owned))
        .map(|name| format!("# {name} = 1\n"));
    dir.file(
        "noise",
        lines.collect::<String>() + "# name 0 = 1e999\n# name 0 = 2 2\n",
    );
    bot(&dir, "one", [":", ":", "cat noise"]);
    bot(&dir, "two", [":"; 3]);
    let game = play(&dir).succeeds().json();
    let figures = list(&game["figures"]);
    let names = figures
        .iter()
        .map(|figure| figure["name"].as_str().unwrap());
    assert_eq!(
        names.collect::<Vec<_>>(),
        [0, 1, 2, 3, 4, 5, 6, 7].map(|name| format!("name {name}"))
    );
}

fn ten_thousand_comments_break_nothing() {
    let dir = Dir::new();
    dir.file("noise", "#a=1\n".repeat(10_000));
    bot(&dir, "one", [":", ":", "cat noise"]);
    bot(&dir, "two", [":"; 3]);
    let game = play(&dir).succeeds().game();
    assert_eq!(game.text("ended_by"), "fleet_sunk");
    assert_eq!(list(&game.0["figures"][0]["values"]).len(), 10);
}

fn a_game_has_at_most_a_thousand_values() {
    let dir = Dir::new();
    let script = "while read -r word rest; do
           case $word in
             battleship) echo plays twist; echo ready ;;
             place) echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h ;;
             act) for name in a b c d e f g h; do echo \"# $name = 1.5\"; done; echo act 0 2 0 0 ;;
             quit) exit ;;
           esac
         done";
    dir.file("one.sh", script);
    let two = "two=test-bot script 'place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h' 'act 0 2 11 11'";
    let run = dir
        .run("play --json 'one=sh one.sh' --rules twist --max-turns 200 --seed 1")
        .arg(two);
    let game = run.fails(3, "").json();
    let figures = list(&game["figures"]);
    let counts = figures.iter().map(|figure| list(&figure["values"]).len());
    assert_eq!(counts.sum::<usize>(), 1000);
    let last = list(&figures[7]["values"]).last();
    assert_eq!(last, Some(&json!([125, 1.5])));
}
