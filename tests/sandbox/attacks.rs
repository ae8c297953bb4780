//! Attacks by bots that know how they are confined, run by root and by an ordinary user. What a
//! service, a file or a process suffers is looked at from outside.
//!
//! Each attack is made where it has to fail. Outside the sandbox some of them succeed, as they may:
//! bots there are trusted with the files of their user. This also shows that the attempts are such
//! as could succeed.

use std::os::unix::net::{UnixDatagram, UnixListener};

use testkit::arena::{Arena, Mode, text_of_process, until};
use testkit::list::Tests;
use testkit::tools::{LANDLOCK, ROOT, SETPRIV, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[LANDLOCK, SETPRIV, SYSTEM_PYTHON], |tests| {
        rows!(
            tests,
            Mode::ALL,
            attacks_have_effects_outside_the_sandbox_only
        );
        rows!(tests, Mode::ALL, nothing_is_left_of_computing_processes, 1);
        rows!(tests, Mode::SANDBOXES, others_get_what_every_program_needs);
        tests.needing(&[ROOT], |tests| {
            rows!(tests, Mode::ALL, control_groups_freeze_nobody);
        });
    });
}

/// A terminal multiplexer, an agent, a bus or a container service would run a command for a bot,
/// outside.
const CONNECTS: &str = "
import socket
def connects(to):
    socket.socket(socket.AF_UNIX).connect(to)
def sends(to):
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'run this', to)
def sends_by_one_of_a_pair(kind, to):
    one, other = socket.socketpair(socket.AF_UNIX, kind)
    one.sendmsg([b'run this'], [], 0, to)
def connects_to_services():
    for place in PLACES:
        to = place + '/datagram'
        attempt(place, connects, place + '/stream')
        attempt(to, sends, to)
        for kind in [1, 2, 3, 5]: attempt(kind, sends_by_one_of_a_pair, kind, to)
";

/// Landlock covers none of these, but for those that name a file in order to write in it.
const CHANGES: &str = "
import fcntl, struct
def changes_files():
    for place in PLACES:
        path = place + '/file'
        name = address(path.encode())
        try: file = os.open(path, os.O_RDONLY)
        except OSError: file = 10000
        attempt('chmod', os.chmod, path, 0o777)
        attempt('fchmod', lambda: os.fchmod(file, 0o777))
        attempt('fchmodat2', call, 452, -100, name, 0o4777, 0)
        attempt('chown', os.chown, path, os.getuid(), os.getgid())
        attempt('fchown', lambda: os.fchown(file, os.getuid(), os.getgid()))
        attempt('utime', os.utime, path, (1, 1))
        attempt('futimens', lambda: os.utime(file, (1, 1)))
        attempt('setxattr', os.setxattr, path, 'user.x', b'x')
        attempt('fsetxattr', lambda: os.setxattr(file, 'user.x', b'x'))
        attempt('setxattrat', call, 463, -100, name, 0, address(b'user.x'), 0, 0)
        attempt('flags', lambda: fcntl.ioctl(file, 0x40086602, struct.pack('l', 0x80)))
        attempt('link', os.link, path, path + '2')
        attempt('link', os.link, path, os.environ['HOME'] + '/file')
        attempt('append', lambda: open(path, 'a').write('x'))
        attempt('truncate', os.truncate, path, 1)
        attempt('rename', os.rename, path, place + '/moved')
        attempt('remove', os.remove, path)
        attempt('make', lambda: open(place + '/made', 'w'))
";

/// By objects of System V a bot would learn from an earlier game, or from another bot. Nothing
/// gives way to a bot, which stays the first to be ended when memory runs out: otherwise the kernel
/// would end something else. Bots that root starts lack root's power to read passwords.
const OTHERS: &str = "
def makes_objects():
    for number, *arguments in [(29, 4096, 0o1666), (64, 1, 0o1666), (68, 0o1666)]:
        attempt(number, call, number, int(MARK), *arguments)
