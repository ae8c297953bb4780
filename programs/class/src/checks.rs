//! The check of new bots: whether they keep to the protocol, and can play ten games.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use crate::text::kept;
use bothost::{Interrupt, Launch, Side};
use jiff::Timestamp;
use league::schedule::Series;

use crate::checked::{Checked, CheckedGames, GAMES, StepFound};
use crate::choice::Purpose;
use crate::current::{Current, Entry};
use crate::secret::Secret;
use crate::store::{FailedStep, MachineFault};
use crate::{Bot, BotKey, Class, ClassError, Store, StoreError, Verdict};
use arena::command::PrintedCommand;
use arena::contest::{Lanes, play_all};
use arena::game::{EndedBy, Stopped};
use arena::parallel::in_parallel;
use arena::record::{GameLine, SandboxOfGame, separate};
use arena::result::Tally;
use check::{CheckReport, CheckSetup, Outcome, StepReport, check_bot, check_start};
use pages::CheckPrinter;

/// The shipped player that a bot meets in its check.
const OPPONENT: &str = "awful";

/// The number of starts in a row that have to fail before a bot counts as one that does not start.
const TRIES_TO_START: u32 = 3;

/// The results for several bots: what each is called, and how it went unless the machine failed in
/// it.
pub type PerBot<T> = Vec<(String, Result<T, ClassError>)>;

/// The bots to check.
#[derive(Clone, Copy, Debug)]
pub enum ToCheck<'s> {
    /// Bots that have not been checked, and bots that did not start in their last check and do now.
    New,
    /// The newest bot of one student, which may have been checked before.
    Again(&'s str),
}

/// A reason to look at a bot.
enum Task {
    Check(Bot),
    /// The bot did not start in its last check, and is checked again if it does now.
    UnlessStarted(Bot),
    /// The bot did not start in a night after its check.
    Repaired(Bot),
}

impl Task {
    fn bot(&self) -> &Bot {
        let (Task::Check(bot) | Task::UnlessStarted(bot) | Task::Repaired(bot)) = self;
        bot
    }
}

impl Class {
    /// Checks bots. `heard` is told of each as soon as it has been checked. A bot in which the
    /// machine fails does not stop the others, and one that still does not start has no result.
    ///
    /// # Errors
    /// If there is no such student or bot, the index cannot be read, or there is no sandbox.
    pub fn check(
        &self,
        bots: ToCheck<'_>,
        interrupt: &Arc<Interrupt>,
        heard: &(dyn Fn(&Checked) -> io::Result<()> + Sync),
    ) -> Result<PerBot<Checked>, ClassError> {
        let _lock = self.lock("check", false)?;
        let store = self.store()?;
        let current = self.current(&store)?;
        let terms = self.terms_key();
        let tasks = match bots {
            ToCheck::New => tasks(&store, &current, &terms)?,
            ToCheck::Again(id) => vec![Task::Check(newest_bot(&store, &current, id)?)],
        };
        if tasks.is_empty() {
            return Ok(Vec::new());
        }
        let sandbox = self.test_sandbox()?;
        let lanes = Lanes::new(self.jobs(), self.terms.pin);
        lanes.ensure_capacity().map_err(ClassError::misuse)?;
        let results = in_parallel(&tasks, |task| -> Result<Option<Checked>, ClassError> {
            if interrupt.is_noted() {
                return Err(stopped());
            }
            let bot = task.bot();
            let mut store = self.store()?;
            match task {
                Task::UnlessStarted(_) if self.why_not_started(bot, interrupt)?.is_some() => {
                    return Ok(None);
                }
                Task::Check(_) | Task::UnlessStarted(_) => {}
                Task::Repaired(_) => {
                    if let Some(why) = self.why_not_started(bot, interrupt)? {
                        return Err(ClassError::fault(format!(
                            "its program started before and does not now: {why}"
                        )));
                    }
                    store.remove_fault(&bot.key.student, FailedStep::Play)?;
                    return Ok(None);
                }
            }
            let number = store.checks(bot.id, &terms)?.len();
            let checked = check(self, bot, number, sandbox.as_ref(), &lanes, interrupt);
            note_fault(
                &store,
                &bot.key.student,
                FailedStep::Check,
                &bot.key.digest,
                checked.as_ref().err(),
            )?;
            let checked = checked?;
            store.put_check(bot.id, &terms, &checked)?;
            heard(&checked)?;
            Ok(Some(checked))
        });
        let called = tasks.iter().map(|task| task.bot().key.called().to_owned());
        let results = called
            .zip(results)
            .map(|(name, result)| Some((name, result.transpose()?)));
        Ok(results.flatten().collect())
    }

