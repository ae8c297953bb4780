//! The scripts of `referee completions`.

use std::process::Command;

use testkit::list::Tests;
use testkit::programs::referee;
use testkit::tools::{BASH, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        add!(tests, each_shell_has_a_script_and_help_to_load_it);
    });
    tests.needing(&[UNIX, BASH], |tests| {
        add!(tests, bash_completes_a_command);
    });
}

/// The shells.
const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

fn printed(words: &[&str]) -> String {
    let output = referee().args(words).output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

fn each_shell_has_a_script_and_help_to_load_it() {
    let help = printed(&["completions", "--help"]);
    for shell in SHELLS {
        let script = printed(&["completions", shell]);
        for word in ["referee", "tournament", "max-turns"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert!(
            help.contains(&format!("referee completions {shell}")),
            "{shell}: {help}"
        );
    }
}

fn bash_completes_a_command() {
    let script = "eval \"$0\"; COMP_WORDS=(referee pl); COMP_CWORD=1; _referee referee pl referee; \
                  echo \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    bash.args(["--norc", "--noprofile", "-c", script])
        .arg(printed(&["completions", "bash"]));
    let output = bash.output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "play\n",
        "{output:?}"
    );
}
