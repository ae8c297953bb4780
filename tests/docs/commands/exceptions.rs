//! The commands of the documents that the tests do not run, and why. They are still checked for their spelling: by the shell, and
//! those of the referee by its own grammar.

/// A command that is not run.
#[derive(Debug)]
pub(super) struct NotRun {
    pub(super) page: &'static str,
    /// Its first line.
    pub(super) command: &'static str,
    pub(super) why: &'static str,
}

impl NotRun {
    pub(super) fn is_of(&self, page: &str, command: &str) -> bool {
        page == self.page && command.lines().next() == Some(self.command)
    }
}

/// Returns the exception of a command; `None` if the command is run.
pub(super) fn of(page: &str, command: &str) -> Option<&'static NotRun> {
    NOT_RUN
        .iter()
        .find(|exception| exception.is_of(page, command))
}

const fn not_run(page: &'static str, command: &'static str, why: &'static str) -> NotRun {
    NotRun { page, command, why }
}

const SERVES: &str = "serves a browser until its user leaves; the tests of `web` do that";
const SUBMITS: &str = "needs a cluster; the tests of referee-cluster have one";
const WAITS: &str = "waits for a contest that runs elsewhere; the tests of `report` do that";

const TERMINAL: &str = "needs a terminal; the tests of `screen` and `play::menu` have one";
const PACKAGE: &str = "needs the packages of a release; `.ci/try-release` does that";
const PODMAN: &str = "needs podman; `.ci/try-release` runs the same image by buildah";
const NETWORK: &str = "needs the network";
const BUILDS: &str = "builds the project, which takes minutes";

const SAVES: &str = "waits for saves; the tests of `dev` make them";

pub(super) const NOT_RUN: [NotRun; 28] = [
    not_run(
        "docs/writing-in-the-browser.md",
        "cargo run -p site",
        BUILDS,
    ),
    not_run(
        "docs/writing-in-the-browser.md",
        "python3 -m http.server -d target/site",
        SERVES,
    ),
    not_run(
        "docs/teaching-in-the-browser.md",
        "cargo run -p site",
        BUILDS,
    ),
    not_run("README.md", "cargo run", TERMINAL),
    not_run(
        "docs/embedding.md",
        "cargo run --example guessing",
        "`docs::pages` runs it as it is built",
    ),
    not_run("docs/dev.md", "referee dev mybot", SAVES),
    not_run("README.md", "cargo test", "these are the tests"),
    not_run(
        "docs/installing.md",
        "tar -xzf battleship-VERSION-x86_64-unknown-linux-musl.tar.gz",
        PACKAGE,
    ),
    not_run(
        "docs/installing.md",
        "battleship-VERSION-x86_64-unknown-linux-musl/bin/referee play mediocre good",
        PACKAGE,
    ),
    not_run("docs/installing.md", "mkdir -p ~/.local", PACKAGE),
    not_run(
        "docs/installing.md",
        "cp -r battleship-VERSION-x86_64-unknown-linux-musl/* ~/.local",
        PACKAGE,
    ),
    not_run(
        "docs/teaching.md",
        "referee class import submissions.zip",
        "needs the download of a platform; the tests of referee-class have some",
    ),
    not_run(
        "docs/installing.md",
        "podman load --input battleship-VERSION-image.tar",
        PODMAN,
    ),
    not_run(
        "docs/installing.md",
        "podman run --rm battleship:VERSION play mediocre good --no-pause",
        PODMAN,
    ),
    not_run(
        "docs/installing.md",
        "podman run --rm -it battleship:VERSION play human good",
        PODMAN,
    ),
    not_run(
        "docs/installing.md",
        "podman run --rm -v \"$PWD:/games\" -w /games battleship:VERSION match awful good --games 100 --out games.jsonl",
        PODMAN,
    ),
    not_run("docs/just-play.md", "cargo install --path .", BUILDS),
    not_run(
        "docs/just-play.md",
        "referee play human mediocre --web --open",
        SERVES,
    ),
    not_run(
        "docs/just-play.md",
        "referee play mediocre good --watch",
        TERMINAL,
    ),
    not_run(
        "docs/playing.md",
        "referee play human good --web --open",
        SERVES,
    ),
    not_run(
        "docs/playing.md",
        "referee play human awful --rules twist --web",
        SERVES,
    ),
    not_run(
        "docs/cluster.md",
        "referee cluster slurm --shards 64 --out cup.jsonl -- tournament good mediocre \"python3 mybot/bot.py\" --games 20000",
        SUBMITS,
    ),
    not_run(
        "docs/cluster.md",
        "referee cluster slurm --shards 64 --out cup.jsonl --scheduler-options '--partition=short --time=2:00:00' \\",
        SUBMITS,
    ),
    not_run(
        "docs/cluster.md",
        "referee cluster hyperqueue --shards 64 --out cup.jsonl -- tournament good mediocre --games 20000",
        SUBMITS,
    ),
    not_run(
        "docs/pages.md",
        "referee report night.jsonl --follow --out night.html",
        WAITS,
    ),
    not_run(
        "docs/performance.md",
        "cargo rustc --release --bin referee -- -C target-feature=+crt-static",
        BUILDS,
    ),
    not_run(
        "docs/windows.md",
        "rustup target add x86_64-pc-windows-gnu",
        NETWORK,
    ),
    not_run(
        "docs/windows.md",
        "cargo build --release --target x86_64-pc-windows-gnu",
        BUILDS,
    ),
];
