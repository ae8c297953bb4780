//! One process of the bot that is checked, and the dialogue with it.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use arena::game::{EndedBy, Ending, Stopped, bad_reply, receive_greeting};
use arena::record::Dialogue;
use battleship::Rules;
use battleship::protocol::{Outcome, Reply, Request};
use bothost::{AskError, BotPair, BySide, Clock, ExitReport, LeaveBy, Question, Side};
use wire::game::announce;

use crate::advice::Advice;
use crate::advice::{self, Aftermath};
use crate::check::Check;
use crate::dialogue_log::DialogueLog;
use crate::failure::is_silence;
use crate::failure::{StepError, StepFailure};
use crate::report::Finding;
use crate::request::{GREETING, is_answer};

/// Limits of the wait for a late reply, at least and at most; it tells slow bots from silent ones.
const SECOND_WAIT: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(5));

/// The time that a bot whose input has ended may take to say what it has kept back.
const LAST_WORDS: Duration = Duration::from_secs(1);

const ME: Side = Side::One;

/// One process of the bot, and what has been said to it.
pub(crate) struct Session<'c> {
    pub(crate) check: &'c mut Check,
    /// `None` once the bot has been ended.
    bots: Option<BotPair>,
    pub(crate) log: DialogueLog,
    /// Whether the bot has placed its ships for a game.
    pub(crate) has_placed: bool,
    /// The bot's seed in the last game that was announced.
    seed: Option<u32>,
    clock: Clock,
    /// Whether the bot is told its clock.
    pub(crate) tells_limit: bool,
    /// The last reply, and the request that it answered.
    pub(crate) last: (Vec<u8>, Request),
}

impl<'c> Session<'c> {
    /// Starts the bot and greets it.
    pub(crate) fn open(check: &'c mut Check) -> Result<Session<'c>, StepError> {
        Session::open_with(|_| "\n", check)
    }

    /// Starts the bot and greets it; `line_end` is what each line that it is sent ends with.
    pub(crate) fn open_with(
        line_end: fn(&[u8]) -> &'static str,
        check: &'c mut Check,
    ) -> Result<Session<'c>, StepError> {
        let setup = &check.setup;
        let log = DialogueLog::default();
        let names = BySide::new(setup.player.name.clone(), String::new());
        let dialogue = Dialogue::new(log.clone(), Path::new("the dialogue"), names);
        let program = &setup.player.program;
        let launch = &setup.launch;
        let interrupt = setup.interrupt.clone();
        let started = BotPair::alone(program, launch, interrupt, Some(Box::new(dialogue)));
        let start_clock = launch.clock_for(program, Clock::Wall(setup.start_limit));
        let clock = launch.clock_for(program, setup.clock);
        let game = setup.game().to_owned();
        let mut session = Session {
            tells_limit: !check.stumbles_over_limit,
            check,
            bots: None,
            log,
            has_placed: false,
            seed: None,
            clock,
            // What answers the greeting, until something else is asked.
            last: (b"ready".to_vec(), GREETING),
        };
        match started {
            Ok(bots) => session.bots = Some(bots),
            Err(error) if error.is_of_machine() => return Err(StepError::Busy(error.to_string())),
            Err(error) => {
                let stopped = Ending::could_not_start(ME, error).into();
                return Err(session.no_answer(stopped, GREETING, None));
            }
        }
        let bots = session.bots();
        bots.end_lines_with(line_end);
        bots.set_clocks(BySide::new(start_clock, start_clock));
        let mut question = session.put(&GREETING)?;
        let began = Instant::now();
        if let Err(stopped) = receive_greeting(session.bots(), ME, &game, &mut question) {
            return Err(session.no_answer(stopped, GREETING, Some(question)));
        }
        session.bots().set_clocks(BySide::new(clock, clock));
        session.check.ready = session.check.ready.max(began.elapsed());
        Ok(session)
    }

    fn bots(&mut self) -> &mut BotPair {
        let bots = self.bots.as_mut();
        bots.expect("a step does not continue with a bot that has been ended")
    }

