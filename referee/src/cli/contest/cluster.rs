//! A contest on a cluster: its shards are tasks that a scheduler runs, and their records are merged.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use bothost::Interrupt;
use clap::{Args, ValueEnum};
use league::schedule;

use super::options::GAMES;
use super::{ContestOptions, ContestPlan};
use crate::cli::exit::{self, Failure};
use crate::cli::seed::Seed;
use crate::cli::{complain, listen, own_program};
use crate::cluster::{
    self, ClusterError, HyperQueue, Job, Kubernetes, Left, Local, Outcome, Scheduler, Slurm, Word,
    Work,
};
use crate::contest::{Attempts, ContestError, Merge, Shard, ShardedContest};
use crate::record::{ContestHeader, RecordError, RecordReader};
use crate::terms::headings;

/// Shards when no option says otherwise.
const SHARDS: usize = 8;

/// More shards than this are less than one series each in any contest that is worth a cluster.
const MOST_SHARDS: usize = 100_000;

/// Of the output of a task that is stuck, so many lines are shown.
const LINES_SHOWN: usize = 3;

/// Of the tasks that are stuck, so many are shown.
const STUCK_SHOWN: usize = 3;

/// Options of a contest on a cluster.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub(in crate::cli) struct ClusterOptions {
    /// Have this scheduler play the contest in shards, wait for it, and merge them into the file of --out. The same command
    /// again goes on where it was
    #[arg(long, help_heading = headings::CLUSTER, value_enum, value_name = "SCHEDULER",
        requires = "out", conflicts_with_all = ["shard", "watch", "bundle", "events"])]
    on: Option<SchedulerName>,
    /// Divide the contest into so many shards [default: 8]
    #[arg(long, help_heading = headings::CLUSTER, value_name = "N", requires = "on", value_parser = shards)]
    shards: Option<usize>,
    /// Only write the script or the manifest, and print what to type
    #[arg(long, help_heading = headings::CLUSTER, requires = "on")]
    dry_run: bool,
    /// More options for sbatch or hq submit, as in "--partition=short --time=2:00:00"
    #[arg(long, help_heading = headings::CLUSTER, value_name = "WORDS", requires = "on",
        allow_hyphen_values = true)]
    scheduler_options: Option<String>,
    /// The image with the referee and the players, for Kubernetes
    #[arg(long, help_heading = headings::CLUSTER, value_name = "IMAGE", requires = "on")]
    image: Option<String>,
    /// The volume claim that the pods share with this folder, for Kubernetes
    #[arg(long, help_heading = headings::CLUSTER, value_name = "CLAIM", requires = "on")]
    volume: Option<String>,
    /// Play a shard as a task of --on: write a record of its own to this folder, after what other attempts at the shard
    /// have written there, so that two can run at once
    #[arg(long, help_heading = headings::CLUSTER, value_name = "DIR", requires = "shard",
        conflicts_with_all = ["on", "out", "force", "bundle"])]
    pub(super) attempts: Option<PathBuf>,
}

/// Who runs the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchedulerName {
    /// A job array of Slurm
    Slurm,
    /// A task array of HyperQueue
    Hyperqueue,
    /// An indexed job of Kubernetes
    Kubernetes,
    /// Processes on this machine, --jobs at a time
    Local,
}

/// A contest on a cluster, checked as far as it can be without starting anything.
#[derive(Debug)]
pub(in crate::cli) struct ClusterPlan {
    on: SchedulerName,
    shards: Option<usize>,
    dry_run: bool,
    options: Vec<String>,
    image: Option<String>,
    volume: Option<String>,
    /// Games that a task plays at the same time; `None` for the usual.
    jobs: Option<usize>,
}

impl ClusterPlan {
    /// Returns the plan of `options`; `None` if they ask for none.
    ///
    /// # Errors
    /// If they contradict each other.
    pub(super) fn new(options: &ContestOptions) -> Result<Option<ClusterPlan>, Failure> {
        let ClusterOptions { on, shards, dry_run, scheduler_options, image, volume, .. } =
            &options.cluster;
        let Some(on) = *on else { return Ok(None) };
        // These may be in a file.
        for (option, given) in [
            ("--events", options.events),
            ("--bundle", options.bundle.is_some()),
            ("--shard", options.shard.is_some()),
        ] {
            if given {
                let what = format!("--on plays in other processes; leave {option} out");
                return Err(Failure::misuse(what));
            }
        }
        let words = scheduler_options.as_deref().unwrap_or_default();
        let words = shlex::split(words).ok_or_else(|| {
            Failure::misuse("--scheduler-options: a quotation mark has no partner")
        })?;
        let is_kubernetes = on == SchedulerName::Kubernetes;
        for (option, value) in [("--image", image), ("--volume", volume)] {
            if is_kubernetes != value.is_some() {
                let what = if is_kubernetes {
                    format!("--on kubernetes needs {option}")
                } else {
                    format!("{option} is for --on kubernetes")
                };
                return Err(Failure::misuse(what));
            }
        }
        if on == SchedulerName::Local && !words.is_empty() {
            return Err(Failure::misuse("--scheduler-options: --on local has no scheduler"));
        }
        Ok(Some(ClusterPlan {
            on,
            shards: *shards,
            dry_run: *dry_run,
            options: words,
            image: image.clone(),
            volume: volume.clone(),
            jobs: options.jobs.map(usize::from),
        }))
    }

