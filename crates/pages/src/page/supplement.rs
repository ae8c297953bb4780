//! The text on the page of a class besides the report: words of the referee and of submissions,
//! none of it markup.

use super::overview::address;
use super::page_name;

/// The text of a page beside its report.
#[derive(Clone, Debug, Default)]
pub struct Supplement {
    /// The name of the page.
    pub title: String,
    /// The first sentences.
    pub intro: Vec<String>,
    /// Its parts, in order.
    pub parts: Vec<SupplementPart>,
    /// The heading of the report; empty if it needs none.
    pub report: String,
    /// Whether the parts stand behind the report.
    pub parts_last: bool,
    /// The player whose worst games are linked to, by its name in the report, and the words of the
    /// link.
    pub link: Option<(String, String)>,
}

impl Supplement {
    /// Returns where the page shows the player that is linked to.
    pub(super) fn href(&self) -> String {
        self.link.as_ref().map_or_else(String::new, |(name, _)| {
            address("player", &[&page_name(name)])
        })
    }
}

/// A part with a heading.
#[derive(Clone, Debug, Default)]
pub struct SupplementPart {
    pub title: String,
    /// The text, in sentences.
    pub lines: Vec<String>,
    /// Its table, if it has one.
    pub table: Option<SupplementTable>,
    /// Texts with their headings, shown as they are.
    pub texts: Vec<(String, String)>,
}

/// A table of texts.
#[derive(Clone, Debug, Default)]
pub struct SupplementTable {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}
