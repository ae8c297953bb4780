//! The interface between a game and the code that runs it: a [`Game`] is played at a [`Table`] by
//! [`Bots`], and its [`GameReader`] reads the lines of a record.

use std::any::Any;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::line::MalformedLine;
use crate::{Answer, BySide, Clock, EndedBy, Ending, Event, GameListener, Side, Stop, text};

/// The longest time that a bot is told: 24 days, whose milliseconds are a number of 32 bits in
/// every language.
const LONGEST_TOLD: Duration = Duration::from_millis(i32::MAX.cast_unsigned() as u64);

/// Two bots that have been greeted.
pub trait Bots {
    /// Sends a line to the bot on side `to`, which answers nothing to it. The line may wait until
    /// the next request.
    ///
    /// # Errors
    /// If the line cannot be sent because of the machine.
    fn tell(&mut self, to: Side, line: fmt::Arguments<'_>) -> io::Result<()>;

    /// Sends a request to the bot on side `of`, and returns its reply. The clock of that bot runs
    /// meanwhile.
    ///
    /// # Errors
    /// If there is no reply in time, or none that a bot may give.
    fn ask(&mut self, of: Side, line: fmt::Arguments<'_>) -> Result<Answer<'_>, Stopped>;

    /// Tells the bot on side `to` the `reason` why its last reply is refused. The same request
    /// follows.
    ///
    /// # Errors
    /// As [`Bots::tell`].
    fn refuse(&mut self, to: Side, reason: &str) -> io::Result<()> {
        self.tell(to, format_args!("again {reason}"))
    }

    /// Returns the flag that is set when the user asks the referee to stop, if there is one. A game
    /// that waits for something else than its bots watches the flag.
    fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        None
    }

    /// Takes the comments that the bot on side `of` has made since they were taken last: lines that
    /// begin with `#`.
    fn comments(&mut self, of: Side) -> Vec<u8>;
}

/// The reason why a game does not continue.
#[derive(Debug)]
pub enum Stopped {
    /// It has ended.
    Ended(Ending),
    /// The referee or its machine has failed.
    Failed(io::Error),
}

impl From<Ending> for Stopped {
    fn from(ending: Ending) -> Stopped {
        Stopped::Ended(ending)
    }
}

impl From<Stop> for Stopped {
    fn from(stop: Stop) -> Stopped {
        match stop {
            Stop::Interrupted => Stopped::Ended(Ending::interrupted()),
            Stop::Io(error) => Stopped::Failed(error),
        }
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::Failed(error)
    }
}

/// What is set for one game before it begins.
#[derive(Clone, Debug)]
pub struct Round {
    /// The seed of the game.
    pub seed: u64,
    /// The seed that each bot receives.
    pub bot_seeds: BySide<u32>,
    /// The clock of each player.
    pub clocks: BySide<Clock>,
    /// The player that moves first.
    pub first: Side,
    /// The number of turns that each player has before the game ends without a winner.
    pub max_turns: u32,
    /// The number of replies of each player that may be refused, and are asked for again, before
    /// one loses the game.
    pub retries: BySide<u32>,
}

/// The number of retries of a person, who may always try again.
pub const ENDLESS: u32 = u32::MAX;

/// A game with all its rules, as it is played in a contest.
pub trait Game: fmt::Debug + Send + Sync {
    /// Returns the reader of lines of a record that such games are.
    fn reader(&self) -> &'static dyn GameReader;

    /// Returns the name of the game, which a bot says after `plays`.
    fn name(&self) -> &str;

    /// Returns the name of the game in a record.
    fn rules(&self) -> &str {
        self.name()
    }

    /// Returns whether both games of a pair have the same seed, so that the players meet the same
    /// chance in both seats.
    fn has_equal_pairs(&self) -> bool {
        false
    }

    /// Returns the rules as fields of a contest's header. Contests whose fields differ are
    /// different contests.
    fn settings(&self) -> Map<String, Value>;

    /// Returns the arguments of a command that say these rules; none for what is as usual.
    fn arguments(&self) -> Vec<String>;

    /// Returns the number of turns that each player has if nothing else says so.
    fn max_turns(&self) -> u32;

    /// Returns the player that moves first in a game with this seed if nothing else says so.
    fn first(&self, seed: u64) -> Side;

    /// Returns the game's own fields of the line of a game that did not begin, as a JSON object.
    fn unplayed(&self) -> Box<RawValue>;

