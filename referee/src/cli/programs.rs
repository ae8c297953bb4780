//! The programs beside the referee: `referee class ...` starts `referee-class`, as git and cargo start theirs.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::exit::Failure;

/// The time that a program has to print its version.
#[cfg(any(unix, windows))]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

/// The exit code of a program on Windows that does not catch Ctrl-C.
#[cfg(not(unix))]
const CONTROL_C_EXIT: i32 = 0xC000_013A_u32.cast_signed();

/// The most bytes of a version that are read.
#[cfg(any(unix, windows))]
const LONGEST_VERSION: u64 = 200;

/// A program beside the referee, which is installed by itself because of what it depends on.
#[derive(Debug)]
pub(super) struct Companion {
    /// The word after `referee` that starts it.
    pub(super) word: &'static str,
    /// What it does, in a line.
    pub(super) about: &'static str,
    /// Whether only the one beside the referee's own executable is started, since its words are believed.
    only_beside: bool,
}

/// The programs that there are. No other word starts a program.
pub(super) static PROGRAMS: [Companion; 4] = [
    Companion {
        word: "class",
        about: "Run a class: builds, checks, nights, grades",
        only_beside: false,
    },
    Companion {
        word: "cluster",
        about: "Play a contest on Slurm or HyperQueue",
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
    /// Returns the program that `typed` asks for, the referee's own name first, and the words for it.
    pub(super) fn asked_for(typed: &[OsString]) -> Option<(&'static Companion, Vec<OsString>)> {
        let named = |word: &OsString| PROGRAMS.iter().find(|program| word == program.word);
        if let Some(program) = typed.get(1).and_then(named) {
            return Some((program, typed[2..].to_vec()));
        }
        let program = typed.get(2).and_then(named)?;
        (typed[1] == "help").then(|| {
            let mut words = typed[3..].to_vec();
            words.push("--help".into());
            (program, words)
        })
    }

    /// Returns the name of its file without the ending of executables.
    fn name(&self) -> String {
        format!("referee-{}", self.word)
    }

    /// Whether it is installed, in whatever version.
    pub(super) fn is_installed(&self) -> bool {
        self.file().is_some()
    }

    /// Returns its file: the one beside the referee's own executable, or else the first on the PATH. The current
    /// folder is left out, in which anybody's files may lie.
    fn file(&self) -> Option<PathBuf> {
        let name = self.name() + EXE_SUFFIX;
        let own = std::env::current_exe().ok()?;
        let beside = own.with_file_name(&name);
        if is_executable(&beside) {
            return Some(beside);
        }
        if self.only_beside {
            return None;
        }
        let here = std::env::current_dir().and_then(|folder| folder.canonicalize());
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .filter(|folder| folder.is_absolute())
            .filter(|folder| folder.canonicalize().ok() != here.as_ref().ok().cloned())
            .map(|folder| folder.join(&name))
            .find(|file| is_executable(file))
    }

    /// Returns its file, if it is installed and of the referee's own version.
    ///
    /// # Errors
    /// If it is not there, or another version.
    pub(super) fn installed(&self) -> Result<PathBuf, Failure> {
        let name = self.name();
        let Some(file) = self.file() else {
            return Err(Failure::misuse(format!(
                "referee {word} is a program of its own, {name}, which is not installed; \
                 cargo install --path programs/{word} in the project's folder installs it, and every release has it",
                word = self.word
            )));
        };
        check_version(&file, &name)?;
        Ok(file)
    }

    /// Becomes the program, with these words.
    ///
    /// # Errors
    /// If it is not there, another version, or cannot be started; on Windows also its exit code, if that is not 0.
    pub(super) fn run(&self, words: &[OsString]) -> Result<(), Failure> {
        let mut command = Command::new(self.installed()?);
        command.args(words);
        become_program(&mut command)
    }
}

/// Returns the referee beside this program.
///
/// # Errors
/// If it is not installed there, or is of another version.
pub fn referee_beside() -> Result<PathBuf, Failure> {
    let own = super::own_program()?;
    let referee = own.with_file_name(format!("referee{EXE_SUFFIX}"));
    if !is_executable(&referee) {
        return Err(Failure::misuse(format!(
            "there is no referee beside {}; install both into one folder",
            own.display()
        )));
    }
    check_version(&referee, "referee")?;
    Ok(referee)
}

/// Checks that the program called `name` in `file` is of this version.
fn check_version(file: &Path, name: &str) -> Result<(), Failure> {
    let own = env!("CARGO_PKG_VERSION");
    let printed = printed_version(file);
    let other = match &printed {
        Some(printed) if *printed == format!("{name} {own}") => return Ok(()),
        Some(printed) => printed.strip_prefix(&format!("{name} ")),
        None => None,
    };
    let other = match other {
        Some(other) => format!(
            "is version {}",
            bothost::text::long_excerpt(other.as_bytes())
        ),
        None => "prints no version of its own".to_owned(),
    };
    Err(Failure::misuse(format!(
        "{} {other}, and this referee is version {own}; install both from one release",
        file.display()
    )))
}

/// Becomes what `command` starts; on Windows starts it, waits for it and leaves with its exit code.
///
/// # Errors
/// If it cannot be started; on Windows also its exit code, if that is not 0.
#[cfg(unix)]
pub fn become_program(command: &mut Command) -> Result<(), Failure> {
    use std::os::unix::process::CommandExt;

    let error = command.exec();
    let name = command.get_program().to_string_lossy().into_owned();
    Err(anyhow::Error::from(error).context(name).into())
}

/// Becomes what `command` starts; on Windows starts it, waits for it and leaves with its exit code.
///
/// # Errors
/// If it cannot be started; on Windows also its exit code, if that is not 0.
#[cfg(not(unix))]
pub fn become_program(command: &mut Command) -> Result<(), Failure> {
    use anyhow::Context;

    // Ctrl-C reaches the program too, which decides how it ends.
    let _interrupt = super::listen()?;
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().context(name)?;
    let code = match status.code() {
        Some(CONTROL_C_EXIT) => super::exit::INTERRUPTED,
        Some(code) => u8::try_from(code).unwrap_or(super::exit::FAULT),
        None => super::exit::FAULT,
    };
    match code {
        super::exit::DONE => Ok(()),
        code => Err(Failure::Reported(code)),
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

/// Returns the line that `file --version` prints, or `None` if it prints none or takes too long.
#[cfg(any(unix, windows))]
fn printed_version(file: &Path) -> Option<String> {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    use std::sync::mpsc;
    use std::thread;

    use wait_timeout::ChildExt;

    let mut child = Command::new(file)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let output = child.stdout.take()?;
    let (sender, line) = mpsc::channel();
    // In a thread: what the program has started may keep its output open for ever.
    thread::spawn(move || {
        let mut line = String::new();
        let read = BufReader::new(output.take(LONGEST_VERSION)).read_line(&mut line);
        let _ = sender.send(read.map(|_| line));
    });
    let line = line.recv_timeout(PATIENCE).ok().and_then(Result::ok);
    match child.wait_timeout(PATIENCE) {
        Ok(Some(status)) if status.success() => line.map(|line| line.trim_end().to_owned()),
        _ => {
            let _ = child.kill();
            let _ = child.wait();
            None
        }
    }
}

/// A page has no programs.
#[cfg(not(any(unix, windows)))]
fn printed_version(_file: &Path) -> Option<String> {
    None
}
