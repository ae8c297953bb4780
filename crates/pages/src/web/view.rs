//! What the page of a player is told of a game: what that player knows, and no more.

use battleship::protocol::{Order, OrderResult, Reply, Sighting};
use battleship::scene::{Eyes, Mark, MarkKind};
use battleship::{
    Actor, AttackResult, BySide, GameInPlay, Placement, PlayedTurn, Point, Rules, Side, Turn,
};
use bothost::text;
use screen::story::{End, News, Question, Story};
use serde_json::{Value, json};

/// The game as the page of one player follows it.
#[derive(Debug)]
pub(super) struct Eye {
    seat: Side,
    story: Story,
}

impl Eye {
    /// Follows a game for the player on `seat`, in which `first` moves first.
    pub(super) fn new(seat: Side, first: Side, rules: &Rules) -> Eye {
        Eye { seat, story: Story::new(rules.clone(), BySide::default(), first) }
    }

    fn game(&self) -> Box<dyn GameInPlay + '_> {
        self.story.game_after(self.story.turns.len())
    }

    /// Returns the events that tell the page of `news`; `now` is the time on its clock.
    pub(super) fn tell(&mut self, news: &News, now: u64) -> Vec<Value> {
        self.story.hear(news.clone());
        match news {
            News::Placed(fleets) => self.placed(fleets),
            News::Turn(side) => {
                vec![json!({ "type": "turn", "by": side.index(), "at": now })]
            }
            News::Played(turn) => self.played(turn),
            News::Asked(..) => Vec::new(),
            News::Ended(End { winner, why }) => {
                let winner = winner.map(Side::index);
                vec![
                    json!({ "type": "ended", "winner": winner, "why": text::shown(why.as_bytes()) }),
                ]
            }
        }
    }

    /// Returns the event that asks the player.
    pub(super) fn ask(&self, number: u64, question: Question) -> Value {
        let what = match question {
            Question::Place => "place",
            Question::Turn => self.story.rules.turn_request().word(),
        };
        let moves = (self.shows_grids() && self.story.fleets.is_some())
            .then(|| moves_of(&self.game().actors(self.seat)));
        json!({ "type": "ask", "turn": number, "what": what, "moves": moves })
    }

    /// Returns why a turn of the player's would be lost, if it would.
    pub(super) fn refusal(&self, reply: &Reply) -> Option<String> {
        self.game().refusal(self.seat, reply)
    }

    /// Whether the page is told of both grids after each turn: where ships move, they do not follow from the turns.
    fn shows_grids(&self) -> bool {
        self.story.rules.turn_names_ship()
    }

    fn placed(&self, fleets: &BySide<Vec<Placement>>) -> Vec<Value> {
        let mut events = vec![json!({ "type": "placed", "fleet": fleet_json(&fleets[self.seat]) })];
        events.extend(self.grids());
        events
    }

    fn played(&self, PlayedTurn { mover, turn, us }: &PlayedTurn) -> Vec<Value> {
        match turn {
            Turn::Attack { at, result } => {
                let (result, ship) = attack_words(*result);
                let Point { row, col } = at;
                let by = mover.index();
                vec![json!({
                    "type": "attack", "by": by, "row": row, "col": col, "result": result, "ship": ship, "us": us,
                })]
            }
            Turn::Order { order, result } => {
                let mut event = if *mover == self.seat {
                    own_order(order, result)
                } else {
                    seen_order(order, result)
                };
                event["by"] = json!(mover.index());
                event["us"] = json!(us);
                [event].into_iter().chain(self.grids()).collect()
            }
        }
    }

    /// Returns the grids of a game whose ships move: the player's own, and what it has noted of the other's; and the damage
    /// of each ship, a bit for each part.
    fn grids(&self) -> Option<Value> {
        let scene = self.game().scene(Eyes::Player(self.seat));
        if !self.shows_grids() {
            return None;
        }
        let (own, other) = (&scene.waters[self.seat], &scene.waters[self.seat.other()]);
        let [_, cols] = self.story.rules.size();
        let index = |(row, col): (usize, usize)| row * usize::try_from(cols).unwrap_or(0) + col;
        let is_hit = |cell| own.marks[index(cell)].is_some_and(|mark| mark.kind == MarkKind::Hit);
        let mut shown = vec!['~'; own.marks.len()];
        for hull in own.hulls.iter().flatten() {
            for cell in hull.cells() {
                let symbol = hull.symbol;
                shown[index(cell)] =
                    if is_hit(cell) { symbol.to_ascii_lowercase() } else { symbol };
            }
        }
        let own: String = shown.into_iter().collect();
        let note = |mark: &Option<Mark>| match mark.map(|mark| mark.kind) {
            None => '~',
            Some(MarkKind::Miss) => 'O',
            Some(MarkKind::Hit | MarkKind::Sunk) => 'X',
            Some(MarkKind::Seen) => 'Y',
        };
        let notes: String = other.marks.iter().map(note).collect();
        let lengths = self.story.rules.ships();
        let damage =
            scene.waters[self.seat].hulls.iter().zip(&lengths).map(|(hull, ship)| match hull {
                Some(hull) => {
                    let hit = (0..).zip(hull.cells()).filter(|(_, cell)| is_hit(*cell));
                    hit.fold(0_u32, |bits, (step, _)| bits | 1 << step)
                }
                // A ship that has sunk is damaged all over.
                None => (1 << ship.length) - 1,
            });
        let damage: Vec<u32> = damage.collect();
        Some(json!({ "type": "grids", "own": own, "notes": notes, "damage": damage }))
    }
}

