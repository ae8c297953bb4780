//! A bot that is judged on every save.

use testkit::arena::until;
use testkit::list::Tests;
use testkit::run::{Dir, Run};
use testkit::terminal::{CTRL_C, Terminal};
use testkit::tools::PYTHON;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        each_save_is_judged,
        a_save_stops_the_judging_of_another,
        ctrl_c_breaks_games_off,
        a_failed_build_waits_for_the_next_save,
        once_ends_with_a_code,
        versions_meet_another_player_in_the_same_games,
        a_folder_has_one_dev_at_a_time,
        a_folder_without_a_bot_is_refused
    );
    tests.needing(&[PYTHON], |tests| add!(tests, a_command_names_the_bot_too));
}

/// The folder of a bot is `bot`: it is what its `bot.toml` runs, from save to save another program.
struct Bot(Dir);

impl Bot {
    fn new(run: &str) -> Bot {
        let bot = Bot(Dir::new());
        bot.save(run);
        bot
    }

    /// Saves as editors do.
    fn save(&self, run: &str) {
        let dir = &self.0;
        dir.file("bot/bot.toml.tmp", format!("run = '''{run}'''\n"));
        std::fs::rename(dir.path("bot/bot.toml.tmp"), dir.path("bot/bot.toml")).unwrap();
    }

    fn run(&self, options: &str) -> Run<'_> {
        self.0.run(format!("dev bot {options}"))
    }

    fn dev(&self, options: &str) -> Terminal {
        let mut terminal = self.run(options).in_terminal();
        terminal.expect("Ctrl-C ends").unwrap();
        terminal
    }

    fn has(&self, name: &str) -> bool {
        self.0.path("bot/.referee-dev").join(name).exists()
    }
}

fn end(mut terminal: Terminal) {
    terminal.send(CTRL_C);
    let (output, status) = terminal.ends();
    assert_eq!(status.code(), Some(130), "{output}");
}

fn built(program: &str) -> String {
    testkit::programs::built(program)
}

/// An opponent that passes the greeting and the placement and then is silent, so that its games
/// have no end.
fn endless() -> String {
    format!(
        "--limit 600s --against '{} act hang'",
        built("examples/test-bot")
    )
}

fn each_save_is_judged() {
    let bot = Bot::new(&built("awful-bot"));
    let mut terminal = bot.dev("");
    terminal
        .expect("v1: accepted, the first version; ")
        .unwrap();
    bot.save(&built("mediocre-bot"));
    terminal.expect("v2: better than v1: ").unwrap();
    terminal.expect(", no faults, 50 games; ").unwrap();
    bot.save(&built("awful-bot"));
    terminal.expect("v3: worse than v2: ").unwrap();
    let rest = terminal.expect("\x07").unwrap();
    assert!(rest.contains("; v2 stays; "), "{rest}");
    // The same luck for both games of a pair: a version draws each against its own copy.
    bot.save(&format!("{}''' # a comment'''", built("mediocre-bot")));
    terminal
        .expect("v4: not told apart from v2: 50.0% (")
        .unwrap();
    terminal.expect("s\r\n").unwrap();
    end(terminal);
    assert!(bot.has("v1/bot.toml") && bot.has("v4/bot.toml") && !bot.has("v3"));
    let records = ["v2", "v3", "v4"]
        .map(|name| format!("bot/.referee-dev/{name}.jsonl"))
        .join(" ");
    bot.0
        .run(format!("rank {records}"))
        .succeeds()
        .prints("4 players, 150 games")
        .prints("v3");
}

