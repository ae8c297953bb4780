//! The decision which players take part in a contest.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use bothost::{Interrupt, Launch};
use league::schedule::Format;
use thiserror::Error;
use wire::game::Game;

use super::lanes::Lanes;
use super::preflight::{Checked, NotChecked, Preflight};
use super::setup::ContestSetup;
use crate::command::PrintedCommand;
use crate::game::{Entrant, are_same, tell_apart};
use crate::judge::Judge;
use crate::record::{
    ContestConfig, ContestHeader, FileWatch, ListedPlayer, SandboxOfGame, Shard, WatchedProgram,
    identify, in_milliseconds,
};
use crate::result::FAILED_CHECK;

/// A contest before its players have been checked.
#[derive(Clone, Debug)]
pub struct Enrolment<'e> {
    /// The game.
    pub game: &'e Arc<dyn Game>,
    /// The configuration of the contest, without players.
    pub config: ContestConfig,
    /// The number of games of each pair.
    pub games: u32,
    /// The part of the contest that is played, if it is not all.
    pub shard: Option<Shard>,
    /// The players, as they were typed.
    pub players: &'e [Entrant],
    /// Whether all of them have to be able to play, as in a match.
    pub needs_all: bool,
    /// The settings for starting bots.
    pub launch: &'e Launch,
    /// The sandbox, after it has been tried.
    pub sandbox: Option<SandboxOfGame>,
    /// The files that the referee itself reads and writes.
    pub own_files: &'e [PathBuf],
    /// Whether the contest is recorded.
    pub is_recorded: bool,
    /// The header of the record that is continued.
    pub continued: Option<&'e ContestHeader>,
    /// The judge, if one knows the game.
    pub judge: Option<&'e Judge>,
    /// Prints a note while the contest is played.
    pub note: fn(&str),
}

/// The reason why a contest does not begin.
#[derive(Debug, Error)]
pub enum NotEnrolled {
    /// The user stopped the referee.
    #[error("interrupted before the first game")]
    Interrupted,
    /// A player that takes part already cannot play now: its games would be lost one after the
    /// other.
    #[error("it could play when the contest began; fix the bot and run the same command again")]
    CannotContinue,
    /// Too few players can play. The command that checks one that cannot.
    #[error("nothing was played; {0} says more")]
    TooFew(PrintedCommand),
    /// The referee or its machine failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Enrolment<'_> {
    /// Checks all players on `lanes`. What the user should know of single players goes to `note`.
    ///
    /// # Errors
    /// If too few players can play, or one that the continued contest needs.
    pub fn run(
        self,
        lanes: &Lanes,
        interrupt: &Arc<Interrupt>,
        note: &mut dyn FnMut(&str),
    ) -> Result<ContestSetup, NotEnrolled> {
        let preflight = Preflight {
            game: &**self.game,
            terms: &self.config.terms,
            launch: self.launch,
            seed: self.config.seed,
        };
        let checked = preflight.run(self.players, lanes, interrupt)?;
        let mut entrants = self.players.to_vec();
        tell_apart(&mut entrants);
        let mut profiles = Vec::new();
        let mut unfit = Vec::new();
        for (player, checked) in entrants.iter().zip(checked) {
            match checked {
                Ok(profile) => {
                    profiles.push(profile);
                    unfit.push(None);
                }
                Err(NotChecked::Failed(why)) => {
                    note(&format!("{} cannot play: {why}", player.name));
                    profiles.push(Checked::default());
                    unfit.push(Some(why));
                }
                Err(NotChecked::Interrupted) => return Err(NotEnrolled::Interrupted),
            }
        }
        self.check_unfit(&unfit)?;
        // Before the files are read for the header: a change after that is noticed.
        let file_watch = {
            let players = entrants.iter().map(|entrant| {
                (!entrant.shipped).then(|| {
                    let (name, program) = (&entrant.name, &entrant.program);
                    Arc::new(WatchedProgram::new(name, program, self.own_files))
                })
            });
            let judge = self.judge.and_then(Judge::watched);
            let programs = players.chain([judge]).collect();
            FileWatch::new(programs, self.own_files, self.note)
        };
        let players = self.listed(&entrants, &mut unfit, note);
        drop_names_of_others(&entrants, &mut profiles, note);
        let shard = self.shard.map(|shard| shard.to_string());
        let config = ContestConfig {
            players,
            ..self.config
        };
        let header = ContestHeader::new(config, self.games, shard);
        Ok(ContestSetup {
            header: match self.continued {
                Some(continued) => header.after(continued),
                None => header,
            },
            game: self.game.clone(),
            entrants,
            profiles,
            unfit,
            starter: Arc::new(self.launch.clone()),
            sandbox: self.sandbox,
            pair_seeds: None,
            file_watch: Some(Arc::new(file_watch)),
            own_files: self.own_files.to_vec(),
        })
    }

