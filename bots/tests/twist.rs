//! The players of the twist game against each other.

use battleship::protocol::{Order, OrderResult};
use battleship::twist::Admiral;
use battleship::{Placement, Point};
use battleship_bots::{create_admiral, play_twist};

const KINDS: [&str; 3] = ["awful", "mediocre", "good"];
const TURNS: u32 = 100;

fn player(kind: &str, seed: u64) -> Box<dyn Admiral> {
    create_admiral(kind, kind, seed).expect("the kinds named here exist")
}

/// A player, and everything that it orders. None of its orders may be refused.
struct Observed {
    player: Box<dyn Admiral>,
    orders: Vec<Order>,
}

impl Observed {
    fn new(kind: &str, seed: u64) -> Observed {
        Observed { player: player(kind, seed), orders: Vec::new() }
    }
}

impl Admiral for Observed {
    fn name(&self) -> &str {
        self.player.name()
    }
    fn place_units(&mut self) -> Option<Vec<Placement>> {
        self.player.place_units()
    }
    fn recommend_order(&mut self) -> Order {
        self.orders.push(self.player.recommend_order());
        self.orders[self.orders.len() - 1]
    }
    fn record_result(&mut self, order: Order, result: &OrderResult) {
        assert!(!matches!(result, OrderResult::Refused(_)), "{}: {order}: {result}", self.name());
        self.player.record_result(order, result);
    }
    fn record_shot_by_opponent(&mut self, at: Point) {
        self.player.record_shot_by_opponent(at);
    }
}

/// A game of which all orders are kept, A's first.
fn observed(kinds: [&str; 2], seed: u64, first: usize) -> (Option<usize>, [Vec<Order>; 2]) {
    let (mut a, mut b) = (Observed::new(kinds[0], seed), Observed::new(kinds[1], seed + 1));
    let winner = play_twist([&mut a, &mut b], first, TURNS);
    (winner, [a.orders, b.orders])
}

#[test]
fn every_kind_plays_whole_games_against_every_other_and_no_order_is_refused() {
    for one in KINDS {
        for other in KINDS {
            for first in [0, 1] {
                let (winner, orders) = observed([one, other], 10, first);
                assert!(winner.is_some() || orders.iter().all(|all| all.len() == 100));
                assert!(orders[first].len() >= orders[1 - first].len());
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_orders() {
    for kind in KINDS {
        assert_eq!(observed([kind, "mediocre"], 3, 0), observed([kind, "mediocre"], 3, 0));
    }
    assert_ne!(observed(["good", "mediocre"], 3, 0), observed(["good", "mediocre"], 4, 0));
}

#[test]
fn good_beats_mediocre_in_nine_of_ten_games() {
    let wins =
        (0..20_u64).flat_map(|seed| [0, 1].map(|first| (seed, first))).filter(|(seed, first)| {
            let mut good = player("good", 2 * seed);
            let mut mediocre = player("mediocre", 2 * seed + 1);
            play_twist([good.as_mut(), mediocre.as_mut()], *first, TURNS) == Some(0)
        });
    let wins = wins.count();
    assert!(wins >= 36, "{wins} of 40");
}

#[test]
fn an_order_that_is_refused_loses_the_turn_and_a_missing_placement_the_game() {
    /// Gives only impossible orders.
    struct Confused(Option<Vec<Placement>>, u32);
    impl Admiral for Confused {
        fn name(&self) -> &'static str {
            "confused"
        }
        fn place_units(&mut self) -> Option<Vec<Placement>> {
            self.0.clone()
        }
        fn recommend_order(&mut self) -> Order {
            Order { origin: Point::new(99, -1), target: Point::new(0, 0) }
        }
        fn record_result(&mut self, _order: Order, result: &OrderResult) {
            assert!(matches!(result, OrderResult::Refused(_)));
            self.1 += 1;
        }
        fn record_shot_by_opponent(&mut self, _at: Point) {}
    }
    let mut good = player("good", 1);
    let mut confused = Confused(player("awful", 1).place_units(), 0);
    assert_ne!(play_twist([&mut confused, good.as_mut()], 0, TURNS), Some(0));
    assert!(confused.1 > 26);
    let mut absent = Confused(None, 0);
    assert_eq!(play_twist([good.as_mut(), &mut absent], 1, TURNS), Some(0));
}
