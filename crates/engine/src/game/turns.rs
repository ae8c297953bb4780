//! One game between two bots: placement, the turn loop, and the end. It is the same for every game.

use std::io;
use std::time::Duration;

use battleship::protocol::{Outcome, Reply, Request};
use battleship::{BySide, GameState, Side};
use bothost::BotPair;

use super::games::{TurnOf, WireGame, WithGame};
use super::reply::{GameStopped, bad_reply, understand};
use super::{EndedBy, Ending, Event, Listener, Position};
use crate::terms::Rules;

/// The longest time limit that a bot is told: 24 days, whose milliseconds are a number of 32 bits in every language.
const LONGEST_TOLD: Duration = Duration::from_millis(i32::MAX.cast_unsigned() as u64);

/// What one game is played with.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// What is played.
    pub rules: Rules,
    /// The seed of each bot.
    pub seeds: BySide<u32>,
    /// How long each player may take for a reply; `None` for no limit.
    pub limits: BySide<Option<Duration>>,
    /// The number of turns that each player has before the game ends without a winner.
    pub max_turns: u32,
}

/// Plays one game between `bots`, which have been greeted; the player on `first` moves first. `listener`
/// hears every event, and both bots are told the end. A bot that has failed cannot play another game.
///
/// # Errors
/// If the referee or its machine fails. A failure of a bot is an [`Ending`].
pub fn play(
    bots: &mut BotPair,
    setup: &GameSetup,
    first: Side,
    listener: &mut dyn Listener,
) -> io::Result<Ending> {
    setup.rules.with_game(GameInPlay { bots, setup, first, listener })
}

/// Announces `game` to the player on `side`, who has `limit` for each reply; `None` for no limit, of which nothing is said.
///
/// # Errors
/// If the referee or its machine fails.
pub fn announce<G: WireGame>(
    bots: &mut BotPair,
    side: Side,
    game: &G,
    seed: u32,
    limit: Option<Duration>,
) -> io::Result<()> {
    for line in game.announcement() {
        bots.tell(side, &line)?;
    }
    bots.tell(side, &Request::Seed(seed))?;
    limit.map_or(Ok(()), |limit| bots.tell(side, &Request::Limit(limit.min(LONGEST_TOLD))))
}

/// A game that is played, and its players and listener.
struct GameInPlay<'t> {
    bots: &'t mut BotPair,
    setup: &'t GameSetup,
    first: Side,
    listener: &'t mut dyn Listener,
}

impl WithGame for GameInPlay<'_> {
    type Output = io::Result<Ending>;

    fn with<G: WireGame>(mut self, game: &G) -> io::Result<Ending> {
        let mut fleets = game.no_fleets();
        // A game that ends while ships are placed has no state yet, but may have one fleet to show.
        if let Err(stopped) = self.place(game, &mut fleets) {
            let ending = self.conclude(stopped)?;
            return self.tell_ending(&ending, G::placed(&fleets));
        }
        let mut state = game.begin(fleets, self.first);
        let ending = match self.take_turns::<G>(&mut state) {
            Ok(ending) => self.conclude(ending.into())?,
            Err(stopped) => self.conclude(stopped)?,
        };
        self.tell_ending(&ending, Some(G::position(&state)))
    }
}

