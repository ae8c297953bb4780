//! The view of people who play.

use battleship::scene::Viewer;
use battleship::{Point, Preview, Side};

use super::ordering::{On, Ordering};
use super::placing::Placing;
use super::table::{Sitting, Step};
use crate::look::Sign;
use crate::picture::{At, Grid, Notice, Picture, at_of, point_of};
use crate::scene::{age_in_words, said, waters};

const KEYS_OF_PLACING: &str =
    "space rotate  enter place  u undo  r random  o start over  ? keys  q give up";
const KEYS_OF_AIM: &str = "arrows aim  enter attack  or type B7 or 1 7  t tip  ? keys  q give up";
const KEYS_OF_SALVO: &str =
    "arrows aim  enter choose  u undo  or type B7 or 1 7  ? keys  q give up";
const KEYS_OF_UNIT: &str = "tab next unit   enter choose   or type C3 A1   ? keys   q give up";
const KEYS_OF_ORDER: &str = "arrows aim   enter order   esc another unit   ? keys   q give up";
const KEYS_OF_WAIT: &str = "keys typed now count in your turn   ? keys   q give up";
const KEYS_OF_PASS: &str = "enter continue   ? keys";
const KEYS_OF_REVIEW: &str = "r rematch   o another opponent   <- -> look back   ? keys   q leave";
const KEYS_OF_LAST: &str = "r rematch   <- -> look back   ? keys   q leave";

const HELP_AIM: &[&str] = &[
    "arrows        aim",
    "enter         attack, or place the ship",
    "B7, 1 7       a cell: its row and column; enter attacks",
    "mouse         click on a cell; the right button rotates",
    "space, v      rotate the ship",
    "u             take the last ship away again",
    "r             a random fleet      o   start over",
    "t             a tip: what good would attack",
    "q             give up (asks first)",
    "Ctrl-C        end the game        Ctrl-Z  stop it for now",
    "",
    "[ ] is your aim, ( ) the last attack.",
];

const HELP_REVIEW: &[&str] = &[
    "r             a rematch",
    "o             another opponent, where there is a choice",
    "left, right   one turn back, on",
    "Home, End     to the beginning, to the end",
    "q, enter      leave",
    "",
];

const HELP_ORDER: &[&str] = &[
    "tab           the next unit       enter   choose it",
    "arrows        aim                 enter   give the order",
    "C3 A1         an order: the unit with its centre at C3",
    "              rows are A to I and L to N",
    "esc           another unit",
    "mouse         click on a unit, then on its target",
    "placing       space rotates, u undoes, r random, o starts over",
    "q             give up (asks first)",
    "Ctrl-C        end the game        Ctrl-Z  stop it for now",
    "",
];

impl Sitting {
    /// Returns what is on the screen.
    pub(super) fn picture(&self) -> Picture {
        if let Step::Pass {
            to,
            is_hidden: true,
            ..
        } = &self.step
        {
            return self.hidden(*to);
        }
        let mut picture = match &self.step {
            Step::Review(at) => self.review(*at),
            Step::Place(placing) => self.placing(placing),
            Step::Aim(at) => self.aiming(*at),
            Step::Order(order) => self.ordering(order),
            Step::Wait => self.waiting(),
            Step::Pass { to, .. } => self.before_passing(*to),
        };
        picture.mistake.clone_from(&self.mistake);
        picture.notice = self.notice();
        picture
    }

    fn notice(&self) -> Option<Notice> {
        let (title, lines): (&str, Vec<String>) = if self.chooses {
            let opponents = self.series.opponents.iter().enumerate();
            let opponents =
                opponents.map(|(number, opponent)| format!("{}  {opponent}", number + 1));
            let rest = ["", "A number begins the game. Any other key closes this."];
            (
                "another opponent",
                opponents.chain(rest.map(str::to_owned)).collect(),
            )
        } else if self.is_resigning {
            let opponent = &self.story.names[self.resigner().other()];
            let lines = [format!("{opponent} wins then."), String::new()];
            (
                "give up?",
                lines
                    .into_iter()
                    .chain(["y: give up    any other key: continue".to_owned()])
                    .collect(),
            )
        } else if self.helps {
            let rules = &self.story.rules;
            let (keys, hints) = if self.is_over() {
                (HELP_REVIEW, &[][..])
            } else if rules.describe().names_ship {
                (HELP_ORDER, rules.describe().hints)
            } else {
                (HELP_AIM, rules.describe().hints)
            };
            let lines = keys.iter().chain(hints).chain(&["Any key closes this."]);
            ("keys", lines.map(|line| (*line).to_owned()).collect())
        } else {
            return None;
        };
        Some(Notice {
            title: title.to_owned(),
            lines,
            alone: false,
        })
    }

