//! The typing mistakes of a beginner, and the advice about them, in one line.

use crate::common::{PLACEMENT, quoted_there, referee};
use serde_json::Value;
use testkit::list::Tests;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    #[cfg(unix)]
    {
        add!(tests, a_first_line_that_may_work_is_not_judged);
    }
    add!(
        tests,
        what_is_neither_a_record_nor_a_log_is_called_so,
        what_is_wrong_with_the_players_of_a_ranking_is_named
    );
    tests.needing(&[UNIX], |tests| {
        add!(
            tests,
            a_file_of_players_may_list_the_words_of_a_command_and_its_lines_are_named
        );
        rows!(tests, TYPED, what_to_type_is_said_in_one_line);
    });
    #[cfg(unix)]
    {
        tests.needing(&[UNIX], |tests| {
            rows!(tests, SCRIPTS, the_first_line_of_a_script_is_looked_at);
        });
    }
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[UNIX], |tests| {
            rows!(tests, SIGNALS, a_bot_that_any_signal_ends_has_crashed);
        });
    }
}

const TYPED: [(&str, &[&str], i32, &str); 32] = [
    (
        "check without quotes",
        &["check", "python3", "bot.py"],
        2,
        "referee check 'python3 bot.py'",
    ),
    (
        "play without quotes",
        &["play", "python3", "bot.py", "mediocre"],
        2,
        "referee play 'python3 bot.py' mediocre",
    ),
    (
        "two words without quotes",
        &["play", "python3", "bot.py"],
        2,
        "play 'python3 bot.py'",
    ),
    (
        "perl without quotes",
        &["match", "awful", "perl", "-w", "x.pl"],
        2,
        "match awful 'perl -w x.pl'",
    ),
    (
        "a source file on no path",
        &["play", "seg.cpp", "awful"],
        4,
        "(c++ -O2 -o ./seg seg.cpp), then name ./seg",
    ),
    (
        "a source file",
        &["play", "./seg.cpp", "awful"],
        4,
        "build it first (c++ -O2 -o ./seg ./seg.cpp), then name ./seg",
    ),
    (
        "an executable source file",
        &["play", "./run.c", "awful"],
        4,
        "(cc -O2 -o ./run ./run.c), then name ./run",
    ),
    (
        "a source file in Rust",
        &["play", "./a.rs", "awful"],
        4,
        "(rustc -O -o ./a ./a.rs), then name ./a",
    ),
    (
        "a source file in Java",
        &["play", "./Bot.java", "awful"],
        4,
        "(javac ./Bot.java), then write \"java -cp . Bot\"",
    ),
    (
        "a script on no path",
        &["play", "bot.py", "awful"],
        4,
        "write \"python3 bot.py\"",
    ),
    (
        "a script",
        &["play", "./bot.py", "awful"],
        4,
        "write \"python3 ./bot.py\"",
    ),
    (
        "an executable script",
        &["play", "./x.js", "awful"],
        4,
        "write \"node ./x.js\"",
    ),
    (
        "an archive",
        &["play", "./x.jar", "awful"],
        4,
        "write \"java -jar ./x.jar\"",
    ),
    (
        "a script that names its interpreter",
        &["play", "./named.py", "awful"],
        4,
        "chmod +x ./named.py",
    ),
    (
        "a letter too few",
        &["play", "god", "awful"],
        2,
        "did you mean good?",
    ),
    (
        "letters exchanged",
        &["match", "godo", "awful"],
        2,
        "did you mean good? The shipped players are awful, mediocre, fair, decent, good and human",
    ),
    (
        "a capital letter",
        &["check", "Good"],
        2,
        "did you mean good?",
    ),
    (
        "the name of the program",
        &["play", "A=good_bot", "awful"],
        2,
        "did you mean good?",
    ),
    (
        "a home folder in quotes",
        &["play", "~/bot", "awful"],
        2,
        "only a shell replaces ~, and only outside quotation marks; write /",
    ),
    (
        "a number in words",
        &["match", "good", "awful", "--games", "ten"],
        2,
        "invalid value 'ten' for '--games <N>': expected a whole number",
    ),
    (
        "a command",
        &["plya", "good", "awful"],
        2,
        "a similar subcommand exists: 'play'",
    ),
    (
        "a language",
        &["new", "pyton", "bot"],
        2,
        "unknown language \"pyton\"; did you mean python? Choose one of these:",
    ),
    (
        "a slash in a name",
        &["play", "A/B=good", "awful"],
        2,
        "the name of a player has no / in it",
    ),
    (
        "a name with spaces",
        &["play", "Popeye the Sailor=sh bot", "awful"],
        2,
        "a name with spaces needs quotation marks of its own",
    ),
    (
        "a folder with spaces",
        &["play", "A@my bots=sh ./bot -v", "awful"],
        2,
        "as in \"NAME@'my bots'=python3 bot.py\"",
    ),
    (
        "a pipe",
        &["play", "A=sh bot | tee log", "awful"],
        2,
        "so | would be an argument; write \"'A=sh' -c 'sh bot | tee log'\"",
    ),
    (
        "a redirection",
        &["check", "sh bot 2>log"],
        2,
        "write \"sh -c 'sh bot 2>log'\"",
    ),
    (
        "a folder changed to",
        &["check", "cd /tmp && sh bot"],
        2,
        "write '@/tmp=sh bot'",
    ),
    (
        "a script that is not there",
        &["play", "good.py", "awful"],
        4,
        "there is no file \"good.py\" in this folder; it would be started as \"python3 good.py\"",
    ),
    (
        "a variable",
        &["play", "FOO=1 sh ./bot", "awful"],
        2,
        "FOO=1 referee ... --env FOO",
    ),
    (
        "an apostrophe",
        &["play", "O'Brien=sh bot", "awful"],
        2,
        "as in \"O\\'Brien=python3 bot.py\"",
    ),
    (
        "a seed in words",
        &["play", "good", "awful", "--seed", "abc"],
        2,
        "is not a number from 0 to 18446744073709551615",
    ),
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in [
        "bot.py", "seg.cpp", "run.c", "a.rs", "Bot.java", "x.js", "x.jar", "named.py",
    ] {
        let text = if file == "named.py" {
            "#!/usr/bin/env sh\n"
        } else {
            "source\n"
        };
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    std::fs::create_dir(folder.path().join("my bots")).unwrap();
    #[cfg(unix)]
    for file in ["run.c", "x.js"] {
        use std::os::unix::fs::PermissionsExt;
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path().join(file), executable).unwrap();
    }
    folder
}

