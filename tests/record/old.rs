//! Records of version 1.0.0: every command reads them, and none continues them. `v1.0.0/README.md`
//! says what is in them.

use testkit::list::Tests;
use testkit::programs::{project_file, text_of};
use testkit::run::Dir;
use testkit::tools::{PYTHON, UNIX, ZSTD};

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, RECORDS, record_of_1_0_0_has_its_figures, 4);
    add!(
        tests,
        contest_of_1_0_0_is_not_continued,
        format_before_1_0_0_is_refused
    );
    tests.needing(&[ZSTD], |tests| {
        add!(tests, record_compressed_by_zstd_is_unpacked_first);
    });
    tests.needing(&[UNIX, PYTHON], |tests| {
        add!(tests, contest_of_other_programs_names_its_version);
    });
}

/// The names of the records, with a player for `explain` and a game for `replay`.
const RECORDS: [(&str, &str, u32); 12] = [
    ("withdrawn", "awful", 1),
    ("twist", "awful", 1),
    ("disqualified", "crash", 3),
    ("play", "mediocre", 2),
    ("classic", "awful", 1),
    ("salvo", "awful", 1),
    ("board", "awful", 1),
    ("swiss", "awful", 1),
    ("knockout", "awful", 1),
    ("forfeits", "junk", 5),
    ("comments", "talk", 1),
    ("interrupted", "row", 1),
];

/// The message about a contest that version 1.0.0 began.
const REFUSED: &str = "it is read, but neither continued nor merged";

/// The text of a file of the corpus.
fn stored(name: &str) -> String {
    text_of(project_file(format!("tests/record/v1.0.0/{name}")))
}

fn record_of_1_0_0_has_its_figures((name, player, game): (&str, &str, u32)) {
    let dir = Dir::new();
    let record = format!("{name}.jsonl");
    dir.file(&record, stored(&record));
    check_outputs(&dir, name, player, game);
    for page in ["page.html", "game.svg", "game.html"] {
        let game = if page == "page.html" {
            String::new()
        } else {
            format!("--game {game}")
        };
        let done = dir
            .run(format!("report {record} {game} --out {page}"))
            .ends();
        done.exits(if name == "withdrawn" && page != "page.html" {
            2
        } else {
            0
        });
    }
}

fn record_compressed_by_zstd_is_unpacked_first() {
    let dir = Dir::new();
    let name = "compressed.jsonl.zst";
    dir.file(
        name,
        std::fs::read(project_file(format!("tests/record/v1.0.0/{name}"))).unwrap(),
    );
    dir.run(format!("list {name}"))
        .fails(2, "`zstd -d compressed.jsonl.zst`");
    dir.program("zstd", format!("-d -q {name}")).succeeds();
    check_outputs(&dir, "compressed", "awful", 1);
}

/// Compares what the commands print of the record `name` with what version 1.0.0 printed: the
/// figures, since the sentences may change.
fn check_outputs(dir: &Dir, name: &str, player: &str, game: u32) {
    let record = format!("{name}.jsonl");
    for command in ["list", "rank"] {
        let done = dir.run(format!("{command} {record}")).succeeds();
        let expected = stored(&format!("{name}.{command}"));
        assert_eq!(
            numbers(&done.stdout),
            numbers(&expected),
            "{command} {name}"
        );
    }
    let replay = format!("replay {record} --game {game} --plain --delay 1ms");
    let explain = format!("explain {record} --player {player}");
    if name == "withdrawn" {
        let reason = "version 1.0.0 played this game with `--apart=sides`";
        dir.run(replay).fails(2, reason);
        dir.run(explain).fails(2, reason);
        return;
    }
    let expected = boards(&stored(&format!("{name}.replay")));
    assert!(!expected.is_empty());
    assert_eq!(boards(&dir.run(replay).succeeds().stdout), expected);
    let expected = causes(&stored(&format!("{name}.explain")));
    assert_eq!(causes(&dir.run(explain).succeeds().stdout), expected);
}

/// The numbers of a text, in order.
fn numbers(text: &str) -> Vec<&str> {
    text.split(|sign: char| !sign.is_ascii_digit() && sign != '.')
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty())
        .collect()
}

/// The lines of a replay with cells.
fn boards(text: &str) -> String {
    text.lines()
        .filter(|line| line.contains('\t') || line.starts_with(|sign: char| sign.is_ascii_digit()))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The part of an explanation with the reasons of the losses and the opponents, without the name of
/// the file and the usual causes, whose words are those of this version.
fn causes(text: &str) -> String {
    let (_, text) = text.split_once(": ").unwrap();
    let text = text.split("How it plays:").next().unwrap();
    let mut kept = String::new();
    let mut is_cause = false;
    for line in text.lines() {
        // A cause has its own indentation, also in the lines behind its first one.
        let is_continued = is_cause && line.starts_with("    ") && !line.starts_with("    as in");
        is_cause = line.starts_with("    usual cause: ") || is_continued;
        if !is_cause {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn contest_of_1_0_0_is_not_continued() {
    let dir = Dir::new();
    let text = stored("classic.jsonl");
    dir.file("classic.jsonl", &text);
    dir.run("match awful mediocre --resume --out classic.jsonl")
        .fails(2, REFUSED);
    dir.run("merge classic.jsonl --out merged")
        .fails(2, REFUSED);
    assert!(!dir.path("merged").exists());
    assert_eq!(dir.text("classic.jsonl"), text);
}

fn format_before_1_0_0_is_refused() {
    let dir = Dir::new();
    let text = stored("classic.jsonl").replacen("\"version\":3", "\"version\":2", 1);
    dir.file("old", &text);
    let reason = "old, line 1: version 2 of the format; the oldest that is read is 3";
    for command in [
        "list old",
        "rank old",
        "replay old --game 1",
        "merge old --out merged",
        "match awful mediocre --resume --out old",
    ] {
        dir.run(command).fails(2, reason);
    }
    assert_eq!(dir.text("old"), text);
}

/// The shipped players of another version are other programs, so the message names a remedy that
/// exists.
fn contest_of_other_programs_names_its_version() {
    let dir = Dir::new();
    let row = stored("row.py");
    dir.file("row.py", &row);
    let command = "match 'one=python3 row.py none 1' 'two=python3 row.py none 1' --games 4 --series 2 -q --out m";
    dir.run(command).small().succeeds();
    let version = format!("\"referee\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let text = dir.text("m").replacen(&version, "\"referee\":\"0.9.0\"", 1);
    dir.file("m", &text).file("row.py", row + "#");
    let done = dir.run(command).args("--resume").small().ends();
    done.exits(2).warns("one: row.py has changed since game 4");
    done.warns("Continue it with what it began with, the same files and version 0.9.0 of the referee, or begin again in");
    assert_eq!(dir.text("m"), text);
}
