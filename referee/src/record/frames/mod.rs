//! Records compressed by zstd: whole frames, one after another. `zstd -d` reads them, and `cat` joins them.

mod append;
mod decode;

pub(crate) use append::{append_bytes, append_frame, frame, has_packed_name, keep_text};
pub(crate) use decode::{Mark, Text, is_packed};

#[cfg(test)]
mod tests;