    /// Returns a table, at which one game after the other is played.
    ///
    /// # Errors
    /// If the game cannot be set up because of the machine.
    fn table(&self) -> io::Result<Box<dyn Table>>;
}

/// Where one game after the other is played.
pub trait Table {
    /// Plays one game and tells `listener` what happens. A failure of a bot is an ending.
    ///
    /// # Errors
    /// If the referee or its machine fails.
    fn play(
        &mut self,
        bots: &mut dyn Bots,
        round: &Round,
        listener: &mut GameListener<'_>,
    ) -> io::Result<Played>;
}

/// A game that was played.
#[derive(Debug)]
pub struct Played {
    /// Its ending.
    pub ending: Ending,
    /// The game's own fields of the line in a record, as a JSON object.
    pub own: Box<RawValue>,
    /// The number of replies of each player that were refused and asked for again.
    pub retried: BySide<u32>,
    /// Numbers that the game gives each player at its end, by name, such as a score.
    pub figures: Vec<(Side, String, f64)>,
}

impl Played {
    /// Returns a game that did not begin: it ended so, with these fields of its own.
    #[must_use]
    pub fn without_play(ending: Ending, own: Box<RawValue>) -> Played {
        Played {
            ending,
            own,
            retried: BySide::default(),
            figures: Vec::new(),
        }
    }
}

/// Counts the replies of a game that were refused and asked for again.
#[derive(Clone, Copy, Debug)]
pub struct Retries {
    allowed: BySide<u32>,
    /// The number so far, by side.
    pub used: BySide<u32>,
}

impl Retries {
    /// Returns the count of a game that has yet to begin.
    #[must_use]
    pub fn of(round: &Round) -> Retries {
        Retries {
            allowed: round.retries,
            used: BySide::default(),
        }
    }

    /// Tells the player on `side` the `reason` why its reply was refused, and counts that.
    ///
    /// # Errors
    /// That it may not try again, so that the game ends as in `refused`; or as [`Bots::refuse`].
    pub fn refuse(
        &mut self,
        bots: &mut dyn Bots,
        side: Side,
        reason: &str,
        refused: Ending,
    ) -> Result<(), Stopped> {
        if self.used[side] >= self.allowed[side] {
            return Err(refused.into());
        }
        self.used[side] = self.used[side].saturating_add(1);
        Ok(bots.refuse(side, reason)?)
    }
}

/// Reads the games of a record. A game that was just played and one of an old record are read
/// alike.
pub trait GameReader: fmt::Debug + Sync {
    /// Returns whether games by `rules`, as a line names them, are such games.
    fn reads(&self, rules: &str) -> bool;

    /// Returns the game that the fields of a contest's header describe: what [`Game::settings`]
    /// returned, with other fields.
    ///
    /// # Errors
    /// Why there is no such game.
    fn game(&self, settings: &Map<String, Value>) -> Result<Arc<dyn Game>, String>;

    /// Returns the counts of a game. `line` is the whole line of the record, a JSON object.
    ///
    /// # Errors
    /// Which of the game's own fields is missing or wrong.
    fn stats(&self, line: &str) -> serde_json::Result<GameStats>;

    /// Returns the dialogue of a game with each player, from its announcement to its last line
    /// before the end: what it was asked, what it replied, and what it was told.
    ///
    /// # Errors
    /// As [`GameReader::stats`]; or if the rules do not allow what is recorded.
    fn dialogue(&self, line: &str) -> Result<Vec<DialogueLine>, String>;
}

/// The readers of all games that a program knows.
pub type Readers = &'static [&'static dyn GameReader];

/// What is counted of a game, by side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameStats {
    /// The number of turns.
    pub turns: BySide<u32>,
    /// The number of turns that were wasted.
    pub wasted: BySide<u32>,
    /// The number of turns that had an effect on the opponent.
    pub hits: BySide<u32>,
    /// The time of each reply, in microseconds, in order.
    pub reply_us: BySide<Vec<u32>>,
    /// What each player reached, as the end of a sentence such as `lost with 12 of 17 cells hit`.
    pub reached: BySide<String>,
    /// A hash of the settings of the game and of all turns without their times: of two games with
    /// the same seed, result and hash, one is a copy of the other.
    pub game_hash: u64,
}

/// A line of the dialogue with one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogueLine {
    /// The player.
    pub side: Side,
    /// Who speaks.
    pub from: Speaker,
    /// The line.
    pub text: String,
}

/// Who speaks in a dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The referee asks for a reply.
    Request,
    /// The bot replies.
    Reply,
    /// The referee tells something.
    Notice,
}

/// Sends the lines of an announcement that all games share to the player on `side`: its seed, and
/// its time for each reply if its clock has one.
///
/// # Errors
/// As [`Bots::tell`].
pub fn announce(bots: &mut dyn Bots, side: Side, seed: u32, clock: Clock) -> io::Result<()> {
    bots.tell(side, format_args!("seed {seed}"))?;
    match clock.reply_limit() {
        Some(limit) => bots.tell(side, format_args!("limit {}", told(limit))),
        None => Ok(()),
    }
}

