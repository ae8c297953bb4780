//! A class that plays salvos with ships that may not touch.

use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::list::{Tests, Tier};
use testkit::tools::{NAMESPACES, RUBY, SYSTEM_PYTHON};

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[NAMESPACES, SYSTEM_PYTHON, RUBY], |tests| {
            add!(tests, a_class_plays_salvos_of_ships_that_may_not_touch);
        })
    });
}

fn a_class_plays_salvos_of_ships_that_may_not_touch() {
    let desk = Desk::new();
    let settings = format!("[game]\nrules = 'salvo'\napart = true\n{SETTINGS}");
    let class = Class::new(
        &settings,
        &[
            ("py", "Ada", ""),
            ("ruby", "Matz", ""),
            ("old", "Oskar", ""),
        ],
    );
    let old = [
        ("bot.toml", "run = 'sh bot.sh'\n"),
        (
            "bot.sh",
            "while read word rest; do case $word in battleship) echo ready;; quit) exit;; esac; done\n",
        ),
    ];
    for (id, path) in [
        ("py", desk.kit("python", "py")),
        ("ruby", desk.kit("ruby", "ruby")),
        ("old", desk.folder("old", &old)),
    ] {
        class.succeeds(&[
            "add",
            id,
            path.to_str().unwrap(),
            "--at",
            "2026-11-30T10-00-00",
        ]);
    }
    class.succeeds(&["intake"]);
    let checked = class.succeeds(&["check"]);
    assert!(checked.contains("it does not play salvo"), "{checked}");
    assert!(class.plays() > 0);
    let games: Vec<_> = class.games().into_iter().flatten().collect();
    let mut games = games
        .iter()
        .filter(|line| line["format"] == "battleship-game")
        .peekable();
    assert!(games.peek().is_some());
    for game in games {
        let rules = (game["rules"].as_str(), game["options"]["apart"].as_str());
        assert_eq!(rules, (Some("salvo"), Some("all")), "{game}");
        assert_eq!(game["ended_by"], "fleet_sunk", "{game}");
    }
    class.succeeds(&["site"]);
    assert!(
        class
            .page_of("py")
            .contains("that may not touch, a shot for each ship afloat")
    );
    class.succeeds(&["suspicious"]);
}
