//! `referee doctor`: what works on this machine, and how to get the rest.

use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread;

use bothost::find_on_path;
use kits::Tool;
use textwrap::{Options, WordSplitter};

use crate::cli::exit::{self, Failure};
use crate::cli::own_program;
use crate::cli::programs::PROGRAMS;

pub(crate) const EXAMPLES: &str = "\
A game is played and the sandbox is tested. The network is not used. The exit
code is 0 if games can be played, and 1 if not.

Examples:
  referee doctor";

/// The width of the report: terminals are seldom narrower.
const WIDTH: usize = 80;
/// Before what was found: the name of the part.
const INDENT: usize = 12;

#[derive(clap::Args, Debug)]
pub(crate) struct DoctorArguments {}

/// Prints a line for each part of this machine.
pub(crate) fn run() -> Result<(), Failure> {
    let game = game();
    let verdict = match game {
        Ok(()) => "games can be played",
        Err(_) => "no game can be played",
    };
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let version = env!("CARGO_PKG_VERSION");
    let game_in_words = match &game {
        Ok(()) => "two shipped bots played one",
        Err(why) => why,
    };
    let [sandbox, memory] = sandbox();
    let lines = [
        ("game", game_in_words.to_owned()),
        ("sandbox", sandbox),
        ("memory", memory),
        ("cores", cores()),
        ("tools", tools()),
        ("programs", programs()),
    ];
    let mut report = format!("referee {version}, {os} {arch}: {verdict}\n\n");
    for (name, found) in lines {
        let first = format!("  {name:<width$}", width = INDENT - 2);
        let rest = " ".repeat(INDENT);
        let options = Options::new(WIDTH)
            .initial_indent(&first)
            .subsequent_indent(&rest)
            .word_splitter(WordSplitter::NoHyphenation);
        report.push_str(&textwrap::fill(&found, options));
        report.push('\n');
    }
    io::stdout().write_all(report.as_bytes())?;
    game.map_err(|_| Failure::Reported(exit::FAULT))
}

/// Plays a short game between shipped bots, by a process of its own.
///
/// # Errors
/// Returns why it could not be played.
fn game() -> Result<(), String> {
    let referee = own_program().map_err(|error| format!("{error:#}"))?;
    let played = Command::new(referee)
        .args(["play", "awful", "awful", "--json", "--seed", "1"])
        .args(["--rows", "2", "--cols", "3", "--ship", "2 R rowboat"])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if played.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&played.stderr);
    Err(said.lines().last().unwrap_or("no reason given").to_owned())
}

/// Returns which sandbox holds, and who holds the limits of bots in it.
#[cfg(target_os = "linux")]
fn sandbox() -> [String; 2] {
    use arena::terms::{GameTerms, SandboxLevel};
    use bothost::Enforced;

    let test = |level| {
        let terms = GameTerms {
            sandbox: Some(level),
            ..GameTerms::usual(1)
        };
        let launch = terms.launch(own_program().map_err(|error| error.to_string())?);
        let held = launch.test_sandbox().map_err(|error| error.to_string())?;
        held.ok_or_else(|| "nothing supervises bots here".to_owned())
    };
    let (held, hard) = match test(SandboxLevel::World) {
        Ok(Enforced { refused, hard }) => {
            let tried = refused.len();
            (
                format!("--sandbox holds: {tried} attempts were refused"),
                Some(hard),
            )
        }
        Err(why) => {
            let why = why.lines().next().unwrap_or_default();
            let basic = test(SandboxLevel::Basic).ok().map(|held| held.hard);
            let what = match basic {
                Some(_) => "only --sandbox=basic holds",
                None => "bots run without one",
            };
            (
                format!("{what}: {why}; docs/hostile-bots.md says more"),
                basic,
            )
        }
    };
    let who = match hard {
        Some(hard) if !hard.is_empty() => {
            format!("the kernel limits or shares out {} of a sandboxed bot", hard.join(", "))
        }
        _ => "the referee itself limits the memory of sandboxed bots; to have the kernel do it: systemd-run --user --scope \
              -p Delegate=yes referee ..."
            .to_owned(),
    };
    [held, who]
}

#[cfg(not(target_os = "linux"))]
fn sandbox() -> [String; 2] {
    let none = "only on Linux; run bots of strangers in a virtual machine";
    [none.to_owned(), "not limited without a sandbox".to_owned()]
}

/// Returns how many cores there are, how busy they are, and how many files may be open.
fn cores() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let load = fs::read_to_string("/proc/loadavg").ok();
    let load: Option<f64> = load.and_then(|load| load.split(' ').next()?.parse().ok());
    let busy = match load {
        Some(load) if u32::try_from(cores).is_ok_and(|cores| load >= f64::from(cores)) => {
            format!(", load {load}: other programs keep them busy, so bots may reply late")
        }
        Some(load) => format!(", load {load}"),
        None => String::new(),
    };
    let files = fs::read_to_string("/proc/self/limits").ok();
    let files = files.as_deref().and_then(|limits| {
        let line = limits
            .lines()
            .find(|line| line.starts_with("Max open files"))?;
        line.split_whitespace().nth(4)
    });
    let files = files.map(|files| format!("; up to {files} open files"));
    format!("{cores}{busy}{}", files.unwrap_or_default())
}

/// Returns the tools of each language that are on the PATH, and how to get the others.
fn tools() -> String {
    let is_there = |tool: &&Tool| find_on_path(tool.name.as_ref()).is_some();
    let (found, missing): (Vec<&Tool>, Vec<_>) = kits::all_tools().partition(is_there);
    let found: Vec<_> = found.into_iter().map(|tool| tool.name).collect();
    let how = |tool: &Tool| format!("{} ({})", tool.name, how_to_get(tool));
    let missing: Vec<_> = missing.into_iter().map(how).collect();
    either(
        "found",
        &found.join(", "),
        "not on the PATH",
        &missing.join(", "),
    )
}

/// Returns the programs beside the referee that are installed, and the others.
fn programs() -> String {
    let (found, missing): (Vec<_>, Vec<_>) = PROGRAMS
        .iter()
        .partition(|program| program.file().is_some());
    let words = |programs: Vec<&crate::cli::programs::Companion>| {
        let words: Vec<_> = programs.into_iter().map(|program| program.word).collect();
        words.join(", ")
    };
    let how = "not installed (docs/installing.md)";
    either("installed", &words(found), how, &words(missing))
}

/// Returns what was found and what was not, each with its word.
fn either(there: &str, found: &str, lacks: &str, missing: &str) -> String {
    let parts = [(there, found), (lacks, missing)];
    let parts = parts.iter().filter(|(_, names)| !names.is_empty());
    let parts: Vec<_> = parts
        .map(|(what, names)| format!("{what}: {names}"))
        .collect();
    parts.join("; ")
}

fn how_to_get(tool: &Tool) -> String {
    if cfg!(target_os = "macos") {
        format!("brew install {}", tool.homebrew)
    } else if cfg!(windows) {
        format!("winget install {}", tool.winget)
    } else if tool.debian.starts_with("https:") {
        tool.debian.to_owned()
    } else {
        format!("apt install {}", tool.debian)
    }
}
