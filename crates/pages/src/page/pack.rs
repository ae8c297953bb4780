//! Games packed for a page, with what there is to see of each.
//!
//! Games of the same two players make a chunk, which the script unpacks when one of them is opened.
//! A chunk is an object of columns (all numbers, all fleets, all cells, ...), since like next to
//! like compresses best: measured on 10,000 classic games, 0.6 of what whole games in a row take.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::scenes::{Turns, pushed};
use super::texts::Texts;
use crate::game_record::GameRecord;
use arena::game::EndedBy;
use arena::record::GameLine;
use battleship::Placement;
use bothost::Side;

/// A figure that a bot printed: the seat, its name, the seat's own turn from 1, and the number.
type FigureOfTurn = (u8, u64, u32, f32);

/// A game as a page has it.
#[derive(Clone, Debug)]
pub(super) struct PackedGame {
    pub(super) place: PlaceOfGame,
    first: usize,
    winner: Option<usize>,
    by: Option<usize>,
    reason: usize,
    /// The number of the sentence that says how it ended; `None` where the reason says all.
    text: Option<u64>,
    /// Its number among the games of these players; 0 if it is in no contest.
    of_encounter: u32,
    fleets: [Option<String>; 2],
    turns: Turns,
    figures: Vec<FigureOfTurn>,
}

/// The facts about a game that a page knows besides its record.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceOfGame {
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
    /// Packs `game` with its `turns`.
    pub(super) fn new(
        game: &GameRecord,
        place: PlaceOfGame,
        turns: Turns,
        texts: &mut Texts,
        figure_names: &mut Texts,
    ) -> PackedGame {
        let GameRecord { line, game } = game;
        let reason = EndedBy::all().position(|reason| reason == line.ended_by);
        PackedGame {
            place,
            first: line.first.index(),
            winner: line.winning_side().map(Side::index),
            by: line.by.map(Side::index),
            reason: reason.unwrap_or(0),
            text: texts.of_ending(line),
            of_encounter: line.contest.as_ref().map_or(0, |place| place.game),
            fleets: game
                .fleets
                .as_ref()
                .map(|fleet| Some(packed_fleet(fleet.as_ref()?, game.size[1])))
                .into(),
            turns,
            figures: figures(line, figure_names),
        }
    }

    /// Returns the number of figures of single turns that the game has.
    pub(super) fn count_of_figures(&self) -> usize {
        self.figures.len()
    }

    /// Leaves out the figures.
    pub(super) fn drop_figures(&mut self) {
        self.figures.clear();
    }

    /// Returns the players, the one with the lower number first: the games of these two share
    /// chunks.
    pub(super) fn encounter(&self) -> [usize; 2] {
        let [one, two] = self.place.players;
        [one.min(two), one.max(two)]
    }
}

/// The games of a chunk: for each field of a game a list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Columns<'g> {
    players: Vec<[usize; 2]>,
    setups: Vec<usize>,
    counts: Vec<bool>,
    finished: Vec<bool>,
    first: Vec<usize>,
    winners: Vec<Option<usize>>,
    by: Vec<Option<usize>>,
    reasons: Vec<usize>,
    texts: Vec<Option<u64>>,
    before: Vec<i64>,
    fleets: Vec<&'g [Option<String>; 2]>,
    phrases: Vec<&'g [String; 2]>,
    cells: Vec<&'g [String; 2]>,
    times: Vec<&'g [String; 2]>,
    rests: Vec<&'g Vec<(usize, String)>>,
    changes: Vec<&'g String>,
    salvos: Vec<&'g String>,
    figures: Vec<&'g Vec<FigureOfTurn>>,
}

/// Returns games of the same two players, in the order of their numbers, as one chunk: deflated, in
/// base64.
pub(super) fn chunk(games: &[&PackedGame]) -> String {
    const IN_MEMORY: &str = "memory takes everything";
    fn of<'g, T>(games: &[&'g PackedGame], field: impl Fn(&'g PackedGame) -> T) -> Vec<T> {
        games.iter().map(|game| field(game)).collect()
    }
    let columns = Columns {
        players: of(games, |game| game.place.players),
        setups: of(games, |game| game.place.setup),
        counts: of(games, |game| game.place.counts),
        finished: of(games, |game| game.place.finished),
        first: of(games, |game| game.first),
        winners: of(games, |game| game.winner),
        by: of(games, |game| game.by),
        reasons: of(games, |game| game.reason),
        texts: of(games, |game| game.text),
        before: of(games, |game| {
            game.place.number.cast_signed() - i64::from(game.of_encounter)
        }),
        fleets: of(games, |game| &game.fleets),
        phrases: of(games, |game| &game.turns.phrases),
        cells: of(games, |game| &game.turns.cells),
        times: of(games, |game| &game.turns.times),
        rests: of(games, |game| &game.turns.rests),
        changes: of(games, |game| &game.turns.changes),
        salvos: of(games, |game| &game.turns.salvos),
        figures: of(games, |game| &game.figures),
    };
    let json = serde_json::to_vec(&columns).expect("its maps have text for keys");
    // The highest level takes four times as long, for a page that is 2% smaller.
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::new(6));
    packed.write_all(&json).expect(IN_MEMORY);
    STANDARD.encode(packed.finish().expect(IN_MEMORY))
}

/// Returns the places of ships: of each, twice the cell of its topmost or leftmost part, and one
/// more if it lies down.
fn packed_fleet(fleet: &[Placement], cols: i32) -> String {
    let mut packed = String::new();
    for placement in fleet {
        let at = placement.top_or_left;
        let cell = usize::try_from(at.row.saturating_mul(cols).saturating_add(at.col)).unwrap_or(0);
        pushed(2 * cell + placement.direction as usize, &mut packed);
    }
    packed
}

/// Returns the figures that the bots printed in `game`.
fn figures(game: &GameLine, names: &mut Texts) -> Vec<FigureOfTurn> {
    let mut figures = Vec::new();
    for figure in &game.figures {
        let name = names.index_of(&figure.name);
        for (turn, value) in &figure.values {
            #[allow(
                clippy::cast_possible_truncation,
                reason = "charts need no more digits"
            )]
            let value = value.clamp(f32::MIN.into(), f32::MAX.into()) as f32;
            figures.push((figure.player, name, *turn, value));
        }
    }
    figures
}
