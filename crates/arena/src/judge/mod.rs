//! Games that a judge knows: a third program, which is started and asked as bots are. `protocol.md`
//! has its words.

#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod process;
mod record;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bothost::{BotProgram, Launch};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use thiserror::Error;
use wire::game::{
    Bots, Game, GameReader, Played, Retries, Round, Stopped, Table, announce, ask_heard, conclude,
};
use wire::text::excerpt;
use wire::{Answer, BySide, Clock, EndedBy, Ending, Event, GameListener, Side};

use self::process::{Failed, JudgeProcess};
pub use self::record::{JudgeReader, JudgedGame, Picture, Step, dialogue_of};
use self::record::{OwnPart, PREFIX, announcement};
use self::words::{JudgeLine, reply_in};
use crate::game::derived_seed;
use crate::record::{WatchedProgram, digest_of_judge};

/// The requests to each player before a game ends without a winner, if no option says otherwise.
const MAX_TURNS: u32 = 10_000;

/// The figures of one player in one game at most.
const MOST_FIGURES: usize = 8;

/// The digits that a record has of the digest of a judge.
const DIGITS: usize = 16;

/// The beginning of the reason of a game in which a judge failed.
const FAILED: &str = "the judge failed: ";

/// The reason why `bad` is wrong elsewhere.
const BAD_ELSEWHERE: &str = "bad is only the first line after a reply of that player";

/// A game that a judge knows.
#[derive(Clone, Debug)]
pub struct Judge {
    name: String,
    /// The name in a record.
    rules: String,
    /// The options of the game, as the judge announced them.
    words: String,
    command: String,
    digest: Option<String>,
    /// The program, and how it is started; `None` for the judge of a record, which nothing starts.
    program: Option<(BotProgram, Launch)>,
    watched: Option<Arc<WatchedProgram>>,
}

/// The reason why there is no game by a judge.
#[derive(Debug, Error)]
pub enum JudgeError {
    /// The judge failed, so.
    #[error("--judge {command}: {what}")]
    Failed {
        /// Its command.
        command: String,
        /// What it did.
        what: String,
    },
    /// The machine was too busy to tell whether the judge is right.
    #[error("{0}")]
    MachineLate(String),
    /// The user asked the referee to stop.
    #[error("interrupted before the first game")]
    Interrupted,
    /// The referee or its machine failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Judge {
    /// Starts `program` once to learn which game it knows. Bots are started as in `launch`; a judge
    /// is not confined. Files beside the judge are part of it, except those of `players` and those
    /// in `own`, which the command itself writes or reads.
    ///
    /// # Errors
    /// If it cannot be started or announces no game.
    pub fn new(
        program: BotProgram,
        launch: &Launch,
        players: &[&BotProgram],
        own: &[PathBuf],
    ) -> Result<Judge, JudgeError> {
        let launch = Launch {
            sandbox: None,
            // It may prepare what it says next while the players think.
            ponder: true,
            ..launch.clone()
        };
        let command = program.command_line.clone();
        // Before the files are read for the digest: a change after that is noticed.
        let watched = WatchedProgram::new("the judge", &program, own);
        let mut digest = digest_of_judge(&program, players, own);
        digest.truncate(DIGITS);
        let mut judge = Judge {
            program: Some((program, launch)),
            watched: Some(Arc::new(watched)),
            ..Judge::recorded("", "", &command, Some(&digest))
        };
        let process = judge.start(None).map_err(|failed| judge.error(failed))?;
        (judge.name, judge.words) = process.game.clone();
        judge.rules = format!("{PREFIX}{}", judge.name);
        process.quit()?;
        Ok(judge)
    }

    /// Returns the files of the judge, as they were when it announced its game.
    pub(crate) fn watched(&self) -> Option<Arc<WatchedProgram>> {
        self.watched.clone()
    }

    /// Returns the judge that a record names. It cannot be started.
    fn recorded(name: &str, words: &str, command: &str, digest: Option<&str>) -> Judge {
        Judge {
            name: name.to_owned(),
            rules: format!("{PREFIX}{name}"),
            words: words.to_owned(),
            command: command.to_owned(),
            digest: digest.map(str::to_owned),
            program: None,
            watched: None,
        }
    }

