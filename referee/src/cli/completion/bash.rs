//! Bash, which cuts words at `=` and `:` too, as in `--rules=twist` and `Popeye=good`. So the script passes the line on as it
//! was typed, and it is cut here.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

use clap_complete::engine;
use clap_complete::env::EnvCompleter;

/// The script: reads a candidate a line, and leaves out the space behind what is not finished. Names in capitals are replaced.
const SCRIPT: &str = r#"
_complete_FUNCTION() {
    local candidate
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("$candidate")
    done < <(REFEREE_WORD="$2" REFEREE_LINE="${COMP_LINE:0:COMP_POINT}" VARIABLE=bash \
        COMPLETER -- NAME 2> /dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} =~ [=/]$ ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
complete -o bashdefault -o nosort -F _complete_FUNCTION NAME 2> /dev/null ||
    complete -o bashdefault -F _complete_FUNCTION NAME
"#;

/// Answers scripts of Bash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let completer = shlex::try_quote(completer).map_err(io::Error::other)?;
        let script = SCRIPT
            .replace("FUNCTION", &name.replace('-', "_"))
            .replace("NAME", bin)
            .replace("VARIABLE", var)
            .replace("COMPLETER", &completer);
        write!(buf, "{script}")
    }

    fn write_complete(
        &self,
        cmd: &mut clap::Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let variable =
            |name| std::env::var_os(name).unwrap_or_default().to_string_lossy().into_owned();
        let line = Line::cut(&variable("REFEREE_LINE"));
        let own = variable("REFEREE_WORD");
        // An alias or a path may stand in place of the program's name.
        let typed = line.words.iter().skip(1).map(OsString::from);
        let words: Vec<_> = args.into_iter().take(1).chain(typed).collect();
        let last = line.words.last().map(String::as_str).unwrap_or_default();
        // What Bash takes for words of their own is not replaced.
        let kept = last.strip_suffix(own.as_str()).unwrap_or_default();
        let place = words.len().saturating_sub(1);
        for candidate in engine::complete(cmd, words, place, current_dir)? {
            if let Some(shown) = insertable(candidate.get_value(), kept, line.is_quoted) {
                writeln!(buf, "{shown}")?;
            }
        }
        Ok(())
    }
}

/// Returns what Bash inserts for a candidate behind `kept`; `None` if no line can have it.
fn insertable(candidate: &OsStr, kept: &str, is_quoted: bool) -> Option<String> {
    let text = candidate.to_str()?.strip_prefix(kept)?;
    if text.contains(char::is_control) {
        return None;
    }
    if is_quoted {
        return Some(text.to_owned());
    }
    let mut inserted = String::new();
    for letter in text.chars() {
        if letter.is_ascii() && !letter.is_ascii_alphanumeric() && !"-_./=:@,+%^~".contains(letter)
        {
            inserted.push('\\');
        }
        inserted.push(letter);
    }
    Some(inserted)
}

/// A line up to the cursor, as words without their quotation marks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Line {
    /// The last is the one at the cursor, which may be empty.
    words: Vec<String>,
    /// Whether a quotation mark is open at the cursor.
    is_quoted: bool,
}

impl Line {
    fn cut(line: &str) -> Line {
        let (mut words, mut word) = (Vec::new(), None::<String>);
        let mut open = None;
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            match (open, letter) {
                (None, ' ' | '\t') => words.extend(word.take()),
                (None, '\'' | '"') => {
                    open = Some(letter);
                    word.get_or_insert_default();
                }
                (Some(mark), _) if mark == letter => open = None,
                (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
                (None | Some(_), _) => word.get_or_insert_default().push(letter),
            }
        }
        words.push(word.unwrap_or_default());
        Line { words, is_quoted: open.is_some() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_into_words_as_bash_would_but_for_what_is_not_finished() {
        for (line, words, is_quoted) in [
            ("referee ", &["referee", ""][..], false),
            ("referee  pl", &["referee", "pl"], false),
            ("r play Popeye=go", &["r", "play", "Popeye=go"], false),
            ("r play 'python3 my_b", &["r", "play", "python3 my_b"], true),
            (r#"r play "a\"b" c\ d"#, &["r", "play", "a\"b", "c d"], false),
            ("r ''", &["r", ""], false),
        ] {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(Line::cut(line), Line { words, is_quoted }, "{line}");
        }
    }

    #[test]
    fn only_what_follows_the_words_of_bash_is_inserted_with_its_spaces_escaped() {
        let inserted =
            |candidate: &str, kept, is_quoted| insertable(OsStr::new(candidate), kept, is_quoted);
        assert_eq!(inserted("Popeye=good", "Popeye=", false).as_deref(), Some("good"));
        assert_eq!(inserted("my cup.jsonl", "", false).as_deref(), Some(r"my\ cup.jsonl"));
        assert_eq!(inserted("my cup.jsonl", "", true).as_deref(), Some("my cup.jsonl"));
        assert_eq!(inserted("a\nb", "", false), None);
        assert_eq!(inserted("good", "Popeye=", false), None);
    }
}
