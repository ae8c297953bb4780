//! The scripts of `referee completions`.

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::{BASH, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        rows!(tests, SHELLS, a_shell_has_a_script);
        tests.needing(&[BASH], |tests| rows!(tests, TYPED, bash_completes_a_word));
    });
}

static SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

fn a_shell_has_a_script(shell: &str) {
    let dir = Dir::new();
    let command = format!("completions {shell}");
    let script = dir.run(&command).succeeds();
    script
        .is_quiet()
        .prints("referee")
        .prints("tournament")
        .prints("max-turns");
    let help = dir.run("completions --help").succeeds();
    help.prints(&format!("referee {command}"));
}

/// What is typed behind `referee`, and what bash offers. No command is hidden from the help and
/// offered here.
const TYPED: [(&str, &str); 5] = [
    ("pl", "play"),
    ("b", ""),
    ("cl", "class"),
    ("new py", "python"),
    ("play me", "mediocre"),
];

fn bash_completes_a_word((typed, offered): (&str, &str)) {
    let dir = Dir::new();
    dir.file("script", dir.run("completions bash").succeeds().stdout);
    let words: Vec<&str> = typed.split(' ').collect();
    let last = words[words.len() - 1];
    // bash shows a word once that is offered for both players of a game.
    let typed = format!(
        "source ./script; COMP_WORDS=(referee {typed}); COMP_CWORD={}; _referee referee {last} referee; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\" | sort -u",
        words.len()
    );
    let bash = dir.program("bash", "--norc --noprofile -c").arg(typed);
    bash.succeeds().prints_all(&format!("{offered}\n"));
}
