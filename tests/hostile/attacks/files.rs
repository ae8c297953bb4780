//! Attacks on files and on services of the user.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Mode, arena, attempts};
use testkit::arena::Arena;
use testkit::list::Tests;
use testkit::tools::{SETPRIV, SYSTEM_PYTHON, UNIX};
use testkit::user::{User, open_to_all};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, SETPRIV, SYSTEM_PYTHON], |tests| {
        rows!(
            tests,
            Mode::ALL,
            a_service_is_reached_by_its_socket_outside_the_sandbox_only
        );
        rows!(tests, Mode::ALL, a_file_is_changed_outside_the_sandbox_only);
        rows!(
            tests,
            Mode::SANDBOXES,
            the_folder_of_a_bot_is_gone_whatever_it_leaves_there
        );
    });
    tests.needing(&[UNIX, SYSTEM_PYTHON], |tests| {
        rows!(
            tests,
            Mode::SANDBOXES,
            the_passwords_of_the_system_cannot_be_read
        );
    });
}

/// The two places for a target: a folder of the user's, and one in the bot's own, which it can see in every sandbox.
struct Places(TempDir, PathBuf);

impl Places {
    fn new(user: &User, arena: &Arena) -> Places {
        let (elsewhere, own) = (tempfile::tempdir().unwrap(), arena.folder().join("own"));
        fs::create_dir(&own).unwrap();
        open_to_all(elsewhere.path());
        user.give(elsewhere.path());
        user.give(&own);
        Places(elsewhere, own)
    }

    fn each(&self) -> [&Path; 2] {
        [self.0.path(), &self.1]
    }

    /// Returns the places as the attacker has them.
    fn in_python(&self) -> String {
        format!(
            "PLACES = {:?}\n",
            self.each().map(|place| place.display().to_string())
        )
    }
}

const CONNECTS: &str = "
import socket
def deeds():
    for place in PLACES:
        stream, datagram = place + '/stream', place + '/datagram'
        attempt('connect', lambda: socket.socket(socket.AF_UNIX).connect(stream))
        def sends():
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'run this', datagram)
        attempt('send', sends)
        def sends_by_one_of_a_pair(kind):
            one, other = socket.socketpair(socket.AF_UNIX, kind)
            one.sendmsg([b'run this'], [], 0, datagram)
        for kind in [socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_STREAM, socket.SOCK_RAW]:
            attempt('send by one of a pair', sends_by_one_of_a_pair, kind)
";

/// A terminal multiplexer, an agent, a bus or a container service would run a command for it, outside.
fn a_service_is_reached_by_its_socket_outside_the_sandbox_only(mode: Mode) {
    for user in User::all() {
        let arena = arena(&user, mode);
        let places = Places::new(&user, &arena);
        let sockets = places.each().map(|place| {
            let listener = UnixListener::bind(place.join("stream")).unwrap();
            let receiver = UnixDatagram::bind(place.join("datagram")).unwrap();
            listener.set_nonblocking(true).unwrap();
            receiver.set_nonblocking(true).unwrap();
            for name in ["stream", "datagram"] {
                fs::set_permissions(place.join(name), PermissionsExt::from_mode(0o777)).unwrap();
            }
            (listener, receiver)
        });
        attempts(&arena, &format!("{}{CONNECTS}", places.in_python()));
        for (listener, receiver) in sockets {
            let reached = [
                listener.accept().is_ok(),
                receiver.recv(&mut [0; 16]).is_ok(),
            ];
            assert_eq!(reached, [mode == Mode::Plain; 2], "{user:?}");
        }
    }
}

