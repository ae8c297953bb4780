//! A machine that has too little of something: processes, open files, or memory for a stack. No bot
//! loses for that, and no game is recorded that would have been another one elsewhere.

#![cfg(target_os = "linux")]

use testkit::arena::{Arena, Mode};
use testkit::list::Tests;
use testkit::programs::{referee_in, text_of};
use testkit::run::{Dir, Done};
use testkit::tools::{LANDLOCK, MEMORY_GROUPS, MemoryGroup, ROOT, SETPRIV, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[ROOT, SETPRIV], |tests| {
        add!(
            tests,
            a_bot_is_not_blamed_for_absent_processes,
            games_without_room_for_processes_are_refused
        );
    });
    tests.needing(&[MEMORY_GROUPS, LANDLOCK, SYSTEM_PYTHON], |tests| {
        rows!(tests, Mode::ALL, a_bot_is_not_blamed_for_absent_memory);
    });
    add!(
        tests,
        a_bot_is_not_blamed_for_absent_descriptors,
        a_soft_limit_is_raised
    );
    rows!(tests, HARD_LIMITS, a_hard_limit_is_named);
}

/// Runs the referee as a user without any other process that may have this many processes and
/// threads.
fn with_processes(count: usize, words: &str) -> Done {
    let dir = Dir::new();
    referee_in(&dir.path(""));
    let lonely = "setpriv --reuid=471138 --regid=471138 --clear-groups ./referee";
    dir.program("prlimit", format!("--nproc={count} {lonely} {words}"))
        .small()
        .ends()
}

/// A referee that lacks something ends with this message and prints no game, not even one without a
/// winner: with more of it there would be another one. Returns whether it lacks it.
fn lacks(done: &Done, message: &str) -> bool {
    if done.code == Some(0) {
        done.prints("\"ended_by\":\"fleet_sunk\"");
        return false;
    }
    done.exits(1)
        .warns(message)
        .prints_all("")
        .lacks("panicked");
    true
}

fn a_bot_is_not_blamed_for_absent_processes() {
    let lacking = (4..=10).filter(|count| {
        let done = with_processes(*count, "play awful awful --json");
        lacks(&done, ": Resource temporarily unavailable (os error 11)\n")
    });
    assert!(lacking.count() > 0);
}

/// How many the referee has from the start depends on who starts it.
fn a_bot_is_not_blamed_for_absent_descriptors() {
    let lacking = (6..=30).step_by(4).filter(|limit| {
        let arena =
            Arena::new(Mode::Plain).after(&format!("sh -c 'ulimit -n {limit}; exec \"$@\"' sh"));
        let done = arena.watch(|_| ());
        // Before the referee begins: the system's loader of libraries needs one too.
        if done.code == Some(127) {
            done.warns("shared libraries");
            return false;
        }
        lacks(&done, "Too many open files (os error 24)\n") && done.stderr.contains("could not")
    });
    assert!(lacking.count() > 0);
}

/// Its opponent takes more than there is, in many processes that are smaller than the bot. In a
/// sandbox the opponent may have been found out before.
fn a_bot_is_not_blamed_for_absent_memory(mode: Mode) {
    let group = MemoryGroup::make(200 << 20).unwrap();
    let takes = "
def takes(mib):
    ends = os.pipe()
    if os.fork():
        os.close(ends[1])
        os.read(ends[0], 1)
    else:
        signal.alarm(60)
        kept = bytearray(b'x') * (mib << 20)
        os.write(ends[1], b'x')
        time.sleep(30)
        os._exit(0)
def deed():
    for _ in range(8): takes(25)
";
    let arena = Arena::new(mode).deed(takes);
    let large = text_of(arena.dir.path("rogue.py"))
        .replace("not shots", "0")
        .replace(
            "\ndef serve",
            "\nkept = bytearray(b'x') * (80 << 20)\ndef serve",
        );
    arena.dir.file("large.py", large);
    let game = arena
        .after(&group.command())
        .players("'rogue=/usr/bin/python3 rogue.py' 'large=/usr/bin/python3 large.py'")
        .with(if mode == Mode::Plain {
            ""
        } else {
            "--max-memory 120"
        })
        .play();
    let reason = game.text("reason");
    if mode != Mode::Plain && game.text("ended_by") == "used_too_much" {
        assert_eq!(game.text("winner"), "large", "{reason}");
        return;
    }
    assert_eq!(game.text("ended_by"), "machine_late", "{reason}");
    let sentence =
        "the machine ran out of memory, and the kernel ended player 2, which kept its limits";
    assert!(reason.starts_with(sentence), "{reason}");
    let excess = reason.ends_with("; player 1 used more than 120 MiB of memory");
    assert_eq!(excess, mode != Mode::Plain, "{reason}");
}

fn games_without_room_for_processes_are_refused() {
    with_processes(30, "match awful mediocre --games 40 --jobs 20")
        .exits(2)
        .warns("--jobs 20: the limits of this machine do not allow the bots of that many games at once: this user may start ")
        .warns("more processes and threads (ulimit -u); --jobs 3 would fit\n");
}

const MATCH: &str = "exec referee match awful mediocre --games 40 --series 2 --jobs 20 --json -q";

/// A limit, the exit code, and what is said about it.
const HARD_LIMITS: [(&str, i32, &str); 2] = [
    ("-n 100", 2, "open files (ulimit -Hn); --jobs 4 would fit\n"),
    (
        "-s 64",
        1,
        "referee: the stack may have 64 KiB (ulimit -s), and ",
    ),
];

fn a_hard_limit_is_named((limit, code, sentence): (&str, i32, &str)) {
    let script = format!("ulimit {limit}; {MATCH}");
    Dir::new()
        .program("sh", "-c")
        .arg(script)
        .fails(code, sentence);
}

fn a_soft_limit_is_raised() {
    let script =
        format!("ulimit -Sn 100; ulimit -Ss 64; {MATCH} --rows 2 --cols 3 --ship '2 R rowboat'");
    let done = Dir::new().program("sh", "-c").arg(script).succeeds();
    assert_eq!(done.lacks("could_not_start").json()["games"], 40);
}
