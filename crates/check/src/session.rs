//! One process of the bot that is checked, and the dialogue with it.

use std::path::Path;
use std::time::Duration;

use battleship::protocol::{Outcome, Reply, Request};
use battleship::{Placement, Rules};

use super::advice::{self, Aftermath};
use super::asked::Asked;
use super::dialogue_log::DialogueLog;
use super::examination::{Examination, TRIES};
use super::halt::{Fault, Halt};
use super::report::Finding;
use arena::game::{EndedBy, Ending, Stopped, bad_reply, put_greeting, receive_greeting};
use arena::record::Dialogue;
use battleship::BySide;
use bothost::{AskError, BotPair, BotProgram, Clock, ExitReport, LeaveBy, Question, Side};
use wire::game::announce;

/// Limits of the wait for a late reply, at least and at most; it tells slow bots from silent ones.
const SECOND_WAIT: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(5));

/// The time that a bot whose input has ended may take to say what it has kept back.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// One process of the bot, and what has been said to it.
pub(super) struct Session<'e> {
    examination: &'e Examination<'e>,
    /// `None` once the bot has been ended.
    bots: Option<BotPair>,
    log: DialogueLog,
    /// The number of games that the bot has placed its ships for.
    games: u32,
    /// The bot's seed in the last game that was announced.
    seed: Option<u32>,
    /// Whether the bot is told its time for a reply.
    tells_limit: bool,
    /// The last reply, and what it was the answer to.
    last: Option<(Vec<u8>, Asked)>,
}

const ME: Side = Side::One;

/// The message of a panic if the bots are missing.
const ENDED: &str = "a step does not continue with a bot that has been ended";

