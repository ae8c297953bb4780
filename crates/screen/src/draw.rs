//! Draws a picture with the characters of a terminal.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::live::Standing;
use crate::look::{Look, Part, Sign};
use crate::picture::{At, Grid, ListedShip, Notice, Picture, ShipLine, WayOut};

/// The smallest terminal on which everything fits.
pub const LEAST: (u16, u16) = (80, 24);

/// The margin before the first grid, and the distance between the grids.
const MARGIN: u16 = 2;
const BETWEEN: u16 = 8;

/// The least distance between the grids, since the lists of ships are below them.
const LEAST_ROOM: u16 = 34;

/// The lines of the standings that fit before the lists of ships.
const LEAST_STANDINGS: u16 = 8;

/// The columns of the results beside the standings and the lines below them, with the distance and
/// the heading.
const LEAST_RESULTS: (u16, u16) = (36, 8);

/// The column of the names in the standings, and the distance between the columns.
const NAME: usize = 1;
const GAP: u16 = 2;

/// From how many columns on the log has a place of its own beside the grids.
const WIDE: u16 = 110;

/// The places of the grids on the screen, for the mouse.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places(Vec<GridPlace>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GridPlace {
    /// The left bracket of the first cell.
    x: u16,
    y: u16,
    rows: usize,
    cols: usize,
}

impl Places {
    /// Returns the number of the grid and the cell that are under the pointer.
    pub(crate) fn cell_at(&self, column: u16, row: u16) -> Option<(usize, At)> {
        self.0.iter().enumerate().find_map(|(number, place)| {
            let down = usize::from(row.checked_sub(place.y)?);
            let right = usize::from(column.checked_sub(place.x)?) / 2;
            (down < place.rows && right < place.cols).then_some((number, (down, right)))
        })
    }
}

/// Draws `picture`, and returns where its grids are. In a terminal that is too small it says so
/// instead, and returns `None`.
pub(crate) fn draw(picture: &Picture, look: Look, buffer: &mut Buffer) -> Option<Places> {
    let area = buffer.area;
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let advice = match picture.way_out {
            WayOut::Plain => "Make it larger. p: in words, q: leave.",
            WayOut::Interrupt => "Make it larger. Ctrl-C: leave.",
            WayOut::Other(advice) => advice,
        };
        say_too_small(advice, look, buffer);
        return None;
    }
    if let Some(notice) = picture.notice.as_ref().filter(|notice| notice.alone) {
        draw_notice(notice, look, buffer);
        return Some(Places::default());
    }
    let mut pen = Pen { look, buffer };
    let is_wide = area.width >= WIDE;
    let middle = (area.width - width_of(&picture.headline)) / 2;
    pen.text(middle, 0, Part::Heading, &picture.headline);
    let mut places = Vec::new();
    let mut left = MARGIN;
    let mut below = 0;
    for grid in &picture.grids {
        let room = if is_wide {
            area.width - WIDE / 3
        } else {
            area.width
        };
        let place = pen.grid(grid, left, room);
        below = below.max(place.y + count(place.rows) + 1);
        left = (place.x + 2 * count(place.cols) + BETWEEN).max(left + LEAST_ROOM);
        places.push(place);
    }
    let longest = picture
        .grids
        .iter()
        .map(|grid| grid.ships.len())
        .max()
        .unwrap_or(0);
    let foot = area.height - 2;
    let has_standings = !picture.standings.is_empty();
    // The lines below the ships: of the log, or of the standings beside it, with a free one above.
    let least = match (is_wide, has_standings) {
        (true, _) => 1,
        (false, true) => LEAST_STANDINGS + 1,
        (false, false) => 3,
    };
    let lines = count(longest).min(foot.saturating_sub(below + least));
    for (grid, place) in picture.grids.iter().zip(&places) {
        pen.ships(&grid.ships, place.x + 1, below, lines);
    }
    let mut rest = if is_wide {
        Rect::new(left, 2, area.width - left - 1, foot - 3)
    } else {
        let first = below + lines + u16::from(lines > 0);
        let height = foot.saturating_sub(first);
        Rect::new(MARGIN + 2, first, area.width - 5, height)
    };
    if has_standings {
        rest = pen.standings(&picture.standings, rest, is_wide);
    }
    pen.log(&picture.log, rest);
    let (part, text) = match &picture.mistake {
        Some(mistake) => (Part::Mistake, mistake),
        None => (Part::Asked, &picture.asked),
    };
    pen.text(MARGIN + 2, foot, part, text);
    pen.text(MARGIN + 2, foot + 1, Part::Quiet, &picture.keys);
    if let Some(notice) = &picture.notice {
        draw_notice(notice, look, buffer);
    }
    Some(Places(places))
}

