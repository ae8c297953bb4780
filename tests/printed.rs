//! The commands that are printed as advice: each of them runs as it is printed.

use testkit::list::Tests;
use testkit::record::lines_in;
use testkit::run::{Dir, Done};
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        rows!(tests, ADVICE, a_printed_command_runs);
        #[cfg(unix)]
        rows!(tests, STOPPED, a_stopped_run_prints_its_continuation);
    });
}

/// A bot that starts in its folder alone, and with the variable NEEDED.
const BOT: &str = "test \"$NEEDED\" = 1 || exit 9\nexec test-bot fault wrong-word\n";

/// A judge of a game of one reply, which has to be x.
const JUDGE: &str = "\
while read -r word rest; do
  case $word in
  judge) echo game one ;;
  begin) echo ask 1 move ;;
  reply)
    case $rest in
    '1 x') echo over 1 done ;;
    *) echo bad 1 expected x ;;
    esac ;;
  quit) exit ;;
  esac
done
";

/// A player of that game.
const PLAYER: &str = "\
while read -r word rest; do
  case $word in
  battleship) echo plays any; echo ready ;;
  move) ACT ;;
  quit) exit ;;
  esac
done
";

/// The words of a run that prints commands, and a part of one of them.
const ADVICE: [(&str, &str); 12] = [
    (
        "play \"B@'my bots'=sh bot.sh\" awful --env NEEDED --seed 1",
        "referee debug \"'B@my bots=sh' bot.sh\" awful --env NEEDED",
    ),
    (
        "play @my=awful \"'Eve Q@my bots=sh' bot.sh\" --clock 60s --rows 9 --env NEEDED --no-pause",
        "--rows 9 --clock 60000ms --env NEEDED",
    ),
    (
        "play 'my bots' awful --limit 7s --retries 2 --apart --env NEEDED --seed 1",
        "referee check \"'my bots'\" --apart --limit 7000ms --retries 2",
    ),
    (
        "play \"B='my bots'\" awful --limit B=7s --grace 1s --env NEEDED --seed 1",
        "referee check \"B='my bots'\" --limit 7000ms --grace 1000ms",
    ),
    (
        "play 'B@my=sh wrong.sh' 'C@my=sh wrong.sh' --judge '@my=sh judge.sh' --seed 1",
        "referee check 'B@my=sh wrong.sh' --judge '@my=sh judge.sh'",
    ),
    (
        "match 'B@my=sh bot.sh -x' awful --games 2 --seed 1 --start-limit B=60s",
        "referee check 'B@my=sh bot.sh -x' --start-limit 60000ms",
    ),
    (
        "tournament 'B@my=sh bot.sh' good --format gauntlet --games 2 --rows 9 --seed 1",
        "referee check 'B@my=sh bot.sh' --rows 9",
    ),
    (
        "explain m --player B",
        "referee debug '@my=sh late.sh' --from m --env NEEDED --game",
    ),
    (
        "explain m --player B --game 2",
        "referee debug '@my=sh late.sh' --from m --env NEEDED --game 2 --player B",
    ),
    (
        "match 'B@my=sh late.sh' awful --games 4 --seed 1 --clock 60s --env NEEDED",
        "referee check 'B@my=sh late.sh' --clock 60000ms --env NEEDED",
    ),
    (
        "match 'A@my=sh right.sh' 'B@my=sh right.sh' --judge '@my=sh dies.sh' --games 4 --seed 1 --out m",
        "referee check --judge '@my=sh dies.sh'",
    ),
    (
        "match 'B@my=sh bot.sh' awful --games 4 --seed 1 --env NEEDED",
        "referee check 'B@my=sh bot.sh' --env NEEDED",
    ),
];

