//! A player is what its program consists of: `--resume` and `rank` see that it has changed.

use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;

use crate::common::{Folder, referee};
use testkit::list::Tests;
use testkit::tools::{PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, PYTHON], |tests| {
        add!(
            tests,
            a_contest_is_not_continued_with_another_file_of_a_bot,
            bots_in_one_folder_change_together,
            rank_tells_versions_of_a_player_apart
        );
    });
}

/// A bot whose program lies in two files, of which the command names the one that never changes.
const BOT: &str = "from strategy import KIND\nimport os\nos.execv(os.environ['PLAYED_BY'], ['referee', 'bot', KIND])\n";

/// Makes the folder of such a bot; returns it as a player.
fn bot(folder: &Folder, name: &str) -> String {
    std::fs::create_dir_all(folder.path(&format!("bots/{name}"))).unwrap();
    folder.file(&format!("bots/{name}/strategy.py"), "KIND = 'awful'\n");
    folder.file(&format!("bots/{name}/bot.py"), BOT);
    format!("{name}=python3 bots/{name}/bot.py")
}

/// A match of two players with these options, in `folder`.
fn play(folder: &Folder, players: [&str; 2], options: &[&str]) -> assert_cmd::assert::Assert {
    let mut referee = referee();
    referee
        .current_dir(folder.path(""))
        .env("PLAYED_BY", env!("CARGO_BIN_EXE_referee"));
    referee.args([
        "match",
        "-q",
        "--seed",
        "1",
        "--series",
        "2",
        "--env",
        "PLAYED_BY",
    ]);
    referee.args(players).args(options).assert()
}

const GAMES_6: [&str; 5] = ["--out", "cup.jsonl", "--resume", "--games", "6"];

/// Only files that the command named were once compared, so that half of a contest was played by another program.
fn a_contest_is_not_continued_with_another_file_of_a_bot() {
    let folder = Folder::new();
    let (one, two) = (bot(&folder, "one"), bot(&folder, "two"));
    let players = [&*one, &*two];
    play(&folder, players, &["--out", "cup.jsonl", "--games", "4"]).code(0);
    let refuses = |what: &str| {
        let says =
            contains(format!("what differs: {what} since game 4.")).and(contains("program").not());
        play(&folder, players, &GAMES_6).code(2).stderr(says);
    };
    folder.file("bots/one/strategy.py", "KIND = 'mediocre'\n");
    refuses("one: strategy.py has changed");
    folder.file("bots/one/strategy.py", "KIND = 'awful'\n");
    folder.file("bots/two/openings.py", "");
    refuses("two: openings.py has been added");
    std::fs::remove_file(folder.path("bots/two/openings.py")).unwrap();
    std::fs::remove_file(folder.path("bots/two/strategy.py")).unwrap();
    folder.file(
        "bots/two/bot.py",
        &BOT.replace("from strategy import KIND", "KIND = 'awful'"),
    );
    refuses("two: bot.py has changed, strategy.py has been removed");
    bot(&folder, "two");
    // These files are not part of either: a neighbour, a cache, a record, the output of this command.
    bot(&folder, "three");
    std::fs::create_dir_all(folder.path("bots/one/__pycache__")).unwrap();
    folder.file("bots/one/__pycache__/strategy.cpython-39.pyc", "x");
    std::fs::copy(folder.path("cup.jsonl"), folder.path("bots/one/old.jsonl")).unwrap();
    play(&folder, players, &GAMES_6).code(0);
}

fn bots_in_one_folder_change_together() {
    let folder = Folder::new();
    for name in ["a.py", "b.py"] {
        folder.file(name, BOT);
    }
    folder.file("strategy.py", "KIND = 'awful'\n");
    let players = ["a=python3 a.py", "b=python3 b.py"];
    play(&folder, players, &["--out", "cup.jsonl", "--games", "4"]).code(0);
    folder.file("strategy.py", "KIND = 'mediocre'\n");
    let both = "a: strategy.py has changed since game 4; b: strategy.py has changed since game 4.";
    play(&folder, players, &GAMES_6)
        .code(2)
        .stderr(contains(both));
}

fn rank_tells_versions_of_a_player_apart() {
    let folder = Folder::new();
    let one = bot(&folder, "one");
    let rank = |options: &[&str]| {
        let mut rank = referee();
        rank.current_dir(folder.path(""))
            .args(["rank", "a.jsonl", "b.jsonl", "--json"])
            .args(options);
        let output = rank.assert().code(0).get_output().clone();
        let ranking: Value = serde_json::from_slice(&output.stdout).unwrap();
        let players = ranking["players"].as_array().unwrap().iter();
        let players = players.map(|player| {
            (
                player["name"].as_str().unwrap().to_owned(),
                player["games"].clone(),
            )
        });
        (
            players.collect::<Vec<_>>(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    play(
        &folder,
        [&one, "awful"],
        &["--out", "a.jsonl", "--games", "2"],
    )
    .code(0)
    .stderr(is_empty());
    folder.file("bots/one/strategy.py", "KIND = 'mediocre'\n");
    play(
        &folder,
        [&one, "awful"],
        &["--out", "b.jsonl", "--games", "4"],
    )
    .code(0);
    let (players, warnings) = rank(&[]);
    assert_eq!(players.len(), 3, "{players:?}");
    assert!(
        players[0].0.starts_with("one [") && players[2].0.starts_with("one ["),
        "{players:?}"
    );
    assert_ne!(players[0].0, players[2].0);
    assert!(warnings.contains("one has 2 versions: one ["), "{warnings}");
    let (players, _) = rank(&["--latest"]);
    assert_eq!(
        players.iter().find(|player| player.0 == "one").unwrap().1,
        4
    );
    assert_eq!(players.len(), 2, "{players:?}");
}
