//! The program of this process: the referee, which supervises bots and has the shipped players in
//! it. A build or an update may put another file in its place while it runs.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::StartError;
use super::system::{Identity, identity_of};

/// The program that this process runs, if that is known.
static OWN: LazyLock<Option<Own>> = LazyLock::new(Own::find);

struct Own {
    /// Its paths when it was started. A file that was moved has another path by now.
    paths: Vec<PathBuf>,
    identity: Identity,
}

impl Own {
    fn find() -> Option<Own> {
        let path = std::env::current_exe().ok()?;
        let identity = identity_of(&running(&path).ok()?);
        // A supervisor is called by its whole path.
        let called = std::env::args_os()
            .next()
            .map(PathBuf::from)
            .filter(|name| name.is_absolute());
        Some(Own {
            paths: called.into_iter().chain([path]).collect(),
            identity,
        })
    }
}

/// Remembers which file this process runs: to be called before it can have been replaced.
pub(super) fn remember() {
    LazyLock::force(&OWN);
}

/// Checks that `file`, if it is this process's own program, is still the one that runs.
///
/// # Errors
/// If another file is there, or none.
pub(super) fn is_there(file: &Path) -> Result<(), StartError> {
    let Some(own) = OWN
        .as_ref()
        .filter(|own| own.paths.iter().any(|path| path == file))
    else {
        return Ok(());
    };
    if fs::metadata(file).is_ok_and(|now| identity_of(&now) == own.identity) {
        return Ok(());
    }
    let name = file.display();
    Err(StartError::of_machine(format!(
        "{name}, the referee's own program, was replaced or removed while it ran; start it again"
    )))
}

/// Returns the metadata of the file that runs.
fn running(path: &Path) -> io::Result<Metadata> {
    // It may already be another one that is at the path. Only Linux has a link to the one that
    // runs.
    let link = Path::new("/proc/self/exe");
    fs::metadata(link).or_else(|_| fs::metadata(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_program_is_looked_for() {
        remember();
        assert!(is_there(&std::env::current_exe().unwrap()).is_ok());
        assert!(is_there(Path::new("no/such/program")).is_ok());
    }
}
