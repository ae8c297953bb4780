//! A classic game that the bot plays against the check.

use battleship::protocol::{Outcome, Request};
use battleship::seeded::SeededRng;
use battleship::{AttackResult, Board, CellSet, Direction, Game, Placement, Point};

use super::advice::{self, Advice};
use super::asked::Asked;
use super::boards::extent;
use super::halt::Halt;
use super::session::Session;
use super::shots::Shots;
use crate::game::{Classic, EndedBy, Ending, expected_fleet, place_fleet};
use bothost::Side;

/// A classic game that the bot plays against the check.
pub(super) struct ClassicPlay<'g> {
    game: &'g Game,
    /// The bot's seed in this game.
    pub(super) seed: u32,
    /// The check's ships, which the bot attacks.
    target: Board<'g>,
    /// The cells of the bot's ships.
    ships: CellSet,
    /// The cells that the check will attack, in that order from the end; not all of the bot's ships are among them.
    to_attack: Vec<Point>,
    /// What the bot has attacked.
    pub(super) shots: Shots,
    /// The dialogue up to the first attack that it wasted, if a step keeps it.
    pub(super) first_waste: Option<Vec<String>>,
}

impl<'g> ClassicPlay<'g> {
    pub(super) fn begin(
        session: &mut Session<'_>,
        game: &'g Game,
        seed: u32,
    ) -> Result<ClassicPlay<'g>, Halt> {
        let ask = |session: &mut Session<'_>| ask_for_fleet(session, game);
        let (fleet, seed) = session.begin_game(&Classic(game), seed, ask, gives_up)?;
        let mut rng = SeededRng::new(seed.into());
        let mut to_attack: Vec<Point> = game.points().collect();
        rng.shuffle(&mut to_attack);
        // One cell of the bot's is never attacked, so that it does not lose.
        let spared = fleet.occupied().first();
        to_attack.retain(|at| Some(*at) != spared);
        let target = random_board(game, &mut rng);
        let (ships, shots) = (fleet.occupied(), Shots::new(game));
        Ok(ClassicPlay { game, seed, target, ships, to_attack, shots, first_waste: None })
    }

    /// Asks the bot for an attack, tells it the result, and returns that.
    pub(super) fn turn(&mut self, session: &mut Session<'_>) -> Result<AttackResult, Halt> {
        let at = session.ask_for_attack()?;
        self.shots.add(at);
        let result = self.target.attack(at).into();
        session.tell(&Request::Result(at, result))?;
        Ok(result)
    }

    pub(super) fn opponents_turn(&mut self, session: &mut Session<'_>) -> Result<(), Halt> {
        match self.to_attack.pop() {
            Some(at) => session.tell(&Request::Opponent(at)),
            None => Ok(()),
        }
    }

    /// Sinks the bot's ships, turn by turn, unless the bot wins before; tells it how the game has ended.
    pub(super) fn play_on(&mut self, session: &mut Session<'_>) -> Result<(), Halt> {
        for at in self.ships {
            self.turn(session)?;
            if self.is_won() {
                return session.tell_end(Outcome::Won, EndedBy::FleetSunk);
            }
            session.tell(&Request::Opponent(at))?;
        }
        session.tell_end(Outcome::Lost, EndedBy::FleetSunk)
    }

    /// Whether the bot has sunk every ship.
    pub(super) fn is_won(&self) -> bool {
        self.target.all_ships_destroyed()
    }

    /// As many turns as a game lasts at most.
    pub(super) fn longest(&self) -> usize {
        10 * self.game.cells().len()
    }
}

/// The bot says that it cannot place its ships, where it has not played before.
fn gives_up(session: &mut Session<'_>) -> Halt {
    let ending = Ending {
        winner: None,
        by: Some(Side::One),
        ended_by: EndedBy::CannotPlace,
        what: "could not place its ships".to_owned(),
    };
    let advice = Advice::certain(
        "\"place ROW COL h|v ...\", three words for each ship: there is room enough",
        advice::PLACE_NONE,
    );
    session.fault(ending, Asked::Placement, advice)
}

/// Asks the bot for its ships in `game`, which has been announced. Returns `None` if it says that it cannot place them.
pub(super) fn ask_for_fleet<'g>(
    session: &mut Session<'_>,
    game: &'g Game,
) -> Result<Option<Board<'g>>, Halt> {
    let expected = expected_fleet(game.n_ships());
    let Some(fleet) = session.ask_for_placement(&expected)? else { return Ok(None) };
    let mut board = Board::new(game);
    place_fleet(&mut board, &fleet).map(|()| Some(board)).map_err(|faults| {
        let ending = Ending {
            winner: Some(Side::Two),
            by: Some(Side::One),
            ended_by: EndedBy::IllegalPlacement,
            what: faults,
        };
        session.fault(ending, Asked::Placement, on_placement(game, &fleet))
    })
}

