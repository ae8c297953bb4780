//! Every command in the documents is run, and prints what is shown of its output.
//!
//! Each page is run in a folder of its own, as by a reader who goes through it from top to bottom:
//!
//! - A block `console` has commands behind `$ `, each followed by its output or by nothing. `...`
//!   stands for anything: in a line for a part of it, alone for any lines. A time matches every
//!   time. `$ echo $?` after a command that fails shows its code.
//! - A block `sh` has commands without output. One that begins with `#!` is a script that is only
//!   shown.
//! - A block whose first line is a comment with nothing but the name of a file is that file.
//! - A block `diff` is a change of the file that its first line names.
//!
//! The programs are on the `PATH`; `cargo run --` runs the built referee. A page that names
//! `mybot/bot.py` without making it finds the kit for Python in that folder. Commands without shown
//! output play at most [`GAMES`] games. Commands that cannot be run are in [`NOT_RUN`], with the
//! reason.

mod compare;
mod not_run;
mod shell;
mod steps;

use std::collections::BTreeSet;
use std::fs;

use clap::error::ErrorKind;
use testkit::list::{Tests, Tier};
use testkit::programs::{project_file, text_of};
use testkit::tools::{CC, CXX, JAVA, JAVAC, MAKE, MAN, NAMESPACES, PYTHON, REFEREE_CLASS};

use self::not_run::NOT_RUN;
use self::shell::Shell;
use self::steps::{Command, Step, steps};
use crate::docs::markdown::{links, quoted};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        every_page_of_the_book_is_run,
        every_exception_is_a_command_of_its_page,
        commands_in_sentences_have_known_options,
        a_misspelt_option_is_found
    );
    rows!(tests, SHORT, a_page_does_what_it_says);
    tests.needing(&[MAN], |tests| {
        rows!(tests, MANUAL, a_page_does_what_it_says);
    });
    tests.needing(&[PYTHON], |tests| {
        rows!(tests, SHORT_IN_PYTHON, a_page_does_what_it_says);
    });
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[PYTHON], |tests| {
            rows!(tests, LONG, a_page_does_what_it_says);
            tests.needing(&[CC], |tests| {
                rows!(tests, JUDGES, a_page_does_what_it_says);
            });
            tests.needing(&[NAMESPACES], |tests| {
                rows!(tests, CONFINED, a_page_does_what_it_says);
                tests.needing(&[REFEREE_CLASS], |tests| {
                    rows!(tests, CLASSES, a_page_does_what_it_says);
                });
            });
        });
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[CC, CXX, MAKE, JAVA, JAVAC], |tests| {
            rows!(tests, COMPILED, a_page_does_what_it_says);
        });
    });
    compare::tests(tests);
}

/// The most games that a command plays whose output is not shown.
const GAMES: u32 = 20;

static SHORT: [&str; 24] = [
    "protocol.md",
    "CHANGELOG.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "tests/README.md",
    "docs/README.md",
    "docs/just-play.md",
    "docs/installing.md",
    "docs/stability.md",
    "docs/writing-in-the-browser.md",
    "docs/teaching-in-the-browser.md",
    "docs/playing.md",
    "docs/windows.md",
    "docs/commands.md",
    "docs/exit-codes.md",
    "docs/record.md",
    "docs/contest-rules.md",
    "docs/statistics.md",
    "docs/cluster.md",
    "docs/wasm.md",
    "docs/hostile-bots.md",
    "docs/how-good-plays.md",
    "docs/performance.md",
    "docs/tutorial/play.md",
];
static MANUAL: [&str; 1] = ["docs/your-machine.md"];
static SHORT_IN_PYTHON: [&str; 2] = ["docs/debugging.md", "docs/let-a-model-play.md"];
/// This page compiles a judge in C too.
static JUDGES: [&str; 1] = ["examples/judges/README.md"];
static LONG: [&str; 7] = [
    "docs/dev.md",
    "README.md",
    "docs/your-own-game.md",
    "docs/tutorial/python.md",
    "docs/contests.md",
    "docs/pages.md",
    "docs/tuning.md",
];
/// The second page checks the bot of the first.
static CONFINED: [&str; 1] = ["docs/writing-a-bot.md docs/checking-a-bot.md"];
static CLASSES: [&str; 2] = ["docs/class.md", "docs/teaching.md"];
static COMPILED: [&str; 4] = [
    "docs/testing-a-bot.md",
    "docs/tutorial/cpp.md",
    "docs/tutorial/java.md",
    "docs/tutorial/rust.md",
];

fn pages() -> impl Iterator<Item = &'static str> {
    let lists: [&[&str]; 8] = [
        &SHORT,
        &MANUAL,
        &SHORT_IN_PYTHON,
        &JUDGES,
        &LONG,
        &CONFINED,
        &CLASSES,
        &COMPILED,
    ];
    lists
        .into_iter()
        .flatten()
        .flat_map(|pages| pages.split(' '))
}

fn a_page_does_what_it_says(pages: &str) {
    let mut shell = Shell::new();
    for page in pages.split(' ') {
        let text = text_of(project_file(page));
        let steps = steps(page, &text);
        let is_made = steps.iter().any(
            |step| matches!(step, Step::Run(command) if command.text.starts_with("referee new ")),
        );
        if text.contains("mybot/bot.py") && !is_made {
            shell.run("referee new python mybot");
        }
        let mut steps = steps.into_iter().peekable();
        while let Some(step) = steps.next() {
            match step {
                Step::Write { file, text } => shell.write(&file, &text),
                Step::Change { file, diff } => shell.change(&file, &diff),
                Step::Run(command) if not_run::is_exception(page, &command) => {
                    has_known_options(&command.text).unwrap_or_else(|e| panic!("{page}: {e}"));
                }
                Step::Run(command) => {
                    let is_code_shown =
                        matches!(steps.peek(), Some(Step::Run(next)) if next.text == "echo $?");
                    run(page, &command, &mut shell, is_code_shown);
                }
            }
        }
    }
}

