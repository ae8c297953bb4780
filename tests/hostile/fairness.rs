//! Bots that compute while their opponents are asked. What counts here is processor time and not the clock: the tests
//! hold on a busy machine.

#![cfg(target_os = "linux")]

use serde_json::Value;

use testkit::arena::{Arena, Seen, Way};
use testkit::list::Row;
use testkit::list::{Tests, Tier};
use testkit::programs::text_of;
use testkit::tools::{self, Tool};
use testkit::tools::{SYSTEM_PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, SYSTEM_PYTHON], |tests| {
        add!(
            tests,
            the_clock_does_not_run_while_a_pondering_opponent_has_the_core
        );
        rows!(
            tests,
            MODES,
            sixty_processes_take_no_time_from_the_opponent,
            1
        );
        rows!(
            tests,
            MODES,
            a_stopped_bot_replies_in_time_and_its_time_is_its_own,
            1
        );
    });
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[UNIX, SYSTEM_PYTHON], |tests| {
            rows!(
                tests,
                CHEATS[1..],
                a_bot_that_computes_while_it_is_not_asked_gains_nothing
            );
            rows!(tests, CHEATS[1..], nor_does_it_where_it_may_use_all_cores);
            rows!(
                tests,
                KINDS,
                a_bot_that_only_sleeps_in_its_pauses_gets_no_signal
            );
            rows!(tests, KINDS, a_bot_may_ponder_if_the_terms_allow_it);
            rows!(
                tests,
                Way::SUPERVISED,
                a_stopped_bot_leaves_when_it_is_told_to
            );
        })
    });
}

/// The time that the opponent computes for each of its replies, in seconds of processor time. A cheat of many processes uses up
/// to 0.6 s in two pauses until it is stopped.
const LONG: f64 = 1.0;

/// The same where the cheat's time is not measured.
const SHORT: f64 = 0.5;

/// Enough for that and the little that a bot may use unasked, with a machine that has sixteen times as much to do. A
/// sixtieth of the core is not enough.
const LIMIT: &str = "20s";

/// A player that computes before each reply, and says how long that has taken. Halfway it makes a file.
const THINKER: &str = "
import sys, time
cell = 0
def think(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
for line in sys.stdin:
    word = line.split()[0]
    if word == 'battleship': print('ready', flush=True)
    elif word == 'place': print('place 9 0 h 8 0 h 7 0 h 6 0 h 5 0 h', flush=True)
    elif word == 'attack':
        began = time.monotonic()
        think(THINKS / 2)
        open('half', 'w').close()
        think(THINKS / 2)
        print('# took', time.monotonic() - began)
        print('attack', cell // 10, cell % 10, flush=True)
        cell += 1
";

/// The code that the cheats share: memory in which each spinner notes what it has used, so that their sum is known whatever
/// becomes of them. While their bot is asked they rest, so that all of it was used unasked. Nothing lives for more than a
/// minute.
const SPINNERS: &str = "
import mmap, struct, tempfile, threading
signal.signal(signal.SIGCONT, lambda *_: say('# continued'))
noted_in = tempfile.TemporaryFile()
noted_in.truncate(8 * 64)
noted = mmap.mmap(noted_in.fileno(), 8 * 64)
def note(slot, seconds):
    struct.pack_into('d', noted, 8 * slot, seconds)
def spun():
    return sum(struct.unpack_from('d', noted, 8 * slot)[0] for slot in range(63))
def rest():
    while noted[511]: time.sleep(0.001)
def spin(slot, already=0.0, until=3600.0):
    used = 0
    while used < until:
        rest()
        used = time.thread_time()
        note(slot, already + used)
def child(deed, *arguments):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        signal.signal(signal.SIGCONT, signal.SIG_DFL)
        deed(*arguments)
        os._exit(0)
    return pid
def attacked():
    noted[511] = 1
    if shots == 0:
        start()
    say(f'# spun {spun()}')
    reply()
    noted[511] = 0
";

/// The processes that a cheat starts with its first reply.
const CHEATS: [(&str, &str); 5] = [
    (
        "with many processes",
        "
def alone(slot):
    os.setsid()
    spin(slot)
def start():
    for slot in range(60): child(alone, slot)
",
    ),
    (
        "with processes that live for milliseconds",
        "
def forks(slot):
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for n in range(1000000):
        child(spin, slot, n * 0.003, 0.003)
        time.sleep(0.002)
def start():
    for slot in range(4): child(forks, slot)
",
    ),
    (
        "with threads",
        "
def start():
    for slot in range(20): threading.Thread(target=spin, args=(slot,), daemon=True).start()
",
    ),
    (
        "with processes that send each other signals to continue",
        "
def wakes(slot, ends):
    others = [int(pid) for pid in os.read(ends[0], 100).split()]
    while True:
        rest()
        note(slot, time.process_time())
        for other in others:
            try: os.kill(other, signal.SIGCONT)
            except OSError: pass
def start():
    pipes = [os.pipe() for _ in range(4)]
    pids = [child(wakes, slot, ends) for slot, ends in enumerate(pipes)]
    for pipe in pipes: os.write(pipe[1], b' '.join(b'%d' % pid for pid in pids))
",
    ),
    (
        "from the middle of the pause on",
        "
def waits(slot):
    while not os.path.exists('half'): time.sleep(0.001)
    spin(slot)
def start():
    for slot in range(60): child(waits, slot)
",
    ),
];

/// The options of the referee in a game.
#[derive(Clone, Copy)]
struct Mode {
    name: &'static str,
    way: Way,
    options: &'static [&'static str],
}

const PLAIN: Mode = Mode {
    name: "plain",
    way: Way::Supervised,
    options: &[],
};

const NO_PIN: Mode = Mode {
    name: "no-pin",
    way: Way::Supervised,
    options: &["--no-pin"],
};

const MODES: [Mode; 5] = [
    PLAIN,
    NO_PIN,
    Mode {
        name: "sandbox",
        way: Way::Supervised,
        options: &["--sandbox"],
    },
    Mode {
        name: "basic",
        way: Way::Supervised,
        options: &["--sandbox=basic"],
    },
    Mode {
        name: "unconfined",
        way: Way::Unconfined,
        options: &[],
    },
];

/// Those in which a bot is started, pinned and stopped in different ways.
const KINDS: [Mode; 3] = [PLAIN, MODES[2], MODES[4]];

impl Row for Mode {
    fn name(&self) -> &str {
        self.name
    }

    fn tools(&self) -> &'static [Tool] {
        static SANDBOX: [Tool; 1] = [tools::LANDLOCK];
        static WORLD: [Tool; 1] = [tools::NAMESPACES];
        match self.name {
            "basic" => &SANDBOX,
            "sandbox" => &WORLD,
            _ => &[],
        }
    }
}

