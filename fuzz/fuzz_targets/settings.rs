//! Settings files: referee.toml, a file of --config, and bot.toml.

#![no_main]

use kits::fuzzing::recipe_in_bot_toml;
use libfuzzer_sys::fuzz_target;
use referee::fuzzing::{Source, options};

fuzz_target!(|file: &[u8]| {
    if let Err(fault) = recipe_in_bot_toml(file) {
        assert!(!fault.to_string().is_empty());
    }

    let Ok(text) = str::from_utf8(file) else {
        return;
    };
    let lines = 1 + text.matches('\n').count();
    for source in [Source::CurrentFolder, Source::CommandLine] {
        match options(text, source) {
            Ok(words) => {
                for (name, value) in &words {
                    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_".contains(sign);
                    assert!(name.chars().all(is_plain), "{name:?}");
                    assert!(!value.contains(char::is_control), "{value:?}");
                }
                if source == Source::CurrentFolder {
                    // The current folder has part of what the command line may name.
                    assert_eq!(options(text, Source::CommandLine), Ok(words));
                }
            }
            Err((line, fault)) => {
                assert!((1..=lines).contains(&line), "line {line} of {lines}");
                assert!(!fault.is_empty());
            }
        }
    }
});
