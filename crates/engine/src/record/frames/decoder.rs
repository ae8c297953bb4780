//! The decoders of the text of frames: zstd itself, and in a page, which has no C, a decoder in Rust.

#[cfg(not(target_os = "wasi"))]
use std::io::{self, BufRead};

#[cfg(target_os = "wasi")]
pub(super) use in_page::Decoder;

/// The distance that a frame may refer back, as a power of two in bytes: 8 MiB, as much as `zstd -19` uses. The decoder keeps
/// that much text, so a hostile file must not choose it.
const LARGEST_WINDOW: u32 = 23;

/// The progress of a decoder in one step.
pub(super) struct Step {
    /// The number of bytes of the frame that it has read.
    pub(super) read: u64,
    /// The number of bytes of its text that it has written.
    pub(super) written: usize,
    /// Whether that was the end of the frame and of its text.
    pub(super) is_over: bool,
}

#[cfg(not(target_os = "wasi"))]
pub(super) struct Decoder(zstd::stream::raw::Decoder<'static>);

#[cfg(not(target_os = "wasi"))]
impl Decoder {
    pub(super) fn new() -> io::Result<Decoder> {
        use zstd::stream::raw::DParameter;
        let mut decoder = zstd::stream::raw::Decoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(LARGEST_WINDOW))?;
        Ok(Decoder(decoder))
    }

    /// Reads from `frames` and writes as much text as `text` takes. At the end of the input it does nothing.
    pub(super) fn step(&mut self, frames: &mut impl BufRead, text: &mut [u8]) -> io::Result<Step> {
        use zstd::stream::raw::{InBuffer, Operation, OutBuffer};
        let mut input = InBuffer::around(frames.fill_buf()?);
        let mut output = OutBuffer::around(text);
        let left = self.0.run(&mut input, &mut output)?;
        let (read, written) = (input.pos(), output.pos());
        frames.consume(read);
        Ok(Step {
            read: read as u64,
            written,
            is_over: left == 0,
        })
    }
}

#[cfg(target_os = "wasi")]
mod in_page {
    use std::io::{self, BufRead, Read};

    use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
    use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

    use super::{LARGEST_WINDOW, Step};

    pub(crate) struct Decoder {
        frame: FrameDecoder,
        is_within: bool,
    }

    impl Decoder {
        pub(crate) fn new() -> io::Result<Decoder> {
            let mut frame = FrameDecoder::new();
            frame.set_max_window_size(1 << LARGEST_WINDOW);
            Ok(Decoder {
                frame,
                is_within: false,
            })
        }

        pub(crate) fn step(
            &mut self,
            frames: &mut impl BufRead,
            text: &mut [u8],
        ) -> io::Result<Step> {
            let mut counted = Counted {
                bytes: frames,
                read: 0,
            };
            let decoded = self.decode(&mut counted);
            let read = counted.read;
            // A frame that is cut off is not a mistake: its whole blocks have been read before.
            if decoded.is_err() && frames.fill_buf()?.is_empty() {
                return Ok(Step {
                    read,
                    written: 0,
                    is_over: false,
                });
            }
            decoded?;
            let written = if self.is_within {
                self.frame.read(text)?
            } else {
                0
            };
            self.is_within &= !self.frame.is_finished() || self.frame.can_collect() > 0;
            if !self.is_within
                && self
                    .frame
                    .get_checksum_from_data()
                    .is_some_and(|told| Some(told) != self.frame.get_calculated_checksum())
            {
                return Err(io::Error::other("its checksum is another"));
            }
            Ok(Step {
                read,
                written,
                is_over: !self.is_within,
            })
        }

        /// Decodes the next block, if there is no text left of the last one.
        fn decode(&mut self, frames: &mut impl Read) -> io::Result<()> {
            if !self.is_within {
                match self.frame.reset(&mut *frames) {
                    Ok(()) => self.is_within = true,
                    Err(FrameDecoderError::ReadFrameHeaderError(
                        ReadFrameHeaderError::SkipFrame { length, .. },
                    )) => {
                        return io::copy(&mut frames.take(length.into()), &mut io::sink())
                            .map(drop);
                    }
                    Err(_) => return Err(damaged()),
                }
            }
            while self.frame.can_collect() == 0 && !self.frame.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.frame
                    .decode_blocks(&mut *frames, one)
                    .map_err(|_| damaged())?;
            }
            Ok(())
        }
    }

    /// Its own words are for those who know the format.
    fn damaged() -> io::Error {
        io::Error::other("a part of it is damaged")
    }

    struct Counted<'b, B> {
        bytes: &'b mut B,
        read: u64,
    }

    impl<B: Read> Read for Counted<'_, B> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.bytes.read(buffer)?;
            self.read += count as u64;
            Ok(count)
        }
    }
}
