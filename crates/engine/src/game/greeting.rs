//! The greeting: who a bot is, and whether it is ready.

use battleship::protocol::{Reply, Request, VERSION};
use battleship::{BySide, Ruleset};

use super::reply::{GameStopped, bad_reply};
use super::{EndedBy, Ending};
use bothost::{BotPair, Question, Side, text};

/// A bot's introduction, fit to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Its name for itself.
    pub name: Option<String>,
    /// Its author, if it says.
    pub author: Option<String>,
}

/// Greets both bots and waits until they are ready to play by `rules`, each in its time from its greeting.
///
/// # Errors
/// If one is not ready in time or cannot play by these rules: no game, and so no winner.
pub fn greet(bots: &mut BotPair, rules: Ruleset) -> Result<BySide<Profile>, GameStopped> {
    let mut put = |side| {
        bots.put(side, format_args!("{}", Request::Battleship(VERSION)))
            .map_err(|error| not_ready(side, GameStopped::without_answer(side, error)))
    };
    // Both at once: a slow start is not waited for twice.
    let (one, two) = (put(Side::One)?, put(Side::Two)?);
    let mut hear = |side, mut question| {
        hear_greeting(bots, rules, side, &mut question).map_err(|stopped| not_ready(side, stopped))
    };
    Ok(BySide::new(hear(Side::One, one)?, hear(Side::Two, two)?))
}

/// Hears the answer of the player on `side` to the greeting, which was the `question`, until it is ready to play by
/// `rules`.
///
/// # Errors
/// If it is not ready in time or cannot play by these rules, for the reason that it would have in a game.
pub fn hear_greeting(
    bots: &mut BotPair,
    rules: Ruleset,
    side: Side,
    question: &mut Question,
) -> Result<Profile, GameStopped> {
    let mut profile = Profile::default();
    // Rules of a bot that does not say what it plays.
    let mut plays = vec![Ruleset::Classic];
    loop {
        let line = bots
            .answer(question)
            .map_err(|error| GameStopped::without_answer(side, error))?
            .line;
        match Reply::parse(line) {
            Ok(Reply::Name(name)) => profile.name = Some(text::name(&name)),
            Ok(Reply::Author(author)) => profile.author = Some(text::name(&author)),
            Ok(Reply::Plays { games, .. }) => plays = games,
            // The command line says who is human: humans have no time limit.
            Ok(Reply::Human | Reply::Comment(_)) => {}
            Ok(Reply::Ready) if plays.contains(&rules) => return Ok(profile),
            Ok(Reply::Ready) => {
                let what = format!("it does not play {}", rules.word());
                return Err(Ending::lost_by(side, EndedBy::CouldNotStart, what).into());
            }
            Ok(
                Reply::Place(_)
                | Reply::PlaceNone
                | Reply::Attack(_)
                | Reply::Salvo(_)
                | Reply::Act(_)
                | Reply::Resign,
            ) => {
                return Err(bad_reply(side, EXPECTED, line, None).into());
            }
            Err(why) => return Err(bad_reply(side, EXPECTED, line, Some(&why)).into()),
        }
    }
}

const EXPECTED: &str = "\"ready\" (before it name, author, plays or human)";

/// A fault before the first game is a failure to start.
fn not_ready(side: Side, stopped: GameStopped) -> GameStopped {
    match stopped {
        GameStopped::Ended(ending) if ending.ended_by == EndedBy::Interrupted => {
            GameStopped::Ended(ending)
        }
        GameStopped::Ended(ending) => Ending::could_not_start(side, ending.what).into(),
        GameStopped::Failed(error) => GameStopped::Failed(error),
    }
}
