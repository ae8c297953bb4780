//! Completion in real shells, with the scripts of `referee completions`.

use std::path::Path;
use std::process::Command;

use crate::common::terminal::Terminal;
use crate::common::{Folder, referee};

/// A shell at a terminal that completes with the script of the referee, in a folder with these files.
struct Shell {
    terminal: Terminal,
    _folder: Folder,
}

impl Shell {
    /// A Bash that has read the script.
    fn bash(files: &[&str]) -> Shell {
        let settings =
            "set enable-bracketed-paste off\nset bell-style none\nset horizontal-scroll-mode off\n";
        let folder = Folder::new();
        let mut command = Command::new("bash");
        command.args(["--norc", "--noprofile", "-i"]);
        command.env("INPUTRC", folder.file(".inputrc", settings));
        Shell::started(command, folder, files, "source <(referee completions bash)")
    }

    /// A Zsh that finds the script as the file of a function, as a package installs it.
    fn zsh(files: &[&str]) -> Shell {
        let load = "mkdir functions; referee completions zsh > functions/_referee; \
            fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D; \
            bindkey -e; unset zle_bracketed_paste; unsetopt prompt_sp prompt_cr";
        let mut command = Command::new("zsh");
        command.args(["-f", "-i"]);
        Shell::started(command, Folder::new(), files, load)
    }

    fn started(mut command: Command, folder: Folder, files: &[&str], load: &str) -> Shell {
        for file in files {
            folder.file(file, "");
        }
        let programs = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        command.current_dir(folder.path(""));
        command
            .env("PATH", path)
            .env("PS1", "> ")
            .env("TERM", "dumb");
        let mut terminal = Terminal::sized((400, 50), command);
        terminal.send(&format!("{load}; echo is\"\"loaded\n"));
        terminal.expect("isloaded\r\n").unwrap();
        Shell {
            terminal,
            _folder: folder,
        }
    }

    /// Types `line` and Tab, and returns the words that the shell has then.
    fn completed(&mut self, line: &str) -> Vec<String> {
        // Back at the beginning of the line, a command that shows its arguments is put before it.
        let shown = format!("{line}\t\u{1}printf '\\nw%sw' \u{5}; echo; echo en\"\"d\r");
        self.terminal.send(&shown);
        let output = self.terminal.expect("end\r\n").unwrap();
        let words = output
            .lines()
            .filter_map(|line| line.strip_prefix('w')?.strip_suffix('w'));
        words.map(str::to_owned).collect()
    }
}

/// The input before Tab, and the words that there are afterwards.
const COMPLETED: [(&str, &[&str]); 13] = [
    ("referee pl", &["referee", "play"]),
    ("referee play me", &["referee", "play", "mediocre"]),
    (
        "referee tournament good Popeye=aw",
        &["referee", "tournament", "good", "Popeye=awful"],
    ),
    (
        "referee check 'python3 my",
        &["referee", "check", "python3 my_bot.py"],
    ),
    (
        "referee tournament awful ./my",
        &["referee", "tournament", "awful", "./my_bot.py"],
    ),
    (
        "referee play human good --rules tw",
        &["referee", "play", "human", "good", "--rules", "twist"],
    ),
    // A note in the same folder is not a record.
    ("referee report cup", &["referee", "report", "cup.jsonl"]),
    (
        "referee rank cup.jsonl 'sec",
        &["referee", "rank", "cup.jsonl", "second cup.jsonl.gz"],
    ),
    (
        "referee replay 'lo",
        &["referee", "replay", "log of the twist"],
    ),
    (
        "referee list cup.jsonl --ended-by time",
        &["referee", "list", "cup.jsonl", "--ended-by", "timeout"],
    ),
    ("referee new py", &["referee", "new", "python"]),
    ("good-bot --bu", &["good-bot", "--budget"]),
    ("replay v cup", &["replay", "v", "cup.jsonl"]),
];

#[test]
#[needs(BASH)]
fn bash_completes_commands_players_options_and_records() {
    let files = [
        "cup.jsonl",
        "cup.txt",
        "second cup.jsonl.gz",
        "log of the twist",
        "my_bot.py",
    ];
    let mut shell = Shell::bash(&files);
    for (typed, words) in COMPLETED {
        assert_eq!(shell.completed(typed), words, "{typed}");
    }
}

