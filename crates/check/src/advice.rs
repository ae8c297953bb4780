//! The expected behaviour, and the usual cause of what was instead, in plain words: for replies and
//! faults. Causes of attacks that waste or repeat a shot are in `battleship/shots.rs`.

use arena::game::EndedBy;
use battleship::protocol::{MalformedLine, Reply, Request};
use bothost::{SecondWait, text};

use crate::failure::is_silence;
use crate::request::{GREETING, expected, reply_word};

/// The part of a finding that explains what was seen.
#[derive(Clone, Debug)]
pub(crate) struct Advice {
    /// The expected behaviour.
    pub(crate) expected: String,
    /// The usual cause, and how to fix it.
    pub(crate) cause: String,
    /// Whether that is known and not just usual.
    pub(crate) certain: bool,
    /// Whether the bot has said a line too many.
    pub(crate) out_of_step: bool,
    /// Whether the dialogue has anything to do with it.
    pub(crate) needs_dialogue: bool,
}

impl Advice {
    pub(crate) fn certain(expected: impl Into<String>, cause: impl Into<String>) -> Advice {
        Advice {
            expected: expected.into(),
            cause: cause.into(),
            certain: true,
            out_of_step: false,
            needs_dialogue: true,
        }
    }

    pub(crate) fn usual(expected: impl Into<String>, cause: impl Into<String>) -> Advice {
        Advice {
            certain: false,
            ..Advice::certain(expected, cause)
        }
    }

    fn too_many(expected: impl Into<String>, cause: impl Into<String>) -> Advice {
        Advice {
            out_of_step: true,
            ..Advice::certain(expected, cause)
        }
    }
}

/// Observations of a bot after its time for a reply was over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Aftermath {
    /// The result of a second wait for its reply.
    pub(crate) second_wait: SecondWait,
    /// It has begun a line and not ended it.
    pub(crate) began_line: bool,
    /// It replied when its input was closed.
    pub(crate) said_at_end: bool,
    /// It has said something since it was started.
    pub(crate) spoke: bool,
    /// It printed a comment after the request.
    pub(crate) commented: bool,
    /// The way to flush a line in its language, if that is known.
    pub(crate) flushing: Option<&'static str>,
}

impl Aftermath {
    /// Whether the machine was so busy that the bot may be slow as well as silent.
    pub(crate) fn is_unknown(&self) -> bool {
        self.second_wait.was_busy && self.second_wait.reply.is_none()
    }
}

/// On a bot that may be slow, or may keep its answer back.
const BUSY: &str = "The machine was busy while the bot was waited for, so it is unknown whether the bot is slow or silent. Check it again when less runs beside it.";

const STDOUT: &str = "Standard output is for replies alone: banners, prompts and debugging output belong on standard error (sys.stderr in Python, std::cerr in C++, System.err in Java, console.error in JavaScript, eprintln! in Rust).";

/// The way to flush in languages whose programs do not show which one they are in.
const FLUSH: &str = "Flush after every line: print(..., flush=True) in Python, std::endl or std::flush in C++, fflush(stdout) in C, System.out.flush() in Java.";

/// Returns the sentence about the way to flush a line, `how` that is in the bot's language if it is
/// known.
pub(crate) fn flush_after_every_line(how: Option<&str>) -> String {
    how.map_or_else(
        || FLUSH.to_owned(),
        |how| format!("Flush after every line, {how}."),
    )
}

/// The beginning of the cause of a reply that came when the input ended.
pub(crate) const BUFFERED: &str = "Its output stays in a buffer";

/// On a bot that could place its ships and says that it cannot.
pub(crate) const PLACE_NONE: &str = "\"place none\" is for boards on which the ships cannot be placed. A bot that says it does not win. Search further, or begin the search again.";

const SILENT: &str = "It reads and says nothing: it does not know the request, or is in a loop without end, or waits for more input, or its output stays in a buffer. Run it by hand, type what it was told and see what comes.";

const GIVES_UP: &str = "It gives up. That is legal, but it loses every game so.";

