//! Attacks on other processes, and attempts to outlive the game.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

use super::{Mode, arena, attempts, look_after, rogue};
use testkit::arena::until;
use testkit::list::Tests;
use testkit::programs::text_of;
use testkit::tools::{ROOT, SETPRIV, SYSTEM_PYTHON, UNIX};
use testkit::user::{User, open_to_all};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, SETPRIV, SYSTEM_PYTHON], |tests| {
        rows!(
            tests,
            Mode::ALL,
            nothing_is_left_of_a_bot_with_many_processes_that_compute,
            1
        );
        rows!(tests, Mode::ALL, no_process_of_the_user_is_made_to_give_way);
        rows!(
            tests,
            Mode::ALL,
            a_bot_stays_the_first_to_be_ended_when_memory_runs_out
        );
    });
    tests.needing(&[UNIX, ROOT, SETPRIV, SYSTEM_PYTHON], |tests| {
        rows!(
            tests,
            Mode::ALL,
            a_bot_does_not_freeze_or_kill_by_control_groups
        );
    });
    tests.needing(&[UNIX, SYSTEM_PYTHON], |tests| {
        rows!(tests, SIGNALS, a_bot_that_any_signal_ends_has_crashed);
    });
}

/// Many more than there are cores. They ask for no processor time of others in their own
/// sessions.
const SPINNERS: &str = "
def attacked():
    if shots:
        say('nonsense')
        time.sleep(60)
    for spinner in range(120):
        if os.fork() == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(60)
            os.setsid()
            for ignored in [signal.SIGTERM, signal.SIGHUP]: signal.signal(ignored, signal.SIG_IGN)
            while True: pass
    reply()
";

/// Its supervisor gets little of the processor, and the referee does not wait for it for ever.
fn nothing_is_left_of_a_bot_with_many_processes_that_compute(mode: Mode) {
    for user in User::all() {
        let temporary = tempfile::tempdir().unwrap();
        open_to_all(temporary.path());
        user.give(temporary.path());
        let mut arena = arena(&user, mode).variable("TMPDIR", temporary.path().to_str().unwrap());
        if mode != Mode::Plain {
            arena = arena.with(&["--max-threads", "128"]);
        }
        let seen = arena.play([&rogue(&arena, SPINNERS), "awful"]);
        seen.is_forfeit("bad_reply", "expected \"attack ROW COL\", got \"nonsense\"");
        let left: Vec<_> = fs::read_dir(temporary.path()).unwrap().flatten().collect();
        assert!(left.is_empty(), "{user:?}: {left:?}");
    }
}

/// A process of the user that runs the referee, and that has nothing to do with a game.
struct Bystander(Child);

impl Bystander {
    fn new(user: &User) -> Bystander {
        Bystander(user.command(&["sleep", "60"]).spawn().unwrap())
    }

