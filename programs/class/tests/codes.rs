//! The exit codes of `referee class`, which are promised as those of the other commands, and the
//! sentences of its refusals.

use std::fs::File;

use crate::class::{Class, SH};
use crate::course::sentences_find_their_lines;
use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::NAMESPACES;

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, a_wrong_class_or_word_is_named);
    tests.needing(&[NAMESPACES], |tests| {
        add!(tests, each_step_ends_with_its_code);
    });
}

/// Words after `referee class`, one step after the other, the code, and what is printed or written
/// on standard error: in a class of a sound bot, one that exits at once, one that does not draw
/// from its seed, and one that crashes in its second game.
const STEPS: [(&str, i32, &str); 21] = [
    ("init", 2, "exists"),
    ("intake", 0, "4 built"),
    ("check", 0, "4 checked"),
    ("check sound", 0, ""),
    ("check gone", 4, ""),
    ("check stranger", 2, ""),
    ("play --watch", 2, "unexpected argument '--watch'"),
    ("play --quiet", 0, "nothing is left to play"),
    ("play", 0, "nothing to play"),
    ("play --until soon", 2, "--until soon: write a time of day"),
    ("site", 0, ""),
    ("grade", 0, "sound,"),
    ("suspicious", 0, ""),
    ("status", 0, "left        nothing"),
    ("status --no-such-option", 2, "--no-such-option"),
    ("dispute sound awful:1", 0, "the same happened.\n"),
    ("dispute moody awful:1", 4, ""),
    ("dispute sound awful:9999", 2, ""),
    ("dispute sound stranger:1", 2, ""),
    ("check", 0, "every bot has been checked\n"),
    ("intake", 0, "0 new: 0 built"),
];

/// Attacks all cells in an order that no seed decides, so that no two of its games are alike.
const MOODY: &str = concat!(
    "while read -r word; do case $word in battleship*) echo ready ;; quit*) exit ;;\n",
    "place*) set -- $(shuf -i 0-99); echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h ;;\n",
    "attack*) echo attack $(($1 / 10)) $(($1 % 10)); shift ;; esac; done\n",
);

fn each_step_ends_with_its_code() {
    let class = Class::new("sound gone moody cris");
    for (id, starts) in [
        ("sound", "cell=0"),
        (
            "cris",
            "cell=0; games=$((games + 1)); [ $games -lt 2 ] || exit 3",
        ),
    ] {
        class.plain(id);
        class.edit(&format!("{id}/bot.sh"), "cell=0", starts);
        class.adds(id);
    }
    class.hands_in("moody", &[("bot.toml", SH), ("bot.sh", MOODY)]);
    class.hands_in("gone", &[("bot.toml", SH), ("bot.sh", "exit 3\n")]);
    for (words, code, sentence) in STEPS {
        let done = class.step(words).ends();
        done.exits(code);
        if !done.stdout.contains(sentence) {
            done.warns(sentence);
        }
    }
    class.is_whole();
    sentences_find_their_lines(&class);
    let full = File::create("/dev/full").unwrap();
    let status = class.step("status").stdout(full).spawn().wait();
    assert_eq!(status.unwrap().code(), Some(1));
}

/// Settings below the name of the class, and what is wrong with them.
const SETTINGS: [(&str, &str); 5] = [
    (
        "[game]\nrulez = 'twist'",
        "class.toml, line 3: there is no \"rulez\"; did you mean rules?",
    ),
    ("[game]\nrules = 'chess'", "class.toml, line 3: "),
    ("[game]\nlimit = 'soon'", "class.toml, line 3: "),
    (
        "[play]\nseries = 3",
        "class.toml: series = 3: write an even number",
    ),
    ("[[staff]]\nname = 'x'\ncommand = 'human'", "x is a person"),
];

/// Words, and what is wrong with them in a class of ada without a deadline and without grades.
const WORDS: [(&str, &str); 17] = [
    ("add bob class.toml", "no student of"),
    ("add ada class.toml", "this is not a folder or a .zip"),
    ("add ada nothing.zip", "nothing.zip: "),
    ("add ada submissions --at soon", "\"soon\" is not a time"),
    ("import nothing.zip", "nothing.zip: "),
    (
        "import class.toml",
        "class.toml: \"class.toml\" is not a folder or a .zip",
    ),
    ("extend bob 2026-12-03T10:00:00Z", "no student of"),
    ("extend ada 2026-12-03T10:00:00Z", "there is no deadline"),
    ("play --until soon", "--until soon: write a time of day"),
    ("dispute ada 17", "write OPPONENT:NUMBER"),
    ("dispute ada bob:1", "no bot of the class is called"),
    ("check bob", "no student of the roster has the id"),
    ("grade", "there is no [[grade]]"),
    ("grade --csv g.csv", "there is no [[grade]]"),
    (
        "grade --force --csv class.toml",
        "is a file of the class; name another one",
    ),
    (
        "grade --force --csv submissions/x.csv",
        "is a file of the class; name another one",
    ),
    ("init", "exists"),
];

fn a_wrong_class_or_word_is_named() {
    let dir = Dir::new();
    let fails = |words: &str, what: &str| {
        dir.run(format!("class {words}")).fails(2, what);
    };
    fails("status", "there is no");
    fails("status", "referee class init");
    dir.run("class init").succeeds();
    dir.file("roster.csv", "id\nada\nada\n");
    fails(
        "status",
        "roster.csv, line 3: the id \"ada\" is in line 2 too",
    );
    dir.file("roster.csv", "id\nada\nawful\n");
    fails("status", "awful is a student or a team of the roster, too");
    dir.file("roster.csv", "id\nada\n");
    for (settings, what) in SETTINGS {
        dir.file("class.toml", format!("name = 'x'\n{settings}\n"));
        fails("status", what);
    }
    dir.file("class.toml", "name = 'x'\n");
    for (words, what) in WORDS {
        fails(words, what);
    }
}
