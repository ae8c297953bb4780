//! The common mistakes of the guide, each made by the bot in the guide: the referee says what the guide says, and a
//! check finds it.

use tempfile::TempDir;
use testkit::check::{PATIENT, check_in, step};
use testkit::list::Row;
use testkit::list::Tests;
use testkit::programs::{block, project_file, referee, text_of};
use testkit::tools::{PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, every_mistake_in_the_guide_is_tried);
    tests.needing(&[UNIX, PYTHON], |tests| {
        rows!(tests, MISTAKES, a_mistake_gets_the_message_in_the_guide);
        rows!(tests, MISTAKES, a_check_finds_the_mistake, 2);
    });
    tests.needing(&[PYTHON], |tests| {
        add!(tests, output_that_only_the_referee_flushes_is_warned_of);
        rows!(tests, SWAPPED, a_swap_is_the_cause_wherever_it_is);
    });
}

const PLACE: &str = "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h";
const ATTACK: &str = "print(\"attack\", shots // 10, shots % 10, flush=True)";
const QUIT: &str = "    elif words[0] == \"quit\":";
const START: &str = "while True:";

/// A bot of the guide with a mistake.
#[derive(Clone, Copy)]
struct Mistake {
    /// The guide's sentence on the bot.
    bot: &'static str,
    /// The piece of the bot without mistakes, and its replacement.
    change: (&'static str, &'static str),
    /// The step of `referee check` that fails for it.
    step: &'static str,
    /// The arguments of the referee; it plays if there are none.
    arguments: &'static [&'static str],
}

impl Row for Mistake {
    fn name(&self) -> &str {
        self.bot
    }
}

const fn mistake(
    bot: &'static str,
    step: &'static str,
    from: &'static str,
    to: &'static str,
) -> Mistake {
    let arguments = &["play", "mybot=python3 mybot.py", "awful"];
    Mistake {
        bot,
        change: (from, to),
        step,
        arguments,
    }
}

const fn asked(mistake: Mistake, arguments: &'static [&'static str]) -> Mistake {
    Mistake {
        arguments,
        ..mistake
    }
}

const SMALL: &[&str] = &[
    "play",
    "mybot=python3 mybot.py",
    "awful",
    "--rows",
    "5",
    "--cols",
    "5",
    "--ship",
    "2 R rowboat",
];
const SERIES: &[&str] = &["match", "mybot=python3 mybot.py", "awful", "--games", "4"];
const IMPATIENT: &[&str] = &["play", "mybot=python3 mybot.py", "awful", "--limit", "3s"];
const HASTY: &[&str] = &[
    "play",
    "mybot=python3 mybot.py",
    "awful",
    "--start-limit",
    "3s",
];

