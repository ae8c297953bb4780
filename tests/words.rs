//! Typed words and what comes of them: the exit code, and the sentence that says what to type
//! instead.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use clap::error::ErrorKind;
use testkit::list::Tests;
use testkit::run::{Dir, SMALL};
use testkit::tools::{NAMESPACES, UNIX};

use testkit::arena::until;
use testkit::record::lines_in;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        rows!(tests, TYPED, words_get_their_code_and_sentence, 111);
        rows!(tests, FITTING, a_good_first_line_is_not_judged, 2);
        rows!(tests, PRINTING, a_full_output_ends_with_1, 3);
        rows!(tests, LONG, an_interrupted_command_ends_with_130, 3);
        add!(tests, an_unknown_option_ends_with_2);
        tests.needing(&[NAMESPACES], |tests| {
            rows!(tests, SCRIPTS, a_bad_first_line_is_diagnosed, 2);
        });
    });
}

/// Typed words, the exit code, and a part of standard error. Exit codes are promised: 0 done, 1 a
/// fault of the machine, 2 a mistake in the words, 3 no winner, 4 a bot that does not start or
/// fails its check, 130 interrupted.
#[rustfmt::skip]
const TYPED: [(&str, i32, &str); 235] = [
    ("play awful good --limit 200 ms", 2, "no space in the value: --limit 200ms"),
    ("play awful good --twist", 2, "tip: the option is --rules twist"),
    ("tournament awful good --swiss", 2, "tip: the option is --format swiss"),
    ("tournament awful good --elimination", 2, "tip: the option is --format knockout"),
    ("play awful good --slow", 2, "a similar argument exists: '--delay'"),
    ("tournament --bots awful good", 2, "players are typed without an option"),
    ("play awful good --open", 2, "tip: add --web"),
    ("match awful good --games 1e3", 2, "a whole number in digits"),
    ("battle", 2, "a similar subcommand exists: 'play'"),
    ("resume", 2, "the option --resume continues a record"),
    ("build", 2, "the referee builds no bots"),
    ("serve", 2, "referee play human good --web"),
    ("settings", 2, "settings are options in a file"),
    ("upgrade", 2, "the referee does not update itself"),
    ("cup.jsonl", 2, "as in referee list cup.jsonl"),
    ("play awful", 2, "<P2>"),
    ("play awful ''", 2, "\"\" names no program"),
    ("play awful \"'good\"", 2, "a quotation mark is not closed"),
    ("play", 2, "tip: for example: referee play human good"),
    ("play 'sh bot' --seed 1", 2, "tip: for example: referee play human good"),
    ("play 'sh bot'", 2, "tip: for example: referee play 'sh bot' mediocre"),
    ("match mediocre", 2, "tip: for example: referee match mediocre good"),
    ("explain", 2, "tip: for example: referee explain cup.jsonl --player mybot"),
    ("tournament good", 2, "name another, as in referee tournament mediocre good"),
    ("play human vs good", 2, "no word between the players: referee play human good"),
    ("match good awful 100", 2, "an option may be missing: --games 100"),
    ("explain m.jsonl awful", 2, "an option may be missing: --player awful"),
    ("replay m.jsonl 3", 2, "an option may be missing: --game 3"),
    ("bots", 2, "the shipped players are awful, mediocre, fair, decent, good, human"),
    ("play human good --level 3", 2, "a level is a player: awful, mediocre"),
    ("--play good awful", 2, "a command has no hyphens: referee play"),
    ("play me good", 4, "no program \"me\" is on the PATH; the shipped players are"),
    ("run", 2, "a similar subcommand exists: 'play'"),
    ("start good awful", 2, "a similar subcommand exists: 'play'"),
    ("test", 2, "a similar subcommand exists: 'check'"),
    ("tset", 2, "a similar subcommand exists: 'check'"),
    ("init", 2, "a similar subcommand exists: 'new'"),
    ("create python", 2, "a similar subcommand exists: 'new'"),
    ("show", 2, "some similar subcommands exist: 'replay', 'report'"),
    ("stats", 2, "a similar subcommand exists: 'rank'"),
    ("elo", 2, "a similar subcommand exists: 'rank'"),
    ("man", 2, "a similar subcommand exists: 'help'"),
    ("docs", 2, "a similar subcommand exists: 'help'"),
    ("version", 2, "the version is printed by 'referee --version'"),
    ("human good", 2, "for games: referee play human good"),
    ("good --games 100", 2, "for games: referee play good mediocre"),
    (
        "match --games 5 good vs awful",
        2,
        "no word between the players: referee match --games 5 good awful",
    ),
    ("explain r.jsonl 'bad bot'", 2, "--player 'bad bot'"),
    ("'sh bot'", 2, "for games: referee play 'sh bot' mediocre"),
    ("match awful good --rounds 3", 2, "some similar arguments exist: '--games', '--series'"),
    ("match awful good -n 10", 2, "some similar arguments exist: '--games', '--series'"),
    ("play awful good --size 8", 2, "some similar arguments exist: '--rows', '--cols'"),
    ("play awful good --games 8", 2, "tip: '--games' is an option of match, tournament"),
    ("list m.jsonl --csv", 2, "tip: '--csv' is an option of tournament, rank"),
    ("match a b 'c d' --games 4", 2, "more than two players meet in a tournament: referee tournament a b 'c d' --games 4"),
    ("match a b c --verify", 2, "more than two players meet in a tournament: referee tournament P1 P2 P3"),
    ("check ./bot --fast", 2, "unexpected argument '--fast' found"),
    ("check ./bot fast", 2, "a command of several words is one player in quotation marks"),
    ("match awful good --games 4 --sprt 0,10 -q", 0, ""),
    ("match awful good --sprt 10", 2, "elo1 is missing; write both leads, as in 0,20"),
    ("match awful good --sprt 0;10", 2, "\"0;10\" is not key=value, as in elo0=0,elo1=20; 0,20 is short for it"),
    ("play 'pyhton3 bot.py' awful", 2, "did you mean \"python3 bot.py\"?"),
    ("new perl x", 2, "docs/writing-a-bot.md has all that it reads and"),
    ("match --config players.toml", 2, "there is no \"players\"; did you mean [[player]]? each player is a table"),
    ("match --config bot.toml", 2, "there is no \"bot\"; did you mean [[player]]?"),
    ("match awful good --config rounds.toml", 2, "there is no \"rounds\"; did you mean games or series?"),
    ("play awful good --rows 11", 2, "Number of rows must be >= 1 and <= 10"),
    ("check python3 bot.py", 2, "referee check 'python3 bot.py'"),
    ("match awful perl -w x.pl", 2, "match awful 'perl -w x.pl'"),
    ("play seg.cpp awful", 4, "(c++ -O2 -o ./seg seg.cpp), then name ./seg"),
    ("play ./seg.cpp awful", 4, "build it first (c++ -O2 -o ./seg ./seg.cpp), then name ./seg"),
    ("play ./run.c awful", 4, "(cc -O2 -o ./run ./run.c), then name ./run"),
    ("match godo awful", 2, "did you mean good? The shipped players are awful, mediocre, fair, decent, good and human"),
    ("match good awful --games ten", 2, "invalid value 'ten' for '--games <N>': invalid digit found in string"),
    ("plya good awful", 2, "a similar subcommand exists: 'play'"),
    ("new pyton bot", 2, "unknown language \"pyton\"; did you mean python? Choose one of these:"),
    ("tournament awful good mediocre --rounds 2", 2, "add --format swiss"),
    ("tournament awful good mediocre --format swiss --rounds 3", 2, "fewer rounds than players"),
    ("tune 'bot=test-bot tune' --param decay=0.9:0.1 --against awful", 2, "the range from 0.9 to 0.1 is empty"),
    ("debug human", 2, "a person cannot be debugged"),
    ("debug ./nothing", 4, ""),
    ("explain m.jsonl --player nobody", 2, "--player nobody: no player has that name; there are awful, mediocre"),
    ("list m.jsonl --player nobody", 2, "--player nobody: no player has that name; there are awful, mediocre"),
    ("rank m.jsonl --anchor awful=abc", 2, "\"abc\" is not a rating; write a number, as in awful=1500"),
    ("bot excellent", 2, "awful, mediocre, fair, decent, good, human"),
    ("bot fair --help", 0, ""),
    ("tournament awful mediocre --games 2 --quiet", 0, ""),
    ("replay bot.py", 2, "this is neither a record of this referee nor a log of the original program"),
    ("play awful mediocre --seed 1 --no-pause", 0, ""),
    ("demo 1 --no-pause", 0, ""),
    ("match awful awful --games 2 --quiet", 0, ""),
    ("tune 'bot=test-bot tune' --param decay=0:1 --against awful --games 8 --quiet", 0, ""),
    ("check awful --grace 60s", 0, ""),
    ("list m.jsonl", 0, ""),
    ("rank m.jsonl", 0, ""),
    ("explain m.jsonl --player awful", 0, ""),
    ("replay m.jsonl --delay 1ms", 0, ""),
    ("report m.jsonl --out page.html", 0, ""),
    ("merge m.jsonl --out copy.jsonl", 0, ""),
    ("new python my-bot", 0, ""),
    ("completions bash", 0, ""),
    ("doctor", 0, ""),
    ("--version", 0, ""),
    ("demo", 2, ""),
    ("report no-record.jsonl", 2, ""),
    ("merge half.jsonl --out whole.jsonl", 2, ""),
    ("play awful awful --max-turns 1 --no-pause", 3, ""),
    ("demo cc --no-pause --seed 1", 3, ""),
    ("match no-such-program-there awful --games 2", 4, ""),
    ("tournament awful false no-such-program-there --games 2", 4, ""),
    ("tune 'bot=test-bot tune' --param decay=0:1 --against ./none", 4, ""),
    ("check no-such-program-there", 4, ""),
    ("play awful good --rows 3 --cols 3", 2, "name the ships with --ship"),
    ("play awful good --ship '3 S'", 2, "write LEN SYMBOL NAME"),
    ("play awful good --ship 'x S sub'", 2, "\"x\" is not a length"),
    ("play ./a.rs awful", 4, "(rustc -O -o ./a ./a.rs), then name ./a"),
    ("match awful awful --games 7", 2, "games come in pairs"),
    ("tournament awful good mediocre --max-faults 1.5", 2, "a share is a number from 0 to 1"),
    ("tune 'bot=test-bot tune' --param decay=0.1:much --against awful", 2, "\"much\" is not a number"),
    ("list m.jsonl --against x", 2, "--against x: no player has that name; there are awful, mediocre"),
    ("rank m.jsonl --anchor nobody=1", 2, "no player has that name; there are awful, mediocre"),
    ("play awful good --ship '3 SS sub'", 2, "\"SS\" is not one character"),
    ("play awful good --ship '0 S sub'", 2, "Bad ship length 0; it must be >= 1"),
    ("play awful good --ship '3 X sub'", 2, "Character X must not be used"),
    ("play awful good --limit 5", 2, "write e.g. 5s or 250ms"),
    ("play awful good --limit 0s", 2, "whole milliseconds, at least one"),
    ("play awful good --limit 500us", 2, "whole milliseconds, at least one"),
    ("play awful good --grace 500000000000years", 2, "at most a year"),
    ("play 'awful --fast' good", 2, "the player awful takes no arguments"),
    ("play 'Popeye the Sailor=awful' good", 2, "needs quotation marks of its own"),
    ("play awful good --ship '-3 S sub'", 2, "Bad ship length -3; it must be >= 1"),
    ("play awful good --ship '3 S s\u{202e}b'", 2, "invisible characters"),
    ("play awful good --max-turns 0", 2, "a whole number from 1"),
    ("play awful good --seed x", 2, "is not a number from 0 to 18446744073709551615"),
    ("play awful good --seed -1", 2, "invalid value '-1' for '--seed <N>'"),
    ("play python3 bot.py mediocre", 2, "referee play 'python3 bot.py' mediocre"),
    ("play python3 bot.py", 2, "play 'python3 bot.py'"),
    ("play ./Bot.java awful", 4, "(javac ./Bot.java), then write \"java -cp . Bot\""),
    ("play bot.py awful", 4, "write \"python3 bot.py\""),
    ("play ./bot.py awful", 4, "write \"python3 ./bot.py\""),
    ("play ./x.js awful", 4, "write \"node ./x.js\""),
    ("play ./x.jar awful", 4, "write \"java -jar ./x.jar\""),
    ("play ./named.py awful", 4, "chmod +x ./named.py"),
    ("play ./named.py awful", 4, "write \"sh ./named.py\", or chmod +x"),
    ("play ./windows.py awful", 4, "fixes that, and \"python3 ./windows.py\" runs it as it is"),
    ("play god awful", 2, "did you mean good?"),
    ("check Good", 2, "did you mean good?"),
    ("play A=good_bot awful", 2, "did you mean good?"),
    ("play '~/bot' awful", 2, "only a shell replaces ~, and only outside quotation marks; write /"),
    ("play A/B=good awful", 2, "the name of a player has no / in it"),
    ("play 'Popeye the Sailor=sh bot' awful", 2, "a name with spaces needs quotation marks of its own"),
    ("play 'A@my bots=sh ./bot -v' awful", 2, "as in \"NAME@'my bots'=python3 bot.py\""),
    ("play 'A=sh bot | tee log' awful", 2, "so | would be an argument; write \"'A=sh' -c 'sh bot | tee log'\""),
    ("check 'sh bot 2>log'", 2, "write \"sh -c 'sh bot 2>log'\""),
    ("check 'cd /tmp && sh bot'", 2, "write '@/tmp=sh bot'"),
    ("play good.py awful", 4, "there is no file \"good.py\" in this folder; it would be started as \"python3 good.py\""),
    ("play 'FOO=1 sh ./bot' awful", 2, "FOO=1 referee ... --env FOO"),
    ("play \"O'Brien=sh bot\" awful", 2, "as in \"O\\'Brien=python3 bot.py\""),
    ("play good awful --seed abc", 2, "is not a number from 0 to 18446744073709551615"),
    ("match awful awful --series 3", 2, "games come in pairs"),
    ("match awful human", 2, "a human plays one game at a time"),
    ("match awful awful --sprt elo0=3", 2, "elo1 is missing"),
    ("match awful awful --shard 4/3 --out x", 2, "4/3"),
    ("match awful awful --shard 1/3", 2, "--out"),
    ("match awful awful --resume", 2, "--out"),
    ("match awful awful --out /nosuch/folder/file", 2, "/nosuch/folder/file"),
    ("match awful awful --jobs 0", 2, "--jobs"),
    ("tournament awful good mediocre --max-faults NaN", 2, "a share is a number from 0 to 1"),
    ("tournament awful good mediocre --format swiss --shard 1/2 --out x", 2, "cannot be divided"),
    ("tournament awful good mediocre --csv --json", 2, "cannot be used with"),
    ("play --rules twist --rows 12 awful awful", 2, "the boards of the game twist are always 12x12"),
    ("match --rules twist --cols 12 awful awful", 2, "the boards of the game twist are always 12x12"),
    ("tournament --rules twist --rows 5 awful awful", 2, "the boards of the game twist are always 12x12"),
    ("play --rules twist --ship '3 S sub' awful awful", 2, "the fleet of the game twist is always the same"),
    ("play --log log awful awful", 2, "only twist games have such a log; add --rules twist"),
    ("play --rules twist --first 3 awful awful", 2, "--first"),
    ("play --rules twisted awful awful", 2, "classic, salvo, twist"),
    ("play --rules twist --log /nosuch/file --out /nosuch/file awful awful", 2, "--out and --log both name /nosuch/file"),
    ("play --rules twist --log /nosuch/file awful awful", 2, "--log /nosuch/file: "),
    ("match --rules twist --log log awful awful", 2, "--log"),
    ("play awful awful --sandbox --allow /no/such/folder", 2, "there is no such folder"),
    ("play awful awful --sandbox --allow /usr/..", 2, "--allow /: that is everything"),
    ("play awful awful --sandbox=loose", 2, "possible values: world, basic"),
    ("play awful awful --allow /usr", 2, "--sandbox"),
    ("tune 'bot=test-bot tune' --param decay=0.1:0.9:1.5 --against awful", 2, "the start 1.5 is not from 0.1 to 0.9"),
    ("tune 'bot=test-bot tune' --param decay --against awful", 2, "write NAME=MIN:MAX"),
    ("tune 'bot=test-bot tune' --whole decay=0.1:0.9 --against awful", 2, "0.1 is not a whole number; for fractions use --param"),
    ("tune 'bot=test-bot tune' --param decay=0:1 --param decay=0:2 --against awful", 2, "--param decay: it is given twice"),
    ("tune 'bot=test-bot tune --decay {decay}' --param other=0:1 --against awful", 2, "there is no --param decay=MIN:MAX; add it"),
    ("tune 'bot=test-bot tune' --param decay=0:1 --resume --against awful", 2, "--out <FILE>"),
    ("tune 'bot=test-bot tune' --against awful", 2, "--param <NAME=MIN:MAX[:START]>"),
    ("debug awful --from nothing.jsonl", 2, "nothing.jsonl"),
    ("debug awful --turn 0", 2, "0 is not in 1.."),
    ("list m.jsonl --ended-by bored", 2, "the reasons are fleet_sunk, won, drawn, resigned, timeout,"),
    ("list m.jsonl --lost", 2, "--player"),
    ("list m.jsonl --worst 0", 2, "--worst"),
    ("rank m.jsonl --only nobody", 2, "\"nobody\"; there are awful, mediocre"),
    ("rank m.jsonl --only awful", 2, "no games are left among the players that they leave"),
    ("play awful ./no-such-file", 4, "there is no file \"./no-such-file\""),
    ("play awful half.jsonl", 4, "to run the file here, write ./half.jsonl"),
    ("play awful awful --pause --delay 1s", 2, "'--delay <TIME>'"),
    ("play awful awful --delay soon", 2, "'--delay <TIME>'"),
    ("play awful awful --delay 0s", 2, "'--delay <TIME>'"),
    ("match awful awful --watch", 2, "--watch needs a terminal; --report FILE writes a page"),
    ("match awful awful --watch --quiet", 2, "'--quiet'"),
    ("bot human --help", 0, ""),
    ("bot mediocre --explain", 2, "--explain"),
    ("tournament", 2, "there are no players"),
    ("tournament good", 2, "only one player"),
    ("tournament good human awful", 2, "a human plays one game at a time"),
    ("tournament awful mediocre --anchor Popeye", 2, "no player has that name; there are awful, mediocre"),
    ("play mediocre awful --watch", 2, "--watch needs a terminal"),
    ("play awful awful --out /no/such/folder/file", 2, "referee: --out /no/such/folder/file: No such file"),
    ("play awful awful --transcript /no/such/folder/file", 2, "referee: --transcript /no/such/folder/file: No such file"),
    ("play awful awful --out same --transcript same", 2, "--out and --transcript both name same"),
    ("match awful awful --games 2 --max-turns 1 --quiet", 0, ""),
    ("match awful good --games 40 --quiet --sprt elo0=0,elo1=400", 0, ""),
    ("match awful awful --games 2 --verify --quiet", 0, ""),
    ("tournament awful mediocre x=awful --games 2 --quiet", 0, ""),
    ("tournament awful false x=awful --games 2 --quiet", 0, ""),
    ("check mediocre --grace 60s", 0, ""),
    ("match --help", 0, ""),
    ("tune awful --param x=0:1 --against awful", 2, ""),
    ("check human", 2, "human: a person cannot be checked"),
    ("list no-record.jsonl", 2, ""),
    ("rank no-record.jsonl", 2, "no-record.jsonl: No such file"),
    ("explain no-record.jsonl --player awful", 2, ""),
    ("replay no-record.jsonl", 2, ""),
    ("replay m.jsonl --game 99", 2, ""),
    ("match awful awful --games 2 --out m.jsonl", 2, ""),
    ("play 'none=test-bot script \"place none\"' awful --no-pause", 3, ""),
    ("play no-such-program-there awful --no-pause", 4, "could not start: no program \"no-such-program-there\" is on the PATH"),
    ("match 'moody=test-bot script --moody \"place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h\"' awful --games 2 --verify --quiet", 4, ""),
    ("check false", 4, ""),
    ("check 'bot=test-bot fault wrong-word' --grace 60s", 4, ""),
];