/// Runs a command and compares its output. If it fails, the page has to show its code.
fn run(page: &str, command: &Command, shell: &mut Shell, is_code_shown: bool) {
    let mut words = command.text.replace("cargo run -- ", "referee ");
    // However busy the machine: the bot may take its time to leave.
    if words.starts_with("referee check ") && !words.contains(['>', '|', '&']) {
        words.push_str(" --grace 60s");
    }
    // A plan of few games has fewer parts than it asks for.
    if command.shown.is_empty() && !words.contains("--dry-run") {
        words = with_few_games(&words);
    }
    let (printed, code) = shell.run(&words);
    let place = format!("{page}:{}: {words}", command.line);
    assert!(
        code == 0 || is_code_shown,
        "{place}: exit code {code}\n{printed}"
    );
    let shown = &command.shown;
    assert!(
        shown.is_empty() || compare::is_shown(shown, &printed),
        "{place}: prints something else\n--- shown\n{shown}--- printed\n{printed}"
    );
}

fn with_few_games(command: &str) -> String {
    let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let is_many = words[at].parse::<u32>().is_ok_and(|games| games > GAMES);
        if words[at - 1] == "--games" && is_many {
            words[at] = GAMES.to_string();
        }
    }
    words.join(" ")
}

fn every_page_of_the_book_is_run() {
    let summary = text_of(project_file("docs/SUMMARY.md"));
    let linked: BTreeSet<_> = links(&summary)
        .into_iter()
        .map(|(target, _)| match target.strip_prefix("../") {
            Some(outside) => outside.to_owned(),
            None => format!("docs/{target}"),
        })
        .collect();
    assert!(linked.len() > 20, "{linked:?}");
    let run: BTreeSet<_> = pages().map(str::to_owned).collect();
    let missing: Vec<_> = linked.difference(&run).collect();
    assert!(missing.is_empty(), "no list has {missing:?}");
    for folder in ["docs", "docs/tutorial"] {
        for file in fs::read_dir(project_file(folder)).unwrap() {
            let name = format!("{folder}/{}", file.unwrap().file_name().display());
            let is_page = name
                .strip_suffix(".md")
                .is_some_and(|name| name != "docs/SUMMARY");
            assert!(
                !is_page || linked.contains(&name),
                "docs/SUMMARY.md lacks {name}"
            );
        }
    }
}

/// An exception for what is no longer there would allow it to come back unseen.
fn every_exception_is_a_command_of_its_page() {
    for (page, words, _) in NOT_RUN {
        let text = text_of(project_file(page));
        let is_there = steps(page, &text)
            .iter()
            .any(|step| matches!(step, Step::Run(command) if not_run::begins_with(command, words)));
        assert!(is_there, "{page} has no command {words:?}");
    }
}

/// Commands that are quoted in a sentence or a table are not run, but they and their options have
/// to exist.
fn commands_in_sentences_have_known_options() {
    let mut checked = 0;
    // Options of earlier versions may be gone.
    for page in pages().filter(|page| *page != "CHANGELOG.md") {
        for quoted in quoted(&text_of(project_file(page))) {
            if quoted.starts_with("referee ") {
                has_known_options(&quoted).unwrap_or_else(|e| panic!("{page}: {quoted}: {e}"));
                checked += 1;
            }
        }
    }
    assert!(checked > 80, "{checked}");
}

/// Says which command or option of the referee's there is not. Its values may be words for what a
/// user types, as FILE.
fn has_known_options(command: &str) -> Result<(), String> {
    let plain = command
        .replace("cargo run -- ", "referee ")
        .replace(['[', ']', '…'], "")
        .replace("...", "")
        .replace("\\|", "|");
    let words = shlex::split(&plain).ok_or("not words")?;
    let words: Vec<_> = words
        .into_iter()
        .take_while(|word| !["|", ">", "&&", ";", "&"].contains(&word.as_str()))
        .collect();
    // As in `referee COMMAND --help`; and the grammar of a program beside the referee is not known
    // here.
    let is_open = |word: &String| {
        word.bytes().all(|byte| byte.is_ascii_uppercase())
            || ["class", "wasm", "web"].contains(&word.as_str())
    };
    if words[0] != "referee" || words.get(1).is_some_and(is_open) {
        return Ok(());
    }
    let unknown = [ErrorKind::UnknownArgument, ErrorKind::InvalidSubcommand];
    match referee::grammars()
        .swap_remove(0)
        .try_get_matches_from(words)
    {
        Err(error) if unknown.contains(&error.kind()) => Err(error.to_string()),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn a_misspelt_option_is_found() {
    for known in [
        "referee replay RECORD --game N",
        "referee class add ada x.zip [--at TIME]",
        "referee new",
    ] {
        assert_eq!(has_known_options(known), Ok(()), "{known}");
    }
    for unknown in ["referee replay RECORD --gmae N", "referee replya RECORD"] {
        assert!(has_known_options(unknown).is_err(), "{unknown}");
    }
}
