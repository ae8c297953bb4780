//! Bots of a class that are WebAssembly modules.

use std::fs;

use super::submissions::Desk;
use super::{Class, SETTINGS};
use testkit::list::{Tests, Tier};
use testkit::tools::{CLANG, LANDLOCK, MAKE, NAMESPACES, WASI_LIBC, WASM_LD};

pub(crate) fn tests(tests: &mut Tests) {
    tests.tier(Tier::Release, |tests| {
        tests.needing(
            &[CLANG, LANDLOCK, MAKE, NAMESPACES, WASI_LIBC, WASM_LD],
            |tests| {
                rows!(tests, ["2", "12"], a_class_builds_its_bots_to_modules);
            },
        )
    });
}

fn a_class_builds_its_bots_to_modules(size: &str) {
    let size: usize = size.parse().unwrap();
    let ids: Vec<String> = (0..size).map(|nth| format!("s{nth:02}")).collect();
    let students: Vec<_> = ids
        .iter()
        .map(|id| (id.as_str(), id.as_str(), ""))
        .collect();
    let settings = SETTINGS.replacen("[build]\n", "[build]\ntarget = 'wasm'\n", 1);
    let class = Class::new(&settings, &students);
    let desk = Desk::new();
    for id in &ids {
        let kit = desk.kit("cpp", id);
        let strategy = kit.join("strategy.hpp");
        let text = fs::read_to_string(&strategy).unwrap();
        fs::write(&strategy, format!("{text}// {id}\n")).unwrap();
        class.succeeds(&[
            "add",
            id,
            kit.to_str().unwrap(),
            "--at",
            "2026-11-30T10-00-00",
        ]);
    }
    let intake = class.succeeds(&["intake"]);
    assert_eq!(intake.matches("built     C++").count(), size, "{intake}");
    class.succeeds(&["check"]);
    assert!(class.plays() > 0);
    for record in class.games() {
        for game in record
            .iter()
            .filter(|line| line["format"] == "battleship-game")
        {
            assert_eq!(game["ended_by"], "fleet_sunk", "{game}");
        }
    }
}
