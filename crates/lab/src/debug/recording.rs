//! A recorded game that a bot is told again, and the replies that differ.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use arena::game::{Bots, DialogueLine, Speaker, Stopped, put_greeting, receive_greeting};
use arena::record::{GameChoice, GameLine};
use battleship::game_reader::READERS;
use bothost::{Side, text};

use super::BOT;
use super::console::Console;
use crate::LabError;

/// The dialogue with one player of a recorded game.
#[derive(Debug)]
pub struct Recording {
    /// The name of the game.
    pub game: String,
    /// The reason why the game ended.
    pub(super) reason: String,
    lines: Vec<DialogueLine>,
    /// The number of replies of the player that were refused and that the record does not have: a
    /// record of Battleship has the accepted replies alone.
    refused: usize,
    /// The time that the player had for the whole game, if it had a clock.
    pub clock: Option<Duration>,
}

impl Recording {
    /// Reads a game of the record `file`, and the dialogue with the player that is called `player`
    /// or has that number. The default is the first game, and the player that failed or the first.
    ///
    /// # Errors
    /// If the record has no such game or player.
    pub fn read(
        file: &Path,
        choice: Option<&GameChoice>,
        player: Option<&str>,
    ) -> Result<Recording, LabError> {
        let choice = choice.unwrap_or(&GameChoice::Number(1));
        let (_, line) = match choice.find(file, READERS) {
            Ok(found) => found,
            Err(error) => return Err(LabError::Misuse(error.to_string())),
        };
        let side = side_of(&line, player)?;
        let reader = line
            .reader(READERS)
            .ok_or_else(|| LabError::Misuse(format!("the game {} is not known", line.rules)))?;
        let mut lines = reader
            .dialogue(&line.json)
            .map_err(|error| LabError::Misuse(format!("{}: {error}", file.display())))?;
        lines.retain(|line| line.side == side);
        let player = &line.players[side];
        let recorded = lines
            .iter()
            .filter(|line| line.from == Speaker::Notice && line.text.starts_with("again "));
        let retries = usize::try_from(player.retries).unwrap_or(usize::MAX);
        Ok(Recording {
            game: line.rules.trim_start_matches("judge ").to_owned(),
            refused: retries.saturating_sub(recorded.count()),
            clock: player.clock.map(|clock| clock.total),
            reason: line.reason,
            lines,
        })
    }

    /// Greets the bot alone and tells it this game, up to its turn `until` or to the end:
    /// it is asked what the recorded player was asked, and told what that player was told,
    /// whatever it replies.
    pub(super) fn tell(
        &self,
        console: &mut Console<'_>,
        until: Option<u32>,
    ) -> Result<Retraced, Stopped> {
        let mut greeting = put_greeting(console.bots, BOT)?;
        receive_greeting(console.bots, BOT, &self.game, &mut greeting)?;
        let mut retraced = Retraced::default();
        let mut refused = self.refused;
        let mut lines = self.lines.iter().peekable();
        while let Some(line) = lines.next() {
            if line.from == Speaker::Notice {
                console.tell(BOT, format_args!("{}", line.text))?;
                continue;
            }
            let recorded = lines.next_if(|next| next.from == Speaker::Reply);
            let request = format_args!("{}", line.text);
            let mut reply = console.ask(BOT, request)?.line.to_vec();
            // A reply other than the accepted one may be one that was refused. Behind the last
            // accepted one, the remaining refused replies precede the one that ended the game.
            while refused > 0 && recorded.is_none_or(|then| reply != then.text.as_bytes()) {
                refused -= 1;
                console.refuse(BOT, "the record has another reply")?;
                reply = console.request(BOT, request)?.line.to_vec();
            }
            let now = text::excerpt(&reply);
            let Some(recorded) = recorded else {
                retraced.at_end = Some(now);
                break;
            };
            let then = recorded.text.clone();
            let is_other = reply != then.as_bytes();
            let turn = console.turn;
            let compared = Compared { turn, now, then };
            if is_other && retraced.first_difference.is_none() {
                retraced.first_difference = Some(compared.clone());
            }
            retraced.last = Some(compared);
            if until == Some(turn) {
                break;
            }
        }
        Ok(retraced)
    }
}

fn side_of(line: &GameLine, player: Option<&str>) -> Result<Side, LabError> {
    let names = line.players.as_ref().map(|player| &player.name);
    match player {
        None => match line.by {
            Some(side) if line.ended_by.is_fault() => Ok(side),
            Some(_) | None => Ok(Side::One),
        },
        Some(name) if name == names.one => Ok(Side::One),
        Some(name) if name == names.two => Ok(Side::Two),
        Some("1") => Ok(Side::One),
        Some("2") => Ok(Side::Two),
        Some(name) => Err(LabError::Misuse(format!(
            "--player {name}: the players of this game are {} (1) and {} (2)",
            names.one, names.two
        ))),
    }
}

/// The result of telling a bot a recorded game.
#[derive(Debug, Default)]
pub(super) struct Retraced {
    /// The first reply that differs from the recorded one.
    pub(super) first_difference: Option<Compared>,
    pub(super) last: Option<Compared>,
    /// The reply, quoted, where the recorded player failed or the game ended before its reply.
    pub(super) at_end: Option<String>,
}

/// A reply of the bot beside the recorded one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Compared {
    /// The player's own turn, from 1; 0 for its placement.
    pub(super) turn: u32,
    /// The reply of the bot, quoted.
    now: String,
    /// The recorded one.
    then: String,
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn {
            0 => f.write_str("its placement")?,
            turn => write!(f, "turn {turn}")?,
        }
        writeln!(f, ": {}, recorded \"{}\".", self.now, self.then)
    }
}
