//! Settings from a file: a contest by `--config`, and the `referee.toml` of the current folder.

use testkit::list::Tests;
use testkit::record::list;
use testkit::run::{Dir, Done};
use testkit::text::has;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_file_describes_a_tournament,
        typed_words_replace_those_of_a_file,
        players_are_named_in_one_place,
        a_player_may_have_a_folder_and_limits,
        settings_of_the_folder_hold_and_are_named,
        a_named_file_counts_behind_a_mistake
    );
    tests.needing(&[UNIX], |tests| {
        add!(tests, unreadable_settings_of_the_folder_are_refused);
    });
    rows!(tests, WRONG_FILES, a_fault_in_a_file_has_its_line, 6);
    rows!(tests, WRONG_SETTINGS, a_wrong_setting_has_its_line, 4);
}

/// `sandbox = true` in such a file would be lost without a word.
fn unreadable_settings_of_the_folder_are_refused() {
    for (make, why) in [
        ("ln -s gone/referee.toml referee.toml", "No such file"),
        ("ln -s referee.toml referee.toml", "symbolic links"),
        ("mkdir referee.toml", "this is not a file"),
        ("mkfifo referee.toml", "this is not a file"),
    ] {
        let dir = Dir::new();
        dir.program("sh", "-c").arg(make).succeeds();
        let done = dir.run("play awful mediocre --seed 1 --no-pause").ends();
        done.exits(2)
            .warns("referee: referee.toml: ")
            .warns(why)
            .warns("its settings would be ignored");
    }
}

const CUP: &str = r#"
format = "gauntlet"
games = 4
series = 2
seed = 0x10
rows = 4
cols = 5
ship = ["3 S submarine", "2 R rowboat"]
limit = "60s"
max-faults = 0.5
restart = false
ponder = true
json = true
quiet = true

[[player]]
name = "Popeye the Sailor"
command = "mediocre"

[[player]]
command = "awful"

[[player]]
command = "decent"
"#;

/// A tournament from a file with this text, with what is typed besides.
fn cup(text: &str, words: &str) -> Done {
    Dir::new()
        .file("cup.toml", text)
        .run(format!("tournament --config cup.toml {words}"))
        .ends()
}

fn a_file_describes_a_tournament() {
    let summary = cup(CUP, "").exits(0).is_quiet().json();
    let players = list(&summary["players"]).iter();
    let names: Vec<_> = players.map(|player| &player["name"]).collect();
    assert_eq!(names, ["Popeye the Sailor", "awful", "decent"]);
    assert_eq!(
        [&summary["schedule"], &summary["players"][0]["command"]],
        ["gauntlet", "mediocre"]
    );
    assert_eq!(
        ["games", "series", "seed"].map(|field| summary[field].as_u64().unwrap()),
        [8, 4, 16]
    );
    let repeat = summary["players"][1]["worst_game"]["repeat"]
        .as_str()
        .unwrap();
    for words in [
        "--rows 4 --cols 5 --ship '3 S submarine' --ship '2 R rowboat'",
        "--limit 60000ms",
        "--ponder",
    ] {
        has(repeat, words);
    }
}

fn typed_words_replace_those_of_a_file() {
    let summary = cup(CUP, "--games 2 --format=round-robin --ship '1 B buoy'")
        .exits(0)
        .json();
    assert_eq!(
        (&summary["schedule"], &summary["games"]),
        (&"round-robin".into(), &6.into())
    );
    let repeat = summary["players"][1]["worst_game"]["repeat"]
        .as_str()
        .unwrap();
    assert!(
        repeat.contains("--ship '1 B buoy'") && !repeat.contains("rowboat"),
        "{repeat}"
    );
    assert!(
        cup(CUP, "--csv")
            .exits(0)
            .stdout
            .starts_with("place,player,")
    );
}

fn players_are_named_in_one_place() {
    let both = "there are players on the command line and in the file";
    cup(CUP, "awful decent").exits(2).warns(both).prints_all("");
    let options = CUP.split_once("[[player]]").unwrap().0;
    assert_eq!(cup(options, "awful decent").exits(0).json()["games"], 4);
    cup(options, "").exits(2).warns("there are no players");
    let one = format!("{options}\n[[player]]\ncommand = 'awful'");
    cup(&one, "")
        .exits(2)
        .warns("there is only one player: name another");
    let dir = Dir::new();
    dir.file("cup.toml", "[[player]]\ncommand = 'decent'");
    dir.run("match awful mediocre --config cup.toml")
        .fails(2, both);
}

