//! A contest on a cluster: its shards are tasks that a scheduler runs, and their records are merged.

mod options;
mod shards;
mod task;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use league::schedule;

pub(in crate::cli) use self::options::{ClusterOptions, ClusterPlan};
use self::shards::Shards;
pub(super) use self::shards::attempt;
use super::ContestPlan;
use super::options::GAMES;
use super::plan::IfThere;
use crate::cli::exit::{self, Failure};
use crate::cli::scheduler::{stuck, write_only};
use crate::cli::seed::Seed;
use crate::cli::{complain, listen};
use engine::cluster::{self, ClusterError, Outcome};
use engine::contest::{ContestError, ShardedContest};
use engine::record::{ContestHeader, RecordError, RecordReader};

/// Shards when no option says otherwise.
const SHARDS: usize = 8;

/// Has a scheduler play a contest, and merges its shards into `out`. `typed` is the whole command line. Returns whether the
/// one record is there.
pub(super) fn run(
    plan: &ContestPlan,
    cluster: &ClusterPlan,
    out: &Path,
    typed: &[OsString],
) -> Result<bool, Failure> {
    let interrupt = listen()?;
    let folder = folder_of(out)?;
    if plan.if_there == IfThere::Replace && !cluster.scheduler.dry_run {
        begin_again(out, &folder)?;
    }
    let mut contest = divide(plan, cluster, out, &folder)?;
    let there = contest.header()?;
    let here = plan
        .games
        .or(there.as_ref().map(|there| there.games))
        .unwrap_or(GAMES);
    if let Some(there) = there
        .as_ref()
        .map(|there| there.games)
        .filter(|there| *there > here)
    {
        return Err(ContestError::FewerGames { there, here }.into());
    }
    contest.plan.games = here;
    let merged = merged(out, there.as_ref(), &folder)?;
    let job = task::job(cluster, plan, out, &contest, typed)?;
    let mut scheduler = cluster.scheduler(plan);
    if cluster.scheduler.dry_run {
        return write_only(&*scheduler, &job, &mut contest).map(|()| false);
    }
    let outcome = cluster::run(&mut *scheduler, &job, &mut contest, &interrupt)?;
    match outcome {
        Outcome::Done => {}
        Outcome::Interrupted(advice) => {
            complain(&format!("{advice}; the same command continues from there"));
            return Err(Failure::Said(exit::INTERRUPTED));
        }
        Outcome::Stuck(tasks) => return Err(stuck(&job, &tasks)),
    }
    if merged.is_none_or(|games| games != here) {
        contest.merge(out, &interrupt)?;
    }
    Ok(true)
}

/// Returns the folder of the shards of the contest in `out`, as an absolute path.
fn folder_of(out: &Path) -> Result<PathBuf, Failure> {
    let mut name = out.as_os_str().to_owned();
    name.push(".shards");
    std::path::absolute(&name).map_err(Failure::from)
}

/// Removes what there is of an earlier contest.
fn begin_again(out: &Path, folder: &Path) -> Result<(), Failure> {
    cluster::check_free(folder)?;
    let removed = match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| folder.display().to_string()),
    };
    removed?;
    match std::fs::remove_file(out) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RecordError::io(out)(error).into())
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Returns the contest of `plan` as `folder` has it, or divides it now.
fn divide(
    plan: &ContestPlan,
    cluster: &ClusterPlan,
    out: &Path,
    folder: &Path,
) -> Result<Shards, Failure> {
    let misuse = Failure::misuse;
    let there = ShardedContest::read(folder).map_err(misuse)?;
    let contest = if let Some(there) = there {
        there
            .check(folder, plan.seed, cluster.scheduler.shards)
            .map_err(misuse)?;
        there
    } else {
        if out.metadata().is_ok_and(|there| there.len() > 0) {
            return Err(RecordError::Exists(out.to_owned()).into());
        }
        let seed = Seed::given_or_drawn(plan.seed)?;
        seed.report();
        let shards = cluster.scheduler.shards.unwrap_or(SHARDS);
        let contest = ShardedContest {
            seed: seed.value,
            shards,
        };
        contest.write(folder).map_err(misuse)?;
        contest
    };
    let plan = schedule::Plan {
        format: plan.format,
        players: plan.players.len(),
        games: GAMES,
        series: plan.series,
    };
    Ok(Shards {
        folder: folder.to_owned(),
        n: contest.shards,
        plan,
    })
}

/// Returns of how many games an encounter the record at `out` is; `None` if there is none.
///
/// # Errors
/// If it is of another contest than the shards in `folder`, of which `there` is one.
fn merged(
    out: &Path,
    there: Option<&ContestHeader>,
    folder: &Path,
) -> Result<Option<u32>, Failure> {
    if !out.metadata().is_ok_and(|there| there.len() > 0) {
        return Ok(None);
    }
    let header = RecordReader::open(out)?.last_header()?;
    match (header, there) {
        (Some(header), Some(there)) if header.id == there.id => Ok(Some(header.games)),
        (_, Some(_)) => {
            let (out, folder) = (out.display(), folder.display());
            Err(Failure::misuse(format!(
                "{out} is of another contest than {folder}; choose another --out, or begin again with --force"
            )))
        }
        (_, None) => Err(RecordError::Exists(out.to_owned()).into()),
    }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Failure {
        match error {
            ClusterError::NoProgram { .. }
            | ClusterError::Refused(_)
            | ClusterError::Elsewhere { .. } => Failure::misuse(error),
            ClusterError::Failed { .. }
            | ClusterError::Unexpected { .. }
            | ClusterError::Io { .. } => Failure::Fault(error.into()),
        }
    }
}