/// A game in which the opponent thinks, with the transcript in the file `said`.
fn arena(mode: Mode, thinks: f64) -> Arena {
    let arena = Arena::new(mode.way)
        .with(mode.options)
        .with(&["--limit", LIMIT, "--start-limit", "60s", "--max-turns", "3"])
        .with(&["--transcript", "said"]);
    let thinker = THINKER.replace("THINKS", &thinks.to_string());
    std::fs::write(arena.folder().join("thinker.py"), thinker).unwrap();
    arena
}

const OPPONENT: &str = "thinker=/usr/bin/python3 thinker.py";

/// A player in the system's own Python, which every sandbox shows.
fn python(arena: &Arena, script: &str) -> String {
    arena.python(script).replace("python3", "/usr/bin/python3")
}

/// Returns the numbers after `# word` in each comment of the rogue.
fn comments(arena: &Arena, word: &str) -> Vec<f64> {
    let said = text_of(arena.folder().join("said"));
    let rest = said
        .lines()
        .filter_map(|line| line.split_once(&format!("# {word}")));
    rest.map(|(_, number)| number.trim().parse().unwrap_or(0.0))
        .collect()
}

fn warnings(seen: &Seen, player: usize) -> String {
    seen.record["players"][player]["warnings"].to_string()
}

/// The opponent computes for as long as it has to, and what the cheat uses meanwhile is little: neither loses by time.
fn gains_nothing(mode: Mode, cheat: &str) {
    // It would have half of the core, and so as much as the opponent, in each game. The referee stops it when it sees it,
    // which takes a while where sixty processes of each of some tests want the same cores: the least of a few games counts.
    let little = (0..5).any(|_| spun_in_pauses(mode, cheat) < 1.7 * LONG);
    assert!(little, "{}: in none of the games", mode.name);
}

/// Plays a game, in which neither loses, and returns what the cheat has used in its two pauses, in seconds.
fn spun_in_pauses(mode: Mode, cheat: &str) -> f64 {
    let arena = arena(mode, LONG);
    let rogue = python(&arena, &format!("{SPINNERS}{cheat}"));
    let seen = arena.play([&rogue, OPPONENT]);
    assert_eq!(seen.ended_by(), "turn_cap", "{}", seen.reason());
    assert!(
        warnings(&seen, 0).contains("was stopped meanwhile"),
        "{}",
        seen.record
    );
    assert_eq!(warnings(&seen, 1), "[]");
    // As it was told at its three requests. Between them the opponent has used 2 s.
    let spun = comments(&arena, "spun");
    assert_eq!(spun.len(), 3, "{spun:?}");
    spun[2] - spun[0]
}

fn sixty_processes_take_no_time_from_the_opponent(mode: Mode) {
    gains_nothing(mode, CHEATS[0].1);
}

