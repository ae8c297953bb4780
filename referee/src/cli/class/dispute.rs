//! `referee class dispute`: was that game as the record has it?

use std::path::Path;
use std::sync::atomic::AtomicBool;

use class::{Bot, PlayedSeries, Store};

use super::{Class, say};
use crate::cli::exit::{self, Failure};
use crate::cli::listen;
use engine::contest::{Engine, Lanes, Order, differences};
use engine::record::{GameRecord, RecordReader};

/// Plays the series again in which a student had this game, and compares. `game` is OPPONENT:NUMBER, as pages name it.
pub(in crate::cli) fn run(folder: &Path, student: &str, game: &str) -> Result<(), Failure> {
    let _interrupt = listen()?;
    let class = Class::open(folder)?;
    let store = class.store()?;
    let (opponent, number) = game
        .rsplit_once(':')
        .and_then(|(opponent, number)| Some((opponent, number.parse::<u32>().ok()?.checked_sub(1)?)))
        .ok_or_else(|| {
            Failure::misuse(format!(
                "{game:?} names no game; write OPPONENT:NUMBER as the student's page has it, as in mediocre:17"
            ))
        })?;
    let (bots, series) = find(&class, &store, student, opponent, number)?;
    let setup = class.setup(&bots, 0, class.test_sandbox()?)?;
    let recorded = recorded(&class, &series)?;
    let engine = Engine {
        setup: &setup,
        lanes: &Lanes::new(Some(1), class.terms.pin),
        order: Order::OfJobs,
        keeps_evidence: false,
        stop: &AtomicBool::new(false),
        gallery: None,
    };
    let again = engine.play_all(&[class.series([0, 1], series.number)])?.remove(0);
    let place = recorded
        .iter()
        .position(|game| game.contest.as_ref().is_some_and(|place| place.game == number + 1));
    let record = place.and_then(|place| recorded.get(place)).ok_or_else(|| missing(&series))?;
    say(format_args!(
        "{} against {}, game {}, seed {}: {}",
        record.players[0].name,
        record.players[1].name,
        number + 1,
        record.seed,
        record.reason
    ))?;
    let place = place.unwrap_or_default();
    let differences: Vec<String> = differences(&recorded[..=place], &again.games).collect();
    match &differences[..] {
        [] => say("It was played again from its versions and seed: the same happened."),
        [first, ..] => {
            say(format_args!(
                "It was played again from its versions and seed, and something else happened: {first}."
            ))?;
            say(
                "A bot that draws from its seed alone plays the same game again; one that looks at the clock, has several \
                 threads or draws otherwise may not.",
            )?;
            Err(Failure::Said(exit::NOT_STARTED))
        }
    }
}

fn missing(series: &PlayedSeries) -> Failure {
    Failure::Fault(anyhow::anyhow!("{}: series {} is not there", series.file, series.number + 1))
}

/// Returns the bots of the game, and its series in the pool.
fn find(
    class: &Class,
    store: &Store,
    student: &str,
    opponent: &str,
    number: u32,
) -> Result<([Bot; 2], PlayedSeries), Failure> {
    let bots = store.bots()?;
    let called = |name: &str| -> Vec<Bot> {
        bots.iter().filter(|bot| bot.key.called() == name).rev().cloned().collect()
    };
    let (own, others) = (called(student), called(opponent));
    for (name, found) in [(student, &own), (opponent, &others)] {
        if found.is_empty() {
            return Err(Failure::misuse(format!("no bot of the class is called {name:?}")));
        }
    }
    let series = number / class.config.play.series;
    // The newest versions first.
    for one in &own {
        for two in &others {
            let (low, high) = if one.id < two.id { (one, two) } else { (two, one) };
            let found = store.series([low.id, high.id], &class.terms_key(), series)?;
            if let Some(found) = found {
                return Ok(([low.clone(), high.clone()], found));
            }
        }
    }
    Err(Failure::misuse(format!("{student} and {opponent} have not played a game {}", number + 1)))
}

/// Returns the games of a series as they were played.
pub(super) fn recorded(class: &Class, series: &PlayedSeries) -> Result<Vec<GameRecord>, Failure> {
    let path = class.folder.path().join(&series.file);
    let mut reader = RecordReader::open(&path)?;
    while let Some(chunk) = reader.next_chunk()? {
        let is_it = |game: &GameRecord| {
            game.contest.as_ref().is_some_and(|place| place.series == series.number as usize + 1)
        };
        if chunk.games.first().is_some_and(is_it) {
            return Ok(chunk.games);
        }
    }
    Err(missing(series))
}
