//! The table of the modes in `docs/hostile-bots.md`: what a bot tries in each is refused or possible as the table says.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::process::Command;

use testkit::list::Tests;
use testkit::modes::{DEEDS, MODES, Mode, Targets, python};
use testkit::programs::{Folder, play, project_file, text_of};
use testkit::terminal::Terminal;
use testkit::tools::{NAMESPACES, SYSTEM_PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX, NAMESPACES, SYSTEM_PYTHON], |tests| {
        add!(tests, a_bot_finds_in_its_world_what_the_guide_says);
        rows!(
            tests,
            MODES,
            a_mode_refuses_what_the_table_of_the_modes_says
        );
    });
}

/// A bot that tries all deeds before its first attack, each in a child, and says in a comment whether it succeeded.
const BOT: &str = "
import os, sys
def tries(deed):
    child = os.fork()
    if child == 0:
        try:
            exec(deed, {'os': os})
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0
for line in sys.stdin:
    word = line.split()[0]
    if word == 'battleship': print('ready')
    elif word == 'place': print('place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h')
    elif word == 'attack':
        for name, deed in DEEDS:
            print('# tried:', name + ':', 'possible' if tries(deed) else 'refused', flush=True)
        break
    sys.stdout.flush()
";

/// Returns the rows of the table, each as its first cell and that under the name of a mode.
fn column(mode: Mode) -> Vec<(String, String)> {
    let page = text_of(project_file("docs/hostile-bots.md"));
    let (_, table) = page
        .split_once("| a bot tries to |")
        .expect("there is a table of the modes");
    let mut lines = table.split("\n\n").next().unwrap().lines();
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().replace('`', ""))
            .collect()
    };
    let modes = cells(lines.next().unwrap());
    assert_eq!(
        modes,
        MODES.map(|mode| mode.name.to_owned()),
        "a column for each mode"
    );
    let place = modes.iter().position(|name| *name == mode.name).unwrap();
    // After the line below the heading.
    lines
        .skip(1)
        .map(cells)
        .map(|row| (row[0].clone(), row[place + 1].clone()))
        .collect()
}

/// At a terminal, so that there is one to be opened.
fn a_mode_refuses_what_the_table_of_the_modes_says(mode: Mode) {
    let (folder, targets) = (Folder::new(), Targets::new());
    let deeds = DEEDS.map(|(name, deed, _)| (name, targets.fill(deed)));
    // Text in JSON is text in Python too.
    let deeds = serde_json::to_string(&deeds).unwrap();
    folder.file("bot.py", &format!("DEEDS = {deeds}\n{BOT}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args([
        "play",
        "/usr/bin/python3 bot.py",
        "awful",
        "--json",
        "--limit",
        "60s",
    ]);
    command
        .args(["--transcript", "said", "--seed", "1"])
        .args(mode.options);
    command.current_dir(folder.path(""));
    let (screen, _) = Terminal::of(command).ends();
    let said = text_of(folder.path("said"));
    let tried = said
        .lines()
        .filter_map(|line| line.split_once("-> # tried: ")?.1.split_once(": "));
    let tried: BTreeMap<_, _> = tried.collect();
    let expected = column(mode);
    let names: Vec<_> = expected.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        DEEDS.map(|(name, _, _)| name),
        "the table has a row for each deed"
    );
    let wrong: Vec<_> = expected
        .iter()
        .filter(|(name, cell)| tried.get(name.as_str()) != Some(&cell.as_str()))
        .map(|(name, cell)| format!("{name}: {cell}; tried: {:?}", tried.get(name.as_str())))
        .collect();
    assert!(wrong.is_empty(), "{}: {wrong:#?}\n{screen}", mode.name);
}

/// Each row of the table is looked up by a bot.
fn a_bot_finds_in_its_world_what_the_guide_says() {
    let guide = text_of(project_file("docs/writing-a-bot.md"));
    let (_, table) = guide.split_once("| in Python | is |\n|---|---|\n").unwrap();
    let rows: Vec<_> = table
        .lines()
        .map_while(|line| line.strip_prefix("| `"))
        .collect();
    assert!(rows.len() > 8, "{rows:?}");
    for row in rows {
        let (expression, expected) = row.split_once("` | `").unwrap();
        let expected = expected.strip_suffix("` |").unwrap();
        let bot = python(&format!("import resource; sys.exit(str({expression}))"));
        let (record, _) = play(
            [&bot, "awful"],
            &["--sandbox", "--seed", "1", "--limit", "60s"],
        );
        let reason = record["reason"].as_str().unwrap();
        let last_words = format!("last words on stderr: \"{expected}\"");
        assert!(
            reason.ends_with(&last_words),
            "{expression}: {expected}; {reason}"
        );
    }
}
