//! Bots that want to outlive their game, and referees that are ended in the middle of one: nothing is left.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::process::{Command, Stdio};

use rustix::process::Signal;
use testkit::arena::{Arena, Way, until};
use testkit::list::Tests;
use testkit::tools::{PYTHON, SETSID, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, SETSID], |tests| {
        add!(
            tests,
            a_process_that_is_left_would_be_found,
            a_child_in_a_session_of_its_own_ends_with_its_bot
        );
        rows!(
            tests,
            Way::SUPERVISED,
            a_daemon_whose_bot_has_left_long_ago_ends_with_the_game
        );
        rows!(
            tests,
            Way::SUPERVISED,
            a_daemon_does_not_outlive_a_bot_that_plays_well_and_wins
        );
        rows!(
            tests,
            Way::SUPERVISED,
            a_referee_that_is_killed_leaves_no_process
        );
        rows!(
            tests,
            Way::ALL,
            a_referee_that_is_asked_to_stop_finishes_the_record
        );
    });
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_bot_that_ignores_every_polite_signal_is_ended,
            children_and_grandchildren_of_a_bot_end_with_it,
            a_bot_that_stops_itself_loses_by_time_and_is_ended,
            a_hang_up_that_is_to_be_ignored_is_ignored,
            a_second_signal_ends_the_referee_at_once
        );
    });
    tests.needing(&[UNIX, PYTHON], |tests| {
        add!(
            tests,
            a_process_that_hops_from_fork_to_fork_is_caught,
            processes_born_while_their_bot_is_killed_are_ended,
            no_zombie_of_a_bot_is_left
        );
        rows!(
            tests,
            Way::SUPERVISED,
            orphans_of_a_bot_do_not_pile_up_while_it_plays
        );
    });
}

const NONSENSE: &str = "expected \"attack ROW COL\", got \"nonsense\"";

/// A bot in the shell that does this and then says nonsense loses, and nothing of it is left, whichever way its
/// supervisor ends it.
fn leaves_nothing(deed: &str) {
    for way in Way::SUPERVISED {
        let arena = Arena::new(way);
        let rogue = arena.shell(deed);
        arena
            .play([&rogue, "awful"])
            .is_forfeit("bad_reply", NONSENSE);
    }
}

/// As [`leaves_nothing`], in Python.
fn python_leaves_nothing(program: &str) {
    for way in Way::SUPERVISED {
        let arena = Arena::new(way);
        let rogue = arena.python(program);
        arena
            .play([&rogue, "awful"])
            .is_forfeit("bad_reply", NONSENSE);
    }
}

/// The other tests search for leftover processes in the same way, so the search has to find one.
fn a_process_that_is_left_would_be_found() {
    let arena = Arena::new(Way::Supervised);
    let mut left = Command::new("setsid")
        .args(["sleep", "60"])
        .env("HOSTILE_MARK", arena.mark())
        .spawn()
        .unwrap();
    until("it is found", || arena.processes(0).len() == 1);
    left.kill().unwrap();
    left.wait().unwrap();
    arena.is_left_by_all();
}

fn a_bot_that_ignores_every_polite_signal_is_ended() {
    leaves_nothing("trap '' TERM HUP INT QUIT\n echo nonsense\n sleep 60\n sleep 60");
}

fn children_and_grandchildren_of_a_bot_end_with_it() {
    leaves_nothing("sleep 60 &\n (sleep 60 & sleep 60) &\n echo nonsense\n sleep 60");
}

fn a_child_in_a_session_of_its_own_ends_with_its_bot() {
    leaves_nothing(
        "(setsid sleep 60 >/dev/null 2>&1 &)\n setsid setsid sleep 60 &\n echo nonsense\n sleep 60",
    );
}

fn a_daemon_whose_bot_has_left_long_ago_ends_with_the_game(way: Way) {
    let arena = Arena::new(way);
    let rogue = arena.shell("setsid sleep 60 </dev/null >/dev/null 2>&1 &\n exit 0");
    arena
        .play([&rogue, "awful"])
        .is_forfeit("exited", "exited with status 0; nothing on stderr");
}

