//! Makes the site, a folder that any web server serves: `cargo run -p site [FOLDER]`, without a
//! name `target/site`. `cargo run -p site -- --quick FOLDER` is for tests: the programs are not
//! optimized, and there is no book.
//!
//! The referee and the shipped players are compiled for WASI. Pages and scripts are copied from
//! `web/` and from the pages of records; the book is built. With npm the site gets an editor,
//! `CodeMirror`, and Python, Pyodide.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The target of programs in a page.
const TARGET: &str = "wasm32-wasip1";

/// The files that Pyodide needs to run.
const PYODIDE: [&str; 5] = [
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
];

/// The place of its policy in a page.
const POLICY: &str = "{policy}";

/// The marks around what a page has about the book.
const BOOK: &str = "<!-- book -->";
const END_OF_BOOK: &str = "<!-- /book -->";

/// The program that makes the book, as cargo installs it.
const MDBOOK: &str = "mdbook@0.5.4";

fn main() -> ExitCode {
    let mut out = io::stdout();
    let mut words = std::env::args_os().skip(1).peekable();
    let is_quick = words.next_if(|word| word == "--quick").is_some();
    match make(words.next().map(PathBuf::from), is_quick, &mut out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "site: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Makes the site in `folder`, or in `target/site`, and says what is in it.
fn make(folder: Option<PathBuf>, is_quick: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = here.ancestors().nth(2).unwrap_or(here);
    let site = std::path::absolute(folder.unwrap_or_else(|| project.join("target/site")))?;
    empty(&site)?;
    copy_folder(&project.join("crates/pages/src/page/assets"), &site)?;
    copy_folder(&here.join("web"), &site)?;
    programs(
        project,
        if is_quick {
            ["dev", "debug"]
        } else {
            ["in-page"; 2]
        },
        &site,
    )?;
    let mut no_book = None;
    if !is_quick {
        let mut book = Command::new(project.join(".ci/book"));
        no_book = run(book.arg(site.join("book"))).err();
    }
    if !site.join("book").is_dir() {
        drop_links_to_book(&site)?;
    }
    let left_out = from_npm(&here.join("editor"), &site);
    give_policies(&site)?;
    for name in [
        "referee.wasm",
        "play.wasm",
        "author.mjs",
        "editor.mjs",
        "pyodide",
        "book",
    ] {
        let [raw, packed] = weight(&site.join(name))?.map(|bytes| bytes.div_ceil(1000));
        writeln!(out, "{name:14} {raw:6} kB, {packed:5} kB compressed")?;
    }
    if let Err(error) = left_out {
        writeln!(out, "The site has a plain editor and no Python: {error:#}.")?;
    }
    if let Some(error) = no_book {
        writeln!(
            out,
            "The site has no book, and no links to it: {error:#}. The book needs cargo install --locked {MDBOOK}."
        )?;
    }
    writeln!(
        out,
        "The site is in {0}. To look at it: python3 -m http.server -d {0}",
        site.display()
    )?;
    Ok(())
}

/// Makes `site` an empty folder, unless it has files that are not from here.
fn empty(site: &Path) -> anyhow::Result<()> {
    if site.exists() {
        if !site.join("referee.mjs").exists() && fs::read_dir(site)?.next().is_some() {
            bail!(
                "{} has other files; name a new or an empty folder",
                site.display()
            );
        }
        fs::remove_dir_all(site)
            .with_context(|| format!("{} cannot be emptied", site.display()))?;
    }
    fs::create_dir_all(site).with_context(|| format!("{} cannot be made", site.display()))
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let copied = fs::copy(from, to).map(drop);
    copied.with_context(|| format!("{} cannot be copied to {}", from.display(), to.display()))
}

/// Copies what is in `from` into `to`.
fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("{} cannot be read", from.display()))? {
        let entry = entry?;
        let copied = if entry.file_type()?.is_dir() {
            copy_folder
        } else {
            copy
        };
        copied(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Runs a command, whose output is not that of this program.
fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command.stdout(Stdio::null()).status();
    let program = command.get_program().to_string_lossy().into_owned();
    let status = status.with_context(|| format!("{program} cannot be started"))?;
    if !status.success() {
        let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
        bail!("`{program} {}` failed with {status}", words.join(" "));
    }
    Ok(())
}

fn cargo<'w>(project: &Path, words: impl Iterator<Item = &'w OsStr>) -> anyhow::Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(cargo).args(words).current_dir(project))
}

