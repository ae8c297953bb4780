//! The bots that `referee new` makes: each is what it is said to be, is built as it is said, passes its own tests,
//! keeps to the protocol, and plays. They need the compilers and interpreters of all their languages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::check::passes_but_for;
use testkit::list::{Tests, Tier};
use testkit::programs::{built, project_file, quoted_there, referee, text_of};
use testkit::tools::{CC, CXX, GO, JAVA, JAVAC, MAKE, NODE, PYTHON, RUBY};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        the_bot_on_the_crate_keeps_to_the_protocol,
        what_is_written_is_what_the_examples_are,
        a_bot_is_read_at_one_sitting,
        without_a_language_all_are_listed,
        a_language_may_be_written_as_it_usually_is,
        nothing_that_is_there_is_overwritten
    );
    tests.needing(&[PYTHON], |tests| {
        add!(tests, a_bot_in_python_plays);
    });
    tests.needing(&[CC, MAKE], |tests| {
        add!(tests, a_bot_in_c_plays);
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[CXX, MAKE], |tests| {
            add!(tests, a_bot_in_cpp_plays);
        })
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[JAVA, JAVAC], |tests| {
            add!(tests, a_bot_in_java_plays);
        })
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[NODE], |tests| {
            add!(tests, a_bot_in_javascript_plays);
        })
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[CC], |tests| {
            add!(tests, a_bot_in_rust_plays);
        })
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[GO], |tests| {
            add!(tests, a_bot_in_go_plays);
        })
    });
    tests.tier(Tier::Release, |tests| {
        tests.needing(&[RUBY], |tests| {
            add!(tests, a_bot_in_ruby_plays);
        })
    });
}

/// All that `referee new` can make, but for the adapter, which plays nothing by itself.
fn languages() -> impl Iterator<Item = &'static str> {
    kits::kits()
        .into_iter()
        .map(kits::Kit::language)
        .filter(|language| *language != "cs32")
}

/// A fresh copy of a bot, built.
pub(crate) struct Fresh {
    folder: TempDir,
    /// The output of `referee new`.
    said: String,
    language: &'static str,
}

impl Fresh {
    pub(crate) fn new(language: &'static str) -> Fresh {
        let folder = tempfile::tempdir().unwrap();
        let mut command = referee();
        let assert = command
            .args(["new", language, "bot"])
            .current_dir(&folder)
            .assert()
            .success();
        let said = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        let fresh = Fresh {
            folder,
            said,
            language,
        };
        fresh.build();
        fresh
    }

    /// Builds it, as after a change.
    pub(super) fn build(&self) {
        let steps = self.steps();
        for build in &steps[1..steps.len() - 2] {
            self.succeeds(build);
        }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().join("bot")
    }

    /// The commands to type next, as they were printed: into the folder, build if need be, check, play.
    fn steps(&self) -> Vec<&str> {
        self.said
            .lines()
            .filter_map(|line| line.strip_prefix("  "))
            .collect()
    }

    /// The commands in the README.
    fn commands(&self) -> Vec<String> {
        let readme = text_of(self.folder().join("README.md"));
        let block = readme
            .split_once("```sh\n")
            .unwrap()
            .1
            .split_once("```")
            .unwrap()
            .0;
        block.lines().map(str::to_owned).collect()
    }

    fn shell(&self, command: &str) -> Command {
        let mut shell = Command::new("sh");
        // Their own tests start the referee.
        let programs = Path::new(env!("CARGO_BIN_EXE_referee"))
            .parent()
            .unwrap()
            .to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = [programs].into_iter().chain(std::env::split_paths(&path));
        shell.env("PATH", std::env::join_paths(path).unwrap());
        // Otherwise a bot in Rust would be built beside these tests.
        shell
            .args(["-c", command])
            .current_dir(self.folder())
            .env_remove("CARGO_TARGET_DIR");
        shell
    }

    fn succeeds(&self, command: &str) {
        let output = self.shell(command).output().unwrap();
        assert!(
            output.status.success(),
            "{}: {command}: {output:?}",
            self.language
        );
    }

    /// The player, as the referee is given it.
    pub(crate) fn player(&self) -> String {
        let play = self.steps().pop().unwrap();
        let word = play
            .strip_prefix("referee play ")
            .unwrap()
            .strip_suffix(" mediocre")
            .unwrap();
        word.trim_matches('"').to_owned()
    }

    /// Plays a game and returns its record and the exit code.
    fn play(&self, players: [&str; 2], options: &[&str]) -> (Value, i32) {
        let mut command = referee();
        command
            .arg("play")
            .args(players)
            .arg("--json")
            .args(options);
        let output = command.current_dir(self.folder()).output().unwrap();
        let record: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{}: {error}: {output:?}", self.language));
        for player in record["players"].as_array().unwrap() {
            assert_eq!(player["warnings"], json!([]), "{record}");
        }
        (record, output.status.code().unwrap())
    }

