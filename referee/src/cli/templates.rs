//! The bots to start from, in each language, as files of `examples/`.

/// A bot to start from, as `referee new` writes it.
#[derive(Debug)]
pub(super) struct Template {
    /// What it is asked for by; also its folder under `examples/`.
    pub(super) language: &'static str,
    /// What it is, in words.
    pub(super) title: &'static str,
    /// The file that its owner is to change first.
    pub(super) yours: &'static str,
    /// The command that builds it in its folder, if it has to be built.
    pub(super) build: Option<&'static str>,
    /// What it calls itself in the file `yours`; `referee new` puts the name of the folder there. `None` if that is for
    /// another place to say.
    pub(super) own_name: Option<&'static str>,
    /// The player that it is in its folder, as a word of the shell.
    pub(super) player: &'static str,
    /// Paths and contents.
    pub(super) files: &'static [(&'static str, &'static str)],
}

/// The files of the folder `examples/LANGUAGE`, by their paths in it.
macro_rules! files {
    ($language:literal: $($path:literal)+) => {
        &[$(($path, include_str!(concat!("../../../examples/", $language, "/", $path)))),+]
    };
}

pub(super) const TEMPLATES: [Template; 9] = [
    Template {
        language: "python",
        title: "Python",
        yours: "strategy.py",
        build: None,
        own_name: Some("Pythonista"),
        player: "'python3 bot.py'",
        files: files!("python": "README.md" "bot.py" "strategy.py" "test_strategy.py"),
    },
    Template {
        language: "c",
        title: "C",
        yours: "strategy.c",
        build: Some("make"),
        own_name: Some("Seadog"),
        player: "./bot",
        files: files!("c": "README.md" "Makefile" "bot.c" "strategy.c" "strategy.h" "test.c"),
    },
    Template {
        language: "cpp",
        title: "C++",
        yours: "strategy.hpp",
        build: Some("make"),
        own_name: Some("Seaplusplus"),
        player: "./bot",
        files: files!("cpp": "README.md" "Makefile" "bot.cpp" "strategy.hpp" "test.cpp"),
    },
    Template {
        language: "java",
        title: "Java",
        yours: "Strategy.java",
        build: Some("javac *.java"),
        own_name: Some("Javanaut"),
        player: "'java -cp . Bot'",
        files: files!("java": "README.md" "Bot.java" "Strategy.java" "StrategyTest.java"),
    },
    Template {
        language: "javascript",
        title: "JavaScript, for Node.js",
        yours: "strategy.js",
        build: None,
        own_name: Some("Scripter"),
        player: "'node bot.js'",
        files: files!("javascript": "README.md" "bot.js" "strategy.js" "strategy.test.js"),
    },
    Template {
        language: "rust",
        title: "Rust",
        yours: "src/strategy.rs",
        build: Some("cargo build --release"),
        own_name: Some("Oxide"),
        player: "target/release/bot",
        files: files!("rust": "README.md" "Cargo.toml" "src/main.rs" "src/strategy.rs" "src/tests.rs"),
    },
    Template {
        language: "go",
        title: "Go",
        yours: "strategy.go",
        build: Some("go build -o bot ."),
        own_name: Some("Gopher"),
        player: "./bot",
        files: files!("go": "README.md" "bot.go" "go.mod" "strategy.go" "strategy_test.go"),
    },
    Template {
        language: "ruby",
        title: "Ruby",
        yours: "strategy.rb",
        build: None,
        own_name: Some("Rubyist"),
        player: "'ruby bot.rb'",
        files: files!("ruby": "README.md" "bot.rb" "strategy.rb" "test_strategy.rb"),
    },
    Template {
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
        for Template { own_name, yours, files, .. } in &TEMPLATES {
            let Some(own) = own_name else { continue };
            let (_, text) = files.iter().find(|(path, _)| path == yours).unwrap();
            assert_eq!(text.matches(&format!("\"{own}\"")).count(), 1, "{own}");
        }
    }
}
