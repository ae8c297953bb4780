//! The processor time that a bot has used, where nothing tells it.

use std::time::Duration;

/// No time is known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Usage {}

impl Usage {
    pub(super) fn total(&self) -> Duration {
        match *self {}
    }

    pub(super) fn since(&self, _earlier: &Usage) -> Duration {
        match *self {}
    }

    pub(super) fn has_started_one(&self, _earlier: &Usage) -> bool {
        match *self {}
    }

    pub(super) fn is_running(&self) -> bool {
        match *self {}
    }
}
