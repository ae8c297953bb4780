//! The view of a game that the page of a player receives: what that player knows, and nothing else.

use battleship::protocol::{MAX_LINE, Reply};
use battleship::scene::{MarkKind, ShipShape, ShipState, Viewer};
use battleship::{Actor, BySide, GameInPlay, PlayedTurn, Point, Rules, Side, Turn, in_words};
use bothost::text;
use screen::story::{News, Question, Series, Story};
use serde_json::{Value, json};

/// The game as the page of one player follows it.
#[derive(Debug)]
pub struct Eye {
    seat: Side,
    story: Story,
    series: Series,
}

impl Eye {
    /// Follows a game for the player on `seat`, in which `first` moves first.
    #[must_use]
    pub fn new(seat: Side, first: Side, rules: &Rules, series: Series) -> Eye {
        // The page puts the names in.
        let names = BySide::from_fn(|side| format!("{{{}}}", side.index()));
        Eye {
            seat,
            story: Story::new(rules.clone(), names, first),
            series,
        }
    }

    fn game(&self) -> Box<dyn GameInPlay> {
        self.story.game_after(self.story.turns.len())
    }

    /// Returns the events that tell the page of `news`; `now` is the time on its clock.
    pub fn tell(&mut self, news: &News, now: u64) -> Vec<Value> {
        self.story.hear(news.clone());
        match news {
            News::Placed(_) => vec![self.scene()],
            News::Turn(side) => {
                vec![json!({ "type": "turn", "by": side.index(), "at": now })]
            }
            News::Played(turn) => vec![self.played(turn), self.scene()],
            News::Asked(..) => Vec::new(),
            News::Ended(end) => {
                let verdict = self.story.verdict(
                    BySide::from_fn(|side| side == self.seat),
                    self.series.advice,
                );
                vec![json!({
                    "type": "ended",
                    "winner": end.winner.map(Side::index),
                    "verdict": text::shown(verdict.as_bytes()),
                    "score": self.story.score(self.seat, self.series.score),
                    "opponents": self.series.opponents,
                })]
            }
        }
    }

    /// Returns the number of opponents that the player can choose from for the next game.
    #[must_use]
    pub fn opponents(&self) -> usize {
        self.series.opponents.len()
    }

    /// Returns the event that tells what good would attack, by what the player has seen; `None` if
    /// that is not known.
    #[must_use]
    pub fn tip(&self, number: u64) -> Option<Value> {
        let (at, said) = self.story.advised(self.seat, self.series.advice)?;
        Some(json!({ "type": "tip", "turn": number, "at": self.index(at), "said": said }))
    }

    /// Returns the event that asks the player: the word of its reply, and which of its ships can
    /// act on which cells, if it has to choose one.
    #[must_use]
    pub fn ask(&self, number: u64, question: Question) -> Value {
        let (what, actors) = match question {
            Question::Place => ("place", Vec::new()),
            Question::Turn => (self.game().request().word(), self.game().actors(self.seat)),
        };
        let actors: Vec<_> = actors
            .into_iter()
            .map(|Actor { ship, at, targets }: Actor| {
                let targets =
                    targets.map(|cells| cells.iter().map(|at| self.index(*at)).collect::<Vec<_>>());
                json!({ "ship": ship, "at": self.index(at), "targets": targets })
            })
            .collect();
        let cells = self.game().request().cells();
        json!({ "type": "ask", "turn": number, "what": what, "actors": actors, "cells": cells })
    }

    /// Returns the reply that `line` is; `None` if it is none of the protocol's.
    #[must_use]
    pub fn reply(line: &str) -> Option<Reply> {
        let is_line = line.len() <= MAX_LINE && !line.contains(['\n', '\r']);
        is_line
            .then(|| Reply::parse(line.as_bytes()).ok())
            .flatten()
    }

    /// Returns why `reply` is none to the question, if it is not. One can always resign.
    #[must_use]
    pub fn fault(&self, question: Question, reply: &Reply) -> Option<String> {
        match (question, reply) {
            (_, Reply::Resign) => None,
            (Question::Place, Reply::Place(fleet)) => {
                let fault = self.story.rules.begin().place(self.seat, fleet).err()?;
                Some(format!("These ships cannot be placed: you {fault}."))
            }
            (Question::Place, _) => Some("The question is where your ships are.".to_owned()),
            (Question::Turn, reply) => self.refusal(reply),
        }
    }

