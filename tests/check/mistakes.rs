//! The common mistakes of the guide, each made by the bot in the guide: the referee prints what the
//! guide has, and a check finds the mistake.

use testkit::list::{Tests, Tier};
use testkit::programs::{block, project_file, text_of};
use testkit::report::{PATIENT, Report};
use testkit::run::Dir;
use testkit::tools::{PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, every_mistake_of_the_guide_is_tried);
    tests.needing(&[UNIX, PYTHON], |tests| {
        rows!(tests, MISTAKES, a_mistake_gets_the_guides_message, 3);
        rows!(tests, MISTAKES, a_check_finds_the_mistake, 1);
        tests.tier(Tier::Thorough, |tests| {
            add!(tests, output_only_the_referee_flushes_is_warned_of);
        });
        rows!(tests, SWAPPED, a_swap_is_the_cause_wherever_it_is, 1);
    });
}

const PLACE_REPLY: &str = "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h";
const ATTACK: &str = "print(\"attack\", shots // 10, shots % 10, flush=True)";
const QUIT: &str = "    elif words[0] == \"quit\":";
const START: &str = "while True:";

const PLAY: &str = "play 'mybot=python3 mybot.py' awful";
const SMALL: &str = "play 'mybot=python3 mybot.py' awful --rows 5 --cols 5 --ship '2 R rowboat'";
const SERIES: &str = "match 'mybot=python3 mybot.py' awful --games 4";
const IMPATIENT: &str = "play 'mybot=python3 mybot.py' awful --limit 3s";
const HASTY: &str = "play 'mybot=python3 mybot.py' awful --start-limit 3s";

/// The guide's sentence on a bot; the piece of the bot without mistakes, and its replacement; the
/// command that shows it, and the step of a check that fails for it.
type Mistake = (
    &'static str,
    (&'static str, &'static str),
    (&'static str, &'static str),
);

const MISTAKES: [Mistake; 21] = [
    (
        "prints a banner at its start",
        (START, "print(\"Welcome!\", flush=True)\nwhile True:"),
        (PLAY, "greeting"),
    ),
    (
        "prints what is meant for standard error",
        (ATTACK, "print(\"thinking\", flush=True)"),
        (PLAY, "attacks"),
    ),
    (
        "answers a line that asks nothing",
        (
            QUIT,
            "    elif words[0] == \"result\":\n        print(\"ok\", flush=True)\n    elif words[0] == \"quit\":",
        ),
        (PLAY, "one_line"),
    ),
    (
        "answers twice",
        (
            ATTACK,
            "__import__(\"os\").write(1, b\"attack 0 0\\nattack 0 1\\n\")",
        ),
        (PLAY, "one_line"),
    ),
    (
        "uses another word",
        (ATTACK, "print(\"fire 3 4\", flush=True)"),
        (PLAY, "attacks"),
    ),
    (
        "writes the point as in the game's text",
        (ATTACK, "print(\"attack (3,4)\", flush=True)"),
        (PLAY, "attacks"),
    ),
    (
        "divides with `/` in Python",
        ("shots // 10", "shots / 10"),
        (PLAY, "attacks"),
    ),
    (
        "writes H for h",
        (PLACE_REPLY, "place 0 0 H 1 0 H 2 0 H 3 0 H 4 0 H"),
        (PLAY, "places"),
    ),
    (
        "places ships on one another",
        (PLACE_REPLY, "place 0 0 h 0 4 v 2 0 h 3 0 h 4 0 h"),
        (PLAY, "places"),
    ),
    (
        "counts from 1 when it places",
        (PLACE_REPLY, "place 1 1 h 2 1 h 3 1 h 4 1 h 10 1 h"),
        (PLAY, "places"),
    ),
    (
        "counts from 1 when it attacks",
        ("shots // 10, shots % 10", "shots // 10 + 1, shots % 10 + 1"),
        (PLAY, "attacks"),
    ),
    (
        "takes the column for the row",
        (PLACE_REPLY, "place 9 0 v 1 0 h 2 0 h 3 0 h 4 0 h"),
        (PLAY, "places"),
    ),
    (
        "places the standard fleet in a game with another fleet",
        (PLACE_REPLY, PLACE_REPLY),
        (SMALL, "boards"),
    ),
    (
        "attacks a cell again",
        (ATTACK, "print(\"attack 0 0\", flush=True)"),
        (PLAY, "attacks"),
    ),
    (
        "keeps the last game's cells in the next game",
        (
            ATTACK,
            "cells = globals().setdefault(\"cells\", list(range(100)))\n        cell = cells.pop(0)\n        print(\"attack\", cell // 10, cell % 10, flush=True)",
        ),
        (SERIES, "games"),
    ),
    (
        "ends after a game, not at `quit`",
        (QUIT, "    elif words[0] in (\"end\", \"quit\"):"),
        (SERIES, "games"),
    ),
    (
        "stumbles over a command that it does not know",
        (
            QUIT,
            "    elif words[0] not in (\"result\", \"opponent\", \"end\", \"quit\"):\n        {\"game\": 1, \"ship\": 2}[words[0]]\n    elif words[0] == \"quit\":",
        ),
        (PLAY, "places"),
    ),
    (
        "is not where the command says",
        (START, START),
        ("play ./mybot awful", "greeting"),
    ),
    (
        "is a script without its interpreter",
        (START, START),
        ("play ./mybot.py awful", "greeting"),
    ),
    (
        "is slow to start, as a large program can be",
        (START, "__import__(\"signal\").pause()\nwhile True:"),
        (HASTY, "greeting"),
    ),
    (
        "does not flush",
        (
            ATTACK,
            "sys.stdout = open(1, \"w\", closefd=False); sys.stdout.write(\"attack 0 0\\n\"); sys.stdin.readline()",
        ),
        (IMPATIENT, "attacks"),
    ),
];

