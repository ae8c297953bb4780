//! Every link in the Markdown of the project leads to a file and a heading that are there.

use std::fs;
use std::path::{Path, PathBuf};

use testkit::list::Tests;
use testkit::programs::{project_file, text_of};

use super::markdown::{anchors, links};

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, every_link_leads_somewhere, a_broken_link_is_found);
}

/// Folders with what others have written, or what is built.
const NOT_OURS: [&str; 5] = ["target", "node_modules", ".venv", ".git", "corpus"];

/// Returns the Markdown files below `folder`.
pub(super) fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_ours = !NOT_OURS.iter().any(|name| path.ends_with(name));
        if path.is_dir() && !path.is_symlink() && is_ours {
            found.extend(documents(&path));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
    found
}

/// Returns whether the address of a link in `document` leads somewhere. No test has a network.
fn leads_somewhere(document: &Path, target: &str) -> bool {
    if target.contains("://") {
        return target.starts_with("https://") && !target.contains([' ', '<', '>']);
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = match path {
        "" => document.to_owned(),
        _ => document.parent().unwrap().join(path),
    };
    file.exists() && (anchor.is_empty() || anchors(&text_of(&file)).contains(&anchor.to_owned()))
}

fn every_link_leads_somewhere() {
    let (mut checked, mut broken) = (0, Vec::new());
    for document in documents(&project_file("")) {
        for (target, line) in links(&text_of(&document)) {
            checked += 1;
            if !leads_somewhere(&document, &target) {
                broken.push(format!("{}:{line}: {target}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(checked > 150, "{checked}");
}

fn a_broken_link_is_found() {
    let readme = project_file("README.md");
    for target in ["gone.md", "protocol.md#gone", "#gone", "http://example.org"] {
        assert!(!leads_somewhere(&readme, target), "{target}");
    }
    for target in [
        "protocol.md#figures",
        "docs",
        "#read-on",
        "https://example.org/a#b",
    ] {
        assert!(leads_somewhere(&readme, target), "{target}");
    }
}
