//! A game that the bot plays against the check, whichever game it is.

use arena::game::EndedBy;
use battleship::protocol::{Outcome, Reply, Request};
use battleship::scene::{ShipState, Viewer};
use battleship::seeded::SeededRng;
use battleship::{AttackResult, GameInPlay, Point, Rules, Turn};
use bothost::Side;

use super::boards::{any_fleet, cells, hull};
use super::placing::begin_game;
use super::shots::Shots;
use crate::failure::StepError;
use crate::session::Session;

/// A cell outside every board.
const NOWHERE: Point = Point::new(-1, -1);

/// Number of random fleets that are tried.
const TRIES: u32 = 100_000;

const BOT: Side = Side::One;
const CHECK: Side = Side::Two;

/// Of a bot whose ships move, the check spares this number of undamaged cells: it has to keep a
/// ship until the end of a step.
const SPARED: usize = 3;

/// A game that the bot plays against the check.
pub(crate) struct Play<'s, 'c> {
    pub(crate) session: &'s mut Session<'c>,
    rules: Rules,
    /// The bot's seed in this game.
    pub(crate) seed: u32,
    game: Box<dyn GameInPlay>,
    ships_move: bool,
    /// The cells that the check will shoot at, in order; where ships lie still, without one of the
    /// bot's.
    targets: Vec<Point>,
    /// Number of targets that it has shot at.
    shot: usize,
    /// The cells of the bot's ships when it placed them.
    ships: Vec<Point>,
    /// The bot's attacks, in a game whose turns name a cell alone.
    pub(crate) shots: Shots,
    /// The dialogue up to the first attack that it wasted, if a step keeps it.
    pub(crate) first_waste: Option<Vec<String>>,
}

impl<'s, 'c> Play<'s, 'c> {
    /// Begins the usual game with the seed of that number.
    pub(crate) fn usual(
        session: &'s mut Session<'c>,
        number: u32,
    ) -> Result<Play<'s, 'c>, StepError> {
        let rules = session.check.setup.rules.clone();
        let seed = session.check.seed(number);
        Play::begin(session, rules, seed)
    }

    /// Announces the game and has the bot place its ships. `seed` is the bot's; what the check does
    /// comes from it too.
    pub(crate) fn begin(
        session: &'s mut Session<'c>,
        rules: Rules,
        seed: u32,
    ) -> Result<Play<'s, 'c>, StepError> {
        let (fleet, seed) = begin_game(session, &rules, seed)?;
        let mut rng = SeededRng::new(seed.into());
        let mut targets: Vec<Point> = cells(rules.size()).collect();
        rng.shuffle(&mut targets);
        targets.reverse();
        let mut game = rules.begin();
        game.place(BOT, &fleet)
            .expect("the rules allowed it a moment ago");
        // The boards of the check have space enough at random places. If the usual board is crowded,
        // the ships lie as those of the bot.
        if !(0..TRIES).any(|_| game.place(CHECK, &any_fleet(&rules, &mut rng)).is_ok()) {
            game.place(CHECK, &fleet)
                .expect("the bot placed its ships so");
        }
        game.start(BOT);
        let mut ships = Vec::new();
        for (ship, at) in rules.ships().iter().zip(&fleet) {
            ships.extend(hull(ship, at));
        }
        ships.sort_unstable();
        let ships_move = !rules.ruleset().hits_once();
        if !ships_move {
            targets.retain(|at| Some(at) != ships.first());
        }
        Ok(Play {
            session,
            seed,
            game,
            ships_move,
            targets,
            shot: 0,
            ships,
            shots: Shots::new(rules.size()),
            first_waste: None,
            rules,
        })
    }

    /// Asks the bot for its turn, tells it the result, and returns the turn, or each shot of a
    /// salvo; none if the bot has won already.
    pub(crate) fn turn(&mut self) -> Result<Vec<Turn>, StepError> {
        if self.is_won() {
            return Ok(Vec::new());
        }
        if self.game.mover() == Some(CHECK) {
            // The check lets its turn go by, of which the bot is told nothing.
            self.play(Vec::new());
        }
        let request = self.game.request();
        let expected = request.expected();
        let reply = self.session.ask(request, &expected)?;
        let turns = self.game.play_all(&reply);
        let turns = turns.expect("it is a reply to this request");
        for turn in &turns {
            let has_hit = matches!(turn.impact(), AttackResult::Hit | AttackResult::Sunk(_));
            self.shots.add(turn.target(), has_hit);
        }
        for turn in &turns {
            self.session.tell(turn.result())?;
        }
        Ok(turns)
    }

