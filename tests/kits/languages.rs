//! The bots that `referee new` makes: each is built as it is printed, passes its own tests, keeps
//! to the protocol, and plays. They need the compilers and interpreters of all their languages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;

use testkit::list::{Row, Tests, Tier};
use testkit::programs::{built, project_file};
use testkit::record::list;
use testkit::report::{PATIENT, Report};
use testkit::run::{Dir, Run};
use testkit::tools::{CC, CXX, GO, JAVA, JAVAC, MAKE, NODE, PYTHON, RUBY, Tool};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        the_bot_on_the_crate_follows_protocol,
        a_kit_is_the_example,
        a_bot_is_read_at_one_sitting,
        all_languages_are_listed,
        a_kit_replaces_nothing
    );
    tests.needing(&[NODE], |tests| {
        add!(tests, a_bot_plays_below_a_package_of_modules);
    });
    tests.tier(Tier::Thorough, |tests| rows!(tests, USUAL, a_bot_plays_in));
    tests.tier(Tier::Release, |tests| rows!(tests, OTHERS, a_bot_plays_in));
}

/// A language, and the tools that its kit needs.
#[derive(Clone, Copy)]
struct Language(&'static str, &'static [Tool]);

impl Row for Language {
    fn name(&self) -> &str {
        self.0
    }

    fn tools(&self) -> &'static [Tool] {
        self.1
    }
}

const USUAL: [Language; 3] = [
    Language("python", &[PYTHON]),
    Language("c", &[CC, MAKE]),
    Language("cpp", &[CXX, MAKE]),
];

const OTHERS: [Language; 5] = [
    Language("java", &[JAVA, JAVAC]),
    Language("javascript", &[NODE]),
    Language("rust", &[CC]),
    Language("go", &[GO]),
    Language("ruby", &[RUBY]),
];

/// All that `referee new` can make, but for the adapter, which plays nothing by itself.
fn languages() -> impl Iterator<Item = &'static str> {
    kits::kits()
        .into_iter()
        .map(kits::Kit::language)
        .filter(|language| *language != "cs32")
}

fn a_bot_plays_below_a_package_of_modules() {
    let dir = Dir::new();
    dir.file("package.json", "{\"type\": \"module\"}\n");
    dir.run("new javascript bot").succeeds();
    dir.run("play 'node bot.js' awful --no-pause --seed 1")
        .within("bot")
        .succeeds();
}

/// A fresh bot, built, in the folder `bot`.
pub(crate) struct Fresh {
    pub(crate) dir: Dir,
    /// The commands to type next, as they were printed: into the folder, build if need be, check,
    /// play.
    steps: Vec<String>,
    /// The player, as the referee gets it.
    pub(crate) player: String,
}

impl Fresh {
    pub(crate) fn new(language: &str) -> Fresh {
        let dir = Dir::new();
        let printed = dir.run(format!("new {language} bot")).succeeds().stdout;
        let steps = printed
            .lines()
            .filter_map(|line| line.strip_prefix("  "))
            .map(str::to_owned);
        let steps: Vec<_> = steps.collect();
        let play = steps.last().unwrap().strip_prefix("referee play ").unwrap();
        let player = play
            .strip_suffix(" mediocre")
            .unwrap()
            .trim_matches('"')
            .to_owned();
        let fresh = Fresh { dir, steps, player };
        for build in &fresh.steps[1..fresh.steps.len() - 2] {
            fresh.shell(build).succeeds();
        }
        fresh
    }

    /// A command in its folder. Without this variable a bot in Rust would be built beside these
    /// tests.
    fn shell(&self, command: &str) -> Run<'_> {
        let command = format!("unset CARGO_TARGET_DIR; {command}");
        self.dir.program("sh", "-c").arg(command).within("bot")
    }

    /// Plays a game of the bot in place of BOT that ends so. The bot wastes no shot and gets no
    /// warning. Returns the attacks.
    fn plays(&self, words: &str, ended_by: &str) -> Vec<serde_json::Value> {
        let words = words.replace("BOT", &format!("'{}'", self.player));
        let game = self
            .dir
            .run(format!("play --json {words}"))
            .within("bot")
            .ends()
            .game();
        assert_eq!(
            game.text("ended_by"),
            ended_by,
            "{words}: {}",
            game.text("reason")
        );
        let game = game.0;
        let side = u64::from(words.starts_with("awful "));
        assert_eq!(game["players"][0]["warnings"], json!([]), "{game}");
        assert_eq!(game["players"][1]["warnings"], json!([]), "{game}");
        let shots = list(&game["shots"]);
        let own: Vec<_> = shots.iter().filter(|shot| shot[0] == side).collect();
        // The last salvo may have more shots than there are cells left.
        let cells = game["rows"].as_u64().unwrap() * game["cols"].as_u64().unwrap();
        let too_many = own.len().saturating_sub(cells.try_into().unwrap());
        assert!(
            own.iter().filter(|shot| shot[3] == "wasted").count() <= too_many,
            "{game}"
        );
        shots
            .iter()
            .map(|shot| json!([shot[0], shot[1], shot[2]]))
            .collect()
    }

    /// The bot's replies to these lines. It has to end by itself.
    fn replies(&self, lines: &str) -> Vec<String> {
        let done = self.shell(&format!("exec {}", self.player)).types(lines);
        done.exits(0).stdout.lines().map(str::to_owned).collect()
    }
}

