//! Whether this program has the stack that it needs, before it needs it.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Size of the stack that this program may need, in bytes: twice of what its commands take without
/// optimization.
const NEEDED: u64 = 512 << 10;

/// Raises the soft limit of the stack to what this program needs, if it is lower. The kernel looks
/// at the limit when the stack grows, so that is not too late.
///
/// # Errors
/// If it may not be that large. The kernel would end the program on its way without a word.
pub fn make_room_on_stack() -> io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(Resource::Stack);
    if current.is_none_or(|limit| limit >= NEEDED) {
        return Ok(());
    }
    let wanted = Rlimit {
        current: Some(NEEDED),
        maximum,
    };
    setrlimit(Resource::Stack, wanted).map_err(|_| {
        let limit = current.unwrap_or(u64::MAX) >> 10;
        io::Error::other(format!(
            "the stack may have {limit} KiB (ulimit -s), and the referee needs {}; raise that limit, as in: ulimit -s 8192",
            NEEDED >> 10
        ))
    })
}
