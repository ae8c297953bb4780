//! Fenced blocks, and the files that some of them are.

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'t> {
    /// The word behind the opening fence; empty if there is none.
    pub language: &'t str,
    /// The text between the fences, without the indentation of the fences.
    pub text: String,
    /// The number of the line of the opening fence, from 1.
    pub line: usize,
}

impl Block<'_> {
    /// Returns the name of the file that the block shows: the only word of a comment on its first line, if that has a dot in it,
    /// as in `# cup.toml`.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        let first = self.text.lines().next()?;
        let name = first
            .strip_prefix("# ")
            .or_else(|| first.strip_prefix("// "))?;
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte);
        (name.contains('.') && !name.ends_with('.') && name.bytes().all(is_name)).then_some(name)
    }
}

/// Returns the fenced blocks of `text` in their order.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for (number, line) in text.lines().enumerate() {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        let fence = bare.len() - bare.trim_start_matches('`').len();
        match (open, found.last_mut()) {
            (Some((length, _)), _) if fence == length && bare.trim_end().len() == length => {
                open = None;
            }
            (Some((_, indent)), Some(block)) => {
                let own = line.len() - line.trim_start().len();
                block.text.push_str(&line[own.min(indent)..]);
                block.text.push('\n');
            }
            (None, _) if fence >= 3 => {
                let language = bare[fence..].trim();
                found.push(Block {
                    language,
                    text: String::new(),
                    line: number + 1,
                });
                open = Some((fence, indent));
            }
            (_, _) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A page\n\n```sh\n# cup.toml\nls\n```\n\n- item\n\n  ```text\n  a\n    b\n  ```\n\n````\n```\n````\n";

    #[test]
    fn blocks_lose_the_indentation_of_their_fences() {
        let found = blocks(PAGE);
        let seen: Vec<_> = found
            .iter()
            .map(|block| (block.language, &*block.text, block.line))
            .collect();
        assert_eq!(
            seen,
            [
                ("sh", "# cup.toml\nls\n", 3),
                ("text", "a\n  b\n", 10),
                ("", "```\n", 15)
            ]
        );
    }

    #[test]
    fn a_comment_with_nothing_but_a_name_is_the_name_of_a_file() {
        for (first, file) in [
            ("# cup.toml", Some("cup.toml")),
            ("// tests/plays.rs", Some("tests/plays.rs")),
            ("# This is a comment.", None),
            ("# Sentence.", None),
            ("# heading", None),
            ("cup.toml", None),
        ] {
            let block = Block {
                language: "",
                text: format!("{first}\nmore\n"),
                line: 1,
            };
            assert_eq!(block.file(), file, "{first}");
        }
    }
}