fn a_bot_plays_in(Language(language, _): Language) {
    let bot = Fresh::new(language);
    let readme = bot.dir.text("bot/README.md");
    let (block, _) = readme
        .split_once("```sh\n")
        .unwrap()
        .1
        .split_once("```")
        .unwrap();
    for step in &bot.steps[1..] {
        assert!(
            block.lines().any(|line| line == step),
            "{step} is in its README"
        );
    }
    bot.shell(block.lines().last().unwrap()).succeeds();
    let workflow = bot.dir.text("bot/.github/workflows/check.yml");
    let (_, script) = workflow.split_once("- run: |\n").unwrap();
    bot.shell(&format!("set -e\n{script}")).succeeds();
    for rules in ["classic", "salvo"] {
        let options = format!("{PATIENT} --rules {rules}");
        Report::within(&bot.dir, "bot", &bot.player, &options).passes_but_for(&[]);
    }
    plays(&bot);
    talks(&bot);
}

fn plays(bot: &Fresh) {
    let game = bot.plays("BOT awful --seed 3", "fleet_sunk");
    assert_eq!(game, bot.plays("BOT awful --seed 3", "fleet_sunk"));
    // Ten ships of ten cells: they lie all in rows or all in columns.
    let full = ('A'..='J').map(|symbol| format!(" --ship '10 {symbol} barge'"));
    let full = full.collect::<Vec<_>>().concat();
    for words in [
        "awful BOT --seed 4",
        "awful BOT --rows 7 --cols 5 --ship '5 A ark' --ship '1 B b\u{fc}oy' --seed 2",
        "BOT awful --rows 1 --cols 1 --ship '1 B buoy' --seed 2",
        &format!("BOT awful --seed 2{full}"),
        "BOT awful --rules salvo --seed 3",
        "BOT mediocre --apart --seed 3",
        "mediocre BOT --rules salvo --apart --seed 5",
        // More shots than cells: all but one are wasted, since a salvo has as many cells as it is
        // asked for.
        "BOT mediocre --salvo 4 --apart --rows 1 --cols 1 --ship '1 B buoy'",
    ] {
        bot.plays(words, "fleet_sunk");
    }
    let crowded = "BOT awful --rows 1 --cols 2 --ship '2 A ark' --ship '1 B buoy'";
    bot.plays(crowded, "cannot_place");
    bot.plays(
        "BOT awful --apart --rows 2 --cols 2 --ship '1 A ark' --ship '1 B buoy'",
        "cannot_place",
    );
    // One process plays all games of a series.
    let words = "match --json awful --games 6 --series 6 --seed 1";
    let summary = bot
        .dir
        .run(words)
        .arg(&bot.player)
        .within("bot")
        .succeeds()
        .json();
    let player = &summary["players"][1];
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
    let replies = bot.replies(lines);
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
    ] = &replies[..]
    else {
        panic!("{replies:?}")
    };
    assert!(name.starts_with("name ") && ready == "ready", "{replies:?}");
    assert_eq!(plays, "plays classic salvo apart");
    assert!(
        place.starts_with("place 0 ") && attack.starts_with("attack 0 "),
        "{replies:?}"
    );
    assert!(
        ["attack 0 3", "attack 0 5"].contains(&neighbour.as_str()),
        "{replies:?}"
    );
    assert_eq!(placed.split(' ').count(), 10, "{replies:?}");
    assert!(attacked.starts_with("attack "), "{replies:?}");
    let apart: Vec<_> = apart.split(' ').collect();
    assert!(
        [["0", "2"], ["2", "0"]].contains(&[apart[1], apart[4]]),
        "{replies:?}"
    );
    // Every cell once, though it heard of none.
    let salvos = format!("{salvo} {}", last.strip_prefix("salvo ").unwrap());
    let mut cells: Vec<_> = salvos.split(' ').skip(1).step_by(2).collect();
    cells.sort_unstable();
    assert_eq!(cells, ["0", "1", "2"], "{replies:?}");
    assert_eq!(bot.replies(&format!("{lines}quit\r\nattack\r\n")), replies);
}

