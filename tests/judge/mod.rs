//! Games that a judge knows: played right, failed by judges and by bots, recorded, and checked.

mod checks;
mod failures;
mod games;
mod players;
mod records;

use serde_json::Value;
use testkit::list::Tests;
use testkit::programs::project_file;
use testkit::record::list;
use testkit::run::{Dir, Run};
use testkit::tools::{PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, PYTHON], |tests| {
        checks::tests(tests);
        failures::tests(tests);
        games::tests(tests);
        players::tests(tests);
        records::tests(tests);
    });
}

/// A judge of the same game as `faulty.py`, which starts in a millisecond.
const JUDGE: &str = r#"while read -r word player reply; do
  case $word in
    judge) echo game turns 10 10 ;;
    begin) turns=0; echo "show * seed $player"; echo ask 1 attack ;;
    reply)
      case $reply in attack*) ;; *) echo "bad $player expected: attack 0 0" && continue ;; esac
      turns=$((turns + 1))
      if [ $turns -lt 6 ]; then echo ask $((3 - player)) attack; else echo over 2 has attacked three times; fi ;;
    quit) exit ;;
  esac
done
"#;

/// Two players who keep to the rules of that game.
const BOTH: &str = "'A=test-bot act --plays turns nothing' 'B=test-bot act --plays turns nothing'";

/// A command for a program of an example: `tic_tac_toe/judge.py`. Without its site Python starts
/// five times as fast.
fn example(program: &str) -> String {
    let file = project_file("examples/judges").join(program);
    format!("python3 -SE '{}'", file.display())
}

/// Tic-tac-toe with its judge and two of its bots.
fn tic_tac_toe<'d>(dir: &'d Dir, words: &str) -> Run<'d> {
    let bot = example("tic_tac_toe/bot.py");
    dir.run(words)
        .arg(format!("A={bot}"))
        .arg(format!("B={bot}"))
        .arg("--judge")
        .arg(example("tic_tac_toe/judge.py"))
}

/// Adds the judge `faulty.py`, with these words behind its program.
fn with_fault<'d>(run: Run<'d>, words: &str) -> Run<'d> {
    run.arg("--judge").arg(faulty(words))
}

/// The command of the judge `faulty.py` with these words.
fn faulty(words: &str) -> String {
    let file = project_file("tests/judge/faulty.py");
    format!("python3 -SE '{}' {words}", file.display())
}

/// The lines between the referee and the judge in a game of a record.
fn dialogue(game: &Value) -> impl Iterator<Item = &str> {
    let lines = list(&game["dialogue"]);
    lines.iter().map(|line| line.as_str().unwrap())
}