    /// Sends new processes of the judge first replies that no game expects. The judge must not fail
    /// by them.
    ///
    /// # Errors
    /// If the judge or the machine fails, or `stop` is set.
    pub fn try_junk(&self, stop: &Arc<AtomicBool>) -> Result<(), JudgeError> {
        let longest = "9".repeat(wire::line::MAX_LINE);
        let round = Round {
            seed: 0,
            bot_seeds: BySide::default(),
            clocks: BySide::new(Clock::None, Clock::None),
            first: Side::One,
            max_turns: MAX_TURNS,
            retries: BySide::default(),
        };
        for reply in ["x", "\u{b2}", &longest] {
            if stop.load(Ordering::Relaxed) {
                return Err(JudgeError::Interrupted);
            }
            let mut players = OneReply {
                reply: Some(reply),
                stop: stop.clone(),
            };
            let ending = self.table()?.play(&mut players, &round, &mut ())?.ending;
            if stop.load(Ordering::Relaxed) {
                return Err(JudgeError::Interrupted);
            }
            if ending.ended_by == EndedBy::MachineLate {
                return Err(JudgeError::MachineLate(ending.what));
            }
            if ending.ended_by == EndedBy::JudgeFailed {
                let what = ending.what.trim_start_matches(FAILED).to_owned();
                return Err(self.error(Failed::Judge(what)));
            }
        }
        Ok(())
    }

    fn start(&self, stop: Option<Arc<AtomicBool>>) -> Result<JudgeProcess, Failed> {
        let Some((program, launch)) = &self.program else {
            let what = "the judge that a record names is not started; name it with --judge";
            return Err(Failed::Machine(io::Error::other(what)));
        };
        JudgeProcess::start(program, launch, stop)
    }

    fn error(&self, failed: Failed) -> JudgeError {
        match failed {
            Failed::Judge(what) => JudgeError::Failed {
                command: self.command.clone(),
                what,
            },
            Failed::MachineLate(what) => JudgeError::MachineLate(what),
            Failed::Interrupted => JudgeError::Interrupted,
            Failed::Machine(error) => JudgeError::Io(error),
        }
    }

    fn own_part(&self) -> OwnPart {
        OwnPart {
            judge: self.command.clone(),
            judge_digest: self.digest.clone(),
            words: self.words.clone(),
            ..OwnPart::default()
        }
    }
}

/// Players who reply to the first request and to no other.
struct OneReply<'r> {
    reply: Option<&'r str>,
    stop: Arc<AtomicBool>,
}

impl Bots for OneReply<'_> {
    fn tell(&mut self, _to: Side, _line: fmt::Arguments<'_>) -> io::Result<()> {
        Ok(())
    }

    fn ask(&mut self, _of: Side, _line: fmt::Arguments<'_>) -> Result<Answer<'_>, Stopped> {
        let reply = self.reply.take().ok_or_else(Ending::interrupted)?;
        Ok(Answer {
            line: reply.as_bytes(),
            time: Duration::ZERO,
        })
    }

    fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        Some(self.stop.clone())
    }

    fn comments(&mut self, _of: Side) -> Vec<u8> {
        Vec::new()
    }
}

impl Game for Judge {
    fn reader(&self) -> &'static dyn GameReader {
        &JudgeReader
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn rules(&self) -> &str {
        &self.rules
    }

    fn has_equal_pairs(&self) -> bool {
        true
    }

    fn settings(&self) -> Map<String, Value> {
        let mut settings = Map::new();
        settings.insert("rules".to_owned(), json!(self.rules));
        settings.insert("judge".to_owned(), json!(self.command));
        settings.insert("judge_digest".to_owned(), json!(self.digest));
        if !self.words.is_empty() {
            settings.insert("words".to_owned(), json!(self.words));
        }
        settings
    }

    fn arguments(&self) -> Vec<String> {
        vec!["--judge".to_owned(), self.command.clone()]
    }

    fn max_turns(&self) -> u32 {
        MAX_TURNS
    }

    fn first(&self, _seed: u64) -> Side {
        Side::One
    }

    fn unplayed(&self) -> Box<RawValue> {
        self.own_part().to_json()
    }

    fn table(&self) -> io::Result<Box<dyn Table>> {
        Ok(Box::new(JudgeTable {
            judge: self.clone(),
            process: None,
        }))
    }
}

/// Plays games with one process of a judge after the other: a new one after a game that the judge
/// did not end itself.
#[derive(Debug)]
struct JudgeTable {
    judge: Judge,
    process: Option<JudgeProcess>,
}

