//! What should have been, and the usual cause of what was instead, in plain words.

use std::time::Duration;

use battleship::protocol::{MalformedLine, Reply};

use crate::play::EndedBy;
use crate::process::text;

/// What a finding says besides what was seen.
#[derive(Clone, Debug)]
pub(super) struct Advice {
    /// What should have been.
    pub(super) expected: String,
    /// The usual cause, and how to mend it.
    pub(super) cause: String,
    /// Whether that is known and not just usual.
    pub(super) certain: bool,
    /// Whether the bot has said a line too many.
    pub(super) out_of_step: bool,
    /// Whether the dialogue has anything to do with it.
    pub(super) needs_dialogue: bool,
}

impl Advice {
    pub(super) fn certain(expected: impl Into<String>, cause: impl Into<String>) -> Advice {
        let (expected, cause) = (expected.into(), cause.into());
        Advice { expected, cause, certain: true, out_of_step: false, needs_dialogue: true }
    }

    pub(super) fn usual(expected: impl Into<String>, cause: impl Into<String>) -> Advice {
        Advice { certain: false, ..Advice::certain(expected, cause) }
    }

    fn too_many(expected: impl Into<String>, cause: impl Into<String>) -> Advice {
        Advice { out_of_step: true, ..Advice::certain(expected, cause) }
    }
}

/// What was seen of a bot after its time for a reply was over.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aftermath {
    /// It did reply, after so long a time.
    pub(super) late: Option<Duration>,
    /// It replied when its input was closed.
    pub(super) said_at_end: bool,
    /// It has said something since it was started.
    pub(super) spoke: bool,
}

const STDOUT: &str = "Standard output is for replies alone: banners, prompts and debugging output belong on standard \
    error (sys.stderr in Python, std::cerr in C++, System.err in Java, console.error in JavaScript, eprintln! in Rust).";

const FLUSH: &str = "Flush after every line: print(..., flush=True) in Python, std::endl or std::flush in C++, \
    fflush(stdout) in C, System.out.flush() in Java.";

/// What answers a request, in words.
pub(super) fn expected(word: &str) -> String {
    let reply = match word {
        "battleship" => {
            "\"ready\" (before it name, author, plays or human, each on a line of its own)"
        }
        "place" => "\"place ROW COL h|v ...\", three words for each ship, or \"place none\"",
        "attack" => "\"attack ROW COL\"",
        "act" => "\"act ROW COL ROW COL\"",
        _ => "nothing",
    };
    format!("one line in answer to {word}: {reply}")
}

/// On a bot that said nothing that could be a reply to `word`.
pub(super) fn on_silence(ended_by: EndedBy, word: &str, aftermath: &Aftermath) -> Advice {
    let expected = expected(word);
    let usual = |cause: &str| Advice::usual(expected.clone(), cause);
    match ended_by {
        EndedBy::Timeout if aftermath.said_at_end => Advice::certain(
            expected,
            format!(
                "Its output stays in a buffer: the answer came only when its input was closed. {FLUSH} (If it does \
                 flush: it must not wait for the end of its input, as reading all of it at once does.)"
            ),
        ),
        EndedBy::Timeout | EndedBy::NotReading if aftermath.late.is_some() => {
            let seconds = aftermath.late.unwrap_or_default().as_secs_f64();
            let (slow, option) = if word == "battleship" {
                ("It is slow to start", "--start-limit")
            } else {
                ("It is slow", "--limit")
            };
            Advice::certain(
                expected,
                format!(
                    "{slow}: the answer came after {seconds:.1} s. Do less before it, or give it more time with \
                     {option}, here and in games."
                ),
            )
        }
        EndedBy::Timeout => usual(
            "It reads and says nothing: it does not know the request, or is in a loop without end, or waits for more \
             input, or its output stays in a buffer. Run it by hand, type what it was told and see what comes.",
        ),
        EndedBy::NotReading => usual(
            "It does not read its standard input: it computes before it reads, or waits for something else, as a \
             window, a network or another file.",
        ),
        EndedBy::LineTooLong => {
            usual("It prints on and on without a line end. Every reply is one line of its own.")
        }
        EndedBy::Flood => {
            usual("It prints line after line without being asked: a loop that does not read.")
        }
        EndedBy::ClosedOutput => usual(
            "It closes its standard output but goes on. Keep it open until `quit`; a program with several threads may \
             have ended the one that writes.",
        ),
        EndedBy::UsedTooMuch => {
            usual("It takes more than the sandbox allows; see --max-memory and --max-threads.")
        }
        EndedBy::Exited => usual(
            "It ended by itself: an error that nothing catches (its last words, if any, are above), or its loop ends \
             although neither `quit` nor the end of its input has come.",
        ),
        EndedBy::Crashed => usual(
            "It crashed: a bad index or pointer, a stack that is too deep, or a failed assertion. Run it in a debugger, \
             or with the sanitizers of its language.",
        ),
        EndedBy::Resigned => usual("It gives up. That is legal, but it loses every game so."),
        EndedBy::CouldNotStart if aftermath.spoke => Advice::certain(
            expected,
            "It does not say that it plays this game. A bot that plays both says \"plays classic twist\" before \
             \"ready\".",
        ),
        EndedBy::CouldNotStart => Advice {
            needs_dialogue: false,
            ..Advice::certain(
                "a program that starts",
                "The command has to start the bot from this folder: a program on the PATH, or a file, written ./bot, \
                 that may be executed; a script is started by its interpreter, as in 'python3 bot.py'.",
            )
        },
        EndedBy::BadReply
        | EndedBy::IllegalPlacement
        | EndedBy::FleetSunk
        | EndedBy::CannotPlace
        | EndedBy::TurnCap
        | EndedBy::MachineLate
        | EndedBy::Interrupted => usual("It broke the protocol."),
    }
}

