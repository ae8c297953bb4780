//! Two bots that are ready to play.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use battleship::{BySide, Ruleset};

use super::entrant::{Entrant, OwnName};
use super::{Ending, GameSetup, GameStopped, Listener, greet, play};
use bothost::{BotPair, Clock, Interrupt, Launch, Oddities, Side, Wiretap};

/// Two players that have been started and greeted and can play one game after the other.
#[derive(Debug)]
pub struct ReadyPair {
    bots: BotPair,
    /// Their names for themselves, if they differ from their names.
    own_names: BySide<OwnName>,
    /// Their authors, if they say.
    pub authors: BySide<Option<String>>,
}

impl ReadyPair {
    /// Returns the player's name for itself, if it differs from its name and may be shown beside it.
    #[must_use]
    pub fn own_name(&self, side: Side) -> Option<String> {
        match &self.own_names[side] {
            OwnName::Other(own) => Some(own.clone()),
            OwnName::Same | OwnName::Taken(_) => None,
        }
    }

    /// Starts both players and greets them for games by `rules`; `wiretap` hears their dialogues. Each has `limit` to
    /// get ready, or its own.
    ///
    /// # Errors
    /// If one of them cannot be started or does not get ready, which is an ending without a game; or if the
    /// referee or its machine fails.
    pub fn start(
        players: &BySide<Entrant>,
        launch: &Launch,
        rules: Ruleset,
        limit: Duration,
        interrupt: &Arc<Interrupt>,
        wiretap: Option<Box<dyn Wiretap>>,
    ) -> Result<ReadyPair, GameStopped> {
        let programs = players.as_ref().map(|player| &player.program);
        let mut bots = BotPair::start(programs, launch, interrupt.clone(), wiretap).map_err(
            |(side, error)| {
                // A fault of the machine is not a result of a game: it would be another one on another machine.
                if error.is_of_machine() {
                    let what = format!("{} could not be started: {error}", players[side].name);
                    GameStopped::Failed(io::Error::other(what))
                } else {
                    Ending::could_not_start(side, error).into()
                }
            },
        )?;
        bots.set_clocks(players.as_ref().map(|player| {
            let limit = player.limits.start_limit.unwrap_or(limit);
            launch.clock_for(&player.program, Clock::Wall(limit))
        }));
        match greet(&mut bots, rules) {
            Ok(profiles) => {
                let own_names = BySide::from_fn(|side| {
                    let own = profiles[side].name.as_deref();
                    OwnName::of(&players[side], own, &players[side.other()].name)
                });
                Ok(ReadyPair {
                    bots,
                    own_names,
                    authors: profiles.map(|profile| profile.author),
                })
            }
            Err(GameStopped::Ended(ending)) => {
                end(bots, &ending)?;
                Err(GameStopped::Ended(ending))
            }
            Err(GameStopped::Failed(error)) => Err(GameStopped::Failed(error)),
        }
    }

    /// Returns the number of the player's process, or of its supervisor.
    #[must_use]
    pub fn process(&self, side: Side) -> u32 {
        self.bots.process(side)
    }

    /// Plays one game, in which the player on `first` moves first.
    ///
    /// # Errors
    /// As [`play()`].
    pub fn play(
        &mut self,
        setup: &GameSetup,
        first: Side,
        listener: &mut dyn Listener,
    ) -> io::Result<Ending> {
        play(&mut self.bots, setup, first, listener)
    }

    /// The time that each player has computed so far, if that is known.
    #[must_use]
    pub fn computed(&self) -> BySide<Option<Duration>> {
        BySide::from_fn(|side| self.bots.computed(side))
    }

    /// Ends both players after a game that ended so. Returns what was odd about them, in a sentence each.
    ///
    /// # Errors
    /// As [`BotPair::end`].
    pub fn end(self, ending: &Ending) -> io::Result<BySide<Vec<String>>> {
        let oddities = end(self.bots, ending)?;
        Ok(warnings(&self.own_names, &oddities))
    }

    /// Ends both players after games in which neither failed. Returns the same as [`ReadyPair::end`].
    ///
    /// # Errors
    /// As [`BotPair::end`].
    pub fn quit(self) -> io::Result<BySide<Vec<String>>> {
        let oddities = self.bots.end(BySide::default())?;
        Ok(warnings(&self.own_names, &oddities))
    }
}

fn end(bots: BotPair, ending: &Ending) -> io::Result<BySide<Oddities>> {
    let reason = |side| (ending.is_failure_of(side)).then_some(ending.what.as_str());
    bots.end(BySide::from_fn(reason))
}

fn warnings(own_names: &BySide<OwnName>, oddities: &BySide<Oddities>) -> BySide<Vec<String>> {
    BySide::from_fn(|side| {
        let Oddities {
            early,
            no_line_feed,
            computed_unasked,
            stopped_after,
            not_all_ended,
            remains,
        } = &oddities[side];
        let mut warnings = Vec::new();
        if let OwnName::Taken(own) = &own_names[side] {
            warnings.push(format!(
                "it calls itself {own}, which is another player's name"
            ));
        }
        if *early {
            warnings.push("it spoke before it was asked".to_owned());
        }
        if *no_line_feed {
            warnings.push("it ended its last line without a line feed".to_owned());
        }
        if let Some(computed) = stopped_after {
            let seconds = computed.as_secs_f64();
            warnings.push(format!(
                "it computed for {seconds:.1} s while it was not asked, and was stopped meanwhile: it thinks in its opponent's time"
            ));
        } else if let Some(computed) = computed_unasked {
            let seconds = computed.as_secs_f64();
            warnings.push(format!(
                "it computed for {seconds:.1} s in all, far longer than it was asked: it thinks in its opponent's time"
            ));
        }
        if let Some(remains) = remains {
            warnings.push(format!(
                "its folder could not be removed: {remains}; remove it by hand"
            ));
        }
        if *not_all_ended {
            warnings.push(
                "its supervisor took too long to end its processes and was killed: some may be left, look for them with ps"
                    .to_owned(),
            );
        }
        warnings
    })
}
