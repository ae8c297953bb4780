//! System calls that bots may not make, answered by seccomp. A filter confines the calling thread
//! and all that it starts, for good.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter, sock_filter,
};

use self::Test::{Given, Has, Is, Not};
use super::{lists, unavailable};
use crate::program::StartError;
use crate::sandbox::SandboxKind;

/// The answer of success, for a call that is not made.
const SUCCESS: i32 = 0;

/// The calls that a filter answers, each with its rules: one that holds is enough. A call without a
/// rule is answered whatever its arguments are.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// A comparison of an argument of a call. All but `Given` compare 32 bits, as the kernel takes
/// these arguments as an int and ignores the upper half of the register. A comparison of all 64
/// bits is evaded by setting one of the upper ones (CVE-2019-7303).
#[derive(Clone, Copy)]
pub(super) enum Test {
    Is(i32),
    Not(i32),
    /// The bits of the first, a mask, are those of the second.
    Has(i32, i32),
    /// The argument is not a null pointer. It has 64 bits, and half of them may be 0.
    Given,
}

/// Has the kernel answer some calls with success without making them: those that change cores,
/// priorities and sessions. Has it refuse to change the limits of other processes, and answer
/// `clone3` as a kernel without that call.
///
/// # Errors
/// If the filter cannot be installed, as on an architecture that it does not know.
pub(crate) fn for_every_bot() -> Result<(), StartError> {
    // C libraries pass the number of the calling thread, which a filter cannot know, and a bot that
    // moves itself to another core takes time from others there. So no rule about processor time
    // asks which process is meant.
    install([
        filter(whatever(&[lists::WITHOUT_EFFECT]), SUCCESS),
        filter(changes_of_others(), libc::EPERM),
        // A child can begin in another control group (CLONE_INTO_CGROUP), where no freezer finds
        // it: that needs a descriptor of the group's folder, which no rule for writing covers. The
        // flags are in memory, which a filter cannot read.
        filter(whatever(&[&[libc::SYS_clone3]]), libc::ENOSYS),
    ])
}

/// Has the kernel refuse what no bot needs: all that looks into or changes other processes, the
/// machine or the kernel, sockets but for connected pairs, and memory and messages that outlive a
/// process. Where a bot has no namespaces and no read-only root of its own, also changes of the
/// attributes of files, which Landlock does not cover. It includes [`for_every_bot`]. Allows memory
/// that belongs to no process if `memory_is_counted`, by a control group.
///
/// # Errors
/// As [`for_every_bot`].
pub(super) fn for_sandbox(kind: SandboxKind, memory_is_counted: bool) -> Result<(), StartError> {
    let mut refused = refused_in_sandboxes();
    if kind == SandboxKind::LandlockOnly {
        refused.extend(whatever(&[lists::ATTRIBUTES, &[libc::SYS_memfd_create]]));
        for command in lists::ATTRIBUTE_COMMANDS {
            add(&mut refused, libc::SYS_ioctl, &[(1, Is(command))]);
        }
    }
    if !memory_is_counted {
        // `/proc` says of no process that it has files without a name. One is also what processes
        // share that map memory with each other. Its pages stay when a process has given back its
        // own view of them, and nothing but the kernel can count them then.
        let shared = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
        add(&mut refused, libc::SYS_mmap, &[(3, Has(shared, shared))]);
        refused.extend(whatever(&[&[libc::SYS_memfd_create]]));
    }
    // Bots that lock files of their own run on: none of their files is anybody else's. Which file
    // is meant a filter cannot know.
    let mut without_effect = whatever(&[lists::WITHOUT_EFFECT, lists::FILES_WITHOUT_EFFECT]);
    for command in lists::LOCK_COMMANDS {
        add(&mut without_effect, libc::SYS_fcntl, &[(1, Is(command))]);
    }
    // One filter has one answer, hence three of them.
    install([
        Ok(unknown_calls()),
        filter(without_effect, SUCCESS),
        filter(refused, libc::EPERM),
    ])
}

fn install<const COUNT: usize>(
    filters: [seccompiler::Result<BpfProgram>; COUNT],
) -> Result<(), StartError> {
    // All are made before the first is installed: a part of them would confine less than the caller
    // believes.
    let filters: seccompiler::Result<Vec<_>> = filters.into_iter().collect();
    filters
        .and_then(|filters| filters.iter().try_for_each(|filter| apply_filter(filter)))
        .map_err(|error| unavailable("seccomp", &error))
}

