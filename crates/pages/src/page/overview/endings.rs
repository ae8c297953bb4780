//! The ways in which games ended.

use std::collections::BTreeMap;

use super::super::axis::short;
use arena::game::EndedBy;
use arena::words::{percent, reason_in_words};
use league::statistics::to_f64;

/// The length of the longest bar, in units of the drawing.
const BAR: f64 = 300.0;

/// The games by the reasons of their ends.
#[derive(Debug)]
pub(in super::super) struct Endings {
    pub(in super::super) rows: Vec<EndingRow>,
}

/// A reason.
#[derive(Debug)]
pub(in super::super) struct EndingRow {
    pub(in super::super) word: &'static str,
    pub(in super::super) text: &'static str,
    pub(in super::super) games: u64,
    pub(in super::super) share: String,
    pub(in super::super) width: String,
    pub(in super::super) is_fault: bool,
}

impl Endings {
    /// Returns the commonest reason first; `None` without games.
    pub(super) fn new(endings: &BTreeMap<EndedBy, u64>) -> Option<Endings> {
        let all = endings.values().sum::<u64>();
        let most = endings.values().max().copied()?;
        let mut rows: Vec<EndingRow> = endings
            .iter()
            .map(|(reason, games)| EndingRow {
                word: reason.word(),
                text: reason_in_words(*reason),
                games: *games,
                share: percent(to_f64(*games) / to_f64(all)),
                width: short((BAR * to_f64(*games) / to_f64(most)).max(1.0)),
                is_fault: reason.is_fault(),
            })
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.games));
        Some(Endings { rows })
    }
}