    /// Announces a game.
    pub(crate) fn announce(&mut self, rules: &Rules, seed: u32) -> Result<(), StepError> {
        let clock = if self.tells_limit {
            self.clock
        } else {
            Clock::None
        };
        self.seed = Some(seed);
        // The clock of a game begins anew.
        let own = self.clock;
        self.bots().set_clocks(BySide::new(own, own));
        for line in rules.announce() {
            self.tell(line)?;
        }
        Ok(announce(self.bots(), ME, seed, clock)?)
    }

    /// Sends the bot a line that it does not answer.
    pub(crate) fn tell(&mut self, line: impl fmt::Display) -> Result<(), StepError> {
        Ok(self.bots().tell(ME, format_args!("{line}"))?)
    }

    /// Tells the bot that it has won since its opponent gave up: an end that may come at any
    /// moment.
    pub(crate) fn tell_won(&mut self) -> Result<(), StepError> {
        self.tell_end(Outcome::Won, EndedBy::Resigned)
    }

    /// Tells the bot how the game has ended.
    pub(crate) fn tell_end(&mut self, outcome: Outcome, why: EndedBy) -> Result<(), StepError> {
        self.tell(Request::End(outcome, why.to_string()))
    }

    /// Asks the bot for its ships or its turn, and returns a reply to this request; in words, that
    /// is `expected`.
    pub(crate) fn ask(&mut self, request: Request, expected: &str) -> Result<Reply, StepError> {
        let mut question = self.put(&request)?;
        let line = match self.bots().answer(&mut question) {
            Ok(answer) => {
                let line = answer.line.to_vec();
                let time = answer.time;
                let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
                self.check.times.add(micros);
                line
            }
            Err(error) => return Err(self.no_answer(error.of(ME), request, Some(question))),
        };
        let ending = match Reply::parse(&line) {
            Ok(reply) if is_answer(&reply, &request) => {
                self.last = (line, request);
                return Ok(reply);
            }
            Ok(Reply::Resign) => Ending::lost_by(ME, EndedBy::Resigned, "resigned"),
            Ok(_) => bad_reply(ME, expected, &line, None),
            Err(why) => bad_reply(ME, expected, &line, Some(&why)),
        };
        Err(self.bad_reply(ending, request, &line))
    }

    fn put(&mut self, request: &Request) -> Result<Question, StepError> {
        if let Some(left) = self.bots().time_left(ME).filter(|_| self.tells_limit) {
            self.tell(Request::Clock(left))?;
        }
        let put = self.bots().put(ME, format_args!("{request}"));
        put.map_err(|error| self.no_answer(error.of(ME), request.clone(), None))
    }

    /// Returns the failure of a bot that said something else than what it was asked for.
    fn bad_reply(&mut self, ending: Ending, request: Request, line: &[u8]) -> StepError {
        // If the answer comes behind that line, the line was one too many; else it was a wrong
        // answer.
        let answer_follows = match self.leave(LeaveBy::Quit, LAST_WORDS) {
            Ok(report) => report
                .lines
                .iter()
                .any(|line| Reply::parse(line).is_ok_and(|reply| is_answer(&reply, &request))),
            Err(error) => return error,
        };
        let advice = advice::on_bad_reply(&request, line, Some(&self.last), answer_follows);
        self.fail(ending, request, advice)
    }

    /// Returns the finding on a question that has no answer.
    fn no_answer(
        &mut self,
        stopped: Stopped,
        request: Request,
        question: Option<Question>,
    ) -> StepError {
        let Stopped::Ended(ending) = stopped else {
            return StepError::Stopped(stopped);
        };
        if ending.ended_by == EndedBy::Interrupted {
            return StepError::Stopped(ending.into());
        }
        if ending.ended_by == EndedBy::MachineLate {
            return StepError::Busy(ending.what);
        }
        if ending.ended_by == EndedBy::BadReply {
            // The greeting does not say which line it was; it is the last one of the dialogue.
            let line = self.log.last_line_of_bot();
            return self.bad_reply(ending, request, &line);
        }
        let mut aftermath = Aftermath::default();
        if is_silence(ending.ended_by) {
            aftermath = match self.wait_once_more(question) {
                Ok(aftermath) => aftermath,
                Err(error) => return error,
            };
        }
        let lines = self.log.lines();
        aftermath.spoke = lines.iter().any(|line| line.contains(" -> "));
        let asked = format!(" <- {request}");
        let mut since = lines
            .iter()
            .rev()
            .take_while(|line| !line.ends_with(&asked));
        let program = &self.check.setup.player.program;
        aftermath.flushing = program.flushing.map(|way| way.how);
        aftermath.commented = since.any(|line| line.contains(" -> #"));
        let advice = advice::on_silence(ending.ended_by, &request, &aftermath);
        let mut error = self.fail(ending, request, advice);
        if let StepError::Failure(failure) = &mut error {
            failure.machine_was_busy = aftermath.is_unknown();
        }
        error
    }

