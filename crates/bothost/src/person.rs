//! The ways for a program to ask a person: the referee's own standard input and output for one without a terminal, or a link to
//! the referee, which asks the person itself.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::process::Command;
use std::sync::Arc;

use super::program::{PersonOutput, Program};
use super::system::{self, Inherited, Lent};

/// The variable that tells the program which two streams it has been handed, by their numbers: its input and its output, and
/// in a third word [`OF_REFEREE`] if the referee is at their other end. Bots never get it from the user's environment.
pub(super) const STREAMS: &str = "BATTLESHIP_PERSON_STREAMS";

/// The word for streams whose other end the referee has.
const OF_REFEREE: &str = "referee";

/// The end that a program gets of its link to the referee, which asks the person: its input and its output.
#[derive(Clone, Debug)]
pub struct PersonLink(Arc<[Inherited; 2]>);

/// Two are equal if they are the same one.
impl PartialEq for PersonLink {
    fn eq(&self, other: &PersonLink) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for PersonLink {}

/// Makes the link between a program and the referee that asks the person: what the program gets, and the referee's ends. On
/// the first of them comes a line for each question, the protocol's request; the second takes a line for an answer, the
/// protocol's reply.
///
/// # Errors
/// If the process has no descriptor to spare.
pub fn person_link() -> io::Result<(PersonLink, PipeReader, PipeWriter)> {
    let (input, answers) = io::pipe()?;
    let (questions, output) = io::pipe()?;
    Ok((
        PersonLink(Arc::new([input.into(), output.into()])),
        questions,
        answers,
    ))
}

/// The streams that a program is handed.
#[derive(Debug)]
pub(super) struct Handover {
    streams: Option<[Inherited; 2]>,
    /// Whether the referee is at the other end.
    of_referee: bool,
}

impl Handover {
    /// Prepares the start of `program`. Keep what it returns until the program has been started.
    ///
    /// # Errors
    /// If the process has no descriptor to spare.
    pub(super) fn to(program: &Program) -> io::Result<Handover> {
        let of_referee = matches!(program.person, Some(PersonOutput::Referee(_)));
        let streams = match &program.person {
            None => None,
            Some(PersonOutput::Output) => Some(system::own_streams(false)?),
            Some(PersonOutput::Error) => Some(system::own_streams(true)?),
            Some(PersonOutput::Referee(PersonLink(link))) => {
                let [input, output] = &**link;
                Some([input.try_clone()?, output.try_clone()?])
            }
        };
        Ok(Handover {
            streams,
            of_referee,
        })
    }

    /// Tells the program that `command` starts what it inherits.
    pub(super) fn name_in(&self, command: &mut Command) {
        if let Some(streams) = &self.streams {
            let [input, output] = streams.each_ref().map(system::number_of);
            let whose = if self.of_referee { OF_REFEREE } else { "" };
            command.env(STREAMS, format!("{input} {output} {whose}"));
        }
    }

    /// Returns what the program is to inherit.
    pub(super) fn lent(&self) -> impl Iterator<Item = Lent<'_>> {
        self.streams.iter().flatten().map(system::lend)
    }
}

/// The numbers of the two streams that this process was handed, and whether the referee is at their other end; `None` if it
/// was handed none.
fn handed() -> Option<([u64; 2], bool)> {
    parsed(&std::env::var_os(STREAMS)?)
}

fn parsed(text: &OsStr) -> Option<([u64; 2], bool)> {
    let mut words = text.to_str()?.split_whitespace();
    let numbers = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
    let whose = words.next();
    let is_known = whose.is_none_or(|whose| whose == OF_REFEREE) && words.next().is_none();
    let is_free = numbers.into_iter().all(system::may_be_inherited) && numbers[0] != numbers[1];
    (is_known && is_free).then_some((numbers, whose.is_some()))
}

/// Has the program that this process starts inherit what this process was handed.
#[cfg(target_os = "linux")]
pub(super) fn keep_streams() {
    for number in handed().into_iter().flat_map(|(numbers, _)| numbers) {
        system::pass_on(number);
    }
}

/// The streams of a person: input, and prompts.
#[derive(Debug)]
pub struct PersonStreams {
    /// The typed text. Other programs may read from it after this one, so take no more than is asked for.
    pub input: File,
    /// The output for prompts.
    pub output: File,
    /// Whether the referee is at the other end, which asks the person itself.
    pub of_referee: bool,
}

/// Returns what this program was handed to ask a person by; `None` if there is a terminal for that. Call it once.
#[must_use]
pub fn person_streams() -> Option<PersonStreams> {
    let ([input, output], of_referee) = handed()?;
    let (input, output) = (system::adopt(input)?, system::adopt(output)?);
    Some(PersonStreams {
        input,
        output,
        of_referee,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_two_numbers_beyond_the_standard_streams() {
        let parsed = |text: &str| parsed(OsStr::new(text));
        assert_eq!(parsed("5 6 "), Some(([5, 6], false)));
        assert_eq!(parsed("5 6 referee"), Some(([5, 6], true)));
        for text in [
            "",
            "5",
            "5 5",
            "0 8",
            "-1 7",
            "a b",
            "5 6 7",
            "5 6 referee 7",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
        // Elsewhere the standard streams have other numbers.
        if cfg!(unix) {
            assert_eq!((parsed("0 1"), parsed("2 7")), (None, None));
        }
    }
}
