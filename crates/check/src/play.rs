//! A game that the bot plays against the check, whichever game it is.

use battleship::protocol::{Outcome, Reply};
use battleship::scene::{ShipState, Viewer};
use battleship::seeded::SeededRng;
use battleship::{AttackResult, GameInPlay, Point, Rules, Turn};

use super::boards::any_fleet;
use super::halt::Halt;
use super::placing::{ask_for_fleet, gives_up};
use super::session::Session;
use super::shots::Shots;
use arena::game::EndedBy;
use bothost::Side;

/// A cell outside every board.
const NOWHERE: Point = Point::new(-1, -1);

const BOT: Side = Side::One;
const CHECK: Side = Side::Two;

/// Of a bot whose ships move, the check spares this number of undamaged cells: it has to keep a ship until the end of a step.
const SPARED: usize = 3;

/// A game that the bot plays against the check.
pub(super) struct Play<'g> {
    rules: &'g Rules,
    /// The bot's seed in this game.
    pub(super) seed: u32,
    game: Box<dyn GameInPlay>,
    /// The cells that the check will shoot at, in that order from the end; where ships lie still, without one of the bot's.
    targets: Vec<Point>,
    /// Number of targets that it has shot at.
    shot: usize,
    /// The cells of the bot's ships when it placed them.
    ships: Vec<Point>,
    /// The bot's attacks, in a game whose turns name a cell alone.
    pub(super) shots: Shots,
    /// The dialogue up to the first attack that it wasted, if a step keeps it.
    pub(super) first_waste: Option<Vec<String>>,
}

