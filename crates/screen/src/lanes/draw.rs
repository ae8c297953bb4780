//! Draws a contest: a head, the games side by side, and below them how the last ones ended.

use ratatui_core::buffer::Buffer;
use ratatui_core::style::Modifier;

use super::LaneGame;
use super::state::Watching;
use crate::draw::{LEAST, Pen, count, draw_notice, fit, say_too_small, width_of};
use crate::look::{Look, Part, Sign};
use crate::picture::Grid;
use battleship::scene::Viewer;

use crate::scene::waters;
use battleship::Side;

/// The columns left of everything, and between two games.
const MARGIN: u16 = 1;
const GAP: u16 = 2;

/// The lines of the head with the free one below it, and those of the foot.
const HEAD: u16 = 3;
const FOOT: u16 = 2;

/// Ended games that have room before another row of games gets it.
const LEAST_ENDED: u16 = 4;

/// The columns of the bar that shows how many games are over.
const BAR: u16 = 20;

/// The lines above the cells of a game: which it is, and the names.
const TITLE: u16 = 2;

/// The number of games that have room, and where.
struct Layout {
    /// The size of the place of one game, with what is between it and the next.
    width: u16,
    height: u16,
    across: usize,
    down: usize,
}

/// Draws what is seen of a contest.
pub(super) fn draw(watching: &Watching, look: Look, buffer: &mut Buffer) {
    let area = buffer.area;
    let notice = watching.notice();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let advice = match notice {
            Some(_) => watching.keys(),
            None => "The contest continues. Make the window larger, or press q.",
        };
        say_too_small(advice, look, buffer);
        return;
    }
    draw_contest(watching, look, buffer);
    if let Some(notice) = notice {
        draw_notice(&notice, look, buffer);
    }
}

fn draw_contest(watching: &Watching, look: Look, buffer: &mut Buffer) {
    let area = buffer.area;
    let sample = watching.sample();
    let mut pen = Pen { look, buffer };
    draw_head(watching, &mut pen, area.width);
    let grids = |game: &LaneGame| {
        let turns = game.story.turns.len();
        <[Grid; 2]>::from(waters(&game.story, turns, Viewer::Judge))
    };
    let games: Vec<_> = sample
        .lanes
        .iter()
        .map(|lane| lane.as_ref().map(grids))
        .collect();
    let layout = Layout::of(&games, area.width, area.height);
    let room = layout.across * layout.down;
    for (place, (lane, grids)) in sample.lanes.iter().zip(&games).take(room).enumerate() {
        let x = MARGIN + layout.width * count(place % layout.across);
        let y = HEAD + layout.height * count(place / layout.across);
        match lane.as_ref().zip(grids.as_ref()) {
            Some((game, grids)) => draw_game(game, grids, &mut pen, x, y, layout.width - GAP),
            None => pen.text(x, y, Part::Quiet, "no game"),
        }
    }
    let rows = count(
        sample
            .lanes
            .len()
            .div_ceil(layout.across)
            .clamp(1, layout.down),
    );
    let below = HEAD + layout.height * rows;
    if sample.lanes.len() > room {
        let first = room + 1;
        let last = sample.lanes.len();
        let lanes = if first == last {
            format!("Lane {last} plays")
        } else {
            format!("Lanes {first} to {last} play")
        };
        let text = format!("{lanes} too, but have no room in this terminal.");
        pen.text(MARGIN, below - 1, Part::Quiet, &text);
    }
    let foot = area.height - FOOT;
    pen.log(
        &sample.finished,
        MARGIN,
        below,
        area.width - 2 * MARGIN,
        foot.saturating_sub(below),
    );
    pen.text(MARGIN, foot, Part::Asked, watching.state());
    pen.text(MARGIN, foot + 1, Part::Quiet, watching.keys());
}

