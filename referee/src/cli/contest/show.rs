//! The summary of a contest that others have played: it is read from the record, and nothing is started.

use std::path::Path;
use std::sync::Arc;

use battleship::game_reader::READERS;
use bothost::Interrupt;

use super::{ContestPlan, play};
use crate::cli::exit::Failure;
use arena::contest::{Checked, ContestSetup, OpenRecord};
use arena::record::RecordError;

/// Prints what the contest in the record at `out`, all of which has been played, came to.
pub(super) fn show(mut plan: ContestPlan, out: &Path) -> Result<(), Failure> {
    // Of all that follows a contest only the page is for one that is over.
    plan.listeners.quiet = true;
    let record = OpenRecord::open(out, true, false, READERS)?;
    let header = record
        .recorded()
        .cloned()
        .ok_or_else(|| RecordError::NoHeader(out.to_owned()))?;
    // Nothing is left to play, so what only games need is not there.
    let n = header.config.players.len();
    let setup = ContestSetup {
        header,
        game: Arc::new(plan.rules.clone()),
        entrants: plan.players.clone(),
        profiles: vec![Checked::default(); n],
        unfit: vec![None; n],
        starter: Arc::new(plan.launch.clone()),
        sandbox: None,
        pair_seeds: None,
    };
    play(
        &plan,
        &setup,
        Some(record),
        None,
        &Arc::new(Interrupt::never()?),
    )
}
