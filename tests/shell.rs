//! The scripts of `referee completions`.

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::{BASH, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        rows!(tests, SHELLS, a_shell_has_a_script);
        tests.needing(&[BASH], |tests| add!(tests, bash_completes_a_command));
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

fn bash_completes_a_command() {
    let dir = Dir::new();
    dir.file("script", dir.run("completions bash").succeeds().stdout);
    let typed = "source ./script; COMP_WORDS=(referee pl); COMP_CWORD=1; _referee referee pl referee; \
                 echo \"${COMPREPLY[@]}\"";
    let bash = dir.program("bash", "--norc --noprofile -c").arg(typed);
    bash.succeeds().prints_all("play\n");
}
