//! `referee doctor`: what works on this machine, and how to get the rest.

use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread;

use bothost::find_on_path;
use kits::Tool;

use super::CommandArgs;
use crate::cli::exit::{self, Failure};
use crate::cli::help::Group;
use crate::cli::programs::PROGRAMS;
use crate::cli::{World, own_program};

#[derive(clap::Args, Debug)]
pub(crate) struct DoctorArguments {}

impl CommandArgs for DoctorArguments {
    const NAME: &'static str = "doctor";
    const ABOUT: &'static str = "Say what works on this machine, and how to get the rest";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str = "\
A game is played and the sandbox is tested. The network is not used. The exit
code is 0 if games can be played, and 1 if not.

Examples:
  referee doctor";

    fn run(self, _: &World) -> Result<(), Failure> {
        let game = game();
        let played = match &game {
            Ok(()) => "two shipped bots played one",
            Err(why) => why,
        };
        let [sandbox, memory] = sandbox();
        let mut report = String::new();
        for (name, found) in [
            ("game", played),
            ("sandbox", &sandbox),
            ("memory", &memory),
            ("cores", &cores()),
            ("tools", &tools()),
            ("programs", &programs()),
        ] {
            report.push_str(&format!("{name:<10}{found}\n"));
        }
        io::stdout().write_all(report.as_bytes())?;
        game.map_err(|_| Failure::Reported(exit::FAULT))
    }
}

/// Plays a short game between shipped bots, by a process of its own.
///
/// # Errors
/// Returns the reason why the game could not be played.
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
    let message = String::from_utf8_lossy(&played.stderr);
    Err(message
        .lines()
        .last()
        .unwrap_or("no reason given")
        .to_owned())
}

/// Returns which sandbox holds, and who counts the memory of bots in it.
#[cfg(target_os = "linux")]
fn sandbox() -> [String; 2] {
    use arena::terms::{GameTerms, SandboxLevel};

    let test = |level| {
        let terms = GameTerms {
            sandbox: Some(level),
            ..GameTerms::usual(1)
        };
        let referee = own_program().map_err(|error| error.to_string())?;
        match terms.launch(referee).test_sandbox() {
            Ok(Some(enforced)) => Ok(enforced),
            Ok(None) => Err("nothing supervises bots here".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    };
    let (sandbox, enforced) = match test(SandboxLevel::World) {
        Ok(enforced) => {
            let attempts = enforced.refused.len();
            let sandbox = format!("--sandbox holds: {attempts} attempts were refused");
            (sandbox, Some(enforced))
        }
        Err(why) => {
            let basic = test(SandboxLevel::Basic).ok();
            let what = match basic {
                Some(_) => "only --sandbox=basic holds",
                None => "bots run without one",
            };
            let why = why.lines().next().unwrap_or_default();
            let sandbox = format!("{what}: {why}; docs/hostile-bots.md says more");
            (sandbox, basic)
        }
    };
    let memory = match enforced {
        Some(enforced) if !enforced.hard.is_empty() => format!(
            "the kernel limits or shares out {} of a sandboxed bot",
            enforced.hard.join(", ")
        ),
        Some(_) | None => "the referee counts that of sandboxed bots; to have the kernel do it: \
            systemd-run --user --scope -p Delegate=yes referee ..."
            .to_owned(),
    };
    [sandbox, memory]
}

#[cfg(not(target_os = "linux"))]
fn sandbox() -> [String; 2] {
    let none = "only on Linux; run bots of strangers in a virtual machine";
    [none.to_owned(), "not limited without a sandbox".to_owned()]
}

/// Returns how many cores there are, how busy they are, and how many files may be open.
fn cores() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut line = cores.to_string();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    if let Some(load) = load.split(' ').next().filter(|load| !load.is_empty()) {
        line.push_str(&format!(", load {load}"));
        let whole = load.split('.').next().and_then(|load| load.parse().ok());
        if whole.is_some_and(|load: usize| load >= cores) {
            line.push_str(": other programs keep them busy, so bots may reply late");
        }
    }
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"))
        .and_then(|line| line.split_whitespace().nth(4));
    if let Some(files) = files {
        line.push_str(&format!("; up to {files} open files"));
    }
    line
}

/// Returns the tools of each language that are on the PATH, and how to get the others.
fn tools() -> String {
    let (found, missing): (Vec<_>, Vec<_>) =
        kits::all_tools().partition(|tool| find_on_path(tool.name.as_ref()).is_some());
    list(
        found.iter().map(|tool| tool.name.to_owned()).collect(),
        "not on the PATH",
        missing.iter().map(|tool| how_to_get(tool)).collect(),
    )
}

/// Returns the programs beside the referee that are installed, and the others.
fn programs() -> String {
    let (found, missing): (Vec<_>, Vec<_>) = PROGRAMS
        .iter()
        .partition(|program| program.file().is_some());
    list(
        found
            .iter()
            .map(|program| program.word.to_owned())
            .collect(),
        "not installed (docs/installing.md)",
        missing
            .iter()
            .map(|program| program.word.to_owned())
            .collect(),
    )
}

/// Returns the names of what is found, and of what lacks.
fn list(found: Vec<String>, lack: &str, missing: Vec<String>) -> String {
    let mut parts = Vec::new();
    if !found.is_empty() {
        parts.push(format!("found: {}", found.join(", ")));
    }
    if !missing.is_empty() {
        parts.push(format!("{lack}: {}", missing.join(", ")));
    }
    parts.join("; ")
}

fn how_to_get(tool: &Tool) -> String {
    let name = tool.name;
    if cfg!(target_os = "macos") {
        format!("{name} (brew install {})", tool.homebrew)
    } else if cfg!(windows) {
        format!("{name} (winget install {})", tool.winget)
    } else if tool.debian.starts_with("https:") {
        format!("{name} ({})", tool.debian)
    } else {
        format!("{name} (apt install {})", tool.debian)
    }
}
