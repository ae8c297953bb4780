//! The view of a referee on any game: its rules, and the game in play.

use std::borrow::Cow;
use std::fmt;

use crate::protocol::{Reply, Request};
use crate::scene::{Eyes, Scene};
use crate::{BySide, Placement, Point, RuleOptions, Ruleset, ShipType, Side, Turn};

/// The rules of a game with its board and fleet. [`Rules`](crate::Rules) has these methods.
pub trait GameRules: fmt::Debug + Send + Sync {
    /// Returns the name of the game.
    fn ruleset(&self) -> Ruleset;

    /// Returns the number of rows and of columns of a board.
    fn size(&self) -> [i32; 2];

    /// Returns the ships that each player places, in id order.
    fn ships(&self) -> Vec<ShipType>;

    /// Returns whether the game has other boards and fleets too, with their own options.
    fn has_other_boards(&self) -> bool {
        false
    }

    /// Returns whether it is drawn from the seed which player moves first; else it is the player named first.
    fn draws_first_mover(&self) -> bool;

    /// Returns the number of turns that each player has when no option says otherwise.
    fn usual_max_turns(&self) -> u32;

    /// Returns the lines that announce the game, up to its seed.
    fn announcement(&self) -> Vec<Request> {
        let [rows, cols] = self.size();
        let game = Request::Game {
            ruleset: self.ruleset(),
            rows,
            cols,
        };
        let ships = self.ships().into_iter().enumerate().map(|(id, ship)| {
            let ShipType {
                length,
                symbol,
                name,
            } = ship;
            Request::Ship {
                id,
                length,
                symbol,
                name,
            }
        });
        let options = self.options().words().into_iter().map(Request::Rule);
        [game].into_iter().chain(ships).chain(options).collect()
    }

    /// Returns the options of these rules.
    fn options(&self) -> RuleOptions {
        RuleOptions::default()
    }

    /// Returns what a bot may reply to `place`, in words.
    fn expected_placement(&self) -> String;

    /// Returns what a player does that cannot place its ships, as the end of a sentence that begins with its name.
    fn cannot_place(&self) -> &'static str;

    /// Returns what a turn is called.
    fn turn_word(&self) -> &'static str {
        "turn"
    }

    /// Returns the request for the first turn.
    fn turn_request(&self) -> Request;

    /// Returns what a bot may reply to it, in words.
    fn expected_turn(&self) -> &'static str;

    /// Returns the reply with which a player took these turns.
    fn reply_of(&self, turns: &[Turn]) -> Option<Reply> {
        turns.first().map(Turn::reply)
    }

    /// Returns what a player hears of the turns that it took with one reply.
    fn results(&self, turns: &[Turn]) -> Vec<Request> {
        turns.iter().map(Turn::result).collect()
    }

    /// Returns the reason of a game that has reached its turn cap, as a sentence.
    fn undecided(&self, max_turns: u32) -> String;

    /// Returns the game with its board and fleet in a few words.
    fn in_short(&self) -> String;

    /// Returns what rows and columns are called, from the first on.
    fn line_names(&self) -> [Vec<String>; 2];

    /// Returns a cell as people write it; one outside the board by its numbers.
    fn cell_name(&self, at: Point) -> String {
        at.to_string()
    }

    /// Returns whether a turn names a ship that acts before the cell on which it does; else it names only a cell of the
    /// opponent's waters.
    fn turn_names_ship(&self) -> bool {
        false
    }

    /// Returns the reply that names these cells, or `None` if a turn has another number of them.
    fn reply_with(&self, cells: &[Point]) -> Option<Reply>;

    /// Returns lines that tell a person what its ships do and what marks mean, if that needs words.
    fn hints(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns what a player did in a turn, as the end of a sentence that begins with its name. `whose` is the opponent's, as
    /// "your" or "Ada's". `openly` also with what the opponent is not told.
    fn deed(&self, turn: &Turn, whose: &str, openly: bool) -> String;

    /// Returns what happened in a turn of `mover`, as a sentence, as far as `eyes` may see it.
    fn said(&self, turn: &Turn, mover: Side, names: &BySide<String>, eyes: Eyes) -> String {
        let name = if eyes == Eyes::Player(mover) {
            "You"
        } else {
            &names[mover]
        };
        let whose = match eyes {
            Eyes::Player(side) if side != mover => "your".to_owned(),
            Eyes::Judge | Eyes::Player(_) => format!("{}'s", names[mover.other()]),
        };
        format!("{name} {}", self.deed(turn, &whose, eyes.see(mover)))
    }

    /// Returns a game in which nothing has been placed.
    fn begin(&self) -> Box<dyn GameInPlay + '_>;
}

