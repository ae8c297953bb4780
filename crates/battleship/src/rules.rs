//! The games that there are, with their options: the one place that names all of them.

use std::fmt;
use std::num::NonZeroU8;
use std::sync::Arc;

use thiserror::Error;

use crate::classic::ClassicInPlay;
use crate::labels::Labels;
use crate::protocol::Request;
use crate::twist::{self, OriginalQuirks, SIZE, TwistInPlay};
use crate::{Game, GameError, GameInPlay, RuleOptions, ShipType};

/// The name of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruleset {
    /// Boards up to 10x10, any fleet
    Classic,
    /// As classic, with a shot for each ship afloat in a turn
    Salvo,
    /// 12x12, eight units that fire, move, repair and search
    Twist,
}

impl Ruleset {
    /// All games, the usual one first.
    pub const ALL: [Ruleset; 3] = [Ruleset::Classic, Ruleset::Salvo, Ruleset::Twist];

    /// Returns the word that stands for the game: in the protocol, in records, and in options.
    pub const fn word(self) -> &'static str {
        match self {
            Ruleset::Classic => "classic",
            Ruleset::Salvo => "salvo",
            Ruleset::Twist => "twist",
        }
    }

    /// Returns a line about the game, for a list of games.
    pub const fn about(self) -> &'static str {
        match self {
            Ruleset::Classic => "Boards up to 10x10, any fleet",
            Ruleset::Salvo => "As classic, with a shot for each ship afloat in a turn",
            Ruleset::Twist => "12x12, eight units that fire, move, repair and search",
        }
    }

    /// Returns whether a cell of a ship is hit at most once: nothing moves and nothing is repaired.
    pub const fn hits_once(self) -> bool {
        !matches!(self, Ruleset::Twist)
    }

    /// Returns the game that `word` stands for, or `None` if there is none.
    pub fn parse(word: &str) -> Option<Ruleset> {
        Ruleset::ALL
            .into_iter()
            .find(|ruleset| ruleset.word() == word)
    }
}

/// The word that stands for the game.
impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The shots of a turn in a game on the course's boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// One attack.
    One,
    /// That many shots; without a number one for each ship that the player has afloat.
    Salvo(Option<NonZeroU8>),
}

/// A game with its board and fleet.
///
/// ```
/// use battleship::{Rules, Ruleset};
///
/// let game = Rules::usual(Ruleset::Classic).describe();
/// assert_eq!(game.size, [10, 10]);
/// assert_eq!(game.ships[1].name, "battleship");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(into = "RulesInRecord", try_from = "RulesInRecord")]
pub enum Rules {
    /// The classic game or the salvo game.
    Classic {
        /// The board and the fleet.
        game: Arc<Game>,
        /// The shots of a turn.
        turns: Turns,
    },
    /// The 12x12 game with moving, repairing and sonar.
    Twist,
}

/// The constants of a game. They are made anew for each call of [`Rules::describe`].
#[derive(Clone, Debug)]
pub struct Description {
    /// The name of the game.
    pub name: Ruleset,
    /// The number of rows and of columns of a board.
    pub size: [i32; 2],
    /// The ships that each player places, in id order.
    pub ships: Vec<ShipType>,
    /// The names of rows, columns and cells.
    pub labels: Labels,
    /// The word for a turn.
    pub turn_word: &'static str,
    /// The word for a ship.
    pub ship_word: &'static str,
    /// Whether a turn names a ship that acts before the cell on which it does; else it names only
    /// cells of the opponent's waters.
    pub names_ship: bool,
    /// Whether it is drawn from the seed which player moves first; else it is the player named
    /// first.
    pub draws_first_mover: bool,
    /// The number of turns that each player has when no option says otherwise.
    pub max_turns: u32,
    /// The game with its board and fleet in a few words.
    pub summary: String,
    /// Lines that tell a person what its ships do and what marks mean, if that needs words.
    pub hints: &'static [&'static str],
}

