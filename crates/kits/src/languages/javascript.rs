//! JavaScript, and TypeScript, which its interpreters run too.

use super::{files, tools};
use crate::{Debugger, Ending, FileKind, Flushing, Kit, Language, Marker};

pub(super) const JAVASCRIPT: Language = Language {
    name: "JavaScript",
    markers: &[Marker::new("bot.js", None, "node bot.js")],
    interpreters: &["node", "nodejs", "deno", "bun"],
    endings: &[
        Ending::started("js", "node FILE", &[&["node"]]),
        Ending::new("mjs", FileKind::Script("node FILE")),
        Ending::new("ts", FileKind::Other),
    ],
    tools: &[tools::NODE],
    caches: &["node_modules"],
    build_folders: &["node_modules"],
    kits: &[Kit {
        names: &[
            "javascript",
            "js",
            "mjs",
            "node",
            "nodejs",
            "typescript",
            "ts",
        ],
        title: "JavaScript, for Node.js",
        rank: 5,
        yours: "strategy.js",
        build: None,
        own_name: Some("Scripter"),
        player: "\"node bot.js\"",
        files: files!("javascript": "README.md" "package.json" "bot.js" "strategy.js" "strategy.test.js"),
    }],
    debugger: Some(Debugger {
        words: &["--inspect-brk=127.0.0.1:PORT"],
        port: 9229,
        connect: "node inspect 127.0.0.1:PORT, or open chrome://inspect",
        install: "Node.js",
    }),
    flushing: &[Flushing::by_itself(
        "console.log",
        "in JavaScript by console.log",
    )],
    ..Language::NONE
};
