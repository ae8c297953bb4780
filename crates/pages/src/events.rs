//! The events of a contest as JSON lines, for programs.

use std::io::{self, Write};

use serde::Serialize;

use engine::contest::{ContestEvent, Reporter, Summary};
use engine::game::EndedBy;

/// Prints what happens in a contest as JSON, one line an event.
#[derive(Debug)]
pub struct EventStream<W> {
    out: W,
    names: Vec<String>,
}

/// A line of the stream. Players are named; series and games are counted from 1.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventLine<'l> {
    /// It begins.
    Started {
        contest: &'l str,
        games: u64,
        lanes: usize,
        players: &'l [String],
    },
    /// A game is over.
    GameOver {
        series: usize,
        game: u32,
        players: [&'l str; 2],
        winner: Option<&'l str>,
        ended_by: EndedBy,
    },
    /// A series is over.
    SeriesOver {
        series: usize,
        round: usize,
        players: [&'l str; 2],
        games: usize,
        complete: bool,
        from_record: bool,
    },
    /// A player has spoiled too many of its games.
    Disqualified {
        player: &'l str,
        faults: u64,
        games: u64,
    },
    /// The user stops it; games in play are finished.
    Stopping,
    /// It is over.
    Finished { summary: &'l Summary },
}

impl<W: Write> EventStream<W> {
    /// Prints to `out` what happens between players of these names.
    pub fn new(out: W, names: Vec<String>) -> Self {
        EventStream { out, names }
    }

    /// Prints the last event, once the contest is over.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        print(&mut self.out, &EventLine::Finished { summary })
    }
}

fn print(out: &mut impl Write, line: &EventLine<'_>) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    out.write_all(&text)?;
    // Flushed for each event: a program that follows the stream sees it when it happens, and a pipe is
    // buffered otherwise.
    out.flush()
}

impl<W: Write> Reporter for EventStream<W> {
    fn report(&mut self, event: &ContestEvent<'_>) -> io::Result<()> {
        let EventStream { out, names } = self;
        let line = match event {
            ContestEvent::Started {
                header,
                games,
                lanes,
            } => {
                let (games, lanes) = (*games, *lanes);
                EventLine::Started {
                    contest: &header.id,
                    games,
                    lanes,
                    players: names,
                }
            }
            ContestEvent::GameOver(over) => {
                let players = over.players.map(|player| &names[player][..]);
                EventLine::GameOver {
                    series: over.series + 1,
                    game: over.game + 1,
                    players,
                    winner: over.winner.map(|winner| players[winner]),
                    ended_by: over.ended_by,
                }
            }
            ContestEvent::SeriesOver {
                series,
                games,
                end,
                from_record,
                ..
            } => EventLine::SeriesOver {
                series: series.number + 1,
                round: series.round + 1,
                players: series.players.map(|player| &names[player][..]),
                games: games.len(),
                complete: end.is_some_and(|end| end.games == series.games),
                from_record: *from_record,
            },
            ContestEvent::Disqualified {
                player,
                faults,
                games,
            } => EventLine::Disqualified {
                player: &names[*player],
                faults: *faults,
                games: *games,
            },
            ContestEvent::Stopping => EventLine::Stopping,
            ContestEvent::Tick => return Ok(()),
        };
        print(out, &line)
    }
}
