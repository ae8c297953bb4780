//! Each call under each filter, in a thread of its own: a filter confines the thread that installs
//! it, for good.

use std::io;
use std::os::fd::{AsRawFd, RawFd};

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
            Basic => for_sandbox(SandboxKind::LandlockOnly, false),
            World => for_sandbox(SandboxKind::Namespaces, false),
            WorldWithMemfd => for_sandbox(SandboxKind::Namespaces, true),
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

/// Makes a call, with zeros behind `arguments`, and returns its result, or the number of its error.
fn call(number: i64, arguments: &[i64]) -> Result<i64, i32> {
    let argument = |place: usize| arguments.get(place).copied().unwrap_or(0);
    #[allow(unsafe_code, reason = "the standard library has no call by number")]
    // SAFETY: every call here fails on its arguments, or changes nothing but the thread that makes
    // it, or a file that was made for it.
    let result = unsafe {
        libc::syscall(
            number,
            argument(0),
            argument(1),
            argument(2),
            argument(3),
            argument(4),
            argument(5),
        )
    };
    if result < 0 {
        Err(io::Error::last_os_error().raw_os_error().unwrap())
    } else {
        Ok(result)
    }
}

/// Arguments with which no call does anything: no pointer, no descriptor, no process, no known
/// flags.
const WRONG: [i64; 6] = [-1; 6];

const REFUSED: Result<i64, i32> = Err(libc::EPERM);

const SANDBOXES: &[Filter] = &[Basic, World, WorldWithMemfd];
const UNCOUNTED: &[Filter] = &[Basic, World];
const BASIC: &[Filter] = &[Basic];
const OTHERS: &[Filter] = &[EveryBot, Basic, World, WorldWithMemfd];

/// Returns calls with their arguments, the filters that refuse them, and whether they are tried
/// outside of the sandboxes too: some need a privilege, or would do something there.
fn calls(file: RawFd) -> Vec<(i64, Vec<i64>, &'static [Filter], bool)> {
    let mut calls = Vec::new();
    let mut add = |number, arguments: &[i64], by, everywhere| {
        calls.push((number, arguments.to_owned(), by, everywhere));
    };
    // Those that no bot needs. Only the calls that share need no privilege.
    let needless = [lists::MACHINE, lists::NOTIFICATION, lists::UNCOUNTED_MEMORY];
    for number in needless.concat() {
        add(number, &WRONG, SANDBOXES, false);
    }
    for number in lists::SHARED {
        add(*number, &WRONG, SANDBOXES, true);
    }
    // The attributes of the files of a bot's user.
    for number in lists::ATTRIBUTES {
        add(*number, &WRONG, BASIC, true);
    }
    for command in lists::ATTRIBUTE_COMMANDS {
        add(libc::SYS_ioctl, &[file.into(), command.into()], BASIC, true);
    }
    // Memory of no process has to be counted. These map no bytes, which fails in any case.
    add(libc::SYS_memfd_create, &WRONG, UNCOUNTED, true);
    for (flags, by) in [
        (libc::MAP_SHARED | libc::MAP_ANONYMOUS, UNCOUNTED),
        (libc::MAP_SHARED, &[]),
        (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, &[]),
    ] {
        add(libc::SYS_mmap, &[0, 0, 0, flags.into(), -1], by, true);
    }
    // Larger buffers of sockets, and filters.
    for (option, by) in [
        (libc::SO_ATTACH_FILTER, SANDBOXES),
        (libc::SO_ATTACH_REUSEPORT_CBPF, SANDBOXES),
        (libc::SO_SNDBUF, SANDBOXES),
        (libc::SO_SNDBUFFORCE, SANDBOXES),
        (libc::SO_PASSCRED, &[]),
    ] {
        let arguments = [-1, libc::SOL_SOCKET.into(), option.into()];
        add(libc::SYS_setsockopt, &arguments, by, true);
    }
    // Pairs of sockets that are not bound to each other. 30 is another family.
    let flags = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    for (family, kind, by) in [
        (libc::AF_UNIX, libc::SOCK_STREAM, &[][..]),
        (libc::AF_UNIX, libc::SOCK_SEQPACKET, &[]),
        (libc::AF_UNIX, libc::SOCK_STREAM | flags, &[]),
        (libc::AF_UNIX, libc::SOCK_DGRAM, SANDBOXES),
        (libc::AF_UNIX, libc::SOCK_DGRAM | flags, SANDBOXES),
        (libc::AF_UNIX, libc::SOCK_RAW, SANDBOXES),
        (30, libc::SOCK_STREAM, SANDBOXES),
    ] {
        add(
            libc::SYS_socketpair,
            &[family.into(), kind.into()],
            by,
            true,
        );
    }
    add(libc::SYS_sendto, &[-1], &[], true);
    add(
        libc::SYS_sendto,
        &[-1, 0, 0, 0, 1 << 32, 16],
        SANDBOXES,
        true,
    );
    // The kernel refuses the flag that they have in common.
    for (flag, by) in [
        (0, &[][..]),
        (libc::CLONE_NEWUSER, SANDBOXES),
        (libc::CLONE_NEWNS, SANDBOXES),
        (libc::CLONE_NEWPID, SANDBOXES),
        (libc::CLONE_NEWNET, SANDBOXES),
    ] {
        let flags = i64::from(flag | libc::CLONE_SIGHAND);
        add(libc::SYS_clone, &[flags], by, true);
    }
    // To type a character at a terminal, also with more bits than the kernel takes, and to ask for
    // its size.
    for (command, by) in [
        (0x5412, SANDBOXES),
        (0x5412 | (1 << 40), SANDBOXES),
        (0x5413, &[]),
    ] {
        add(libc::SYS_ioctl, &[-1, command], by, true);
    }
    add(
        libc::SYS_fcntl,
        &[-1, libc::F_SETLEASE.into()],
        SANDBOXES,
        true,
    );
    add(libc::SYS_fcntl, &[-1, libc::F_SETLK.into()], &[], true);
    for (is_seen, by) in [(0, SANDBOXES), (1, &[])] {
        let arguments = [libc::PR_SET_DUMPABLE.into(), is_seen];
        add(libc::SYS_prctl, &arguments, by, false);
    }
    for command in [libc::PR_SET_SECCOMP, lists::PR_FUTEX_HASH] {
        add(libc::SYS_prctl, &[command.into(), 0], SANDBOXES, false);
    }
    // A thread needs the memory of its process, which these do not share.
    for (flags, by) in [
        (libc::CLONE_THREAD, SANDBOXES),
        (libc::CLONE_THREAD | libc::CLONE_FILES, &[]),
    ] {
        add(libc::SYS_clone, &[flags.into()], by, true);
    }
    // An empty range, which the kernel refuses.
    for (flags, by) in [(lists::CLOSE_RANGE_UNSHARE, SANDBOXES), (0, &[])] {
        let arguments = [1 << 30, 1 << 29, flags.into()];
        add(libc::SYS_close_range, &arguments, by, true);
    }
    // Limits of others, here of a process that does not exist. Half of the second pointer is 0.
    let other = i64::from(i32::MAX);
    for (process, new, by) in [
        (other, -1, OTHERS),
        (other, 1 << 32, OTHERS),
        (other, 0, &[]),
        (0, 0, &[]),
    ] {
        add(libc::SYS_prlimit64, &[process, 0, new], by, true);
    }
    add(libc::SYS_prctl, &[62, 1], OTHERS, true);
    calls
}

