//! Games with a hostile bot, and the checks that every such game has to pass.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::list::Row;
#[cfg(target_os = "linux")]
use crate::user::{User, open_to_all};
use crate::{
    programs::{program, test_bot},
    wine,
};

/// Far more than any step takes on a busy machine, and less than the minute after which a hostile program ends by
/// itself: otherwise a test could pass without the referee.
const PATIENCE: Duration = Duration::from_secs(40);

/// The most that the referee may ever have in memory.
const MEMORY: u64 = 64 << 20;

/// The variable by which the processes of a game are known; each has it from its parent.
const MARK: &str = "HOSTILE_MARK";

/// A legal player in the shell, whose answer to `attack` is the function `attacked`.
const SHELL: &str = "\
n=0
reply() { echo attack $((n / 10 % 10)) $((n % 10)); n=$((n + 1)); }
serve() {
  while read -r word rest; do
    case $word in
      battleship) echo ready ;;
      place) echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h ;;
      attack) attacked ;;
      quit) exit ;;
    esac
  done
}
";

/// The same in Python, with `attempt`, which notes in `findings` whether a deed succeeds or by which error it is
/// refused. It ends after a minute; programs that it forks have to see to that themselves.
const PYTHON: &str = "\
import errno, json, os, signal, sys, time
signal.alarm(60)
shots = 0
def say(text):
    os.write(1, text.encode() + b'\\n')
def reply():
    global shots
    say(f'attack {shots // 10 % 10} {shots % 10}')
    shots += 1
findings = {}
def attempt(name, deed, *arguments):
    try:
        deed(*arguments)
        findings[name] = 'succeeded'
    except OSError as error:
        findings[name] = errno.errorcode[error.errno]
def report(findings):
    with open(os.path.join(FOLDER, 'part'), 'w') as part:
        json.dump(findings, part)
    os.rename(os.path.join(FOLDER, 'part'), os.path.join(FOLDER, 'report'))
def serve():
    for line in sys.stdin:
        word = line.split()[0]
        if word == 'battleship':
            say('ready')
        elif word == 'place':
            say('place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h')
        elif word == 'attack':
            attacked()
        elif word == 'quit':
            sys.exit()
";

/// The way in which the referee starts bots and hears them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As it does here.
    Supervised,
    /// As it does on a Linux whose kernel confines nothing.
    Unconfined,
    /// As it does on any operating system.
    Portable,
}

impl Row for Way {
    fn name(&self) -> &str {
        match self {
            Way::Supervised => "supervised",
            Way::Unconfined => "unconfined",
            Way::Portable => "portable",
        }
    }
}

impl Way {
    pub const ALL: [Way; 3] = [Way::Supervised, Way::Unconfined, Way::Portable];

    /// With a supervisor and without.
    pub const SUPERVISED_OR_NOT: [Way; 2] = [Way::Supervised, Way::Portable];

    /// The two ways in which a supervisor ends what a bot leaves.
    pub const SUPERVISED: [Way; 2] = [Way::Supervised, Way::Unconfined];
}

/// The program of a command and its arguments.
fn words_of(command: &Command) -> Vec<String> {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    words
        .map(|word| word.to_str().unwrap().to_owned())
        .collect()
}

/// The setting of one game: a folder, a mark on all its processes, and the options of the referee.
#[derive(Debug)]
pub struct Arena {
    way: Way,
    folder: TempDir,
    mark: String,
    options: Vec<String>,
    wrapper: Vec<String>,
    /// The words that run the referee itself.
    referee: Vec<String>,
    environment: Vec<(&'static str, String)>,
}

impl Arena {
    pub fn new(way: Way) -> Arena {
        static GAMES: AtomicU32 = AtomicU32::new(0);
        let folder = tempfile::tempdir().unwrap();
        // Short enough for the name of a process, which is all that a zombie has.
        let mark = format!(
            "h{}x{}",
            std::process::id(),
            GAMES.fetch_add(1, Ordering::Relaxed)
        );
        let mut options: Vec<_> = ["--json", "--seed", "1", "--env", MARK]
            .map(str::to_owned)
            .into();
        let (mut wrapper, mut environment) = (Vec::new(), Vec::new());
        let referee = words_of(&program("referee"));
        if wine::is_used() {
            environment.extend(wine::environment());
        }
        match way {
            Way::Supervised => {}
            Way::Portable => options.push("--portable".to_owned()),
            Way::Unconfined => {
                wrapper = vec![test_bot(), "without-landlock".to_owned()];
            }
        }
        Arena {
            way,
            folder,
            mark,
            options,
            wrapper,
            referee,
            environment,
        }
    }

    /// Adds options of the referee.
    pub fn with(mut self, options: &[&str]) -> Arena {
        self.options
            .extend(options.iter().map(|option| (*option).to_owned()));
        self
    }