fn what_to_type_is_said_in_one_line((_, typed, code, words): (&str, &[&str], i32, &str)) {
    let output = referee()
        .args(typed)
        .current_dir(folder().path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.lines().any(|line| line.contains(&quoted_there(words))),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(!said.contains("(os error"), "{said}");
}

/// The beginning of a script, and the sentence about it.
#[cfg(unix)]
const SCRIPTS: [(&str, &str, &str); 4] = [
    (
        "lines of Windows",
        "#!/usr/bin/env python3\r\n",
        "end with a carriage return, as on Windows, and the interpreter's name seems to end with it; sed -i 's/\\r$//' \"./x.sh\"",
    ),
    (
        "a byte order mark",
        "\u{feff}#!/bin/sh\n",
        "begins with a byte order mark, so its first line names no interpreter; sed -i '1s/^\\xEF\\xBB\\xBF//' \"./x.sh\"",
    ),
    (
        "a misspelt path",
        "#!/bin/no-sh -e\n",
        "names the interpreter \"/bin/no-sh\", and there is no such file",
    ),
    (
        "a misspelt name",
        "#!/usr/bin/env -S pyhton3 -u\n",
        "names the interpreter \"pyhton3\", and there is no such program on the PATH",
    ),
];

#[cfg(unix)]
fn the_first_line_of_a_script_is_looked_at((_, beginning, words): (&str, &str, &str)) {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("x.sh");
    std::fs::write(&script, beginning).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    for way in [&["play"][..], &["play", "--sandbox"]] {
        let mut command = referee();
        command.args(way).args(["./x.sh", "awful"]);
        let output = command.current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(words), "{said}");
        assert_eq!(output.status.code(), Some(4), "{said}");
    }
}