impl<'g> Play<'g> {
    /// Announces the game and has the bot place its ships. `seed` is the bot's; what the check does comes from it too.
    pub(super) fn begin(
        session: &mut Session<'_>,
        rules: &'g Rules,
        seed: u32,
    ) -> Result<Play<'g>, Halt> {
        let ask = |session: &mut Session<'_>| ask_for_fleet(session, rules);
        let (fleet, seed) = session.begin_game(rules, seed, ask, |one| gives_up(one, rules))?;
        let mut rng = SeededRng::new(seed.into());
        let [rows, cols] = rules.size();
        let mut targets: Vec<Point> = (0..rows)
            .flat_map(|row| (0..cols).map(move |col| Point::new(row, col)))
            .collect();
        rng.shuffle(&mut targets);
        let mut game = rules.begin();
        game.place(BOT, &fleet)
            .expect("the rules allowed it a moment ago");
        place_at_random(&mut *game, rules, &mut rng);
        game.start(BOT);
        let hulls = game.scene(Viewer::Judge).waters[BOT].hulls.clone();
        let cells = hulls
            .iter()
            .flatten()
            .flat_map(battleship::scene::ShipShape::cells);
        let number = |number: usize| i32::try_from(number).expect("it is on the board");
        let mut ships: Vec<Point> = cells
            .map(|(row, col)| Point::new(number(row), number(col)))
            .collect();
        ships.sort_unstable();
        if rules.ruleset().hits_once() {
            targets.retain(|at| Some(at) != ships.first());
        }
        let (shots, first_waste) = (Shots::new(rules.size()), None);
        Ok(Play {
            rules,
            seed,
            game,
            targets,
            shot: 0,
            ships,
            shots,
            first_waste,
        })
    }

    /// Asks the bot for its turn, tells it the result, and returns the turn, or each shot of a salvo; none if the bot has won
    /// already.
    pub(super) fn turn(&mut self, session: &mut Session<'_>) -> Result<Vec<Turn>, Halt> {
        if self.is_won() {
            return Ok(Vec::new());
        }
        if self.game.mover() == Some(CHECK) {
            self.pass();
        }
        let reply = session.ask_for_turn(&self.game.request(), self.rules)?;
        let turns = self
            .game
            .play_all(&reply)
            .expect("it is a reply to this request");
        for turn in &turns {
            let has_hit = matches!(turn.impact(), AttackResult::Hit | AttackResult::Sunk(_));
            self.shots.add(turn.target(), has_hit);
        }
        for turn in &turns {
            session.tell(&turn.result())?;
        }
        Ok(turns)
    }

    /// Shoots at the next cell, but never so that the bot loses, and tells it.
    pub(super) fn opponents_turn(&mut self, session: &mut Session<'_>) -> Result<(), Halt> {
        let moves = !self.rules.ruleset().hits_once();
        let place = if moves {
            self.shot % self.targets.len().max(1)
        } else {
            self.shot
        };
        let target = self.targets.iter().rev().nth(place).copied();
        self.shot += 1;
        match target {
            Some(at) if !moves || self.undamaged() > SPARED => self.shoot(session, at),
            Some(_) | None => Ok(()),
        }
    }

    /// Shoots at a cell, if the check can and the bot has not won.
    fn shoot(&mut self, session: &mut Session<'_>, at: Point) -> Result<(), Halt> {
        if self.is_won() {
            return Ok(());
        }
        if self.game.mover() == Some(BOT) {
            return session.tell(&battleship::protocol::Request::Opponent(at));
        }
        let shooter = self
            .game
            .actors(CHECK)
            .into_iter()
            .find(|actor| actor.targets.is_none());
        let turns = self.play(match shooter {
            Some(shooter) => vec![shooter.at, at],
            None => vec![at],
        });
        let mut notices = turns.iter().flatten().filter_map(Turn::notice);
        notices.try_for_each(|notice| session.tell(&notice))
    }

    /// Lets a turn of the check go by: it is lost, and the bot is told nothing.
    fn pass(&mut self) {
        let _ = self.play(Vec::new());
    }

    /// Takes the check's turn with these cells; those that are missing are outside the board, which wastes them.
    fn play(&mut self, mut cells: Vec<Point>) -> Option<Vec<Turn>> {
        let request = self.game.request();
        cells.resize(request.cells(), NOWHERE);
        self.game.play_all(&Reply::naming(&cells, &request)?)
    }

    /// Returns how many cells of the bot's ships have no damage.
    fn undamaged(&self) -> usize {
        let scene = self.game.scene(Viewer::Judge);
        let whole = |(ship, health): (battleship::ShipType, &ShipState)| match health {
            ShipState::Afloat(hits) => usize::try_from(ship.length)
                .unwrap_or(0)
                .saturating_sub(*hits),
            ShipState::Sunk => 0,
        };
        self.rules
            .ships()
            .into_iter()
            .zip(&scene.ships[BOT])
            .map(whole)
            .sum()
    }

    /// Sinks the bot's ships, turn by turn, unless the bot wins before; tells it how the game has ended. Where ships move, a game
    /// is long, and ends as if it had been interrupted.
    pub(super) fn play_on(&mut self, session: &mut Session<'_>) -> Result<(), Halt> {
        if !self.rules.ruleset().hits_once() {
            return session.tell_end(Outcome::Void, EndedBy::Interrupted);
        }
        for at in self.ships.clone() {
            self.turn(session)?;
            if self.is_won() {
                return session.tell_end(Outcome::Won, EndedBy::FleetSunk);
            }
            self.shoot(session, at)?;
        }
        session.tell_end(Outcome::Lost, EndedBy::FleetSunk)
    }

    /// This many turns of both.
    pub(super) fn turns(&mut self, session: &mut Session<'_>, count: usize) -> Result<(), Halt> {
        for _ in 0..count {
            self.turn(session)?;
            self.opponents_turn(session)?;
        }
        Ok(())
    }

    /// Whether the bot has sunk every ship.
    pub(super) fn is_won(&self) -> bool {
        self.game.winner() == Some(BOT)
    }

    /// As many turns as a game lasts at most.
    pub(super) fn longest(&self) -> usize {
        self.rules
            .describe()
            .max_turns
            .try_into()
            .unwrap_or(usize::MAX)
    }
}

/// Places the ships of the check at random places. The boards of the check have room enough for that.
fn place_at_random(game: &mut dyn GameInPlay, rules: &Rules, rng: &mut SeededRng) {
    while game.place(CHECK, &any_fleet(rules, rng)).is_err() {}
}
