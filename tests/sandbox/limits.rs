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
const MEMORY: [(&str, &str); 18] = [
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
        "in processes whose names are no text",
        "
def holds(): kept.append(bytearray(b'x') * (45 * MIB))
def hold():
    call(157, 15, address(b'\\xff'))
    for _ in range(4): child(holds)
",
    ),
    (
        "in processes whose first threads have ended",
        "
import threading
def fills():
    kept.append(bytearray(b'x') * (45 * MIB))
    say('full')
    time.sleep(30)
def holds():
    threading.Thread(target=fills).start()
    call(60, 0)
def hold():
    for _ in range(4): child(holds)
",
    ),
    // Each of 65,536 rules of the kernel's for ports is 64 bytes.
    (
        "in rules of Landlock",
        "
def hold():
    handled = (ctypes.c_uint64 * 2)(0, 3)
    rule = (ctypes.c_uint64 * 2)(1, 0)
    for _ in range(20):
        rules = call(444, ctypes.addressof(handled), 16, 0)
        for port in range(65536):
            rule[1] = port
            call(445, rules, 2, ctypes.addressof(rule), 0)
",
    ),
    (
        "in a table of the kernel's for futexes",
        "def hold(): call(157, 78, 1, 1 << 21, 0, 0)",
    ),
    (
        "in huge pages that only pipes have",
        "
def hold():
    libc.mmap.restype = ctypes.c_void_p
    for _ in range(5):
        kept.append(os.pipe())
        for _ in range(16):
            start = libc.mmap(None, ctypes.c_size_t(4 * MIB), 3, 0x22, -1, ctypes.c_size_t(0))
            page = (start + 2 * MIB - 1) // (2 * MIB) * 2 * MIB
            call(28, page, 2 * MIB, 14)
            ctypes.memset(page, 1, 2 * MIB)
            part = (ctypes.c_size_t * 2)(page, 1)
            call(278, kept[-1][1], ctypes.addressof(part), 1, 2)
            call(11, start, 4 * MIB)
",
    ),
    // Of one page each, and so with the descriptions of what may be done with it.
    (
        "in mappings",
        "
def maps():
    libc.mmap.restype = ctypes.c_void_p
    start = libc.mmap(None, ctypes.c_size_t(60000 * 4096), 0, 0x22, -1, ctypes.c_size_t(0))
    for page in range(0, 60000, 2): call(10, start + page * 4096, 4096, 1)
def hold():
    for _ in range(10): child(maps)
",
    ),
    // A mapping is linked to the same one of each ancestor.
    (
        "in links of mappings to those of ancestors",
        "
def down(depth):
    if depth: child(lambda: down(depth - 1))
def hold():
    libc.mmap.restype = ctypes.c_void_p
    start = libc.mmap(None, ctypes.c_size_t(2000 * 4096), 3, 0x22, -1, ctypes.c_size_t(0))
    ctypes.memset(start, 1, 2000 * 4096)
    for page in range(0, 2000, 2): call(10, start + page * 4096, 4096, 1)
    down(50)
",
    ),
    (
        "in watches of epoll",
        "
import select
def hold():
    files = [os.pipe()[0] for _ in range(60)]
    for _ in range(10):
        watcher = select.epoll()
        kept.append(watcher)
        for number in range(180, 250):
            for file in files:
                os.dup2(file, number)
                watcher.register(number, 1)
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
    (
        "in sockets on their way to another process",
        "
def hold():
    ways = socket.socketpair()
    kept.append(ways)
    for _ in range(120):
        pair = socket.socketpair()
        for one in pair:
            one.setblocking(False)
            try:
                while True: one.send(bytes(64 << 10))
            except BlockingIOError: pass
        socket.send_fds(ways[0], [b'x'], [one.fileno() for one in pair])
        for one in pair: one.close()
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
const GREEDY: [(&str, &str, &str); 4] = [
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
    (
        "processes whose names are no text",
        "    while True: time.sleep(1)",
        "had more than 20 threads and processes",
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
        "processes whose names are no text" => {
            "call(157, 15, address(b'\\xff)'))
    for _ in range(40): os.fork() or (time.sleep(20), os._exit(0))"
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
