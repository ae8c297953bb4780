//! `docs/pages.md` and the pictures in `docs/pictures` show the pages that the referee makes today.

use std::collections::BTreeSet;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use serde_json::Value;

use testkit::list::Tests;
use testkit::programs::{Folder, project_file, referee, text_of};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            the_pictures_of_pages_show_what_the_pages_are,
            every_picture_has_an_origin_and_a_place_in_the_documents,
            the_fields_of_a_page_are_described,
            the_film_at_the_top_of_the_readme_is_one_and_not_too_large
        );
        rows!(
            tests,
            DRAWN,
            a_picture_that_the_referee_draws_is_the_one_it_draws
        );
    });
}

/// The remedy for a picture that is out of date.
const RENEW: &str = "look at what changed, then renew the pictures: npm --prefix tests/browser ci && cargo build && \
     node tests/browser/docs.mjs target/debug/referee (docs/pictures/README.md)";

/// The pages that pictures show, and the words that make them.
const PAGES: [(&str, &[&str]); 2] = [
    ("cup.html", &["report", "cup.jsonl", "--out"]),
    ("twist.html", &["replay", "twist.jsonl", "--html"]),
];

/// The pictures that the referee draws itself, and the words that draw them.
const DRAWN: [(&str, &[&str]); 1] = [(
    "game.svg",
    &["replay", "cup.jsonl", "--game", "80", "--animate", "--svg"],
)];

fn pictures() -> PathBuf {
    project_file("docs/pictures")
}

/// Returns the file that the referee writes at the end of these words, for a record in the folder of pictures.
fn made(words: &[&str]) -> String {
    let folder = Folder::new();
    let out = folder.path("out");
    referee()
        .args(words)
        .arg(&out)
        .current_dir(pictures())
        .assert()
        .success();
    text_of(out)
}

/// Returns the digest of a page without the version of the referee, which is in no picture.
fn digest(page: &str) -> String {
    let version = concat!("referee ", env!("CARGO_PKG_VERSION"));
    let page = page.replace(version, "referee");
    Sha256::digest(page)
        .iter()
        .fold(String::new(), |digits, byte| format!("{digits}{byte:02x}"))
}

fn the_pictures_of_pages_show_what_the_pages_are() {
    let shown = text_of(pictures().join("shown"));
    for (page, words) in PAGES {
        let now = digest(&made(words));
        let lines: Vec<_> = shown.lines().filter(|line| line.contains(page)).collect();
        assert!(!lines.is_empty(), "there is a picture of {page}");
        for line in lines {
            let picture = line.rsplit(' ').next().unwrap();
            assert!(
                line.starts_with(&now),
                "{picture} is older than {page}; {RENEW}"
            );
        }
    }
}

fn a_picture_that_the_referee_draws_is_the_one_it_draws((name, words): (&str, &[&str])) {
    assert!(
        made(words) == text_of(pictures().join(name)),
        "{name} is out of date; {RENEW}"
    );
}

fn every_picture_has_an_origin_and_a_place_in_the_documents() {
    let shown = text_of(pictures().join("shown"));
    let known = shown.lines().map(|line| line.rsplit(' ').next().unwrap());
    let known: BTreeSet<_> = known
        .chain(DRAWN.map(|(name, _)| name))
        .map(str::to_owned)
        .collect();
    let files = std::fs::read_dir(pictures()).unwrap();
    let files = files.map(|file| PathBuf::from(file.unwrap().file_name()));
    let is_picture = |file: &PathBuf| {
        file.extension()
            .is_some_and(|kind| kind == "png" || kind == "svg")
    };
    let files = files
        .filter(is_picture)
        .map(|file| file.to_str().unwrap().to_owned());
    let files: BTreeSet<_> = files.collect();
    assert_eq!(files, known, "docs.mjs makes each picture; {RENEW}");
    let documents = ["README.md", "docs/pages.md"]
        .map(|document| text_of(project_file(document)))
        .concat();
    for name in files {
        assert!(
            documents.contains(&format!("pictures/{name}")),
            "{name} is shown"
        );
    }
}

/// Every name of a field in `value`, but not the numbers of games that are names in `dialogue` and `reviews`.
fn fields(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields_of_it) => {
            for (name, value) in fields_of_it {
                if name.parse::<u64>().is_err() {
                    found.insert(name.clone());
                }
                fields(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| fields(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn the_fields_of_a_page_are_described() {
    let described = text_of(project_file("crates/pages/DATA.md"));
    // The ships are those of records.
    let described = format!("{described}{}", text_of(project_file("docs/record.md")));
    let page = made(PAGES[0].1);
    let data = page
        .split_once("id=\"page-data\">")
        .unwrap()
        .1
        .split_once("</script>")
        .unwrap()
        .0;
    let mut found = BTreeSet::new();
    fields(&serde_json::from_str(data).unwrap(), &mut found);
    assert!(found.len() > 40, "{found:?}");
    for field in found {
        assert!(
            described.contains(&format!("`{field}`")),
            "{field} is described"
        );
    }
}

/// A film of more than this makes the README slow to load.
const MOST_OF_A_FILM: usize = 1_500_000;

fn the_film_at_the_top_of_the_readme_is_one_and_not_too_large() {
    let film = std::fs::read(pictures().join("demo.gif")).unwrap();
    assert!(
        film.starts_with(b"GIF89a") && film.len() < MOST_OF_A_FILM,
        "{}",
        film.len()
    );
    assert!(text_of(project_file("README.md")).contains("src=\"docs/pictures/demo.gif\""));
}