    /// Plays a game against awful, or mediocre where ships may not touch, that has a winner and no wasted shot of the bot; returns
    /// the attacks.
    fn plays_well(&self, first: bool, options: &[&str]) -> Vec<Value> {
        let player = self.player();
        let apart = options.iter().any(|option| option.starts_with("--apart"));
        let opponent = if apart { "mediocre" } else { "awful" };
        let players = if first {
            [player.as_str(), opponent]
        } else {
            [opponent, player.as_str()]
        };
        let (record, code) = self.play(players, options);
        assert_eq!(
            (record["ended_by"].as_str(), code),
            (Some("fleet_sunk"), 0),
            "{record}"
        );
        let shots = record["shots"].as_array().unwrap();
        let own = u64::from(!first);
        let own: Vec<_> = shots.iter().filter(|shot| shot[0] == own).collect();
        let wasted = own.iter().filter(|shot| shot[3] == "wasted").count();
        // The last salvo may have more shots than there are cells left.
        let cells = record["rows"].as_u64().unwrap() * record["cols"].as_u64().unwrap();
        let too_many = own.len().saturating_sub(cells.try_into().unwrap());
        assert!(wasted <= too_many, "{wasted} are wasted: {record}");
        shots
            .iter()
            .map(|shot| json!([shot[0], shot[1], shot[2]]))
            .collect()
    }

    /// Returns the bot's answers to these lines. It has to end by itself.
    fn answers(&self, lines: &str) -> Vec<String> {
        let mut bot = assert_cmd::Command::from_std(self.shell(&format!("exec {}", self.player())));
        let assert = bot.write_stdin(lines).assert().success();
        let said = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        said.lines().map(str::to_owned).collect()
    }
}

fn is_all_that_it_should_be(language: &'static str) {
    let bot = Fresh::new(language);
    let commands = bot.commands();
    for step in &bot.steps()[1..] {
        assert!(
            commands.contains(&(*step).to_owned()),
            "{language}: {step} is in its README"
        );
    }
    bot.succeeds(commands.last().unwrap());
    let workflow = text_of(bot.folder().join(".github/workflows/check.yml"));
    bot.succeeds(&format!(
        "set -e\n{}",
        workflow.split_once("- run: |\n").unwrap().1
    ));
    passes_but_for(&[], bot.folder(), &bot.player(), &[]);
    passes_but_for(&[], bot.folder(), &bot.player(), &["--rules", "salvo"]);
    plays(&bot);
    plays_by_house_rules(&bot);
    plays_again_and_again(&bot);
    talks(&bot);
}

fn plays(bot: &Fresh) {
    let game = bot.plays_well(true, &["--seed", "3"]);
    assert_eq!(
        game,
        bot.plays_well(true, &["--seed", "3"]),
        "{}",
        bot.language
    );
    bot.plays_well(false, &["--seed", "4"]);
    let odd = [
        "--rows",
        "7",
        "--cols",
        "5",
        "--ship",
        "5 A ark",
        "--ship",
        "1 B b\u{fc}oy",
        "--seed",
        "2",
    ];
    bot.plays_well(false, &odd);
    bot.plays_well(
        true,
        &[
            "--rows", "1", "--cols", "1", "--ship", "1 B buoy", "--seed", "2",
        ],
    );
    let crowded = [
        "--rows", "1", "--cols", "2", "--ship", "2 A ark", "--ship", "1 B buoy",
    ];
    let (record, code) = bot.play([&bot.player(), "awful"], &crowded);
    assert_eq!(
        (record["ended_by"].as_str(), code),
        (Some("cannot_place"), 3),
        "{record}"
    );
    assert_eq!(record["by"], 0, "{record}");
    // Ten ships of ten cells: they lie all in rows or all in columns.
    let ships: Vec<String> = ('A'..='J')
        .map(|symbol| format!("10 {symbol} barge"))
        .collect();
    let full: Vec<&str> = ships.iter().flat_map(|ship| ["--ship", ship]).collect();
    bot.plays_well(true, &[&full[..], &["--seed", "2"]].concat());
}

fn plays_by_house_rules(bot: &Fresh) {
    bot.plays_well(true, &["--rules", "salvo", "--seed", "3"]);
    bot.plays_well(true, &["--apart", "--seed", "3"]);
    bot.plays_well(false, &["--rules", "salvo", "--apart", "--seed", "5"]);
    // More shots than cells: all but one are wasted, since a salvo has as many cells as it is asked for.
    let tiny = [
        "--salvo", "4", "--apart", "--rows", "1", "--cols", "1", "--ship", "1 B buoy",
    ];
    let (record, code) = bot.play([&bot.player(), "awful"], &tiny);
    assert_eq!(
        (record["ended_by"].as_str(), code),
        (Some("fleet_sunk"), 0),
        "{record}"
    );
    let crowded = [
        "--apart", "--rows", "2", "--cols", "2", "--ship", "1 A ark", "--ship", "1 B buoy",
    ];
    let (record, code) = bot.play([&bot.player(), "awful"], &crowded);
    assert_eq!(
        (record["ended_by"].as_str(), code),
        (Some("cannot_place"), 3),
        "{record}"
    );
}