fn count(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

fn width_of(text: &str) -> u16 {
    count(text.width())
}

/// Returns as much of `text` as fits into `width` columns, without characters that move the cursor.
fn fit(text: &str, width: u16) -> String {
    let clean: String = text
        .chars()
        .map(|c| {
            if c.is_control() || c.width().is_none() {
                '?'
            } else {
                c
            }
        })
        .filter(|c| !is_invisible(*c))
        .collect();
    if width_of(&clean) <= width {
        return clean;
    }
    let mut kept = String::new();
    for c in clean.chars() {
        if width_of(&kept) + count(c.width().unwrap_or(0)) >= width {
            break;
        }
        kept.push(c);
    }
    kept.push('>');
    kept
}

/// Whether a character changes the direction of the text around it, or is not seen at all.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Says that the terminal is too small, and what to do about it.
fn say_too_small(advice: &str, look: Look, buffer: &mut Buffer) {
    let area = buffer.area;
    let mut pen = Pen { look, buffer };
    let lines = [
        format!("needs {}x{}", LEAST.0, LEAST.1),
        format!("This terminal has {}x{}.", area.width, area.height),
        advice.to_owned(),
    ];
    for (y, line) in (0..area.height).zip(&lines) {
        pen.text(0, y, Part::Text, line);
    }
}

fn draw_notice(notice: &Notice, look: Look, buffer: &mut Buffer) {
    let area = buffer.area;
    let longest = notice
        .lines
        .iter()
        .map(|line| width_of(line))
        .max()
        .unwrap_or(0);
    let width = (longest.max(width_of(&notice.title)) + 6).min(area.width);
    let height = (count(notice.lines.len()) + 4).min(area.height);
    let frame = Rect {
        x: (area.width - width) / 2,
        y: (area.height - height) / 2,
        width,
        height,
    };
    let mut pen = Pen { look, buffer };
    let (line, side, corners) = if look.ascii {
        ("-", "|", ["+"; 4])
    } else {
        ("─", "│", ["┌", "┐", "└", "┘"])
    };
    for y in frame.y..frame.bottom() {
        pen.text(frame.x, y, Part::Text, &" ".repeat(usize::from(width)));
        pen.text(frame.x, y, Part::Quiet, side);
        pen.text(frame.right() - 1, y, Part::Quiet, side);
    }
    let rule = line.repeat(usize::from(width - 2));
    for (y, [left, right]) in [
        (frame.y, [corners[0], corners[1]]),
        (frame.bottom() - 1, [corners[2], corners[3]]),
    ] {
        pen.text(frame.x, y, Part::Quiet, &format!("{left}{rule}{right}"));
    }
    pen.text(
        frame.x + 3,
        frame.y,
        Part::Heading,
        &format!(" {} ", notice.title),
    );
    for (y, line) in (frame.y + 2..frame.bottom() - 1).zip(&notice.lines) {
        pen.text(frame.x + 3, y, Part::Text, &fit(line, width - 6));
    }
}

/// Writes into a buffer.
struct Pen<'b> {
    look: Look,
    buffer: &'b mut Buffer,
}