    /// Returns the stored results of the checks of a student's newest bot, the one that decides
    /// first; none if it has not been checked. A result of an earlier version of this program is
    /// its report alone.
    ///
    /// # Errors
    /// If there is no such student or bot, or the index cannot be read.
    pub fn stored_checks(&self, student: &str) -> Result<Vec<Checked>, ClassError> {
        let store = self.store()?;
        let current = self.current(&store)?;
        match current.of(student) {
            Some(entry) if entry.newest.is_some() => Ok(self.checks_of_newest(&store, entry)?),
            Some(_) | None => {
                newest_bot(&store, &current, student)?;
                Ok(Vec::new())
            }
        }
    }

    /// As [`Class::stored_checks`].
    pub(crate) fn checks_of_newest(
        &self,
        store: &Store,
        entry: &Entry<'_>,
    ) -> Result<Vec<Checked>, StoreError> {
        let terms = self.terms_key();
        let newest = entry.newest.as_ref();
        let Some((bot, verdict)) = newest
            .filter(|bot| bot.checked == terms)
            .and_then(|bot| Some((bot, bot.verdict?)))
        else {
            return Ok(Vec::new());
        };
        let report = store.report(bot.id)?;
        let (mut checks, others): (Vec<Checked>, Vec<Checked>) = store
            .checks(bot.id, &terms)?
            .into_iter()
            .partition(|result| result.verdict == verdict && result.report == report);
        if checks.is_empty() {
            checks.push(Checked {
                name: bot.key.called().to_owned(),
                verdict,
                report,
                why: String::new(),
                played: Timestamp::default(),
                steps: Vec::new(),
                games: CheckedGames::default(),
            });
        }
        checks.extend(others);
        Ok(checks)
    }