/// Each of them ran, and was refused before it could.
#[cfg(unix)]
fn a_first_line_that_may_work_is_not_judged() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("x.sh");
    for (beginning, command) in [
        ("#!/usr/bin/env -S -u PYTHONPATH sh\n", "./x.sh"),
        ("#!/usr/bin/env -S A=b 'sh'\n", "./x.sh"),
        ("\u{feff}#!/bin/sh\n", "sh x.sh"),
        ("#!/bin/sh\r\n", "sh x.sh"),
    ] {
        std::fs::write(&script, format!("{beginning}echo cannonade >&2\n")).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut play = referee();
        play.args(["play", command, "awful"]);
        let output = play.current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("cannonade"), "{command}: {said}");
    }
}

/// Signals by number, and the words that say what they are.
const SIGNALS: [(&str, u8, &str); 10] = [
    ("6", 6, "signal 6 (abort: "),
    ("8", 8, "signal 8 (floating point error: "),
    (
        "9",
        9,
        "signal 9 (killed: often because the memory ran out)",
    ),
    ("11", 11, "signal 11 (segmentation fault: "),
    ("16", 16, "signal 16;"),
    ("29", 29, "signal 29;"),
    ("30", 30, "signal 30;"),
    ("34", 34, "signal 34;"),
    ("40", 40, "signal 40;"),
    ("64", 64, "signal 64;"),
];

#[cfg(target_os = "linux")]
fn a_bot_that_any_signal_ends_has_crashed((_, signal, words): (&str, u8, &str)) {
    let bot = format!(
        "bot=sh -c 'while read word rest; do case $word in battleship) echo ready;; place) echo {PLACEMENT};; \
         attack) kill -{signal} $$;; esac; done'"
    );
    let output = referee()
        .args(["play", &bot, "awful", "--json"])
        .output()
        .unwrap();
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["ended_by"], "crashed", "{record}");
    assert!(
        record["reason"].as_str().unwrap().contains(words),
        "{record}"
    );
}

fn a_file_of_players_may_list_the_words_of_a_command_and_its_lines_are_named() {
    let folder = folder();
    let config = |text: &str| {
        std::fs::write(folder.path().join("cup.toml"), text).unwrap();
        let mut command = referee();
        command.args([
            "tournament",
            "--config",
            "cup.toml",
            "--games",
            "2",
            "--seed",
            "1",
            "-q",
        ]);
        command.current_dir(folder.path()).output().unwrap()
    };
    let bot = env!("CARGO_BIN_EXE_awful-bot");
    let output = config(&format!(
        "[[player]]\nname = \"o'brien\"\ncommand = [{bot:?}, \"--name\", \"o'b rien\"]\n[[player]]\ncommand = \"mediocre\"\n"
    ));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = config("[[player]]\ncommand = \"good\"\n[[player]]\n\ncommand = \"python3 'x\"\n");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("cup.toml, line 5: ") && said.contains("quotation mark"),
        "{said}"
    );
}

fn what_is_neither_a_record_nor_a_log_is_called_so() {
    let folder = folder();
    let output = referee()
        .args(["replay", "bot.py"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("this is neither a record of this referee nor a log of the original program"),
        "{said}"
    );
}

fn what_is_wrong_with_the_players_of_a_ranking_is_named() {
    let folder = folder();
    let run = |arguments: &[&str]| {
        let output = referee()
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    run(&[
        "match", "awful", "mediocre", "--games", "2", "--seed", "1", "--out", "m.jsonl", "-q",
    ]);
    for (option, value, words) in [
        (
            "--anchor",
            "awful=abc",
            "\"abc\" is not a rating; write a number, as in awful=1500",
        ),
        (
            "--anchor",
            "nobody=1",
            "no player has that name; there are awful, mediocre",
        ),
        ("--only", "nobody", "\"nobody\"; there are awful, mediocre"),
        (
            "--only",
            "awful",
            "no games are left among the players that they leave",
        ),
    ] {
        let said = run(&["rank", "m.jsonl", option, value]);
        assert!(said.contains(words), "{said}");
    }
}