    /// Shows the game instead of printing its record.
    pub fn shown(mut self) -> Arena {
        self.options.retain(|option| option != "--json");
        self
    }

    /// Starts the referee by this command, which gets the referee's own as its last arguments.
    pub fn wrapped(mut self, command: &[&str]) -> Arena {
        self.wrapper
            .extend(command.iter().map(|word| (*word).to_owned()));
        self
    }

    /// Runs the referee without the powers of root, which may read more than Landlock refuses.
    #[cfg(unix)]
    pub fn without_privileges(self) -> Arena {
        if rustix::process::geteuid().is_root() {
            self.wrapped(&["setpriv", "--bounding-set=-all", "--inh-caps=-all"])
        } else {
            self
        }
    }

    /// Has `user` run the referee, in a folder that everybody may read and that user may write.
    #[cfg(target_os = "linux")]
    pub fn by(self, user: &User) -> Arena {
        open_to_all(self.folder());
        user.give(self.folder());
        Arena {
            referee: user.words(),
            ..self
        }
    }

    /// Gives the referee this variable.
    pub fn variable(mut self, name: &'static str, value: &str) -> Arena {
        self.environment.push((name, value.to_owned()));
        self
    }

    /// A folder for this game alone, in which the referee runs.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The mark by which bots find the processes of this game; up to 15 characters.
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// A player in the shell that plays legally but for what `attacked` does when it is asked to attack. It may
    /// call `reply`.
    pub fn shell(&self, attacked: &str) -> String {
        std::fs::write(
            self.folder().join("rogue.sh"),
            format!("{SHELL}attacked() {{\n{attacked}\n}}\nserve\n"),
        )
        .unwrap();
        "rogue=sh rogue.sh".to_owned()
    }

    /// A player in Python that plays legally but for what the function `attacked` does, which `program` has to
    /// define. It may call `reply` and `report`.
    pub fn python(&self, program: &str) -> String {
        let folder = self.folder().display();
        std::fs::write(
            self.folder().join("rogue.py"),
            format!(
                "FOLDER = '{folder}'\nMARK = '{}'\n{PYTHON}{program}\nserve()\n",
                self.mark
            ),
        )
        .unwrap();
        "rogue=python3 rogue.py".to_owned()
    }

    /// Returns what the bot in Python reported.
    pub fn report(&self) -> Value {
        let text = std::fs::read_to_string(self.folder().join("report")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Waits until the bot has created the file `name` in the folder.
    pub fn wait_for_file(&self, name: &str) {
        let path = self.folder().join(name);
        until(&format!("the bot makes the file {name}"), || path.exists());
    }

    /// The referee's command for a game of these players.
    pub fn command(&self, players: [&str; 2]) -> Command {
        let mut words = self.wrapper.iter().chain(&self.referee);
        let mut command = Command::new(words.next().unwrap());
        command
            .args(words)
            .arg("play")
            .args(players)
            .args(&self.options);
        command.env(MARK, &self.mark);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.folder());
        command
    }

    /// Starts a game.
    pub fn start(&self, players: [&str; 2]) -> Running<'_> {
        let file = |name| File::create(self.folder().join(name)).unwrap();
        let mut command = self.command(players);
        command
            .stdin(Stdio::null())
            .stdout(file("stdout"))
            .stderr(file("stderr"));
        // A group of its own has a number wherever the tests run; one from outside of a PID namespace has none in it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Running {
            arena: self,
            child: command.spawn().unwrap(),
            began: Instant::now(),
            peak: 0,
        }
    }

    /// Plays a game to its end and checks all that holds for every game.
    pub fn play(&self, players: [&str; 2]) -> Seen {
        self.start(players).end()
    }

    /// Returns the processes of this game that exist, except the one with the id `except`.
    pub fn processes(&self, except: u32) -> Vec<String> {
        let wanted = format!("{MARK}={}", self.mark);
        let is_marked = |process: &Path| {
            let environment = std::fs::read(process.join("environ")).unwrap_or_default();
            let name = std::fs::read_to_string(process.join("comm")).unwrap_or_default();
            environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == wanted.as_bytes())
                || name.trim_end() == self.mark
        };
        // Only Linux has /proc; on other systems the list is empty.
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let processes = processes.map(|entry| entry.path()).filter(|process| {
            let id = process
                .file_name()
                .and_then(|name| name.to_str()?.parse::<u32>().ok());
            id.is_some_and(|id| id != except) && is_marked(process)
        });
        let described =
            |process: &Path| std::fs::read_to_string(process.join("stat")).unwrap_or_default();
        processes.map(|process| described(&process)).collect()
    }

    /// Waits until no process of the game is left.
    pub fn is_left_by_all(&self) {
        let mut left = Vec::new();
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(15) {
            left = self.processes(0);
            if left.is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("{:?}: still there: {left:#?}", self.way);
    }
}

