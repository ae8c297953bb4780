//! Honest programs in languages whose runtimes arrange their own processes: in every mode, as root and as an ordinary
//! user, each is greeted, places, and plays to the end.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::kits::languages::Fresh;
use testkit::list::Row;
use testkit::list::{Tests, Tier};
use testkit::programs::{SMALL, project_file};
use testkit::tools::{self, Tool};
use testkit::tools::{LANDLOCK, NAMESPACES, SETPRIV, UNIX};
use testkit::user::{User, open_to_all};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, LANDLOCK, NAMESPACES, SETPRIV], |tests| {
        rows!(
            tests,
            PROGRAMS,
            a_program_plays_a_whole_game_in_every_mode,
            2
        );
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[UNIX, LANDLOCK, NAMESPACES, SETPRIV], |tests| {
            rows!(
                tests,
                OTHER_PROGRAMS,
                a_program_in_another_language_plays_a_whole_game_in_every_mode,
                2
            );
        })
    });
}

/// A way to run bots.
struct Mode {
    option: Option<&'static str>,
    /// Whether processes may share memory by name, which locks between processes do.
    has_shared_memory: bool,
}

const MODES: [Mode; 3] = [
    Mode {
        option: None,
        has_shared_memory: true,
    },
    Mode {
        option: Some("--sandbox"),
        has_shared_memory: true,
    },
    Mode {
        option: Some("--sandbox=basic"),
        has_shared_memory: false,
    },
];

/// A program that is built into a folder of its own.
#[derive(Clone, Copy)]
struct Honest {
    name: &'static str,
    needs: &'static [Tool],
    build: fn() -> Built,
}

impl Row for Honest {
    fn name(&self) -> &str {
        self.name
    }

    fn tools(&self) -> &'static [Tool] {
        self.needs
    }
}

/// A program and the command that runs it in its folder.
struct Built {
    folder: PathBuf,
    command: String,
    /// An argument that the program gets where processes may share memory.
    with_shared_memory: &'static str,
    /// Keeps the folder.
    _owner: Box<dyn std::any::Any>,
}

const PROGRAMS: [Honest; 2] = [
    Honest {
        name: "python",
        needs: &[tools::SYSTEM_PYTHON],
        build: python,
    },
    Honest {
        name: "openmp",
        needs: &[tools::CC],
        build: openmp,
    },
];

/// Programs in languages whose tools not every machine has.
const OTHER_PROGRAMS: [Honest; 5] = [
    Honest {
        name: "java",
        needs: &[tools::JAVA, tools::JAVAC],
        build: || kit("java"),
    },
    Honest {
        name: "node",
        needs: &[tools::NODE],
        build: || kit("javascript"),
    },
    Honest {
        name: "go",
        needs: &[tools::GO],
        build: || kit("go"),
    },
    Honest {
        name: "ruby",
        needs: &[tools::RUBY],
        build: || kit("ruby"),
    },
    Honest {
        name: "mono",
        needs: &[tools::MONO, tools::MCS],
        build: mono,
    },
];

fn mono() -> Built {
    built(
        "Bot.cs",
        &["mcs", "-out:bot.exe", "Bot.cs"],
        "mono bot.exe",
        "",
    )
}

fn openmp() -> Built {
    let build = ["cc", "-O1", "-fopenmp", "-o", "bot", "bot.c"];
    built("bot.c", &build, "env OMP_PROC_BIND=true ./bot", "")
}

fn python() -> Built {
    built("bot.py", &["true"], "/usr/bin/python3 bot.py", " lock")
}

/// The bot that `referee new` makes.
fn kit(language: &'static str) -> Built {
    let fresh = Fresh::new(language);
    Built {
        folder: fresh.dir.path("bot"),
        command: fresh.player.clone(),
        with_shared_memory: "",
        _owner: Box::new(fresh),
    }
}

fn built(source: &str, build: &[&str], command: &str, with_shared_memory: &'static str) -> Built {
    let folder = tempfile::tempdir().unwrap();
    let from = project_file("tests/programs/honest").join(source);
    std::fs::copy(from, folder.path().join(source)).unwrap();
    let output = Command::new(build[0])
        .args(&build[1..])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{build:?}: {output:?}");
    Built {
        folder: folder.path().to_owned(),
        command: command.to_owned(),
        with_shared_memory,
        _owner: Box::new(folder),
    }
}

fn a_program_plays_a_whole_game_in_every_mode(program: Honest) {
    plays_in_every_mode(program);
}

fn a_program_in_another_language_plays_a_whole_game_in_every_mode(program: Honest) {
    plays_in_every_mode(program);
}

fn plays_in_every_mode(program: Honest) {
    let built = (program.build)();
    open_to_all(&built.folder);
    for user in User::all() {
        for mode in &MODES {
            let shares = if mode.has_shared_memory {
                built.with_shared_memory
            } else {
                ""
            };
            let player = format!("honest={}{shares}", built.command);
            let mut referee = user.referee();
            referee
                .args(["play", &player, "awful", "--json"])
                .args(SMALL);
            referee
                .args(["--limit", "60s", "--start-limit", "60s"])
                .args(mode.option);
            let output = referee.current_dir(&built.folder).output().unwrap();
            let record: Value = serde_json::from_slice(&output.stdout)
                .unwrap_or_else(|error| panic!("{:?}: {error}: {output:?}", mode.option));
            let seen = (
                record["ended_by"].as_str(),
                record["players"][0]["warnings"].to_string(),
            );
            assert_eq!(
                seen,
                (Some("fleet_sunk"), "[]".to_owned()),
                "{:?}: {output:?}",
                mode.option
            );
        }
    }
}
