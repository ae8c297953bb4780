//! The table at which people play: what is asked, and what a key means then.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "most keys mean nothing most of the time"
)]

use std::collections::VecDeque;
use std::time::Duration;

use battleship::protocol::Reply;
use battleship::seeded::SeededRng;
use battleship::{BySide, GameInPlay, Side};

use super::People;
use super::ordering::Ordering;
use super::placing::Placing;
use crate::input::Input;
use crate::picture::At;
use crate::story::{News, Next, Question, Series, Story};
use crate::watch::Left;

/// The most keys that are kept while it is the opponent's turn.
const MOST_AHEAD: usize = 256;

/// The step at the table.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// The opponent's turn, or the referee's.
    Wait,
    /// Ships are placed.
    Place(Placing),
    /// A turn that names one cell is aimed at this one.
    Aim(At),
    /// A turn that names a ship and a cell is put together.
    Order(Ordering),
    /// The other person is to answer this. First the one before sees the result of its turn, then
    /// the board is hidden.
    Pass {
        to: Side,
        question: Question,
        is_hidden: bool,
    },
    /// The game is over; this many turns are shown.
    Review(usize),
}

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    Stay,
    Leave(Left),
}

/// The table.
#[derive(Debug)]
pub(super) struct Sitting {
    pub(super) story: Story,
    pub(super) people: BySide<bool>,
    pub(super) limit: Option<Duration>,
    /// The player who sees the board: the person who was asked last.
    pub(super) seat: Side,
    pub(super) step: Step,
    pub(super) typed: String,
    pub(super) mistake: Option<String>,
    /// The attack that good would make.
    pub(super) tip: Option<String>,
    /// The keys that were pressed before it was this person's turn.
    ahead: VecDeque<Input>,
    /// Whether the person is asked whether to give up.
    pub(super) is_resigning: bool,
    pub(super) helps: bool,
    /// Whether the person chooses another opponent.
    pub(super) chooses: bool,
    pub(super) series: Series,
    /// The end of the game: it takes a moment to find out what good would have needed.
    pub(super) verdict: String,
    /// The cell that each person aimed at last.
    pub(super) aims: BySide<At>,
    /// The cells of a salvo that were chosen so far.
    pub(super) chosen: Vec<At>,
    /// The last question that has no answer yet.
    question: Option<(Side, Question)>,
    answers: Vec<(Side, Reply)>,
    /// The player whose next question is answered with the resignation that was confirmed while
    /// there was none.
    resigns: Option<Side>,
    /// The fleets that were placed here, until the game begins.
    pub(super) placed: BySide<Option<Placing>>,
    pub(super) rng: SeededRng,
    /// The time that it is since something happened.
    pub(super) clock: Duration,
}

