//! The tools that a test may need beyond Rust, `sh` and the usual small commands of Unix.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{env, fmt, fs, iter};

use kits::tools;

use crate::{
    programs::{is_built, project_file},
    wine,
};

/// A program, a library or a power that not every machine has.
#[derive(Clone, Copy)]
pub struct Tool {
    pub name: &'static str,
    /// Debian's package, or how to get it otherwise.
    source: &'static str,
    /// Whether a machine may lack it even where all tools have to be there, because it cannot be
    /// installed.
    pub(crate) is_optional: bool,
    look: fn(&str) -> bool,
}

impl PartialEq for Tool {
    fn eq(&self, other: &Tool) -> bool {
        self.name == other.name
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.source)
    }
}

impl Tool {
    /// A program on the PATH, and Debian's package of it.
    const fn program(name: &'static str, package: &'static str) -> Tool {
        Tool::other(name, package, is_program)
    }

    const fn language(tool: &kits::Tool) -> Tool {
        Tool::program(tool.name, tool.debian)
    }

    const fn other(name: &'static str, source: &'static str, look: fn(&str) -> bool) -> Tool {
        Tool {
            name,
            source,
            is_optional: false,
            look,
        }
    }

    /// Whether this machine has it.
    pub(crate) fn is_found(&self) -> bool {
        static FOUND: Mutex<BTreeMap<&str, bool>> = Mutex::new(BTreeMap::new());
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        *found
            .entry(self.name)
            .or_insert_with(|| (self.look)(self.name))
    }
}

pub const BASH: Tool = Tool::program("bash", "bash");
pub const BROWSER_PACKAGES: Tool =
    Tool::other("the packages of tests/browser", "npm ci there", |_| {
        project_file("tests/browser/node_modules/playwright-core").is_dir()
    });
pub const BSDTAR: Tool = Tool::language(&tools::BSDTAR);
pub const CC: Tool = Tool::language(&tools::CC);
pub const CHROMIUM: Tool = Tool::program("chromium", "chromium");
pub const CLANG: Tool = Tool::program("clang", "clang");
pub const CXX: Tool = Tool::language(&tools::CXX);
pub const FISH: Tool = Tool::program("fish", "fish");
pub const GDB: Tool = Tool::program("gdb", "gdb");
pub const GO: Tool = Tool::language(&tools::GO);
pub const GROFF: Tool = Tool::program("groff", "groff-base");
pub const HYPERQUEUE: Tool = Tool::other(
    "HyperQueue in tests/cluster/.venv",
    "requirements.txt in tests/cluster",
    |_| {
        let python = project_file("tests/cluster/.venv/bin/python");
        succeeds(Command::new(python).args(["-c", "import hyperqueue"]))
    },
);
pub const JAVA: Tool = Tool::language(&tools::JAVA);
pub const JAVAC: Tool = Tool::language(&tools::JAVAC);
pub const MAKE: Tool = Tool::language(&tools::MAKE);
pub const MAN: Tool = Tool::program("man", "man-db");
pub const MCS: Tool = Tool::program("mcs", "mono-mcs");
pub const MINGW: Tool = Tool::program("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64-win32");
pub const MONO: Tool = Tool::language(&tools::MONO);
pub const MUNGED: Tool = Tool::program("munged", "munge");
pub const NODE: Tool = Tool::other(tools::NODE.name, tools::NODE.debian, |name| {
    is_program(name) || wine::is_used() && project_file(wine::NODE).is_file()
});
pub const PARALLEL: Tool = Tool::program("parallel", "parallel");
pub const PYTHON: Tool = Tool::other(tools::PYTHON.name, tools::PYTHON.debian, |name| {
    is_program(name) || wine::is_used() && project_file(wine::PYTHON).is_file()
});
pub const RUBY: Tool = Tool::language(&tools::RUBY);
pub const SETPRIV: Tool = Tool::program("setpriv", "util-linux");
pub const SETSID: Tool = Tool::program("setsid", "util-linux");
pub const SLURMCTLD: Tool = Tool::program("slurmctld", "slurm-wlm");
pub const SLURMD: Tool = Tool::program("slurmd", "slurm-wlm");
pub const STRACE: Tool = Tool::program("strace", "strace");
/// The interpreter of the system itself. A sandbox does not show a bot one in a user's folder.
pub const SYSTEM_PYTHON: Tool = Tool::program("/usr/bin/python3", "python3");
pub const UNSHARE: Tool = Tool::program("unshare", "util-linux");
pub const WASM_LD: Tool = Tool::program("wasm-ld", "lld");
pub const ZSH: Tool = Tool::program("zsh", "zsh");
pub const ZSTD: Tool = Tool::program("zstd", "zstd");

/// That the tested programs are for this system. What is about signals, pipes, permissions,
/// terminals or scripts for `sh`, or plays more games than Wine has time for, needs it.
pub const UNIX: Tool = Tool {
    is_optional: true,
    ..Tool::other("Unix", "the tested programs are for Windows", |_| {
        !wine::is_used()
    })
};

pub const REFEREE_CLASS: Tool = Tool::other(
    "referee-class",
    "cargo build --package referee-class",
    is_built,
);
pub const WINE: Tool = Tool::program("wine", "wine");
pub const WINDOWS_PROGRAMS: Tool = Tool::other(
    "the programs for Windows",
    "cargo build --target x86_64-pc-windows-gnu -p referee -p rust-bot --bins --examples",
    |_| wine::built("referee").is_file(),
);

