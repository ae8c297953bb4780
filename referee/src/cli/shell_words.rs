//! Command lines that only a shell understands.

use std::path::Path;

use bothost::find_on_path;
use engine::system::{BETWEEN_FOLDERS, quoted, quoted_word};

/// Returns the first word of `command` that is for a shell, and the player to type instead: a shell that runs the command, or, of
/// `cd DIR && ...`, what runs in that folder. `prefix` is what precedes the command of that player, as `NAME=`; a `name` alone.
pub(super) fn for_a_shell(command: &str, prefix: &str) -> Option<(String, String)> {
    let shown = without_quotations(command);
    let mut words = shown.split_whitespace();
    let word = words.clone().find(|word| is_for_a_shell(word))?;
    if let (Some("cd"), Some(dir), Some("&&")) = (words.next(), words.next(), words.next())
        && let Some((_, rest)) = command.split_once("&&")
        && !words.clone().any(is_for_a_shell)
        && !prefix.contains('@')
        && Path::new(dir).is_dir()
    {
        let name = prefix.trim_end_matches('=');
        let player = format!("{}={}", quoted_word(&format!("{name}@{dir}")), rest.trim());
        return Some((word.to_owned(), quoted_word(&player)));
    }
    let shell = match find_on_path("bash".as_ref()) {
        _ if cfg!(windows) => ["cmd", "/c"],
        Some(_) => ["bash", "-c"],
        None => ["sh", "-c"],
    };
    let player = [&format!("{prefix}{}", shell[0]), shell[1], command.trim()];
    let player = quoted(&player.map(str::to_owned));
    Some((word.to_owned(), quoted_word(&player)))
}

/// Returns `command` with a sign in place of each character that a quotation mark or a backslash keeps from the shell.
fn without_quotations(command: &str) -> String {
    let mut quotation = None;
    let mut letters = command.chars();
    let mut shown = String::new();
    while let Some(letter) = letters.next() {
        shown.push(match (quotation, letter) {
            (None, '\'' | '"') => {
                quotation = Some(letter);
                '_'
            }
            (Some(mark), _) if mark == letter => {
                quotation = None;
                '_'
            }
            (None | Some('"'), '\\') if cfg!(not(windows)) => {
                letters.next();
                '_'
            }
            (None, letter) => letter,
            (Some(_), _) => '_',
        });
    }
    shown
}

/// Whether a word that is in no quotation has a sign that a shell takes for itself. A file may have such a name.
fn is_for_a_shell(word: &str) -> bool {
    let is_variable = |(_, after): (&str, &str)| {
        after.starts_with(|letter: char| letter.is_ascii_alphabetic() || "{(_".contains(letter))
    };
    let has_sign = word.contains(['|', '<', '>', '`'])
        || word.contains("&&")
        || word.ends_with('&')
        || BETWEEN_FOLDERS != ';' && word.contains(';')
        || cfg!(not(windows)) && word.split_once('$').is_some_and(is_variable);
    has_sign && !Path::new(word).exists()
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::*;

    #[test]
    fn signs_of_a_shell_are_found_outside_of_quotations() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().to_str().unwrap();
        for (command, word, player) in [
            ("python3 b.py | tee said", "|", "python3 b.py | tee said'\""),
            ("./b 2>log", "2>log", "./b 2>log'\""),
            ("./b 2> log", "2>", "./b 2> log'\""),
            ("./b&&./c", "./b&&./c", "./b&&./c'\""),
            ("./b $HOME/x", "$HOME/x", "'$HOME/x'\"'\""),
            ("cd a; ./b", "a;", "cd a; ./b'\""),
            ("cd no/such && ./b", "&&", "cd no/such && ./b'\""),
            (
                &format!("cd {dir} && python3 'b c.py'"),
                "&&",
                &format!("A@{dir}=python3 'b c.py'\""),
            ),
        ] {
            let (found, typed) = for_a_shell(command, "A=").unwrap();
            assert_eq!(found, word);
            assert!(typed.ends_with(player), "{typed}");
        }
        for command in [
            "./b '|' \">x\" a\\;b",
            "./b --x=1&y=2 a$ $5",
            "java -cp lib/*:. B",
        ] {
            assert_eq!(for_a_shell(command, ""), None, "{command}");
        }
    }
}
