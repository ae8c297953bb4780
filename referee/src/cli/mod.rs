//! The program: what was typed becomes a checked plan, the plan is run, and one place decides the exit code.

mod arguments;
mod browser;
mod commands;
mod config_file;
mod contest;
pub mod exit;
mod grammars;
mod help;
mod in_browser;
mod menu;
pub mod options;
mod outputs;
mod player;
mod programs;
mod secrets;
mod seed;
mod session;
mod shell_words;
mod source;
mod unquoted;
mod watched;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use bothost::{Interrupt, text};

use self::arguments::{Command, StartedCommand};
pub use self::browser::opens as opens_in_browser;
pub use self::commands::bot::bot_main;
pub use self::commands::play::{PlayArguments, PlayPlan, play_at};
pub use self::commands::sandbox_test::test_sandbox;
use self::commands::{
    check, completions, debug, demo, dev, doctor, explain, list, match_, merge, new, play, rank,
    replay, report, tournament, tune,
};
pub use self::config_file::{ClusterSettings, shards};
pub use self::contest::ContestWords;
pub use self::exit::{EXIT_CODES, Failure};
pub use self::grammars::grammars;
pub use self::help::MoreHelp;
pub use self::in_browser::Seating;
pub use self::player::parse_called;
use self::programs::Companion;
pub use self::programs::{become_program, referee_beside};
pub use self::seed::Seed;
pub use self::session::{Followed, ListenerOptions, Session};
pub use self::source::recognized;
use arena::system;
use serde::Serialize;

/// The whole program.
#[must_use]
pub fn main() -> ExitCode {
    started(run)
}

/// The whole program `name`, one beside the referee: `program` gets the words that were typed, the program's own name first. As
/// the referee does, it starts itself as the supervisor of bots and as the shipped players.
#[must_use]
pub fn program_main(
    name: &str,
    program: impl FnOnce(Vec<OsString>) -> Result<(), Failure>,
) -> ExitCode {
    started(|| {
        let typed: Vec<OsString> = std::env::args_os().collect();
        if typed.get(1).is_some_and(|word| word == "bot") {
            return run();
        }
        secrets::mask_seeds();
        let _ = bothost::survive_file_size_limit();
        ExitCode::from(exit_code(name, program(typed)))
    })
}

/// Prepares the process for `run`, which runs with enough stack.
fn started(run: impl FnOnce() -> ExitCode) -> ExitCode {
    if let Some(code) = bothost::supervise_if_asked(secrets::mask_seeds) {
        return code;
    }
    bothost::hear_all_signals();
    if let Err(error) = system::make_room_on_stack() {
        return ExitCode::from(exit_code("referee", Err(error.into())));
    }
    run()
}

/// The referee. A function of its own: its caller must not need much of the stack.
#[inline(never)]
fn run() -> ExitCode {
    let mut typed: Vec<OsString> = std::env::args_os().collect();
    secrets::mask_seeds();
    // Before the words are counted, which is what would be found wrong otherwise.
    let words: Vec<String> = typed
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let refused = unquoted::refuse_unquoted(&words).and_then(|()| contest::refuse_on(&words));
    if let Err(failure) = refused {
        return ExitCode::from(exit_code("referee", Err(failure)));
    }
    if menu::is_wanted(&typed) {
        match menu::choose(typed.remove(0)) {
            Ok(Some(chosen)) => typed = chosen,
            Ok(None) => return ExitCode::from(exit::DONE),
            Err(failure) => return ExitCode::from(exit_code("referee", Err(failure))),
        }
    }
    if let Some((program, words)) = Companion::asked_for(&typed) {
        return ExitCode::from(exit_code("referee", program.run(&words)));
    }
    // If it fails, a full file ends the referee, as without it.
    let _ = bothost::survive_file_size_limit();
    let outcome = match Command::parse_from(&typed) {
        Command::Started(StartedCommand::Bot(bot)) => {
            return commands::bot::run(bot);
        }
        Command::Play(arguments) => play::run(&arguments, &typed),
        Command::Match(arguments) => match_::run(&arguments, &typed),
        Command::Tournament(arguments) => tournament::run(*arguments, &typed),
        Command::Tune(arguments) => tune::run(&arguments, &typed),
        Command::Check(arguments) => check::run(&arguments),
        Command::Debug(arguments) => debug::run(&arguments),
        Command::Dev(arguments) => dev::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Rank(arguments) => rank::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::New(arguments) => new::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Doctor => doctor::run(),
    };
    ExitCode::from(exit_code("referee", outcome))
}

