//! Plays a match or a tournament as planned, and prints its result.

mod plan;
mod session;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use battleship::game_reader::READERS;
use bothost::Interrupt;
use league::schedule::Format;
use league::statistics::bradley_terry::Anchor;

use self::plan::GAMES;
pub(crate) use self::plan::{ContestOptions, ContestPlan, Kind};
pub(crate) use self::session::Run;
use super::commands::sandbox::test_sandbox;
use super::exit::{self, Failure};
use super::seed::Seed;
use super::{World, listen, note, print_json, typed_name};
use arena::command::{PrintedCommand, resuming_command};
use arena::contest::{
    Contest, ContestError, ContestSetup, Enrolment, LaneListeners, Lanes, NotEnrolled, OpenRecord,
    Verified, Verifier,
};
use serde_json::Value;

use arena::record::ContestConfig;
use arena::result::{ContestResult, Finish, JudgeFailure, Summary};
use arena::system::quoted;
use arena::words::counted;
use pages::{Width, match_summary, standings_csv, tournament_summary};

/// A player that spoils more than this share of its games is disqualified, if no option says
/// otherwise.
const MAX_FAULTS: f64 = 0.2;

/// The most failed players for which a check is printed.
const MOST_CHECKS: usize = 3;

/// The most differences between games played twice that are printed.
const DIFFERENCES: usize = 10;

/// Plays a contest as planned.
pub(super) fn run(plan: &ContestPlan, world: &World) -> Result<(), Failure> {
    let options = &plan.options;
    let interrupt = &listen()?;
    prepare(&plan.lanes)?;
    let record = match &options.out {
        // A record that cannot be opened is the wrong file to name.
        Some(path) => Some(
            OpenRecord::open(path, options.resume, options.force, READERS)
                .map_err(Failure::misuse)?,
        ),
        None => None,
    };
    if let (Some(path), Some(record)) = (&options.out, &record)
        && !record.is_locked()
    {
        note(&format!(
            "{}: this file system has no locks, so nothing keeps another referee from writing the same file",
            path.display()
        ));
    }
    let recorded = record.as_ref().and_then(OpenRecord::recorded);
    if let (Some(header), None) = (recorded, &plan.chosen.judge)
        && let Some(command) = header.config.game.get("judge").and_then(Value::as_str)
    {
        // Before the players are started: they would be said not to play Battleship.
        let judge = quoted(&["--judge".to_owned(), command.to_owned()]);
        let what = format!("the record is of a game that a judge knows; continue it with {judge}");
        return Err(Failure::misuse(what));
    }
    plan.chosen.try_out(interrupt)?;
    let sandbox = test_sandbox(&plan.terms, &plan.launch)?;
    // Settings that were not given stay as they were before.
    let seed = options.seed.or(recorded.map(|header| header.config.seed));
    let seed = Seed::given_or_drawn(seed)?;
    seed.report();
    let recorded_games = recorded.map(|header| header.games);
    let games = options.games.or(recorded_games).unwrap_or(GAMES);
    let max_faults = match (plan.kind.max_faults, recorded) {
        _ if plan.kind.is_match => None,
        (Some(share), _) => Some(share).filter(|share| *share < 1.0),
        (None, Some(header)) => header.config.max_faults,
        (None, None) => Some(MAX_FAULTS),
    };
    let game = &plan.chosen.game;
    let enrolment = Enrolment {
        game,
        config: ContestConfig {
            schedule: plan.schedule.format,
            games: match plan.schedule.format {
                Format::RoundRobin | Format::Gauntlet => None,
                Format::Swiss { .. } | Format::Knockout => Some(games),
            },
            series: plan.schedule.series,
            restart: options.restart,
            seed: seed.value,
            terms: plan.terms.clone(),
            game: game.settings(),
            max_faults,
            players: Vec::new(),
        },
        games,
        shard: options.shard,
        players: &plan.players,
        needs_all: plan.kind.is_match,
        launch: &plan.launch,
        sandbox,
        own_files: &plan.own_files,
        is_recorded: options.out.is_some(),
        continued: recorded,
        judge: plan.chosen.judge.as_ref(),
        note,
    };
    let enrolled = enrolment.run(&plan.lanes, interrupt, &mut |what| note(what));
    if matches!(enrolled, Err(NotEnrolled::TooFew(_))) {
        typed_name::note_once();
    }
    let mut setup = enrolled?;
    let sprt = plan.kind.sprt.as_ref().map(ToString::to_string);
    match recorded {
        Some(recorded) => note_other_test(recorded.sprt.as_deref(), sprt.as_deref()),
        None => setup.header.sprt = sprt,
    }
    let advice = record.as_ref().map(|_| with_resume(&world.typed, seed));
    play(plan, &setup, record, advice.as_deref(), interrupt)
}

