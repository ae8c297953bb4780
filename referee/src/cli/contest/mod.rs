//! Plays a match or a tournament as planned, and prints what it came to.

mod options;
mod plan;
mod show;
mod words;

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;

use battleship::game_reader::READERS;
use bothost::Interrupt;
use league::schedule::{self, Format};
use league::statistics::bradley_terry::Anchor;

use self::options::GAMES;
pub(super) use self::options::{ContestOptions, from_text, jobs};
use self::plan::IfThere;
pub(super) use self::plan::{ContestPlan, FaultBound, Output, StandingsOptions, players};
pub use self::words::ContestWords;
pub(super) use self::words::refuse_on;
use super::commands::sandbox_test::test_sandbox;
use super::exit::{self, Failure};
use super::seed::Seed;
use super::session::Followed;
use super::{complain, listen, print_json};
use arena::contest::{
    Checked, Contest, ContestError, ContestListener, ContestSetup, Fixtures, LaneListeners, Lanes,
    NotChecked, OpenRecord, Preflight, Verified, Verifier,
};
use arena::game::{Entrant, Game as _, are_same, tell_apart};
use arena::record::{
    ContestConfig, ContestHeader, ListedPlayer, SandboxOfGame, identify, in_milliseconds,
};
use arena::result::{FAILED_CHECK, Finish, Summary};
use arena::system::quoted;
use pages::{Width, match_summary, standings_csv, tournament_summary};

/// Plays a contest as planned. `typed` is the whole command line, from which the advice how to continue is made.
pub(super) fn run(plan: &ContestPlan, typed: &[OsString]) -> Result<(), Failure> {
    let interrupt = &listen()?;
    prepare(&plan.lanes)?;
    let record = plan.out.as_deref().map(|path| {
        let replaces = plan.if_there == IfThere::Replace;
        OpenRecord::open(path, plan.resumes(), replaces, READERS)
    });
    // A record that cannot be opened is the wrong file to name.
    let record = record.transpose().map_err(Failure::misuse)?;
    let recorded = record.as_ref().and_then(OpenRecord::recorded);
    let sandbox = test_sandbox(&plan.terms, &plan.launch)?;
    // Settings that were not given stay as they were before.
    let seed = plan.seed.or(recorded.map(|header| header.config.seed));
    let seed = Seed::given_or_drawn(seed)?;
    seed.report();
    let games = plan
        .games
        .or(recorded.map(|header| header.games))
        .unwrap_or(GAMES);
    let setup = set_up(plan, seed.value, games, sandbox, recorded, interrupt)?;
    let advice = resume_advice(plan, seed, typed);
    play(plan, &setup, record, advice.as_deref(), interrupt)
}

