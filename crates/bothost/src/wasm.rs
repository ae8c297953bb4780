//! Bots that are WebAssembly modules: a program beside the referee runs them, and tells why one
//! could not continue.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::bot::BotProcess;
use super::last_words::last_words;
use super::{AskError, BotProgram, Clock, Fault, Question, Waited, text};

/// The way to run bots that are WebAssembly modules.
#[derive(Clone, Debug)]
pub struct WasmRunner {
    /// The program that runs them: `referee-wasm`. No other program's verdicts are believed.
    pub program: PathBuf,
    /// The fuel for each reply, in millions of units. A million units are a millisecond of the
    /// bot's clock.
    pub fuel: u32,
}

/// The reason why a module could not continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostVerdict {
    /// It waited for a line while its reply was waited for.
    Silent,
    /// It used up its fuel without a reply.
    OutOfFuel,
    /// The module had the processor for this long, and neither replied nor used up its fuel.
    OutOfTime(Duration),
    /// It did something that a module may not do: what, and when.
    Trapped(String),
    /// It took more memory than it may have.
    UsedTooMuch(String),
    /// It could not be started: why.
    NotStarted(String),
    /// The machine could not run it, for this reason; it is not to blame.
    OfMachine(String),
}

impl WasmRunner {
    /// Bytes of memory that the interpreter may take in a sandbox besides its module's: so that a
    /// module is refused memory before its sandbox ends it, at the same place each time.
    pub const BESIDES: u64 = 256 << 20;

    /// Returns the processor time in which any machine runs through the fuel for a reply, `millions`
    /// of units: a unit is a nanosecond, or a few.
    #[must_use]
    pub fn processor_limit(millions: u32) -> Duration {
        Duration::from_secs(60) + 50 * Duration::from_millis(millions.into())
    }

    /// Returns the real time after which a machine that has not given a module its processor time is
    /// too busy.
    #[must_use]
    pub fn wall_limit(millions: u32) -> Duration {
        4 * WasmRunner::processor_limit(millions)
    }

    /// Returns the program that runs `program`, which is a module, with `memory` bytes.
    pub(super) fn hosting(&self, program: &BotProgram, memory: u64) -> BotProgram {
        let options = [
            format!("--fuel={}", self.fuel),
            format!("--max-memory={}", memory >> 20),
            "--".to_owned(),
        ];
        let mut view = program.view.clone();
        let mut file = PathBuf::from(&program.file);
        // The program of a submission is in its folder, in which it is started. Any other may be
        // started elsewhere.
        if !view.is_closed() {
            file = program.located(&file);
            file = std::path::absolute(&file).unwrap_or(file);
            view.show_instead(vec![file.clone()]);
        }
        let words = [file.into()]
            .into_iter()
            .chain(program.arguments.iter().cloned());
        BotProgram {
            view,
            file: self.program.clone().into(),
            arguments: options
                .into_iter()
                .map(OsString::from)
                .chain(words)
                .collect(),
            ..program.clone()
        }
    }
}

impl BotProgram {
    /// Returns whether the program is a WebAssembly module, by the end of its file's name.
    #[must_use]
    pub fn is_wasm(&self) -> bool {
        Path::new(&self.file)
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("wasm"))
    }
}

impl HostVerdict {
    /// The byte before a verdict on standard error. What a module writes there never has it.
    pub const MARK: u8 = 0x1e;

    /// Returns the word for the verdict, and its explanation.
    fn parts(&self) -> (&str, String) {
        match self {
            HostVerdict::Silent => ("silent", String::new()),
            HostVerdict::OutOfFuel => ("out of fuel", String::new()),
            HostVerdict::OutOfTime(time) => ("out of time", time.as_secs().to_string()),
            HostVerdict::Trapped(what) => ("trapped", what.clone()),
            HostVerdict::UsedTooMuch(what) => ("too much memory", what.clone()),
            HostVerdict::NotStarted(why) => ("not started", why.clone()),
            HostVerdict::OfMachine(why) => ("machine", why.clone()),
        }
    }

