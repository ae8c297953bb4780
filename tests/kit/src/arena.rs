//! Games of a hostile bot, and the checks that every such game has to pass.

use std::fs;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::list::Row;
use crate::run::{Dir, Done, Game, Run};
use crate::tools::{self, Tool};
use crate::wine;

/// Far more than any step takes on a busy machine, and less than the minute after which a hostile
/// program ends by itself: otherwise a test could pass without the referee.
const PATIENCE: Duration = Duration::from_secs(40);

/// The most that the referee may ever have in memory, in KiB.
const MEMORY: u64 = 64 << 10;

/// A legal player in the shell, whose answer to `attack` is the function `attacked`. It may call
/// `reply`.
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

/// The same in Python, with calls that Python has no names for, and with `attempt`, which notes in
/// `findings` whether a deed succeeds or by which error it is refused. A bot that asserts what is
/// wrong loses, and its last words say why. It ends after a minute; programs that it forks have to
/// see to that themselves.
const PYTHON: &str = "\
import ctypes, errno, os, signal, sys, time
signal.alarm(60)
HERE = os.path.dirname(os.path.abspath(sys.argv[0]))
libc = ctypes.CDLL(None, use_errno=True)
shots = 0
def say(text):
    os.write(1, text.encode() + b'\\n')
def reply():
    global shots
    say(f'attack {shots // 10 % 10} {shots % 10}')
    shots += 1
def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), '')
    return result
def call(*arguments):
    return check(libc.syscall(*map(ctypes.c_long, arguments)))
def address(text):
    return ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p).value
findings = {}
def attempt(name, deed, *arguments):
    try:
        deed(*arguments)
        findings[name] = 'succeeded'
    except OSError as error:
        findings[name] = errno.errorcode[error.errno]
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
pub enum Mode {
    /// As on a Linux whose kernel confines nothing.
    Unconfined,
    /// As it does here.
    Plain,
    Basic,
    World,
}

impl Row for Mode {
    fn name(&self) -> &str {
        match self {
            Mode::Unconfined => "unconfined",
            Mode::Plain => "plain",
            Mode::Basic => "basic",
            Mode::World => "world",
        }
    }

    fn tools(&self) -> &'static [Tool] {
        match self {
            Mode::Basic => &[tools::LANDLOCK],
            Mode::World => &[tools::LANDLOCK, tools::NAMESPACES],
            Mode::Unconfined | Mode::Plain => &[],
        }
    }
}

impl Mode {
    /// What holds in a sandbox, and what outside of one.
    pub const ALL: [Mode; 3] = [Mode::Plain, Mode::Basic, Mode::World];

    pub const SANDBOXES: [Mode; 2] = [Mode::Basic, Mode::World];

    /// The two ways in which a supervisor ends what a bot leaves.
    pub const SUPERVISED: [Mode; 2] = [Mode::Plain, Mode::Unconfined];

    /// The option of the referee that asks for it.
    pub fn option(self) -> &'static str {
        match self {
            Mode::Basic => "--sandbox=basic",
            Mode::World => "--sandbox",
            Mode::Unconfined | Mode::Plain => "",
        }
    }
}

/// The setting of one game.
#[derive(Debug)]
pub struct Arena {
    /// The folder in which it is played.
    pub dir: Dir,
    /// A folder that no bot is shown: the home of the user without privileges.
    pub home: Dir,
    /// For temporary files, in `tmp`.
    tmp: Dir,
    /// The mark by which the processes of the game are known; each has it from its parent.
    pub mark: String,
    pub mode: Mode,
    /// The words that make what follows a command of the user without privileges.
    pub user: String,
    /// The words that run the referee.
    referee: String,
    players: String,
    options: String,
}

