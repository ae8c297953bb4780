//! The steps that a page has the reader do: commands, files, changes of files.

use std::process::Command as Process;

use crate::docs::markdown::{Block, blocks};

/// The languages of blocks with steps, and of those that are only shown unless they are a file.
const LANGUAGES: [&str; 15] = [
    "console",
    "sh",
    "diff",
    "powershell",
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
pub(super) enum Step {
    Run(Command),
    Write { file: String, text: String },
    Change { file: String, diff: String },
}

/// A command, and what is shown of its output.
pub(super) struct Command {
    pub(super) text: String,
    /// Empty if nothing is shown.
    pub(super) shown: String,
    /// The line where its block begins.
    pub(super) line: usize,
}

/// Returns what the reader of `page` does, in order.
pub(super) fn steps(page: &str, text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for block in blocks(text) {
        let place = format!("{page}:{}", block.line);
        let language = block.language.as_str();
        assert!(
            LANGUAGES.contains(&language),
            "{place}: a block of {language:?}"
        );
        if let Some(file) = block.file() {
            let file = file.to_owned();
            steps.push(Step::Write {
                file,
                text: block.text,
            });
        } else if language == "diff" {
            let (file, diff) = block.text.split_once('\n').unwrap();
            let file = file.strip_prefix("--- ").unwrap().to_owned();
            steps.push(Step::Change {
                file,
                diff: diff.to_owned(),
            });
        } else if language == "console" {
            assert!(block.text.starts_with("$ "), "{place}: no command");
            steps.extend(typed(&block).into_iter().map(Step::Run));
        } else if language == "sh" {
            assert!(is_whole(&block.text), "{place}: no commands of a shell");
            if !block.text.starts_with("#!") {
                steps.extend(commands(&block).into_iter().map(Step::Run));
            }
        }
    }
    steps
}

/// Returns the commands behind `$ `, with what is shown of their output.
fn typed(block: &Block) -> Vec<Command> {
    let mut found: Vec<Command> = Vec::new();
    for line in block.text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            found.push(Command {
                text: command.to_owned(),
                shown: String::new(),
                line: block.line,
            });
        } else if let Some(last) = found.last_mut() {
            if last.text.ends_with('\\') {
                last.text.extend(["\n", line]);
            } else {
                last.shown.extend([line, "\n"]);
            }
        }
    }
    found
}

/// Returns the commands of a script: lines, or as many lines as the shell takes for a whole
/// command.
fn commands(block: &Block) -> Vec<Command> {
    let (mut found, mut text) = (Vec::new(), String::new());
    for line in block.text.lines() {
        if text.is_empty() && (line.trim().is_empty() || line.starts_with('#')) {
            continue;
        }
        text += line;
        if line.ends_with('\\') || !is_whole(&text) {
            text.push('\n');
        } else {
            found.push(Command {
                text: std::mem::take(&mut text),
                shown: String::new(),
                line: block.line,
            });
        }
    }
    found
}

/// Returns whether the shell takes `text` for whole commands.
fn is_whole(text: &str) -> bool {
    let read = Process::new("sh").args(["-nc", text]).output().unwrap();
    read.status.success()
}
