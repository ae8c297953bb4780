//! Writes down a game while it is played.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::Path;

use battleship::table::InPlay;
use battleship::{BySide, GameInPlay, PlayedTurn, Side};

use super::figures::{add_figure, figure_in};
use super::gzip::{Text, is_gzip, is_gzip_name, keep_text, member};
use super::{GameRecord, Output, OutputError, Placed};
use crate::game::{Event, Listener, Stop};
use crate::system;

/// Fills in a record while its game is played.
#[derive(Debug)]
pub struct Recorder {
    record: GameRecord,
    /// The number of turns that each player has played; `None` before both have placed their ships.
    turns: Option<BySide<u32>>,
}

impl Recorder {
    /// A recorder that begins with `record`, which says everything that is known before the game.
    #[must_use]
    pub fn new(record: GameRecord) -> Recorder {
        Recorder {
            record,
            turns: None,
        }
    }

    /// Adds what was odd about the players, which is known after the game.
    pub fn add_warnings(&mut self, warnings: BySide<Vec<String>>) {
        for (player, warnings) in self.record.players.iter_mut().zip(<[_; 2]>::from(warnings)) {
            player.warnings.extend(warnings);
        }
    }

    /// The record, now that the game is over.
    #[must_use]
    pub fn into_record(self) -> GameRecord {
        self.record
    }

    /// The record so far.
    #[must_use]
    pub fn record(&self) -> &GameRecord {
        &self.record
    }
}

impl Listener<Event<'_>> for Recorder {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Begun { position } => {
                let position = InPlay::of(*position).expect("a game of Battleship");
                self.record.fleets = fleets_in(&*position.game);
                self.turns = Some(BySide::default());
            }
            Event::Comment { side: by, line } => {
                if let Some((name, value)) = figure_in(line) {
                    let turn = self.turns.map_or(0, |turns| turns[*by] + 1);
                    let player = u8::from(*by == Side::Two);
                    add_figure(&mut self.record.figures, player, name, turn, value);
                }
            }
            Event::Asked { .. } => {}
            Event::Played {
                side: mover,
                time,
                position,
            } => {
                let turn = InPlay::of(*position).and_then(|position| position.turn.clone());
                let turn = PlayedTurn::new(*mover, turn.expect("a turn of Battleship"), *time);
                self.record.turns_mut().push(turn);
                if let Some(turns) = &mut self.turns {
                    turns[*mover] += 1;
                }
            }
            Event::Ended { ending, position } => {
                let names = self.record.players.clone().map(|player| player.name);
                self.record.winner = ending.winner.map(|side: Side| names[side.index()].clone());
                self.record.by = ending.by.map(Side::index);
                self.record.ended_by = ending.ended_by;
                self.record.reason = ending.reason(names.each_ref());
                // A classic game that ended before both had placed their ships leaves those of one player.
                if let Some(position) = position.and_then(InPlay::of)
                    && self.record.fleets == [None, None]
                {
                    self.record.fleets = fleets_in(&*position.game);
                }
            }
        }
        Ok(())
    }
}

/// Returns each player's ships, or `None` for a player that has not placed all of them.
fn fleets_in(position: &dyn GameInPlay) -> [Option<Vec<Placed>>; 2] {
    let placed = |ships: Vec<_>| ships.into_iter().map(Placed::from).collect();
    position.fleets().map(|fleet| fleet.map(placed)).into()
}

/// Appends `record` to the file `output` as one line, in one write; a file that is not there is made, or with `force` takes the
/// place of one that is. A last line without an end stays a line of its own. In a compressed file the line is a member, as it is
/// in a new file whose name ends in `.gz`.
///
/// # Errors
/// If the file cannot be opened or written.
pub fn append_line(output: Output<'_>, record: &GameRecord) -> Result<(), OutputError> {
    let mut line = serde_json::to_vec(record).map_err(|error| output.failed(error.into()))?;
    line.push(b'\n');
    if output.force {
        let packs = is_gzip_name(output.path);
        return output.write(&if packs { member(&line) } else { line });
    }
    let file = output.append()?;
    append_to(output.path, file, line).map_err(|error| output.failed(error))
}

fn append_to(path: &Path, mut file: File, mut line: Vec<u8>) -> io::Result<()> {
    let mut first = Vec::new();
    // To read a terminal would wait for the user.
    if file.metadata()?.is_file() {
        (&file).take(4).read_to_end(&mut first)?;
    }
    let packs = if first.is_empty() {
        is_gzip_name(path)
    } else {
        is_gzip(&first)
    };
    if packs {
        file = without_torn_member(path, file)?;
    } else if ends_in_mid_line(&mut file) {
        line.insert(0, b'\n');
    }
    file.write_all(&if packs { member(&line) } else { line })?;
    match file.sync_data() {
        // Nothing that could be synced: a pipe, a terminal, the null device.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

/// Returns the compressed `file` at `path` without a last member that was cut short, which would swallow the next one. Of
/// such a member, whole lines stay.
fn without_torn_member(path: &Path, file: File) -> io::Result<File> {
    // Another referee may be writing the member that seems to be cut short.
    match system::lock(&file) {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
        Err(_) | Ok(()) => {}
    }
    (&file).rewind()?;
    let mut text = Text::new(file.try_clone()?);
    let (mut read, mut whole) = (0, 0);
    loop {
        let part = text.fill_buf()?;
        let length = part.len();
        if length == 0 {
            break;
        }
        if let Some(last) = part.iter().rposition(|byte| *byte == b'\n') {
            whole = read + last as u64 + 1;
        }
        read += length as u64;
        text.consume(length);
    }
    if text.is_torn() {
        return Ok(keep_text(path, file, whole, system::lock)?.0);
    }
    Ok(file)
}

/// Returns whether the last line was cut short, as by a full disk: the next line must not be lost with it.
fn ends_in_mid_line(file: &mut File) -> bool {
    let mut last = [b'\n'];
    let read = file
        .seek(SeekFrom::End(-1))
        .and_then(|_| file.read_exact(&mut last));
    read.is_ok() && last != *b"\n"
}