impl Drop for JudgeTable {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            // All games are over, so nothing depends on how it leaves.
            let _ = process.quit();
        }
    }
}

impl Table for JudgeTable {
    fn play(
        &mut self,
        bots: &mut dyn Bots,
        round: &Round,
        listener: &mut GameListener<'_>,
    ) -> io::Result<Played> {
        let mut play = Play {
            judge: &self.judge,
            process: self.process.take(),
            round,
            bots,
            listener,
            step: Step::default(),
            own: self.judge.own_part(),
            retries: Retries::of(round),
            figures: Vec::new(),
            replied: None,
        };
        let over = play.play();
        if over
            .as_ref()
            .is_ok_and(|ending| ending.ended_by.is_by_rules())
        {
            self.process = play.process.take();
        }
        let ending = conclude(play.bots, play.listener, over, &play.step)?;
        Ok(Played {
            ending,
            own: play.own.to_json(),
            retried: play.retries.used,
            figures: play.figures,
        })
    }
}

/// A game while it is played.
struct Play<'p, 'l> {
    judge: &'p Judge,
    process: Option<JudgeProcess>,
    round: &'p Round,
    bots: &'p mut dyn Bots,
    listener: &'p mut GameListener<'l>,
    /// The last reply, and the picture after it.
    step: Step,
    own: OwnPart,
    retries: Retries,
    figures: Vec<(Side, String, f64)>,
    /// The player that has replied last.
    replied: Option<Side>,
}

/// What a judge wants behind the lines of its answer.
enum JudgeAnswer {
    Ask(Side, String),
    Refuse(String),
    Over(Ending),
}

impl Play<'_, '_> {
    fn play(&mut self) -> Result<Ending, Stopped> {
        let first = self.round.first;
        let announcement = announcement(&self.judge.name, &self.judge.words);
        for side in [first, first.other()] {
            self.bots.tell(side, format_args!("{announcement}"))?;
            let seed = self.round.bot_seeds[side];
            let clock = self.round.clocks[side];
            announce(self.bots, side, seed, clock)?;
        }
        if self.process.is_none() {
            let stop = self.bots.stop_flag();
            self.process = Some(self.judge.start(stop).map_err(|failed| self.void(failed))?);
        }
        // 31 bits, as bots have them.
        let seed = derived_seed(self.round.seed, "judge", &[]) >> 33;
        let begin = format!("begin {seed}");
        self.tell_judge(&begin)?;
        self.own.add_request(begin);
        let mut then = self.answer()?;
        self.listener.on_event(&Event::Begun {
            position: &self.step,
        })?;
        let mut turns = BySide::<u32>::default();
        loop {
            let (side, request) = match then {
                JudgeAnswer::Over(ending) => return Ok(ending),
                JudgeAnswer::Ask(side, request) => (side, request),
                JudgeAnswer::Refuse(_) => unreachable!("it follows a reply"),
            };
            turns[side] += 1;
            if turns[side] > self.round.max_turns {
                let what = format!(
                    "neither player has won in {} turns of each",
                    self.round.max_turns
                );
                return Ok(Ending::void(None, EndedBy::TurnCap, what));
            }
            then = self.turn(side, &request)?;
        }
    }

    /// Asks the player on `side` until the judge accepts its reply.
    fn turn(&mut self, side: Side, request: &str) -> Result<JudgeAnswer, Stopped> {
        self.listener.on_event(&Event::Asked {
            side,
            position: &self.step,
        })?;
        let mut total = Duration::ZERO;
        loop {
            let (reply, time) = ask_heard(
                self.bots,
                side,
                format_args!("{request}"),
                self.listener,
                |line, time| (line.to_vec(), time),
            )?;
            total += time;
            let reason = match reply_in(&reply) {
                Err(why) => why,
                Ok(reply) => match self.judge_reply(side, reply, time)? {
                    JudgeAnswer::Refuse(reason) => reason,
                    answer @ (JudgeAnswer::Ask(..) | JudgeAnswer::Over(_)) => {
                        self.listener.on_event(&Event::Played {
                            side,
                            time: total,
                            position: &self.step,
                        })?;
                        return Ok(answer);
                    }
                },
            };
            let what = format!("{} breaks the rules: {reason}", excerpt(&reply));
            let lost = Ending::lost_by(side, EndedBy::BadReply, what);
            self.retries.refuse(self.bots, side, &reason, lost)?;
        }
    }

