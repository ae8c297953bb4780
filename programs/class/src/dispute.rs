//! A disputed game: whether it was as its record has it.

use crate::choice::Purpose;
use crate::{Bot, Class, ClassError, PlayedSeries, Store};

use arena::contest::{Lanes, differences, play_all};
use arena::record::{GameLine, RecordReader};
use battleship::game_reader::READERS;

/// A game that was played again.
#[derive(Debug)]
pub struct Dispute {
    /// The game, as it is recorded.
    pub record: GameLine,
    /// The difference, if something happened otherwise.
    pub difference: Option<String>,
}

impl Class {
    /// Plays the series again in which `student` had this game against `opponent`, and compares.
    /// `number` is that of the game between the two, from 0.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be played again.
    pub fn dispute(
        &self,
        student: &str,
        opponent: &str,
        number: u32,
    ) -> Result<Dispute, ClassError> {
        let store = self.store()?;
        let (bots, series) = find(self, &store, student, opponent, number)?;
        let setup = self.setup(&bots, 0, self.test_sandbox()?)?;
        let mut recorded = recorded(self, &series)?;
        let lanes = Lanes::new(Some(1), self.terms.pin);
        let plan = self.series([0, 1], Purpose::Rating, series.number);
        let again = play_all(&setup, &lanes, &[plan])?.remove(0);
        let place = recorded
            .iter()
            .position(|game| {
                game.contest
                    .as_ref()
                    .is_some_and(|place| place.game == number + 1)
            })
            .ok_or_else(|| missing(&series))?;
        let difference = differences(setup.game.reader(), &recorded[..=place], &again.games).next();
        Ok(Dispute {
            record: recorded.swap_remove(place),
            difference,
        })
    }
}

fn missing(series: &PlayedSeries) -> ClassError {
    ClassError::fault(format!(
        "{}: series {} is not there",
        series.file,
        series.number + 1
    ))
}

/// Returns the bots of the game, and its series in the pool.
fn find(
    class: &Class,
    store: &Store,
    student: &str,
    opponent: &str,
    number: u32,
) -> Result<([Bot; 2], PlayedSeries), ClassError> {
    let bots = store.bots()?;
    let names = class.names(store)?;
    let called = |name: &str| -> Vec<Bot> {
        let student = class.roster.called(name);
        let name = student.map_or(names.id(name), |student| &student.id);
        bots.iter()
            .filter(|bot| bot.key.called() == name)
            .rev()
            .cloned()
            .collect()
    };
    let own = called(student);
    let others = called(opponent);
    for (name, found) in [(student, &own), (opponent, &others)] {
        if found.is_empty() {
            return Err(ClassError::misuse(format!(
                "no bot of the class is called {name:?}"
            )));
        }
    }
    let series = number / class.config.play.series();
    // The newest versions first.
    for one in &own {
        for two in &others {
            let (low, high) = if one.id < two.id {
                (one, two)
            } else {
                (two, one)
            };
            let found = store.series([low.id, high.id], &class.terms_key(), series)?;
            if let Some(found) = found {
                return Ok(([low.clone(), high.clone()], found));
            }
        }
    }
    Err(ClassError::misuse(format!(
        "{student} and {opponent} have not played a game {}",
        number + 1
    )))
}

/// Returns the games of a series as they were played.
fn recorded(class: &Class, series: &PlayedSeries) -> Result<Vec<GameLine>, ClassError> {
    let path = class.folder.path().join(&series.file);
    let mut reader = RecordReader::open(&path, READERS)?;
    while let Some(chunk) = reader.next_chunk()? {
        if chunk.games.first().is_some_and(|game| {
            game.contest
                .as_ref()
                .is_some_and(|place| place.series == series.number as usize + 1)
        }) {
            return Ok(chunk.games);
        }
    }
    Err(missing(series))
}
