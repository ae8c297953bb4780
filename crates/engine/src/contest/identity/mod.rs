//! The identity of a player: the files by which a record knows it again. `docs/record.md` has the rules.

mod file_digest;
mod files;
mod folder;
mod view;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

pub use self::folder::files_of_bot;
pub use self::view::{files_of, separate};

pub(crate) use self::file_digest::digest_of;
use self::files::{Origin, ProgramFile, ProgramParts};
use crate::record::{FileDigest, hexadecimal};
use bothost::BotProgram;

/// More files than this are not listed one by one.
const MOST_LISTED: usize = 32;

/// The digits of a digest in the list: enough to see a change, and short.
const DIGITS: usize = 12;

/// The files of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The SHA-256 of all its files: that of the only one, or of their names and digests. `None` if it has none.
    pub digest: Option<String>,
    /// Its files, sorted; `None` if it has none.
    pub files: Option<Vec<FileDigest>>,
    /// The reason why files are left out that may belong to it.
    pub left_out: Option<String>,
    /// Whether it starts what these files do not tell.
    pub is_open: bool,
}

/// Returns what each of `programs` consists of. `own` are the files of the command itself: what it writes and reads its
/// options from. Each file is read once, by as many threads as there are cores.
///
/// # Errors
/// If a file that a command names cannot be read.
pub fn identify(programs: &[&BotProgram], own: &[PathBuf]) -> io::Result<Vec<Identity>> {
    let own: Vec<PathBuf> = own
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let parts = in_parallel(programs, |program| ProgramParts::of(program, &own));
    // Players share files: the referee's executable is every player that comes with it.
    let mut places = HashMap::new();
    let mut paths: Vec<&Path> = Vec::new();
    for file in parts.iter().flat_map(|parts| &parts.files) {
        if let Entry::Vacant(place) = places.entry(&*file.path) {
            place.insert(paths.len());
            paths.push(&file.path);
        }
    }
    let digests = in_parallel(&paths, |path| digest_of(path));
    let digest = |file: &ProgramFile| match &digests[places[&*file.path]] {
        Ok(digest) => Ok(Some(digest.clone())),
        // Only what is named has to be there; a file beside it may have gone in the meantime, or be unreadable to bots
        // too.
        Err(_) if file.origin != Origin::Named => Ok(None),
        Err(error) => Err(io::Error::new(
            error.kind(),
            format!("{}: {error}", file.path.display()),
        )),
    };
    let identity = |parts: &ProgramParts| {
        let mut files = Vec::new();
        for file in &parts.files {
            files.extend(digest(file)?.map(|digest| (file.label.clone(), digest)));
        }
        Ok(Identity {
            digest: whole(&files),
            files: (!files.is_empty()).then(|| listed(&files)),
            left_out: parts.left_out.clone(),
            is_open: parts.is_open,
        })
    };
    parts.iter().map(identity).collect()
}

/// Returns the digest of all of `files`: names and digests.
fn whole(files: &[(String, String)]) -> Option<String> {
    match files {
        [] => None,
        // One file keeps its plain digest, which sha256sum(1) prints too.
        [(_, digest)] => Some(digest.clone()),
        files => {
            let mut hasher = Sha256::new();
            for (label, digest) in files {
                // A zero byte is in no name.
                hasher.update(label.as_bytes());
                hasher.update(b"\0");
                hasher.update(digest.as_bytes());
                hasher.update(b"\n");
            }
            Some(hexadecimal(&hasher.finalize()))
        }
    }
}

/// Returns `files` as a header lists them: if they are many, the folders at the top instead of the files in them, and if
/// those are many, the rest as one.
fn listed(files: &[(String, String)]) -> Vec<FileDigest> {
    let mut groups: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for (label, digest) in files {
        let folder = label.split_once('/').filter(|_| files.len() > MOST_LISTED);
        let group = folder.map_or_else(|| label.clone(), |(folder, _)| format!("{folder}/"));
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, members)) => members.push((label.clone(), digest.clone())),
            None => groups.push((group, vec![(label.clone(), digest.clone())])),
        }
    }
    if groups.len() > MOST_LISTED {
        let rest = groups.split_off(MOST_LISTED - 1);
        let rest: Vec<_> = rest.into_iter().flat_map(|(_, members)| members).collect();
        groups.push(("other files".to_owned(), rest));
    }
    let short = |(name, members): (String, Vec<(String, String)>)| {
        let mut digest = whole(&members).unwrap_or_default();
        digest.truncate(DIGITS);
        FileDigest(name, digest)
    };
    groups.into_iter().map(short).collect()
}

/// Returns the results of `work` for `items`, in their order.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(items.len());
    let (next, done) = (
        AtomicUsize::new(0),
        Mutex::new(Vec::with_capacity(items.len())),
    );
    let run = || {
        // Relaxed: the number is all that the threads share.
        while let Some((place, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
        {
            let result = work(item);
            done.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((place, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Without a thread to spare, the calling one does all of the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests;
