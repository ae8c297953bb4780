//! What the page of a player is told of a game: what that player knows, and no more.

use battleship::protocol::{Order, OrderResult, Sighting, fleet_of};
use battleship::twist::{Cell, Fleet, Quirks, State, UnitKind, View};
use battleship::{AttackResult, BySide, GameState, Placement, Point, Side};
use bothost::text;
use screen::story::{Did, End, News, Question, Turn};
use serde_json::{Value, json};

/// The game as the page of one player follows it.
#[derive(Debug)]
pub(super) struct Eye {
    seat: Side,
    first: Side,
    is_twist: bool,
    /// The twist game, from which the player's view is taken.
    state: Option<State>,
}

impl Eye {
    /// Follows a game for the player on `seat`, in which `first` moves first.
    pub(super) fn new(seat: Side, first: Side, is_twist: bool) -> Eye {
        Eye { seat, first, is_twist, state: None }
    }

    /// Returns the events that tell the page of `news`; `now` is the time on its clock.
    pub(super) fn tell(&mut self, news: &News, now: u64) -> Vec<Value> {
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
        let what = match (question, self.is_twist) {
            (Question::Place, _) => "place",
            (Question::Turn, false) => "attack",
            (Question::Turn, true) => "act",
        };
        let moves = self.view().map(|view| moves_of(view.fleet()));
        json!({ "type": "ask", "turn": number, "what": what, "moves": moves })
    }

    /// Returns why the rules would refuse an order of the player's, if they would.
    pub(super) fn refusal(&self, order: &Order) -> Option<String> {
        let view = self.view()?;
        let Some(order) = order.on_grid() else {
            return Some("That is not on the grid.".to_owned());
        };
        view.check(order).err().map(|why| format!("That is not possible: {why}."))
    }

    fn view(&self) -> Option<&View> {
        self.state.as_ref().map(|state| state.view(self.seat))
    }

    fn placed(&mut self, fleets: &BySide<Vec<Placement>>) -> Vec<Value> {
        let mut events = vec![json!({ "type": "placed", "fleet": fleet_json(&fleets[self.seat]) })];
        if self.is_twist
            && let [Ok(one), Ok(two)] = Side::BOTH.map(|side| fleet_of(&fleets[side]))
        {
            self.state = Some(State::new([one, two], self.first, Quirks::default()));
        }
        events.extend(self.grids());
        events
    }

    fn played(&mut self, Turn { mover, did, time }: &Turn) -> Vec<Value> {
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        match did {
            Did::Attack(at, result) => {
                let (result, ship) = attack_words(*result);
                let Point { row, col } = at;
                let by = mover.index();
                vec![json!({
                    "type": "attack", "by": by, "row": row, "col": col, "result": result, "ship": ship, "us": us,
                })]
            }
            Did::Order(order, result) => {
                if let Some(state) = &mut self.state {
                    // The referee has played it, so it is the mover's turn.
                    let _ = state.play(*order);
                }
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

    /// Returns the grids of a twist game: the player's own, and what it has noted of the other's.
    fn grids(&self) -> Option<Value> {
        let view = self.view()?;
        let own: String = Cell::all().map(|cell| view.fleet().symbol(cell)).collect();
        let notes: String = Cell::all().map(|cell| view.attack().symbol(cell)).collect();
        let damage = view.fleet().units().iter().map(|unit| {
            let cells = 0..unit.kind().size();
            cells.filter(|step| unit.is_damaged(*step)).fold(0_u32, |bits, step| bits | 1 << step)
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

/// Returns what the units of a fleet can do: the unit, its centre, and where it can move; `null` if it fires, which it can at
/// every cell.
fn moves_of(fleet: &Fleet) -> Value {
    let moves = fleet.afloat().map(|unit| {
        let targets: Option<Vec<usize>> = match unit.kind() {
            UnitKind::Battleship => None,
            UnitKind::Support | UnitKind::Submarine => {
                Some(fleet.destinations(unit.id()).iter().map(index_of).collect())
            }
        };
        json!({ "unit": unit.id().index(), "at": index_of(unit.centre()), "to": targets })
    });
    moves.collect()
}

/// Returns the place of a cell, row by row.
fn index_of(cell: Cell) -> usize {
    usize::from(cell.row()) * usize::from(battleship::twist::SIZE) + usize::from(cell.column())
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
        News::Played(Turn { mover, did: Did::Order(order, result), time: Duration::ZERO })
    }

    #[test]
    fn the_fleet_of_the_opponent_is_in_no_event_of_a_twist_game() {
        let mut eye = Eye::new(Side::One, Side::Two, true);
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
        let mut eye = Eye::new(Side::One, Side::One, true);
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
        assert_eq!(eye.refusal(&order((7, 2), (11, 11))), None);
        for (wrong, why) in [
            (order((7, 2), (0, 3)), "battleship 0 is at A4"),
            (order((9, 9), (0, 3)), "no unit"),
            (order((7, 2), (12, 3)), "not on the grid"),
        ] {
            let refusal = eye.refusal(&wrong).unwrap();
            assert!(refusal.contains(why), "{refusal}");
        }
    }

    #[test]
    fn attacks_are_told_with_their_results() {
        let mut eye = Eye::new(Side::Two, Side::One, false);
        let did = Did::Attack(Point::new(3, 4), AttackResult::Sunk(2));
        let turn = Turn { mover: Side::One, did, time: Duration::from_millis(2) };
        let expected = json!({
            "type": "attack", "by": 0, "row": 3, "col": 4, "result": "sunk", "ship": 2, "us": 2000,
        });
        assert_eq!(eye.tell(&News::Played(turn), 9), [expected]);
        assert_eq!(eye.ask(4, Question::Turn)["what"], "attack");
    }
}
