//! The data that the script of a page reads: one object of JSON. `crates/pages/DATA.md` has every
//! field.

use std::collections::BTreeMap;

use serde::Serialize;

use super::scenes::Phrase;
use crate::{DuelSummary, Skill};
use arena::game::EndedBy;
use arena::words::reason_in_words;
use battleship::game_reader::RecordedGame;
use battleship::scene::Viewer;
use battleship::{Point, Rules, Ruleset, ShipType};

/// All data of a page but its games.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageData {
    pub(super) kind: Kind,
    pub(super) title: String,
    pub(super) players: Vec<PlayerData>,
    pub(super) setups: Vec<Setup>,
    pub(super) reasons: Vec<Reason>,
    pub(super) texts: Vec<String>,
    pub(super) outside: Vec<String>,
    pub(super) phrases: Vec<Phrase>,
    pub(super) figure_names: Vec<String>,
    pub(super) records: Vec<RecordData>,
    /// The games of all records.
    pub(super) games: u64,
    /// Those of them that are in the page.
    pub(super) kept: usize,
    pub(super) chunks: Vec<ChunkData>,
    pub(super) pairings: Vec<PairingData>,
    /// The games of each two players, as each of them sees them.
    pub(super) duels: Vec<([usize; 2], [DuelSummary; 2])>,
    pub(super) details: Vec<PlayerDetails>,
    /// The dialogue of some games, by their numbers.
    pub(super) dialogue: BTreeMap<u64, Vec<SaidLine>>,
    /// The attacks that a strong player would have made in some games, by their numbers.
    pub(super) reviews: BTreeMap<u64, GameReviewData>,
    pub(super) live: Option<Live>,
}

/// Two players, the first one's wins, draws and losses, 1 if they count, else 0, and the interval
/// of its share of the points.
pub(super) type PairingData = (usize, usize, u64, u64, u64, u8, Option<[f64; 2]>);

/// The subject of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Report,
    Game,
    /// A game that is played in the browser.
    Live,
}

/// A player as the script needs it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PlayerData {
    pub(super) name: String,
    pub(super) command: String,
    pub(super) place: Option<usize>,
}

/// A board and the ships on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Setup {
    pub(super) rules: Ruleset,
    pub(super) rows: i32,
    pub(super) cols: i32,
    pub(super) ships: Vec<ShipType>,
    #[serde(flatten)]
    shown: Option<Shown>,
}

/// The appearance of a game with this board and fleet.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    /// The game in a few words.
    short: String,
    row_names: Vec<String>,
    col_names: Vec<String>,
    /// The names of all cells, row by row.
    cells: Vec<String>,
    /// The name of a turn.
    turn: &'static str,
    /// The number of cells that a turn names.
    cells_of_turn: usize,
    /// Whether players note what they find out of the other's waters.
    has_notes: bool,
    ships_move: bool,
    /// Whether ships may not touch, not at corners either.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    apart: bool,
}

impl Shown {
    fn of(rules: &Rules) -> Shown {
        let [rows, cols] = rules.size();
        let game = rules.describe();
        let [row_names, col_names] = rules.line_names();
        let points = (0..rows).flat_map(|row| (0..cols).map(move |col| Point::new(row, col)));
        let scene = rules.begin().scene(Viewer::Judge);
        Shown {
            short: game.summary,
            row_names,
            col_names,
            cells: points.map(|at| game.labels.cell(at)).collect(),
            turn: game.turn_word,
            cells_of_turn: if game.names_ship { 2 } else { 1 },
            has_notes: scene.notes.is_some(),
            ships_move: scene.ships_move,
            apart: rules.options().apart,
        }
    }
}

impl Setup {
    /// Returns what a game by `rules` is played with.
    pub(super) fn by(rules: &Rules) -> Setup {
        let [rows, cols] = rules.size();
        Setup {
            rules: rules.ruleset(),
            rows,
            cols,
            ships: rules.ships(),
            shown: Some(Shown::of(rules)),
        }
    }