    /// A reply did not come in time: does it come later, or when the bot's input ends?
    fn wait_once_more(&mut self, question: Option<Question>) -> Result<Aftermath, StepError> {
        let mut aftermath = Aftermath::default();
        let (Some(mut bots), Some(question)) = (self.bots.take(), question) else {
            return Ok(aftermath);
        };
        // Once is enough to tell a slow bot from a silent one, and a check has many steps to wait
        // in. A bot that has begun its line has answered, but for the end of the line.
        if !bots.has_begun_line(ME) && !self.check.has_waited {
            let (least, most) = SECOND_WAIT;
            match bots.wait_longer(question, self.check.setup.limit().clamp(least, most)) {
                Ok(second_wait) => aftermath.second_wait = second_wait,
                Err(error @ AskError::Interrupted) => {
                    return Err(StepError::Stopped(error.of(ME)));
                }
                Err(_) => {}
            }
            self.check.has_waited = !aftermath.is_unknown();
        }
        aftermath.began_line = bots.has_begun_line(ME);
        self.bots = Some(bots);
        // A bot that does not flush writes its answer when its input ends, since its output is then
        // closed.
        let report = self.leave(LeaveBy::EndOfInput, LAST_WORDS)?;
        aftermath.said_at_end = aftermath.second_wait.reply.is_none() && !report.lines.is_empty();
        Ok(aftermath)
    }

    /// Ends the bot, which is at fault.
    pub(crate) fn fail(&mut self, ending: Ending, request: Request, advice: Advice) -> StepError {
        if let Some(bots) = self.bots.take()
            && let Err(error) = bots.end(BySide::new(Some(ending.what.as_str()), None))
        {
            return error.into();
        }
        let dialogue = if advice.needs_dialogue {
            self.log.shortened()
        } else {
            Vec::new()
        };
        StepError::Failure(Box::new(StepFailure {
            finding: Finding {
                what: ending.what,
                expected: advice.expected,
                cause: advice.cause,
                dialogue,
            },
            ended_by: ending.ended_by,
            request,
            seed: self.seed,
            certain: advice.certain,
            out_of_step: advice.out_of_step,
            places_as_usual: false,
            machine_was_busy: false,
        }))
    }

    /// Asks the bot to leave and returns how it does. It is ended if it does not.
    pub(crate) fn leave(
        &mut self,
        by: LeaveBy,
        patience: Duration,
    ) -> Result<ExitReport, StepError> {
        let Some(bots) = self.bots.take() else {
            return Ok(ExitReport::default());
        };
        // Never less than in a game: a check must not fail a bot that a game would accept.
        let patience = patience.max(self.check.setup.launch.grace);
        let report = match bots.leave(ME, by, patience) {
            Ok(report) => report,
            // A bot that is to leave is not asked for anything, so it cannot fail to answer.
            Err(AskError::Fault(_) | AskError::MachineLate(_)) => ExitReport::default(),
            Err(error) => return Err(StepError::Stopped(error.of(ME))),
        };
        if let Some(names) = &report.behind {
            let behind = self.check.behind.get_or_insert_default();
            behind.extend(names.iter().cloned());
        }
        Ok(report)
    }

    /// Asks the bot to leave, which has done what it was asked so far. Anything that it still says
    /// is too much.
    pub(crate) fn close(mut self) -> Result<(), StepError> {
        let report = self.leave(LeaveBy::Quit, Duration::ZERO)?;
        let request = self.last.1.clone();
        let Some((what, advice)) = advice::on_lines_too_many(&report.lines, &request) else {
            return Ok(());
        };
        let ending = Ending::void(Some(ME), EndedBy::BadReply, what);
        Err(self.fail(ending, request, advice))
    }
}