    /// Tells the judge what the player on `side` replied.
    fn judge_reply(
        &mut self,
        side: Side,
        reply: &str,
        time: Duration,
    ) -> Result<JudgeAnswer, Stopped> {
        let line = format!("reply {} {reply}", seat(side, self.round.first));
        // A judge that has said too much by now did so after the reply before this one.
        self.tell_judge(&line)?;
        self.replied = Some(side);
        self.own.replied(side, line, time.as_micros())?;
        // The picture stays until there is another one.
        let picture = std::mem::take(&mut self.step.picture);
        self.step = Step {
            reply: Some((side, reply.to_owned())),
            ..Step::default()
        };
        let then = self.answer()?;
        if self.step.picture.is_empty() {
            self.step.picture = picture;
        }
        Ok(then)
    }

    fn tell_judge(&mut self, line: &str) -> Result<(), Stopped> {
        let process = self.process.as_mut().expect("it was started");
        process.tell(line).map_err(|failed| self.void(failed))
    }

    /// Receives the lines of the judge up to the one that asks, refuses or ends.
    fn answer(&mut self) -> Result<JudgeAnswer, Stopped> {
        let first = self.round.first;
        let mut is_first = true;
        loop {
            let process = self.process.as_mut().expect("it was started");
            let line = process
                .next_line(first, &mut self.own)
                .map_err(|failed| self.void(failed))?;
            match line {
                JudgeLine::Tell(to, text) => {
                    for side in Side::BOTH {
                        if to.is_none_or(|to| to == side) {
                            self.bots.tell(side, format_args!("{text}"))?;
                        }
                    }
                }
                JudgeLine::Show(to, text) => self.step.picture.push((to, text)),
                JudgeLine::Figure(side, name, value) => self.keep_figure(side, name, value)?,
                JudgeLine::Ask(side, request) => return Ok(JudgeAnswer::Ask(side, request)),
                JudgeLine::Bad(side, reason) if is_first && self.step.reply_of() == Some(side) => {
                    return Ok(JudgeAnswer::Refuse(reason));
                }
                JudgeLine::Bad(..) => return Err(self.wrong(BAD_ELSEWHERE)),
                JudgeLine::Over(winner, what) => {
                    let ended_by = match winner {
                        Some(_) => EndedBy::Won,
                        None => EndedBy::Drawn,
                    };
                    return Ok(JudgeAnswer::Over(Ending {
                        winner,
                        by: winner,
                        ended_by,
                        what,
                    }));
                }
            }
            is_first = false;
        }
    }

    fn keep_figure(&mut self, side: Side, name: String, value: f64) -> Result<(), Stopped> {
        let known = self
            .figures
            .iter_mut()
            .find(|(of, known, _)| *of == side && *known == name);
        if let Some((_, _, last)) = known {
            *last = value;
            return Ok(());
        }
        let count = self.figures.iter().filter(|(of, _, _)| *of == side).count();
        if count == MOST_FIGURES {
            return Err(self.wrong(&format!("a player has more than {MOST_FIGURES} figures")));
        }
        self.figures.push((side, name, value));
        Ok(())
    }

    fn wrong(&self, why: &str) -> Stopped {
        self.void(self.own.wrong(why))
    }

    /// Returns the ending of a game in which the judge failed. No player can help it; `by` is the
    /// one after whose reply it did.
    fn void(&self, failed: Failed) -> Stopped {
        match failed {
            Failed::Machine(error) => Stopped::Failed(error),
            Failed::Interrupted => Ending::interrupted().into(),
            Failed::MachineLate(what) => Ending::void(None, EndedBy::MachineLate, what).into(),
            Failed::Judge(what) => {
                let what = match &self.step.reply {
                    Some((_, reply)) => {
                        format!(
                            "{FAILED}{what}; after the reply {}",
                            excerpt(reply.as_bytes())
                        )
                    }
                    None => format!("{FAILED}{what}"),
                };
                Ending::void(self.replied, EndedBy::JudgeFailed, what).into()
            }
        }
    }
}

impl Step {
    fn reply_of(&self) -> Option<Side> {
        self.reply.as_ref().map(|(side, _)| *side)
    }
}

/// Returns the number that a judge has for the player on `side`.
fn seat(side: Side, first: Side) -> u8 {
    if side == first { 1 } else { 2 }
}
