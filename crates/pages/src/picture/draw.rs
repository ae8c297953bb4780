//! Draws a film as SVG.

use std::fmt::Write;

use super::Shown;
use battleship::scene::{MarkKind, ShipShape, ShipState};
use battleship::{AttackResult, ShipType, Side};

use super::film::{Film, grid_of, grids, sentence};
use super::layout::{LABEL, LINE, Layout, MARGIN};
use super::motion::changing;
use super::style::{DEFINITIONS, style};
use super::words::{description, escaped, text_at};

const MEMORY: &str = "a string takes everything";

/// The longest texts, in columns of a terminal.
const LONGEST_TITLE: usize = 56;
const LONGEST_SUBTITLE: usize = 92;
const LONGEST_HEADING: usize = 16;
const LONGEST_SECOND_HEADING: usize = 32;
const LONGEST_NOTE: usize = 24;
const LONGEST_SAID: usize = 76;

/// The average width of a character of a list.
const CHARACTER: usize = 8;

/// Returns the picture.
pub(super) fn draw(film: &Film, shown: Shown) -> String {
    let layout = Layout::new(film);
    let Layout { width, height, .. } = layout;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"battleship\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n",
        escaped(&film.title),
        escaped(&description(film, shown))
    );
    out.push_str(&style(shown));
    out.push_str(DEFINITIONS);
    line(
        &mut out,
        &format!("<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>"),
    );
    titles(&mut out, film);
    for grid in 0..layout.grids.len() {
        sea(&mut out, film, &layout, grid);
        ships_and_marks(&mut out, film, &layout, grid);
    }
    for player in 0..2 {
        list(&mut out, film, &layout, player);
    }
    changing(&mut out, film, |frame, _| {
        let outlines = frame.highlights.iter();
        outlines
            .map(|at| layout.shape('l', grid_of(at), at.row, at.col))
            .collect()
    });
    time(&mut out, film, &layout);
    out.push_str("</svg>\n");
    out
}

fn titles(out: &mut String, film: &Film) {
    let left = MARGIN + LABEL;
    let top = MARGIN + 18;
    line(
        out,
        &text_at("title", left, top, &film.title, LONGEST_TITLE),
    );
    line(
        out,
        &text_at("soft", left, top + 26, &film.subtitle, LONGEST_SUBTITLE),
    );
}