/// On a placement that is not legal in `game`: what it would take to make it so says what is wrong.
fn on_placement(game: &Game, fleet: &[Placement]) -> Advice {
    let expected = match game.n_ships() {
        1 => format!("one ship, on the board of {}", extent(game)),
        n_ships => format!("{n_ships} ships on the board of {}, no two on one cell", extent(game)),
    };
    let n_ships = game.n_ships();
    if fleet.len() != n_ships {
        return Advice::usual(
            expected,
            format!(
                "This game has {n_ships} {}: one for each `ship` line since the last `game` line; the fleet is not \
                 always the same. Answer with three words for each ship, in the order of their ids.",
                if n_ships == 1 { "ship" } else { "ships" }
            ),
        );
    }
    // Each change undoes one usual mistake. If that makes the placement legal, it is almost certainly the mistake.
    let legal = |change: fn(Placement) -> Placement| {
        let changed: Vec<_> = fleet.iter().map(|placement| change(*placement)).collect();
        place_fleet(&mut Board::new(game), &changed).is_ok()
    };
    let is_legal_with = |change| legal(change);
    let cause = if is_legal_with(swap_row_and_column) {
        "Row and column are the wrong way round: the row comes first. (With the two swapped this placement would be \
         legal.)"
    } else if is_legal_with(count_from_zero) {
        "It counts from 1: rows and columns count from 0. (One less everywhere and this placement would be legal.)"
    } else if is_legal_with(turn) {
        "The directions are the wrong way round: h is horizontal, along a row, to the right; v is vertical, downwards. \
         (With the two swapped this placement would be legal.)"
    } else if is_legal_with(|placement| swap_row_and_column(count_from_zero(placement))) {
        "Row and column are the wrong way round, and it counts from 1: the row comes first, and both count from 0."
    } else {
        return Advice::usual(expected, on_illegal_cells(game, fleet));
    };
    Advice::certain(expected, cause)
}

fn on_illegal_cells(game: &Game, fleet: &[Placement]) -> String {
    let mut taken = CellSet::EMPTY;
    for (ship, placement) in fleet.iter().enumerate() {
        let length = game.ship_length(ship);
        let cells = CellSet::line(placement.top_or_left, placement.direction, length);
        let Some(cells) = cells.filter(|cells| cells.is_subset(game.cells())) else {
            return format!(
                "A ship reaches outside the board, which is {} in this game (see its `game` line; the size is not \
                 always 10x10). A ship goes on to the right or down from the cell that is named: from column c, a \
                 horizontal ship of length n needs c + n <= {}.",
                extent(game),
                game.cols()
            );
        };
        if !(cells & taken).is_empty() {
            return "Ships overlap: before a ship is placed, look whether all of its cells are still free, not only the \
                    first one; if not, choose another place for it."
                .to_owned();
        }
        taken |= cells;
    }
    "The ships do not lie as the rules want it.".to_owned()
}

fn swap_row_and_column(placement: Placement) -> Placement {
    let Point { row, col } = placement.top_or_left;
    Placement { top_or_left: Point::new(col, row), ..placement }
}

fn count_from_zero(placement: Placement) -> Placement {
    let Point { row, col } = placement.top_or_left;
    let less = |number: i32| number.saturating_sub(1);
    Placement { top_or_left: Point::new(less(row), less(col)), ..placement }
}

fn turn(placement: Placement) -> Placement {
    let direction = match placement.direction {
        Direction::Horizontal => Direction::Vertical,
        Direction::Vertical => Direction::Horizontal,
    };
    Placement { direction, ..placement }
}

/// A board with all ships at random places. The boards of the check have room enough for that.
fn random_board<'g>(game: &'g Game, rng: &mut SeededRng) -> Board<'g> {
    loop {
        let mut board = Board::new(game);
        let placed = (0..game.n_ships()).all(|ship| {
            let at = game.random_point(rng);
            let direction = if rng.coin() { Direction::Horizontal } else { Direction::Vertical };
            board.place_ship(at, ship, direction).is_ok()
        });
        if placed {
            return board;
        }
    }
}