    /// Returns what `game` was played with.
    pub(super) fn of(game: &RecordedGame) -> Setup {
        let [rows, cols] = game.size;
        let shown = game.rules().ok().map(|rules| Shown::of(&rules));
        Setup {
            rules: game.rules,
            rows,
            cols,
            ships: game.ships.clone(),
            shown,
        }
    }

    /// Returns it in a few words, if the rules have it.
    pub(super) fn in_words(&self) -> Option<String> {
        self.shown.as_ref().map(|shown| shown.short.clone())
    }

    /// Returns whether `game` was played with this.
    pub(super) fn is_of(&self, game: &RecordedGame) -> bool {
        (self.rules, [self.rows, self.cols]) == (game.rules, game.size) && self.ships == game.ships
    }
}

/// A typed reason why games end.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Reason {
    word: &'static str,
    text: &'static str,
    fault: bool,
}

impl Reason {
    /// Returns all reasons, in the order in which games refer to them.
    pub(super) fn all() -> Vec<Reason> {
        EndedBy::all()
            .map(|reason| Reason {
                word: reason.word(),
                text: reason_in_words(reason),
                fault: reason.is_fault(),
            })
            .collect()
    }
}

/// A record that the page is about.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RecordData {
    /// Its file name, fit to be shown.
    pub(super) name: String,
    pub(super) games: u64,
}

/// The games of an encounter, as one chunk of the page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ChunkData {
    pub(super) players: [usize; 2],
    pub(super) games: usize,
    /// The numbers of its games, as runs: the first and how many follow each other.
    pub(super) numbers: Vec<(u64, u64)>,
}

/// The data of one player in the page.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlayerDetails {
    /// Figures with their labels, fit to be shown.
    pub(super) summary: Vec<(String, String)>,
    /// All its games.
    pub(super) duel: DuelSummary,
    pub(super) skill: Option<Skill>,
    pub(super) forfeits: Vec<Forfeit>,
    pub(super) n_forfeits: u64,
    pub(super) worst: Vec<WorstGame>,
    pub(super) figures: Vec<FigureData>,
    pub(super) notes: Vec<String>,
}

/// A game that a player lost by its own fault.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Forfeit {
    pub(super) game: u64,
    pub(super) reason: usize,
    pub(super) text: String,
    pub(super) advice: String,
}

/// A game that a player should look at.
#[derive(Clone, Debug, Serialize)]
pub(super) struct WorstGame {
    pub(super) game: u64,
    pub(super) why: String,
}

/// A figure that a player printed, game by game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FigureData {
    pub(super) name: u64,
    /// The number of a game, and the mean of the figure in it.
    pub(super) points: Vec<(u64, f64)>,
}

/// A line that was said: the turn during which it was, the seat, the mark, the line, and
/// milliseconds since the start.
pub(super) type SaidLine = (i64, usize, &'static str, String, f64);

/// The attack that a strong player would have made: the cell, the chance of the attack that was
/// made, and that of the best one, both in per cent.
pub(super) type Review = (Option<usize>, f64, f64);

/// A game by what its players knew.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GameReviewData {
    /// The attacks of each player.
    pub(super) attacks: [Vec<Review>; 2],
    /// Before each turn, and after the last: how likely the player on seat 0 was to win, in per
    /// cent; or empty.
    pub(super) winning: Vec<f64>,
}

/// The progress of a contest that is still running.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Live {
    pub finished: bool,
    /// Games that are over.
    pub done: u64,
    /// All games, at least.
    pub of: u64,
    /// Changes with every rewriting of the page.
    pub stamp: u64,
}

/// Returns `data` as JSON that can stand in a `script` element: no character in it can end that, or
/// begin a comment.
pub(super) fn in_script(data: &PageData) -> String {
    let json = serde_json::to_string(data).expect("its maps have text for keys");
    let mut safe = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' => safe.push_str("\\u003c"),
            '>' => safe.push_str("\\u003e"),
            '&' => safe.push_str("\\u0026"),
            '\u{2028}' => safe.push_str("\\u2028"),
            '\u{2029}' => safe.push_str("\\u2029"),
            letter => safe.push(letter),
        }
    }
    safe
}
