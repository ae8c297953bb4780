//! The view of a game turn by turn, as the script of a page gets it: the ships at the beginning,
//! and of each turn its phrase, its cells and what changes. `crates/pages/DATA.md` has the format.
//!
//! Turns that differ only in their cells share a phrase, which also says which marks they set. So
//! most turns are a phrase and a cell, and only what a phrase does not say is a change of its own.

use std::collections::HashMap;

use battleship::protocol::Request;
use battleship::scene::{MarkKind, Scene, ShipShape, Viewer};
use battleship::{AttackResult, Frame, GameInPlay, Part, Point, Rules, Ruleset, Side, Turn};
use serde::Serialize;

use super::texts::Texts;
use arena::game::{Event, Listener, Stop};
use battleship::table::InPlay;

/// More different phrases than these are not kept, so that no game can fill a page.
const MOST_PHRASES: usize = 4_000;

/// The phrase in place of the others.
const TOO_MANY: &str = "{who} took a turn that this page leaves out.";

/// The common part of turns that differ only in their cells.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Phrase {
    /// The event, as a sentence.
    said: String,
    /// The result in a word or two.
    word: String,
    /// Whether it hit something, and whether it sunk something.
    hits: bool,
    sinks: Option<usize>,
    /// The grids on which its cell is outlined: the waters of its player or of the opponent, or the
    /// notes.
    on: Vec<On>,
    /// The marks that it sets there.
    marks: Vec<(On, char)>,
    /// The lines of the protocol: whether they are its player's, which way they go, and what they
    /// say.
    lines: Vec<(bool, &'static str, String)>,
    /// Whether each of its turns has a result of its own words.
    #[serde(skip)]
    has_rest: bool,
}

/// A grid, as seen from the player of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
enum On {
    /// Its own waters.
    Own,
    /// The opponent's waters.
    Theirs,
    /// Its notes of the opponent's waters.
    Notes,
}

/// The phrases of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Phrases {
    all: Vec<Phrase>,
    numbers: HashMap<Phrase, usize>,
    /// The numbers of phrases that follow from little: the board and fleet, and what a turn did.
    known: HashMap<(usize, AttackResult, bool), usize>,
}

impl Phrases {
    pub(super) fn all(&self) -> &[Phrase] {
        &self.all
    }

    fn number_of(&mut self, phrase: Phrase) -> usize {
        if let Some(number) = self.numbers.get(&phrase) {
            return *number;
        }
        if self.all.len() >= MOST_PHRASES && phrase.said != TOO_MANY {
            let said = TOO_MANY.to_owned();
            return self.number_of(Phrase {
                said,
                lines: Vec::new(),
                ..phrase
            });
        }
        self.all.push(phrase.clone());
        self.numbers.insert(phrase, self.all.len() - 1);
        self.all.len() - 1
    }
}

/// The turns of a game as they were seen. Numbers are characters: see [`pushed`].
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    /// The phrases, cells and times of each player's turns.
    pub(super) phrases: [String; 2],
    pub(super) cells: [String; 2],
    pub(super) times: [String; 2],
    /// The rest of results that are longer than a phrase, with the numbers of their turns from 0.
    pub(super) rests: Vec<(usize, String)>,
    /// Changes that the phrases do not say: the number of the turn, the grid, the cell or ship, and
    /// what is there now.
    pub(super) changes: String,
    /// The number of each player's turns.
    pub(super) count: [usize; 2],
    /// Of a game of salvos, how many turns each salvo has.
    pub(super) salvos: String,
}

/// Hears a game and notes what there is to see.
#[derive(Debug)]
pub(super) struct Witness<'p> {
    pub(super) turns: Turns,
    setup: usize,
    rules: Rules,
    phrases: &'p mut Phrases,
    /// The cells outside the board that turns name.
    outside: &'p mut Texts,
    /// The position after the last turn, if ships move; otherwise the phrases say all.
    last: Option<Frame>,
    shown: Shown,
    /// The turns so far of an unfinished salvo.
    fired: usize,
}