/// A game that is played, as its referee knows it.
///
/// Both players place their ships, then [`GameInPlay::start`] gives the first of them its turn.
///
/// ```
/// use battleship::protocol::Reply;
/// use battleship::{Direction, Placement, Point, Rules, Ruleset, Side};
///
/// let rules = Rules::usual(Ruleset::Classic);
/// let mut game = rules.begin();
/// for side in Side::BOTH {
///     let row = |row| Placement { top_or_left: Point::new(row, 0), direction: Direction::Horizontal };
///     game.place(side, &[0, 1, 2, 3, 4].map(row))?;
/// }
/// game.start(Side::One);
/// let turn = game.play(&Reply::Attack(Point::new(4, 0))).expect("an attack is a turn");
/// assert_eq!(turn.result().to_string(), "result 4 0 hit");
/// assert_eq!(game.mover(), Some(Side::Two));
/// # Ok::<(), String>(())
/// ```
pub trait GameInPlay: fmt::Debug {
    /// Returns its rules.
    fn rules(&self) -> &dyn GameRules;

    /// Places the ships of the player on `side`, in id order.
    ///
    /// # Errors
    /// If the rules do not allow it: all faults at once, as the end of a sentence that begins with the player's name.
    fn place(&mut self, side: Side, ships: &[Placement]) -> Result<(), String>;

    /// Starts the turns; `first` has the first one. Both players have placed their ships.
    fn start(&mut self, first: Side);

    /// Returns the side whose turn it is; `None` before the start and after the end.
    fn mover(&self) -> Option<Side>;

    /// Returns the request for the turn of the player whose turn it is.
    fn turn_request(&self) -> Request {
        self.rules().turn_request()
    }

    /// Returns what a bot may reply to it, in words.
    fn expected_turn(&self) -> Cow<'static, str> {
        self.rules().expected_turn().into()
    }

    /// Returns the replies of one turn each that `reply` stands for: it alone, where a turn has a reply of its own. `None` if it
    /// answers another request.
    fn turns_of(&self, reply: Reply) -> Option<Vec<Reply>> {
        Some(vec![reply])
    }

    /// Returns whether the player whose turn it is has others to take, and is not asked for this one: it belongs to the reply of the
    /// one before.
    fn is_amid_reply(&self) -> bool {
        false
    }

    /// Plays the turn that `reply` is, and returns it with its result; `None` if it is another kind of reply. Someone has the
    /// turn.
    fn play(&mut self, reply: &Reply) -> Option<Turn>;

    /// Plays all turns that `reply` stands for, and returns them; `None` if it is another kind of reply.
    fn play_all(&mut self, reply: Reply) -> Option<Vec<Turn>> {
        self.turns_of(reply)?
            .iter()
            .map(|reply| self.play(reply))
            .collect()
    }

    /// Returns the side that has won, or `None` while neither has.
    fn winner(&self) -> Option<Side>;

    /// Returns where each player's ships are now, in id order; `None` for a player that has not placed all of them, and for
    /// both if the game has nothing to show before it has started.
    fn fleets(&self) -> BySide<Option<Vec<Placement>>>;

    /// Returns how many cells a reply names now.
    fn cells_of_turn(&self) -> usize {
        if self.rules().turn_names_ship() { 2 } else { 1 }
    }

    /// Returns the ships of the player on `side` that can act, in id order; none where a turn names no ship.
    fn actors(&self, side: Side) -> Vec<Actor> {
        let _ = side;
        Vec::new()
    }

    /// Returns what it would come to if a ship of the player on `side` acted on `target`.
    fn preview(&self, side: Side, ship: usize, target: Point) -> Preview {
        let _ = (side, ship, target);
        Preview::default()
    }

    /// Returns why a turn would be lost if the player on `side` took it by `reply`, as a sentence for that player.
    fn refusal(&self, side: Side, reply: &Reply) -> Option<String>;

    /// Returns what `eyes` see of the game.
    fn scene(&self, eyes: Eyes) -> Scene;

    /// Returns what the transcript of the game's original program shows before the turn of `mover`.
    fn before_turn(&self, mover: Side, people: &People<'_>) -> String;

    /// Returns what it shows after a turn.
    fn after_turn(&self, mover: Side, turn: &Turn, people: &People<'_>) -> String;

    /// Returns what it shows once `winner` has won.
    fn after_end(&self, winner: Side, people: &People<'_>) -> String {
        let _ = (winner, people);
        String::new()
    }
}

/// A ship that can act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Its id.
    pub ship: usize,
    /// The cell that names it in a turn.
    pub at: Point,
    /// The cells of its own waters on which it can act; `None` if it acts on any cell of the opponent's.
    pub targets: Option<Vec<Point>>,
}

/// The result that a turn would have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The cells of the ship after its move, if it moves.
    pub outline: Vec<Point>,
    /// Whether it may not be there.
    pub forbidden: bool,
    /// Cells of the player's own waters that matter.
    pub own: Vec<Point>,
    /// Cells of the opponent's waters that it would reach.
    pub theirs: Vec<Point>,
    /// All that as a sentence without its full stop.
    pub words: String,
}

/// The players as a transcript knows them.
#[derive(Clone, Copy, Debug)]
pub struct People<'p> {
    /// Their names.
    pub names: &'p BySide<String>,
    /// Whether a person plays: people do not get to see what is hidden from them.
    pub human: &'p BySide<bool>,
}
