//! What a report refuses.

use crate::common::{Folder, referee};
use predicates::str::{contains, is_empty};

/// The record of a short match; returns its path.
fn record(folder: &Folder) -> String {
    let path = folder.path("m.jsonl");
    let mut play = referee();
    play.args(["match", "awful", "mediocre", "--games", "2", "--seed", "1", "-q", "--out", &path]);
    play.assert().code(0);
    path
}

#[test]
fn a_page_is_replaced_and_another_file_is_not() {
    let folder = Folder::new();
    let (record, page) = (record(&folder), folder.path("page.html"));
    let report = |out: &str, options: &[&str]| {
        let mut command = referee();
        command.args(["report", &record, "-o", out]).args(options).assert()
    };
    report(&page, &[]).code(0).stdout(is_empty()).stderr(contains("the report is in "));
    report(&page, &[]).code(0);
    let own = folder.file("essay.html", "<!doctype html><p>My essay</p>");
    report(&own, &[]).code(2).stderr(contains("essay.html exists, and files are not overwritten"));
    assert!(std::fs::read_to_string(&own).unwrap().contains("My essay"));
    report(&own, &["--force"]).code(0);
    // Not even its own record, and no folder.
    report(&record, &[]).code(2).stderr(contains("exists"));
    report(folder.path("").trim_end_matches('/'), &[])
        .code(2)
        .stderr(contains("a folder, not a file"));
    report(&folder.path("no/where.html"), &[]).code(2).stderr(contains("make its folder first"));
    let files = std::fs::read_dir(folder.path("")).unwrap();
    assert!(!files.flatten().any(|file| file.file_name().to_string_lossy().contains(".part")));
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = Folder::new();
    let record = record(&folder);
    let empty = folder.file("empty.jsonl", "");
    let text = folder.file("notes.txt", "nothing of the kind\n");
    let page = folder.path("page.html");
    let report = |arguments: &[&str]| {
        let mut command = referee();
        command.arg("report").args(arguments).args(["-o", &page]).assert().code(2)
    };
    report(&["nowhere.jsonl"]).stderr(contains("nowhere.jsonl: No such file"));
    report(&[&empty]).stderr(contains("these records have no games"));
    report(&[&text]).stderr(contains("notes.txt, line 1: this is no line of a record"));
    report(&[&record, &record]).stderr(contains("leave one of them out"));
    report(&[&record, "--only", "ghost"])
        .stderr(contains("called \"ghost\"; there are awful, mediocre"));
    report(&[&record, "--anchor", "ghost"]).stderr(contains("there are awful, mediocre"));
    report(&[&record, "--bundle", &folder.path("")]).stderr(contains("no bundles are there"));
    report(&[&record, "--markdown", "--open"]).stderr(contains("cannot be used with"));
    assert!(!std::path::Path::new(&page).exists());
}
