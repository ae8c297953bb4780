//! Links and what they lead to.

use std::collections::HashMap;
use std::ops::Range;

use crate::fenced;

/// The target of a link, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'t> {
    /// The address as it is written.
    pub target: &'t str,
    /// The place of the address in the text, in bytes.
    pub place: Range<usize>,
    /// The number of its line, from 1.
    pub line: usize,
}

/// The text before an address, and the character that ends it.
const MARKS: [(&str, char); 4] = [
    ("](", ')'),
    (" href=\"", '"'),
    (" src=\"", '"'),
    (" srcset=\"", '"'),
];

/// Returns the links and pictures of `text`, in Markdown and in HTML, in their order. What is code has none.
#[must_use]
pub fn links(text: &str) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (number, (line, is_fenced)) in text.split_inclusive('\n').zip(fenced(text)).enumerate() {
        if !is_fenced {
            let open = without_code(line);
            for (mark, end) in MARKS {
                for (at, _) in open.match_indices(mark) {
                    let from = at + mark.len();
                    let Some(length) = line[from..].find(end) else {
                        continue;
                    };
                    let place = start + from..start + from + length;
                    found.push(Link {
                        target: &text[place.clone()],
                        place,
                        line: number + 1,
                    });
                }
            }
        }
        start += line.len();
    }
    found.sort_by_key(|link| link.place.start);
    found
}

/// Returns `line` with a space for each byte of code in it, so that everything else keeps its place.
fn without_code(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let (before, code) = rest.split_at(start);
        kept.push_str(before);
        let ticks = &code[..code.len() - code.trim_start_matches('`').len()];
        let length = match code[ticks.len()..].find(ticks) {
            Some(length) => 2 * ticks.len() + length,
            None => ticks.len(),
        };
        kept.push_str(&" ".repeat(length));
        rest = &code[length..];
    }
    kept + rest
}

/// Returns the names by which links lead to the headings of `text`, as code hosts and the book make them.
#[must_use]
pub fn anchors(text: &str) -> Vec<String> {
    let mut times: HashMap<String, usize> = HashMap::new();
    let lines = text
        .lines()
        .zip(fenced(text))
        .filter(|(_, is_fenced)| !is_fenced);
    let headings = lines.filter_map(|(line, _)| {
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        (1..=6)
            .contains(&level)
            .then(|| title.strip_prefix(' '))
            .flatten()
    });
    headings
        .map(|title| {
            let name = anchor(title.trim());
            let seen = times.entry(name.clone()).or_default();
            *seen += 1;
            if *seen == 1 {
                name
            } else {
                format!("{name}-{}", *seen - 1)
            }
        })
        .collect()
}

fn anchor(title: &str) -> String {
    // Of a link in a heading, only its text counts.
    let mut words = String::new();
    let mut rest = title;
    while let Some((before, after)) = rest.split_once("](") {
        words.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    words.push_str(rest);
    let kept = words.chars().filter_map(|char| match char {
        '-' | '_' => Some(char),
        _ if char.is_whitespace() => Some('-'),
        _ if char.is_alphanumeric() => Some(char.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_in_markdown_and_html_but_not_in_code() {
        let text = "[a](b.md#c) `[no](link)` ![p](q.png)\n\n```text\n[no](link)\n```\n<img alt=\"\" src=\"x.svg\">\n";
        let found: Vec<_> = links(text)
            .into_iter()
            .map(|link| (link.target, link.line))
            .collect();
        assert_eq!(found, [("b.md#c", 1), ("q.png", 1), ("x.svg", 6)]);
        for link in links(text) {
            assert_eq!(&text[link.place], link.target);
        }
    }

    #[test]
    fn a_heading_is_reached_by_its_words_in_small_letters() {
        let text = "# A. What `it` says\n```sh\n# no heading\n```\n## [1.0] twice\n## 1.0 twice\n";
        assert_eq!(anchors(text), ["a-what-it-says", "10-twice", "10-twice-1"]);
    }
}
