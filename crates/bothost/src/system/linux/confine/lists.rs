//! The calls that the filters answer, by what they do.
//!
//! Lists of what is refused and not of what is allowed: bots run on any language's runtime, and a new version of one may
//! need another of the calls of today. Calls that are newer than these lists are refused as unknown.

use libc::c_long;

/// Calls that are answered with success and not made: they give a bot more of the processor, or others less. A session
/// of its own does so too: the kernel shares a core between sessions first (`autogroup`, sched(7)).
pub(crate) const WITHOUT_EFFECT: &[c_long] = &[
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_setsid,
];

/// Calls that look into or change other processes, the machine or the kernel, and those that lead around a filter
/// (`io_uring` makes calls from the kernel's side, where no filter sees them).
pub(crate) const MACHINE: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_perf_event_open,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // A budget of the whole machine, which a bot could use up.
    libc::SYS_io_setup,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_kexec_load,
    KEXEC_FILE_LOAD,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_personality,
    libc::SYS_vhangup,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_syslog,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

/// Calls by which processes without a common parent meet: sockets that have a name, and memory, messages and semaphores
/// of System V and POSIX, which also outlive their processes. The last is memory that nothing outside can count.
pub(crate) const SHARED: &[c_long] = &[
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_memfd_secret,
];

/// Calls that change the mode, the owner, the times and the attributes of files. Landlock covers none of them, so outside
/// of a read-only root they would reach every file of the user.
pub(crate) const ATTRIBUTES: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// The same by `ioctl`, on a file that is open for reading: `FS_IOC_SETFLAGS`, its form of 32 bits, and
/// `FS_IOC_FSSETXATTR`.
pub(crate) const ATTRIBUTE_COMMANDS: [u64; 3] = [0x4008_6602, 0x4004_6602, 0x401c_5820];

/// Calls that make instances of inotify, of which a user has 128 by default. Those that a bot makes in a namespace for
/// users of its own count as its user's too.
pub(crate) const NOTIFICATION: &[c_long] = &[
    libc::SYS_inotify_init1,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
];

/// Flags of `clone` that make a namespace.
pub(crate) const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Commands of `ioctl` that put characters into a terminal's input: `TIOCSTI` and `TIOCLINUX`.
pub(crate) const TERMINAL_COMMANDS: [u64; 2] = [0x5412, 0x541c];

/// Commands of `fcntl` that reach others. A lease holds up every process that opens the file, for 45 s, and larger pipes
/// use up what the user may have for the pipes of all programs. The rest is about files that several worlds show, by which
/// their bots could talk: who uses a folder, who has locked a part of a file, and a hint that the file keeps.
pub(crate) const FILE_COMMANDS: [i32; 7] = [
    libc::F_SETLEASE,
    libc::F_SETPIPE_SZ,
    libc::F_NOTIFY,
    libc::F_GETLK,
    libc::F_OFD_GETLK,
    SET_RW_HINT,
    SET_FILE_RW_HINT,
];

/// Calls that a sandbox answers with success and does not make, as their effect could be seen from another world: a lock on
/// a file that both show, and what the kernel keeps of it in memory.
pub(crate) const FILES_WITHOUT_EFFECT: &[c_long] =
    &[libc::SYS_flock, libc::SYS_fadvise64, libc::SYS_readahead];

/// Commands of `fcntl` that lock a part of a file, which are answered in the same way.
pub(crate) const LOCK_COMMANDS: [i32; 4] = [
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
];

/// The command of `prctl` that chooses with whom a process shares a core.
pub(crate) const PR_SCHED_CORE: u64 = 62;

// Calls that the C library does not name on all architectures. The numbers from 424 on are the same everywhere.
const FCHMODAT2: c_long = 452;
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
pub(crate) const NEWEST: c_long = FILE_SETATTR;
