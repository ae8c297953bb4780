//! Writes down a game while it is played.

use battleship::BySide;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use battleship::twist::{Fleet, Unit};
use battleship::{Board, Side};

use super::{GameRecord, Move, Placed, Shot};
use crate::game::{Event, Listener, Played, Position, Stop};

/// Fills in a record while its game is played.
#[derive(Debug)]
pub(crate) struct Recorder {
    record: GameRecord,
}

impl Recorder {
    /// A recorder that begins with `record`, which says everything that is known before the game.
    pub(crate) fn new(record: GameRecord) -> Recorder {
        Recorder { record }
    }

    /// Adds what was odd about the players, which is known after the game.
    pub(crate) fn add_warnings(&mut self, warnings: BySide<Vec<String>>) {
        for (player, warnings) in self.record.players.iter_mut().zip(<[_; 2]>::from(warnings)) {
            player.warnings.extend(warnings);
        }
    }

    /// The record, now that the game is over.
    pub(crate) fn into_record(self) -> GameRecord {
        self.record
    }

    /// The record so far.
    pub(crate) fn record(&self) -> &GameRecord {
        &self.record
    }
}

impl Listener for Recorder {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Placed { position } => self.record.fleets = fleets_of(*position),
            Event::Turn { .. } => {}
            Event::Played { mover, played, time, position: _ } => {
                let player = u8::from(*mover == Side::Two);
                let us = u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
                match played {
                    Played::Attack { at, result } => self.record.shots.push(Shot {
                        player,
                        row: at.row,
                        col: at.col,
                        result: (*result).into(),
                        us,
                    }),
                    Played::Order { order, result } => self.record.moves.push(Move {
                        player,
                        order: *order,
                        result: (*result).clone(),
                        us,
                    }),
                }
            }
            Event::Ended { ending, position } => {
                let names = self.record.players.clone().map(|player| player.name);
                self.record.winner = ending.winner.map(|side: Side| names[side.index()].clone());
                self.record.by = ending.by.map(Side::index);
                self.record.ended_by = ending.ended_by;
                self.record.reason = ending.reason(names.each_ref());
                // A classic game that ended before both had placed their ships leaves those of one player.
                if let Some(position @ Position::Classic(_)) = position {
                    self.record.fleets = fleets_of(*position);
                }
            }
        }
        Ok(())
    }
}

/// Returns each player's ships, or `None` for a player that has not placed all of them.
fn fleets_of(position: Position<'_>) -> [Option<Vec<Placed>>; 2] {
    match position {
        Position::Classic(boards) => boards.as_ref().map(|board| fleet_of(board)).into(),
        Position::Twist(state) => Side::BOTH.map(|side| Some(units_of(state.fleet(side)))),
    }
}

/// Returns the whole fleet on `board`; `None` if a ship is missing.
fn fleet_of(board: &Board<'_>) -> Option<Vec<Placed>> {
    let placed = |ship| {
        let place = board.placement(ship)?;
        let (at, direction) = (place.top_or_left, place.direction.letter());
        Some(Placed { row: at.row, col: at.col, direction })
    };
    (0..board.game().n_ships()).map(placed).collect()
}

/// Where the units of a twist game are.
fn units_of(fleet: &Fleet) -> Vec<Placed> {
    let placed = |unit: &Unit| {
        let (bow, direction) = (unit.placement().bow, unit.placement().direction.letter());
        Placed { row: bow.row().into(), col: bow.column().into(), direction }
    };
    fleet.units().iter().map(placed).collect()
}

/// Appends `record` to the file at `path` as one line, in one write; a file that is not there is made. A last
/// line without an end stays a line of its own.
///
/// # Errors
/// If the file cannot be opened or written.
pub(crate) fn append_line(path: &Path, record: &GameRecord) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path);
    if file.is_err() {
        // A pipe or a terminal may be for writing only.
        file = OpenOptions::new().append(true).open(path);
    }
    let mut file = file?;
    let mut line = Vec::new();
    if ends_in_mid_line(&mut file) {
        line.push(b'\n');
    }
    serde_json::to_writer(&mut line, record)?;
    line.push(b'\n');
    file.write_all(&line)?;
    match file.sync_data() {
        // Nothing that could be synced: a pipe, a terminal, the null device.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

/// Returns whether the last line was cut short, as by a full disk: the next line must not be lost with it.
fn ends_in_mid_line(file: &mut File) -> bool {
    let mut last = [b'\n'];
    let read = file.seek(SeekFrom::End(-1)).and_then(|_| file.read_exact(&mut last));
    read.is_ok() && last != *b"\n"
}
