//! `referee completions`: the script that a shell loads to complete command lines.

use std::io::{self, Write};

use bots::SHIPPED;
use clap::builder::PossibleValuesParser;
use clap::{Args, Command, ValueHint};
use clap_complete::Shell;

use kits::{Kit, kits};

use super::new::{JUDGE_WORD, NewArguments};
use super::{CommandArgs, grammar};
use crate::World;
use crate::exit::Failure;
use crate::help::{self, Group};
use crate::programs::PROGRAMS;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell that loads the script
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Returns the grammar with the words to complete: the commands that the help lists, the programs
/// beside the referee, the shipped players and the languages of `new`.
fn completed() -> Command {
    let players = SHIPPED.iter().map(|shipped| shipped.name);
    let players = PossibleValuesParser::new(players);
    let languages = kits().into_iter().map(Kit::language);
    let languages = PossibleValuesParser::new(languages.chain([JUDGE_WORD]));
    let commands = grammar(|_| true);
    let program = help::program();
    let listed = commands
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let listed = listed.map(|command| {
        let is_new = command.get_name() == NewArguments::NAME;
        command.clone().mut_args(|arg| {
            if arg.is_positional() && arg.get_value_hint() == ValueHint::CommandString {
                arg.value_parser(players.clone())
            } else if is_new && arg.get_id() == "language" {
                arg.value_parser(languages.clone())
            } else {
                // clap_complete offers options that are hidden everywhere.
                arg
            }
        })
    });
    let beside = PROGRAMS
        .iter()
        .map(|program| Command::new(program.word).about(program.about));
    program.subcommands(listed.chain(beside))
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
        clap_complete::generate(self.shell, &mut completed(), "referee", &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}
