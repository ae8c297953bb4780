//! The last lines of a bot's standard error, for the reason of a forfeit.

use super::{Excerpt, HostVerdict, text};

/// The end of a Python traceback has the line number, the code and the error.
const LINES: usize = 3;

/// The most lines of an error's message behind its first one.
const MESSAGE: usize = 3;

/// Returns the last lines of `log` that have letters or digits, quoted and on one line; `None` if
/// no line has any. If they are the end of a stack trace, they are the lines from the one that
/// names the error.
pub(super) fn last_words(log: &Excerpt) -> Option<String> {
    let bytes = log.parts().concat();
    let lines: Vec<&[u8]> = bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii().starts_with(&[HostVerdict::MARK]))
        // A line of signs alone, such as `^^^^` in a Python traceback, is useless without the line
        // above. Bytes from 128 on may be letters of any script.
        .filter(|line| {
            line.iter()
                .any(|byte| byte.is_ascii_alphanumeric() || *byte >= 128)
        })
        .collect();
    let last = lines.len().saturating_sub(LINES);
    let first = error_line(&lines).map_or(last, |error| error.min(last));
    let quoted: Vec<_> = lines[first..]
        .iter()
        .take(LINES)
        .map(|line| text::long_excerpt(line.trim_ascii()))
        .collect();
    (!quoted.is_empty()).then(|| quoted.join(" / "))
}

/// Returns the index of the line that names the error whose stack trace ends `lines`.
fn error_line(lines: &[&[u8]]) -> Option<usize> {
    let lines: Vec<_> = lines
        .iter()
        .map(|line| String::from_utf8_lossy(line))
        .collect();
    // A sanitizer's report has sections of any form behind its first line.
    let is_sanitizer = |line: &str| line.starts_with("==") && line.contains("ERROR: ");
    if let Some(error) = lines.iter().position(|line| is_sanitizer(line)) {
        return Some(error);
    }
    let mut has_trace = false;
    let mut rest_of_message = 0;
    for (place, line) in lines.iter().enumerate().rev() {
        let before = place.checked_sub(1).map(|before| &*lines[before]);
        if let (Some(before), Some(panic)) = (before, place.checked_sub(1))
            && is_rust_panic(before)
        {
            return Some(panic);
        }
        if names_error(line) {
            return Some(place);
        }
        if is_of_trace(line) {
            has_trace = true;
        } else {
            rest_of_message += 1;
            if !has_trace || rest_of_message > MESSAGE {
                return None;
            }
        }
    }
    None
}

/// Returns whether the message of a panic of Rust follows the line.
fn is_rust_panic(line: &str) -> bool {
    line.starts_with("thread '") && line.contains(" panicked at ")
}

/// The beginnings of lines that name an error, in Java, Go, C#, PHP, Lua and OCaml.
const ERRORS: [&str; 10] = [
    "Exception in thread",
    "Caused by:",
    "panic: ",
    "fatal error: ",
    "Fatal error",
    "PHP Fatal error",
    "PHP Parse error",
    "Unhandled exception",
    "lua: ",
    "luajit: ",
];

fn names_error(line: &str) -> bool {
    let is_name = |name: &str| {
        // Of a name such as `RangeError [ERR_OUT_OF_RANGE]`.
        let name = name.split(" [").next().unwrap_or_default();
        let name = name.strip_prefix("Uncaught ").unwrap_or(name);
        (name.ends_with("Error") || name.ends_with("Exception")) && !name.contains(' ')
    };
    // `bot.rb:3:in 'place': undefined method 'row' for nil (NoMethodError)`
    let in_brackets = line.trim_end().strip_suffix(')');
    let class = in_brackets.and_then(|line| line.rsplit_once('('));
    ERRORS.iter().any(|start| line.starts_with(start))
        || line
            .split(": ")
            .next()
            .is_some_and(|name| is_name(name.trim_end()))
        || (!line.starts_with(char::is_whitespace) && class.is_some_and(|(_, name)| is_name(name)))
}

/// The beginnings of lines of a stack trace that are not indented, in Go, Node.js, Rust and Lua.
const TRACE: [&str; 8] = [
    "at ",
    "exit status ",
    "goroutine ",
    "created by ",
    "Node.js v",
    "note: ",
    "stack ",
    "[signal ",
];

