//! The content of a bot's folder: a save that changes nothing is not a change, even if an editor
//! makes many events of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use arena::record::{digest_of, files_of_bot};

/// The digests of a bot's files, by their paths below its folder.
pub(crate) type Contents = BTreeMap<PathBuf, String>;

/// A bot's folder that is looked at again and again. Polling needs no service of the system, and a
/// bot has few files.
#[derive(Debug)]
pub(crate) struct Watch {
    folder: PathBuf,
    /// Length and time of each file when it was read, so that it is read again only if it has
    /// changed.
    digests: BTreeMap<PathBuf, ((u64, Option<SystemTime>), String)>,
    /// The files that its build makes.
    products: BTreeSet<PathBuf>,
    last: Contents,
}

impl Watch {
    /// Returns a watch of the bot in `folder`.
    pub(crate) fn new(folder: &Path) -> Watch {
        let folder = folder.to_owned();
        Watch {
            folder,
            digests: BTreeMap::new(),
            products: BTreeSet::new(),
            last: Contents::new(),
        }
    }

    /// Returns the present files of the folder, without those that its build makes.
    pub(crate) fn look(&mut self) -> io::Result<Contents> {
        let mut digests = BTreeMap::new();
        for path in files_of_bot(&self.folder).map_err(io::Error::other)? {
            // An editor may have renamed it by now.
            let Ok(metadata) = fs::metadata(&path) else {
                continue;
            };
            let stamp = (metadata.len(), metadata.modified().ok());
            let digest = match self.digests.get(&path) {
                Some((known, digest)) if *known == stamp => digest.clone(),
                Some(_) | None => match digest_of(&path) {
                    Ok(digest) => digest,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => {
                        let what = format!("{}: {error}", path.display());
                        return Err(io::Error::new(error.kind(), what));
                    }
                },
            };
            digests.insert(path, (stamp, digest));
        }
        self.digests = digests;
        let mut contents = Contents::new();
        for (path, (_, digest)) in &self.digests {
            let path = path.strip_prefix(&self.folder).unwrap_or(path);
            contents.insert(path.to_owned(), digest.clone());
        }
        Ok(self.without_products(&contents))
    }

    /// Returns the present files of the folder if they differ from `known`, twice in a row alike:
    /// in the middle of a save they are not alike yet.
    pub(crate) fn change(&mut self, known: &Contents) -> io::Result<Option<Contents>> {
        let now = self.look()?;
        let before = std::mem::replace(&mut self.last, now.clone());
        Ok(Some(now).filter(|now| *now == before && now != known))
    }

    /// Looks after a build that began when the folder had `before`, and takes what it made for
    /// that: new files, and files that are not text. Returns the present files; what else has
    /// changed was saved meanwhile.
    pub(crate) fn look_after_build(&mut self, before: &Contents) -> io::Result<Contents> {
        let now = self.look()?;
        for (path, digest) in &now {
            let is_new = !before.contains_key(path);
            if is_new || before[path] != *digest && !self.is_text(path) {
                self.products.insert(path.clone());
            }
        }
        Ok(self.without_products(&now))
    }

    /// Returns whether a file is text, as sources are; programs have zeros.
    fn is_text(&self, path: &Path) -> bool {
        let mut first = Vec::new();
        let file = File::open(self.folder.join(path));
        let read = file.and_then(|file| file.take(8 << 10).read_to_end(&mut first));
        read.is_ok() && !first.contains(&0)
    }

    /// Returns `contents` without what the build makes.
    pub(crate) fn without_products(&self, contents: &Contents) -> Contents {
        let mut contents = contents.clone();
        contents.retain(|path, _| !self.products.contains(path));
        contents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Watch) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
            fs::write(folder.path().join(name), text).unwrap();
        }
        let watch = Watch::new(folder.path());
        (folder, watch)
    }

    #[test]
    fn a_save_may_change_nothing() {
        let (folder, mut watch) = watched(&[("bot.py", b"one"), ("lib/more.py", b"two")]);
        let known = watch.look().unwrap();
        assert_eq!(known.len(), 2);
        fs::write(folder.path().join("bot.py~"), "one").unwrap();
        fs::rename(folder.path().join("bot.py~"), folder.path().join("bot.py")).unwrap();
        assert!(watch.change(&known).unwrap().is_none() && watch.change(&known).unwrap().is_none());
    }

    #[test]
    fn a_change_counts_when_it_is_seen_twice() {
        let (folder, mut watch) = watched(&[("bot.py", b"one")]);
        let known = watch.look().unwrap();
        fs::write(folder.path().join("bot.py"), "half").unwrap();
        assert!(watch.change(&known).unwrap().is_none());
        fs::write(folder.path().join("bot.py"), "whole save").unwrap();
        assert!(watch.change(&known).unwrap().is_none());
        assert!(watch.change(&known).unwrap().is_some());
    }

    #[test]
    fn files_of_tools_are_not_looked_at() {
        let (_folder, mut watch) = watched(&[
            ("bot.py", b"one"),
            ("__pycache__/bot.pyc", b""),
            (".git/HEAD", b""),
            ("node_modules/a/index.js", b""),
            ("target/release/bot", b""),
            (".referee-dev/v1/bot.py", b""),
            ("games.jsonl", b"{\"format\":\"battleship-contest\"}"),
        ]);
        assert_eq!(
            watch.look().unwrap().into_keys().collect::<Vec<_>>(),
            [Path::new("bot.py")]
        );
    }

    #[test]
    fn a_build_makes_no_sources() {
        let (folder, mut watch) = watched(&[("bot.c", b"old"), ("bot", b"\0old")]);
        let before = watch.look().unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::write(file("bot"), b"\0new one").unwrap();
        fs::write(file("version.txt"), b"5").unwrap();
        let after = watch.look_after_build(&before).unwrap();
        assert_eq!(after, watch.without_products(&before));
        fs::write(file("bot.c"), b"saved meanwhile").unwrap();
        fs::write(file("version.txt"), b"66").unwrap();
        let saved = watch.look_after_build(&after).unwrap();
        assert_ne!(saved, after);
        assert_eq!(saved.into_keys().collect::<Vec<_>>(), [Path::new("bot.c")]);
    }
}
