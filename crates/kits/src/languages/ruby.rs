//! Ruby.

use super::{files, tools};
use crate::{Ending, Flushing, Kit, Language, Marker};

pub(super) const RUBY: Language = Language {
    name: "Ruby",
    markers: &[Marker::new("bot.rb", None, "ruby bot.rb")],
    interpreters: &["ruby"],
    endings: &[Ending::started("rb", "ruby FILE", &[&["ruby"]])],
    tools: &[tools::RUBY],
    kits: &[Kit {
        names: &["ruby", "rb"],
        title: "Ruby",
        rank: 8,
        yours: "strategy.rb",
        build: None,
        own_name: Some("Rubyist"),
        player: "\"ruby bot.rb\"",
        files: files!("ruby": "README.md" "bot.rb" "strategy.rb" "test_strategy.rb"),
    }],
    flushing: &[Flushing::needed(
        "$stdout.sync = true",
        "in Ruby by \"$stdout.sync = true\" at the start",
    )],
    ..Language::NONE
};
