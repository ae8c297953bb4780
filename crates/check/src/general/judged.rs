//! Steps in a game that a judge knows: the bot plays it against its own copy.

use std::path::Path;

use crate::check::{Check, PASS, StepResult, Verdict};
use crate::dialogue_log::DialogueLog;
use crate::failure::{StepError, StepFailure};
use crate::report::Finding;
use crate::request::GREETING;
use arena::game::{EndedBy, Ending, Event, Game, Listener, Pair, Round, Stop, Stopped, tell_apart};
use arena::judge::dialogue_of;
use arena::record::Dialogue;
use battleship::seeded::SeededRng;
use bothost::{BySide, Side};

/// The games in a row of the step that plays several.
const GAMES: u32 = 10;

/// The requests to each player in one of these games: enough for any, and an end for a game without
/// one.
const MAX_TURNS: u32 = 1000;

/// The bot plays a whole game.
pub(crate) fn game(check: &mut Check) -> StepResult {
    let played = play(check, 1)?;
    Ok(Verdict::Pass(played.ending))
}

/// The bot plays several games in one process.
pub(crate) fn games(check: &mut Check) -> StepResult {
    play(check, GAMES)?;
    Ok(PASS)
}

/// Two processes and one seed. It is good to know, and no fault, if they play differently.
pub(crate) fn seed(check: &mut Check) -> StepResult {
    let one = play(check, 1)?;
    let two = play(check, 1)?;
    Ok(Verdict::Note(if one.dialogue == two.dialogue {
        "it does".to_owned()
    } else {
        "it does not: its games cannot be repeated. Let all that is random come from the number in the `seed` line"
            .to_owned()
    }))
}

/// The last of some games.
struct Played {
    /// What the judge said and was told.
    dialogue: Vec<String>,
    ending: String,
}

/// Keeps the times of replies.
struct Times<'c>(&'c mut Check);

impl Listener<Event<'_>> for Times<'_> {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        if let Event::Played { time, .. } = event {
            let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            self.0.times.add(us);
        }
        Ok(())
    }
}

/// Plays this number of games between two new processes of the bot.
fn play(check: &mut Check, games: u32) -> Result<Played, StepError> {
    let setup = check.setup.clone();
    let judge = setup.judge.as_ref().expect("these steps have a judge");
    let mut both = [setup.player.clone(), setup.player.clone()];
    tell_apart(&mut both);
    let both = BySide::from(both);
    let log = DialogueLog::default();
    let names = both.as_ref().map(|player| player.name.clone());
    let dialogue = Dialogue::new(log.clone(), Path::new("the dialogue"), names);
    let failed = |ending: &Ending| {
        StepError::Failure(Box::new(StepFailure {
            finding: Finding {
                what: ending.what.clone(),
                expected: "a reply that the rules of the game allow, in time".to_owned(),
                cause: cause(ending.ended_by).to_owned(),
                dialogue: log.shortened(),
            },
            ended_by: ending.ended_by,
            request: GREETING,
            seed: None,
            certain: true,
            out_of_step: false,
            places_as_usual: false,
            machine_was_busy: false,
        }))
    };
    let started = Pair::start(
        &both,
        &setup.launch,
        judge.name(),
        setup.start_limit,
        &setup.interrupt,
        Some(Box::new(dialogue)),
    );
    let mut pair = match started {
        Ok(pair) => pair,
        Err(Stopped::Ended(ending)) if ending.ended_by.is_fault() => return Err(failed(&ending)),
        Err(stopped) => return Err(StepError::Stopped(stopped)),
    };
    let mut table = judge.table()?;
    let mut last = Vec::new();
    let mut ending = String::new();
    for number in 0..games {
        let mut rng = SeededRng::keyed([setup.seed, number.into(), 0, 0]);
        let clock = setup.launch.clock_for(&setup.player.program, setup.clock);
        let round = Round {
            seed: rng.next_u64(),
            bot_seeds: BySide::from_fn(|side: Side| {
                check.seed(2 * number + u32::from(side == Side::Two))
            }),
            clocks: BySide::new(clock, clock),
            first: Side::BOTH[number as usize % 2],
            max_turns: setup.max_turns.min(MAX_TURNS),
            retries: BySide::new(setup.retries, setup.retries),
        };
        let played = pair.play(&mut *table, &round, &mut Times(check))?;
        let ended_by = played.ending.ended_by;
        if ended_by == EndedBy::MachineLate {
            return Err(StepError::Busy(played.ending.what));
        }
        if ended_by.is_fault() {
            let error = failed(&played.ending);
            pair.end(&played.ending)?;
            return Err(error);
        }
        if matches!(ended_by, EndedBy::JudgeFailed | EndedBy::Interrupted) {
            return Err(StepError::Stopped(played.ending.into()));
        }
        last = dialogue_of(&played);
        ending = played.ending.what;
    }
    // What is odd about both is nearly the same.
    let mut warnings = pair.quit()?.one;
    warnings.retain(|warning| !warning.starts_with("it computed"));
    if let Some(warning) = warnings.into_iter().next() {
        ending = format!("{ending}; {warning}");
    }
    Ok(Played {
        dialogue: last,
        ending,
    })
}

/// Returns the usual cause of a fault.
pub(crate) fn cause(ended_by: EndedBy) -> &'static str {
    if matches!(ended_by, EndedBy::Timeout | EndedBy::OutOfTime) {
        "It waits for a line that does not come, does not flush what it says, or thinks for too long."
    } else if ended_by == EndedBy::BadReply {
        "The judge says what would do. What a bot prints for its author goes to standard error, and lines whose first word it does not know get no reply."
    } else if ended_by == EndedBy::CouldNotStart {
        "It says in its greeting which games it plays: a line `plays` with the name of this one, before `ready`."
    } else if matches!(
        ended_by,
        EndedBy::Exited | EndedBy::Crashed | EndedBy::ClosedOutput
    ) {
        "It ended in the middle of a game; what it wrote to standard error says why."
    } else {
        "It says more than one line for each request."
    }
}