/// A game that is being played.
#[derive(Debug)]
pub struct Running<'a> {
    arena: &'a Arena,
    child: Child,
    began: Instant,
    peak: u64,
}

impl Running<'_> {
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends the referee a signal.
    #[cfg(unix)]
    pub fn signal(&self, signal: rustix::process::Signal) {
        let id = i32::try_from(self.id()).unwrap();
        rustix::process::kill_process(rustix::process::Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    /// Waits for the referee to end; checks that it has used little memory and left no process.
    pub fn leave(mut self) -> ExitStatus {
        let status = loop {
            self.peak = self.peak.max(peak_memory(self.child.id()));
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(
                self.began.elapsed() < PATIENCE,
                "{:?}: no verdict",
                self.arena.way
            );
            std::thread::sleep(Duration::from_millis(2));
        };
        // Most of what a program for Windows has is Wine's.
        let is_small = self.peak < MEMORY || wine::is_used();
        assert!(is_small, "{:?}: {} bytes", self.arena.way, self.peak);
        self.arena.is_left_by_all();
        status
    }

    /// Waits for the end and checks all that holds for every game of which there is a record.
    pub fn end(self) -> Seen {
        let arena = self.arena;
        let status = self.leave();
        let read =
            |name| String::from_utf8(std::fs::read(arena.folder().join(name)).unwrap()).unwrap();
        let (printed, complaints) = (read("stdout"), read("stderr"));
        let record: Value = serde_json::from_str(&printed).unwrap_or_else(|error| {
            panic!(
                "{:?}: {error}: {printed}\n{complaints}\n{status}",
                arena.way
            )
        });
        let seen = Seen {
            way: arena.way,
            record,
            code: status.code().unwrap(),
            complaints,
        };
        seen.is_complete();
        seen
    }
}

/// A test that fails leaves no referee behind.
impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A game that is over.
#[derive(Debug)]
pub struct Seen {
    pub way: Way,
    pub record: Value,
    pub code: i32,
    /// The referee's standard error.
    pub complaints: String,
}

impl Seen {
    /// Checks what holds for the record of every game.
    fn is_complete(&self) {
        let Seen { record, .. } = self;
        let reason = self.reason();
        assert!(
            !reason.is_empty() && !reason.contains(char::is_control),
            "{reason:?}"
        );
        let expected = match (
            record["winner"].as_str(),
            record["ended_by"].as_str().unwrap(),
        ) {
            (Some(_), _) => 0,
            (None, "could_not_start") => 4,
            (None, "interrupted") => 130,
            (None, _) => 3,
        };
        assert_eq!(self.code, expected, "{reason}");
        for shot in record["shots"].as_array().unwrap() {
            let player = &record["players"][usize::try_from(shot[0].as_u64().unwrap()).unwrap()];
            // A little is allowed for the way from the deadline to the clock.
            let limit = player["limit_ms"].as_u64().unwrap() * 1000;
            let took = shot[4].as_u64().unwrap();
            assert!(
                player["name"] == "rogue" || took < limit,
                "{took} us for a shot: {player}"
            );
        }
    }

    pub fn reason(&self) -> &str {
        self.record["reason"].as_str().unwrap()
    }

    pub fn ended_by(&self) -> &str {
        self.record["ended_by"].as_str().unwrap()
    }

    /// Checks that the rogue has lost to awful, why, and what is said of it.
    pub fn is_forfeit(&self, ended_by: &str, sentence: &str) {
        assert_eq!(
            self.reason(),
            format!("rogue forfeits: {sentence}"),
            "{:?}",
            self.way
        );
        assert_eq!(
            self.ended_by(),
            ended_by,
            "{:?}: {}",
            self.way,
            self.reason()
        );
        assert_eq!(
            self.record["winner"],
            "awful",
            "{:?}: {}",
            self.way,
            self.reason()
        );
    }

    /// Checks that the game was played to its end, and who won.
    pub fn is_won_by(&self, winner: &str) {
        assert_eq!(
            self.ended_by(),
            "fleet_sunk",
            "{:?}: {}",
            self.way,
            self.reason()
        );
        assert_eq!(
            self.record["winner"],
            winner,
            "{:?}: {}",
            self.way,
            self.reason()
        );
    }
}

/// Waits until something holds. The deadline is for a test that fails.
pub fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(PATIENCE, what, holds);
}

/// The same with a deadline of its own, for what takes longer than a game.
pub fn until_within(patience: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < patience, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The most memory that the process has ever had, in bytes, as far as the operating system says.
fn peak_memory(id: u32) -> u64 {
    // For a moment after its start a process still has the memory of these tests, and their program.
    let program = |process: &str| std::fs::read_link(format!("/proc/{process}/exe"));
    if program(&id.to_string()).is_ok_and(|its| program("self").is_ok_and(|own| its == own)) {
        return 0;
    }
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}
