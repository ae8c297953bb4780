//! The commands of the documents that the tests do not run, and why. Their options are checked all
//! the same.

use super::steps::Command;

/// The page, how the command begins, and why it is not run. A line feed is the end of the command.
pub(super) const NOT_RUN: [(&str, &str, &str); 24] = [
    ("README.md", "cargo run\n", TERMINAL),
    ("README.md", "cargo test\n", "these are the tests"),
    (
        "docs/cluster.md",
        "examples/cluster/slurm.sh ",
        "needs Slurm; the tests of `cluster` start one",
    ),
    (
        "docs/dev.md",
        "referee dev mybot\n",
        "waits for saves; the tests of `dev` make them",
    ),
    ("docs/installing.md", "tar ", PACKAGE),
    ("docs/installing.md", "battleship-VERSION", PACKAGE),
    ("docs/installing.md", "mkdir ", PACKAGE),
    ("docs/installing.md", "cp ", PACKAGE),
    (
        "docs/installing.md",
        "podman ",
        "needs podman; `.ci/try-release` runs the same image by buildah",
    ),
    (
        "docs/just-play.md",
        "cargo install --locked --path .\n",
        BUILDS,
    ),
    (
        "docs/just-play.md",
        "referee play human mediocre --web --open\n",
        SERVES,
    ),
    (
        "docs/just-play.md",
        "referee play mediocre good --watch\n",
        TERMINAL,
    ),
    (
        "docs/pages.md",
        "referee report night.jsonl --follow ",
        "waits for a contest that runs elsewhere; the tests of `report` do that",
    ),
    ("docs/performance.md", "cargo rustc --release ", BUILDS),
    (
        "docs/playing.md",
        "referee play human good --web --open\n",
        SERVES,
    ),
    (
        "docs/playing.md",
        "referee play human awful --rules twist --web\n",
        SERVES,
    ),
    (
        "docs/teaching.md",
        "referee class import submissions.zip\n",
        "needs the download of a platform; the tests of referee-class have some",
    ),
    (
        "docs/teaching-in-the-browser.md",
        "cargo run -p site\n",
        BUILDS,
    ),
    (
        "docs/writing-in-the-browser.md",
        "cargo run -p site\n",
        BUILDS,
    ),
    (
        "docs/writing-in-the-browser.md",
        "python3 -m http.server ",
        SERVES,
    ),
    ("docs/your-own-game.md", "referee play human ", TERMINAL),
    (
        "docs/your-own-game.md",
        "cargo run --example guessing\n",
        "`docs::pages` runs it as it is built",
    ),
    ("docs/windows.md", "cargo build --release --target ", BUILDS),
    ("docs/windows.md", "rustup target add ", "needs the network"),
];

const SERVES: &str = "serves a browser until its user leaves; the tests of `web` do that";
const TERMINAL: &str = "needs a terminal; the tests of `screen` and `play::menu` have one";
const PACKAGE: &str = "needs the packages of a release; `.ci/try-release` does that";
const BUILDS: &str = "builds the project, which takes minutes";

pub(super) fn is_exception(page: &str, command: &Command) -> bool {
    NOT_RUN
        .iter()
        .any(|(of, words, _)| page == *of && begins_with(command, words))
}

pub(super) fn begins_with(command: &Command, words: &str) -> bool {
    format!("{}\n", command.text).starts_with(words)
}
