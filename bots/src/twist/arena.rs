//! Twist games within this process.

use battleship::protocol::Order;
use battleship::twist::{Fleet, OriginalQuirks, State};
use battleship::{BySide, Outcome, Side, TwistBot};

/// Plays a twist game between two bots that have begun it. Returns the winner, or `None` if neither
/// has won after `max_turns` turns of each. A bot that cannot place its units, or resigns, loses;
/// an order that is refused loses the turn. Both bots hear how the game ended.
#[must_use]
pub fn play_twist(
    mut bots: BySide<&mut dyn TwistBot>,
    first: Side,
    max_turns: u32,
) -> Option<Side> {
    let winner = decide(&mut bots, first, max_turns);
    for (side, bot) in bots {
        bot.game_over(match winner {
            None => Outcome::Void,
            Some(winner) if winner == side => Outcome::Won,
            Some(_) => Outcome::Lost,
        });
    }
    winner
}

fn decide(bots: &mut BySide<&mut dyn TwistBot>, first: Side, max_turns: u32) -> Option<Side> {
    let Some(one) = fleet(bots.one) else {
        return Some(Side::Two);
    };
    let Some(two) = fleet(bots.two) else {
        return Some(Side::One);
    };
    let mut state = State::new(BySide { one, two }, first, OriginalQuirks::default());
    for _ in 0..max_turns.saturating_mul(2) {
        let side = state.turn()?;
        let (mover, opponent) = bots.own_and_other(side);
        let order: Order = mover.act();
        if mover.has_resigned() {
            return Some(side.other());
        }
        let result = state.play(order);
        mover.act_result(order, &result);
        if result.is_of_shot() {
            opponent.opponent_fired(order.target);
        }
        if let Some(winner) = state.winner() {
            return Some(winner);
        }
    }
    None
}

fn fleet(bot: &mut dyn TwistBot) -> Option<Fleet> {
    Fleet::new(&bot.place_units()?).ok()
}
