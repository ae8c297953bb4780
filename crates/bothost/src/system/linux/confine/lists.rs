//! The calls that the filters answer, by what they do.
//!
//! Lists of what is refused and not of what is allowed: bots run on any language's runtime, and a
//! new version of one may need another of the calls of today. Calls that are newer than these lists
//! are refused as unknown.

#![allow(
    clippy::wildcard_imports,
    reason = "nearly all that is here are names of libc's"
)]

use libc::*;

use super::seccomp::Test::{self, Given, Has, Is, Not};

/// Calls that are answered with success and not made: they give a bot more of the processor, or
/// others less. A session of its own does so too: the kernel shares a core between sessions first
/// (`autogroup`, sched(7)).
pub(super) const WITHOUT_EFFECT: &[c_long] = &[
    SYS_sched_setaffinity,
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_sched_setattr,
    SYS_setpriority,
    SYS_ioprio_set,
    SYS_setsid,
];

/// Calls that look into or change other processes, the machine or the kernel, and those that lead
/// around a filter (`io_uring` makes calls from the kernel's side, where no filter sees them).
pub(super) const MACHINE: &[c_long] = &[
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_process_mrelease,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_perf_event_open,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    // A budget of the whole machine, which a bot could use up.
    SYS_io_setup,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_move_mount,
    SYS_open_tree,
    OPEN_TREE_ATTR,
    SYS_fsopen,
    SYS_fsmount,
    SYS_fsconfig,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_kexec_load,
    KEXEC_FILE_LOAD,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_acct,
    SYS_quotactl,
    SYS_quotactl_fd,
    SYS_personality,
    SYS_vhangup,
    SYS_fanotify_init,
    SYS_fanotify_mark,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_syslog,
    // The places of mounts on the host.
    STATMOUNT,
    LISTMOUNT,
    #[cfg(target_arch = "x86_64")]
    SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    SYS_ioperm,
];

/// Calls by which a process takes memory of the kernel's that no file in `/proc` shows: rules of
/// Landlock, filters of calls, and pages that only a pipe has. One page of a huge page keeps all
/// 2 MiB of it.
pub(super) const UNCOUNTED_MEMORY: &[c_long] = &[
    SYS_landlock_create_ruleset,
    SYS_landlock_add_rule,
    SYS_landlock_restrict_self,
    SYS_seccomp,
    SYS_vmsplice,
];

/// Calls by which processes without a common parent meet: sockets that have a name, and memory,
/// messages and semaphores of System V and POSIX, which also outlive their processes. The last is
/// memory that nothing outside can count.
pub(super) const SHARED: &[c_long] = &[
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_semctl,
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_memfd_secret,
];

/// Calls that change the mode, the owner, the times and the attributes of files. Landlock covers
/// none of them, so outside of a read-only root they would reach every file of the user.
pub(super) const ATTRIBUTES: &[c_long] = &[
    SYS_fchmod,
    SYS_fchmodat,
    FCHMODAT2,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SETXATTRAT,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    #[cfg(target_arch = "x86_64")]
    SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    SYS_chown,
    #[cfg(target_arch = "x86_64")]
    SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    SYS_utime,
    #[cfg(target_arch = "x86_64")]
    SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    SYS_futimesat,
];

/// The same by `ioctl`, on a file that is open for reading: `FS_IOC_SETFLAGS`, its form of 32 bits,
/// and `FS_IOC_FSSETXATTR`.
pub(super) const ATTRIBUTE_COMMANDS: [i32; 3] = [0x4008_6602, 0x4004_6602, 0x401c_5820];

/// Calls that make instances of inotify, of which a user has 128 by default. Those that a bot makes
/// in a namespace for users of its own count as its user's too.
pub(super) const NOTIFICATION: &[c_long] = &[
    SYS_inotify_init1,
    #[cfg(target_arch = "x86_64")]
    SYS_inotify_init,
];

