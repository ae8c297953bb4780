//! `docs/pages.md` and the pictures in `docs/pictures` show the pages that the referee makes today.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};
use testkit::list::Tests;
use testkit::programs::{project_file, text_of};
use testkit::run::Dir;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        pictures_show_the_pages_of_today,
        every_picture_is_made_and_shown,
        fields_of_a_page_are_described
    );
}

/// The remedy for a picture that is out of date.
const RENEW: &str = "look at what changed, then renew the pictures: npm --prefix tests/browser ci && cargo build && \
     node tests/browser/docs.mjs target/debug/referee (docs/pictures/README.md)";

/// What pictures show, and the words that make it.
const CUP: (&str, &str) = ("cup.html", "report cup.jsonl --out");
const TWIST: (&str, &str) = ("twist.html", "report twist.jsonl --game 1 --out");
const DRAWN: (&str, &str) = ("game.svg", "report cup.jsonl --game 80 --out");

/// Returns the file that the referee writes at the end of these words, for a record in the folder
/// of pictures.
fn made((name, words): (&str, &str)) -> String {
    let dir = Dir::new();
    for record in ["cup.jsonl", "twist.jsonl"] {
        dir.file(
            record,
            fs::read(project_file("docs/pictures").join(record)).unwrap(),
        );
    }
    dir.run(format!("{words} {name}")).succeeds();
    dir.text(name)
}

fn shown() -> String {
    text_of(project_file("docs/pictures/shown"))
}

fn pictures_show_the_pages_of_today() {
    for page in [CUP, TWIST] {
        // The version of the referee is in no picture.
        let version = concat!("referee ", env!("CARGO_PKG_VERSION"));
        let digest = Sha256::digest(made(page).replace(version, "referee"));
        let digest: Vec<_> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let digest = digest.concat();
        let shown = shown();
        let mut lines = shown
            .lines()
            .filter(|line| line.contains(page.0))
            .peekable();
        assert!(lines.peek().is_some(), "there is no picture of {}", page.0);
        for line in lines {
            assert!(line.starts_with(&digest), "{line} is out of date; {RENEW}");
        }
    }
    let is_today = made(DRAWN) == text_of(project_file("docs/pictures").join(DRAWN.0));
    assert!(is_today, "{} is out of date; {RENEW}", DRAWN.0);
}

fn every_picture_is_made_and_shown() {
    let shown = shown();
    let made = shown.lines().map(|line| line.rsplit(' ').next().unwrap());
    let made: BTreeSet<_> = made.chain([DRAWN.0]).map(str::to_owned).collect();
    let files = fs::read_dir(project_file("docs/pictures")).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<_> = files
        .filter(|file| {
            Path::new(file)
                .extension()
                .is_some_and(|kind| kind == "png" || kind == "svg")
        })
        .collect();
    assert_eq!(files, made, "docs.mjs makes each picture; {RENEW}");
    let readme = text_of(project_file("README.md"));
    let documents = readme.clone() + &text_of(project_file("docs/pages.md"));
    for file in files {
        assert!(
            documents.contains(&format!("pictures/{file}")),
            "{file} is not shown"
        );
    }
    let film = fs::read(project_file("docs/pictures/demo.gif")).unwrap();
    let is_small = film.len() < 1_500_000;
    assert!(
        is_small,
        "a film of {} bytes makes the README slow to load",
        film.len()
    );
    assert!(readme.contains("src=\"docs/pictures/demo.gif\""));
}

/// Every name of a field in `value`, but not the numbers of games that are names in `dialogue` and
/// `reviews`.
fn fields(value: &Value, found: &mut BTreeSet<String>) {
    if let Value::Object(members) = value {
        for (name, value) in members {
            if name.parse::<u64>().is_err() {
                found.insert(name.clone());
            }
            fields(value, found);
        }
    }
    for value in value.as_array().into_iter().flatten() {
        fields(value, found);
    }
}

fn fields_of_a_page_are_described() {
    // The ships are those of records.
    let described =
        ["crates/pages/DATA.md", "docs/record.md"].map(|path| text_of(project_file(path)));
    let page = made(CUP);
    let (_, data) = page.split_once("id=\"page-data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let mut found = BTreeSet::new();
    fields(&serde_json::from_str(data).unwrap(), &mut found);
    assert!(found.len() > 40, "{found:?}");
    for field in found {
        assert!(
            described.concat().contains(&format!("`{field}`")),
            "{field} is not described"
        );
    }
}
