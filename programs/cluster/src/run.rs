//! A contest on a cluster: its shards are tasks that a scheduler runs, and their records are
//! merged.

use battleship::game_reader::READERS;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use arena::contest::ContestError;
use arena::record::{ContestHeader, RecordError, RecordReader};
use clap::Args;
use referee::ConfigArgument;
use referee::options::ClusterSettings;
use referee::{ContestPlan, Failure, Seed, check_divisible, exit, listen, note, referee_beside};

use crate::scheduler::{self, ClusterError, Job, Outcome, Scheduler, Work, check_free};
use crate::shard_folder::ShardedContest;
use crate::shards::Shards;
use crate::task;

/// Shards when no option says otherwise.
const SHARDS: usize = 8;

/// The number of lines that are shown of the output of a task that is stuck.
const LINES_SHOWN: usize = 3;

/// The number of stuck tasks that are shown.
const STUCK_SHOWN: usize = 3;

/// The options of a contest on a cluster.
#[derive(Args, Debug)]
pub(crate) struct ClusterOptions {
    /// Write the record to this file; the shards go into the folder FILE.shards
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Only write the script, and print the commands to run
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Delete the record and the shards of an earlier contest, and begin a new one
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    settings: ClusterSettings,
    #[command(flatten)]
    config: ConfigArgument,
    /// The contest as it would be typed behind `referee`: a match, or a tournament whose pairings
    /// are known before it begins
    #[arg(value_name = "CONTEST", last = true, required = true)]
    contest: Vec<OsString>,
}

/// A contest and where it is divided.
pub(crate) struct Division<'d> {
    pub(crate) out: &'d Path,
    /// The words of the contest as they were typed.
    pub(crate) words: &'d [OsString],
    pub(crate) contest: &'d ContestPlan,
    /// More options for the scheduler, a word each.
    pub(crate) options: Vec<String>,
}

/// Has `scheduler` play the contest of `options`, merges its shards, and prints the result. The
/// same command again continues where it was.
///
/// # Errors
/// If the scheduler fails, or shards cannot be completed; 130 if the user stops it.
pub(crate) fn run(scheduler: &mut dyn Scheduler, options: &ClusterOptions) -> Result<(), Failure> {
    let contest = parse(&options.contest)?;
    // Each task starts it.
    referee_beside()?;
    let words = options
        .settings
        .scheduler_options
        .as_deref()
        .unwrap_or_default();
    let Some(words) = shlex::split(words) else {
        return Err(Failure::misuse(
            "--scheduler-options: a quotation mark is not closed",
        ));
    };
    let interrupt = listen()?;
    let out = &options.out;
    let folder = folder_of(out)?;
    if options.force && !options.dry_run {
        begin_again(out, &folder)?;
    }
    let mut shards = divide(&contest, options, &folder)?;
    let recorded = shards.header()?;
    let recorded_games = recorded.as_ref().map(|header| header.games);
    let requested = contest
        .options
        .games
        .or(recorded_games)
        .unwrap_or(shards.plan.games);
    if let Some(recorded) = recorded_games.filter(|games| *games > requested) {
        return Err(ContestError::FewerGames {
            recorded,
            requested,
        }
        .into());
    }
    shards.plan.games = requested;
    let merged = merged(out, recorded.as_ref(), &folder)?;
    let division = Division {
        out,
        words: &options.contest,
        contest: &contest,
        options: words,
    };
    let job = task::job(&division, &shards)?;
    if options.dry_run {
        return write_only(scheduler, &job, &mut shards);
    }
    match scheduler::run(scheduler, &job, &mut shards, &interrupt)? {
        Outcome::Done => {}
        Outcome::Interrupted(advice) => {
            note(&format!("{advice}; the same command continues from there"));
            return Err(Failure::Reported(exit::INTERRUPTED));
        }
        Outcome::Stuck(tasks) => return Err(stuck(&job, &tasks)),
    }
    if merged.is_none_or(|games| games != requested) {
        shards.merge(out, &interrupt)?;
    }
    contest.show(out)
}

