//! `referee class`: from a folder of submissions to standings.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::cli::class::{
    add, checks, dispute, grade, init, intake, parts, play, site, status, suspicious,
};
use crate::cli::exit::Failure;

#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct ClassArguments {
    /// The folder of the class [default: the current one]
    #[arg(short = 'C', long = "class", value_name = "DIR", global = true)]
    folder: Option<PathBuf>,
    #[command(subcommand)]
    step: Step,
}

/// What is done, in the order of a night.
#[derive(Debug, Subcommand)]
enum Step {
    /// Make the folder of a class: class.toml, roster.csv, submissions/
    Init {
        /// What the class is called [default: as its folder]
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Add a submission: a folder, or a file that was dropped somewhere
    Add {
        /// The student, as in the roster
        #[arg(value_name = "ID")]
        id: String,
        /// A folder, or a .zip, .tar, .tar.gz or .tgz file
        #[arg(value_name = "FILE")]
        source: PathBuf,
        /// When it was handed in (UTC), as 2026-12-01T23-59-00 [default: now]
        #[arg(long, value_name = "TIME")]
        at: Option<String>,
    },
    /// Unpack and build the newest version of each student
    Intake,
    /// Check new bots: the steps of referee check, and ten games
    Check {
        /// Only this student's, and print the report
        #[arg(value_name = "ID")]
        id: Option<String>,
    },
    /// Play what is missing, new bots first
    Play(Box<play::PlayOptions>),
    /// Play a part of a night that play --on has planned
    #[command(hide = true)]
    Part {
        /// The folder of the plan
        #[arg(value_name = "DIR")]
        plan: PathBuf,
        /// Which part, as 2/8
        #[arg(value_name = "K/N")]
        part: String,
    },
    /// Write the pages: site/ for all, private/ for each student
    Site,
    /// Print the grades as CSV
    Grade {
        /// Write the table to this file instead
        #[arg(long, value_name = "FILE")]
        csv: Option<PathBuf>,
        /// Write a results.json for each student into this folder
        #[arg(long, value_name = "DIR")]
        gradescope: Option<PathBuf>,
        /// Replace the file of --csv
        #[arg(long)]
        force: bool,
    },
    /// Play a game again, and say whether the same happens
    Dispute {
        /// The student
        #[arg(value_name = "ID")]
        id: String,
        /// The game as the student's page names it: OPPONENT:NUMBER
        #[arg(value_name = "GAME")]
        game: String,
    },
    /// List what is odd: identical programs, games given away
    Suspicious,
    /// Say what waits, what runs and what is done
    Status,
}

pub(crate) const EXAMPLES: &str = "\
A night: referee class intake, check, play --until 06:00, site. Each can be
stopped and typed again: what is done is not done twice. docs/teaching.md shows
the whole way.

Examples:
  referee class -C cs32 init
  referee class -C cs32 add ada handed-in.zip
  referee class -C cs32 intake
  referee class -C cs32 play --until 06:00";

/// Does one step of a class.
pub(crate) fn run(arguments: &ClassArguments) -> Result<(), Failure> {
    let folder = arguments.folder.as_deref().unwrap_or(Path::new("."));
    match &arguments.step {
        Step::Init { name } => init::run(folder, name.as_deref()),
        Step::Add { id, source, at } => add::run(folder, id, source, at.as_deref()),
        Step::Intake => intake::run(folder),
        Step::Check { id } => checks::run(folder, id.as_deref()),
        Step::Play(options) => play::run(folder, options),
        Step::Part { plan, part } => parts::play_part(folder, plan, part),
        Step::Site => site::run(folder),
        Step::Grade { csv, gradescope, force } => {
            grade::run(folder, csv.as_deref(), gradescope.as_deref(), *force)
        }
        Step::Dispute { id, game } => dispute::run(folder, id, game),
        Step::Suspicious => suspicious::run(folder),
        Step::Status => status::run(folder),
    }
}
