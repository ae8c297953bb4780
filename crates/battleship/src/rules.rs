//! The game that is played, with its options: the one place that names all games.

use std::fmt;
use std::ops::Deref;

use thiserror::Error;

use crate::in_play::GameRules;
use crate::twist::Twist;
use crate::{Game, GameError, RuleOptions, Salvo, ShipType};

/// The name of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
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
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Ruleset::Classic => "classic",
            Ruleset::Salvo => "salvo",
            Ruleset::Twist => "twist",
        }
    }

    /// Returns what the game is in a few words, for a list of games.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Ruleset::Classic => "Boards up to 10x10, any fleet",
            Ruleset::Salvo => "As classic, with a shot for each ship afloat in a turn",
            Ruleset::Twist => "12x12, eight units that fire, move, repair and search",
        }
    }

    /// Returns whether a cell of a ship is hit at most once: nothing moves and nothing is repaired.
    #[must_use]
    pub const fn hits_once(self) -> bool {
        match self {
            Ruleset::Classic | Ruleset::Salvo => true,
            Ruleset::Twist => false,
        }
    }

    /// Returns the game that `word` stands for, or `None` if there is none.
    #[must_use]
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

/// A game with its board and fleet. It has the methods of [`GameRules`].
///
/// ```
/// use battleship::{Rules, Ruleset};
///
/// let rules = Rules::usual(Ruleset::Classic);
/// assert_eq!(rules.size(), [10, 10]);
/// assert_eq!(rules.ships()[1].name, "battleship");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(into = "RulesInRecord", try_from = "RulesInRecord")
)]
pub enum Rules {
    /// The classic game with this board and fleet.
    Classic(Game),
    /// The salvo game.
    Salvo(Salvo),
    /// The 12x12 game with moving, repairing and sonar.
    Twist,
}

/// The rules, whichever game it is.
impl Deref for Rules {
    type Target = dyn GameRules + 'static;

    fn deref(&self) -> &(dyn GameRules + 'static) {
        match self {
            Rules::Classic(game) => game,
            Rules::Salvo(salvo) => salvo,
            Rules::Twist => &Twist,
        }
    }
}

impl Rules {
    /// Returns the usual rules of a game.
    #[must_use]
    pub fn usual(ruleset: Ruleset) -> Rules {
        match ruleset {
            Ruleset::Classic => Rules::Classic(Game::standard()),
            Ruleset::Salvo => Rules::Salvo(Salvo::of(Game::standard())),
            Ruleset::Twist => Rules::Twist,
        }
    }

    /// Returns the board and the fleet, if the game has those of the course's classes.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        match self {
            Rules::Classic(game) | Rules::Salvo(Salvo { game, .. }) => Some(game),
            Rules::Twist => None,
        }
    }

    /// Returns the same game with this board and this fleet; a game whose board is always the same as it is.
    #[must_use]
    pub fn with_game(self, game: Game) -> Rules {
        match self {
            Rules::Classic(_) => Rules::Classic(game),
            Rules::Salvo(salvo) => Rules::Salvo(Salvo { game, ..salvo }),
            Rules::Twist => Rules::Twist,
        }
    }

    /// Returns the same game with these options, as far as it has them: what it does not have, it leaves out of
    /// [`GameRules::options`].
    #[must_use]
    pub fn with(self, options: RuleOptions) -> Rules {
        let RuleOptions { apart, shots, .. } = options;
        match self {
            Rules::Classic(game) => Rules::Classic(game.with_apart(apart)),
            Rules::Salvo(Salvo { game, .. }) => Rules::Salvo(Salvo {
                game: game.with_apart(apart),
                shots,
            }),
            Rules::Twist => Rules::Twist,
        }
    }

    /// Returns the same game with these options.
    ///
    /// # Errors
    /// If it does not have one of them.
    pub fn checked_with(self, options: RuleOptions) -> Result<Rules, BadRules> {
        let rules = self.with(options);
        if rules.options() == options {
            Ok(rules)
        } else {
            Err(BadRules::Option(rules.ruleset()))
        }
    }

    /// Returns the rules with this board and this fleet.
    ///
    /// # Errors
    /// If the game has no such board or fleet.
    pub fn new(ruleset: Ruleset, size: [i32; 2], ships: &[ShipType]) -> Result<Rules, BadRules> {
        let usual = Rules::usual(ruleset);
        if usual.game().is_some() {
            let [rows, cols] = size;
            let mut game = Game::new(rows, cols)?;
            for ship in ships {
                game.add_ship(ship.length, ship.symbol, &ship.name)?;
            }
            return Ok(usual.with_game(game));
        }
        if size == usual.size() && ships == usual.ships() {
            Ok(usual)
        } else {
            Err(BadRules::Fixed(ruleset))
        }
    }
}

/// The reason why there are no such rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadRules {
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
#[cfg(feature = "serde")]
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct RulesInRecord {
    rules: Ruleset,
    rows: i32,
    cols: i32,
    ships: Vec<ShipType>,
    #[serde(default, skip_serializing_if = "RuleOptions::is_usual")]
    options: RuleOptions,
}

#[cfg(feature = "serde")]
impl From<Rules> for RulesInRecord {
    fn from(rules: Rules) -> RulesInRecord {
        let [rows, cols] = rules.size();
        let (ships, options) = (rules.ships(), rules.options());
        RulesInRecord {
            rules: rules.ruleset(),
            rows,
            cols,
            ships,
            options,
        }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<RulesInRecord> for Rules {
    type Error = BadRules;

    fn try_from(record: RulesInRecord) -> Result<Rules, BadRules> {
        let RulesInRecord {
            rules,
            rows,
            cols,
            ships,
            options,
        } = record;
        Rules::new(rules, [rows, cols], &ships)?.checked_with(options)
    }
}
