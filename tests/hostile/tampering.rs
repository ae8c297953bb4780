//! Bots that reach for what is not theirs: other processes of the game, descriptors, the environment.

#![cfg(target_os = "linux")]

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use serde_json::{Value, json};
use testkit::arena::{Arena, Way};
use testkit::list::Tests;
use testkit::tools::{BASH, LANDLOCK, PYTHON, ROOT, SETPRIV, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, LANDLOCK, PYTHON, SETPRIV], |tests| {
        add!(
            tests,
            a_bot_cannot_signal_others,
            a_bot_cannot_read_trace_or_forge_for_others
        );
    });
    tests.needing(&[UNIX, PYTHON, SETPRIV], |tests| {
        add!(
            tests,
            a_bot_cannot_change_the_limits_of_others,
            the_attempts_are_such_as_succeed_where_nothing_confines_a_bot
        );
        rows!(
            tests,
            Way::SUPERVISED,
            a_change_of_priority_cores_or_session_succeeds_and_has_no_effect
        );
    });
    tests.needing(&[UNIX, LANDLOCK, PYTHON, ROOT], |tests| {
        add!(tests, a_bot_of_roots_may_no_more_than_others);
    });
    tests.needing(&[UNIX, LANDLOCK, PYTHON], |tests| {
        add!(tests, a_bot_reaches_no_abstract_socket_of_others);
    });
    tests.needing(&[UNIX, BASH, PYTHON], |tests| {
        rows!(
            tests,
            Way::SUPERVISED,
            a_bot_inherits_no_descriptor_but_the_three_standard_ones
        );
    });
    tests.needing(&[UNIX, PYTHON], |tests| {
        rows!(
            tests,
            Way::SUPERVISED_OR_NOT,
            a_bot_sees_the_usual_environment_and_what_it_is_given_by_name
        );
        rows!(
            tests,
            Way::SUPERVISED,
            a_bot_dumps_no_core_and_goes_first_when_memory_runs_out
        );
        rows!(
            tests,
            Way::SUPERVISED_OR_NOT,
            a_bot_that_opens_all_its_descriptors_takes_none_of_the_referees
        );
    });
}

/// The code that an attacker in Python needs: the other processes of its game by name. Every user may list processes.
const ATTACKER: &str = "\
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def parent(process):
    try:
        return int(open(f'/proc/{process}/stat').read().rsplit(')', 1)[1].split()[1])
    except OSError:
        return 0
def children(process):
    return [int(p) for p in os.listdir('/proc') if p.isdigit() and parent(int(p)) == process]
def victims():
    supervisor = os.getppid()
    referee = parent(supervisor)
    [other] = [child for child in children(referee) if child != supervisor]
    [opponent] = children(other)
    return {'supervisor': supervisor, 'referee': referee, 'other': other, 'opponent': opponent}
def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), '')
def attacked():
    if shots == 0:
        for name, process in victims().items():
            attack(name, process)
        report(findings)
    reply()
";

/// The rogue makes the attempts that `attack` defines and then plays on, and so does its opponent; returns
/// their results.
fn attempts(way: Way, attack: &str) -> Value {
    attempts_in(&Arena::new(way).without_privileges(), attack)
}

fn attempts_in(arena: &Arena, attack: &str) -> Value {
    let rogue = arena.python(&format!("{ATTACKER}{attack}"));
    arena.play([&rogue, "awful"]).is_won_by("rogue");
    arena.report()
}

/// All the attempts were refused, and there was this number of them on each of the four other processes.
fn all_are_refused(findings: &Value, on_each: usize) {
    let findings = findings.as_object().unwrap();
    assert_eq!(findings.len(), 4 * on_each, "{findings:#?}");
    let succeeded = findings
        .iter()
        .filter(|(_, result)| *result != "EPERM" && *result != "EACCES");
    assert_eq!(succeeded.collect::<Vec<_>>(), []);
}

fn a_bot_cannot_signal_others() {
    let attack = "
def attack(name, process):
    for number in [0, signal.SIGSTOP, signal.SIGCONT, signal.SIGTERM, signal.SIGKILL]:
        attempt(f'kill {name} {number}', os.kill, process, number)
    attempt(f'killpg {name}', os.killpg, os.getpgid(process), 0)
    handle = os.pidfd_open(process)
    attempt(f'pidfd {name}', signal.pidfd_send_signal, handle, signal.SIGKILL)
";
    all_are_refused(&attempts(Way::Supervised, attack), 7);
}

