//! Records compressed by gzip: written, read by every command, cut short, continued and merged.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::contest::{GZIP, match_in_tens, packed, text_of_record, without_times};
use crate::common::{Folder, program, referee, text_of};
use testkit::list::Tests;
use testkit::tools::{PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_contest_writes_a_record_that_gzip_reads,
        a_last_member_that_was_cut_short_is_said_to_be,
        a_damaged_record_is_an_error_that_names_the_line,
        merging_compresses_and_decompresses,
        single_games_are_appended_as_members,
        a_record_of_zstd_is_refused_with_the_command_that_unpacks_it
    );
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_compressed_record_that_was_cut_short_anywhere_is_completed,
            a_record_in_one_member_is_continued_behind_its_last_whole_series,
            the_record_of_a_contest_is_not_a_file_of_a_bot_though_it_is_compressed
        );
        rows!(tests, READERS, a_compressed_record_is_read_as_it_is);
    });
    tests.needing(&[PYTHON], |tests| {
        add!(tests, python_reads_a_compressed_record);
    });
}

/// Returns the result of a command on a record, whatever its name: the code, the standard output and the standard error.
fn said(folder: &Folder, command: &[&str], record: &str) -> (Option<i32>, String, String) {
    let words = command
        .iter()
        .map(|word| if *word == "@" { record } else { word });
    let output = referee()
        .current_dir(folder.path(""))
        .args(words)
        .output()
        .unwrap();
    let text = |bytes| {
        String::from_utf8(bytes)
            .unwrap()
            .replace("cup.jsonl.gz", "cup.jsonl")
    };
    let stdout = text(output.stdout);
    // A check measures times.
    let stdout = stdout.split("\"times\":").next().unwrap().to_owned();
    (output.status.code(), stdout, text(output.stderr))
}

/// A folder with the record of a match of two series, `cup.jsonl`.
fn folder() -> Folder {
    let folder = Folder::new();
    let played = match_in_tens("20", folder.path("cup.jsonl").as_ref())
        .output()
        .unwrap()
        .status;
    assert!(played.success());
    folder
}

/// Returns the bytes of a record as members of the header and of each series, as a contest writes them.
fn members(record: &str) -> Vec<Vec<u8>> {
    let lines: Vec<&str> = record.split_inclusive('\n').collect();
    let ends = |line: &&str| {
        ["battleship-contest", "battleship-series"]
            .iter()
            .any(|word| line.contains(word))
    };
    lines
        .split_inclusive(ends)
        .map(|lines| packed(&lines.concat()))
        .collect()
}

/// The commands that read a record; `@` is the record.
const READERS: [(&str, &[&str]); 12] = [
    ("rank", &["rank", "@"]),
    ("rank --json", &["rank", "--json", "@"]),
    ("rank --latest", &["rank", "--latest", "--csv", "@"]),
    ("report", &["report", "@", "-o", "/dev/stdout"]),
    ("list", &["list", "@"]),
    (
        "list --worst",
        &["list", "@", "--json", "--player", "awful", "--worst", "3"],
    ),
    ("explain", &["explain", "@", "--player", "awful"]),
    (
        "explain --game",
        &["explain", "@", "--player", "awful", "--game", "3", "--json"],
    ),
    (
        "replay",
        &["replay", "@", "--game", "3", "--plain", "--delay", "1ms"],
    ),
    (
        "replay --to",
        &[
            "replay",
            "@",
            "--game",
            "awful-vs-mediocre-game-3",
            "--to",
            "/dev/stdout",
        ],
    ),
    (
        "replay --svg",
        &["replay", "@", "--game", "3", "--svg", "/dev/stdout"],
    ),
    (
        "replay --html",
        &["replay", "@", "--game", "3", "--html", "/dev/stdout"],
    ),
];

fn a_compressed_record_is_read_as_it_is((_, reader): (&str, &[&str])) {
    let folder = folder();
    let text = text_of(folder.path("cup.jsonl"));
    let plain = said(&folder, reader, "cup.jsonl");
    assert!(!plain.1.is_empty(), "{plain:?}");
    // By what it has, not by its name; as a contest writes it, and in one member as `gzip FILE` does.
    for (name, bytes) in [
        ("cup.jsonl.gz", members(&text).concat()),
        ("cup.jsonl.gz", packed(&text)),
        ("cup.jsonl", members(&text).concat()),
    ] {
        fs::write(folder.path(name), bytes).unwrap();
        assert_eq!(said(&folder, reader, name), plain);
    }
}

