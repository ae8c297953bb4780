//! C++, and the adapter around the classes of the course's specification.

use super::{files, tools};
use crate::{Course, Ending, FileKind, Kit, Lack, Language, Marker};

/// The adapter's kit.
const ADAPTER: &str = "cs32";

/// The course, by its specification.
const COURSE: Course = Course {
    kit: ADAPTER,
    asked: &["Board.cpp", "Game.cpp", "Player.cpp"],
    handed_out: &["Board.h", "Game.h", "Player.h", "globals.h"],
};

const BUILD: FileKind = FileKind::Source("c++ -O2 -o OUT FILE");

pub(super) const CPP: Language = Language {
    name: "C++",
    markers: &[
        Marker::new("bot.cpp", Some("c++ -O2 -o bot *.cpp"), "./bot"),
        Marker {
            file: "Player.cpp",
            build: Some("make -C ADAPTER STUDENT=.. TYPE=TYPE OUT=../bot"),
            run: "./bot",
            lacks: Lack::Adapter(&COURSE),
        },
    ],
    endings: &[
        Ending::new("cpp", BUILD),
        Ending::new("cc", BUILD),
        Ending::new("cxx", BUILD),
    ],
    tools: &[tools::CXX],
    byproducts: &[".o"],
    kits: &[
        Kit {
            names: &["cpp", "c++", "cxx", "cc"],
            title: "C++",
            rank: 3,
            yours: "strategy.hpp",
            build: Some("make"),
            own_name: Some("Seaplusplus"),
            player: "./bot",
            files: files!("cpp": "README.md" "Makefile" "bot.cpp" "strategy.hpp" "test.cpp"),
        },
        Kit {
            names: &[ADAPTER],
            title: "C++, around the unchanged classes of the course's specification",
            rank: u8::MAX,
            yours: "Board.cpp, Game.cpp, Player.cpp, Board.h, Game.h, Player.h and globals.h, the seven files that it needs in ../project",
            build: Some("make STUDENT=../project TYPE=mediocre"),
            own_name: None,
            player: "./project-mediocre",
            files: files!("cs32": "README.md" "Makefile" "adapter.cpp" "seeded.h"),
        },
    ],
    ..Language::NONE
};