    /// Returns the player at this place as the continued record has it.
    fn recorded(&self, place: usize) -> Option<&ListedPlayer> {
        self.continued?.config.players.get(place)
    }

    /// Checks whether enough players can play. `unfit` has the reason why each cannot.
    fn check_unfit(&self, unfit: &[Option<String>]) -> Result<(), NotEnrolled> {
        let failed = unfit.iter().enumerate().filter(|(_, why)| why.is_some());
        let failed: Vec<usize> = failed.map(|(place, _)| place).collect();
        let Some(first) = failed.first() else {
            return Ok(());
        };
        let mut recorded = failed.iter().filter_map(|place| self.recorded(*place));
        if recorded.any(|player| !player.cannot_play) {
            return Err(NotEnrolled::CannotContinue);
        }
        let is_enough = if self.continued.is_some() {
            // A player that is added has to be able to play.
            failed.iter().all(|place| self.recorded(*place).is_some())
        } else {
            // One bad player of thirty must not keep the others from playing, but every game of a
            // gauntlet needs its first player, and shards that judged a player differently would be
            // different contests.
            let needs_this = self.config.schedule == Format::Gauntlet && *first == 0;
            let fit = unfit.len() - failed.len();
            !self.needs_all && !needs_this && self.shard.is_none() && fit >= 2
        };
        if is_enough {
            Ok(())
        } else {
            let player = &self.players[*first];
            let check = PrintedCommand::check(player, &self.config.terms, &**self.game);
            Err(NotEnrolled::TooFew(check))
        }
    }

    /// Returns the players as the header has them, and brings `unfit` up to what the continued
    /// record has.
    fn listed(
        &self,
        entrants: &[Entrant],
        unfit: &mut [Option<String>],
        note: &mut dyn FnMut(&str),
    ) -> Vec<ListedPlayer> {
        let programs: Vec<_> = self.players.iter().map(|player| &player.program).collect();
        let identities = identify(&programs, self.own_files);
        let mut players = Vec::new();
        let mut partial = Vec::new();
        for ((place, entrant), identity) in entrants.iter().enumerate().zip(identities) {
            let command = entrant.program.command_line.clone();
            // A contest that continues has the players that it began with: those who could not play
            // then are in no series.
            let cannot_play = match (self.continued, self.recorded(place)) {
                (None, _) => unfit[place].is_some(),
                (Some(_), Some(before)) => before.command == command && before.cannot_play,
                (Some(_), None) => false,
            };
            if !cannot_play {
                unfit[place] = None;
            } else if unfit[place].is_none() {
                unfit[place] = Some(FAILED_CHECK.to_owned());
            }
            if identity.is_partial {
                partial.push(entrant.name.clone());
            }
            players.push(ListedPlayer {
                program: identity.digest,
                cannot_play,
                files: identity.files,
                dir: entrant.dir.clone(),
                limit_ms: entrant.limits.limit.map(in_milliseconds),
                start_limit_ms: entrant.limits.start_limit.map(in_milliseconds),
                ..ListedPlayer::called(entrant.name.clone(), command)
            });
        }
        if let (Some(first), true) = (partial.first(), self.is_recorded) {
            note(&format!(
                "{}: what the command starts is not watched as a whole, so --resume may not notice a change; name a folder of \
                 its own, as in {first}@DIR=COMMAND",
                partial.join(", ")
            ));
        }
        players
    }
}

/// Forgets names that players give themselves if another player has them.
fn drop_names_of_others(
    entrants: &[Entrant],
    profiles: &mut [Checked],
    note: &mut dyn FnMut(&str),
) {
    for (place, profile) in profiles.iter_mut().enumerate() {
        let Some(own) = &profile.own_name else {
            continue;
        };
        let mut others = entrants
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != place);
        if others.any(|(_, other)| are_same(&other.name, own)) {
            let name = &entrants[place].name;
            note(&format!(
                "{name} calls itself {own}, which is another player's name"
            ));
            profile.own_name = None;
        }
    }
}
