//! The beginning and the end of a long text.

/// The first and the last bytes of a text that may be too long to keep.
#[derive(Clone, Debug)]
pub struct Excerpt {
    head: Vec<u8>,
    head_limit: usize,
    /// Up to twice the limit, so that each byte is moved once on average.
    tail: Vec<u8>,
    tail_limit: usize,
    /// Number of bytes dropped between head and tail.
    dropped: usize,
}

impl Excerpt {
    /// Returns an empty excerpt that keeps the first `head_limit` and the last `tail_limit` bytes.
    #[must_use]
    pub fn new(head_limit: usize, tail_limit: usize) -> Excerpt {
        Excerpt {
            head: Vec::new(),
            head_limit,
            tail: Vec::new(),
            tail_limit,
            dropped: 0,
        }
    }

    /// Appends `bytes` to the text.
    pub fn add(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(self.head_limit - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(rest);
        if self.tail.len() > 2 * self.tail_limit {
            let spare = self.tail.len() - self.tail_limit;
            self.tail.drain(..spare);
            self.dropped += spare;
        }
    }

    /// Returns whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    /// Returns the first and the last bytes of the text.
    #[must_use]
    pub fn parts(&self) -> [&[u8]; 2] {
        let spare = self.tail.len().saturating_sub(self.tail_limit);
        [&self.head, &self.tail[spare..]]
    }

    /// Returns the kept bytes. A line between the two parts has the number of bytes left out.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let [head, tail] = self.parts();
        let gap = match self.dropped + self.tail.len() - tail.len() {
            0 => String::new(),
            count => format!("\n... {count} bytes are left out here ...\n"),
        };
        [head, gap.as_bytes(), tail].concat()
    }

    /// Returns the excerpt so far and begins a new one.
    #[must_use]
    pub fn take(&mut self) -> Excerpt {
        let empty = Excerpt::new(self.head_limit, self.tail_limit);
        std::mem::replace(self, empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpt_keeps_both_ends() {
        let mut excerpt = Excerpt::new(4, 6);
        excerpt.add(b"first");
        for _ in 0..100 {
            excerpt.add(b"xx");
        }
        assert_eq!(excerpt.parts(), [b"firs" as &[u8], b"xxxxxx"]);
        excerpt.add(b" last");
        assert!(
            (6..=12).contains(&excerpt.tail.len()),
            "the memory is bounded"
        );
        assert!(!excerpt.is_empty());
        let text = String::from_utf8(excerpt.to_bytes()).unwrap();
        assert_eq!(text, "firs\n... 200 bytes are left out here ...\nx last");
    }

    #[test]
    fn excerpt_of_a_short_text_is_the_text() {
        let mut excerpt = Excerpt::new(4, 6);
        assert!(excerpt.is_empty());
        excerpt.add(b"1234");
        excerpt.add(b"567890");
        assert_eq!(excerpt.take().to_bytes(), b"1234567890");
        assert!(excerpt.is_empty());
    }

    #[test]
    fn excerpt_drops_bytes_beyond_twice_its_limit_at_once() {
        let mut excerpt = Excerpt::new(4, 6);
        excerpt.add(b"1234567890123456");
        assert_eq!(excerpt.tail.len(), 12);
        excerpt.add(b"7");
        assert_eq!((excerpt.tail.len(), excerpt.dropped), (6, 7));
    }
}
