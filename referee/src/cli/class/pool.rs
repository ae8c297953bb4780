//! Plays series and puts them into the pool.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use class::{Bot, Forfeit, PlayedSeries, Results, Store};
use jiff::Timestamp;
use league::schedule::Series;
use league::statistics::Wdl;
use serde::{Deserialize, Serialize};

use super::Class;
use super::records::RecordFile;
use super::setup::PairSetup;
use crate::cli::exit::Failure;
use crate::contest::{Lanes, SingleSeries, play_single};
use crate::game::EndedBy;
use crate::record::SandboxOfGame;
use crate::report::last_said;

/// So many forfeits of a series are kept with what was said in them.
const MOST_FORFEITS: usize = 3;

/// What was odd about a bot in a series.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Odd {
    /// The games that it lost by its own fault, by the word for it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) faults: BTreeMap<String, u64>,
    /// The games that it gave up.
    #[serde(skip_serializing_if = "is_none")]
    pub(super) resigned: u64,
    /// Its attacks, and those that could not count.
    pub(super) attacks: u64,
    #[serde(skip_serializing_if = "is_none")]
    pub(super) wasted: u64,
    /// Games that count for neither.
    #[serde(skip_serializing_if = "is_none")]
    pub(super) uncounted: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// What came of the attempt to play a series.
pub(super) enum Tried {
    /// It is in the pool.
    Played(Results),
    /// Others have played these two meanwhile: all that there is of them now.
    Known(Results),
    /// Another program plays these two at the moment.
    Busy,
    /// It was stopped on the way, and is not in the pool.
    Stopped,
    /// The machine failed in it, for this reason, and it is not in the pool.
    Undecided(String),
}

/// What the index has of a series, its forfeits with the seats of those who lost them, and the lines of its record.
type Outcome = (PlayedSeries, Vec<(usize, Forfeit)>, Vec<u8>);

/// Where series are played.
pub(super) struct Table<'c> {
    pub(super) class: &'c Class,
    pub(super) terms: String,
    pub(super) sandbox: Option<SandboxOfGame>,
    pub(super) lanes: Lanes,
    pub(super) stop: AtomicBool,
}

impl Table<'_> {
    /// Plays a series of two bots, those with the lower number first, and puts it into the pool: the next one, if that is
    /// number `expected`.
    ///
    /// # Errors
    /// If the referee or its machine fails.
    pub(super) fn play(
        &self,
        store: &mut Store,
        bots: [&Bot; 2],
        expected: u64,
        lane: usize,
    ) -> Result<Tried, Failure> {
        let mut pair = self.class.pair(bots, self.sandbox.as_ref())?;
        let path = self.class.folder.path().join(&pair.file);
        let Some(mut record) = RecordFile::lock(&path)? else { return Ok(Tried::Busy) };
        // Only now: another program may have played one since the pair was chosen.
        let ids = bots.map(|bot| bot.id);
        let number = store.next_number(ids, &self.terms)?;
        if u64::from(number) != expected {
            let known = store.pairing(ids, &self.terms)?;
            return Ok(Tried::Known(known.map(|known| known.results).unwrap_or_default()));
        }
        let series = pair.series(number);
        let (mut played, forfeits, lines) = match self.play_series(&pair, bots, &series, lane) {
            Ok(Some(outcome)) => outcome,
            Ok(None) => return Ok(Tried::Stopped),
            Err(failure) => return Ok(Tried::Undecided(failure.to_string())),
        };
        let behind = store.end_of(&pair.file)?;
        played.behind = record.append(behind, &lines)?;
        let forfeits: Vec<Forfeit> = forfeits.into_iter().map(|(_, forfeit)| forfeit).collect();
        store.add_series(&played, &forfeits)?;
        Ok(Tried::Played(played.results))
    }

    /// Plays a series. Returns what the index has of it, and the lines of its record; `None` if it was stopped on the way.
    pub(super) fn play_series(
        &self,
        pair: &PairSetup,
        bots: [&Bot; 2],
        series: &Series,
        lane: usize,
    ) -> Result<Option<Outcome>, Failure> {
        let began = Instant::now();
        let single = play_single(&pair.setup, series, (&self.lanes, lane), &self.stop)?;
        if single.games.len() < series.games as usize {
            return Ok(None);
        }
        let number = u32::try_from(series.number).unwrap_or(u32::MAX);
        let took = began.elapsed();
        let played = self.in_index(pair, bots, number, took, &single);
        let mut lines = pair.setup.header.to_line();
        lines.extend_from_slice(&single.lines);
        Ok(Some((played, forfeits_of(bots, &single), lines)))
    }

    fn in_index(
        &self,
        pair: &PairSetup,
        bots: [&Bot; 2],
        number: u32,
        took: Duration,
        single: &SingleSeries,
    ) -> PlayedSeries {
        PlayedSeries {
            bots: bots.map(|bot| bot.id),
            terms: self.terms.clone(),
            number,
            played: Timestamp::now(),
            took,
            file: pair.file.clone(),
            behind: 0,
            results: results_of(single),
            odd: odd_of(single).map(|odd| serde_json::to_string(&odd).expect("its keys are text")),
        }
    }
}

/// Returns what a series brought the first of its bots.
pub(super) fn results_of(single: &SingleSeries) -> Results {
    let pairing = single.pairing();
    let games = single.games.len() as u64;
    let singles: Wdl = pairing.singles();
    Results { games, pairs: pairing.pairs, singles }
}

fn odd_of(single: &SingleSeries) -> [Odd; 2] {
    let tally = single.tally();
    [0, 1].map(|seat| {
        let player = &tally.players[seat];
        let faults = player.faults.iter().map(|(why, count)| (why.word().to_owned(), *count));
        let resigned = |game: &&crate::record::GameRecord| {
            game.ended_by == EndedBy::Resigned && game.by == Some(seat)
        };
        Odd {
            faults: faults.collect(),
            resigned: single.games.iter().filter(resigned).count() as u64,
            attacks: player.shots,
            wasted: player.wasted,
            uncounted: player.games - player.results.games(),
        }
    })
}

fn forfeits_of(bots: [&Bot; 2], single: &SingleSeries) -> Vec<(usize, Forfeit)> {
    let mut forfeits = Vec::new();
    for (place, evidence) in &single.evidence {
        let game = &single.games[*place];
        let Some(seat) = game.by.filter(|seat| *seat < 2 && game.ended_by.is_fault()) else {
            continue;
        };
        if forfeits.len() == MOST_FORFEITS {
            break;
        }
        let forfeit = Forfeit {
            bots: bots.map(|bot| bot.id),
            game: game.contest.as_ref().map_or(0, |place| place.game),
            bot: bots[seat].id,
            reason: game.reason.clone(),
            said: last_said(&evidence.dialogue, &game.players[seat].name).join("\n"),
        };
        forfeits.push((seat, forfeit));
    }
    forfeits
}
