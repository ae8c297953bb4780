//! The steps that a page has the reader do: commands, files, changes of files.

use std::process::Command as Process;

use super::GAMES;
use super::compare;
use super::grammar;
use super::shell::Shell;
use crate::docs::markdown::blocks;

/// The languages of blocks: commands, changes, and text that is only shown unless it is a file.
pub(super) const LANGUAGES: [&str; 15] = [
    "console",
    "sh",
    "powershell",
    "diff",
    "text",
    "json",
    "toml",
    "python",
    "rust",
    "cpp",
    "java",
    "dialogue",
    "typed",
    "dockerfile",
    "yaml",
];

/// A step of a reader.
#[derive(Debug)]
pub(super) enum Step {
    Run(Command),
    Write { file: String, text: String },
    Change { file: String, diff: String },
}

/// A command, and what is shown of its output.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) text: String,
    /// Empty if nothing is shown.
    shown: String,
    /// The line where its block begins.
    line: usize,
    /// Whether it is for a shell of Unix.
    is_for_sh: bool,
}

impl Command {
    /// Checks a command that is not run: whether the shell and the referee could read it.
    pub(super) fn check_spelling(&self) {
        if self.is_for_sh {
            assert!(
                is_whole(&self.text),
                "no command for the shell: {}",
                self.text
            );
        }
        grammar::check(&self.text);
    }

    /// Runs the command and compares its output. If it fails, its code has to follow.
    pub(super) fn run(&self, page: &str, shell: &mut Shell, code_follows: bool) {
        let mut command = self.text.replace("cargo run -- ", "referee ");
        // However busy the machine: the bot may take its time to leave.
        if command.starts_with("referee check ") && !command.contains(['>', '|', '&']) {
            command.push_str(" --grace 60s");
        }
        // A plan of few games has fewer parts than it asks for.
        if self.shown.is_empty() && !command.contains("--dry-run") {
            command = with_few_games(&command);
        }
        let place = format!("{page}:{}: {command}", self.line);
        assert!(
            self.is_for_sh,
            "{place}: not for this system; say so in exceptions.rs"
        );
        let (printed, code) = shell.run(&command);
        assert!(
            code == 0 || code_follows,
            "{place}: exit code {code}\n{printed}"
        );
        if !self.shown.is_empty()
            && let Err(line) = compare::is_shown(&self.shown, &printed)
        {
            panic!(
                "{place}: not printed: {line}\n--- shown\n{}--- printed\n{printed}",
                self.shown
            );
        }
    }
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

/// Returns what the reader of `page` does, in order.
pub(super) fn steps(page: &str, text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for block in blocks(text) {
        if let Some(file) = block.file() {
            steps.push(Step::Write {
                file: file.to_owned(),
                text: block.text.clone(),
            });
            continue;
        }
        match block.language.as_str() {
            "sh" if block.text.starts_with("#!") => {
                assert!(is_whole(&block.text), "{page}:{}: not a script", block.line);
                for line in block
                    .text
                    .lines()
                    .filter(|line| line.starts_with("referee "))
                {
                    grammar::is_known(line).unwrap();
                }
            }
            "console" => {
                assert!(
                    block.text.starts_with("$ "),
                    "{page}:{}: no command",
                    block.line
                );
                steps.extend(typed(&block.text, block.line).into_iter().map(Step::Run));
            }
            "sh" | "powershell" => {
                let is_for_sh = block.language == "sh";
                let commands = if is_for_sh {
                    commands(&block.text)
                } else {
                    lines(&block.text)
                };
                steps.extend(commands.into_iter().map(|text| {
                    let shown = String::new();
                    Step::Run(Command {
                        text,
                        shown,
                        line: block.line,
                        is_for_sh,
                    })
                }));
            }
            "diff" => {
                let (first, diff) = block.text.split_once('\n').unwrap();
                let file = first.strip_prefix("--- ").unwrap().to_owned();
                steps.push(Step::Change {
                    file,
                    diff: diff.to_owned(),
                });
            }
            _ => {}
        }
    }
    steps
}

/// Returns the commands behind `$ `, with what is shown of their output.
fn typed(block: &str, line: usize) -> Vec<Command> {
    let mut found: Vec<Command> = Vec::new();
    for shown in block.lines() {
        match (shown.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => {
                found.push(Command {
                    text: command.to_owned(),
                    shown: String::new(),
                    line,
                    is_for_sh: true,
                });
            }
            (None, Some(command)) if command.text.ends_with('\\') => {
                command.text.push('\n');
                command.text.push_str(shown);
            }
            (None, Some(command)) => {
                command.shown.push_str(shown);
                command.shown.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

/// Returns the commands of a script: lines, or as many lines as the shell takes for a whole command.
fn commands(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = String::new();
    for line in script.lines() {
        if open.is_empty() && (line.trim().is_empty() || line.starts_with('#')) {
            continue;
        }
        open.push_str(line);
        if line.ends_with('\\') || !is_whole(&open) {
            open.push('\n');
        } else {
            found.push(std::mem::take(&mut open));
        }
    }
    assert!(open.is_empty(), "not a whole command: {open}");
    found
}

/// Returns the lines that are neither empty nor comments.
fn lines(script: &str) -> Vec<String> {
    let lines = script
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// Returns whether the shell takes `command` for a whole one.
fn is_whole(command: &str) -> bool {
    Process::new("sh")
        .args(["-nc", command])
        .output()
        .unwrap()
        .status
        .success()
}