fn the_bot_on_the_crate_follows_protocol() {
    for rules in ["classic", "salvo"] {
        let options = format!("{PATIENT} --rules {rules}");
        Report::of(&Dir::new(), &built("rust-bot"), &options).passes_but_for(&[]);
    }
}

/// The files under a folder, by their paths in it, but for what Python leaves there.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let text = std::fs::read_to_string(&path).unwrap();
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), text);
            } else if !path.ends_with("__pycache__") {
                folders.push(path);
            }
        }
    }
    found
}

fn a_kit_is_the_example() {
    let dir = Dir::new();
    for language in languages().chain(["cs32"]) {
        dir.run(format!("new {language} {language}")).succeeds();
        let mut written = files(&dir.path(language));
        let mut example = files(&project_file("examples").join(language));
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
        for (path, text) in written
            .iter()
            .filter(|(path, text)| example[*path] != **text)
        {
            let lines = text.lines().zip(example[path].lines());
            let changed: Vec<_> = lines.filter(|(new, old)| new != old).collect();
            assert_eq!(changed.len(), 1, "{language}: {changed:?}");
            assert!(
                changed[0].0.contains(&format!("\"{language}\"")),
                "{changed:?}"
            );
        }
    }
}

/// A line of code has a letter or a digit, and is not a comment. The kits are the examples.
fn a_bot_is_read_at_one_sitting() {
    for language in languages() {
        let mut count = 0;
        for (path, text) in files(&project_file("examples").join(language)) {
            let name = path.file_name().unwrap().to_str().unwrap();
            let (_, ending) = name.rsplit_once('.').unwrap_or((name, ""));
            if !path.to_str().unwrap().to_lowercase().contains("test")
                && !["", "md", "toml", "mod", "txt", "yml"].contains(&ending)
            {
                let is_comment = |line: &str| {
                    ["//", "/*", "#!", "# "]
                        .iter()
                        .any(|sign| line.starts_with(sign))
                };
                let lines = text.lines().map(str::trim_start);
                count += lines
                    .filter(|line| line.contains(char::is_alphanumeric) && !is_comment(line))
                    .count();
            }
        }
        assert!((50..120).contains(&count), "{language}: {count} lines");
    }
}

fn all_languages_are_listed() {
    let dir = Dir::new();
    let done = dir.run("new").succeeds();
    let help = dir.run("new -h").succeeds();
    for language in languages().chain(["cs32"]) {
        done.prints(&format!("\n  {language} "));
        let words = help.stdout.split(|sign: char| !sign.is_alphanumeric());
        assert!(words.into_iter().any(|word| word == language), "{language}");
    }
    dir.run("new cobol bot")
        .fails(2, "unknown language \"cobol\"")
        .warns("\n  python  ");
    dir.run("new python")
        .fails(2, "name the folder to make: referee new python mybot");
    // A language may be written as it usually is.
    for (language, file) in [("py", "bot.py"), ("C++", "bot.cpp"), ("TS", "bot.js")] {
        dir.run(format!("new {language} {language}")).succeeds();
        assert!(
            dir.path(&format!("{language}/{file}")).is_file(),
            "{language}"
        );
    }
}

fn a_kit_replaces_nothing() {
    let dir = Dir::new();
    dir.file("file", "mine").file("full/bot.py", "mine");
    std::fs::create_dir(dir.path("empty")).unwrap();
    dir.run("new python 'my bots/first'")
        .succeeds()
        .prints("my bots/first");
    dir.run("new python 'my bots/first'")
        .fails(2, "my bots/first is not empty; name a new folder");
    dir.run("new python file").fails(2, "file is not a folder");
    dir.run("new python empty").succeeds();
    dir.run("new python full")
        .fails(2, "nothing is overwritten");
    assert_eq!(
        files(&dir.path("full")).into_values().collect::<Vec<_>>(),
        ["mine"]
    );
}
