//! Two players that are ready to play one game after the other.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bothost::{BotPair, DialogueListener, Interrupt, Launch, Oddities, Question};
use wire::game::{Bots, Played, Round, Stopped, Table};
use wire::greeting::{Greeting, Profile, not_ready};
use wire::line::VERSION;
use wire::{BySide, Clock, Ending, GameListener, Side};

use crate::game::{Entrant, OwnName};
use crate::terms::GameTerms;

/// Starts the players of a contest. [`Launch`] starts them as processes.
pub trait Starter: fmt::Debug + Send + Sync {
    /// Starts both players of a series and greets them for the game that is called `game`;
    /// `dialogue` receives the lines. Each player has the time `limit` to get ready, or its own
    /// limit for that.
    ///
    /// # Errors
    /// As [`Pair::start`].
    fn start(
        &self,
        players: &BySide<Entrant>,
        game: &str,
        limit: Duration,
        interrupt: &Arc<Interrupt>,
        dialogue: Option<Box<dyn DialogueListener>>,
    ) -> Result<Box<dyn StartedPair>, Stopped>;

    /// Returns the clock under which `player` is asked: `clock`, or the fuel of a module.
    fn clock_for(&self, player: &Entrant, clock: Clock) -> Clock;

    /// Returns the clock of a player in games under these terms.
    fn clock_under(&self, terms: &GameTerms, player: &Entrant) -> Clock {
        self.clock_for(player, terms.clock(player.limits.limit))
    }

    /// Returns whether players are confined to a sandbox, so that the files of one are to be hidden
    /// from the other.
    fn confines(&self) -> bool;
}

/// Two players that play one game after the other.
pub trait StartedPair {
    /// Returns them for a game with these clocks.
    fn bots(&mut self, clocks: BySide<Clock>) -> &mut dyn Bots;

    /// Returns the time that each player has computed so far, if that is known.
    fn computed(&self) -> BySide<Option<Duration>>;

    /// Ends both players; `ending` is that of the last game if one of them failed in it. Returns
    /// their oddities, in a sentence each.
    ///
    /// # Errors
    /// If the machine fails.
    fn end(self: Box<Self>, ending: Option<&Ending>) -> io::Result<BySide<Vec<String>>>;
}

impl Starter for Launch {
    fn start(
        &self,
        players: &BySide<Entrant>,
        game: &str,
        limit: Duration,
        interrupt: &Arc<Interrupt>,
        dialogue: Option<Box<dyn DialogueListener>>,
    ) -> Result<Box<dyn StartedPair>, Stopped> {
        let pair = Pair::start(players, self, game, limit, interrupt, dialogue)?;
        Ok(Box::new(pair))
    }

    fn clock_for(&self, player: &Entrant, clock: Clock) -> Clock {
        Launch::clock_for(self, &player.program, clock)
    }

    fn confines(&self) -> bool {
        self.sandbox.is_some()
    }
}

impl StartedPair for Pair {
    fn bots(&mut self, clocks: BySide<Clock>) -> &mut dyn Bots {
        Pair::bots(self, clocks)
    }

    fn computed(&self) -> BySide<Option<Duration>> {
        BySide::from_fn(|side| self.bots.computed(side))
    }

    fn end(self: Box<Self>, ending: Option<&Ending>) -> io::Result<BySide<Vec<String>>> {
        match ending {
            Some(ending) => Pair::end(*self, ending),
            None => self.quit(),
        }
    }
}

/// Two players that have been started and greeted, as processes.
#[derive(Debug)]
pub struct Pair {
    bots: BotPair,
    /// Their names for themselves, if they differ from their names.
    own_names: BySide<OwnName>,
    /// Their authors, if they say.
    pub authors: BySide<Option<String>>,
}

