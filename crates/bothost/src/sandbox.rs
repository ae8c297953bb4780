//! The policy of a sandbox: what a bot may use, passed on to the referee's other processes as one
//! argument.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::system::{let_others_read, paths};

/// The kinds of sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxKind {
    /// Namespaces of the bot's own, and a file system with nothing but what the bot is given.
    Namespaces,
    /// Landlock and a filter of system calls, for systems that have no namespaces for users.
    LandlockOnly,
}

/// The resources that a bot may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// The kind of sandbox.
    pub kind: SandboxKind,
    /// Folders that it may read besides those of the system and its own.
    #[serde(with = "paths")]
    pub allow: Vec<PathBuf>,
    /// Files and folders that it may not read even if they lie in a folder that it may read: what
    /// the referee writes, such as a record with the contest's seed. Absolute paths.
    #[serde(with = "paths")]
    pub hide: Vec<PathBuf>,
    /// Files and folders that it may read in place of the folders of its program and its scripts;
    /// none to read those. Absolute paths.
    #[serde(with = "paths")]
    pub instead: Vec<PathBuf>,
    /// Whether the words of its command open nothing: see [`View::closed`](super::View::closed).
    pub closed: bool,
    /// Bytes of memory, of all its processes together.
    pub memory: u64,
    /// Threads, of all its processes together.
    pub threads: u64,
    /// Bytes of the largest file it may write.
    pub file_size: u64,
    /// Descriptors each of its processes may have open.
    pub descriptors: u64,
}

impl Default for Sandbox {
    fn default() -> Sandbox {
        Sandbox {
            kind: SandboxKind::Namespaces,
            allow: Vec::new(),
            hide: Vec::new(),
            instead: Vec::new(),
            closed: false,
            // 1 GiB: the runtimes of Python, Node and Java start and play well in it.
            memory: u64::from(Sandbox::MEBIBYTES) << 20,
            threads: Sandbox::THREADS.into(),
            file_size: 64 << 20,
            descriptors: 256,
        }
    }
}

impl Sandbox {
    /// The memory of a bot when the caller sets no other limit, in MiB.
    pub const MEBIBYTES: u32 = 1024;

    /// The threads and processes of a bot when the caller sets no other limit.
    pub const THREADS: u32 = 64;

    /// The path of a submission's folder in its world. Its own name would reveal the class, and the
    /// digest in it the seeds.
    pub const FOLDER: &'static str = "/bot";
}

/// Lets every user read what is in `folder` and its user can read: in a sandbox, a bot that root
/// starts is another user.
///
/// # Errors
/// If the operating system refuses.
pub fn make_readable(folder: &Path) -> io::Result<()> {
    let_others_read(folder)?;
    // Files have no entries.
    for entry in fs::read_dir(folder).into_iter().flatten() {
        make_readable(&entry?.path())?;
    }
    Ok(())
}

/// The restrictions that a sandbox enforces on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforced {
    /// The attempts of the self-test. All were refused.
    pub refused: Vec<String>,
    /// The resources that the kernel limits for all processes of a bot together, by the kernel's
    /// names. The supervisor counts the others.
    pub hard: Vec<String>,
}
