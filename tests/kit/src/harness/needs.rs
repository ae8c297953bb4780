//! The tools that a test may need beyond Rust, `sh` and the usual small commands of Unix.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use kits::{Tool, tools};

use crate::common::wine;

/// A tool or a power that not every machine has.
pub struct Need {
    name: &'static str,
    /// Debian's package, if installing one helps.
    package: Option<&'static str>,
    /// Whether a machine may lack it even where all tools have to be there, because it cannot be installed.
    is_optional: bool,
    /// The file that is it where the programs for Windows are tested; `None` if there is none.
    on_windows: Option<&'static str>,
    test: fn(&str) -> bool,
    result: OnceLock<bool>,
}

impl Need {
    const fn tool(name: &'static str, package: &'static str) -> Need {
        Need::program(name, package, None)
    }

    /// A tool of a language. Some interpreters the tests have for Windows too, each in a file.
    const fn language(tool: &Tool, on_windows: Option<&'static str>) -> Need {
        Need::program(tool.name, tool.debian, on_windows)
    }

    const fn program(
        name: &'static str,
        package: &'static str,
        on_windows: Option<&'static str>,
    ) -> Need {
        Need {
            name,
            package: Some(package),
            is_optional: false,
            on_windows,
            test: is_program,
            result: OnceLock::new(),
        }
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn package(&self) -> Option<&'static str> {
        self.package
    }

    pub fn is_optional(&self) -> bool {
        self.is_optional
    }

    pub fn is_met(&self) -> bool {
        *self.result.get_or_init(|| match self.on_windows {
            Some(file) if wine::is_used() => Path::new(file).is_file(),
            _ => (self.test)(self.name),
        })
    }

    /// Returns whether there is such a thing where the programs for Windows are tested.
    pub fn is_known_on_windows(&self) -> bool {
        self.on_windows.is_some()
    }

    /// Returns what is missing and how to get it.
    pub fn advice(&self) -> String {
        match self.package {
            Some(package) => {
                format!(
                    "needs {}: install it (Debian: apt-get install {package})",
                    self.name
                )
            }
            None => format!("needs {}, which this machine does not have", self.name),
        }
    }
}

pub static BASH: Need = Need::tool("bash", "bash");
/// The packages of the tests of the pages: `tests/browser/package-lock.json` names them.
pub static BROWSER_PACKAGES: Need = Need {
    name: "the packages of tests/browser (npm ci there)",
    package: None,
    is_optional: false,
    on_windows: None,
    test: |_| Path::new("tests/browser/node_modules/playwright-core").is_dir(),
    result: OnceLock::new(),
};
pub static BSDTAR: Need = Need::language(&tools::BSDTAR, None);
pub static CC: Need = Need::language(&tools::CC, None);
pub static CHROMIUM: Need = Need::tool("chromium", "chromium");
/// HyperQueue: `programs/cluster/tests/requirements.txt` names it.
pub static CLUSTER_PACKAGES: Need = Need {
    name: "the packages of programs/cluster/tests/requirements.txt (in programs/cluster/tests/.venv)",
    package: None,
    is_optional: false,
    on_windows: None,
    test: |_| {
        let mut python = Command::new(crate::common::project_file(
            "programs/cluster/tests/.venv/bin/python",
        ));
        let imports = python.args(["-c", "import hyperqueue"]).output();
        imports.is_ok_and(|output| output.status.success())
    },
    result: OnceLock::new(),
};
pub static CLANG: Need = Need::tool("clang", "clang");
pub static CXX: Need = Need::language(&tools::CXX, None);
pub static FISH: Need = Need::tool("fish", "fish");
pub static GDB: Need = Need::tool("gdb", "gdb");
pub static GO: Need = Need::language(&tools::GO, None);
pub static GROFF: Need = Need::tool("groff", "groff-base");
pub static JAVA: Need = Need::language(&tools::JAVA, None);
pub static JAVAC: Need = Need::language(&tools::JAVAC, None);
pub static MAKE: Need = Need::language(&tools::MAKE, None);
pub static MAN: Need = Need::tool("man", "man-db");
pub static MCS: Need = Need::tool("mcs", "mono-mcs");
pub static MINGW: Need = Need::tool("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64-win32");
pub static MONO: Need = Need::language(&tools::MONO, None);
pub static MOUNT: Need = Need::tool("mount", "mount");
pub static MUNGED: Need = Need::tool("munged", "munge");
pub static NODE: Need = Need::language(&tools::NODE, Some(wine::NODE));
pub static PYTHON: Need = Need::language(&tools::PYTHON, Some(wine::PYTHON));
pub static RUBY: Need = Need::language(&tools::RUBY, None);
pub static SETPRIV: Need = Need::tool("setpriv", "util-linux");
pub static SETSID: Need = Need::tool("setsid", "util-linux");
pub static SLURMCTLD: Need = Need::tool("slurmctld", "slurm-wlm");
pub static SLURMD: Need = Need::tool("slurmd", "slurm-wlm");
pub static STRACE: Need = Need::tool("strace", "strace");
/// The interpreter of the system itself. A sandbox does not show a bot one in a user's folder.
pub static SYSTEM_PYTHON: Need = Need::tool("/usr/bin/python3", "python3");
pub static UNSHARE: Need = Need::tool("unshare", "util-linux");
pub static WASM_LD: Need = Need::tool("wasm-ld", "lld");
pub static ZSH: Need = Need::tool("zsh", "zsh");

