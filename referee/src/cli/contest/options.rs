//! The options that `match` and `tournament` have in common.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use serde::{Deserialize, Deserializer};

use crate::cli::config_file::{ClusterSettings, Settings};
use crate::cli::options::{TermsOptions, headings, number_as_typed, number_or_text};
use crate::cli::session::ListenerOptions;
use arena::record::Shard;

/// Games of an encounter when no option says otherwise.
pub(in crate::cli) const GAMES: u32 = 100;

/// Games of a series when no option says otherwise.
pub(super) const SERIES: u32 = 20;

/// Games that are played at the same time, at most.
const MOST_JOBS: u16 = 1024;

/// Options of a contest. One that is `None` was not given.
#[derive(Args, Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(in crate::cli) struct ContestOptions {
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) terms: TermsOptions,
    /// Games of each pair, an even number [default: 100]
    ///
    /// Two players play this many whenever they meet.
    #[arg(long, value_name = "N")]
    #[serde(deserialize_with = "number_or_text")]
    pub(super) games: Option<u32>,
    /// Games of a series: this many are played by the same two processes, which may learn [default: 20]
    #[arg(long, value_name = "N", hide_short_help = true)]
    #[serde(deserialize_with = "number_or_text")]
    pub(super) series: Option<u32>,
    /// Start both bots again for each game
    #[arg(long, hide_short_help = true)]
    pub(super) restart: bool,
    /// Repeat the contest with this seed [default: drawn]
    ///
    /// Without this option a seed is drawn and reported.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = crate::cli::seed::seed)]
    #[serde(deserialize_with = "number_or_text")]
    pub(super) seed: Option<u64>,
    /// Games at the same time [default: one for each core]
    ///
    /// At most 1024.
    #[arg(long, short = 'j', value_name = "N", value_parser = jobs)]
    #[serde(deserialize_with = "jobs_in_file")]
    pub(super) jobs: Option<u16>,
    /// Write the record to this file
    ///
    /// It is compressed if the name ends in .gz.
    #[arg(long, help_heading = headings::OUTPUT, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Replace files that are there
    ///
    /// These are the files of --out and --report.
    #[arg(long, help_heading = headings::OUTPUT, conflicts_with = "resume")]
    pub(super) force: bool,
    /// Continue the contest in the file of --out
    ///
    /// It continues where it stopped. With more --games it is extended.
    #[arg(long)]
    pub(super) resume: bool,
    /// Play only this part of the series, as in 2/8; referee merge puts the records together
    #[arg(long, value_name = "K/N", hide_short_help = true)]
    #[serde(deserialize_with = "from_text")]
    pub(super) shard: Option<Shard>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) print: PrintOptions,
    #[arg(skip)]
    #[serde(skip)]
    pub(super) cluster: ClusterSettings,
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) listeners: ListenerOptions,
}

/// The form of the printed summary.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(in crate::cli) struct PrintOptions {
    /// Print the summary as JSON
    #[arg(long, help_heading = headings::OUTPUT)]
    pub(super) json: bool,
}

impl ContestOptions {
    /// Returns these options with those of `below` where this has none. What is printed is one choice: if something else is
    /// typed, `prints_else`, it replaces what `below` prints.
    pub(in crate::cli) fn over(self, below: ContestOptions, prints_else: bool) -> ContestOptions {
        let prints = prints_else || self.print.json;
        ContestOptions {
            terms: self.terms.over(below.terms),
            games: self.games.or(below.games),
            series: self.series.or(below.series),
            restart: self.restart || below.restart,
            seed: self.seed.or(below.seed),
            jobs: self.jobs.or(below.jobs),
            out: self.out.or(below.out),
            force: self.force || below.force,
            resume: self.resume || below.resume,
            shard: self.shard.or(below.shard),
            print: PrintOptions {
                json: self.print.json || (below.print.json && !prints),
            },
            cluster: self.cluster,
            listeners: self.listeners.over(below.listeners),
        }
    }

    /// Returns these options with the settings of the machine where this has none.
    pub(in crate::cli) fn over_settings(self, settings: Settings) -> ContestOptions {
        let Settings {
            time,
            launch,
            cluster,
        } = settings;
        ContestOptions {
            terms: self.terms.over_settings(time, launch),
            cluster,
            ..self
        }
    }

    /// Returns whether something other than the text of the summary is printed.
    pub(in crate::cli) fn prints_data(&self) -> bool {
        self.print.json
    }
}

/// A value in a file that is written as it is typed.
pub(in crate::cli) fn from_text<'d, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'d>,
    T: FromStr<Err: std::fmt::Display>,
{
    let text = String::deserialize(from)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

/// Reads how many games are played at the same time.
pub(in crate::cli) fn jobs(text: &str) -> Result<u16, String> {
    let jobs = text
        .parse()
        .ok()
        .filter(|jobs| (1..=MOST_JOBS).contains(jobs));
    jobs.ok_or_else(|| format!("expected a whole number from 1 to {MOST_JOBS}"))
}

fn jobs_in_file<'d, D: Deserializer<'d>>(from: D) -> Result<Option<u16>, D::Error> {
    number_as_typed::<_, i64, _>(from, jobs)
}