def has_others_give_way():
    for who in [0, os.getuid()]:
        attempt('all of the user', os.setpriority, os.PRIO_USER, who, 19)
        attempt('all of the user', call, 141, os.PRIO_USER | 1 << 32, who, 19)
        attempt('the disk too', call, 251, 3, who, 3 << 13)
    for score in ['0', '-1000']:
        attempt('score', lambda: open('/proc/self/oom_score_adj', 'w').write(score))
    assert int(open('/proc/self/oom_score_adj').read()) >= 900
def reads_passwords():
    findings.clear()
    for file in ['shadow', 'gshadow', 'sudoers', 'ssh/ssh_host_rsa_key']:
        attempt(file, lambda: open('/etc/' + file).read())
    assert MODE == 'plain' or 'succeeded' not in findings.values(), findings
def deed():
    connects_to_services()
    changes_files()
    makes_objects()
    has_others_give_way()
    reads_passwords()
";

/// In a folder of the user's in the bot's own, which every sandbox shows, and in one elsewhere.
fn attacks_have_effects_outside_the_sandbox_only(mode: Mode) {
    for arena in Arena::of_all(mode) {
        let places = [&arena.dir, &arena.home].map(|dir| {
            dir.file("place/file", "private");
            dir.path("place").display().to_string()
        });
        let sockets = places.each_ref().map(|place| {
            let listener = UnixListener::bind(format!("{place}/stream")).unwrap();
            let receiver = UnixDatagram::bind(format!("{place}/datagram")).unwrap();
            listener.set_nonblocking(true).unwrap();
            receiver.set_nonblocking(true).unwrap();
            (listener, receiver)
        });
        let sleeps = format!("{} sleep 60", arena.user);
        let mut other = arena.dir.program("env", &sleeps).spawn();
        let arena = arena.deed(&format!("PLACES = {places:?}{CONNECTS}{CHANGES}{OTHERS}"));
        // With the time of the last change of whatever kind, which no program can set. Sockets are
        // not looked at.
        let state = || {
            let words = places.join(" ") + " ! -type s -printf '%p %m %C@\\n'";
            arena.dir.program("find", &words).succeeds().stdout
        };
        // How much another program gives way to others: field 19 of `proc_pid_stat(5)`.
        let nice = || {
            let stat = text_of_process(other.id(), "stat");
            stat.split(' ').nth(18).map(str::to_owned)
        };
        // The files are given to the user then.
        drop(arena.run());
        let before = (state(), nice());
        arena.wins();
        assert_eq!(before.1, nice());
        let after = state();
        assert_eq!(before.0 == after, mode != Mode::Plain, "{arena:?}: {after}");
        other.kill().unwrap();
        other.wait().unwrap();
        for (listener, receiver) in sockets {
            let reached = [
                listener.accept().is_ok(),
                receiver.recv(&mut [0; 16]).is_ok(),
            ];
            assert_eq!(reached, [mode == Mode::Plain; 2], "{places:?}");
        }
        let mark = &arena.mark;
        let look = format!("-c 'cat /proc/sysvipc/*; ipcrm -M {mark} -S {mark} -Q {mark} 2>&1'");
        let left = arena.dir.program("sh", &look).ends().stdout;
        let kinds = left
            .lines()
            .filter(|line| line.split_whitespace().next() == Some(mark));
        let expected = if mode == Mode::Plain { 3 } else { 0 };
        assert_eq!(kinds.count(), expected, "{arena:?}: {left}");
    }
}

