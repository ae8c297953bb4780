//! A user's shell, in a folder of its own.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use testkit::programs::{project_file, text_of};

/// Programs that would open a window; they succeed at once.
const OPENERS: [&str; 1] = ["xdg-open"];

pub(super) struct Shell {
    /// The files of the shell itself, beside the folder of the user.
    own: TempDir,
    folder: PathBuf,
    /// The exit code of the last command.
    code: i32,
    path: String,
}

impl Shell {
    /// Starts in an empty folder, but for the documents and the examples of the project.
    pub(super) fn new() -> Shell {
        let own = tempfile::tempdir().unwrap();
        let (folder, openers) = (own.path().join("user"), own.path().join("bin"));
        std::fs::create_dir(&folder).unwrap();
        std::fs::create_dir(&openers).unwrap();
        for opener in OPENERS {
            std::os::unix::fs::symlink("/bin/true", openers.join(opener)).unwrap();
        }
        for name in ["docs", "examples"] {
            std::os::unix::fs::symlink(project_file(name), folder.join(name)).unwrap();
        }
        let programs = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{}:{path}", openers.display(), programs.display());
        Shell {
            own,
            folder,
            code: 0,
            path,
        }
    }

    /// Runs a command, and returns what it prints and its exit code. `cd` holds for the next ones.
    pub(super) fn run(&mut self, command: &str) -> (String, i32) {
        let (out, folder) = (self.own.path().join("out"), self.own.path().join("folder"));
        let file = File::create(&out).unwrap();
        let last = self.code;
        let script = format!(
            "(exit {last})\n{command}\ncode=$?\npwd > '{}'\nexit $code",
            folder.display()
        );
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &script])
            .current_dir(&self.folder)
            .env("PATH", &self.path);
        // As for a user who has downloaded once what the project is built of.
        shell
            .env("CARGO_NET_OFFLINE", "true")
            .env_remove("CARGO_TARGET_DIR");
        shell
            .env_remove("RUSTUP_TOOLCHAIN")
            .env("CARGO_TERM_COLOR", "never");
        shell
            .stdin(Stdio::null())
            .stdout(file.try_clone().unwrap())
            .stderr(file);
        self.code = shell.status().unwrap().code().unwrap_or(-1);
        let printed = String::from_utf8_lossy(&std::fs::read(&out).unwrap()).into_owned();
        if folder.exists() {
            self.folder = PathBuf::from(text_of(&folder).trim_end());
        }
        (printed, self.code)
    }

    /// Writes a file, and the folders above it.
    pub(super) fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Replaces the lines of `diff` with a space or `-` by those with a space or `+`, at their only place in the file.
    pub(super) fn change(&self, file: &str, diff: &str) {
        let lines = |sign: char| -> String {
            let lines = diff.lines().filter(|line| line.starts_with([' ', sign]));
            lines.flat_map(|line| [&line[1..], "\n"]).collect()
        };
        let (path, old) = (self.folder.join(file), lines('-'));
        let text = text_of(&path);
        assert_eq!(
            text.matches(&old).count(),
            1,
            "{file} has this once:\n{old}"
        );
        std::fs::write(path, text.replace(&old, &lines('+'))).unwrap();
    }
}
