//! Changes valid inputs: bytes, numbers, words, lines, and values of JSON.

use std::ops::Range;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::de::IgnoredAny;
use serde_json::Deserializer;

/// The longest input, in bytes.
const LONGEST: usize = 64 << 10;

/// Numbers at the limits of the types that read them, and what is nearly a number.
const NUMBERS: [&str; 24] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "007",
    "+1",
    "9",
    "10",
    "11",
    "12",
    "127",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "-2147483649",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e400",
    "1.5",
    "123456789012345678901234567890123456789012345678901234567890",
];

/// Values of JSON that are not what is expected.
const VALUES: [&str; 14] = [
    "null",
    "true",
    "{}",
    "[]",
    "\"\"",
    "[[]]",
    "[null]",
    "[0,0,0,0,0,0,0,0]",
    "{\"a\":1}",
    "\"\\u0000\\u202e\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud800\"",
    "-0.0",
    "1e-400",
];

/// Bytes that mean something to a reader.
const BYTES: &[u8] = b"\0\n\r\t \"\\{}[],:#-+.=/\x1b\x7f\x80\xc3\xe2\xff0aA";

/// Makes one input; the same numbers make the same.
#[derive(Debug)]
pub struct Mutator {
    rng: ChaCha8Rng,
}

impl Mutator {
    /// Returns the one for the input number `index` of `seed`.
    #[must_use]
    pub fn new(seed: u64, index: u64) -> Mutator {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&index.to_le_bytes());
        Mutator { rng: ChaCha8Rng::from_seed(key) }
    }

    /// Returns at most `longest` random bytes.
    #[must_use]
    pub fn bytes(mut self, longest: usize) -> Vec<u8> {
        let length = self.rng.random_range(0..=longest);
        (0..length).map(|_| self.rng.random()).collect()
    }

    /// Returns one of `corpus`, maybe spliced with another one, with some changes.
    pub fn input(&mut self, corpus: &[&[u8]]) -> Vec<u8> {
        let other = self.of(corpus);
        let mut input = self.of(corpus).to_vec();
        if self.below(8) == 0 {
            let (at, from) = (self.below(input.len() + 1), self.below(other.len() + 1));
            input.truncate(at);
            input.extend_from_slice(&other[from..]);
        }
        for _ in 0..=self.below(4) {
            self.change(&mut input, other);
            input.truncate(LONGEST);
        }
        input
    }

    /// Returns a number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { self.rng.random_range(0..bound) }
    }

    fn of<'c, T: ?Sized>(&mut self, list: &[&'c T]) -> &'c T {
        list[self.below(list.len())]
    }

    fn change(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        match self.below(13) {
            0 => self.byte(input),
            1 => self.piece(input),
            2 => {
                let (at, text) = (self.below(input.len() + 1), [BYTES[self.below(BYTES.len())]]);
                let times = if self.below(16) == 0 { 5000 } else { 1 + self.below(3) };
                input.splice(at..at, text.repeat(times));
            }
            3 | 4 => self.number(input),
            5 | 6 => self.words(input, other),
            7 => self.lines(input, other),
            _ => self.value(input, other),
        }
    }

    /// Changes a byte.
    fn byte(&mut self, input: &mut [u8]) {
        if input.is_empty() {
            return;
        }
        let at = self.below(input.len());
        input[at] = match self.below(3) {
            0 => input[at] ^ (1 << self.below(8)),
            1 => BYTES[self.below(BYTES.len())],
            _ => self.rng.random(),
        };
    }

    /// Loses a piece, or has it twice.
    fn piece(&mut self, input: &mut Vec<u8>) {
        let start = self.below(input.len());
        let most = if self.below(2) == 0 { 8 } else { input.len() };
        let end = (start + 1 + self.below(most)).min(input.len());
        if start >= end || self.below(2) == 0 {
            input.drain(start.min(end)..end);
        } else {
            let piece = input[start..end].to_vec();
            let at = self.below(input.len() + 1);
            input.splice(at..at, piece);
        }
    }

    /// Replaces a number.
    fn number(&mut self, input: &mut Vec<u8>) {
        let numbers = runs(input, |byte| byte.is_ascii_digit());
        if !numbers.is_empty() {
            let place = numbers[self.below(numbers.len())].clone();
            let number = self.of(&NUMBERS);
            input.splice(place, number.bytes());
        }
    }

    /// Swaps two words, or replaces one by another, maybe of the other input.
    fn words(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let (words, others) = (runs(input, is_of_word), runs(other, is_of_word));
        if words.is_empty() {
            return;
        }
        let one = words[self.below(words.len())].clone();
        if self.below(2) == 0 {
            let two = words[self.below(words.len())].clone();
            swap(input, one, two);
        } else if !others.is_empty() {
            let word = other[others[self.below(others.len())].clone()].to_vec();
            input.splice(one, word);
        }
    }

    /// Loses a line, has it twice, or elsewhere, or another one of the other input.
    fn lines(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        let mut lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
        let others: Vec<&[u8]> = other.split_inclusive(|byte| *byte == b'\n').collect();
        if lines.is_empty() || others.is_empty() {
            return;
        }
        let (one, two) = (self.below(lines.len()), self.below(lines.len()));
        match self.below(4) {
            0 => drop(lines.remove(one)),
            1 => lines.swap(one, two),
            2 => lines.insert(two, lines[one]),
            _ => lines.insert(one, self.of(&others)),
        }
        *input = lines.concat();
    }

    /// Replaces, loses, repeats or swaps values of JSON, or their keys: whatever is a whole value where it begins.
    fn value(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        let Some(one) = self.value_in(input) else { return self.number(input) };
        match self.below(6) {
            0 => drop(input.splice(one, self.of(&VALUES).bytes())),
            1 => {
                // With the comma before or behind it, so that what is left is JSON more often than not.
                let (mut start, mut end) = (one.start, one.end);
                if input.get(end) == Some(&b',') {
                    end += 1;
                } else if start > 0 && input[start - 1] == b',' {
                    start -= 1;
                }
                input.drain(start..end);
            }
            2 => {
                let again = [b",", &input[one.clone()]].concat();
                let times = if self.below(16) == 0 { 200 } else { 1 };
                input.splice(one.end..one.end, again.repeat(times));
            }
            3 => {
                if let Some(two) = self.value_in(input) {
                    swap(input, one, two);
                }
            }
            4 => {
                if let Some(theirs) = self.value_in(other) {
                    input.splice(one, other[theirs].to_vec());
                }
            }
            _ => {
                let depth = 1 + self.below(300);
                let nested = [vec![b'['; depth], input[one.clone()].to_vec(), vec![b']'; depth]];
                input.splice(one, nested.concat());
            }
        }
    }

    /// Returns where a value of JSON is in `text`; `None` if a few tries find none.
    fn value_in(&mut self, text: &[u8]) -> Option<Range<usize>> {
        (0..4).find_map(|_| {
            let from = self.below(text.len());
            let begins = |byte: &u8| {
                matches!(byte, b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'n' | b'f')
            };
            let start = from + text[from..].iter().position(begins)?;
            let mut values = Deserializer::from_slice(&text[start..]).into_iter::<IgnoredAny>();
            values.next()?.ok()?;
            Some(start..start + values.byte_offset())
        })
    }
}

/// Returns where bytes of a kind stand together.
fn runs(text: &[u8], is_of_kind: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| is_of_kind(**byte)) {
        match found.last_mut().filter(|run| run.end == at) {
            Some(run) => run.end += 1,
            None => found.push(at..at + 1),
        }
    }
    found
}

/// Swaps two ranges, unless they overlap.
fn swap(text: &mut Vec<u8>, one: Range<usize>, two: Range<usize>) {
    let (first, second) = if one.start < two.start { (one, two) } else { (two, one) };
    if first.end <= second.start {
        let (left, right) = (text[first.clone()].to_vec(), text[second.clone()].to_vec());
        text.splice(second, left);
        text.splice(first, right);
    }
}