/// Draws an empty grid with its heading.
fn sea(out: &mut String, film: &Film, layout: &Layout, grid: usize) {
    let (x, y) = layout.grids[grid];
    let headings = film.headings();
    let width = film.col_names.len() * layout.cell;
    let height = film.row_names.len() * layout.cell;
    let heading = y - LABEL - 8;
    let longest = if grid < 2 {
        LONGEST_HEADING
    } else {
        LONGEST_SECOND_HEADING
    };
    line(out, &text_at("name", x, heading, &headings[grid], longest));
    if grid < 2 {
        let right = x + layout.column - LABEL;
        changing(out, film, |frame, _| {
            text_at(
                "soft end",
                right,
                heading,
                <[&String; 2]>::from(frame.scene.remarks.as_ref())[grid],
                LONGEST_NOTE,
            )
        });
    }
    line(
        out,
        &format!("<rect class=\"sea\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"),
    );
    let mut lines = String::new();
    for row in 1..film.row_names.len() {
        write!(lines, "M{x} {}h{width}", y + row * layout.cell).expect(MEMORY);
    }
    for col in 1..film.col_names.len() {
        write!(lines, "M{} {y}v{height}", x + col * layout.cell).expect(MEMORY);
    }
    line(out, &format!("<path class=\"lines\" d=\"{lines}\"/>"));
    line(
        out,
        &format!(
            "<rect class=\"frame\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        ),
    );
    let middle = layout.cell / 2;
    for (row, name) in film.row_names.iter().enumerate() {
        line(
            out,
            &text_at("head", x - 14, y + row * layout.cell + middle + 4, name, 4),
        );
    }
    for (col, name) in film.col_names.iter().enumerate() {
        line(
            out,
            &text_at("head", x + col * layout.cell + middle, y - 9, name, 4),
        );
    }
}

fn ships_and_marks(out: &mut String, film: &Film, layout: &Layout, grid: usize) {
    let hulls = film
        .frames
        .iter()
        .map(|frame| grids(frame)[grid].hulls.len())
        .max()
        .unwrap_or(0);
    for hull in 0..hulls {
        changing(out, film, |frame, _| {
            let hull = grids(frame)[grid].hulls.get(hull).copied().flatten();
            hull.map_or(String::new(), |hull| {
                ship(layout, grid, &hull, frame.scene.ships_move)
            })
        });
    }
    for row in 0..film.row_names.len() {
        for col in 0..film.col_names.len() {
            let cell = row * film.col_names.len() + col;
            changing(out, film, |frame, _| {
                let Some(Some(mark)) = grids(frame)[grid].marks.get(cell) else {
                    return String::new();
                };
                let shape = match mark.kind {
                    MarkKind::Miss => 'm',
                    MarkKind::Hit => 'h',
                    MarkKind::Sunk => 's',
                    MarkKind::Seen => 'y',
                };
                layout.shape(shape, grid, row, col)
            });
        }
    }
}

/// Draws a ship: in one piece, with round ends, and with its letter where it is ordered.
fn ship(layout: &Layout, grid: usize, hull: &ShipShape, with_letter: bool) -> String {
    let (x, y) = layout.place(grid, hull.row, hull.col);
    let long = hull.length * layout.cell - 4;
    let wide = layout.cell - 4;
    let (width, height) = if hull.down {
        (wide, long)
    } else {
        (long, wide)
    };
    let class = if hull.sunk { "wreck" } else { "ship" };
    let mut drawn = format!(
        "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"{}\"/>",
        x + 2,
        y + 2,
        layout.cell / 3
    );
    if with_letter {
        // On the middle cell, by which a unit is ordered. Under a mark it is the length that tells
        // the kind.
        let (x, y) = match hull.cells().nth(hull.length / 2) {
            Some((row, col)) => layout.place(grid, row, col),
            None => (x, y),
        };
        let middle = layout.cell / 2;
        drawn.push_str(&text_at(
            "kind",
            x + middle,
            y + middle + 5,
            &hull.symbol.to_string(),
            2,
        ));
    }
    drawn
}

/// Lists the ships of a player below the first grid: as long as they are, and struck out where they
/// have sunk.
fn list(out: &mut String, film: &Film, layout: &Layout, player: usize) {
    let left = layout.grids[player].0;
    let (columns, lines) = layout.list;
    let column = (layout.column - LABEL) / columns;
    let length_of = |ship: &ShipType| usize::try_from(ship.length).unwrap_or(0);
    let longest = film.game.ships.iter().map(length_of).max().unwrap_or(1);
    // A part of a ship is so long that the longest one leaves space for its name.
    let part = (column / (2 + columns) / longest.max(1)).clamp(4, 16);
    let room = column.saturating_sub(longest * part + 20) / CHARACTER;
    let side = Side::BOTH[player];
    for (number, kind) in film.game.ships.iter().enumerate() {
        let length = length_of(kind);
        // Of a long name its noun, which is the last word.
        let is_long = kind.name.chars().count() > room;
        let noun = || kind.name.rsplit(' ').next().unwrap_or_default();
        let name = if is_long { noun() } else { &kind.name };
        let x = left + number / lines.max(1) * column;
        let y = layout.lists + number % lines.max(1) * LINE;
        changing(out, film, |frame, _| {
            let health = frame.scene.ships[side].get(number).copied();
            let width = length * part;
            let bar = |class: &str, x: usize, width: usize| {
                let y = y + 3;
                format!(
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"10\" rx=\"3\"/>"
                )
            };
            let (bars, class) = match health {
                Some(ShipState::Sunk) => (bar("wreck", x, width), "gone"),
                Some(ShipState::Afloat(hits)) if hits > 0 => {
                    (bar("ship", x, width) + &bar("hit", x, hits * part), "")
                }
                Some(ShipState::Afloat(_)) | None => (bar("ship", x, width), ""),
            };
            bars + &text_at(class, x + longest * part + 12, y + 13, name, room)
        });
    }
}

/// Draws what happened in the turn, and the line of time: a mark for each hit and a longer one for
/// each ship sunk.
fn time(out: &mut String, film: &Film, layout: &Layout) {
    let left = MARGIN + LABEL;
    let right = layout.width - MARGIN;
    let turns = film.turns.len();
    let y = layout.time;
    changing(out, film, |frame, _| {
        text_at("", left, y - 30, &sentence(film, frame), LONGEST_SAID)
    });
    changing(out, film, |_, number| {
        text_at(
            "soft end",
            right,
            y - 30,
            &format!("turn {number} of {turns}"),
            LONGEST_NOTE,
        )
    });
    line(
        out,
        &format!("<path class=\"line\" d=\"M{left} {y}H{right}\"/>"),
    );
    let at = |number: usize| left + (right - left) * number / turns.max(1);
    for (class, is_sunk, half) in [("tick-hit", false, 7), ("tick-sunk", true, 11)] {
        let mut ticks = String::new();
        for (number, impact) in (1..).zip(&film.turns) {
            let is_meant = match impact {
                AttackResult::Hit => !is_sunk,
                AttackResult::Sunk(_) => is_sunk,
                AttackResult::Miss | AttackResult::Wasted => false,
            };
            if !is_meant {
                continue;
            }
            write!(ticks, "M{} {}v{}", at(number), y - half, 2 * half).expect(MEMORY);
        }
        if !ticks.is_empty() {
            line(out, &format!("<path class=\"{class}\" d=\"{ticks}\"/>"));
        }
    }
    changing(out, film, |_, number| {
        format!(
            "<circle class=\"now\" cx=\"{}\" cy=\"{y}\" r=\"6\"/>",
            at(number)
        )
    });
}

fn line(out: &mut String, element: &str) {
    out.push_str(element);
    out.push('\n');
}
