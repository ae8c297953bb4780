//! Battleship as a game that is played between bots: placement, the turn loop, and the end. It is
//! the same for every variant.

use std::any::Any;
use std::io;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use wire::game::{
    Bots, Played, Retries, Round, Stopped, Table, announce, ask_valid, bad_reply, conclude,
};
use wire::{BySide, EndedBy, Ending, Event, GameListener, Side};

use crate::game_reader::{BattleshipReader, own_part};
use crate::protocol::{Reply, Request};
use crate::seeded::SeededRng;
use crate::{GameInPlay, Placement, PlayedTurn, Rules, Ruleset, Turn};

/// The domain of [`SeededRng`] from which it comes who moves first.
const FIRST_DOMAIN: u64 = u64::from_be_bytes(*b"whofirst");

/// The position in the events of a game of Battleship.
#[derive(Debug)]
pub struct InPlay {
    /// The game as its referee knows it.
    pub game: Box<dyn GameInPlay>,
    /// The turn that was played last; `None` before the first one.
    pub turn: Option<Turn>,
}

impl InPlay {
    /// Returns the position of an event.
    pub fn of(position: &dyn Any) -> Option<&InPlay> {
        position.downcast_ref()
    }
}

impl wire::game::Game for Rules {
    fn reader(&self) -> &'static dyn wire::game::GameReader {
        &BattleshipReader
    }

    fn name(&self) -> &str {
        self.ruleset().word()
    }

    fn settings(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => fields,
            _ => unreachable!("rules are an object with text for keys"),
        }
    }

    fn first(&self, seed: u64) -> Side {
        // The first player in the classic game, as in the course's; one by chance in the twist, as
        // in its original.
        if self.describe().draws_first_mover && !SeededRng::in_domain(seed, FIRST_DOMAIN).coin() {
            Side::Two
        } else {
            Side::One
        }
    }

    fn arguments(&self) -> Vec<String> {
        let mut arguments = self.house_arguments();
        let Some(game) = self.game() else {
            return arguments;
        };
        let mut add = |option: &str, value: String| arguments.extend([option.to_owned(), value]);
        let usual = crate::Game::standard();
        if game.rows() != usual.rows() {
            add("--rows", game.rows().to_string());
        }
        if game.cols() != usual.cols() {
            add("--cols", game.cols().to_string());
        }
        if game.ships() != usual.ships() {
            for ship in game.ships() {
                let length = ship.length;
                let symbol = ship.symbol;
                let name = &ship.name;
                add("--ship", format!("{length} {symbol} {name}"));
            }
        }
        arguments
    }

    fn max_turns(&self) -> u32 {
        self.describe().max_turns
    }

    fn unplayed(&self) -> Box<RawValue> {
        own_part(self, BySide::default(), Vec::new())
    }

    fn table(&self) -> io::Result<Box<dyn Table>> {
        Ok(Box::new(BattleshipTable {
            rules: self.clone(),
        }))
    }
}

impl Rules {
    /// Returns the arguments that say which game it is and its options, but not its board; none for
    /// the usual ones.
    fn house_arguments(&self) -> Vec<String> {
        let options = self.options();
        let mut arguments = Vec::new();
        if self.ruleset() != Ruleset::Classic {
            arguments.extend(["--rules".to_owned(), self.ruleset().to_string()]);
        }
        if let Some(shots) = options.shots {
            arguments.extend(["--salvo".to_owned(), shots.to_string()]);
        }
        if options.apart {
            arguments.push("--apart".to_owned());
        }
        arguments
    }

    /// Returns the turns of each player in a game that says nothing else. Where damage is repaired,
    /// people need more of them than programs, and have no cap.
    pub fn usual_max_turns(&self, has_person: bool) -> u32 {
        if has_person && !self.ruleset().hits_once() {
            u32::MAX
        } else {
            self.describe().max_turns
        }
    }
}

/// Plays games by the same rules.
#[derive(Debug)]
struct BattleshipTable {
    rules: Rules,
}

impl Table for BattleshipTable {
    fn play(
        &mut self,
        bots: &mut dyn Bots,
        round: &Round,
        listener: &mut GameListener<'_>,
    ) -> io::Result<Played> {
        let mut play = Play {
            rules: &self.rules,
            round,
            bots,
            listener,
            position: InPlay {
                game: self.rules.begin(),
                turn: None,
            },
            fleets: None,
            turns: Vec::new(),
            retries: Retries::of(round),
        };
        let over = play.place().and_then(|()| {
            play.position.game.start(round.first);
            play.take_turns()
        });
        let ending = conclude(play.bots, play.listener, over, &play.position)?;
        // A game that ended before its first turn leaves the fleet of one player, if its rules show
        // that.
        let fleets = play.fleets.unwrap_or_else(|| play.position.game.fleets());
        let own = own_part(&self.rules, fleets, play.turns);
        Ok(Played {
            retried: play.retries.used,
            ..Played::without_play(ending, own)
        })
    }
}