/// Plays what `record` lacks of a contest, followed by all that was asked for, and prints what it came to. `advice` says how to
/// continue it, if there is a record to continue.
fn play(
    plan: &ContestPlan,
    setup: &ContestSetup,
    record: Option<OpenRecord>,
    advice: Option<&str>,
    interrupt: &Arc<Interrupt>,
) -> Result<(), Failure> {
    let names: Vec<String> = setup
        .header
        .config
        .players
        .iter()
        .map(|player| player.name.clone())
        .collect();
    let (players, games) = (names.len(), setup.header.games);
    let anchor = anchor(plan, &names)?;
    let leaves = match &plan.out {
        Some(path) => format!("--resume continues what is in {}.", path.display()),
        None => "There is no record (--out FILE) to continue from.".to_owned(),
    };
    let followed = Followed {
        names,
        lanes: plan.lanes.count(),
        rules: &plan.rules,
        record: plan.out.as_deref(),
        anchor: anchor.unwrap_or(Anchor::Mean),
        lines: true,
        leaves: &leaves,
    };
    let mut session = plan.listeners.open(&followed, interrupt)?;
    let gallery = session.gallery();
    let mut verifier = plan.verify.then(Verifier::new);
    let mut listener: Vec<&mut ContestListener<'_>> = Vec::new();
    listener.extend(
        verifier
            .as_mut()
            .map(|verifier| verifier as &mut ContestListener<'_>),
    );
    listener.push(&mut session);
    let contest = Contest {
        setup,
        fixtures: Fixtures::Schedule {
            plan: schedule::Plan {
                format: plan.format,
                players,
                games,
                series: plan.series,
            },
            shard: plan.shard,
        },
        // A shard knows a part of a player's games. One run would judge by all of them, and so does the merge.
        disqualifies: plan.shard.is_none(),
        lanes: &plan.lanes,
        record,
        sprt: plan.sprt,
        interrupt,
        breaks_off: None,
        watched: gallery
            .as_deref()
            .map(|gallery| gallery as &dyn LaneListeners),
    };
    let played = contest.run(&mut listener);
    drop(listener);
    let is_decided = played
        .as_ref()
        .is_ok_and(|played| matches!(played.finish, Finish::Decided(_)));
    session.close(is_decided);
    if let (Err(ContestError::Io(_)), Some(advice)) = (&played, advice) {
        complain(&format!(
            "stopping the contest; all finished series are recorded; {advice}"
        ));
    }
    let played = played?;
    let mut summary = Summary::new(&setup.header, &*setup.game, &played, plan.sprt.as_ref());
    if let Some(anchor) = anchor {
        summary = summary.with_places(&played, anchor);
    }
    session.publish(&summary, |summary| print(plan, summary))?;
    if played.finish == Finish::Interrupted {
        let done = format!(
            "stopped after {} of {} games",
            played.tally.games, played.games
        );
        let advice = advice.unwrap_or("without --out FILE there is no record to continue");
        complain(&format!("{done}; {advice}"));
        return Err(Failure::Said(exit::INTERRUPTED));
    }
    match verifier {
        Some(verifier) => verify(verifier, setup, plan),
        None => Ok(()),
    }
}

/// Makes room for the files of all lanes, and warns if there are more lanes than cores.
pub(super) fn prepare(lanes: &Lanes) -> Result<(), Failure> {
    lanes.make_room().map_err(Failure::misuse)?;
    if lanes.too_many() {
        let count = lanes.count();
        complain(&format!(
            "{count} games at once are more than this machine has cores: they take longer, and bots may lose by time"
        ));
    }
    Ok(())
}

/// Plays some series twice, and fails if a game was another one the second time.
fn verify(verifier: Verifier, setup: &ContestSetup, plan: &ContestPlan) -> Result<(), Failure> {
    let Verified { games, differences } = verifier.play_again(setup, &plan.lanes)?;
    if differences.is_empty() {
        complain(&format!(
            "{games} games were played twice: the same happened both times"
        ));
        return Ok(());
    }
    let (many, shown) = (differences.len(), differences.iter().take(10));
    let shown: Vec<_> = shown
        .map(|difference| format!("\n  {difference}"))
        .collect();
    Err(Failure::NotStarted(format!(
        "{games} games were played twice, and {many} of them were different the second time; a bot that draws from \
         its seed alone plays the same game again:{}",
        shown.concat()
    )))
}

/// Returns the reference of the ratings, if there are any.
fn anchor(plan: &ContestPlan, names: &[String]) -> Result<Option<Anchor>, Failure> {
    let Some(standings) = &plan.standings else {
        return Ok(None);
    };
    let Some(anchor) = &standings.anchor else {
        return Ok(Some(Anchor::Mean));
    };
    anchor.among(names).map(Some).map_err(Failure::misuse)
}

/// Checks every player; then it is known what the contest is played under.
///
/// # Errors
/// If a player of a match cannot play, or all but one of a tournament; all that cannot are named.
fn set_up(
    plan: &ContestPlan,
    seed: u64,
    games: u32,
    sandbox: Option<SandboxOfGame>,
    there: Option<&ContestHeader>,
    interrupt: &Arc<Interrupt>,
) -> Result<ContestSetup, Failure> {
    let preflight = Preflight {
        game: &plan.rules,
        terms: &plan.terms,
        launch: &plan.launch,
        seed,
    };
    let checked = preflight.run(&plan.players, &plan.lanes, interrupt)?;
    let mut entrants = plan.players.clone();
    tell_apart(&mut entrants);
    let mut profiles = Vec::new();
    let mut unfit = Vec::new();
    for (player, checked) in entrants.iter().zip(checked) {
        let (profile, why) = match checked {
            Ok(checked) => (checked, None),
            Err(NotChecked::Failed(why)) => {
                complain(&format!("{} cannot play: {why}", player.name));
                (Checked::default(), Some(why))
            }
            Err(NotChecked::Interrupted) => {
                complain("interrupted before the first game");
                return Err(Failure::Said(exit::INTERRUPTED));
            }
        };
        profiles.push(profile);
        unfit.push(why);
    }
    check_unfit(plan, &unfit, there)?;
    let players = recorded_players(plan, &entrants, &mut unfit, there);
    drop_names_of_others(&entrants, &mut profiles);
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
        game: plan.rules.settings(),
        max_faults: match plan.max_faults {
            FaultBound::Usual(bound) => there.map_or(bound, |there| there.config.max_faults),
            FaultBound::Typed(bound) => bound,
        },
        players,
    };
    let shard = plan.shard.map(|shard| shard.to_string());
    let header = ContestHeader::new(config, games, shard);
    let header = match there {
        Some(there) => header.after(there),
        None => header,
    };
    Ok(ContestSetup {
        header,
        game: Arc::new(plan.rules.clone()),
        entrants,
        profiles,
        unfit,
        starter: Arc::new(plan.launch.clone()),
        sandbox,
        pair_seeds: None,
    })
}