const MISTAKES: [Mistake; 21] = [
    mistake(
        "prints a banner at its start",
        "greeting",
        START,
        "print(\"Welcome!\", flush=True)\nwhile True:",
    ),
    mistake(
        "prints what is meant for standard error",
        "attacks",
        ATTACK,
        "print(\"thinking\", flush=True)",
    ),
    mistake(
        "answers a line that asks nothing",
        "one_line",
        QUIT,
        "    elif words[0] == \"result\":\n        print(\"ok\", flush=True)\n    elif words[0] == \"quit\":",
    ),
    mistake(
        "answers twice",
        "one_line",
        ATTACK,
        "__import__(\"os\").write(1, b\"attack 0 0\\nattack 0 1\\n\")",
    ),
    mistake(
        "uses another word",
        "attacks",
        ATTACK,
        "print(\"fire 3 4\", flush=True)",
    ),
    mistake(
        "writes the point as in the game's text",
        "attacks",
        ATTACK,
        "print(\"attack (3,4)\", flush=True)",
    ),
    mistake(
        "divides with `/` in Python",
        "attacks",
        "shots // 10",
        "shots / 10",
    ),
    mistake(
        "writes H for h",
        "places",
        PLACE,
        "place 0 0 H 1 0 H 2 0 H 3 0 H 4 0 H",
    ),
    mistake(
        "places ships on one another",
        "places",
        PLACE,
        "place 0 0 h 0 4 v 2 0 h 3 0 h 4 0 h",
    ),
    mistake(
        "counts from 1 when it places",
        "places",
        PLACE,
        "place 1 1 h 2 1 h 3 1 h 4 1 h 10 1 h",
    ),
    mistake(
        "counts from 1 when it attacks",
        "attacks",
        "shots // 10, shots % 10",
        "shots // 10 + 1, shots % 10 + 1",
    ),
    mistake(
        "takes the column for the row",
        "places",
        PLACE,
        "place 9 0 v 1 0 h 2 0 h 3 0 h 4 0 h",
    ),
    asked(
        mistake(
            "places the standard fleet in a game with another fleet",
            "boards",
            PLACE,
            PLACE,
        ),
        SMALL,
    ),
    mistake(
        "attacks a cell again",
        "attacks",
        ATTACK,
        "print(\"attack 0 0\", flush=True)",
    ),
    asked(
        mistake(
            "keeps the last game's cells in the next game",
            "games",
            ATTACK,
            "cells = globals().setdefault(\"cells\", list(range(100)))\n        cell = cells.pop(0)\n        print(\"attack\", cell // 10, cell % 10, flush=True)",
        ),
        SERIES,
    ),
    asked(
        mistake(
            "ends after a game, not at `quit`",
            "games",
            QUIT,
            "    elif words[0] in (\"end\", \"quit\"):",
        ),
        SERIES,
    ),
    mistake(
        "stumbles over a command that it does not know",
        "places",
        QUIT,
        "    elif words[0] not in (\"result\", \"opponent\", \"end\", \"quit\"):\n        {\"game\": 1, \"ship\": 2}[words[0]]\n    elif words[0] == \"quit\":",
    ),
    asked(
        mistake("is not where the command says", "greeting", START, START),
        &["play", "./mybot", "awful"],
    ),
    asked(
        mistake(
            "is a script without its interpreter",
            "greeting",
            START,
            START,
        ),
        &["play", "./mybot.py", "awful"],
    ),
    asked(
        mistake(
            "is slow to start, as a large program can be",
            "greeting",
            START,
            "__import__(\"signal\").pause()\nwhile True:",
        ),
        HASTY,
    ),
    asked(
        mistake(
            "does not flush",
            "attacks",
            ATTACK,
            "sys.stdout = open(1, \"w\", closefd=False); sys.stdout.write(\"attack 0 0\\n\"); sys.stdin.readline()",
        ),
        IMPATIENT,
    ),
];

/// The rows of the guide's table: what it says of the bot, and what the referee says then.
fn rows_of_the_guide() -> Vec<(String, String)> {
    let guide = text_of(project_file("docs/writing-a-bot.md"));
    let table = guide.split_once("## Common mistakes").unwrap().1;
    let rows = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split_once(" | `"));
    // A bar would end a cell of the table, so it is escaped there.
    let message = |cell: &str| cell.split_once('`').unwrap().0.replace("\\|", "|");
    rows.map(|(bot, cell)| (bot.to_owned(), message(cell)))
        .collect()
}

fn every_mistake_in_the_guide_is_tried() {
    let mut guide: Vec<_> = rows_of_the_guide().into_iter().map(|row| row.0).collect();
    let mut tried: Vec<_> = MISTAKES.iter().map(|mistake| mistake.bot).collect();
    guide.sort_unstable();
    tried.sort_unstable();
    assert_eq!(guide, tried);
}

fn a_mistake_gets_the_message_in_the_guide(mistake: Mistake) {
    let rows = rows_of_the_guide();
    let (_, message) = rows.iter().find(|row| row.0 == mistake.bot).unwrap();
    let folder = made(mistake);
    let mut command = referee();
    command
        .args(mistake.arguments)
        .args(["--seed", "1"])
        .current_dir(&folder);
    let output = command.output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    // The table has the usual limits.
    let message = message
        .replace("within 5 s", "within 3 s")
        .replace("within 10 s", "within 3 s");
    let parts: Vec<_> = message.split(" ... ").collect();
    let is_it = |line: &str| parts.iter().all(|part| line.contains(part));
    assert!(said.lines().any(is_it), "{message}\n{said}");
}