/// Reads a contest as it is typed behind `referee`, and checks that a cluster can play it.
fn parse(words: &[OsString]) -> Result<ContestPlan, Failure> {
    let plan = ContestPlan::parse(words)?;
    check_divisible("on a cluster", plan.schedule.format)?;
    let options = &plan.options;
    for (what, is_given) in [
        ("--out and --force stand before --", options.out.is_some()),
        (
            "--force and --resume do not go with a cluster: --force stands before --, and the same command continues",
            options.force || options.resume,
        ),
        (
            "--shard is for a contest without a scheduler",
            options.shard.is_some(),
        ),
        (
            "--watch shows the games of one machine",
            options.follow.watch,
        ),
        (
            "--sprt stops the series of one machine",
            plan.kind.sprt.is_some(),
        ),
        ("--verify plays on one machine", plan.kind.verify),
    ] {
        if is_given {
            return Err(Failure::misuse(format!("{what}; leave it out behind --")));
        }
    }
    Ok(plan)
}

/// Returns the contest as `folder` has it, or divides it now.
fn divide(
    contest: &ContestPlan,
    options: &ClusterOptions,
    folder: &Path,
) -> Result<Shards, Failure> {
    let misuse = Failure::misuse;
    let recorded = ShardedContest::read(folder).map_err(misuse)?;
    let sharded = if let Some(recorded) = recorded {
        recorded
            .check(folder, contest.options.seed, options.settings.shards)
            .map_err(misuse)?;
        recorded
    } else {
        if options.out.metadata().is_ok_and(|data| data.len() > 0) {
            return Err(RecordError::Exists(options.out.clone()).into());
        }
        let seed = Seed::given_or_drawn(contest.options.seed)?;
        seed.report();
        let sharded = ShardedContest {
            seed: seed.value,
            shards: options.settings.shards.unwrap_or(SHARDS),
        };
        sharded.write(folder).map_err(misuse)?;
        sharded
    };
    Ok(Shards {
        folder: folder.to_owned(),
        n: sharded.shards,
        plan: contest.schedule,
    })
}

/// Returns the folder of the shards of the contest in `out`, as an absolute path.
fn folder_of(out: &Path) -> Result<PathBuf, Failure> {
    let mut name = out.as_os_str().to_owned();
    name.push(".shards");
    std::path::absolute(&name).map_err(Failure::from)
}

/// Removes what there is of an earlier contest.
fn begin_again(out: &Path, folder: &Path) -> Result<(), Failure> {
    check_free(folder)?;
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
    let header = RecordReader::open(out, READERS)?.last_header()?;
    match (header, there) {
        (Some(header), Some(there)) if header.id == there.id => Ok(Some(header.games)),
        (_, Some(_)) => {
            let out = out.display();
            let folder = folder.display();
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

/// Writes the files of `job`, and says what to type.
fn write_only(scheduler: &dyn Scheduler, job: &Job, work: &mut Shards) -> Result<(), Failure> {
    let left = work.left()?.tasks;
    if left.is_empty() {
        note("nothing is left to play; without --dry-run the same command merges the shards");
        return Ok(());
    }
    let prepared = scheduler.prepare(job, &left)?;
    for what in &prepared.notes {
        note(what);
    }
    note("run these commands, then this command again without --dry-run to merge the shards:");
    let mut out = io::stdout().lock();
    for line in &prepared.by_hand {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Returns the failure of a job of which these tasks are left, with what they said last.
fn stuck(job: &Job, tasks: &[usize]) -> Failure {
    let numbers: Vec<String> = tasks.iter().map(ToString::to_string).collect();
    let mut what = format!(
        "of {} shards these are not complete, and running them again changed nothing: {}",
        job.tasks,
        numbers.join(", ")
    );
    for task in tasks.iter().take(STUCK_SHOWN) {
        let log = job.log(*task);
        let lines = last_lines(&log).unwrap_or_default();
        if !lines.is_empty() {
            what = format!("{what}\n{}:\n  {}", log.display(), lines.join("\n  "));
        }
    }
    Failure::Fault(anyhow::Error::msg(what))
}

fn last_lines(file: &Path) -> io::Result<Vec<String>> {
    let mut last = std::collections::VecDeque::new();
    for line in BufReader::new(std::fs::File::open(file)?).split(b'\n') {
        last.push_back(String::from_utf8_lossy(&line?).into_owned());
        if last.len() > LINES_SHOWN {
            last.pop_front();
        }
    }
    Ok(last.into())
}
