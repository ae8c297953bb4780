//! The meaning of a key to a person who is asked.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "most keys mean nothing most of the time"
)]

use battleship::Point;
use battleship::protocol::Reply;
use battleship::scene::Viewer;

use super::ordering::{On, Ordering};
use super::placing::Placing;
use super::table::{Sitting, Step};
use super::typed;
use crate::input::Input;
use crate::picture::{At, at_of, point_of};

impl Sitting {
    /// Takes a key that is part of a cell. Returns whether it is. What moves the aim otherwise
    /// takes the place of what is typed. `keys` are those that mean something else before anything
    /// is typed.
    fn types(&mut self, key: Input, keys: &str) -> bool {
        match key {
            Input::Up | Input::Down | Input::Left | Input::Right | Input::Click(..) => {
                self.typed.clear();
                false
            }
            Input::Typed(c)
                if typed::belongs(c, &self.story.rules, self.typed.is_empty(), keys) =>
            {
                // Two cells are shorter.
                if self.typed.len() < 12 {
                    self.typed.push(c);
                }
                true
            }
            Input::Backspace if !self.typed.is_empty() => {
                self.typed.pop();
                true
            }
            Input::Escape if !self.typed.is_empty() => {
                self.typed.clear();
                true
            }
            _ => false,
        }
    }

    /// Returns the cells that are typed.
    fn typed_cells(&self) -> Option<Vec<At>> {
        typed::cells(&self.typed, &self.story.rules)
    }

    /// Returns what is wrong with what is typed.
    fn no_cells(&self) -> String {
        let example = if self.story.rules.describe().names_ship {
            "as B7, or two for an order, as C3 A1"
        } else {
            "as B7 or 1 7"
        };
        let rows = typed::rows_in_words(&self.story.rules);
        let rows = rows
            .map(|rows| format!(" (rows {rows})"))
            .unwrap_or_default();
        format!(
            "\"{}\" is not a cell; type one {example}{rows}.",
            self.typed
        )
    }

    pub(super) fn place(&mut self, key: Input, mut placing: Placing) {
        if self.types(key, "vuor") {
            if let Some([at]) = self.typed_cells().as_deref() {
                placing.move_to(*at);
            }
            self.step = Step::Place(placing);
            return;
        }
        match key {
            Input::Up => placing.move_by(-1, 0),
            Input::Down => placing.move_by(1, 0),
            Input::Left => placing.move_by(0, -1),
            Input::Right => placing.move_by(0, 1),
            Input::Over(1, at) => placing.move_to(at),
            Input::Typed(' ' | 'v' | 'V') | Input::Turn | Input::Tab => placing.rotate(),
            Input::Typed('u' | 'U') | Input::Backspace => placing.undo(),
            Input::Typed('o' | 'O') => placing.start_over(),
            Input::Typed('r' | 'R') => self.mistake = placing.place_randomly(&mut self.rng).err(),
            Input::Click(1, at) if placing.next().is_some() => {
                placing.move_to(at);
                self.mistake = placing.place().err();
            }
            Input::Enter => {
                if let Some(fleet) = placing.fleet() {
                    self.placed[self.seat] = Some(placing);
                    self.answer(Reply::Place(fleet));
                    return;
                }
                match self.typed_cells().as_deref() {
                    Some([at]) => placing.move_to(*at),
                    Some(_) | None if !self.typed.is_empty() => {
                        self.mistake = Some(self.no_cells());
                        self.typed.clear();
                        self.step = Step::Place(placing);
                        return;
                    }
                    Some(_) | None => {}
                }
                self.typed.clear();
                self.mistake = placing.place().err();
            }
            _ => {}
        }
        self.step = Step::Place(placing);
    }

