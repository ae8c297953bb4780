//! Command lines that only a shell understands.

use std::path::Path;

use arena::system::{quoted, quoted_word, split_words};

/// The signs that a shell takes for itself; the last two at the end of a word, and `&&`.
const SIGNS: [char; 6] = ['|', '<', '>', '`', '&', ';'];

/// Returns the first word of `command`, which is split into `words`, that is for a shell, and the player to type instead: a shell
/// that runs the command, or, of `cd DIR && ...`, what runs in that folder. `prefix` is what precedes the command, as `NAME=`.
pub(super) fn for_a_shell(
    words: &[String],
    command: &str,
    prefix: &str,
) -> Option<(String, String)> {
    // What precedes a place in quotation marks lacks their end.
    let is_quoted = |at: usize| split_words(&command[..at]).is_none();
    let mut start = 0;
    let spaces = command.match_indices(char::is_whitespace);
    let mut typed = spaces
        .map(|(at, _)| at)
        .filter(|at| !is_quoted(*at))
        .chain([command.len()])
        .map(|end| std::mem::replace(&mut start, end)..end)
        .filter(|word| {
            let mut signs = command[word.clone()].match_indices(SIGNS);
            signs.any(|(at, sign)| {
                let rest = &command[word.start + at + 1..word.end];
                let is_sign =
                    !matches!(sign, "&" | ";") || rest.is_empty() || rest.starts_with('&');
                is_sign && !is_quoted(word.start + at)
            })
        })
        .map(|word| command[word].trim())
        // A file may have such a name.
        .filter(|word| !Path::new(word).exists());
    let word = typed.next()?.to_owned();
    let name = prefix.trim_end_matches('=');
    let player = match words {
        [cd, dir, and, program, ..]
            if cd == "cd"
                && and == "&&"
                && typed.next().is_none()
                && !program.contains('=')
                && !prefix.contains('@')
                && Path::new(dir).is_dir() =>
        {
            let rest = quoted(&words[3..]);
            format!("{}={rest}", quoted_word(&format!("{name}@{dir}")))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(windows))]
    #[test]
    fn shell_signs_are_found_outside_quotations() {
        let found_in =
            |command: &str, prefix: &str| for_a_shell(&split_words(command)?, command, prefix);
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().to_str().unwrap();
        for (command, word, player) in [
            ("python3 b.py | tee said", "|", "python3 b.py | tee said'\""),
            ("./b 2>log", "2>log", "./b 2>log'\""),
            ("./b 2> log", "2>", "./b 2> log'\""),
            ("./b&&./c", "./b&&./c", "./b&&./c'\""),
            ("cd a; ./b", "a;", "cd a; ./b'\""),
            ("./b 2>\"my log\"", "2>\"my log\"", "my log"),
            ("./b 2>'log'", "2>'log'", "log"),
            ("cd 'my bots'&& ./b", "'my bots'&&", "'&& ./b"),
            (&format!("cd {dir} && F=1 ./b"), "&&", "F=1 ./b'\""),
            ("cd no/such && ./b", "&&", "cd no/such && ./b'\""),
            (
                &format!("cd {dir} && python3 'b c.py'"),
                "&&",
                &format!("A@{dir}=python3 'b c.py'\""),
            ),
        ] {
            let (found, typed) = found_in(command, "A=").unwrap();
            assert_eq!(found, word);
            assert!(typed.contains(player), "{typed}");
        }
        let (_, typed) = found_in(&format!("cd {dir} && ./b"), "A@my bots=").unwrap();
        assert!(typed.starts_with("\"'A@my bots=sh' -c "), "{typed}");
        for command in [
            "./b '|' \">x\" a\\;b",
            "./b \"a | b\" '|' '--re=^a|b$' \\>",
            "./b --x=1&y=2 $HOME",
            "java -cp lib/*:. B",
        ] {
            assert_eq!(found_in(command, ""), None, "{command}");
        }
    }
}
