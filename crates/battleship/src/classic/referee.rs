//! The classic game for its referee: over the wire, to look at, and in the words of the course's sample program.

use super::sunk::hulls_of_sunk;
use super::{Board, CellSet, Game, PlacementError, Point, ShipType, State};
use crate::in_play::{GameInPlay, GameRules, People};
use crate::protocol::{Reply, Request};
use crate::scene::{Eyes, Grid, Health, Hull, MarkKind, Scene};
use crate::{AttackResult, BySide, GameState, Placement, RuleOptions, Ruleset, Side, Turn};

/// The number of faults that a reason names; it only counts the rest.
const MAX_NAMED: usize = 5;

impl GameRules for Game {
    fn ruleset(&self) -> Ruleset {
        Ruleset::Classic
    }

    fn size(&self) -> [i32; 2] {
        [self.rows(), self.cols()]
    }

    fn ships(&self) -> Vec<ShipType> {
        Game::ships(self).to_vec()
    }

    fn has_other_boards(&self) -> bool {
        true
    }

    fn draws_first_mover(&self) -> bool {
        false
    }

    /// Ten times the cells of a board.
    fn usual_max_turns(&self) -> u32 {
        u32::try_from(10 * self.rows() * self.cols()).expect("a board has at most 100 cells")
    }

    fn options(&self) -> RuleOptions {
        RuleOptions {
            apart: self.apart(),
            ..RuleOptions::default()
        }
    }

    fn expected_placement(&self) -> String {
        let (ships, s) = (self.n_ships(), if self.n_ships() == 1 { "" } else { "s" });
        format!("\"place ROW COL h|v ...\" ({ships} ship{s}) or \"place none\"")
    }

    fn cannot_place(&self) -> &'static str {
        "could not place its ships"
    }

    fn turn_word(&self) -> &'static str {
        "attack"
    }

    fn turn_request(&self) -> Request {
        Request::Attack
    }

    fn expected_turn(&self) -> &'static str {
        "\"attack ROW COL\""
    }

    fn undecided(&self, max_turns: u32) -> String {
        format!("neither player sank the other's fleet in {max_turns} attacks each")
    }

    fn in_short(&self) -> String {
        let mut lengths: Vec<i32> = self.ships().iter().map(|ship| ship.length).collect();
        lengths.sort_unstable_by(|one, other| other.cmp(one));
        let fleet = match &lengths[..] {
            [longest, ..] if lengths.len() > 8 => {
                format!("{} ships of at most {longest}", lengths.len())
            }
            _ => {
                let lengths: Vec<String> = lengths.iter().map(i32::to_string).collect();
                format!("ships of {}", lengths.join(", "))
            }
        };
        let apart = if self.apart() {
            " that may not touch"
        } else {
            ""
        };
        format!("{}x{}, {fleet}{apart}", self.rows(), self.cols())
    }

    fn line_names(&self) -> [Vec<String>; 2] {
        self.size()
            .map(|count| (0..count).map(|number| number.to_string()).collect())
    }

    fn reply_with(&self, cells: &[Point]) -> Option<Reply> {
        if let [at] = cells {
            Some(Reply::Attack(*at))
        } else {
            None
        }
    }

    fn deed(&self, turn: &Turn, whose: &str, _openly: bool) -> String {
        let Turn::Attack { at, result } = turn else {
            return String::new();
        };
        match result {
            AttackResult::Miss => format!("missed at {at}."),
            AttackResult::Hit => format!("hit something at {at}."),
            AttackResult::Wasted => format!("wasted a shot at {at}."),
            AttackResult::Sunk(ship) => {
                let name = self.ship(*ship).map_or("ship", |kind| &kind.name);
                format!("sank {whose} {name} at {at}.")
            }
        }
    }

    fn begin(&self) -> Box<dyn GameInPlay + '_> {
        Box::new(Classic::new(self))
    }
}