/// The marks and ships that the script of a page shows at a moment.
#[derive(Clone, Debug, Default)]
struct Shown {
    /// The marks of the waters of both players, and of what both have noted.
    marks: [Vec<Option<char>>; 4],
    /// The ships of both players.
    hulls: [Vec<Option<usize>>; 2],
}

impl<'p> Witness<'p> {
    /// Begins a game with this number of its board and ships.
    pub(super) fn new(
        setup: usize,
        rules: Rules,
        phrases: &'p mut Phrases,
        outside: &'p mut Texts,
    ) -> Witness<'p> {
        let turns = Turns::default();
        let shown = Shown::default();
        Witness {
            turns,
            setup,
            rules,
            phrases,
            outside,
            last: None,
            shown,
            fired: 0,
        }
    }

    fn open(&mut self, game: &dyn GameInPlay) {
        let frame = Frame::opening(game);
        let [_, cols] = self.rules.size();
        self.shown = Shown::of(&frame.scene, cols);
        self.last = frame.scene.ships_move.then_some(frame);
    }

    fn see(&mut self, mover: Side, turn: &Turn, game: &dyn GameInPlay) {
        let rules = &self.rules;
        let phrase = if let Some(last) = self.last.take() {
            let frame = last.after(turn, mover, game, rules.size());
            let said = with_slots(&frame.sentence, turn, mover);
            let phrase = Phrase::new(turn, rules, said, frame.impact, true);
            self.shown.play(&phrase, mover, cell_of(turn, rules));
            let shown = Shown::of(&frame.scene, rules.size()[1]);
            let number = self.turns.count.iter().sum();
            self.shown.change(shown, number, &mut self.turns.changes);
            self.last = Some(frame);
            self.phrases.number_of(phrase)
        } else {
            let key = (self.setup, turn.impact(), cell_of(turn, rules).is_some());
            if let Some(number) = self.phrases.known.get(&key) {
                *number
            } else {
                let said = with_slots(&turn.sentence(mover, Viewer::Judge), turn, mover);
                let phrase = Phrase::new(turn, rules, said, turn.impact(), false);
                let number = self.phrases.number_of(phrase);
                self.phrases.known.insert(key, number);
                number
            }
        };
        pushed(phrase, &mut self.turns.phrases[mover.index()]);
        for at in turn.cells() {
            let number = index(at, rules.size()).unwrap_or_else(|| {
                let [rows, cols] = rules
                    .size()
                    .map(|length| usize::try_from(length).unwrap_or(0));
                let text = self.outside.index_of(&at.to_string());
                rows * cols + usize::try_from(text).unwrap_or(0)
            });
            pushed(number, &mut self.turns.cells[mover.index()]);
        }
        if self.phrases.all[phrase].has_rest {
            let rest = rest_of(turn).unwrap_or_default();
            self.turns.rests.push((self.turns.count.iter().sum(), rest));
        }
        self.turns.count[mover.index()] += 1;
        if rules.ruleset() == Ruleset::Salvo {
            self.fired += 1;
            if !game.is_mid_turn() {
                pushed(std::mem::take(&mut self.fired), &mut self.turns.salvos);
            }
        }
    }
}

impl Listener<Event<'_>> for Witness<'_> {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Begun { position } => {
                if let Some(position) = InPlay::of(*position) {
                    self.open(&*position.game);
                }
            }
            Event::Played {
                side,
                position,
                time,
            } => {
                let us = u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
                pushed(rounded(us), &mut self.turns.times[side.index()]);
                if let Some(InPlay {
                    game,
                    turn: Some(turn),
                }) = InPlay::of(*position)
                {
                    self.see(*side, turn, &**game);
                }
            }
            // It may have ended amid a salvo.
            Event::Ended { .. } if self.fired > 0 => pushed(self.fired, &mut self.turns.salvos),
            Event::Asked { .. } | Event::Comment { .. } | Event::Ended { .. } => {}
        }
        Ok(())
    }
}

