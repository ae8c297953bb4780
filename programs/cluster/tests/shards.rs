//! The shards of a contest and their one record, by a stand-in for Slurm that runs each task at
//! once, one after the other.

use std::fs;

use testkit::list::Tests;
use testkit::programs::built;

use crate::Cluster;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        more_games_extend_the_shards_and_the_record,
        faults_in_all_shards_disqualify,
        shards_of_other_terms_are_refused,
        what_shards_cannot_play_is_named
    );
}

/// The command of Slurm that submits an array.
const SBATCH: &str = r#"
for task in $(sed -n 's/^#SBATCH --array=//p' "$2" | tr ',' ' '); do
    for number in $(seq ${task%-*} ${task#*-}); do
        SLURM_ARRAY_TASK_ID=$number sh "$2" >"${2%/*}/logs/$number.log" 2>&1
    done
done
echo 1"#;

fn slurm() -> Cluster {
    let cluster = Cluster::of("slurm");
    cluster.program("scontrol", "echo 'MaxArraySize = 1001'");
    cluster.program("squeue", "exit 0");
    cluster.program("sbatch", SBATCH);
    cluster
}

fn more_games_extend_the_shards_and_the_record() {
    let slurm = slurm();
    let words = "match awful mediocre --series 4 --seed 3 --games";
    slurm.plays(4, "", &format!("{words} 12")).succeeds();
    // Some shards get no more series by that.
    slurm.plays(4, "", &format!("{words} 20")).succeeds();
    let one = slurm.dir.run(format!("{words} 20 --out one.jsonl"));
    one.succeeds();
    // One run has a header at the place from which on there are more games.
    let [cup, one] = ["cup.jsonl", "one.jsonl"].map(|name| {
        let mut lines = slurm.dir.record(name).without_times();
        lines.retain(|line| line["format"] != "battleship-contest");
        lines
    });
    assert_eq!(cup.len(), 20 + 5);
    assert_eq!(cup, one);
    slurm.plays(4, "", &format!("{words} 8")).fails(2, "");
}

fn faults_in_all_shards_disqualify() {
    let slurm = slurm();
    // It attacks a few times, and then exits: enough for the check before the first game.
    let rogue = format!("rogue={} act --after 5 exit 3", built("examples/test-bot"));
    let words =
        format!("tournament awful mediocre '{rogue}' M=mediocre --games 40 --series 4 --seed 3");
    slurm.plays(5, "", &words).succeeds().prints("disqualified");
    slurm.dir.run(&words).args("--out one.jsonl").succeeds();
    assert_eq!(slurm.dir.record("cup.jsonl"), slurm.dir.record("one.jsonl"));
}

fn shards_of_other_terms_are_refused() {
    let slurm = slurm();
    let bot = |more: &str| {
        let text = format!("exec {}{more}\n", built("awful-bot"));
        slurm.dir.file("bot.sh", text);
    };
    bot("");
    let play = |more: &str| {
        let words = format!("match mediocre 'A=sh bot.sh' --games 40 {more}");
        slurm.plays(4, "", &words)
    };
    play("").succeeds();
    let forget_second = || {
        for shard in slurm.attempts(2) {
            fs::remove_file(shard).unwrap();
        }
    };
    forget_second();
    let whole = slurm.dir.text("cup.jsonl");
    let record = slurm.dir.path("cup.jsonl");
    fs::remove_file(&record).unwrap();
    play("--limit 3s")
        .fails(2, "is of another contest")
        .warns("limit");
    assert!(!record.exists());
    forget_second();
    bot(" # new");
    play("")
        .fails(2, "is of another contest")
        .warns("bot.sh has changed");
    // A record that was there before is not touched either.
    let other = whole.replace("\"seed\":", "\"seed\": ");
    slurm.dir.file("cup.jsonl", &other);
    play("--seed 1").fails(2, "--seed");
    assert_eq!(slurm.dir.text("cup.jsonl"), other);
}

/// What is for one machine alone, or cannot play, and the code and the sentence about it.
const REFUSED: [(&str, i32, &str); 6] = [
    ("match awful awful --out x.jsonl", 2, "--out"),
    ("match awful awful --verify", 2, "--verify"),
    (
        "tournament awful good --format swiss",
        2,
        "cannot be divided",
    ),
    ("play awful awful", 2, "a match or a tournament"),
    (
        "tournament awful mediocre X=false --games 4",
        1,
        "X cannot play",
    ),
    (
        "tournament awful mediocre X=false --games 4",
        1,
        "not complete",
    ),
];

fn what_shards_cannot_play_is_named() {
    let slurm = slurm();
    for (words, code, sentence) in REFUSED {
        slurm.plays(4, "", words).fails(code, sentence);
        assert!(!slurm.dir.path("cup.jsonl").exists());
    }
}