/// One process plays all games of a series.
fn plays_again_and_again(bot: &Fresh) {
    let mut games = referee();
    games.args([
        "match",
        &bot.player(),
        "awful",
        "--games",
        "6",
        "--series",
        "6",
        "--seed",
        "1",
    ]);
    let output = games
        .arg("--json")
        .current_dir(bot.folder())
        .output()
        .unwrap();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let player = &summary["players"][0];
    assert_eq!(
        (&player["games"], &player["faults"]),
        (&json!(6), &json!({})),
        "{summary}"
    );
    assert_eq!(
        (&player["warnings"], &player["wasted"]),
        (&json!([]), &json!(0)),
        "{summary}"
    );
}

/// Checks what no game shows: lines that the referee never sends, and two ways to end.
fn talks(bot: &Fresh) {
    let lines = "battleship 1 more\r\n\r\nnonsense 1 2 3\r\ngame classic 1 9 more\r\nship 0 2 A ark royal\r\nseed 5\r\n\
                 place more\r\nattack more\r\nresult 0 4 hit more\r\nopponent 99 -1 more\r\nattack\r\nend void interrupted\r\n\
                 game classic 3 3\r\nship 0 3 A ark\r\nship 1 3 B boat\r\nship 2 3 C canoe\r\nseed 5\r\nplace\r\nattack\r\n\
                 game salvo 3 1 more\r\nship 0 1 A ark\r\nship 1 1 B boat\r\nrule weather fine\r\nrule apart all more\r\n\
                 seed 5\r\nplace\r\nsalvo 2 more\r\nhits 1 more\r\nsalvo 1\r\n";
    let answers = bot.answers(lines);
    let [
        name,
        plays,
        ready,
        place,
        attack,
        neighbour,
        placed,
        attacked,
        apart,
        salvo,
        last,
    ] = &answers[..]
    else {
        panic!("{}: {answers:?}", bot.language)
    };
    assert!(name.starts_with("name ") && ready == "ready", "{answers:?}");
    assert_eq!(plays, "plays classic salvo apart");
    assert!(
        place.starts_with("place 0 ") && attack.starts_with("attack 0 "),
        "{answers:?}"
    );
    assert!(
        ["attack 0 3", "attack 0 5"].contains(&neighbour.as_str()),
        "{answers:?}"
    );
    assert_eq!(placed.split(' ').count(), 10, "{answers:?}");
    assert!(attacked.starts_with("attack "), "{answers:?}");
    let apart: Vec<_> = apart.split(' ').collect();
    assert!(
        [apart[1], apart[4]] == ["0", "2"] || [apart[1], apart[4]] == ["2", "0"],
        "{answers:?}"
    );
    // Every cell once, though it heard of none.
    let salvos = format!("{salvo} {}", last.strip_prefix("salvo ").unwrap());
    let mut cells: Vec<_> = salvos.split(' ').skip(1).step_by(2).collect();
    cells.sort_unstable();
    assert_eq!(cells, ["0", "1", "2"], "{answers:?}");
    assert_eq!(bot.answers(&format!("{lines}quit\r\nattack\r\n")), answers);
}

fn a_bot_in_python_plays() {
    is_all_that_it_should_be("python");
}

fn a_bot_in_c_plays() {
    is_all_that_it_should_be("c");
}

fn a_bot_in_cpp_plays() {
    is_all_that_it_should_be("cpp");
}

fn a_bot_in_java_plays() {
    is_all_that_it_should_be("java");
}

fn a_bot_in_javascript_plays() {
    is_all_that_it_should_be("javascript");
}

fn a_bot_in_rust_plays() {
    is_all_that_it_should_be("rust");
}

fn a_bot_in_go_plays() {
    is_all_that_it_should_be("go");
}

fn a_bot_in_ruby_plays() {
    is_all_that_it_should_be("ruby");
}

fn the_bot_on_the_crate_keeps_to_the_protocol() {
    for options in [&[][..], &["--rules", "salvo"]] {
        passes_but_for(&[], ".", &built("rust-bot"), options);
    }
}

/// The files under a folder, by their paths in it, but for what Python leaves there.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with("__pycache__") {
            } else if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read(&path).unwrap();
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), text);
            }
        }
    }
    found
}

