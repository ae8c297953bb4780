//! A number of a bot that is tuned: its range, and how the bot gets it.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use arena::game::Entrant;

use crate::LabError;

/// A number that a bot gets as an argument or in its environment, and the range in which the best
/// one is looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its least value.
    pub low: f64,
    /// Its greatest value.
    pub high: f64,
    /// The value that the bot has so far.
    pub start: f64,
    /// Whether the bot gets whole numbers only.
    pub whole: bool,
}

/// The form of a parameter.
const FORM: &str =
    "write NAME=MIN:MAX or NAME=MIN:MAX:START, e.g. decay=0.1:0.9 or decay=0.1:0.9:0.5";

fn is_name(text: &str) -> bool {
    text.chars()
        .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && text.starts_with(|first: char| !first.is_ascii_digit())
}

impl FromStr for Parameter {
    type Err = String;

    /// Reads `NAME=MIN:MAX`, which starts in the middle, or `NAME=MIN:MAX:START`.
    fn from_str(text: &str) -> Result<Parameter, String> {
        let (name, values) = text.split_once('=').ok_or(FORM)?;
        if !is_name(name) {
            return Err(format!(
                "{name:?} is not a name: letters, digits and _ only, and no digit first"
            ));
        }
        let mut numbers = Vec::new();
        for text in values.split(':') {
            match text.trim().parse::<f64>() {
                Ok(number) if number.abs() < 1e15 => numbers.push(number),
                Ok(_) | Err(_) => {
                    return Err(format!("{text:?} is not a number; write e.g. 0.5"));
                }
            }
        }
        let (low, high, start) = match numbers[..] {
            [low, high] => (low, high, f64::midpoint(low, high)),
            [low, high, start] => (low, high, start),
            _ => return Err(FORM.to_owned()),
        };
        if low >= high {
            return Err(format!(
                "the range from {low} to {high} is empty; name the smaller number first"
            ));
        }
        if !(low..=high).contains(&start) {
            return Err(format!(
                "the start {start} is not from {low} to {high}; widen the range or start within it"
            ));
        }
        Ok(Parameter {
            name: name.to_owned(),
            low,
            high,
            start,
            whole: false,
        })
    }
}

