//! The summary of a contest that others have played: it is read from the record, and nothing is started.

use std::path::Path;

use bothost::Interrupt;
use league::schedule;
use league::statistics::bradley_terry::Anchor;

use super::{ContestPlan, anchor, print};
use crate::cli::complain;
use crate::cli::exit::Failure;
use crate::contest::{Checked, Contest, ContestSetup, OpenRecord, Reporter, Summary};
use crate::record::RecordError;
use crate::report::LivePage;

/// Prints what the contest in the record at `out`, all of which has been played, came to.
pub(super) fn show(plan: &ContestPlan, out: &Path) -> Result<(), Failure> {
    let interrupt = &Interrupt::deaf()?;
    let record = OpenRecord::open(out, true, false)?;
    let header = record.there().cloned().ok_or_else(|| RecordError::NoHeader(out.to_owned()))?;
    let names: Vec<String> =
        header.config.players.iter().map(|player| player.name.clone()).collect();
    let anchor = anchor(plan, &names)?;
    let page = plan.report.as_deref().map(|path| {
        let anchor = anchor.unwrap_or(Anchor::Mean);
        LivePage::new(path, plan.force, Some(out), anchor, complain).map_err(Failure::misuse)
    });
    let mut page = page.transpose()?;
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
    };
    let contest = Contest {
        setup: &setup,
        plan: schedule::Plan { format: plan.format, players: n, games, series: plan.series },
        shard: None,
        disqualifies: true,
        lanes: &plan.lanes,
        record: Some(record),
        sprt: None,
        keeps_evidence: false,
        interrupt,
        gallery: None,
    };
    let mut reporters: Vec<&mut dyn Reporter> = Vec::new();
    reporters.extend(page.as_mut().map(|page| page as &mut dyn Reporter));
    let played = contest.run(&mut reporters)?;
    drop(reporters);
    let mut summary = Summary::new(&setup.header, &played, None);
    if let Some(anchor) = anchor {
        summary = summary.with_places(&played, anchor).map_err(anyhow::Error::from)?;
    }
    print(plan, &summary)?;
    page.map_or(Ok(()), |page| page.finish(false)).map_err(anyhow::Error::from)?;
    Ok(())
}
