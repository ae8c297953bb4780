//! The filter for calls that the lists do not know, written by hand: seccompiler compares arguments, not numbers of
//! calls.

use seccompiler::{BpfProgram, sock_filter};

use super::lists::NEWEST;

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

/// Returns a filter that answers as an older kernel would: to every call that is newer than the lists, and to `clone3`.
/// Numbers of the x32 ABI have bit 30 set, and are above all others.
pub(super) fn program() -> BpfProgram {
    let number = |call: i64| u32::try_from(call).expect("numbers of calls are small");
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
            k: number(NEWEST),
        },
        // Its flags are in memory, which a filter cannot read, so they could ask for a user namespace. After ENOSYS the
        // C library calls clone, whose flags are in a register; EPERM would be the end of every thread.
        sock_filter {
            code: IF_EQUAL,
            jt: 1,
            jf: 0,
            k: number(libc::SYS_clone3),
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
