//! The classic game and the salvo game in play: one board for each player, and one shot or several
//! in a turn.

use std::slice;
use std::sync::Arc;

use super::board::BoardCells;
use super::fleet::place_fleet;
use super::{AttackResult, Board, Game, Placement, Point};
use crate::in_play::{GameInPlay, Moment, People};
use crate::protocol::{Reply, Request};
use crate::scene::{Scene, Viewer};
use crate::{BySide, Side, Step, Turn, Turns};

/// A classic game in play, or a salvo game.
#[derive(Debug)]
pub(crate) struct ClassicInPlay {
    pub(super) game: Arc<Game>,
    pub(super) turns: Turns,
    boards: BySide<BoardCells>,
    /// The attacks so far. Each player knows its own.
    pub(super) attacks: Vec<(Side, Point, AttackResult)>,
    /// The player whose turn it is; `None` before the start and after the end.
    mover: Option<Side>,
    /// The number of shots that are left of its turn.
    left: usize,
    /// The hits of the current turn, once one of its several shots was fired.
    hits: Option<usize>,
    /// The hits of each player's last whole turn.
    pub(super) last_hits: BySide<Option<usize>>,
}

impl ClassicInPlay {
    pub(crate) fn new(game: Arc<Game>, turns: Turns) -> ClassicInPlay {
        let cells = Board::new(&game).cells;
        let mut in_play = ClassicInPlay {
            game,
            turns,
            boards: BySide::new(cells.clone(), cells),
            attacks: Vec::new(),
            mover: None,
            left: 0,
            hits: None,
            last_hits: BySide::default(),
        };
        in_play.left = in_play.shots(Side::One);
        in_play
    }

    pub(super) fn board(&self, side: Side) -> Board<'_> {
        Board {
            game: &self.game,
            cells: self.boards[side].clone(),
        }
    }

    /// Returns the number of shots that the player on `side` has in a turn.
    fn shots(&self, side: Side) -> usize {
        match self.turns {
            Turns::One => 1,
            Turns::Salvo(Some(shots)) => shots.get().into(),
            Turns::Salvo(None) => {
                let board = self.board(side);
                let ships = 0..self.game.n_ships();
                ships.filter(|ship| !board.is_sunk(*ship)).count().max(1)
            }
        }
    }
}

impl GameInPlay for ClassicInPlay {
    fn place(&mut self, side: Side, ships: &[Placement]) -> Result<(), String> {
        // On a board of its own: a record has no fleet of a player whose placement is not legal,
        // and of more ships than the game has, the first ones may be.
        let mut board = Board::new(&self.game);
        place_fleet(&mut board, ships)?;
        self.boards[side] = board.cells;
        Ok(())
    }

    fn start(&mut self, first: Side) {
        self.left = self.shots(first);
        self.mover = Some(first);
    }

    fn mover(&self) -> Option<Side> {
        self.mover
    }

    fn request(&self) -> Request {
        match self.turns {
            Turns::One => Request::Attack,
            Turns::Salvo(_) => Request::Salvo(self.left),
        }
    }

    fn play(&mut self, step: Step) -> Option<Turn> {
        let (Step::Attack(at), Some(mover)) = (step, self.mover) else {
            return None;
        };
        let mut board = self.board(mover.other());
        let result = board.attack(at);
        self.boards[mover.other()] = board.cells;
        self.attacks.push((mover, at, result));
        let turn = Turn::Attack { at, result };
        let hits = self.hits.take().unwrap_or(0) + usize::from(turn.impact().is_hit());
        // A wasted shot uses up the turn too, as in the original program.
        self.left -= 1;
        if self.left > 0 {
            self.hits = Some(hits);
        } else {
            self.last_hits[mover] = Some(hits);
            self.mover = Some(mover.other()).filter(|_| self.winner().is_none());
            self.left = self.shots(mover.other());
        }
        Some(turn)
    }

    fn is_mid_turn(&self) -> bool {
        self.hits.is_some()
    }

    /// The shots of a salvo are one turn, so it ends before the game does.
    fn winner(&self) -> Option<Side> {
        // By the specification a board without ships is "all destroyed". Here that is not a win.
        let is_lost = |side| {
            let board = self.board(side);
            board.all_ships_destroyed() && !board.occupied().is_empty()
        };
        Side::BOTH
            .into_iter()
            .find(|side| !self.is_mid_turn() && is_lost(side.other()))
    }

    fn fleets(&self) -> BySide<Option<Vec<Placement>>> {
        BySide::from_fn(|side| {
            let board = self.board(side);
            (0..self.game.n_ships())
                .map(|ship| board.placement(ship))
                .collect()
        })
    }

    fn scene(&self, viewer: Viewer) -> Scene {
        super::scene::scene(self, viewer)
    }

    fn transcript(&self, moment: Moment<'_>, people: &People<'_>) -> String {
        let People { names, human } = people;
        // A person does not get to see undamaged ships.
        let target = |mover: Side| self.board(mover.other()).display(human[mover]);
        match moment {
            Moment::Before(_) if self.is_mid_turn() => String::new(),
            Moment::Before(mover) => format!(
                "{}'s turn.  Board for {}:\n{}",
                names[mover],
                names[mover.other()],
                target(mover)
            ),
            Moment::After(_, Turn::Order { .. }) => String::new(),
            Moment::After(mover, Turn::Attack { at, result }) => {
                let name = &names[mover];
                let what = match result {
                    AttackResult::Miss => format!("{name} attacked {at} and missed"),
                    AttackResult::Hit => format!("{name} attacked {at} and hit something"),
                    AttackResult::Sunk(ship) => {
                        let ship = self.game.ship_name(*ship);
                        format!("{name} attacked {at} and destroyed the {ship}")
                    }
                    AttackResult::Wasted => format!("{name} wasted a shot at {at}"),
                };
                let is_plain_waste = *result == AttackResult::Wasted && self.turns == Turns::One;
                if is_plain_waste || self.is_mid_turn() {
                    format!("{what}.\n")
                } else {
                    format!("{what}, resulting in:\n{}", target(mover))
                }
            }
            Moment::Won(winner) => {
                let board = self.board(winner);
                // A loser who gave up early may have left the winner no time to place any.
                if !human[winner.other()] || board.occupied().is_empty() {
                    return String::new();
                }
                let name = &names[winner];
                format!(
                    "Here's where {name}'s ships were:\n{}",
                    board.display(false)
                )
            }
        }
    }

    fn refusal(&self, side: Side, reply: &Reply) -> Option<String> {
        let cells = match (self.turns, reply) {
            (Turns::One, Reply::Attack(at)) => slice::from_ref(at),
            (Turns::Salvo(_), Reply::Salvo(cells)) => &cells[..],
            (Turns::One, _) => return Some("The question is where you attack.".to_owned()),
            (Turns::Salvo(_), _) => return Some("The question is where you fire.".to_owned()),
        };
        // If fewer cells are left than there are shots, the rest has to be wasted.
        let attacked = self.boards[side.other()].attacked;
        let untried = self.game.cells() - attacked;
        let mut spare = self.left.saturating_sub(untried.len());
        for (index, at) in cells.iter().enumerate() {
            let is_valid = self.game.is_valid(*at);
            let why = if cells[..index].contains(at) {
                format!("You have chosen {at} twice")
            } else if !is_valid {
                format!("{at} is not on the board")
            } else if attacked.contains(*at) {
                format!("You have attacked {at} before")
            } else {
                continue;
            };
            if spare == 0 || !is_valid {
                return Some(format!("{why}; choose another cell."));
            }
            spare -= 1;
        }
        None
    }
}
