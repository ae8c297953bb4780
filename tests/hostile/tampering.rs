//! Bots that reach for what is not theirs: other processes of the game, descriptors, the
//! environment.

#![cfg(target_os = "linux")]

use testkit::arena::{Arena, Mode};
use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::{BASH, LANDLOCK, SETPRIV, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[LANDLOCK, SETPRIV, SYSTEM_PYTHON], |tests| {
        rows!(tests, ON_OTHERS, a_bot_tries_on_other_processes);
    });
    tests.needing(&[BASH, SYSTEM_PYTHON], |tests| {
        rows!(tests, OF_ITS_OWN, a_bot_is_given);
        add!(tests, a_supervisor_shows_no_seed);
    });
}

/// The other processes of the game by name, which every user may list, and what the attempts on
/// each have come to.
const ATTACKER: &str = "
import threading
REFUSED = ['EPERM', 'EACCES']
def parent(process):
    try: return int(open(f'/proc/{process}/stat').read().rsplit(')', 1)[1].split()[1])
    except OSError: return 0
def children(process):
    return [int(p) for p in os.listdir('/proc') if p.isdigit() and parent(int(p)) == process]
def deed():
    supervisor = os.getppid()
    referee = parent(supervisor)
    [other] = [child for child in children(referee) if child != supervisor]
    [opponent] = children(other)
    for process in [supervisor, referee, other, opponent]:
        before = standing(process)
        attack(process)
        assert standing(process) == before, before
        assert len(findings) == ATTEMPTS, findings.keys()
        wrong = {name: result for name, result in findings.items() if result not in EXPECTED}
        assert not wrong, wrong
        findings.clear()
def standing(process):
    return (os.getpriority(os.PRIO_PROCESS, process), os.sched_getscheduler(process),
        os.sched_getaffinity(process), os.getsid(process))
";

/// What each attempt is, in which modes, and how many there are with which results.
const ON_OTHERS: [(&str, &[Mode], &str); 5] = [
    (
        "to signal them",
        &[Mode::Plain],
        "
ATTEMPTS, EXPECTED = 7, REFUSED
def attack(process):
    for number in [0, signal.SIGCONT, signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL]:
        attempt(number, os.kill, process, number)
    attempt('killpg', os.killpg, os.getpgid(process), 0)
    attempt('pidfd', signal.pidfd_send_signal, os.pidfd_open(process), signal.SIGKILL)
",
    ),
    // With a CPU limit of 0 s a bot could have others ended.
    (
        "to change their limits",
        &Mode::SUPERVISED,
        "
import resource
ATTEMPTS, EXPECTED = 1, REFUSED
def attack(process):
    attempt('limits', resource.prlimit, process, resource.RLIMIT_CPU, (0, 0))
",
    ),
    // Each names others, all processes of its user, or itself: a bot that changes its own core
    // takes time from others there. Runtimes change their own, and fail if that is refused.
    (
        "to change priorities without effect",
        &Mode::SUPERVISED,
        "
ATTEMPTS, EXPECTED = 12, ['succeeded']
def attack(process):
    own = [os.getpid(), threading.get_native_id()]
    before = list(map(standing, own))
    for number, other in enumerate([*own, process]):
        attempt(f'priority {number}', os.setpriority, os.PRIO_PROCESS, other, 19)
        attempt(f'cores {number}', os.sched_setaffinity, other, {0})
        attempt(f'idle {number}', os.sched_setscheduler, other, os.SCHED_IDLE, os.sched_param(0))
    attempt('user', os.setpriority, os.PRIO_USER, 0, 19)
    attempt('group', os.setpriority, os.PRIO_PGRP, 0, 19)
    attempt('session', os.setsid)
    assert list(map(standing, own)) == before
",
    ),
    // Newer kernels let root look at any process, unless it has lost that power.
    (
        "to read, trace and forge",
        &[Mode::Plain],
        "
ATTEMPTS, EXPECTED = 15, REFUSED
class Vector(ctypes.Structure):
    _fields_ = [('base', ctypes.c_void_p), ('length', ctypes.c_size_t)]
def read_memory(process):
    buffer = ctypes.create_string_buffer(8)
    here = Vector(ctypes.cast(buffer, ctypes.c_void_p), 8)
    there = Vector(ctypes.cast(libc.getpid, ctypes.c_void_p), 8)
    check(libc.process_vm_readv(process, ctypes.byref(here), 1, ctypes.byref(there), 1, 0))
def look(process, file):
    # Some files can be opened and are empty; that is as good as refused.
    if not open(f'/proc/{process}/{file}', 'rb').read(1): raise OSError(errno.EACCES, '')
def attack(process):
    attempt('seize', call, 101, 0x4206, process, 0, 0)
    attempt('attach', call, 101, 16, process, 0, 0)
    attempt('vm_readv', read_memory, process)
    for file in ['mem', 'environ', 'maps', 'auxv', 'io']: attempt(file, look, process, file)
    for number in [0, 1, 2]:
        attempt(f'link {number}', os.readlink, f'/proc/{process}/fd/{number}')
        attempt(f'forge {number}', lambda: open(f'/proc/{process}/fd/{number}', 'wb', 0).close())
    attempt('getfd', call, 438, os.pidfd_open(process), 0, 0)
",
    ),
    // So the confinement causes the refusals above, and not a mistake in the attempts.
    (
        "what succeeds where nothing confines",
        &[Mode::Unconfined],
        "
ATTEMPTS, EXPECTED = 4, ['succeeded']
def attack(process):
    attempt('kill', os.kill, process, 0)
    attempt('killpg', os.killpg, os.getpgid(process), 0)
    attempt('environ', lambda: open(f'/proc/{process}/environ').read(1))
    attempt('link', os.readlink, f'/proc/{process}/fd/0')
",
    ),
];