#[test]
#[needs(ZSH)]
fn zsh_completes_from_the_first_tab() {
    let mut shell = Shell::zsh(&["cup.jsonl", "cup.txt", "my_bot.py"]);
    for (typed, words) in [
        ("referee play me", &["referee", "play", "mediocre"][..]),
        ("good-bot --bu", &["good-bot", "--budget"]),
        ("referee report cup", &["referee", "report", "cup.jsonl"]),
        ("replay v cup", &["replay", "v", "cup.jsonl"]),
        (
            "referee play human good --rules=tw",
            &["referee", "play", "human", "good", "--rules=twist"],
        ),
    ] {
        assert_eq!(shell.completed(typed), words, "{typed}");
    }
}

/// The input before Tab in Fish, and the words that it offers then.
const OFFERED: [(&str, &[&str]); 6] = [
    ("referee pl", &["play"]),
    ("referee play me", &["mediocre"]),
    ("referee match good Popeye=aw", &["Popeye=awful"]),
    ("referee report cup", &["cup.jsonl"]),
    ("good-bot --bu", &["--budget"]),
    ("referee play nosuch", &[]),
];

#[test]
#[needs(FISH)]
fn fish_offers_commands_players_options_and_records() {
    let folder = Folder::new();
    folder.file("cup.jsonl", "");
    folder.file("cup.txt", "");
    let script = referee()
        .args(["completions", "fish"])
        .output()
        .unwrap()
        .stdout;
    let script = folder.file("referee.fish", &String::from_utf8(script).unwrap());
    for (typed, offered) in OFFERED {
        let mut fish = Command::new("fish");
        fish.args(["--no-config", "-c", "source $argv[1]; complete -C $argv[2]"]);
        fish.arg(&script)
            .arg(typed)
            .current_dir(folder.path(""))
            .env("HOME", folder.path(""));
        let output = String::from_utf8(fish.output().unwrap().stdout).unwrap();
        let words: Vec<_> = output
            .lines()
            .filter_map(|line| line.split('\t').next())
            .collect();
        assert_eq!(words, offered, "{typed}");
    }
}

#[test]
#[needs(BASH)]
fn a_tab_that_completes_nothing_leaves_the_line_as_it_is() {
    let mut shell = Shell::bash(&[]);
    // Bash takes what is behind `=` for a word of its own.
    let behind_sign = [
        "referee match good Popeye=aw",
        "referee play human good --rules=tw",
    ];
    let nothing = [
        "referee xyz",
        "referee play nosuch",
        "referee play awful awful awf",
    ];
    for typed in nothing.into_iter().chain(behind_sign) {
        assert_eq!(shell.completed(typed), typed.split(' ').collect::<Vec<_>>());
    }
}

/// Names of shells, and how each connects a program to what completes it.
const SCRIPTS: [(&str, &str); 5] = [
    ("bash", "-F _clap_complete_PROGRAM NAME"),
    ("zsh", "compdef _clap_dynamic_completer_PROGRAM NAME"),
    ("fish", "--command NAME "),
    ("powershell", "-CommandName NAME "),
    ("elvish", "arg-completer[NAME]"),
];

#[test]
#[rows(SCRIPTS)]
fn the_script_of_a_shell_is_for_all_programs((shell, connection): (&str, &str)) {
    let output = referee().args(["completions", shell]).output().unwrap();
    let script = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{script}"
    );
    for name in [
        "referee",
        "replay",
        "awful-bot",
        "mediocre-bot",
        "good-bot",
        "human-bot",
    ] {
        let expected = connection
            .replace("PROGRAM", &name.replace('-', "_"))
            .replace("NAME", name);
        assert!(script.contains(&expected), "{expected}\n{script}");
    }
    // As it was called: by a path, which holds from every folder.
    assert!(script.contains(env!("CARGO_BIN_EXE_referee")), "{script}");
    // The script itself is not a candidate: a user who sets the variable gets an answer and no game.
    let mut asked = referee();
    asked
        .env("REFEREE_COMPLETE", "no-such-shell")
        .args(["--", "referee", "pl"]);
    assert!(asked.output().unwrap().stdout.is_empty());
}

#[test]
fn the_help_says_for_each_shell_how_to_load_the_script() {
    let output = referee()
        .args(["completions", "--help"])
        .output()
        .unwrap()
        .stdout;
    let help = String::from_utf8(output).unwrap();
    let lines: Vec<_> = help.lines().collect();
    for (shell, _) in SCRIPTS {
        let told = format!("referee completions {shell}");
        // First where it belongs, then what to write there.
        let is_told = |pair: &[&str]| {
            pair[0]
                .to_lowercase()
                .starts_with(&format!("{shell}, at the end of"))
                && pair[1].contains(&told)
        };
        assert!(lines.windows(2).any(is_told), "{shell}: {help}");
    }
}
