//! A job: one command that is run several times, each time with another number.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::ClusterError;

/// Longer names make schedulers' tables unreadable.
const LONGEST_NAME: usize = 63;

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// The same in every task.
    Same(String),
    /// The number of the task, from 1, between two texts.
    Numbered {
        /// The text before the number.
        before: String,
        /// The text after it.
        after: String,
    },
}

/// One command that is run several times, each time with another number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    /// Its name for schedulers and in its files: see [`Job::name_from`].
    pub(crate) name: String,
    /// A line about it for those who read its files.
    pub(crate) about: String,
    /// The number of tasks. They are numbered from 1.
    pub(crate) tasks: usize,
    /// The command of a task, the program first.
    pub(crate) command: Vec<Word>,
    /// The folder in which tasks start, as an absolute path that all nodes know.
    pub(crate) work_dir: PathBuf,
    /// The folder of its script and of the output of its tasks, the same way. The caller makes it.
    pub(crate) folder: PathBuf,
    /// The number of cores that a task keeps busy.
    pub(crate) cpus: usize,
    /// Whether each task is to have cores of its own, where the scheduler can see to that.
    pub(crate) pinned: bool,
    /// More options for the scheduler, a word each.
    pub(crate) options: Vec<String>,
}

impl Job {
    /// Returns a name for a job from any text: small letters, digits and hyphens.
    #[must_use]
    pub(crate) fn name_from(text: &str) -> String {
        let mut name = String::new();
        for char in text.chars() {
            match char.to_ascii_lowercase() {
                char @ ('a'..='z' | '0'..='9') => name.push(char),
                _ if name.ends_with('-') || name.is_empty() => {}
                _ => name.push('-'),
            }
        }
        name.truncate(LONGEST_NAME);
        let name = name.trim_matches('-');
        if name.is_empty() {
            "job".to_owned()
        } else {
            name.to_owned()
        }
    }

    /// Returns the file of this job that ends in `ending`.
    pub(super) fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    /// Returns the folder of what tasks print.
    pub(super) fn logs(&self) -> PathBuf {
        self.folder.join("logs")
    }

    /// Returns the file of what the task of this number prints.
    #[must_use]
    pub(crate) fn log(&self, task: usize) -> PathBuf {
        self.logs().join(format!("{task}.log"))
    }

    /// Makes the folder of what tasks print.
    pub(super) fn make_logs(&self) -> Result<(), ClusterError> {
        let logs = self.logs();
        std::fs::create_dir_all(&logs).map_err(ClusterError::io(&logs))
    }

    /// Returns the command as a line of a shell, with `$task` for the number.
    pub(super) fn shell_line(&self) -> String {
        self.command
            .iter()
            .map(|word| match word {
                Word::Same(word) => quoted(word),
                Word::Numbered { before, after } => {
                    format!("{}\"$task\"{}", or_nothing(before), or_nothing(after))
                }
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns the first lines of a script after `#!/bin/sh`: what it is.
    pub(super) fn heading(&self, more: &[&str]) -> String {
        let mut text = String::new();
        for line in [self.about.as_str()].iter().chain(more) {
            // A line feed would end the comment.
            let _ = writeln!(text, "# {}", line.replace(['\n', '\r'], " "));
        }
        text
    }
}

/// Returns `word` as a shell of Unix takes it: those of a cluster's nodes.
pub(super) fn quoted(word: &str) -> String {
    // Only a NUL cannot be quoted, and no argument has one.
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}

fn or_nothing(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        quoted(text)
    }
}

/// Returns a path as text that may stand between quotation marks in a script of any scheduler.
///
/// # Errors
/// If it has a character that a scheduler reads as something else.
pub(super) fn plain(path: &Path) -> Result<&str, ClusterError> {
    path.to_str().filter(|path| !path.chars().any(|char| {
        // Slurm and HyperQueue replace what is behind a percent sign; a colon ends a path for
        // HyperQueue.
        char.is_control() || matches!(char, '%' | '"' | '\'' | '\\' | ':' | '$' | '`')
    })).ok_or_else(|| {
        ClusterError::Refused(format!(
            "{}: schedulers take no path with quotation marks, %, :, $, backslashes or other than UTF-8; choose another \
             folder",
            bothost::text::shown(path.as_os_str().as_encoded_bytes())
        ))
    })
}

/// Returns rising numbers as schedulers write them: `1-3,7`.
pub(super) fn ranges(numbers: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
        .iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        })
        .collect::<Vec<_>>()
        .join(",")
}

#[cfg(test)]
pub(super) fn example() -> Job {
    Job {
        name: "cup".to_owned(),
        about: "The 8 shards of cup.jsonl".to_owned(),
        tasks: 8,
        command: vec![
            Word::Same("/opt/referee".to_owned()),
            Word::Same("A=python3 it's.py".to_owned()),
            Word::Same("--shard".to_owned()),
            Word::Numbered {
                before: String::new(),
                after: "/8".to_owned(),
            },
        ],
        work_dir: PathBuf::from("/home/me/my cup"),
        folder: PathBuf::from("/home/me/my cup/cup.jsonl.shards"),
        cpus: 2,
        pinned: true,
        options: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_that_every_scheduler_takes() {
        for (text, name) in [
            ("cup.jsonl", "cup-jsonl"),
            ("Ümlaut Cup!", "mlaut-cup"),
            ("--", "job"),
            ("", "job"),
        ] {
            assert_eq!(Job::name_from(text), name);
        }
        assert_eq!(Job::name_from(&"x".repeat(100)).len(), LONGEST_NAME);
    }

    #[test]
    fn numbers_in_a_row_become_a_range() {
        for (numbers, text) in [
            (&[][..], ""),
            (&[3][..], "3"),
            (&[1, 2, 3, 5, 7, 8], "1-3,5,7-8"),
        ] {
            assert_eq!(ranges(numbers), text);
        }
    }

    #[test]
    fn the_words_of_a_task_survive_the_shell() {
        let job = example();
        let line = job.shell_line().replace("\"$task\"", "3");
        assert_eq!(
            shlex::split(&line).unwrap(),
            ["/opt/referee", "A=python3 it's.py", "--shard", "3/8"]
        );
    }

    #[test]
    fn a_path_that_a_scheduler_would_misread_is_refused() {
        assert_eq!(plain(Path::new("/a b/ü")).unwrap(), "/a b/ü");
        for path in ["/a\nb", "/50%", "/a\"b", "/a:b", "/a\\b", "/$HOME"] {
            assert!(plain(Path::new(path)).is_err(), "{path}");
        }
    }
}
