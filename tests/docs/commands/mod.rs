//! Every command in the documents is run, and prints what is shown of its output.
//!
//! Each page is run in a folder of its own, as by a user who reads it from top to bottom:
//!
//! - A block `console` has commands behind `$ `, each followed by its output or by nothing. `...` stands for anything: in a line
//!   for a part of it, alone for any lines. A time matches every time. `$ echo $?` after a command that fails shows its code.
//! - A block `sh` has commands without output. One that begins with `#!` is a script that is only shown.
//! - A block whose first line is a comment with nothing but the name of a file is that file.
//! - A block `diff` is a change of the file that its first line names.
//!
//! The programs are on the `PATH`; `cargo run --` runs the built referee. A page that names `mybot/bot.py` without
//! making it finds the kit for Python in that folder. Commands without shown output play at most [`GAMES`] games. Commands that
//! cannot be run are in [`exceptions`], with the reason.

mod compare;
mod exceptions;
mod grammar;
mod page;
mod shell;

use std::collections::BTreeSet;

use self::exceptions::NOT_RUN;
use self::page::{Step, steps};
use self::shell::Shell;
use crate::docs::markdown::{blocks, links, quoted};
use testkit::list::Row;
use testkit::list::{Tests, Tier};
use testkit::programs::{project_file, text_of};
use testkit::tools::UNIX;
use testkit::tools::{CC, CXX, JAVA, JAVAC, MAKE, MAN, NAMESPACES, PYTHON, REFEREE_CLASS, Tool};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            every_page_of_the_book_is_in_a_walk,
            every_exception_is_of_a_command_that_is_there,
            commands_in_sentences_have_the_options_that_the_referee_has,
            every_block_says_what_it_is
        );
        rows!(tests, WALKS, a_page_does_what_it_says, 28);
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[UNIX], |tests| {
            rows!(tests, TUTORIALS, a_tutorial_does_what_it_says);
        })
    });
    compare::tests(tests);
    grammar::tests(tests);
}

/// The most games that a command plays whose output is not shown.
const GAMES: u32 = 20;

/// Pages that are run one after another in one folder.
#[derive(Clone, Copy)]
struct Walk {
    name: &'static str,
    pages: &'static [&'static str],
    needs: &'static [Tool],
}

impl Row for Walk {
    fn name(&self) -> &str {
        self.name
    }

    fn tools(&self) -> &'static [Tool] {
        self.needs
    }
}

const fn walk(pages: &'static [&'static str], needs: &'static [Tool]) -> Walk {
    Walk {
        name: pages[0],
        pages,
        needs,
    }
}

/// All documents with commands, and all pages of the book.
static WALKS: [Walk; 36] = [
    walk(&["protocol.md"], &[]),
    walk(&["CHANGELOG.md"], &[]),
    walk(&["docs/README.md"], &[]),
    walk(&["docs/just-play.md"], &[]),
    walk(&["docs/installing.md"], &[]),
    walk(&["docs/stability.md"], &[]),
    walk(&["docs/writing-in-the-browser.md"], &[]),
    walk(&["docs/teaching-in-the-browser.md"], &[]),
    walk(&["docs/playing.md"], &[]),
    walk(&["docs/cluster.md"], &[PYTHON]),
    walk(&["docs/windows.md"], &[]),
    walk(&["docs/your-machine.md"], &[MAN]),
    walk(&["docs/commands.md"], &[]),
    walk(&["docs/exit-codes.md"], &[]),
    walk(&["docs/record.md"], &[]),
    walk(&["docs/contest-rules.md"], &[]),
    walk(&["tests/README.md"], &[]),
    walk(&["docs/embedding.md"], &[]),
    walk(&["docs/statistics.md"], &[]),
    walk(&["docs/debugging.md"], &[PYTHON]),
    walk(&["docs/dev.md"], &[PYTHON]),
    walk(&["docs/wasm.md"], &[]),
    walk(&["docs/hostile-bots.md"], &[]),
    walk(&["docs/how-good-plays.md"], &[]),
    walk(&["docs/performance.md"], &[]),
    walk(&["ARCHITECTURE.md"], &[]),
    walk(&["CONTRIBUTING.md"], &[]),
    walk(&["docs/tutorial/play.md"], &[]),
    walk(&["docs/tuning.md"], &[PYTHON]),
    // In the thorough tier: each takes the time of many others.
    walk(&["README.md"], &[PYTHON]),
    walk(&["docs/tutorial/python.md"], &[PYTHON]),
    // The second checks the bot of the first.
    walk(
        &["docs/writing-a-bot.md", "docs/checking-a-bot.md"],
        &[PYTHON, NAMESPACES],
    ),
    walk(&["docs/contests.md"], &[PYTHON]),
    walk(&["docs/pages.md"], &[PYTHON]),
    walk(&["docs/class.md"], &[REFEREE_CLASS]),
    walk(&["docs/teaching.md"], &[PYTHON, NAMESPACES, REFEREE_CLASS]),
];