impl<'e> Session<'e> {
    /// Starts the bot and greets it.
    pub(super) fn open(examination: &'e Examination<'e>) -> Result<Session<'e>, Halt> {
        Session::open_with(examination, |_| {})
    }

    /// The same; `prepare` may change how it is spoken to.
    pub(super) fn open_with(
        examination: &'e Examination<'e>,
        prepare: impl FnOnce(&mut BotPair),
    ) -> Result<Session<'e>, Halt> {
        let setup = examination.setup;
        Session::start(
            examination,
            &setup.player.program,
            setup.start_limit,
            prepare,
        )
    }

    /// The same, without the variable that has Python flush each line; the bot has `limit` to answer the greeting.
    pub(super) fn open_buffered(
        examination: &'e Examination<'e>,
        limit: Duration,
    ) -> Result<Session<'e>, Halt> {
        let mut program = examination.setup.player.program.clone();
        let empty = ("PYTHONUNBUFFERED".into(), "".into());
        program.variables.push(empty);
        Session::start(examination, &program, limit, |_| {})
    }

    fn start(
        examination: &'e Examination<'e>,
        program: &BotProgram,
        start_limit: Duration,
        prepare: impl FnOnce(&mut BotPair),
    ) -> Result<Session<'e>, Halt> {
        let setup = examination.setup;
        let log = DialogueLog::default();
        let names = BySide::new(setup.player.name.clone(), String::new());
        let dialogue = Dialogue::new(log.clone(), Path::new("the dialogue"), names);
        let (launch, interrupt) = (&examination.launch, setup.interrupt.clone());
        let tells_limit = !examination.seen.stumbles_over_limit.get();
        let mut session = Session {
            examination,
            bots: None,
            log,
            games: 0,
            seed: None,
            tells_limit,
            last: None,
        };
        let mut bots = match BotPair::alone(program, launch, interrupt, Some(Box::new(dialogue))) {
            Ok(bots) => bots,
            Err(error) if error.is_of_machine() => return Err(Halt::Busy(error.to_string())),
            Err(error) => {
                let over = Ending::could_not_start(ME, error).into();
                return Err(session.halt(over, Asked::Greeting, None));
            }
        };
        prepare(&mut bots);
        session.bots = Some(bots);
        session.greet(start_limit)?;
        Ok(session)
    }

    fn bots(&mut self) -> &mut BotPair {
        self.bots.as_mut().expect(ENDED)
    }

    fn set_clock(&mut self, limit: Duration) {
        let setup = self.examination.setup;
        let clock = setup
            .launch
            .clock_for(&setup.player.program, Clock::Wall(limit));
        self.bots().set_clocks(BySide::new(clock, clock));
    }

    fn greet(&mut self, limit: Duration) -> Result<(), Halt> {
        let setup = self.examination.setup;
        self.set_clock(limit);
        let put = put_greeting(self.bots(), ME);
        let began = std::time::Instant::now();
        let mut question = put.map_err(|over| self.halt(over, Asked::Greeting, None))?;
        let game = setup.rules.ruleset().word();
        let ready = receive_greeting(self.bots(), ME, game, &mut question);
        match ready {
            Ok(_profile) => {
                self.examination.seen.note_ready(began.elapsed());
                self.last = Some((b"ready".to_vec(), Asked::Greeting));
                self.set_clock(setup.limit);
                Ok(())
            }
            Err(over) => Err(self.halt(over, Asked::Greeting, Some(question))),
        }
    }

    /// Whether the step has taken too long to continue.
    pub(super) fn takes_too_long(&self) -> bool {
        self.examination.takes_too_long()
    }

    /// Announces a game that continues after the placement, and has the bot place its ships with `ask`. Returns what that
    /// gives, and the bot's seed. If the bot gives up in a process that has played before, it is asked for another game.
    ///
    /// # Errors
    /// `give_up`, if it gives up in its first game; then a new process tells whether it gives up every time.
    pub(super) fn begin_game<T>(
        &mut self,
        rules: &Rules,
        seed: u32,
        ask: impl Fn(&mut Self) -> Result<Option<T>, Halt>,
        give_up: impl FnOnce(&mut Self) -> Halt,
    ) -> Result<(T, u32), Halt> {
        let mut nth = 0;
        loop {
            let seed = self.examination.seed_instead_of(seed, nth);
            self.announce(rules, seed)?;
            let placed = ask(self)?;
            self.examination
                .seen
                .note_placement(rules.size(), placed.as_ref());
            match placed {
                Some(placed) => {
                    self.games += 1;
                    return Ok((placed, seed));
                }
                None if self.games == 0 || nth + 1 >= TRIES || self.takes_too_long() => {
                    return Err(give_up(self));
                }
                None => self.tell_end(Outcome::Void, EndedBy::CannotPlace)?,
            }
            nth += 1;
        }
    }

    /// Tells the bot its time for a reply in each game from now on, even if it stumbles over such a line.
    pub(super) const fn tell_limit(&mut self) {
        self.tells_limit = true;
    }

    /// Announces a game.
    pub(super) fn announce(&mut self, rules: &Rules, seed: u32) -> Result<(), Halt> {
        let setup = self.examination.setup;
        let clock = setup
            .launch
            .clock_for(&setup.player.program, Clock::Wall(setup.limit));
        let told = if self.tells_limit { clock } else { Clock::None };
        self.seed = Some(seed);
        for line in rules.announce() {
            self.tell(&line)?;
        }
        Ok(announce(self.bots(), ME, seed, told)?)
    }

    /// Tells the bot something that it does not answer.
    pub(super) fn tell(&mut self, notice: &Request) -> Result<(), Halt> {
        Ok(self.bots().tell(ME, format_args!("{notice}"))?)
    }

    /// Tells the bot any line.
    pub(super) fn tell_line(&mut self, line: &str) -> Result<(), Halt> {
        Ok(self.bots().tell(ME, format_args!("{line}"))?)
    }

    /// Tells the bot that it has won since its opponent gave up: an end that may come at any moment.
    pub(super) fn tell_won(&mut self) -> Result<(), Halt> {
        self.tell_end(Outcome::Won, EndedBy::Resigned)
    }

    /// Tells the bot how the game has ended.
    pub(super) fn tell_end(&mut self, outcome: Outcome, reason: EndedBy) -> Result<(), Halt> {
        self.tell(&Request::End(outcome, reason.to_string()))
    }

    /// Asks the bot for its ships. Returns `None` if it says that it cannot place them. `expected` is the expected reply, in
    /// words.
    pub(super) fn ask_for_placement(
        &mut self,
        expected: &str,
    ) -> Result<Option<Vec<Placement>>, Halt> {
        self.ask(Asked::Placement, expected, Reply::into_placement)
    }

    /// Asks the bot for its turn by that request in a game by `rules`.
    pub(super) fn ask_for_turn(&mut self, request: &Request, rules: &Rules) -> Result<Reply, Halt> {
        Ok(self.ask_for(Asked::of_turn(request), rules)?.0)
    }

    /// Asks the bot for its ships or its turn in a game by `rules`. Returns the reply, and how long it took.
    pub(super) fn ask_for(
        &mut self,
        asked: Asked,
        rules: &Rules,
    ) -> Result<(Reply, Duration), Halt> {
        let expected = if asked == Asked::Placement {
            rules.describe().expected_placement()
        } else {
            asked.request().expected()
        };
        let answers = |reply: &Reply| Asked::answered_by(reply) == Some(asked);
        self.ask_timed(asked, &expected, |reply| Some(reply).filter(answers))
    }

    /// Asks the bot something; `take` takes from the reply what was asked for, if it is that.
    fn ask<T>(
        &mut self,
        asked: Asked,
        expected: &str,
        take: impl Fn(Reply) -> Option<T>,
    ) -> Result<T, Halt> {
        Ok(self.ask_timed(asked, expected, take)?.0)
    }

    /// The same, with how long the reply took.
    fn ask_timed<T>(
        &mut self,
        asked: Asked,
        expected: &str,
        take: impl Fn(Reply) -> Option<T>,
    ) -> Result<(T, Duration), Halt> {
        let mut question = match self.bots().put(ME, format_args!("{}", asked.request())) {
            Ok(question) => question,
            Err(error) => {
                return Err(self.halt(error.of(ME), asked, None));
            }
        };
        let (line, time) = match self.bots().answer(&mut question) {
            Ok(answer) => (answer.line.to_vec(), answer.time),
            Err(error) => {
                return Err(self.halt(error.of(ME), asked, Some(question)));
            }
        };
        self.examination.seen.note_reply(time);
        let taken = match Reply::parse(&line) {
            Ok(Reply::Resign) => Err(Ending::lost_by(ME, EndedBy::Resigned, "resigned")),
            Ok(reply) => take(reply).ok_or_else(|| bad_reply(ME, expected, &line, None)),
            Err(why) => Err(bad_reply(ME, expected, &line, Some(&why))),
        };
        let previous = self.last.replace((line, asked));
        let taken = taken.map_err(|ending| self.bad_reply(ending, asked, previous))?;
        Ok((taken, time))
    }

    /// The bot said something else than what it was asked for.
    fn bad_reply(
        &mut self,
        ending: Ending,
        asked: Asked,
        previous: Option<(Vec<u8>, Asked)>,
    ) -> Halt {
        let line = self.last.take().map(|(line, _)| line).unwrap_or_default();
        // If the answer comes behind that line, the line was one too many; else it was a wrong answer.
        let behind = match self.leave(LeaveBy::Quit, LAST_WORDS) {
            Ok(report) => report.lines,
            Err(halt) => return halt,
        };
        let answers = |line: &Vec<u8>| {
            Reply::parse(line).is_ok_and(|reply| Asked::answered_by(&reply) == Some(asked))
        };
        let advice = advice::on_bad_reply(asked, &line, previous, behind.iter().any(answers));
        self.fault(ending, asked, advice)
    }

    /// Returns what the check makes of a question that has no answer.
    fn halt(&mut self, over: Stopped, asked: Asked, question: Option<Question>) -> Halt {
        let ending = match over {
            Stopped::Ended(ending) => ending,
            over @ Stopped::Failed(_) => return Halt::Over(over),
        };
        let mut aftermath = Aftermath::default();
        match ending.ended_by {
            EndedBy::Interrupted => return Halt::Over(Stopped::Ended(ending)),
            EndedBy::MachineLate => return Halt::Busy(ending.what),
            EndedBy::Timeout | EndedBy::OutOfTime | EndedBy::NotReading => {
                match self.wait_once_more(question) {
                    Ok(seen) => aftermath = seen,
                    Err(halt) => return halt,
                }
            }
            // The greeting does not say which line it was; it is the last one of the dialogue.
            EndedBy::BadReply => {
                let (line, previous) = (self.log.last_line_of_bot(), self.last.take());
                self.last = Some((line, asked));
                return self.bad_reply(ending, asked, previous);
            }
            EndedBy::FleetSunk
            | EndedBy::Resigned
            | EndedBy::IllegalPlacement
            | EndedBy::LineTooLong
            | EndedBy::Flood
            | EndedBy::ClosedOutput
            | EndedBy::UsedTooMuch
            | EndedBy::Exited
            | EndedBy::Crashed
            | EndedBy::CouldNotStart
            | EndedBy::CannotPlace
            | EndedBy::TurnCap => {}
        }
        let lines = self.log.lines();
        aftermath.spoke = lines.iter().any(|line| line.contains(" -> "));
        let request = format!(" <- {}", asked.request());
        let mut since = lines
            .iter()
            .rev()
            .take_while(|line| !line.ends_with(&request));
        aftermath.commented = since.any(|line| line.contains(" -> #"));
        let advice = advice::on_silence(ending.ended_by, asked, &aftermath);
        let mut halt = self.fault(ending, asked, advice);
        if let Halt::Fault(fault) = &mut halt {
            fault.machine_was_busy = aftermath.is_unknown();
        }
        halt
    }

    /// A reply did not come in time: does it come later, or when the bot's input ends?
    fn wait_once_more(&mut self, question: Option<Question>) -> Result<Aftermath, Halt> {
        let mut aftermath = Aftermath::default();
        let (Some(mut bots), Some(question)) = (self.bots.take(), question) else {
            return Ok(aftermath);
        };
        // Once is enough to tell a slow bot from a silent one, and a check has many steps to wait in. A bot that has begun
        // its line has answered, but for the end of the line.
        if !bots.has_begun_line(ME) && !self.examination.seen.has_waited.get() {
            let (least, most) = SECOND_WAIT;
            let patience = self.examination.setup.limit.clamp(least, most);
            match bots.wait_longer(question, patience) {
                Ok(seen) => aftermath.second_wait = seen,
                Err(AskError::Interrupted) => {
                    return Err(Halt::Over(Stopped::Ended(Ending::interrupted())));
                }
                Err(AskError::Fault(_) | AskError::MachineLate(_) | AskError::Io(_)) => {}
            }
            self.examination
                .seen
                .has_waited
                .set(!aftermath.is_unknown());
        }
        aftermath.began_line = bots.has_begun_line(ME);
        self.bots = Some(bots);
        // A bot that does not flush writes its answer when its input ends, since its output is then closed.
        let report = self.leave(LeaveBy::EndOfInput, LAST_WORDS)?;
        aftermath.said_at_end = aftermath.second_wait.reply.is_none() && !report.lines.is_empty();
        Ok(aftermath)
    }

    /// The bot is at fault; it is ended.
    pub(super) fn fault(&mut self, ending: Ending, asked: Asked, advice: advice::Advice) -> Halt {
        if let Some(bots) = self.bots.take()
            && let Err(error) = bots.end(BySide::new(Some(ending.what.as_str()), None))
        {
            return Halt::from(error);
        }
        let finding = Finding {
            what: ending.what,
            expected: advice.expected,
            cause: advice.cause,
            dialogue: if advice.needs_dialogue {
                self.dialogue()
            } else {
                Vec::new()
            },
        };
        let (ended_by, certain) = (ending.ended_by, advice.certain);
        let out_of_step = advice.out_of_step;
        let seed = self.seed;
        let machine_was_busy = false;
        Halt::Fault(Box::new(Fault {
            finding,
            ended_by,
            asked,
            seed,
            certain,
            out_of_step,
            machine_was_busy,
        }))
    }

    /// Asks the bot to leave and hears how it does. It is ended if it does not.
    pub(super) fn leave(
        &mut self,
        leave_by: LeaveBy,
        patience: Duration,
    ) -> Result<ExitReport, Halt> {
        let Some(bots) = self.bots.take() else {
            return Ok(ExitReport::default());
        };
        // Never less than in a game: a check must not fail a bot that a game would accept.
        let patience = patience.max(self.examination.launch.grace);
        let report = match bots.leave(ME, leave_by, patience) {
            Ok(report) => report,
            Err(AskError::Io(error)) => return Err(error.into()),
            Err(AskError::Interrupted) => {
                return Err(Halt::Over(Stopped::Ended(Ending::interrupted())));
            }
            // A bot that is to leave is not asked for anything, so it cannot fail to answer.
            Err(AskError::Fault(_) | AskError::MachineLate(_)) => ExitReport::default(),
        };
        self.examination.seen.note_exit(&report);
        Ok(report)
    }

    /// Asks the bot to leave, which has done what it was asked so far. Anything that it still says is too much.
    pub(super) fn close(mut self) -> Result<(), Halt> {
        let report = self.leave(LeaveBy::Quit, Duration::ZERO)?;
        self.expect_no_more(&report)
    }

    /// Checks that a bot that has left said no more than it was asked for.
    pub(super) fn expect_no_more(&mut self, report: &ExitReport) -> Result<(), Halt> {
        let Some(first) = report.lines.first() else {
            return Ok(());
        };
        let count = report.lines.len();
        let what = advice::too_many_lines(count, first);
        let advice = advice::on_lines_too_many(self.last.as_ref(), first);
        let ending = Ending {
            winner: None,
            by: Some(ME),
            ended_by: EndedBy::BadReply,
            what,
        };
        let asked = self
            .last
            .as_ref()
            .map_or(Asked::Greeting, |(_, asked)| *asked);
        Err(self.fault(ending, asked, advice))
    }

    /// The last line that it said when it was asked.
    pub(super) fn last_reply(&self) -> Vec<u8> {
        self.last
            .as_ref()
            .map(|(line, _)| line.clone())
            .unwrap_or_default()
    }

    /// Returns the dialogue so far, shortened.
    pub(super) fn dialogue(&self) -> Vec<String> {
        self.log.shortened()
    }
}