fn a_daemon_does_not_outlive_a_bot_that_plays_well_and_wins(way: Way) {
    let arena = Arena::new(way);
    let rogue = arena.shell("[ $n = 0 ] && setsid sleep 60 </dev/null >/dev/null 2>&1 &\n reply");
    arena.play([&rogue, "awful"]).is_won_by("rogue");
}

/// Each process lives for a moment and is then replaced by its child, so that a list of them is always out of date. Ten seconds at the most, a thousand processes in all, two at a time.
fn a_process_that_hops_from_fork_to_fork_is_caught() {
    python_leaves_nothing(
        "def attacked():
    if os.fork() == 0:
        os.setsid()
        for hop in range(1000):
            if os.fork():
                os._exit(0)
            time.sleep(0.01)
        os._exit(0)
    say('nonsense')
    time.sleep(60)",
    );
}

/// Forty processes at the most, born while their parents are being killed.
fn processes_born_while_their_bot_is_killed_are_ended() {
    python_leaves_nothing(
        "def attacked():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for forker in range(4):
        if os.fork() == 0:
            os.setsid()
            for child in range(9):
                if os.fork() == 0:
                    time.sleep(60)
                    os._exit(0)
                time.sleep(0.02)
            time.sleep(60)
            os._exit(0)
    say('nonsense')
    time.sleep(60)",
    );
}

fn a_bot_that_stops_itself_loses_by_time_and_is_ended() {
    for way in Way::SUPERVISED {
        let arena = Arena::new(way).with(&["--limits", "1s:60s"]);
        let rogue = arena.shell("kill -STOP $$");
        let silence = "no reply to attack within 1 s (0 bytes read; is stdout flushed?)";
        arena.play([&rogue, "awful"]).is_forfeit("timeout", silence);
    }
    leaves_nothing("sleep 60 &\n kill -STOP $!\n echo nonsense\n kill -STOP $$");
}

/// A zombie is found by its name, which is all that it has.
fn no_zombie_of_a_bot_is_left() {
    python_leaves_nothing(
        "def attacked():
    for zombie in range(20):
        if os.fork() == 0:
            open('/proc/self/comm', 'w').write(MARK)
            os._exit(0)
    say('nonsense')
    time.sleep(60)",
    );
}

/// In a long game they would use up the process ids.
fn orphans_of_a_bot_do_not_pile_up_while_it_plays(way: Way) {
    let arena = Arena::new(way).with(&["--limit", "40s", "--max-turns", "1"]);
    let rogue = arena.python(
        "import glob
def zombies():
    found = []
    for path in glob.glob('/proc/[0-9]*/stat'):
        try:
            state, parent = open(path).read().rsplit(')', 1)[1].split()[:2]
        except OSError:
            continue
        if state == 'Z' and int(parent) == os.getppid():
            found.append(path)
    return found
def attacked():
    for orphan in range(20):
        child = os.fork()
        if child == 0:
            os.fork()
            os._exit(0)
        os.waitpid(child, 0)
    deadline = time.monotonic() + 30
    while zombies() and time.monotonic() < deadline:
        time.sleep(0.01)
    report(zombies())
    reply()",
    );
    let seen = arena.play([&rogue, "awful"]);
    assert_eq!(seen.ended_by(), "turn_cap", "{}", seen.reason());
    assert_eq!(arena.report(), serde_json::json!([]));
}

/// As under nohup: the match continues when its terminal is closed.
fn a_hang_up_that_is_to_be_ignored_is_ignored() {
    let arena = Arena::new(Way::Supervised)
        .with(&["--limit", "30s"])
        .wrapped(&["sh", "-c", "trap '' HUP; exec \"$0\" \"$@\""]);
    let waits = ": > asked\n while [ ! -e go ]; do sleep 0.02; done\n echo fire";
    let rogue = arena.shell(waits);
    let game = arena.start([&rogue, "awful"]);
    arena.wait_for_file("asked");
    game.signal(Signal::HUP);
    std::fs::write(arena.folder().join("go"), "").unwrap();
    game.end()
        .is_forfeit("bad_reply", "expected \"attack ROW COL\", got \"fire\"");
}

