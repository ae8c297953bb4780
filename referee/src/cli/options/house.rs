//! The game that is played, with the options of its rules: typed, or in a file.

use std::num::NonZeroU8;

use battleship::{RuleOptions, Rules, Ruleset};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer};

use super::headings;
use super::terms::{TermsError, number_as_typed};

/// The game, and the options of its rules.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct HouseRules {
    /// The game [default: classic]
    ///
    /// salvo is the one with a shot for each ship afloat in a turn, twist the one on 12x12 with moving, repairing and sonar.
    #[arg(long, help_heading = headings::GAME, value_parser = rulesets(), value_name = "RULES")]
    pub rules: Option<Ruleset>,
    /// Ships may not touch, not at corners either
    ///
    /// It works with the classic and the salvo game.
    #[arg(long, help_heading = headings::GAME)]
    pub apart: bool,
    /// Salvos of this many shots, 1 to 100 [default: one for each ship of the shooter that is afloat]
    ///
    /// It implies --rules salvo.
    #[arg(long, help_heading = headings::GAME, value_name = "N", value_parser = shots, hide_short_help = true)]
    #[serde(deserialize_with = "shots_in_file")]
    pub salvo: Option<NonZeroU8>,
}

impl HouseRules {
    /// Returns these options, completed by those of `below`.
    #[must_use]
    pub fn over(self, below: HouseRules) -> HouseRules {
        HouseRules {
            rules: self.rules.or(below.rules),
            apart: self.apart || below.apart,
            salvo: self.salvo.or(below.salvo),
        }
    }

    /// Returns the rules on the usual board.
    ///
    /// # Errors
    /// If the game does not have one of the options.
    pub fn rules(&self) -> Result<Rules, TermsError> {
        let usual = if self.salvo.is_some() {
            Ruleset::Salvo
        } else {
            Ruleset::Classic
        };
        let name = self.rules.unwrap_or(usual);
        let options = RuleOptions {
            apart: self.apart,
            shots: self.salvo,
            ..RuleOptions::default()
        };
        let rules = Rules::usual(name).with(options);
        let named = [
            ("--apart", self.apart && !rules.options().apart),
            (
                "--salvo",
                self.salvo.is_some() && rules.options().shots.is_none(),
            ),
        ];
        if let Some((option, _)) = named.iter().find(|(_, is_missing)| *is_missing) {
            return Err(TermsError::NoSuchOption { name, option });
        }
        Ok(rules)
    }
}

/// Returns what reads the name of a game.
fn rulesets() -> impl TypedValueParser<Value = Ruleset> {
    let value = |ruleset: Ruleset| PossibleValue::new(ruleset.word()).help(ruleset.about());
    PossibleValuesParser::new(Ruleset::ALL.map(value))
        .map(|word| Ruleset::parse(&word).expect("only names of games are possible"))
}

/// Reads a number of shots.
fn shots(text: &str) -> Result<NonZeroU8, String> {
    let shots = text
        .parse()
        .ok()
        .filter(|shots: &NonZeroU8| shots.get() <= MOST_SHOTS);
    shots.ok_or_else(|| format!("expected a whole number from 1 to {MOST_SHOTS}"))
}

/// As many shots as the largest board has cells.
const MOST_SHOTS: u8 = 100;

/// A number of shots in a file.
fn shots_in_file<'d, D: Deserializer<'d>>(from: D) -> Result<Option<NonZeroU8>, D::Error> {
    number_as_typed::<_, i64, _>(from, shots)
}
