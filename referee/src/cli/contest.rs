use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use super::contest_plan::{ContestPlan, GAMES, Output};
use super::plan::{Misuse, Seed};
use super::play::report;
use super::{complain, exit, keeper};
use crate::contest::{
    Audience, Check, Contest, ContestError, Finish, NotChecked, OpenRecord, Played, Summary, Terms,
    Verified, Verifier, fingerprint, quoted,
};
use crate::game::tell_apart;
use crate::record::{ContestConfig, ContestHeader, EntrantInRecord, SandboxOfGame, ships_of};
use crate::report::{
    Bundles, EventStream, Progress, match_summary, standings_csv, tournament_summary,
};
use bothost::Interrupt;
use league::schedule::{self, Format};
use league::statistics::bradley_terry::Anchor;

/// Plays a contest as planned; returns the exit code.
pub(super) fn run(plan: &ContestPlan, interrupt: &Arc<Interrupt>) -> anyhow::Result<u8> {
    if plan.lanes.too_many() {
        let count = plan.lanes.count();
        complain(&format!(
            "{count} games at once are more than this machine has cores: they take longer, and bots may lose by time"
        ));
    }
    let record = plan.out.as_deref().map(|path| OpenRecord::open(path, plan.resume));
    let record = record.transpose().map_err(Misuse::new)?;
    let there = record.as_ref().and_then(OpenRecord::there);
    let sandbox = match keeper::test_sandbox(&plan.launch) {
        Ok(sandbox) => sandbox,
        Err(weakness) => {
            complain(&weakness);
            return Ok(exit::NOT_STARTED);
        }
    };
    // What was not asked for is as it was before.
    let seed = match (plan.seed, there) {
        (None, Some(there)) => Seed { value: there.config.seed, drawn: false },
        (given, _) => Seed::given_or_drawn(given)?,
    };
    report(seed);
    let games = plan.games.or(there.map(|there| there.games)).unwrap_or(GAMES);
    let terms = match check(plan, seed.value, games, sandbox, interrupt)? {
        Ok(terms) => terms,
        Err(code) => return Ok(code),
    };
    let names: Vec<String> = terms.entrants.iter().map(|player| player.name.clone()).collect();
    let anchor = anchor(plan, &names)?;
    let mut progress = (!plan.quiet).then(|| Progress::new(names.clone()));
    let mut bundles = plan.bundle.as_deref().map(bundles).transpose()?;
    let mut events = (plan.output == Output::Events)
        .then(|| EventStream::new(BufWriter::new(io::stdout().lock()), names));
    let mut verifier = plan.verify.then(Verifier::new);
    let mut audience: Vec<&mut dyn Audience> = Vec::new();
    audience.extend(verifier.as_mut().map(|verifier| verifier as &mut dyn Audience));
    audience.extend(events.as_mut().map(|events| events as &mut dyn Audience));
    audience.extend(bundles.as_mut().map(|bundles| bundles as &mut dyn Audience));
    audience.extend(progress.as_mut().map(|progress| progress as &mut dyn Audience));
    let contest = Contest {
        terms: &terms,
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
    let played = contest.run(&mut audience).map_err(for_user)?;
    drop(audience);
    drop(progress);
    let mut summary = Summary::new(&terms.header, &played, plan.sprt.as_ref());
    if let Some(anchor) = anchor {
        summary = summary.with_places(&played, anchor)?;
    }
    match &mut events {
        Some(events) => events.finish(&summary)?,
        None => print(plan, &summary)?,
    }
    if let Some(count) = bundles.map(|bundles| bundles.count()).filter(|count| *count > 0) {
        let folder = plan.bundle.as_deref().unwrap_or(Path::new("")).display();
        complain(&format!("{count} bad games are in {folder}, each in a folder of its own"));
    }
    if played.finish == Finish::Interrupted {
        complain(&resume_advice(plan, seed.value, &played));
        return Ok(exit::INTERRUPTED);
    }
    match verifier {
        Some(verifier) => verify(verifier, &terms, plan),
        None => Ok(exit::DONE),
    }
}

/// Plays some series twice; returns the exit code.
fn verify(verifier: Verifier, terms: &Terms, plan: &ContestPlan) -> anyhow::Result<u8> {
    let Verified { games, differences } = verifier.play_again(terms, &plan.lanes)?;
    if differences.is_empty() {
        complain(&format!("{games} games were played twice: the same happened both times"));
        return Ok(exit::DONE);
    }
    let (many, shown) = (differences.len(), differences.iter().take(10));
    let shown: Vec<_> = shown.map(|difference| format!("\n  {difference}")).collect();
    complain(&format!(
        "{games} games were played twice, and {many} of them were different the second time; a bot that draws from \
         its seed alone plays the same game again:{}",
        shown.concat()
    ));
    Ok(exit::NOT_STARTED)
}

/// What the ratings are counted from, if there are any.
fn anchor(plan: &ContestPlan, names: &[String]) -> Result<Option<Anchor>, Misuse> {
    let Some(standings) = &plan.standings else { return Ok(None) };
    let Some(anchor) = &standings.anchor else { return Ok(Some(Anchor::Mean)) };
    anchor.among(names).map(Some).map_err(Misuse::new)
}

/// What is wrong with a file or a number that somebody named is for them to mend.
fn for_user(error: ContestError) -> anyhow::Error {
    let for_user = match &error {
        ContestError::Plan(_) | ContestError::FewerGames { .. } => true,
        ContestError::Record(error) => error.is_of_file(),
        ContestError::Io(_) => false,
    };
    if for_user { Misuse::new(error).into() } else { error.into() }
}

fn bundles(folder: &Path) -> Result<Bundles, Misuse> {
    Bundles::new(folder)
        .map_err(|error| Misuse::new(format!("--bundle {}: {error}", folder.display())))
}

/// Has every player show that it can play; then the terms of the contest are known. An exit code if one cannot.
fn check(
    plan: &ContestPlan,
    seed: u64,
    games: u32,
    sandbox: Option<SandboxOfGame>,
    interrupt: &Arc<Interrupt>,
) -> anyhow::Result<Result<Terms, u8>> {
    let check = Check {
        rules: &plan.rules,
        launch: &plan.launch,
        limit: plan.limit,
        start_limit: plan.start_limit,
        seed,
    };
    let checked = check.run(&plan.players, &plan.lanes, interrupt)?;
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
                return Ok(Err(exit::INTERRUPTED));
            }
        }
    }
    if failed {
        return Ok(Err(exit::NOT_STARTED));
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
        players.push(EntrantInRecord { name, command, program });
    }
    let config = config(plan, seed, games, players, sandbox.as_ref());
    let header = ContestHeader::new(config, games, plan.shard.map(|shard| shard.to_string()));
    let (rules, launch) = (plan.rules.clone(), plan.launch.clone());
    Ok(Ok(Terms { header, entrants, authors, rules, launch, sandbox }))
}