impl Phrase {
    fn new(
        turn: &Turn,
        rules: &Rules,
        said: String,
        impact: AttackResult,
        has_notes: bool,
    ) -> Phrase {
        let hits = impact.is_hit();
        let sinks = if let AttackResult::Sunk(ship) = impact {
            Some(ship)
        } else {
            None
        };
        let waters = turn.acts_on(Side::One);
        let mut on: Vec<On> = waters
            .map(|side| {
                if side == Side::One {
                    On::Own
                } else {
                    On::Theirs
                }
            })
            .into_iter()
            .collect();
        if has_notes && waters == Some(Side::Two) {
            on.push(On::Notes);
        }
        let misses = impact == AttackResult::Miss && waters == Some(Side::Two);
        let mut marks = Vec::new();
        if hits {
            marks.extend(on.iter().map(|on| (*on, 'h')));
        } else if misses {
            marks.push((if has_notes { On::Notes } else { On::Theirs }, 'm'));
        }
        let words = turn.result_in_words();
        let result = match rest_of(turn) {
            Some(rest) => words.replace(&rest, "{rest}"),
            None => words.clone(),
        };
        let target = turn.target();
        let numbers_of_target = format!("{} {}", target.row, target.col);
        let notice = turn.notice().map(|notice| {
            (
                false,
                "<-",
                notice.to_string().replace(&numbers_of_target, "{to}"),
            )
        });
        let request = rules.begin().request();
        let heard = (true, "<-", format!("result {{cells}} {result}"));
        let lines = if matches!(request, Request::Salvo(_)) {
            // A shot of a salvo: the other cells of the reply are other turns.
            let fired = (true, "->", format!("{} ... {{cells}} ...", request.word()));
            vec![fired, heard]
        } else {
            let reply = format!("{} {{cells}}", request.word());
            vec![
                (true, "<-", request.to_string()),
                (true, "->", reply),
                heard,
            ]
        };
        Phrase {
            said,
            word: if sinks.is_some() {
                "sunk".to_owned()
            } else {
                turn.result_in_short()
            },
            hits,
            sinks,
            on,
            marks,
            lines: lines.into_iter().chain(notice).collect(),
            has_rest: rest_of(turn).is_some(),
        }
    }
}

impl Shown {
    fn of(scene: &Scene, cols: i32) -> Shown {
        let letter = |kind| match kind {
            MarkKind::Miss => 'm',
            MarkKind::Hit | MarkKind::Sunk => 'h',
            MarkKind::Seen => 's',
        };
        let waters = scene.waters.iter().map(|(_, grid)| grid);
        let notes = scene
            .notes
            .iter()
            .flat_map(|notes| notes.iter().map(|(_, grid)| grid));
        let mut shown = Shown::default();
        for (marks, grid) in shown.marks.iter_mut().zip(waters.chain(notes)) {
            marks.extend(
                grid.marks
                    .iter()
                    .map(|mark| mark.map(|mark| letter(mark.kind))),
            );
        }
        for side in Side::BOTH {
            // A ship that has sunk and is still seen stays at its place.
            let hulls = scene.waters[side].hulls.iter();
            shown.hulls[side.index()] = hulls
                .map(|hull| {
                    hull.as_ref()
                        .map(|hull| place_of(hull, usize::try_from(cols).unwrap_or(0)))
                })
                .collect();
        }
        shown
    }

    /// Sets the marks that a phrase says.
    fn play(&mut self, phrase: &Phrase, mover: Side, cell: Option<usize>) {
        let Some(cell) = cell else { return };
        for (on, mark) in &phrase.marks {
            let grid = match on {
                On::Own => mover.index(),
                On::Theirs => mover.other().index(),
                On::Notes => 2 + mover.index(),
            };
            if let Some(shown) = self.marks[grid].get_mut(cell) {
                *shown = Some(*mark);
            }
        }
    }