impl Pair {
    /// Starts both players and greets them for the game that is called `game`; `dialogue` receives
    /// what is said. Each has `limit` to get ready, or its own.
    ///
    /// # Errors
    /// If one of them cannot be started or does not get ready, which is an ending without a game;
    /// or if the referee or its machine fails.
    pub fn start(
        players: &BySide<Entrant>,
        launch: &Launch,
        game: &str,
        limit: Duration,
        interrupt: &Arc<Interrupt>,
        dialogue: Option<Box<dyn DialogueListener>>,
    ) -> Result<Pair, Stopped> {
        let programs = players.as_ref().map(|player| &player.program);
        let mut bots = BotPair::start(programs, launch, interrupt.clone(), dialogue).map_err(
            |(side, error)| {
                // A fault of the machine is not a result of a game: it would be another one on
                // another machine.
                if error.is_of_machine() {
                    let what = format!("{} could not be started: {error}", players[side].name);
                    Stopped::Failed(io::Error::other(what))
                } else {
                    Ending::could_not_start(side, error).into()
                }
            },
        )?;
        bots.set_clocks(players.as_ref().map(|player| {
            let limit = player.limits.start_limit.unwrap_or(limit);
            launch.clock_for(&player.program, Clock::Wall(limit))
        }));
        match greet(&mut bots, game) {
            Ok(profiles) => {
                let own_names = BySide::from_fn(|side| {
                    let own = profiles[side].name.as_deref();
                    OwnName::of(&players[side], own, &players[side.other()].name)
                });
                Ok(Pair {
                    bots,
                    own_names,
                    authors: profiles.map(|profile| profile.author),
                })
            }
            Err(Stopped::Ended(ending)) => {
                end(bots, &ending)?;
                Err(Stopped::Ended(ending))
            }
            Err(Stopped::Failed(error)) => Err(Stopped::Failed(error)),
        }
    }

    /// Returns the player's name for itself, if it differs from its name and may be shown beside
    /// it.
    #[must_use]
    pub fn own_name(&self, side: Side) -> Option<String> {
        match &self.own_names[side] {
            OwnName::Other(own) => Some(own.clone()),
            OwnName::Same | OwnName::Taken(_) => None,
        }
    }

    /// Returns the number of the player's process, or of its supervisor.
    #[must_use]
    pub fn process(&self, side: Side) -> u32 {
        self.bots.process(side)
    }

    /// Returns the two bots, for a game with these clocks.
    pub fn bots(&mut self, clocks: BySide<Clock>) -> &mut BotPair {
        self.bots.set_clocks(clocks);
        &mut self.bots
    }

    /// Plays one game at `table`.
    ///
    /// # Errors
    /// As [`Table::play`].
    pub fn play(
        &mut self,
        table: &mut dyn Table,
        round: &Round,
        listener: &mut GameListener<'_>,
    ) -> io::Result<Played> {
        table.play(self.bots(round.clocks), round, listener)
    }

    /// Ends both players after a game with this ending. Returns their oddities, in a sentence each.
    ///
    /// # Errors
    /// As [`BotPair::end`].
    pub fn end(self, ending: &Ending) -> io::Result<BySide<Vec<String>>> {
        let oddities = end(self.bots, ending)?;
        Ok(warnings(&self.own_names, &oddities))
    }

    /// Ends both players after games in which neither failed. Returns the same as [`Pair::end`].
    ///
    /// # Errors
    /// As [`BotPair::end`].
    pub fn quit(self) -> io::Result<BySide<Vec<String>>> {
        let oddities = self.bots.end(BySide::default())?;
        Ok(warnings(&self.own_names, &oddities))
    }
}

/// Greets both bots and waits until they are ready to play `game`, each in its time from its
/// greeting.
fn greet(bots: &mut BotPair, game: &str) -> Result<BySide<Profile>, Stopped> {
    let mut put = |side| put_greeting(bots, side).map_err(|stopped| not_ready(side, stopped));
    // Both at once: a slow start is not waited for twice.
    let mut one = put(Side::One)?;
    let mut two = put(Side::Two)?;
    let mut receive = |side, question: &mut Question| {
        receive_greeting(bots, side, game, question).map_err(|stopped| not_ready(side, stopped))
    };
    Ok(BySide::new(
        receive(Side::One, &mut one)?,
        receive(Side::Two, &mut two)?,
    ))
}

/// Greets the bot on `side`.
///
/// # Errors
/// If the bot or the machine fails.
pub fn put_greeting(bots: &mut BotPair, side: Side) -> Result<Question, Stopped> {
    bots.put(side, format_args!("battleship {VERSION}"))
        .map_err(|error| error.of(side))
}

/// Receives the answer of the bot on `side` to the greeting, which was the `question`, until it is
/// ready to play `game`.
///
/// # Errors
/// If it is not ready in time or does not play that game, for the reason that it would have in a
/// game.
pub fn receive_greeting(
    bots: &mut BotPair,
    side: Side,
    game: &str,
    question: &mut Question,
) -> Result<Profile, Stopped> {
    let mut greeting = Greeting::default();
    loop {
        let line = bots.answer(question).map_err(|error| error.of(side))?.line;
        if let Some(profile) = greeting.read(side, game, line)? {
            bots.set_needs_ask(side, profile.plays_any);
            return Ok(profile);
        }
    }
}

fn end(bots: BotPair, ending: &Ending) -> io::Result<BySide<Oddities>> {
    bots.end(BySide::from_fn(|side| {
        (ending.is_failure_of(side)).then_some(ending.what.as_str())
    }))
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