/// With a CPU limit of 0 s a bot could have others ended.
fn a_bot_cannot_change_the_limits_of_others() {
    let attack = "
import resource
def attack(name, process):
    attempt(f'limits {name}', resource.prlimit, process, resource.RLIMIT_CPU, (0, 0))
";
    for way in Way::SUPERVISED {
        all_are_refused(&attempts(way, attack), 1);
    }
}

/// Each names others, all processes of its user, or itself: a bot that changes its own core takes time from others
/// there. Runtimes change their own, and fail if that is refused.
fn a_change_of_priority_cores_or_session_succeeds_and_has_no_effect(way: Way) {
    let attack = "
import threading
def standing(process):
    return (os.getpriority(os.PRIO_PROCESS, process), os.sched_getscheduler(process),
        os.sched_getaffinity(process), os.getsid(process))
def attack(name, process):
    others = {'itself': os.getpid(), 'its thread': threading.get_native_id(), name: process}
    before = {other: standing(process) for other, process in others.items()}
    for other, process in others.items():
        attempt(f'priority {other} {name}', os.setpriority, os.PRIO_PROCESS, process, 19)
        attempt(f'cores {other} {name}', os.sched_setaffinity, process, {0})
        attempt(f'idle {other} {name}', os.sched_setscheduler, process, os.SCHED_IDLE, os.sched_param(0))
    attempt(f'user {name}', os.setpriority, os.PRIO_USER, 0, 19)
    attempt(f'group {name}', os.setpriority, os.PRIO_PGRP, 0, 19)
    attempt(f'session {name}', os.setsid)
    after = {other: standing(process) for other, process in others.items()}
    findings[f'before {name}'], findings[f'after {name}'] = repr(before), repr(after)
";
    let findings = attempts(way, attack);
    let findings = findings.as_object().unwrap();
    for name in ["supervisor", "referee", "other", "opponent"] {
        assert_eq!(
            findings[&format!("before {name}")],
            findings[&format!("after {name}")]
        );
    }
    let attempts = findings
        .iter()
        .filter(|(name, _)| !name.contains("before ") && !name.contains("after "));
    let failed = attempts
        .clone()
        .filter(|(_, result)| *result != "succeeded");
    assert_eq!(failed.collect::<Vec<_>>(), []);
    assert_eq!(attempts.count(), 4 * 12);
}

/// Reads memory and traces, takes a descriptor, forges what another process hears or says.
const SPYING: &str = "
class Vector(ctypes.Structure):
    _fields_ = [('base', ctypes.c_void_p), ('length', ctypes.c_size_t)]
def read_memory(process, address):
    buffer = ctypes.create_string_buffer(8)
    here = Vector(ctypes.cast(buffer, ctypes.c_void_p), 8)
    there = Vector(address, 8)
    check(libc.process_vm_readv(process, ctypes.byref(here), 1, ctypes.byref(there), 1, 0))
def forge(process, number):
    with open(f'/proc/{process}/fd/{number}', 'wb', buffering=0):
        pass
def look(process, file):
    # Some files can be opened and are empty; that is as good as refused.
    if not open(f'/proc/{process}/{file}', 'rb').read(1):
        raise OSError(errno.EACCES, '')
def attack(name, process):
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    attempt(f'seize {name}', lambda: check(libc.ptrace(0x4206, process, None, None)))
    attempt(f'attach {name}', lambda: check(libc.ptrace(16, process, None, None)))
    attempt(f'vm_readv {name}', read_memory, process, ctypes.addressof(libc.getpid))
    for file in ['mem', 'environ', 'maps', 'auxv', 'io']:
        attempt(f'{file} {name}', lambda: look(process, file))
    for number in [0, 1, 2]:
        attempt(f'link {name} {number}', os.readlink, f'/proc/{process}/fd/{number}')
        attempt(f'forge {name} {number}', forge, process, number)
    handle = os.pidfd_open(process)
    attempt(f'getfd {name}', lambda: check(libc.syscall(438, handle, 0, 0)))
";

fn a_bot_cannot_read_trace_or_forge_for_others() {
    all_are_refused(&attempts(Way::Supervised, SPYING), 15);
}

/// Newer kernels let root look at any process, unless it has lost that power.
fn a_bot_of_roots_may_no_more_than_others() {
    all_are_refused(&attempts_in(&Arena::new(Way::Supervised), SPYING), 15);
}

