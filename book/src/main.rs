//! Builds the book from `docs/` into a folder, and checks every link in it: `cargo run -p battleship-book [FOLDER]`.

mod check;
mod commands;
mod html;
mod pages;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use mdbook_driver::MDBook;

use crate::pages::Pages;

/// Returns the folder of the project.
fn project() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

fn main() -> ExitCode {
    match build(std::env::args_os().nth(1).map(PathBuf::from)) {
        Ok(page) => {
            let _ = writeln!(io::stdout(), "the book is in {}", page.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "battleship-book: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the book into `folder`, or `target/book`, and checks it; returns its first page.
fn build(folder: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    let project = project();
    let mut book = MDBook::load(project.join("book"))?;
    if let Some(folder) = folder {
        book.config.build.build_dir = std::path::absolute(folder)?;
    }
    let built = book.build_dir_for("html");
    let pages = Pages::new(&project, &book)?;
    let sources = pages.sources();
    book.with_preprocessor(pages);
    book.build()?;
    for (source, copy) in sources.take() {
        copy_source(&project.join(source), &built.join(copy))?;
    }
    let faults = check::faults(&built)?;
    if !faults.is_empty() {
        bail!(
            "{} broken links in {}:\n{}",
            faults.len(),
            built.display(),
            faults.join("\n")
        );
    }
    Ok(built.canonicalize().unwrap_or(built).join("index.html"))
}

/// Copies a file that the book links to. As text, which every browser shows.
fn copy_source(source: &Path, copy: &Path) -> anyhow::Result<()> {
    if let Some(folder) = copy.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::copy(source, copy).map(drop).with_context(|| {
        format!(
            "{} cannot be copied to {}",
            source.display(),
            copy.display()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_is_built_and_each_of_its_links_leads_somewhere() {
        let folder = tempfile::tempdir().unwrap();
        let first = build(Some(folder.path().join("book"))).unwrap();
        let text = std::fs::read_to_string(first).unwrap();
        assert!(text.contains("<title>"), "{text}");
    }
}