impl Arena {
    pub fn new(mode: Mode) -> Arena {
        static GAMES: AtomicU32 = AtomicU32::new(0);
        // A number, so that it can be the key of an object of System V, and short enough for the
        // name of a process, which is all that a zombie has.
        let mark = 1_000_000_000
            + process::id() % 100_000 * 10_000
            + GAMES.fetch_add(1, Ordering::Relaxed);
        let referee = if mode == Mode::Unconfined {
            "test-bot without-landlock referee"
        } else {
            "referee"
        };
        let [dir, home, tmp] = [(); 3].map(|()| Dir::new());
        fs::create_dir(tmp.path("tmp")).unwrap();
        Arena {
            dir,
            home,
            tmp,
            mark: mark.to_string(),
            mode,
            user: String::new(),
            referee: referee.to_owned(),
            players: "awful awful".to_owned(),
            options: mode.option().to_owned(),
        }
    }

    /// The same game for each user who may run the referee: the one who runs the tests and, if that
    /// is root, one without any privilege.
    #[cfg(target_os = "linux")]
    pub fn of_all(mode: Mode) -> Vec<Arena> {
        let mut arenas = vec![Arena::new(mode)];
        if tools::is_root() {
            let mut arena = Arena::new(mode);
            let referee = crate::programs::referee_in(&arena.tmp.path(""))
                .display()
                .to_string();
            let home = arena.home.path("");
            arena.user = format!(
                "setpriv --reuid 1500 --regid 1500 --clear-groups --inh-caps=-all env HOME={}",
                home.display()
            );
            arena.referee = arena
                .referee
                .replace("referee", &format!("{} {referee}", arena.user));
            arenas.push(arena);
        }
        arenas
    }

    /// Adds options of the referee.
    pub fn with(mut self, options: &str) -> Arena {
        self.options = format!("{} {options}", self.options);
        self
    }

    /// Starts the referee by this command, which gets the referee's own as its last words.
    pub fn after(mut self, command: &str) -> Arena {
        if !command.is_empty() {
            self.referee = format!("{command} {}", self.referee);
        }
        self
    }

    pub fn players(mut self, players: &str) -> Arena {
        players.clone_into(&mut self.players);
        self
    }

    /// The rogue is in the shell and plays legally but for what `attacked` does when it is asked to
    /// attack.
    pub fn shell(self, attacked: &str) -> Arena {
        let script = format!("{SHELL}attacked() {{\n{attacked}\n}}\nserve\n");
        self.dir.file("rogue.sh", script);
        self.players("'rogue=sh rogue.sh' awful")
    }

    /// The rogue is in the system's own Python, which every sandbox shows, and plays legally but
    /// for what the function `attacked` does, which `program` has to define.
    pub fn python(self, program: &str) -> Arena {
        let Arena { mark, mode, .. } = &self;
        let mode = mode.name();
        let script = format!("{PYTHON}MARK, MODE = '{mark}', '{mode}'\n{program}\nserve()\n");
        self.dir.file("rogue.py", script);
        self.players("'rogue=/usr/bin/python3 rogue.py' awful")
    }

    /// The rogue does this before its first attack, and then plays on.
    pub fn deed(self, deed: &str) -> Arena {
        self.python(&format!(
            "def attacked():\n    if not shots: deed()\n    reply()\n{deed}"
        ))
    }

