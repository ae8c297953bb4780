//! The table at which people play: what is asked, and what a key means then.

#![allow(clippy::wildcard_enum_match_arm, reason = "most keys mean nothing most of the time")]

use std::collections::VecDeque;
use std::time::Duration;

use battleship::protocol::Reply;
use battleship::seeded::SeededRng;
use battleship::twist::{Order, View};
use battleship::{BySide, Point, Side};

use super::People;
use super::ordering::{self, On, Ordering};
use super::placing::Placing;
use super::typed;
use crate::input::Input;
use crate::picture::At;
use crate::scene::{cell_name, state_after};
use crate::story::{Did, News, Question, Rules, Story};

/// The most keys that are kept while it is the opponent's turn.
const MOST_AHEAD: usize = 256;

/// What happens at the table.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// The opponent's turn, or the referee's.
    Wait,
    /// Ships are placed.
    Place(Placing),
    /// An attack of the classic game is aimed at this cell.
    Aim(At),
    /// An order of the twist game is put together.
    Order(Ordering),
    /// The other person is to answer this. First the one before sees what came of its turn, then the board is hidden.
    Pass { to: Side, question: Question, is_hidden: bool },
    /// The game is over; so many turns are shown.
    Review(usize),
}

/// What follows from a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    Stay,
    Leave,
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) story: Story,
    pub(super) people: BySide<bool>,
    pub(super) limit: Option<Duration>,
    /// Who sees the board: the person who was asked last.
    pub(super) seat: Side,
    pub(super) step: Step,
    pub(super) typed: String,
    pub(super) mistake: Option<String>,
    /// The keys that were pressed before it was this person's turn.
    ahead: VecDeque<Input>,
    pub(super) is_resigning: bool,
    pub(super) helps: bool,
    /// Where each person aimed last.
    aims: BySide<At>,
    /// What was asked last and not answered.
    question: Option<(Side, Question)>,
    answers: Vec<(Side, Reply)>,
    /// Whether the next question is answered with the resignation that was confirmed while there was none.
    resigns: bool,
    rng: SeededRng,
    /// How long it is since something happened.
    pub(super) clock: Duration,
}

