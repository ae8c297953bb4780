use crate::protocol::{Order, OrderResult};
use crate::{Placement, Point};

/// A player of the twist game.
///
/// It hears everything that the rules let it know: what became of its own orders, and where the opponent fired. Where
/// its own units are and what has been hit of them follows from that.
pub trait Admiral {
    /// What the player is called.
    fn name(&self) -> &str;

    /// Where its units begin: bow and direction of each, in id order. Nothing if it cannot place them.
    fn place_units(&mut self) -> Option<Vec<Placement>>;

    /// What it does in its turn. An order that cannot be carried out is refused, and loses the turn.
    fn recommend_order(&mut self) -> Order;

    /// Hears what became of its last order.
    fn record_result(&mut self, order: Order, result: &OrderResult);

    /// Hears where the opponent fired.
    fn record_shot_by_opponent(&mut self, at: Point);

    /// Whether the player has given up; it is asked after each question.
    fn has_resigned(&self) -> bool {
        false
    }
}
