//! Attacks by objects of the kernel that belong to no process.

use std::collections::BTreeSet;

use super::{Mode, arena, attempts, look_after};
use testkit::list::Tests;
use testkit::programs::text_of;
use testkit::tools::{LANDLOCK, NAMESPACES, SETPRIV, SYSTEM_PYTHON, UNIX};
use testkit::user::User;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, SETPRIV, SYSTEM_PYTHON], |tests| {
        rows!(
            tests,
            Mode::ALL,
            objects_of_system_v_stay_after_a_game_outside_the_sandbox_only
        );
    });
    tests.needing(
        &[UNIX, LANDLOCK, NAMESPACES, SETPRIV, SYSTEM_PYTHON],
        |tests| {
            rows!(
                tests,
                SUPPLIES,
                a_bot_leaves_its_user_what_every_program_needs
            );
        },
    );
}

/// The number under which the attacker makes its objects, so that they are known from outside.
fn key_of(mode: Mode, user: &User) -> i32 {
    let user = i32::from(matches!(user, User::Ordinary(_)));
    0x0ba7_0000 + (i32::try_from(std::process::id()).unwrap() & 0xfff) * 8 + mode as i32 * 2 + user
}

const OBJECTS: &str = "
def deeds():
    for name, number, arguments in [('shm', 29, [4096, 0o1666]), ('sem', 64, [1, 0o1666]), ('msg', 68, [0o1666])]:
        attempt(name, call, number, KEY, *arguments)
";

/// Returns the kinds of objects that there are with this number.
fn kinds_with(key: i32) -> BTreeSet<&'static str> {
    let has = |kind: &str| {
        let list = text_of(format!("/proc/sysvipc/{kind}"));
        list.lines()
            .any(|line| line.split_whitespace().next() == Some(&key.to_string()))
    };
    ["shm", "sem", "msg"]
        .into_iter()
        .filter(|kind| has(kind))
        .collect()
}

/// By them a bot would hear from an earlier game, or from another bot.
fn objects_of_system_v_stay_after_a_game_outside_the_sandbox_only(mode: Mode) {
    for user in User::all() {
        let (arena, key) = (arena(&user, mode), key_of(mode, &user));
        attempts(&arena, &format!("KEY = {key}\n{OBJECTS}"));
        let left = kinds_with(key);
        let key = key.to_string();
        let removal = ["-M", &key, "-S", &key, "-Q", &key];
        let _ = std::process::Command::new("ipcrm").args(removal).output();
        let expected: &[_] = if mode == Mode::Plain {
            &["msg", "sem", "shm"]
        } else {
            &[]
        };
        assert_eq!(
            left.iter().copied().collect::<Vec<_>>(),
            expected,
            "{user:?}"
        );
    }
}

/// A resource, the code by which a bot takes all of it, and the code by which another program of its user asks for one. The
/// kernel has a number of them for each user; those in a bot's own namespace for users count among them.
const SUPPLIES: [(&str, &str, &str); 2] = [
    (
        "instances of inotify",
        "call(294, 0)",
        "libc.inotify_init()",
    ),
    (
        "timers",
        "call(222, 0, 0, space)",
        "libc.syscall(222, 0, None, space)",
    ),
];

fn a_bot_leaves_its_user_what_every_program_needs((name, takes, asks): (&str, &str, &str)) {
    let program = format!(
        "
def deeds():
    space = ctypes.addressof(ctypes.create_string_buffer(8))
    def takes():
        for _ in range(200000): {takes}
    attempt('take', takes)
"
    );
    let asks = format!(
        "import ctypes, sys
libc, space = ctypes.CDLL(None), ctypes.create_string_buffer(8)
sys.exit({asks} < 0)"
    );
    for user in User::all() {
        for mode in Mode::SANDBOXES {
            let is_left = look_after(&arena(&user, mode), &program, |_| {
                user.command(&["/usr/bin/python3", "-c", &asks])
                    .status()
                    .unwrap()
                    .success()
            });
            assert!(is_left, "{name}, {mode:?}, {user:?}");
        }
    }
}