fn what_is_written_is_what_the_examples_are() {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(project_file("examples")).unwrap() {
        let example = entry.unwrap().path();
        let language = example.file_name().unwrap().to_str().unwrap();
        // `rust-bot` needs the crate beside it, `guessing` is a referee, and `shared` is of all kits.
        if ["rust-bot", "guessing", "shared"].contains(&language) {
            continue;
        }
        let written = folder.path().join(language);
        referee()
            .args(["new", language])
            .arg(&written)
            .assert()
            .success();
        let (mut written, mut example) = (files(&written), files(&example));
        for shared in files(&project_file("examples/shared")).into_keys() {
            assert_eq!(
                written.remove(&shared).is_some(),
                language != "cs32",
                "{language}"
            );
        }
        // Under its own name it would keep the folder out of that package.
        if let Some(manifest) = example.remove(Path::new("Cargo.toml.in")) {
            example.insert("Cargo.toml".into(), manifest);
        }
        assert!(written.keys().eq(example.keys()), "{language}");
        // But for its name.
        let different: Vec<_> = written
            .iter()
            .filter(|(path, text)| example[*path] != **text)
            .collect();
        for (path, text) in different {
            let text = String::from_utf8(text.clone()).unwrap();
            let lines = text
                .lines()
                .zip(std::str::from_utf8(&example[path]).unwrap().lines());
            let changed: Vec<_> = lines.filter(|(here, there)| here != there).collect();
            assert_eq!(changed.len(), 1, "{language}: {changed:?}");
            assert!(
                changed[0].0.contains(&format!("\"{language}\"")),
                "{changed:?}"
            );
        }
    }
}

/// A line of code has a letter or a digit, and is not a comment.
fn a_bot_is_read_at_one_sitting() {
    let folder = tempfile::tempdir().unwrap();
    for language in languages() {
        let written = folder.path().join(language);
        referee()
            .args(["new", language])
            .arg(&written)
            .assert()
            .success();
        let is_program = |path: &Path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            let kind = path
                .extension()
                .and_then(|kind| kind.to_str())
                .unwrap_or_default();
            !name.to_lowercase().contains("test")
                && !["", "md", "toml", "mod", "txt", "yml"].contains(&kind)
        };
        let is_code = |line: &&str| {
            let line = line.trim_start();
            line.contains(char::is_alphanumeric)
                && !["//", "/*", "#!", "# "]
                    .iter()
                    .any(|sign| line.starts_with(sign))
        };
        let programs = files(&written)
            .into_iter()
            .filter(|(path, _)| is_program(path));
        let texts = programs.map(|(_, text)| String::from_utf8(text).unwrap());
        let lines: usize = texts.map(|text| text.lines().filter(is_code).count()).sum();
        assert!((50..120).contains(&lines), "{language}: {lines} lines");
    }
}

fn without_a_language_all_are_listed() {
    let listed = referee().arg("new").assert().success().code(0);
    let listed = String::from_utf8(listed.get_output().stdout.clone()).unwrap();
    for language in languages().chain(["cs32"]) {
        assert!(
            listed.contains(&format!("\n  {language} ")),
            "{language}: {listed}"
        );
    }
    let refused = referee().args(["new", "cobol", "bot"]).assert().code(2);
    refused.stderr(contains("unknown language \"cobol\"").and(contains("\n  python  ")));
    let refused = referee().args(["new", "python"]).assert().code(2);
    refused.stderr(contains(
        "name the folder to make: referee new python mybot",
    ));
}

fn a_language_may_be_written_as_it_usually_is() {
    let folder = tempfile::tempdir().unwrap();
    for (language, file) in [("py", "bot.py"), ("C++", "bot.cpp"), ("TS", "bot.js")] {
        referee()
            .args(["new", language, language])
            .current_dir(&folder)
            .assert()
            .success();
        assert!(
            folder.path().join(language).join(file).is_file(),
            "{language}"
        );
    }
}

fn nothing_that_is_there_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let new = |name: &str| {
        let mut command = referee();
        command
            .args(["new", "python", name])
            .current_dir(&folder)
            .assert()
    };
    new("my bots/first")
        .success()
        .stdout(contains(quoted_there("\n  cd 'my bots/first'\n")));
    new("my bots/first")
        .code(2)
        .stderr(contains("the folder my bots/first is not empty"));
    std::fs::write(folder.path().join("file"), "mine").unwrap();
    new("file").code(2).stderr(contains("file is not a folder"));
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    new("empty").success();
    std::fs::create_dir(folder.path().join("full")).unwrap();
    std::fs::write(folder.path().join("full/bot.py"), "mine").unwrap();
    new("full")
        .code(2)
        .stderr(contains("nothing is overwritten"));
    assert_eq!(text_of(folder.path().join("full/bot.py")), "mine");
    assert_eq!(files(&folder.path().join("full")).len(), 1);
}
