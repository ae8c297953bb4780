//! `referee bot`: one of the shipped bots. The bots' own programs are the same with less to type.

use std::io::{self, Write};
use std::process::ExitCode;

use bots::{SHIPPED, Settings, Shipped, Terminal, Thinking};
use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, FromArgMatches, Parser};

use super::CommandArgs;
use crate::World;
use crate::exit::{self, Failure};
use crate::help::Group;

#[derive(Debug, Args)]
pub(crate) struct BotArguments {
    /// Kind of the bot
    #[arg(value_parser = PossibleValuesParser::new(SHIPPED.map(|shipped| shipped.name)))]
    kind: String,
    #[command(flatten)]
    common: ProgramArguments,
}

/// The arguments of every bot's own program.
#[derive(Args, Debug)]
struct ProgramArguments {
    /// The bot's name for itself
    #[arg(long, value_name = "TEXT", value_parser = one_line)]
    name: Option<String>,
}

/// The grammar of a bot's own program.
#[derive(Debug, Parser)]
#[command(version, about = None, long_about = None)]
struct PlainArguments {
    #[command(flatten)]
    common: ProgramArguments,
}

/// The grammar of the program of good.
#[derive(Debug, Parser)]
#[command(version, about = None, long_about = None)]
struct GoodArguments {
    #[command(flatten)]
    common: ProgramArguments,
    /// About how long it may think about a move, in milliseconds on a usual machine, up to 2000. It counts what it does
    /// instead of looking at a clock, so that the same seed gives the same game everywhere
    #[arg(long, value_name = "MS", default_value_t = 1.0, value_parser = budget)]
    budget: f64,
    /// Say on standard error before each attack how likely each cell is to hit
    #[arg(long)]
    explain: bool,
}

/// Checks a name, which the protocol sends on a line of its own.
fn one_line(name: &str) -> Result<String, &'static str> {
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        return Err("a name is one line of text");
    }
    Ok(name.to_owned())
}

fn budget(text: &str) -> Result<f64, &'static str> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|number| *number > 0.0 && *number <= 2000.0)
        .ok_or("a number of milliseconds up to 2000")
}

impl CommandArgs for BotArguments {
    const NAME: &'static str = "bot";
    const ABOUT: &'static str = "Run one of the shipped bots on standard input and output";
    const GROUP: Group = Group::Hidden;
    const EXAMPLES: &'static str = "";

    /// Plays as a shipped bot on standard input and output, until the referee sends `quit`.
    fn run(self, _: &World) -> Result<(), Failure> {
        let shipped = named(&self.kind);
        let name = self.common.name;
        let code = play(shipped, name, Thinking::default(), terminal_of(shipped));
        if code == ExitCode::SUCCESS {
            Ok(())
        } else {
            Err(Failure::Reported(exit::FAULT))
        }
    }
}

/// The whole program of the bot called `kind`, as `good-bot` of `good`: reads the command line, then plays.
///
/// # Panics
/// If no shipped bot is called so.
#[must_use]
pub fn bot_main(kind: &str) -> ExitCode {
    let shipped = named(kind);
    let grammar = bot_grammar(shipped);
    if kind != "good" {
        let PlainArguments { common } = parsed(&grammar);
        return play(
            shipped,
            common.name,
            Thinking::default(),
            terminal_of(shipped),
        );
    }
    let GoodArguments {
        common,
        budget,
        explain,
    } = parsed(&grammar);
    let mut thinking = Thinking::for_milliseconds(budget);
    if explain {
        thinking = thinking.explained();
    }
    play(shipped, common.name, thinking, terminal_of(shipped))
}

/// Reads the command line by `grammar`; ends the program if it is wrong, or if help is asked for.
fn parsed<A: FromArgMatches>(grammar: &clap::Command) -> A {
    A::from_arg_matches(&grammar.clone().get_matches()).unwrap_or_else(|error| error.exit())
}

/// Returns the grammars of the programs of bots.
#[must_use]
pub fn programs_of_bots() -> [clap::Command; 4] {
    ["awful", "mediocre", "good", "human"].map(|kind| bot_grammar(named(kind)))
}

fn named(kind: &str) -> &'static Shipped {
    Shipped::named(kind).expect("the grammar and the programs name shipped bots alone")
}

/// Returns the grammar of the bot's own program.
///
/// # Panics
/// If the bot has none.
pub(crate) fn bot_grammar(shipped: &Shipped) -> clap::Command {
    let (grammar, name) = match shipped.name {
        "awful" => (PlainArguments::command(), "awful-bot"),
        "mediocre" => (PlainArguments::command(), "mediocre-bot"),
        "good" => (GoodArguments::command(), "good-bot"),
        "human" => (PlainArguments::command(), "human-bot"),
        other => panic!("{other} has no program of its own"),
    };
    let usual = "It speaks the protocol of the Battleship referee on standard input and\noutput, so the referee starts it rather than a person.";
    grammar
        .name(name)
        .long_about(format!("{}.\n{usual}", shipped.about))
        .about(shipped.about)
}

/// Returns the terminal that the bot needs.
fn terminal_of(shipped: &Shipped) -> io::Result<Terminal> {
    if shipped.is_human() {
        Terminal::open()
    } else {
        Ok(Terminal::nowhere())
    }
}

fn play(
    shipped: &Shipped,
    name: Option<String>,
    thinking: Thinking,
    terminal: io::Result<Terminal>,
) -> ExitCode {
    let settings = match terminal {
        Ok(terminal) => Settings {
            name,
            thinking,
            terminal,
        },
        Err(error) => {
            // Without a standard error there is no place left for the message.
            let _ = writeln!(io::stderr(), "a human player needs a terminal: {error}");
            return ExitCode::from(exit::FAULT);
        }
    };
    if !shipped.is_human() {
        return shipped.program(settings).run();
    }
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    match Shipped::person(settings).serve(input, output, io::stderr()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::from(exit::FAULT)
        }
    }
}
