//! The players that the page has: they are started, told and heard by calls.

#![allow(unsafe_code, reason = "functions of the page's have no other form")]

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use wire::Side;

use crate::pipe::{Read, Ready, Written};
use crate::{BotProgram, Interrupt, Launch, StartError};

/// The longest sleep of a pair.
const TICK: Duration = Duration::from_millis(20);

/// The functions of the page. All calls return at once; the player computes within `say`.
mod page {
    #[link(wasm_import_module = "players")]
    unsafe extern "C" {
        /// Starts the player that is named by `length` bytes of UTF-8 at `line`, its command line.
        /// Returns its handle, or
        /// -1 if there is no such player.
        pub(super) fn start(line: *const u8, length: usize) -> i32;
        /// Hands the player whole lines for its standard input; none of them is its end.
        pub(super) fn say(player: i32, lines: *const u8, length: usize);
        /// Copies what the player has said on `stream`, 1 for standard output and 2 for standard
        /// error, and returns the number of bytes: 0 if there is nothing now, -1 if nothing can
        /// come any more.
        pub(super) fn read(player: i32, stream: i32, buffer: *mut u8, length: usize) -> i32;
        /// Ends the player.
        pub(super) fn end(player: i32);
    }
}

const STDOUT: i32 = 1;
const STDERR: i32 = 2;

/// A player that the page has; `None` once it was ended.
#[derive(Debug)]
pub(crate) struct Process(Option<i32>);

impl Process {
    pub(crate) fn start(
        program: &BotProgram,
        launch: &Launch,
        _: &Waiter,
    ) -> Result<(Process, Streams), StartError> {
        let program = launch.resolve(program)?.0;
        let words = [&program.file].into_iter().chain(&program.arguments);
        let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
        let line = words.join(" ");
        // SAFETY: the text lives until the call returns.
        let handle = unsafe { page::start(line.as_ptr(), line.len()) };
        if handle < 0 {
            return Err(StartError::new(&program, &io::ErrorKind::NotFound.into()));
        }
        let streams = Streams {
            handle,
            stdin_open: true,
            stdout_open: true,
            is_quiet: false,
        };
        Ok((Process(Some(handle)), streams))
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.unwrap_or_default().unsigned_abs()
    }

    /// Returns the player's status at its end, if it has ended. It will not end while it is waited
    /// for.
    pub(crate) fn wait(&mut self, _: Duration) -> io::Result<Option<ExitStatus>> {
        let is_over = self
            .0
            .is_none_or(|it| read(it, STDOUT, &mut []) == Read::End);
        Ok(is_over.then(ExitStatus::default))
    }

    pub(crate) fn computed(&self) -> Option<Duration> {
        None
    }

    pub(crate) fn end(&mut self) -> io::Result<bool> {
        if let Some(handle) = self.0.take() {
            // SAFETY: nothing is borrowed.
            unsafe { page::end(handle) };
        }
        Ok(true)
    }
}

/// The referee's ends of what a player is told and says.
#[derive(Debug)]
pub(crate) struct Streams {
    handle: i32,
    stdin_open: bool,
    stdout_open: bool,
    /// Whether all that it has said since it was told something has been read.
    is_quiet: bool,
}

impl Streams {
    pub(crate) const READ_ALL: bool = false;
    pub(crate) const HIDE_EXIT: bool = true;

    /// It has read all that it was told.
    pub(crate) fn unread(&self) -> usize {
        0
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<Written> {
        if !self.stdin_open {
            return Ok(Written::Closed);
        }
        self.is_quiet = false;
        // SAFETY: the bytes live until the call returns.
        unsafe { page::say(self.handle, bytes.as_ptr(), bytes.len()) };
        Ok(Written::Bytes(bytes.len()))
    }

    pub(crate) fn read_stdout(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        let mut came = Read::End;
        if self.stdout_open {
            came = read(self.handle, STDOUT, buffer);
        }
        self.is_quiet = came == Read::Nothing;
        Ok(came)
    }

    pub(crate) fn read_stderr(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        Ok(read(self.handle, STDERR, buffer))
    }

    pub(crate) fn close_stdin(&mut self) {
        if std::mem::replace(&mut self.stdin_open, false) {
            // SAFETY: nothing is handed over.
            unsafe { page::say(self.handle, std::ptr::null(), 0) };
        }
    }

    pub(crate) fn close_stdout(&mut self) {
        self.stdout_open = false;
    }
}

fn read(handle: i32, stream: i32, buffer: &mut [u8]) -> Read {
    // SAFETY: the buffer lives until the call returns, and the page writes no further than its
    // length.
    let count = unsafe { page::read(handle, stream, buffer.as_mut_ptr(), buffer.len()) };
    match usize::try_from(count) {
        Ok(0) => Read::Nothing,
        Ok(count) => Read::Bytes(count),
        Err(_) => Read::End,
    }
}

/// The wait for a player, which has said all that it will say as soon as it was told something.
#[derive(Debug)]
pub(crate) struct Waiter;

impl Waiter {
    pub(crate) fn new(_: &Arc<Interrupt>) -> Waiter {
        Waiter
    }

    /// Lets the time pass, if there is nothing to read: nothing comes while it is waited for.
    pub(crate) fn wait(
        &mut self,
        _: Side,
        (asked, _): (&Streams, bool),
        _: Option<&Streams>,
        left: Option<Duration>,
    ) -> io::Result<Ready> {
        if asked.is_quiet {
            std::thread::sleep(left.map_or(TICK, |left| left.min(TICK)));
        }
        Ok(Ready {
            writable: true,
            readable: true,
            ended: false,
            stderr: true,
        })
    }
}
