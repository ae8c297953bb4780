//! The view of a person who watches a contest, and the effects of the keys.

use super::Sample;
use crate::input::Input;
use crate::picture::Notice;

const KEYS: &str = "space freeze   ? keys   q stop the contest";

const HELP: [&str; 8] = [
    "space    freeze the picture; the games continue",
    "q        stop the contest: asks first",
    "Ctrl-C   the same, without asking",
    "Ctrl-L   redraw everything",
    "Ctrl-Z   back to the shell; fg continues",
    "",
    "Each grid has the fleet of the player above it.",
    "Any key closes this.",
];

/// A contest that is watched.
#[derive(Debug)]
pub(super) struct Watching {
    sample: Sample,
    /// The loss if the contest is stopped.
    loses: String,
    frozen: bool,
    over: Over,
}

/// The text over the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Nothing,
    Keys,
    /// Whether the contest is to stop.
    Question,
}

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    Stay,
    Leave,
}

impl Watching {
    pub(super) fn new(loses: &str) -> Watching {
        let loses = loses.to_owned();
        Watching {
            sample: Sample::default(),
            loses,
            frozen: false,
            over: Over::Nothing,
        }
    }

    /// Shows what there is to see now.
    pub(super) fn hear(&mut self, sample: Sample) {
        self.sample = sample;
    }

    pub(super) fn sample(&self) -> &Sample {
        &self.sample
    }

    pub(super) fn is_frozen(&self) -> bool {
        self.frozen
    }

    pub(super) fn press(&mut self, key: Input) -> Then {
        match (self.over, key) {
            (Over::Question, Input::Typed('y' | 'Y')) => return Then::Leave,
            (Over::Question | Over::Keys, _) => self.over = Over::Nothing,
            (Over::Nothing, Input::Typed('q' | 'Q') | Input::Escape) => self.over = Over::Question,
            (Over::Nothing, Input::Typed('?')) => self.over = Over::Keys,
            (Over::Nothing, Input::Typed(' ')) => self.frozen = !self.frozen,
            (Over::Nothing, _) => {}
        }
        Then::Stay
    }

    /// Returns the state in a line.
    pub(super) fn state(&self) -> &'static str {
        if self.frozen {
            "The picture is frozen, the games continue. Space continues."
        } else {
            ""
        }
    }

    /// The keys that mean something now.
    pub(super) fn keys(&self) -> &'static str {
        match self.over {
            Over::Nothing => KEYS,
            Over::Keys => "any key   back",
            Over::Question => "y stop   any other key   continue",
        }
    }

    /// The text over everything else.
    pub(super) fn notice(&self) -> Option<Notice> {
        let (title, lines) = match self.over {
            Over::Nothing => return None,
            Over::Keys => ("keys", HELP.map(str::to_owned).to_vec()),
            Over::Question => {
                let first = "The running games are played to their end.".to_owned();
                let last = "y stops the contest, any other key continues.".to_owned();
                (
                    "stop?",
                    vec![first, self.loses.clone(), String::new(), last],
                )
            }
        };
        Some(Notice {
            title: title.to_owned(),
            lines,
            alone: false,
        })
    }
}