/// A folder with sources of bots and with the records that the commands read.
fn folder() -> Dir {
    let dir = Dir::new();
    let words = format!("match awful mediocre --games 20 --series 10 -q {SMALL} --out");
    dir.ran(format!("{words} m.jsonl"))
        .ran(format!("{words} half.jsonl --shard 1/2"))
        .file("my bots/README", "")
        .file("windows.py", "#!/usr/bin/env python3\r\n")
        .file("players.toml", "[[players]]\ncommand = \"awful\"\n")
        .file("bot.toml", "[[bot]]\ncommand = \"awful\"\n")
        .file("rounds.toml", "rounds = 3\n");
    for source in [
        "bot.py", "seg.cpp", "run.c", "a.rs", "Bot.java", "x.js", "x.jar",
    ] {
        dir.file(source, "source\n");
    }
    dir.file("named.py", "#!/usr/bin/env sh\n")
        .executable("run.c")
        .executable("x.js");
    dir
}

fn words_get_their_code_and_sentence((words, code, sentence): (&str, i32, &str)) {
    let done = folder().run(words).ends();
    done.exits(code).warns(sentence);
    if code == 2 && words != "demo" {
        done.prints_all("");
    }
}

/// What a script begins with, and the sentence about that.
const SCRIPTS: [(&str, &str, &str); 4] = [
    (
        "lines of Windows",
        "#!/usr/bin/env python3\r\n",
        "end with a carriage return, as on Windows, and the interpreter's name seems to end with it; sed -i 's/\\r$//' \"./x.sh\"",
    ),
    (
        "a byte order mark",
        "\u{feff}#!/bin/sh\n",
        "begins with a byte order mark, so its first line names no interpreter; sed -i '1s/^\\xEF\\xBB\\xBF//' \"./x.sh\"",
    ),
    (
        "a misspelt path",
        "#!/bin/no-sh -e\n",
        "names the interpreter \"/bin/no-sh\", and there is no such file",
    ),
    (
        "a misspelt name",
        "#!/usr/bin/env -S pyhton3 -u\n",
        "names the interpreter \"pyhton3\", and there is no such program on the PATH",
    ),
];

