//! The commands of the documents that the tests do not run, and why. They are still checked for their spelling: by the shell, and
//! those of the referee by its own grammar.

/// A command that is not run.
#[derive(Debug)]
pub(super) struct NotRun {
    pub(super) page: &'static str,
    /// What the command begins with.
    pub(super) command: &'static str,
    pub(super) why: &'static str,
}

impl NotRun {
    pub(super) fn is_of(&self, page: &str, command: &str) -> bool {
        page == self.page && command.starts_with(self.command)
    }
}

/// Returns the exception of a command; `None` if the command is run.
pub(super) fn of(page: &str, command: &str) -> Option<&'static NotRun> {
    NOT_RUN.iter().find(|exception| exception.is_of(page, command))
}

const fn not_run(page: &'static str, command: &'static str, why: &'static str) -> NotRun {
    NotRun { page, command, why }
}

const SERVES: &str = "serves a browser until its user leaves; the tests of `web` do that";
const SUBMITS: &str = "needs a cluster; the tests of `cluster` have one";
const WAITS: &str = "waits for a contest that runs elsewhere; the tests of `report` do that";

pub(super) const NOT_RUN: [NotRun; 13] = [
    not_run("README.md", "cargo test", "these are the tests"),
    not_run("docs/playing.md", "referee play human good --web", SERVES),
    not_run("docs/playing.md", "referee play human awful --rules twist --web", SERVES),
    not_run("docs/playing.md", "referee watch cup.jsonl", SERVES),
    not_run(
        "docs/cluster.md",
        "referee tournament good mediocre 'python3 mybot/bot.py' --games 20000 --on slurm",
        SUBMITS,
    ),
    not_run(
        "docs/cluster.md",
        "referee tournament good mediocre --games 20000 --on slurm",
        SUBMITS,
    ),
    not_run(
        "docs/cluster.md",
        "referee tournament good mediocre --games 20000 --on hyperqueue",
        SUBMITS,
    ),
    not_run("docs/pages.md", "referee report night.jsonl --watch", WAITS),
    not_run("docs/performance.md", "cargo rustc", "builds the project anew, which takes minutes"),
    not_run("docs/windows.md", "rustup target add", "needs the network"),
    not_run(
        "docs/windows.md",
        "cargo build --release --target",
        "builds the project anew; `.ci/run` does that",
    ),
    not_run(
        "docs/just-play.md",
        "cargo install",
        "builds the project anew, and installs it for the user of the tests",
    ),
    not_run("docs/just-play.md", "referee play human mediocre --web", SERVES),
];
