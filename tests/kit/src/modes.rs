//! The modes in which bots run, and what a bot tries in each: for the tests of the sandbox, and for the table of the modes
//! in `docs/hostile-bots.md`.

use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::process::{Child, Command, Stdio};

use crate::list::Row;
use crate::programs::Folder;
use crate::tools::{self, Tool};

/// A way to run bots, as the table of the modes calls it, and the options that ask for it.
#[derive(Clone, Copy)]
pub struct Mode {
    pub name: &'static str,
    pub options: &'static [&'static str],
}

impl Row for Mode {
    fn name(&self) -> &str {
        self.name
    }

    fn tools(&self) -> &'static [Tool] {
        static WORLD: [Tool; 1] = [tools::NAMESPACES];
        static LANDLOCK: [Tool; 1] = [tools::LANDLOCK];
        match self.name {
            "portable" => &[],
            "world" => &WORLD,
            _ => &LANDLOCK,
        }
    }
}

const PORTABLE: Mode = Mode {
    name: "portable",
    options: &["--portable"],
};
const PLAIN: Mode = Mode {
    name: "plain",
    options: &[],
};
const BASIC: Mode = Mode {
    name: "basic",
    options: &["--sandbox=basic"],
};
const WORLD: Mode = Mode {
    name: "world",
    options: &["--sandbox"],
};

/// All of them, the weakest first.
pub const MODES: [Mode; 4] = [PORTABLE, PLAIN, BASIC, WORLD];

/// Those with a sandbox; the record calls them by the same names.
pub const LEVELS: [Mode; 2] = [WORLD, BASIC];

/// A bot in Python that plays legally, and runs `deed` instead of its first attack. Debian's own Python, whose
/// installation is the system's.
pub fn python(deed: &str) -> String {
    let script = "import sys, os, time\n\
        for line in sys.stdin:\n  \
          word = line.split()[0]\n  \
          if word == \"battleship\": print(\"ready\", flush=True)\n  \
          elif word == \"place\": print(\"place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h\", flush=True)\n  \
          elif word == \"attack\":\n    DEED\n    break\n";
    format!(
        "rogue=/usr/bin/python3 -c '{}'",
        script.replace("DEED", deed)
    )
}

