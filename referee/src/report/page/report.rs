//! The report: standings and charts of a contest or of several records, and all their games.

use std::io;
use std::path::{Path, PathBuf};

use askama::Template;

use super::data::{Kind, Live, PlayerData, RecordData};
use super::details::DetailsOfPlayer;
use super::frame::Frame;
use super::overview::Overview;
use super::{Collector, finish, page_data};
use crate::contest::{FinishName, PairingSummary, PlayerSummary, Ranking, RatingsNote, Summary};
use crate::record::ContestHeader;
use crate::report::standings::schedule_word;
use bothost::text;
use league::schedule::Format;

/// What a report is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report<'r> {
    pub(crate) standings: &'r Standings,
    pub(crate) collector: &'r Collector,
    /// The records, and how many games they have.
    pub(crate) records: &'r [(PathBuf, u64)],
    /// How far the contest is, if it is still played.
    pub(crate) live: Option<Live>,
}

/// Who did how well: in one contest, or in the games of any records.
#[derive(Clone, Debug)]
pub(crate) struct Standings {
    pub(super) players: Vec<PlayerSummary>,
    pub(super) pairings: Vec<PairingSummary>,
    pub(super) ratings: Option<RatingsNote>,
    pub(super) games: u64,
    pub(super) series: u64,
    /// The schedule and the header, if all games are of one contest.
    pub(super) contest: Option<(Format, ContestHeader)>,
    /// Whether the contest stopped before its end.
    pub(super) is_unfinished: bool,
}

impl Standings {
    /// Returns those of a contest.
    pub(crate) fn of_contest(summary: Summary, header: ContestHeader) -> Standings {
        let Summary { players, pairings, ratings, games, series, schedule, finish, .. } = summary;
        let is_unfinished = finish == FinishName::Interrupted;
        let contest = Some((schedule, header));
        Standings { players, pairings, ratings, games, series, contest, is_unfinished }
    }

    /// Returns those of all games of some records.
    pub(crate) fn of_records(ranking: Ranking) -> Standings {
        let Ranking { players, pairings, ratings, games, series, .. } = ranking;
        let (ratings, contest) = (Some(ratings), None);
        Standings { players, pairings, ratings, games, series, contest, is_unfinished: false }
    }

    /// Returns what the report is called.
    pub(super) fn title(&self) -> String {
        let count = self.players.len();
        match &self.contest {
            None => format!("Ranking of {count} players"),
            Some(_) if count == 2 => {
                let [one, two] = [0, 1].map(|player| text::name(&self.players[player].name));
                format!("{one} against {two}")
            }
            Some((format, _)) => format!("{} of {count} players", schedule_word(*format)),
        }
    }
}

/// The page as its template has it.
#[derive(Debug, Template)]
#[template(path = "report.html")]
struct ReportPage {
    frame: Frame,
    overview: Overview,
}

/// Returns the report as a page.
///
/// # Errors
/// Never, in fact: it is made in memory.
pub(crate) fn report_page(report: &Report<'_>) -> io::Result<String> {
    let Report { standings, collector, records, live } = report;
    let players = standings.players.iter().map(|player| PlayerData {
        name: text::name(&player.name),
        command: text::shown(player.command.as_bytes()),
        place: player.place.as_ref().map(|place| place.place),
    });
    let mut data = page_data(Kind::Report, standings.title(), players.collect(), collector);
    let none = DetailsOfPlayer::default();
    let details = standings.players.iter().enumerate().map(|(number, player)| {
        collector.players.get(number).unwrap_or(&none).finished(Some(player))
    });
    data.details = details.collect();
    data.games = records.iter().map(|(_, games)| games).sum();
    data.records = records.iter().map(|(path, games)| record_data(path, *games)).collect();
    data.pairings = standings
        .pairings
        .iter()
        .map(|pairing| {
            let [one, two] = pairing.players;
            let results = pairing.results;
            (one, two, results.wins, results.draws, results.losses, u8::from(pairing.counts))
        })
        .collect();
    data.live = *live;
    let overview = Overview::new(report);
    finish(data, collector, |frame| ReportPage { frame, overview }.render())
}

fn record_data(path: &Path, games: u64) -> RecordData {
    RecordData { name: file_name(path), games }
}

/// Returns the name of a file without its folder, fit to be shown.
pub(super) fn file_name(path: &Path) -> String {
    text::shown(path.file_name().unwrap_or(path.as_os_str()).as_encoded_bytes())
}