pub static REFEREE_CLASS: Need = Need {
    name: "the program referee-class (cargo build --package referee-class)",
    package: None,
    is_optional: false,
    on_windows: None,
    test: |_| crate::common::is_built("referee-class"),
    result: OnceLock::new(),
};

pub static WINE: Need = Need::tool("wine", "wine");
pub static WINDOWS_PROGRAMS: Need = Need {
    name: "the programs for Windows (cargo build --target x86_64-pc-windows-gnu -p battleship-programs -p rust-bot --bins --examples)",
    package: None,
    is_optional: false,
    on_windows: None,
    test: |_| wine::built("referee").is_file(),
    result: OnceLock::new(),
};

/// The library that C and C++ programs need to be modules, besides the compiler.
pub static WASI_LIBC: Need = Need {
    name: "the libraries of C and C++ for WebAssembly (wasi-libc, libclang-rt-dev-wasm32, libc++-dev-wasm32)",
    package: None,
    is_optional: false,
    on_windows: None,
    test: |_| Path::new("/usr/lib/wasm32-wasi/libc++.a").is_file(),
    result: OnceLock::new(),
};

/// The target that Rust programs need to be modules, or to run in a page.
pub static WASM_TARGET: Need = Need {
    name: "Rust's target wasm32-wasip1 (rustup target add wasm32-wasip1)",
    package: None,
    is_optional: false,
    on_windows: None,
    test: |_| {
        let folder = ["--print", "target-libdir", "--target", "wasm32-wasip1"];
        let printed = std::process::Command::new("rustc").args(folder).output();
        let folder = printed
            .ok()
            .and_then(|printed| String::from_utf8(printed.stdout).ok());
        folder.is_some_and(|folder| Path::new(folder.trim()).is_dir())
    },
    result: OnceLock::new(),
};

/// A kernel that keeps a bot from signalling and tracing other processes.
pub static LANDLOCK: Need = Need {
    name: "Linux 6.12 with Landlock",
    package: None,
    is_optional: false,
    on_windows: None,
    test: |_| landlock_version() >= 6,
    result: OnceLock::new(),
};

/// A kernel that lets this user make namespaces, of which a sandbox is built.
pub static NAMESPACES: Need = Need {
    name: "namespaces for users",
    package: None,
    is_optional: false,
    on_windows: None,
    test: |_| {
        let unshare = std::process::Command::new("unshare")
            .args(["--user", "--net", "true"])
            .status();
        unshare.is_ok_and(|status| status.success())
    },
    result: OnceLock::new(),
};

/// To run as root, which a developer rarely does.
pub static ROOT: Need = Need {
    name: "to run as root",
    package: None,
    is_optional: true,
    on_windows: None,
    test: |_| is_root(),
    result: OnceLock::new(),
};

/// Returns whether `name` is a program: on the `PATH`, or there if it is a path.
fn is_program(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Joining an absolute path replaces the folder.
    std::env::split_paths(&path).any(|folder| is_executable(&folder.join(name)))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    file.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.with_extension("exe").is_file()
}

#[cfg(unix)]
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
pub fn is_root() -> bool {
    false
}

/// Returns the version of the kernel's Landlock, or a negative number if there is none.
#[cfg(target_os = "linux")]
fn landlock_version() -> i64 {
    const ONLY_THE_VERSION: u32 = 1;
    let (no_rules, no_size) = (std::ptr::null::<u8>(), 0_usize);
    // SAFETY: With this flag the call reads no memory and only returns a number.
    unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            no_rules,
            no_size,
            ONLY_THE_VERSION,
        )
    }
}

#[cfg(not(target_os = "linux"))]
fn landlock_version() -> i64 {
    -1
}