/// Notes that a contest is continued under another sequential test than the one it began with.
fn note_other_test(recorded: Option<&str>, requested: Option<&str>) {
    if let Some(requested) = requested
        && recorded != Some(requested)
    {
        let began = match recorded {
            Some(recorded) => format!("with --sprt {recorded}"),
            None => "without --sprt".to_owned(),
        };
        note(&format!(
            "the contest began {began}; the error rates of --sprt {requested} hold for bounds that are chosen before the first game"
        ));
    }
}

/// Plays the series that `record` lacks, and prints the result of the contest. `advice` tells how
/// to continue it, if there is a record to continue.
fn play(
    plan: &ContestPlan,
    setup: &ContestSetup,
    record: Option<OpenRecord>,
    advice: Option<&str>,
    interrupt: &Arc<Interrupt>,
) -> Result<(), Failure> {
    let players = &setup.header.config.players;
    let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
    let anchor = match &plan.kind.anchor {
        Some(anchor) => anchor.among(&names).map_err(Failure::misuse)?,
        None => Anchor::Mean,
    };
    let out = plan.options.out.as_deref();
    let leaves = match out {
        Some(path) => format!("--resume continues what is in {}.", path.display()),
        None => "There is no record (--out FILE) to continue from.".to_owned(),
    };
    let run = Run {
        names,
        rules: plan.chosen.rules.as_ref(),
        record: out,
        anchor,
        prints_lines: true,
        leaves: &leaves,
    };
    let mut session = plan
        .options
        .follow
        .open(&run, plan.options.force, interrupt)?;
    if plan.kind.verify {
        session.verifier = Some(Verifier::new());
    }
    let watched = session.watched();
    let contest = Contest {
        setup,
        lanes: &plan.lanes,
        record,
        sprt: plan.kind.sprt,
        interrupt,
        breaks_off: None,
        watched: watched
            .as_deref()
            .map(|contest| contest as &dyn LaneListeners),
    };
    let played = contest.run(&mut session);
    let finish = played.as_ref().map(|played| &played.finish);
    session.close(matches!(finish, Ok(Finish::Decided(_))));
    if let (Err(ContestError::Io(_)), Some(advice)) = (&played, advice) {
        note(&format!(
            "stopping the contest; all finished series are recorded; {advice}"
        ));
    }
    let played = played?;
    let mut summary = Summary::new(
        &setup.header,
        &*setup.game,
        &played,
        plan.kind.sprt.as_ref(),
    );
    if !plan.kind.is_match {
        summary = summary.with_places(&played, anchor);
    }
    let verifier = session.verifier.take();
    session.publish(&summary, |summary| print(plan, summary))?;
    if played.finish == Finish::Interrupted {
        let done = format!(
            "stopped after {} of {} games",
            played.tally.games, played.games
        );
        let advice = advice.unwrap_or("without --out FILE there is no record to continue");
        note(&format!("{done}; {advice}"));
        typed_name::note_once();
        return Err(Failure::Reported(exit::INTERRUPTED));
    }
    note_failed_players(plan, setup, &played);
    if let Some(verifier) = verifier {
        verify(verifier, setup, plan)?;
    }
    match played.counted.judge_failures() {
        Some((count, first)) => Err(Failure::NotStarted(judge_failed(
            plan, &played, count, first,
        ))),
        None => Ok(()),
    }
}

