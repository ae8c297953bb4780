//! The salvo game: boards and fleets of the classic game, and in each turn a shot for each ship that the shooter has afloat.
//!
//! A player names all cells of its salvo in one reply, and hears the results after the last shot. Here each shot is a turn of its
//! own, so whatever looks at a game sees them one after the other; only who asks and tells has to know of salvos.

use std::borrow::Cow;
use std::num::NonZeroU8;

use crate::classic::Classic;
use crate::in_play::{GameInPlay, GameRules, People};
use crate::protocol::{Reply, Request};
use crate::scene::{Eyes, Health, Scene};
use crate::{BySide, Game, Impact, Placement, Point, RuleOptions, Ruleset, ShipType, Side, Turn};

/// The rules of a salvo game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salvo {
    /// The board and the fleet.
    pub game: Game,
    /// The shots of each salvo; `None` for one for each ship that the shooter has afloat.
    pub shots: Option<NonZeroU8>,
}

impl Salvo {
    /// Returns the usual salvo game on this board with this fleet.
    #[must_use]
    pub const fn of(game: Game) -> Salvo {
        Salvo { game, shots: None }
    }

    /// Returns the number of shots of a player with this many ships afloat.
    fn shots(&self, afloat: usize) -> usize {
        self.shots.map_or(afloat.max(1), |shots| shots.get().into())
    }
}

impl GameRules for Salvo {
    fn ruleset(&self) -> Ruleset {
        Ruleset::Salvo
    }

    fn size(&self) -> [i32; 2] {
        self.game.size()
    }

    fn ships(&self) -> Vec<ShipType> {
        GameRules::ships(&self.game)
    }

    fn has_other_boards(&self) -> bool {
        true
    }

    fn draws_first_mover(&self) -> bool {
        self.game.draws_first_mover()
    }

    fn usual_max_turns(&self) -> u32 {
        self.game.usual_max_turns()
    }

    fn options(&self) -> RuleOptions {
        RuleOptions {
            shots: self.shots,
            ..self.game.options()
        }
    }

    fn expected_placement(&self) -> String {
        self.game.expected_placement()
    }

    fn cannot_place(&self) -> &'static str {
        self.game.cannot_place()
    }

    fn turn_word(&self) -> &'static str {
        "shot"
    }

    fn turn_request(&self) -> Request {
        Request::Salvo(self.shots(self.game.n_ships()))
    }

    fn expected_turn(&self) -> &'static str {
        "\"salvo ROW COL ...\""
    }

    fn reply_of(&self, turns: &[Turn]) -> Option<Reply> {
        self.reply_with(&turns.iter().map(Turn::target).collect::<Vec<_>>())
    }

    fn results(&self, turns: &[Turn]) -> Vec<Request> {
        turns.iter().map(Turn::result).collect()
    }

    fn undecided(&self, max_turns: u32) -> String {
        format!("neither player sank the other's fleet in {max_turns} salvos each")
    }

    fn in_short(&self) -> String {
        let game = self.game.in_short();
        let shots = match self.shots {
            None => "a shot for each ship afloat".to_owned(),
            Some(shots) if shots.get() == 1 => "salvos of one shot".to_owned(),
            Some(shots) => format!("salvos of {shots} shots"),
        };
        format!("{game}, {shots}")
    }

    fn line_names(&self) -> [Vec<String>; 2] {
        self.game.line_names()
    }

    fn reply_with(&self, cells: &[Point]) -> Option<Reply> {
        (!cells.is_empty()).then(|| Reply::Salvo(cells.to_vec()))
    }

    fn deed(&self, turn: &Turn, whose: &str, openly: bool) -> String {
        self.game.deed(turn, whose, openly)
    }

    fn said(&self, turn: &Turn, mover: Side, names: &BySide<String>, eyes: Eyes) -> String {
        self.game.said(turn, mover, names, eyes)
    }

    fn begin(&self) -> Box<dyn GameInPlay + '_> {
        Box::new(SalvoInPlay {
            rules: self,
            classic: Classic::new(&self.game),
            mover: None,
            left: 0,
            hits: None,
            last_hits: BySide::default(),
        })
    }
}

/// A salvo game in play.
#[derive(Debug)]
struct SalvoInPlay<'g> {
    rules: &'g Salvo,
    classic: Classic<'g>,
    /// The player whose turn it is; `None` before the start and after the end.
    mover: Option<Side>,
    /// The number of shots that are left of its salvo.
    left: usize,
    /// How many shots of the salvo hit that is being fired; `None` between salvos.
    hits: Option<usize>,
    /// How many shots of each player's last whole salvo hit.
    last_hits: BySide<Option<usize>>,
}

impl SalvoInPlay<'_> {
    /// Gives the player on `side` its turn, with a shot for each of its ships.
    fn load(&mut self, side: Side) {
        let ships = 0..self.rules.game.n_ships();
        let afloat = ships.filter(|ship| self.classic.health(side, *ship) != Health::Sunk);
        self.left = self.rules.shots(afloat.count());
        self.mover = Some(side);
    }
}

