use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use battleship::Board;
use battleship::twist::{Fleet, Unit};

use super::{GameRecord, Move, Placed, Shot};
use crate::game::{Event, Listener, Stop};
use bothost::Side;

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
    pub(crate) fn add_warnings(&mut self, warnings: [Vec<String>; 2]) {
        for (player, warnings) in self.record.players.iter_mut().zip(warnings) {
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
            Event::Placed | Event::Turn { .. } | Event::TurnToOrder { .. } => {}
            Event::UnitsPlaced { state } => {
                self.record.fleets = Side::BOTH.map(|side| Some(units_of(state.fleet(side))));
            }
            Event::Ordered { mover, order, result, time, state: _ } => {
                let (origin, target) = (order.origin, order.target);
                self.record.moves.push(Move {
                    player: u8::from(*mover == Side::Two),
                    order: [origin.row, origin.col, target.row, target.col],
                    result: result.to_string(),
                    us: u32::try_from(time.as_micros()).unwrap_or(u32::MAX),
                });
            }
            Event::Attacked { mover, at, result, time, target: _ } => {
                self.record.shots.push(Shot {
                    player: u8::from(*mover == Side::Two),
                    row: at.row,
                    col: at.col,
                    result: (*result).into(),
                    us: u32::try_from(time.as_micros()).unwrap_or(u32::MAX),
                });
            }
            Event::Ended { ending, boards } => {
                let names = self.record.players.clone().map(|player| player.name);
                self.record.winner = ending.winner.map(|side: Side| names[side.index()].clone());
                self.record.by = ending.by.map(Side::index);
                self.record.ended_by = ending.ended_by;
                self.record.reason = ending.reason(&names);
                if let Some(boards) = boards {
                    self.record.fleets = boards.map(fleet_of);
                }
            }
        }
        Ok(())
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
