//! A bot as a program of its own: its command line.

use std::cell::RefCell;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::rc::Rc;

use battleship::{Greeting, Program};
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::relay::{Link, Relay};
use crate::{Kind, Seat, Terminal, Thinking};

/// The arguments of every bot.
#[derive(Debug, Parser)]
#[command(version, about = None, long_about = None)]
struct Arguments {
    /// The bot's name for itself
    #[arg(long, value_name = "TEXT", value_parser = one_line)]
    name: Option<String>,
}

/// A name is said on a line of its own.
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

/// As every bot's arguments, and what only the good one understands.
#[derive(Debug, Parser)]
#[command(version, about = None, long_about = None)]
struct GoodArguments {
    #[command(flatten)]
    common: Arguments,
    /// About how long it may think about a move, in milliseconds on a usual machine, up to 2000. It counts what it does
    /// instead of looking at a clock, so that the same seed gives the same game everywhere
    #[arg(long, value_name = "MS", default_value_t = 1.0, value_parser = budget)]
    budget: f64,
    /// Attack anywhere in PERCENT of 100 turns of the classic game in which no damaged ship is afloat
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    careless: u8,
    /// Say on standard error before each attack how likely each cell is to hit
    #[arg(long)]
    explain: bool,
}

/// Returns the grammar of the command line of a bot of that kind, for its help, its manual page and completions.
#[must_use]
pub fn grammar(kind: Kind) -> clap::Command {
    let (grammar, name) = match kind {
        Kind::Awful => (Arguments::command(), "awful-bot"),
        Kind::Mediocre => (Arguments::command(), "mediocre-bot"),
        Kind::Good => (GoodArguments::command(), "good-bot"),
        Kind::Human => (Arguments::command(), "human-bot"),
    };
    let about = match kind {
        Kind::Awful | Kind::Mediocre | Kind::Good => format!("The {} Battleship bot", kind.name()),
        Kind::Human => "A person who plays Battleship at the terminal".to_owned(),
    };
    let usual = "It speaks the protocol of the Battleship referee on standard input and\noutput, so the referee \
                 starts it rather than a person.";
    grammar
        .name(name)
        .long_about(format!("{about}.\n{usual}"))
        .about(about)
}

/// Reads the command line of a bot of that kind; ends the program if it is wrong, or if help is asked for.
fn parse<A: FromArgMatches>(kind: Kind) -> A {
    A::from_arg_matches(&grammar(kind).get_matches()).unwrap_or_else(|error| error.exit())
}

/// The whole program of a bot of that kind: reads the command line, then plays.
#[must_use]
pub fn main(kind: Kind) -> ExitCode {
    if kind != Kind::Good {
        return run(kind, parse::<Arguments>(kind).name.as_deref(), 0);
    }
    let arguments: GoodArguments = parse(kind);
    let thinking = Thinking::for_milliseconds(arguments.budget).careless(arguments.careless);
    let thinking = if arguments.explain {
        thinking.explained()
    } else {
        thinking
    };
    play(
        kind,
        arguments.common.name.as_deref(),
        thinking,
        Seat::of(kind),
    )
}

/// Plays as a bot of that kind on standard input and output, until the referee says `quit`. It calls itself `name`, or
/// by its type name. A good one attacks anywhere in `careless` of 100 turns.
#[must_use]
pub fn run(kind: Kind, name: Option<&str>, careless: u8) -> ExitCode {
    play(
        kind,
        name,
        Thinking::default().careless(careless),
        Seat::of(kind),
    )
}

/// As [`run`], for a bot of the kind human; the person is at `terminal`, whatever the program's own terminal is.
#[must_use]
pub fn run_at(terminal: Terminal, kind: Kind, name: Option<&str>) -> ExitCode {
    play(kind, name, Thinking::default(), Ok(Seat::at(terminal)))
}

/// As [`run`], for a person whom the referee asks: each question goes to `output` as the protocol's request, on a line of its
/// own, and the protocol's reply is read from `input`.
#[must_use]
pub fn run_relayed(
    input: impl BufRead + 'static,
    output: impl Write + 'static,
    kind: Kind,
    name: Option<&str>,
) -> ExitCode {
    let name = name.unwrap_or(kind.name());
    let greeting = Greeting {
        human: true,
        ..Greeting::from(name)
    };
    let relay = Rc::new(RefCell::new(Link::new(input, output)));
    Program::new(greeting)
        .classic(Relay::over(relay.clone()))
        .salvo()
        .twist(Relay::over(relay))
        .run()
}

fn play(kind: Kind, name: Option<&str>, thinking: Thinking, seat: io::Result<Seat>) -> ExitCode {
    match seat {
        Ok(seat) => seated(kind, name, &seat.thinking_for(thinking)).run(),
        Err(error) => {
            // Without a standard error there is no place left for the message.
            let _ = writeln!(io::stderr(), "a human player needs a terminal: {error}");
            ExitCode::FAILURE
        }
    }
}

fn seated(kind: Kind, name: Option<&str>, seat: &Seat) -> Program<'static> {
    let name = name.unwrap_or(kind.name());
    let greeting = Greeting {
        human: kind == Kind::Human,
        ..Greeting::from(name)
    };
    Program::new(greeting)
        .classic(seat.bot(kind, name))
        .salvo()
        .twist(seat.twist_bot(kind, name))
}

/// Returns a bot of that kind as [`run`] plays it, for those who hand it line after line. A person plays at no terminal
/// then: `None`.
#[must_use]
pub fn program(kind: Kind, careless: u8) -> Option<Program<'static>> {
    let seat = Seat::of(kind).ok().filter(|_| kind != Kind::Human)?;
    Some(seated(
        kind,
        None,
        &seat.thinking_for(Thinking::default().careless(careless)),
    ))
}