/// The tutorials in other languages than Python.
static TUTORIALS: [Walk; 4] = [
    walk(&["docs/testing-a-bot.md"], &[CC]),
    walk(&["docs/tutorial/cpp.md"], &[CXX, MAKE]),
    walk(&["docs/tutorial/java.md"], &[JAVA, JAVAC]),
    walk(&["docs/tutorial/rust.md"], &[CC]),
];

/// Returns the paths of all pages.
fn pages() -> impl Iterator<Item = &'static str> {
    WALKS
        .iter()
        .chain(&TUTORIALS)
        .flat_map(|walk| walk.pages)
        .copied()
}

fn a_page_does_what_it_says(walk: Walk) {
    does_what_it_says(walk);
}

fn a_tutorial_does_what_it_says(walk: Walk) {
    does_what_it_says(walk);
}

fn does_what_it_says(walk: Walk) {
    let mut shell = Shell::new();
    for page in walk.pages {
        let text = text_of(project_file(page));
        let steps = steps(page, &text);
        let is_made = steps.iter().any(|step| match step {
            Step::Run(command) => command.text.starts_with("referee new "),
            Step::Write { .. } | Step::Change { .. } => false,
        });
        if text.contains("mybot/bot.py") && !is_made {
            shell.run("referee new python mybot");
        }
        let mut steps = steps.iter().peekable();
        while let Some(step) = steps.next() {
            match step {
                Step::Write { file, text } => shell.write(file, text),
                Step::Change { file, diff } => shell.change(file, diff),
                Step::Run(command) if exceptions::of(page, &command.text).is_some() => {
                    command.check_spelling();
                }
                Step::Run(command) => {
                    let code_follows = matches!(
                        steps.peek(), Some(Step::Run(next)) if next.text == "echo $?"
                    );
                    command.run(page, &mut shell, code_follows);
                }
            }
        }
    }
}

/// A page that no walk has would never be run.
fn every_page_of_the_book_is_in_a_walk() {
    let summary = text_of(project_file("docs/SUMMARY.md"));
    let linked = links(&summary)
        .into_iter()
        .map(|(target, _)| match target.strip_prefix("../") {
            Some(outside) => outside.to_owned(),
            None => format!("docs/{target}"),
        });
    let linked: BTreeSet<_> = linked.collect();
    assert!(linked.len() > 20, "{linked:?}");
    let walked: BTreeSet<_> = pages().map(str::to_owned).collect();
    let missing: Vec<_> = linked.difference(&walked).collect();
    assert!(missing.is_empty(), "no walk has {missing:?}");
    for folder in ["docs", "docs/tutorial"] {
        for file in std::fs::read_dir(project_file(folder)).unwrap() {
            let name = format!("{folder}/{}", file.unwrap().file_name().to_str().unwrap());
            let is_page = name.strip_suffix(".md").is_some() && name != "docs/SUMMARY.md";
            assert!(
                !is_page || linked.contains(&name),
                "docs/SUMMARY.md does not have {name}"
            );
        }
    }
}

/// An exception for what is no longer there would allow it to come back unseen.
fn every_exception_is_of_a_command_that_is_there() {
    for exception in &NOT_RUN {
        let text = text_of(project_file(exception.page));
        let is_there = steps(exception.page, &text).iter().any(|step| match step {
            Step::Run(command) => exception.is_of(exception.page, &command.text),
            Step::Write { .. } | Step::Change { .. } => false,
        });
        assert!(
            is_there,
            "{} has no command {:?}",
            exception.page, exception.command
        );
        assert!(exception.why.len() > 10, "{exception:?}");
    }
}

/// Commands quoted in a sentence or a table are not run, but they and their options have to exist.
fn commands_in_sentences_have_the_options_that_the_referee_has() {
    let mut checked = 0;
    for page in pages() {
        // Options of earlier versions may be gone.
        if page == "CHANGELOG.md" {
            continue;
        }
        let text = text_of(project_file(page));
        for quoted in quoted(&text) {
            if !quoted.starts_with("referee ") {
                continue;
            }
            if let Err(error) = grammar::is_known(&quoted) {
                panic!("{page}: {quoted}: {error}");
            }
            checked += 1;
        }
    }
    assert!(checked > 80, "{checked}");
}

fn every_block_says_what_it_is() {
    for page in pages() {
        for block in blocks(&text_of(project_file(page))) {
            let is_known = page::LANGUAGES.contains(&&*block.language);
            assert!(
                is_known,
                "{page}:{}: a block of {:?}",
                block.line, block.language
            );
        }
    }
}
