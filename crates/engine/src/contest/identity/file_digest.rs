//! The digest of a file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::record::hexadecimal;

/// Number of bytes of a file that are read at once.
const PIECE: usize = 64 << 10;

/// Returns the SHA-256 of the file at `path`, in hexadecimal.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn digest_of(path: &Path) -> io::Result<String> {
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

    #[test]
    fn a_growing_file_has_its_first_length() {
        let digest = |file: &str, length| digest_of_first(length, file.as_bytes()).unwrap();
        assert_eq!(digest("abc and more", 3), digest("abc", 3));
        let endless = digest_of_first(100_000, io::repeat(b'a')).unwrap();
        assert_eq!(endless, digest(&"a".repeat(100_000), 100_000));
    }
}
