//! Blocks, links and headings of Markdown.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "each function looks for a few of many events"
)]

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A fenced block.
pub(super) struct Block {
    pub(super) language: String,
    pub(super) text: String,
    /// The number of the line of the opening fence, from 1.
    pub(super) line: usize,
}

impl Block {
    /// Returns the name of the file that the block shows: the only word of a comment on its first
    /// line, if that has a dot in it, as in `# cup.toml`.
    pub(super) fn file(&self) -> Option<&str> {
        let first = self.text.lines().next()?;
        let name = first
            .strip_prefix("# ")
            .or_else(|| first.strip_prefix("// "))?;
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte);
        (name.contains('.') && !name.ends_with('.') && name.bytes().all(is_name)).then_some(name)
    }
}

fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter()
}

fn line_of(text: &str, place: &Range<usize>) -> usize {
    text[..place.start].matches('\n').count() + 1
}

pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut is_in_block = false;
    for (event, place) in events(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                is_in_block = true;
                found.push(Block {
                    language: language.into_string(),
                    text: String::new(),
                    line: line_of(text, &place),
                });
            }
            Event::Text(words) if is_in_block => found.last_mut().unwrap().text += &words,
            Event::End(TagEnd::CodeBlock) => is_in_block = false,
            _ => {}
        }
    }
    found
}

/// Returns the code in the sentences, headings and tables.
pub(super) fn quoted(text: &str) -> Vec<String> {
    events(text)
        .filter_map(|(event, _)| match event {
            Event::Code(code) => Some(code.into_string()),
            _ => None,
        })
        .collect()
}

/// Returns the addresses of links and pictures, in Markdown and in HTML, each with the number of
/// its line.
pub(super) fn links(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (event, place) in events(text) {
        let line = line_of(text, &place);
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                found.push((dest_url.into_string(), line));
            }
            Event::Html(tags) | Event::InlineHtml(tags) => {
                for mark in [" href=\"", " src=\"", " srcset=\""] {
                    let rests = tags.split(mark).skip(1);
                    let targets = rests.filter_map(|rest| rest.split_once('"'));
                    found.extend(targets.map(|(target, _)| (target.to_owned(), line)));
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns the names by which links lead to the headings, as code hosts and the book make them.
pub(super) fn anchors(text: &str) -> Vec<String> {
    let mut times: HashMap<String, usize> = HashMap::new();
    let mut found = Vec::new();
    let mut heading = None;
    for (event, _) in events(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut heading {
                    *heading += &words;
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let name: String = heading
                    .take()
                    .unwrap()
                    .chars()
                    .filter(|char| char.is_alphanumeric() || "-_ ".contains(*char))
                    .map(|char| char.to_ascii_lowercase())
                    .collect();
                let name = name.replace(' ', "-");
                let seen = times.entry(name.clone()).or_default();
                found.push(match seen {
                    0 => name,
                    _ => format!("{name}-{seen}"),
                });
                *seen += 1;
            }
            _ => {}
        }
    }
    found
}