/// A classic game in play.
#[derive(Debug)]
pub(crate) struct Classic<'g> {
    game: &'g Game,
    /// The boards before the start.
    boards: BySide<Board<'g>>,
    /// The game from its start on, with its boards.
    state: Option<State<'g>>,
    /// The attacks so far. Each player knows its own.
    attacks: Vec<(Side, Point, AttackResult)>,
}

impl<'g> Classic<'g> {
    pub(crate) fn new(game: &'g Game) -> Classic<'g> {
        let boards = BySide::from_fn(|_| Board::new(game));
        Classic {
            game,
            boards,
            state: None,
            attacks: Vec::new(),
        }
    }

    /// Fires a shot of the player on `side`, whose turn the game in which this one is makes it.
    pub(crate) fn fire(&mut self, side: Side, at: Point) -> Option<Turn> {
        let result = self.state.as_mut()?.fire(side, at);
        self.attacks.push((side, at, result));
        Some(Turn::Attack { at, result })
    }

    fn boards(&self) -> &BySide<Board<'g>> {
        self.state.as_ref().map_or(&self.boards, State::boards)
    }
}

impl GameInPlay for Classic<'_> {
    fn rules(&self) -> &dyn GameRules {
        self.game
    }

    fn place(&mut self, side: Side, ships: &[Placement]) -> Result<(), String> {
        // On a board of its own: a record has no fleet of a player whose placement is not legal, and of more ships than the
        // game has, the first ones may be.
        let mut board = Board::new(self.game);
        place_fleet(&mut board, ships)?;
        self.boards[side] = board;
        Ok(())
    }

    fn start(&mut self, first: Side) {
        self.state = Some(State::new(self.boards.clone(), first));
    }

    fn mover(&self) -> Option<Side> {
        self.state.as_ref()?.turn()
    }

    fn play(&mut self, reply: &Reply) -> Option<Turn> {
        let Reply::Attack(at) = *reply else {
            return None;
        };
        let state = self.state.as_mut()?;
        let mover = state.turn()?;
        let result = state.play(at).ok()?;
        self.attacks.push((mover, at, result));
        Some(Turn::Attack { at, result })
    }

    fn winner(&self) -> Option<Side> {
        self.state.as_ref()?.winner()
    }

    fn fleets(&self) -> BySide<Option<Vec<Placement>>> {
        self.boards().as_ref().map(|board| fleet_on(board))
    }

    fn refusal(&self, side: Side, reply: &Reply) -> Option<String> {
        let Reply::Attack(at) = reply else {
            return Some("The question is where you attack.".to_owned());
        };
        // The rules allow what follows; a person who does it has misclicked.
        if !self.game.is_valid(*at) {
            return Some(format!("{at} is not on the board; choose another cell."));
        }
        let mut own = self.attacks.iter().filter(|(mover, ..)| *mover == side);
        own.any(|(_, attacked, _)| attacked == at)
            .then(|| format!("You have attacked {at} before; choose another cell."))
    }

    fn scene(&self, eyes: Eyes) -> Scene {
        let attacked = |side: Side| {
            let attacks = self
                .attacks
                .iter()
                .filter(|(mover, ..)| *mover != side)
                .count();
            match attacks {
                1 => "attacked once".to_owned(),
                attacks => format!("attacked {attacks} times"),
            }
        };
        Scene {
            waters: BySide::from_fn(|side| self.waters(side, eyes)),
            notes: None,
            ships: BySide::from_fn(|side| self.ships(side, eyes)),
            remarks: BySide::from_fn(attacked),
            ships_move: false,
        }
    }

    fn before_turn(&self, mover: Side, people: &People<'_>) -> String {
        let [attacker, defender] = [&people.names[mover], &people.names[mover.other()]];
        let board = self.target(mover, people);
        format!("{attacker}'s turn.  Board for {defender}:\n{board}")
    }

    fn after_turn(&self, mover: Side, turn: &Turn, people: &People<'_>) -> String {
        let Turn::Attack { at, result } = turn else {
            return String::new();
        };
        let name = &people.names[mover];
        let done = match result {
            AttackResult::Miss => "missed",
            AttackResult::Hit => "hit something",
            AttackResult::Sunk(ship) => &format!("destroyed the {}", self.game.ship_name(*ship)),
            AttackResult::Wasted => return format!("{name} wasted a shot at {at}.\n"),
        };
        let board = self.target(mover, people);
        format!("{name} attacked {at} and {done}, resulting in:\n{board}")
    }

    fn after_end(&self, winner: Side, people: &People<'_>) -> String {
        let board = &self.boards()[winner];
        // A loser who gave up early may have left the winner no time to place any.
        if !people.human[winner.other()] || board.occupied().is_empty() {
            return String::new();
        }
        format!(
            "Here's where {}'s ships were:\n{}",
            people.names[winner],
            board.display(false)
        )
    }
}