/// Calls that are refused under conditions.
pub(super) const CONDITIONS: &[(c_long, &[(u8, Test)])] = &[
    // A socket that is a file belongs to a service of the user, which would run a program outside
    // for the bot. Landlock does not cover these, so no bot may make a socket that can name
    // another. Pairs stay: event loops and runtimes need them.
    (SYS_sendto, &[(4, Given)]),
    (SYS_socketpair, &[(0, Not(AF_UNIX))]),
    // Only streams and sequences of packets, 1 and 5, are bound to their other end. The flags that
    // a type may carry lie above its four bits; a local raw socket is one of datagrams.
    (SYS_socketpair, &[(1, Has(1, 0))]),
    (SYS_socketpair, &[(1, Has(2, 2))]),
    (SYS_socketpair, &[(1, Has(8, 8))]),
    // The memory of a socket is counted by its default size. A larger buffer holds megabytes that
    // no process is charged with.
    (SYS_setsockopt, &[(1, Is(SOL_SOCKET)), (2, Is(SO_SNDBUF))]),
    (
        SYS_setsockopt,
        &[(1, Is(SOL_SOCKET)), (2, Is(SO_SNDBUFFORCE))],
    ),
    // Filters of sockets are memory of the kernel's that is not counted.
    (
        SYS_setsockopt,
        &[(1, Is(SOL_SOCKET)), (2, Is(SO_ATTACH_FILTER))],
    ),
    (
        SYS_setsockopt,
        &[(1, Is(SOL_SOCKET)), (2, Is(SO_ATTACH_REUSEPORT_CBPF))],
    ),
    // So are filters of calls, and the table of a process for its futexes, of up to 2 GiB.
    (SYS_prctl, &[(0, Is(PR_SET_SECCOMP))]),
    (SYS_prctl, &[(0, Is(PR_FUTEX_HASH))]),
    // A thread with descriptors of its own has files that `/proc/PID/fd` does not show.
    (
        SYS_clone,
        &[(0, Has(CLONE_THREAD | CLONE_FILES, CLONE_THREAD))],
    ),
    (
        SYS_close_range,
        &[(2, Has(CLOSE_RANGE_UNSHARE, CLOSE_RANGE_UNSHARE))],
    ),
    // A bot without a terminal cannot open the user's, but may have inherited a descriptor of it,
    // whose input these fill: `TIOCSTI` and `TIOCLINUX`.
    (SYS_ioctl, &[(1, Is(0x5412))]),
    (SYS_ioctl, &[(1, Is(0x541c))]),
    // Whether a page of a file is in memory tells who has read it.
    (SYS_preadv2, &[(5, Has(RWF_NOWAIT, RWF_NOWAIT))]),
    // The mapped memory of a process can be counted only while it may be inspected.
    (SYS_prctl, &[(0, Is(PR_SET_DUMPABLE)), (1, Is(0))]),
];

/// Flags of `clone` that make a namespace. In one for users a process is root, and may mount and
/// make further namespaces.
pub(super) const NAMESPACES: [i32; 7] = [
    CLONE_NEWNS,
    CLONE_NEWCGROUP,
    CLONE_NEWUTS,
    CLONE_NEWIPC,
    CLONE_NEWUSER,
    CLONE_NEWPID,
    CLONE_NEWNET,
];

/// Commands of `fcntl` that reach others. A lease holds up every process that opens the file, for
/// 45 s, and larger pipes use up what the user may have for the pipes of all programs. The rest is
/// about files that several worlds show, by which their bots could talk: who uses a folder, who has
/// locked a part of a file, and a hint that the file keeps.
pub(super) const FILE_COMMANDS: [i32; 7] = [
    F_SETLEASE,
    F_SETPIPE_SZ,
    F_NOTIFY,
    F_GETLK,
    F_OFD_GETLK,
    SET_RW_HINT,
    SET_FILE_RW_HINT,
];

/// Calls that a sandbox answers with success and does not make, as their effect could be seen from
/// another world: a lock on a file that both show, and what the kernel keeps of it in memory.
pub(super) const FILES_WITHOUT_EFFECT: &[c_long] = &[SYS_flock, SYS_fadvise64, SYS_readahead];

/// Commands of `fcntl` that lock a part of a file, which are answered in the same way.
pub(super) const LOCK_COMMANDS: [i32; 4] = [F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW];

/// The command of `prctl` that chooses with whom a process shares a core.
pub(super) const PR_SCHED_CORE: i32 = 62;

/// The command of `prctl` that gives a process a table of its own for its futexes.
pub(super) const PR_FUTEX_HASH: i32 = 78;

/// The flag of `close_range` that gives a thread descriptors of its own.
pub(super) const CLOSE_RANGE_UNSHARE: i32 = 1 << 1;

/// The options of sockets that set a filter, which the C library does not name on all systems.
pub(super) const SO_ATTACH_FILTER: i32 = 26;
pub(super) const SO_ATTACH_REUSEPORT_CBPF: i32 = 51;

// Calls that the C library does not name on all architectures. The numbers from 424 on are the same
// everywhere.
const FCHMODAT2: c_long = 452;
const STATMOUNT: c_long = 457;
const LISTMOUNT: c_long = 458;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;

// Commands of `fcntl` that the C library does not name on all systems.
const SET_RW_HINT: i32 = 1036;
const SET_FILE_RW_HINT: i32 = 1038;

/// By x86's own table, or by the one that newer architectures share.
const KEXEC_FILE_LOAD: c_long = if cfg!(target_arch = "x86_64") {
    320
} else {
    294
};

/// The newest call that these lists have considered.
pub(super) const NEWEST: c_long = FILE_SETATTR;