    /// Nothing of either board.
    fn hidden(&self, to: Side) -> Picture {
        let names = &self.story.names;
        let lines = [
            format!("{}, it is your turn.", names[to]),
            format!("{} looks away.", names[to.other()]),
            String::new(),
            "enter: show your board    q: give up".to_owned(),
        ];
        let alone = Notice {
            title: "pass the keyboard".to_owned(),
            lines: lines.into(),
            alone: true,
        };
        Picture {
            notice: self.notice().or(Some(alone)).map(|notice| Notice {
                alone: true,
                ..notice
            }),
            ..Picture::default()
        }
    }

    /// Both grids after this many turns, the opponent's on the left.
    fn boards(&self, turns: usize, eyes: Viewer) -> Picture {
        let story = &self.story;
        let seat = self.seat;
        let other = seat.other();
        let both = self.people.one && self.people.two;
        let thinks = story.to_move == Some(other) && !both && turns == story.turns.len();
        let note = if thinks {
            in_tenths(self.clock)
        } else if both {
            String::new()
        } else {
            story.last_time(other, turns)
        };
        let mut waters = waters(story, turns, eyes);
        let enemy = Grid {
            title: story.names[other].clone(),
            note,
            to_move: thinks,
            ..std::mem::take(&mut waters[other])
        };
        let is_asked = matches!(self.step, Step::Place(_) | Step::Aim(_) | Step::Order(_));
        let left = self
            .limit
            .filter(|_| is_asked)
            .map(|limit| limit.saturating_sub(self.clock));
        let own = Grid {
            title: if both {
                story.names[seat].clone()
            } else {
                "you".to_owned()
            },
            note: left
                .map(|left| format!("{} s left", left.as_secs()))
                .unwrap_or_default(),
            to_move: is_asked,
            ..std::mem::take(&mut waters[seat])
        };
        let log = story.turns[..turns]
            .iter()
            .map(|turn| said(story, turn, eyes));
        let count = story.turns[..turns]
            .iter()
            .filter(|turn| turn.mover == seat)
            .count();
        let what = story.rules.describe().turn_word;
        Picture {
            headline: format!("{what} {}", count + usize::from(story.end.is_none())),
            grids: vec![enemy, own],
            log: log.collect(),
            ..Picture::default()
        }
    }

    fn now(&self) -> Picture {
        let mut picture = self.boards(self.story.turns.len(), Viewer::Player(self.seat));
        if self.story.fleets.is_none() {
            "place your ships".clone_into(&mut picture.headline);
            if let Some(placing) = &self.placed[self.seat] {
                draw_ships(&mut picture.grids[1], placing);
            }
        }
        picture
    }

    fn waiting(&self) -> Picture {
        let now = self.now();
        let other = &self.story.names[self.seat.other()];
        let asked = if self.story.fleets.is_none() {
            format!("{other} places its ships.")
        } else if self.story.to_move == Some(self.seat.other()) {
            format!("{other} thinks.")
        } else {
            String::new()
        };
        Picture {
            asked,
            keys: KEYS_OF_WAIT.to_owned(),
            ..now
        }
    }

    fn before_passing(&self, to: Side) -> Picture {
        let asked = format!(
            "Enter hides your board; then pass the keyboard to {}.",
            self.story.names[to]
        );
        Picture {
            asked,
            keys: KEYS_OF_PASS.to_owned(),
            ..self.now()
        }
    }

