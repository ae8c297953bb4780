//! C.

use super::{files, tools};
use crate::{Ending, FileKind, Kit, Language, Marker};

pub(super) const C: Language = Language {
    name: "C",
    markers: &[Marker::new("bot.c", Some("cc -O2 -o bot *.c"), "./bot")],
    endings: &[Ending::new("c", FileKind::Source("cc -O2 -o OUT FILE"))],
    tools: &[tools::CC],
    byproducts: &[".o"],
    kits: &[Kit {
        names: &["c"],
        title: "C",
        rank: 2,
        yours: "strategy.c",
        build: Some("make"),
        own_name: Some("Seadog"),
        player: "./bot",
        files: files!("c": "README.md" "Makefile" "bot.c" "strategy.c" "strategy.h" "test.c"),
    }],
    ..Language::NONE
};