/// Compiles the referee and the shipped players for the page, in a profile, of which the folder is
/// named too.
fn programs(project: &Path, [profile, folder]: [&str; 2], site: &Path) -> anyhow::Result<()> {
    let installed = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    let has_target = installed
        .is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir());
    if !has_target {
        run(Command::new("rustup").args(["target", "add", TARGET]))
            .with_context(|| format!("Rust's target {TARGET} is missing"))?;
    }
    let build = ["build", "--target", TARGET, "--profile", profile];
    for package in [
        ["--package", "referee", "--bin", "referee"].as_slice(),
        &["--package", "site-play"],
    ] {
        cargo(project, build.iter().chain(package).map(OsStr::new))?;
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(project.join("target"), PathBuf::from);
    for program in ["referee.wasm", "play.wasm"] {
        copy(
            &target.join(TARGET).join(folder).join(program),
            &site.join(program),
        )?;
    }
    Ok(())
}

/// Adds what is from npm: the editor in one file, and what Pyodide needs.
fn from_npm(editor: &Path, site: &Path) -> anyhow::Result<()> {
    let quiet = [
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ];
    run(Command::new("npm").args(quiet).current_dir(editor))?;
    let bundle = site.join("editor.mjs");
    let options = ["run", "build", "--"].map(OsStr::new);
    let into = std::ffi::OsString::from(format!("--outfile={}", bundle.display()));
    run(Command::new("npm")
        .args(options)
        .arg(into)
        .arg("--allow-overwrite")
        .current_dir(editor))?;
    fs::create_dir_all(site.join("pyodide"))?;
    for name in PYODIDE {
        copy(
            &editor.join("node_modules/pyodide").join(name),
            &site.join("pyodide").join(name),
        )?;
    }
    Ok(())
}

/// Gives the pages of the site their Content-Security-Policy: nothing from elsewhere, no script or
/// style within a page but those of pages of records, which are shown in frames, and no evaluation
/// of text.
fn give_policies(site: &Path) -> anyhow::Result<()> {
    let policies = [pages::usual_policy(), pages::live_policy()];
    let digests = |directive: &str| {
        let parts = policies.iter().flat_map(|policy| policy.split("; "));
        parts
            .filter_map(|part| part.strip_prefix(directive))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let script = digests("script-src ");
    let style = digests("style-src ");
    let policy = format!(
        "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval' {script}; style-src 'self' {style}; \
         connect-src 'self'; worker-src 'self' blob:; frame-src blob:; img-src 'self' data:; base-uri 'none'; form-action 'none'"
    );
    for entry in fs::read_dir(site)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "html") {
            let page = fs::read_to_string(&path)?;
            if !page.contains(POLICY) {
                bail!("{} has no place for its policy", path.display());
            }
            fs::write(&path, page.replace(POLICY, &policy))?;
        }
    }
    Ok(())
}

/// Removes the lines of each page that only a site with a book has.
fn drop_links_to_book(site: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(site)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "html") {
            let page = fs::read_to_string(&path)?;
            fs::write(&path, without_book(&page))?;
        }
    }
    Ok(())
}

/// Returns a page without what stands between the marks `<!-- book -->` and `<!-- /book -->`.
fn without_book(page: &str) -> String {
    let mut parts = page.split(BOOK);
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest += part.split_once(END_OF_BOOK).map_or("", |(_, rest)| rest);
    }
    rest
}

/// Returns the size of a file, or of all files in a folder, raw and compressed; 0 for what is not
/// there.
fn weight(path: &Path) -> anyhow::Result<[usize; 2]> {
    if path.is_dir() {
        let parts = fs::read_dir(path)?.map(|entry| weight(&entry?.path()));
        return parts.collect::<anyhow::Result<Vec<_>>>().map(|parts| {
            parts
                .iter()
                .fold([0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]])
        });
    }
    let Ok(bytes) = fs::read(path) else {
        return Ok([0; 2]);
    };
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&bytes)?;
    Ok([bytes.len(), packed.finish()?.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_without_a_book_has_no_link_to_it() {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let mut links = 0;
        for entry in fs::read_dir(web).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            links += text.matches("book/").count();
            let rest = without_book(&text);
            assert!(!rest.contains("book/"), "{}", path.display());
        }
        assert!(links >= 3, "{links}");
    }

    #[test]
    fn the_needed_mdbook_is_that_of_the_build() {
        let script = include_str!("../../../.ci/book");
        assert!(script.contains(&format!("cargo install --locked {MDBOOK}\"")));
    }
}