/// The confinement causes the refusals above, and not a mistake in the attempts: the harmless ones among them succeed without
/// it.
fn the_attempts_are_such_as_succeed_where_nothing_confines_a_bot() {
    let attack = "
def attack(name, process):
    attempt(f'kill {name}', os.kill, process, 0)
    attempt(f'killpg {name}', os.killpg, os.getpgid(process), 0)
    attempt(f'environ {name}', lambda: open(f'/proc/{process}/environ').read(1))
    attempt(f'link {name}', os.readlink, f'/proc/{process}/fd/0')
";
    let findings = attempts(Way::Unconfined, attack);
    assert_eq!(findings.as_object().unwrap().len(), 16);
    assert!(
        findings
            .as_object()
            .unwrap()
            .values()
            .all(|result| result == "succeeded")
    );
}

fn a_bot_reaches_no_abstract_socket_of_others() {
    for (way, expected) in [(Way::Supervised, "EPERM"), (Way::Unconfined, "succeeded")] {
        let arena = Arena::new(way);
        let address = SocketAddr::from_abstract_name(arena.mark()).unwrap();
        let _listener = UnixListener::bind_addr(&address).unwrap();
        let rogue = arena.python(&format!(
            "import socket
{ATTACKER}
def attack(name, process):
    attempt('connect', socket.socket(socket.AF_UNIX).connect, '\\0' + MARK)
"
        ));
        arena.play([&rogue, "awful"]).is_won_by("rogue");
        assert_eq!(arena.report(), json!({ "connect": expected }));
    }
}

/// Runs with the sweep of a supervisor alone, and with a referee that was itself started with descriptors open.
fn a_bot_inherits_no_descriptor_but_the_three_standard_ones(way: Way) {
    let leak = "exec 5</dev/null 7</etc/passwd 9>&1; exec \"$0\" \"$@\"";
    let arena = Arena::new(way).wrapped(&["bash", "-c", leak]);
    let rogue = arena.python(
        "def is_open(number):
    try:
        return bool(os.fstat(number))
    except OSError:
        return False
def attacked():
    if shots == 0:
        report([number for number in range(3, 64) if is_open(number)])
    reply()",
    );
    arena.play([&rogue, "awful"]).is_won_by("rogue");
    // The one that Python reads its script from is not there any more.
    assert_eq!(arena.report(), json!([]), "{way:?}");
}

fn a_bot_sees_the_usual_environment_and_what_it_is_given_by_name(way: Way) {
    let arena = Arena::new(way)
        .variable("SECRET_TOKEN", "hunter2")
        .variable("FOR_BOTS", "yes")
        .with(&["--env", "FOR_BOTS"]);
    let rogue = arena.python(
        "def attacked():
    if shots == 0:
        report(dict(os.environ))
    reply()",
    );
    arena.play([&rogue, "awful"]).is_won_by("rogue");
    let environment = arena.report();
    assert_eq!(environment["SECRET_TOKEN"], Value::Null, "{way:?}");
    assert!(!environment.to_string().contains("hunter2"), "{way:?}");
    assert_eq!(environment["FOR_BOTS"], "yes");
    assert_eq!(environment["PYTHONUNBUFFERED"], "1");
    // The program at python3 may be a script that adds to it.
    let path = environment["PATH"].as_str().unwrap();
    assert!(path.ends_with(&std::env::var("PATH").unwrap()), "{path}");
}

fn a_bot_dumps_no_core_and_goes_first_when_memory_runs_out(way: Way) {
    let arena = Arena::new(way);
    let rogue = arena.python(
        "import resource
def attacked():
    if shots == 0:
        score = int(open('/proc/self/oom_score_adj').read())
        report([list(resource.getrlimit(resource.RLIMIT_CORE)), score])
    reply()",
    );
    arena.play([&rogue, "awful"]).is_won_by("rogue");
    assert_eq!(arena.report(), json!([[0, 0], 1000]));
}

/// At most 500 of them: other programs of this machine want some too.
fn a_bot_that_opens_all_its_descriptors_takes_none_of_the_referees(way: Way) {
    let arena = Arena::new(way);
    let rogue = arena.python(
        "import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (500, 500))
hoard = []
def attacked():
    try:
        while True:
            hoard.append(os.open('/dev/null', os.O_RDONLY))
    except OSError:
        reply()",
    );
    arena.play([&rogue, "awful"]).is_won_by("rogue");
}
