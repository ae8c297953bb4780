//! Bots of a class as players.

use class::{Bot, BotKey};

use super::Class;
use crate::cli::exit::Failure;
use crate::cli::player;
use crate::game::Entrant;

impl Class {
    /// Returns a bot as a player, under the name that records have.
    ///
    /// # Errors
    /// If its command starts no program of its own.
    pub(super) fn entrant(&self, bot: &Bot) -> Result<Entrant, Failure> {
        if bot.key.is_staff() {
            let entrant =
                player::parse_called(Some(&bot.key.name), &bot.command, None, &self.referee)?;
            return Ok(entrant);
        }
        self.student_entrant(&bot.key, &bot.command).map_err(Failure::misuse)
    }

    /// Returns what a student has handed in as a player.
    ///
    /// # Errors
    /// If `command` names no program, or one that is not the student's.
    pub(super) fn student_entrant(&self, key: &BotKey, command: &str) -> Result<Entrant, String> {
        let folder = self.bot_folder(&key.digest);
        let dir =
            folder.to_str().ok_or("the folder of the class has a name that is not UTF-8 text")?;
        let entrant = player::parse_called(Some(&key.student), command, Some(dir), &self.referee)
            .map_err(|error| error.to_string())?;
        if entrant.shipped || entrant.human {
            return Err(format!("{command:?} is a player that comes with the referee"));
        }
        // As records and messages show it, and commands that replay a game: below the folder of the class.
        Ok(Entrant { dir: Some(self.relative(&folder)), ..entrant })
    }
}
