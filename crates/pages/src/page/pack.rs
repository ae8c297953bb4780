//! Games packed for a page: a byte an attack, from which the script of the page computes the rest.
//!
//! Games of the same two players make a chunk, which the script unpacks when one of them is opened. A chunk has its
//! columns one after the other (all numbers, all fleets, all attacks, ...), since like next to like compresses best:
//! measured on 10,000 classic games, 0.6 of what whole games in a row take. `docs/pages.md` has the format.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::frames::Frames;
use super::pack_twist::PackedTwist;
use super::texts::Texts;
use battleship::{PlayedTurn, Turn};
use engine::game::EndedBy;
use engine::record::{GameRecord, Placed};

/// The number of columns of a chunk.
const COLUMNS: usize = 6;

/// Boards of at most so many cells have a byte for a ship: twice the cell, and one more if the ship lies down.
const CELLS_FOR_BYTE_OF_SHIP: usize = 128;

/// Boards of at most so many cells have a byte for an attack. The largest byte means: outside of the board.
const CELLS_FOR_BYTE_OF_ATTACK: usize = 255;

/// A game in columns.
#[derive(Clone, Debug)]
pub(super) struct PackedGame {
    /// Its number in the records, from 1.
    pub(super) number: u64,
    /// The players, as their numbers in the page.
    pub(super) players: [usize; 2],
    flags: u64,
    reason: u64,
    text: u64,
    setup: u64,
    of_encounter: u64,
    turns: [u64; 2],
    /// Fleets, turns, times, frames and figures.
    columns: [Vec<u8>; COLUMNS - 1],
}

/// What a page knows of a game besides its record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Its number in the records, from 1.
    pub(super) number: u64,
    /// The players, as their numbers in the page.
    pub(super) players: [usize; 2],
    /// The number of its board and ships in the page.
    pub(super) setup: usize,
    /// Whether it counts.
    pub(super) counts: bool,
    /// Whether its series was played to its end.
    pub(super) finished: bool,
}

impl PackedGame {
    /// Packs `game`, whose turns agree with the rules. `frames` has the boards of a twist game.
    pub(super) fn new(
        game: &GameRecord,
        place: Place,
        frames: &Frames,
        texts: &mut Texts,
        figure_names: &mut Texts,
    ) -> PackedGame {
        let cells = usize::try_from(i64::from(game.rows) * i64::from(game.cols)).unwrap_or(0);
        let mut fleets = Vec::new();
        for ship in game.fleets.iter().flatten().flatten() {
            pack_ship(*ship, game.cols, cells, &mut fleets);
        }
        let (mut turns, mut times) = (Vec::new(), Vec::new());
        let mut counts = [0, 0];
        for seat in [0, 1] {
            for played in game.turns_of(seat) {
                counts[seat] += 1;
                if let Turn::Attack { .. } = played.turn {
                    pack_shot(played, game, cells, &mut turns);
                    times.push(packed_time(played.us));
                }
            }
        }
        for played in game.turns() {
            if let Turn::Order { .. } = played.turn {
                times.push(packed_time(played.us));
            }
        }
        let twist = PackedTwist::new(game, frames, texts);
        turns.extend(twist.turns);
        let seat_of = |name: &String| game.players.iter().position(|player| player.name == *name);
        let winner = game.winner.as_ref().and_then(seat_of);
        let flags = u64::from(place.players[0] > place.players[1])
            | (game.first.min(1) as u64) << 1
            | seat_code(winner) << 2
            | seat_code(game.by) << 4
            | u64::from(place.counts) << 6
            | u64::from(game.fleets[0].is_some()) << 7
            | u64::from(game.fleets[1].is_some()) << 8
            | u64::from(!place.finished) << 9;
        let reason = EndedBy::ALL.iter().position(|reason| *reason == game.ended_by);
        PackedGame {
            number: place.number,
            players: place.players,
            flags,
            reason: reason.unwrap_or(0) as u64,
            text: texts.of_ending(game),
            setup: place.setup as u64,
            of_encounter: game.contest.as_ref().map_or(0, |place| place.game.into()),
            turns: counts,
            columns: [fleets, turns, times, twist.frames, figures(game, figure_names)],
        }
    }

    /// Returns how much the figures of the game take, in bytes, before all is compressed.
    pub(super) fn size_of_figures(&self) -> usize {
        self.columns[COLUMNS - 2].len()
    }

    /// Leaves out the figures.
    pub(super) fn drop_figures(&mut self) {
        self.columns[COLUMNS - 2] = vec![0];
    }

    /// Returns the players, the one with the lower number first: the games of these two share chunks.
    pub(super) fn encounter(&self) -> [usize; 2] {
        let [one, two] = self.players;
        [one.min(two), one.max(two)]
    }
}

