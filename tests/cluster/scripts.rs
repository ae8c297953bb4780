//! The scripts with stand-ins for the commands of the schedulers, which run the tasks at once, one
//! after the other.

use std::process::Command;

use super::Cluster;
use testkit::list::Tests;
use testkit::programs::{project_file, text_of};
use testkit::tools::BASH;

pub(super) fn tests(tests: &mut Tests) {
    tests.needing(&[BASH], |tests| {
        rows!(tests, SCRIPTS, script_is_short_and_parses);
        rows!(tests, SCRIPTS, script_plays_lost_shards_again);
        rows!(tests, SCRIPTS, script_without_progress_ends, 1);
        rows!(tests, SCRIPTS, script_refuses_another_contest, 1);
    });
}

/// A script, its shell, the command of its scheduler and a stand-in for that command.
type Script = (&'static str, &'static str, &'static str, &'static str);

const SCRIPTS: [Script; 3] = [
    ("slurm.sh", "sh", "sbatch", SBATCH),
    ("hyperqueue.sh", "sh", "hq", HQ),
    ("parallel.sh", "bash", "parallel", PARALLEL),
];

/// Prints a banner, as some sites do. A task whose number names a file is lost once, one whose
/// number names a folder always.
const SBATCH: &str = r#"
echo 'Welcome to the cluster!'
for word; do
    case $word in --array=*) array=${word#*=} ;; --output=*) output=${word#*=} ;; esac
done
while [ "${1#-}" != "$1" ]; do shift; done
echo "$array" >>arrays
for task in $(echo "$array" | tr , ' '); do
    if rm "$task" 2>/dev/null || [ -d "$task" ]; then continue; fi
    SLURM_ARRAY_TASK_ID=$task sh "$@" >>"${output%/*}/$task.log" 2>&1
done
echo 'Submitted batch job 1 on cluster east'
exit 1"#;

const HQ: &str = r#"
case $1 in --output-mode) echo '[]'; exit ;; esac
while [ "$1" != -- ]; do
    [ "$1" != --array ] || array=$2
    shift
done
shift
echo "$array" >>arrays
for task in $(echo "$array" | tr , ' '); do
    if rm "$task" 2>/dev/null || [ -d "$task" ]; then continue; fi
    HQ_TASK_ID=$task "$@"
done"#;

const PARALLEL: &str = r#"
while read -r line; do
    task=${line#*--shard }
    task=${task%%/*}
    array=${array:+$array,}$task
    if rm "$task" 2>/dev/null || [ -d "$task" ]; then continue; fi
    sh -c "$line"
done
echo "$array" >>arrays
exit 1"#;

/// A match of six series. A command has blanks and a backslash.
const MATCH: &str = r#"match awful "P=sh 'my bot.sh' 'a\\nb'" --games 24 --series 4 --rows 2 --cols 3 --ship '2 R rowboat' --seed 1"#;

fn cluster((script, _, command, stand_in): Script) -> Cluster {
    let cluster = Cluster::new(script);
    cluster.program(command, stand_in);
    cluster.program("squeue", "echo 'Welcome to the cluster!'");
    cluster
}

fn script_is_short_and_parses((script, shell, ..): Script) {
    let path = project_file("examples/cluster").join(script);
    let lines = text_of(&path).lines().count();
    assert!(lines <= 40, "{script} has {lines} lines");
    let parsed = Command::new(shell).arg("-n").arg(path).status();
    assert!(parsed.unwrap().success(), "{script}");
}

fn script_plays_lost_shards_again(script: Script) {
    let cluster = cluster(script);
    cluster.dir.file("2", "").file("4", "");
    cluster.play(4, MATCH).succeeds();
    let rounds = "1,2,3,4\n2,4\n";
    assert_eq!(cluster.dir.text("arrays"), rounds);
    let one = cluster.dir.run(MATCH).args("--quiet --out one.jsonl");
    one.succeeds();
    let record = cluster.dir.record("one.jsonl");
    assert_eq!(record.lines.len(), 1 + 6 * 5);
    assert_eq!(cluster.dir.record("my cup.jsonl"), record);
    cluster.play(4, MATCH).succeeds();
    assert_eq!(cluster.dir.text("arrays"), rounds);
    assert_eq!(cluster.dir.record("my cup.jsonl"), record);
}

fn script_without_progress_ends(script: Script) {
    let cluster = cluster(script);
    cluster.dir.file("2/.keep", "");
    let fails = |rounds: &str| {
        cluster.play(4, MATCH).fails(
            1,
            "no shard has added a series; see the logs in my cup.jsonl.shards\n",
        );
        assert_eq!(cluster.dir.text("arrays"), rounds);
        assert!(!cluster.dir.path("my cup.jsonl").exists());
    };
    fails("1,2,3,4\n2\n");
    fails("1,2,3,4\n2\n2\n");
    std::fs::remove_dir_all(cluster.dir.path("2")).unwrap();
    cluster.play(4, MATCH).succeeds();
    assert_eq!(cluster.dir.text("arrays"), "1,2,3,4\n2\n2\n2\n");
}

fn script_refuses_another_contest(script: Script) {
    let cluster = cluster(script);
    let without_seed = MATCH.replace(" --seed 1", "");
    cluster.play(4, &without_seed).fails(1, "add --seed N");
    cluster.play(0, MATCH).fails(1, "usage: ");
    cluster.dir.file("my cup.jsonl", "precious");
    cluster.play(4, MATCH).fails(1, "my cup.jsonl exists\n");
    assert_eq!(cluster.dir.text("my cup.jsonl"), "precious");
    std::fs::remove_file(cluster.dir.path("my cup.jsonl")).unwrap();
    cluster.play(2, MATCH).succeeds();
    for (shards, contest) in [(3, MATCH), (2, &*MATCH.replace("seed 1", "seed 2"))] {
        cluster
            .play(shards, contest)
            .fails(1, "has another contest");
    }
    assert_eq!(cluster.dir.text("arrays"), "1,2\n");
}
