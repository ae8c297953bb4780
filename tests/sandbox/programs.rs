//! Honest programs, also in languages whose runtimes arrange their own processes: in every mode, as
//! root and as an ordinary user, each is greeted, places, and plays to the end.

use testkit::arena::{Arena, Mode};
use testkit::list::{Row, Tests, Tier};
use testkit::programs::{project_file, text_of};
use testkit::run::Dir;
use testkit::tools::{self, LANDLOCK, NAMESPACES, SETPRIV, Tool};

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, Mode::SANDBOXES, a_game_is_the_same_as_outside);
    rows!(
        tests,
        Mode::SANDBOXES,
        an_absent_program_is_named_as_outside
    );
    tests.needing(&[LANDLOCK, NAMESPACES, SETPRIV], |tests| {
        rows!(tests, PROGRAMS, a_program_plays_in_every_mode, 1);
        tests.tier(Tier::Release, |tests| {
            rows!(tests, OTHERS, a_program_plays_in_every_mode);
        });
    });
}

/// Files with the names of the referee's own commands are ignored.
fn a_game_is_the_same_as_outside(mode: Mode) {
    let dir = Dir::new();
    for name in ["bot", "good", "awful", "probe", "confine"] {
        dir.file(name, "");
    }
    let python = format!(
        "'/usr/bin/python3 {}' awful",
        project_file("examples/python/bot.py").display()
    );
    for players in ["mediocre good", &python] {
        let [outside, inside] = ["", mode.option()].map(|option| {
            let words = format!("play {players} --seed 1 --out record --force");
            dir.run(&words).args(option).succeeds();
            dir.record("record").without_times()[0]["shots"].clone()
        });
        assert_eq!(inside, outside);
    }
}

fn an_absent_program_is_named_as_outside(mode: Mode) {
    Dir::new()
        .run("play awful no-such-program")
        .args(mode.option())
        .fails(4, "no program \"no-such-program\" is on the PATH");
}

/// A program: its name, the tools that it needs, and the commands that make it and run it in its
/// folder.
#[derive(Clone, Copy)]
struct Program(&'static str, &'static [Tool], &'static str, &'static str);

impl Row for Program {
    fn name(&self) -> &str {
        self.0
    }

    fn tools(&self) -> &'static [Tool] {
        self.1
    }
}

/// The argument `lock` asks for memory that processes share by name, which locks between processes
/// need.
const PROGRAMS: [Program; 2] = [
    Program(
        "bot.py",
        &[tools::SYSTEM_PYTHON],
        "true",
        "/usr/bin/python3 bot.py lock",
    ),
    Program(
        "bot.c",
        &[tools::CC],
        "cc -O1 -fopenmp -o bot bot.c",
        "env OMP_PROC_BIND=true ./bot",
    ),
];

/// Programs in languages whose tools not every machine has; most are the bots that `referee new`
/// makes.
const OTHERS: [Program; 5] = [
    Program(
        "Bot.cs",
        &[tools::MONO, tools::MCS],
        "mcs -out:bot.exe Bot.cs",
        "mono bot.exe",
    ),
    Program("java", &[tools::JAVA, tools::JAVAC], "", ""),
    Program("javascript", &[tools::NODE], "", ""),
    Program("go", &[tools::GO], "", ""),
    Program("ruby", &[tools::RUBY], "", ""),
];

fn a_program_plays_in_every_mode(Program(name, _, build, command): Program) {
    for mode in Mode::ALL {
        for arena in Arena::of_all(mode) {
            let file = project_file("tests/programs/honest").join(name);
            let player = if file.is_file() {
                arena.dir.file(name, text_of(file));
                arena.dir.program("sh", "-c").arg(build).succeeds();
                // By rules nobody shares memory.
                let kept = if mode == Mode::Basic { " lock" } else { "" };
                format!("honest={}", command.trim_end_matches(kept))
            } else {
                let made = arena.dir.run(format!("new {name} bot")).succeeds();
                let steps = made
                    .stdout
                    .lines()
                    .filter_map(|line| line.strip_prefix("  "));
                let steps: Vec<_> = steps.collect();
                let (play, steps) = steps.split_last().unwrap();
                arena
                    .dir
                    .program("sh", "-c")
                    .arg(steps.join("\n"))
                    .succeeds();
                let words = shlex::split(play).unwrap();
                format!("honest@bot={}", words[2])
            };
            let game = arena
                .with("--rows 2 --cols 3 --ship '2 R rowboat' --limit 60s --start-limit 60s")
                .players(&format!("'{player}' awful"))
                .play();
            let warnings = game.0["players"][0]["warnings"].to_string();
            assert_eq!((game.text("ended_by"), &*warnings), ("fleet_sunk", "[]"));
        }
    }
}
