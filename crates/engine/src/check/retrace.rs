//! A recorded game told to a bot up to a turn, whatever it replies.

use battleship::protocol::Reply;
use bothost::{BotPair, Clock, Side, text};

use super::asked::Asked;
use super::past::{Heard, Past};
use crate::game::{EndedBy, Ending, Stop, Stopped, bad_reply, put_greeting, receive_greeting};
use wire::game::announce;

/// The only side of a bot that is alone.
const ME: Side = Side::One;

/// A reply of the bot beside the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The number of its turn, from 1; 0 for the placement.
    pub turn: u32,
    /// Its reply, fit to be shown.
    pub now: String,
    /// The recorded reply.
    pub then: String,
}

/// The result of telling a recorded game.
#[derive(Clone, Debug, Default)]
pub struct Retraced {
    /// The first reply that differs.
    pub first_difference: Option<Compared>,
    /// The last reply.
    pub last: Option<Compared>,
    /// The reply to the request at which the recorded player failed, fit to be shown.
    pub at_fault: Option<String>,
}

/// Tells the bot, which is alone and was just started, a recorded game as its player heard it, up to its turn `until`, or to
/// the end. It hears the recorded results, also where it replied something else. `before_turn` is called before each turn.
///
/// # Errors
/// If the bot breaks the protocol or fails, `before_turn` stops the game, or the machine fails.
pub fn retrace(
    bots: &mut BotPair,
    past: &Past,
    until: Option<u32>,
    before_turn: &mut dyn FnMut(&mut BotPair) -> Result<(), Stop>,
) -> Result<Retraced, Stopped> {
    let mut greeting = put_greeting(bots, ME)?;
    receive_greeting(bots, ME, past.rules().ruleset().word(), &mut greeting)?;
    for line in past.rules.announce() {
        bots.tell(ME, format_args!("{line}"))?;
    }
    announce(
        bots,
        ME,
        past.record.players[past.seat].seed,
        past.limit().map_or(Clock::None, Clock::Wall),
    )?;
    let mut retraced = Retraced::default();
    if let Some(placed) = &past.placed {
        let expected = past.rules.describe().expected_placement();
        ask(
            bots,
            Asked::Placement,
            &expected,
            &Reply::Place(placed.clone()),
            0,
            &mut retraced,
        )?;
    }
    let mut turn = 0;
    for heard in &past.turns {
        match heard {
            Heard::Opponents(notice) => bots.tell(ME, format_args!("{notice}"))?,
            Heard::Own(request, then, results) => {
                turn += 1;
                before_turn(bots)?;
                let (asked, expected) = (Asked::of_turn(request), request.expected());
                ask(bots, asked, &expected, then, turn, &mut retraced)?;
                if until == Some(turn) {
                    break;
                }
                for result in results {
                    bots.tell(ME, format_args!("{result}"))?;
                }
            }
        }
    }
    let is_at_fault = until.is_none_or(|until| until > turn);
    if let Some(asked) = past.failed_at().filter(|_| is_at_fault) {
        let expected = if asked == Asked::Placement {
            past.rules.describe().expected_placement()
        } else {
            before_turn(bots)?;
            asked.request().expected()
        };
        let (_, said) = reply_to(bots, asked, &expected)?;
        retraced.at_fault = Some(said);
    }
    Ok(retraced)
}

/// Asks the bot. Returns its reply, and the line fit to be shown.
fn reply_to(bots: &mut BotPair, asked: Asked, expected: &str) -> Result<(Reply, String), Stopped> {
    let answer = bots.ask(ME, format_args!("{}", asked.request()));
    let line = answer.map_err(|error| error.of(ME))?.line;
    let reply = match Reply::parse(line) {
        Ok(Reply::Resign) => {
            return Err(Ending::lost_by(ME, EndedBy::Resigned, "resigned").into());
        }
        Ok(reply) => reply,
        Err(why) => return Err(bad_reply(ME, expected, line, Some(&why)).into()),
    };
    if Asked::answered_by(&reply) != Some(asked) {
        return Err(bad_reply(ME, expected, line, None).into());
    }
    Ok((reply, text::excerpt(line)))
}

/// Asks the bot, and compares its reply with the recorded one.
fn ask(
    bots: &mut BotPair,
    asked: Asked,
    expected: &str,
    then: &Reply,
    turn: u32,
    retraced: &mut Retraced,
) -> Result<(), Stopped> {
    let (reply, now) = reply_to(bots, asked, expected)?;
    let compared = Compared {
        turn,
        now,
        then: then.to_string(),
    };
    if reply != *then {
        retraced
            .first_difference
            .get_or_insert_with(|| compared.clone());
    }
    retraced.last = Some(compared);
    Ok(())
}