/// Returns the rules that answer these calls whatever their arguments are.
fn whatever(lists: &[&[i64]]) -> Rules {
    let calls = lists.concat().into_iter();
    calls.map(|call| (call, Vec::new())).collect()
}

/// Adds the rule that answers `call` if all `tests`, each of the argument of this number, hold.
fn add(rules: &mut Rules, call: i64, tests: &[(u8, Test)]) {
    let word = |flag: i32| u64::from(flag.cast_unsigned());
    let conditions = tests.iter().map(|(argument, test)| {
        let (operator, value) = match *test {
            Is(value) => (SeccompCmpOp::Eq, word(value)),
            Not(value) => (SeccompCmpOp::Ne, word(value)),
            Has(mask, value) => (SeccompCmpOp::MaskedEq(word(mask)), word(value)),
            Given => (SeccompCmpOp::Ne, 0),
        };
        let size = if let Given = test {
            SeccompCmpArgLen::Qword
        } else {
            SeccompCmpArgLen::Dword
        };
        SeccompCondition::new(*argument, size, operator, value)
    });
    let rule = conditions
        .collect::<Result<_, _>>()
        .and_then(SeccompRule::new);
    let rule = rule.expect("a rule has a test, and a call six arguments");
    rules.entry(call).or_default().push(rule);
}

/// Returns the rules about the limits of other processes and the sharing of cores. With a CPU limit
/// of a second a bot could end its opponent or the referee, which belong to the same user, and
/// Landlock does not cover that. To this call 0 is the process that calls, and a null pointer for
/// the new limits only asks for the old ones.
fn changes_of_others() -> Rules {
    let mut rules = Rules::new();
    add(&mut rules, libc::SYS_prlimit64, &[(0, Not(0)), (2, Given)]);
    // With a cookie of its own, a process keeps others from the second thread of its core.
    add(
        &mut rules,
        libc::SYS_prctl,
        &[(0, Is(lists::PR_SCHED_CORE))],
    );
    rules
}

/// Returns the rules that hold in every sandbox.
fn refused_in_sandboxes() -> Rules {
    let mut rules = changes_of_others();
    rules.extend(whatever(&[
        lists::MACHINE,
        lists::SHARED,
        lists::NOTIFICATION,
        lists::UNCOUNTED_MEMORY,
    ]));
    for (call, tests) in lists::CONDITIONS {
        add(&mut rules, *call, tests);
    }
    for flag in lists::NAMESPACES {
        add(&mut rules, libc::SYS_clone, &[(0, Has(flag, flag))]);
    }
    for command in lists::FILE_COMMANDS {
        add(&mut rules, libc::SYS_fcntl, &[(1, Is(command))]);
    }
    rules
}

fn filter(rules: Rules, errno: i32) -> seccompiler::Result<BpfProgram> {
    // Not the end of the process, since runtimes try some of these calls and do without them.
    let answer = SeccompAction::Errno(errno.cast_unsigned());
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    Ok(SeccompFilter::new(rules, SeccompAction::Allow, answer, arch)?.try_into()?)
}

// Instructions of classic BPF (linux/bpf_common.h). One that compares jumps over as many as it says
// if it holds.
const LOAD_WORD: u16 = 0x20;
const IF_GREATER: u16 = 0x25;
const IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;

/// The offset of the number of the call in the data of the filter (`struct seccomp_data`).
const NUMBER: u32 = 0;

/// To a C library this means an old kernel, and it does without the call.
const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned();

/// Returns the filter for calls that the lists do not know, written by hand, since seccompiler
/// compares arguments and not numbers of calls. It answers as an older kernel would: to every call
/// that is newer than the lists, and to `clone3`. Numbers of the x32 ABI have bit 30 set, and are
/// above all others.
fn unknown_calls() -> BpfProgram {
    let number_of = |call: i64| u32::try_from(call).expect("numbers of calls are small");
    [
        (LOAD_WORD, 0, NUMBER),
        (IF_GREATER, 2, number_of(lists::NEWEST)),
        // Its flags are in memory, which a filter cannot read, so they could ask for a user
        // namespace. After ENOSYS the C library calls clone, whose flags are in a register; EPERM
        // would be the end of every thread.
        (IF_EQUAL, 1, number_of(libc::SYS_clone3)),
        (RETURN, 0, libc::SECCOMP_RET_ALLOW),
        (RETURN, 0, NO_SUCH_CALL),
    ]
    .map(|(code, jt, k)| sock_filter { code, jt, jf: 0, k })
    .into()
}

#[cfg(test)]
mod tests;
