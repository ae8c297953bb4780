//! Bots that want to outlive their game, and referees that are ended in the middle of one: nothing
//! is left.

#![cfg(target_os = "linux")]

use std::io::Read;
use std::process::Stdio;

use testkit::arena::{Arena, Mode, text_of_process, until};
use testkit::list::Tests;
use testkit::run::{Signal, signal};
use testkit::tools::{SETSID, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[SETSID, SYSTEM_PYTHON], |tests| {
        add!(
            tests,
            a_process_that_is_left_would_be_found,
            a_bot_that_stops_itself_loses_by_time,
            an_ignored_hang_up_ends_nothing,
            a_second_signal_ends_the_referee_at_once
        );
        rows!(tests, CLINGING, nothing_is_left_of_a_bot, 4);
        rows!(tests, Mode::SUPERVISED, a_killed_referee_leaves_no_process);
        add!(tests, a_stopped_referee_finishes_its_record);
    });
}

/// The other tests search for leftover processes in the same way, so the search has to find one.
fn a_process_that_is_left_would_be_found() {
    let arena = Arena::new(Mode::Plain);
    let left = arena.dir.program("setsid", "sleep 60");
    let mut left = left.env("HOSTILE_MARK", &arena.mark).spawn();
    until("it is found", || arena.processes().len() == 1);
    left.kill().unwrap();
    left.wait().unwrap();
    arena.is_left();
}

/// What a bot does when it is asked to attack, and how the game ends: it wins, or says nonsense, or
/// leaves. None of its processes lives for more than a minute.
const CLINGING: [(&str, &str, &str); 9] = [
    (
        "with children in other sessions",
        "
    os.system('setsid sleep 60 > /dev/null 2>&1 & setsid setsid sleep 60 &')
    nonsense()",
        "bad_reply",
    ),
    // Forty processes at the most.
    (
        "that forks while it is killed",
        "
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for forker in range(4):
        if os.fork() == 0:
            os.setsid()
            for child in range(9):
                if os.fork() == 0: break
                time.sleep(0.02)
            time.sleep(60)
            os._exit(0)
    nonsense()",
        "bad_reply",
    ),
    // The supervisor waits for its orphans: in a long game they would use up the process ids.
    (
        "that wins beside orphans and a daemon",
        "
    if shots == 0:
        os.system('setsid sleep 60 < /dev/null > /dev/null 2>&1 &')
        for orphan in range(20):
            if os.fork() == 0:
                os.fork()
                os._exit(0)
            os.wait()
        while zombies(): time.sleep(0.01)
    reply()",
        "fleet_sunk",
    ),
    (
        "that leaves a daemon",
        "
    os.system('setsid sleep 60 < /dev/null > /dev/null 2>&1 &')
    os._exit(0)",
        "exited",
    ),
    (
        "that ignores every polite signal",
        "
    for polite in [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT]: signal.signal(polite, signal.SIG_IGN)
    nonsense()",
        "bad_reply",
    ),
    (
        "with children and grandchildren",
        "
    os.system('sleep 60 & (sleep 60 & sleep 60) &')
    nonsense()",
        "bad_reply",
    ),
    (
        "with a stopped child",
        "
    os.system('sleep 60 & kill -STOP $!')
    say('nonsense')
    os.kill(os.getpid(), signal.SIGSTOP)",
        "bad_reply",
    ),
    // Each process lives for a moment and is then replaced by its child, so that a list of them is
    // always out of date.
    (
        "that hops from fork to fork",
        "
    if os.fork() == 0:
        os.setsid()
        for hop in range(1000):
            if os.fork(): os._exit(0)
            time.sleep(0.01)
        os._exit(0)
    nonsense()",
        "bad_reply",
    ),
    // A zombie is found by its name, which is all that it has.
    (
        "with zombies",
        "
    for zombie in range(20):
        if os.fork() == 0:
            open('/proc/self/comm', 'w').write(MARK)
            os._exit(0)
    nonsense()",
        "bad_reply",
    ),
];

const BY: &str = "
import glob
def nonsense():
    say('nonsense')
    time.sleep(60)
