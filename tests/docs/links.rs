//! Every link in the Markdown of the project leads to a file and a heading that are there.

use std::path::{Path, PathBuf};

use super::markdown::{anchors, links};
use testkit::list::Tests;
use testkit::programs::{project_file, text_of};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            every_link_in_a_document_leads_somewhere,
            a_broken_link_is_found
        );
    });
}

/// Folders with what others have written, or what is built.
const NOT_OURS: [&str; 5] = ["target", "node_modules", ".venv", ".git", "corpus"];

/// Returns the Markdown files below `folder`.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap_or_default();
        if path.is_dir() && !path.is_symlink() && !NOT_OURS.contains(&name) {
            found.extend(documents(&path));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
    found
}

/// Returns what is wrong with the address of a link in `document`; `None` if it leads somewhere.
fn fault(document: &Path, target: &str) -> Option<String> {
    // No test has a network.
    if target.contains("://") {
        let is_plain = target.starts_with("https://") && !target.contains([' ', '<', '>']);
        return (!is_plain).then(|| "not an https address".to_owned());
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = match path {
        "" => document.to_owned(),
        _ => document.parent()?.join(path),
    };
    if !file.exists() {
        return Some("there is no such file".to_owned());
    }
    if anchor.is_empty() {
        return None;
    }
    let headings = anchors(&text_of(&file));
    (!headings.iter().any(|heading| heading == anchor))
        .then(|| format!("no such heading; there are {}", headings.join(", ")))
}

fn every_link_in_a_document_leads_somewhere() {
    let documents = documents(&project_file(""));
    let mut checked = 0;
    let mut faults = Vec::new();
    for document in &documents {
        let text = text_of(document);
        for (target, line) in links(&text) {
            checked += 1;
            if let Some(fault) = fault(document, &target) {
                faults.push(format!("{}:{line}: {target}: {fault}", document.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(
        documents.len() > 30 && checked > 150,
        "{checked} in {documents:?}"
    );
}

fn a_broken_link_is_found() {
    let readme = project_file("README.md");
    for target in ["gone.md", "protocol.md#gone", "#gone", "http://example.org"] {
        assert!(fault(&readme, target).is_some(), "{target}");
    }
    for target in [
        "protocol.md#figures",
        "docs",
        "#read-on",
        "https://example.org/a#b",
    ] {
        assert_eq!(fault(&readme, target), None, "{target}");
    }
}
