//! Runs programs as a person does who types words in a folder, and says all about it if one does
//! something else than expected.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Seek};
use std::process::Stdio;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use assert_cmd::Command;
#[cfg(unix)]
pub use rustix::process::Signal;
#[cfg(unix)]
use rustix::process::{Pid, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::arena::{until, until_within};
use crate::list::STARTS;
use crate::programs::{profile_folder, program};
use crate::record::Record;
#[cfg(unix)]
use crate::terminal::Terminal;
use crate::wine;

/// A program that runs longer is ended. None here takes a tenth of that on a busy machine.
const LONGEST: Duration = Duration::from_secs(120);

/// The words of a game on six cells, which is over in a few moves.
pub const SMALL: &str = "--rows 2 --cols 3 --ship '2 R rowboat' --seed 1";

/// An empty folder, in which programs run and their files are.
#[derive(Debug)]
pub struct Dir(TempDir);

impl Dir {
    pub fn new() -> Dir {
        let dir = tempfile::tempdir().unwrap();
        // Bots of root are another user in a sandbox.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
        }
        Dir(dir)
    }

    /// Where a file is. Words of commands do not need that: they run in the folder.
    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and the folders that lead to it.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Dir {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Lets a file be run.
    pub fn executable(&self, name: &str) -> &Dir {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Another process writes it: a program cannot be run while it is open for writing, as it
            // may be in a process that another test is just starting.
            let path = self.path(name);
            let copy = self.path(&format!("{name}.copy"));
            let copied = std::process::Command::new("cp")
                .args([&path, &copy])
                .status();
            assert!(copied.unwrap().success());
            fs::rename(copy, &path).unwrap();
            fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        }
        self
    }

    /// Puts here what the referee with these words leaves in an empty folder. It runs once for all
    /// tests.
    pub fn ran(&self, words: impl AsRef<str>) -> &Dir {
        type Files = Vec<(String, Vec<u8>)>;
        static RUNS: Mutex<BTreeMap<String, Arc<OnceLock<Files>>>> = Mutex::new(BTreeMap::new());
        let run = RUNS
            .lock()
            .unwrap()
            .entry(words.as_ref().to_owned())
            .or_default()
            .clone();
        let files = run.get_or_init(|| {
            let dir = Dir::new();
            dir.run(&words).succeeds();
            let entries = fs::read_dir(dir.path("")).unwrap().map(Result::unwrap);
            entries
                .map(|entry| {
                    let name = entry.file_name().into_string().unwrap();
                    (name, fs::read(entry.path()).unwrap())
                })
                .collect()
        });
        for (name, bytes) in files {
            self.file(name, bytes);
        }
        self
    }

    /// The text of a file.
    #[track_caller]
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name))
            .unwrap_or_else(|error| panic!("{name}: {error}\n{}", self.files()))
    }

    /// The lines of a record, without what differs between two runs.
    #[track_caller]
    pub fn record(&self, name: &str) -> Record {
        Record::read(&self.path(name))
    }

    /// The referee with these words, as in a shell without variables: `play 'rogue=test-bot act
    /// exit 1' awful`.
    pub fn run(&self, words: impl AsRef<str>) -> Run<'_> {
        self.program("referee", words)
    }

    /// Another program with these words. The project's programs, and the bots of the tests, are on
    /// the PATH.
    pub fn program(&self, name: &str, words: impl AsRef<str>) -> Run<'_> {
        let is_ours = !name.contains('/') && profile_folder().join(name).is_file();
        let command = if is_ours {
            program(name)
        } else {
            std::process::Command::new(name)
        };
        self.starts(command, words.as_ref())
    }

    /// The referee for Windows with these words, by Wine.
    pub fn on_windows(&self, words: &str) -> Run<'_> {
        self.starts(wine::command("referee"), words)
    }

    fn starts(&self, mut command: std::process::Command, words: &str) -> Run<'_> {
        STARTS.fetch_add(1, Ordering::Relaxed);
        let words = shlex::split(words).unwrap_or_else(|| panic!("no words of a shell: {words}"));
        let own = [profile_folder(), profile_folder().join("examples")];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = own.into_iter().chain(std::env::split_paths(&path));
        command
            .current_dir(self.0.path())
            .env("PATH", std::env::join_paths(path).unwrap());
        command.args(&words);
        Run {
            dir: self,
            command,
            longest: LONGEST,
        }
    }

    /// The names of all files here, and how long they are.
    fn files(&self) -> String {
        let mut list = String::from("files:");
        for entry in fs::read_dir(self.0.path()).into_iter().flatten().flatten() {
            let bytes = entry.metadata().map_or(0, |data| data.len());
            let _ = write!(list, " {} ({bytes} bytes)", entry.file_name().display());
        }
        list
    }
}

