//! A pseudo-terminal with a program in it.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::stdio::stdin;
use rustix::termios::{
    LocalModes, OptionalActions, Termios, Winsize, tcgetattr, tcsetattr, tcsetwinsize,
};

/// Far more than any step takes; only a failing test waits so long.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub const CTRL_C: &str = "\x03";
pub const CTRL_D: &str = "\x04";

/// A pseudo-terminal, and the program that leads its session. Dropping it hangs up.
pub struct Terminal {
    /// The person's end; `None` after hanging up.
    near: Option<File>,
    child: Child,
    /// Bytes that were read and that no `expect` has taken yet.
    unread: Vec<u8>,
}

impl Terminal {
    /// Starts `command` in a terminal of 80x24 that does not echo.
    pub fn of(command: Command) -> Terminal {
        Terminal::sized((80, 24), command)
    }

    /// Starts `command` in a terminal of that many columns and rows that does not echo.
    pub fn sized(size: (u16, u16), mut command: Command) -> Terminal {
        let near = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&near).unwrap();
        unlockpt(&near).unwrap();
        let name = ptsname(&near, Vec::new()).unwrap().into_string().unwrap();
        let not_ours = OpenptFlags::NOCTTY.bits().cast_signed();
        let far = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(not_ours)
            .open(name);
        let far = far.unwrap();
        command
            .stdin(far.try_clone().unwrap())
            .stdout(far.try_clone().unwrap())
            .stderr(far);
        let lead = || {
            rustix::process::setsid()?;
            Ok(rustix::process::ioctl_tiocsctty(stdin())?)
        };
        // SAFETY: It makes two system calls and neither locks nor allocates, so it may run between
        // fork and exec.
        unsafe { command.pre_exec(lead) };
        let near = File::from(near);
        echo(&near, false);
        resize(&near, size);
        let child = command.spawn().unwrap();
        Terminal {
            near: Some(near),
            child,
            unread: Vec::new(),
        }
    }

    fn near(&self) -> &File {
        self.near.as_ref().expect("it is closed when it is dropped")
    }

    /// Shows what is typed from now on.
    pub fn echo(&self) {
        echo(self.near(), true);
    }

    /// Gives the terminal another size, in columns and rows.
    pub fn resize(&self, size: (u16, u16)) {
        resize(self.near(), size);
    }

    /// Returns the modes of the terminal.
    pub fn modes(&self) -> Termios {
        tcgetattr(self.near()).unwrap()
    }

    /// Types `keys`.
    pub fn send(&self, keys: &str) {
        self.near().write_all(keys.as_bytes()).unwrap();
    }

    /// Returns the next bytes that the programs write, at least one.
    ///
    /// # Errors
    /// If nothing comes for a long time, or if the last program has closed the terminal.
    pub fn read(&mut self) -> Result<Vec<u8>, &'static str> {
        let mut near = self.near();
        let patience = Timespec::try_from(PATIENCE).unwrap();
        loop {
            match poll(&mut [PollFd::new(&near, PollFlags::IN)], Some(&patience)) {
                Ok(0) => return Err("nothing more is written"),
                Ok(_) => break,
                Err(error) => assert_eq!(error, rustix::io::Errno::INTR),
            }
        }
        let mut bytes = vec![0; 1 << 16];
        match near.read(&mut bytes) {
            Ok(count) if count > 0 => {
                bytes.truncate(count);
                Ok(bytes)
            }
            // Linux says with an error (EIO) that the other end is closed.
            Ok(_) | Err(_) => Err("the program has ended"),
        }
    }

    /// Waits for `text`, and returns all that was written up to its end and not returned before.
    ///
    /// # Errors
    /// If it does not come: why, and what came instead.
    pub fn expect(&mut self, text: &str) -> Result<String, String> {
        let began = Instant::now();
        loop {
            let found = self
                .unread
                .windows(text.len())
                .position(|bytes| bytes == text.as_bytes());
            if let Some(at) = found {
                let taken: Vec<u8> = self.unread.drain(..at + text.len()).collect();
                return Ok(String::from_utf8_lossy(&taken).into_owned());
            }
            let more = if began.elapsed() > PATIENCE {
                Err("waited too long")
            } else {
                self.read()
            };
            match more {
                Ok(more) => self.unread.extend(more),
                Err(why) => {
                    let unread = String::from_utf8_lossy(&self.unread);
                    return Err(format!("{why}; no {text:?} in:\n{unread}"));
                }
            }
        }
    }

    /// Waits until no program has the terminal any more. Returns what was written and not returned
    /// before, and how the first program ended.
    pub fn ends(&mut self) -> (String, ExitStatus) {
        while let Ok(more) = self.read() {
            self.unread.extend(more);
        }
        let rest = String::from_utf8_lossy(&self.unread).into_owned();
        self.unread.clear();
        (rest, self.child.wait().unwrap())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The kernel sends SIGHUP to the session. What ignores that is ended a little later.
        self.near = None;
        let began = Instant::now();
        while began.elapsed() < PATIENCE && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn echo(terminal: &File, shows: bool) {
    let mut modes = tcgetattr(terminal).unwrap();
    modes.local_modes.set(LocalModes::ECHO, shows);
    tcsetattr(terminal, OptionalActions::Now, &modes).unwrap();
}

fn resize(terminal: &File, (ws_col, ws_row): (u16, u16)) {
    tcsetwinsize(
        terminal,
        Winsize {
            ws_col,
            ws_row,
            ws_xpixel: 0,
            ws_ypixel: 0,
        },
    )
    .unwrap();
}
