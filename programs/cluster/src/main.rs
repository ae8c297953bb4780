//! `referee-cluster`: has the scheduler of a cluster play a contest in shards, waits for it, and
//! merges them.

mod attempts;
mod run;
mod scheduler;
mod shard_folder;
mod shards;
mod task;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use referee::Failure;

use self::run::ClusterOptions;
use self::scheduler::{HyperQueue, Slurm};
use self::task::TaskArguments;

const EXAMPLES: &str = "\
The same command again continues where it was, and extends the contest by more
--games.

Examples:
  referee cluster slurm --shards 64 --out cup.jsonl -- tournament good mediocre
  referee cluster hyperqueue --out m.jsonl -- match good mediocre --games 20000";

/// Plays a contest on a cluster, in shards that are merged
#[derive(Debug, Parser)]
#[command(name = "referee-cluster", bin_name = "referee cluster", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// As a job array of Slurm
    Slurm(ClusterOptions),
    /// As a task array of HyperQueue
    Hyperqueue(ClusterOptions),
    /// Play a shard, as a task of the scheduler
    #[command(hide = true)]
    Task(TaskArguments),
}

fn main() -> ExitCode {
    referee::program_main("referee-cluster", |typed| {
        let arguments: Arguments = referee::parse_with_settings(&typed)?;
        run(&arguments.command)
    })
}

fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Slurm(options) => run::run(
            &mut Slurm {
                files_only: options.dry_run,
            },
            options,
        ),
        Command::Hyperqueue(options) => run::run(&mut HyperQueue, options),
        Command::Task(arguments) => task::play(arguments),
    }
}