    fn scheduler(&self, plan: &ContestPlan) -> Box<dyn Scheduler> {
        match self.on {
            SchedulerName::Slurm => Box::new(Slurm { files_only: self.dry_run }),
            SchedulerName::Hyperqueue => Box::new(HyperQueue),
            SchedulerName::Kubernetes => Box::new(Kubernetes {
                image: self.image.clone().unwrap_or_default(),
                volume: self.volume.clone().unwrap_or_default(),
            }),
            SchedulerName::Local => Box::new(Local::new(plan.lanes.count(), plan.terms.pin)),
        }
    }

    /// Returns how many games a task plays at the same time.
    fn jobs_of_task(&self) -> usize {
        match self.on {
            // There --jobs is how many tasks run at a time.
            SchedulerName::Local => 1,
            SchedulerName::Slurm | SchedulerName::Hyperqueue | SchedulerName::Kubernetes => {
                self.jobs.unwrap_or(1)
            }
        }
    }
}

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
    if plan.force && !cluster.dry_run {
        begin_anew(out, &folder)?;
    }
    let mut contest = divide(plan, cluster, out, &folder)?;
    let there = contest.header()?;
    let here = plan.games.or(there.as_ref().map(|there| there.games)).unwrap_or(GAMES);
    if let Some(there) = there.as_ref().map(|there| there.games).filter(|there| *there > here) {
        return Err(ContestError::FewerGames { there, here }.into());
    }
    contest.plan.games = here;
    let merged = merged(out, there.as_ref(), &folder)?;
    let job = job(cluster, plan, out, &contest, typed)?;
    let mut scheduler = cluster.scheduler(plan);
    if cluster.dry_run {
        return write_only(&*scheduler, &job, &mut contest).map(|()| false);
    }
    let outcome = cluster::run(&mut *scheduler, &job, &mut contest, &interrupt)?;
    match outcome {
        Outcome::Done => {}
        Outcome::Interrupted(advice) => {
            complain(&format!("{advice}; the same command goes on from there"));
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
fn begin_anew(out: &Path, folder: &Path) -> Result<(), Failure> {
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
    let contest = match there {
        Some(there) => {
            there.check(folder, plan.seed, cluster.shards).map_err(misuse)?;
            there
        }
        None => {
            if out.metadata().is_ok_and(|there| there.len() > 0) {
                return Err(RecordError::Exists(out.to_owned()).into());
            }
            let seed = Seed::given_or_drawn(plan.seed)?;
            seed.report();
            let shards = cluster.shards.unwrap_or(SHARDS);
            let contest = ShardedContest { seed: seed.value, shards };
            contest.write(folder).map_err(misuse)?;
            contest
        }
    };
    let plan = schedule::Plan {
        format: plan.format,
        players: plan.players.len(),
        games: GAMES,
        series: plan.series,
    };
    Ok(Shards { folder: folder.to_owned(), n: contest.shards, plan })
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
                "{out} is of another contest than {folder}; choose another --out, or begin anew with --force"
            )))
        }
        (_, None) => Err(RecordError::Exists(out.to_owned()).into()),
    }
}

/// Returns what the scheduler is to run.
fn job(
    cluster: &ClusterPlan,
    plan: &ContestPlan,
    out: &Path,
    contest: &Shards,
    typed: &[OsString],
) -> Result<Job, Failure> {
    let name = out.file_stem().map(|name| name.to_string_lossy().into_owned());
    let file = out.file_name().map(|name| name.to_string_lossy().into_owned());
    let (folder, n, jobs) = (&contest.folder, contest.n, cluster.jobs_of_task());
    let program = match cluster.on {
        // In a pod it is where the image has it.
        SchedulerName::Kubernetes => OsString::from("referee"),
        SchedulerName::Slurm | SchedulerName::Hyperqueue | SchedulerName::Local => {
            own_program()?.into_os_string()
        }
    };
    let same = |word: &str| Word::Same(word.to_owned());
    let text = |word: &OsString| {
        let text = word.to_str().map(|word| Word::Same(word.to_owned()));
        text.ok_or_else(|| Failure::misuse(format!("{word:?} is not UTF-8, as --on needs it")))
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
        Word::Numbered { before: String::new(), after: format!("/{n}") },
    ]);
    task.extend([same("--attempts"), text(&folder.clone().into_os_string())?]);
    task.extend([same("--games"), same(&contest.plan.games.to_string())]);
    task.extend([same("--jobs"), same(&jobs.to_string())]);
    for word in rest {
        task.push(text(word)?);
    }
    Ok(Job {
        name: Job::name_from(&name.unwrap_or_default()),
        about: format!("{}: {n} shards of a contest, one a task.", file.unwrap_or_default()),
        tasks: n,
        command: task,
        work_dir: std::env::current_dir()?,
        folder: folder.clone(),
        cpus: jobs,
        pinned: plan.terms.pin,
        options: cluster.options.clone(),
    })
}