impl GameInPlay for SalvoInPlay<'_> {
    fn rules(&self) -> &dyn GameRules {
        self.rules
    }

    fn place(&mut self, side: Side, ships: &[Placement]) -> Result<(), String> {
        self.classic.place(side, ships)
    }

    fn start(&mut self, first: Side) {
        self.classic.start(first);
        self.load(first);
    }

    fn mover(&self) -> Option<Side> {
        self.mover
    }

    fn turn_request(&self) -> Request {
        Request::Salvo(self.left)
    }

    fn expected_turn(&self) -> Cow<'static, str> {
        let cells = if self.left == 1 { "cell" } else { "cells" };
        format!("{} with {} {cells}", self.rules.expected_turn(), self.left).into()
    }

    fn turns_of(&self, reply: Reply) -> Option<Vec<Reply>> {
        let Reply::Salvo(cells) = reply else {
            return None;
        };
        (cells.len() == self.left).then(|| cells.into_iter().map(Reply::Attack).collect())
    }

    fn is_amid_reply(&self) -> bool {
        self.hits.is_some()
    }

    fn play(&mut self, reply: &Reply) -> Option<Turn> {
        let (Reply::Attack(at), Some(mover)) = (reply, self.mover) else {
            return None;
        };
        let turn = self.classic.fire(mover, *at)?;
        let hits = self.hits.unwrap_or(0) + usize::from(turn.impact().is_hit());
        self.left -= 1;
        self.hits = (self.left > 0).then_some(hits);
        if self.left == 0 {
            self.last_hits[mover] = Some(hits);
        }
        if self.winner().is_some() {
            self.mover = None;
        } else if self.left == 0 {
            self.load(mover.other());
        }
        Some(turn)
    }

    /// The shots of a salvo are one turn, so it ends before the game does.
    fn winner(&self) -> Option<Side> {
        self.classic.winner().filter(|_| !self.is_amid_reply())
    }

    fn fleets(&self) -> BySide<Option<Vec<Placement>>> {
        self.classic.fleets()
    }

    fn cells_of_turn(&self) -> usize {
        self.left
    }

    fn refusal(&self, side: Side, reply: &Reply) -> Option<String> {
        let Reply::Salvo(cells) = reply else {
            return Some("The question is where you fire.".to_owned());
        };
        let game = &self.rules.game;
        let why = |at: Point| self.classic.refusal(side, &Reply::Attack(at));
        // If fewer cells are left than there are shots, the rest has to be wasted.
        let left = game.points().filter(|at| why(*at).is_none()).count();
        let mut spare = self.left.saturating_sub(left);
        for (index, at) in cells.iter().enumerate() {
            let is_twice = cells[..index].contains(at);
            let twice = || format!("You have chosen {at} twice; choose another cell.");
            let Some(why) = is_twice.then(twice).or_else(|| why(*at)) else {
                continue;
            };
            if spare == 0 || !game.is_valid(*at) {
                return Some(why);
            }
            spare -= 1;
        }
        None
    }

    fn scene(&self, eyes: Eyes) -> Scene {
        let mut scene = self.classic.scene(eyes);
        for side in Side::BOTH {
            if let Some(hits) = self.last_hits[side.other()] {
                let times = if hits == 1 {
                    "once"
                } else {
                    &format!("{hits} times")
                };
                scene.remarks[side] =
                    format!("{}, hit {times} by the last salvo", scene.remarks[side]);
            }
        }
        scene
    }

    fn before_turn(&self, mover: Side, people: &People<'_>) -> String {
        if self.is_amid_reply() {
            return String::new();
        }
        let [shooter, defender] = [&people.names[mover], &people.names[mover.other()]];
        format!(
            "{shooter}'s turn.  Board for {defender}:\n{}",
            self.classic.target(mover, people)
        )
    }

    fn after_turn(&self, mover: Side, turn: &Turn, people: &People<'_>) -> String {
        let (name, at) = (&people.names[mover], turn.target());
        let said = match turn.impact() {
            Impact::Wasted => format!("{name} wasted a shot at {at}"),
            Impact::Nothing => format!("{name} attacked {at} and missed"),
            Impact::Hit => format!("{name} attacked {at} and hit something"),
            Impact::Sunk(ship) => {
                format!(
                    "{name} attacked {at} and destroyed the {}",
                    self.rules.game.ship_name(ship)
                )
            }
        };
        if self.is_amid_reply() {
            return format!("{said}.\n");
        }
        format!(
            "{said}, resulting in:\n{}",
            self.classic.target(mover, people)
        )
    }

    fn after_end(&self, winner: Side, people: &People<'_>) -> String {
        self.classic.after_end(winner, people)
    }
}