/// An attempt of a bot: its description, its code in Python, and the error by which it is refused in a world and by rules;
/// `None` if it is possible. [`Targets::fill`] replaces the words in capitals.
pub type Deed = (&'static str, &'static str, [Option<&'static str>; 2]);

/// The errors for a file that is not shown in a world, and that rules do not allow.
const MISSING: [Option<&str>; 2] = [Some("FileNotFoundError"), Some("PermissionError")];

/// Refused in the same way.
const DENIED: [Option<&str>; 2] = [Some("PermissionError"); 2];

/// Refused by a call of the C library, or without an error and without an effect.
const FAILS: [Option<&str>; 2] = [Some("AssertionError"); 2];

/// Only what a world does not show is out of reach.
const ONLY_IN_WORLD: [Option<&str>; 2] = [Some("FileNotFoundError"), None];

pub const DEEDS: [Deed; 29] = [
    ("read a file", "open(\"SECRET\")", MISSING),
    ("write a file", "open(\"SECRET\", \"r+\")", MISSING),
    ("remove a file", "os.remove(\"FOLDER/spare\")", MISSING),
    ("list a folder", "os.listdir(\"FOLDER\")", MISSING),
    (
        "change the mode of a file",
        "os.chmod(\"SECRET\", 0o777)",
        MISSING,
    ),
    (
        "change the times of a file",
        "os.utime(\"SECRET\", (1, 1))",
        MISSING,
    ),
    (
        "change the attributes of a file",
        "os.setxattr(\"SECRET\", \"user.x\", b\"x\")",
        MISSING,
    ),
    (
        "see that a file is there",
        "os.stat(\"SECRET\")",
        ONLY_IN_WORLD,
    ),
    (
        "see command lines of others",
        "open(\"/proc/PID/cmdline\").read()",
        ONLY_IN_WORLD,
    ),
    (
        "see what memory the machine has",
        "open(\"/proc/meminfo\").read()",
        ONLY_IN_WORLD,
    ),
    (
        "list the network's devices",
        "os.listdir(\"/sys/class/net\")",
        ONLY_IN_WORLD,
    ),
    // Some kernels open it and show nothing.
    (
        "read the environment of others",
        "assert open(\"/proc/PID/environ\").read()",
        [Some("FileNotFoundError"), Some("Error")],
    ),
    (
        "write into a pipe of others",
        "open(\"/proc/PID/fd/0\", \"wb\", 0)",
        MISSING,
    ),
    (
        "signal others",
        "os.kill(PID, 0)",
        [Some("ProcessLookupError"), Some("PermissionError")],
    ),
    (
        "change the limits of others",
        "import resource; resource.prlimit(PID, resource.RLIMIT_CORE, (0, 0))",
        DENIED,
    ),
    (
        "change its own priority",
        "own = (os.PRIO_PROCESS, 0); before = os.getpriority(*own); \
         os.setpriority(*own, before + 1); assert os.getpriority(*own) != before",
        FAILS,
    ),
    (
        "write the kernel's switches",
        "name = \"/proc/self/oom_score_adj\"; now = open(name).read(); open(name, \"w\").write(now)",
        [Some("OSError"), Some("PermissionError")],
    ),
    ("open the terminal", "open(\"/dev/tty\")", MISSING),
    (
        "connect to an abstract socket",
        "import socket; socket.socket(socket.AF_UNIX).connect(\"\\0ABSTRACT\")",
        DENIED,
    ),
    (
        "connect to a socket that is a file",
        "import socket; socket.socket(socket.AF_UNIX).connect(\"SOCKET\")",
        DENIED,
    ),
    (
        "connect by TCP",
        "import socket; socket.create_connection((\"127.0.0.1\", PORT))",
        DENIED,
    ),
    (
        "send by UDP",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b\"x\", (\"127.0.0.1\", PORT))",
        DENIED,
    ),
    // In a user namespace a bot would be root.
    (
        "make a user namespace",
        "import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0",
        FAILS,
    ),
    // Removed again where it is possible.
    (
        "share memory that stays",
        "import ctypes; c = ctypes.CDLL(None); it = c.shmget(0, 4096, 0o600); assert it != -1; c.shmctl(it, 0, None)",
        FAILS,
    ),
    (
        "take 1100 MiB of memory",
        "x = bytearray(1100 << 20)",
        [Some("MemoryError"); 2],
    ),
    (
        "write a file of 65 MiB",
        "open(\"huge\", \"wb\").truncate(65 << 20)",
        [Some("File too large"); 2],
    ),
    (
        "open 300 files",
        // After it has raised the limit as far as it may.
        "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, r.getrlimit(r.RLIMIT_NOFILE)[1:] * 2); \
         files = [open(\"/dev/null\") for i in range(300)]",
        [Some("Too many open files"); 2],
    ),
    // A program may want to do this with its own files and processes.
    (
        "make a file in /dev/shm",
        "name = \"/dev/shm/ABSTRACT\"; open(name, \"w\").close(); os.remove(name)",
        [None, Some("PermissionError")],
    ),
    (
        "change the mode of its own file",
        "open(\"own\", \"w\").close(); os.chmod(\"own\", 0o600)",
        [None, Some("PermissionError")],
    ),
];

/// The targets of bots: all of them are there, and answer.
pub struct Targets {
    folder: Folder,
    pub secret: String,
    /// It reads from a pipe that nothing is written to.
    process: Child,
    port: u16,
    name: String,
    _tcp: TcpListener,
    _udp: Option<UdpSocket>,
    _abstract: UnixListener,
    _socket: UnixListener,
}

impl Targets {
    pub fn new() -> Targets {
        let folder = Folder::new();
        let secret = folder.file("secret", "the record of another");
        folder.file("spare", "");
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = tcp.local_addr().unwrap().port();
        // As unique as the folder.
        let unique = folder.path("");
        let unique = unique.trim_end_matches('/').rsplit('/').next().unwrap();
        let name = format!("battleship-target-{unique}");
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        Targets {
            _udp: UdpSocket::bind(("127.0.0.1", port)).ok(),
            _abstract: UnixListener::bind_addr(&address).unwrap(),
            _socket: UnixListener::bind(folder.path("socket")).unwrap(),
            _tcp: tcp,
            folder,
            secret,
            process: process(),
            port,
            name,
        }
    }

    /// Returns a deed's code with these targets.
    pub fn fill(&self, code: &str) -> String {
        code.replace("SECRET", &self.secret)
            .replace("FOLDER", &self.folder.path(""))
            .replace("SOCKET", &self.folder.path("socket"))
            .replace("ABSTRACT", &self.name)
            .replace("PORT", &self.port.to_string())
            .replace("PID", &self.process.id().to_string())
    }
}

impl Drop for Targets {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

/// More processes than a bot has in its world: they are numbered from 1 there, and one of them could have the number of the
/// target. In a container the numbers outside are low too.
const MOST_IN_WORLD: u32 = 200;

/// Starts a process that does nothing, with a number that none has in a world.
fn process() -> Child {
    loop {
        let mut process = Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        if process.id() > MOST_IN_WORLD {
            return process;
        }
        end(&mut process);
    }
}

fn end(process: &mut Child) {
    let _ = process.kill();
    process.wait().unwrap();
}
