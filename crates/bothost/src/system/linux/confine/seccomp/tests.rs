//! Each call under each filter, in a thread of its own: a filter confines the thread that installs it, for good.

use std::io;

use super::*;

/// The filter of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    None,
    EveryBot,
    Basic,
    World,
    WorldWithMemfd,
}

use Filter::{Basic, EveryBot, World, WorldWithMemfd};

impl Filter {
    const ALL: [Filter; 5] = [Filter::None, EveryBot, Basic, World, WorldWithMemfd];

    fn install(self) {
        match self {
            Filter::None => Ok(()),
            EveryBot => for_every_bot(),
            Basic => basic(false),
            World => world(false),
            WorldWithMemfd => world(true),
        }
        .unwrap();
    }
}

/// Runs `deed` in a thread under a filter.
fn under<T: Send>(filter: Filter, deed: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            filter.install();
            deed()
        });
        thread.join().unwrap()
    })
}

/// Makes a call and returns its result, or the number of its error.
fn call(number: i64, arguments: [i64; 6]) -> Result<i64, i32> {
    #[allow(unsafe_code, reason = "the standard library has no call by number")]
    // SAFETY: every call here fails on its arguments, or changes nothing but the thread that makes it, or a file that
    // was made for it.
    let result = unsafe {
        libc::syscall(
            number,
            arguments[0],
            arguments[1],
            arguments[2],
            arguments[3],
            arguments[4],
            arguments[5],
        )
    };
    if result < 0 {
        Err(io::Error::last_os_error().raw_os_error().unwrap())
    } else {
        Ok(result)
    }
}

/// Arguments with which no call does anything: no pointer, no descriptor, no process, no known flags.
const WRONG: [i64; 6] = [-1; 6];

const REFUSED: Result<i64, i32> = Err(libc::EPERM);

#[test]
fn calls_no_bot_needs_are_refused() {
    for number in [lists::MACHINE, lists::SHARED, lists::NOTIFICATION].concat() {
        for filter in [Basic, World, WorldWithMemfd] {
            let result = under(filter, || call(number, WRONG));
            assert_eq!(result, REFUSED, "{number} under {filter:?}");
        }
    }
    // It is the filter: these calls need no privilege.
    for number in lists::SHARED {
        for filter in [Filter::None, EveryBot] {
            let result = under(filter, || call(*number, WRONG));
            assert_ne!(result, REFUSED, "{number} under {filter:?}");
        }
    }
}

#[test]
fn attributes_of_the_users_files_stay() {
    for number in lists::ATTRIBUTES {
        for filter in Filter::ALL {
            let result = under(filter, || call(*number, WRONG));
            assert_eq!(
                result == REFUSED,
                filter == Basic,
                "{number} under {filter:?}: {result:?}"
            );
        }
    }
}

#[test]
fn modes_stay_in_the_basic_sandbox_only() {
    use std::os::unix::fs::PermissionsExt;
    for (filter, expected) in [(EveryBot, 0o640), (World, 0o640), (Basic, 0o600)] {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mode = || file.as_file().metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        let wanted = std::fs::Permissions::from_mode(0o640);
        let result = under(filter, || std::fs::set_permissions(file.path(), wanted));
        assert_eq!(
            (result.is_ok(), mode()),
            (expected == 0o640, expected),
            "{filter:?}"
        );
    }
}

/// Two bots in different worlds once told each other their fleets by locks on a file that both could read.
#[test]
fn a_lock_is_seen_by_no_one() {
    use std::os::fd::AsRawFd;

    let file = tempfile::NamedTempFile::new().unwrap();
    let lock = libc::flock {
        l_type: libc::F_WRLCK.try_into().unwrap(),
        l_whence: 0,
        l_start: 1000,
        l_len: 1,
        l_pid: 0,
    };
    let pointer = i64::try_from((&raw const lock).addr()).unwrap();
    for filter in [Basic, World, WorldWithMemfd] {
        under(filter, || {
            let inside = i64::from(file.as_file().as_raw_fd());
            let exclusive = i64::from(libc::LOCK_EX);
            assert_eq!(
                call(libc::SYS_flock, [inside, exclusive, 0, 0, 0, 0]),
                Ok(0)
            );
            for command in lists::LOCK_COMMANDS {
                let arguments = [inside, command.into(), pointer, 0, 0, 0];
                assert_eq!(call(libc::SYS_fcntl, arguments), Ok(0), "{command}");
            }
            for command in [libc::F_GETLK, libc::F_OFD_GETLK, libc::F_NOTIFY] {
                let arguments = [inside, command.into(), pointer, 0, 0, 0];
                assert_eq!(call(libc::SYS_fcntl, arguments), REFUSED, "{command}");
            }
            let at_once = [inside, 0, 0, 0, 0, libc::RWF_NOWAIT.into()];
            assert_eq!(call(libc::SYS_preadv2, at_once), REFUSED);
            assert_eq!(call(libc::SYS_preadv2, [inside, 0, 0, 0, 0, 0]), Ok(0));
        });
        let outside = std::fs::File::open(file.path()).unwrap();
        outside.try_lock().unwrap();
    }
}

