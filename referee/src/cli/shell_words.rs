//! Command lines that only a shell understands.

use std::path::Path;

use engine::system::{quoted, quoted_word};

/// Returns the first of `words`, into which `command` is split, that is for a shell, and the player to type instead: a shell that
/// runs the command, or, of `cd DIR && ...`, what runs in that folder. `prefix` is what precedes the command, as `NAME=`.
pub(super) fn for_a_shell(
    words: &[String],
    command: &str,
    prefix: &str,
) -> Option<(String, String)> {
    // A quotation keeps its words, which are not split off, from the shell.
    let is_split_off = |raw: &&str| words.iter().any(|word| word == raw);
    let mut typed = command.split_whitespace().filter(is_split_off);
    let word = typed.find(|word| is_for_a_shell(word))?.to_owned();
    let name = prefix.trim_end_matches('=');
    let player = match words {
        [cd, dir, and, rest @ ..]
            if cd == "cd"
                && and == "&&"
                && typed.all(|word| !is_for_a_shell(word))
                && Path::new(dir).is_dir() =>
        {
            format!("{}={}", quoted_word(&format!("{name}@{dir}")), quoted(rest))
        }
        _ => {
            let [shell, option] = if cfg!(windows) {
                ["cmd", "/c"]
            } else {
                ["sh", "-c"]
            };
            quoted(&[&format!("{prefix}{shell}"), option, command.trim()].map(str::to_owned))
        }
    };
    Some((word, quoted_word(&player)))
}

/// Whether a word has a sign that a shell takes for itself. A file may have such a name.
fn is_for_a_shell(word: &str) -> bool {
    let has_sign =
        word.contains(['|', '<', '>', '`']) || word.contains("&&") || word.ends_with(['&', ';']);
    has_sign && !Path::new(word).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(windows))]
    #[test]
    fn signs_of_a_shell_are_found_outside_of_quotations() {
        let found_in = |command: &str, prefix: &str| {
            for_a_shell(&engine::system::split_words(command)?, command, prefix)
        };
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().to_str().unwrap();
        for (command, word, player) in [
            ("python3 b.py | tee said", "|", "python3 b.py | tee said'\""),
            ("./b 2>log", "2>log", "./b 2>log'\""),
            ("./b 2> log", "2>", "./b 2> log'\""),
            ("./b&&./c", "./b&&./c", "./b&&./c'\""),
            ("cd a; ./b", "a;", "cd a; ./b'\""),
            ("cd no/such && ./b", "&&", "cd no/such && ./b'\""),
            (
                &format!("cd {dir} && python3 'b c.py'"),
                "&&",
                &format!("A@{dir}=python3 'b c.py'\""),
            ),
        ] {
            let (found, typed) = found_in(command, "A=").unwrap();
            assert_eq!(found, word);
            assert!(typed.ends_with(player), "{typed}");
        }
        for command in [
            "./b '|' \">x\" a\\;b",
            "./b --x=1&y=2 $HOME",
            "java -cp lib/*:. B",
        ] {
            assert_eq!(found_in(command, ""), None, "{command}");
        }
    }
}