/// A bot that has been asked to attack, has started others in all ways, and waits.
const SETTLED: &str =
    "sleep 60 &\n setsid sleep 60 </dev/null >/dev/null 2>&1 &\n : > settled\n sleep 60";

fn a_referee_that_is_killed_leaves_no_process(way: Way) {
    let arena = Arena::new(way);
    let rogue = arena.shell(SETTLED);
    let game = arena.start([&rogue, "awful"]);
    arena.wait_for_file("settled");
    assert!(
        arena.processes(game.id()).len() >= 6,
        "two bots, two supervisors, two children"
    );
    game.signal(Signal::KILL);
    assert_eq!(game.leave().code(), None);
}

fn a_referee_that_is_asked_to_stop_finishes_the_record(way: Way) {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let arena = Arena::new(way).with(&["--record", "games.jsonl"]);
        // Without a supervisor, what leaves its process group is not found.
        let rogue = arena.shell(&if way == Way::Portable {
            SETTLED.replace("setsid ", "")
        } else {
            SETTLED.to_owned()
        });
        let game = arena.start([&rogue, "awful"]);
        arena.wait_for_file("settled");
        game.signal(signal);
        let seen = game.end();
        assert_eq!(
            (seen.code, seen.ended_by()),
            (130, "interrupted"),
            "{way:?} {signal:?}"
        );
        assert_eq!(seen.complaints, "referee: the game was interrupted\n");
        let recorded = std::fs::read_to_string(arena.folder().join("games.jsonl")).unwrap();
        assert_eq!(recorded.lines().count(), 1);
        assert_eq!(recorded.parse::<serde_json::Value>().unwrap(), seen.record);
    }
}

/// The referee blocks in a write to a full pipe, so that it cannot come to an orderly end.
fn a_second_signal_ends_the_referee_at_once() {
    let arena = Arena::new(Way::Supervised)
        .shown()
        .with(&["--max-turns", "1000"]);
    let rogue = arena.shell("echo attack 0 0");
    let mut command = arena.command([&rogue, &rogue.replace("rogue=", "other=")]);
    let stderr = File::create(arena.folder().join("stderr")).unwrap();
    let mut referee = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let (id, reader) = (referee.id(), referee.stdout.take().unwrap());
    let signal = |signal| {
        let id = rustix::process::Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
        rustix::process::kill_process(id, signal).unwrap();
    };
    // The kernel's word for what it is waiting in: the number of the call, and its first argument.
    let is_stuck = || {
        let call = std::fs::read_to_string(format!("/proc/{id}/syscall")).unwrap_or_default();
        let mut words = call.split(' ');
        words.next() == Some(&libc_write()) && words.next() == Some("0x1")
    };
    until("the referee writes to a full pipe", || {
        let waiting = rustix::io::ioctl_fionread(&reader).unwrap();
        waiting > 32 * 1024 && is_stuck()
    });
    signal(Signal::TERM);
    until("the signal has come", || !has_pending(id));
    assert_eq!(
        referee.try_wait().unwrap(),
        None,
        "the first signal is only noted"
    );
    signal(Signal::TERM);
    let mut status = None;
    until("the referee ends", || {
        status = referee.try_wait().unwrap();
        status.is_some()
    });
    assert_eq!(status.unwrap().code(), Some(130));
    arena.is_left_by_all();
    drop(reader);
}

/// The number of the system call `write` as `/proc` prints it.
fn libc_write() -> String {
    if cfg!(target_arch = "x86_64") {
        "1"
    } else {
        "64"
    }
    .to_owned()
}

/// Whether a signal waits to be handled by the process.
fn has_pending(id: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let pending = status.lines().filter_map(|line| {
        line.strip_prefix("SigPnd:")
            .or_else(|| line.strip_prefix("ShdPnd:"))
    });
    pending
        .into_iter()
        .any(|mask| mask.trim().contains(|digit| digit != '0'))
}