    /// Becomes what is shown `now`, and notes what that changes in a turn.
    fn change(&mut self, now: Shown, turn: usize, changes: &mut String) {
        let code = |mark: Option<char>| match mark {
            None => 0,
            Some('m') => 1,
            Some('h') => 2,
            Some(_) => 3,
        };
        let mut note = |grid: usize, place: usize, what: usize| {
            for number in [turn, grid, place, what] {
                pushed(number, changes);
            }
        };
        for (grid, (then, now)) in self.marks.iter().zip(&now.marks).enumerate() {
            for (cell, (_, now)) in then
                .iter()
                .zip(now)
                .enumerate()
                .filter(|(_, (a, b))| a != b)
            {
                note(grid, cell, code(*now));
            }
        }
        for (side, (then, now)) in self.hulls.iter().zip(&now.hulls).enumerate() {
            for (ship, (_, now)) in then
                .iter()
                .zip(now)
                .enumerate()
                .filter(|(_, (a, b))| a != b)
            {
                note(4 + side, ship, now.map_or(0, |place| place + 1));
            }
        }
        *self = now;
    }
}

/// Appends a number as the character with the code 32 more: one byte for most, without a separator.
pub(super) fn pushed(number: usize, out: &mut String) {
    let code = u32::try_from(number + 32).ok().and_then(char::from_u32);
    out.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
}

/// Returns a ship's place: twice its first cell, and one more if it lies down.
pub(super) fn place_of(hull: &ShipShape, cols: usize) -> usize {
    2 * (hull.row * cols + hull.col) + usize::from(hull.down)
}

/// Returns a sentence about a turn with slots for the names of players, cells and ships.
fn with_slots(sentence: &[Part], turn: &Turn, mover: Side) -> String {
    let name = |side| if side == mover { "{who}" } else { "{other}" };
    sentence
        .iter()
        .map(|part| match part {
            Part::Text(words) => words.to_string(),
            Part::Player(side) => name(*side).to_owned(),
            Part::Possessive(side) => format!("{}'s", name(*side)),
            Part::Cell(at) if *at == turn.target() => "{to}".to_owned(),
            Part::Cell(_) => "{from}".to_owned(),
            Part::Ship(_) => "{ship}".to_owned(),
        })
        .collect()
}

/// Returns what a result has behind its first word, if that is more than a word.
fn rest_of(turn: &Turn) -> Option<String> {
    let words = turn.result_in_words();
    let (_, rest) = words.split_once(' ')?;
    rest.contains(' ').then(|| rest.to_owned())
}

/// Returns the number of the cell that a turn acts on, if it is on the board.
fn cell_of(turn: &Turn, rules: &Rules) -> Option<usize> {
    index(turn.target(), rules.size())
}

/// Returns the number of a cell, row by row; `None` outside the board.
fn index(Point { row, col }: Point, [rows, cols]: [i32; 2]) -> Option<usize> {
    let is_inside = (0..rows).contains(&row) && (0..cols).contains(&col);
    is_inside.then(|| usize::try_from(row * cols + col).ok())?
}

/// Returns a time in steps: 0 for less than a microsecond, else eight steps for each doubling,
/// right to 5%.
fn rounded(us: u32) -> usize {
    if us == 0 {
        return 0;
    }
    let steps = (8.0 * f64::from(us).log2()).round() + 1.0;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "1 to 257"
    )]
    let steps = steps as usize;
    steps
}

#[cfg(test)]
mod tests {
    use battleship::{Direction, Placement, Step};

    use super::*;