/// Checks whether enough players can play. `unfit` has for each why it cannot.
///
/// # Errors
/// If nothing is to be played.
fn check_unfit(
    plan: &ContestPlan,
    unfit: &[Option<String>],
    there: Option<&ContestHeader>,
) -> Result<(), Failure> {
    // One bad player of thirty must not keep the others from playing. A match needs both.
    let fit = unfit.iter().filter(|why| why.is_none()).count();
    // Every game of a gauntlet needs its first player. Shards that judged a player differently would be different contests.
    let is_needed = match plan.format {
        Format::Gauntlet => unfit[0].is_some(),
        Format::RoundRobin | Format::Swiss { .. } | Format::Knockout => false,
    };
    let may_continue = plan.standings.is_some() && plan.shard.is_none();
    let recorded = there.map_or(&[][..], |there| &there.config.players);
    let could_play = |index: usize| {
        recorded
            .get(index)
            .is_some_and(|player| !player.cannot_play)
    };
    if (0..unfit.len()).any(|index| unfit[index].is_some() && could_play(index)) {
        // Its games would be lost one after the other, and those that it has played sound would no longer count.
        complain(
            "it could play when the contest began; fix the bot and run the same command again",
        );
        return Err(Failure::Said(exit::NOT_STARTED));
    }
    // A player that is added has to be able to play.
    if there.is_some() && unfit.iter().skip(recorded.len()).any(Option::is_some) {
        complain("nothing was played");
        return Err(Failure::Said(exit::NOT_STARTED));
    }
    if there.is_none() && fit < unfit.len() && (!may_continue || fit < 2 || is_needed) {
        complain("nothing was played");
        return Err(Failure::Said(exit::NOT_STARTED));
    }
    Ok(())
}

/// Returns the players as the header has them, and brings `unfit` up to what the record `there` says.
fn recorded_players(
    plan: &ContestPlan,
    entrants: &[Entrant],
    unfit: &mut [Option<String>],
    there: Option<&ContestHeader>,
) -> Vec<ListedPlayer> {
    let recorded = there.map_or(&[][..], |there| &there.config.players);
    let mut players = Vec::new();
    let mut partial = Vec::new();
    let programs: Vec<_> = plan.players.iter().map(|player| &player.program).collect();
    let identities = identify(&programs, &plan.own_files);
    for ((index, entrant), identity) in entrants.iter().enumerate().zip(identities) {
        let command = entrant.program.command_line.clone();
        // A contest that continues has the players that it began with: those who could not play then are in no series.
        let before = recorded
            .get(index)
            .filter(|before| before.command == command);
        let cannot_play = match there {
            Some(_) => before.is_some_and(|before| before.cannot_play),
            None => unfit[index].is_some(),
        };
        if !cannot_play {
            unfit[index] = None;
        } else if unfit[index].is_none() {
            unfit[index] = Some(FAILED_CHECK.to_owned());
        }
        let name = entrant.name.clone();
        if identity.is_partial {
            partial.push(name.clone());
        }
        players.push(ListedPlayer {
            program: identity.digest,
            cannot_play,
            files: identity.files,
            dir: entrant.dir.clone(),
            limit_ms: entrant.limits.limit.map(in_milliseconds),
            start_limit_ms: entrant.limits.start_limit.map(in_milliseconds),
            ..ListedPlayer::called(name, command)
        });
    }
    if let (Some(first), true) = (partial.first(), plan.out.is_some()) {
        complain(&format!(
            "{}: what the command starts is not watched as a whole, so --resume may not notice a change; name a folder of \
             its own, as in {first}@DIR=COMMAND",
            partial.join(", ")
        ));
    }
    players
}

/// Forgets what players call themselves if another player is called so.
fn drop_names_of_others(entrants: &[Entrant], profiles: &mut [Checked]) {
    for (index, (entrant, profile)) in entrants.iter().zip(profiles).enumerate() {
        let Some(own) = &profile.own_name else {
            continue;
        };
        let is_other =
            |(place, other): (usize, &Entrant)| place != index && are_same(&other.name, own);
        if entrants.iter().enumerate().any(is_other) {
            let name = &entrant.name;
            complain(&format!(
                "{name} calls itself {own}, which is another player's name"
            ));
            profile.own_name = None;
        }
    }
}

fn print(plan: &ContestPlan, summary: &Summary) -> io::Result<()> {
    let width = Width::of_output();
    let mut out = io::stdout().lock();
    match plan.output {
        Output::Json => print_json(summary),
        Output::Csv => out.write_all(&standings_csv(&summary.players)),
        Output::Text if plan.standings.is_some() => {
            out.write_all(tournament_summary(summary, width).as_bytes())
        }
        Output::Text => out.write_all(match_summary(summary, width).as_bytes()),
    }
}

/// Returns how to continue a contest that was stopped: the command that was typed, and what it lacks. `None` if there is
/// no record to continue.
fn resume_advice(plan: &ContestPlan, seed: Seed, typed: &[OsString]) -> Option<String> {
    plan.out.as_ref()?;
    Some(with_resume(typed, seed, plan.resumes()))
}

/// Returns the advice to type the command again with what it lacks: the seed that was drawn, and `--resume` unless it `resumes`.
pub(super) fn with_resume(typed: &[OsString], seed: Seed, resumes: bool) -> String {
    let mut words: Vec<String> = typed
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if seed.drawn {
        words.extend(["--seed".to_owned(), seed.value.to_string()]);
    }
    if !resumes {
        words.push("--resume".to_owned());
    }
    format!("this continues:\n  {}", quoted(&words))
}
