//! The terminal at which a person reads and types.

use std::cell::RefCell;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::rc::Rc;

/// Longer lines are cut: people do not type them.
const MAX_TYPED: u64 = 4096;

/// The terminal at which a person reads and types. Its clones are the same terminal: the players of
/// several games share one.
#[derive(Clone)]
pub struct Terminal {
    input: Rc<RefCell<dyn BufRead>>,
    output: Rc<RefCell<dyn Write>>,
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal").finish_non_exhaustive()
    }
}

/// A terminal without a person.
impl Default for Terminal {
    fn default() -> Terminal {
        Terminal::nowhere()
    }
}

impl Terminal {
    /// A terminal made of any input and output.
    pub fn new(input: impl BufRead + 'static, output: impl Write + 'static) -> Terminal {
        Terminal {
            input: Rc::new(RefCell::new(input)),
            output: Rc::new(RefCell::new(output)),
        }
    }

    /// The program's own standard input, and its standard output or, if that is for data, its
    /// standard error. What is typed may be for others too, who read after this one: it takes no
    /// more than the lines that it is asked for.
    ///
    /// # Errors
    /// If the process has no descriptor to spare.
    pub fn piped(output_is_for_data: bool) -> io::Result<Terminal> {
        let input = io::stdin();
        let output = io::stdout();
        let errors = io::stderr();
        let input = own(&input)?;
        let output = if output_is_for_data {
            own(&errors)?
        } else {
            own(&output)?
        };
        // A byte at a time. What a person types is short.
        Ok(Terminal::new(BufReader::with_capacity(1, input), output))
    }

    /// Opens the terminal that the program runs in, even if its standard input and output are other
    /// files.
    ///
    /// # Errors
    /// If the program runs in none.
    pub fn open() -> io::Result<Terminal> {
        let (input, output) = if cfg!(windows) {
            ("CONIN$", "CONOUT$")
        } else {
            ("/dev/tty", "/dev/tty")
        };
        let named = |path: &str, error: io::Error| {
            io::Error::new(error.kind(), format!("{path} cannot be opened: {error}"))
        };
        let input = OpenOptions::new()
            .read(true)
            .open(input)
            .map_err(|e| named(input, e))?;
        let output = OpenOptions::new()
            .write(true)
            .open(output)
            .map_err(|e| named(output, e))?;
        Ok(Terminal::new(BufReader::new(input), output))
    }

    /// A terminal without a person: its input has ended.
    #[must_use]
    pub fn nowhere() -> Terminal {
        Terminal::new(io::empty(), io::sink())
    }

    pub(crate) fn show(&self, text: impl fmt::Display) -> Result<(), Gone> {
        let mut output = self.output.borrow_mut();
        write!(output, "{text}")
            .and_then(|()| output.flush())
            .map_err(|_| Gone)
    }

    /// Shows `prompt` and reads the line that is typed.
    pub(crate) fn ask(&self, prompt: impl fmt::Display) -> Result<String, Gone> {
        self.show(prompt)?;
        let mut input = self.input.borrow_mut();
        let mut line = Vec::new();
        let read = (&mut *input).take(MAX_TYPED).read_until(b'\n', &mut line);
        if line.len() as u64 == MAX_TYPED && !line.ends_with(b"\n") {
            // The rest does not answer what is asked next.
            input.skip_until(b'\n').map_err(|_| Gone)?;
        }
        match read {
            Ok(0) | Err(_) => Err(Gone),
            // The input of a console ends in this way, which not every console reports by itself.
            Ok(_) if cfg!(windows) && line.starts_with(b"\x1a") => Err(Gone),
            Ok(_) => Ok(String::from_utf8_lossy(&line)
                .trim_end_matches(['\r', '\n'])
                .to_owned()),
        }
    }
}

/// A copy of a standard stream, without the buffer and the lock that others of this program use.
#[cfg(unix)]
fn own(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn own(stream: &impl std::os::windows::io::AsHandle) -> io::Result<File> {
    Ok(stream.as_handle().try_clone_to_owned()?.into())
}

#[cfg(not(any(unix, windows)))]
fn own<T>(_: &T) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The person is gone: the terminal's input has ended.
#[derive(Debug)]
pub(crate) struct Gone;

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// The output that a person at a terminal has seen.
    #[derive(Clone, Default)]
    pub(crate) struct Screen(Rc<RefCell<Vec<u8>>>);

    impl Screen {
        pub(crate) fn text(&self) -> String {
            String::from_utf8(self.0.borrow().clone()).unwrap()
        }
    }

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
