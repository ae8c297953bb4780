//! The manual pages of packages.

use std::collections::BTreeMap;
use std::process::Command;

use assert_cmd::Command as Assert;
use testkit::list::Tests;
use testkit::programs::{Folder, text_of};
use testkit::tools::{GROFF, MAN};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        every_program_and_every_command_has_a_page,
        pages_are_the_same_each_time_and_their_date_is_that_of_the_build
    );
    tests.needing(&[MAN, GROFF], |tests| {
        add!(tests, man_shows_every_page_without_a_warning);
    });
    tests.needing(&[GROFF], |tests| {
        add!(
            tests,
            a_page_has_what_the_help_says_and_its_examples_as_they_are_typed
        );
    });
}

/// Writes the pages; returns the folder and the pages by their names.
fn pages(date: Option<&str>) -> (Folder, BTreeMap<String, String>) {
    let folder = Folder::new();
    let mut command = xtask();
    command
        .args(["man", &folder.path("pages")])
        .env_remove("SOURCE_DATE_EPOCH");
    if let Some(date) = date {
        command.env("SOURCE_DATE_EPOCH", date);
    }
    command.assert().success().stdout("").stderr("");
    let files = std::fs::read_dir(folder.path("pages"))
        .unwrap()
        .map(|file| file.unwrap().path());
    let name = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let pages = files.map(|path| (name(&path), text_of(&path))).collect();
    (folder, pages)
}

/// The program of this package.
fn xtask() -> Assert {
    Assert::new(env!("CARGO_BIN_EXE_xtask"))
}

fn every_program_and_every_command_has_a_page() {
    let (_folder, pages) = pages(None);
    let programs = battleship_referee::cli::grammars();
    let commands = programs[0].get_subcommands();
    let listed = commands.filter(|command| !command.is_hide_set() && command.get_name() != "help");
    let mut expected: Vec<_> = listed
        .map(|command| format!("referee-{}.1", command.get_name()))
        .collect();
    assert!(
        expected.contains(&"referee-play.1".to_owned()),
        "{expected:?}"
    );
    let others = [
        "referee",
        "replay",
        "awful-bot",
        "mediocre-bot",
        "good-bot",
        "human-bot",
    ];
    expected.extend(others.map(|name| format!("{name}.1")));
    expected.sort();
    assert_eq!(pages.keys().cloned().collect::<Vec<_>>(), expected);
}

fn pages_are_the_same_each_time_and_their_date_is_that_of_the_build() {
    let ((_one, first), (_two, second)) = (pages(None), pages(None));
    assert_eq!(first, second);
    let (_three, dated) = pages(Some("1700000000"));
    let begins = |page: &str, line: &str| assert!(page.starts_with(line), "{line}\n{page}");
    let version = env!("CARGO_PKG_VERSION");
    for (pages, date) in [(&first, ""), (&dated, "2023-11-14")] {
        let rest = format!("1 \"{date}\" \"referee {version}\" \"Battleship referee\"\n");
        begins(&pages["referee.1"], &format!(".TH REFEREE {rest}"));
        begins(&pages["good-bot.1"], &format!(".TH GOOD\\-BOT {rest}"));
    }
    assert_ne!(first["referee.1"], dated["referee.1"]);
    let mut wrong = xtask();
    wrong
        .args(["man", "nowhere"])
        .env("SOURCE_DATE_EPOCH", "today");
    wrong
        .assert()
        .failure()
        .stderr(predicates::str::contains("SOURCE_DATE_EPOCH=today"));
}

/// As a person reads them.
fn man_shows_every_page_without_a_warning() {
    let (folder, pages) = pages(None);
    for page in pages.keys() {
        let mut man = Command::new("man");
        man.args(["--warnings=w,mac", "-E", "UTF-8", "-l"])
            .arg(folder.path("pages") + "/" + page);
        man.env("LC_ALL", "C.UTF-8")
            .env("MANWIDTH", "80")
            .env("MANPAGER", "cat")
            .env("PAGER", "cat");
        let output = man.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.is_empty(), "{page}: {said}");
        let shown = String::from_utf8(output.stdout).unwrap();
        let wide: Vec<_> = shown
            .lines()
            .filter(|line| line.chars().count() > 80)
            .collect();
        assert!(wide.is_empty(), "{page}: {wide:#?}");
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO"] {
            assert!(
                shown.lines().any(|line| line == section),
                "{page}: {section}\n{shown}"
            );
        }
    }
}

fn a_page_has_what_the_help_says_and_its_examples_as_they_are_typed() {
    let (folder, _) = pages(None);
    let shown = |page: &str| {
        let mut groff = Command::new("groff");
        groff
            .args(["-man", "-Tutf8", "-ww", "-P-c", "-rLL=78n"])
            .arg(folder.path("pages") + "/" + page);
        let output = groff.output().unwrap();
        assert!(output.stderr.is_empty(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        // Bold letters are overstruck.
        let letters: Vec<char> = text.chars().collect();
        let kept = (0..letters.len())
            .filter(|at| letters[*at] != '\u{8}' && letters.get(at + 1) != Some(&'\u{8}'));
        kept.map(|at| letters[at]).collect::<String>()
    };
    let play = shown("referee-play.1");
    let example = "\n       referee play 'Popeye=python3 my_bot.py' Bluto=./bluto\n";
    assert!(play.contains(example), "{play}");
    // Lines of prose are filled with spaces.
    let words = play.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "SYNOPSIS referee play [OPTIONS] <P1> <P2> DESCRIPTION",
        "--limit <TIME>",
        "NAME= before it gives it a name;",
        "130 Interrupted.",
    ] {
        assert!(words.contains(part), "{part}\n{play}");
    }
    assert!(shown("good-bot.1").contains("--budget"));
    assert!(shown("replay.1").contains("replay f LOG OUT"));
    assert!(shown("referee-tournament.1").contains("\n       [[player]]\n"));
}
