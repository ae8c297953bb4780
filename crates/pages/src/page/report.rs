//! The report: standings and charts of a contest or of several records, and all their games.

use std::path::{Path, PathBuf};

use askama::Template;

use super::data::{Kind, Live, PlayerData, RecordData};
use super::details::DetailsOfPlayer;
use super::frame::Frame;
use super::overview::Overview;
use super::supplement::Supplement;
use super::{Collector, finish, page_data, page_name};
use crate::Duel;
use crate::judged::ShownGames;
use crate::standings::{Standings, schedule_word};
use arena::record::ContestHeader;
use arena::result::{FinishName, Ranking, Summary};
use bothost::text;

/// The data of a report.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    pub source: &'r Source,
    pub collector: &'r Collector,
    /// The records, and how many games they have.
    pub records: &'r [(PathBuf, u64)],
    /// Games of series that were not played to their end, which do not count.
    pub left_out: u64,
    /// The progress of the contest, if it is still played.
    pub live: Option<Live>,
    /// The text before it.
    pub supplement: Option<&'r Supplement>,
}

/// The source of the standings of a report.
#[derive(Clone, Debug)]
pub enum Source {
    /// One contest.
    Contest(Box<(Summary, ContestHeader)>),
    /// The games of any records.
    Records(Box<Ranking>),
}

impl Source {
    /// Returns a contest.
    #[must_use]
    pub fn contest(summary: Summary, header: ContestHeader) -> Source {
        Source::Contest(Box::new((summary, header)))
    }

    /// Returns the games of any records.
    #[must_use]
    pub fn records(ranking: Ranking) -> Source {
        Source::Records(Box::new(ranking))
    }

    /// Returns who did how well.
    #[must_use]
    pub fn standings(&self) -> Standings<'_> {
        match self {
            Source::Contest(contest) => Standings::of_tournament(&contest.0),
            Source::Records(ranking) => Standings::of_ranking(ranking),
        }
    }

    /// Returns the header of the contest, if it is one.
    pub(super) fn header(&self) -> Option<&ContestHeader> {
        match self {
            Source::Contest(contest) => Some(&contest.1),
            Source::Records(_) => None,
        }
    }

    /// Returns the number of games and that of series.
    pub(super) fn games(&self) -> (u64, u64) {
        match self {
            Source::Contest(contest) => (contest.0.games, contest.0.series),
            Source::Records(ranking) => (ranking.games, ranking.series),
        }
    }

    /// Returns whether the contest stopped before its end.
    pub(super) fn is_unfinished(&self) -> bool {
        match self {
            Source::Contest(contest) => contest.0.finish == FinishName::Interrupted,
            Source::Records(_) => false,
        }
    }

    /// Returns what the report is called.
    pub(super) fn title(&self) -> String {
        let players = self.standings().players;
        match (self, players) {
            (Source::Records(_), _) => format!("Ranking of {} players", players.len()),
            (Source::Contest(_), [one, two]) => {
                format!("{} against {}", page_name(&one.name), page_name(&two.name))
            }
            (Source::Contest(contest), _) => {
                format!(
                    "{} of {} players",
                    schedule_word(contest.0.schedule),
                    players.len()
                )
            }
        }
    }
}

/// The page as its template has it.
#[derive(Debug, Template)]
#[template(path = "report.html")]
struct ReportPage<'r> {
    frame: Frame,
    overview: Overview,
    supplement: Option<&'r Supplement>,
    judged: &'r ShownGames,
    /// Whether there is anything to report.
    has_report: bool,
}

/// Returns the report as a page.
#[must_use]
pub fn report_page(report: &Report<'_>) -> String {
    let Report {
        source,
        collector,
        records,
        live,
        supplement,
        ..
    } = report;
    let supplement = *supplement;
    let standings = source.standings();
    let players = standings.players.iter().map(|player| PlayerData {
        name: page_name(&player.name),
        command: text::shown(player.command.as_bytes()),
        place: player.place.as_ref().map(|place| place.place),
    });
    let none = DetailsOfPlayer::default();
    let details = standings
        .players
        .iter()
        .enumerate()
        .map(|(number, player)| {
            collector
                .players
                .get(number)
                .unwrap_or(&none)
                .finished(Some(player))
        });
    let title = supplement.map_or_else(|| source.title(), |more| more.title.clone());
    let mut data = page_data(
        Kind::Report,
        title,
        players.collect(),
        details.collect(),
        collector,
    );
    if supplement.is_none() {
        data.games = records.iter().map(|(_, games)| games).sum();
    }
    data.records = records
        .iter()
        .map(|(path, games)| record_data(path, *games))
        .collect();
    data.pairings = standings
        .pairings
        .iter()
        .map(|pairing| {
            let [one, two] = pairing.players;
            let results = pairing.results;
            let interval = pairing
                .score
                .map(|score| [score.wilson.low, score.wilson.high]);
            let counts = u8::from(pairing.counts);
            (
                one,
                two,
                results.wins,
                results.draws,
                results.losses,
                counts,
                interval,
            )
        })
        .collect();
    let duels = collector.duels.iter();
    data.duels = duels
        .map(|(players, duels)| (*players, duels.each_ref().map(Duel::summary)))
        .collect();
    data.live = *live;
    let overview = Overview::new(report, &standings);
    let has_report = supplement.is_none() || source.games().0 > 0;
    finish(data, collector, |frame| {
        ReportPage {
            frame,
            overview,
            supplement,
            judged: &collector.judged,
            has_report,
        }
        .render()
    })
}

fn record_data(path: &Path, games: u64) -> RecordData {
    RecordData {
        name: file_name(path),
        games,
    }
}

/// Returns the name of a file without its folder, fit to be shown.
pub(super) fn file_name(path: &Path) -> String {
    text::shown(
        path.file_name()
            .unwrap_or(path.as_os_str())
            .as_encoded_bytes(),
    )
}