impl Description {
    /// Returns the form of the reply to `place`.
    pub fn expected_placement(&self) -> String {
        let count = self.ships.len();
        let ship = self.ship_word;
        let s = if count == 1 { "" } else { "s" };
        format!("\"place ROW COL h|v ...\" ({count} {ship}{s}) or \"place none\"")
    }

    /// Returns the reason of a game whose player cannot place its ships, as the end of a sentence
    /// that begins with its name.
    pub fn cannot_place(&self) -> String {
        format!("could not place its {}s", self.ship_word)
    }

    /// Returns the reason of a game that has reached its turn cap, as a sentence.
    pub fn undecided(&self, max_turns: u32) -> String {
        let (fleet, turns) = match self.name {
            Ruleset::Classic => ("fleet", "attacks"),
            Ruleset::Salvo => ("fleet", "salvos"),
            Ruleset::Twist => ("units", "turns"),
        };
        format!("neither player sank the other's {fleet} in {max_turns} {turns} each")
    }
}

impl Rules {
    /// Returns the usual rules of a game.
    pub fn usual(ruleset: Ruleset) -> Rules {
        Rules::on(ruleset, Game::standard(), RuleOptions::default())
    }

    /// Returns the classic game with this board and fleet.
    pub fn classic(game: Game) -> Rules {
        Rules::on(Ruleset::Classic, game, RuleOptions::default())
    }

    /// Returns a game with this board and fleet and with these options, as far as it has them: what
    /// it does not have, it leaves out of [`Rules::options`]. The twist has a board of its own.
    pub fn on(ruleset: Ruleset, game: Game, options: RuleOptions) -> Rules {
        let turns = match ruleset {
            Ruleset::Classic => Turns::One,
            Ruleset::Salvo => Turns::Salvo(options.shots),
            Ruleset::Twist => return Rules::Twist,
        };
        Rules::Classic {
            game: Arc::new(game.with_apart(options.apart)),
            turns,
        }
    }

    /// Returns the rules with this board, this fleet and these options.
    ///
    /// # Errors
    /// If the game has no such board, fleet or option.
    pub fn new(
        ruleset: Ruleset,
        size: [i32; 2],
        ships: &[ShipType],
        options: RuleOptions,
    ) -> Result<Rules, RulesError> {
        let mut rules = Rules::usual(ruleset);
        if rules.game().is_some() {
            let mut game = Game::new(size[0], size[1])?;
            for ship in ships {
                game.add_ship(ship.length, ship.symbol, &ship.name)?;
            }
            rules = Rules::on(ruleset, game, options);
        }
        if rules.size() != size || rules.ships() != ships {
            Err(RulesError::Fixed(ruleset))
        } else if rules.options() != options {
            Err(RulesError::Option(ruleset))
        } else {
            Ok(rules)
        }
    }

    /// Returns the name of the game.
    pub fn ruleset(&self) -> Ruleset {
        match self {
            Rules::Classic {
                turns: Turns::One, ..
            } => Ruleset::Classic,
            Rules::Classic { .. } => Ruleset::Salvo,
            Rules::Twist => Ruleset::Twist,
        }
    }

    /// Returns the number of rows and of columns of a board.
    pub fn size(&self) -> [i32; 2] {
        self.game()
            .map_or([SIZE.into(); 2], |game| [game.rows(), game.cols()])
    }

    /// Returns the ships that each player places, in id order.
    pub fn ships(&self) -> Vec<ShipType> {
        self.describe().ships
    }

    /// Returns the names of rows, columns and cells.
    pub fn labels(&self) -> Labels {
        match self {
            Rules::Classic { .. } => Labels::Digits,
            Rules::Twist => Labels::Italian,
        }
    }

    /// Returns the names of rows and of columns, from the first on.
    pub fn line_names(&self) -> [Vec<String>; 2] {
        self.labels().lines(self.size())
    }

    /// Returns the board and the fleet of a classic game.
    pub fn classic_game(&self) -> Option<&Game> {
        self.game().filter(|_| self.ruleset() == Ruleset::Classic)
    }