fn a_bot_tries_on_other_processes((_, modes, attack): (&str, &[Mode], &str)) {
    for mode in modes {
        for arena in Arena::of_all(*mode) {
            arena.deed(&format!("{ATTACKER}{attack}")).wins();
        }
    }
}

/// What a bot finds, in which modes, and what starts the referee.
const OF_ITS_OWN: [(&str, [Mode; 2], &str, &str); 4] = [
    // With the sweep of a supervisor alone, and with a referee that was itself started with
    // descriptors open.
    (
        "no descriptor but the standard ones",
        Mode::SUPERVISED,
        "bash -c 'exec 5</dev/null 7</etc/passwd 9>&1; exec \"$@\"' bash",
        "
def deed():
    # The last is that of the folder itself.
    assert len(os.listdir('/proc/self/fd')) == 4, os.listdir('/proc/self/fd')
",
    ),
    (
        "the usual environment",
        Mode::SUPERVISED,
        "sh -c 'SECRET=hunter2 WANTED=$PATH exec \"$@\" --env WANTED' sh",
        "
def deed():
    assert 'hunter2' not in str(os.environ)
    assert os.environ['PYTHONUNBUFFERED'] == '1'
    assert os.environ['PATH'] == os.environ['WANTED'], os.environ['PATH']
",
    ),
    (
        "no core dump and the first death",
        Mode::SUPERVISED,
        "",
        "
import resource
def deed():
    assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
    assert open('/proc/self/oom_score_adj').read() == '900\\n'
",
    ),
    // At most 500 of them: other programs of this machine want some too.
    (
        "no descriptors of the referee",
        Mode::SUPERVISED,
        "",
        "
import resource
def deed():
    resource.setrlimit(resource.RLIMIT_NOFILE, (500, 500))
    try:
        while True: os.dup(0)
    except OSError: pass
",
    ),
];

fn a_bot_is_given((_, modes, before, deed): (&str, [Mode; 2], &str, &str)) {
    for mode in modes {
        Arena::new(mode).after(before).deed(deed).wins();
    }
}

/// A bot may hide its own seed from the others. Its supervisor, which has the same words, hides it
/// too.
fn a_supervisor_shows_no_seed() {
    let dir = Dir::new();
    let bot = "echo \"$@\" > own; tr '\\0' ' ' < /proc/$PPID/cmdline > parent";
    dir.file("spy.sh", bot);
    dir.run("play 'spy=sh spy.sh --seed 777' awful --seed 1")
        .ends()
        .exits(4);
    assert_eq!(dir.text("own"), "--seed 777\n");
    assert!(dir.text("parent").ends_with("spy.sh --seed *** "));
}