fn a_bot_that_computes_while_it_is_not_asked_gains_nothing((_, cheat): (&str, &str)) {
    gains_nothing(PLAIN, cheat);
}

fn nor_does_it_where_it_may_use_all_cores((_, cheat): (&str, &str)) {
    gains_nothing(NO_PIN, cheat);
}

/// It wakes up many times in each pause, as the threads of some runtimes do.
fn a_bot_that_only_sleeps_in_its_pauses_gets_no_signal(mode: Mode) {
    let arena = arena(mode, SHORT);
    let idle = "
def start():
    def sleeps():
        while True: time.sleep(0.05)
    threading.Thread(target=sleeps, daemon=True).start()
";
    let rogue = python(&arena, &format!("{SPINNERS}{idle}"));
    let seen = arena.play([&rogue, OPPONENT]);
    assert_eq!(seen.ended_by(), "turn_cap", "{}", seen.reason());
    assert_eq!(comments(&arena, "continued"), [0.0; 0]);
    assert_eq!(
        (warnings(&seen, 0), warnings(&seen, 1)),
        ("[]".to_owned(), "[]".to_owned())
    );
}

/// Computes in a thread.
const PONDERER: &str = "
def start():
    threading.Thread(target=spin, args=(0,), daemon=True).start()
";

fn a_stopped_bot_replies_in_time_and_its_time_is_its_own(mode: Mode) {
    let arena = arena(mode, LONG);
    let rogue = python(&arena, &format!("{SPINNERS}{PONDERER}"));
    let seen = arena.play([&rogue, OPPONENT]);
    assert!(
        warnings(&seen, 0).contains("was stopped meanwhile"),
        "{}",
        seen.record
    );
    let shots = seen.record["shots"].as_array().unwrap();
    let times: Vec<u64> = shots
        .iter()
        .filter(|shot| shot[0] == 0)
        .map(|shot| shot[4].as_u64().unwrap())
        .collect();
    // It computes nothing; its opponent has computed for a second meanwhile.
    assert!(
        times.len() == 3 && times.iter().all(|time| *time < 900_000),
        "{times:?}"
    );
}

fn a_bot_may_ponder_if_the_terms_allow_it(mode: Mode) {
    let arena = arena(mode, SHORT).with(&["--ponder"]);
    let rogue = python(&arena, &format!("{SPINNERS}{PONDERER}"));
    let seen = arena.play([&rogue, OPPONENT]);
    assert_eq!(seen.ended_by(), "turn_cap", "{}", seen.reason());
    assert_eq!(comments(&arena, "continued"), [0.0; 0]);
    assert_eq!(
        (warnings(&seen, 0), warnings(&seen, 1)),
        ("[]".to_owned(), "[]".to_owned())
    );
    // Equal shares of the core, whatever else the machine does.
    let spun = comments(&arena, "spun");
    assert!(spun[2] - spun[0] > SHORT / 2.0, "{spun:?}");
}

/// On one core each of the two gets half of it. The opponent measures how long it takes, by a clock that does not stop.
fn the_clock_does_not_run_while_a_pondering_opponent_has_the_core() {
    let arena = arena(PLAIN, LONG).with(&["--ponder"]);
    let rogue = python(&arena, &format!("{SPINNERS}{PONDERER}"));
    let seen = arena.play([&rogue, OPPONENT]);
    let took: f64 = comments(&arena, "took").iter().sum();
    let recorded = |shot: &Value| shot[4].as_u64().unwrap();
    let shots = seen.record["shots"].as_array().unwrap().iter();
    let recorded: u64 = shots.filter(|shot| shot[0] == 1).map(recorded).sum();
    let spun = comments(&arena, "spun");
    #[allow(clippy::cast_precision_loss, reason = "a few seconds")]
    let lent = took - recorded as f64 / 1e6;
    // In three replies; the rogue has told what it used in two of the pauses.
    assert!(
        lent > (spun[2] - spun[0]) / 2.0,
        "{took} s, {recorded} us, {spun:?}"
    );
}

/// It has its time to do so.
fn a_stopped_bot_leaves_when_it_is_told_to(way: Way) {
    let arena = arena(Mode { way, ..PLAIN }, SHORT).with(&["--grace", "30s"]);
    let leaves = "
def leave():
    open('left', 'w').close()
    os._exit(0)
sys.exit = leave
# What it says as it continues could not be written any more.
signal.signal(signal.SIGCONT, signal.SIG_DFL)
";
    let rogue = python(&arena, &format!("{SPINNERS}{PONDERER}{leaves}"));
    let seen = arena.play([&rogue, OPPONENT]);
    assert!(
        warnings(&seen, 0).contains("was stopped meanwhile"),
        "{}",
        seen.record
    );
    assert!(arena.folder().join("left").exists());
}