    /// Returns the board and the fleet, if the game has those of the course's classes.
    pub fn game(&self) -> Option<&Game> {
        match self {
            Rules::Classic { game, .. } => Some(game),
            Rules::Twist => None,
        }
    }

    /// Returns the options of these rules.
    pub fn options(&self) -> RuleOptions {
        match self {
            Rules::Classic { game, turns } => RuleOptions {
                apart: game.apart(),
                shots: match turns {
                    Turns::One => None,
                    Turns::Salvo(shots) => *shots,
                },
            },
            Rules::Twist => RuleOptions::default(),
        }
    }

    /// Returns the same game with these options, as far as it has them.
    pub fn with(self, options: RuleOptions) -> Rules {
        match self.game() {
            Some(game) => Rules::on(self.ruleset(), game.clone(), options),
            None => self,
        }
    }

    /// Returns the constants of the game.
    pub fn describe(&self) -> Description {
        match self {
            Rules::Classic { game, turns } => Description {
                name: self.ruleset(),
                size: self.size(),
                ships: game.ships().to_vec(),
                labels: self.labels(),
                turn_word: match turns {
                    Turns::One => "attack",
                    Turns::Salvo(_) => "shot",
                },
                ship_word: "ship",
                names_ship: false,
                draws_first_mover: false,
                max_turns: u32::try_from(10 * game.rows() * game.cols())
                    .expect("a board has at most 100 cells"),
                summary: format!("{}{turns}", game.summary()),
                hints: &[],
            },
            Rules::Twist => twist::describe(),
        }
    }

    /// Returns the lines that announce the game, up to its seed.
    pub fn announce(&self) -> Vec<Request> {
        let [rows, cols] = self.size();
        let ruleset = self.ruleset();
        let mut lines = vec![Request::Game {
            ruleset,
            rows,
            cols,
        }];
        for (id, ship) in self.ships().into_iter().enumerate() {
            lines.push(Request::Ship {
                id,
                length: ship.length,
                symbol: ship.symbol,
                name: ship.name,
            });
        }
        lines.extend(self.options().words().into_iter().map(Request::Rule));
        lines
    }

    /// Returns a game in which nothing has been placed.
    pub fn begin(&self) -> Box<dyn GameInPlay> {
        match self {
            Rules::Classic { game, turns } => Box::new(ClassicInPlay::new(game.clone(), *turns)),
            Rules::Twist => Box::new(TwistInPlay::new(OriginalQuirks::default())),
        }
    }
}

/// The end of a summary.
impl fmt::Display for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Turns::One => Ok(()),
            Turns::Salvo(None) => f.write_str(", a shot for each ship afloat"),
            Turns::Salvo(Some(NonZeroU8::MIN)) => f.write_str(", salvos of one shot"),
            Turns::Salvo(Some(shots)) => write!(f, ", salvos of {shots} shots"),
        }
    }
}

/// The reason why there are no such rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    /// The classic game has no such board or fleet.
    #[error("the board or the fleet is impossible: {0}")]
    Classic(#[from] GameError),
    /// The board and the fleet of this game are always the same.
    #[error("the game {0} has another board or another fleet")]
    Fixed(Ruleset),
    /// The game does not have such an option.
    #[error("the game {0} has no such option of the rules")]
    Option(Ruleset),
}

/// The rules as records have them.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct RulesInRecord {
    rules: Ruleset,
    rows: i32,
    cols: i32,
    ships: Vec<ShipType>,
    #[serde(default, skip_serializing_if = "RuleOptions::is_usual")]
    options: RuleOptions,
}

impl From<Rules> for RulesInRecord {
    fn from(rules: Rules) -> RulesInRecord {
        let [rows, cols] = rules.size();
        RulesInRecord {
            rules: rules.ruleset(),
            rows,
            cols,
            ships: rules.ships(),
            options: rules.options(),
        }
    }
}

impl TryFrom<RulesInRecord> for Rules {
    type Error = RulesError;

    fn try_from(record: RulesInRecord) -> Result<Rules, RulesError> {
        let size = [record.rows, record.cols];
        Rules::new(record.rules, size, &record.ships, record.options)
    }
}