/// The program `replay`, with the original's arguments and its exit codes: 0, or 1 if anything is wrong.
#[must_use]
pub fn replay_main() -> ExitCode {
    bothost::hear_all_signals();
    let _ = bothost::survive_file_size_limit();
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let code = exit_code("replay", replay::run_as_original(&words));
    ExitCode::from(if code == exit::MISUSE {
        exit::FAULT
    } else {
        code
    })
}

/// Decides the exit code, and prints why a command failed, in the name of `program`.
fn exit_code(program: &str, outcome: Result<(), Failure>) -> u8 {
    let Err(failure) = outcome else {
        return exit::DONE;
    };
    if failure.has_message() {
        if matches!(failure, Failure::Interrupted(_)) {
            leave_prompt();
        }
        print_message(program, &failure.to_string());
    }
    failure.exit_code()
}

/// Prepares for Ctrl-C, and keeps what the shell left open from the bots.
///
/// # Errors
/// If the system has no thread or signal to spare.
pub fn listen() -> io::Result<Arc<Interrupt>> {
    bothost::close_on_exec_from(3);
    Interrupt::listen(exit::INTERRUPTED).map(Arc::new)
}

/// Returns the referee's own executable.
///
/// # Errors
/// If the system does not name it, or bots could not be started from it.
pub fn own_program() -> anyhow::Result<PathBuf> {
    if cfg!(target_os = "wasi") {
        // A page starts what is called so.
        return Ok("referee".into());
    }
    let program = std::env::current_exe().context("the referee cannot find its own executable")?;
    bothost::check_proc().context("/proc")?;
    Ok(program)
}

/// Checks that bots can be played here that are WebAssembly modules.
///
/// # Errors
/// If the program that runs them is not installed beside this one, or is of another version.
pub fn runs_modules() -> Result<(), Failure> {
    programs::WASM.installed().map(drop)
}

/// Ends the line of a prompt that was cut short.
fn leave_prompt() {
    if io::stderr().is_terminal() {
        let _ = writeln!(io::stderr());
    }
}

/// Prints `text` at once, even if it does not end a line.
fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints `value` as a line of JSON, on standard output.
fn print_json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)
}

/// Prints something that is not part of the output, on standard error.
pub fn complain(message: &str) {
    print_message("referee", message);
}

fn print_message(program: &str, message: &str) {
    let message = without_error_numbers(message);
    let message = message
        .lines()
        .map(|line| text::shown(line.as_bytes()))
        .collect::<Vec<_>>();
    // If standard error is closed too, there is no place left for a message.
    let _ = writeln!(io::stderr(), "{program}: {}", message.join("\n"));
}

/// Returns `message` without the numbers that the standard library appends to the words of the operating system, as in
/// "No such file or directory (os error 2)": the words already say it. Those of Windows are whole sentences, whose full
/// stop goes too.
fn without_error_numbers(message: &str) -> String {
    let mut pieces = message.split(" (os error ");
    let mut kept = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once(')') {
            Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                kept.truncate(kept.trim_end_matches('.').len());
                kept.push_str(rest);
            }
            Some(_) | None => {
                kept.push_str(" (os error ");
                kept.push_str(piece);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_numbers_of_systems() {
        for (message, kept) in [
            ("a: No such file (os error 2)", "a: No such file"),
            (
                "a: denied (os error 13); b: full (os error 28), sorry",
                "a: denied; b: full, sorry",
            ),
            (
                "a: Not found. (os error 3); make it",
                "a: Not found; make it",
            ),
            (
                "an (os error in words) stays",
                "an (os error in words) stays",
            ),
            ("cut (os error 2", "cut (os error 2"),
        ] {
            assert_eq!(without_error_numbers(message), kept);
        }
    }
}
