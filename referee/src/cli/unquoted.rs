//! Commands of several words that were typed without the quotation marks that make one player of them.

use std::path::Path;

use super::exit::Failure;
use arena::system::quoted;

/// The commands whose arguments are players.
const COMMANDS: [&str; 5] = ["play", "match", "tournament", "tune", "check"];

/// Checks that no player in `typed`, the whole command line, is a bare interpreter before the file that it should run.
///
/// # Errors
/// If there is one; the message has the command line with quotation marks.
pub(super) fn refuse_unquoted(typed: &[String]) -> Result<(), Failure> {
    let [_, command, words @ ..] = typed else {
        return Ok(());
    };
    if !COMMANDS.contains(&command.as_str()) {
        return Ok(());
    }
    let found = (0..words.len()).find_map(|start| Some(start..end_of_command(words, start)?));
    let Some(range) = found else { return Ok(()) };
    let player = words[range.clone()].join(" ");
    let (before, after) = (&words[..range.start], &words[range.end..]);
    let right = [before, &[player], after].concat();
    Err(Failure::misuse(format!(
        "a command of several words is one player in quotation marks only; write: referee {command} {}",
        quoted(&right)
    )))
}

/// Returns where the command ends that begins with the word `start`, if that is a bare interpreter and its file follows,
/// perhaps behind options.
fn end_of_command(words: &[String], start: usize) -> Option<usize> {
    let program = words[start]
        .split_once('=')
        .map_or(words[start].as_str(), |(_, program)| program);
    let name = Path::new(program).file_name()?.to_str()?;
    let language = kits::interpreted_by(name)?;
    let mut end = start + 1;
    while let Some(word) = words
        .get(end)
        .filter(|word| word.starts_with('-') && !word.starts_with("--"))
    {
        // A class path is another word.
        end += if language.class_path.contains(&word.as_str()) {
            2
        } else {
            1
        };
    }
    let file = words.get(end)?;
    let is_class = !language.class_path.is_empty()
        && (end > start + 1 || Path::new(&format!("{file}.class")).is_file());
    let file_path = Path::new(file);
    let is_file = file_path.is_file() || kits::kind_of_file(file_path).is_some();
    (is_class || is_file).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(typed: &str) -> Option<String> {
        let typed = shlex::split(typed).unwrap();
        refuse_unquoted(&typed)
            .err()
            .map(|failure| failure.to_string())
    }

    #[test]
    fn an_interpreter_and_its_file_need_quotes() {
        for (typed, right) in [
            (
                "referee check python3 no/bot.py",
                "referee check 'python3 no/bot.py'",
            ),
            (
                "referee play python3 bot.py mediocre --seed 1",
                "'python3 bot.py' mediocre --seed 1",
            ),
            (
                "referee match awful A=/usr/bin/python3.12 -u bot.py",
                "awful 'A=/usr/bin/python3.12 -u bot.py'",
            ),
            (
                "referee play java -cp folder Bot awful",
                "'java -cp folder Bot' awful",
            ),
            (
                "referee tournament awful node bot.js ruby bot.rb",
                "awful 'node bot.js' ruby bot.rb",
            ),
        ] {
            let what = refused(typed).unwrap();
            assert!(what.ends_with(right), "{what}");
        }
    }

    #[test]
    fn other_commands_are_left_alone() {
        for typed in [
            "referee play 'python3 bot.py' mediocre",
            "referee play python3 mediocre",
            "referee check python3",
            "referee new python bot.py",
            "referee play node",
            "referee",
        ] {
            assert_eq!(refused(typed), None, "{typed}");
        }
    }
}
