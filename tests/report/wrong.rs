//! The files that a report refuses.

use predicates::str::{contains, is_empty};
use testkit::list::Tests;
use testkit::programs::{Folder, referee};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_page_is_replaced_and_another_file_is_not,
        no_page_takes_the_place_of_its_record,
        a_file_that_only_speaks_of_pages_is_not_a_page,
        a_record_that_contradicts_itself_is_named_and_breaks_nothing,
        watching_takes_one_contest
    );
    tests.needing(&[UNIX], |tests| {
        add!(tests, what_cannot_be_read_is_named);
    });
    #[cfg(unix)]
    {
        tests.needing(&[UNIX], |tests| {
            add!(tests, a_pipe_is_refused_and_never_waited_for);
        });
    }
}

/// The record of a short match; returns its path.
fn record(folder: &Folder) -> String {
    let path = folder.path("m.jsonl");
    let mut play = referee();
    play.args([
        "match", "awful", "mediocre", "--games", "2", "--seed", "1", "-q", "--out", &path,
    ]);
    play.assert().code(0);
    path
}

fn a_page_is_replaced_and_another_file_is_not() {
    let folder = Folder::new();
    let (record, page) = (record(&folder), folder.path("page.html"));
    let report = |out: &str, options: &[&str]| {
        let mut command = referee();
        command
            .args(["report", &record, "-o", out])
            .args(options)
            .assert()
    };
    report(&page, &[])
        .code(0)
        .stdout(is_empty())
        .stderr(contains("the report is in "));
    report(&page, &[]).code(0);
    let own = folder.file("essay.html", "<!doctype html><p>My essay</p>");
    report(&own, &[])
        .code(2)
        .stderr(contains("essay.html exists, and files are not overwritten"));
    assert!(std::fs::read_to_string(&own).unwrap().contains("My essay"));
    report(&own, &["--force"]).code(0);
    // Not even its own record, and no folder.
    report(&record, &[])
        .code(2)
        .stderr(contains("is a file that this command reads"));
    report(folder.path("").trim_end_matches('/'), &[])
        .code(2)
        .stderr(contains("a folder, not a file"));
    report(&folder.path("no/where.html"), &[])
        .code(2)
        .stderr(contains("make its folder first"));
    let files = std::fs::read_dir(folder.path("")).unwrap();
    assert!(
        !files
            .flatten()
            .any(|file| file.file_name().to_string_lossy().contains(".part"))
    );
}

fn what_cannot_be_read_is_named() {
    let folder = Folder::new();
    let record = record(&folder);
    let empty = folder.file("empty.jsonl", "");
    let text = folder.file("notes.txt", "nothing of the kind\n");
    let page = folder.path("page.html");
    let report = |arguments: &[&str]| {
        let mut command = referee();
        command
            .arg("report")
            .args(arguments)
            .args(["-o", &page])
            .assert()
            .code(2)
    };
    report(&["nowhere.jsonl"]).stderr(contains("nowhere.jsonl: No such file"));
    report(&[&empty]).stderr(contains("these records have no games"));
    report(&[&text]).stderr(contains(
        "notes.txt, line 1: this is not a line of a record: it is not JSON; records are what --out and --json write",
    ));
    report(&[&record, "--only", "ghost"])
        .stderr(contains("called \"ghost\"; there are awful, mediocre"));
    report(&[&record, "--anchor", "ghost"]).stderr(contains("there are awful, mediocre"));
    assert!(!std::path::Path::new(&page).exists());
}

