//! Records of judged games: which judge continues them, and that nothing starts the judge that a
//! record names.

use testkit::list::Tests;
use testkit::run::Dir;

use super::{BOTH, JUDGE};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        only_the_same_judge_continues_a_record,
        a_judge_changed_before_a_game_is_named,
        a_module_beside_a_judge_belongs_to_it,
        a_record_starts_no_judge
    );
}

/// Words that continue a record with another judge, and what is said of it.
const OTHERS: [(&str, &str); 4] = [
    (
        "",
        "the record is of a game that a judge knows; continue it with --judge 'sh judge.sh'",
    ),
    (
        "--judge 'sh other.sh'",
        "judge: \"sh judge.sh\" there, \"sh other.sh\" here",
    ),
    (
        "--judge 'sh judge.sh 6'",
        "judge: \"sh judge.sh\" there, \"sh judge.sh 6\" here",
    ),
    ("--judge 'sh judge.sh'", "what differs: judge_digest: "),
];

fn only_the_same_judge_continues_a_record() {
    let dir = Dir::new();
    dir.file("judge.sh", JUDGE).file("other.sh", JUDGE);
    let play = |games: u32, words: &str| {
        dir.run(format!(
            "match {BOTH} --seed 1 -q --out m --games {games} {words}"
        ))
    };
    play(2, "--judge 'sh judge.sh'").succeeds();
    play(4, "--judge 'sh judge.sh' --resume").succeeds();
    let before = dir.text("m");
    dir.file("judge.sh", format!("{JUDGE}# changed"));
    for (words, sentence) in OTHERS {
        play(6, &format!("{words} --resume")).fails(2, sentence);
        assert_eq!(dir.text("m"), before, "{words}");
    }
}

fn a_judge_changed_before_a_game_is_named() {
    let dir = Dir::new();
    let changes = "[ -e started ] || { touch started; echo '# changed' >> judge.sh; }";
    dir.file("judge.sh", format!("{changes}\n{JUDGE}"));
    dir.run(format!(
        "match {BOTH} --judge 'sh judge.sh' --games 2 --seed 1 -q --out m"
    ))
    .fails(1, "the judge: judge.sh has changed since the contest began");
}

fn a_module_beside_a_judge_belongs_to_it() {
    let dir = Dir::new();
    // The ending counts: a file of Python belongs to another one beside it.
    dir.file("judge.py", JUDGE).file("rules.py", "LIMIT = 3");
    let play = |words: &str| {
        let judge = "--judge 'sh judge.py'";
        dir.run(format!(
            "tournament {BOTH} {words} {judge} --games 2 --seed 1 -q --out m"
        ))
    };
    play("").succeeds();
    // A bot that the command names is none of the files of the judge.
    dir.file("bot.py", "exec test-bot act --plays turns nothing");
    play("'C=sh bot.py' --resume").succeeds();
    let before = dir.text("m");
    dir.file("rules.py", "LIMIT = 4");
    play("'C=sh bot.py' --resume").fails(2, "what differs: judge_digest: ");
    assert_eq!(dir.text("m"), before);
    dir.run("rank m").succeeds();
    dir.file("rules.py", "LIMIT = 3");
    play("'C=sh bot.py' --resume").succeeds();
}

/// Commands that read records.
const READING: [&str; 9] = [
    "list m",
    "rank m",
    "explain m --player A",
    "replay m --game 1 --plain --delay 1ms",
    "report m -o page.html",
    "report m --game 1 -o game.html",
    "merge m n -o all",
    "list all",
    "rank all",
];

fn a_record_starts_no_judge() {
    let dir = Dir::new();
    dir.file("judge.sh", format!("touch started\n{JUDGE}"));
    for (record, shard) in [("m", 1), ("n", 2)] {
        let words = format!("match {BOTH} --games 4 --series 2 --seed 1 -q --judge 'sh judge.sh'");
        dir.run(format!("{words} --shard {shard}/2 --out {record}"))
            .succeeds();
    }
    std::fs::remove_file(dir.path("started")).unwrap();
    for words in READING {
        dir.run(words).succeeds();
        assert!(
            !dir.path("started").exists(),
            "{words} has started the judge"
        );
    }
}
