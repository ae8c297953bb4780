//! A game in memory that is not Battleship.

use std::io;
use std::sync::{Arc, Mutex};

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};
use wire::game::{
    Bots, DialogueLine, Game, GameReader, GameStats, Played, Readers, Retries, Round, Speaker,
    Stopped, Table, ask_valid, bad_reply, conclude,
};
use wire::{BySide, EndedBy, Ending, Event, GameListener, Side};

/// A game of two numbers each: the greater sum wins, and equal sums are a draw.
#[derive(Debug)]
pub(crate) struct Sums {
    /// The seeds of all games that were played.
    pub(crate) played: Arc<Mutex<Vec<u64>>>,
}

#[derive(Debug)]
struct SumsReader;

pub(crate) const READERS: Readers = &[&SumsReader];

impl Game for Sums {
    fn reader(&self) -> &'static dyn GameReader {
        &SumsReader
    }

    fn name(&self) -> &'static str {
        "sums"
    }

    fn settings(&self) -> Map<String, Value> {
        Map::from_iter([("rules".to_owned(), json!("sums"))])
    }

    fn arguments(&self) -> Vec<String> {
        vec!["--sums".to_owned()]
    }

    fn max_turns(&self) -> u32 {
        2
    }

    fn first(&self, _seed: u64) -> Side {
        Side::One
    }

    fn unplayed(&self) -> Box<RawValue> {
        own(&[])
    }

    fn table(&self) -> io::Result<Box<dyn Table>> {
        let played = self.played.clone();
        Ok(Box::new(SumsTable { played }))
    }
}

fn own(numbers: &[(Side, u32)]) -> Box<RawValue> {
    to_raw_value(&json!({ "numbers": numbers })).unwrap()
}

struct SumsTable {
    played: Arc<Mutex<Vec<u64>>>,
}

impl Table for SumsTable {
    fn play(
        &mut self,
        bots: &mut dyn Bots,
        round: &Round,
        listener: &mut GameListener<'_>,
    ) -> io::Result<Played> {
        self.played.lock().unwrap().push(round.seed);
        let mut numbers = Vec::new();
        let mut retries = Retries::of(round);
        listener.on_event(&Event::Begun { position: &() })?;
        let mut play = || -> Result<Ending, Stopped> {
            for turn in 0..2 * round.max_turns {
                let side = if turn % 2 == 0 {
                    round.first
                } else {
                    round.first.other()
                };
                let seed = round.bot_seeds[side];
                let read = |line: &[u8]| {
                    let number = str::from_utf8(line).ok().and_then(|line| line.parse().ok());
                    number.ok_or_else(|| bad_reply(side, "a number", line, None))
                };
                let request = format_args!("number {seed} {turn}");
                let (number, time) = ask_valid(bots, side, request, read, &mut retries, listener)?;
                numbers.push((side, number));
                let position = &();
                listener.on_event(&Event::Played {
                    side,
                    time,
                    position,
                })?;
            }
            let mut sums = BySide::new(0, 0);
            for (side, number) in &numbers {
                sums[*side] += number;
            }
            Ok(match sums.one.cmp(&sums.two) {
                std::cmp::Ordering::Less => Ending::won_by(Side::Two),
                std::cmp::Ordering::Equal => Ending::void(None, EndedBy::TurnCap, "equal sums"),
                std::cmp::Ordering::Greater => Ending::won_by(Side::One),
            })
        };
        let over = play();
        let ending = conclude(bots, listener, over, &())?;
        let own = own(&numbers);
        Ok(Played {
            retried: retries.used,
            ..Played::without_play(ending, own)
        })
    }
}

impl GameReader for SumsReader {
    fn reads(&self, rules: &str) -> bool {
        rules == "sums"
    }

    fn game(&self, _settings: &Map<String, Value>) -> Result<Arc<dyn Game>, String> {
        let played = Arc::default();
        Ok(Arc::new(Sums { played }))
    }

    fn stats(&self, line: &str) -> serde_json::Result<GameStats> {
        let mut stats = GameStats::default();
        for (side, _) in numbers(line)? {
            stats.turns[side] += 1;
        }
        Ok(stats)
    }

    fn dialogue(&self, line: &str) -> Result<Vec<DialogueLine>, String> {
        let numbers = numbers(line).map_err(|error| error.to_string())?;
        let reply = |(side, number): (Side, u32)| DialogueLine {
            side,
            from: Speaker::Reply,
            text: number.to_string(),
        };
        Ok(numbers.into_iter().map(reply).collect())
    }
}

fn numbers(line: &str) -> serde_json::Result<Vec<(Side, u32)>> {
    #[derive(serde::Deserialize)]
    struct Own {
        numbers: Vec<(Side, u32)>,
    }
    Ok(serde_json::from_str::<Own>(line)?.numbers)
}