    pub(super) fn aim(&mut self, key: Input, mut at: At) {
        if self.types(key, "tu") {
            if let Some([typed]) = self.typed_cells().as_deref() {
                at = *typed;
            }
            self.step = Step::Aim(at);
            return;
        }
        let [rows, cols] = self.story.rules.line_names();
        let moved = |down, right| {
            let (row, col): At = at;
            let row: usize = row.saturating_add_signed(down);
            let col: usize = col.saturating_add_signed(right);
            (
                row.min(rows.len().saturating_sub(1)),
                col.min(cols.len().saturating_sub(1)),
            )
        };
        let mut fires = false;
        match key {
            Input::Up => at = moved(-1, 0),
            Input::Down => at = moved(1, 0),
            Input::Left => at = moved(0, -1),
            Input::Right => at = moved(0, 1),
            Input::Over(0, over) => at = over,
            Input::Typed('t' | 'T') => {
                if let Some((point, words)) = self.story.advised(self.seat, self.series.advice) {
                    at = at_of(point).unwrap_or(at);
                    self.tip = Some(words);
                }
            }
            Input::Backspace | Input::Typed('u' | 'U') => {
                self.chosen.pop();
            }
            Input::Click(0, over) => (at, fires) = (over, true),
            Input::Enter if self.typed.is_empty() => fires = true,
            Input::Enter => match self.typed_cells().as_deref() {
                Some([typed]) => (at, fires) = (*typed, true),
                Some(_) | None => self.mistake = Some(self.no_cells()),
            },
            _ => {}
        }
        if key == Input::Enter {
            self.typed.clear();
        }
        self.aims[self.seat] = at;
        self.step = Step::Aim(at);
        if fires {
            let cells = [&self.chosen[..], &[at]].concat();
            self.give(&cells);
        }
    }

    pub(super) fn order(&mut self, key: Input, mut order: Ordering) {
        if self.types(key, "") {
            if let Some([at]) = self.typed_cells().as_deref() {
                order.move_to(*at);
            }
            self.step = Step::Order(order);
            return;
        }
        let mut decided = false;
        match key {
            Input::Up => order.move_by(-1, 0),
            Input::Down => order.move_by(1, 0),
            Input::Left => order.move_by(0, -1),
            Input::Right => order.move_by(0, 1),
            Input::Tab | Input::Typed(' ') => order.next_ship(self.ship_at(order.aim()), false),
            Input::BackTab => order.next_ship(self.ship_at(order.aim()), true),
            Input::Escape | Input::Backspace | Input::Turn => order.back(),
            Input::Over(grid, at) | Input::Click(grid, at) => {
                let is_meant = (grid == 0) == (order.aim().0 == On::Other);
                if is_meant {
                    order.move_to(at);
                    decided = matches!(key, Input::Click(..));
                } else if matches!(key, Input::Click(1, _)) {
                    // Another unit of one's own, although the aim is on the other grid.
                    order.back();
                    order.move_to(at);
                    decided = true;
                }
            }
            Input::Enter if self.typed.is_empty() => decided = true,
            Input::Enter => {
                let typed = self.typed_cells();
                match typed.as_deref() {
                    Some([at]) => {
                        order.move_to(*at);
                        decided = true;
                    }
                    Some([from, to]) => {
                        let whole = [*from, *to];
                        self.typed.clear();
                        self.aims[self.seat] = order.target();
                        self.step = Step::Order(order);
                        self.give(&whole);
                        return;
                    }
                    Some(_) | None => self.mistake = Some(self.no_cells()),
                }
                self.typed.clear();
            }
            _ => {}
        }
        if decided && order.chosen().is_some() {
            let whole = [order.named(), order.aim().1];
            self.aims[self.seat] = order.target();
            self.step = Step::Order(order);
            self.give(&whole);
            return;
        }
        if decided && !order.choose(self.ship_at(order.aim())) {
            let cell = self.name_of(order.aim().1);
            self.mistake = Some(format!("None of your units is at {cell}."));
        }
        self.step = Step::Order(order);
    }

    /// Takes the turn that names these cells, unless it would be lost. A turn that names more of
    /// them waits for the rest.
    fn give(&mut self, cells: &[At]) {
        let points: Vec<Point> = cells.iter().map(|at| point_of(*at)).collect();
        let game = self.game();
        let request = game.request();
        let Some(reply) = Reply::naming(&points, &request) else {
            return;
        };
        let refusal = game.refusal(self.seat, &reply);
        let all = request.cells();
        match refusal {
            Some(why) => {
                self.mistake = Some(why);
                return;
            }
            None if cells.len() < all => self.chosen = cells.to_vec(),
            None => self.answer(reply),
        }
        self.mistake = None;
    }

    /// Returns the own ship at an aim on the own grid.
    pub(super) fn ship_at(&self, (on, at): (On, At)) -> Option<usize> {
        let scene = self.game().scene(Viewer::Player(self.seat));
        let mut hulls = scene.waters[self.seat].hulls.iter();
        hulls
            .position(|hull| hull.is_some_and(|hull| hull.cells().any(|cell| cell == at)))
            .filter(|_| on == On::Own)
    }
}
