//! `referee completions`: the script that a shell loads to complete command lines.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use anyhow::anyhow;
use clap::Args;

use crate::cli::completion::{self, Shell};
use crate::cli::exit::Failure;
use crate::cli::grammars::Grammars;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell that loads the script
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) const EXAMPLES: &str = "\
The script completes commands, options, players and records, for referee, replay
and the bots. To load it in each new shell (the referee is on the PATH):

bash, at the end of ~/.bashrc:
  source <(referee completions bash)
zsh, at the end of ~/.zshrc:
  autoload -Uz compinit && compinit && source <(referee completions zsh)
fish, at the end of ~/.config/fish/config.fish:
  referee completions fish | source
PowerShell, at the end of the file that $PROFILE names:
  referee completions powershell | Out-String | Invoke-Expression
elvish, at the end of ~/.config/elvish/rc.elv:
  eval (referee completions elvish | slurp)

Examples:
  referee completions bash
  referee completions fish > referee.fish";

/// Prints a script.
pub(crate) fn run(arguments: &CompletionsArguments, grammars: Grammars) -> Result<(), Failure> {
    let called = std::env::args_os()
        .next()
        .unwrap_or_else(|| OsString::from("referee"));
    let referee = completion::callable(Path::new(&called)).into_os_string();
    let referee = referee.into_string().map_err(|path| {
        anyhow!(
            "{}: a script cannot name a program whose path is not text",
            path.display()
        )
    })?;
    let script = completion::script(arguments.shell, &referee, grammars)?;
    io::stdout().write_all(&script)?;
    Ok(())
}
