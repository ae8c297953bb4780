//! What a program is handed to ask a person by: the referee's own standard input and output for one who has no terminal, or
//! a link to the referee, which asks the person itself.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::sync::Arc;

use rustix::io::{FdFlags, fcntl_setfd};

use super::program::{PersonOutput, Program};

/// The variable that tells the program which two descriptors it has been handed, its input and its output, and in a third
/// word [`OF_REFEREE`] if the referee is at their other end. Bots never get it from the user's environment.
pub(super) const STREAMS: &str = "BATTLESHIP_PERSON_STREAMS";

/// The word for streams whose other end the referee has.
const OF_REFEREE: &str = "referee";

/// The end that a program gets of its link to the referee, which asks the person.
#[derive(Clone, Debug)]
pub struct PersonLink(Arc<UnixStream>);

/// Two are equal if they are the same one.
impl PartialEq for PersonLink {
    fn eq(&self, other: &PersonLink) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for PersonLink {}

/// Makes the link between a program and the referee that asks the person: what the program gets, and the referee's end. On
/// that end the program writes a line for each question, the protocol's request; it takes a line for an answer, the
/// protocol's reply.
///
/// # Errors
/// If the process has no descriptor to spare.
pub fn person_link() -> io::Result<(PersonLink, UnixStream)> {
    let (own, of_program) = UnixStream::pair()?;
    Ok((PersonLink(Arc::new(of_program)), own))
}

/// The streams that a program is handed.
#[derive(Debug)]
pub(super) struct Handover {
    streams: Option<[OwnedFd; 2]>,
    /// Whether the referee is at the other end.
    of_referee: bool,
}

impl Handover {
    /// Prepares the start of `program`. Keep what it returns until the program has been started.
    ///
    /// # Errors
    /// If the process has no descriptor to spare.
    pub(super) fn to(program: &Program) -> io::Result<Handover> {
        // Copies: a program could not tell the referee's own streams from its own, which have the same numbers.
        let copy = |stream: BorrowedFd<'_>| stream.try_clone_to_owned();
        let (stdin, of_referee) =
            (io::stdin(), matches!(program.person, Some(PersonOutput::Referee(_))));
        let streams = match &program.person {
            None => None,
            Some(PersonOutput::Output) => Some([copy(stdin.as_fd())?, copy(io::stdout().as_fd())?]),
            Some(PersonOutput::Error) => Some([copy(stdin.as_fd())?, copy(io::stderr().as_fd())?]),
            Some(PersonOutput::Referee(PersonLink(link))) => {
                Some([copy(link.as_fd())?, copy(link.as_fd())?])
            }
        };
        Ok(Handover { streams, of_referee })
    }

    /// Tells the program that `command` starts what it inherits.
    pub(super) fn name_in(&self, command: &mut Command) {
        if let Some(streams) = &self.streams {
            let [input, output] = streams.each_ref().map(AsRawFd::as_raw_fd);
            let whose = if self.of_referee { OF_REFEREE } else { "" };
            command.env(STREAMS, format!("{input} {output} {whose}"));
        }
    }

    /// Returns the descriptors that the program is to inherit.
    pub(super) fn descriptors(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.streams.iter().flatten().map(AsFd::as_fd)
    }
}

/// The two descriptors that this process was handed, and whether the referee is at their other end; `None` if it was handed
/// none.
fn handed() -> Option<([RawFd; 2], bool)> {
    parsed(&std::env::var_os(STREAMS)?)
}

fn parsed(text: &OsStr) -> Option<([RawFd; 2], bool)> {
    let mut words = text.to_str()?.split_whitespace();
    let numbers = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
    let whose = words.next();
    let is_known = whose.is_none_or(|whose| whose == OF_REFEREE) && words.next().is_none();
    // The standard streams have owners.
    let is_free = numbers[0] > 2 && numbers[1] > 2 && numbers[0] != numbers[1];
    (is_known && is_free).then_some((numbers, whose.is_some()))
}

/// Has the program that this process starts inherit what this process was handed.
#[cfg(target_os = "linux")]
pub(super) fn keep_streams() {
    for number in handed().into_iter().flat_map(|(numbers, _)| numbers) {
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
    /// Whether the referee is at the other end, which asks the person itself.
    pub of_referee: bool,
}

/// Returns what this program was handed to ask a person by; `None` if there is a terminal for that. Call it once.
#[must_use]
pub fn person_streams() -> Option<PersonStreams> {
    let ([input, output], of_referee) = handed()?;
    let adopt = |number| {
        #[allow(unsafe_code, reason = "std has no safe name for a descriptor that was inherited")]
        // SAFETY: it is open, as the first call has just seen, and nothing else in this process knows its number: the
        // parent opened it for this purpose, and this function is called once.
        unsafe {
            let is_open = fcntl_setfd(BorrowedFd::borrow_raw(number), FdFlags::CLOEXEC).is_ok();
            is_open.then(|| File::from_raw_fd(number))
        }
    };
    Some(PersonStreams { input: adopt(input)?, output: adopt(output)?, of_referee })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_two_numbers_beyond_the_standard_streams() {
        let parsed = |text: &str| parsed(OsStr::new(text));
        assert_eq!(parsed("5 6 "), Some(([5, 6], false)));
        assert_eq!(parsed("5 6 referee"), Some(([5, 6], true)));
        for text in ["", "5", "5 5", "0 1", "2 7", "-1 7", "a b", "5 6 7", "5 6 referee 7"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
