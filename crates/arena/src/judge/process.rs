//! The process of a judge.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bothost::{AskError, BotPair, BotProgram, Fault, Interrupt, Launch, Question};
use wire::text::excerpt;
use wire::{BySide, Clock, Side};

use super::record::OwnPart;
use super::words::{JudgeLine, announced};

/// The time that a judge may take for all lines of an answer.
const LIMIT: Duration = Duration::from_secs(10);

/// The side of a process that is alone.
const ALONE: Side = Side::One;

/// A judge that has announced its game.
#[derive(Debug)]
pub(super) struct JudgeProcess {
    bots: BotPair,
    /// The name and the options of its game.
    pub(super) game: (String, String),
    /// The line that it was told last.
    last_sent: String,
    question: Option<Question>,
}

/// The reason why a judge does not continue.
#[derive(Debug)]
pub(super) enum Failed {
    /// It did something wrong.
    Judge(String),
    /// The machine was too busy to tell.
    MachineLate(String),
    /// The user asked the referee to stop.
    Interrupted,
    /// The referee or its machine failed.
    Machine(io::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Failed {
        Failed::Machine(error)
    }
}

impl Failed {
    /// Returns the failure of a judge that gave no whole answer to `line`.
    fn to_answer(line: &str, error: AskError) -> Failed {
        if let AskError::Fault(Fault::Timeout { limit, .. }) = &error {
            return Failed::Judge(format!(
                "it said neither ask nor over within {} s of {}: does the game end, and does it flush what it says?",
                limit.as_secs(),
                excerpt(line.as_bytes())
            ));
        }
        error.into()
    }
}

impl From<AskError> for Failed {
    fn from(error: AskError) -> Failed {
        match error {
            AskError::Fault(Fault::Timeout { request, .. }) => Failed::Judge(format!(
                "no answer to {request} within {} s",
                LIMIT.as_secs()
            )),
            AskError::Fault(Fault::ClosedOutput { request }) => {
                Failed::Judge(format!("closed its output before an answer to {request}"))
            }
            AskError::Fault(fault) => Failed::Judge(fault.to_string()),
            AskError::MachineLate(what) => Failed::MachineLate(what),
            AskError::Interrupted => Failed::Interrupted,
            AskError::Io(error) => Failed::Machine(error),
        }
    }
}

impl JudgeProcess {
    /// Starts a judge. Its answers are not waited for once `stop` is set.
    pub(super) fn start(
        program: &BotProgram,
        launch: &Launch,
        stop: Option<Arc<AtomicBool>>,
    ) -> Result<JudgeProcess, Failed> {
        let interrupt = Arc::new(Interrupt::with_flag(stop.unwrap_or_default())?);
        let started = BotPair::alone(program, launch, interrupt, None);
        let mut bots = started.map_err(|error| {
            if error.is_of_machine() {
                Failed::Machine(io::Error::other(format!(
                    "the judge could not be started: {error}"
                )))
            } else {
                Failed::Judge(format!("it could not be started: {error}"))
            }
        })?;
        bots.set_clocks(BySide::from_fn(|_| Clock::Wall(LIMIT)));
        let line = bots.ask(ALONE, format_args!("judge 1"))?.line;
        let game = announced(line).map_err(|why| wrong_line(line, &why))?;
        Ok(JudgeProcess {
            bots,
            game,
            last_sent: String::new(),
            question: None,
        })
    }

    /// Tells the judge `line`, which it answers.
    pub(super) fn tell(&mut self, line: &str) -> Result<(), Failed> {
        self.check_silence()?;
        self.question = Some(self.bots.put(ALONE, format_args!("{line}"))?);
        line.clone_into(&mut self.last_sent);
        Ok(())
    }

    /// Receives the next line of the answer to the last line that the judge was sent, and keeps it
    /// in `own`.
    pub(super) fn next_line(
        &mut self,
        first: Side,
        own: &mut OwnPart,
    ) -> Result<JudgeLine, Failed> {
        let question = self.question.as_mut().expect("it was told a line");
        let answer = self.bots.answer(question);
        let line = answer
            .map_err(|error| Failed::to_answer(&self.last_sent, error))?
            .line;
        let read = JudgeLine::read(line, first).map_err(|why| wrong_line(line, &why))?;
        let text = str::from_utf8(line).expect("it has been read");
        own.add_line(text, matches!(read, JudgeLine::Show(..)))?;
        // It died in the middle of the line, so the rest of what it wanted to say is not known.
        if self.bots.has_torn_line(ALONE) {
            return Err(own.wrong("the line has no line feed"));
        }
        if let JudgeLine::Over(..) = read {
            // The next game must not suffer from it.
            self.check_silence()?;
        }
        Ok(read)
    }

    /// Checks that the judge waits.
    fn check_silence(&mut self) -> Result<(), Failed> {
        match self.bots.unasked_line(ALONE)? {
            Some(line) => Err(wrong_line(line, "behind ask, bad and over it waits")),
            None => Ok(()),
        }
    }

    /// Ends the judge between two games.
    pub(super) fn quit(self) -> io::Result<()> {
        self.bots.end(BySide::default()).map(|_| ())
    }
}

/// Returns the failure of a judge that said `line`.
pub(super) fn wrong_line(line: &[u8], why: &str) -> Failed {
    Failed::Judge(format!("it said {}: {why}", excerpt(line)))
}
