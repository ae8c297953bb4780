//! The programs beside the referee: `referee class ...` starts `referee-class`, as git and cargo
//! start theirs.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bothost::text;

use super::exit::Failure;

/// The exit code of a program on Windows that does not catch Ctrl-C.
#[cfg(not(unix))]
const CONTROL_C_EXIT: i32 = 0xC000_013A_u32.cast_signed();

/// A program beside the referee, which is installed by itself because of what it depends on.
#[derive(Debug)]
pub(super) struct Companion {
    /// The word after `referee` that starts it.
    pub(super) word: &'static str,
    pub(super) about: &'static str,
    /// Whether only the one beside the referee's own executable is started, since its words are
    /// believed.
    only_beside: bool,
}

/// The programs. No other word starts a program.
pub(super) static PROGRAMS: [Companion; 3] = [
    Companion {
        word: "class",
        about: "Run a class: builds, checks, nights, grades",
        only_beside: false,
    },
    WEB,
    WASM,
];

/// The program that plays in a browser.
pub(super) const WEB: Companion = Companion {
    word: "web",
    about: "Play in a browser, as play --web does",
    only_beside: false,
};

/// The program that runs bots which are WebAssembly modules.
pub(super) const WASM: Companion = Companion {
    word: "wasm",
    about: "Run a bot that is a WebAssembly module",
    only_beside: true,
};

impl Companion {
    /// Returns the program that `typed` asks for, the referee's own name first, and the words for
    /// it.
    pub(super) fn asked_for(typed: &[OsString]) -> Option<(&'static Companion, Vec<OsString>)> {
        let named = |word: &OsString| PROGRAMS.iter().find(|program| word == program.word);
        if let Some(program) = typed.get(1).and_then(named) {
            return Some((program, typed[2..].to_vec()));
        }
        let program = typed.get(2).and_then(named)?;
        if typed[1] != "help" {
            return None;
        }
        let words = typed[3..].iter().cloned().chain(["--help".into()]);
        Some((program, words.collect()))
    }

    /// Returns the file of the program: the one beside the referee's own executable, or else the
    /// first on the PATH. The current folder is left out, in which anybody's files may lie.
    pub(super) fn file(&self) -> Option<PathBuf> {
        let name = format!("referee-{}{EXE_SUFFIX}", self.word);
        let beside = std::env::current_exe().ok()?.with_file_name(&name);
        let path = std::env::var_os("PATH").filter(|_| !self.only_beside);
        let path = path.unwrap_or_default();
        let current = std::env::current_dir().and_then(|folder| folder.canonicalize());
        let current = current.ok();
        let on_path = std::env::split_paths(&path)
            .filter(|folder| folder.is_absolute() && folder.canonicalize().ok() != current)
            .map(|folder| folder.join(&name));
        std::iter::once(beside)
            .chain(on_path)
            .find(|file| is_executable(file))
    }

    /// Returns the file of the program, if it is installed and of the referee's own version.
    ///
    /// # Errors
    /// If it is not there, or another version.
    pub(super) fn installed(&self) -> Result<PathBuf, Failure> {
        let word = self.word;
        let Some(file) = self.file() else {
            return Err(Failure::misuse(format!(
                "referee {word} is a program of its own, referee-{word}, which is not installed; \
                 cargo install --locked --path programs/{word} in the project's folder installs it, and every release has it"
            )));
        };
        check_version(&file, &format!("referee-{word}"))?;
        Ok(file)
    }

    /// Becomes the program, with these words.
    ///
    /// # Errors
    /// If it is not there, another version, or cannot be started; on Windows also its exit code, if
    /// that is not 0.
    pub(super) fn run(&self, words: &[OsString]) -> Result<(), Failure> {
        become_program(Command::new(self.installed()?).args(words))
    }
}

/// Checks that the program called `name` in `file` is of this version.
fn check_version(file: &Path, name: &str) -> Result<(), Failure> {
    let own = env!("CARGO_PKG_VERSION");
    let output = Command::new(file)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let what = match output {
        Err(error) => format!("cannot be started ({error})"),
        Ok(output) => match output.stdout.trim_ascii().strip_prefix(name.as_bytes()) {
            Some(version) if version.trim_ascii() == own.as_bytes() => return Ok(()),
            Some(version) => format!("is version {}", text::long_excerpt(version.trim_ascii())),
            None => "prints no version of its own".to_owned(),
        },
    };
    Err(Failure::misuse(format!(
        "{} {what}, and this referee is version {own}; install both from one release",
        file.display()
    )))
}

/// Becomes the program of `command`; on Windows starts it, waits for it and leaves with its exit
/// code.
///
/// # Errors
/// If it cannot be started; on Windows also its exit code, if that is not 0.
#[cfg(unix)]
fn become_program(command: &mut Command) -> Result<(), Failure> {
    use std::os::unix::process::CommandExt;

    let error = command.exec();
    let name = command.get_program().to_string_lossy().into_owned();
    Err(anyhow::Error::from(error).context(name).into())
}

/// Becomes the program of `command`; on Windows starts it, waits for it and leaves with its exit
/// code.
///
/// # Errors
/// If it cannot be started; on Windows also its exit code, if that is not 0.
#[cfg(not(unix))]
fn become_program(command: &mut Command) -> Result<(), Failure> {
    use anyhow::Context;

    use super::exit::{DONE, FAULT, INTERRUPTED};

    // Ctrl-C reaches the program too, which decides how it ends.
    let _interrupt = super::listen()?;
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status().context(name)?.code() {
        Some(CONTROL_C_EXIT) => Err(Failure::Reported(INTERRUPTED)),
        Some(code) if code == i32::from(DONE) => Ok(()),
        Some(code) => Err(Failure::Reported(u8::try_from(code).unwrap_or(FAULT))),
        None => Err(Failure::Reported(FAULT)),
    }
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    file.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}
