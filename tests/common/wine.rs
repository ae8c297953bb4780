//! The programs for Windows, which Wine runs here.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// The folder in which `cargo build --target x86_64-pc-windows-gnu` puts programs.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("x86_64-pc-windows-gnu").join("debug")
}

/// The variables under which Wine runs: its own world of files and settings, which goes with the build.
pub(crate) fn environment() -> [(&'static str, String); 2] {
    static READY: OnceLock<Child> = OnceLock::new();
    let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wine");
    let environment =
        [("WINEPREFIX", prefix.to_str().unwrap().to_owned()), ("WINEDEBUG", "-all".to_owned())];
    READY.get_or_init(|| {
        std::fs::create_dir_all(&prefix).unwrap();
        let boot = Command::new("wineboot").arg("-i").envs(environment.clone()).output().unwrap();
        assert!(boot.status.success(), "{boot:?}");
        let library = prefix.join("drive_c/windows/system32/bcryptprimitives.dll");
        let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
        compiler.args(["-shared", "-O2", "tests/windows/random.c", "-ladvapi32", "-o"]);
        assert!(compiler.arg(library).status().unwrap().success());
        // As long as one program runs, its services do. Those that a test starts would belong to that test. This one
        // ends with the tests, which end its input.
        let mut keeper = Command::new("wine");
        keeper.args(["cmd.exe", "/c", "echo ready & pause"]).envs(environment.clone());
        keeper.stdin(Stdio::piped());
        let mut keeper = keeper.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        keeper.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        keeper
    });
    environment
}

/// A command that runs one of the programs for Windows.
pub(crate) fn command(program: &str) -> Command {
    let mut command = Command::new("wine");
    command.arg(folder().join(program)).envs(environment());
    command
}

/// The misbehaving bot as a player, with these flags.
pub(crate) fn misbehaving(flags: &str) -> String {
    format!("rogue={} {flags}", windows_path(&folder().join("examples/misbehaving-bot.exe")))
}

/// A path as programs for Windows name it: what it is on is drive Z.
pub(crate) fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.to_str().unwrap().replace('/', "\\"))
}