/// The usual causes of a request without a reply, by the reason that a game would have ended by.
const CAUSES: [(EndedBy, &str); 10] = [
    (EndedBy::Timeout, SILENT),
    (EndedBy::OutOfTime, SILENT),
    (
        EndedBy::NotReading,
        "It does not read its standard input: it computes before it reads, or waits for something else, as a window, a network or another file.",
    ),
    (
        EndedBy::LineTooLong,
        "It prints on and on without a line end. Every reply is one line of its own.",
    ),
    (
        EndedBy::Flood,
        "It prints line after line without being asked: a loop that does not read.",
    ),
    (
        EndedBy::ClosedOutput,
        "It closes its standard output but continues to run. Keep it open until `quit`; a program with several threads may have ended the one that writes.",
    ),
    (
        EndedBy::UsedTooMuch,
        "It takes more than the sandbox allows; see --max-memory and --max-threads.",
    ),
    (
        EndedBy::Exited,
        "It ended by itself: an error that nothing catches (its last words, if any, are above), or its loop ends although neither `quit` nor the end of its input has come.",
    ),
    (
        EndedBy::Crashed,
        "It crashed: a bad index or pointer, a stack that is too deep, or a failed assertion. Run it in a debugger, or with the sanitizers of its language.",
    ),
    (EndedBy::Resigned, GIVES_UP),
];

/// More extra lines than these are not counted.
const MOST_COUNTED: usize = 100;

/// Returns the advice on a bot that gave no reply at all.
pub(crate) fn on_silence(ended_by: EndedBy, request: &Request, aftermath: &Aftermath) -> Advice {
    if is_silence(ended_by)
        && let Some(advice) = on_lateness(ended_by, request, aftermath)
    {
        return advice;
    }
    if ended_by == EndedBy::CouldNotStart && aftermath.spoke {
        return Advice::certain(
            expected(request),
            "It does not say that it plays this game. A bot that plays several names them all before \"ready\", as in \"plays classic twist\".",
        );
    }
    if ended_by == EndedBy::CouldNotStart {
        return Advice {
            needs_dialogue: false,
            ..Advice::certain(
                "a program that starts",
                "The command has to start the bot from this folder: a program on the PATH, or a file, written ./bot, that may be executed; a script is started by its interpreter, as in \"python3 bot.py\".",
            )
        };
    }
    let cause = CAUSES.iter().find(|(reason, _)| *reason == ended_by);
    let cause = cause.map_or("It broke the protocol.", |(_, cause)| cause);
    Advice::usual(expected(request), cause)
}

/// Returns the advice on a bot that was late, if more was seen of it afterwards than silence.
fn on_lateness(ended_by: EndedBy, request: &Request, aftermath: &Aftermath) -> Option<Advice> {
    let expected = expected(request);
    let SecondWait {
        reply, computed, ..
    } = aftermath.second_wait;
    let has_read = ended_by != EndedBy::NotReading;
    let flush = flush_after_every_line(aftermath.flushing);
    if has_read && aftermath.began_line {
        let cause =
            format!("It began a line and did not end it: every reply must end with \\n. {flush}");
        return Some(Advice::certain(expected, cause));
    }
    if aftermath.is_unknown() {
        return Some(Advice::usual(expected, BUSY));
    }
    if let Some(reply) = reply {
        let seconds = reply.as_secs_f64();
        let (slow, option) = if *request == GREETING {
            ("It is slow to start", "--start-limit")
        } else if ended_by == EndedBy::OutOfTime {
            (
                "Its time for the whole game is used up, and it is slow",
                "--clock",
            )
        } else {
            ("It is slow", "--limit")
        };
        let cause = format!(
            "{slow}: the answer came after {seconds:.1} s. Do less before it, or give it more time with {option}, here and in games."
        );
        return Some(Advice::certain(expected, cause));
    }
    if !has_read {
        return None;
    }
    if computed {
        return Some(Advice::usual(
            expected,
            "It is still computing: it is slow, or in an endless loop. Print to standard error where it is, or run it by hand and type what it was told.",
        ));
    }
    if aftermath.said_at_end {
        let cause = format!(
            "{BUFFERED}: the answer came only when its input was closed. {flush} (If it does flush: it must not wait for the end of its input, as reading all of it at once does.)"
        );
        return Some(Advice::certain(expected, cause));
    }
    aftermath.commented.then(|| {
        Advice::usual(
            expected,
            "It prints comments and no reply: a line that begins with # answers nothing. Look whether that line is meant as the reply, and what the bot waits for after it.",
        )
    })
}