/// Returns whether a line belongs to the stack trace behind an error.
fn is_of_trace(line: &str) -> bool {
    line.starts_with([' ', '\t', '#'])
        || TRACE.iter().any(|start| line.starts_with(start))
        // A function of Go.
        || (line.trim_end().ends_with(')') && !line.trim_end().contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_words_of(log: &[u8]) -> Option<String> {
        let mut excerpt = Excerpt::new(4096, 4096);
        excerpt.add(log);
        last_words(&excerpt)
    }

    #[test]
    fn last_words_are_the_last_three_lines() {
        let log = [
            &b"first\n"[..],
            &[b'x'; 9000],
            b"\nlast but one\n\nlast words\n",
        ]
        .concat();
        let words = last_words_of(&log).unwrap();
        assert!(
            words.ends_with("…\" / \"last but one\" / \"last words\""),
            "{words}"
        );
    }

    #[test]
    fn letters_of_any_script_are_words() {
        let words = last_words_of("Ошибка\n^^^^\n".as_bytes()).unwrap();
        assert_eq!(words, "\"Ошибка\"");
    }

    #[test]
    fn a_stack_trace_begins_with_its_error() {
        let trace = |line: &str| line.repeat(9);
        let node = "/b.js:3\n  cell.row = 1\n           ^\n\nTypeError: no cell\n";
        let node = format!(
            "{node}{}\nNode.js v20.20.2\n",
            trace("    at f (b.js:3:1)\n")
        );
        let java = "Exception in thread \"main\" java.lang.RuntimeException: a: b\n";
        let java = format!("{java}{}", trace("\tat Bot.main(Bot.java:3)\n"));
        let caused = format!(
            "{java}Caused by: E: why\n{}\t... 3 more\n",
            trace("\tat B.b\n")
        );
        let rust = "thread 'main' (17) panicked at src/main.rs:3:5:\nno cell\nstack backtrace:\n";
        let rust = format!(
            "{rust}{}note: Some details\n",
            trace("   1: std::panicking\n")
        );
        let go = "panic: runtime error: index out of range [5]\n\ngoroutine 1 [running]:\n";
        let go = format!(
            "{go}{}exit status 2\n",
            trace("main.f(...)\n\t/b.go:5 +0x1d\n")
        );
        let ruby = "b.rb:3:in 'f': undefined method 'row' for nil (NoMethodError)\n";
        let ruby = format!("{ruby}{}", trace("\tfrom b.rb:9:in '<main>'\n"));
        let sanitizer = "==7==ERROR: AddressSanitizer: stack-buffer-overflow\nREAD of size 4\n";
        let sanitizer = format!("{sanitizer}{}==7==ABORTING\n", trace("Shadow bytes: f1\n"));
        let module = "ReferenceError: require is not defined\nThis file is an ES module.\n";
        let module = format!("{module}{}\n", trace("    at f (b.js:3:1)\n"));
        for (log, begins) in [
            (
                module,
                "\"ReferenceError: require is not defined\" / \"This file is an ES module.\"",
            ),
            (node, "\"TypeError: no cell\" / \"at f (b.js:3:1)\""),
            (
                java,
                "\"Exception in thread \"main\" java.lang.RuntimeException: a: b\"",
            ),
            (caused, "\"Caused by: E: why\" / "),
            (
                rust,
                "\"thread 'main' (17) panicked at src/main.rs:3:5:\" / \"no cell\"",
            ),
            (
                go,
                "\"panic: runtime error: index out of range [5]\" / \"goroutine 1 [running]:\"",
            ),
            (
                ruby,
                "\"b.rb:3:in 'f': undefined method 'row' for nil (NoMethodError)\" / ",
            ),
            (
                sanitizer,
                "\"==7==ERROR: AddressSanitizer: stack-buffer-overflow\" / ",
            ),
        ] {
            let words = last_words_of(log.as_bytes()).unwrap();
            assert!(words.starts_with(begins), "{words}");
        }
    }

    #[test]
    fn a_survived_error_is_no_last_word() {
        let words = last_words_of(b"KeyError: 3\none\ntwo\nthree\n").unwrap();
        assert_eq!(words, "\"one\" / \"two\" / \"three\"");
        let python = b"Traceback:\n  File \"b.py\", line 3\n    f()\n    ~^^\nKeyError: 3\n";
        let words = last_words_of(python).unwrap();
        assert!(words.ends_with("\"f()\" / \"KeyError: 3\""), "{words}");
    }

    #[test]
    fn silence_has_no_last_words() {
        assert_eq!(last_words_of(b"\n  \r\n"), None);
    }
}
