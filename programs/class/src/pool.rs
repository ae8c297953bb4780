//! The pool: series of two bots, in the record of their match and in the index.

use std::fs::{self, File, OpenOptions};
use std::path::PathBuf;
use std::time::Duration;

use crate::choice::Purpose;
use crate::privacy::make_private_folder;
use crate::{Bot, Class, ClassError, Forfeit, Odd, PlayedSeries, Results, Store};
use bothost::Side;
use jiff::Timestamp;

use arena::contest;
use arena::game::Entrant;
use arena::record::{ContestHeader, InContest, append_member};
use arena::result::Tally;
use arena::system;

/// The pool of a class.
#[derive(Debug)]
pub(crate) struct Pool<'c> {
    pub(crate) class: &'c Class,
    pub(crate) store: Store,
    _lock: File,
}

/// The place of a series in the pool.
pub(crate) struct SeriesPlace {
    bots: [i64; 2],
    /// The key that tells the terms of its games from others.
    terms: String,
    /// The number of the series among those of these two, from 0.
    pub(crate) number: u32,
    header: ContestHeader,
    /// The record of the two, below the folder of the class.
    file: String,
    path: PathBuf,
    record: File,
}

impl<'c> Pool<'c> {
    /// Opens the pool of `class`, which `lock` keeps from other nights.
    ///
    /// # Errors
    /// If its index cannot be opened.
    pub(crate) fn open(class: &'c Class, lock: File) -> Result<Pool<'c>, ClassError> {
        Ok(Pool {
            class,
            store: class.store()?,
            _lock: lock,
        })
    }

    /// Takes the place of the series of this number of two bots, in the order of [`crate::choice::Match`].
    ///
    /// # Errors
    /// If their record cannot be opened.
    pub(crate) fn take(
        &self,
        bots: [&Bot; 2],
        entrants: [&Entrant; 2],
        purpose: Purpose,
        number: u32,
    ) -> Result<SeriesPlace, ClassError> {
        let ids = bots.map(|bot| bot.id);
        let file = self.class.record_of(bots, purpose);
        let path = self.class.folder.path().join(&file);
        make_private_folder(&self.class.folder.games())?;
        let open = || {
            fs::create_dir_all(path.parent().unwrap_or(&path))?;
            let mut options = OpenOptions::new();
            // It has the seeds of its games.
            system::for_owner_alone(&mut options);
            options
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
        };
        let record = open().map_err(ClassError::about(&path))?;
        let header = self.class.header_of(bots, entrants, purpose, number);
        Ok(SeriesPlace {
            bots: ids,
            terms: self.class.terms_of(purpose),
            number,
            header,
            file,
            path,
            record,
        })
    }

    /// Puts a series that was played to its end into its place. Returns what it brought the first
    /// of the two.
    ///
    /// # Errors
    /// If it cannot be written. What was there stays.
    pub(crate) fn put(
        &mut self,
        mut place: SeriesPlace,
        played: &contest::PlayedSeries,
    ) -> Result<Results, ClassError> {
        let mut own = contest::PlayedSeries {
            series: played.series,
            games: played.games.clone(),
            end: played.end.clone(),
        };
        let id = place.header.id.clone();
        let number = place.number as usize + 1;
        for game in &mut own.games {
            let game_number = game.contest.as_ref().map_or(0, |place| place.game);
            game.move_to(InContest {
                id: id.clone(),
                series: number,
                game: game_number,
            });
        }
        if let Some(end) = &mut own.end {
            (end.contest, end.series, end.round, end.players) = (id, number, 1, [0, 1]);
        }
        let mut lines = place.header.to_line();
        own.write_to(&mut lines);
        // Everything behind the last series in the index was never finished, and is removed.
        let behind = self.store.end_of(&place.file)?;
        let cut = place.record.set_len(behind);
        let written = cut.and_then(|()| append_member(&mut place.record, behind, &lines));
        let behind = written.map_err(ClassError::about(&place.path))?;
        let mut tally = Tally::new(2);
        for game in &own.games {
            tally.add_game([0, 1], game);
        }
        let pairing = tally.pairings.remove(&[0, 1]).unwrap_or_default();
        let results = Results {
            games: own.games.len() as u64,
            pairs: pairing.pairs,
            singles: pairing.singles(),
        };
        let took = own.end.as_ref().map_or(0, |end| end.took_ms);
        let series = PlayedSeries {
            bots: place.bots,
            terms: place.terms,
            number: place.number,
            played: Timestamp::now(),
            took: Duration::from_millis(took),
            file: place.file,
            behind,
            results,
            odd: odd_of(&tally),
        };
        self.store
            .add_series(&series, &forfeits(place.bots, &own))?;
        Ok(results)
    }
}

/// Returns what was odd about both bots of a series.
fn odd_of(tally: &Tally) -> [Odd; 2] {
    Side::BOTH.map(|side| {
        let player = &tally.players[side.index()];
        Odd {
            faults: player.faults.clone(),
            attacks: player.shots,
            wasted: player.wasted,
        }
    })
}

/// Returns the forfeits of a series whose last words are known.
fn forfeits(bots: [i64; 2], played: &contest::PlayedSeries) -> Vec<Forfeit> {
    let said = played.end.iter().flat_map(|end| &end.said);
    let forfeit = said.filter_map(|said| {
        let game = played.games.iter().find(|game| {
            game.contest
                .as_ref()
                .is_some_and(|place| place.game == said.game)
        })?;
        Some(Forfeit {
            bots,
            game: said.game,
            bot: bots[game.by?.index()],
            reason: game.reason.clone(),
            said: said.lines.join("\n"),
        })
    });
    forfeit.collect()
}