def zombies():
    for path in glob.glob('/proc/[0-9]*/stat'):
        try: state, parent = open(path, 'rb').read().rsplit(b')', 1)[1].split()[:2]
        except OSError: continue
        if state == b'Z' and int(parent) == os.getppid(): return True
def attacked():";

fn nothing_is_left_of_a_bot((_, deed, ended_by): (&str, &str, &str)) {
    for mode in Mode::SUPERVISED {
        let arena = Arena::new(mode).with("--limit 30s");
        let game = arena.python(&format!("{BY}{deed}")).play();
        match ended_by {
            "fleet_sunk" => game.won_by("rogue"),
            "exited" => game.forfeits(ended_by, "exited with status 0; nothing on stderr"),
            _ => game.forfeits(ended_by, "expected \"attack ROW COL\", got \"nonsense\""),
        }
    }
}

fn a_bot_that_stops_itself_loses_by_time() {
    for mode in Mode::SUPERVISED {
        let arena = Arena::new(mode).with("--limit 1=1s --limit 2=60s");
        arena.shell("kill -STOP $$").play().forfeits(
            "timeout",
            "no reply to attack within 1 s (0 bytes read; is stdout flushed?)",
        );
    }
}

/// As under nohup: the match continues when its terminal is closed.
fn an_ignored_hang_up_ends_nothing() {
    let arena = Arena::new(Mode::Plain)
        .with("--limit 30s")
        .after("sh -c \"trap '' HUP; exec \\\"\\$@\\\"\" sh")
        .shell(": > asked\n while [ ! -e go ]; do sleep 0.02; done\n reply");
    let game = arena.play_while(|id| {
        arena.has("asked");
        signal(id, Signal::HUP);
        arena.dir.file("go", "");
    });
    game.won_by("rogue");
}

/// A bot that has been asked to attack, has started others in all ways, and waits.
const SETTLED: &str =
    "sleep 60 &\n setsid sleep 60 </dev/null >/dev/null 2>&1 &\n : > settled\n sleep 60";

fn a_killed_referee_leaves_no_process(mode: Mode) {
    let arena = Arena::new(mode).shell(SETTLED);
    let done = arena.watch(|id| {
        arena.has("settled");
        // The referee, two bots, two supervisors, two children.
        assert!(arena.processes().len() >= 7, "{arena:?}");
        signal(id, Signal::KILL);
    });
    assert_eq!(done.code, None);
}

fn a_stopped_referee_finishes_its_record() {
    for stop in [Signal::INT, Signal::TERM, Signal::HUP] {
        let arena = Arena::new(Mode::Plain).with("--out games").shell(SETTLED);
        let done = arena.watch(|id| {
            arena.has("settled");
            signal(id, stop);
        });
        done.exits(130);
        assert_eq!(done.stderr, "referee: the game was interrupted\n");
        assert_eq!(done.game().text("ended_by"), "interrupted");
        assert_eq!(arena.dir.record("games").lines, [done.json()]);
    }
}

/// The referee blocks in a write to a full pipe, so that it cannot come to an orderly end.
fn a_second_signal_ends_the_referee_at_once() {
    let arena = Arena::new(Mode::Plain)
        .with("--max-turns 1000")
        .shell("echo attack 0 0")
        .players("'sh rogue.sh' 'other=sh rogue.sh'");
    let mut referee = arena.run().stdout(Stdio::piped()).spawn();
    let id = referee.id();
    // The number of `write` on either processor, and its first argument.
    until("the referee writes to a full pipe", || {
        let call = text_of_process(id, "syscall");
        call.starts_with("1 0x1 ") || call.starts_with("64 0x1 ")
    });
    signal(id, Signal::TERM);
    until("the signal has come", || {
        let status = text_of_process(id, "status");
        let mut masks = status.lines().filter_map(|line| line.split_once("Pnd:"));
        masks.all(|(_, mask)| mask.trim().trim_matches('0').is_empty())
    });
    assert_eq!(
        referee.try_wait().unwrap(),
        None,
        "the first signal is only noted"
    );
    signal(id, Signal::TERM);
    assert_eq!(referee.wait().unwrap().code(), Some(130));
    arena.is_left();
    referee
        .stdout
        .unwrap()
        .read_exact(&mut vec![0; 32 << 10])
        .unwrap();
}