/// On a bot that said `line` in answer to `word`, after `previous`, which was the answer to another request. The answer
/// itself may follow.
pub(super) fn on_bad_reply(
    word: &str,
    line: &[u8],
    previous: Option<(Vec<u8>, &'static str)>,
    answer_follows: bool,
) -> Advice {
    let expected = expected(word);
    if let Some((_, to)) = previous.filter(|(previous, _)| previous == line) {
        return Advice::too_many(expected, twice(to));
    }
    if answer_follows {
        return Advice::too_many(
            expected,
            format!(
                "It says more than it is asked for: the answer itself followed that line. {STDOUT}"
            ),
        );
    }
    let said = text::shown(line);
    let first = said.split(' ').next().unwrap_or_default();
    let cause = match Reply::parse(line) {
        Ok(Reply::Resign) => "It gives up. That is legal, but it loses every game so.".to_owned(),
        Ok(_) => format!(
            "That is the answer to another request. Answer each request by its own word, and none twice; {word} is \
             answered by a line that begins with {}.",
            begins_with(word)
        ),
        Err(MalformedLine::Empty) => {
            format!("It prints an empty line. {STDOUT}")
        }
        Err(why) if first == begins_with(word) => format!(
            "The first word is right, but not what follows: {why}. Words are separated by single spaces, numbers are \
             plain (3, not 3.0, 03 or +3), and there are no commas or parentheses."
        ),
        Err(_) if first.eq_ignore_ascii_case(begins_with(word)) => {
            format!("Words are in lower case: {}.", begins_with(word))
        }
        Err(_) => format!(
            "The first word of the reply to {word} has to be {:?}, and it is {first:?}. (If that line was not \
             meant to be a reply: banners, prompts and debugging output belong on standard error.)",
            begins_with(word)
        ),
    };
    Advice::usual(expected, cause)
}

/// What a reply to `word` begins with.
fn begins_with(word: &str) -> &str {
    if word == "battleship" { "ready" } else { word }
}

fn twice(word: &str) -> String {
    format!(
        "It answers {word} twice: the same line came again. Answer each request once, and notices (game, ship, seed, \
         result, opponent, end) not at all."
    )
}

/// What a bot did that had said so many lines more than it was asked for, `first` among them.
pub(super) fn too_many_lines(count: usize, first: &[u8]) -> String {
    let lines = if count == 1 { "line" } else { "lines" };
    format!("said {count} {lines} too many; the first left over is {}", text::excerpt(first))
}

/// On a bot that had said more lines than it was asked for: after its last reply, `first` was left over.
pub(super) fn on_lines_too_many(last: Option<&(Vec<u8>, &'static str)>, first: &[u8]) -> Advice {
    let expected = "one line for each request, and none for anything else";
    match Reply::parse(first) {
        Ok(
            Reply::Attack(_) | Reply::Act(_) | Reply::Place(_) | Reply::PlaceNone | Reply::Ready,
        ) => {
            let word = last.map_or("a request", |(_, word)| word);
            Advice::too_many(expected, twice(word))
        }
        Ok(
            Reply::Name(_)
            | Reply::Author(_)
            | Reply::Plays(_)
            | Reply::Human
            | Reply::Resign
            | Reply::Comment(_),
        )
        | Err(_) => Advice::too_many(expected, format!("It speaks without being asked. {STDOUT}")),
    }
}
