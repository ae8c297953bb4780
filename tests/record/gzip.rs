//! Records compressed by gzip: written, read by every command, cut short, continued and merged.

use std::fs;
use std::path::Path;

use testkit::list::Tests;
use testkit::record::{GZIP, Record, packed, unpacked};
use testkit::run::Dir;
use testkit::tools::{PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_contest_writes_what_gzip_reads,
        a_torn_last_member_counts_with_a_warning,
        a_damaged_member_is_named_by_its_line,
        merging_compresses_and_decompresses,
        single_games_are_appended_as_members,
        another_format_is_named_with_the_way_out
    );
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_compressed_record_cut_anywhere_is_completed,
            a_record_in_one_member_is_continued,
            a_compressed_record_belongs_to_no_bot
        );
        rows!(tests, READERS, a_command_reads_a_compressed_record, 3);
        tests.needing(&[PYTHON], |tests| {
            add!(tests, python_reads_a_compressed_record);
        });
    });
}

const MATCH: &str = "match awful mediocre --seed 1 --series 10 -q";

/// A folder with the record `cup` of a match of two series.
fn played() -> Dir {
    let dir = Dir::new();
    dir.ran(format!("{MATCH} --games 20 --out cup"));
    dir
}

/// A record as members of the header and of each series, as a contest writes it.
fn members(record: &str) -> Vec<Vec<u8>> {
    let lines: Vec<_> = record.split_inclusive('\n').collect();
    let ends =
        |line: &&str| line.contains("battleship-contest") || line.contains("battleship-series");
    lines
        .split_inclusive(ends)
        .map(|lines| packed(&lines.concat()))
        .collect()
}

fn text(path: &Path) -> String {
    unpacked(fs::read(path).unwrap())
}

/// The commands that read a record.
const READERS: [&str; 7] = [
    "rank cup --latest --json",
    "replay cup --game 3 --plain --delay 1ms",
    "explain cup --player awful --game 3 --json",
    "rank cup --csv",
    "report cup -o /dev/stdout",
    "list cup --json --player awful --worst 3",
    "report cup --game awful-vs-mediocre-game-3 -o /dev/stdout",
];

fn a_command_reads_a_compressed_record(words: &str) {
    let dir = played();
    let text = dir.text("cup");
    let printed = |words: &str| {
        let done = dir.run(words).succeeds();
        // A review measures times.
        let stdout = done.stdout.replace("cup.gz", "cup");
        (
            stdout.split("\"times\":").next().unwrap().to_owned(),
            done.stderr.replace("cup.gz", "cup"),
        )
    };
    let plain = printed(words);
    assert!(!plain.0.is_empty());
    // By what it has, not by its name; as a contest writes it, and in one member as `gzip FILE`
    // does.
    for (name, bytes) in [
        ("cup.gz", members(&text).concat()),
        ("cup.gz", packed(&text)),
        ("cup", members(&text).concat()),
    ] {
        dir.file(name, bytes);
        assert_eq!(printed(&words.replacen("cup", name, 1)), plain);
    }
}

fn a_contest_writes_what_gzip_reads() {
    let dir = played();
    let play = |more: &str| dir.run(format!("{MATCH} --out cup.gz {more}")).ends();
    play("--games 20").exits(0);
    let compressed = fs::read(dir.path("cup.gz")).unwrap();
    assert_eq!(compressed[..2], GZIP);
    assert!(compressed.len() * 3 < dir.text("cup").len());
    assert_eq!(dir.record("cup.gz"), dir.record("cup"));
    // Longer by one series, which is appended.
    play("--games 30 --resume").exits(0);
    let longer = fs::read(dir.path("cup.gz")).unwrap();
    assert!(longer.len() > compressed.len() && longer.starts_with(&compressed));
    play("--games 30").exits(2);
}

fn a_compressed_record_cut_anywhere_is_completed() {
    let dir = played();
    let parts = members(&dir.text("cup"));
    let whole = parts.concat();
    let header = parts[0].len();
    let first = header + parts[1].len();
    for cut in [0, header + 1, first, whole.len() - 1] {
        dir.file("cut.gz", &whole[..cut]);
        dir.run(format!("{MATCH} --games 20 --resume --out cut.gz"))
            .succeeds();
        assert_eq!(dir.record("cut.gz"), dir.record("cup"), "cut at {cut}");
    }
}

/// A member cannot be cut where a series ends, so what is whole of it is rewritten.
fn a_record_in_one_member_is_continued() {
    let dir = played();
    let whole = dir.text("cup");
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    // The header, ten games, the end of their series, and four games of the next.
    dir.file("cut.gz", packed(&lines[..16].concat()));
    dir.run(format!("{MATCH} --games 20 --resume --out cut.gz"))
        .succeeds();
    assert!(text(&dir.path("cut.gz")).starts_with(&lines[..12].concat()));
    assert_eq!(dir.record("cut.gz"), Record::parse(&whole));
    assert_eq!(
        fs::read_dir(dir.path("")).unwrap().count(),
        2,
        "nothing is left beside it"
    );
}

fn a_torn_last_member_counts_with_a_warning() {
    let dir = played();
    let parts = members(&dir.text("cup"));
    let end = parts[0].len() + parts[1].len();
    dir.file("cup.gz", &parts.concat()[..end + 20]);
    dir.run("rank cup.gz")
        .succeeds()
        .warns("cup.gz, line 13 was cut short and does not count");
    assert_eq!(dir.run("list cup.gz").succeeds().stdout.lines().count(), 10);
}