fn no_page_takes_the_place_of_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = |arguments: &[&str]| {
        let mut command = referee();
        command.args(arguments).current_dir(at).assert()
    };
    let game = [
        "match", "awful", "mediocre", "--games", "2", "-q", "--out", "m.jsonl",
    ];
    run(&[&game[..], &["--report", "./m.jsonl", "--force"]].concat())
        .code(2)
        .stderr(contains("--out and --report both name ./m.jsonl"));
    run(&game).code(0);
    let record = std::fs::read(at.join("m.jsonl")).unwrap();
    std::fs::hard_link(at.join("m.jsonl"), at.join("link.jsonl")).unwrap();
    for page in ["m.jsonl", "./m.jsonl", "link.jsonl"] {
        run(&["report", "m.jsonl", "-o", page, "--force"])
            .code(2)
            .stderr(contains("is a file that this command reads"));
        run(&["replay", "m.jsonl", "--html", page, "--force"])
            .code(2)
            .stderr(contains("is a file that this command reads"));
    }
    run(&[
        "play",
        "awful",
        "mediocre",
        "--json",
        "--record",
        "p.jsonl",
        "--html",
        "./p.jsonl",
    ])
    .code(2)
    .stderr(contains("both name"));
    assert_eq!(std::fs::read(at.join("m.jsonl")).unwrap(), record);
}

fn a_file_that_only_speaks_of_pages_is_not_a_page() {
    let folder = Folder::new();
    let record = record(&folder);
    let notes = "<p>See <meta name=\"generator\" content=\"referee 1\"></p>\n";
    let notes = folder.file("notes.html", notes);
    let mut report = referee();
    report
        .args(["report", &record, "-o", &notes])
        .assert()
        .code(2)
        .stderr(contains("exists"));
}

#[cfg(unix)]
fn a_pipe_is_refused_and_never_waited_for() {
    let folder = Folder::new();
    let record = record(&folder);
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    let refused = |arguments: &[&str]| {
        let mut command = referee();
        command
            .args(arguments)
            .assert()
            .code(2)
            .stderr(contains("is a named pipe, not a file"));
    };
    refused(&["report", &record, "-o", &pipe]);
    refused(&["replay", &record, "--html", &pipe]);
    refused(&["play", "awful", "mediocre", "--json", "--html", &pipe]);
    refused(&[
        "match", "awful", "mediocre", "--games", "2", "-q", "--report", &pipe,
    ]);
}

/// A record is what anybody may have edited.
fn a_record_that_contradicts_itself_is_named_and_breaks_nothing() {
    let folder = Folder::new();
    let whole = std::fs::read_to_string(record(&folder)).unwrap();
    let report = |old: &str, new: &str| {
        assert!(whole.contains(old), "{old}");
        let path = folder.file("edited.jsonl", &whole.replacen(old, new, 1));
        let mut command = referee();
        command
            .args(["report", &path, "-o", &folder.path("page.html")])
            .assert()
    };
    let players = "\"players\":[0,1],\"games\"";
    for other in ["[0,0]", "[1,0]", "[5,7]"] {
        let edited = format!("\"players\":{other},\"games\"");
        report(players, &edited)
            .code(2)
            .stderr(contains("edited.jsonl, line"));
    }
    report("\"first\":0", "\"first\":7")
        .code(2)
        .stderr(contains("a game has players 0 and 1 only"));
    report("\"winner\":\"", "\"winner\":\"not ")
        .code(2)
        .stderr(contains("did not play it"));
    // Boards of no game.
    for size in ["1000000000", "50000"] {
        let edited =
            format!("\"rows\":{size},\"cols\":{size},\"ships\":[{{\"length\":5,\"symbol\":\"A\"");
        let game = whole.find("{\"format\":\"battleship-game\"").unwrap();
        let tail = whole[game..].replacen(
            "\"rows\":10,\"cols\":10,\"ships\":[{\"length\":5,\"symbol\":\"A\"",
            &edited,
            1,
        );
        assert!(tail.contains(size));
        let path = folder.file("edited.jsonl", &(whole[..game].to_owned() + &tail));
        let mut command = referee();
        command
            .args(["report", &path, "-o", &folder.path("page.html")])
            .assert()
            .code(0);
        let page = super::Page::read(folder.path("page.html"));
        assert_eq!(page.data["kept"], 1);
        assert!(page.html.contains("1 game without a replay"));
    }
}

fn watching_takes_one_contest() {
    let folder = Folder::new();
    let record = record(&folder);
    let mut watch = referee();
    watch.args([
        "report",
        &record,
        &record,
        "--follow",
        "-o",
        &folder.path("page.html"),
    ]);
    watch
        .assert()
        .code(2)
        .stderr(contains("--follow needs one contest"));
}