/// Draws the score with its interval, and below it how far the contest is.
fn draw_head(watching: &Watching, pen: &mut Pen<'_>, width: u16) {
    let sample = watching.sample();
    // The interval keeps its place, however long the names are.
    let interval = fit(&sample.interval, width / 2);
    let at = width - MARGIN - width_of(&interval);
    pen.text(
        MARGIN,
        0,
        Part::Heading,
        &fit(&sample.score, at.saturating_sub(MARGIN + GAP)),
    );
    pen.text(at, 0, Part::Text, &interval);
    let full = u64::from(BAR) * sample.done.min(sample.planned) / sample.planned.max(1);
    let (done, rest) = if pen.look.ascii {
        ("=", ".")
    } else {
        ("━", "─")
    };
    let full = usize::try_from(full).unwrap_or(0);
    pen.text(MARGIN, 1, Part::Asked, &done.repeat(full));
    let empty = usize::from(BAR).saturating_sub(full);
    pen.text(MARGIN + count(full), 1, Part::Quiet, &rest.repeat(empty));
    let planned = sample.planned.max(sample.done);
    let pace = format!("{} of {planned} games{}", sample.done, sample.pace);
    pen.text(MARGIN + BAR + GAP, 1, Part::Text, &pace);
}

/// Draws the grids of both players side by side, with a line between them.
fn draw_game(game: &LaneGame, grids: &[Grid; 2], pen: &mut Pen<'_>, x: u16, y: u16, width: u16) {
    let turns = game.story.turns.len();
    let turn = format!("turn {turns}");
    let room = width.saturating_sub(width_of(&turn) + 1);
    let title = fit(&game.title, room);
    pen.text(x, y, Part::Text, &title);
    pen.text(x + width_of(&title) + 1, y, Part::Quiet, &turn);
    let mut left = x;
    for (side, grid) in Side::BOTH.into_iter().zip(grids) {
        let rows = count(grid.rows.len());
        let cols = count(grid.cols.len());
        let moves = game.story.to_move == Some(side);
        let has_won = game
            .story
            .end
            .as_ref()
            .is_some_and(|end| end.winner == Some(side));
        let part = if moves || has_won {
            Part::Asked
        } else {
            Part::Heading
        };
        pen.text(left, y + 1, part, &fit(&game.story.names[side], cols));
        for row in 0..rows {
            for col in 0..cols {
                let at = (usize::from(row), usize::from(col));
                let index = grid
                    .index(at)
                    .and_then(|index| grid.signs.get(index).copied());
                let sign = index.unwrap_or(Sign::Water);
                let mut style = pen.look.style_of(sign);
                if grid.last == Some(at) {
                    style = style
                        .remove_modifier(Modifier::DIM)
                        .add_modifier(Modifier::REVERSED);
                }
                let text = pen.look.sign(sign).to_string();
                pen.styled(left + col, y + TITLE + row, style, &text);
            }
        }
        left += cols;
        if side == Side::One {
            let line = if pen.look.ascii { "|" } else { "│" };
            (0..rows).for_each(|row| pen.text(left, y + TITLE + row, Part::Quiet, line));
            left += 1;
        }
    }
}

impl Layout {
    /// Returns how many games have room; all places have the size of the largest.
    fn of(games: &[Option<[Grid; 2]>], width: u16, height: u16) -> Layout {
        let grids = || games.iter().flatten().flatten();
        let cols = grids().map(|grid| grid.cols.len()).max().unwrap_or(10);
        let rows = grids().map(|grid| grid.rows.len()).max().unwrap_or(10);
        // On narrow boards there is still room for the number of the game.
        let cell_width = (2 * count(cols) + 1).max(21) + GAP;
        let cell_height = TITLE + count(rows) + 1;
        let across = (width + GAP).saturating_sub(MARGIN) / cell_width;
        let down = height.saturating_sub(HEAD + FOOT + LEAST_ENDED) / cell_height;
        Layout {
            width: cell_width,
            height: cell_height,
            across: usize::from(across.max(1)),
            down: usize::from(down.max(1)),
        }
    }
}
