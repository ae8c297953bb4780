//! The bounds on reading an archive: a few kilobytes can become headers and names without end.

use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};

use super::UnpackError;

/// The most bytes before the contents of a file in a tar file: its header, and its long names and
/// attributes, which come in headers of their own and are kept in memory as a whole.
const TAR_HEADER: u64 = 32 << 10;

/// The most bytes of the list of files in a zip file: some 15,000 files. In memory it can take ten
/// times as much.
const ZIP_DIRECTORY: u64 = 2 << 20;

/// The bytes that may still be read of an archive, counted as they come out of the decoder.
pub(super) struct Bounds {
    whole: Bound,
    /// Of headers; no bound while contents are read.
    header: Bound,
    /// The bound of one header.
    most: u64,
    what: &'static str,
}

/// The number of bytes that may still be read; `None` after more than that were read.
type Bound = Cell<Option<u64>>;

impl Bounds {
    /// Everything in a tar file counts, also what is not unpacked: it has to be decoded to reach
    /// what is behind it.
    pub(super) fn of_tar(whole: u64) -> Bounds {
        Bounds::new(whole, TAR_HEADER, "a header in it")
    }

    /// Returns the bounds of a zip file: entries that are not unpacked are not read either, and
    /// contents are counted as they are written. A zip file of a whole class has a longer list.
    pub(super) fn of_zip(is_of_class: bool) -> Bounds {
        let most = if is_of_class {
            64 * ZIP_DIRECTORY
        } else {
            ZIP_DIRECTORY
        };
        Bounds::new(u64::MAX, most, "its list of files")
    }

    fn new(whole: u64, most: u64, what: &'static str) -> Bounds {
        Bounds {
            whole: Cell::new(Some(whole)),
            header: Cell::new(Some(most)),
            most,
            what,
        }
    }

    /// Returns `inner`, which can be read this far.
    pub(super) fn around<R>(&self, inner: R) -> Bounded<'_, R> {
        Bounded {
            inner,
            bounds: self,
        }
    }

    /// Has `read` read a header.
    pub(super) fn header<T>(&self, read: impl FnOnce() -> T) -> T {
        self.header.set(Some(self.most));
        let header = read();
        if self.header.get().is_some() {
            self.header.set(Some(u64::MAX));
        }
        header
    }

    /// Returns which bound was exceeded; `size` is the one of the whole. Decoders make errors of
    /// their own of it.
    pub(super) fn exceeded(&self, size: u64) -> Option<UnpackError> {
        if self.whole.get().is_none() {
            return Some(UnpackError::Bytes(size));
        }
        let is_header = self.header.get().is_none();
        is_header.then_some(UnpackError::Header {
            what: self.what,
            most: self.most,
        })
    }

    fn count(&self, bytes: u64) -> io::Result<()> {
        for bound in [&self.whole, &self.header] {
            bound.set(bound.get().and_then(|left| left.checked_sub(bytes)));
            if bound.get().is_none() {
                return Err(io::Error::other("it is too long"));
            }
        }
        Ok(())
    }
}

/// A reader that fails where its bounds are exceeded.
pub(super) struct Bounded<'b, R> {
    inner: R,
    bounds: &'b Bounds,
}

impl<R: Read> Read for Bounded<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.bounds.count(count as u64)?;
        Ok(count)
    }
}

impl<R: Seek> Seek for Bounded<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}
