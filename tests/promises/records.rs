//! Records of version 0.1, which every command still reads.

use crate::common::{Folder, referee};

/// Records as version 0.1 wrote them: of a contest in the first version of the format, in the second, and single games.
const RECORDS: [(&str, &str); 5] = [
    ("version1", include_str!("../mutations/corpus/version1.jsonl")),
    ("version2", include_str!("../mutations/corpus/version2.jsonl")),
    ("match", include_str!("../mutations/corpus/match.jsonl")),
    ("swiss", include_str!("../mutations/corpus/swiss.jsonl")),
    ("games", include_str!("../mutations/corpus/games.jsonl")),
];

#[test]
#[rows(RECORDS)]
fn a_record_of_version_0_1_is_read((name, text): (&str, &str)) {
    let folder = Folder::new();
    folder.file("old.jsonl", text);
    let run = |arguments: &[&str]| {
        let output = referee().args(arguments).current_dir(folder.path("")).output().unwrap();
        assert!(output.status.success(), "{arguments:?} of {name}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let listed = run(&["list", "old.jsonl"]);
    assert!(listed.lines().count() > 1, "{listed}");
    run(&["replay", "old.jsonl", "--game", "1", "--delay", "1ms"]);
    run(&["report", "old.jsonl", "--out", "page.html"]);
    if name != "games" {
        let ranked = run(&["rank", "old.jsonl"]);
        assert!(ranked.contains("games"), "{ranked}");
    }
}
