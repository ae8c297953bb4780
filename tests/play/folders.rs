//! Folders as players: the bot in them is recognized by its files.

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::{PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        rows!(tests, COMMANDS, a_command_takes_a_folder);
        add!(
            tests,
            a_folder_has_its_name,
            a_contest_of_folders_continues,
            an_unbuilt_bot_is_named_with_its_build,
            a_folder_without_a_bot_is_refused,
            a_program_precedes_a_folder
        );
    });
    tests.needing(&[PYTHON], |tests| {
        add!(tests, a_new_bot_plays_by_its_folder);
    });
}

/// Words of commands with the folder as a player.
const COMMANDS: [&str; 9] = [
    "play wolf awful --seed 1 --no-pause",
    "play Wolf=wolf @wolf=awful --seed 1 --no-pause",
    "play ./wolf/ ./wolf --seed 1 --no-pause",
    "check wolf",
    "match wolf awful --games 2 --seed 1",
    "tournament wolf awful mediocre --games 2 --seed 1",
    "tournament --config cup.toml --games 2 --seed 1",
    "debug wolf awful --seed 1",
    "tune wolf --param x=1:2 --against wolf --games 4 --seed 1",
];

fn folder() -> Dir {
    let dir = Dir::new();
    dir.file("wolf/bot.toml", "run = \"sh hunt.sh\"\n");
    // With the parameter of a tuning it plays otherwise.
    dir.file(
        "wolf/hunt.sh",
        "test -f hunt.sh || exit 9\nif test \"$x\" = 2; then exec referee bot awful; fi\nexec referee bot mediocre\n",
    );
    dir.file(
        "cup.toml",
        "[[player]]\ncommand = \"wolf\"\n[[player]]\nname = \"b\"\ncommand = \"./wolf\"\n",
    );
    dir
}

fn a_command_takes_a_folder(words: &str) {
    folder().run(words).succeeds();
}

fn a_folder_has_its_name() {
    let dir = folder();
    let game = dir
        .run("play wolf/../wolf awful --seed 1 --json")
        .succeeds();
    assert_eq!(game.game().0["players"][0]["name"], "wolf");
    let game = dir
        .run("play . awful --seed 1 --json")
        .within("wolf")
        .succeeds();
    assert_eq!(game.game().0["players"][0]["name"], "wolf");
    // A command in the folder plays the same game.
    let same = dir.run("play 'wolf@wolf=sh hunt.sh' awful --seed 1 --json");
    let [one, two] = [game, same.succeeds()].map(|done| {
        // The time of each reply is the last of its row.
        let rows = done.game().0["shots"].as_array().unwrap().clone();
        let rows = rows.iter().map(|row| row.as_array().unwrap()[..4].to_vec());
        rows.collect::<Vec<_>>()
    });
    assert_eq!(one, two);
}

fn a_contest_of_folders_continues() {
    let dir = folder();
    let words = "match wolf awful --games 4 --series 2 --seed 1 -q --out m";
    dir.run(words).succeeds();
    let player = &dir.record("m").lines[0]["config"]["players"][0];
    assert_eq!(
        (&player["name"], &player["dir"], &player["command"]),
        (&"wolf".into(), &"wolf".into(), &"sh hunt.sh".into())
    );
    dir.run(format!("{words} --resume --games 6").replace("--games 4 ", ""))
        .succeeds();
    dir.run(format!("{words} --resume").replace("match wolf", "match 'wolf@wolf=sh hunt.sh'"))
        .fails(2, "games");
    dir.file("wolf/hunt.sh", "exec referee bot awful\n");
    dir.run(format!("{words} --resume --games 8").replace("--games 4 ", ""))
        .fails(2, "wolf: hunt.sh has changed since");
}

fn an_unbuilt_bot_is_named_with_its_build() {
    let dir = Dir::new();
    dir.run("new c shark").succeeds();
    dir.run("play shark awful")
        .fails(4, "the bot in shark is not built; build it there: make");
}

fn a_folder_without_a_bot_is_refused() {
    let dir = Dir::new();
    dir.file("empty/notes.txt", "")
        .file("odd/bot.toml", "run = 1\n");
    dir.run("play empty awful").fails(
        4,
        "\"empty\" is a folder; name the program in it, as in 'python3 empty/bot.py'",
    );
    dir.run("play odd awful")
        .fails(2, "\"odd\": bot.toml: line 1");
    dir.file("bot.py", "");
    dir.run("check awful --judge .")
        .ends()
        .exits(4)
        .warns("is a folder");
}

fn a_program_precedes_a_folder() {
    let dir = folder();
    dir.file("test-bot/bot.toml", "run = \"sh none.sh\"\n");
    dir.run("play 'test-bot' awful").ends().lacks("none.sh");
    dir.run("play ./test-bot awful").fails(4, "none.sh");
}

fn a_new_bot_plays_by_its_folder() {
    let dir = Dir::new();
    dir.run("new python mybot").succeeds();
    dir.run("play mybot awful --seed 1 --no-pause")
        .succeeds()
        .prints("mybot wins!\n");
}