#[test]
fn each_filter_refuses_its_calls() {
    let file = tempfile::tempfile().unwrap();
    let calls = calls(file.as_raw_fd());
    for filter in Filter::ALL {
        under(filter, || {
            for (number, arguments, by, everywhere) in &calls {
                if *everywhere || SANDBOXES.contains(&filter) {
                    let result = call(*number, arguments);
                    let is_right = (result == REFUSED) == by.contains(&filter);
                    assert!(is_right, "{number} {arguments:?}, {filter:?}: {result:?}");
                }
            }
        });
    }
}

#[test]
fn modes_stay_in_the_basic_sandbox_only() {
    use std::os::unix::fs::PermissionsExt;
    for (filter, expected) in [(EveryBot, 0o640), (World, 0o640), (Basic, 0o600)] {
        let file = tempfile::NamedTempFile::new().unwrap();
        let wanted = std::fs::Permissions::from_mode(0o640);
        let result = under(filter, || std::fs::set_permissions(file.path(), wanted));
        let mode = file.as_file().metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((result.is_ok(), mode), (expected == 0o640, expected));
    }
}

/// Two bots in different worlds once told each other their fleets by locks on a file that both
/// could read.
#[test]
fn a_lock_is_seen_by_no_one() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let lock = libc::flock {
        l_type: libc::F_WRLCK.try_into().unwrap(),
        l_whence: 0,
        l_start: 1000,
        l_len: 1,
        l_pid: 0,
    };
    let pointer = i64::try_from((&raw const lock).addr()).unwrap();
    for filter in SANDBOXES {
        under(*filter, || {
            let inside = i64::from(file.as_file().as_raw_fd());
            assert_eq!(
                call(libc::SYS_flock, &[inside, libc::LOCK_EX.into()]),
                Ok(0)
            );
            for command in lists::LOCK_COMMANDS {
                let result = call(libc::SYS_fcntl, &[inside, command.into(), pointer]);
                assert_eq!(result, Ok(0), "{command}");
            }
            for command in [libc::F_GETLK, libc::F_OFD_GETLK, libc::F_NOTIFY] {
                let result = call(libc::SYS_fcntl, &[inside, command.into(), pointer]);
                assert_eq!(result, REFUSED, "{command}");
            }
            let at_once = [inside, 0, 0, 0, 0, libc::RWF_NOWAIT.into()];
            assert_eq!(call(libc::SYS_preadv2, &at_once), REFUSED);
            assert_eq!(call(libc::SYS_preadv2, &[inside]), Ok(0));
        });
        let outside = std::fs::File::open(file.path()).unwrap();
        outside.try_lock().unwrap();
    }
}

