//! Go.

use super::{files, tools};
use crate::{Ending, FileKind, Kit, Language, Marker};

pub(super) const GO: Language = Language {
    name: "Go",
    markers: &[Marker::new("go.mod", Some("go build -o bot ."), "./bot")],
    endings: &[Ending::new("go", FileKind::Source("go build -o OUT FILE"))],
    tools: &[tools::GO],
    kits: &[Kit {
        names: &["go", "golang"],
        title: "Go",
        rank: 7,
        yours: "strategy.go",
        build: Some("go build -o bot ."),
        own_name: Some("Gopher"),
        player: "./bot",
        files: files!("go": "README.md" "bot.go" "go.mod" "strategy.go" "strategy_test.go"),
    }],
    ..Language::NONE
};
