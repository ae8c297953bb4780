//! The files that a report reads and writes, and refuses.

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::UNIX;

use super::Page;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        only_a_page_is_replaced,
        a_text_has_what_was_printed,
        a_page_is_not_its_record,
        an_edited_record_breaks_nothing
    );
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            an_unreadable_record_is_named,
            a_pipe_is_not_waited_for
        );
    });
}

/// A folder with the record `m` of a short match.
fn played() -> Dir {
    let dir = Dir::new();
    dir.ran("match awful mediocre --games 2 --seed 1 -q --out m");
    dir
}

fn only_a_page_is_replaced() {
    let dir = played();
    let report = |out: &str| dir.run(format!("report m -o {out}"));
    report("page.html")
        .succeeds()
        .warns("the report is in ")
        .prints_all("");
    report("page.html").succeeds();
    // A file that only mentions pages is none.
    for own in [
        "<!doctype html><p>My essay</p>",
        "<p>See <meta name=\"generator\" content=\"referee 1\"></p>\n",
    ] {
        dir.file("essay.html", own);
        report("essay.html").fails(2, "essay.html exists, and files are not overwritten");
        assert_eq!(dir.text("essay.html"), own);
    }
    report("essay.html --force").succeeds();
    report("m").fails(2, "is a file that this command reads");
    report(".").fails(2, "a folder, not a file");
    report("no/where.html").fails(2, "make its folder first");
    let mut files = std::fs::read_dir(dir.path("")).unwrap();
    assert!(!files.any(|file| {
        file.unwrap()
            .file_name()
            .to_string_lossy()
            .contains(".part")
    }));
    dir.run("report m m --follow -o page.html")
        .fails(2, "--follow needs one contest");
}

fn a_text_has_what_was_printed() {
    let dir = Dir::new();
    for (file, words) in [
        ("m", "match awful mediocre --games 4"),
        ("t", "tournament awful mediocre fair --games 2"),
    ] {
        let words = format!("{words} --out {file}");
        let printed = dir.run(&words).small().succeeds().stdout;
        let text = format!("{file}.txt");
        let report = format!("report {file} -o {text}");
        dir.run(&report).succeeds();
        assert_eq!(dir.text(&text), printed);
        dir.run(&report).fails(2, "files are not overwritten");
    }
    dir.run("report m t -o all.txt").succeeds();
    assert_eq!(dir.text("all.txt"), dir.run("rank m t").succeeds().stdout);
}

fn an_unreadable_record_is_named() {
    let dir = played();
    dir.file("empty", "").file("notes", "nothing of the kind\n");
    for (words, sentence) in [
        ("nowhere", "nowhere: No such file"),
        ("empty", "these records have no games"),
        (
            "notes",
            "notes, line 1: this is not a record; records come from --out or --json",
        ),
        (
            "m --only ghost",
            "called \"ghost\"; there are awful, mediocre",
        ),
        ("m --anchor ghost", "there are awful, mediocre"),
    ] {
        dir.run(format!("report {words} -o page.html"))
            .fails(2, sentence);
    }
    assert!(!dir.path("page.html").exists());
}

fn a_page_is_not_its_record() {
    let dir = played();
    let words = "match awful mediocre --games 2 -q --out n --report ./n --force";
    dir.run(words).fails(2, "--out and --report both name ./n");
    let record = dir.text("m");
    std::fs::hard_link(dir.path("m"), dir.path("link")).unwrap();
    for page in ["m", "./m", "link"] {
        for words in ["report m -o", "report m --game 1 -o"] {
            dir.run(format!("{words} {page} --force"))
                .fails(2, "is a file that this command reads");
        }
    }
    dir.run("play awful mediocre --json --out p --report ./p")
        .fails(2, "both name");
    assert_eq!(dir.text("m"), record);
}

fn a_pipe_is_not_waited_for() {
    let dir = played();
    dir.program("mkfifo", "pipe").succeeds();
    for words in [
        "report m -o pipe",
        "report m --game 1 -o pipe",
        "play awful mediocre --json --report pipe",
        "match awful mediocre --games 2 -q --report pipe",
    ] {
        dir.run(words).fails(2, "is a named pipe, not a file");
    }
}

/// A record is what anybody may have edited.
fn an_edited_record_breaks_nothing() {
    let dir = played();
    let whole = dir.text("m");
    let edit = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        dir.file("edited", whole.replacen(from, to, 1));
        dir.run("report edited --force -o page.html").ends()
    };
    let players = "\"players\":[0,1],\"games\"";
    for other in ["[0,0]", "[1,0]", "[5,7]"] {
        let edited = format!("\"players\":{other},\"games\"");
        edit(players, &edited).exits(2).warns("edited, line");
    }
    edit("\"first\":0", "\"first\":7")
        .exits(2)
        .warns("there is no player 7: players are 0 and 1");
    edit("\"winner\":\"", "\"winner\":\"not ")
        .exits(2)
        .warns("did not play it");
    // Boards of no game: the first of these is in the header.
    let (header, games) = whole.split_once('\n').unwrap();
    for size in ["1000000000", "50000"] {
        let board = "\"rows\":10,\"cols\":10,\"ships\"";
        assert!(games.contains(board));
        let games = games.replacen(
            board,
            &format!("\"rows\":{size},\"cols\":{size},\"ships\""),
            1,
        );
        dir.file("edited", format!("{header}\n{games}"));
        let page = Page::of(&dir, "edited");
        assert_eq!(page.games()[1], 1);
        page.has("1 game without a replay");
    }
}
