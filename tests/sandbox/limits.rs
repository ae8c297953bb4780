//! The limits of a sandbox: memory, as the kernel counts it and as the referee does, and processes.

use testkit::arena::{Arena, Mode};
use testkit::list::Tests;
use testkit::tools::{LANDLOCK, NAMESPACES, SETPRIV, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    let tools = [LANDLOCK, NAMESPACES, SETPRIV, SYSTEM_PYTHON];
    tests.needing(&tools, |tests| {
        rows!(tests, MEMORY, no_bot_holds_more_memory, 2);
        rows!(tests, GREEDY, a_bot_that_uses_too_much_is_ended);
        rows!(tests, FAULTS, a_fault_is_judged_as_outside);
    });
}

/// The limit is 64 MiB. The sum of each is less than 300 MiB. The program that has it holds it for
/// a second, in which there are many looks at it.
const HOLDS: &str = "
import mmap, socket
MIB = 1 << 20
kept = []
def fill(mib):
    memory = mmap.mmap(-1, mib * MIB)
    for page in range(0, len(memory), 4096): memory[page] = 1
    kept.append(memory)
def unmap(memory):
    kept.append(memory)
    for at in range(0, 160 * MIB, 4 * MIB):
        memory[at:at + 4 * MIB] = b'x' * (4 * MIB)
        memory.madvise(mmap.MADV_DONTNEED, at, 4 * MIB)
def child(deed):
    'Starts one, and waits until it has written something or ended.'
    ends = os.pipe()
    if os.fork() == 0:
        signal.alarm(60)
        os.dup2(ends[1], 1)
        try: deed()
        except BaseException: os._exit(1)
        say('full')
        time.sleep(30)
        os._exit(0)
    os.close(ends[1])
    if not os.read(ends[0], 1): raise OSError
def attacked():
    try: hold()
    except (OSError, MemoryError): os._exit(3)
    time.sleep(1)
    os._exit(77)
";

/// The ways to have it.
const MEMORY: [(&str, &str); 9] = [
    (
        "in one piece",
        "def hold(): kept.append(bytearray(100 * MIB))",
    ),
    (
        "in files without a name",
        "
def hold():
    for _ in range(8):
        kept.append(os.memfd_create('x'))
        os.write(kept[-1], bytes(20 * MIB))
",
    ),
    (
        "in a process that hides it",
        "
def hold():
    call(157, 4, 0)
    fill(160)
",
    ),
    (
        "in children that hide it",
        "
def holds():
    call(157, 4, 0)
    fill(40)
def hold():
    for _ in range(4): child(holds)
",
    ),
    (
        "in shared pages that no process maps any more",
        "def hold(): unmap(mmap.mmap(-1, 160 * MIB))",
    ),
    (
        "in shared pages of a device",
        "
def hold():
    with open('/dev/zero', 'r+b') as zero: unmap(mmap.mmap(zero.fileno(), 160 * MIB))
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
    kept.extend(socket.socketpair() for _ in range(40))
    for one in sum(kept, ()):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        one.setblocking(False)
        try:
            while True: one.send(bytes(64 << 10))
        except BlockingIOError: pass
",
    ),
    // A program that may be executed and not read cannot be looked into.
    (
        "in sockets of processes that cannot be read",
        "
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
        os.write(1, b'full')
        time.sleep(30)'''
    for _ in range(2): child(lambda: os.execve('./python', ['python', '-c', fills], {'PYTHONHOME': '/usr'}))
",
    ),
];

fn no_bot_holds_more_memory((_, way): (&str, &str)) {
    for mode in Mode::SANDBOXES {
        for arena in Arena::of_all(mode) {
            let arena = arena.with("--limit 60s --max-memory 64");
            let game = arena.python(&format!("{HOLDS}{way}")).play();
            let is_refused = game.text("reason").contains("exited with status 3");
            assert!(
                is_refused || game.text("ended_by") == "used_too_much",
                "{mode:?}: {}",
                game.text("reason")
            );
        }
    }
}

/// Programs that are bounded in number and time even where nothing stops them, and what each uses
/// too much of.
const GREEDY: [(&str, &str, &str); 3] = [
    (
        "processes",
        "    while True: time.sleep(1)",
        "had more than 20 threads and processes",
    ),
    // Each of them stays within what a process may have; together they do not.
    (
        "memory",
        "    while True: time.sleep(1)",
        "used more than 64 MiB of memory",
    ),
    // Orphans of it come and go all the time.
    (
        "restless processes",
        "
    while True:
        os.fork() or (os.fork() or time.sleep(0.005), os._exit(0))
        os.waitpid(-1, os.WNOHANG)",
        "had more than 20 threads and processes",
    ),
];

fn a_bot_that_uses_too_much_is_ended((name, then, sentence): (&str, &str, &str)) {
    let starts = match name {
        "memory" => {
            "for _ in range(3): os.fork() or (bytearray(b'x') * (45 << 20), time.sleep(20), os._exit(0))"
        }
        _ => "for _ in range(40): os.fork() or (time.sleep(20), os._exit(0))",
    };
    Arena::new(Mode::World)
        .with("--limit 60s --max-threads 20 --max-memory 64")
        .python(&format!("def attacked():\n    {starts}\n{then}"))
        .play()
        .forfeits("used_too_much", sentence);
}

/// What a bot does at an attack, how the game ends, and what is said of it. No fault leaves its
/// folder behind.
const FAULTS: [(&str, &str, &str); 3] = [
    (
        "exit",
        "os.write(2, b'oops\\n'); os._exit(3)",
        "exited with status 3; last words on stderr: \"oops\"",
    ),
    (
        "crash",
        "open('file', 'w'); os.abort()",
        "was ended by signal 6 (abort: a failed assertion, or an exception that nothing catches); nothing on stderr",
    ),
    // Some runtimes use it for their own.
    (
        "signal",
        "os.kill(os.getpid(), 64); time.sleep(60)",
        "was ended by signal 64; nothing on stderr",
    ),
];

fn a_fault_is_judged_as_outside((name, deed, sentence): (&str, &str, &str)) {
    for mode in Mode::SANDBOXES {
        let game = Arena::new(mode)
            .python(&format!("def attacked(): {deed}"))
            .play();
        let ended_by = if name == "exit" { "exited" } else { "crashed" };
        game.forfeits(ended_by, sentence);
    }
}
