//! What a person types and sees who has no terminal: the referee's own standard input and output, handed to the program that
//! asks the person, and to no other.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::process::Command;

use rustix::io::{FdFlags, fcntl_setfd};

use super::program::{PersonOutput, Program};

/// The variable that tells the program which two descriptors it has been handed: its input and its output. Bots never get
/// it from the user's environment.
pub(super) const STREAMS: &str = "BATTLESHIP_PERSON_STREAMS";

/// The streams that a program is handed.
#[derive(Debug)]
pub(super) struct Handover(Option<[OwnedFd; 2]>);

impl Handover {
    /// Prepares the start of `program`. Keep what it returns until the program has been started.
    ///
    /// # Errors
    /// If the process has no descriptor to spare.
    pub(super) fn to(program: &Program) -> io::Result<Handover> {
        let Some(output) = program.person else { return Ok(Handover(None)) };
        // Copies: a program could not tell the referee's own streams from its own, which have the same numbers.
        let input = io::stdin().as_fd().try_clone_to_owned()?;
        let output = match output {
            PersonOutput::Output => io::stdout().as_fd().try_clone_to_owned()?,
            PersonOutput::Error => io::stderr().as_fd().try_clone_to_owned()?,
        };
        Ok(Handover(Some([input, output])))
    }

    /// Tells the program that `command` starts what it inherits.
    pub(super) fn name_in(&self, command: &mut Command) {
        if let Handover(Some(streams)) = self {
            let [input, output] = streams.each_ref().map(AsRawFd::as_raw_fd);
            command.env(STREAMS, format!("{input} {output}"));
        }
    }

    /// Returns the descriptors that the program is to inherit.
    pub(super) fn descriptors(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.0.iter().flatten().map(AsFd::as_fd)
    }
}

/// The two descriptors that this process was handed; `None` if it was not.
fn handed() -> Option<[RawFd; 2]> {
    parsed(&std::env::var_os(STREAMS)?)
}

fn parsed(text: &OsStr) -> Option<[RawFd; 2]> {
    let (input, output) = text.to_str()?.split_once(' ')?;
    let numbers = [input.parse().ok()?, output.parse().ok()?];
    // The standard streams have owners.
    (numbers[0] > 2 && numbers[1] > 2 && numbers[0] != numbers[1]).then_some(numbers)
}

/// Has the program that this process starts inherit what this process was handed.
#[cfg(target_os = "linux")]
pub(super) fn keep_streams() {
    for number in handed().into_iter().flatten() {
        #[allow(unsafe_code, reason = "std has no safe name for a descriptor that was inherited")]
        // SAFETY: it is borrowed for one call, which fails if the descriptor is not open, and the only thread of this
        // process closes none meanwhile.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = fcntl_setfd(descriptor.as_fd(), FdFlags::empty());
    }
}

/// What a person types, and where it is shown what to type.
#[derive(Debug)]
pub struct PersonStreams {
    /// What is typed. Other programs may read from it after this one, so take no more than is asked for.
    pub input: File,
    /// Where it is shown.
    pub output: File,
}

/// Returns what this program was handed to ask a person by; `None` if there is a terminal for that. Call it once.
#[must_use]
pub fn person_streams() -> Option<PersonStreams> {
    let [input, output] = handed()?;
    let adopt = |number| {
        #[allow(unsafe_code, reason = "std has no safe name for a descriptor that was inherited")]
        // SAFETY: it is open, as the first call has just seen, and nothing else in this process knows its number: the
        // parent opened it for this purpose, and this function is called once.
        unsafe {
            let is_open = fcntl_setfd(BorrowedFd::borrow_raw(number), FdFlags::CLOEXEC).is_ok();
            is_open.then(|| File::from_raw_fd(number))
        }
    };
    Some(PersonStreams { input: adopt(input)?, output: adopt(output)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_two_numbers_beyond_the_standard_streams() {
        let parsed = |text: &str| parsed(OsStr::new(text));
        assert_eq!(parsed("5 6"), Some([5, 6]));
        for text in ["", "5", "5 5", "0 1", "2 7", "-1 7", "a b", "5 6 7"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