    /// Returns the line that tells the referee of the verdict.
    #[must_use]
    pub fn line(&self) -> String {
        let (word, what) = self.parts();
        format!("\n{}{word}: {what}\n", char::from(HostVerdict::MARK))
    }

    /// Returns the verdict in the last line of `stderr`, which is that of a host; `None` if it has
    /// none.
    pub(super) fn last_in(stderr: &[u8]) -> Option<HostVerdict> {
        let mark = stderr.iter().rposition(|byte| *byte == HostVerdict::MARK)?;
        let line = stderr[mark + 1..].strip_suffix(b"\n")?;
        let line = text::shown(line);
        let (word, what) = line.split_once(": ")?;
        let verdicts = [
            HostVerdict::Silent,
            HostVerdict::OutOfFuel,
            HostVerdict::OutOfTime(Duration::from_secs(what.parse().unwrap_or_default())),
            HostVerdict::Trapped(what.to_owned()),
            HostVerdict::UsedTooMuch(what.to_owned()),
            HostVerdict::NotStarted(what.to_owned()),
            HostVerdict::OfMachine(what.to_owned()),
        ];
        verdicts
            .into_iter()
            .find(|verdict| verdict.parts().0 == word)
    }
}

impl BotProcess {
    /// Why a module ended without an answer to `question`, if its host says so; nobody else is
    /// believed.
    pub(super) fn hosts_verdict(&self, question: &Question) -> Option<AskError> {
        let Clock::Fuel { .. } = self.clock.clock else {
            return None;
        };
        let late = |waited| Fault::Timeout {
            request: self.request.clone(),
            limit: self.clock.clock.reply_limit().unwrap_or_default(),
            waited,
        };
        let fault = match HostVerdict::last_in(&self.log.parts().concat())? {
            HostVerdict::OutOfFuel => late(Waited::Fuel),
            HostVerdict::OutOfTime(time) => late(Waited::Processor(time)),
            HostVerdict::Silent => late(Waited::of(self.inbox.partial(), question.comments)),
            HostVerdict::Trapped(what) => Fault::Trapped {
                what,
                last_words: last_words(&self.log),
            },
            HostVerdict::UsedTooMuch(what) => Fault::UsedTooMuch(what),
            HostVerdict::NotStarted(why) => Fault::NotStarted(why),
            HostVerdict::OfMachine(why) => return Some(AskError::MachineLate(why)),
        };
        Some(fault.into())
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{
        AskError, BotPair, BotProgram, BySide, Clock, Fault, Interrupt, Launch, Side, WasmRunner,
    };

    /// Returns the error of a question to a module whose host ends with `verdict`.
    fn error_by(verdict: &str) -> AskError {
        let folder = tempfile::tempdir().unwrap();
        let host = folder.path().join("host");
        let script = format!("#!/bin/sh\nread line\nprintf '\\n\\036{verdict}\\n' >&2\n");
        std::fs::write(&host, script).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&host, mode).unwrap();
        let bot = BotProgram {
            file: "bot.wasm".into(),
            arguments: Vec::new(),
            folder: None,
            command_line: "bot.wasm".to_owned(),
            ..BotProgram::default()
        };
        let launch = Launch {
            wasm: Some(WasmRunner {
                program: host,
                fuel: 1,
            }),
            ..Launch::unsupervised()
        };
        let interrupt = Arc::new(Interrupt::never().unwrap());
        let mut bots = BotPair::alone(&bot, &launch, interrupt, None).unwrap();
        bots.set_clocks(BySide::from_fn(|_| Clock::Fuel { millions: 1 }));
        bots.ask(Side::One, format_args!("guess")).unwrap_err()
    }

    #[test]
    fn a_failing_machine_is_no_modules_fault() {
        let error = error_by("machine: too slow");
        assert!(matches!(error, AskError::MachineLate(why) if why == "too slow"));
    }

    #[test]
    fn a_module_that_had_the_processor_is_late() {
        let error = error_by("out of time: 110");
        assert!(matches!(error, AskError::Fault(Fault::Timeout { .. })));
        assert_eq!(
            error.to_string(),
            "no reply to guess within 110 s of processor time, for its fuel of 1 million (loads that miss every cache?)"
        );
    }
}