/// Landlock covers none of these, but for those that name a file in order to write in it.
const CHANGES: &str = "
import fcntl, struct
HERE = -100
def deeds():
    for place in PLACES:
        path = place + '/file'
        name = address(path.encode())
        try: file = os.open(path, os.O_RDONLY)
        except OSError: file = 10000
        attempt('chmod', os.chmod, path, 0o777)
        attempt('fchmod', lambda: os.fchmod(file, 0o777))
        attempt('fchmodat2', call, 452, HERE, name, 0o4777, 0)
        attempt('chown', os.chown, path, os.getuid(), os.getgid())
        attempt('fchown', lambda: os.fchown(file, os.getuid(), os.getgid()))
        attempt('utime', os.utime, path, (1, 1))
        attempt('futimens', lambda: os.utime(file, (1, 1)))
        attempt('setxattr', os.setxattr, path, 'user.x', b'x')
        attempt('fsetxattr', lambda: os.setxattr(file, 'user.x', b'x'))
        attempt('setxattrat', call, 463, HERE, name, 0, address(b'user.x'), 0, 0)
        attempt('flags', lambda: fcntl.ioctl(file, 0x40086602, struct.pack('l', 0x80)))
        attempt('link', os.link, path, path + '2')
        attempt('link', os.link, path, os.environ['HOME'] + '/file')
        attempt('append', lambda: open(path, 'a').write('x'))
        attempt('truncate', os.truncate, path, 1)
        attempt('rename', os.rename, path, place + '/moved')
        attempt('remove', os.remove, path)
        attempt('make', lambda: open(place + '/made', 'w'))
";

/// Returns the entries of a folder, with the time of the last change of whatever kind, which no program can set.
fn state_of(folder: &Path) -> Vec<(String, u32, i64, i64)> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut state: Vec<_> = entries
        .map(|entry| {
            let data = entry.metadata().unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, data.mode(), data.ctime(), data.ctime_nsec())
        })
        .collect();
    state.sort();
    state
}

fn a_file_is_changed_outside_the_sandbox_only(mode: Mode) {
    for user in User::all() {
        let arena = arena(&user, mode);
        let places = Places::new(&user, &arena);
        for place in places.each() {
            fs::write(place.join("file"), "private").unwrap();
            user.give(&place.join("file"));
        }
        let before = places.each().map(state_of);
        attempts(&arena, &format!("{}{CHANGES}", places.in_python()));
        let unchanged = places.each().map(state_of) == before;
        assert_eq!(
            unchanged,
            mode != Mode::Plain,
            "{user:?}: {:?}",
            places.each().map(state_of)
        );
    }
}

/// The code that leaves folders that cannot be listed, nor followed by a path.
const CLUTTER: &str = "
def deeds():
    os.makedirs('closed/inside')
    open('closed/inside/file', 'w').close()
    for name in range(2000):
        os.mkdir('deep')
        os.chdir('deep')
    os.chdir(os.environ['HOME'])
    for mode in [0, 0o100, 0o200, 0o500]:
        os.mkdir(f'folder {mode}')
        os.open(f'folder {mode}/file', os.O_CREAT, 0)
        attempt('close', os.chmod, f'folder {mode}', mode)
    os.umask(0o777)
    os.mkdir('closed from its beginning')
";

fn the_folder_of_a_bot_is_gone_whatever_it_leaves_there(mode: Mode) {
    for user in User::all() {
        let temporary = tempfile::tempdir().unwrap();
        open_to_all(temporary.path());
        user.give(temporary.path());
        let arena = arena(&user, mode).variable("TMPDIR", temporary.path().to_str().unwrap());
        attempts(&arena, CLUTTER);
        let left: Vec<_> = fs::read_dir(temporary.path()).unwrap().flatten().collect();
        assert!(left.is_empty(), "{user:?}: {left:?}");
    }
}

/// Bots that root starts lack root's power to read it.
fn the_passwords_of_the_system_cannot_be_read(mode: Mode) {
    let arena = arena(&User::Own, mode);
    attempts(
        &arena,
        "
def deeds():
    for file in ['shadow', 'gshadow', 'sudoers', 'ssh/ssh_host_rsa_key']:
        try: open('/etc/' + file).read()
        except OSError: continue
        os._exit(77)
",
    );
}
