//! Checks of judges, and of bots that play their games.

use testkit::list::{Tests, Tier};
use testkit::programs::project_file;
use testkit::run::{Dir, Run};
use testkit::tools::CC;

use super::{JUDGE, example, with_fault};
use testkit::record::list;
use testkit::text::all_are_right;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        judges_of_the_examples_pass,
        a_failing_judge_fails_its_step,
        judge_that_refuses_named_replies_fails,
        interrupt_ends_a_check_of_judges,
        a_bot_of_the_game_passes,
        a_bot_that_says_nonsense_fails
    );
    tests.tier(Tier::Thorough, |tests| {
        add!(tests, the_judge_of_battleship_passes);
        tests.needing(&[CC], |tests| add!(tests, a_judge_in_c_passes));
    });
}

fn passes(run: Run) {
    run.succeeds()
        .prints("keeps to the protocol: 5 steps, all well.");
}

fn judges_of_the_examples_pass() {
    let dir = Dir::new();
    let nim = project_file("examples/judges/nim/judge.sh");
    for judge in [
        example("tic_tac_toe/judge.py"),
        format!("sh '{}'", nim.display()),
    ] {
        passes(dir.run("check --judge").arg(judge));
    }
}

fn the_judge_of_battleship_passes() {
    let dir = Dir::new();
    passes(
        dir.run("check --judge")
            .arg(example("battleship_2x3/judge.py")),
    );
}

fn a_judge_in_c_passes() {
    let dir = Dir::new();
    let source = project_file("examples/judges/connect_four/judge.c");
    dir.program("cc", "-O2 -o judge").arg(source).succeeds();
    passes(dir.run("check --judge ./judge"));
}

/// The judge in Python with a fault, or a change of that for `sh`; the step that fails, and what
/// was seen.
const FAULTY: [(&str, &str, &str); 6] = [
    ("bad '' 1 1", "junk", "exited with status 1"),
    (
        "bad 'bad 1 no\\n'",
        "names_replies",
        "said bad with a reason that names no reply: no",
    ),
    (
        "turn 'hello\\n'",
        "names_replies",
        "it said \"hello\": a judge does not say \"hello\"",
    ),
    (
        "over 'ask 1 attack\\n'",
        "names_replies",
        "did not end the game",
    ),
    // Two processes share a file.
    (
        "turns=0; [ -e busy ] && exit 5",
        "faults",
        "failed in the game after one in which a player failed",
    ),
    ("turns=0; echo \"show * $$\"", "repeats", "said \"show * "),
];

fn a_failing_judge_fails_its_step() {
    let mut wrong = Vec::new();
    for (fault, step, seen) in FAULTY {
        let dir = Dir::new();
        let run = dir.run("check --json");
        let run = if fault.starts_with("turns=0") {
            let judge = JUDGE
                .replace("turns=0", fault)
                .replace("over 2", "over 2 x; rm -f busy; : ");
            dir.file(
                "judge.sh",
                judge.replace("turns=$((", "[ $turns = 3 ] && touch busy; turns=$(("),
            );
            run.args("--judge 'sh judge.sh'")
        } else {
            with_fault(run, fault)
        };
        let report = run.ends().json();
        let steps = list(&report["steps"]);
        let failed = steps.iter().find(|step| step["outcome"] == "fail");
        let failed = failed.unwrap_or_else(|| panic!("{fault}: no step fails"));
        let what = failed["finding"]["what"].as_str().unwrap();
        if failed["step"] != step || !what.contains(seen) {
            wrong.push(format!("{fault}: {}: {what}", failed["step"]));
        }
    }
    all_are_right(&wrong);
}

/// The check chose from the named replies for ever.
fn judge_that_refuses_named_replies_fails() {
    let dir = Dir::new();
    dir.file("judge.sh", JUDGE.replace("attack*) ;;", "none) ;;"));
    let done = dir.run("check --judge 'sh judge.sh'").ends();
    done.exits(4)
        .prints("FAIL   2  names replies that would do when it says bad")
        .prints("seen      refused the reply \"attack 0 0\", which it had named");
}

/// The first request to stop does not wait for the answer of the judge.
fn interrupt_ends_a_check_of_judges() {
    let dir = Dir::new();
    let hangs = JUDGE.replace("reply)", "reply) touch asked; sleep 60");
    dir.file("judge.sh", hangs);
    let run = dir.run("check --judge 'sh judge.sh'");
    run.interrupted(|| dir.path("asked").exists())
        .exits(130)
        .warns("the check was interrupted");
}

fn a_bot_of_the_game_passes() {
    let dir = Dir::new();
    let run = dir.run("check").arg(example("tic_tac_toe/bot.py"));
    let done = run
        .arg("--judge")
        .arg(example("tic_tac_toe/judge.py"))
        .succeeds();
    done.prints("keeps to the protocol: 8 steps, all well.");
}

fn a_bot_that_says_nonsense_fails() {
    let dir = Dir::new();
    dir.file("judge.sh", JUDGE);
    let words =
        r#"check 'test-bot act --plays turns --after 1 say "nonsense\n"' --judge 'sh judge.sh'"#;
    let done = dir.run(words).ends();
    done.exits(4)
        .prints("FAIL   2  plays a whole game against itself");
    done.prints("seen      \"nonsense\" breaks the rules: expected: attack 0 0");
}
