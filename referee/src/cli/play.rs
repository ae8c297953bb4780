use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use super::plan::{Misuse, PlayPlan, Seed};
use super::{complain, complain_behind_prompt, exit, keeper};
use crate::game::{EndedBy, Ending, Event, Listener, Match, Over, Seated, seeds_of_game};
use crate::record::{self, Dialogue, GameRecord, Recorder, append_line, original_log};
use crate::report::{Keyboard, Transcript};
use bothost::{Interrupt, Side, Wiretap};

/// Plays one game as planned; returns the exit code.
pub(super) fn run(plan: &PlayPlan, interrupt: &Arc<Interrupt>) -> anyhow::Result<u8> {
    let sandbox = match keeper::test_sandbox(&plan.launch) {
        Ok(sandbox) => sandbox,
        Err(weakness) => {
            complain(&weakness);
            return Ok(exit::NOT_STARTED);
        }
    };
    let wiretap = open_files(plan)?;
    report(plan.seed);
    let seeds = seeds_of_game(plan.seed.value, plan.first);
    let mut names = plan.names();
    let mut authors = [None, None];
    let seated = match Seated::start(
        &plan.players,
        &plan.launch,
        plan.rules.ruleset(),
        plan.start_limit,
        interrupt,
        wiretap,
    ) {
        Ok(seated) => {
            names.clone_from(&seated.names);
            authors.clone_from(&seated.authors);
            Ok(seated)
        }
        Err(Over::Ended(ending)) => Err(ending),
        Err(Over::Failed(error)) => return Err(error.into()),
    };

    let record = GameRecord { sandbox, ..new_record(plan, seeds, &names, &authors) };
    let mut recorder = Recorder::new(record);
    let human = plan.players.each_ref().map(|player| player.human);
    let pause = plan.pause.then(|| Keyboard::new(interrupt.clone()));
    let out = BufWriter::new(io::stdout().lock());
    let wanted = plan.record.is_some() || plan.transcript.is_some() || human != [false; 2];
    let mut transcript = Transcript::new(out, names.clone(), human, pause).play_on_unread(wanted);
    let mut listeners: Vec<&mut dyn Listener> = vec![&mut recorder];
    if !plan.json {
        listeners.push(&mut transcript);
    }
    let (ending, seated) = match seated {
        Ok(mut seated) => {
            let (rules, max_turns) = (plan.rules.clone(), plan.max_turns);
            let game = Match { rules, seeds, limits: plan.limits, max_turns };
            (seated.play(&game, plan.first, &mut listeners)?, Some(seated))
        }
        Err(ending) => {
            let event = Event::Ended { ending: &ending, boards: None };
            // Nobody waits for anything here, so nobody is interrupted.
            let _ = listeners.hear(&event);
            (ending, None)
        }
    };
    drop(transcript);
    if let Some(seated) = &seated {
        recorder.add_warnings(seated.warnings());
    }
    let published = publish(plan, &ending, recorder.record());
    if let Some(seated) = seated {
        seated.end(&ending)?;
    }
    published?;
    Ok(exit_code(&ending))
}

/// Opens the files that the game is written to: one that cannot be written is to be known before the game.
fn open_files(plan: &PlayPlan) -> anyhow::Result<Option<Box<dyn Wiretap>>> {
    let unusable = |option: &str, path: &Path, error: io::Error| {
        Misuse::new(format!("{option} {}: {error}", path.display()))
    };
    if let Some(path) = &plan.record {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.map_err(|error| unusable("--record", path, error))?;
    }
    if let Some(path) = &plan.log {
        File::create(path).map_err(|error| unusable("--log", path, error))?;
    }
    let Some(path) = &plan.transcript else { return Ok(None) };
    let file = Dialogue::create(path, plan.names());
    let file = file.map_err(|error| unusable("--transcript", path, error))?;
    Ok(Some(Box::new(file)))
}

/// Says which seed was drawn, so that what follows can be repeated.
pub(super) fn report(seed: Seed) {
    if seed.drawn {
        complain(&format!("seed {0}; --seed {0} repeats this", seed.value));
    }
}

/// The record of a game that has yet to be played.
fn new_record(
    plan: &PlayPlan,
    seeds: [u32; 2],
    names: &[String; 2],
    authors: &[Option<String>; 2],
) -> GameRecord {
    let player = |side: Side| {
        let (index, player) = (side.index(), &plan.players[side.index()]);
        record::Player {
            name: names[index].clone(),
            command: player.program.command_line.clone(),
            author: authors[index].clone(),
            human: player.human,
            seed: seeds[index],
            limit_ms: plan.limits[index]
                .map(|limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)),
            warnings: Vec::new(),
        }
    };
    let players = Side::BOTH.map(player);
    let record = GameRecord::new(&plan.rules, plan.seed.value, plan.max_turns, players);
    GameRecord { first: plan.first.index(), ..record }
}

/// Writes the game down where that was asked for, and says why if nobody won.
fn publish(plan: &PlayPlan, ending: &Ending, record: &GameRecord) -> anyhow::Result<()> {
    let recorded = plan.record.as_ref().map_or(Ok(()), |path| {
        append_line(path, record).with_context(|| format!("--record {}", path.display()))
    });
    if let Some(path) = &plan.log {
        match original_log(record) {
            Ok(log) => fs::write(path, log.to_string())
                .with_context(|| format!("--log {}", path.display()))?,
            Err(why) => {
                // An empty file would only look like a log.
                let _ = fs::remove_file(path);
                complain(&format!("--log {} is not written: {why}", path.display()));
            }
        }
    }
    for player in &record.players {
        for warning in &player.warnings {
            complain(&format!("{}: {warning}", player.name));
        }
    }
    if ending.ended_by == EndedBy::Interrupted {
        complain_behind_prompt(&record.reason);
    } else if ending.winner.is_none() {
        complain(&record.reason);
    }
    if plan.json {
        let mut out = io::stdout().lock();
        serde_json::to_writer(&mut out, record).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    recorded
}

/// What the exit code of one game says.
pub(super) fn exit_code(ending: &Ending) -> u8 {
    match (ending.winner, ending.ended_by) {
        (Some(_), _) => exit::DONE,
        (None, EndedBy::CouldNotStart) => exit::NOT_STARTED,
        (None, EndedBy::Interrupted) => exit::INTERRUPTED,
        (None, _) => exit::NO_WINNER,
    }
}