/// A folder with the bot of the guide after the mistake.
fn made(mistake: Mistake) -> TempDir {
    let guide = text_of(project_file("docs/writing-a-bot.md"));
    let right = block(&guide, "## The dialogue", "python");
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = mistake.change;
    assert!(right.contains(from), "{}: {from}", mistake.bot);
    let wrong = format!("import sys\n{}", right.replacen(from, to, 1));
    std::fs::write(folder.path().join("mybot.py"), wrong).unwrap();
    folder
}

fn a_check_finds_the_mistake(mistake: Mistake) {
    let options = match mistake.arguments[3..] {
        [limit @ ("--limit" | "--start-limit"), time] => vec![limit, time],
        _ => PATIENT.to_vec(),
    };
    let (report, code) = check_in(made(mistake), mistake.arguments[1], &options);
    let step = step(&report, mistake.step);
    assert_eq!(
        (code, step["outcome"].as_str()),
        (4, Some("fail")),
        "{report:#}"
    );
    assert!(step["finding"]["cause"].is_string(), "{report:#}");
}

/// Row and column swapped in one place of the kit, the step that fails, and the cause.
const SWAPPED: [(&str, [&str; 3], &str, &str); 5] = [
    (
        "attacks",
        ["bot.py", "attack {row} {col}", "attack {col} {row}"],
        "attacks",
        "Row and column are the wrong way round, in its attacks or in the results",
    ),
    (
        "results",
        [
            "bot.py",
            "result(int(row), int(col)",
            "result(int(col), int(row)",
        ],
        "attacks",
        "Row and column are the wrong way round, in its attacks or in the results",
    ),
    (
        "places",
        [
            "strategy.py",
            "yield (row, col, dir",
            "yield (col, row, dir",
        ],
        "places",
        "Row and column are the wrong way round: the row comes first",
    ),
    (
        "the size",
        [
            "bot.py",
            "= int(words[1]), int(words[2])",
            "= int(words[2]), int(words[1])",
        ],
        "boards",
        "It takes the board for one with rows and columns swapped",
    ),
    (
        "a table",
        [
            "strategy.py",
            "Says what became of",
            "\"\"\"; [[0] * self.cols for _ in range(self.rows)][col][row]; \"\"\"",
        ],
        "attacks",
        "It goes well on a square board and not on this one of 3x9",
    ),
];

fn a_swap_is_the_cause_wherever_it_is((_, change, failed, words): (&str, [&str; 3], &str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let kit = folder.path().join("kit");
    referee()
        .args(["new", "python"])
        .arg(&kit)
        .assert()
        .success();
    let [file, right, wrong] = change;
    let text = text_of(kit.join(file));
    assert!(text.contains(right));
    std::fs::write(kit.join(file), text.replace(right, wrong)).unwrap();
    let (report, code) = check_in(&kit, "python3 bot.py", &PATIENT);
    let step = step(&report, failed);
    assert_eq!(
        (code, step["outcome"].as_str()),
        (4, Some("fail")),
        "{report:#}"
    );
    let cause = step["finding"]["cause"].as_str().unwrap();
    assert!(cause.contains(words), "{cause}");
}

fn output_that_only_the_referee_flushes_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let guide = text_of(project_file("docs/writing-a-bot.md"));
    let right = block(&guide, "## The dialogue", "python");
    // `input` flushes before it reads.
    let wrong = right
        .replace(", flush=True", "")
        .replace("input()", "sys.stdin.readline()");
    let wrong = format!("import sys\n{wrong}");
    std::fs::write(folder.path().join("mybot.py"), wrong).unwrap();
    let (report, _) = check_in(folder.path(), "python3 mybot.py", &[]);
    let step = step(&report, "greeting");
    assert_eq!(step["outcome"], "warn", "{report:#}");
    let what = step["finding"]["what"].as_str().unwrap();
    assert!(what.ends_with("sets PYTHONUNBUFFERED=1"), "{what}");
}
