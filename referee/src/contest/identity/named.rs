//! The digest by which records of versions 1 and 2 know a player: of the files that its command names.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::record::hexadecimal;
use crate::system::names_a_file;
use bothost::Program;

/// How many bytes of a file are read at once.
const PIECE: usize = 64 << 10;

/// Returns the SHA-256 of what is played when `program` is started, in hexadecimal: of its file, and of the files
/// among its arguments, as a script is. A program that is looked up on the PATH does not count: it may be another one
/// on another machine, and runs the same script. If there are several files it is the SHA-256 of theirs, in order.
/// Nothing if there is no file.
///
/// # Errors
/// If one of the files cannot be read.
pub(crate) fn fingerprint(program: &Program) -> io::Result<Option<String>> {
    let own = Some(&program.file).filter(|file| names_a_file(&file.to_string_lossy()));
    let files = own.into_iter().chain(&program.arguments).map(Path::new);
    let mut digests =
        files.filter(|file| file.is_file()).map(digest_of).collect::<io::Result<Vec<_>>>()?;
    // One file keeps its plain digest, which sha256sum(1) prints too.
    if digests.len() > 1 {
        return Ok(Some(hexadecimal(&Sha256::digest(digests.concat()))));
    }
    Ok(digests.pop())
}

/// Returns the SHA-256 of the file at `path`, in hexadecimal.
///
/// # Errors
/// If it cannot be read.
pub(super) fn digest_of(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    digest_of_first(length, file)
}

/// Returns the SHA-256 of the first `length` bytes: a file to which another program appends, as a log, has no end.
fn digest_of_first(length: u64, file: impl Read) -> io::Result<String> {
    let mut file = file.take(length);
    let (mut hasher, mut buffer) = (Sha256::new(), vec![0; PIECE]);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hexadecimal(&hasher.finalize())),
            Ok(count) => hasher.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(words: &[&str]) -> Program {
        Program {
            file: words[0].into(),
            arguments: words[1..].iter().map(Into::into).collect(),
            folder: None,
            command_line: String::new(),
            on_terminal: false,
            person: None,
            sight: bothost::Sight::default(),
        }
    }

    #[test]
    fn a_program_is_known_by_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let (one, two) = (file("one", "abc"), file("two", "abd"));
        let print = |words: &[&str]| fingerprint(&program(words)).unwrap();
        // FIPS 180-2, appendix B.1: the digest of "abc".
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(print(&[&one]).as_deref(), Some(abc));
        assert_eq!(print(&["python3", "-u", &one]).as_deref(), Some(abc));
        assert_eq!(print(&["python3", "-c", "print()"]), None);
        assert_ne!(print(&[&one, &two]), print(&[&two, &one]));
    }

    #[test]
    fn a_file_that_grows_while_it_is_read_has_the_length_that_it_had() {
        let digest = |file: &str, length| digest_of_first(length, file.as_bytes()).unwrap();
        assert_eq!(digest("abc and more", 3), digest("abc", 3));
        let endless = digest_of_first(100_000, io::repeat(b'a')).unwrap();
        assert_eq!(endless, digest(&"a".repeat(100_000), 100_000));
    }
}