/// Returns the advice on a bot that failed in a recorded game, of which no more is known than why
/// and what it was asked for.
pub(crate) fn on_record(ended_by: EndedBy, request: &Request) -> Advice {
    if ended_by == EndedBy::IllegalPlacement {
        return Advice::usual(
            "all ships on the board, no two on one cell, nor next to each other if the game has `rule apart`",
            "Row and column are the wrong way round (the row comes first), or it counts from 1 (both count from 0), or the directions are (h goes to the right, v down), or only the first cell of a ship is looked at and not all of them. `referee check` finds out which.",
        );
    }
    if ended_by == EndedBy::CannotPlace {
        return Advice::usual("a placement of its ships", PLACE_NONE);
    }
    if ended_by == EndedBy::BadReply {
        return Advice::usual(
            expected(request),
            format!("It said something else than it was asked for. {STDOUT}"),
        );
    }
    on_silence(ended_by, request, &Aftermath::default())
}

/// Returns the advice on a bot that replied `line`; `previous` is its reply before that with its
/// request, and `answer_follows` if the answer came behind that line.
pub(crate) fn on_bad_reply(
    request: &Request,
    line: &[u8],
    previous: Option<&(Vec<u8>, Request)>,
    answer_follows: bool,
) -> Advice {
    let expected = expected(request);
    if let Some((previous, answered)) = previous
        && previous == line
    {
        return Advice::too_many(expected, twice(answered));
    }
    if answer_follows {
        return Advice::too_many(
            expected,
            format!(
                "It says more than it is asked for: the answer itself followed that line. {STDOUT}"
            ),
        );
    }
    let reply = text::reply(line);
    let first = reply.split(' ').next().unwrap_or_default();
    let word = reply_word(request);
    let cause = match Reply::parse(line) {
        Ok(Reply::Resign) => GIVES_UP.to_owned(),
        Ok(Reply::Salvo(cells)) if word == "salvo" => format!(
            "It names {} cells. A salvo has as many as its request says, `{request}`: one for each ship that is afloat, so fewer as the game continues, unless `rule shots` says how many.",
            cells.len(),
        ),
        Ok(_) => format!(
            "That is the answer to another request. Answer each request by its own word, and none twice; {} is answered by a line that begins with {word}.",
            request.word()
        ),
        Err(MalformedLine::Empty) => {
            format!("It prints an empty line. {STDOUT}")
        }
        Err(_) if reply.starts_with("\\u{feff}") => {
            "Its output begins with a byte order mark, as .NET and PowerShell write one: use an encoding without it (new UTF8Encoding(false))."
                .to_owned()
        }
        Err(_) if ["\\u{", "\\x", "\\t"].iter().any(|code| reply.contains(code)) => {
            "It has characters that are not those of the protocol, though they may look like them; each is quoted as its code (\\u{a0} is a no-break space, \\t a tab). They come from text that was copied from a page or a document: type that line of the program again. Replies are ASCII, with a space between words."
                .to_owned()
        }
        Err(why) if first == word => format!(
            "The first word is right, but not what follows: {why}. Words are separated by single spaces, numbers are plain (3, not 3.0, 03 or +3), and there are no commas or parentheses."
        ),
        Err(_) if first.eq_ignore_ascii_case(word) => {
            format!("Words are in lower case: {word}.")
        }
        Err(_) if Request::parse(line).is_ok() => format!(
            "It repeats what it is told. {STDOUT} Lines that are read need not be printed, and if they are, then there."
        ),
        Err(_) => format!(
            "The first word of the reply to {} has to be {word:?}, and it is \"{first}\"; if that line was not meant to be a reply: banners, prompts and debugging output belong on standard error.",
            request.word()
        ),
    };
    Advice::usual(expected, cause)
}

fn twice(request: &Request) -> String {
    format!(
        "It answers {} twice: the same line came again. Answer each request once, and notices (game, ship, seed, result, opponent, end) not at all.",
        request.word()
    )
}