/// The rows of the guide's table: the bot, and the referee's message.
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

fn every_mistake_of_the_guide_is_tried() {
    let mut guide: Vec<_> = rows_of_the_guide().into_iter().map(|row| row.0).collect();
    let mut tried = MISTAKES.map(|(bot, ..)| bot);
    guide.sort_unstable();
    tried.sort_unstable();
    assert_eq!(guide, tried);
}

/// The bot of the guide, without mistakes.
fn right() -> String {
    block(
        &text_of(project_file("docs/writing-a-bot.md")),
        "## The dialogue",
        "python",
    )
    .to_owned()
}

/// A folder with the bot of the guide after the mistake.
fn made((bot, (from, to), _): Mistake) -> Dir {
    assert!(right().contains(from), "{bot}: {from}");
    let dir = Dir::new();
    dir.file(
        "mybot.py",
        format!("import sys\n{}", right().replacen(from, to, 1)),
    );
    dir
}

fn a_mistake_gets_the_guides_message(mistake: Mistake) {
    let rows = rows_of_the_guide();
    let (_, message) = rows.iter().find(|row| row.0 == mistake.0).unwrap();
    let dir = made(mistake);
    let done = dir.run(mistake.2.0).args("--seed 1").ends();
    // The table has the usual limits.
    let message = message
        .replace("within 5 s", "within 3 s")
        .replace("within 10 s", "within 3 s");
    let output = format!("{}{}", done.stdout, done.stderr);
    let has_all = |line: &str| message.split(" ... ").all(|part| line.contains(part));
    if !output.lines().any(has_all) {
        done.fail(&message);
    }
}

fn a_check_finds_the_mistake(mistake: Mistake) {
    let (command, step) = mistake.2;
    let words = shlex::split(command).unwrap();
    let options = if words[3..].concat().contains("limit") {
        words[3..].join(" ")
    } else {
        PATIENT.to_owned()
    };
    let report = Report::of(&made(mistake), &words[1], &options);
    // The bot plays the standard game all the same.
    let outcome = if step == "boards" { "warn" } else { "fail" };
    report.finds(step, outcome, "");
    assert!(!report.finding(step, "cause").is_empty());
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

fn a_swap_is_the_cause_wherever_it_is((_, change, failed, cause): (&str, [&str; 3], &str, &str)) {
    let dir = Dir::new();
    dir.run("new python kit").succeeds();
    let [file, right, wrong] = change;
    let file = format!("kit/{file}");
    let text = dir.text(&file);
    assert!(text.contains(right));
    dir.file(&file, text.replace(right, wrong));
    Report::of(&dir, "python3 kit/bot.py", PATIENT).finds(failed, "fail", cause);
}

fn output_only_the_referee_flushes_is_warned_of() {
    let dir = Dir::new();
    // `input` flushes before it reads.
    let wrong = right()
        .replace(", flush=True", "")
        .replace("input()", "sys.stdin.readline()");
    dir.file("mybot.py", format!("import sys\n{wrong}"));
    Report::of(&dir, "python3 mybot.py", "").finds("greeting", "warn", "sets PYTHONUNBUFFERED=1");
}