fn a_player_may_have_a_folder_and_limits() {
    let dir = Dir::new();
    dir.file("my bots/one/bot.sh", "exec referee bot awful");
    let play = |folder: &str, limit: &str, more: &str| {
        let text = format!(
            "games = 2\nseed = 1\nquiet = true\nlimit = '20s'\n[[player]]\nname = \"o'Popeye\"\n\
             command = ['sh', 'bot.sh']\ndir = '{folder}'\nlimit = '{limit}'\nstart-limit = '30s'\n\
             [[player]]\ncommand = 'mediocre'\n"
        );
        dir.file("cup.toml", text);
        dir.run(format!("tournament --config cup.toml --out cup {more}"))
            .ends()
    };
    play("my bots/one", "9s", "").exits(0);
    let record = dir.record("cup");
    let player = &record.lines[0]["config"]["players"][0];
    assert_eq!(
        (&player["dir"], &player["limit_ms"]),
        (&"my bots/one".into(), &9000.into())
    );
    assert_eq!(
        [0, 1].map(|side| record.lines[1]["players"][side]["limit_ms"]
            .as_u64()
            .unwrap()),
        [9000, 20_000]
    );
    for (folder, limit, change) in [
        (
            "my bots/one",
            "8s",
            "players 1: limit_ms: 9000 there, 8000 here",
        ),
        ("./my bots/one", "9s", "players 1: dir: "),
    ] {
        let done = play(folder, limit, "--resume");
        done.exits(2)
            .warns("is of another contest; what differs: ")
            .warns(change);
    }
}

/// A file, its wrong line, and what is printed about that. A fault of the whole file is in line 0.
const WRONG_FILES: [(&str, u32, &str); 24] = [
    ("games = 4\ngames 5", 2, "text has quotation marks"),
    ("gaems = 4", 1, "there is no \"gaems\"; did you mean games?"),
    (
        "sandbox = 'loose'",
        1,
        "invalid value 'loose' for '--sandbox[=<LEVEL>]' [possible values: world, basic]",
    ),
    (
        "[[player]]\ncommand = 'x'\nelo = 1",
        3,
        "player: there is no \"elo\"; there are name, command, dir, limit, start-limit",
    ),
    (
        "[[player]]\ncommand = \"good\"\n[[player]]\n\ncommand = \"python3 'x\"\n",
        5,
        "a quotation mark is not closed",
    ),
    (
        "resume = true\n[[player]]\ncommand = 'awful'\n[[player]]\ncommand = 'good'",
        1,
        "--resume: name the record with --out FILE",
    ),
    (
        "games = 2.0",
        1,
        "invalid value '2.0' for '--games <N>': invalid digit found in string",
    ),
    (
        "games = ten",
        1,
        "text has quotation marks, as in command = \"./bot\"",
    ),
    (
        "[[players]]\ncommand = 'awful'",
        1,
        "each player is a table: [[player]]",
    ),
    (
        "[[player]]\ncommand = \"C:\\bots\\bot.exe\"",
        2,
        "write the text between apostrophes, as in 'C:\\bots\\bot.exe'",
    ),
    (
        "seed = 1\nmax_faults = 1",
        2,
        "there is no \"max_faults\"; did you mean max-faults?",
    ),
    (
        "games = true",
        1,
        "invalid value 'true' for '--games <N>': invalid digit found in string",
    ),
    (
        "\n\ngames = 'many'",
        3,
        "invalid value 'many' for '--games <N>': invalid digit found in string",
    ),
    (
        "format = 'league'",
        1,
        "invalid value 'league' for '--format <FORMAT>' [possible values: round-robin",
    ),
    (
        "games = [2, 4]",
        1,
        "the argument '--games <N>' cannot be used multiple times",
    ),
    (
        "ship = [['2 R rowboat']]",
        1,
        "ship: expected text, a number, true, false, or a list of texts",
    ),
    (
        "ponder = 'yes'",
        1,
        "--ponder is on or off: write true or false",
    ),
    (
        "limit = 5",
        1,
        "invalid value '5' for '--limit <TIME>': expected a number and its unit",
    ),
    ("config = 'cup.toml'", 1, "there is no \"config\""),
    ("player = 'awful'", 1, "each player is a table: [[player]]"),
    ("[[player]]\nname = 'x'", 1, "player: command is missing"),
    (
        "[[player]]\ncommand = 1",
        2,
        "player: command: expected a command as text, or as a list of its words",
    ),
    (
        "grace = '1s'\n[limits]\ngrace = '2s'",
        1,
        "the argument '--grace <TIME>' cannot be used multiple times",
    ),
    (
        "[[player]]\ncommand = \"'x\"\n[[player]]\ncommand = 'awful'",
        2,
        "a quotation mark is not closed",
    ),
];

