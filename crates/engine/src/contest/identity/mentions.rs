//! The files that a program mentions. They tell which of the files beside it belong to it.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Number of bytes read of a file, at most. A longer one is a program of some compiler, which has its texts early or not at
/// all; the rest mentions nothing.
const MOST_READ: u64 = 4 << 20;

/// Quoted or in a path, a shorter word is more likely a letter or a quotient than a file.
const SHORTEST: usize = 3;

/// The words in some files that may be names of other files.
#[derive(Debug, Default)]
pub(super) struct Mentions<'n> {
    /// The words in those names. Others are passed over, as programs of compilers have hundreds of thousands.
    wanted: HashSet<&'n [u8]>,
    /// Whether a name begins with a byte, by the byte: most words are passed over by that.
    beginnings: Vec<bool>,
    words: HashSet<String>,
    /// Words with an ending, as in `bot.py`.
    names: HashSet<String>,
}

impl<'n> Mentions<'n> {
    /// Looks for the files that have these names.
    pub(super) fn of(names: impl IntoIterator<Item = &'n str>) -> Mentions<'n> {
        let words_of = |name: &'n str| {
            words(name.as_bytes())
                .into_iter()
                .map(move |(start, end)| &name.as_bytes()[start..end])
        };
        let wanted: HashSet<_> = names.into_iter().flat_map(words_of).collect();
        let mut beginnings = vec![false; 256];
        for word in &wanted {
            beginnings[usize::from(word[0])] = true;
        }
        Mentions {
            wanted,
            beginnings,
            ..Mentions::default()
        }
    }

    /// Adds what the file at `path` mentions; nothing if it cannot be read.
    pub(super) fn add_file(&mut self, path: &Path) {
        if self.wanted.is_empty() {
            return;
        }
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MOST_READ).read_to_end(&mut bytes));
        if read.is_ok() {
            let loads_by_itself =
                kits::kind_of_file(path).is_some_and(|(language, _)| language.loads_by_itself);
            let every = loads_by_itself || bytes.contains(&0);
            self.add(&bytes, every);
        }
    }

    /// Adds the words of `text`: every word, or those that are quoted, part of a path, or on a line that loads
    /// something by name. Otherwise a variable `b` would be a mention of `b.py`.
    fn add(&mut self, text: &[u8], every: bool) {
        for line in text.split(|byte| *byte == b'\n') {
            let words = words(line);
            let loads = |(start, end): &(usize, usize)| {
                let before = line[..*start].trim_ascii_end().last();
                let begins = matches!(before, None | Some(b':' | b';' | b'{'));
                begins && kits::is_loading(&line[*start..*end])
            };
            let every = every || words.iter().any(loads);
            for (number, (start, end)) in words.iter().enumerate() {
                if !self.beginnings[usize::from(line[*start])]
                    || !self.wanted.contains(&line[*start..*end])
                {
                    continue;
                }
                let word = String::from_utf8_lossy(&line[*start..*end]);
                let before = start.checked_sub(1).map(|at| line[at]);
                let behind = line.get(*end).copied();
                let is_quote = |byte| matches!(byte, Some(b'"' | b'\'' | b'`'));
                let in_path = before == Some(b'/') || behind == Some(b'/');
                let quoted = is_quote(before) && (is_quote(behind) || behind == Some(b'.'));
                if every || ((in_path || quoted) && word.len() >= SHORTEST) {
                    self.words.insert(word.clone().into_owned());
                }
                if behind == Some(b'.')
                    // Only the next word can begin there. A search among all took minutes in programs of compilers, which
                    // have few line feeds.
                    && let Some((start, end)) = words.get(number + 1).filter(|next| next.0 == *end + 1)
                {
                    let ending = String::from_utf8_lossy(&line[*start..*end]);
                    self.names.insert(format!("{word}.{ending}"));
                }
            }
        }
    }

    /// Returns whether the file `name` is mentioned, or its `stem`, without its ending.
    pub(super) fn has(&self, name: &str, stem: &str) -> bool {
        let mut parts = words(stem.as_bytes()).into_iter().peekable();
        let has_all = parts.peek().is_some()
            && parts.all(|(start, end)| {
                self.words
                    .contains(&*String::from_utf8_lossy(&stem.as_bytes()[start..end]))
            });
        has_all || self.names.contains(name)
    }
}

/// Returns where the words of `text` are.
fn words(text: &[u8]) -> Vec<(usize, usize)> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80 || b"_-".contains(byte);
    let mut words = Vec::new();
    let mut start = None;
    for (at, byte) in text.iter().enumerate() {
        match (is_part(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(begun)) => {
                words.push((begun, at));
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    words.extend(start.map(|begun| (begun, text.len())));
    words
}
