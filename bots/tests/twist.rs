//! The bots of the twist game against each other.

use battleship::protocol::{Order, OrderResult};
use battleship::{BySide, Outcome, Placement, Point, Side, TwistBot};
use bots::{Shipped, Terminal, play_twist};

const KINDS: [&str; 3] = ["awful", "mediocre", "good"];
const TURNS: u32 = 100;

/// A bot of that kind at the beginning of a game with that seed.
fn bot(kind: &'static str, seed: u64) -> Box<dyn TwistBot> {
    let shipped = Shipped::named(kind).expect("these players are shipped");
    let mut bot = shipped.twist_bot(kind, &Terminal::nowhere());
    bot.new_game(seed);
    bot
}

/// A bot, and everything that it orders. None of its orders may be refused.
struct Observed {
    kind: &'static str,
    bot: Box<dyn TwistBot>,
    orders: Vec<Order>,
    outcome: Option<Outcome>,
}

impl Observed {
    fn new(kind: &'static str, seed: u64) -> Observed {
        Observed {
            kind,
            bot: bot(kind, seed),
            orders: Vec::new(),
            outcome: None,
        }
    }
}

impl TwistBot for Observed {
    fn new_game(&mut self, _seed: u64) {
        unreachable!("the game has begun");
    }
    fn place_units(&mut self) -> Option<Vec<Placement>> {
        self.bot.place_units()
    }
    fn act(&mut self) -> Order {
        self.orders.push(self.bot.act());
        self.orders[self.orders.len() - 1]
    }
    fn act_result(&mut self, order: Order, result: &OrderResult) {
        let is_refused = matches!(result, OrderResult::Refused(_));
        assert!(!is_refused, "{}: {order}: {result}", self.kind);
        self.bot.act_result(order, result);
    }
    fn opponent_fired(&mut self, at: Point) {
        self.bot.opponent_fired(at);
    }
    fn game_over(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }
}

/// A game that keeps all orders.
fn observed(
    kinds: [&'static str; 2],
    seed: u64,
    first: Side,
) -> (Option<Side>, BySide<Vec<Order>>) {
    let [one, two] = kinds;
    let mut bots = BySide::new(Observed::new(one, seed), Observed::new(two, seed + 1));
    let winner = play_twist(
        bots.as_mut().map(|bot| bot as &mut dyn TwistBot),
        first,
        TURNS,
    );
    for (side, bot) in &bots {
        let outcome = match winner {
            None => Outcome::Void,
            Some(winner) if winner == side => Outcome::Won,
            Some(_) => Outcome::Lost,
        };
        assert_eq!(bot.outcome, Some(outcome));
    }
    (winner, bots.map(|bot| bot.orders))
}

#[test]
fn every_kind_plays_every_other() {
    let pairs = KINDS.iter().enumerate();
    let pairs = pairs.flat_map(|(number, one)| KINDS[number..].iter().map(|other| [*one, *other]));
    for (kinds, first) in pairs.zip(Side::BOTH.into_iter().cycle()) {
        let (winner, orders) = observed(kinds, 10, first);
        assert!(winner.is_some() || orders.iter().all(|(_, all)| all.len() == 100));
        assert!(orders[first].len() >= orders[first.other()].len());
    }
}

#[test]
fn the_same_seed_gives_the_same_orders() {
    let observed = |seed| observed(["good", "mediocre"], seed, Side::One);
    assert_eq!(observed(3), observed(3));
    assert_ne!(observed(3), observed(4));
}

#[test]
#[ignore = "thorough"]
fn good_beats_mediocre_in_nine_of_ten_games() {
    let games = (0..20_u64).flat_map(|seed| Side::BOTH.map(|first| (seed, first)));
    let wins = games.filter(|(seed, first)| {
        let mut good = bot("good", 2 * seed);
        let mut mediocre = bot("mediocre", 2 * seed + 1);
        play_twist(BySide::new(good.as_mut(), mediocre.as_mut()), *first, TURNS) == Some(Side::One)
    });
    let wins = wins.count();
    assert!(wins >= 36, "{wins} of 40");
}

/// Places as it is told, and gives only impossible orders.
struct Confused {
    placements: Option<Vec<Placement>>,
    refused: u32,
}

impl TwistBot for Confused {
    fn new_game(&mut self, _seed: u64) {}
    fn place_units(&mut self) -> Option<Vec<Placement>> {
        self.placements.clone()
    }
    fn act(&mut self) -> Order {
        Order {
            origin: Point::new(99, -1),
            target: Point::new(0, 0),
        }
    }
    fn act_result(&mut self, _order: Order, result: &OrderResult) {
        assert!(matches!(result, OrderResult::Refused(_)));
        self.refused += 1;
    }
}

/// A game of the good bot, which is the second to move, against one that orders nothing possible.
fn confused(placements: Option<Vec<Placement>>) -> (Option<Side>, u32) {
    let (mut good, mut confused) = (
        bot("good", 1),
        Confused {
            placements,
            refused: 0,
        },
    );
    let bots: BySide<&mut dyn TwistBot> = BySide::new(&mut confused, good.as_mut());
    (play_twist(bots, Side::One, TURNS), confused.refused)
}

#[test]
fn a_refused_order_loses_the_turn() {
    let (winner, refused) = confused(bot("awful", 1).place_units());
    assert_ne!(winner, Some(Side::One));
    assert!(refused > 26);
}

#[test]
fn a_missing_placement_loses_the_game() {
    assert_eq!(confused(None), (Some(Side::Two), 0));
}