/// Returns games of the same two players, in the order of their numbers, as one chunk: deflated, in base64.
///
/// # Errors
/// Never, in fact: it writes to memory.
pub(super) fn chunk(games: &[&PackedGame]) -> io::Result<String> {
    let mut meta = Vec::new();
    let mut before = 0;
    for game in games {
        varint(game.number - before, &mut meta);
        before = game.number;
        let PackedGame { flags, reason, text, setup, of_encounter, turns: [one, two], .. } = game;
        for number in [flags, reason, text, setup, of_encounter, one, two] {
            varint(*number, &mut meta);
        }
        // With these the script finds a game without unpacking those before it.
        let [_, turns, _, frames, figures] =
            game.columns.each_ref().map(|column| column.len() as u64);
        for length in [turns.saturating_sub(one + two), frames, figures] {
            varint(length, &mut meta);
        }
    }
    let column = |index: usize| games.iter().flat_map(move |game| &game.columns[index]).copied();
    let columns: Vec<Vec<u8>> = std::iter::once(meta)
        .chain((0..COLUMNS - 1).map(|index| column(index).collect()))
        .collect();
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    for column in &columns {
        let length = u32::try_from(column.len()).map_err(io::Error::other)?;
        packed.write_all(&length.to_le_bytes())?;
    }
    for column in &columns {
        packed.write_all(column)?;
    }
    Ok(STANDARD.encode(packed.finish()?))
}

/// Appends `number`, seven bits a byte, the lowest first; the highest bit of a byte says that more follow (LEB128).
pub(super) fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push((number & 0x7f) as u8);
}

/// Appends a number with a sign: 0, -1, 1, -2 and so on become 0, 1, 2, 3.
fn zigzag(number: i32, out: &mut Vec<u8>) {
    let number = i64::from(number);
    varint(((number << 1) ^ (number >> 63)).cast_unsigned(), out);
}

fn seat_code(seat: Option<usize>) -> u64 {
    seat.map_or(0, |seat| seat.min(1) as u64 + 1)
}

/// Appends `number` in one byte or two.
fn fixed(number: usize, in_byte: bool, out: &mut Vec<u8>) {
    let [low, high] = u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes();
    out.push(low);
    if !in_byte {
        out.push(high);
    }
}

/// Returns the number of the cell in `row` and `col`; `None` outside of a board of this size.
pub(super) fn cell(row: i32, col: i32, [rows, cols]: [i32; 2]) -> Option<usize> {
    let is_inside = (0..rows).contains(&row) && (0..cols).contains(&col);
    is_inside.then(|| usize::try_from(i64::from(row) * i64::from(cols) + i64::from(col)).ok())?
}

fn pack_ship(ship: Placed, cols: i32, cells: usize, out: &mut Vec<u8>) {
    let cell = cell(ship.row, ship.col, [i32::MAX, cols]).unwrap_or(0);
    let lies_down = usize::from(ship.direction == 'v');
    fixed(2 * cell + lies_down, cells <= CELLS_FOR_BYTE_OF_SHIP, out);
}

fn pack_shot(played: &PlayedTurn, game: &GameRecord, cells: usize, out: &mut Vec<u8>) {
    let in_byte = cells <= CELLS_FOR_BYTE_OF_ATTACK;
    let shot = played.turn.target();
    if let Some(cell) = cell(shot.row, shot.col, [game.rows, game.cols]) {
        fixed(cell, in_byte, out);
    } else {
        fixed(if in_byte { 255 } else { 65535 }, in_byte, out);
        zigzag(shot.row, out);
        zigzag(shot.col, out);
    }
}

/// Returns a time in a byte: 0 for less than a microsecond, else eight steps for each doubling, right to 5%.
fn packed_time(us: u32) -> u8 {
    if us == 0 {
        return 0;
    }
    let steps = (8.0 * f64::from(us).log2()).round() + 1.0;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "1 to 257, cut to 255"
    )]
    let byte = steps.min(255.0) as u8;
    byte
}

/// Returns the figures that the bots printed in `game`: their number, and of each the seat, the name, the turn and the
/// value.
fn figures(game: &GameRecord, names: &mut Texts) -> Vec<u8> {
    let mut packed = Vec::new();
    let values = game.figures.iter().map(|figure| figure.values.len() as u64).sum();
    varint(values, &mut packed);
    for figure in &game.figures {
        let name = names.index_of(&figure.name);
        for (turn, value) in &figure.values {
            packed.push(figure.player);
            varint(name, &mut packed);
            varint((*turn).into(), &mut packed);
            #[allow(clippy::cast_possible_truncation, reason = "charts need no more digits")]
            let value = value.clamp(f32::MIN.into(), f32::MAX.into()) as f32;
            packed.extend(value.to_le_bytes());
        }
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_few_bytes_as_they_can() {
        let packed = |number| {
            let mut out = Vec::new();
            varint(number, &mut out);
            out
        };
        assert_eq!(packed(0), [0]);
        assert_eq!(packed(127), [127]);
        assert_eq!(packed(300), [0xac, 2]);
        let mut out = Vec::new();
        for number in [0, -1, 1, i32::MIN] {
            zigzag(number, &mut out);
        }
        assert_eq!(out, [0, 1, 2, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    }

    #[test]
    fn a_time_in_a_byte_is_right_to_five_percent() {
        assert_eq!(packed_time(0), 0);
        assert_eq!(packed_time(u32::MAX), 255);
        for us in [1, 2, 3, 17, 999, 123_456, 5_000_000] {
            let byte = packed_time(us);
            let back = ((f64::from(byte) - 1.0) / 8.0).exp2();
            assert!((back / f64::from(us) - 1.0).abs() < 0.05, "{us} came back as {back}");
        }
    }
}