    /// Returns why a bot does not start, if it fails to in several tries.
    ///
    /// # Errors
    /// If the machine fails, or the referee is interrupted.
    pub(crate) fn why_not_started(
        &self,
        bot: &Bot,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Option<String>, ClassError> {
        let setup = match self.check_setup(bot, 0, interrupt) {
            Ok(setup) => setup,
            Err(error @ (ClassError::NotInstalled(_) | ClassError::Fault(_))) => {
                return Ok(Some(error.to_string()));
            }
            Err(error) => return Err(error),
        };
        let mut why = None;
        for _ in 0..TRIES_TO_START {
            match check_start(&setup) {
                Ok(None) => return Ok(None),
                Ok(Some(finding)) => why = Some(with_words(&finding.what, &finding.dialogue)),
                // A busy machine must not end the night for all.
                Err(Stopped::Failed(error)) => why = Some(error.to_string()),
                Err(stopped) => return Err(of_machine(stopped)),
            }
        }
        Ok(why)
    }

    fn check_setup(
        &self,
        bot: &Bot,
        number: usize,
        interrupt: &Arc<Interrupt>,
    ) -> Result<CheckSetup, ClassError> {
        let mut player = self.entrant(bot)?;
        let launch = self.terms.launch(self.host.program.clone());
        if launch.sandbox.is_some() {
            separate(&mut [&mut player.program], &[]);
        }
        Ok(CheckSetup {
            player,
            rules: self.game.rules_or_usual(),
            judge: self.game.judge.clone(),
            max_turns: self.terms.max_turns,
            retries: self.terms.retries,
            seed: seed_of(self.secret, &bot.key.digest, number),
            clock: self.terms.clock(None),
            start_limit: self.terms.start_limit,
            launch: Launch {
                pinned: false,
                ..launch
            },
            interrupt: interrupt.clone(),
            basics_only: false,
        })
    }
}

fn newest_bot(store: &Store, current: &Current<'_>, student: &str) -> Result<Bot, ClassError> {
    let entry = current.of(student).ok_or_else(|| {
        ClassError::misuse(format!("no student of the roster has the id {student:?}"))
    })?;
    match &entry.newest {
        Some(newest) => Ok(newest.clone()),
        None => Err(no_bot(store, entry)?),
    }
}

/// Writes down that the machine failed in a step of a student's work, or that it did not.
pub(crate) fn note_fault(
    store: &Store,
    student: &str,
    step: FailedStep,
    subject: &str,
    error: Option<&ClassError>,
) -> Result<(), StoreError> {
    let Some(error) = error else {
        return store.remove_fault(student, step);
    };
    if matches!(error, ClassError::Interrupted(_)) {
        return Ok(());
    }
    let tool = if let ClassError::NotInstalled(tool) = error {
        tool.clone()
    } else {
        String::new()
    };
    store.put_fault(&MachineFault {
        student: student.to_owned(),
        step,
        subject: subject.to_owned(),
        tool,
        what: error.to_string(),
    })
}

/// Returns what there is to look at.
fn tasks(store: &Store, current: &Current<'_>, terms: &str) -> Result<Vec<Task>, ClassError> {
    let mut tasks: Vec<Task> = current.unchecked(terms).cloned().map(Task::Check).collect();
    for entry in &current.entries {
        if let Some(newest) = &entry.newest
            && newest.has_results
            && newest.verdict == Some(Verdict::Unfit)
            && newest.checked == terms
            && store
                .checks(newest.id, terms)?
                .last()
                .is_some_and(Checked::has_never_started)
        {
            tasks.push(Task::UnlessStarted(newest.clone()));
        }
        if let Some(bot) = &entry.bot
            && entry.fault(FailedStep::Play, &bot.key.digest).is_some()
        {
            tasks.push(Task::Repaired(bot.clone()));
        }
    }
    Ok(tasks)
}

/// Returns the error of a check that ended without a result of the bot.
fn of_machine(why: Stopped) -> ClassError {
    match why {
        Stopped::Ended(ending) if ending.ended_by == EndedBy::Interrupted => stopped(),
        Stopped::Ended(ending) => ClassError::fault(ending.what),
        Stopped::Failed(error) => error.into(),
    }
}

fn no_bot(store: &Store, entry: &Entry<'_>) -> Result<ClassError, StoreError> {
    let id = &entry.student.id;
    let what = match entry.versions.last() {
        None => format!("{id} has no version yet: referee class intake"),
        Some(version) => {
            format!(
                "the version of {id} is {}:\n{}",
                version.state,
                store.log(version)?
            )
        }
    };
    Ok(ClassError::NotStarted(what))
}

fn stopped() -> ClassError {
    let what = "interrupted; the next check continues where this one stopped";
    ClassError::Interrupted(what.to_owned())
}

/// Checks one bot, for the first time or after this number of checks.
fn check(
    class: &Class,
    bot: &Bot,
    number: usize,
    sandbox: Option<&SandboxOfGame>,
    lanes: &Lanes,
    interrupt: &Arc<Interrupt>,
) -> Result<Checked, ClassError> {
    let mut text = Vec::new();
    let setup = class.check_setup(bot, number, interrupt)?;
    let report = examine_bot(class, &setup, &mut text).map_err(of_machine)?;
    let mut text = String::from_utf8_lossy(&text).into_owned();
    // The reason that decides: a warning of an earlier step is none.
    let mut failed = report
        .steps
        .iter()
        .filter(|step| step.outcome == Outcome::Fail);
    let broken = failed.find_map(|step| step.finding.as_ref());
    let broken = broken.map(|finding| with_words(&finding.what, &finding.dialogue));
    let found = report.steps.iter().filter(|step| step.finding.is_some());
    let steps = found.map(|step| StepFound {
        number: step.number,
        step: step.step.to_owned(),
        title: step.title.to_owned(),
        is_failure: step.outcome == Outcome::Fail,
    });
    if class.plays_one_game(bot) {
        text.push_str(
            "\nEach game of this program is played by new processes, on the board of this class. What referee check tries \
             besides, such as other boards and several games in one process, is not asked for here.\n",
        );
    }
    let games = games(class, bot, number, sandbox, lanes)?;
    text.push('\n');
    text.push_str(&games.said);
    // A bot that fails now and then can still play, and loses the games in which it fails. Whether
    // it can play at all hardly depends on chance.
    let (verdict, why) = match (broken, games.spoiled) {
        (broken, Some(why)) if games.results.spoiled >= GAMES as usize => {
            (Verdict::Unfit, broken.unwrap_or(why))
        }
        (None, None) => (Verdict::Sound, String::new()),
        (Some(why), _) | (None, Some(why)) => (Verdict::Faulty, why),
    };
    // The reason comes first: the rest is long.
    if !why.is_empty() {
        text = format!("In short: {why}\n\n{text}");
    }
    Ok(Checked {
        name: bot.key.called().to_owned(),
        verdict,
        report: kept(&text),
        why,
        played: Timestamp::now(),
        steps: steps.collect(),
        games: games.results,
    })
}

/// Returns the seed of a check of a bot. It is the same whenever this bot is checked for the first
/// time in this class, so that a bot that passes today passes tomorrow; later checks have others.
/// No bot can know the seed beforehand and behave in its check alone: it follows from all files of
/// the bot.
fn seed_of(secret: Secret, digest: &str, number: usize) -> u64 {
    if number == 0 {
        return secret.seed(&[b"check", digest.as_bytes()]);
    }
    secret.seed(&[b"check", digest.as_bytes(), &number.to_le_bytes()])
}

fn examine_bot(
    class: &Class,
    setup: &CheckSetup,
    text: &mut Vec<u8>,
) -> Result<CheckReport, Stopped> {
    let mut printer = CheckPrinter::new(&mut *text);
    let report = check_bot(setup, &mut |step: &StepReport| printer.step(step))?;
    printer.end(&report)?;
    let seed = setup.seed;
    writeln!(
        text,
        "The bot's seeds in these steps follow from {seed}: {}",
        PrintedCommand::new(["check", "--seed", &seed.to_string()])
            .with(class.game.game.arguments())
    )
    .map_err(Stopped::Failed)?;
    Ok(report)
}

/// The results of some games.
struct Games {
    said: String,
    results: CheckedGames,
    /// The fault of the bot in the first game that it spoiled.
    spoiled: Option<String>,
}

/// Plays some games. Games of a later check are other ones.
fn games(
    class: &Class,
    bot: &Bot,
    number: usize,
    sandbox: Option<&SandboxOfGame>,
    lanes: &Lanes,
) -> Result<Games, ClassError> {
    // The shipped players know Battleship alone.
    let staff = class
        .config
        .staff
        .first()
        .filter(|_| class.rules().is_none());
    let [name, command] = staff.map_or([OPPONENT, OPPONENT], |staff| {
        [&*staff.name, &*staff.command]
    });
    let opponent = Bot::unknown(BotKey::of_staff(name, ""), command.to_owned());
    let setup = class.setup(&[bot.clone(), opponent], 0, sandbox.cloned())?;
    let series = Series {
        games: GAMES,
        ..class.series(
            [0, 1],
            Purpose::Rating,
            u32::try_from(number).unwrap_or(u32::MAX),
        )
    };
    let played = play_all(&setup, lanes, &[series])?.remove(0);
    let mut tally = Tally::new(2);
    tally.add_series(&series, &played.games, None);
    let of_side = |side: Side| {
        let games = played.games.iter();
        games.filter(move |game| game.by == Some(side) && game.ended_by == EndedBy::CouldNotStart)
    };
    if let Some(game) = of_side(Side::Two).next() {
        return Err(ClassError::fault(format!(
            "{name}, a bot of the staff: {}",
            game.reason
        )));
    }
    let sum = tally.players[0].results;
    let mut results = CheckedGames {
        opponent: name.to_owned(),
        won: sum.wins,
        lost: sum.losses,
        drawn: sum.draws,
        spoiled: 0,
        not_started: of_side(Side::One).count(),
    };
    let mut said = results.in_words();
    said.push('\n');
    let spoiled: Vec<&GameLine> = played
        .games
        .iter()
        .filter(|game| game.by == Some(Side::One) && game.ended_by.is_fault())
        .collect();
    // The same fault in each game is one fault.
    let mut by_reason: Vec<(&str, Vec<u32>)> = Vec::new();
    for game in &spoiled {
        match by_reason
            .iter_mut()
            .find(|(reason, _)| *reason == game.reason)
        {
            Some((_, games)) => games.push(number_of(game)),
            None => by_reason.push((&game.reason, vec![number_of(game)])),
        }
    }
    for (reason, games) in by_reason {
        let numbers: Vec<String> = games.iter().map(u32::to_string).collect();
        let s = if games.len() == 1 { "" } else { "s" };
        let _ = writeln!(said, "Game{s} {}: {reason}", numbers.join(", "));
    }
    let first = spoiled.first().map(|game| number_of(game));
    let mut ends = played.end.iter().flat_map(|end| &end.said);
    let end = ends.find(|end| Some(end.game) == first);
    if let Some(end) = end {
        let _ = writeln!(
            said,
            "\nThe end of game {}:\n{}",
            end.game,
            end.lines.join("\n")
        );
    }
    let first = spoiled.first().map(|game| {
        let said = end.map_or(&[][..], |end| &end.lines);
        let count = spoiled.len();
        let what = with_words(&game.reason, said);
        format!("in {count} of the {GAMES} games below: {what}")
    });
    results.spoiled = spoiled.len();
    Ok(Games {
        said,
        results,
        spoiled: first,
    })
}

/// Returns `what` a bot did, with the last line of `dialogue` that it printed on its standard
/// error, which often has the reason.
fn with_words(what: &str, dialogue: &[String]) -> String {
    let printed = dialogue.iter().filter_map(|line| line.split_once(" !! "));
    let last = printed
        .map(|(_, text)| text.trim())
        .rfind(|text| !text.is_empty());
    match last {
        // Where a crash was seen, its last words are told already.
        Some(text) if !what.contains(" stderr: ") => {
            format!("{what}; it printed: {}", kits::cut(text))
        }
        Some(_) | None => what.to_owned(),
    }
}

/// Returns the number of a game between two players.
fn number_of(game: &GameLine) -> u32 {
    game.contest.as_ref().map_or(0, |place| place.game)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the same seed in every check a bot saw from its first seed that it was checked.
    #[test]
    fn the_seed_of_a_check_is_of_the_class_and_of_the_bot() {
        let [one, other] = [(); 2].map(|()| Secret::draw().unwrap());
        assert_eq!(seed_of(one, "ada", 0), seed_of(one, "ada", 0));
        assert_ne!(seed_of(one, "ada", 0), seed_of(one, "bob", 0));
        assert_ne!(seed_of(one, "ada", 0), seed_of(one, "ada", 1));
        assert_ne!(seed_of(one, "ada", 0), seed_of(other, "ada", 0));
    }
}