impl Pen<'_> {
    fn text(&mut self, x: u16, y: u16, part: Part, text: &str) {
        let style = self.look.style(part);
        self.styled(x, y, style, text);
    }

    fn styled(&mut self, x: u16, y: u16, style: Style, text: &str) {
        let area = self.buffer.area;
        if x < area.width && y < area.height {
            self.buffer
                .set_string(x, y, fit(text, area.width - x), style);
        }
    }

    /// Draws a grid with its title from column `left` on, and returns where its cells are. Below it
    /// the line has space up to column `room`.
    fn grid(&mut self, grid: &Grid, left: u16, room: u16) -> GridPlace {
        let names = grid
            .rows
            .iter()
            .map(|name| width_of(name))
            .max()
            .unwrap_or(0);
        let x = left + names + 1;
        let y = 3;
        let heading = if grid.to_move {
            Part::Asked
        } else {
            Part::Heading
        };
        let width = (2 * count(grid.cols.len()) + BETWEEN - 2).min(room.saturating_sub(x));
        let title = fit(&grid.title, width);
        self.text(x + 1, 1, heading, &title);
        let beside = x + 1 + width_of(&title) + 1;
        let rest = width.saturating_sub(width_of(&title) + 1);
        self.text(beside, 1, Part::Quiet, &fit(&grid.note, rest));
        for (col, name) in (0..).zip(&grid.cols) {
            // Every other name with two digits fits.
            if width_of(name) < 2 || col % 2 == 1 {
                self.text(x + 1 + 2 * col, 2, Part::Quiet, name);
            }
        }
        for (row, name) in grid.rows.iter().enumerate() {
            self.text(x - width_of(name), y + count(row), Part::Quiet, name);
            for col in 0..grid.cols.len() {
                self.cell(grid, (row, col), x + 1 + 2 * count(col), y + count(row));
            }
        }
        self.brackets(grid, x, y);
        GridPlace {
            x,
            y,
            rows: grid.rows.len(),
            cols: grid.cols.len(),
        }
    }

    fn cell(&mut self, grid: &Grid, at: At, x: u16, y: u16) {
        let sign = grid
            .index(at)
            .and_then(|index| grid.signs.get(index).copied());
        let sign = sign.unwrap_or(Sign::Water);
        let mut text = self.look.sign(sign).to_string();
        let mut style = self.look.style_of(sign);
        if grid.possible.contains(&at) {
            style = style.patch(self.look.style(Part::Possible));
            if sign == Sign::Water {
                text.replace_range(.., if self.look.ascii { ":" } else { "∙" });
            }
        }
        if grid.outline.contains(&at) {
            let part = if grid.forbidden {
                Part::Forbidden
            } else {
                Part::Outline
            };
            style = self.look.style(part);
            text = match (grid.forbidden, self.look.ascii) {
                (true, _) => "!".to_owned(),
                (false, true) => "=".to_owned(),
                (false, false) => "□".to_owned(),
            };
        }
        self.styled(x, y, style, &text);
    }

    /// Draws brackets around the last attack and the aim.
    fn brackets(&mut self, grid: &Grid, x: u16, y: u16) {
        for (at, part, [open, close]) in [
            (grid.last, Part::Last, ["(", ")"]),
            (grid.aim, Part::Asked, ["[", "]"]),
        ] {
            let Some((row, col)) = at.filter(|at| grid.index(*at).is_some()) else {
                continue;
            };
            let x = x + 2 * count(col);
            let y = y + count(row);
            self.text(x, y, part, open);
            self.text(x + 2, y, part, close);
            if part == Part::Asked
                && let Some(cell) = self.buffer.cell_mut((x + 1, y))
            {
                cell.set_style(self.look.style(Part::Aim));
            }
        }
    }

    /// Draws the list of ships in this many lines.
    fn ships(&mut self, ships: &[ShipLine], x: u16, y: u16, lines: u16) {
        for (line, ship) in (0..lines).zip(ships) {
            if line + 1 == lines && ships.len() > usize::from(lines) {
                let more = ships.len() + 1 - usize::from(lines);
                self.text(x, y + line, Part::Quiet, &format!("and {more} more"));
                return;
            }
            self.ship(ship, x, y + line);
        }
    }

    fn ship(&mut self, line: &ShipLine, x: u16, y: u16) {
        let (whole, broken) = if self.look.ascii {
            ('=', 'x')
        } else {
            ('■', '╳')
        };
        let mut at = x;
        for ListedShip { length, hit, sunk } in &line.ships {
            let hit = if *sunk { *length } else { *hit };
            let bar = (0..*length).map(|part| if part < hit { broken } else { whole });
            let style = match (sunk, hit) {
                (true, _) => self.look.style_of(Sign::Sunk),
                (false, 0) => Style::new(),
                (false, _) => self.look.style_of(Sign::Hit),
            };
            let bar = fit(&bar.collect::<String>(), 10);
            self.styled(at, y, style, &bar);
            at += width_of(&bar) + 1;
        }
        let all_sunk = line.ships.iter().all(|ship| ship.sunk);
        let part = if all_sunk { Part::Quiet } else { Part::Text };
        let state = if all_sunk { " sunk" } else { "" };
        let room = (x + LEAST_ROOM - 4).saturating_sub(at.max(x + 6) + width_of(state));
        let name = fit(&line.name, room);
        self.text(at.max(x + 6), y, part, &format!("{name}{state}"));
    }

    /// Draws the standings, and the heading of the results below or beside them. Returns the area
    /// of the results.
    fn standings(&mut self, standings: &[Standing], area: Rect, is_wide: bool) -> Rect {
        let cells = |standing: &Standing| {
            let Standing {
                place,
                name,
                score,
                interval,
            } = standing;
            [place, name, score, interval].map(|cell| fit(cell, u16::MAX))
        };
        let head = ["", "player", "score", "95% interval"].map(str::to_owned);
        let rows: Vec<_> = std::iter::once(head)
            .chain(standings.iter().map(cells))
            .collect();
        let mut widths = [0, 1, 2, 3].map(|column: usize| {
            let cells = rows.iter().map(|row| width_of(&row[column]));
            cells.max().unwrap_or(0)
        });
        let (width, height) = if is_wide {
            (area.width, area.height - LEAST_RESULTS.1)
        } else {
            (area.width - LEAST_RESULTS.0, area.height)
        };
        let others = widths[0] + widths[2] + widths[3] + 3 * GAP;
        widths[NAME] = widths[NAME].min(width.saturating_sub(others));
        let lines = usize::from(height);
        let n_shown = if rows.len() > lines {
            lines - 1
        } else {
            rows.len()
        };
        let mut y = area.y;
        for row in &rows[..n_shown] {
            let mut x = area.x;
            for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
                let cell = fit(cell, width);
                let indent = if column == NAME {
                    0
                } else {
                    width - width_of(&cell)
                };
                let part = if y == area.y {
                    Part::Heading
                } else {
                    Part::Text
                };
                self.text(x + indent, y, part, &cell);
                x += width + GAP;
            }
            y += 1;
        }
        if n_shown < rows.len() {
            // Two players at least: one would have had this line.
            let text = format!("and {} more players", rows.len() - n_shown);
            self.text(area.x + widths[0] + GAP, y, Part::Quiet, &text);
            y += 1;
        }
        let (x, y) = if is_wide {
            (area.x, y + 1)
        } else {
            (area.x + others + widths[NAME] + GAP + 1, area.y)
        };
        self.text(x, y, Part::Heading, "last results");
        Rect::new(x, y + 1, area.right() - x, area.bottom() - y - 1)
    }

    /// Draws the last lines of the log.
    fn log(&mut self, log: &[String], area: Rect) {
        let first = log.len().saturating_sub(usize::from(area.height));
        for (y, text) in (area.y..area.bottom()).zip(&log[first..]) {
            let is_last = y + 1 == area.y + count(log.len() - first);
            let part = if is_last { Part::Text } else { Part::Quiet };
            self.text(area.x, y, part, &fit(text, area.width));
        }
    }
}
