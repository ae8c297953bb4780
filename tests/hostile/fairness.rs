//! Bots that compute while their opponents are asked. What counts here is processor time and not
//! the clock: the tests hold on a busy machine.

#![cfg(target_os = "linux")]

use testkit::arena::{Arena, Mode};
use testkit::list::{Tests, Tier};
use testkit::run::Game;
use testkit::tools::SYSTEM_PYTHON;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[SYSTEM_PYTHON], |tests| {
        rows!(tests, KINDS, a_bot_may_ponder_if_terms_allow, 1);
        rows!(tests, MODES, a_stopped_bot_replies_in_time, 1);
        rows!(tests, KINDS, short_replies_cost_their_own_time, 1);
        tests.tier(Tier::Thorough, |tests| {
            rows!(tests, MODES, sixty_processes_take_no_time);
            rows!(tests, KINDS, short_pauses_are_added_up);
            rows!(tests, CHEATS, a_bot_that_computes_unasked_gains_nothing);
            rows!(tests, KINDS, a_bot_that_only_sleeps_gets_no_signal);
            rows!(tests, Mode::SUPERVISED, a_stopped_bot_leaves_when_told);
        });
    });
}

/// The ways in which a bot is started, pinned and stopped.
const MODES: [Mode; 4] = [Mode::Plain, Mode::Basic, Mode::World, Mode::Unconfined];
const KINDS: [Mode; 3] = [Mode::Plain, Mode::World, Mode::Unconfined];