fn a_contest_writes_a_record_that_gzip_reads() {
    let folder = folder();
    let out = folder.path("match.jsonl.gz");
    assert!(
        match_in_tens("20", out.as_ref())
            .output()
            .unwrap()
            .status
            .success()
    );
    let (compressed, text) = (fs::read(&out).unwrap(), text_of_record(&out));
    assert_eq!(compressed[..2], GZIP);
    assert!(
        compressed.len() * 3 < text.len(),
        "{} of {}",
        compressed.len(),
        text.len()
    );
    let plain = text_of(folder.path("cup.jsonl"));
    assert!(without_times(&text) == without_times(&plain));
    // Longer by one series, which is appended to what there is.
    assert!(
        match_in_tens("30", out.as_ref())
            .arg("--resume")
            .output()
            .unwrap()
            .status
            .success()
    );
    let longer = fs::read(&out).unwrap();
    assert!(longer.len() > compressed.len() && longer.starts_with(&compressed));
    let refused = match_in_tens("30", out.as_ref()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
}

fn a_compressed_record_that_was_cut_short_anywhere_is_completed() {
    let folder = folder();
    let out = folder.path("match.jsonl.gz");
    let text = text_of(folder.path("cup.jsonl"));
    let members = members(&text);
    let whole = members.concat();
    let [header, first] = [members[0].len(), members[0].len() + members[1].len()];
    for cut in [
        0,
        1,
        3,
        header - 1,
        header,
        header + 1,
        first - 4,
        first,
        first + 9,
        whole.len() - 1,
    ] {
        fs::write(&out, &whole[..cut]).unwrap();
        let resumed = match_in_tens("20", out.as_ref())
            .arg("--resume")
            .output()
            .unwrap();
        assert!(resumed.status.success(), "cut at {cut}: {resumed:?}");
        assert!(
            without_times(&text_of_record(&out)) == without_times(&text),
            "cut at {cut}"
        );
    }
}

/// A member cannot be cut where a series ends, so what is whole of it is rewritten.
fn a_record_in_one_member_is_continued_behind_its_last_whole_series() {
    let folder = folder();
    let out = folder.path("match.jsonl.gz");
    let text = text_of(folder.path("cup.jsonl"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // The header, ten games, the end of their series, and four games of the next.
    fs::write(&out, packed(&lines[..16].concat())).unwrap();
    assert!(
        match_in_tens("20", out.as_ref())
            .arg("--resume")
            .output()
            .unwrap()
            .status
            .success()
    );
    let again = text_of_record(&out);
    assert!(again.starts_with(&lines[..12].concat()));
    assert!(without_times(&again) == without_times(&text));
    let mut there: Vec<_> = fs::read_dir(folder.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    there.sort();
    assert_eq!(there, ["cup.jsonl", "match.jsonl.gz"]);
}

fn a_last_member_that_was_cut_short_is_said_to_be() {
    let folder = folder();
    let text = text_of(folder.path("cup.jsonl"));
    let members = members(&text);
    let end = members[0].len() + members[1].len();
    let whole = members.concat();
    fs::write(folder.path("cup.jsonl.gz"), &whole[..end + 20]).unwrap();
    let (code, _, told) = said(&folder, &["rank", "@"], "cup.jsonl.gz");
    assert_eq!(code, Some(0));
    assert!(
        told.contains("cup.jsonl, line 13 was cut short and does not count"),
        "{told}"
    );
    let (code, games, _) = said(&folder, &["list", "@"], "cup.jsonl.gz");
    assert_eq!((code, games.lines().count()), (Some(0), 10));
}

fn a_damaged_record_is_an_error_that_names_the_line() {
    let folder = folder();
    let members = members(&text_of(folder.path("cup.jsonl")));
    let rank = |at: usize| {
        let mut damaged = members.concat();
        damaged[at] ^= 1;
        fs::write(folder.path("cup.jsonl.gz"), damaged).unwrap();
        let (code, _, told) = said(&folder, &["rank", "@"], "cup.jsonl.gz");
        assert_eq!(code, Some(2), "byte {at}: {told}");
        told
    };
    let (header, first) = (members[0].len(), members[0].len() + members[1].len());
    // Not in the head of a member: nothing reads the time in it.
    for at in (header + 12..first).step_by(500) {
        assert!(rank(at).contains("cup.jsonl, line "), "byte {at}");
    }
    // The checksum is at the end of the member.
    let told = rank(first - 1);
    assert!(told.contains("line 13: the file is damaged here"), "{told}");
    assert!(told.contains("checksum"), "{told}");
    // No member begins so.
    let told = rank(first);
    assert!(
        told.contains("cup.jsonl, line 13: the file is damaged here"),
        "{told}"
    );
}

fn merging_compresses_and_decompresses() {
    let folder = folder();
    let text = text_of(folder.path("cup.jsonl"));
    let shard = |k: usize, name: &str| {
        let mut shard = match_in_tens("60", folder.path(name).as_ref());
        assert!(
            shard
                .args(["--shard", &format!("{k}/2")])
                .status()
                .unwrap()
                .success()
        );
    };
    shard(1, "a.jsonl");
    shard(2, "b.jsonl.gz");
    let merge = |files: &[&str], out: &str| {
        let mut command = program("referee");
        command
            .current_dir(folder.path(""))
            .arg("merge")
            .args(files)
            .args(["--out", out]);
        assert!(command.stderr(Stdio::null()).status().unwrap().success());
        text_of_record(folder.path(out))
    };
    let packed_one = merge(&["a.jsonl", "b.jsonl.gz"], "all.jsonl.gz");
    assert_eq!(fs::read(folder.path("all.jsonl.gz")).unwrap()[0], 0x1f);
    assert!(without_times(&packed_one)[1..23] == without_times(&text)[1..]);
    let lines = without_times(&packed_one);
    let plain = merge(&["b.jsonl.gz", "a.jsonl"], "all.jsonl");
    assert_eq!(without_times(&plain), lines);
    assert_eq!(text_of(folder.path("all.jsonl")), plain);
    let again = merge(&["all.jsonl.gz"], "again.jsonl");
    assert_eq!(without_times(&again), lines);
}

fn single_games_are_appended_as_members() {
    let folder = Folder::new();
    let play = |name: &str, seed: &str| {
        let play = [
            "play", "awful", "mediocre", "--json", "--seed", seed, "--record", name,
        ];
        let output = referee()
            .current_dir(folder.path(""))
            .args(play)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let record = folder.path("games.jsonl.gz");
    let (one, two) = (play("games.jsonl.gz", "1"), play("games.jsonl.gz", "2"));
    assert_eq!(text_of_record(&record), format!("{one}{two}"));
    // A member that was cut short must not swallow the next.
    let bytes = fs::read(&record).unwrap();
    fs::write(&record, &bytes[..bytes.len() - 100]).unwrap();
    let three = play("games.jsonl.gz", "3");
    assert_eq!(text_of_record(&record), format!("{one}{three}"));
    // A record continues as it began, whatever it is called.
    fs::rename(&record, folder.path("games.jsonl")).unwrap();
    let four = play("games.jsonl", "4");
    assert_eq!(
        text_of_record(folder.path("games.jsonl")),
        format!("{one}{three}{four}")
    );
    fs::write(folder.path("plain.gz"), &one).unwrap();
    play("plain.gz", "2");
    assert_eq!(text_of(folder.path("plain.gz")).lines().count(), 2);
}

fn the_record_of_a_contest_is_not_a_file_of_a_bot_though_it_is_compressed() {
    let folder = Folder::new();
    let files = |folder: &Folder| {
        let bot = format!(
            "bot@{}={}",
            folder.path(""),
            env!("CARGO_BIN_EXE_awful-bot")
        );
        let out = folder.path("m.jsonl.gz");
        let played = [
            "match", &bot, "awful", "--games", "2", "--seed", "1", "-q", "--force", "--out", &out,
        ];
        referee().args(played).assert().code(0);
        let header: Value =
            serde_json::from_str(text_of_record(&out).lines().next().unwrap()).unwrap();
        header["config"]["players"][0]["files"].clone()
    };
    folder.file("notes.txt", "mine");
    let before = files(&folder);
    fs::copy(folder.path("m.jsonl.gz"), folder.path("old.gz")).unwrap();
    assert_eq!(files(&folder), before);
}

fn python_reads_a_compressed_record() {
    let folder = Folder::new();
    let out = folder.path("match.jsonl.gz");
    assert!(
        match_in_tens("20", out.as_ref())
            .status()
            .unwrap()
            .success()
    );
    let script = "import gzip, sys; sys.stdout.write(gzip.open(sys.argv[1], 'rt').read())";
    let output = Command::new("python3")
        .args(["-c", script, &out])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        text_of_record(&out)
    );
}

/// Version 1.0.0 compressed by zstd.
fn a_record_of_zstd_is_refused_with_the_command_that_unpacks_it() {
    let folder = Folder::new();
    let zstd = folder.path("cup.jsonl.zst");
    fs::write(&zstd, [0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x05, 1, 2, 3]).unwrap();
    fs::copy(&zstd, folder.path("cup.jsonl")).unwrap();
    for command in [
        "rank @",
        "list @",
        "replay @",
        "report @ -o page.html",
        "merge @ --out all.jsonl",
        "match awful mediocre --games 2 --resume --out @",
        "play awful mediocre --record @",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        for record in ["cup.jsonl.zst", "cup.jsonl"] {
            let (code, _, told) = said(&folder, &words, record);
            assert_eq!(code, Some(2), "{command}: {told}");
            assert!(told.contains("`zstd -d"), "{command}: {told}");
        }
    }
    let new = "match awful mediocre --games 2 --out new.jsonl.zst";
    let words: Vec<&str> = new.split(' ').collect();
    let (code, _, told) = said(&folder, &words, "");
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("end the name in .gz"), "{told}");
    assert!(!Path::new(&folder.path("new.jsonl.zst")).exists());
}