/// Many more than there are cores. They ask for no processor time of others in their own sessions:
/// the bot's supervisor gets little of the processor, and the referee does not wait for it for
/// ever.
fn nothing_is_left_of_computing_processes(mode: Mode) {
    let spinners = "
def attacked():
    if shots:
        say('nonsense')
        time.sleep(60)
    for spinner in range(30):
        if os.fork() == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(60)
            os.setsid()
            for ignored in [signal.SIGTERM, signal.SIGHUP]: signal.signal(ignored, signal.SIG_IGN)
            while True: pass
    reply()
";
    for arena in Arena::of_all(mode) {
        let options = if mode == Mode::Plain {
            ""
        } else {
            "--max-threads 128"
        };
        let arena = arena.with("--limit 60s").with(options).python(spinners);
        arena
            .play()
            .forfeits("bad_reply", "expected \"attack ROW COL\", got \"nonsense\"");
    }
}

/// Of some things the kernel has a number for each user, and those in a bot's own namespace for
/// users count among them.
fn others_get_what_every_program_needs(mode: Mode) {
    let takes = "
def takes(*arguments):
    for _ in range(200000): call(*arguments)
def deed():
    space = ctypes.addressof(ctypes.create_string_buffer(8))
    attempt('instances of inotify', takes, 294, 0)
    attempt('timers', takes, 222, 0, 0, space)
    # Its name is all that a bot in any sandbox can show to others.
    name = MARK.encode()
    call(157, 15, address(name))
    while not os.path.exists(HERE + '/looked'): time.sleep(0.01)
";
    let asks = "
import ctypes
libc, space = ctypes.CDLL(None), ctypes.create_string_buffer(8)
assert libc.inotify_init() >= 0
assert libc.syscall(222, 0, None, space) >= 0
";
    for arena in Arena::of_all(mode) {
        let arena = arena.with("--limit 60s").deed(takes);
        arena
            .play_while(|_| {
                until("the bot has taken all", || {
                    let processes = arena.processes();
                    processes.iter().any(|process| process.ends_with("/comm"))
                });
                let python = format!("{} /usr/bin/python3 -c", arena.user);
                arena.dir.program("env", &python).arg(asks).succeeds();
                arena.dir.file("looked", "");
            })
            .won_by("rogue");
    }
}

/// Runs the referee in a control group that its user may use as he likes, as a login of systemd has
/// one: in each hierarchy that can freeze or kill. Fails if there is none, or if the bot has
/// limited what is in it.
const IN_GROUP: &str = "groups=
for top in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/freezer; do
  [ -e $top/cgroup.procs ] && mkdir $top/$HOSTILE_MARK || continue
  groups=\"$groups $top/$HOSTILE_MARK\"
  chown -R 1500 $top/$HOSTILE_MARK
  echo $$ > $top/$HOSTILE_MARK/cgroup.procs
done
\"$@\"
code=$?
[ -n \"$groups\" ] || code=9
for group in $groups; do
  [ ! -e $group/cgroup.max.depth ] || grep -qx max $group/cgroup.max.depth || code=10
  echo $$ > $group/../cgroup.procs
  until rmdir $group; do rmdir $group/*; sleep 0.01; done
done
exit $code
";

/// Freezes, kills and limits all that is in the groups of its user. The opponent and the referee
/// are there.
const FREEZES: &str = "
import glob
def writes(name, word):
    with open(name, 'r+') as switch: switch.write(word)
def deed():
    for group in glob.glob('/sys/fs/cgroup/' + MARK) + glob.glob('/sys/fs/cgroup/*/' + MARK):
        for at in [at for at, _, _ in os.walk(group)] + [group]:
            for file, word in [('cgroup.max.depth', '7'), ('cgroup.freeze', '1'), ('cgroup.kill', '1'),
                    ('freezer.state', 'FROZEN'), ('cgroup.procs', str(os.getpid()))]:
                attempt(at + file, writes, os.path.join(at, file), word)
    assert findings or MODE != 'plain'
";

fn control_groups_freeze_nobody(mode: Mode) {
    let arena = Arena::of_all(mode).pop().unwrap();
    arena.home.file("in-group", IN_GROUP);
    let script = format!("sh {}", arena.home.path("in-group").display());
    arena.after(&script).deed(FREEZES).wins();
}
