//! Plays a match or a tournament as planned, and prints what it came to.

mod options;
mod plan;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use bothost::Interrupt;
use league::schedule::{self, Format};
use league::statistics::bradley_terry::Anchor;

use self::options::GAMES;
pub(super) use self::options::{ContestOptions, from_text};
pub(super) use self::plan::{ContestPlan, Output, Standings, players};
use super::commands::hidden;
use super::exit::{self, Failure};
use super::seed::Seed;
use super::{complain, listen};
use crate::contest::{
    Contest, ContestError, ContestSetup, Finish, NotChecked, OpenRecord, Preflight, Reporter,
    Summary, Verified, Verifier, fingerprint, quoted,
};
use crate::game::tell_apart;
use crate::record::{ContestConfig, ContestHeader, RecordedPlayer, SandboxOfGame};
use crate::report::{
    Bundles, EventStream, Progress, match_summary, standings_csv, tournament_summary,
};

/// Plays a contest as planned. `typed` is the whole command line, from which the advice how to continue is made.
pub(super) fn run(plan: &ContestPlan, typed: &[OsString]) -> Result<(), Failure> {
    let interrupt = &listen()?;
    plan.lanes.make_room().map_err(Failure::misuse)?;
    if plan.lanes.too_many() {
        let count = plan.lanes.count();
        complain(&format!(
            "{count} games at once are more than this machine has cores: they take longer, and bots may lose by time"
        ));
    }
    let record = plan.out.as_deref().map(|path| OpenRecord::open(path, plan.resume));
    // A record that cannot be opened is the wrong file to name.
    let record = record.transpose().map_err(Failure::misuse)?;
    let there = record.as_ref().and_then(OpenRecord::there);
    let sandbox = hidden::test_sandbox(&plan.terms, &plan.launch)?;
    // What was not asked for is as it was before.
    let seed = match (plan.seed, there) {
        (None, Some(there)) => Seed::given_or_drawn(Some(there.config.seed))?,
        (given, _) => Seed::given_or_drawn(given)?,
    };
    seed.report();
    let games = plan.games.or(there.map(|there| there.games)).unwrap_or(GAMES);
    let setup = set_up(plan, seed.value, games, sandbox, there, interrupt)?;
    let names: Vec<String> = setup.entrants.iter().map(|player| player.name.clone()).collect();
    let anchor = anchor(plan, &names)?;
    let mut progress = (!plan.quiet).then(|| Progress::new(names.clone()));
    let mut bundles = plan.bundle.as_deref().map(bundles).transpose()?;
    let mut events = (plan.output == Output::Events)
        .then(|| EventStream::new(BufWriter::new(io::stdout().lock()), names));
    let mut verifier = plan.verify.then(Verifier::new);
    let mut reporter: Vec<&mut dyn Reporter> = Vec::new();
    reporter.extend(verifier.as_mut().map(|verifier| verifier as &mut dyn Reporter));
    reporter.extend(events.as_mut().map(|events| events as &mut dyn Reporter));
    reporter.extend(bundles.as_mut().map(|bundles| bundles as &mut dyn Reporter));
    reporter.extend(progress.as_mut().map(|progress| progress as &mut dyn Reporter));
    let contest = Contest {
        setup: &setup,
        plan: schedule::Plan {
            format: plan.format,
            players: plan.players.len(),
            games,
            series: plan.series,
        },
        shard: plan.shard,
        lanes: &plan.lanes,
        record,
        sprt: plan.sprt,
        keeps_evidence: plan.bundle.is_some(),
        interrupt,
    };
    let played = contest.run(&mut reporter);
    drop(reporter);
    drop(progress);
    if let (Err(ContestError::Io(_)), Some(advice)) = (&played, resume_advice(plan, seed, typed)) {
        complain(&format!("the contest has to stop; what has been played is recorded; {advice}"));
    }
    let played = played?;
    let mut summary = Summary::new(&setup.header, &played, plan.sprt.as_ref());
    if let Some(anchor) = anchor {
        summary = summary.with_places(&played, anchor).map_err(anyhow::Error::from)?;
    }
    match &mut events {
        Some(events) => events.finish(&summary)?,
        None => print(plan, &summary)?,
    }
    if let Some(bundles) = bundles.filter(|bundles| bundles.count() > 0) {
        let folder = plan.bundle.as_deref().unwrap_or(Path::new("")).display();
        let (count, new) = (bundles.count(), bundles.new_ones());
        let games = if count == 1 { "1 bad game is" } else { &format!("{count} bad games are") };
        let earlier =
            if new < count { format!(", {new} of them from this run") } else { String::new() };
        complain(&format!("{games} in {folder}{earlier}; {folder}/index.txt lists them"));
    }
    if played.finish == Finish::Interrupted {
        let done = format!("stopped after {} of {} games", played.tally.games, played.games);
        let no_record = || "without --out FILE there is no record to continue".to_owned();
        let advice = resume_advice(plan, seed, typed).unwrap_or_else(no_record);
        complain(&format!("{done}; {advice}"));
        return Err(Failure::Said(exit::INTERRUPTED));
    }
    match verifier {
        Some(verifier) => verify(verifier, &setup, plan),
        None => Ok(()),
    }
}

