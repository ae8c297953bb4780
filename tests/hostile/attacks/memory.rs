//! Attempts to have more memory than `--max-memory`, as the kernel counts it and as the referee does.

use super::{Mode, arena, rogue};
use testkit::list::Tests;
use testkit::tools::{LANDLOCK, NAMESPACES, SETPRIV, SYSTEM_PYTHON, UNIX};
use testkit::user::User;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(
        &[UNIX, LANDLOCK, NAMESPACES, SETPRIV, SYSTEM_PYTHON],
        |tests| {
            rows!(tests, WAYS, no_bot_has_more_memory_than_it_may_have);
        },
    );
}

/// The limit is 64 MiB. The sum of each is less than 300 MiB. The program that has it holds it for a second, in which there are
/// many looks at it.
const MEMORY: &str = "
import mmap, socket
MIB = 1 << 20
def fill(memory):
    for page in range(0, len(memory), 4096):
        memory[page] = 1
def child(deed, *arguments):
    if os.fork() == 0:
        signal.alarm(60)
        try: deed(*arguments)
        except BaseException: os._exit(1)
        time.sleep(30)
        os._exit(0)
def attacked():
    try: hold()
    except (OSError, MemoryError): os._exit(3)
    time.sleep(1)
    os._exit(77)
";

/// The ways to have it.
const WAYS: [(&str, &str); 8] = [
    (
        "in files without a name",
        "
def hold():
    global files
    files = [os.memfd_create('x') for _ in range(8)]
    for file in files: os.write(file, bytes(20 * MIB))
",
    ),
    (
        "in a process that hides it",
        "
def hold():
    global memory
    call(157, 4, 0)
    memory = mmap.mmap(-1, 160 * MIB)
    fill(memory)
",
    ),
    (
        "in children that hide it",
        "
def holds():
    call(157, 4, 0)
    global memory
    memory = mmap.mmap(-1, 40 * MIB)
    fill(memory)
    os.write(ends[1], b'x')
def hold():
    global ends
    ends = os.pipe()
    for _ in range(4): child(holds)
    os.close(ends[1])
    for _ in range(4):
        if not os.read(ends[0], 1): raise OSError
",
    ),
    (
        "in shared pages that no process maps any more",
        "
def hold():
    global memory
    memory = mmap.mmap(-1, 160 * MIB)
    for at in range(0, 160 * MIB, 4 * MIB):
        memory[at:at + 4 * MIB] = b'x' * (4 * MIB)
        memory.madvise(mmap.MADV_DONTNEED, at, 4 * MIB)
",
    ),
    (
        "in shared pages of a device that no process maps any more",
        "
def hold():
    global memory
    with open('/dev/zero', 'r+b') as zero:
        memory = mmap.mmap(zero.fileno(), 160 * MIB)
    for at in range(0, 160 * MIB, 4 * MIB):
        memory[at:at + 4 * MIB] = b'x' * (4 * MIB)
        memory.madvise(mmap.MADV_DONTNEED, at, 4 * MIB)
",
    ),
    (
        "in segments of System V",
        "
def hold():
    for _ in range(8):
        segment = call(29, 0, 20 * MIB, 0o1600)
        libc.shmat.restype = ctypes.c_void_p
        start = libc.shmat(segment, None, 0)
        call(31, segment, 0, 0)
        ctypes.memset(start, 1, 20 * MIB)
",
    ),
    (
        "in large buffers of sockets",
        "
def hold():
    global pairs
    pairs = [socket.socketpair() for _ in range(40)]
    for one in sum(pairs, ()):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        one.setblocking(False)
        try:
            while True: one.send(bytes(64 << 10))
        except BlockingIOError: pass
",
    ),
    (
        "in sockets of processes that cannot be read",
        "
# A program that may be executed and not read cannot be looked into.
def hold():
    os.chdir(os.environ['HOME'])
    program = open('/usr/bin/python3', 'rb').read()
    copy = os.open('python', os.O_CREAT | os.O_WRONLY, 0o111)
    for at in range(0, len(program), MIB): os.write(copy, program[at:at + MIB])
    os.close(copy)
    fills = '''if True:
        import os, signal, socket, time
        signal.alarm(60)
        pairs = []
        try:
            while True:
                pair = socket.socketpair()
                pairs.append(pair)
                for one in pair:
                    one.setblocking(False)
                    try:
                        while True: one.send(bytes(4096))
                    except BlockingIOError: pass
        except OSError: pass
        os.write(1, b'# full\\\\n')
        time.sleep(30)'''
    for _ in range(2):
        ends = os.pipe()
        if os.fork() == 0:
            os.dup2(ends[1], 1)
            os.execv('./python', ['python', '-c', fills])
        os.close(ends[1])
        if not os.read(ends[0], 1): raise OSError
",
    ),
];

fn no_bot_has_more_memory_than_it_may_have((name, way): (&str, &str)) {
    for user in User::all() {
        for mode in Mode::SANDBOXES {
            let arena = arena(&user, mode).with(&["--max-memory", "64"]);
            let seen = arena.play([&rogue(&arena, &format!("{MEMORY}{way}")), "awful"]);
            let reason = seen.reason();
            assert!(
                !reason.contains("status 77"),
                "{name}, {mode:?}, {user:?}: {reason}"
            );
            let is_refused = reason.contains("exited with status 3");
            assert!(
                is_refused || seen.ended_by() == "used_too_much",
                "{name}, {mode:?}, {user:?}: {reason}"
            );
        }
    }
}
