//! Python.

use super::{files, tools};
use crate::{Debugger, Ending, Flushing, Kit, Language, Marker};

pub(super) const PYTHON: Language = Language {
    name: "Python",
    markers: &[Marker::new("bot.py", None, "python3 bot.py")],
    interpreters: &["python", "python3", "pypy", "pypy3"],
    // The launcher knows the newest of several versions.
    endings: &[Ending::started(
        "py",
        "python3 FILE",
        &[&["py", "-3"], &["python"], &["python3"]],
    )],
    tools: &[tools::PYTHON],
    caches: &[
        "__pycache__",
        ".venv",
        ".tox",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
    ],
    byproducts: &[".pyc", ".pyo"],
    kits: &[Kit {
        names: &["python", "py", "python3"],
        title: "Python",
        rank: 1,
        yours: "strategy.py",
        build: None,
        own_name: Some("Pythonista"),
        player: "\"python3 bot.py\"",
        files: files!("python": "README.md" "bot.py" "strategy.py" "test_strategy.py"),
    }],
    debugger: Some(Debugger {
        words: &[
            "-m",
            "debugpy",
            "--listen",
            "127.0.0.1:PORT",
            "--wait-for-client",
        ],
        port: 5678,
        connect: "connect your editor to 127.0.0.1:PORT (VS Code: Python Debugger, Remote Attach)",
        install: "python3 -m pip install debugpy",
    }),
    flushing: &[Flushing::by_itself(
        "print(line, flush=True)",
        "in Python by print(line, flush=True)",
    )],
    ..Language::NONE
};
