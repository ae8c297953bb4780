//! The program: what was typed becomes a checked plan, the plan is run, and one place decides the
//! exit code. `ARCHITECTURE.md` describes the crates behind it.

#![deny(unsafe_code)]
// On Linux these can fail, and use what they are called on.
#![cfg_attr(
    not(target_os = "linux"),
    allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Linux")
)]

mod browser;
mod commands;
mod contest;
pub mod exit;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod help;
mod in_browser;
mod menu;
pub mod options;
mod outputs;
mod play;
mod player;
mod programs;
mod secrets;
mod seed;
mod tips;
mod typed_name;
mod words;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use bothost::{Interrupt, text};
use pages::Width;
use serde::Serialize;

pub use self::browser::opens as opens_in_browser;
pub use self::commands::bot::{bot_main, programs_of_bots};
pub use self::commands::sandbox::test_sandbox;
pub use self::exit::{EXIT_CODES, Failure};
pub use self::help::with_help;
pub use self::in_browser::Seating;
pub use self::play::{PlayArguments, PlayPlan, play_at};
pub use self::player::{parse_called, recognized};
use self::programs::Companion;
pub use self::words::{SettingsFile, options_of_section};
use arena::system;

/// What a command knows of how it was called.
#[derive(Debug)]
pub struct World {
    /// The words that were typed, the program's name first.
    pub typed: Vec<OsString>,
    /// The file of settings that was read.
    pub settings: Option<SettingsFile>,
}

impl World {
    /// Returns the file of settings as a file that the command reads.
    fn inputs(&self) -> Vec<&PathBuf> {
        self.settings.iter().map(|file| &file.path).collect()
    }

    /// Returns `failure` with the line of the file of settings that it is about, if it is about
    /// one.
    #[must_use]
    pub fn located(&self, failure: Failure) -> Failure {
        match &self.settings {
            Some(file) => file.located(failure),
            None => failure,
        }
    }
}

/// The whole program.
#[must_use]
pub fn main() -> ExitCode {
    start(|| ExitCode::from(exit_code("referee", run())))
}

/// The whole program `name`, one beside the referee: `program` gets the words that were typed, the
/// program's own name first. As the referee does, it starts itself as the supervisor of bots and as
/// the shipped players.
#[must_use]
pub fn program_main(
    name: &str,
    program: impl FnOnce(Vec<OsString>) -> Result<(), Failure>,
) -> ExitCode {
    start(|| {
        let typed: Vec<OsString> = std::env::args_os().collect();
        let outcome = if typed.get(1).is_some_and(|word| word == "bot") {
            run()
        } else {
            secrets::mask_seeds();
            let _ = bothost::survive_file_size_limit();
            program(typed)
        };
        ExitCode::from(exit_code(name, outcome))
    })
}

/// Prepares the process for `run`, which runs with enough stack.
fn start(run: impl FnOnce() -> ExitCode) -> ExitCode {
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
fn run() -> Result<(), Failure> {
    let mut typed: Vec<OsString> = std::env::args_os().collect();
    secrets::mask_seeds();
    if menu::is_wanted(&typed) {
        match menu::choose(typed.remove(0))? {
            Some(chosen) => typed = chosen,
            None => return Ok(()),
        }
    }
    if let Some((program, words)) = Companion::asked_for(&typed) {
        return program.run(&words);
    }
    // If it fails, a full file ends the referee, as without it.
    let _ = bothost::survive_file_size_limit();
    commands::run_typed(typed)
}

/// Returns the grammar of each program: the referee first, then `replay`, then the bots.
#[must_use]
pub fn grammars() -> Vec<clap::Command> {
    let mut grammars = vec![commands::grammar(|_| true), commands::replay_grammar()];
    grammars.extend(programs_of_bots());
    grammars.iter_mut().for_each(clap::Command::build);
    grammars
}

/// The program `replay`, with the original's arguments and its exit codes: 0, or 1 if anything is
/// wrong.
#[must_use]
pub fn replay_main() -> ExitCode {
    bothost::hear_all_signals();
    let _ = bothost::survive_file_size_limit();
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let code = exit_code("replay", commands::run_as_original(&words));
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

/// Prints the version of the program `name`.
///
/// # Errors
/// If standard output cannot be written to.
pub fn print_version(name: &str) -> io::Result<()> {
    say(&format!("{name} {}\n", env!("CARGO_PKG_VERSION")))
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

/// Returns the result of printing. A reader that has closed the output, as in `... | head`, does not
/// want the rest; how the command ends does not depend on that.
///
/// # Errors
/// If printing fails for another reason.
pub fn unless_closed(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

/// Prints something that is not part of the output, on standard error.
pub fn note(message: &str) {
    print_message("referee", message);
}

fn print_message(program: &str, message: &str) {
    let message = message
        .lines()
        .map(|line| text::shown(line.as_bytes()))
        .collect::<Vec<_>>();
    let message = format!("{program}: {}", message.join("\n"));
    let message = match Width::of_errors() {
        Some(width) => width.wrap_message(&message),
        None => message,
    };
    // If standard error is closed too, there is no place left for a message.
    let _ = writeln!(io::stderr(), "{message}");
}
