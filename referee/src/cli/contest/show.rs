//! The summary of a contest that others have played: it is read from the record, and nothing is started.

use std::path::Path;
use std::sync::Arc;

use bothost::Interrupt;
use league::schedule;
use league::statistics::bradley_terry::Anchor;

use super::{ContestPlan, anchor, print};
use crate::cli::exit::Failure;
use crate::cli::session::{Followed, ListenerPlan};
use engine::contest::{Checked, Contest, ContestSetup, Fixtures, OpenRecord, Summary};
use engine::record::RecordError;

/// Prints what the contest in the record at `out`, all of which has been played, came to.
pub(super) fn show(plan: &ContestPlan, out: &Path) -> Result<(), Failure> {
    let interrupt = &Arc::new(Interrupt::deaf()?);
    let record = OpenRecord::open(out, true, false)?;
    let header = record.there().cloned().ok_or_else(|| RecordError::NoHeader(out.to_owned()))?;
    let names: Vec<String> =
        header.config.players.iter().map(|player| player.name.clone()).collect();
    let anchor = anchor(plan, &names)?;
    let followed = Followed {
        names,
        lanes: 0,
        record: Some(out),
        played_in: None,
        anchor: anchor.unwrap_or(Anchor::Mean),
        lines: false,
        leaves: "",
    };
    // Of all that follows a contest only the page is for one that is over.
    let listeners = ListenerPlan {
        bundle: None,
        events: false,
        quiet: true,
        watch: None,
        ..plan.listeners.clone()
    };
    let mut session = listeners.open(&followed, interrupt)?;
    // Nothing is left to play, so what only games need is not there.
    let games = header.games;
    let n = header.config.players.len();
    let setup = ContestSetup {
        header,
        entrants: plan.players.clone(),
        profiles: vec![Checked::default(); n],
        unfit: vec![None; n],
        launch: plan.launch.clone(),
        sandbox: None,
        pair_seeds: None,
    };
    let contest = Contest {
        setup: &setup,
        fixtures: Fixtures::Schedule {
            plan: schedule::Plan { format: plan.format, players: n, games, series: plan.series },
            shard: None,
        },
        disqualifies: true,
        lanes: &plan.lanes,
        record: Some(record),
        sprt: None,
        keeps_evidence: false,
        interrupt,
        gallery: None,
    };
    let played = contest.run(&mut session)?;
    let mut summary = Summary::new(&setup.header, &played, None);
    if let Some(anchor) = anchor {
        summary = summary.with_places(&played, anchor).map_err(anyhow::Error::from)?;
    }
    session.close(false);
    session.publish(&summary, |summary| print(plan, summary))
}
