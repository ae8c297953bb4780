//! Which game is played: its rules, its board and its fleet.

use std::fmt;

use battleship::protocol::Ruleset;
use battleship::twist::{self, UnitId, UnitKind};
use battleship::{Game, GameError, ShipType};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(into = "RulesInRecord", try_from = "RulesInRecord")]
pub enum Rules {
    /// The classic game with this board and fleet.
    Classic(Game),
    /// The 12x12 game with moving, repairing and sonar.
    Twist,
}

/// The name of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RulesName {
    /// Boards up to 10x10, any fleet
    Classic,
    /// 12x12, eight units that fire, move, repair and search
    Twist,
}

/// As it is typed and as records have it.
impl fmt::Display for RulesName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Ruleset::from(*self).word())
    }
}

impl From<RulesName> for Ruleset {
    fn from(name: RulesName) -> Ruleset {
        match name {
            RulesName::Classic => Ruleset::Classic,
            RulesName::Twist => Ruleset::Twist,
        }
    }
}

impl Rules {
    /// Returns the name of the rules.
    #[must_use]
    pub const fn name(&self) -> RulesName {
        match self {
            Rules::Classic(_) => RulesName::Classic,
            Rules::Twist => RulesName::Twist,
        }
    }

    /// Returns the rules as the protocol names them.
    #[must_use]
    pub const fn ruleset(&self) -> Ruleset {
        match self {
            Rules::Classic(_) => Ruleset::Classic,
            Rules::Twist => Ruleset::Twist,
        }
    }

    /// Returns the usual rules of the game that the protocol names so.
    #[must_use]
    pub fn usual(ruleset: Ruleset) -> Rules {
        match ruleset {
            Ruleset::Classic => Rules::Classic(Game::standard()),
            Ruleset::Twist => Rules::Twist,
        }
    }

    /// Returns the rules that a record describes.
    ///
    /// # Errors
    /// If there is no such board or fleet.
    pub fn recorded(
        name: RulesName,
        rows: i32,
        cols: i32,
        ships: &[ShipOfGame],
    ) -> Result<Rules, BadRules> {
        let usual = Rules::usual(name.into());
        if let Rules::Classic(_) = usual {
            let mut game = Game::new(rows, cols)?;
            for ship in ships {
                game.add_ship(ship.length, ship.symbol, &ship.name)?;
            }
            return Ok(Rules::Classic(game));
        }
        if [rows, cols] == usual.size() && ships == usual.ships() {
            Ok(usual)
        } else {
            Err(BadRules::Fixed(name))
        }
    }

    /// Returns whether it is drawn from the seed which player moves first; else it is the player named first.
    #[must_use]
    pub const fn draws_first_mover(&self) -> bool {
        match self {
            Rules::Classic(_) => false,
            Rules::Twist => true,
        }
    }

    /// Returns the number of rows and of columns of a board.
    #[must_use]
    pub const fn size(&self) -> [i32; 2] {
        match self {
            Rules::Classic(game) => [game.rows(), game.cols()],
            Rules::Twist => [twist::SIZE as i32; 2],
        }
    }

    /// Returns the ships that each player places, in id order.
    pub fn ships(&self) -> Vec<ShipOfGame> {
        match self {
            Rules::Classic(game) => game.ships().iter().map(ShipOfGame::from).collect(),
            Rules::Twist => UnitId::ALL.iter().map(|unit| ShipOfGame::from(unit.kind())).collect(),
        }
    }

    /// Returns the number of turns that each player has when no option says otherwise: ten times the cells of a
    /// board in the classic game, half of the original's 200 single turns in the twist game.
    #[must_use]
    pub fn usual_max_turns(&self) -> u32 {
        match self {
            Rules::Classic(game) => u32::try_from(10 * game.rows() * game.cols())
                .expect("a board has at most 100 cells"),
            Rules::Twist => twist::ORIGINAL_TURN_LIMIT / 2,
        }
    }
}

/// The rules as a record's header has them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
struct RulesInRecord {
    rules: RulesName,
    rows: i32,
    cols: i32,
    ships: Vec<ShipOfGame>,
}

impl From<Rules> for RulesInRecord {
    fn from(rules: Rules) -> RulesInRecord {
        let [rows, cols] = rules.size();
        RulesInRecord { rules: rules.name(), rows, cols, ships: rules.ships() }
    }
}

/// Why a record describes no game.
#[derive(Debug, Error)]
pub enum BadRules {
    #[error("the board or the fleet is impossible: {0}")]
    Classic(#[from] GameError),
    #[error("the game {0} has another board or another fleet")]
    Fixed(RulesName),
}

impl TryFrom<RulesInRecord> for Rules {
    type Error = BadRules;

    fn try_from(record: RulesInRecord) -> Result<Rules, BadRules> {
        let RulesInRecord { rules, rows, cols, ships } = record;
        Rules::recorded(rules, rows, cols, &ships)
    }
}

/// One ship type, as records have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
pub struct ShipOfGame {
    /// How many cells it covers.
    pub length: i32,
    /// The character that stands for it.
    pub symbol: char,
    /// What messages call it.
    pub name: String,
}

impl From<&ShipType> for ShipOfGame {
    fn from(ship: &ShipType) -> ShipOfGame {
        let (length, symbol, name) = (ship.length, ship.symbol, ship.name.clone());
        ShipOfGame { length, symbol, name }
    }
}

impl From<UnitKind> for ShipOfGame {
    fn from(kind: UnitKind) -> ShipOfGame {
        let (length, symbol) = (kind.size().into(), kind.letter());
        ShipOfGame { length, symbol, name: kind.name().to_owned() }
    }
}
