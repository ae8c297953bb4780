//! The result of a tuning, as text for people.

use arena::game::Entrant;
use arena::words::counted;
use bothost::text;
use lab::tune::{LEAST_GAIN, Moment, Parameter, TuneFinish, Tuned, Tuning};
use league::statistics::sprt::Decision;

/// The result of a tuning so far, in words.
#[derive(Clone, Copy, Debug)]
pub struct TuningSummary<'t> {
    /// The tuned parameters.
    pub tuning: &'t Tuning<'t>,
    /// Its progress.
    pub tuned: &'t Tuned,
}

impl TuningSummary<'_> {
    /// Returns what is known of each parameter in a line.
    pub fn values(&self) -> impl Iterator<Item = String> {
        let all = self
            .tuned
            .parameters
            .iter()
            .zip(self.tuned.now().iter().copied());
        all.map(|(parameter, Moment { value, interval, .. })| {
            let Parameter { name, start, low, high, .. } = parameter;
            let [start, low, high] = [start, low, high].map(|value| parameter.shown(*value));
            let value = parameter.shown(value);
            let [from, to] = [interval.low, interval.high].map(|value| parameter.shown(value));
            format!(
                "{name}: {value}, from {from} to {to} in 95% (began at {start}, in {low} to {high})"
            )
        })
    }

    /// Returns how far the search is, in a sentence.
    #[must_use]
    pub fn search(&self) -> String {
        let Tuned {
            games,
            left,
            finish,
            ..
        } = self.tuned;
        let of = self.tuning.header.games;
        let left = match left {
            Some(left) => {
                format!(
                    "at most {:.1}% of the points are left to gain",
                    100.0 * left.min(1.0)
                )
            }
            None => "too few rounds to know what is left to gain".to_owned(),
        };
        match finish {
            Some(TuneFinish::NothingLeft) => format!(
                "The search ended after {games} of {of} games: {left}, and it ends at {}%.",
                100.0 * LEAST_GAIN
            ),
            Some(TuneFinish::AllGames) => format!("The search took {games} games: {left}."),
            None => format!("{games} of {of} games: {left}."),
        }
    }

    /// Returns what the test says, in a sentence; `None` before it.
    #[must_use]
    pub fn test(&self) -> Option<String> {
        let Tuned {
            pairs,
            decision,
            finish,
            ..
        } = self.tuned;
        finish.as_ref()?;
        let Some(decision) = decision else {
            let values: Vec<f64> = self.tuned.now().iter().map(|moment| moment.value).collect();
            let tuning = self.tuning;
            let [new, old] = [values, tuning.starts()].map(|values| tuning.version(&values, 0.5));
            if new.program != old.program {
                return None;
            }
            return Some("The new values are the old ones: there is nothing to test.".to_owned());
        };
        let verdict = match decision {
            Decision::AcceptH1 => "the new values are better",
            Decision::AcceptH0 => "the new values are not better; keep the old ones",
            Decision::Continue if pairs.pairs() * 2 < self.tuning.header.games.into() => {
                "not decided yet"
            }
            Decision::Continue => "not decided; more games may tell",
        };
        let sample = pairs.sample()?;
        let percent = 100.0 * sample.score;
        let count = counted(2 * pairs.pairs(), "game");
        let sprt = self.tuning.sprt;
        Some(format!(
            "New against old, {count} with other seeds: {percent:.1}% of the points; {verdict} ({sprt})."
        ))
    }

    /// Whether the values that were found are to be used: unless a test has been made that did not
    /// find them better.
    fn are_new_used(&self) -> bool {
        self.tuned.finish.is_none()
            || matches!(self.tuned.decision, None | Some(Decision::AcceptH1))
    }

    /// Returns which values [`TuningSummary::command`] has, in words.
    #[must_use]
    pub fn which_values(&self) -> &'static str {
        if self.are_new_used() {
            "With these values"
        } else {
            "With the old values, which stay"
        }
    }

    /// Returns the command of the bot with the values that are to be used, and with its variables
    /// before it.
    #[must_use]
    pub fn command(&self) -> String {
        let values = if self.are_new_used() {
            self.tuned.now().iter().map(|moment| moment.value).collect()
        } else {
            self.tuning.starts()
        };
        let Entrant { program, dir, .. } = self.tuning.version(&values, 0.5);
        let variables = program.variables.iter().map(|(name, value)| {
            format!("{}={} ", name.to_string_lossy(), value.to_string_lossy())
        });
        let variables = variables.collect::<String>();
        match dir {
            Some(dir) => format!("{variables}{} (in the folder {dir})", program.command_line),
            None => format!("{variables}{}", program.command_line),
        }
    }

    /// Returns all of it.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.values().chain([self.search()]).chain(self.test());
        let lines = lines.chain([format!("{}: {}", self.which_values(), self.command())]);
        // The command is the user's.
        lines
            .map(|line| text::shown(line.as_bytes()) + "\n")
            .collect()
    }
}
