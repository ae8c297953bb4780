//! Java, and the other languages that become its classes.

use super::{files, tools};
use crate::{Debugger, Ending, FileKind, Flushing, Kit, Language, Marker};

pub(super) const JAVA: Language = Language {
    name: "Java",
    markers: &[Marker::new(
        "Bot.java",
        Some("javac *.java"),
        "java -cp . Bot",
    )],
    interpreters: &["java"],
    class_path: &["-cp", "-classpath"],
    endings: &[
        Ending::new(
            "java",
            FileKind::ClassSource("javac FILE", "java -cp FOLDER STEM"),
        ),
        Ending::new("class", FileKind::Class("java -cp FOLDER STEM")),
        Ending::started("jar", "java -jar FILE", &[&["java", "-jar"]]),
        Ending::new("kt", FileKind::Other),
        Ending::new("scala", FileKind::Other),
        Ending::new("groovy", FileKind::Other),
    ],
    tools: &[tools::JAVA, tools::JAVAC],
    caches: &[".gradle"],
    kits: &[Kit {
        names: &["java"],
        title: "Java",
        rank: 4,
        yours: "Strategy.java",
        build: Some("javac *.java"),
        own_name: Some("Javanaut"),
        player: "\"java -cp . Bot\"",
        files: files!("java": "README.md" "Bot.java" "Strategy.java" "StrategyTest.java"),
    }],
    debugger: Some(Debugger {
        words: &[
            "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=127.0.0.1:PORT",
        ],
        port: 5005,
        connect: "jdb -attach 127.0.0.1:PORT, or your editor's remote debugger",
        install: "a JDK",
    }),
    flushing: &[Flushing::needed(
        "System.out.flush()",
        "in Java by System.out.flush() after each line",
    )],
    ..Language::NONE
};