fn folder() -> Dir {
    let dir = Dir::new();
    dir.file("my bots/bot.sh", BOT).file("my/bot.sh", BOT);
    dir.file("my bots/bot.toml", "run = \"sh bot.sh\"\n");
    let late = "exec test-bot act --after 5 say 'fire 0 0\\n'";
    dir.file(
        "my/late.sh",
        BOT.replace("exec test-bot fault wrong-word", late),
    );
    dir.file("my/judge.sh", JUDGE);
    dir.file(
        "my/dies.sh",
        JUDGE.replace("'1 x') ", "'1 x') n=$((n + 1)); test $n = 2 && exit 3; "),
    );
    dir.file("my/right.sh", PLAYER.replace("ACT", "echo x"));
    dir.file("my/wrong.sh", PLAYER.replace("ACT", "exit 3"));
    dir
}

/// The commands in the output of a run.
fn printed(done: &Done) -> Vec<String> {
    let mut commands = Vec::new();
    for line in done.stdout.lines().chain(done.stderr.lines()) {
        let starts = line.match_indices("referee ").map(|(start, _)| start);
        for start in starts.filter(|start| *start == 0 || line.as_bytes()[start - 1] == b' ') {
            let rest = &line[start..];
            let ends = [" says ", " stops there", " shows ", " may ", ", referee"];
            let end = ends.iter().filter_map(|end| rest.find(end)).min();
            commands.push(rest[..end.unwrap_or(rest.len())].to_owned());
        }
    }
    commands
}

fn a_printed_command_runs((words, part): (&str, &str)) {
    let dir = folder();
    if words.starts_with("explain") {
        let played = "match 'B@my=sh late.sh' awful --games 4 --seed 1 -q --env NEEDED --out m";
        dir.run(played).env("NEEDED", "1").succeeds();
    }
    let done = dir.run(words).env("NEEDED", "1").ends();
    let commands = printed(&done);
    if !commands.iter().any(|command| command.contains(part)) {
        done.fail(&format!("no command has {part:?}: {commands:?}"));
    }
    for command in &commands {
        let run = dir.program("sh", "-c").arg(command).env("NEEDED", "1");
        let ran = run.ends();
        // A check fails for the fault that it is to show, and not since the bot is not found.
        if !matches!(ran.code, Some(0 | 4)) {
            ran.fail(&format!("{command} does not run"));
        }
        ran.lacks("cannot open").lacks("could not start");
        if command.contains("NEEDED") {
            ran.lacks("status 9");
        }
    }
}

/// The words of runs that are stopped, and the least number of lines in the record when they are.
#[cfg(unix)]
const STOPPED: [(&str, usize); 4] = [
    (
        "match 'B@my=awful' awful --games 400 --series 4 --jobs 1 --out 'a b' --force --env NEEDED",
        4,
    ),
    (
        "match --force --games 400 --series 4 --jobs 1 --out m -- awful mediocre",
        4,
    ),
    (
        "tournament awful mediocre \"'a b=awful'\" --games 200 --series 4 --jobs 1 --force --out m",
        4,
    ),
    (
        "tune 'test-bot tune --decay {decay}' --against awful --param decay=0.1:0.9 --games 400 --force --out m",
        2,
    ),
];

#[cfg(unix)]
fn a_stopped_run_prints_its_continuation((words, lines): (&str, usize)) {
    let dir = folder();
    dir.file("m", "").file("a b", "");
    let file = if words.contains("--out m") {
        "m"
    } else {
        "a b"
    };
    let board = "--rows 2 --cols 3 --ship '2 R rowboat'";
    let words = match words.split_once(" --force") {
        Some((before, after)) => format!("{before} {board} --force{after}"),
        None => words.to_owned(),
    };
    let done = dir
        .run(words)
        .env("NEEDED", "1")
        .interrupted(|| lines_in(dir.path(file)) > lines);
    done.exits(130);
    let line = done.stderr.split("this continues:\n").nth(1).unwrap();
    let played = lines_in(dir.path(file));
    dir.program("sh", "-c").arg(line.trim()).succeeds();
    assert!(lines_in(dir.path(file)) > played, "{line}");
}