/// Returns ships as the page has them: row, column and whether each lies downwards.
fn fleet_json(fleet: &[Placement]) -> Value {
    let ship = |Placement { top_or_left: at, direction }: &Placement| {
        json!([at.row, at.col, *direction == battleship::Direction::Vertical])
    };
    fleet.iter().map(ship).collect()
}

/// Returns what ships can do: the ship, the cell that names it, and where it can move; `null` if it shoots, which it can at every
/// cell.
fn moves_of(actors: &[Actor]) -> Value {
    let moves = actors.iter().map(|Actor { ship, at, targets }| {
        let targets: Option<Vec<i32>> =
            targets.as_ref().map(|targets| targets.iter().map(|at| index_of(*at)).collect());
        json!({ "unit": ship, "at": index_of(*at), "to": targets })
    });
    moves.collect()
}

/// Returns the place of a cell, row by row.
fn index_of(at: Point) -> i32 {
    at.row * i32::from(battleship::twist::SIZE) + at.col
}

fn attack_words(result: AttackResult) -> (&'static str, Option<usize>) {
    match result {
        AttackResult::Miss => ("miss", None),
        AttackResult::Hit => ("hit", None),
        AttackResult::Sunk(ship) => ("sunk", Some(ship)),
        AttackResult::Wasted => ("wasted", None),
    }
}

/// Returns an order of the player's own, with all that came of it.
fn own_order(order: &Order, result: &OrderResult) -> Value {
    let Order { origin, target } = order;
    let mut event = json!({
        "type": "order", "from": [origin.row, origin.col], "to": [target.row, target.col],
    });
    match result {
        OrderResult::Miss => event["result"] = json!("miss"),
        OrderResult::Hit => event["result"] = json!("hit"),
        OrderResult::Repaired(ids) => {
            event["result"] = json!("repaired");
            event["ids"] = json!(ids);
        }
        OrderResult::Found(found) => {
            let found = found.iter();
            event["result"] = json!("found");
            event["found"] = found
                .map(|(at, seen)| json!([at.row, at.col, *seen == Sighting::Damaged]))
                .collect();
        }
        OrderResult::Refused(why) => {
            event["result"] = json!("refused");
            event["why"] = json!(why);
        }
    }
    event
}

