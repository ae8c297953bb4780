//! A bot that is judged on every save.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use testkit::arena::until;
use testkit::list::Tests;
use testkit::programs::{Folder, built, misbehaving_bot, referee};
use testkit::terminal::{CTRL_C, Terminal};
use testkit::tools::{PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            each_save_is_told_better_worse_or_not_told_apart,
            a_save_stops_what_is_judged_and_one_that_changes_nothing_does_not,
            games_are_broken_off_by_ctrl_c,
            a_build_that_fails_is_shown_and_the_next_save_is_waited_for,
            once_ends_with_a_code,
            versions_play_the_same_games_against_another_player,
            two_of_them_do_not_work_on_one_folder,
            a_folder_without_a_bot_is_refused
        );
    });
    tests.needing(&[UNIX, PYTHON], |tests| {
        add!(tests, a_command_names_the_bot_as_well_as_its_folder);
    });
}

/// A bot is what its `bot.toml` runs: here other programs, from save to save.
struct Bot(Folder);

impl Bot {
    fn new(run: &str) -> Bot {
        let bot = Bot(Folder::new());
        bot.save(run);
        bot
    }

    /// Saves as editors do.
    fn save(&self, run: &str) {
        let new = self.0.file("bot.toml.tmp", &format!("run = '''{run}'''\n"));
        std::fs::rename(new, self.0.path("bot.toml")).unwrap();
    }

    fn dev(&self, options: &[&str]) -> Terminal {
        let mut command = Command::new(built("referee"));
        command.arg("dev").arg(self.0.path("")).args(options);
        let mut terminal = Terminal::of(command);
        terminal.expect("Ctrl-C ends").unwrap();
        terminal
    }

    fn command(&self, options: &[&str]) -> assert_cmd::Command {
        let mut command = referee();
        command.arg("dev").arg(self.0.path("")).args(options);
        command
    }

    fn has(&self, name: &str) -> bool {
        Path::new(&self.0.path(".referee-dev")).join(name).exists()
    }
}

fn end(mut terminal: Terminal) {
    terminal.send(CTRL_C);
    let (said, status) = terminal.ends();
    assert_eq!(status.code(), Some(130), "{said}");
}

fn mediocre() -> String {
    built("mediocre-bot")
}

/// Passes the greeting and the placement, and then says nothing.
fn silent() -> String {
    format!("{} hang", misbehaving_bot())
}

fn each_save_is_told_better_worse_or_not_told_apart() {
    let bot = Bot::new(&built("awful-bot"));
    let mut terminal = bot.dev(&[]);
    terminal
        .expect("v1: accepted, the first version; ")
        .unwrap();
    bot.save(&mediocre());
    terminal.expect("v2: better than v1: ").unwrap();
    terminal.expect(", no faults, 50 games; ").unwrap();
    bot.save(&built("awful-bot"));
    terminal.expect("v3: worse than v2: ").unwrap();
    let rest = terminal.expect("\x07").unwrap();
    assert!(rest.contains("; v2 stays; "), "{rest}");
    // The same luck for both games of a pair: a version draws each against its own copy.
    bot.save(&format!("{}''' # a comment'''", mediocre()));
    terminal
        .expect("v4: not told apart from v2: 50.0% (")
        .unwrap();
    terminal.expect("s\r\n").unwrap();
    end(terminal);
    assert!(bot.has("v1/bot.toml") && bot.has("v4/bot.toml") && !bot.has("v3"));
    let records = ["v2", "v3", "v4"].map(|name| bot.0.path(&format!(".referee-dev/{name}.jsonl")));
    let ranked = referee().arg("rank").args(records).assert().success();
    ranked.stdout(contains("4 players, 150 games").and(contains("v3")));
}

fn a_save_stops_what_is_judged_and_one_that_changes_nothing_does_not() {
    let bot = Bot::new(&mediocre());
    let mut terminal = bot.dev(&["--limit", "600s", "--against", &silent(), "--games", "2"]);
    terminal.expect("v1: accepted").unwrap();
    // Its opponent never attacks, so its games have no end.
    bot.save(&built("awful-bot"));
    until("the games begin", || bot.has("v2.jsonl"));
    bot.save(&built("awful-bot"));
    bot.save("false");
    terminal.expect("v2: faulty: ").unwrap();
    bot.save(&mediocre());
    terminal.expect("this is v1, which was accepted").unwrap();
    end(terminal);
    assert!(!bot.has("v2") && !bot.has("v2.jsonl"));
}

fn games_are_broken_off_by_ctrl_c() {
    let bot = Bot::new(&mediocre());
    let mut terminal = bot.dev(&["--limit", "600s", "--against", &silent()]);
    terminal.expect("v1: accepted").unwrap();
    bot.save(&built("awful-bot"));
    until("the games begin", || bot.has("v2.jsonl"));
    end(terminal);
    assert!(bot.has("v1") && !bot.has("v2") && !bot.has("v2.jsonl"));
}

