//! A game as it is told to those who watch: what has happened, in owned data that one thread can send to another.

use battleship::{BySide, GameInPlay, Placement, PlayedTurn, Rules, Side};

/// What is asked of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Where its ships are.
    Place,
    /// What it does in its turn: where it attacks, or its order.
    Turn,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won; `None` if the game has no winner.
    pub winner: Option<Side>,
    /// Why it ended, as a sentence without its full stop. Text of bots may be in it.
    pub why: String,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Both players have placed their ships, in the order of their ids.
    Placed(BySide<Vec<Placement>>),
    /// It is this player's turn.
    Turn(Side),
    /// A turn was played.
    Played(PlayedTurn),
    /// A person who is asked by the referee has to answer.
    Asked(Side, Question),
    /// The game is over.
    Ended(End),
}

impl News {
    /// Returns what is asked, and of whom.
    pub(crate) fn asked(&self) -> Option<(Side, Question)> {
        match self {
            News::Asked(side, question) => Some((*side, *question)),
            News::Placed(_) | News::Turn(_) | News::Played(_) | News::Ended(_) => None,
        }
    }
}

/// A game as far as it has been told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Which game it is.
    pub rules: Rules,
    /// What the players are called. Text of bots.
    pub names: BySide<String>,
    /// Who moves first.
    pub first: Side,
    /// Where the ships were at the beginning, once that is known.
    pub fleets: Option<BySide<Vec<Placement>>>,
    /// All turns so far.
    pub turns: Vec<PlayedTurn>,
    /// Whose turn it is, if the game has begun and is not over.
    pub to_move: Option<Side>,
    /// How it ended, if it has.
    pub end: Option<End>,
}

impl Story {
    /// Returns the story of a game in which nothing has happened yet.
    #[must_use]
    pub fn new(rules: Rules, names: BySide<String>, first: Side) -> Story {
        Story { rules, names, first, fleets: None, turns: Vec::new(), to_move: None, end: None }
    }

    /// Returns the game after this number of turns; without ships while they are not known.
    #[must_use]
    pub fn game_after(&self, turns: usize) -> Box<dyn GameInPlay + '_> {
        let mut game = self.rules.begin();
        let Some(fleets) = &self.fleets else { return game };
        // What is told has been played, so the rules refuse none of it.
        let placed = fleets.iter().all(|(side, fleet)| game.place(side, fleet).is_ok());
        if placed {
            game.start(self.first);
            for played in &self.turns[..turns] {
                let _ = game.play(&played.turn.reply());
            }
        }
        game
    }

    /// Adds what has happened.
    pub fn hear(&mut self, news: News) {
        match news {
            News::Placed(fleets) => self.fleets = Some(fleets),
            News::Turn(side) => self.to_move = Some(side),
            News::Played(turn) => {
                self.to_move = None;
                self.turns.push(turn);
            }
            News::Asked(..) => {}
            News::Ended(end) => {
                self.to_move = None;
                self.end = Some(end);
            }
        }
    }
}
