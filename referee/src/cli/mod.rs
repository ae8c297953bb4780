//! The program: what was typed, then a checked plan, then the game, and one place that decides the exit code.

mod arguments;
mod check;
mod config;
mod contest;
mod contest_plan;
mod demo;
mod exit;
mod keeper;
mod merge;
mod new;
mod plan;
mod play;
mod player;
mod rank;
mod replay;
mod template;
mod tournament;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;

use self::arguments::{Arguments, Command};
use self::plan::Misuse;
use bothost::{Interrupt, text};

/// The whole program. `run_bot` is a shipped bot on standard input and output, by its type name and the name
/// it is to call itself: the referee does not know the bots, so its caller provides them.
pub fn main(run_bot: impl FnOnce(&str, Option<&str>) -> ExitCode) -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Bot(bot) => return run_bot(&bot.kind, bot.name.as_deref()),
        Command::Supervise(arguments) => return ExitCode::from(keeper::supervise(arguments)),
        Command::Confine(arguments) => return ExitCode::from(keeper::confine(arguments)),
        Command::Probe(arguments) => return ExitCode::from(keeper::probe(arguments)),
        Command::Play(arguments) => {
            plan::plan_play(&arguments).and_then(|plan| play::run(&plan, &listen()?))
        }
        Command::Match(arguments) => {
            contest_plan::plan_match(&arguments).and_then(|plan| contest::run(&plan, &listen()?))
        }
        Command::Tournament(arguments) => {
            tournament::plan(*arguments).and_then(|plan| contest::run(&plan, &listen()?))
        }
        Command::Replay(arguments) => {
            listen().map_err(Into::into).and_then(|interrupt| replay::run(&arguments, interrupt))
        }
        Command::Check(arguments) => {
            listen().map_err(Into::into).and_then(|interrupt| check::run(&arguments, interrupt))
        }
        Command::Rank(arguments) => rank::run(&arguments),
        Command::Merge(arguments) => {
            listen().map_err(Into::into).and_then(|interrupt| merge::run(&arguments, &interrupt))
        }
        Command::New(arguments) => new::run(&arguments),
        Command::Demo(arguments) => {
            plan::plan_demo(&arguments).and_then(|plan| demo::run(&plan, &listen()?))
        }
    };
    ExitCode::from(exit_code("referee", outcome))
}

/// The program `replay`, with the original's arguments and its exit codes: 0, or 1 if anything is wrong.
#[must_use]
pub fn replay_main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let code = exit_code("replay", replay::run_as_original(&words));
    ExitCode::from(if code == exit::MISUSE { exit::FAULT } else { code })
}

/// Decides the exit code, and says what went wrong, in the name of `program`.
fn exit_code(program: &str, outcome: anyhow::Result<u8>) -> u8 {
    match outcome {
        Ok(code) => code,
        // Whoever read the output has seen enough.
        Err(error) if is_broken_pipe(&error) => exit::DONE,
        Err(error) => {
            complain_as(program, &format!("{error:#}"));
            if error.is::<Misuse>() { exit::MISUSE } else { exit::FAULT }
        }
    }
}

fn listen() -> io::Result<Arc<Interrupt>> {
    #[cfg(target_os = "linux")]
    bothost::close_on_exec_from(3);
    Interrupt::listen(exit::INTERRUPTED).map(Arc::new)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// As [`complain`], on a line of its own behind a prompt that has been cut short.
fn complain_behind_prompt(message: &str) {
    if io::stderr().is_terminal() {
        let _ = writeln!(io::stderr());
    }
    complain(message);
}

/// Says something that is not part of the output, on standard error.
fn complain(message: &str) {
    complain_as("referee", message);
}

fn complain_as(program: &str, message: &str) {
    let message = message.lines().map(|line| text::shown(line.as_bytes())).collect::<Vec<_>>();
    // With standard error gone too there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{program}: {}", message.join("\n"));
}