    /// Shoots at the next cell, but never so that the bot loses, and tells it.
    pub(crate) fn opponents_turn(&mut self) -> Result<(), StepError> {
        let mut place = self.shot;
        self.shot += 1;
        if self.ships_move {
            place %= self.targets.len().max(1);
            if self.undamaged() <= SPARED {
                return Ok(());
            }
        }
        match self.targets.get(place) {
            Some(at) => self.shoot(*at),
            None => Ok(()),
        }
    }

    /// Shoots at a cell, if the check can and the bot has not won.
    fn shoot(&mut self, at: Point) -> Result<(), StepError> {
        if self.is_won() {
            return Ok(());
        }
        if self.game.mover() == Some(BOT) {
            return self.session.tell(Request::Opponent(at));
        }
        let mut actors = self.game.actors(CHECK).into_iter();
        let shooter = actors.find(|actor| actor.targets.is_none());
        let shooter = shooter.map(|shooter| shooter.at);
        let turns = self.play(shooter.into_iter().chain([at]).collect());
        for notice in turns.iter().flatten().filter_map(Turn::notice) {
            self.session.tell(notice)?;
        }
        Ok(())
    }

    /// Takes the check's turn with these cells; those that are missing are outside the board, which
    /// wastes them.
    fn play(&mut self, mut cells: Vec<Point>) -> Option<Vec<Turn>> {
        let request = self.game.request();
        cells.resize(request.cells(), NOWHERE);
        self.game.play_all(&Reply::naming(&cells, &request)?)
    }

    /// Returns the number of cells of the bot's ships that have no damage.
    fn undamaged(&self) -> usize {
        let scene = self.game.scene(Viewer::Judge);
        let mut undamaged = 0;
        for (ship, state) in self.rules.ships().iter().zip(&scene.ships[BOT]) {
            if let ShipState::Afloat(hits) = state {
                let length = usize::try_from(ship.length).unwrap_or(0);
                undamaged += length.saturating_sub(*hits);
            }
        }
        undamaged
    }

    /// Sinks the bot's ships, turn by turn, unless the bot wins before; tells it how the game has
    /// ended. Where ships move, a game is long, and ends as if it had been interrupted.
    pub(crate) fn play_on(&mut self) -> Result<(), StepError> {
        if self.ships_move {
            return self.session.tell_end(Outcome::Void, EndedBy::Interrupted);
        }
        for at in self.ships.clone() {
            self.turn()?;
            if self.is_won() {
                return self.tell_end();
            }
            self.shoot(at)?;
        }
        self.session.tell_end(Outcome::Lost, EndedBy::FleetSunk)
    }

    /// Plays until the bot has won, or until a game would be over. Returns `false` if that takes
    /// too long.
    pub(crate) fn finish(&mut self) -> Result<bool, StepError> {
        let mut takes_too_long = false;
        for _ in 0..self.longest() {
            takes_too_long = self.session.check.takes_too_long();
            if takes_too_long {
                break;
            }
            self.turn()?;
            if self.first_waste.is_none() && self.shots.waste().is_some() {
                self.first_waste = Some(self.session.log.shortened());
            }
            if self.is_won() {
                break;
            }
            self.opponents_turn()?;
        }
        self.tell_end()?;
        Ok(!takes_too_long)
    }

    /// Tells the bot that it has won, if it has, and else that its turns are used up.
    pub(crate) fn tell_end(&mut self) -> Result<(), StepError> {
        if self.is_won() {
            self.session.tell_end(Outcome::Won, EndedBy::FleetSunk)
        } else {
            self.session.tell_end(Outcome::Void, EndedBy::TurnCap)
        }
    }

    /// Plays this many turns of both.
    pub(crate) fn turns(&mut self, count: usize) -> Result<(), StepError> {
        for _ in 0..count {
            self.turn()?;
            self.opponents_turn()?;
        }
        Ok(())
    }

    /// Whether the bot has sunk every ship.
    pub(crate) fn is_won(&self) -> bool {
        self.game.winner() == Some(BOT)
    }

    /// As many turns as a game lasts at most.
    pub(crate) fn longest(&self) -> usize {
        self.rules
            .describe()
            .max_turns
            .try_into()
            .unwrap_or(usize::MAX)
    }
}
