//! Whether everything that the built book refers to is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use anyhow::Context;

use crate::html::{Element, elements};

/// The anchors and links of a page of the book.
#[derive(Default)]
struct Page {
    anchors: BTreeSet<String>,
    /// Addresses, each with the element that has it.
    links: Vec<(String, String)>,
}

/// Returns a line for each link in the book in the folder `built` that leads nowhere, or to a file on the network that a page needs.
pub(crate) fn faults(built: &Path) -> anyhow::Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    collect(built, built, &mut pages)?;
    let mut faults = Vec::new();
    for (name, page) in &pages {
        for (element, target) in &page.links {
            if let Some(fault) = fault(built, &pages, name, element, target) {
                faults.push(format!("{}: {target}: {fault}", name.display()));
            }
        }
    }
    Ok(faults)
}

/// Reads all pages in `folder`, and notes them by their path in the book.
fn collect(book: &Path, folder: &Path, pages: &mut BTreeMap<PathBuf, Page>) -> anyhow::Result<()> {
    for entry in folder
        .read_dir()
        .with_context(|| folder.display().to_string())?
    {
        let path = entry?.path();
        if path.is_dir() {
            collect(book, &path, pages)?;
        } else if path.extension().is_some_and(|ending| ending == "html") {
            let text =
                std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            pages.insert(path.strip_prefix(book)?.to_owned(), page(&text));
        }
    }
    Ok(())
}

fn page(text: &str) -> Page {
    let mut page = Page::default();
    for element in elements(text) {
        page.anchors.extend(element.attribute("id").map(unescaped));
        page.links.extend(links(&element));
    }
    page
}

fn links(element: &Element<'_>) -> Vec<(String, String)> {
    let targets = ["href", "src", "srcset"]
        .into_iter()
        .filter_map(|name| element.attribute(name));
    targets
        .map(|target| (element.name.to_owned(), unescaped(target)))
        .collect()
}

fn unescaped(value: &str) -> String {
    value
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// Returns what is wrong with an address on the page `name`; `None` if it leads somewhere.
fn fault(
    built: &Path,
    pages: &BTreeMap<PathBuf, Page>,
    name: &Path,
    element: &str,
    target: &str,
) -> Option<&'static str> {
    if target.contains("://") {
        return match (element, target.starts_with("https://")) {
            ("a", true) => None,
            ("a", false) => Some("links to other sites begin with https"),
            (_, _) => Some("the book has to work without a network"),
        };
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = if path.is_empty() {
        name.to_owned()
    } else {
        resolved(name, path)
    };
    match pages.get(&file) {
        // Only a script can say what a picture or a style has.
        None if anchor.is_empty() && built.join(&file).is_file() => None,
        None => Some("there is no such page"),
        Some(page) if anchor.is_empty() || page.anchors.contains(anchor) => None,
        Some(_) => Some("the page has no such heading"),
    }
}

/// Returns the path in the book that `address` on the page `name` has.
fn resolved(name: &Path, address: &str) -> PathBuf {
    let mut file = name.parent().unwrap_or(Path::new("")).to_owned();
    for component in Path::new(address).components() {
        match component {
            Component::ParentDir => {
                file.pop();
            }
            Component::Normal(name) => file.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let pages = [
            ("index.html", page("<h1 id=\"top\"></h1>")),
            ("a/b.html", page("<h2 id=\"here\"></h2>")),
        ];
        let pages = pages.map(|(name, page)| (PathBuf::from(name), page)).into();
        let here = Path::new("a/b.html");
        for (element, target, wrong) in [
            ("a", "#here", None),
            ("a", "../index.html#top", None),
            ("a", "../index.html", None),
            ("a", "https://example.org", None),
            ("a", "#gone", Some("no such heading")),
            ("a", "../index.html#here", Some("no such heading")),
            ("a", "index.html", Some("no such page")),
            ("img", "../gone.png", Some("no such page")),
            ("a", "http://example.org", Some("https")),
            (
                "script",
                "https://example.org/x.js",
                Some("without a network"),
            ),
        ] {
            let found = fault(Path::new("/nowhere"), &pages, here, element, target);
            match wrong {
                None => assert_eq!(found, None, "{target}"),
                Some(words) => {
                    assert!(found.is_some_and(|found| found.contains(words)), "{target}");
                }
            }
        }
    }
}
