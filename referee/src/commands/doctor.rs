//! `referee doctor`: what works on this machine, and how to get the rest.

use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};

use bothost::find_on_path;
use kits::Tool;

use super::CommandArgs;
use crate::exit::{self, Failure};
use crate::help::Group;
use crate::programs::PROGRAMS;
use crate::{World, own_program};

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
        let tools = kits::all_tools().map(|tool| match find_on_path(tool.name.as_ref()) {
            Some(_) => Ok(tool.name),
            None => Err(how_to_get(tool)),
        });
        let programs = PROGRAMS.iter().map(|program| match program.file() {
            Some(_) => Ok(program.word),
            None => Err(program.word.to_owned()),
        });
        let report = [
            ("game", played),
            ("sandbox", &sandbox),
            ("memory", &memory),
            ("cores", &cores()),
            ("tools", &list(tools, "not on the PATH")),
            (
                "programs",
                &list(programs, "not installed (docs/installing.md)"),
            ),
        ];
        let report = report.map(|(name, found)| format!("{name:<10}{found}\n"));
        io::stdout().write_all(report.concat().as_bytes())?;
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

/// Returns the number of cores, the load of the machine, and the number of files that may be open.
fn cores() -> String {
    let cores = bothost::pin::parallelism();
    let mut parts = vec![cores.to_string()];
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    if let Some((load, _)) = load.split_once(' ') {
        let whole = load.split('.').next().unwrap_or_default();
        let is_busy = whole.parse().is_ok_and(|load: usize| load >= cores);
        let advice = if is_busy {
            ": other programs keep them busy, so bots may reply late"
        } else {
            ""
        };
        parts.push(format!("load {load}{advice}"));
    }
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let files = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"));
    if let Some(most) = files.and_then(|columns| columns.split_whitespace().nth(1)) {
        parts.push(format!("up to {most} open files"));
    }
    parts.join("; ")
}

/// Returns the names that were found, and those that lack.
fn list(names: impl Iterator<Item = Result<&'static str, String>>, lack: &str) -> String {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for name in names {
        match name {
            Ok(name) => found.push(name),
            Err(name) => missing.push(name),
        }
    }
    let mut line = match &found[..] {
        [] => "none".to_owned(),
        found => found.join(", "),
    };
    if !missing.is_empty() {
        line = format!("{line}; {lack}: {}", missing.join(", "));
    }
    line
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