/// Returns an order of the opponent's: where it fired, or that it did something else, which the rules hide.
fn seen_order(order: &Order, result: &OrderResult) -> Value {
    let target = [order.target.row, order.target.col];
    match result {
        OrderResult::Miss => json!({ "type": "order", "to": target, "result": "miss" }),
        OrderResult::Hit => json!({ "type": "order", "to": target, "result": "hit" }),
        OrderResult::Repaired(_) | OrderResult::Found(_) | OrderResult::Refused(_) => {
            json!({ "type": "order", "to": null, "result": "hidden" })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use battleship::Direction;

    use super::*;

    /// Returns a fleet whose units lie on rows below each other, from `first_row` on.
    fn fleet(first_row: i32) -> Vec<Placement> {
        let ship =
            |row| Placement { top_or_left: Point::new(row, 2), direction: Direction::Horizontal };
        (first_row..first_row + 8).map(ship).collect()
    }

    fn turn(mover: Side, order: Order, result: OrderResult) -> News {
        News::Played(PlayedTurn::new(mover, Turn::Order { order, result }, Duration::ZERO))
    }

    #[test]
    fn the_fleet_of_the_opponent_is_in_no_event_of_a_twist_game() {
        let mut eye = Eye::new(Side::One, Side::Two, &Rules::Twist);
        let mut events = eye.tell(&News::Placed(BySide::new(fleet(0), fleet(4))), 0);
        let at = Point::new;
        // The opponent's unit 7 is on row 11, so a submarine of its own moves there.
        let hidden = Order { origin: at(11, 2), target: at(11, 11) };
        events.extend(eye.tell(&turn(Side::Two, hidden, OrderResult::Found(vec![])), 0));
        let own = Order { origin: at(0, 4), target: at(11, 11) };
        events.extend(eye.tell(&turn(Side::One, own, OrderResult::Hit), 0));
        let kinds: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["placed", "grids", "order", "grids", "order", "grids"]);
        assert_eq!(events[2]["to"], Value::Null);
        assert_eq!(events[2]["result"], "hidden");
        assert_eq!(events[0]["fleet"][0], json!([0, 2, false]));
        let notes = events[5]["notes"].as_str().unwrap();
        assert_eq!(notes.trim_matches('~'), "X", "{notes}");
        assert_eq!(events[5]["own"].as_str().unwrap()[12 * 8..].trim_matches('~'), "");
    }

    #[test]
    fn a_question_in_the_twist_game_says_what_is_possible() {
        let mut eye = Eye::new(Side::One, Side::One, &Rules::Twist);
        assert_eq!(eye.ask(1, Question::Place)["moves"], Value::Null);
        eye.tell(&News::Placed(BySide::new(fleet(0), fleet(0))), 0);
        let moves = eye.ask(2, Question::Turn)["moves"].clone();
        assert_eq!(moves.as_array().unwrap().len(), 8);
        assert_eq!(moves[0], json!({ "unit": 0, "at": 4, "to": null }));
        // A submarine can keep its place, and go to water; but not to where a battleship lies.
        let targets = moves[7]["to"].as_array().unwrap();
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
            (order((7, 2), (12, 3)), "not on the grid"),
        ] {
            let refusal = eye.refusal(&Reply::Act(wrong)).unwrap();
            assert!(refusal.contains(why), "{refusal}");
        }
    }

    #[test]
    fn attacks_are_told_with_their_results() {
        let mut eye = Eye::new(Side::Two, Side::One, &Rules::Classic(battleship::Game::standard()));
        let turn = Turn::Attack { at: Point::new(3, 4), result: AttackResult::Sunk(2) };
        let turn = PlayedTurn::new(Side::One, turn, Duration::from_millis(2));
        let expected = json!({
            "type": "attack", "by": 0, "row": 3, "col": 4, "result": "sunk", "ship": 2, "us": 2000,
        });
        assert_eq!(eye.tell(&News::Played(turn), 9), [expected]);
        assert_eq!(eye.ask(4, Question::Turn)["what"], "attack");
    }
}