    /// Returns why a turn of the player's would be lost, if it would.
    fn refusal(&self, reply: &Reply) -> Option<String> {
        let game = self.game();
        let is_whole = game.steps(reply).is_some();
        let request = game.request();
        game.refusal(self.seat, reply).or_else(|| {
            (!is_whole).then(|| match request.cells() {
                1 => format!("The question is {request}."),
                cells => format!("Choose {cells} cells."),
            })
        })
    }

    /// Returns a turn as the player hears of it: of the opponent's, what the rules do not hide.
    fn played(&self, PlayedTurn { mover, turn, us }: &PlayedTurn) -> Value {
        let rules = &self.story.rules;
        let is_known = *mover == self.seat || turn.notice().is_some();
        let result = if is_known {
            &*turn.result_in_short()
        } else {
            "not seen"
        };
        let on = turn.acts_on(*mover).filter(|_| is_known);
        let Point { row, col } = turn.target();
        let [rows, cols] = rules.size();
        let on_board = (0..rows).contains(&row) && (0..cols).contains(&col);
        let at = on.filter(|_| on_board).map(|_| self.index(turn.target()));
        let eyes = Viewer::Player(self.seat);
        let parts = turn.sentence(*mover, eyes);
        let said = in_words(&parts, &self.story.names, eyes, &rules.describe());
        json!({
            "type": "played",
            "by": mover.index(),
            "cells": self.cells(*mover, turn),
            "result": result,
            "on": on.map(Side::index),
            "at": at,
            "said": said,
            "us": us,
        })
    }

    /// Returns the cells of a turn that the player knows of, by their names.
    fn cells(&self, mover: Side, turn: &Turn) -> Vec<String> {
        let known = if mover == self.seat {
            turn.cells()
        } else {
            turn.notice()
                .map(|_| turn.target())
                .into_iter()
                .collect::<Vec<_>>()
        };
        known
            .into_iter()
            .map(|at| self.story.rules.labels().cell(at))
            .collect()
    }

    /// Returns what the player sees: of each player's waters the marks, a character each, where
    /// ships are, and which of them have sunk.
    fn scene(&self) -> Value {
        let scene = self.game().scene(Viewer::Player(self.seat));
        let cell = |row, col| i32::try_from(row).ok().zip(i32::try_from(col).ok());
        let waters = Side::BOTH.map(|side| {
            let grid = &scene.waters[side];
            let ships = &scene.ships[side];
            json!({
                "marks": grid.marks.iter().map(|mark| match mark.map(|mark| mark.kind) {
            None => '-',
            Some(MarkKind::Miss) => 'm',
            Some(MarkKind::Hit) => 'h',
            Some(MarkKind::Seen) => 's',
            Some(MarkKind::Sunk) => 'x',
        }).collect::<String>(),
                "hulls": grid.hulls.iter().map(|ship| ship.as_ref().map(|ShipShape {
                        row,
                        col,
                        length,
                        down,
                        sunk,
                        ..
                    }: &ShipShape| {
            let cell = cell(*row, *col).map(|(row, col)| self.index(Point::new(row, col)));
            json!({ "cell": cell, "length": length, "down": down, "sunk": sunk })
        })).collect::<Vec<_>>(),
                "sunk": ships.iter().map(|health| *health == ShipState::Sunk).collect::<Vec<_>>(),
            })
        });
        json!({ "type": "scene", "waters": waters })
    }