impl Parameter {
    /// Checks that each of `parameters` has a name of its own, that the command of `bot` names no
    /// other, and that the command of `opponent` names none.
    ///
    /// # Errors
    /// The parameter that does not fit.
    pub fn check(
        parameters: &[Parameter],
        bot: &Entrant,
        opponent: &Entrant,
    ) -> Result<(), LabError> {
        let mut names = Vec::new();
        for Parameter { name, .. } in parameters {
            if names.contains(&name.as_str()) {
                return Err(LabError::Misuse(format!(
                    "--param {name}: it is given twice; leave one out"
                )));
            }
            names.push(name);
        }
        if let Some(parameter) = parameters
            .iter()
            .find(|parameter| parameter.is_in(opponent))
        {
            let Parameter { name, start, .. } = parameter;
            return Err(LabError::Misuse(format!(
                "--against: its command has {{{name}}}, which has a value in the command of the bot alone; write a value, as {}",
                parameter.shown(*start)
            )));
        }
        for word in &bot.program.arguments {
            for part in word.to_string_lossy().split('{').skip(1) {
                if let Some((name, _)) = part.split_once('}')
                    && is_name(name)
                    && !names.contains(&name)
                {
                    return Err(LabError::Misuse(format!(
                        "the command has {{{name}}}, but there is no --param {name}=MIN:MAX; add it, or write the value"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Returns the same for whole numbers only.
    ///
    /// # Errors
    /// If it ends elsewhere.
    pub fn whole(self) -> Result<Parameter, String> {
        for end in [self.low, self.high] {
            if end.fract() != 0.0 {
                return Err(format!(
                    "{end} is not a whole number; for fractions use --param"
                ));
            }
        }
        Ok(Parameter {
            start: self.start.round(),
            whole: true,
            ..self
        })
    }

    /// Returns the value at `coordinate`, from 0 to 1.
    #[must_use]
    pub fn value(&self, coordinate: f64) -> f64 {
        (self.low + coordinate * (self.high - self.low)).clamp(self.low, self.high)
    }

    /// Returns the coordinate of the start.
    #[must_use]
    pub fn start_coordinate(&self) -> f64 {
        (self.start - self.low) / (self.high - self.low)
    }

    /// Returns `value` as the bot gets it: with a hundred thousand steps in the range, or whole.
    /// Whole numbers are rounded up with the chance of the fraction, as `luck` from 0 to 1 says:
    /// rounded to the nearest, both sides of a round would often be the same.
    #[must_use]
    pub fn text(&self, value: f64, luck: f64) -> String {
        if self.whole {
            return format!(
                "{}",
                (value + luck).floor().clamp(self.low, self.high) + 0.0
            );
        }
        self.rounded(value, 5.0)
    }

    /// Returns `value` for a person to read: with a thousand steps in the range.
    #[must_use]
    pub fn shown(&self, value: f64) -> String {
        self.rounded(value, 3.0)
    }

    fn rounded(&self, value: f64, digits: f64) -> String {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to 20"
        )]
        let decimals = (digits - (self.high - self.low).log10().floor()).clamp(0.0, 20.0) as usize;
        // Adding zero turns -0 into 0.
        let text = format!("{:.decimals$}", value + 0.0);
        if decimals == 0 {
            return text;
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// Returns whether `bot` names it in its command, as `{name}`.
    #[must_use]
    pub fn is_in(&self, bot: &Entrant) -> bool {
        let mark = self.mark();
        bot.program
            .arguments
            .iter()
            .any(|word| word.to_string_lossy().contains(&mark))
    }

    fn mark(&self) -> String {
        format!("{{{}}}", self.name)
    }

    /// Gives `bot` the value of this parameter: in its command if that has `{name}`, else as a
    /// variable of its environment.
    pub(super) fn give(&self, bot: &mut Entrant, value: &str) {
        let mark = self.mark();
        if !self.is_in(bot) {
            return bot
                .program
                .variables
                .push((self.name.clone().into(), value.into()));
        }
        for word in &mut bot.program.arguments {
            if let Some(text) = word.to_str() {
                *word = text.replace(&mark, value).into();
            }
        }
        bot.program.command_line = bot.program.command_line.replace(&mark, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_has_a_name_and_a_range() {
        let edge: Parameter = "edge=1:5".parse().unwrap();
        assert_eq!((edge.low, edge.high, edge.start), (1.0, 5.0, 3.0));
        let cold: Parameter = "cold=-3:-1:-1.5".parse().unwrap();
        assert!((cold.start_coordinate() - 0.75).abs() < 1e-12);
        assert!((cold.value(0.25) + 2.5).abs() < 1e-12);
    }

    #[test]
    fn what_is_not_a_parameter_says_why() {
        for (text, error) in [
            ("edge", "write NAME=MIN:MAX"),
            ("edge=1", "write NAME=MIN:MAX"),
            ("edge=1:2:3:4", "write NAME=MIN:MAX"),
            ("=1:2", "\"\" is not a name"),
            ("2x=1:2", "\"2x\" is not a name"),
            ("a b=1:2", "\"a b\" is not a name"),
            ("edge=one:2", "\"one\" is not a number"),
            ("edge=1:inf", "\"inf\" is not a number"),
            ("edge=nan:1", "\"nan\" is not a number"),
            ("edge=5:1", "the range from 5 to 1 is empty"),
            ("edge=1:1", "the range from 1 to 1 is empty"),
            ("edge=1:5:6", "the start 6 is not from 1 to 5"),
        ] {
            let message = text.parse::<Parameter>().unwrap_err();
            assert!(message.starts_with(error), "{text}: {message}");
        }
        let half: Parameter = "edge=0.5:5".parse().unwrap();
        assert!(
            half.whole()
                .unwrap_err()
                .starts_with("0.5 is not a whole number")
        );
    }

    #[test]
    fn whole_values_are_rounded_by_chance() {
        let decay: Parameter = "decay=0.1:0.9".parse().unwrap();
        assert_eq!(decay.text(0.123_456_78, 0.0), "0.123457");
        assert_eq!(decay.text(0.5, 0.9), "0.5");
        let big: Parameter = "big=0:5000000".parse().unwrap();
        assert_eq!(big.text(1_200_000.4, 0.0), "1200000");
        let depth = "depth=-2:8".parse::<Parameter>().unwrap().whole().unwrap();
        let texts = [
            (2.3, 0.0),
            (2.3, 0.69),
            (2.3, 0.71),
            (8.0, 0.99),
            (-0.3, 0.5),
        ];
        assert_eq!(
            texts.map(|(value, luck)| depth.text(value, luck)),
            ["2", "2", "3", "8", "0"]
        );
    }
}
