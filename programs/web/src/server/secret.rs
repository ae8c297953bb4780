//! Random values that let a browser in.

use std::fmt;
use std::hint::black_box;
use std::io;

use rand::TryRng;
use rand::rngs::SysRng;

use arena::record::hexadecimal;

/// A random value of 128 bits.
pub(super) struct Secret(String);

impl Secret {
    /// Draws one.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn draw() -> io::Result<Secret> {
        let mut bytes = [0; 16];
        SysRng
            .try_fill_bytes(&mut bytes)
            .map_err(io::Error::other)?;
        Ok(Secret(hexadecimal(&bytes)))
    }

    /// Returns it as hexadecimal digits.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Returns whether `given` is this secret. How long that takes depends on nothing but the
    /// length of `given`, so that it cannot be found out digit by digit.
    pub(super) fn is(&self, given: &str) -> bool {
        let pairs = self.0.bytes().zip(given.bytes());
        let differences = pairs.fold(0, |found, (one, other)| black_box(found | (one ^ other)));
        given.len() == self.0.len() && differences == 0
    }
}

/// It stays out of messages.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_equal_to_its_own_text_only() {
        let [one, other] = [Secret::draw().unwrap(), Secret::draw().unwrap()];
        assert_eq!(one.text().len(), 32);
        assert!(one.is(one.text()));
        for wrong in [
            "",
            "0",
            other.text(),
            &one.text()[1..],
            &format!("{}0", one.text()),
        ] {
            assert!(!one.is(wrong), "{wrong}");
        }
        assert_eq!(format!("{one:?}"), "Secret(..)");
    }
}
