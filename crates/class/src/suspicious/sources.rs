//! Programs whose sources are alike, whatever their authors called things, wrote beside them, and how they laid them out.
//!
//! A source is the set of all sequences of 16 words in it, where each name is the same word and comments are none. That is the first
//! step of the comparison by Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document Fingerprinting" (2003); their
//! second step chooses among these sequences to save memory, of which sources of students need none.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use kits::FileKind;

use crate::project::entries;
use crate::{Bot, Class};

/// The words of a sequence. The header of a loop has about as many.
const LENGTH: usize = 16;

/// A pair is shown if this share of the shorter source, in percent, is in the other one.
const SHARE: usize = 50;

/// The fewest sequences of a program.
const LEAST: usize = 60;

/// Of fewer programs more than half can be copies of one.
const FEW: usize = 10;

/// The bytes of a program that are read, at most.
const LONGEST: u64 = 2 << 20;

/// Words that programs consist of, in all languages of the kits. All others are names.
const KEYWORDS: [&str; 40] = [
    "if", "else", "elif", "elsif", "unless", "for", "while", "do", "loop", "switch", "case",
    "match", "when", "break", "continue", "next", "return", "yield", "class", "struct", "def",
    "fn", "func", "function", "new", "let", "var", "const", "int", "bool", "true", "false", "try",
    "catch", "except", "and", "or", "not", "in", "end",
];

/// The sequences of a program.
#[derive(Debug, Default)]
struct Source {
    all: HashSet<u64>,
    files: Vec<(PathBuf, HashSet<u64>)>,
}

impl Source {
    fn add(&mut self, path: PathBuf, sequences: HashSet<u64>) {
        self.all.extend(&sequences);
        self.files.push((path, sequences));
    }

    /// Reads what is in a folder of a program.
    fn read(folder: &Path) -> Source {
        let mut source = Source::default();
        let mut left = LONGEST;
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for path in entries(&folder).unwrap_or_default() {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if path.is_dir() && !kits::is_cache(&name) {
                    folders.push(path);
                } else if let Some(comment) = comment_of(&path)
                    && let Ok(metadata) = fs::metadata(&path)
                    && metadata.is_file()
                    && metadata.len() <= left
                    && let Ok(bytes) = fs::read(&path)
                {
                    left -= metadata.len();
                    let text = String::from_utf8_lossy(&bytes);
                    source.add(path, sequences(&text, comment));
                }
            }
        }
        source
    }
}

/// Returns how a comment begins in a source file; `None` if the file is none.
fn comment_of(path: &Path) -> Option<&'static str> {
    if path
        .extension()
        .is_some_and(|ending| ending == "h" || ending == "hpp")
    {
        return Some("//");
    }
    let (language, ending) = kits::kind_of_file(path)?;
    (!matches!(ending.kind, FileKind::Class(_))).then_some(language.comment)
}

/// Returns which of `bots`, whose programs are not the same, have sources that are alike, in a sentence for each pair. What the kits
/// and the course have given, and what more than half of all programs have, is not compared.
pub(super) fn lines(class: &Class, bots: &[&Bot]) -> Vec<String> {
    let mut sources: Vec<Source> = bots
        .iter()
        .map(|bot| Source::read(&class.bot_folder(&bot.key.digest)))
        .collect();
    let mut given = HashSet::new();
    for (name, text) in kits::kits().into_iter().flat_map(|kit| kit.files) {
        if let Some(comment) = comment_of(Path::new(name)) {
            given.extend(sequences(text, comment));
        }
    }
    if let Some(skeleton) = &class.config.build.skeleton {
        given.extend(Source::read(&class.folder.path().join(skeleton)).all);
    }
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for sequence in sources.iter().flat_map(|source| &source.all) {
        *counts.entry(*sequence).or_default() += 1;
    }
    let most = if sources.len() < FEW {
        FEW
    } else {
        sources.len() / 2
    };
    let is_own = |sequence: &u64| !given.contains(sequence) && counts[sequence] <= most;
    for source in &mut sources {
        source.all.retain(is_own);
        source
            .files
            .iter_mut()
            .for_each(|(_, sequences)| sequences.retain(is_own));
    }
    let mut found = Vec::new();
    for (one, own) in sources.iter().enumerate() {
        for (two, other) in sources.iter().enumerate().skip(one + 1) {
            let shorter = own.all.len().min(other.all.len());
            let same = own.all.intersection(&other.all).count();
            if same >= LEAST && 100 * same >= SHARE * shorter {
                found.push((100 * same / shorter, one, two));
            }
        }
    }
    found.sort_by_key(|(share, ..)| std::cmp::Reverse(*share));
    let line = |(share, one, two): (usize, usize, usize)| {
        let [first, second] = most_alike(&sources[one], &sources[two]);
        format!(
            "{} and {} have sources that are alike: {share}% of the shorter one is in the other, whatever its names and comments are; \
             compare {} and {}",
            bots[one].key.student,
            bots[two].key.student,
            class.relative(first),
            class.relative(second)
        )
    };
    found.into_iter().map(line).collect()
}