fn a_bad_first_line_is_diagnosed((_, beginning, sentence): (&str, &str, &str)) {
    let dir = Dir::new();
    dir.file("x.sh", beginning).executable("x.sh");
    for words in ["play ./x.sh awful", "play --sandbox ./x.sh awful"] {
        dir.run(words).fails(4, sentence);
    }
}

/// What a script begins with that runs, and the command that runs it.
const FITTING: [(&str, &str); 4] = [
    ("#!/usr/bin/env -S -u PYTHONPATH sh\n", "./x.sh"),
    ("#!/usr/bin/env -S A=b 'sh'\n", "./x.sh"),
    ("\u{feff}#!/bin/sh\n", "sh x.sh"),
    ("#!/bin/sh\r\n", "sh x.sh"),
];

fn a_good_first_line_is_not_judged((beginning, command): (&str, &str)) {
    let dir = Dir::new();
    dir.file("x.sh", format!("{beginning}echo cannonade >&2\n"))
        .executable("x.sh");
    dir.run("play")
        .arg(command)
        .arg("awful")
        .fails(4, "cannonade");
}

/// The commands that print something, one of each kind.
const PRINTING: [&str; 11] = [
    "play awful awful --json",
    "demo 1 --no-pause",
    "match awful awful --games 2 --json",
    "tournament awful mediocre x=awful --games 2 --json",
    "check awful",
    "list m.jsonl",
    "rank m.jsonl",
    "explain m.jsonl --player awful",
    "replay m.jsonl --delay 1ms",
    "completions bash",
    "doctor",
];

