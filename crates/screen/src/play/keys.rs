//! What a key means to a person who is asked.

#![allow(clippy::wildcard_enum_match_arm, reason = "most keys mean nothing most of the time")]

use battleship::Point;
use battleship::protocol::Reply;
use battleship::twist::Order;

use super::ordering::{self, On, Ordering};
use super::placing::Placing;
use super::table::{Step, Table};
use super::typed;
use crate::input::Input;
use crate::picture::At;
use crate::scene::cell_name;
use crate::story::{Did, Rules};

impl Table {
    /// Takes a key that is part of a cell. Returns whether it is. What moves the aim otherwise takes the place of what is typed.
    fn types(&mut self, key: Input) -> bool {
        match key {
            Input::Up | Input::Down | Input::Left | Input::Right | Input::Click(..) => {
                self.typed.clear();
                false
            }
            Input::Typed(c) if typed::belongs(c, &self.story.rules, self.typed.is_empty()) => {
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
        let example = match self.story.rules {
            Rules::Classic(_) => "as B7 or 1 7",
            Rules::Twist => "as B7, or two of them for an order, as C3 A1",
        };
        format!("\"{}\" is no cell of this board; type one {example}.", self.typed)
    }

    pub(super) fn place(&mut self, key: Input, mut placing: Placing) {
        if self.types(key) {
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
        if self.types(key) {
            if let Some([typed]) = self.typed_cells().as_deref() {
                at = *typed;
            }
            self.step = Step::Aim(at);
            return;
        }
        let (rows, cols) = crate::scene::names_of_lines(&self.story.rules);
        let moved = |down, right| {
            let (row, col): At = at;
            let row: usize = row.saturating_add_signed(down);
            let col: usize = col.saturating_add_signed(right);
            (row.min(rows.len().saturating_sub(1)), col.min(cols.len().saturating_sub(1)))
        };
        let mut fires = false;
        match key {
            Input::Up => at = moved(-1, 0),
            Input::Down => at = moved(1, 0),
            Input::Left => at = moved(0, -1),
            Input::Right => at = moved(0, 1),
            Input::Over(0, over) => at = over,
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
            let point = point_of(at);
            match self.earlier_attack(point) {
                Some(why) => self.mistake = Some(why),
                None => self.answer(Reply::Attack(point)),
            }
        }
    }

    /// Says that the person has attacked there before, if that is so: it would waste the turn.
    fn earlier_attack(&self, at: Point) -> Option<String> {
        let mut own = self.story.turns.iter().filter(|turn| turn.mover == self.seat);
        let is_there = |did: &Did| matches!(did, Did::Attack(point, _) if *point == at);
        let cell = cell_name(&self.story.rules, at);
        own.any(|turn| is_there(&turn.did))
            .then(|| format!("You have attacked {cell} before; choose another cell."))
    }

    pub(super) fn order(&mut self, key: Input, mut order: Ordering) {
        let Some(view) = self.view() else { return };
        let fleet = view.fleet();
        if self.types(key) {
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
            Input::Tab | Input::Typed(' ') => order.next_unit(fleet, false),
            Input::BackTab => order.next_unit(fleet, true),
            Input::Escape | Input::Backspace | Input::Turn => {
                order.back();
            }
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
                        let whole =
                            Order { origin: ordering::cell(*from), target: ordering::cell(*to) };
                        match view.check(whole) {
                            Ok(_) => return self.give(whole, order.target()),
                            Err(why) => self.mistake = Some(ordering::sentence(why)),
                        }
                    }
                    Some(_) | None => self.mistake = Some(self.no_cells()),
                }
                self.typed.clear();
            }
            _ => {}
        }
        if decided && order.unit().is_none() {
            self.mistake = order.choose(fleet).err();
        } else if decided {
            match order.order(&view) {
                Ok(whole) => return self.give(whole, order.target()),
                Err(why) => self.mistake = Some(why),
            }
        }
        self.step = Step::Order(order);
    }

    fn give(&mut self, order: Order, aim: At) {
        self.aims[self.seat] = aim;
        self.answer(Reply::Act(order.into()));
    }
}

fn point_of((row, col): At) -> Point {
    let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    Point::new(number(row), number(col))
}
