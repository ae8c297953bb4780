//! Completion of command lines: the scripts that shells load, and the answers to what those ask.
//!
//! A script knows no commands. At each Tab it runs the referee with [`VARIABLE`] set and the words typed so far, for all
//! programs of the project.

pub(super) mod values;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap_complete::CompleteEnv;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};

use super::grammars::Grammars;

/// The variable that has the name of the shell when a script asks.
const VARIABLE: &str = "REFEREE_COMPLETE";

const SHELLS: [&dyn EnvCompleter; 5] = [&Bash, &Elvish, &Fish, &Powershell, &Zsh];

/// A shell that a script can be made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Shell {
    /// Bash 3.2 or later
    Bash,
    /// Zsh
    Zsh,
    /// Fish
    Fish,
    /// `PowerShell`
    #[value(help = "PowerShell")]
    Powershell,
    /// Elvish
    Elvish,
}

impl Shell {
    fn completer(self) -> &'static dyn EnvCompleter {
        match self {
            Shell::Bash => &Bash,
            Shell::Zsh => &Zsh,
            Shell::Fish => &Fish,
            Shell::Powershell => &Powershell,
            Shell::Elvish => &Elvish,
        }
    }
}

/// Answers the script of a shell, if this process was started by one. Returns whether it was.
///
/// # Errors
/// If the shell is unknown or standard output is closed.
pub(super) fn answer(grammars: Grammars) -> clap::error::Result<bool> {
    // Almost always unset; nothing else is to take time then.
    if std::env::var_os(VARIABLE).is_none() {
        return Ok(false);
    }
    let words: Vec<OsString> = std::env::args_os().collect();
    let typed = words.iter().skip_while(|word| *word != "--").nth(1);
    let program = typed
        .map(Path::new)
        .and_then(Path::file_stem)
        .unwrap_or_default()
        .to_owned();
    let grammar = || grammars.of(&program);
    let folder = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(grammar)
        .var(VARIABLE)
        .shells(Shells(&SHELLS));
    asked.try_complete(words, folder.as_deref())
}

/// Returns the script of `shell` that completes all programs. It runs `referee`, a path or a name on the `PATH`.
///
/// # Errors
/// If the script cannot be made of that path.
pub(super) fn script(shell: Shell, referee: &str, grammars: Grammars) -> io::Result<Vec<u8>> {
    let mut script = Vec::new();
    for grammar in grammars.all() {
        let name = grammar.get_name();
        shell
            .completer()
            .write_registration(VARIABLE, name, name, referee, &mut script)?;
    }
    Ok(if shell == Shell::Zsh {
        autoloaded(&script, grammars)
    } else {
        script
    })
}

/// Returns a script of zsh that can be read at the start of a shell, and can be the file `_referee` of its `fpath`: that file
/// is read at the first Tab after any of the names in its first line, and has to complete then.
fn autoloaded(script: &[u8], grammars: Grammars) -> Vec<u8> {
    let programs = grammars.all();
    let names: Vec<&str> = programs.iter().map(clap::Command::get_name).collect();
    let mut whole = format!("#compdef {}\n", names.join(" ")).into_bytes();
    for line in script.split_inclusive(|byte| *byte == b'\n') {
        if !line.starts_with(b"#compdef") {
            whole.extend(line);
        }
    }
    whole.extend(
        b"\nif [[ ${funcstack[1]} == _referee ]]; then\n    \"_clap_dynamic_completer_${service//-/_}\" \"$@\"\nfi\n",
    );
    whole
}

/// Returns what a script is to run: this program as it was called, if a shell finds it so from everywhere.
pub(super) fn callable(called: &Path) -> PathBuf {
    if called.components().count() > 1 {
        std::path::absolute(called).unwrap_or_else(|_| called.to_owned())
    } else {
        called.to_owned()
    }
}
