//! The greeting: how a bot says who it is, what it plays, and that it is ready.

use crate::game::{Stopped, bad_reply};
use crate::line::{MalformedLine, Words};
use crate::{EndedBy, Ending, Side, text};

/// The game of a bot that does not say what it plays.
const USUAL_GAME: &str = "classic";

/// The word of a bot that plays every game.
const ANY_GAME: &str = "any";

const EXPECTED: &str = "\"ready\" (before it name, author, plays or human)";

/// A bot's introduction, fit to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Its name for itself.
    pub name: Option<String>,
    /// Its author, if it says.
    pub author: Option<String>,
    /// Whether it plays the game only since it plays any: it is told `ask` before each request.
    pub plays_any: bool,
}

/// The replies of a bot to its greeting, as far as they have been read.
#[derive(Clone, Debug, Default)]
pub struct Greeting {
    profile: Profile,
    games: Option<Vec<String>>,
}

impl Greeting {
    /// Reads the next line of the bot on `side`, and returns its introduction once it is ready to
    /// play `game`.
    ///
    /// # Errors
    /// If the bot says something else, or does not play the game: the ending that this would have
    /// in a game.
    pub fn read(
        &mut self,
        side: Side,
        game: &str,
        line: &[u8],
    ) -> Result<Option<Profile>, Stopped> {
        match self.read_words(line) {
            Ok("ready") => {}
            Ok(_) => return Ok(None),
            Err(why) => return Err(bad_reply(side, EXPECTED, line, Some(&why)).into()),
        }
        let says = |word: &str| match &self.games {
            Some(games) => games.iter().any(|known| known == word),
            None => word == USUAL_GAME,
        };
        self.profile.plays_any = !says(game) && says(ANY_GAME);
        if !says(game) && !self.profile.plays_any {
            let what = format!("it does not play {game}");
            return Err(Ending::lost_by(side, EndedBy::CouldNotStart, what).into());
        }
        Ok(Some(std::mem::take(&mut self.profile)))
    }

    /// Keeps what a line says, and returns its first word.
    fn read_words<'l>(&mut self, line: &'l [u8]) -> Result<&'l str, MalformedLine> {
        let (command, mut words) = Words::of(line)?;
        match command {
            "name" => self.profile.name = Some(text::name(words.text()?)),
            "author" => self.profile.author = Some(text::name(words.text()?)),
            "plays" => {
                let mut games = Vec::new();
                while !words.at_end() {
                    games.push(words.word()?.to_owned());
                }
                self.games = Some(games);
            }
            // The command line says who is human: people have no time limit.
            "human" | "ready" => {}
            _ => return Err(MalformedLine::UnknownCommand),
        }
        words.end()?;
        Ok(command)
    }
}

/// Returns the ending of a fault before the first game: a failure to start, and no game.
#[must_use]
pub fn not_ready(side: Side, stopped: Stopped) -> Stopped {
    match stopped {
        Stopped::Ended(ending) if ending.ended_by != EndedBy::Interrupted => {
            Ending::could_not_start(side, ending.what).into()
        }
        Stopped::Ended(_) | Stopped::Failed(_) => stopped,
    }
}