impl Table {
    pub(super) fn new(story: Story, people: People) -> Table {
        let People { here, limit, seed } = people;
        let (rows, cols) = crate::scene::names_of_lines(&story.rules);
        let middle = (rows.len() / 2, cols.len() / 2);
        Table {
            story,
            people: here,
            limit,
            seat: if here.one { Side::One } else { Side::Two },
            step: Step::Wait,
            typed: String::new(),
            mistake: None,
            ahead: VecDeque::new(),
            is_resigning: false,
            helps: false,
            aims: BySide::new(middle, middle),
            question: None,
            answers: Vec::new(),
            resigns: false,
            rng: SeededRng::new(seed),
            clock: Duration::ZERO,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(self.step, Step::Review(_))
    }

    /// Takes the answers that were given.
    pub(super) fn answers(&mut self) -> Vec<(Side, Reply)> {
        std::mem::take(&mut self.answers)
    }

    pub(super) fn look_at_clock(&mut self, since: Duration) {
        self.clock = since;
    }

    pub(super) fn hear(&mut self, news: News) {
        let (asked, is_end) = (news.asked(), matches!(news, News::Ended(_)));
        self.story.hear(news);
        if is_end {
            self.question = None;
            self.is_resigning = false;
            self.step = Step::Review(self.story.turns.len());
        }
        let Some((side, question)) = asked else { return };
        self.question = Some((side, question));
        let is_first =
            self.answers.is_empty() && self.story.turns.is_empty() && question == Question::Place;
        let both = self.people.one && self.people.two;
        if self.resigns {
            self.answer(Reply::Resign);
        } else if both && (self.seat != side || (is_first && side == self.seat)) {
            // The first person has nothing to see yet.
            self.step = Step::Pass { to: side, question, is_hidden: self.seat == side };
        } else {
            self.ask(side, question);
        }
        self.press_what_was_typed_ahead();
    }

    /// Asks the person on `side`, who sits down.
    fn ask(&mut self, side: Side, question: Question) {
        self.seat = side;
        self.typed.clear();
        self.mistake = None;
        self.step = match (question, &self.story.rules) {
            (Question::Place, rules) => Step::Place(Placing::new(rules)),
            (Question::Turn, Rules::Classic(_)) => Step::Aim(self.aims[side]),
            (Question::Turn, Rules::Twist) => match self.view() {
                Some(view) => Step::Order(Ordering::new(view.fleet(), self.aims[side])),
                None => Step::Wait,
            },
        };
    }

    /// Returns what the person knows in the twist game.
    pub(super) fn view(&self) -> Option<View> {
        let state = state_after(&self.story, self.story.turns.len())?;
        Some(state.view(self.seat).clone())
    }

    fn answer(&mut self, reply: Reply) {
        if let Some((side, _)) = self.question.take() {
            self.answers.push((side, reply));
        }
        self.step = Step::Wait;
        self.typed.clear();
        self.mistake = None;
    }

    fn press_what_was_typed_ahead(&mut self) {
        while self.question.is_some() && !self.is_resigning && !self.helps {
            let Some(key) = self.ahead.pop_front() else { return };
            self.press(key);
        }
    }

    pub(super) fn press(&mut self, key: Input) -> Then {
        if std::mem::take(&mut self.helps) {
            self.press_what_was_typed_ahead();
            return Then::Stay;
        }
        if let Step::Review(at) = self.step {
            return self.press_in_review(key, at);
        }
        if self.is_resigning {
            // A hand that brushes the mouse decides nothing.
            if !matches!(key, Input::Over(..)) {
                self.is_resigning = false;
                if matches!(key, Input::Typed('y' | 'Y')) {
                    self.resign();
                }
            }
            return Then::Stay;
        }
        match key {
            Input::Typed('?') => self.helps = true,
            Input::Typed('q' | 'Q') => self.is_resigning = true,
            key => self.play(key),
        }
        Then::Stay
    }

    fn resign(&mut self) {
        if self.question.is_some() {
            self.answer(Reply::Resign);
        } else {
            self.resigns = true;
        }
    }

    fn play(&mut self, key: Input) {
        self.mistake = None;
        match std::mem::replace(&mut self.step, Step::Wait) {
            Step::Wait => {
                let counts = !matches!(key, Input::Over(..));
                if counts && self.ahead.len() < MOST_AHEAD {
                    self.ahead.push_back(key);
                }
            }
            Step::Place(placing) => self.place(key, placing),
            Step::Aim(at) => self.aim(key, at),
            Step::Order(order) => self.order(key, order),
            Step::Pass { to, question, is_hidden } => match (key, is_hidden) {
                (Input::Enter, true) => self.ask(to, question),
                (Input::Enter, false) => {
                    self.step = Step::Pass { to, question, is_hidden: true };
                }
                _ => self.step = Step::Pass { to, question, is_hidden },
            },
            Step::Review(at) => self.step = Step::Review(at),
        }
    }

    /// Takes a key that is part of a cell. Returns whether it is.
    fn types(&mut self, key: Input) -> bool {
        match key {
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

    fn place(&mut self, key: Input, mut placing: Placing) {
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

    fn aim(&mut self, key: Input, mut at: At) {
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
        if matches!(key, Input::Enter | Input::Click(..)) {
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

    fn order(&mut self, key: Input, mut order: Ordering) {
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

    fn press_in_review(&mut self, key: Input, at: usize) -> Then {
        let all = self.story.turns.len();
        let to = match key {
            Input::Typed('q' | 'Q') | Input::Enter | Input::Escape => return Then::Leave,
            Input::Typed('?') => {
                self.helps = true;
                at
            }
            Input::Left => at.saturating_sub(1),
            Input::Right => (at + 1).min(all),
            Input::Home => 0,
            Input::End => all,
            _ => at,
        };
        self.step = Step::Review(to);
        Then::Stay
    }
}

fn point_of((row, col): At) -> Point {
    let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    Point::new(number(row), number(col))
}