/// Returns the words of `typed` that hold for a task too, without the program.
fn words_of_task(typed: &[OsString]) -> Vec<OsString> {
    const WITH_VALUE: [&str; 11] = [
        "--on",
        "--shards",
        "--scheduler-options",
        "--image",
        "--volume",
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
        } else if !ALONE.contains(&text) && !WITH_VALUE.iter().any(|option| has_value(&option)) {
            words.push(word.clone());
        }
    }
    words
}

/// Writes the files of `job`, and says what to type.
fn write_only(scheduler: &dyn Scheduler, job: &Job, contest: &mut Shards) -> Result<(), Failure> {
    let left = contest.left()?.tasks;
    if left.is_empty() {
        complain("nothing is left to play; without --dry-run the same command merges the shards");
        return Ok(());
    }
    let prepared = scheduler.prepare(job, &left)?;
    for note in &prepared.notes {
        complain(note);
    }
    complain(
        "type this, and afterwards the same command without --dry-run, which merges the shards:",
    );
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

/// The shards of a contest in a folder.
struct Shards {
    folder: PathBuf,
    n: usize,
    plan: schedule::Plan,
}

impl Shards {
    fn all(&self) -> impl Iterator<Item = (Shard, Attempts)> {
        let shard = |index| Shard::new(index, self.n);
        let shards: Vec<Shard> = (0..self.n).filter_map(shard).collect();
        shards.into_iter().map(|shard| (shard, Attempts::new(&self.folder, shard)))
    }

    /// Returns the header of the first shard that has one.
    fn header(&self) -> Result<Option<ContestHeader>, RecordError> {
        for (_, attempts) in self.all() {
            if let Some(longest) = attempts.longest()? {
                return Ok(Some(longest.header));
            }
        }
        Ok(None)
    }

    /// Merges all of them into `out`.
    fn merge(&self, out: &Path, interrupt: &Interrupt) -> Result<(), Failure> {
        let mut files = Vec::new();
        for (_, attempts) in self.all() {
            files.extend(attempts.longest()?.map(|longest| longest.path));
        }
        // Under another name until it is whole, so that what is at `out` is all of a contest or an earlier one.
        // And of its own, since the same command may run twice at once.
        let part = self.folder.join(format!("merged.{}.part", attempt_name()));
        let merge = Merge { files: &files, out: &part, partial: false, force: true, interrupt };
        let merged = merge.run()?;
        std::fs::rename(&part, out).map_err(RecordError::io(out))?;
        for note in &merged.notes {
            complain(note);
        }
        let (series, games, out) = (merged.series, merged.games, out.display());
        complain(&format!("{out}: {series} series, {games} games of {} shards", self.n));
        Ok(())
    }
}

impl Work for Shards {
    type Error = Failure;

    fn left(&mut self) -> Result<Left, Failure> {
        let mut left = Left::default();
        for (shard, attempts) in self.all() {
            let longest = attempts.longest()?;
            left.done += longest.as_ref().map_or(0, |longest| longest.series as u64);
            let has_all = longest.map(|longest| longest.has_all(shard, self.plan));
            if !has_all.transpose().map_err(Failure::misuse)?.unwrap_or(false) {
                left.tasks.push(shard.index() + 1);
            }
        }
        Ok(left)
    }

    fn say(&mut self, what: &str) {
        complain(what);
    }
}

/// Returns a name for an attempt that no other attempt has.
pub(super) fn attempt_name() -> String {
    // The number of a process is unique on a node at a time; a pod has its own numbers, but also its own host name.
    #[cfg(unix)]
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let host = std::env::var("COMPUTERNAME").unwrap_or_default();
    let host: String =
        host.chars().filter(|char| char.is_ascii_alphanumeric() || *char == '-').collect();
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!("{host}-{}-{}", std::process::id(), since.unwrap_or_default().as_millis())
}

fn shards(text: &str) -> Result<usize, String> {
    let shards = text.parse().ok().filter(|shards| (1..=MOST_SHARDS).contains(shards));
    shards.ok_or_else(|| format!("expected a whole number from 1 to {MOST_SHARDS}"))
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
            ("referee match a b --on=local --shards=3 -j4 -q --rows 2", "match a b --rows 2"),
            ("referee match --seed 3 -j 2 --games 4 --on local -- a --on", "match -- a --on"),
            ("./referee match a b --jobs=2 --json --outer 3 --force", "match a b --outer 3"),
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
