//! What stands on the page of a class besides the report: text of the referee and of submissions, none of it markup.

use super::overview::address;
use super::page_name;

/// What a page says before its report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Supplement {
    /// What the page is called.
    pub(crate) title: String,
    /// What is said first, in sentences.
    pub(crate) intro: Vec<String>,
    /// Its parts, in order.
    pub(crate) parts: Vec<SupplementPart>,
    /// What the report is of, as a heading; empty if it needs none.
    pub(crate) report: String,
    /// Whether the parts stand behind the report.
    pub(crate) parts_last: bool,
    /// The player whose worst games are linked to, by its name in the report, and the words of the link.
    pub(crate) link: Option<(String, String)>,
}

impl Supplement {
    /// Returns where the page shows the player that is linked to.
    pub(super) fn href(&self) -> String {
        self.link
            .as_ref()
            .map_or_else(String::new, |(name, _)| address("player", &[&page_name(name)]))
    }
}

/// A part with a heading.
#[derive(Clone, Debug, Default)]
pub(crate) struct SupplementPart {
    pub(crate) title: String,
    /// What is said, in sentences.
    pub(crate) lines: Vec<String>,
    /// Its table, if it has one.
    pub(crate) table: Option<SupplementTable>,
    /// Texts with their headings, shown as they are.
    pub(crate) texts: Vec<(String, String)>,
}

/// A table of texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct SupplementTable {
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}
