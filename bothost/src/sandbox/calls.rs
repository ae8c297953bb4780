//! System calls that bots may not make, refused by seccomp.

use std::collections::BTreeMap;
use std::fmt;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use super::SandboxError;

/// Calls that no bot needs: those that look into or change other processes, the machine or the kernel, and those that
/// lead around a filter (`io_uring` makes calls from the kernel's side, where no filter sees them). A list of what is
/// refused and not of what is allowed: bots run on any language's runtime, and a new version of one may need a new
/// call.
const FORBIDDEN: [i64; 47] = [
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_perf_event_open,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
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
    libc::SYS_personality,
    libc::SYS_vhangup,
    libc::SYS_fanotify_init,
    libc::SYS_open_by_handle_at,
    libc::SYS_syslog,
];

/// Commands of `ioctl` that put characters into a terminal's input.
const TIOCSTI: u64 = 0x5412;
const TIOCLINUX: u64 = 0x541c;

/// Has the kernel refuse this process, and all that it becomes and starts, what no bot needs, among it all sockets but
/// local ones. It answers `EPERM` and does not kill, since runtimes try some of these calls and do without them.
pub(super) fn forbid() -> Result<(), SandboxError> {
    let cannot = |error: &dyn fmt::Display| SandboxError::new("seccomp", error);
    let refused = filter(rules().map_err(|error| cannot(&error))?, libc::EPERM);
    // The flags of clone3 are in memory, which a filter cannot read, so they could ask for a user namespace. To a C
    // library ENOSYS means an old kernel, and it calls clone instead, whose flags are in a register; EPERM would be
    // the end of every thread. One filter has one answer, hence two of them.
    let unknown = filter(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS);
    for program in [unknown, refused] {
        let program = program.map_err(|error| cannot(&error))?;
        apply_filter(&program).map_err(|error| cannot(&error))?;
    }
    Ok(())
}

/// Has the kernel refuse the calling thread, and all that it starts, to change the limits, the priority or the cores of
/// other processes. With a CPU limit of a second a bot could end its opponent or the referee, which belong to the same
/// user, and Landlock does not cover that. Its own it may change.
pub(crate) fn leave_others_alone() -> Result<(), SandboxError> {
    let cannot = |error: &dyn fmt::Display| SandboxError::new("seccomp", error);
    let program = rules_for_others().and_then(|rules| filter(rules, libc::EPERM));
    let program = program.map_err(|error| cannot(&error))?;
    apply_filter(&program).map_err(|error| cannot(&error))
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Returns a rule that holds if an argument, a word of 32 bits, compares so.
fn when(argument: u8, operator: SeccompCmpOp, value: u64) -> seccompiler::Result<SeccompRule> {
    // 32 bits, as the kernel takes these arguments as an int and ignores the upper half of the register. A
    // comparison of all 64 bits is evaded by setting one of the upper ones (CVE-2019-7303).
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value);
    Ok(SeccompRule::new(vec![condition?])?)
}

/// Returns the rules about other processes. To these calls 0 is the process that calls; its own number, which a filter
/// cannot know, is refused too.
fn rules_for_others() -> seccompiler::Result<Rules> {
    let not_itself = |argument| when(argument, SeccompCmpOp::Ne, 0);
    // A null pointer for the new limits only asks for the old ones. The pointer has 64 bits: half of it may be 0.
    let sets = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    let other = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0)?;
    Ok(BTreeMap::from([
        (libc::SYS_prlimit64, vec![SeccompRule::new(vec![other, sets])?]),
        (libc::SYS_setpriority, vec![not_itself(1)?]),
        (libc::SYS_ioprio_set, vec![not_itself(1)?]),
        (libc::SYS_sched_setaffinity, vec![not_itself(0)?]),
        (libc::SYS_sched_setscheduler, vec![not_itself(0)?]),
        (libc::SYS_sched_setparam, vec![not_itself(0)?]),
        (libc::SYS_sched_setattr, vec![not_itself(0)?]),
    ]))
}

fn rules() -> seccompiler::Result<Rules> {
    let mut rules = rules_for_others()?;
    rules.extend(FORBIDDEN.map(|call| (call, Vec::new())));
    let local = u64::try_from(libc::AF_UNIX).expect("a small number");
    let new_user = u64::try_from(libc::CLONE_NEWUSER).expect("a flag");
    for (call, rule) in [
        // Landlock knows TCP only. This adds UDP, raw and netlink sockets. Local ones stay, since the event
        // loops of some runtimes need pairs of them.
        (libc::SYS_socket, when(0, SeccompCmpOp::Ne, local)?),
        // In a user namespace of its own a process is root, and may mount and make further namespaces.
        (libc::SYS_clone, when(0, SeccompCmpOp::MaskedEq(new_user), new_user)?),
        // A bot without a terminal cannot open the user's, but may have inherited a descriptor of it.
        (libc::SYS_ioctl, when(1, SeccompCmpOp::Eq, TIOCSTI)?),
        (libc::SYS_ioctl, when(1, SeccompCmpOp::Eq, TIOCLINUX)?),
    ] {
        rules.entry(call).or_default().push(rule);
    }
    Ok(rules)
}

fn filter(rules: Rules, errno: i32) -> seccompiler::Result<BpfProgram> {
    let errno = u32::try_from(errno).expect("error numbers are positive");
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno), arch)?;
    Ok(filter.try_into()?)
}