/// A test that fails leaves no program behind.
struct KilledOnDrop(std::process::Child);

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sends a process a signal.
#[cfg(unix)]
pub fn signal(id: u32, signal: Signal) {
    let id = Pid::from_raw(id.cast_signed()).unwrap();
    kill_process(id, signal).unwrap();
}

/// A program that is about to run.
#[derive(Debug)]
pub struct Run<'d> {
    dir: &'d Dir,
    command: std::process::Command,
    longest: Duration,
}

impl Run<'_> {
    /// Adds a word as it is.
    pub fn arg(mut self, word: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.arg(word);
        self
    }

    /// Adds words as in [`Dir::run`].
    pub fn args(mut self, words: impl AsRef<str>) -> Self {
        self.command
            .args(shlex::split(words.as_ref()).expect("words of a shell"));
        self
    }

    /// Plays on six cells with a rowboat, with seed 1.
    pub fn small(mut self) -> Self {
        self.command.args(shlex::split(SMALL).expect("it is valid"));
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn stdout(mut self, stdout: impl Into<Stdio>) -> Self {
        self.command.stdout(stdout);
        self
    }

    /// Lets it run for so long.
    pub fn patient(mut self, longest: Duration) -> Self {
        self.longest = longest;
        self
    }

    /// Runs in a folder of the folder.
    pub fn within(mut self, name: &str) -> Self {
        self.command.current_dir(self.dir.path(name));
        self
    }

    /// Gives it a process group of its own, whose number it can see wherever the tests run: one
    /// from outside of a PID namespace has none in it.
    pub fn leading(mut self) -> Self {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut self.command, 0);
        self
    }

    /// Starts it in a terminal.
    #[cfg(unix)]
    pub fn in_terminal(self) -> Terminal {
        Terminal::of(self.command)
    }

    /// Starts it without waiting for its end.
    pub fn spawn(mut self) -> std::process::Child {
        self.command
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Starts it with a pipe for its standard error, which the test reads.
    pub fn piped_stderr(mut self) -> std::process::Child {
        self.command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Starts it with pipes for its outputs, which the test reads.
    pub fn piped(mut self) -> std::process::Child {
        self.command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Starts it, waits until this holds, does something with its process id, and waits for its
    /// end.
    pub fn until(mut self, holds: impl FnMut() -> bool, then: impl FnOnce(u32)) -> Done {
        let command = self.words();
        let outputs = [(); 2].map(|()| tempfile::tempfile().unwrap());
        let [stdout, stderr] = outputs.each_ref().map(|file| file.try_clone().unwrap());
        self.command
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr);
        let mut child = KilledOnDrop(self.command.spawn().unwrap());
        until("the program is that far", holds);
        then(child.0.id());
        let mut status = None;
        until_within(self.longest, "the program ends", || {
            status = child.0.try_wait().unwrap();
            status.is_some()
        });
        let [stdout, stderr] = outputs.map(|mut file| {
            let mut bytes = Vec::new();
            file.rewind().unwrap();
            file.read_to_end(&mut bytes).unwrap();
            bytes
        });
        let status = status.unwrap_or_default();
        let output = std::process::Output {
            status,
            stdout,
            stderr,
        };
        Done::of(command, &output, self.dir)
    }

    /// Kills it after this time.
    #[cfg(unix)]
    pub fn killed_after(self, moment: Duration) -> Done {
        let began = Instant::now();
        self.killed(|| began.elapsed() >= moment)
    }

    /// Kills it as soon as this holds.
    #[cfg(unix)]
    pub fn killed(self, holds: impl FnMut() -> bool) -> Done {
        self.until(holds, |id| signal(id, Signal::KILL))
    }

    /// Presses Ctrl-C as soon as this holds.
    #[cfg(unix)]
    pub fn interrupted(self, holds: impl FnMut() -> bool) -> Done {
        self.until(holds, |id| signal(id, Signal::INT))
    }

    /// Runs it with this on its standard input.
    pub fn types(self, input: &str) -> Done {
        let words = self.words();
        let mut command = Command::from_std(self.command);
        // A program need not read its input.
        let output = command
            .write_stdin(input)
            .timeout(self.longest)
            .output()
            .unwrap();
        Done::of(words, &output, self.dir)
    }

    /// The command, for the report of a failed test.
    fn words(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
        shlex::try_join(words.iter().map(|word| &**word)).unwrap_or_default()
    }

    /// Runs it to its end.
    pub fn ends(self) -> Done {
        self.types("")
    }

    /// Runs it; it has to exit with code 0.
    #[track_caller]
    pub fn succeeds(self) -> Done {
        let done = self.ends();
        done.exits(0);
        done
    }

    /// Runs it; it has to exit with this code and to write this on its standard error.
    #[track_caller]
    pub fn fails(self, code: i32, words: &str) -> Done {
        let done = self.ends();
        done.exits(code).warns(words);
        done
    }
}

/// Runs a program until it has written a line, and reads no more of it. Returns the line and the
/// exit code.
pub fn cut_off(run: Run) -> (String, i32) {
    let mut child = run.stdout(Stdio::piped()).spawn();
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    drop(output);
    (line, child.wait().unwrap().code().unwrap())
}

/// A program that has ended.
#[derive(Debug)]
pub struct Done {
    command: String,
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    files: String,
}

impl Done {
    fn of(command: String, output: &std::process::Output, dir: &Dir) -> Done {
        Done {
            command,
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            files: dir.files(),
        }
    }

    /// Fails with all that its author needs to know.
    #[track_caller]
    pub fn fail(&self, reason: &str) -> ! {
        let Done {
            command,
            code,
            stdout,
            stderr,
            files,
        } = self;
        panic!(
            "{reason}\ncommand: {command}\ncode: {code:?}\nstdout:\n{stdout}\nstderr:\n{stderr}\n{files}"
        );
    }

    #[track_caller]
    pub fn exits(&self, code: i32) -> &Done {
        if self.code != Some(code) {
            self.fail(&format!("the exit code is not {code}"));
        }
        self
    }

    /// Its standard output has this.
    #[track_caller]
    pub fn prints(&self, words: &str) -> &Done {
        if !self.stdout.contains(words) {
            self.fail(&format!("stdout lacks {words:?}"));
        }
        self
    }

    /// Its standard error has this.
    #[track_caller]
    pub fn warns(&self, words: &str) -> &Done {
        if !self.stderr.contains(words) {
            self.fail(&format!("stderr lacks {words:?}"));
        }
        self
    }

    /// Its standard output is this.
    #[track_caller]
    pub fn prints_all(&self, text: &str) -> &Done {
        if self.stdout != text {
            self.fail(&format!("stdout is not:\n{text}\n"));
        }
        self
    }

    /// Neither output has this.
    #[track_caller]
    pub fn lacks(&self, words: &str) -> &Done {
        if self.stdout.contains(words) || self.stderr.contains(words) {
            self.fail(&format!("an output has {words:?}"));
        }
        self
    }

    /// Nothing is on its standard error.
    #[track_caller]
    pub fn is_quiet(&self) -> &Done {
        if !self.stderr.is_empty() {
            self.fail("stderr is not empty");
        }
        self
    }

    /// Its standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_str(&self.stdout) {
            Ok(value) => value,
            Err(error) => self.fail(&error.to_string()),
        }
    }

    /// The game that `play --json` has printed.
    #[track_caller]
    pub fn game(&self) -> Game {
        Game(self.json())
    }
}

/// A recorded game.
#[derive(Debug, Clone)]
pub struct Game(pub Value);

impl Game {
    /// A part of its line: `""` if there is none.
    pub fn text(&self, field: &str) -> &str {
        self.0[field].as_str().unwrap_or_default()
    }

    /// One player has lost, for this reason, which this sentence explains.
    #[track_caller]
    pub fn forfeits(&self, ended_by: &str, sentence: &str) {
        let names = [0, 1].map(|side| self.0["players"][side]["name"].as_str().unwrap());
        let loser = if self.text("winner") == names[0] {
            names[1]
        } else {
            names[0]
        };
        assert_eq!(self.text("reason"), format!("{loser} forfeits: {sentence}"));
        assert_eq!(self.text("ended_by"), ended_by, "{}", self.text("reason"));
        assert!(names.contains(&self.text("winner")), "{}", self.0);
    }

    /// The game was played to its end, and this player has won.
    #[track_caller]
    pub fn won_by(&self, name: &str) {
        assert_eq!(
            self.text("ended_by"),
            "fleet_sunk",
            "{}",
            self.text("reason")
        );
        assert_eq!(self.text("winner"), name);
    }
}