/// The library that C and C++ programs need to be modules, besides the compiler.
pub const WASI_LIBC: Tool = Tool::other(
    "the libraries of C and C++ for WebAssembly",
    "wasi-libc, libclang-rt-dev-wasm32, libc++-dev-wasm32",
    |_| Path::new("/usr/lib/wasm32-wasi/libc++.a").is_file(),
);

/// The target that Rust programs need to be modules, or to run in a page.
pub const WASM_TARGET: Tool = Tool::other(
    "Rust's target wasm32-wasip1",
    "rustup target add wasm32-wasip1",
    |name| {
        let target = name.rsplit(' ').next().unwrap_or(name);
        let printed = Command::new("rustc")
            .args(["--print", "target-libdir", "--target", target])
            .output();
        printed.is_ok_and(|printed| {
            Path::new(String::from_utf8_lossy(&printed.stdout).trim()).is_dir()
        })
    },
);

/// A kernel that keeps a bot from signalling and tracing other processes.
pub const LANDLOCK: Tool = Tool::other("Landlock", "Linux 6.12", |_| landlock_version() >= 6);

/// A kernel that lets this user make namespaces, of which a sandbox is built.
pub const NAMESPACES: Tool =
    Tool::other("namespaces for users", "see docs/hostile-bots.md", |_| {
        succeeds(Command::new("unshare").args(["--user", "--net", "true"]))
    });

/// A kernel that lets this user mount file systems that no other process sees, as root or in a
/// namespace.
pub const OWN_MOUNTS: Tool = Tool::other(
    "file systems of one's own",
    "see docs/hostile-bots.md",
    |_| {
        let mounts = |way: &[&str]| {
            let script = "mount -t tmpfs tiny /tmp";
            succeeds(Command::new("unshare").args(way).args(["sh", "-c", script]))
        };
        mounts(&["--mount"]) || mounts(&["--user", "--map-root-user", "--mount"])
    },
);

/// Its package starts a server that other machines reach, so `.ci/packages` does not install it.
pub const SSHD: Tool = Tool {
    is_optional: true,
    ..Tool::program("/usr/sbin/sshd", "openssh-server")
};

/// To run as root, which a developer rarely does.
pub const ROOT: Tool = Tool {
    is_optional: true,
    ..Tool::other("root", "sudo", |_| is_root())
};

/// To make a control group with a limit of memory, as root.
pub const MEMORY_GROUPS: Tool = Tool {
    is_optional: true,
    ..Tool::other("control groups for memory", "run as root", |_| {
        MemoryGroup::make(1 << 30).is_some()
    })
};

/// A control group with a limit of memory, of either version. It is removed at its end, when its
/// processes have ended.
pub struct MemoryGroup(PathBuf);

impl MemoryGroup {
    /// Makes a group that may have this number of bytes; `None` where that is not possible.
    pub fn make(bytes: u64) -> Option<MemoryGroup> {
        static GROUPS: AtomicU32 = AtomicU32::new(0);
        let number = GROUPS.fetch_add(1, Ordering::Relaxed);
        let name = format!("test-battleship-{}-{number}", std::process::id());
        for (parent, limit) in [
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            ("/sys/fs/cgroup", "memory.max"),
        ] {
            let folder = Path::new(parent).join(&name);
            if fs::create_dir(&folder).is_ok() {
                let group = MemoryGroup(folder);
                if group.0.join(limit).is_file()
                    && fs::write(group.0.join(limit), bytes.to_string()).is_ok()
                {
                    return Some(group);
                }
            }
        }
        None
    }

    /// The command that runs another one in the group, which follows.
    pub fn command(&self) -> String {
        let file = self.0.join("cgroup.procs");
        format!("sh -c 'echo 0 > {}; exec \"$@\"' sh", file.display())
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Whether `name` is a program: on the `PATH`, or there if it is a path. Programs for Windows find
/// none of this system.
fn is_program(name: &str) -> bool {
    if wine::is_used() {
        return false;
    }
    let path = env::var_os("PATH").unwrap_or_default();
    // Joining an absolute path replaces the folder.
    env::split_paths(&path).any(|folder| is_executable(&folder.join(name)))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok() && file.is_file()
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.with_extension("exe").is_file()
}

/// Puts the folder of the Python interpreter first on the PATH if `python3` is a script that finds
/// it, as that of a version manager: the script takes longer than the start of Python, and the
/// tests start many bots.
pub(crate) fn find_python() {
    let python = "import os, sys; print(os.path.dirname(sys.executable), end='')";
    let Ok(output) = Command::new("python3").args(["-c", python]).output() else {
        return;
    };
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).into_owned());
    let path = env::var_os("PATH").unwrap_or_default();
    if folder.join("python3").is_file()
        && let Ok(path) = env::join_paths(iter::once(folder).chain(env::split_paths(&path)))
    {
        // SAFETY: No thread has been started yet.
        unsafe { env::set_var("PATH", path) };
    }
}

#[cfg(unix)]
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
pub fn is_root() -> bool {
    false
}

/// The version of the kernel's Landlock, or a negative number if it has none.
#[cfg(target_os = "linux")]
fn landlock_version() -> i64 {
    const ONLY_THE_VERSION: u32 = 1;
    // SAFETY: With this flag the call reads no memory and only returns a number.
    unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<u8>(),
            0_usize,
            ONLY_THE_VERSION,
        )
    }
}

#[cfg(not(target_os = "linux"))]
fn landlock_version() -> i64 {
    -1
}
