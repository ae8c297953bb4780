//! The policy of a sandbox: what a bot may use, passed on to the referee's other processes as one argument.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The kinds of sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Walls {
    /// A world of its own: namespaces, and a file system with nothing but what the bot is given.
    World,
    /// Rules about what it may do in the world of its user, for systems that have no namespaces for users.
    Rules,
}

/// The resources that a bot may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// The kind of sandbox.
    pub walls: Walls,
    /// Folders that it may read besides those of the system and its own.
    #[serde(with = "paths")]
    pub allow: Vec<PathBuf>,
    /// Files and folders that it may not read even if they lie in a folder that it may read: what the referee writes,
    /// such as a record with the contest's seed. Absolute paths.
    #[serde(default, with = "paths")]
    pub hide: Vec<PathBuf>,
    /// Files and folders that it may read in place of the folders of its program and its scripts; none to read those.
    /// Absolute paths.
    #[serde(default, with = "paths")]
    pub instead: Vec<PathBuf>,
    /// Whether the words of its command open nothing: see [`Sight::closed`](super::Sight::closed).
    #[serde(default)]
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
            walls: Walls::World,
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

    /// The path of a submission's folder in its world. Its own name would reveal the class, and the digest in it the seeds.
    pub const FOLDER: &'static str = "/bot";

    /// Returns the policy as an argument of another process of the referee.
    #[must_use]
    pub fn to_argument(&self) -> String {
        serde_json::to_string(self).expect("a policy has nothing that JSON has not")
    }

    /// Returns the policy that another process of the referee has passed on.
    ///
    /// # Errors
    /// If `argument` is not a policy.
    pub fn from_argument(argument: &str) -> Result<Sandbox, serde_json::Error> {
        serde_json::from_str(argument)
    }
}

/// Paths in JSON: as text, or as a list of bytes if they are not text.
mod paths {
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Name {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        let name = |path: &PathBuf| match path.to_str() {
            Some(text) => Name::Text(text.to_owned()),
            None => Name::Bytes(bytes_of(path)),
        };
        to.collect_seq(paths.iter().map(name))
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
        let path = |name| match name {
            Name::Text(text) => PathBuf::from(text),
            Name::Bytes(bytes) => path_of(&bytes),
        };
        Ok(Vec::<Name>::deserialize(from)?
            .into_iter()
            .map(path)
            .collect())
    }

    #[cfg(unix)]
    fn bytes_of(path: &Path) -> Vec<u8> {
        std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_owned()
    }

    #[cfg(unix)]
    fn path_of(bytes: &[u8]) -> PathBuf {
        PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes))
    }

    /// There is no sandbox to tell.
    #[cfg(not(unix))]
    fn bytes_of(path: &Path) -> Vec<u8> {
        path.to_string_lossy().into_owned().into_bytes()
    }

    #[cfg(not(unix))]
    fn path_of(bytes: &[u8]) -> PathBuf {
        PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn a_policy_comes_back_with_any_paths() {
        let strange = PathBuf::from(OsStr::from_bytes(b"/home/\xff\xfe \"x\"\n"));
        let paths = vec![PathBuf::from("/usr/share/\u{e9}"), strange];
        let sandbox = Sandbox {
            allow: paths.clone(),
            hide: paths.clone(),
            instead: paths,
            ..Sandbox::default()
        };
        assert_eq!(
            Sandbox::from_argument(&sandbox.to_argument()).unwrap(),
            sandbox
        );
    }
}
