//! System calls that bots may not make, answered by seccomp. A filter confines the calling thread and all that it starts, for
//! good.

use std::collections::BTreeMap;
use std::fmt;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter, sock_filter,
};

use super::{lists, unavailable};
use crate::program::StartError;
use crate::sandbox::SandboxKind;

/// The answer of success, for a call that is not made.
const SUCCESS: i32 = 0;

/// Has the kernel answer some calls with success without making them: those that change cores, priorities and sessions.
/// Has it refuse to change the limits of other processes.
///
/// # Errors
/// If the filter cannot be installed, as on an architecture that it does not know.
pub(crate) fn for_every_bot() -> Result<(), StartError> {
    install(|| {
        Ok(vec![
            filter(without_effect(), SUCCESS)?,
            filter(changes_of_others()?, libc::EPERM)?,
        ])
    })
}

/// Has the kernel refuse what no bot needs: all that looks into or changes other processes, the machine or the kernel,
/// sockets but for connected pairs, and memory and messages that outlive a process. Where a bot has no namespaces and no
/// read-only root of its own, also changes of the attributes of files, which Landlock does not cover. It includes
/// [`for_every_bot`]. Allows memory that belongs to no process if `memory_is_counted`, by a control group.
///
/// # Errors
/// As [`for_every_bot`].
pub(super) fn for_sandbox(kind: SandboxKind, memory_is_counted: bool) -> Result<(), StartError> {
    install(|| {
        let mut refused = refused_in_sandboxes()?;
        if kind == SandboxKind::LandlockOnly {
            refused.add_all(lists::ATTRIBUTES);
            refused.add_all(&[libc::SYS_memfd_create]);
            for command in lists::ATTRIBUTE_COMMANDS {
                refused.add(libc::SYS_ioctl, when(1, SeccompCmpOp::Eq, command)?);
            }
        }
        if !memory_is_counted {
            // `/proc` says of no process that it has files without a name. One is also what processes share that map memory
            // with each other. Its pages stay when a process has given back its own view of them, and nothing but the
            // kernel can count them then.
            let shared = number(libc::MAP_SHARED | libc::MAP_ANONYMOUS);
            let is_shared = when(3, SeccompCmpOp::MaskedEq(shared), shared)?;
            refused.add(libc::SYS_mmap, is_shared);
            refused.add_all(&[libc::SYS_memfd_create]);
        }
        Ok(vec![
            // One filter has one answer, hence three of them.
            unknown_calls(),
            filter(without_effect_in_sandboxes()?, SUCCESS)?,
            filter(refused, libc::EPERM)?,
        ])
    })
}

fn install(
    programs: impl FnOnce() -> seccompiler::Result<Vec<BpfProgram>>,
) -> Result<(), StartError> {
    let cannot = |error: &dyn fmt::Display| unavailable("seccomp", error);
    // All are made before the first is installed: a part of them would confine less than the caller believes.
    for program in programs().map_err(|error| cannot(&error))? {
        apply_filter(&program).map_err(|error| cannot(&error))?;
    }
    Ok(())
}

/// The calls that a filter answers. A call without a rule is answered whatever its arguments are.
#[derive(Default)]
struct Rules(BTreeMap<i64, Vec<SeccompRule>>);

impl Rules {
    /// Adds a call under a condition. Two conditions for one call: either is enough.
    fn add(&mut self, call: i64, rule: SeccompRule) {
        self.0.entry(call).or_default().push(rule);
    }

    fn add_all(&mut self, calls: &[i64]) {
        self.0.extend(calls.iter().map(|call| (*call, Vec::new())));
    }
}

/// Returns a rule that holds if an argument, a word of 32 bits, compares so.
fn when(argument: u8, operator: SeccompCmpOp, value: u64) -> seccompiler::Result<SeccompRule> {
    Ok(SeccompRule::new(vec![word(argument, operator, value)?])?)
}

