//! The page of a contest that runs.

use std::fs::OpenOptions;
use std::io::Write;

use testkit::arena::until;
use testkit::list::Tests;
use testkit::record::lines_in;
use testkit::run::{Dir, Signal, signal};
use testkit::tools::UNIX;

use super::Page;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_page_follows_a_contest_to_its_end,
            an_interrupt_leaves_a_whole_page,
            an_interrupted_contest_leaves_its_page,
            what_cannot_be_followed_is_said,
            an_opener_in_the_foreground_is_left_alone,
            the_browser_of_the_environment_opens_pages
        );
    });
}

/// A folder with the first lines of the record `cup` of a tournament, and the rest of it.
fn cup(lines: usize, bytes: usize) -> (Dir, String) {
    let dir = Dir::new();
    dir.run("tournament awful mediocre m=mediocre --games 8 --series 2 --seed 1 -q --out cup")
        .succeeds();
    let whole = dir.text("cup");
    let kept: usize = whole.split_inclusive('\n').take(lines).map(str::len).sum();
    let (begin, rest) = whole.split_at(kept + bytes);
    dir.file("cup", begin);
    (dir, rest.to_owned())
}

fn a_page_follows_a_contest_to_its_end() {
    // A line that is cut short is still being written.
    let (dir, rest) = cup(16, 100);
    let run = dir.run("report cup --follow -o page.html");
    let done = run.until(
        || dir.path("page.html").exists(),
        |_| {
            let live = &Page::read(&dir, "page.html").data["live"];
            assert_eq!([&live["done"], &live["of"]], [10, 24]);
            let mut record = OpenOptions::new()
                .append(true)
                .open(dir.path("cup"))
                .unwrap();
            record.write_all(rest.as_bytes()).unwrap();
        },
    );
    done.exits(0)
        .warns("of 24 games so far; the file is written again until");
    let page = Page::read(&dir, "page.html");
    assert_eq!(
        (&page.data["live"], page.games()[0]),
        (&serde_json::Value::Null, 24)
    );
}

fn an_interrupt_leaves_a_whole_page() {
    let (dir, _) = cup(10, 0);
    let run = dir.run("report cup --follow -o page.html");
    run.interrupted(|| dir.path("page.html").exists())
        .exits(130);
    assert_eq!(
        Page::read(&dir, "page.html").data["live"]["finished"],
        false
    );
}

fn an_interrupted_contest_leaves_its_page() {
    let dir = Dir::new();
    let run =
        dir.run("match awful mediocre --games 1000000 --seed 1 -q --out m --report page.html");
    let done = run.interrupted(|| {
        // Not before a series has been counted.
        until("a series is recorded", || lines_in(dir.path("m")) > 1);
        Page::read(&dir, "page.html").data["live"]["finished"] == false
    });
    done.exits(130);
    let page = Page::read(&dir, "page.html");
    assert_eq!(page.data["live"], serde_json::Value::Null);
    page.has("stopped before its end");
}

fn what_cannot_be_followed_is_said() {
    let (dir, _) = cup(10, 0);
    dir.run("play awful awful --seed 1 --out games --no-pause")
        .succeeds();
    for (words, said) in [
        ("none", "none: No such file or directory"),
        ("games", "--follow: games has single games"),
        ("cup games", "--follow needs one contest"),
        (
            "cup --only awful",
            "leave --only, --without and --latest out",
        ),
    ] {
        dir.run(format!("report {words} --follow -o page.html"))
            .fails(2, said);
    }
    let done = dir
        .run("report cup --follow -o page.html")
        .interrupted(|| dir.path("page.html").exists());
    done.warns("no contest writes to this record now");
}

/// Without a desktop xdg-open runs the browser in the foreground. This one runs until the test ends
/// it.
fn an_opener_in_the_foreground_is_left_alone() {
    let dir = Dir::new();
    dir.run("match awful mediocre --games 2 --seed 1 -q --out m")
        .succeeds();
    dir.file("bin/xdg-open", "#!/bin/sh\necho $$ > pid\nexec sleep 600\n")
        .executable("bin/xdg-open");
    let path = format!("{}:/usr/bin:/bin", dir.path("bin").display());
    let done = dir.run("report m --open").env("PATH", path).succeeds();
    let pid: i32 = dir.text("pid").trim().parse().unwrap();
    signal(pid.cast_unsigned(), Signal::KILL);
    done.lacks("no browser could be started");
}

fn the_browser_of_the_environment_opens_pages() {
    let dir = Dir::new();
    dir.run("match awful mediocre --games 2 --seed 1 -q --out m")
        .succeeds();
    dir.file("see", "#!/bin/sh\necho \"$@\" > seen\n")
        .executable("see");
    let browser = format!("no/such:{} --new %s --tab", dir.path("see").display());
    dir.run("report m --open")
        .env("BROWSER", browser)
        .succeeds();
    let page = dir.path("report.html").canonicalize().unwrap();
    assert_eq!(
        dir.text("seen"),
        format!("--new {} --tab\n", page.display())
    );
}
