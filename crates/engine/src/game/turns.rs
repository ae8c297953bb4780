//! One game between two bots: placement, the turn loop, and the end. It is the same for every game.

use std::io;
use std::time::Duration;

use battleship::protocol::{Outcome, Reply, Request};
use battleship::{BySide, GameInPlay, Rules, Side, Turn};
use bothost::{BotPair, Clock};

use super::reply::{GameStopped, bad_reply, understand};
use super::{EndedBy, Ending, Event, Listener, Stop};

/// The longest time limit that a bot is told: 24 days, whose milliseconds are a number of 32 bits in every language.
const LONGEST_TOLD: Duration = Duration::from_millis(i32::MAX.cast_unsigned() as u64);

/// The settings of one game.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The game.
    pub rules: Rules,
    /// The seed of each bot.
    pub seeds: BySide<u32>,
    /// The clock of each player.
    pub clocks: BySide<Clock>,
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
    let mut game = setup.rules.begin();
    bots.set_clocks(setup.clocks);
    let mut table = GameTable {
        bots,
        setup,
        listener,
    };
    let over = table.place(&mut *game, first).and_then(|()| {
        game.start(first);
        table.take_turns(&mut *game)
    });
    let ending = table.conclude(over.unwrap_or_else(|ended| ended))?;
    table.tell_ending(&ending, &*game)
}

/// Announces a game by `rules` to the player on `side`, with the time for each reply, if `clock` has one.
///
/// # Errors
/// If the referee or its machine fails.
pub fn announce(
    bots: &mut BotPair,
    side: Side,
    rules: &Rules,
    seed: u32,
    clock: Clock,
) -> io::Result<()> {
    announcement(rules, seed, clock)
        .iter()
        .try_for_each(|line| bots.tell(side, format_args!("{line}")))
}

/// Returns the lines that announce a game to a player, as [`announce`] sends them.
fn announcement(rules: &Rules, seed: u32, clock: Clock) -> Vec<Request> {
    let limit = clock.reply_limit();
    let limit = limit.map(|limit| Request::Limit(limit.min(LONGEST_TOLD)));
    rules
        .announce()
        .into_iter()
        .chain([Request::Seed(seed)])
        .chain(limit)
        .collect()
}

/// The participants of a game: its players and its listener.
struct GameTable<'t> {
    bots: &'t mut BotPair,
    setup: &'t GameSetup,
    listener: &'t mut dyn Listener,
}

impl GameTable<'_> {
    /// Announces the game and asks both players for their ships. The first mover is asked first: if neither can place
    /// its ships, the game ends by its doing.
    fn place(&mut self, game: &mut dyn GameInPlay, first: Side) -> Result<(), GameStopped> {
        let rules = &self.setup.rules;
        for side in [first, first.other()] {
            announce(
                self.bots,
                side,
                rules,
                self.setup.seeds[side],
                self.setup.clocks[side],
            )?;
            let expected = || rules.describe().expected_placement();
            let (placement, _) =
                self.ask(side, &Request::Place, expected, Reply::into_placement)?;
            let Some(placements) = placement else {
                let what = rules.describe().cannot_place();
                return Err(Ending::void(Some(side), EndedBy::CannotPlace, what).into());
            };
            game.place(side, &placements)
                .map_err(|faults| Ending::lost_by(side, EndedBy::IllegalPlacement, faults))?;
        }
        Ok(())
    }

    fn take_turns(&mut self, game: &mut dyn GameInPlay) -> Result<GameStopped, GameStopped> {
        self.listener.hear(&Event::Placed { position: game })?;
        let rules = &self.setup.rules;
        let max_turns = self.setup.max_turns;
        // The cap counts turns, not attacks: wasted ones too, or two bots that only waste theirs would never stop.
        for _ in 0..2 * u64::from(max_turns) {
            let mover = game
                .mover()
                .expect("the game continues until one player has won");
            self.listener.hear(&Event::Turn {
                mover,
                position: game,
            })?;
            self.listener.before_turn(mover, self.bots)?;
            let request = game.request();
            let expected = || request.expected();
            let (steps, mut time) =
                self.ask(mover, &request, expected, |reply| game.steps(&reply))?;
            let mut turns: Vec<Turn> = Vec::new();
            for step in steps {
                if let Some(turn) = turns.last() {
                    self.hear_played(mover, turn, time, game)?;
                    // The reply took its time once.
                    time = Duration::ZERO;
                }
                turns.extend(game.play(step));
            }
            // The bots are told first: they can read while the listeners print.
            for turn in &turns {
                self.bots.tell(mover, format_args!("{}", turn.result()))?;
            }
            for notice in turns.iter().filter_map(Turn::notice) {
                self.bots.tell(mover.other(), format_args!("{notice}"))?;
            }
            if let Some(turn) = turns.last() {
                self.hear_played(mover, turn, time, game)?;
            }
            if let Some(winner) = game.winner() {
                return Ok(Ending::won_by(winner).into());
            }
        }
        Ok(Ending::void(
            None,
            EndedBy::TurnCap,
            rules.describe().undecided(max_turns),
        )
        .into())
    }

    /// Lets the listener hear a turn that was played.
    fn hear_played(
        &mut self,
        mover: Side,
        turn: &Turn,
        time: Duration,
        position: &dyn GameInPlay,
    ) -> Result<(), Stop> {
        self.listener.hear(&Event::Played {
            mover,
            turn,
            time,
            position,
        })
    }

    /// Asks the player on `side` for a reply that `read` accepts, and returns how long it took.
    fn ask<T>(
        &mut self,
        side: Side,
        request: &Request,
        expected: impl Fn() -> String,
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
        expected: impl Fn() -> String,
        read: impl FnOnce(Reply) -> Option<T>,
    ) -> Result<(T, Duration), GameStopped> {
        if let Some(left) = self.bots.time_left(side) {
            let clock = Request::Clock(left.min(LONGEST_TOLD));
            self.bots.tell(side, format_args!("{clock}"))?;
        }
        let answer = self.bots.ask(side, format_args!("{request}"));
        let answer = answer.map_err(|error| GameStopped::without_answer(side, error))?;
        let reply = understand(side, &expected, answer.line)?;
        match read(reply) {
            Some(read) => Ok((read, answer.time)),
            None => Err(bad_reply(side, &expected(), answer.line, None).into()),
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
            let end = Request::End(outcome, ending.ended_by.to_string());
            self.bots.tell(side, format_args!("{end}"))?;
        }
        Ok(ending)
    }

    /// Lets the listener hear how the game has ended. A listener that stops the game even then changes its ending.
    fn tell_ending(&mut self, ending: &Ending, position: &dyn GameInPlay) -> io::Result<Ending> {
        let over = Event::Ended {
            ending,
            position: Some(position),
        };
        match self.listener.hear(&over).map_err(GameStopped::from) {
            Ok(()) => Ok(ending.clone()),
            Err(GameStopped::Ended(interrupted)) => Ok(interrupted),
            Err(GameStopped::Failed(error)) => Err(error),
        }
    }
}