fn word(argument: u8, operator: SeccompCmpOp, value: u64) -> seccompiler::Result<SeccompCondition> {
    // 32 bits, as the kernel takes these arguments as an int and ignores the upper half of the register. A
    // comparison of all 64 bits is evaded by setting one of the upper ones (CVE-2019-7303).
    Ok(SeccompCondition::new(
        argument,
        SeccompCmpArgLen::Dword,
        operator,
        value,
    )?)
}

/// Returns a condition that holds if an argument is not a null pointer.
fn is_given(argument: u8) -> seccompiler::Result<SeccompCondition> {
    // 64 bits: half of a pointer may be 0.
    Ok(SeccompCondition::new(
        argument,
        SeccompCmpArgLen::Qword,
        SeccompCmpOp::Ne,
        0,
    )?)
}

/// Returns the rules about processor time. They do not ask which process is meant: C libraries pass the number of the
/// calling thread, which a filter cannot know, and a bot that moves itself to another core takes time from others there.
fn without_effect() -> Rules {
    let mut rules = Rules::default();
    rules.add_all(lists::WITHOUT_EFFECT);
    rules
}

/// Returns [`without_effect`] and the rules about locks. Bots that lock files of their own run on: none of their files is
/// anybody else's. Which file is meant a filter cannot know.
fn without_effect_in_sandboxes() -> seccompiler::Result<Rules> {
    let mut rules = without_effect();
    rules.add_all(lists::FILES_WITHOUT_EFFECT);
    for command in lists::LOCK_COMMANDS {
        rules.add(libc::SYS_fcntl, when(1, SeccompCmpOp::Eq, number(command))?);
    }
    Ok(rules)
}

/// Returns the rules about the limits of other processes and the sharing of cores. With a CPU limit of a second a bot
/// could end its opponent or the referee, which belong to the same user, and Landlock does not cover that. To this call
/// 0 is the process that calls.
fn changes_of_others() -> seccompiler::Result<Rules> {
    let mut rules = Rules::default();
    let other = word(0, SeccompCmpOp::Ne, 0)?;
    // A null pointer for the new limits only asks for the old ones.
    let changes = SeccompRule::new(vec![other, is_given(2)?])?;
    rules.add(libc::SYS_prlimit64, changes);
    // With a cookie of its own, a process keeps others from the second thread of its core.
    let cookie = when(0, SeccompCmpOp::Eq, lists::PR_SCHED_CORE)?;
    rules.add(libc::SYS_prctl, cookie);
    Ok(rules)
}

