//! The game that is played, with the options of its rules: typed, or in a file.

use std::num::NonZeroU8;

use battleship::{Apart, RuleOptions, Rules, Ruleset};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
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
    /// With =sides they may touch at corners. It works with the classic and the salvo game.
    #[arg(long, help_heading = headings::GAME, value_parser = aparts(), hide_possible_values = true, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    #[serde(deserialize_with = "apart_from_word_or_switch")]
    pub apart: Option<Apart>,
    /// Salvos of this many shots, 1 to 100 [default: one for each ship of the shooter that is afloat]
    ///
    /// It implies --rules salvo.
    #[arg(long, help_heading = headings::GAME, value_name = "N", value_parser = shots, hide_short_help = true)]
    #[serde(deserialize_with = "shots_in_file")]
    pub salvo: Option<NonZeroU8>,
    /// Results of a salvo: of each shot, or only the number of hits [default: each]
    #[arg(long, help_heading = headings::GAME, value_enum, value_name = "WHAT", hide_short_help = true)]
    pub salvo_results: Option<SalvoResults>,
}

/// The results that a player gets of its salvo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum SalvoResults {
    /// The result of each shot
    Each,
    /// Only how many shots hit
    Count,
}

impl HouseRules {
    /// Returns these options, completed by those of `below`.
    #[must_use]
    pub fn over(self, below: HouseRules) -> HouseRules {
        HouseRules {
            rules: self.rules.or(below.rules),
            apart: self.apart.or(below.apart),
            salvo: self.salvo.or(below.salvo),
            salvo_results: self.salvo_results.or(below.salvo_results),
        }
    }

    /// Returns the rules on the usual board.
    ///
    /// # Errors
    /// If the game does not have one of the options.
    pub fn rules(&self) -> Result<Rules, TermsError> {
        let fires_salvos = self.salvo.is_some() || self.salvo_results.is_some();
        let usual = if fires_salvos {
            Ruleset::Salvo
        } else {
            Ruleset::Classic
        };
        let name = self.rules.unwrap_or(usual);
        let count = self.salvo_results == Some(SalvoResults::Count);
        let options = RuleOptions {
            apart: self.apart,
            shots: self.salvo,
            count,
        };
        let rules = Rules::usual(name).with(options);
        let named = [
            (
                "--apart",
                self.apart.is_some() && rules.options().apart.is_none(),
            ),
            (
                "--salvo",
                self.salvo.is_some() && rules.options().shots.is_none(),
            ),
            (
                "--salvo-results",
                self.salvo_results.is_some() && name != Ruleset::Salvo,
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

/// Returns what reads how far apart ships have to lie.
fn aparts() -> impl TypedValueParser<Value = Apart> {
    PossibleValuesParser::new([Apart::All, Apart::Sides].map(Apart::word))
        .map(|word| Apart::parse(&word).expect("only these words are possible"))
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

/// Reads the distance of ships from a file: the word, or `true` for the usual one.
fn apart_from_word_or_switch<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Apart>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected true, false, \"all\" or \"sides\"")]
    enum Word {
        Switch(bool),
        Apart(Apart),
    }
    Ok(match Word::deserialize(from)? {
        Word::Switch(on) => on.then_some(Apart::All),
        Word::Apart(apart) => Some(apart),
    })
}

/// A number of shots in a file.
fn shots_in_file<'d, D: Deserializer<'d>>(from: D) -> Result<Option<NonZeroU8>, D::Error> {
    number_as_typed::<_, i64, _>(from, shots)
}