/// Returns the scheduling and the session of the calling thread.
fn standing() -> [Result<i64, i32>; 5] {
    let mut cores = [0_u64; 128];
    let size = i64::try_from(size_of_val(&cores)).unwrap();
    let cores_of = call(
        libc::SYS_sched_getaffinity,
        &[0, size, cores.as_mut_ptr() as i64],
    );
    [
        call(libc::SYS_getpriority, &[]),
        call(libc::SYS_sched_getscheduler, &[]),
        call(libc::SYS_ioprio_get, &[1]),
        call(libc::SYS_getsid, &[]),
        cores_of.map(|_| i64::from(cores.iter().map(|word| word.count_ones()).sum::<u32>())),
    ]
}

/// Each names the calling thread by 0, by its number, and what it belongs to.
#[test]
fn changes_of_priority_are_only_pretended() {
    let one_core: [u64; 128] = std::array::from_fn(|word| u64::from(word == 0));
    let size = i64::try_from(size_of_val(&one_core)).unwrap();
    let mask = one_core.as_ptr() as i64;
    let lowest = [0_i32; 1];
    let lowest = lowest.as_ptr() as i64;
    // SCHED_BATCH with a nice value of 19.
    let attributes: [u32; 12] = [48, 3, 0, 0, 19, 0, 0, 0, 0, 0, 0, 0];
    let attributes = attributes.as_ptr() as i64;
    for filter in OTHERS {
        under(*filter, || {
            let before = standing();
            let thread = call(libc::SYS_gettid, &[]).unwrap();
            let init = 1;
            for who in [0, thread, init] {
                for (number, arguments) in [
                    // Of a process, a group and a user: PRIO_PROCESS, PRIO_PGRP, PRIO_USER.
                    (libc::SYS_setpriority, &[0, who, 19][..]),
                    (libc::SYS_setpriority, &[1, who, 19]),
                    (libc::SYS_setpriority, &[2, who, 19]),
                    (libc::SYS_ioprio_set, &[1, who, 3 << 13]),
                    (libc::SYS_ioprio_set, &[3, who, 3 << 13]),
                    (libc::SYS_sched_setaffinity, &[who, size, mask]),
                    (libc::SYS_sched_setscheduler, &[who, 3, lowest]),
                    (libc::SYS_sched_setparam, &[who, lowest]),
                    (libc::SYS_sched_setattr, &[who, attributes]),
                    (libc::SYS_setsid, &[]),
                ] {
                    let result = call(number, arguments);
                    assert_eq!(result, Ok(0), "{number} of {who}, {filter:?}");
                }
            }
            assert_eq!(standing(), before, "{filter:?}");
        });
    }
}

#[test]
fn calls_newer_than_the_lists_are_missing() {
    // These exist: what is tested is the filter and not the kernel.
    let mut missing = vec![libc::SYS_clone3, lists::NEWEST + 1, i64::from(i32::MAX)];
    if cfg!(target_arch = "x86_64") {
        // As the x32 ABI has it.
        missing.push((1 << 30) | libc::SYS_getpid);
    }
    for filter in SANDBOXES {
        under(*filter, || {
            for number in &missing {
                assert_eq!(
                    call(*number, &[]),
                    Err(libc::ENOSYS),
                    "{number}, {filter:?}"
                );
            }
            assert!(call(libc::SYS_getpid, &WRONG).is_ok(), "{filter:?}");
        });
    }
    let program = unknown_calls();
    assert_eq!(program.len(), 5);
    // Kernels of tomorrow: that the limit is where the lists end is all that can be seen of it
    // here.
    assert_eq!(program[1].k, u32::try_from(lists::NEWEST).unwrap());
}

/// A child in a control group of its own would compute while its bot is stopped.
#[test]
fn no_bot_starts_a_child_in_another_group() {
    for (filter, expected) in [(Filter::None, libc::EINVAL), (EveryBot, libc::ENOSYS)] {
        let result = under(filter, || {
            let child = std::thread::Builder::new().spawn(|| 7).unwrap();
            let child = child.join().unwrap();
            let status = std::process::Command::new("true").status().unwrap();
            (call(libc::SYS_clone3, &[]), child, status.success())
        });
        assert_eq!(result, (Err(expected), 7, true), "{filter:?}");
    }
}
