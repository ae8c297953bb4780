//! `referee completions`: the script that a shell loads to complete command lines.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use super::CommandArgs;
use super::grammar;
use crate::World;
use crate::exit::Failure;
use crate::help::Group;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell that loads the script
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl CommandArgs for CompletionsArguments {
    const NAME: &'static str = "completions";
    const ABOUT: &'static str = "Print a script that completes commands and options in your shell";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = "\
The script completes commands, options and their values. To load it in each new
shell (the referee is on the PATH):

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

    fn run(self, _: &World) -> Result<(), Failure> {
        // Written at once: clap_complete panics where its writer fails.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut grammar(|_| true), "referee", &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}