    /// The game, as it is shown.
    pub fn run(&self) -> Run<'_> {
        #[cfg(target_os = "linux")]
        if !self.user.is_empty() {
            give(&self.tmp.path("tmp"));
            give(&self.dir.path(""));
            give(&self.home.path(""));
        }
        let words = format!(
            "{} play {} --seed 1 --env HOSTILE_MARK {}",
            self.referee, self.players, self.options
        );
        let (program, words) = words.split_once(' ').unwrap();
        let run = self.dir.program(program, words);
        run.env("HOSTILE_MARK", &self.mark)
            .env("TMPDIR", self.tmp.path("tmp"))
    }

    /// Plays it and does something with the number of the referee's process meanwhile. The referee
    /// uses little memory, and leaves no process and no file.
    #[track_caller]
    pub fn watch(&self, then: impl FnOnce(u32)) -> Done {
        let run = self.run().args("--json").leading();
        let done = run.until(
            || true,
            |id| {
                then(id);
                until("the referee ends", || {
                    let status = text_of_process(id, "status");
                    // A process that has ended has none.
                    let Some(peak) = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))
                    else {
                        return true;
                    };
                    let kib: u64 = peak.trim_end_matches("kB").trim().parse().unwrap();
                    // Most of what a program for Windows has is Wine's.
                    assert!(kib < MEMORY || wine::is_used(), "{self:?}: {kib} KiB");
                    false
                });
            },
        );
        self.is_left();
        done
    }

    /// Plays it, with what holds for the record of every game.
    #[track_caller]
    pub fn play_while(&self, then: impl FnOnce(u32)) -> Game {
        let done = self.watch(then);
        let game = done.game();
        let reason = game.text("reason");
        done.exits(match (game.text("winner"), game.text("ended_by")) {
            ("", "could_not_start") => 4,
            ("", "interrupted") => 130,
            ("", _) => 3,
            _ => 0,
        });
        if reason.is_empty() || reason.contains(char::is_control) {
            done.fail("the reason is no line");
        }
        for shot in game.0["shots"].as_array().unwrap() {
            let player = &game.0["players"][shot[0].to_string().parse::<usize>().unwrap()];
            // Under a clock for the game a reply has no limit of its own.
            let limit = player["limit_ms"].as_u64().map(|limit| limit * 1000);
            if player["name"] != "rogue"
                && limit.is_some_and(|limit| shot[4].as_u64() >= Some(limit))
            {
                done.fail("a shot came late");
            }
        }
        game
    }

    #[track_caller]
    pub fn play(&self) -> Game {
        self.play_while(|_| ())
    }

    /// Plays it; the rogue finds nothing wrong, and wins.
    #[track_caller]
    pub fn wins(&self) {
        self.play().won_by("rogue");
    }

    /// Waits until the bot has made a file.
    pub fn has(&self, name: &str) {
        until(&format!("the bot makes the file {name}"), || {
            self.dir.path(name).exists()
        });
    }

    /// The processes of this game, each as a file of it in `/proc`, which only Linux has.
    pub fn processes(&self) -> Vec<String> {
        let variable = format!("HOSTILE_MARK={}", self.mark);
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let [environment, name] =
                ["environ", "comm"].map(|file| entry.path().join(file).display().to_string());
            let variables = fs::read(&environment).unwrap_or_default();
            if variables
                .split(|byte| *byte == 0)
                .any(|one| one == variable.as_bytes())
            {
                found.push(environment);
            }
            if fs::read(&name).is_ok_and(|name| name.trim_ascii_end() == self.mark.as_bytes()) {
                found.push(name);
            }
        }
        found
    }

    /// Waits until no process of the game is left; then no temporary file is either.
    #[track_caller]
    pub fn is_left(&self) {
        until("no process is left", || self.processes().is_empty());
        let left: Vec<_> = fs::read_dir(self.tmp.path("tmp")).unwrap().collect();
        assert!(left.is_empty(), "{self:?}: {left:?}");
    }
}

/// Gives the user without privileges what is there of root.
#[cfg(target_os = "linux")]
fn give(path: &std::path::Path) {
    use std::os::unix::fs::{MetadataExt, lchown};

    let data = fs::symlink_metadata(path).unwrap();
    if data.uid() == 0 {
        lchown(path, Some(1500), None).unwrap();
    }
    if data.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give(&entry.unwrap().path());
        }
    }
}

/// A file in `/proc` of a process, as far as there is one.
pub fn text_of_process(id: u32, file: &str) -> String {
    fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default()
}

/// Waits until something holds. The deadline is for a test that fails.
#[track_caller]
pub fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(PATIENCE, what, holds);
}

/// The same with a deadline of its own, for what takes longer than a game.
#[track_caller]
pub fn until_within(patience: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < patience, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(2));
    }
}
