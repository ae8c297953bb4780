//! Attacks by bots that know how they are confined, run by root and by an ordinary user. The result of one is looked at
//! from outside: at a file, a listener, a process, the record.
//!
//! Each attack is made where it has to fail. Outside the sandbox some of them succeed, as they may: bots there are
//! trusted with the files of their user. This also shows that the attempts are such as could succeed.

#![cfg(target_os = "linux")]

mod files;
mod memory;
mod objects;
mod processes;

use testkit::arena::{Arena, Seen, Way, until};
use testkit::list::Row;
use testkit::list::Tests;
use testkit::tools::{self, Tool};
use testkit::user::User;

pub(crate) fn tests(tests: &mut Tests) {
    files::tests(tests);
    memory::tests(tests);
    objects::tests(tests);
    processes::tests(tests);
}

/// The confinement of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Plain,
    World,
    Basic,
}

impl Mode {
    const ALL: [Mode; 3] = [Mode::Plain, Mode::World, Mode::Basic];

    const SANDBOXES: [Mode; 2] = [Mode::World, Mode::Basic];

    fn options(self) -> &'static [&'static str] {
        match self {
            Mode::Plain => &[],
            Mode::World => &["--sandbox"],
            Mode::Basic => &["--sandbox=basic"],
        }
    }
}

impl Row for Mode {
    fn name(&self) -> &str {
        match self {
            Mode::Plain => "plain",
            Mode::World => "world",
            Mode::Basic => "basic",
        }
    }

    fn tools(&self) -> &'static [Tool] {
        static CONFINED: [Tool; 1] = [tools::LANDLOCK];
        static WORLD: [Tool; 2] = [tools::LANDLOCK, tools::NAMESPACES];
        match self {
            Mode::Plain | Mode::Basic => &CONFINED,
            Mode::World => &WORLD,
        }
    }
}

/// The code that attackers in Python share: calls that Python has no names for.
const CALLS: &str = "
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    result = libc.syscall(*map(ctypes.c_long, arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), '')
    return result
def address(text):
    return ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p).value
";

/// Returns the setting of a game that `user` has the referee play.
fn arena(user: &User, mode: Mode) -> Arena {
    Arena::new(Way::Supervised)
        .by(user)
        .with(mode.options())
        .with(&["--limit", "60s"])
}

/// Returns a player in the system's own Python, which every sandbox shows. `program` defines `attacked`.
fn rogue(arena: &Arena, program: &str) -> String {
    arena
        .python(&format!("{CALLS}{program}"))
        .replace("python3", "/usr/bin/python3")
}

/// Plays a game in which a rogue does what the function `deeds` of `program` does before its first attack, and then
/// plays on.
fn attempts(arena: &Arena, program: &str) -> Seen {
    let attacked = "
def attacked():
    if shots == 0:
        deeds()
    reply()
";
    let seen = arena.play([&rogue(arena, &format!("{program}{attacked}")), "awful"]);
    seen.is_won_by("rogue");
    seen
}

/// Plays a game in which a rogue does what the function `deeds` of `program` does, and then waits while `look` is run,
/// with the number of its process. Returns what that returns.
fn look_after<T>(arena: &Arena, program: &str, look: impl FnOnce(&str) -> T) -> T {
    // Its name is all that a bot in any sandbox can show to others.
    let waits = "
def attacked():
    if shots == 0:
        deeds()
        call(157, 15, address(b'done'))
        while not os.path.exists(FOLDER + '/looked'): time.sleep(0.01)
    reply()
";
    let running = arena.start([&rogue(arena, &format!("{program}{waits}")), "awful"]);
    let mut found = None;
    until("the bot has done it", || {
        let processes = arena.processes(running.id());
        let numbers = processes
            .iter()
            .filter_map(|stat| stat.split_once(" (done) "));
        found = numbers.map(|(number, _)| number.to_owned()).next();
        found.is_some()
    });
    let seen = look(&found.unwrap());
    std::fs::write(arena.folder().join("looked"), "").unwrap();
    running.end().is_won_by("rogue");
    seen
}
