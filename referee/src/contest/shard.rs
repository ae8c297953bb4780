//! Shards: equal parts of a contest, each for a machine of its own.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

const SLURM_ID: &str = "SLURM_ARRAY_TASK_ID";
const SLURM_FIRST: &str = "SLURM_ARRAY_TASK_MIN";
const SLURM_STEP: &str = "SLURM_ARRAY_TASK_STEP";
const SLURM_COUNT: &str = "SLURM_ARRAY_TASK_COUNT";
const KUBERNETES_ID: &str = "JOB_COMPLETION_INDEX";
const HYPERQUEUE_ID: &str = "HQ_TASK_ID";

/// One of several equal parts of a contest, each for a machine of its own: all series whose numbers leave the same
/// remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// Returns the part `index`, from 0, of `of` parts; `None` if there is no such part.
    pub(crate) const fn new(index: usize, of: usize) -> Option<Shard> {
        if index < of { Some(Shard { index, of }) } else { None }
    }

    /// Returns which part it is, from 0.
    pub(crate) const fn index(self) -> usize {
        self.index
    }

    /// Returns the number of parts.
    pub(crate) const fn of(self) -> usize {
        self.of
    }

    /// Returns whether the series of this number is in this part.
    pub(crate) const fn takes(self, series_number: usize) -> bool {
        // Dealt out in turn and not in blocks: the series of one pairing, which take about equally long, are
        // spread over all parts, and the parts do not depend on the number of games.
        series_number % self.of == self.index
    }

    /// Returns the part that this process is to play as one task of an array job: one of Slurm, of HyperQueue, or an
    /// indexed job of Kubernetes.
    ///
    /// `of` is how many parts there are, which only Slurm tells by itself. `get` looks up a variable of the
    /// environment.
    ///
    /// # Errors
    /// If no such variable is there, or what they say does not name one of the parts.
    pub(crate) fn from_environment(
        of: Option<usize>,
        get: impl Fn(&str) -> Option<String>,
    ) -> Result<Shard, ShardError> {
        // Slurm first: its variables are set only in an array task, and it alone tells how many there are.
        if let Some(id) = number(SLURM_ID, &get)? {
            return slurm(id, of, &get);
        }
        // Kubernetes counts from 0; HyperQueue's arrays usually begin with 1, but may begin anywhere, so its
        // numbers are checked.
        for (variable, first) in [(KUBERNETES_ID, 0), (HYPERQUEUE_ID, 1)] {
            if let Some(id) = number(variable, &get)? {
                let of = of.ok_or(ShardError::OfUnknown { variable })?;
                let shard = id.checked_sub(first).and_then(|index| Shard::new(index, of));
                let last = first.saturating_add(of).saturating_sub(1);
                return shard.ok_or(ShardError::Outside { variable, id, first, last, of });
            }
        }
        Err(ShardError::NoTask)
    }
}

/// Returns the part of a task of Slurm. An array may begin anywhere and go in steps: `--array=10-30:10` is three tasks.
fn slurm(
    id: usize,
    of: Option<usize>,
    get: &impl Fn(&str) -> Option<String>,
) -> Result<Shard, ShardError> {
    let first = number(SLURM_FIRST, get)?.unwrap_or(0);
    let step = number(SLURM_STEP, get)?.unwrap_or(1);
    let of = match (number(SLURM_COUNT, get)?, of) {
        // A wrong number would leave series out or play them twice, which shows only at the merge, hours
        // later.
        (Some(tasks), Some(of)) if tasks != of => return Err(ShardError::OtherCount { tasks, of }),
        (Some(of), Some(_) | None) | (None, Some(of)) => of,
        (None, None) => return Err(ShardError::OfUnknown { variable: SLURM_ID }),
    };
    let steps = id
        .checked_sub(first)
        .filter(|offset| offset.checked_rem(step) == Some(0))
        .map(|offset| offset / step);
    steps.and_then(|index| Shard::new(index, of)).ok_or(ShardError::Irregular {
        id,
        first,
        step,
        of,
    })
}

fn number(
    variable: &'static str,
    get: &impl Fn(&str) -> Option<String>,
) -> Result<Option<usize>, ShardError> {
    let Some(value) = get(variable) else { return Ok(None) };
    let number = whole(&value);
    number.map(Some).ok_or(ShardError::NotANumber { variable, value })
}

/// Digits only: a sign is not part of a number of tasks.
fn whole(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// As people count, from 1: `2/8`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let parsed = text
            .split_once('/')
            .and_then(|(k, of)| Shard::new(whole(k)?.checked_sub(1)?, whole(of)?));
        parsed.ok_or_else(|| ShardError::NotAShard(text.to_owned()))
    }
}

/// A shard as it was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardArgument {
    /// `k/N`.
    Given(Shard),
    /// `auto` or `auto/N`: as the environment has it, see [`Shard::from_environment`].
    Auto {
        /// How many parts there are, if that was typed.
        of: Option<usize>,
    },
}

impl FromStr for ShardArgument {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<ShardArgument, ShardError> {
        match text.strip_prefix("auto") {
            None => text.parse().map(ShardArgument::Given),
            Some("") => Ok(ShardArgument::Auto { of: None }),
            Some(rest) => match rest.strip_prefix('/').and_then(whole) {
                Some(of) if of > 0 => Ok(ShardArgument::Auto { of: Some(of) }),
                Some(_) | None => Err(ShardError::NotAShard(text.to_owned())),
            },
        }
    }
}

/// Why there is no shard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum ShardError {
    /// Something else was typed.
    #[error("expected k/N with k from 1 to N, as in 2/8, or auto or auto/N, got {0:?}")]
    NotAShard(String),
    /// This process is no task of an array job.
    #[error(
        "none of {SLURM_ID}, {KUBERNETES_ID} and {HYPERQUEUE_ID} is set: give the shard as k/N"
    )]
    NoTask,
    /// A variable of the environment says something else.
    #[error("{variable} is {value:?}: expected a whole number")]
    NotANumber {
        /// Its name.
        variable: &'static str,
        /// Its value.
        value: String,
    },
    /// The environment tells which task this is, but not how many there are.
    #[error("{variable} does not tell how many tasks there are: give their number as auto/N")]
    OfUnknown {
        /// The variable that tells which task this is.
        variable: &'static str,
    },
    /// There are more or fewer tasks than parts.
    #[error(
        "{SLURM_COUNT} is {tasks}, but there are to be {of} shards: start {of} tasks, or give the shard as k/N"
    )]
    OtherCount {
        /// How many tasks there are.
        tasks: usize,
        /// How many parts there are.
        of: usize,
    },
    /// The task is not one of those that there are parts for.
    #[error("{variable} is {id}: expected ids from {first} to {last}, one for each of {of} shards")]
    Outside {
        /// The variable that tells which task this is.
        variable: &'static str,
        /// Its value.
        id: usize,
        /// The first id there is.
        first: usize,
        /// The last id there is.
        last: usize,
        /// How many parts there are.
        of: usize,
    },
    /// The ids of a Slurm array are not evenly spaced, or say nothing that makes sense.
    #[error(
        "{SLURM_ID} is {id}, which is none of {of} ids from {first} in steps of {step}: start the array without gaps, \
         as in 1-{of}, or give the shard as k/N"
    )]
    Irregular {
        /// Which task this is.
        id: usize,
        /// The first id there is.
        first: usize,
        /// From one id to the next.
        step: usize,
        /// How many tasks there are.
        of: usize,
    },
}

#[cfg(test)]
mod tests;