/// Returns the rules that hold in every sandbox.
fn refused_in_sandboxes() -> seccompiler::Result<Rules> {
    let mut rules = changes_of_others()?;
    rules.add_all(lists::MACHINE);
    rules.add_all(lists::SHARED);
    rules.add_all(lists::NOTIFICATION);
    // A socket that is a file belongs to a service of the user, which would run a program outside for the bot.
    // Landlock does not cover these, so no bot may make a socket that can name another. Pairs stay: event loops and
    // runtimes need them.
    rules.add(libc::SYS_sendto, SeccompRule::new(vec![is_given(4)?])?);
    rules.add(
        libc::SYS_socketpair,
        when(0, SeccompCmpOp::Ne, number(libc::AF_UNIX))?,
    );
    // Only streams and sequences of packets are bound to their other end. The flags that a type may carry lie above
    // these four bits; a local raw socket is one of datagrams.
    for kind in (0..16).filter(|kind| ![libc::SOCK_STREAM, libc::SOCK_SEQPACKET].contains(kind)) {
        rules.add(
            libc::SYS_socketpair,
            when(1, SeccompCmpOp::MaskedEq(15), number(kind))?,
        );
    }
    // The memory of a socket is counted by its default size. A larger buffer holds megabytes that no process is charged with.
    let socket = word(1, SeccompCmpOp::Eq, number(libc::SOL_SOCKET))?;
    for option in [libc::SO_SNDBUF, libc::SO_SNDBUFFORCE] {
        let buffer = word(2, SeccompCmpOp::Eq, number(option))?;
        rules.add(
            libc::SYS_setsockopt,
            SeccompRule::new(vec![socket.clone(), buffer])?,
        );
    }
    // In a user namespace of its own a process is root, and may mount and make further namespaces.
    for flag in lists::NAMESPACES {
        let flag = number(flag);
        rules.add(
            libc::SYS_clone,
            when(0, SeccompCmpOp::MaskedEq(flag), flag)?,
        );
    }
    // A bot without a terminal cannot open the user's, but may have inherited a descriptor of it.
    for command in lists::TERMINAL_COMMANDS {
        rules.add(libc::SYS_ioctl, when(1, SeccompCmpOp::Eq, command)?);
    }
    for command in lists::FILE_COMMANDS {
        rules.add(libc::SYS_fcntl, when(1, SeccompCmpOp::Eq, number(command))?);
    }
    // Whether a page of a file is in memory tells who has read it.
    let at_once = number(libc::RWF_NOWAIT);
    rules.add(
        libc::SYS_preadv2,
        when(5, SeccompCmpOp::MaskedEq(at_once), at_once)?,
    );
    // The mapped memory of a process can be counted only while it may be inspected.
    let hides = word(0, SeccompCmpOp::Eq, number(libc::PR_SET_DUMPABLE))?;
    let it = word(1, SeccompCmpOp::Eq, 0)?;
    rules.add(libc::SYS_prctl, SeccompRule::new(vec![hides, it])?);
    Ok(rules)
}

fn number(flag: i32) -> u64 {
    u64::from(flag.cast_unsigned())
}

fn filter(rules: Rules, errno: i32) -> seccompiler::Result<BpfProgram> {
    let errno = u32::try_from(errno).expect("error numbers are positive");
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    // Not the end of the process, since runtimes try some of these calls and do without them.
    let answer = SeccompAction::Errno(errno);
    let filter = SeccompFilter::new(rules.0, SeccompAction::Allow, answer, arch)?;
    Ok(filter.try_into()?)
}

// Instructions of classic BPF (linux/bpf_common.h). An instruction that compares jumps over as many as it says: `jt` if
// it holds, `jf` if not.
const LOAD_WORD: u16 = 0x20;
const IF_GREATER: u16 = 0x25;
const IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;

/// The offset of the number of the call in the data of the filter (`struct seccomp_data`).
const NUMBER: u32 = 0;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;

/// To a C library this means an old kernel, and it does without the call.
const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned();

/// Returns the filter for calls that the lists do not know, written by hand, since seccompiler compares arguments and not
/// numbers of calls. It answers as an older kernel would: to every call that is newer than the lists, and to `clone3`.
/// Numbers of the x32 ABI have bit 30 set, and are above all others.
fn unknown_calls() -> BpfProgram {
    let number_of = |call: i64| u32::try_from(call).expect("numbers of calls are small");
    vec![
        sock_filter {
            code: LOAD_WORD,
            jt: 0,
            jf: 0,
            k: NUMBER,
        },
        sock_filter {
            code: IF_GREATER,
            jt: 2,
            jf: 0,
            k: number_of(lists::NEWEST),
        },
        // Its flags are in memory, which a filter cannot read, so they could ask for a user namespace. After ENOSYS the
        // C library calls clone, whose flags are in a register; EPERM would be the end of every thread.
        sock_filter {
            code: IF_EQUAL,
            jt: 1,
            jf: 0,
            k: number_of(libc::SYS_clone3),
        },
        sock_filter {
            code: RETURN,
            jt: 0,
            jf: 0,
            k: ALLOW,
        },
        sock_filter {
            code: RETURN,
            jt: 0,
            jf: 0,
            k: NO_SUCH_CALL,
        },
    ]
}

#[cfg(test)]
mod tests;
