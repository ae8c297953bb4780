//! A reader's shell, in a folder of its own.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, iter};

use testkit::programs::{project_file, text_of};
use testkit::run::Dir;

pub(super) struct Shell {
    /// The files of the shell itself, beside the folder of the reader.
    own: Dir,
    folder: PathBuf,
    /// The exit code of the last command.
    code: i32,
}

impl Shell {
    /// Starts in an empty folder, but for the documents and the examples of the project.
    pub(super) fn new() -> Shell {
        let own = Dir::new();
        for folder in ["user", "bin"] {
            fs::create_dir(own.path(folder)).unwrap();
        }
        // It would open a window.
        symlink("/bin/true", own.path("bin/xdg-open")).unwrap();
        for name in ["docs", "examples"] {
            symlink(project_file(name), own.path("user").join(name)).unwrap();
        }
        let folder = own.path("user");
        Shell {
            own,
            folder,
            code: 0,
        }
    }

    /// Runs a command, and returns what it prints and its exit code. `cd` holds for the next ones.
    pub(super) fn run(&mut self, command: &str) -> (String, i32) {
        let file = File::create(self.own.path("out")).unwrap();
        let programs = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
        let path = env::var_os("PATH").unwrap();
        let own = iter::once(self.own.path("bin")).chain(iter::once(programs.to_owned()));
        let script = format!(
            "(exit {})\n{command}\ncode=$?\npwd > '{}'\nexit $code",
            self.code,
            self.own.path("folder").display()
        );
        let status = Command::new("sh")
            .args(["-c", &script])
            .current_dir(&self.folder)
            .env(
                "PATH",
                env::join_paths(own.chain(env::split_paths(&path))).unwrap(),
            )
            // As for a user who has downloaded once what the project is built of.
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TERM_COLOR", "never")
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("RUSTUP_TOOLCHAIN")
            .stdin(Stdio::null())
            .stdout(file.try_clone().unwrap())
            .stderr(file)
            .status();
        self.code = status.unwrap().code().unwrap_or(-1);
        if self.own.path("folder").exists() {
            self.folder = PathBuf::from(self.own.text("folder").trim_end());
        }
        let printed = fs::read(self.own.path("out")).unwrap();
        (String::from_utf8_lossy(&printed).into_owned(), self.code)
    }

    /// Writes a file, and the folders above it.
    pub(super) fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces the lines of `diff` with a space or `-` by those with a space or `+`, at their only
    /// place in the file.
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
        fs::write(path, text.replace(&old, &lines('+'))).unwrap();
    }
}
