//! `referee run-wasm`, a hidden command: the referee runs a bot that is a WebAssembly module, in a process of its own.

use std::ffi::OsString;
use std::io::{self, Write};

use bothost::HostVerdict;
use clap::Args;

use crate::cli::exit;

#[derive(Debug, Args)]
pub(crate) struct RunWasmArguments {
    /// The fuel for each reply, in millions
    #[arg(long, value_name = "N")]
    fuel: u32,
    /// Its memory
    #[arg(long, value_name = "MIB")]
    max_memory: u32,
    /// The module and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

/// Runs the module on the streams of this process. Returns the exit code to leave with, after the reason for it where that is
/// the host's.
pub(crate) fn run(arguments: &RunWasmArguments) -> u8 {
    match end_of(arguments) {
        Ok(code) => code,
        Err(verdict) => {
            // In one piece: what the module has said before is out.
            let _ = io::stderr().write_all(verdict.line().as_bytes());
            exit::FAULT
        }
    }
}

#[cfg(feature = "wasm")]
fn end_of(arguments: &RunWasmArguments) -> Result<u8, HostVerdict> {
    use std::io::BufReader;
    use std::path::Path;

    use wasmbot::{End, Limits, Streams};

    let streams = Streams {
        input: BufReader::new(io::stdin()),
        // One write for each of the module's, as it would be without a host.
        output: io::stdout(),
        errors: io::stderr(),
    };
    let limits = Limits {
        fuel: u64::from(arguments.fuel) * 1_000_000,
        memory: u64::from(arguments.max_memory) << 20,
    };
    let file = Path::new(&arguments.command[0]);
    // Its folder makes no difference to it.
    let name = file.file_name().unwrap_or_default();
    let words = [name]
        .into_iter()
        .chain(arguments.command[1..].iter().map(OsString::as_os_str));
    let words = words.map(|word| word.as_encoded_bytes().to_vec());
    match wasmbot::run(file, words.collect(), limits, streams).0 {
        // As the shell sees it.
        End::Exited(code) => Ok(code.to_le_bytes()[0]),
        End::Failed(verdict) => Err(verdict),
        End::Unheard => Ok(exit::DONE),
    }
}

#[cfg(not(feature = "wasm"))]
fn end_of(_arguments: &RunWasmArguments) -> Result<u8, HostVerdict> {
    let why = "this referee was built without WebAssembly; build it with the feature wasm";
    Err(HostVerdict::NotStarted(why.to_owned()))
}
