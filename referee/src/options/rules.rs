//! The game that is played: its rules, its board and its ships.

use std::num::{NonZeroU8, NonZeroU32};

use battleship::{Game, RuleOptions, Rules, Ruleset};
use bothost::text;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};

use super::headings;
use super::values::positive;
use crate::exit::Failure;

/// The most shots of a salvo: as many as the largest board has cells.
const MOST_SHOTS: u8 = 100;

/// The game, and the options of its rules.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = headings::GAME)]
pub struct RuleArgs {
    /// The game [default: classic]
    ///
    /// salvo is the one with a shot for each ship afloat in a turn, twist the one on 12x12 with
    /// moving, repairing and sonar.
    #[arg(long, value_parser = rulesets(), value_name = "RULES")]
    pub(crate) rules: Option<Ruleset>,
    /// Ships may not touch, not at corners either
    ///
    /// It works with the classic and the salvo game.
    #[arg(long)]
    pub(super) apart: bool,
    /// Salvos of this many shots, 1 to 100 [default: one for each ship of the shooter that is
    /// afloat]
    ///
    /// It implies --rules salvo.
    #[arg(long, value_name = "N", value_parser = shots, hide_short_help = true)]
    pub(super) salvo: Option<NonZeroU8>,
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
    /// End without a winner after this many turns of each player [default: ten times the cells of a
    /// board; twist: 100; with --judge: 10000]
    #[arg(long, value_name = "N", value_parser = positive, hide_short_help = true)]
    pub(crate) max_turns: Option<NonZeroU32>,
}

impl RuleArgs {
    /// Returns the rules on the usual board.
    ///
    /// # Errors
    /// If the game does not have one of the options.
    pub fn rules(&self) -> Result<Rules, Failure> {
        let usual = if self.salvo.is_some() {
            Ruleset::Salvo
        } else {
            Ruleset::Classic
        };
        let name = self.rules.unwrap_or(usual);
        let rules = Rules::usual(name).with(RuleOptions {
            apart: self.apart,
            shots: self.salvo,
        });
        let option = if self.apart && !rules.options().apart {
            "--apart"
        } else if self.salvo.is_some() && rules.options().shots.is_none() {
            "--salvo"
        } else {
            return Ok(rules);
        };
        Err(Failure::misuse(format!(
            "--rules {name}: this game has no {option}"
        )))
    }
}

impl BoardOptions {
    /// Returns `rules` with the board and the fleet of these options.
    pub(super) fn put_on(&self, rules: Rules) -> Result<Rules, Failure> {
        let name = rules.ruleset();
        if rules.game().is_some() {
            let game = self.game().map_err(Failure::misuse)?;
            return Ok(Rules::on(name, game, rules.options()));
        }
        // Every other game has a board and a fleet of its own.
        let [rows, cols] = rules.size();
        let what = if self.rows.is_some() || self.cols.is_some() {
            format!("--rows, --cols: the boards of the game {name} are always {rows}x{cols}")
        } else if !self.ship.is_empty() {
            format!("--ship: the fleet of the game {name} is always the same")
        } else {
            return Ok(rules);
        };
        Err(Failure::misuse(what))
    }

    fn game(&self) -> Result<Game, String> {
        let usual = Game::standard();
        let rows = self.rows.unwrap_or(usual.rows());
        let cols = self.cols.unwrap_or(usual.cols());
        let mut game = Game::new(rows, cols)
            .map_err(|error| format!("--rows {rows} --cols {cols}: {error}"))?;
        if self.ship.is_empty() {
            game.add_standard_ships().map_err(|error| {
                format!(
                    "the standard fleet does not fit a board of {rows}x{cols}: {error}; name the ships with --ship, e.g. --ship \"2 R rowboat\""
                )
            })?;
        }
        for typed in &self.ship {
            add_ship(&mut game, typed).map_err(|why| {
                format!(
                    "--ship \"{typed}\": {why}; write LEN SYMBOL NAME, e.g. --ship \"3 S submarine\""
                )
            })?;
        }
        Ok(game)
    }
}

/// Adds a ship, which has a length, a symbol and a name.
fn add_ship(game: &mut Game, typed: &str) -> Result<(), String> {
    let mut words = typed.trim().splitn(2, char::is_whitespace);
    let length = words.next().unwrap_or_default();
    let rest = words.next().unwrap_or_default().trim();
    let Some((symbol, name)) = rest.split_once(char::is_whitespace) else {
        return Err("expected a length, a symbol and a name".to_owned());
    };
    let cells = length
        .parse()
        .map_err(|_| format!("{length:?} is not a length"))?;
    let mut characters = symbol.chars();
    let (Some(letter), None) = (characters.next(), characters.next()) else {
        return Err(format!("{symbol:?} is not one character"));
    };
    if text::shown(name.as_bytes()) != name {
        return Err("the name has invisible characters".to_owned());
    }
    match game.add_ship(cells, letter, name.trim()) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
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