impl Classic<'_> {
    /// Returns the drawing of the board that `mover` attacks; a person does not get to see undamaged ships.
    pub(crate) fn target(&self, mover: Side, people: &People<'_>) -> String {
        self.boards()[mover.other()]
            .display(people.human[mover])
            .to_string()
    }

    /// Returns the cells of a ship of the player on `side`, if it is placed.
    fn cells_of(&self, side: Side, ship: usize) -> Option<CellSet> {
        let Placement {
            top_or_left,
            direction,
        } = self.boards()[side].placement(ship)?;
        CellSet::line(top_or_left, direction, self.game.ship_length(ship))
    }

    /// Returns how a ship of the player on `side` is.
    pub(crate) fn health(&self, side: Side, ship: usize) -> Health {
        let cells = self.cells_of(side, ship).unwrap_or_default();
        let hit = cells & self.boards()[side].attacked();
        if !cells.is_empty() && hit == cells {
            Health::Sunk
        } else {
            Health::Afloat(hit.len())
        }
    }

    /// Returns the ships on the board of the player on `side`, as they lie.
    fn hulls(&self, side: Side) -> Vec<Option<Hull>> {
        let board = &self.boards()[side];
        let hull = |(ship, kind): (usize, &ShipType)| {
            let hull = Hull::new(kind, board.placement(ship)?)?;
            Some(Hull {
                sunk: self.health(side, ship) == Health::Sunk,
                ..hull
            })
        };
        Game::ships(self.game)
            .iter()
            .enumerate()
            .map(hull)
            .collect()
    }

    fn waters(&self, side: Side, eyes: Eyes) -> Grid {
        let board = &self.boards()[side];
        let sunk = if eyes.see(side) {
            let sunk = |ship: &usize| self.health(side, *ship) == Health::Sunk;
            let ships = (0..self.game.n_ships()).filter(sunk);
            ships
                .filter_map(|ship| self.cells_of(side, ship))
                .fold(CellSet::EMPTY, |all, cells| all | cells)
        } else {
            let on = self.attacks.iter().filter(|(mover, ..)| *mover != side);
            let attacks: Vec<_> = on.map(|(_, at, result)| (*at, *result)).collect();
            hulls_of_sunk(self.game, &attacks).collect()
        };
        let mark = |at: Point| {
            let kind = match board.occupied().contains(at) {
                _ if sunk.contains(at) => MarkKind::Sunk,
                true => MarkKind::Hit,
                false => MarkKind::Miss,
            };
            board.attacked().contains(at).then_some(kind.into())
        };
        let hulls = if eyes.see(side) {
            self.hulls(side)
        } else {
            Vec::new()
        };
        Grid {
            hulls,
            marks: self.game.points().map(mark).collect(),
        }
    }

    /// Returns how ships are. Of the opponent's, a player knows those that it has sunk.
    fn ships(&self, side: Side, eyes: Eyes) -> Vec<Health> {
        let known = |ship| match self.health(side, ship) {
            Health::Afloat(_) if !eyes.see(side) => Health::Afloat(0),
            health @ (Health::Afloat(_) | Health::Sunk) => health,
        };
        (0..self.game.n_ships()).map(known).collect()
    }
}

