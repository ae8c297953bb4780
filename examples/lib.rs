//! The kits: a bot to start from in each language, as `referee new` writes it. Each is a folder beside this file.

/// A bot to start from.
#[derive(Debug)]
pub struct Kit {
    /// What it is asked for by; also its folder.
    pub language: &'static str,
    /// What it is, in words.
    pub title: &'static str,
    /// The file that its owner is to change first.
    pub yours: &'static str,
    /// The command that builds it in its folder, if it has to be built.
    pub build: Option<&'static str>,
    /// What it calls itself in the file `yours`; `referee new` puts the name of the folder there. `None` if that is for
    /// another place to say.
    pub own_name: Option<&'static str>,
    /// The player that it is in its folder, as a word of the shell.
    pub player: &'static str,
    /// Paths and contents.
    pub files: &'static [(&'static str, &'static str)],
}

/// The files of the folder LANGUAGE, by their paths in it.
macro_rules! files {
    ($language:literal: $($path:literal)+) => {
        &[$(($path, include_str!(concat!($language, "/", $path)))),+]
    };
}

/// All kits, the easiest languages to begin with first.
pub const KITS: [Kit; 9] = [
    Kit {
        language: "python",
        title: "Python",
        yours: "strategy.py",
        build: None,
        own_name: Some("Pythonista"),
        player: "\"python3 bot.py\"",
        files: files!("python": "README.md" "bot.py" "strategy.py" "test_strategy.py"),
    },
    Kit {
        language: "c",
        title: "C",
        yours: "strategy.c",
        build: Some("make"),
        own_name: Some("Seadog"),
        player: "./bot",
        files: files!("c": "README.md" "Makefile" "bot.c" "strategy.c" "strategy.h" "test.c"),
    },
    Kit {
        language: "cpp",
        title: "C++",
        yours: "strategy.hpp",
        build: Some("make"),
        own_name: Some("Seaplusplus"),
        player: "./bot",
        files: files!("cpp": "README.md" "Makefile" "bot.cpp" "strategy.hpp" "test.cpp"),
    },
    Kit {
        language: "java",
        title: "Java",
        yours: "Strategy.java",
        build: Some("javac *.java"),
        own_name: Some("Javanaut"),
        player: "\"java -cp . Bot\"",
        files: files!("java": "README.md" "Bot.java" "Strategy.java" "StrategyTest.java"),
    },
    Kit {
        language: "javascript",
        title: "JavaScript, for Node.js",
        yours: "strategy.js",
        build: None,
        own_name: Some("Scripter"),
        player: "\"node bot.js\"",
        files: files!("javascript": "README.md" "bot.js" "strategy.js" "strategy.test.js"),
    },
    Kit {
        language: "rust",
        title: "Rust",
        yours: "src/strategy.rs",
        build: Some("cargo build --release"),
        own_name: Some("Oxide"),
        player: "target/release/bot",
        // Cargo would take a folder with a `Cargo.toml` for another package, and leave it out of this one.
        files: &[
            ("README.md", include_str!("rust/README.md")),
            ("Cargo.toml", include_str!("rust/Cargo.toml.in")),
            ("src/main.rs", include_str!("rust/src/main.rs")),
            ("src/strategy.rs", include_str!("rust/src/strategy.rs")),
            ("src/tests.rs", include_str!("rust/src/tests.rs")),
        ],
    },
    Kit {
        language: "go",
        title: "Go",
        yours: "strategy.go",
        build: Some("go build -o bot ."),
        own_name: Some("Gopher"),
        player: "./bot",
        files: files!("go": "README.md" "bot.go" "go.mod" "strategy.go" "strategy_test.go"),
    },
    Kit {
        language: "ruby",
        title: "Ruby",
        yours: "strategy.rb",
        build: None,
        own_name: Some("Rubyist"),
        player: "\"ruby bot.rb\"",
        files: files!("ruby": "README.md" "bot.rb" "strategy.rb" "test_strategy.rb"),
    },
    Kit {
        language: "cs32",
        title: "C++, around the unchanged classes of the course's specification",
        yours: "README.md",
        build: Some("make STUDENT=../project TYPE=mediocre"),
        own_name: None,
        player: "./mediocre",
        files: files!("cs32": "README.md" "Makefile" "adapter.cpp" "seeded.h"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bot_says_its_name_once_in_the_file_that_is_yours() {
        for Kit { own_name, yours, files, .. } in &KITS {
            let Some(own) = own_name else { continue };
            let (_, text) = files.iter().find(|(path, _)| path == yours).unwrap();
            assert_eq!(text.matches(&format!("\"{own}\"")).count(), 1, "{own}");
        }
    }
}