/// Notes how to check the players that failed in games.
fn note_failed_players(plan: &ContestPlan, setup: &ContestSetup, played: &ContestResult) {
    let failed = setup
        .entrants
        .iter()
        .zip(&played.tally.players)
        .filter(|(entrant, tally)| !entrant.shipped && tally.n_faults() > 0);
    for (entrant, tally) in failed.clone().take(MOST_CHECKS) {
        let check = PrintedCommand::check(entrant, &plan.terms, &*plan.chosen.game);
        note(&format!(
            "{} failed in {} of {}; {check} says more",
            entrant.name,
            tally.n_faults(),
            counted(tally.games, "game")
        ));
        typed_name::note_once();
    }
    if let Some(more) = failed.count().checked_sub(MOST_CHECKS + 1) {
        let players = counted(more as u64 + 1, "more player");
        note(&format!("{players} failed in games"));
    }
}

/// Returns the failure of a contest in which the judge failed in `count` games, `first` before all
/// others.
fn judge_failed(
    plan: &ContestPlan,
    played: &ContestResult,
    count: u64,
    first: &JudgeFailure,
) -> String {
    let JudgeFailure { name, reason, .. } = first;
    let games = counted(played.tally.games, "game");
    let check = PrintedCommand::check_judge(&*plan.chosen.game);
    let replay = match plan.options.out.as_deref().and_then(Path::to_str) {
        Some(record) => {
            let replay = PrintedCommand::new(["replay", record, "--game", name]);
            format!("; {replay} shows that game")
        }
        None => String::new(),
    };
    format!(
        "the judge failed in {count} of {games}, which count for nobody. The first is {name}: {reason}{replay}; {check} may \
         name the cause"
    )
}

/// Raises the limit of open files to what all lanes need, and warns of more lanes than cores.
pub(super) fn prepare(lanes: &Lanes) -> Result<(), Failure> {
    lanes.ensure_capacity().map_err(Failure::misuse)?;
    if lanes.too_many() {
        let count = lanes.count();
        note(&format!(
            "{count} games at once are more than this machine has cores: they take longer, and bots may lose by time"
        ));
    }
    Ok(())
}

/// Plays some series twice, and fails if a game was another one the second time.
fn verify(verifier: Verifier, setup: &ContestSetup, plan: &ContestPlan) -> Result<(), Failure> {
    let Verified { games, differences } = verifier.play_again(setup, &plan.lanes)?;
    if differences.is_empty() {
        note(&format!(
            "{games} games were played twice: the same happened both times"
        ));
        return Ok(());
    }
    let mut message = format!(
        "{games} games were played twice, and {} of them were different the second time; a bot that draws from its seed \
         alone plays the same game again:",
        differences.len()
    );
    for difference in differences.iter().take(DIFFERENCES) {
        message.push_str("\n  ");
        message.push_str(difference);
    }
    Err(Failure::NotStarted(message))
}

fn print(plan: &ContestPlan, summary: &Summary) -> io::Result<()> {
    if plan.options.json {
        return print_json(summary);
    }
    let text = if plan.kind.csv {
        standings_csv(&summary.players)
    } else if plan.kind.is_match {
        match_summary(summary, Width::of_output()).into_bytes()
    } else {
        tournament_summary(summary, Width::of_output()).into_bytes()
    };
    io::stdout().lock().write_all(&text)
}

/// Returns the advice to type the command that continues the record, with the seed that was drawn.
pub(super) fn with_resume(typed: &[OsString], seed: Seed) -> String {
    let words: Vec<String> = typed
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let drawn = seed
        .drawn
        .then(|| ["--seed".to_owned(), seed.value.to_string()]);
    let added = drawn.into_iter().flatten().collect::<Vec<_>>();
    format!("this continues:\n  {}", resuming_command(&words, &added))
}
