//! `referee bot`: one of the shipped bots. The bots' own programs are the same with less to type.

use std::io::{self, Write};
use std::process::ExitCode;

use bots::{SHIPPED, Settings, Shipped, Terminal, Thinking};
use clap::builder::PossibleValuesParser;
use clap::{Args, FromArgMatches};

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
    called: NameArgument,
}

/// The argument of every bot's own program.
#[derive(Args, Debug)]
struct NameArgument {
    /// The bot's name for itself
    #[arg(long, value_name = "TEXT", value_parser = one_line)]
    name: Option<String>,
}

/// The arguments of the program of good alone.
#[derive(Args, Debug)]
struct ThinkingArguments {
    /// About how long it may think about a move, in milliseconds on a usual machine, up to 2000. It
    /// counts what it does instead of looking at a clock, so that the same seed gives the same game
    /// everywhere
    #[arg(long, value_name = "MS", default_value_t = 1.0, value_parser = budget)]
    budget: f64,
    /// Say on standard error before each attack how likely each cell is to hit
    #[arg(long)]
    explain: bool,
}

/// The programs of bots.
const PROGRAMS: [&str; 4] = ["awful-bot", "mediocre-bot", "good-bot", "human-bot"];

/// Checks a name, which the protocol sends on a line of its own.
fn one_line(name: &str) -> Result<String, &'static str> {
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        return Err("a name is one line of text");
    }
    Ok(name.to_owned())
}

fn budget(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(number) if number > 0.0 && number <= 2000.0 => Ok(number),
        Ok(_) | Err(_) => Err("a number of milliseconds up to 2000"),
    }
}

impl CommandArgs for BotArguments {
    const NAME: &'static str = "bot";
    const ABOUT: &'static str = "Run one of the shipped bots on standard input and output";
    const GROUP: Group = Group::Hidden;
    const EXAMPLES: &'static str = "";

    /// Plays as a shipped bot on standard input and output, until the referee sends `quit`.
    fn run(self, _: &World) -> Result<(), Failure> {
        let code = play(&self.kind, self.called.name, Thinking::default());
        if code == ExitCode::SUCCESS {
            Ok(())
        } else {
            Err(Failure::Reported(exit::FAULT))
        }
    }
}

/// The whole program of the bot called `kind`, as `good-bot` of `good`: reads the command line,
/// then plays.
///
/// # Panics
/// If that bot has no program.
#[must_use]
pub fn bot_main(kind: &str) -> ExitCode {
    let programs = PROGRAMS.iter();
    let mut programs = programs.filter(|program| program.strip_suffix("-bot") == Some(kind));
    let program = programs.next().expect("the bot has a program");
    let matches = bot_grammar(program).get_matches();
    let called = NameArgument::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let mut thinking = Thinking::default();
    if kind == "good" {
        let typed = ThinkingArguments::from_arg_matches(&matches);
        let typed = typed.unwrap_or_else(|error| error.exit());
        thinking = Thinking::for_milliseconds(typed.budget);
        if typed.explain {
            thinking = thinking.explained();
        }
    }
    play(kind, called.name, thinking)
}

/// Returns the grammars of the programs of bots.
#[must_use]
pub fn programs_of_bots() -> [clap::Command; 4] {
    PROGRAMS.map(bot_grammar)
}

fn named(kind: &str) -> &'static Shipped {
    Shipped::named(kind).expect("the grammar and the programs name shipped bots alone")
}

/// Returns the grammar of a bot's own program.
fn bot_grammar(program: &'static str) -> clap::Command {
    let about = named(program.trim_end_matches("-bot")).about;
    let usual = "It speaks the protocol of the Battleship referee on standard input and\noutput, so the referee starts it rather than a person.";
    let mut grammar = NameArgument::augment_args(clap::Command::new(program));
    if program == "good-bot" {
        grammar = ThinkingArguments::augment_args(grammar);
    }
    grammar
        .version(env!("CARGO_PKG_VERSION"))
        .long_about(format!("{about}.\n{usual}"))
        .about(about)
}

fn play(kind: &str, name: Option<String>, thinking: Thinking) -> ExitCode {
    let shipped = named(kind);
    let mut settings = Settings {
        name,
        thinking,
        terminal: Terminal::nowhere(),
    };
    if !shipped.is_human() {
        return shipped.program(settings).run();
    }
    let played = match Terminal::open() {
        Ok(terminal) => {
            settings.terminal = terminal;
            let person = Shipped::person(settings);
            let served = person.serve(io::stdin().lock(), io::stdout().lock(), io::stderr());
            served.map_err(|error| error.to_string())
        }
        Err(error) => Err(format!("a human player needs a terminal: {error}")),
    };
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            // Without a standard error there is no place left for the message.
            let _ = writeln!(io::stderr(), "{what}");
            ExitCode::from(exit::FAULT)
        }
    }
}
