//! `referee-web`: a game of a person in a browser, as `referee play human good --web` asks for it.

mod game;
mod server;

use std::ffi::OsString;
use std::process::ExitCode;

use referee::Failure;

use self::game::Browser;

fn main() -> ExitCode {
    referee::program_main("referee-web", run)
}

/// Plays the game that `typed` asks for, the program's own name first.
fn run(typed: Vec<OsString>) -> Result<(), Failure> {
    let mut words = typed.into_iter().skip(1).peekable();
    if words.peek().is_some_and(|word| word == "--version") {
        return Ok(referee::print_version("referee-web")?);
    }
    // The option is needed by the referee alone, to start this program.
    let web = [OsString::from("--web")].into_iter();
    let words = web.chain(words.filter(|word| word != "--web"));
    referee::play_at(words, &mut Browser::default())
}
