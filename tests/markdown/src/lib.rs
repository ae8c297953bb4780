//! Links, headings and fenced blocks of Markdown, as far as the project's documents use it.

mod blocks;
mod links;

pub use blocks::{Block, blocks};
pub use links::{Link, anchors, links};

/// Returns which lines of `text` belong to a fenced block, with the fences.
fn fenced(text: &str) -> Vec<bool> {
    let mut fence: Option<&str> = None;
    let is_fenced = |line: &str| {
        let line = line.trim_start();
        match fence {
            Some(open) => {
                if line.trim_end() == open {
                    fence = None;
                }
                true
            }
            None if line.starts_with("```") => {
                fence = Some(&"``````"[..line.len() - line.trim_start_matches('`').len()]);
                true
            }
            None => false,
        }
    };
    text.lines().map(is_fenced).collect()
}