/// Returns the fault of a bot that sent these lines beyond its reply to `last`, and the advice on
/// that; `None` if there are no lines.
pub(crate) fn on_lines_too_many(lines: &[Vec<u8>], last: &Request) -> Option<(String, Advice)> {
    let first = lines.first()?;
    let count = match lines.len() {
        1 => "1 extra line".to_owned(),
        MOST_COUNTED.. => format!("at least {MOST_COUNTED} extra lines"),
        count => format!("{count} extra lines"),
    };
    let what = format!("said {count}, starting with {}", text::excerpt(first));
    let is_reply = matches!(
        Reply::parse(first),
        Ok(Reply::Attack(_)
            | Reply::Salvo(_)
            | Reply::Act(_)
            | Reply::Place(_)
            | Reply::PlaceNone
            | Reply::Ready)
    );
    let cause = if is_reply {
        twice(last)
    } else {
        format!("It speaks without being asked. {STDOUT}")
    };
    let expected = "one line for each request, and none for anything else";
    Some((what, Advice::too_many(expected, cause)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bad_reply_has_its_cause() {
        for (asked, line, words) in [
            (
                Request::Attack,
                "fire 3 4",
                "has to be \"attack\", and it is \"fire\"",
            ),
            (
                Request::Attack,
                "Attack 3 4",
                "Words are in lower case: attack",
            ),
            (
                Request::Attack,
                "attack (3,4)",
                "there are no commas or parentheses",
            ),
            (Request::Attack, "attack 3", "the line ends too early"),
            (
                Request::Attack,
                "attack\u{a0}3\u{a0}4",
                "\\u{a0} is a no-break space",
            ),
            (
                Request::Attack,
                "\u{430}ttack 3 4",
                "not those of the protocol",
            ),
            (GREETING, "\u{feff}ready", "byte order mark, as .NET"),
            (Request::Attack, "attack\t3 4", "\\t a tab"),
            (Request::Attack, "", "prints an empty line"),
            (
                Request::Attack,
                "place 0 0 h",
                "the answer to another request",
            ),
            (Request::Attack, "resign", "It gives up"),
            (GREETING, "Ready", "Words are in lower case: ready"),
            (GREETING, "battleship 1", "It repeats what it is told"),
            (
                Request::Place,
                "game classic 10 10",
                "It repeats what it is told",
            ),
        ] {
            let cause = on_bad_reply(&asked, line.as_bytes(), None, false).cause;
            assert!(cause.contains(words), "{line}: {cause}");
        }
    }

    #[test]
    fn a_repeated_line_is_one_too_many() {
        let again = (b"ready".to_vec(), GREETING);
        let advice = on_bad_reply(&Request::Place, b"ready", Some(&again), false);
        assert!(advice.out_of_step && advice.cause.contains("It answers battleship twice"));
        let advice = on_bad_reply(&Request::Place, b"let me see", None, true);
        assert!(advice.out_of_step && advice.cause.contains("more than it is asked for"));
        assert!(!on_bad_reply(&Request::Place, b"let me see", None, false).out_of_step);
    }

    #[test]
    fn the_way_to_flush_is_that_of_the_language() {
        for (flushing, words) in [
            (
                Some("in Perl by \"$| = 1;\" at the start"),
                "Flush after every line, in Perl by \"$| = 1;\" at the start.",
            ),
            (
                None,
                "Flush after every line: print(..., flush=True) in Python,",
            ),
        ] {
            for began_line in [false, true] {
                let aftermath = Aftermath {
                    said_at_end: true,
                    began_line,
                    flushing,
                    ..Aftermath::default()
                };
                let cause = on_silence(EndedBy::Timeout, &Request::Attack, &aftermath).cause;
                assert!(cause.contains(words), "{cause}");
            }
        }
    }

    #[test]
    fn silence_has_its_cause() {
        let wait = |reply, was_busy, computed| SecondWait {
            reply,
            was_busy,
            computed,
        };
        let late = Some(Duration::from_millis(5_200));
        for (second_wait, said_at_end, commented, words) in [
            (
                wait(None, false, false),
                true,
                false,
                "Flush after every line",
            ),
            (
                wait(late, true, true),
                false,
                false,
                "the answer came after 5.2 s",
            ),
            (wait(None, false, false), false, false, "says nothing"),
            // Neither what computes nor what a busy machine did not let run is said to keep its
            // answer in a buffer.
            (wait(None, false, true), true, false, "still computing"),
            (wait(None, true, true), true, false, "The machine was busy"),
            (
                wait(None, false, false),
                false,
                true,
                "comments and no reply",
            ),
        ] {
            let aftermath = Aftermath {
                second_wait,
                said_at_end,
                commented,
                ..Aftermath::default()
            };
            let cause = on_silence(EndedBy::Timeout, &Request::Attack, &aftermath).cause;
            assert!(cause.contains(words), "{cause}");
            if second_wait.reply.is_some() {
                let cause = on_silence(EndedBy::NotReading, &Request::Attack, &aftermath).cause;
                assert!(cause.contains(words), "{cause}");
            }
        }
    }
}