fn a_save_stops_the_judging_of_another() {
    let bot = Bot::new(&built("mediocre-bot"));
    let mut terminal = bot.dev(&format!("{} --games 2", endless()));
    terminal.expect("v1: accepted").unwrap();
    bot.save(&built("awful-bot"));
    until("it is judged", || bot.has("v2"));
    // A save that changes nothing stops nothing.
    bot.save(&built("awful-bot"));
    bot.save("false");
    terminal.expect("v2: faulty: ").unwrap();
    bot.save(&built("mediocre-bot"));
    terminal.expect("this is v1, which was accepted").unwrap();
    end(terminal);
    assert!(!bot.has("v2") && !bot.has("v2.jsonl"));
}

fn ctrl_c_breaks_games_off() {
    let bot = Bot::new(&built("mediocre-bot"));
    let mut terminal = bot.dev(&endless());
    terminal.expect("v1: accepted").unwrap();
    bot.save(&built("awful-bot"));
    until("it is judged", || bot.has("v2"));
    end(terminal);
    assert!(bot.has("v1") && !bot.has("v2") && !bot.has("v2.jsonl"));
}

fn a_failed_build_waits_for_the_next_save() {
    let build = "seq 100; echo 'bot.c:7: error: boom' >&2; exit 3";
    let broken = format!("{}'''\nbuild = '''{build}", built("mediocre-bot"));
    let bot = Bot::new(&broken);
    let mut terminal = bot.dev("");
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
    bot.save(&built("mediocre-bot"));
    terminal.expect("v1: accepted").unwrap();
    end(terminal);
    bot.save(&broken);
    bot.run("--once").ends().exits(4);
}

fn once_ends_with_a_code() {
    let bot = Bot::new(&built("mediocre-bot"));
    bot.run("--once").succeeds().prints("v1: accepted");
    bot.run("--once").succeeds().prints("this is v1");
    bot.save(&built("awful-bot"));
    bot.run("--once")
        .ends()
        .exits(4)
        .prints("v2: worse than v1");
    bot.save("false");
    bot.run("--once").ends().exits(4).prints("v3: faulty");
    bot.save(&built("mediocre-bot"));
    bot.run("--once --against awful --games 2")
        .succeeds()
        .prints("this is v1");
}

fn versions_meet_another_player_in_the_same_games() {
    let bot = Bot::new(&built("awful-bot"));
    bot.run("--once").succeeds();
    bot.save(&built("mediocre-bot"));
    bot.run("--once --against enemy=mediocre")
        .succeeds()
        .prints("v2: better than v1 against enemy: ");
    bot.0
        .run("rank bot/.referee-dev/v2.jsonl")
        .succeeds()
        .prints("3 players, 100 games");
}

fn a_folder_has_one_dev_at_a_time() {
    let bot = Bot::new(&built("mediocre-bot"));
    let mut terminal = bot.dev("");
    terminal.expect("v1: accepted").unwrap();
    bot.run("").fails(2, "another referee dev runs on ");
    end(terminal);
    bot.run("--once").succeeds();
}

fn a_folder_without_a_bot_is_refused() {
    let dir = Dir::new();
    dir.file("notes/notes.txt", "");
    dir.run("dev notes")
        .fails(2, "no bot is recognized by its files, as bot.py, ")
        .warns("notes.txt");
    for name in ["none", "'python3 none.py'", "good"] {
        dir.run(format!("dev {name}"))
            .fails(2, "names neither a folder nor the file of a bot");
    }
    dir.run("dev notes --games 3")
        .fails(2, "the number has to be even");
    dir.run("dev notes --against human")
        .fails(2, "one game at a time");
    assert!(!dir.path("notes/.referee-dev").exists());
}

fn a_command_names_the_bot_too() {
    let dir = Dir::new();
    dir.run("new python 'my bot'").succeeds();
    // Not a name by which a bot is recognized.
    std::fs::rename(dir.path("my bot/bot.py"), dir.path("my bot/other.py")).unwrap();
    dir.run("dev \"python3 'my bot/other.py'\" --once")
        .succeeds()
        .prints("v1: accepted, the first version");
    dir.run("dev \"@'my bot'=python3 other.py\" --once")
        .succeeds()
        .prints("v1");
}