/// Computes before each reply for so many seconds of processor time, and says how long that has
/// taken, and what was left on its clock before. Halfway it makes a file.
const THINKER: &str = "
import sys, time
cell, left = 50, 0
def think(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
for line in sys.stdin:
    word = line.split()[0]
    if word == 'battleship': print('ready', flush=True)
    elif word == 'clock': left = int(line.split()[1]) / 1000
    elif word == 'place': print('place 9 0 h 8 0 h 7 0 h 6 0 h 5 0 h', flush=True)
    elif word == 'attack':
        began = time.monotonic()
        think(float(sys.argv[1]) / 2)
        open('half', 'w').close()
        think(float(sys.argv[1]) / 2)
        print('# took', time.monotonic() - began)
        print('# left', left)
        print('attack', cell // 10, cell % 10, flush=True)
        cell += 1
";

/// The code that the cheats share: memory in which each spinner notes what it has used, so that
/// their sum is known whatever becomes of them. While their bot is asked they rest, so that all of
/// it was used unasked. Nothing lives for more than a minute.
const SPINNERS: &str = "
import mmap, struct, tempfile, threading
signal.signal(signal.SIGCONT, lambda *_: say('# continued 1'))
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
def thread(deed, *arguments):
    threading.Thread(target=deed, args=arguments, daemon=True).start()
def attacked():
    noted[511] = 1
    if shots == 0:
        start()
    say(f'# spun {spun()}')
    reply()
    noted[511] = 0
";

/// The processes that a cheat starts with its first reply.
const CHEATS: [(&str, &str); 6] = [
    (
        "with sixty processes",
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
        "with processes whose names are no text",
        "
def nameless(slot):
    call(157, 15, address(b'\\xff'))
    spin(slot)
def start():
    call(157, 15, address(b'\\xff'))
    for slot in range(20): child(nameless, slot)
",
    ),
    (
        "with threads",
        "
def start():
    for slot in range(20): thread(spin, slot)
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

const PONDERS: &str = "
def start(): thread(spin, 0)
";

const TWENTY: &str = "
def start():
    for slot in range(20): child(spin, slot)
";

/// The time that the opponent computes for each of its replies, in seconds of processor time. A
/// cheat of many processes uses up to 0.6 s in two pauses until it is stopped.
const LONG: f64 = 1.0;

/// The same where the cheat's time is not measured.
const SHORT: f64 = 0.5;

/// A game of a few turns that nobody loses.
struct Played {
    arena: Arena,
    game: Game,
}

impl Played {
    /// The limit is enough for the opponent, and the little that a bot may use unasked, with a
    /// machine that has sixteen times as much to do. A sixtieth of the core is not enough.
    fn new(mode: Mode, options: &str, thinks: f64, cheat: &str) -> Played {
        let arena = Arena::new(mode)
            .python(&format!("{SPINNERS}{cheat}"))
            .players(&format!(
                "'rogue=/usr/bin/python3 rogue.py' '/usr/bin/python3 thinker.py {thinks}'"
            ))
            .with("--start-limit 60s --grace 30s --transcript said")
            .with(if options.contains("--clock") {
                ""
            } else {
                "--limit 20s"
            })
            .with(options);
        arena.dir.file("thinker.py", THINKER);
        let game = arena.play();
        assert_eq!(game.text("ended_by"), "turn_cap", "{game:?}");
        assert_eq!(game.0["players"][1]["warnings"].to_string(), "[]");
        Played { arena, game }
    }

    /// The numbers in the comments that begin so.
    fn comments(&self, word: &str) -> Vec<f64> {
        let said = self.arena.dir.text("said");
        said.lines()
            .filter_map(|line| line.split_once(word)?.1.trim().parse().ok())
            .collect()
    }

    /// The processor time that the rogue has used in its pauses, in seconds.
    fn spun(&self) -> f64 {
        let spun = self.comments("# spun ");
        assert!(spun.len() >= 3, "{spun:?}");
        spun[spun.len() - 1] - spun[0]
    }

    /// The times of a player's replies, in seconds.
    fn times(&self, side: u64) -> impl Iterator<Item = f64> {
        let shots = self.game.0["shots"].as_array().unwrap().iter();
        shots
            .filter(move |shot| shot[0] == side)
            .map(|shot| shot[4].as_f64().unwrap() / 1e6)
    }

    /// The rogue was stopped, with a warning.
    fn is_stopped(&self) {
        let warnings = &self.game.0["players"][0]["warnings"];
        assert!(
            warnings.to_string().contains("was stopped meanwhile"),
            "{warnings}"
        );
    }

    fn is_never_stopped(&self) {
        assert_eq!(self.comments("# continued "), [0.0; 0]);
        assert_eq!(self.game.0["players"][0]["warnings"].to_string(), "[]");
    }
}

/// What the cheat uses while its opponent computes for 2 s is little.
fn gains_nothing(mode: Mode, options: &str, cheat: &str) {
    // It would have half of the core, and so as much as the opponent, in each game. The referee
    // stops it when it sees it, which takes a while where sixty processes of each of some tests
    // want the same cores: the least of a few games counts.
    let is_little = |_| {
        let played = Played::new(mode, &format!("--max-turns 3 {options}"), LONG, cheat);
        played.is_stopped();
        played.spun() < 1.7 * LONG
    };
    assert!(
        (0..5).any(is_little),
        "{mode:?} {options}: in none of the games"
    );
}

/// Each reply comes before the referee would stop the rogue in that pause.
fn short_pauses_are_added_up(mode: Mode) {
    let is_stopped = |_| {
        let played = Played::new(mode, "--max-turns 40", 0.05, TWENTY);
        played.is_stopped();
        played.spun() < 0.7 * 40.0 * 0.05
    };
    assert!((0..5).any(is_stopped), "{mode:?}: in none of the games");
}

/// Replies that take as long as a few looks. The opponent measures how long they take, by a clock
/// that does not stop; that of the game does not run while the rogue has the core.
fn short_replies_cost_their_own_time(mode: Mode) {
    let mut played = Vec::new();
    let is_given_back = |_| {
        let game = Played::new(mode, "--max-turns 40 --ponder --clock 100s", 0.015, TWENTY);
        let spun = game.spun();
        let took = game.comments("# took ");
        let took = took[..took.len() - 1].iter().sum::<f64>();
        let left = game.comments("# left ");
        let charged = left[0] - left[left.len() - 1];
        played.push([took, charged, spun]);
        took - charged > 0.4 * spun
    };
    // On a machine with much else to do the looks come late: the best of a few games counts.
    assert!((0..5).any(is_given_back), "{played:?}");
}

fn sixty_processes_take_no_time(mode: Mode) {
    gains_nothing(mode, "", CHEATS[0].1);
}

/// Where it may use all cores, neither.
fn a_bot_that_computes_unasked_gains_nothing((_, cheat): (&str, &str)) {
    for options in ["", "--no-pin"] {
        gains_nothing(Mode::Plain, options, cheat);
    }
}

/// It wakes up many times in each pause, as the threads of some runtimes do.
fn a_bot_that_only_sleeps_gets_no_signal(mode: Mode) {
    let sleeps = "
def sleeps():
    while True: time.sleep(0.05)
def start(): thread(sleeps)
";
    Played::new(mode, "--max-turns 3", SHORT, sleeps).is_never_stopped();
}

/// It computes nothing; its opponent has computed for a second meanwhile.
fn a_stopped_bot_replies_in_time(mode: Mode) {
    let played = Played::new(mode, "--max-turns 2", LONG, PONDERS);
    played.is_stopped();
    let times: Vec<_> = played.times(0).collect();
    assert!(
        times.len() == 2 && times.iter().all(|time| *time < 0.9),
        "{times:?}"
    );
}

/// On one core each of the two gets half of it. The opponent measures how long it takes, by a clock
/// that does not stop; that of the referee does not run while the rogue has the core.
fn a_bot_may_ponder_if_terms_allow(mode: Mode) {
    let played = Played::new(mode, "--max-turns 3 --ponder", SHORT, PONDERS);
    played.is_never_stopped();
    let spun = played.spun();
    assert!(spun > SHORT / 2.0, "{spun}");
    let took = played.comments("# took ").iter().sum::<f64>();
    let recorded = played.times(1).sum::<f64>();
    // In three replies; the rogue has told what it used in two of the pauses.
    assert!(
        took - recorded > spun / 2.0,
        "{took} s, {recorded} s, {spun} s"
    );
}

/// It has its time to do so.
fn a_stopped_bot_leaves_when_told(mode: Mode) {
    let leaves = "
def leave():
    open(HERE + '/left', 'w').close()
    os._exit(0)
sys.exit = leave
# What it says as it continues could not be written any more.
signal.signal(signal.SIGCONT, signal.SIG_DFL)
";
    let played = Played::new(mode, "--max-turns 2", SHORT, &format!("{PONDERS}{leaves}"));
    played.is_stopped();
    assert!(played.arena.dir.path("left").exists());
}
