//! The changes of the pages on their way into the book: links that fit it, and the pages about commands.
//!
//! In the repository, links lead from file to file, so that they work on a code host and in an editor. The book has the pages of
//! `docs/` at its top, beside the protocol, which is outside of `docs/` in the repository; what else is linked is copied.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, bail};
use mdbook_driver::MDBook;
use mdbook_driver::book::{Book, BookItem};
use mdbook_driver::errors::Result;
use test_markdown::links;

use crate::commands;

use mdbook_preprocessor::{Preprocessor, PreprocessorContext};

/// The folder of the pages.
const DOCS: &str = "docs";

/// Files of the repository to be copied into the book, each with its path there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources(Rc<RefCell<BTreeMap<PathBuf, PathBuf>>>);

impl Sources {
    /// Returns what was found so far, and forgets it.
    pub(crate) fn take(&self) -> BTreeMap<PathBuf, PathBuf> {
        self.0.take()
    }
}

/// Prepares the pages of the book.
#[derive(Debug)]
pub(crate) struct Pages {
    project: PathBuf,
    /// For each page by its path in the repository the path in the book.
    places: BTreeMap<PathBuf, PathBuf>,
    sources: Sources,
}

impl Pages {
    /// Notes where each page of `book` is, in the repository in the folder `project` and in the book.
    pub(crate) fn new(project: &Path, book: &MDBook) -> Result<Pages> {
        let mut places = BTreeMap::new();
        for item in book.iter() {
            let BookItem::Chapter(chapter) = item else {
                continue;
            };
            let source = chapter
                .source_path
                .as_deref()
                .context("a chapter without a file")?;
            let source = tidy(&Path::new(DOCS).join(source));
            let is_introduction = source == Path::new("docs/README.md");
            let place = if is_introduction {
                Path::new("index.md")
            } else {
                place_of(&source)
            };
            places.insert(source.clone(), place.to_owned());
        }
        Ok(Pages {
            project: project.to_owned(),
            places,
            sources: Sources::default(),
        })
    }

    /// Returns the files to be copied beside the pages, which are known when the book is built.
    pub(crate) fn sources(&self) -> Sources {
        self.sources.clone()
    }

    /// Returns the text of the page `source` with the addresses that its links have in the book.
    fn with_links_of_the_book(&self, source: &Path, text: &str) -> Result<String> {
        let mut done = String::new();
        let mut rest = 0;
        for link in links(text) {
            let target = self
                .target(source, link.target)
                .with_context(|| format!("{}:{}: {}", source.display(), link.line, link.target))?;
            done.push_str(&text[rest..link.place.start]);
            done.push_str(&target);
            rest = link.place.end;
        }
        done.push_str(&text[rest..]);
        Ok(done)
    }

    /// Returns the address in the book of what `written` leads to from the page `source`.
    fn target(&self, source: &Path, written: &str) -> Result<String> {
        if written.starts_with('#') || written.contains("://") {
            return Ok(written.to_owned());
        }
        let (path, anchor) = match written.split_once('#') {
            Some((path, anchor)) => (path, format!("#{anchor}")),
            None => (written, String::new()),
        };
        let file = tidy(&source.parent().unwrap_or(Path::new("")).join(path));
        let here = self
            .places
            .get(source)
            .context("a page that is not in SUMMARY.md")?;
        let there = match self.places.get(&file) {
            Some(there) => there.clone(),
            None if !self.project.join(&file).is_file() => {
                bail!("no such file in the repository (of a folder, name a file in it)")
            }
            None if file.starts_with(DOCS)
                && file.extension().is_none_or(|ending| ending != "md") =>
            {
                place_of(&file).to_owned()
            }
            None => {
                let copy = Path::new("source").join(format!("{}.txt", file.display()));
                self.sources.0.borrow_mut().insert(file, copy.clone());
                copy
            }
        };
        Ok(format!("{}{anchor}", relative(here, &there)))
    }
}

impl Preprocessor for Pages {
    fn name(&self) -> &'static str {
        "pages"
    }

    fn run(&self, _: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let mut outcome = Ok(());
        book.for_each_mut(|item| {
            let BookItem::Chapter(chapter) = item else {
                return;
            };
            let Some(source) = chapter.source_path.clone() else {
                return;
            };
            let source = tidy(&Path::new(DOCS).join(source));
            match self.with_links_of_the_book(&source, &chapter.content) {
                Ok(content) => chapter.content = content,
                Err(error) if outcome.is_ok() => outcome = Err(error),
                Err(_) => {}
            }
            chapter.path = self.places.get(&source).cloned();
            if source == Path::new("docs/commands.md") {
                commands::add(chapter);
            }
        });
        outcome.map(|()| book)
    }
}

/// Returns the path in the book of a file of the repository.
fn place_of(file: &Path) -> &Path {
    file.strip_prefix(DOCS).unwrap_or(file)
}

/// Returns `path` without `.` and `..`.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                tidy.pop();
            }
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                tidy.push(component);
            }
        }
    }
    tidy
}

/// Returns the address of the file `there` from the page `here`, both relative to the top of the book.
fn relative(here: &Path, there: &Path) -> String {
    let up = here
        .parent()
        .map_or(0, |folder| folder.components().count());
    format!("{}{}", "../".repeat(up), there.display())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

    use super::*;

    fn pages() -> Pages {
        let places = [
            ("docs/a.md", "a.md"),
            ("docs/t/b.md", "t/b.md"),
            ("protocol.md", "protocol.md"),
        ];
        let places = places.map(|(source, place)| (source.into(), place.into()));
        Pages {
            project: crate::project(),
            places: places.into(),
            sources: Sources::default(),
        }
    }

    #[test]
    fn links_of_the_repository_become_links_of_the_book() {
        let pages = pages();
        for (source, written, target) in [
            ("docs/a.md", "../protocol.md#figures", "protocol.md#figures"),
            ("docs/a.md", "#here", "#here"),
            (
                "docs/a.md",
                "https://example.org/a.md",
                "https://example.org/a.md",
            ),
            ("docs/a.md", "pictures/game.svg", "pictures/game.svg"),
            ("docs/t/b.md", "../a.md", "../a.md"),
            ("docs/t/b.md", "../../protocol.md", "../protocol.md"),
            ("protocol.md", "docs/t/b.md#x", "t/b.md#x"),
            (
                "docs/t/b.md",
                "../../Cargo.toml",
                "../source/Cargo.toml.txt",
            ),
        ] {
            assert_eq!(
                pages.target(Path::new(source), written).unwrap(),
                target,
                "{source}: {written}"
            );
        }
        let copied: Vec<_> = pages.sources().take().into_keys().collect();
        assert_eq!(copied, [Path::new("Cargo.toml")]);
    }

    #[test]
    fn a_link_to_no_file_is_an_error_that_names_page_and_line() {
        for target in ["gone.md", "../referee", "../gone.rs"] {
            let text = format!("one\n[two]({target})\n");
            let error = pages()
                .with_links_of_the_book(Path::new("docs/a.md"), &text)
                .unwrap_err();
            assert!(
                error
                    .to_string()
                    .contains(&format!("docs/a.md:2: {target}")),
                "{error}"
            );
        }
    }
}
