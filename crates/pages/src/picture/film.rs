//! The view of a game: its grids, turn by turn.

use battleship::scene::{Grid, Viewer};
use battleship::{
    AttackResult, BySide, Description, Frame, GameInPlay, Highlight, Side, Turn, in_words,
};
use bothost::text;

use arena::game::{Event, Listener, Stop};
use battleship::game_reader::{RecordedGame, ReplayError};
use battleship::table::InPlay;

/// A game as pictures show it.
#[derive(Debug)]
pub(super) struct Film {
    /// The game that it is.
    pub(super) title: String,
    /// The game, and its end.
    pub(super) subtitle: String,
    pub(super) game: Description,
    /// The names of rows and columns.
    pub(super) row_names: Vec<String>,
    pub(super) col_names: Vec<String>,
    /// The players.
    pub(super) names: BySide<String>,
    /// The effect of each turn.
    pub(super) turns: Vec<AttackResult>,
    /// The number of turns before the first of `frames`.
    pub(super) first: usize,
    /// The positions, from that after `first` turns on.
    pub(super) frames: Vec<Frame>,
}

impl Film {
    fn new(title: String, end: &str, game: Description, names: BySide<String>) -> Film {
        let [row_names, col_names] = game.labels.lines(game.size);
        Film {
            title,
            subtitle: format!("{} · {end}", game.summary),
            row_names,
            col_names,
            game,
            names,
            turns: Vec::new(),
            first: 0,
            frames: Vec::new(),
        }
    }

    /// Returns the headings of the grids: of both players' waters, and of what they have noted if
    /// the game has that.
    pub(super) fn headings(&self) -> Vec<String> {
        let BySide { one, two } = &self.names;
        let mut headings = vec![one.clone(), two.clone()];
        if self.frames.iter().any(|frame| frame.scene.notes.is_some()) {
            headings.push(format!("What {one} knows of {two}"));
            headings.push(format!("What {two} knows of {one}"));
        }
        headings
    }
}

/// Returns what happened in the turn of a frame, as a sentence.
pub(super) fn sentence(film: &Film, frame: &Frame) -> String {
    in_words(&frame.sentence, &film.names, Viewer::Judge, &film.game)
}

/// Returns the grids of a frame, in the order of their headings.
pub(super) fn grids(frame: &Frame) -> Vec<&Grid> {
    let waters = frame.scene.waters.iter().map(|(_, grid)| grid);
    waters
        .chain(
            frame
                .scene
                .notes
                .iter()
                .flat_map(|notes| notes.iter().map(|(_, grid)| grid)),
        )
        .collect()
}

/// Returns the number of the grid of a cell to look at.
pub(super) fn grid_of(highlight: &Highlight) -> usize {
    highlight.side.index() + if highlight.in_notes { 2 } else { 0 }
}

/// Returns the film of a recorded game with the position after `kept` turns, or with all.
pub(super) fn film(
    game: &RecordedGame,
    number: u64,
    kept: Option<usize>,
) -> Result<Film, ReplayError> {
    let names = game.names().map(|name| text::name(&name));
    let title = format!("Game {number}: {} against {}", names.one, names.two);
    let film = Film::new(
        title,
        &text::shortened(&game.reason),
        game.rules()?.describe(),
        names,
    );
    let mut camera = Camera {
        film,
        kept,
        last: None,
    };
    game.replay(&mut camera)?;
    Ok(camera.film)
}

/// Follows a game and keeps its positions.
struct Camera {
    film: Film,
    kept: Option<usize>,
    /// The last position.
    last: Option<Frame>,
}

impl Listener<Event<'_>> for Camera {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Begun { position } => {
                if let Some(position) = InPlay::of(*position) {
                    self.keep(Frame::opening(&*position.game));
                }
            }
            Event::Played {
                side,
                position,
                time: _,
            } => {
                if let Some(InPlay {
                    game,
                    turn: Some(turn),
                }) = InPlay::of(*position)
                {
                    self.see(*side, turn, &**game);
                }
            }
            // Turns are kept once they are played, and the reason of the end is in the record.
            Event::Asked { .. } | Event::Comment { .. } | Event::Ended { .. } => {}
        }
        Ok(())
    }
}

impl Camera {
    fn see(&mut self, mover: Side, turn: &Turn, game: &dyn GameInPlay) {
        let Some(last) = &self.last else { return };
        let frame = last.after(turn, mover, game, self.film.game.size);
        self.film.turns.push(frame.impact);
        self.keep(frame);
    }

    fn keep(&mut self, frame: Frame) {
        let number = self.film.turns.len();
        if self.kept.is_none_or(|kept| kept == number) {
            if self.film.frames.is_empty() {
                self.film.first = number;
            }
            self.film.frames.push(frame.clone());
        }
        self.last = Some(frame);
    }
}