fn a_full_output_ends_with_1(words: &str) {
    let full = std::fs::File::create("/dev/full").unwrap();
    let status = folder().run(words).stdout(full).spawn().wait();
    assert_eq!(status.unwrap().code(), Some(1));
}

/// The commands that can be interrupted once they have printed or recorded something.
const LONG: [&str; 5] = [
    "match awful awful --games 1000000 --out long.jsonl",
    "tournament awful mediocre x=awful --games 1000000 --out long.jsonl",
    "check 'bot=test-bot act --at place hang' --limit 1h",
    "replay m.jsonl --delay 1h",
    "demo 3 --games 1000000",
];

fn an_interrupted_command_ends_with_130(words: &str) {
    let dir = folder();
    let mut running = dir.run(words).stdout(Stdio::piped()).spawn();
    let mut printed = BufReader::new(running.stdout.take().unwrap());
    if words.ends_with("--out long.jsonl") {
        until("games are recorded", || {
            lines_in(dir.path("long.jsonl")) > 1
        });
    } else {
        printed.read_line(&mut String::new()).unwrap();
    }
    let process = rustix::process::Pid::from_child(&running);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    printed.read_to_end(&mut Vec::new()).unwrap();
    assert_eq!(running.wait().unwrap().code(), Some(130));
}

/// All commands that are listed, and the programs of the players.
fn an_unknown_option_ends_with_2() {
    for grammar in referee::grammars() {
        let commands = grammar.get_subcommands();
        let names = commands.map(|command| vec![grammar.get_name(), command.get_name()]);
        let mut names: Vec<_> = names.collect();
        names.push(vec![grammar.get_name()]);
        for mut words in names {
            if words.last() != Some(&"help") {
                words.push("--no-such-option");
                let error = grammar.clone().try_get_matches_from(&words).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::UnknownArgument, "{words:?}");
            }
        }
    }
    let dir = Dir::new();
    for name in ["referee", "awful-bot", "good-bot", "human-bot"] {
        dir.program(name, "--no-such-option")
            .fails(2, "--no-such-option");
    }
}