    /// Returns the place of a cell, row by row.
    fn index(&self, at: Point) -> i32 {
        at.row * self.story.rules.size()[1] + at.col
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use battleship::protocol::{Order, OrderResult};
    use battleship::{AttackResult, Direction, Placement};

    use super::*;

    /// Returns a fleet whose units lie on rows below each other, from `first_row` on.
    fn fleet(first_row: i32) -> Vec<Placement> {
        let ship = |row| Placement {
            top_or_left: Point::new(row, 2),
            direction: Direction::Horizontal,
        };
        (first_row..first_row + 8).map(ship).collect()
    }

    fn turn(mover: Side, order: Order, result: OrderResult) -> News {
        News::Played(PlayedTurn::new(
            mover,
            Turn::Order { order, result },
            Duration::ZERO,
        ))
    }

    #[test]
    fn no_twist_event_has_the_opponents_fleet() {
        let mut eye = Eye::new(Side::One, Side::Two, &Rules::Twist, Series::default());
        let mut events = eye.tell(&News::Placed(BySide::new(fleet(0), fleet(4))), 0);
        let at = Point::new;
        // The opponent's unit 7 is on row 11, so a submarine of its own moves there.
        let hidden = Order {
            origin: at(11, 2),
            target: at(11, 11),
        };
        events.extend(eye.tell(&turn(Side::Two, hidden, "found".parse().unwrap()), 0));
        let own = Order {
            origin: at(0, 4),
            target: at(11, 11),
        };
        events.extend(eye.tell(&turn(Side::One, own, OrderResult::Hit), 0));
        let kinds: Vec<_> = events
            .iter()
            .map(|event| event["type"].as_str().unwrap())
            .collect();
        assert_eq!(kinds, ["scene", "played", "scene", "played", "scene"]);
        assert_eq!(events[1]["cells"], json!([]));
        assert_eq!(events[1]["at"], Value::Null);
        assert_eq!(events[1]["said"], "{1} did not fire.");
        assert_eq!(events[0]["waters"][0]["hulls"][0]["cell"], 2);
        for scene in [&events[0], &events[2], &events[4]] {
            assert_eq!(scene["waters"][1]["hulls"], json!([]));
            assert_eq!(scene["waters"][1]["sunk"], json!(vec![false; 8]));
        }
        let notes = events[4]["waters"][1]["marks"].as_str().unwrap();
        assert_eq!(notes.trim_matches('-'), "h", "{notes}");
    }

    #[test]
    fn a_twist_question_has_what_is_possible() {
        let mut eye = Eye::new(Side::One, Side::One, &Rules::Twist, Series::default());
        assert_eq!(eye.ask(1, Question::Place)["actors"], json!([]));
        eye.tell(&News::Placed(BySide::new(fleet(0), fleet(0))), 0);
        let actors = eye.ask(2, Question::Turn)["actors"].clone();
        assert_eq!(actors.as_array().unwrap().len(), 8);
        assert_eq!(actors[0], json!({ "ship": 0, "at": 4, "targets": null }));
        // A submarine can keep its place, and go to water; but not to where a battleship lies.
        let targets = actors[7]["targets"].as_array().unwrap();
        assert!(targets.contains(&json!(7 * 12 + 2)) && targets.contains(&json!(143)));
        assert!(!targets.contains(&json!(3)));
        let order = |from: (i32, i32), to: (i32, i32)| Order {
            origin: Point::new(from.0, from.1),
            target: Point::new(to.0, to.1),
        };
        assert_eq!(eye.refusal(&Reply::Act(order((7, 2), (11, 11)))), None);
        for (wrong, why) in [
            (order((7, 2), (0, 3)), "battleship 0 is at A4"),
            (order((9, 9), (0, 3)), "no unit"),
            (order((7, 2), (12, 3)), "not both on the grid"),
        ] {
            let refusal = eye.refusal(&Reply::Act(wrong)).unwrap();
            assert!(refusal.contains(why), "{refusal}");
        }
    }

    #[test]
    fn attacks_are_told_with_their_results() {
        let mut eye = Eye::new(
            Side::Two,
            Side::One,
            &Rules::classic(battleship::Game::standard()),
            Series::default(),
        );
        let turn = Turn::Attack {
            at: Point::new(3, 4),
            result: AttackResult::Sunk(2),
        };
        let turn = PlayedTurn::new(Side::One, turn, Duration::from_millis(2));
        let expected = json!({
            "type": "played", "by": 0, "cells": ["(3,4)"], "result": "sunk", "on": 1, "at": 34,
            "said": "{0} sank your destroyer at (3,4).", "us": 2000,
        });
        assert_eq!(eye.tell(&News::Played(turn), 9)[0], expected);
        assert_eq!(eye.ask(4, Question::Turn)["what"], "attack");
    }
}
