//! Steps on turns that name a ship, and their results.

use arena::game::EndedBy;
use battleship::AttackResult;
use battleship::protocol::Outcome;

use crate::battleship::play::Play;
use crate::check::{Check, PASS, StepResult, Verdict};
use crate::report::Finding;
use crate::session::Session;

/// As many turns as each player has in a game.
const TURNS: usize = 100;

const GAMES: u32 = 3;

/// Whole games, in which no order should be refused.
pub(crate) fn orders(check: &mut Check) -> StepResult {
    let mut given = 0;
    let mut refused = 0;
    let mut won = 0;
    let mut first: Option<(String, Vec<String>)> = None;
    for seed in 1..=GAMES {
        let mut session = Session::open(check)?;
        let mut play = Play::usual(&mut session, seed)?;
        for _ in 0..TURNS {
            let Some(turn) = play.turn()?.pop() else {
                break;
            };
            given += 1;
            if turn.impact() == AttackResult::Wasted {
                refused += 1;
                first.get_or_insert_with(|| (turn.result_in_words(), play.session.log.shortened()));
            }
            if play.is_won() || play.session.check.takes_too_long() {
                break;
            }
            play.opponents_turn()?;
        }
        won += u32::from(play.is_won());
        play.tell_end()?;
    }
    let Some((why, dialogue)) = first else {
        return Ok(Verdict::Pass(format!(
            "{given} orders in {GAMES} games, {won} of them won"
        )));
    };
    let finding = Finding {
        what: format!("gave orders that were refused, {refused} of {given}; the first one was {why}"),
        expected: "orders to a unit of the bot's own, named by its central cell, on the grid from 0 to 11; a battleship fires anywhere, other units move to where they have room"
            .to_owned(),
        cause: "The bot does not follow where its units are: they are where they were placed, until it moves them, and sunk ones are gone (its opponent's shots are in the `opponent` lines). A refused order costs the turn."
            .to_owned(),
        dialogue,
    };
    // Now and then a turn is lost; a bot most of whose orders are refused does not play.
    Ok(if 2 * refused > given {
        Verdict::Fail(finding)
    } else {
        Verdict::Warn(finding)
    })
}

/// Half a game, with the results that its orders have. No order is refused that can be carried out:
/// a bot that knows better would be right to object.
pub(crate) fn every_result(check: &mut Check) -> StepResult {
    let mut session = Session::open(check)?;
    let mut play = Play::usual(&mut session, 11)?;
    for _ in 0..TURNS / 2 {
        play.turn()?;
        if play.is_won() || play.session.check.takes_too_long() {
            break;
        }
        play.opponents_turn()?;
    }
    session.tell_end(Outcome::Void, EndedBy::TurnCap)?;
    session.close()?;
    Ok(PASS)
}
