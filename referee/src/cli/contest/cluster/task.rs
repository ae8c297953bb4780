//! The task that plays a shard: what was typed, for a part of the contest.

use std::ffi::OsString;
use std::path::Path;

use super::super::ContestPlan;
use super::options::ClusterPlan;
use super::shards::Shards;
use crate::cli::exit::Failure;
use crate::cli::own_program;
use engine::cluster::{Job, Word};

/// Returns what the scheduler is to run.
pub(super) fn job(
    cluster: &ClusterPlan,
    plan: &ContestPlan,
    out: &Path,
    contest: &Shards,
    typed: &[OsString],
) -> Result<Job, Failure> {
    let name = out
        .file_stem()
        .map(|name| name.to_string_lossy().into_owned());
    let file = out
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let (folder, n, jobs) = (&contest.folder, contest.n, cluster.jobs_of_task());
    let program = own_program()?.into_os_string();
    let same = |word: &str| Word::Same(word.to_owned());
    let text = |word: &OsString| {
        let text = word.to_str().map(|word| Word::Same(word.to_owned()));
        text.ok_or_else(|| {
            Failure::misuse(format!("{} is not UTF-8, as --on needs it", word.display()))
        })
    };
    let words = words_of_task(typed);
    let (command, rest) = words.split_at(words.len().min(1));
    let mut task = vec![text(&program)?];
    for word in command {
        task.push(text(word)?);
    }
    // In front of what was typed, where no `--` makes players of them.
    task.extend([
        same("--shard"),
        Word::Numbered {
            before: String::new(),
            after: format!("/{n}"),
        },
    ]);
    task.extend([same("--attempts"), text(&folder.clone().into_os_string())?]);
    task.extend([same("--games"), same(&contest.plan.games.to_string())]);
    task.extend([same("--jobs"), same(&jobs.to_string())]);
    for word in rest {
        task.push(text(word)?);
    }
    Ok(Job {
        name: Job::name_from(&name.unwrap_or_default()),
        about: format!(
            "{}: {n} shards of a contest, one a task.",
            file.unwrap_or_default()
        ),
        tasks: n,
        command: task,
        work_dir: std::env::current_dir()?,
        folder: folder.clone(),
        cpus: jobs,
        pinned: plan.terms.pin,
        options: cluster.scheduler.words.clone(),
    })
}

/// Returns the words of `typed` that hold for a task too, without the program.
fn words_of_task(typed: &[OsString]) -> Vec<OsString> {
    const WITH_VALUE: [&str; 9] = [
        "--on",
        "--shards",
        "--scheduler-options",
        "--out",
        "--report",
        "--seed",
        "--games",
        "--jobs",
        "-j",
    ];
    const ALONE: [&str; 10] = [
        "--dry-run",
        "--force",
        "--resume",
        "--json",
        "--csv",
        "--markdown",
        "--wide",
        "--quiet",
        "-q",
        "--verify",
    ];
    let mut words = Vec::new();
    let mut typed = typed.iter().skip(1);
    while let Some(word) = typed.next() {
        let Some(text) = word.to_str() else {
            words.push(word.clone());
            continue;
        };
        if text == "--" {
            words.push(word.clone());
            words.extend(typed.cloned());
            break;
        }
        let has_value = |option: &&str| match text.strip_prefix(*option) {
            Some(rest) if option.starts_with("--") => rest.starts_with('='),
            // `-j4`.
            Some(rest) => !rest.is_empty(),
            None => false,
        };
        if WITH_VALUE.contains(&text) {
            typed.next();
        } else if !ALONE.contains(&text) && !WITH_VALUE.iter().any(has_value) {
            words.push(word.clone());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_what_was_typed_without_what_is_for_the_whole_contest() {
        for (typed, task) in [
            (
                "referee tournament a b --on slurm --out x.jsonl --limit 1s",
                "tournament a b --limit 1s",
            ),
            (
                "referee match a b --on=local --shards=3 -j4 -q --rows 2",
                "match a b --rows 2",
            ),
            (
                "referee match --seed 3 -j 2 --games 4 --on local -- a --on",
                "match -- a --on",
            ),
            (
                "./referee match a b --jobs=2 --json --outer 3 --force",
                "match a b --outer 3",
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