fn a_damaged_member_is_named_by_its_line() {
    let dir = played();
    let parts = members(&dir.text("cup"));
    let rank = |at: usize| {
        let mut damaged = parts.concat();
        damaged[at] ^= 1;
        dir.file("cup.gz", damaged)
            .run("rank cup.gz")
            .fails(2, "cup.gz, line ")
    };
    let header = parts[0].len();
    let first = header + parts[1].len();
    // Not in the head of a member: nothing reads the time in it.
    for at in (header + 12..first).step_by(3000) {
        rank(at);
    }
    // The checksum is at the end of the member, and no member begins so.
    rank(first - 1)
        .warns("line 13: the file is damaged here")
        .warns("checksum");
    rank(first).warns("line 13: the file is damaged here");
}

fn merging_compresses_and_decompresses() {
    let dir = Dir::new();
    dir.ran(format!("{MATCH} --games 40 --out whole"))
        .ran(format!("{MATCH} --games 40 --shard 1/2 --out a"))
        .ran(format!("{MATCH} --games 40 --shard 2/2 --out b.gz"));
    dir.run("merge a b.gz --out all.gz").succeeds();
    assert!(fs::read(dir.path("all.gz")).unwrap().starts_with(&GZIP));
    dir.run("merge all.gz --out all").succeeds();
    assert!(dir.text("all").starts_with('{'));
    for merged in ["all.gz", "all"] {
        assert_eq!(dir.record(merged), dir.record("whole"));
    }
}

fn single_games_are_appended_as_members() {
    let dir = Dir::new();
    let play = |name: &str, seed: u32| {
        let words = format!("play awful mediocre --json --seed {seed} --out {name}");
        dir.run(&words).succeeds().stdout
    };
    let path = dir.path("games.gz");
    let [one, two] = [1, 2].map(|seed| play("games.gz", seed));
    assert_eq!(text(&path), format!("{one}{two}"));
    // A member that was cut short must not swallow the next.
    let bytes = fs::read(&path).unwrap();
    dir.file("games.gz", &bytes[..bytes.len() - 100]);
    let three = play("games.gz", 3);
    assert_eq!(text(&path), format!("{one}{three}"));
    // A record continues as it began, whatever it is called.
    fs::rename(&path, dir.path("games")).unwrap();
    let four = play("games", 4);
    assert_eq!(text(&dir.path("games")), format!("{one}{three}{four}"));
    dir.file("plain.gz", &one);
    play("plain.gz", 2);
    assert_eq!(dir.text("plain.gz").lines().count(), 2);
}

fn a_compressed_record_belongs_to_no_bot() {
    let dir = Dir::new();
    dir.file("notes.txt", "mine");
    let files = || {
        dir.run("match bot@.=awful-bot awful --games 2 --seed 1 -q --force --out m.gz")
            .succeeds();
        dir.record("m.gz").lines[0]["config"]["players"][0]["files"].clone()
    };
    let before = files();
    fs::copy(dir.path("m.gz"), dir.path("old.gz")).unwrap();
    assert_eq!(files(), before);
}

fn python_reads_a_compressed_record() {
    let dir = Dir::new();
    dir.run(format!("{MATCH} --games 20 --out m.gz")).succeeds();
    let script = "import gzip, sys; sys.stdout.write(gzip.open('m.gz', 'rt').read())";
    dir.program("python3", "-c")
        .arg(script)
        .succeeds()
        .prints_all(&text(&dir.path("m.gz")));
}

/// How files in other formats begin, and what turns them into one that is read. Version 1.0.0
/// compressed by zstd.
const FOREIGN: [(&[u8], &str); 6] = [
    (
        b"\x28\xb5\x2f\xfd rest",
        "compressed by zstd; make a plain file of it first: `zstd -d",
    ),
    (
        b"\xfd7zXZ\0 rest",
        "compressed by xz; make a plain file of it first: `xz -d",
    ),
    (
        b"BZh91AY",
        "compressed by bzip2; make a plain file of it first: `bzip2 -d",
    ),
    (
        b"PK\x03\x04 rest",
        "a zip archive; make a plain file of it first: `unzip",
    ),
    (
        b"\xff\xfe{\0\"\0",
        "in UTF-16; make a plain file of it first: `iconv -f UTF-16",
    ),
    (
        b"{\0\"\0f\0",
        "in UTF-16; make a plain file of it first: `iconv -f UTF-16",
    ),
];

fn another_format_is_named_with_the_way_out() {
    let dir = Dir::new();
    for (bytes, way_out) in FOREIGN {
        dir.file("cup", bytes)
            .run("rank cup")
            .fails(2, &format!("cup is {way_out}"));
    }
    dir.file("cup.zst", FOREIGN[0].0);
    for words in [
        "list cup.zst",
        "report cup.zst",
        "merge cup.zst --out all",
        "replay cup.zst",
        "match awful mediocre --games 2 --resume --out cup.zst",
        "play awful mediocre --out cup.zst",
    ] {
        dir.run(words).fails(2, "`zstd -d");
    }
    dir.run("match awful mediocre --games 2 --out new.zst")
        .fails(2, "end the name in .gz");
    assert!(!dir.path("new.zst").exists());
}
