//! The secret of a class, from which all its seeds follow. The seeds give away the fleets of the
//! staff's bots.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use crate::ClassError;
use crate::class::write_whole;
use arena::record::hexadecimal;

/// 128 random bits.
#[derive(Clone, Copy)]
pub(crate) struct Secret([u8; 16]);

/// Without its digits.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// Draws one.
    ///
    /// # Errors
    /// If the operating system has no random numbers.
    pub(crate) fn draw() -> io::Result<Secret> {
        let mut bytes = [0; 16];
        SysRng
            .try_fill_bytes(&mut bytes)
            .map_err(io::Error::other)?;
        Ok(Secret(bytes))
    }

    /// Writes it to a file that only its owner may read, and that is not there yet.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write(self, path: &Path) -> Result<(), ClassError> {
        write_whole(path, format!("{}\n", self.digits()).as_bytes(), false)?;
        Ok(())
    }

    /// Reads a secret from a file.
    ///
    /// # Errors
    /// If the file is missing, cannot be read, or has something else in it.
    pub(crate) fn read(path: &Path) -> Result<Secret, ClassError> {
        let text = fs::read_to_string(path).map_err(|error| {
            let advice = "restore this file from a backup, or write 32 random hexadecimal digits into it, which begins another pool";
            ClassError::misuse(format!("{}: {error}; {advice}", path.display()))
        })?;
        let number = u128::from_str_radix(text.trim(), 16)
            .ok()
            .filter(|_| text.trim().len() == 32);
        let number = number.ok_or_else(|| {
            ClassError::misuse(format!("{}: write 32 hexadecimal digits", path.display()))
        })?;
        Ok(Secret(number.to_be_bytes()))
    }

    /// Returns it as hexadecimal digits, for a name that cannot be guessed.
    pub(crate) fn digits(self) -> String {
        hexadecimal(&self.0)
    }

    /// Returns a seed that follows from the secret and these parts: the first 64 bits of the
    /// SHA-256 of all of them. One-way: from a seed neither the secret nor another seed can be
    /// computed.
    pub(crate) fn seed(self, parts: &[&[u8]]) -> u64 {
        let mut hash = Sha256::new();
        hash.update(b"seed of a class\0");
        hash.update(self.0);
        for part in parts {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        let digest = hash.finalize();
        u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_comes_back_from_its_file_and_each_class_has_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("class.secret");
        assert!(Secret::read(&path).is_err());
        let secret = Secret::draw().unwrap();
        secret.write(&path).unwrap();
        assert_eq!(Secret::read(&path).unwrap().0, secret.0);
        Secret::draw().unwrap().write(&path).unwrap();
        assert_eq!(Secret::read(&path).unwrap().0, secret.0);
        assert_ne!(Secret::draw().unwrap().0, secret.0);
        for wrong in ["", "1", "x", &"0".repeat(33), &"+".repeat(32)] {
            fs::write(&path, wrong).unwrap();
            assert!(Secret::read(&path).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn seeds_follow_from_all_parts_and_where_they_end() {
        let secret = Secret([7; 16]);
        let seeds = [
            &[b"ab" as &[u8], b"c"] as &[&[u8]],
            &[b"a", b"bc"],
            &[b"abc"],
            &[],
        ];
        let mut all: Vec<u64> = seeds.iter().map(|parts| secret.seed(parts)).collect();
        all.push(Secret([8; 16]).seed(&[]));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 5);
    }
}