impl Sitting {
    pub(super) fn new(story: Story, people: People) -> Sitting {
        let People {
            here,
            limit,
            seed,
            series,
        } = people;
        let [rows, cols] = story.rules.line_names();
        let middle = (rows.len() / 2, cols.len() / 2);
        Sitting {
            story,
            people: here,
            limit,
            seat: if here.one { Side::One } else { Side::Two },
            step: Step::Wait,
            typed: String::new(),
            mistake: None,
            tip: None,
            ahead: VecDeque::new(),
            is_resigning: false,
            helps: false,
            chooses: false,
            series,
            verdict: String::new(),
            aims: BySide::new(middle, middle),
            chosen: Vec::new(),
            question: None,
            answers: Vec::new(),
            resigns: None,
            placed: BySide::default(),
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
        let asked = news.asked();
        let is_end = matches!(news, News::Ended(_));
        self.story.hear(news);
        if is_end {
            self.question = None;
            self.is_resigning = false;
            self.step = Step::Review(self.story.turns.len());
            self.verdict = self.story.verdict(self.people, self.series.advice);
        }
        let Some((side, question)) = asked else {
            return;
        };
        self.question = Some((side, question));
        let is_first =
            self.answers.is_empty() && self.story.turns.is_empty() && question == Question::Place;
        let both = self.people.one && self.people.two;
        if self.resigns == Some(side) {
            self.answer(Reply::Resign);
        } else if both && (self.seat != side || (is_first && side == self.seat)) {
            // The first person has nothing to see yet.
            self.step = Step::Pass {
                to: side,
                question,
                is_hidden: self.seat == side,
            };
        } else {
            self.ask(side, question);
        }
        self.press_what_was_typed_ahead();
    }

    /// Asks the person on `side`, who sits down.
    fn ask(&mut self, side: Side, question: Question) {
        self.seat = side;
        self.typed.clear();
        self.chosen.clear();
        (self.mistake, self.tip) = (None, None);
        let rules = &self.story.rules;
        self.step = match question {
            Question::Place => Step::Place(Placing::new(rules)),
            Question::Turn if !rules.describe().names_ship => Step::Aim(self.aims[side]),
            Question::Turn => {
                Step::Order(Ordering::new(rules, &*self.game(), side, self.aims[side]))
            }
        };
    }

    /// Returns the game as it stands.
    pub(super) fn game(&self) -> Box<dyn GameInPlay> {
        self.story.game_after(self.story.turns.len())
    }

    pub(super) fn answer(&mut self, reply: Reply) {
        if let Some((side, _)) = self.question.take() {
            self.answers.push((side, reply));
        }
        self.step = Step::Wait;
        self.typed.clear();
        self.mistake = None;
    }

    fn press_what_was_typed_ahead(&mut self) {
        while self.question.is_some() && !self.is_resigning && !self.helps {
            let Some(key) = self.ahead.pop_front() else {
                return;
            };
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
                self.press_what_was_typed_ahead();
            }
            return Then::Stay;
        }
        match key {
            Input::Typed('?') => self.helps = true,
            // The person who sits here has had its turn, and the question is for the other.
            Input::Typed('q' | 'Q')
                if matches!(
                    self.step,
                    Step::Pass {
                        is_hidden: false,
                        ..
                    }
                ) => {}
            Input::Typed('q' | 'Q') => self.is_resigning = true,
            key => self.play(key),
        }
        Then::Stay
    }

    /// Returns who gives up if that is confirmed.
    pub(super) fn resigner(&self) -> Side {
        self.question.map_or(self.seat, |(side, _)| side)
    }

    fn resign(&mut self) {
        if self.question.is_some() {
            self.answer(Reply::Resign);
        } else {
            self.resigns = Some(self.resigner());
        }
    }

    fn play(&mut self, key: Input) {
        // A hand that brushes the mouse neither hides what is wrong nor moves what is typed.
        let brushes = matches!(key, Input::Over(..));
        if brushes && !self.typed.is_empty() {
            return;
        }
        if !brushes {
            (self.mistake, self.tip) = (None, None);
        }
        match std::mem::replace(&mut self.step, Step::Wait) {
            Step::Wait => {
                if !brushes && self.ahead.len() < MOST_AHEAD {
                    self.ahead.push_back(key);
                }
            }
            Step::Place(placing) => self.place(key, placing),
            Step::Aim(at) => self.aim(key, at),
            Step::Order(order) => self.order(key, order),
            Step::Pass {
                to,
                question,
                is_hidden,
            } => match (key, is_hidden) {
                (Input::Enter, true) => self.ask(to, question),
                (Input::Enter, false) => {
                    self.step = Step::Pass {
                        to,
                        question,
                        is_hidden: true,
                    };
                }
                _ => {
                    self.step = Step::Pass {
                        to,
                        question,
                        is_hidden,
                    }
                }
            },
            Step::Review(at) => self.step = Step::Review(at),
        }
    }

    fn press_in_review(&mut self, key: Input, at: usize) -> Then {
        let all = self.story.turns.len();
        let to = match key {
            Input::Over(..) => at,
            Input::Typed(digit) if std::mem::take(&mut self.chooses) => {
                let number = digit
                    .to_digit(10)
                    .and_then(|digit| (digit as usize).checked_sub(1));
                match number.filter(|number| *number < self.series.opponents.len()) {
                    Some(number) => return Then::Leave(Left::For(Next::Opponent(number))),
                    None => at,
                }
            }
            _ if std::mem::take(&mut self.chooses) => at,
            Input::Typed('q' | 'Q') | Input::Enter | Input::Escape => {
                return Then::Leave(Left::Willingly);
            }
            Input::Typed('r' | 'R') => return Then::Leave(Left::For(Next::Rematch)),
            Input::Typed('o' | 'O') => {
                self.chooses = !self.series.opponents.is_empty();
                at
            }
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