fn a_fault_in_a_file_has_its_line((wrong, line, reason): (&str, u32, &str)) {
    let done = cup(wrong, "");
    done.exits(2).warns(reason).prints_all("");
    if line > 0 {
        done.warns(&format!("referee: cup.toml, line {line}: "));
    }
}

const MATCH: &str = "match awful mediocre --games 2 --seed 1";

const LIMITS: &str = "[limits]\nlimit = '40s'\ngrace = '2s'\n[sandbox]\nmax-memory = 512\n";

fn settings_of_the_folder_hold_and_are_named() {
    let dir = Dir::new();
    dir.file("referee.toml", LIMITS)
        .file("other.toml", "[limits]\nlimit = '50s'\n");
    let limit = |words: &str| {
        let done = dir
            .run(format!("play awful mediocre --seed 1 --json {words}"))
            .succeeds();
        (
            done.json()["players"][0]["limit_ms"].as_u64().unwrap(),
            done.stderr.contains("referee.toml sets"),
        )
    };
    assert_eq!(limit(""), (40_000, true));
    assert_eq!(limit("--limit 30s"), (30_000, true));
    assert_eq!(limit("--config other.toml"), (50_000, false));
    dir.run("tournament --config no-such.toml")
        .fails(2, "--config no-such.toml: No such file");
    let words = format!("{MATCH} --out m --quiet");
    let done = dir.run(&words).succeeds();
    assert_eq!(
        done.stderr,
        "referee: referee.toml sets grace, limit, max-memory\n"
    );
    let record = dir.record("m");
    let config = &record.lines[0]["config"];
    assert_eq!([&config["limit_ms"], &config["grace_ms"]], [40_000, 2000]);
    // As if they had been typed, they are compared when the contest continues.
    std::fs::remove_file(dir.path("referee.toml")).unwrap();
    dir.run(format!("{words} --resume")).fails(2, "limit");
    dir.run(format!("{words} --resume --limit 40s --grace 2s"))
        .succeeds();
}

/// Settings, their wrong line, and what is printed about that.
const WRONG_SETTINGS: [(&str, u32, &str); 11] = [
    (
        "[bots]\n\"out=made --games\" = 2",
        2,
        "there is no \"out=made",
    ),
    (
        "[sandbox]\nmax-memry = 5",
        2,
        "there is no \"max-memry\"; did you mean max-memory?",
    ),
    (
        "[limits]\nlimit = 'soon'",
        2,
        "'--limit <TIME>': expected a number",
    ),
    (
        "games = 4",
        1,
        "referee.toml may have [limits], [sandbox], [bots] alone; a file that --config names may have games",
    ),
    (
        "[limits]\n\"out=made\" = true",
        2,
        "there is no \"out=made\"; its keys are the names of long options",
    ),
    ("[bots]\n\"\" = true", 2, "there is no \"\""),
    (
        "[limits]\n\nlimits = 5",
        3,
        "there is no \"limits\"; did you mean limit?",
    ),
    (
        "[cluster]\nshards = 4",
        1,
        "there is no section [cluster]; the sections are [limits], [sandbox], [bots]",
    ),
    (
        "[sandbox]\nsandbox = true\nallow = ['no-such-folder']",
        3,
        "--allow no-such-folder: there is no such folder",
    ),
    ("[bots]\non = 'slurm'", 2, "there is no \"on\""),
    (
        "[[player]]\ncommand = 'good'",
        1,
        "a file that --config names may have player",
    ),
];

fn a_wrong_setting_has_its_line((wrong, line, reason): (&str, u32, &str)) {
    let dir = Dir::new();
    dir.file("referee.toml", wrong);
    let place = format!("referee.toml, line {line}: ");
    dir.run(MATCH)
        .fails(2, &format!("referee: {place}"))
        .warns(reason)
        .prints_all("");
    dir.run("check mediocre").fails(2, &place);
}

/// The reading of words ended at the mistake, and the usual file was blamed.
fn a_named_file_counts_behind_a_mistake() {
    let dir = Dir::new();
    dir.file("referee.toml", "rows = 8\n");
    dir.file("my.toml", "[limits]\nlimit = '2s'\n");
    dir.run("match awful mediocre --games x --config my.toml")
        .fails(2, "invalid value 'x' for '--games <N>'");
}