/// Returns a time as bots are told: in milliseconds, and not longer than every language can read.
#[must_use]
pub fn told(time: Duration) -> u128 {
    time.min(LONGEST_TOLD).as_millis()
}

/// Asks the player on `side`, and returns what `read` makes of its reply, with the time that it
/// took. A reply that `read` does not accept is asked for again while there are `retries`. The
/// listener receives the comments before each reply.
///
/// # Errors
/// If the player does not reply, resigns, or has no retries left.
pub fn ask_valid<T>(
    bots: &mut dyn Bots,
    side: Side,
    request: fmt::Arguments<'_>,
    mut read: impl FnMut(&[u8]) -> Result<T, Ending>,
    retries: &mut Retries,
    listener: &mut GameListener<'_>,
) -> Result<(T, Duration), Stopped> {
    let mut total = Duration::ZERO;
    loop {
        let asked = ask_heard(bots, side, request, listener, |line, time| {
            total += time;
            read(line)
        })?;
        match asked {
            Ok(read) => return Ok((read, total)),
            Err(refused) => {
                let reason = refused.what.clone();
                retries.refuse(bots, side, &reason, refused)?;
            }
        }
    }
}

/// Asks the player on `side`, and returns what `read` makes of its reply and its time. The listener
/// receives the comments before the reply.
///
/// # Errors
/// If the player does not reply, or resigns.
pub fn ask_heard<T>(
    bots: &mut dyn Bots,
    side: Side,
    request: fmt::Arguments<'_>,
    listener: &mut GameListener<'_>,
    read: impl FnOnce(&[u8], Duration) -> T,
) -> Result<T, Stopped> {
    let asked = match bots.ask(side, request) {
        Ok(Answer {
            line: b"resign", ..
        }) => Err(Ending::lost_by(side, EndedBy::Resigned, "resigned").into()),
        Ok(Answer { line, time }) => Ok(read(line, time)),
        Err(stopped) => Err(stopped),
    };
    // Before a failure too: what a bot has said until then belongs to the game.
    let comments = bots.comments(side);
    for line in comments.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        listener.on_event(&Event::Comment { side, line })?;
    }
    asked
}

/// Returns the ending of a game in which the player on `side` said `line` instead of what was
/// `expected`; `why` if the line is not well-formed.
#[must_use]
pub fn bad_reply(side: Side, expected: &str, line: &[u8], why: Option<&MalformedLine>) -> Ending {
    let got = text::excerpt(line);
    let hint = match why {
        Some(
            why @ (MalformedLine::NotUtf8(_)
            | MalformedLine::Spaces
            | MalformedLine::Number(_)
            | MalformedLine::Word(_)),
        ) => format!(" ({})", text::shortened(&why.to_string())),
        // Of these the quotation says enough, if its characters are what they look like.
        _ if line.is_ascii() => String::new(),
        _ => " (replies are ASCII; other characters are quoted as their codes)".to_owned(),
    };
    let what = format!("expected {expected}, got {got}{hint}");
    Ending::lost_by(side, EndedBy::BadReply, what)
}

/// Ends a game that is `over` with this position: both bots are told how, and then `listener`.
/// Returns the ending. A listener that stops the game even then changes it.
///
/// # Errors
/// If the referee or its machine has failed, or fails now.
pub fn conclude(
    bots: &mut dyn Bots,
    listener: &mut GameListener<'_>,
    over: Result<Ending, Stopped>,
    position: &dyn Any,
) -> io::Result<Ending> {
    let ending = ending_of(over)?;
    tell_ending(bots, &ending)?;
    let heard = listener.on_event(&Event::Ended {
        ending: &ending,
        position: Some(position),
    });
    ending_of(heard.map(|()| ending).map_err(Stopped::from))
}

fn ending_of(over: Result<Ending, Stopped>) -> io::Result<Ending> {
    match over {
        Ok(ending) | Err(Stopped::Ended(ending)) => Ok(ending),
        Err(Stopped::Failed(error)) => Err(error),
    }
}

fn tell_ending(bots: &mut dyn Bots, ending: &Ending) -> io::Result<()> {
    // A bot that has failed is told too, if it still reads: its author may look for the line in the
    // dialogue.
    for side in Side::BOTH {
        let outcome = match ending.winner {
            None if ending.ended_by == EndedBy::Drawn => "drawn",
            None => "void",
            Some(winner) if winner == side => "won",
            Some(_) => "lost",
        };
        let is_judged = matches!(ending.ended_by, EndedBy::Won | EndedBy::Drawn);
        let reason = if is_judged {
            &ending.what
        } else {
            ending.ended_by.word()
        };
        bots.tell(side, format_args!("end {outcome} {reason}"))?;
    }
    Ok(())
}