    #[test]
    fn a_stepped_time_is_right_to_five_percent() {
        assert_eq!(rounded(0), 0);
        for us in [1_u32, 2, 3, 17, 999, 123_456, 5_000_000, u32::MAX] {
            let back = ((f64::from(u32::try_from(rounded(us)).unwrap()) - 1.0) / 8.0).exp2();
            assert!(
                (back / f64::from(us) - 1.0).abs() < 0.05,
                "{us} came back as {back}"
            );
        }
    }

    /// If ships do not move, no scene is made after a turn, so its phrase has to say all that there
    /// is to see.
    #[test]
    fn a_phrase_has_all_a_turn_changes() {
        let rules = Rules::usual(Ruleset::Classic);
        let mut game = rules.begin();
        for side in Side::BOTH {
            let ship = |row| Placement {
                top_or_left: Point::new(row, 0),
                direction: Direction::Horizontal,
            };
            game.place(side, &[0, 1, 2, 3, 4].map(ship)).unwrap();
        }
        game.start(Side::One);
        let mut phrases = Phrases::default();
        let mut outside = Texts::default();
        let mut witness = Witness::new(0, rules.clone(), &mut phrases, &mut outside);
        witness.open(&*game);
        let mut shown = witness.shown.clone();
        for at in
            [(4, 0), (4, 1), (9, 9), (9, 9), (4, 1), (12, 3)].map(|(row, col)| Point::new(row, col))
        {
            for mover in Side::BOTH {
                let turn = game.play(Step::Attack(at)).unwrap();
                witness.see(mover, &turn, &*game);
                let said = with_slots(&turn.sentence(mover, Viewer::Judge), &turn, mover);
                let phrase = Phrase::new(&turn, &rules, said, turn.impact(), false);
                shown.play(&phrase, mover, cell_of(&turn, &rules));
                let now = Shown::of(&game.scene(Viewer::Judge), 10);
                assert_eq!(shown.marks, now.marks, "after {turn:?}");
                assert_eq!(shown.hulls, now.hulls, "after {turn:?}");
                let known = witness.turns.phrases[mover.index()].chars().last().unwrap();
                assert_eq!(witness.phrases.all[known as usize - 32], phrase);
            }
        }
        assert_eq!(witness.turns.changes, "");
        assert_eq!(witness.turns.count, [6, 6]);
        assert_eq!(phrases.all.len(), 4);
        assert_eq!(phrases.all[1].said, "{who} sank {other}'s {ship} at {to}.");
        assert_eq!(outside.all(), ["(12,3)"]);
    }

    #[test]
    fn a_ship_named_like_a_cell_keeps_its_name() {
        let mut board = battleship::Game::new(1, 2).unwrap();
        board.add_ship(1, 'B', "boat near (0,0)").unwrap();
        let rules = Rules::classic(board);
        let mut game = rules.begin();
        for side in Side::BOTH {
            let ship = Placement {
                top_or_left: Point::new(0, 0),
                direction: Direction::Horizontal,
            };
            game.place(side, &[ship]).unwrap();
        }
        game.start(Side::One);
        let turn = game.play(Step::Attack(Point::new(0, 0))).unwrap();
        let sentence = turn.sentence(Side::One, Viewer::Judge);
        assert_eq!(
            with_slots(&sentence, &turn, Side::One),
            "{who} sank {other}'s {ship} at {to}."
        );
        let names = ["Ada (0,1)", "boat near (0,0)"].map(str::to_owned).into();
        let said = |eyes| {
            battleship::in_words(
                &turn.sentence(Side::One, eyes),
                &names,
                eyes,
                &rules.describe(),
            )
        };
        assert_eq!(
            [
                Viewer::Judge,
                Viewer::Player(Side::One),
                Viewer::Player(Side::Two)
            ]
            .map(said),
            [
                "Ada (0,1) sank boat near (0,0)'s boat near (0,0) at (0,0).",
                "You sank boat near (0,0)'s boat near (0,0) at (0,0).",
                "Ada (0,1) sank your boat near (0,0) at (0,0).",
            ]
        );
    }
}