    fn placing(&self, placing: &Placing) -> Picture {
        let mut picture = self.now();
        let (placed, all) = placing.progress();
        let asked = match placing.next() {
            None => "All ships are placed: enter begins the game, u takes one back.".to_owned(),
            Some(_) if !self.typed.is_empty() => format!("Its first cell: {}_", self.typed),
            Some(kind) => {
                format!(
                    "Place the {} (length {}), ship {} of {all}.",
                    kind.name,
                    kind.length,
                    placed + 1
                )
            }
        };
        let own = &mut picture.grids[1];
        draw_ships(own, placing);
        let (outline, fits) = placing.outline();
        (own.outline, own.forbidden) = (outline, !fits);
        own.aim = placing.next().map(|_| placing.at());
        for grid in &mut picture.grids {
            grid.note.clear();
        }
        Picture {
            asked,
            keys: KEYS_OF_PLACING.to_owned(),
            ..picture
        }
    }

    fn aiming(&self, at: At) -> Picture {
        let mut picture = self.now();
        picture.grids[0].aim = Some(at);
        picture.grids[0].possible.clone_from(&self.chosen);
        let shots = self.game().request().cells();
        let attack = match self.chosen.len() + 1 {
            shot if shots > 1 => format!("shot {shot} of {shots}"),
            _ => "attack".to_owned(),
        };
        let asked = if let Some(tip) = &self.tip {
            format!("{tip}.")
        } else if self.typed.is_empty() {
            format!("Your {attack}: {}", self.name_of(at))
        } else {
            format!("Your {attack}: {}_", self.typed)
        };
        let keys = if shots > 1 {
            KEYS_OF_SALVO
        } else {
            KEYS_OF_AIM
        };
        Picture {
            asked,
            keys: keys.to_owned(),
            ..picture
        }
    }

    pub(super) fn name_of(&self, at: At) -> String {
        self.story.rules.labels().cell(point_of(at))
    }

    fn ordering(&self, order: &Ordering) -> Picture {
        let mut picture = self.now();
        let (on, at) = order.aim();
        let preview = order.preview(&*self.game(), self.seat);
        picture.grids[usize::from(on == On::Own)].aim = Some(at);
        let asked = self.order_in_words(order, &preview);
        let [other, own] = &mut picture.grids[..] else {
            return picture;
        };
        let cells = |points: &[Point]| points.iter().filter_map(|point| at_of(*point)).collect();
        (own.outline, own.forbidden) = (cells(&preview.outline), preview.forbidden);
        own.possible = cells(&preview.own);
        other.possible = cells(&preview.theirs);
        let keys = if order.chosen().is_some() {
            KEYS_OF_ORDER
        } else {
            KEYS_OF_UNIT
        };
        Picture {
            asked,
            keys: keys.to_owned(),
            ..picture
        }
    }

    fn order_in_words(&self, order: &Ordering, preview: &Preview) -> String {
        if !self.typed.is_empty() {
            return format!("Your order: {}_", self.typed);
        }
        let (on, at) = order.aim();
        if order.chosen().is_none() {
            let cell = self.name_of(at);
            let ships = self.story.rules.ships();
            let here = self.ship_at((on, at)).and_then(|ship| ships.get(ship));
            return here.map_or_else(
                || format!("Choose a unit. {cell}: water"),
                |ship| format!("Choose a unit. {cell}: your {}", ship.name),
            );
        }
        let known = match on {
            On::Own => String::new(),
            On::Other => age_in_words(&self.story, self.seat, at),
        };
        format!("{}{known}", preview.words)
    }

    fn review(&self, at: usize) -> Picture {
        let all = self.story.turns.len();
        let picture = self.boards(at, Viewer::Judge);
        let place = if at == all {
            "the end".to_owned()
        } else {
            format!("turn {at} of {all}")
        };
        let score = self.story.score(self.seat, self.series.score);
        let score = score.map(|score| format!(": {score}")).unwrap_or_default();
        let keys = if self.series.opponents.is_empty() {
            KEYS_OF_LAST
        } else {
            KEYS_OF_REVIEW
        };
        Picture {
            headline: format!("{place}{score}"),
            asked: self.verdict.clone(),
            keys: keys.to_owned(),
            ..picture
        }
    }
}

/// Draws the ships that are placed.
fn draw_ships(own: &mut Grid, placing: &Placing) {
    for (kind, cells) in placing.ships() {
        for cell in cells {
            if let Some(index) = own.index(cell) {
                own.signs[index] = Sign::Ship(kind.symbol);
            }
        }
    }
}

/// Returns a running time, which changes ten times a second.
fn in_tenths(time: std::time::Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
