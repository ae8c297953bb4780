//! A bot that is a WebAssembly module: its dialogue on standard input and output, by an interpreter
//! whose fuel is the bot's only clock.
//!
//! The run of a module depends on its file, its arguments and the lines that it reads, and on
//! nothing else: it gets one line at a time, its clock is the fuel that it has used, its random
//! bytes come from the seed of its game, and it has neither files nor a network. So it plays the
//! same game on every machine, and loses by the same fault at the same instruction.

#![warn(missing_docs)]

mod allocator;
mod dialogue;
mod module;
mod processor;
mod wasi;

use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::sync::PoisonError;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use bothost::HostVerdict;

pub use allocator::LimitedAllocator;

/// The most bytes of a module.
pub const MOST_BYTES: u64 = 32 << 20;

/// The limits of a module.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Units of fuel for each reply. One is about an instruction, and a nanosecond of the module's
    /// clock.
    pub fuel: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// The processor time in which any machine runs through the fuel. A module that takes more, as
    /// by loads that miss every cache, is to blame.
    pub processor: Duration,
    /// The real time in which a machine gives a module that processor time, unless the machine is
    /// far too busy. That is no fault of the module.
    pub wall: Duration,
}

/// The three streams of a module.
#[derive(Debug)]
pub struct Streams<I, O, E> {
    /// The lines of the referee.
    pub input: I,
    /// Its replies.
    pub output: O,
    /// Its output for debugging.
    pub errors: E,
}

/// The end of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It left by itself, with this exit code.
    Exited(u32),
    /// It could not continue: why.
    Failed(HostVerdict),
    /// Its output is not read any more.
    Unheard,
}

/// Runs the module in `file` until it ends. Returns how it ended.
///
/// A module that ends after it has replied is not left before the next request has been read:
/// otherwise the referee would find it gone now or later, as the machine is busy. `arguments` begin
/// with the program's name. A module that does not use up its fuel in time is left where it is.
pub fn run<I, O, E>(
    file: impl AsRef<Path>,
    arguments: Vec<Vec<u8>>,
    limits: Limits,
    streams: Streams<I, O, E>,
) -> End
where
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
    E: Write + Send + 'static,
{
    let bytes = match read(file.as_ref()) {
        Ok(bytes) => bytes,
        Err(why) => return End::Failed(HostVerdict::NotStarted(why)),
    };
    let mut dialogue = dialogue::Dialogue::new(streams);
    let since = dialogue.since.clone();
    let (done, ended) = mpsc::channel();
    let thread = thread::Builder::new()
        .stack_size(module::STACK)
        .spawn(move || {
            let end;
            (end, dialogue) = module::run(&bytes, arguments, limits, dialogue);
            if end != End::Unheard {
                dialogue.linger();
            }
            let _ = done.send(end);
        });
    if let Err(error) = thread {
        let why = format!("a thread for a module could not be started: {error}");
        return End::Failed(HostVerdict::OfMachine(why));
    }
    loop {
        match ended.recv_timeout(LOOK.min(limits.wall).min(limits.processor)) {
            Ok(end) => return end,
            Err(RecvTimeoutError::Disconnected) => {
                let what = "the interpreter failed".to_owned();
                return End::Failed(HostVerdict::Trapped(what));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let since = *since.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(since) = since else {
            continue;
        };
        if since.computed() > limits.processor {
            return End::Failed(HostVerdict::OutOfTime(limits.processor));
        }
        if since.real.elapsed() > limits.wall {
            return End::Failed(HostVerdict::OfMachine(format!(
                "the machine is too busy: within {} s it gave a module less than {} s of processor time, and the module did not use up its fuel of {} million",
                limits.wall.as_secs(),
                limits.processor.as_secs(),
                limits.fuel / 1_000_000,
            )));
        }
    }
}

/// A moment, by both clocks.
#[derive(Clone, Copy, Debug)]
struct Moment {
    real: Instant,
    processor: Option<Duration>,
}

impl Moment {
    fn now() -> Moment {
        Moment {
            real: Instant::now(),
            processor: processor::time(),
        }
    }

    /// Returns the processor time of this process since then, which the interpreter alone uses;
    /// none if the system does not tell.
    fn computed(&self) -> Duration {
        let now = processor::time().zip(self.processor);
        now.map_or(Duration::ZERO, |(now, then)| now.saturating_sub(then))
    }
}

/// The time between two looks at how long a module has run.
const LOOK: Duration = Duration::from_secs(1);

/// Returns the bytes of a module, or why there are none.
fn read(file: &Path) -> Result<Vec<u8>, String> {
    let why = |error: io::Error| format!("the module cannot be read: {error}");
    let mut bytes = Vec::new();
    let opened = File::open(file).map_err(why)?;
    opened
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(why)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("the module has more than {} MiB", MOST_BYTES >> 20));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