/// Returns the two files that have most in common.
fn most_alike<'s>(one: &'s Source, two: &'s Source) -> [&'s Path; 2] {
    let pairs = one
        .files
        .iter()
        .flat_map(|own| two.files.iter().map(move |other| (own, other)));
    let best = pairs.max_by_key(|((_, own), (_, other))| own.intersection(other).count());
    best.map_or([Path::new(""); 2], |((own, _), (other, _))| [own, other])
}

/// Returns all sequences of words in a text, by their hashes. A comment begins with `comment`.
fn sequences(text: &str, comment: &str) -> HashSet<u64> {
    let words = words(text, comment);
    words
        .windows(LENGTH)
        .map(|sequence| hash(&sequence))
        .collect()
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Returns the words of a program. Names are one word, and so are texts in quotation marks; each other character is a word.
fn words<'t>(text: &'t str, comment: &str) -> Vec<&'t str> {
    const NAME: &str = "a";
    const TEXT: &str = "\"";
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_of_word = |char: char| char.is_alphanumeric() || char == '_';
        let end_of = |end: &str, from: usize| {
            rest[from..]
                .find(end)
                .map_or(rest.len(), |place| from + place + end.len())
        };
        let length = if rest.starts_with(comment) {
            end_of("\n", 0)
        } else if comment == "//" && rest.starts_with("/*") {
            end_of("*/", 2)
        } else if let Some(quote) = ["\"\"\"", "'''"]
            .into_iter()
            .find(|one| rest.starts_with(one))
        {
            words.push(TEXT);
            end_of(quote, quote.len())
        } else if let Some(length) = length_of_text(rest) {
            words.push(TEXT);
            length
        } else if is_of_word(first) {
            let length = rest.find(|char| !is_of_word(char)).unwrap_or(rest.len());
            let word = &rest[..length];
            let is_kept = first.is_ascii_digit() || KEYWORDS.contains(&word);
            words.push(if is_kept { word } else { NAME });
            length
        } else {
            if !first.is_whitespace() {
                words.push(&rest[..first.len_utf8()]);
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    words
}

/// Returns the bytes of the text in quotation marks with which `rest` begins. It ends on its line: a mark that stands there alone,
/// as in a comment in words that are not known here, begins none.
fn length_of_text(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices();
    let (_, quote) = chars
        .next()
        .filter(|(_, char)| ['"', '\'', '`'].contains(char))?;
    while let Some((place, char)) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            '\n' if quote != '`' => return None,
            _ if char == quote => return Some(place + char.len_utf8()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_comments_texts_and_layout_say_nothing() {
        let one = "int best = 0; // the best\nfor (int i = 0; i < n; i++) { if (a[i] > best) best = a[i]; }\nsay(\"x\\\"\");";
        let two = "int m=0;\n/* now */\nfor (int row=0;row<rows;row++)\n{\n if (grid[row]>m)\n m=grid[row];\n}\nputs(\"hit\");";
        assert_eq!(words(one, "//"), words(two, "//"));
        assert_eq!(sequences(one, "//"), sequences(two, "//"));
        let python = "def f(x):\n    '''text'''\n    return x  # it's so\n";
        assert_eq!(words(python, "#").concat(), "defa(a):\"returna");
        assert_eq!(words("'", "#"), ["'"]);
        assert_eq!(words("é \"é\\", "#"), ["a", "\"", "a", "\\"]);
    }
}
