//! The task that plays a shard: what was typed, for a part of the contest.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use arena::record::Shard;
use clap::Args;
use referee::{Failure, become_program, note, own_program, referee_beside};

use crate::attempts::{Attempts, attempt_name};
use crate::run::Division;
use crate::scheduler::{Job, Word};
use crate::shard_folder::ShardedContest;
use crate::shards::Shards;

/// The words of a task.
#[derive(Args, Debug)]
pub(crate) struct TaskArguments {
    /// The folder of the shards
    folder: PathBuf,
    /// The shard, as in 2/8
    shard: Shard,
    /// The contest
    #[arg(last = true, required = true)]
    contest: Vec<OsString>,
}

/// Returns the job for the scheduler.
///
/// # Errors
/// If a word of the contest is not UTF-8.
pub(crate) fn job(division: &Division<'_>, contest: &Shards) -> Result<Job, Failure> {
    let Division {
        out,
        words,
        contest: typed,
        options,
    } = division;
    let name = out.file_stem().unwrap_or_default().to_string_lossy();
    let file = out.file_name().unwrap_or_default().to_string_lossy();
    let n = contest.n;
    let jobs = typed.options.jobs.map_or(1, usize::from);
    let same = |word: &str| Word::Same(word.to_owned());
    let text = |word: OsString| {
        word.into_string().map(Word::Same).map_err(|word| {
            Failure::misuse(format!(
                "{} is not UTF-8, as schedulers need it",
                word.display()
            ))
        })
    };
    let mut command = vec![
        text(own_program()?.into_os_string())?,
        same("task"),
        text(contest.folder.clone().into_os_string())?,
        Word::Numbered {
            before: String::new(),
            after: format!("/{n}"),
        },
        same("--"),
    ];
    let mut rest = words_of_task(words).into_iter();
    if let Some(word) = rest.next() {
        command.push(text(word)?);
    }
    // In front of what was typed, where no `--` makes players of them.
    command.extend([same("--games"), same(&contest.plan.games.to_string())]);
    command.extend([same("--jobs"), same(&jobs.to_string())]);
    for word in rest {
        command.push(text(word)?);
    }
    Ok(Job {
        name: Job::name_from(&name),
        about: format!("{file}: {n} shards of a contest, one a task."),
        tasks: n,
        command,
        work_dir: std::env::current_dir()?,
        folder: contest.folder.clone(),
        cpus: jobs,
        pinned: typed.terms.pin,
        options: options.clone(),
    })
}

/// Begins another attempt at a shard, and becomes the referee that plays it.
///
/// # Errors
/// If the folder is none of shards, or the referee cannot be started.
pub(crate) fn play(arguments: &TaskArguments) -> Result<(), Failure> {
    let TaskArguments {
        folder,
        shard,
        contest,
    } = arguments;
    let agreed = ShardedContest::read(folder).map_err(Failure::misuse)?;
    let Some(ShardedContest { seed, shards }) = agreed else {
        return Err(Failure::misuse(format!(
            "{} has no contest.json, which referee cluster writes",
            folder.display()
        )));
    };
    if shards != shard.of() {
        return Err(Failure::misuse(format!(
            "shard {shard}: {} is of {shards} shards",
            folder.display()
        )));
    }
    let out = Attempts::new(folder, *shard).begin(&attempt_name())?;
    // The log of a task names the node and the process by it.
    note(&format!("the record is {}", out.display()));
    let mut words = contest.iter();
    let mut referee = Command::new(referee_beside()?);
    referee.args(words.next());
    // In front of the rest, where no `--` makes players of them.
    referee.args(["--shard", &shard.to_string(), "--seed", &seed.to_string()]);
    referee.arg("--resume").arg("--out").arg(out).args(words);
    become_program(&mut referee)
}

/// Returns those of `words`, a command of the referee, that hold for a task too.
fn words_of_task(words: &[OsString]) -> Vec<OsString> {
    const WITH_VALUE: [&str; 4] = ["--report", "--seed", "--games", "--jobs"];
    const ALONE: [&str; 3] = ["--json", "--csv", "--quiet"];
    let mut kept = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.to_str() else {
            kept.push(word.clone());
            continue;
        };
        if text == "--" {
            kept.push(word.clone());
            kept.extend(rest.cloned());
            break;
        }
        if let Some(letters) = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')) {
            // `-q`, `-j 4`, `-j4`, `-qj4`: a contest has no other short options.
            if letters.ends_with('j') {
                rest.next();
            }
            continue;
        }
        let (name, has_value) = match text.split_once('=') {
            Some((name, _)) => (name, true),
            None => (text, false),
        };
        if WITH_VALUE.contains(&name) {
            if !has_value {
                rest.next();
            }
        } else if !ALONE.contains(&text) {
            kept.push(word.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_gets_the_words_that_are_not_for_the_whole_contest() {
        for (typed, task) in [
            ("tournament a b --limit 1s", "tournament a b --limit 1s"),
            ("match a b -j4 -q --rows 2", "match a b --rows 2"),
            ("match a b -qj2 --rows 2 -qj 3", "match a b --rows 2"),
            (
                "match --seed 3 -j 2 --games 4 -- a --seed",
                "match -- a --seed",
            ),
            (
                "match a b --jobs=2 --json --gamesome 3",
                "match a b --gamesome 3",
            ),
        ] {
            let typed: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
            let words: Vec<String> = words_of_task(&typed)
                .iter()
                .map(|word| word.to_str().unwrap().to_owned())
                .collect();
            assert_eq!(words.join(" "), task);
        }
    }
}