    /// Returns how much it gives way to others: field 19 of `proc_pid_stat(5)`.
    fn nice(&self) -> String {
        let stat = text_of(format!("/proc/{}/stat", self.0.id()));
        let fields = stat.rsplit_once(')').unwrap().1;
        fields.split_whitespace().nth(16).unwrap().to_owned()
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn no_process_of_the_user_is_made_to_give_way(mode: Mode) {
    for user in User::all() {
        let (arena, bystander) = (arena(&user, mode), Bystander::new(&user));
        let before = bystander.nice();
        attempts(
            &arena,
            "
def deeds():
    for who in [0, os.getuid()]:
        attempt('all of the user', os.setpriority, os.PRIO_USER, who, 19)
        attempt('all of the user', call, 141, os.PRIO_USER | 1 << 32, who, 19)
        attempt('the disk too', call, 251, 3, who, 3 << 13)
",
        );
        assert_eq!(bystander.nice(), before, "{user:?}");
    }
}

/// A control group that its user may use as it likes, as a login of systemd has one.
struct OwnGroup(Vec<PathBuf>);

impl OwnGroup {
    /// Makes one in each hierarchy that can freeze or kill.
    fn new(user: &User, name: &str) -> OwnGroup {
        let tops = [
            "/sys/fs/cgroup",
            "/sys/fs/cgroup/unified",
            "/sys/fs/cgroup/freezer",
        ];
        let tops = tops
            .iter()
            .map(Path::new)
            .filter(|top| top.join("cgroup.procs").exists());
        let folders = tops
            .map(|top| top.join(name))
            .filter(|folder| fs::create_dir(folder).is_ok());
        let group = OwnGroup(folders.collect());
        for folder in &group.0 {
            user.give(folder);
            fs::read_dir(folder)
                .unwrap()
                .flatten()
                .for_each(|file| user.give(&file.path()));
        }
        group
    }
}

impl Drop for OwnGroup {
    fn drop(&mut self) {
        for folder in &self.0 {
            let below = fs::read_dir(folder).into_iter().flatten().flatten();
            below.for_each(|entry| drop(fs::remove_dir(entry.path())));
            until("the group is empty", || {
                fs::remove_dir(folder).is_ok() || !folder.exists()
            });
        }
    }
}

/// Freezes, kills and limits all that is in the groups of its user. The opponent and the referee are there.
const FREEZES: &str = "
def deeds():
    for group in GROUPS:
        found = [at for at, _, _ in os.walk(group)] + [group]
        for at in found:
            for file, word in [('cgroup.max.depth', '7'), ('cgroup.freeze', '1'), ('cgroup.kill', '1'),
                    ('freezer.state', 'FROZEN'), ('cgroup.procs', str(os.getpid()))]:
                def writes():
                    with open(os.path.join(at, file), 'r+') as switch: switch.write(word)
                attempt(at + file, writes)
";

fn a_bot_does_not_freeze_or_kill_by_control_groups(mode: Mode) {
    let user = User::ordinary();
    let group = OwnGroup::new(
        &user,
        &format!("battleship-attack-{}-{mode:?}", std::process::id()),
    );
    assert!(!group.0.is_empty());
    let joins = group
        .0
        .iter()
        .map(|folder| format!("echo $$ > {}/cgroup.procs; ", folder.display()));
    let script = joins.collect::<String>() + "exec \"$0\" \"$@\"";
    let arena = arena(&user, mode).wrapped(&["sh", "-c", &script]);
    let groups = group
        .0
        .iter()
        .map(|folder| folder.display().to_string())
        .collect::<Vec<_>>();
    attempts(&arena, &format!("GROUPS = {groups:?}\n{FREEZES}"));
    for folder in &group.0 {
        let file = folder.join("cgroup.max.depth");
        assert!(!file.exists() || text_of(&file).trim() == "max");
    }
}

/// Without a sandbox too the kernel would otherwise end something else when memory runs out.
fn a_bot_stays_the_first_to_be_ended_when_memory_runs_out(mode: Mode) {
    let program = "
def deeds():
    for score in ['0', '-1000']:
        attempt('score', lambda: open('/proc/self/oom_score_adj', 'w').write(score))
";
    for user in User::all() {
        let score = |bot: &str| text_of(format!("/proc/{bot}/oom_score_adj"));
        assert_eq!(
            look_after(&arena(&user, mode), program, score).trim(),
            "1000",
            "{user:?}"
        );
    }
}

/// Signals that a program rarely gets, and that runtimes use for their own.
const SIGNALS: [(&str, &str); 6] = [
    ("16", "16"),
    ("29", "29"),
    ("30", "30"),
    ("34", "34"),
    ("40", "40"),
    ("64", "64"),
];

fn a_bot_that_any_signal_ends_has_crashed((_, number): (&str, &str)) {
    for mode in Mode::ALL {
        let arena = arena(&User::Own, mode);
        let program = format!(
            "
def attacked():
    os.kill(os.getpid(), {number})
    time.sleep(60)
"
        );
        let seen = arena.play([&rogue(&arena, &program), "awful"]);
        let expected = format!("rogue forfeits: was ended by signal {number}");
        assert!(
            seen.reason().starts_with(&expected),
            "{mode:?}: {}",
            seen.reason()
        );
        assert_eq!(seen.ended_by(), "crashed");
    }
}