fn a_build_that_fails_is_shown_and_the_next_save_is_waited_for() {
    let build = "seq 100; echo 'bot.c:7: error: boom' >&2; exit 3";
    let bot = Bot::new(&format!("{}'''\nbuild = '''{build}", mediocre()));
    let mut terminal = bot.dev(&[]);
    let shown = terminal.expect("; waiting for the next save").unwrap();
    assert!(
        !shown.contains("81\r\n") && shown.contains("82\r\n"),
        "{shown}"
    );
    assert!(
        shown.contains("bot.c:7: error: boom\r\nthe build failed ("),
        "{shown}"
    );
    assert!(shown.contains("exit status: 3"), "{shown}");
    bot.save(&mediocre());
    terminal.expect("v1: accepted").unwrap();
    end(terminal);
    bot.save(&format!("{}'''\nbuild = '''{build}", mediocre()));
    bot.command(&["--once"]).assert().code(4);
}

fn once_ends_with_a_code() {
    let bot = Bot::new(&mediocre());
    bot.command(&["--once"])
        .assert()
        .code(0)
        .stdout(contains("v1: accepted"));
    bot.command(&["--once"])
        .assert()
        .code(0)
        .stdout(contains("this is v1"));
    bot.save(&built("awful-bot"));
    bot.command(&["--once"])
        .assert()
        .code(4)
        .stdout(contains("v2: worse than v1"));
    bot.save("false");
    bot.command(&["--once"])
        .assert()
        .code(4)
        .stdout(contains("v3: faulty"));
    bot.save(&mediocre());
    let against = ["--once", "--against", "awful", "--games", "2"];
    bot.command(&against)
        .assert()
        .code(0)
        .stdout(contains("this is v1"));
}

fn versions_play_the_same_games_against_another_player() {
    let bot = Bot::new(&built("awful-bot"));
    bot.command(&["--once"]).assert().code(0);
    bot.save(&mediocre());
    let against = ["--once", "--against", "enemy=mediocre"];
    let judged = bot.command(&against).assert().code(0);
    judged.stdout(contains("v2: better than v1 against enemy: "));
    let record = bot.0.path(".referee-dev/v2.jsonl");
    referee()
        .args(["rank", &record])
        .assert()
        .success()
        .stdout(contains("3 players, 100 games"));
}

fn two_of_them_do_not_work_on_one_folder() {
    let bot = Bot::new(&mediocre());
    let mut terminal = bot.dev(&[]);
    terminal.expect("v1: accepted").unwrap();
    bot.command(&[])
        .assert()
        .code(2)
        .stderr(contains("another referee dev runs on "));
    end(terminal);
    bot.command(&["--once"]).assert().code(0);
}

fn a_folder_without_a_bot_is_refused() {
    let folder = Folder::new();
    folder.file("notes.txt", "");
    let dev = |words: &[&str]| referee().arg("dev").args(words).assert().code(2);
    let nothing = dev(&[&folder.path("")]);
    nothing.stderr(
        contains("no bot is recognized by its files, as bot.py, ").and(contains("notes.txt")),
    );
    dev(&[&folder.path("none")]).stderr(contains(
        "names neither a folder nor the file of a bot; name its folder",
    ));
    dev(&[&folder.path(""), "--games", "3"]).stderr(contains("the number has to be even"));
    dev(&[&folder.path(""), "--against", "human"]).stderr(contains("one game at a time"));
    assert!(!Path::new(&folder.path(".referee-dev")).exists());
}

fn a_command_names_the_bot_as_well_as_its_folder() {
    let folder = Folder::new();
    referee()
        .args(["new", "python", &folder.path("my bot")])
        .assert()
        .success();
    // Not a name by which a bot is recognized.
    std::fs::rename(folder.path("my bot/bot.py"), folder.path("my bot/other.py")).unwrap();
    let in_folder = format!("@'{}'=python3 other.py", folder.path("my bot"));
    for command in ["python3 'my bot/other.py'", &in_folder] {
        let mut dev = referee();
        dev.args(["dev", command, "--once"])
            .current_dir(folder.path("."));
        let accepted = contains("v1: accepted, the first version")
            .or(contains("this is v1, which was accepted"));
        dev.assert().code(0).stdout(accepted);
    }
    for (command, words) in [
        (
            "python3 none.py",
            "names neither a folder nor the file of a bot",
        ),
        ("good", "names neither a folder nor the file of a bot"),
    ] {
        let mut dev = referee();
        dev.args(["dev", command]).current_dir(folder.path("."));
        dev.assert().code(2).stderr(contains(words));
    }
}
