//! The players that the page has: they are started, told and heard by calls.

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Duration;

use crate::pipe::{Came, Took};

/// The functions of the page. All calls return at once; the player computes within `say`.
#[allow(unsafe_code, reason = "functions of the page's have no other form")]
mod page {
    #[link(wasm_import_module = "players")]
    unsafe extern "C" {
        /// Starts the player that is named by `length` bytes of UTF-8 at `line`, its command line. Returns its handle, or
        /// -1 if there is no such player.
        pub(super) fn start(line: *const u8, length: usize) -> i32;
        /// Hands the player whole lines for its standard input; none of them is its end.
        pub(super) fn say(player: i32, lines: *const u8, length: usize);
        /// Copies what the player has said on `stream`, 1 for standard output and 2 for standard error, and returns the number
        /// of bytes: 0 if there is nothing now, -1 if nothing can come any more.
        pub(super) fn read(player: i32, stream: i32, buffer: *mut u8, length: usize) -> i32;
        /// Ends the player.
        pub(super) fn end(player: i32);
    }
}

const STDOUT: i32 = 1;
const STDERR: i32 = 2;

/// A player in place of a process.
#[derive(Debug)]
pub(crate) struct Child {
    handle: i32,
    is_over: bool,
}

/// Starts the player that `command` names.
///
/// # Errors
/// If the page has none of that name.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    let line = words.join(" ");
    // SAFETY: the text lives until the call returns.
    #[allow(unsafe_code, reason = "as above")]
    let handle = unsafe { page::start(line.as_ptr(), line.len()) };
    if handle < 0 {
        Err(io::ErrorKind::NotFound.into())
    } else {
        Ok(Child {
            handle,
            is_over: false,
        })
    }
}

impl Child {
    pub(crate) fn id(&self) -> u32 {
        self.handle.unsigned_abs()
    }

    pub(crate) fn kill(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_over, true) {
            // SAFETY: nothing is borrowed.
            #[allow(unsafe_code, reason = "as above")]
            unsafe {
                page::end(self.handle);
            }
        }
        Ok(())
    }

    pub(crate) fn wait(&mut self) -> io::Result<ExitStatus> {
        Ok(ExitStatus::default())
    }

    /// Returns how the player ended, if it has. It will not end while it is waited for.
    pub(crate) fn wait_timeout(&mut self, _patience: Duration) -> io::Result<Option<ExitStatus>> {
        let ended = self.is_over || read(self.handle, STDOUT, &mut []) == Came::End;
        Ok(ended.then(ExitStatus::default))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// The referee's ends of what a player is told and says.
#[derive(Debug)]
pub(crate) struct Player {
    handle: i32,
    /// Whether its input is open, and its output.
    open: [bool; 2],
    /// Whether all that it has said since it was told something has been read.
    is_quiet: bool,
}

impl Player {
    pub(crate) fn to(child: &mut Child, _wake: &SyncSender<()>) -> io::Result<Player> {
        Ok(Player {
            handle: child.handle,
            open: [true; 2],
            is_quiet: false,
        })
    }

    /// Lets `time` pass, if there is nothing to read: nothing comes while it is waited for.
    pub(crate) fn wait(&self, _woken: &Receiver<()>, time: Duration) {
        if self.is_quiet {
            std::thread::sleep(time);
        }
    }

    /// It has read all that it was told.
    pub(crate) fn unread(&self) -> usize {
        0
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Took {
        if !self.open[0] {
            return Took::Closed;
        }
        self.is_quiet = false;
        // SAFETY: the bytes live until the call returns.
        #[allow(unsafe_code, reason = "as above")]
        unsafe {
            page::say(self.handle, bytes.as_ptr(), bytes.len());
        }
        Took::Bytes(bytes.len())
    }

    pub(crate) fn read_stdout(&mut self, buffer: &mut [u8]) -> Came {
        let came = if self.open[1] {
            read(self.handle, STDOUT, buffer)
        } else {
            Came::End
        };
        self.is_quiet = came == Came::Nothing;
        came
    }

    pub(crate) fn read_stderr(&mut self, buffer: &mut [u8]) -> Came {
        read(self.handle, STDERR, buffer)
    }

    pub(crate) fn close_stdin(&mut self) {
        if std::mem::replace(&mut self.open[0], false) {
            // SAFETY: nothing is handed over.
            #[allow(unsafe_code, reason = "as above")]
            unsafe {
                page::say(self.handle, std::ptr::null(), 0);
            }
        }
    }

    pub(crate) fn close_stdout(&mut self) {
        self.open[1] = false;
    }
}

fn read(handle: i32, stream: i32, buffer: &mut [u8]) -> Came {
    // SAFETY: the buffer lives until the call returns, and the page writes no further than its length.
    #[allow(unsafe_code, reason = "as above")]
    let count = unsafe { page::read(handle, stream, buffer.as_mut_ptr(), buffer.len()) };
    match usize::try_from(count) {
        Ok(0) => Came::Nothing,
        Ok(count) => Came::Bytes(count),
        Err(_) => Came::End,
    }
}

/// The processes of a player: none.
#[derive(Debug)]
pub(crate) struct Group;

impl Group {
    pub(crate) fn prepare(_command: &mut Command) {}

    pub(crate) fn of(_child: &Child) -> io::Result<Group> {
        Ok(Group)
    }

    pub(crate) fn kill(&self) {}

    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        None
    }
}
