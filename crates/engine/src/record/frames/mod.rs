//! Records compressed by zstd: whole frames, one after another. `zstd -d` reads them, and `cat` joins them.

mod append;
mod decode;
mod decoder;

pub use append::append_frame;
pub(super) use append::{append_bytes, frame, has_packed_name, keep_text};
pub(super) use decode::is_packed;
pub use decode::{Mark, Text};

#[cfg(test)]
mod tests;
