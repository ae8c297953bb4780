//! What is asked of rules in a word; [`Rules::describe`] has most of it.

use super::{Rules, Ruleset, Turns};
use crate::labels::Labels;
use crate::protocol::Request;
use crate::twist::SIZE;
use crate::{Game, Point, ShipType};

#[allow(
    missing_docs,
    reason = "the fields of a description say what these are"
)]
impl Rules {
    pub fn ruleset(&self) -> Ruleset {
        match self {
            Rules::Classic {
                turns: Turns::One, ..
            } => Ruleset::Classic,
            Rules::Classic { .. } => Ruleset::Salvo,
            Rules::Twist => Ruleset::Twist,
        }
    }

    /// The board and the fleet of the classic game.
    pub fn classic_game(&self) -> Option<&Game> {
        self.game().filter(|_| self.ruleset() == Ruleset::Classic)
    }

    pub fn size(&self) -> [i32; 2] {
        self.game()
            .map_or([SIZE.into(); 2], |game| [game.rows(), game.cols()])
    }

    pub fn ships(&self) -> Vec<ShipType> {
        self.describe().ships
    }

    pub fn turn_word(&self) -> &'static str {
        self.describe().turn_word
    }

    pub fn turn_names_ship(&self) -> bool {
        *self == Rules::Twist
    }

    pub fn has_other_boards(&self) -> bool {
        self.game().is_some()
    }

    pub fn draws_first_mover(&self) -> bool {
        self.describe().draws_first_mover
    }

    pub fn usual_max_turns(&self) -> u32 {
        self.describe().max_turns
    }

    pub fn in_short(&self) -> String {
        self.describe().summary
    }

    pub fn hints(&self) -> &'static [&'static str] {
        self.describe().hints
    }

    /// The names of rows and of columns, from the first on.
    pub fn line_names(&self) -> [Vec<String>; 2] {
        self.labels().lines(self.size())
    }

    /// A cell as people write it; one outside the board by its numbers.
    pub fn cell_name(&self, at: Point) -> String {
        self.labels().cell(at)
    }

    fn labels(&self) -> Labels {
        match self {
            Rules::Classic { .. } => Labels::Digits,
            Rules::Twist => Labels::Italian,
        }
    }

    /// The request for the first turn.
    pub fn turn_request(&self) -> Request {
        self.begin().request()
    }

    /// What a bot may reply to `place`, in words.
    pub fn expected_placement(&self) -> String {
        let game = self.describe();
        let (ships, s) = (
            game.ships.len(),
            if game.ships.len() == 1 { "" } else { "s" },
        );
        format!(
            "\"place ROW COL h|v ...\" ({ships} {}{s}) or \"place none\"",
            game.ship_word
        )
    }

    /// What a player does that cannot place its ships, as the end of a sentence that begins with its name.
    pub fn cannot_place(&self) -> String {
        format!("could not place its {}s", self.describe().ship_word)
    }

    /// The reason of a game that has reached its turn cap, as a sentence.
    pub fn undecided(&self, max_turns: u32) -> String {
        let (fleet, turns) = match self.ruleset() {
            Ruleset::Classic => ("fleet", "attacks"),
            Ruleset::Salvo => ("fleet", "salvos"),
            Ruleset::Twist => ("units", "turns"),
        };
        format!("neither player sank the other's {fleet} in {max_turns} {turns} each")
    }
}