/// Returns the whole fleet on `board`; `None` if a ship is missing.
fn fleet_on(board: &Board<'_>) -> Option<Vec<Placement>> {
    (0..board.game().n_ships())
        .map(|ship| board.placement(ship))
        .collect()
}

/// Places a whole fleet, in id order, on `board`, which is empty.
///
/// # Errors
/// All that is wrong with it at once, as the end of a sentence that begins with the player's name.
fn place_fleet(board: &mut Board<'_>, fleet: &[Placement]) -> Result<(), String> {
    let game = board.game();
    let mut faults = Vec::new();
    if fleet.len() != game.n_ships() {
        let ships = if fleet.len() == 1 { "ship" } else { "ships" };
        faults.push(format!(
            "placed {} {ships} instead of {}",
            fleet.len(),
            game.n_ships()
        ));
    }
    for (ship, placement) in fleet.iter().enumerate().take(game.n_ships()) {
        let name = game.ship_name(ship);
        match board.place_ship(placement.top_or_left, ship, placement.direction) {
            Ok(()) => {}
            Err(PlacementError::OutsideBoard(cell)) => {
                faults.push(format!("placed the {name} outside the board at {cell}"));
            }
            Err(PlacementError::Overlaps { cell, other }) => {
                let other = game.ship_name(other);
                faults.push(format!("placed the {name} over the {other} at {cell}"));
            }
            Err(PlacementError::Touches { cell, other }) => {
                let other = game.ship_name(other);
                faults.push(format!(
                    "placed the {name} at {cell}, next to the {other}: in this game ships may not touch"
                ));
            }
            Err(
                error @ (PlacementError::NoSuchShip(_)
                | PlacementError::AlreadyPlaced(_)
                | PlacementError::Blocked(_)
                | PlacementError::Attacked(_)),
            ) => faults.push(format!("could not place the {name}: {error}")),
        }
    }
    match faults.len().checked_sub(MAX_NAMED) {
        _ if faults.is_empty() => Ok(()),
        None | Some(0) => Err(faults.join("; ")),
        Some(rest) => Err(format!(
            "{}; and {rest} more",
            faults[..MAX_NAMED].join("; ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use crate::Direction;

    use super::*;

    fn place(fleet: &[(i32, i32, Direction)]) -> Result<(), String> {
        let fleet: Vec<_> = fleet
            .iter()
            .map(|&(row, col, direction)| Placement {
                top_or_left: Point::new(row, col),
                direction,
            })
            .collect();
        place_fleet(&mut Board::new(&Game::standard()), &fleet)
    }

    #[test]
    fn a_rejected_placement_names_all_its_faults() {
        use Direction::{Horizontal, Vertical};
        let faults = place(&[
            (0, 0, Horizontal),
            (3, 1, Horizontal),
            (3, 4, Vertical),
            (8, 9, Vertical),
            (-1, 0, Vertical),
        ]);
        assert_eq!(
            faults.unwrap_err(),
            "placed the destroyer over the battleship at (3,4); \
             placed the submarine outside the board at (10,9); \
             placed the patrol boat outside the board at (-1,0)"
        );
        assert_eq!(
            place(&[(0, 0, Horizontal)]).unwrap_err(),
            "placed 1 ship instead of 5"
        );
        assert_eq!(
            place(&[0, 1, 2, 3, 4].map(|row| (row, 0, Horizontal))),
            Ok(())
        );
        let outside = place(&[(10, 10, Horizontal); 6]).unwrap_err();
        assert!(outside.starts_with("placed 6 ships instead of 5; placed the aircraft carrier"));
        assert!(outside.ends_with("(10,10); and 1 more"), "{outside}");
    }
}
