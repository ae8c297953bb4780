//! The game that is played: its rules, its board and its ships.

use std::num::{NonZeroU8, NonZeroU32};

use battleship::{Game, GameError, RuleOptions, Rules, Ruleset};
use bothost::text;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use thiserror::Error;

use super::values::positive;
use super::{OptionError, headings};

/// The most shots of a salvo: as many as the largest board has cells.
const MOST_SHOTS: u8 = 100;

/// The game, and the options of its rules.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = headings::GAME)]
pub struct RuleArgs {
    /// The game [default: classic]
    ///
    /// salvo is the one with a shot for each ship afloat in a turn, twist the one on 12x12 with moving, repairing and sonar.
    #[arg(long, value_parser = rulesets(), value_name = "RULES")]
    pub(crate) rules: Option<Ruleset>,
    /// Ships may not touch, not at corners either
    ///
    /// It works with the classic and the salvo game.
    #[arg(long)]
    apart: bool,
    /// Salvos of this many shots, 1 to 100 [default: one for each ship of the shooter that is afloat]
    ///
    /// It implies --rules salvo.
    #[arg(long, value_name = "N", value_parser = shots, hide_short_help = true)]
    salvo: Option<NonZeroU8>,
    /// Play the game of which this program knows the rules
    ///
    /// It is a judge, as protocol.md describes it; `referee new judge DIR` makes one.
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString)]
    pub(crate) judge: Option<String>,
}

/// The board, its ships and the length of a game.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = headings::GAME)]
pub struct BoardOptions {
    /// Rows of a board, 1 to 10 [default: 10]
    #[arg(long, value_name = "N")]
    pub(crate) rows: Option<i32>,
    /// Columns of a board, 1 to 10 [default: 10]
    #[arg(long, value_name = "N")]
    pub(crate) cols: Option<i32>,
    /// A ship, e.g. '3 S submarine'; replaces the usual fleet
    ///
    /// The option is repeated for each ship. A ship has a length, a symbol and a name.
    #[arg(long, value_name = "SHIP", allow_hyphen_values = true)]
    pub(crate) ship: Vec<String>,
    /// End without a winner after this many turns of each player [default: ten times the cells of a board; twist: 100; with --judge: 10000]
    #[arg(long, value_name = "N", value_parser = positive, hide_short_help = true)]
    pub(crate) max_turns: Option<NonZeroU32>,
}

/// A fault of text that should describe a ship.
#[derive(Debug, Error)]
pub enum ShipError {
    #[error("expected a length, a symbol and a name")]
    Words,
    #[error("{0:?} is not a length")]
    Length(String),
    #[error("{0:?} is not one character")]
    Symbol(String),
    #[error("the name has invisible characters")]
    Name,
    #[error(transparent)]
    Rule(#[from] GameError),
}

impl RuleArgs {
    /// Returns whether no option of Battleship was given.
    pub(super) fn is_usual(&self) -> bool {
        self.rules.is_none() && !self.apart && self.salvo.is_none()
    }

    /// Returns the rules on the usual board.
    ///
    /// # Errors
    /// If the game does not have one of the options.
    pub fn rules(&self) -> Result<Rules, OptionError> {
        let usual = if self.salvo.is_some() {
            Ruleset::Salvo
        } else {
            Ruleset::Classic
        };
        let name = self.rules.unwrap_or(usual);
        let rules = Rules::usual(name).with(RuleOptions {
            apart: self.apart,
            shots: self.salvo,
            ..RuleOptions::default()
        });
        if self.apart && !rules.options().apart {
            let option = "--apart";
            return Err(OptionError::NoSuchRule { name, option });
        }
        if self.salvo.is_some() && rules.options().shots.is_none() {
            let option = "--salvo";
            return Err(OptionError::NoSuchRule { name, option });
        }
        Ok(rules)
    }
}

impl BoardOptions {
    /// Returns whether no option of the board was given. The length of a game counts for all games.
    pub(super) fn is_usual(&self) -> bool {
        self.rows.is_none() && self.cols.is_none() && self.ship.is_empty()
    }

    /// Returns `rules` with the board and the fleet of these options.
    pub(super) fn put_on(&self, rules: Rules) -> Result<Rules, OptionError> {
        if rules.game().is_some() {
            let options = rules.options();
            return Ok(Rules::on(rules.ruleset(), self.game()?, options));
        }
        // Every other game has a board and a fleet of its own.
        let name = rules.ruleset();
        let [rows, cols] = rules.size();
        if self.rows.is_some() || self.cols.is_some() {
            return Err(OptionError::FixedBoard { name, rows, cols });
        }
        if !self.ship.is_empty() {
            return Err(OptionError::FixedFleet { name });
        }
        Ok(rules)
    }

    fn game(&self) -> Result<Game, OptionError> {
        let usual = Game::standard();
        let rows = self.rows.unwrap_or(usual.rows());
        let cols = self.cols.unwrap_or(usual.cols());
        let mut game =
            Game::new(rows, cols).map_err(|error| OptionError::Board { rows, cols, error })?;
        if self.ship.is_empty() {
            let added = game.add_standard_ships();
            added.map_err(|error| OptionError::StandardFleet { rows, cols, error })?;
        }
        for typed in &self.ship {
            add_ship(&mut game, typed).map_err(|why| OptionError::Ship {
                typed: typed.clone(),
                why,
            })?;
        }
        Ok(game)
    }
}

fn add_ship(game: &mut Game, typed: &str) -> Result<(), ShipError> {
    let Some((length, rest)) = typed.trim().split_once(char::is_whitespace) else {
        return Err(ShipError::Words);
    };
    let Some((symbol, name)) = rest.trim().split_once(char::is_whitespace) else {
        return Err(ShipError::Words);
    };
    let length = length
        .parse()
        .map_err(|_| ShipError::Length(length.to_owned()))?;
    let mut characters = symbol.chars();
    let (Some(symbol), None) = (characters.next(), characters.next()) else {
        return Err(ShipError::Symbol(symbol.to_owned()));
    };
    if text::shown(name.as_bytes()) != name {
        return Err(ShipError::Name);
    }
    game.add_ship(length, symbol, name.trim())?;
    Ok(())
}

/// Returns the parser of the name of a game.
fn rulesets() -> impl TypedValueParser<Value = Ruleset> {
    let names = Ruleset::ALL.map(|rules| PossibleValue::new(rules.word()).help(rules.about()));
    PossibleValuesParser::new(names)
        .map(|word| Ruleset::parse(&word).expect("only names of games are possible"))
}

fn shots(text: &str) -> Result<NonZeroU8, String> {
    match text.parse::<NonZeroU8>() {
        Ok(shots) if shots.get() <= MOST_SHOTS => Ok(shots),
        Ok(_) | Err(_) => Err(format!("expected a whole number from 1 to {MOST_SHOTS}")),
    }
}