impl GameInPlay<'_> {
    /// Announces the game and asks both players for their ships. The first mover is asked first: if neither can place
    /// its ships, the game ends by its doing.
    fn place<G: WireGame>(&mut self, game: &G, fleets: &mut G::Fleets) -> Result<(), GameStopped> {
        for side in [self.first, self.first.other()] {
            announce(self.bots, side, game, self.setup.seeds[side], self.setup.limits[side])?;
            let expected = game.expected_placement();
            let (placement, _) =
                self.ask(side, &Request::Place, &expected, Reply::into_placement)?;
            let Some(placements) = placement else {
                return Err(Ending::void(Some(side), EndedBy::CannotPlace, G::CANNOT_PLACE).into());
            };
            game.place(fleets, side, &placements)
                .map_err(|faults| Ending::lost_by(side, EndedBy::IllegalPlacement, faults))?;
        }
        Ok(())
    }

    fn take_turns<G: WireGame>(&mut self, state: &mut G::State) -> Result<Ending, GameStopped> {
        self.listener.hear(&Event::Placed { position: G::position(state) })?;
        let max_turns = self.setup.max_turns;
        // The cap counts turns, not attacks: wasted ones too, or two bots that only waste theirs would never stop.
        for _ in 0..2 * u64::from(max_turns) {
            let mover = state.turn().expect("the game goes on until one player has won");
            self.listener.hear(&Event::Turn { mover, position: G::position(state) })?;
            let (turn, time): (TurnOf<G>, Duration) =
                self.ask(mover, &G::TURN, G::EXPECTED_TURN, |reply| G::turn_in(&reply))?;
            let result = state.play(turn).expect("it was a player's turn a moment ago");
            // The bots are told first: they can read while the listeners print.
            self.bots.tell(mover, &G::result(turn, &result))?;
            if let Some(notice) = G::notice(turn, &result) {
                self.bots.tell(mover.other(), &notice)?;
            }
            let (played, position) = (G::played(turn, &result), G::position(state));
            self.listener.hear(&Event::Played { mover, played, time, position })?;
            if let Some(winner) = state.winner() {
                return Ok(Ending::won_by(winner));
            }
        }
        Ok(Ending::void(None, EndedBy::TurnCap, G::undecided(max_turns)))
    }

    /// Asks the player on `side` for a reply that `read` accepts, and returns how long it took.
    fn ask<T>(
        &mut self,
        side: Side,
        request: &Request,
        expected: &str,
        read: impl FnOnce(Reply) -> Option<T>,
    ) -> Result<(T, Duration), GameStopped> {
        let asked = self.hear_reply(side, request, expected, read);
        // Before a failure too: what a bot has said until then belongs to the game.
        let comments = self.bots.take_comments(side);
        for line in comments.split_inclusive(|byte| *byte == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            self.listener.hear(&Event::Comment { by: side, line })?;
        }
        asked
    }

    fn hear_reply<T>(
        &mut self,
        side: Side,
        request: &Request,
        expected: &str,
        read: impl FnOnce(Reply) -> Option<T>,
    ) -> Result<(T, Duration), GameStopped> {
        let answer = self.bots.ask(side, request, self.setup.limits[side]);
        let answer = answer.map_err(|error| GameStopped::without_answer(side, error))?;
        let reply = understand(side, expected, answer.line)?;
        match read(reply) {
            Some(read) => Ok((read, answer.time)),
            None => Err(bad_reply(side, expected, answer.line, None).into()),
        }
    }

    /// Tells both bots how the game has ended, unless it is the referee that has failed.
    fn conclude(&mut self, stopped: GameStopped) -> io::Result<Ending> {
        let ending = match stopped {
            GameStopped::Ended(ending) => ending,
            GameStopped::Failed(error) => return Err(error),
        };
        // A bot that has failed hears it too, if it still reads: its author may look for it in the dialogue.
        for side in Side::BOTH {
            let outcome = match ending.winner {
                None => Outcome::Void,
                Some(winner) if winner == side => Outcome::Won,
                Some(_) => Outcome::Lost,
            };
            self.bots.tell(side, &Request::End(outcome, ending.ended_by.to_string()))?;
        }
        Ok(ending)
    }

    /// Lets the listener hear how the game has ended. A listener that stops the game even then changes its ending.
    fn tell_ending(
        &mut self,
        ending: &Ending,
        position: Option<Position<'_>>,
    ) -> io::Result<Ending> {
        match self.listener.hear(&Event::Ended { ending, position }).map_err(GameStopped::from) {
            Ok(()) => Ok(ending.clone()),
            Err(GameStopped::Ended(interrupted)) => Ok(interrupted),
            Err(GameStopped::Failed(error)) => Err(error),
        }
    }
}