/// Plays some series twice, and fails if a game was another one the second time.
fn verify(verifier: Verifier, setup: &ContestSetup, plan: &ContestPlan) -> Result<(), Failure> {
    let Verified { games, differences } = verifier.play_again(setup, &plan.lanes)?;
    if differences.is_empty() {
        complain(&format!("{games} games were played twice: the same happened both times"));
        return Ok(());
    }
    let (many, shown) = (differences.len(), differences.iter().take(10));
    let shown: Vec<_> = shown.map(|difference| format!("\n  {difference}")).collect();
    Err(Failure::NotStarted(format!(
        "{games} games were played twice, and {many} of them were different the second time; a bot that draws from \
         its seed alone plays the same game again:{}",
        shown.concat()
    )))
}

/// What the ratings are counted from, if there are any.
fn anchor(plan: &ContestPlan, names: &[String]) -> Result<Option<Anchor>, Failure> {
    let Some(standings) = &plan.standings else { return Ok(None) };
    let Some(anchor) = &standings.anchor else { return Ok(Some(Anchor::Mean)) };
    anchor.among(names).map(Some).map_err(Failure::misuse)
}

fn bundles(folder: &Path) -> Result<Bundles, Failure> {
    Bundles::new(folder)
        .map_err(|error| Failure::misuse(format!("--bundle {}: {error}", folder.display())))
}

/// Checks every player; then it is known what the contest is played under.
///
/// # Errors
/// If a player cannot play; all that cannot are named.
fn set_up(
    plan: &ContestPlan,
    seed: u64,
    games: u32,
    sandbox: Option<SandboxOfGame>,
    there: Option<&ContestHeader>,
    interrupt: &Arc<Interrupt>,
) -> Result<ContestSetup, Failure> {
    let preflight = Preflight { terms: &plan.terms, launch: &plan.launch, seed };
    let checked = preflight.run(&plan.players, &plan.lanes, interrupt)?;
    let mut names = Vec::new();
    let mut authors = Vec::new();
    let mut failed = false;
    for (player, checked) in plan.players.iter().zip(checked) {
        match checked {
            Ok(checked) => {
                names.push(checked.name);
                authors.push(checked.author);
            }
            Err(NotChecked::Failed(why)) => {
                complain(&format!("{} cannot play: {why}", player.name));
                failed = true;
            }
            Err(NotChecked::Interrupted) => {
                complain("interrupted before the first game");
                return Err(Failure::Said(exit::INTERRUPTED));
            }
        }
    }
    if failed {
        return Err(Failure::Said(exit::NOT_STARTED));
    }
    tell_apart(&mut names);
    let mut players = Vec::new();
    let mut entrants = plan.players.clone();
    for (entrant, name) in entrants.iter_mut().zip(names) {
        entrant.name.clone_from(&name);
        entrant.named = true;
        let command = entrant.program.command_line.clone();
        let program = fingerprint(&entrant.program)
            .with_context(|| format!("the program of {name} cannot be read"))?;
        players.push(RecordedPlayer { name, command, program });
    }
    let config = ContestConfig {
        schedule: plan.format,
        games: match plan.format {
            Format::RoundRobin | Format::Gauntlet => None,
            Format::Swiss { .. } | Format::Knockout => Some(games),
        },
        series: plan.series,
        restart: plan.restart,
        seed,
        terms: plan.terms.clone(),
        max_faults: plan.max_faults,
        players,
    };
    let shard = plan.shard.map(|shard| shard.to_string());
    let header = ContestHeader::new(config, games, shard, there);
    Ok(ContestSetup { header, entrants, authors, launch: plan.launch.clone(), sandbox })
}

fn print(plan: &ContestPlan, summary: &Summary) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match plan.output {
        Output::Json => {
            serde_json::to_writer(&mut out, summary)?;
            writeln!(out)
        }
        Output::Csv => out.write_all(&standings_csv(&summary.players)),
        Output::Text | Output::Events if plan.standings.is_some() => {
            out.write_all(tournament_summary(summary).as_bytes())
        }
        Output::Text | Output::Events => out.write_all(match_summary(summary).as_bytes()),
    }
}

/// Returns how to continue a contest that was stopped: the command that was typed, and what it lacks. `None` if there is
/// no record to continue.
fn resume_advice(plan: &ContestPlan, seed: Seed, typed: &[OsString]) -> Option<String> {
    plan.out.as_ref()?;
    let mut words: Vec<String> =
        typed.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    if plan.seed.is_none() {
        words.extend(["--seed".to_owned(), seed.value.to_string()]);
    }
    if !plan.resume {
        words.push("--resume".to_owned());
    }
    Some(format!("this continues:\n  {}", quoted(&words)))
}