/// A game while it is played.
struct Play<'p, 'l> {
    rules: &'p Rules,
    round: &'p Round,
    bots: &'p mut dyn Bots,
    listener: &'p mut GameListener<'l>,
    position: InPlay,
    /// The fleets at the first turn: ships may move.
    fleets: Option<BySide<Option<Vec<Placement>>>>,
    turns: Vec<PlayedTurn>,
    retries: Retries,
}

impl Play<'_, '_> {
    /// Announces the game and asks both players for their ships. The first mover is asked first: if
    /// neither can place its ships, the game ends by its doing.
    fn place(&mut self) -> Result<(), Stopped> {
        for side in [self.round.first, self.round.first.other()] {
            for line in self.rules.announce() {
                self.bots.tell(side, format_args!("{line}"))?;
            }
            let seed = self.round.bot_seeds[side];
            let clock = self.round.clocks[side];
            announce(self.bots, side, seed, clock)?;
            let description = self.rules.describe();
            let game = &mut self.position.game;
            let (is_placed, _) = ask_valid(
                self.bots,
                side,
                format_args!("{}", Request::Place),
                |line| match read(
                    side,
                    line,
                    || description.expected_placement(),
                    Reply::into_placement,
                )? {
                    None => Ok(false),
                    Some(placements) => match game.place(side, &placements) {
                        Ok(()) => Ok(true),
                        Err(faults) => {
                            Err(Ending::lost_by(side, EndedBy::IllegalPlacement, faults))
                        }
                    },
                },
                &mut self.retries,
                self.listener,
            )?;
            if !is_placed {
                let what = description.cannot_place();
                return Err(Ending::void(Some(side), EndedBy::CannotPlace, what).into());
            }
        }
        Ok(())
    }

    fn take_turns(&mut self) -> Result<Ending, Stopped> {
        self.fleets = Some(self.position.game.fleets());
        self.listener.on_event(&Event::Begun {
            position: &self.position,
        })?;
        let max_turns = self.round.max_turns;
        // The cap counts turns, not attacks: wasted ones too, or two bots that only waste theirs
        // would never stop.
        for _ in 0..2 * u64::from(max_turns) {
            let side = self
                .position
                .game
                .mover()
                .expect("the game continues until one player has won");
            self.take_turn(side)?;
            if let Some(winner) = self.position.game.winner() {
                return Ok(Ending::won_by(winner));
            }
        }
        let what = self.rules.describe().undecided(max_turns);
        Ok(Ending::void(None, EndedBy::TurnCap, what))
    }

    /// Lets the player on `side` have its turn, which may be several shots.
    fn take_turn(&mut self, side: Side) -> Result<(), Stopped> {
        self.listener.on_event(&Event::Asked {
            side,
            position: &self.position,
        })?;
        let request = self.position.game.request();
        let game = &self.position.game;
        let (steps, mut time) = ask_valid(
            self.bots,
            side,
            format_args!("{request}"),
            |line| {
                read(
                    side,
                    line,
                    || request.expected(),
                    |reply| game.steps(&reply),
                )
            },
            &mut self.retries,
            self.listener,
        )?;
        let begin = self.turns.len();
        for step in steps {
            if self.turns.len() > begin {
                self.on_played(side, time)?;
                // The reply took its time once.
                time = Duration::ZERO;
            }
            if let Some(turn) = self.position.game.play(step) {
                self.position.turn = Some(turn.clone());
                self.turns.push(PlayedTurn::new(side, turn, time));
            }
        }
        // The bots are told first: they can read while the listeners print.
        let turns = || self.turns[begin..].iter().map(|played| &played.turn);
        for turn in turns() {
            self.bots.tell(side, format_args!("{}", turn.result()))?;
        }
        for notice in turns().filter_map(Turn::notice) {
            self.bots.tell(side.other(), format_args!("{notice}"))?;
        }
        if self.turns.len() > begin {
            self.on_played(side, time)?;
        }
        Ok(())
    }

    fn on_played(&mut self, side: Side, time: Duration) -> Result<(), Stopped> {
        let position = &self.position;
        let played = Event::Played {
            side,
            time,
            position,
        };
        Ok(self.listener.on_event(&played)?)
    }
}

/// Returns the result of `accept` for the reply that the player on `side` gave in `line`;
/// `expected` is the requested reply in words.
fn read<T>(
    side: Side,
    line: &[u8],
    expected: impl Fn() -> String,
    accept: impl FnOnce(Reply) -> Option<T>,
) -> Result<T, Ending> {
    let reply = Reply::parse(line).map_err(|why| bad_reply(side, &expected(), line, Some(&why)))?;
    accept(reply).ok_or_else(|| bad_reply(side, &expected(), line, None))
}
