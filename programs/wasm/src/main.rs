//! `referee-wasm`: runs a bot that is a WebAssembly module, in a process of its own. The referee
//! starts the one beside itself for each player whose file ends in `.wasm`.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

use bothost::{HostVerdict, WasmRunner};
use clap::Parser;
use wasmbot::{End, LimitedAllocator, Limits, Streams};

#[global_allocator]
static ALLOCATOR: LimitedAllocator = LimitedAllocator;

/// Runs a bot that is a WebAssembly module on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "referee-wasm", version)]
struct Arguments {
    /// The fuel for each reply, in millions
    #[arg(long, value_name = "N", default_value_t = 1000)]
    fuel: u32,
    /// Its memory
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    max_memory: u32,
    /// The module and its arguments
    #[arg(
        value_name = "MODULE",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    command: Vec<OsString>,
}

fn main() -> ExitCode {
    match end_of(&Arguments::parse()) {
        Ok(code) => ExitCode::from(code),
        Err(verdict) => {
            // In one piece: what the module has said before is out.
            let _ = io::stderr().write_all(verdict.line().as_bytes());
            ExitCode::FAILURE
        }
    }
}

/// Runs the module on the streams of this process. Returns the exit code to leave with, or the
/// reason for leaving where that is this host's.
fn end_of(arguments: &Arguments) -> Result<u8, HostVerdict> {
    let streams = Streams {
        input: BufReader::new(io::stdin()),
        // One write for each of the module's, as it would be without a host.
        output: io::stdout(),
        errors: io::stderr(),
    };
    let limits = Limits {
        fuel: u64::from(arguments.fuel) * 1_000_000,
        memory: u64::from(arguments.max_memory) << 20,
        processor: WasmRunner::processor_limit(arguments.fuel),
        wall: WasmRunner::wall_limit(arguments.fuel),
    };
    LimitedAllocator::limit(usize::try_from(WasmRunner::BESIDES).unwrap_or(usize::MAX));
    let file = Path::new(&arguments.command[0]);
    // Its folder makes no difference to it.
    let name = file.file_name().unwrap_or_default();
    let words = [name]
        .into_iter()
        .chain(arguments.command[1..].iter().map(OsString::as_os_str))
        .map(|word| word.as_encoded_bytes().to_vec())
        .collect();
    match wasmbot::run(file, words, limits, streams) {
        // As the shell sees it.
        End::Exited(code) => Ok(code.to_le_bytes()[0]),
        End::Failed(verdict) => Err(verdict),
        End::Unheard => Ok(0),
    }
}