#[test]
fn memory_of_no_process_has_to_be_counted() {
    // Of no bytes, which fails in any case.
    let map = |flags: i32| [0, 0, 0, i64::from(flags), -1, 0];
    for filter in Filter::ALL {
        let is_uncounted = filter == Basic || filter == World;
        for (number, arguments, is_refused) in [
            (libc::SYS_memfd_create, WRONG, is_uncounted),
            (
                libc::SYS_mmap,
                map(libc::MAP_SHARED | libc::MAP_ANONYMOUS),
                is_uncounted,
            ),
            (libc::SYS_mmap, map(libc::MAP_SHARED), false),
            (
                libc::SYS_mmap,
                map(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS),
                false,
            ),
        ] {
            let result = under(filter, || call(number, arguments));
            assert_eq!(
                result == REFUSED,
                is_refused,
                "{filter:?}, {arguments:?}: {result:?}"
            );
        }
    }
}

/// Returns calls whose arguments decide whether a sandbox refuses them: their names, numbers and arguments, and whether they
/// are refused. What is not refused would fail in another way, or does nothing.
fn calls_with_arguments() -> [(&'static str, i64, [i64; 6], bool); 24] {
    let unix = i64::from(libc::AF_UNIX);
    let pair = |domain, kind: i32| [domain, i64::from(kind), 0, 0, 0, 0];
    let clone = |flags: i32| {
        [
            i64::from(flags) | i64::from(libc::CLONE_SIGHAND),
            0,
            0,
            0,
            0,
            0,
        ]
    };
    let dumpable = i64::from(libc::PR_SET_DUMPABLE);
    let option = |level: i32, name: i32| [-1, i64::from(level), i64::from(name), 0, 0, 0];
    let larger = option(libc::SOL_SOCKET, libc::SO_SNDBUF);
    let forced = option(libc::SOL_SOCKET, libc::SO_SNDBUFFORCE);
    let passes = option(libc::SOL_SOCKET, libc::SO_PASSCRED);
    [
        ("a larger buffer", libc::SYS_setsockopt, larger, true),
        ("one beyond the limit", libc::SYS_setsockopt, forced, true),
        ("another option", libc::SYS_setsockopt, passes, false),
        (
            "a pair of streams",
            libc::SYS_socketpair,
            pair(unix, libc::SOCK_STREAM),
            false,
        ),
        (
            "one of packets",
            libc::SYS_socketpair,
            pair(unix, libc::SOCK_SEQPACKET),
            false,
        ),
        (
            "one with flags",
            libc::SYS_socketpair,
            pair(
                unix,
                libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK,
            ),
            false,
        ),
        (
            "one of datagrams",
            libc::SYS_socketpair,
            pair(unix, libc::SOCK_DGRAM),
            true,
        ),
        (
            "a raw one",
            libc::SYS_socketpair,
            pair(unix, libc::SOCK_RAW),
            true,
        ),
        (
            "one of datagrams with flags",
            libc::SYS_socketpair,
            pair(
                unix,
                libc::SOCK_DGRAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK,
            ),
            true,
        ),
        (
            "one of another family",
            libc::SYS_socketpair,
            pair(30, libc::SOCK_STREAM),
            true,
        ),
        (
            "a word to the other end",
            libc::SYS_sendto,
            [-1, 0, 0, 0, 0, 0],
            false,
        ),
        (
            "one to an address",
            libc::SYS_sendto,
            [-1, 0, 0, 0, 1 << 32, 16],
            true,
        ),
        ("a process", libc::SYS_clone, clone(0), false),
        (
            "a namespace of users",
            libc::SYS_clone,
            clone(libc::CLONE_NEWUSER),
            true,
        ),
        (
            "one of files",
            libc::SYS_clone,
            clone(libc::CLONE_NEWNS),
            true,
        ),
        (
            "one of processes",
            libc::SYS_clone,
            clone(libc::CLONE_NEWPID),
            true,
        ),
        (
            "one of the network",
            libc::SYS_clone,
            clone(libc::CLONE_NEWNET),
            true,
        ),
        (
            "a character typed",
            libc::SYS_ioctl,
            [-1, 0x5412, 0, 0, 0, 0],
            true,
        ),
        // The kernel takes 32 bits of it. (A comparison under a mask takes no more by itself.)
        (
            "one typed with more bits",
            libc::SYS_ioctl,
            [-1, 0x5412 | (1 << 40), 0, 0, 0, 0],
            true,
        ),
        (
            "a question to a terminal",
            libc::SYS_ioctl,
            [-1, 0x5413, 0, 0, 0, 0],
            false,
        ),
        (
            "a lease",
            libc::SYS_fcntl,
            [-1, i64::from(libc::F_SETLEASE), 0, 0, 0, 0],
            true,
        ),
        (
            "a lock",
            libc::SYS_fcntl,
            [-1, i64::from(libc::F_SETLK), 0, 0, 0, 0],
            false,
        ),
        (
            "memory that is hidden",
            libc::SYS_prctl,
            [dumpable, 0, 0, 0, 0, 0],
            true,
        ),
        (
            "memory that is seen",
            libc::SYS_prctl,
            [dumpable, 1, 0, 0, 0, 0],
            false,
        ),
    ]
}

#[test]
fn arguments_decide() {
    for (name, number, arguments, is_refused) in calls_with_arguments() {
        for filter in [Basic, World, WorldWithMemfd] {
            let result = under(filter, || call(number, arguments));
            assert_eq!(
                result == REFUSED,
                is_refused,
                "{name} under {filter:?}: {result:?}"
            );
        }
        // clone of namespaces and the last row but one need no trial without a filter: they would do something.
        if ![libc::SYS_clone, libc::SYS_prctl].contains(&number) {
            assert_ne!(
                under(EveryBot, || call(number, arguments)),
                REFUSED,
                "{name}"
            );
        }
    }
}

#[test]
fn the_flags_of_a_file_are_its_attributes() {
    let file = tempfile::tempfile().unwrap();
    let descriptor = i64::from(std::os::fd::AsRawFd::as_raw_fd(&file));
    for command in lists::ATTRIBUTE_COMMANDS {
        let arguments = [descriptor, i64::try_from(command).unwrap(), 0, 0, 0, 0];
        for filter in Filter::ALL {
            let result = under(filter, || call(libc::SYS_ioctl, arguments));
            assert_eq!(
                result == REFUSED,
                filter == Basic,
                "{command:x} {filter:?}: {result:?}"
            );
        }
    }
}

/// Returns the scheduling and the session of the calling thread.
fn standing() -> [Result<i64, i32>; 5] {
    let mut cores = [0_u64; 128];
    let size = i64::try_from(size_of_val(&cores)).unwrap();
    let cores_of = call(
        libc::SYS_sched_getaffinity,
        [0, size, cores.as_mut_ptr() as i64, 0, 0, 0],
    );
    [
        call(libc::SYS_getpriority, [0; 6]),
        call(libc::SYS_sched_getscheduler, [0; 6]),
        call(libc::SYS_ioprio_get, [1, 0, 0, 0, 0, 0]),
        call(libc::SYS_getsid, [0; 6]),
        cores_of.map(|_| i64::from(cores.iter().map(|word| word.count_ones()).sum::<u32>())),
    ]
}

/// Each names the calling thread by 0, by its number, and what it belongs to.
#[test]
fn changes_of_priority_are_only_pretended() {
    let one_core: [u64; 128] = std::array::from_fn(|word| u64::from(word == 0));
    let (mask, size) = (
        one_core.as_ptr() as i64,
        i64::try_from(size_of_val(&one_core)).unwrap(),
    );
    let lowest = [0_i32; 1];
    let lowest = lowest.as_ptr() as i64;
    // SCHED_BATCH with a nice value of 19.
    let attributes: [u32; 12] = [48, 3, 0, 0, 19, 0, 0, 0, 0, 0, 0, 0];
    let attributes = attributes.as_ptr() as i64;
    for filter in [EveryBot, Basic, World, WorldWithMemfd] {
        under(filter, || {
            let before = standing();
            let thread = call(libc::SYS_gettid, [0; 6]).unwrap();
            let init = 1;
            for who in [0, thread, init] {
                let calls = [
                    // Of a process, a group and a user: PRIO_PROCESS, PRIO_PGRP, PRIO_USER.
                    (libc::SYS_setpriority, [0, who, 19, 0, 0, 0]),
                    (libc::SYS_setpriority, [1, who, 19, 0, 0, 0]),
                    (libc::SYS_setpriority, [2, who, 19, 0, 0, 0]),
                    (libc::SYS_ioprio_set, [1, who, 3 << 13, 0, 0, 0]),
                    (libc::SYS_ioprio_set, [3, who, 3 << 13, 0, 0, 0]),
                    (libc::SYS_sched_setaffinity, [who, size, mask, 0, 0, 0]),
                    (libc::SYS_sched_setscheduler, [who, 3, lowest, 0, 0, 0]),
                    (libc::SYS_sched_setparam, [who, lowest, 0, 0, 0, 0]),
                    (libc::SYS_sched_setattr, [who, attributes, 0, 0, 0, 0]),
                    (libc::SYS_setsid, [0; 6]),
                ];
                for (number, arguments) in calls {
                    assert_eq!(
                        call(number, arguments),
                        Ok(0),
                        "{number} of {who}, {filter:?}"
                    );
                }
            }
            assert_eq!(standing(), before, "{filter:?}");
        });
    }
}

#[test]
fn limits_of_others_cannot_be_changed() {
    let limits = [1_u64, 1];
    let new = limits.as_ptr() as i64;
    let cpu = 0;
    for filter in [EveryBot, Basic, World, WorldWithMemfd] {
        // A process that does not exist: without the filter this is ESRCH.
        let others = [i64::from(i32::MAX), cpu, new, 0, 0, 0];
        assert_eq!(
            under(filter, || call(libc::SYS_prlimit64, others)),
            REFUSED,
            "{filter:?}"
        );
        // Half of the pointer is 0.
        let others = [i64::from(i32::MAX), cpu, 1 << 32, 0, 0, 0];
        assert_eq!(
            under(filter, || call(libc::SYS_prlimit64, others)),
            REFUSED,
            "{filter:?}"
        );
        let asked = [i64::from(i32::MAX), cpu, 0, 0, 0, 0];
        assert_eq!(
            under(filter, || call(libc::SYS_prlimit64, asked)),
            Err(libc::ESRCH)
        );
        let own = [0, cpu, 0, 0, 0, 0];
        assert_eq!(
            under(filter, || call(libc::SYS_prlimit64, own)),
            Ok(0),
            "{filter:?}"
        );
        let cookie = [62, 1, 0, 0, 0, 0];
        assert_eq!(
            under(filter, || call(libc::SYS_prctl, cookie)),
            REFUSED,
            "{filter:?}"
        );
    }
}

#[test]
fn calls_newer_than_the_lists_are_missing() {
    // These exist: what is tested is the filter and not the kernel.
    #[cfg(target_arch = "x86_64")]
    const X32_GETPID: i64 = (1 << 30) | libc::SYS_getpid;
    for filter in [Basic, World, WorldWithMemfd] {
        under(filter, || {
            assert_eq!(
                call(libc::SYS_clone3, [0; 6]),
                Err(libc::ENOSYS),
                "{filter:?}"
            );
            assert_eq!(
                call(lists::NEWEST + 1, WRONG),
                Err(libc::ENOSYS),
                "{filter:?}"
            );
            assert_eq!(
                call(i64::from(i32::MAX), WRONG),
                Err(libc::ENOSYS),
                "{filter:?}"
            );
            #[cfg(target_arch = "x86_64")]
            assert_eq!(call(X32_GETPID, WRONG), Err(libc::ENOSYS), "{filter:?}");
            assert!(call(libc::SYS_getpid, WRONG).is_ok(), "{filter:?}");
        });
    }
    let program = unknown_calls();
    assert_eq!(program.len(), 5);
    // Kernels of tomorrow: that the limit is where the lists end is all that can be seen of it here.
    assert_eq!(program[1].k, u32::try_from(lists::NEWEST).unwrap());
    assert_eq!(
        under(EveryBot, || call(libc::SYS_clone3, [0; 6])),
        Err(libc::EINVAL)
    );
}
