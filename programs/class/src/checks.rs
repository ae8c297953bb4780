//! The check of new bots: whether they keep to the protocol, and can play ten games.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use crate::text::kept;
use bothost::{Interrupt, Launch, Side};
use league::schedule::Series;

use crate::choice::Purpose;
use crate::current::Entry;
use crate::secret::Secret;
use crate::{Bot, BotKey, Class, ClassError, Store, StoreError, Verdict};
use arena::command::PrintedCommand;
use arena::contest::{Lanes, play_all};
use arena::game::{EndedBy, Stopped};
use arena::parallel::in_parallel;
use arena::record::{GameLine, SandboxOfGame, separate};
use arena::result::Tally;
use check::{CheckReport, CheckSetup, Outcome, StepReport, check_bot};
use pages::CheckPrinter;

/// The games of a check against [`OPPONENT`].
const GAMES: u32 = 10;

/// The shipped player that a bot meets in its check.
const OPPONENT: &str = "awful";

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The name of the bot.
    pub name: String,
    /// Whether it plays.
    pub verdict: Verdict,
    /// All that the check said.
    pub report: String,
    /// The fault, in a line.
    pub why: String,
}

/// The results for several bots: what each is called, and how it went unless the machine failed in
/// it.
pub type PerBot<T> = Vec<(String, Result<T, ClassError>)>;

impl Class {
    /// Checks the bots of all students that have not been checked yet, or the newest of one
    /// `student`. `heard` is told of each as soon as it has been checked. A bot in which the
    /// machine fails does not stop the others.
    ///
    /// # Errors
    /// If there is no such student or bot, the index cannot be read, or there is no sandbox.
    pub fn check(
        &self,
        student: Option<&str>,
        interrupt: &Arc<Interrupt>,
        heard: &(dyn Fn(&Checked) -> io::Result<()> + Sync),
    ) -> Result<PerBot<Checked>, ClassError> {
        let _lock = self.lock("check", false)?;
        let store = self.store()?;
        let current = self.current(&store)?;
        let terms = self.terms_key();
        let bots: Vec<Bot> = match student {
            None => current.unchecked(&terms).cloned().collect(),
            Some(id) => {
                let entry = current.of(id).ok_or_else(|| {
                    ClassError::misuse(format!("no student of the roster has the id {id:?}"))
                })?;
                let Some(newest) = entry.newest.clone() else {
                    return Err(no_bot(&store, entry)?);
                };
                vec![newest]
            }
        };
        if bots.is_empty() {
            return Ok(Vec::new());
        }
        let sandbox = self.test_sandbox()?;
        let lanes = Lanes::new(self.jobs(), self.terms.pin);
        lanes.make_room().map_err(ClassError::misuse)?;
        let results = in_parallel(&bots, |bot| -> Result<Checked, ClassError> {
            if interrupt.is_noted() {
                return Err(stopped());
            }
            let checked = check(self, bot, sandbox.as_ref(), &lanes, interrupt)?;
            self.store()?
                .put_check(bot.id, &terms, checked.verdict, &checked.report)?;
            heard(&checked)?;
            Ok(checked)
        });
        let called = bots.iter().map(|bot| bot.key.called().to_owned());
        Ok(called.zip(results).collect())
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

/// Checks one bot.
fn check(
    class: &Class,
    bot: &Bot,
    sandbox: Option<&SandboxOfGame>,
    lanes: &Lanes,
    interrupt: &Arc<Interrupt>,
) -> Result<Checked, ClassError> {
    let mut text = Vec::new();
    let report = match examine_bot(class, bot, interrupt, &mut text) {
        Ok(report) => report,
        Err(Stopped::Ended(ending)) if ending.ended_by == EndedBy::Interrupted => {
            return Err(stopped());
        }
        Err(Stopped::Ended(ending)) => return Err(ClassError::fault(ending.what)),
        Err(Stopped::Failed(error)) => return Err(error.into()),
    };
    let mut text = String::from_utf8_lossy(&text).into_owned();
    // The reason that decides: a warning of an earlier step is none.
    let mut failed = report
        .steps
        .iter()
        .filter(|step| step.outcome == Outcome::Fail);
    let broken = failed.find_map(|step| step.finding.as_ref());
    let broken = broken.map(|finding| with_words(&finding.what, &finding.dialogue));
    if class.plays_one_game(bot) {
        text.push_str(
            "\nEach game of this program is played by new processes, on the board of this class. What referee check tries \
             besides, such as other boards and several games in one process, is not asked for here.\n",
        );
    }
    let games = games(class, bot, sandbox, lanes)?;
    text.push('\n');
    text.push_str(&games.said);
    // A bot that is at fault now and then can still play: that it loses those games is its own
    // matter.
    let (verdict, why) = match (broken, games.spoiled) {
        (broken, Some(why)) if 2 * games.n_spoiled > GAMES as usize => {
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
    })
}

/// Returns the seed of the check of a bot: the same whenever this bot is checked in this class, so
/// that a bot that passes today passes tomorrow. No bot can know it beforehand and behave in its
/// check alone: it follows from all files of the bot.
fn seed_of(secret: Secret, digest: &str) -> u64 {
    secret.seed(&[b"check", digest.as_bytes()])
}

fn examine_bot(
    class: &Class,
    bot: &Bot,
    interrupt: &Arc<Interrupt>,
    text: &mut Vec<u8>,
) -> Result<CheckReport, Stopped> {
    let mut player = class
        .entrant(bot)
        .map_err(|failure| Stopped::Failed(io::Error::other(failure.to_string())))?;
    let launch = class.terms.launch(class.host.program.clone());
    if launch.sandbox.is_some() {
        separate(&mut [&mut player.program], &[]);
    }
    let setup = CheckSetup {
        player,
        rules: class.game.rules_or_usual(),
        judge: class.game.judge.clone(),
        max_turns: class.terms.max_turns,
        retries: class.terms.retries,
        seed: seed_of(class.secret, &bot.key.digest),
        clock: class.terms.clock(None),
        start_limit: class.terms.start_limit,
        launch: Launch {
            pinned: false,
            ..launch
        },
        interrupt: interrupt.clone(),
        basics_only: false,
    };
    let mut printer = CheckPrinter::new(&mut *text);
    let report = check_bot(&setup, &mut |step: &StepReport| printer.step(step))?;
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
    n_spoiled: usize,
    /// The fault of the bot in the first game that it spoiled.
    spoiled: Option<String>,
}

/// Plays some games.
fn games(
    class: &Class,
    bot: &Bot,
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
        ..class.series([0, 1], Purpose::Rating, 0)
    };
    let played = play_all(&setup, lanes, &[series])?.remove(0);
    let mut tally = Tally::new(2);
    tally.add_series(&series, &played.games, None);
    let results = tally.players[0].results;
    let mut said = format!(
        "{GAMES} games against {name}: {} won, {} lost",
        results.wins, results.losses
    );
    if results.draws > 0 {
        let _ = write!(said, ", {} without a winner", results.draws);
    }
    said.push_str(".\n");
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
    Ok(Games {
        said,
        n_spoiled: spoiled.len(),
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
        assert_eq!(seed_of(one, "ada"), seed_of(one, "ada"));
        assert_ne!(seed_of(one, "ada"), seed_of(one, "bob"));
        assert_ne!(seed_of(one, "ada"), seed_of(other, "ada"));
    }
}