fn config(
    plan: &ContestPlan,
    seed: u64,
    games: u32,
    players: Vec<EntrantInRecord>,
    sandbox: Option<&SandboxOfGame>,
) -> ContestConfig {
    let milliseconds = |time: std::time::Duration| {
        u64::try_from(time.as_millis()).expect("a time limit is at most a year")
    };
    let (schedule, rounds, games) = match plan.format {
        Format::RoundRobin => ("round-robin", None, None),
        Format::Gauntlet => ("gauntlet", None, None),
        Format::Swiss { rounds } => ("swiss", Some(rounds), Some(games)),
        Format::Knockout => ("knockout", None, Some(games)),
    };
    let [rows, cols] = plan.rules.size();
    ContestConfig {
        schedule: schedule.to_owned(),
        rounds,
        games,
        series: plan.series,
        restart: plan.restart,
        seed,
        rules: plan.rules.ruleset().word().to_owned(),
        rows,
        cols,
        ships: ships_of(&plan.rules),
        max_turns: plan.max_turns,
        limit_ms: milliseconds(plan.limit),
        start_limit_ms: milliseconds(plan.start_limit),
        strict: plan.launch.strict,
        sandbox: sandbox.map(|sandbox| sandbox.level.clone()),
        max_faults: plan.max_faults,
        players,
    }
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

/// How to go on with a contest that was stopped: the command that was typed, and what it lacks.
fn resume_advice(plan: &ContestPlan, seed: u64, played: &Played) -> String {
    let done = format!("stopped after {} of {} games", played.tally.games, played.games);
    if plan.out.is_none() {
        return format!("{done}; without --out FILE there is nothing to go on with");
    }
    let mut words: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if plan.seed.is_none() {
        words.extend(["--seed".to_owned(), seed.to_string()]);
    }
    if !plan.resume {
        words.push("--resume".to_owned());
    }
    format!("{done}; this goes on:\n  {}", quoted(&words))
}
