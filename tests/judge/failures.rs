//! Judges that fail: no player is to blame, the reason quotes the judge, and a match goes on or
//! stops.

use testkit::list::{Tests, Tier};
use testkit::run::Dir;

use super::{BOTH, faulty, with_fault};
use testkit::text::all_are_right;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_failing_judge_blames_no_player,
        a_game_without_an_end_is_void,
        a_judge_without_a_game_starts_nothing,
        an_odd_judge_plays_on,
        an_exit_behind_over_spoils_one_game,
        an_image_is_no_markup,
        three_failures_in_a_row_stop,
        a_player_that_stumps_judges_is_out
    );
    tests.tier(Tier::Thorough, |tests| add!(tests, a_silent_judge_fails));
}

/// What a judge does, and the reason for which the game is void. The words of judges are read in
/// the library.
#[rustfmt::skip]
const FAILURES: [(&str, &str); 15] = [
    ("turn 'hello\\n'", "it said \"hello\": a judge does not say \"hello\"; lines for its author go to standard error or begin with #"),
    ("turn 'ITSask 2 attack\\n'", "it said \"ask 2 attack\": behind ask, bad and over it waits"),
    ("turn 'bad 1 one of: 1\\n'", "it said \"bad 1 one of: 1\": bad is only the first line after a reply of that player"),
    ("begin '' 1 3", "exited with status 3; nothing on stderr"),
    ("reply '' 1 0", "exited with status 0; nothing on stderr"),
    ("begin 'bad 1 one of: 1\\n'", "it said \"bad 1 one of: 1\": bad is only the first line after a reply of that player"),
    ("over 'ITSover 2 x\\n'", "it said \"over 2 x\": behind ask, bad and over it waits"),
    ("over '' 1 3", "exited with status 3; nothing on stderr"),
    ("turn '' 1 close", "closed its output before an answer to reply"),
    ("turn 'ask 1 att' 1 close", "it said \"ask 1 att\": the line has no line feed"),
    ("turn x 5000", "said a line of more than 4096 bytes, beginning \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\""),
    ("turn 'show * x\\n' 10000", "said far more than it was asked for"),
    ("turn '# x\\n' 20000", "said far more than it was asked for"),
    ("turn 'figure 2 a 1\\nfigure 2 b 1\\nfigure 2 c 1\\nfigure 2 d 1\\nfigure 2 e 1\\nfigure 2 f 1\\nfigure 2 g 1\\nfigure 2 h 1\\nfigure 1 i 2\\nfigure 2 a 2\\nfigure 2 i 2\\n'", "it said \"figure 2 i 2\": a player has more than 8 figures"),
    ("judge 'ITSgame turns 10 10\\n'", "it said \"game turns 10 10\": behind ask, bad and over it waits"),
];

fn a_failing_judge_blames_no_player() {
    let mut wrong = Vec::new();
    for (words, what) in FAILURES {
        let dir = Dir::new();
        let run = dir.run(format!("play {BOTH} --json --no-pause --transcript d"));
        let done = with_fault(run, words).ends();
        let game = done.game();
        let after = match words.split(' ').next() {
            Some("begin" | "judge") => "",
            Some("over") => "; after the reply \"attack 0 2\"",
            _ => "; after the reply \"attack 0 0\"",
        };
        let reason = format!("the judge failed: {what}{after}");
        let told = dir.text("d").matches(" <- end void judge_failed\n").count();
        let is_void = game.text("ended_by") == "judge_failed" && game.0["winner"].is_null();
        let is_right = is_void && game.text("reason") == reason && told == 2;
        if !is_right || done.code != Some(3) || !done.stderr.ends_with(&format!("{reason}\n")) {
            let ending = (game.text("ended_by"), game.text("reason"));
            wrong.push(format!("{words}: {:?}, {told} told: {ending:?}", done.code));
        }
    }
    all_are_right(&wrong);
}

fn a_silent_judge_fails() {
    let dir = Dir::new();
    let done = with_fault(dir.run(format!("play {BOTH} --no-pause")), "turn ''").ends();
    done.exits(3)
        .warns("it said neither ask nor over within 10 s of \"reply 2 attack 0 0\"");
}

fn a_game_without_an_end_is_void() {
    let dir = Dir::new();
    let run = dir.run(format!("play {BOTH} --json --max-turns 5"));
    let done = with_fault(run, "over 'ask 1 attack\\n'").fails(3, "in 5 turns of each");
    assert_eq!(done.game().text("ended_by"), "turn_cap");
}

/// What a judge does before it has announced its game, and the sentence about it.
const WITHOUT_GAME: [(&str, &str); 3] = [
    (
        "judge 'hello\\n'",
        "it said \"hello\": expected game, and the name of the game",
    ),
    ("judge '' 1 3", "exited with status 3"),
    (
        "judge '' 1 close",
        "closed its output before an answer to judge",
    ),
];

fn a_judge_without_a_game_starts_nothing() {
    for (words, sentence) in WITHOUT_GAME {
        let dir = Dir::new();
        let run = dir.run("match 'A=touch started' 'B=touch started' --out m");
        with_fault(run, words).fails(4, sentence).lacks("started:");
        assert!(
            !dir.path("started").exists() && !dir.path("m").exists(),
            "{words}"
        );
    }
    let dir = Dir::new();
    dir.run(format!("play {BOTH} --judge good"))
        .fails(2, "that is a player; a judge is a program");
}

/// What a judge may do.
const ODD: [&str; 5] = [
    "turn '# thinking\\nITS'",
    "turn 'ITS# thinking\\n'",
    "quit '' 1 stay",
    "quit 'x\\n' 100000 stay",
    "quit '' 1 3",
];

fn an_odd_judge_plays_on() {
    for words in ODD {
        let dir = Dir::new();
        let run = dir.run(format!(
            "match {BOTH} --games 2 -q --seed 1 --grace 100ms --out m"
        ));
        with_fault(run, words).succeeds();
        for game in dir.record("m").games() {
            assert_eq!(game["ended_by"], "won", "{words}: {}", game["reason"]);
        }
    }
}

/// A judge may leave after `quit` alone. The game that is over counts, and a new judge plays the
/// one after the next.
fn an_exit_behind_over_spoils_one_game() {
    let dir = Dir::new();
    let run = dir.run(format!(
        "match {BOTH} --games 4 --series 4 --seed 1 -q --out m"
    ));
    with_fault(run, "over ITS 1 3")
        .fails(4, "the judge failed in 2 of 4 games, which count for nobody. The first is A-vs-B-game-2: the judge failed: exited with status 3; nothing on stderr; referee replay m --game A-vs-B-game-2 shows that game; referee check --judge");
    let record = dir.record("m");
    let endings = record
        .games()
        .into_iter()
        .map(|game| game["ended_by"].as_str().unwrap());
    let endings: Vec<_> = endings.collect();
    assert_eq!(endings, ["won", "judge_failed", "won", "judge_failed"]);
    assert_eq!(
        record.games()[1]["reason"],
        "the judge failed: exited with status 3; nothing on stderr"
    );
}

/// Scripts in text and in an image.
const SCRIPT: &str = "turn 'show * </pre><script>alert(1)</script>\\nshow * <svg onload=alert(2)>\\nshow * <script>alert(3)</script></svg>\\nITS'";

fn an_image_is_no_markup() {
    let dir = Dir::new();
    let run = dir.run(format!(
        "match {BOTH} --games 2 -q --seed 1 --out m --report all.html"
    ));
    with_fault(run, SCRIPT).succeeds();
    dir.run("report m --game 1 -o one.html").succeeds();
    for page in ["all.html", "one.html"] {
        let html = dir.text(page);
        assert!(
            html.contains("&#60;script&#62;alert(1)"),
            "{page}: the text is there"
        );
        assert!(
            html.contains("data:image/svg+xml;base64,PHN2Zy"),
            "{page}: the image is there"
        );
        for markup in ["<script>alert", "<svg onload"] {
            assert!(!html.contains(markup), "{page} has {markup}");
        }
    }
    dir.run("replay m --game 1 --plain --delay 1ms")
        .succeeds()
        .lacks("onload");
}

fn three_failures_in_a_row_stop() {
    let dir = Dir::new();
    let run = dir.run(format!(
        "match {BOTH} --games 10 --series 2 --seed 1 -q --jobs 1 --out m"
    ));
    let sentence = "the judge failed: it said \"hello\": a judge does not say \"hello\"; lines for its author go to standard error or begin with #; after the reply \"attack 0 0\"";
    let done = with_fault(run, "turn 'hello\\n'").fails(4, sentence);
    done.warns("in a row, first in A-vs-B-game-1; the contest stops. referee check --judge");
    let record = dir.record("m");
    assert_eq!(record.games().len(), 4, "two series");
    assert!(
        record
            .games()
            .iter()
            .all(|game| game["ended_by"] == "judge_failed")
    );
}

/// The judge dies of its `hello`, as one of a bare `int()`.
fn a_player_that_stumps_judges_is_out() {
    let dir = Dir::new();
    let bot = "while read -r word rest; do case $word in battleship) echo plays turns; echo ready;; attack) echo hello;; quit) exit;; esac; done";
    dir.file("hello.sh", bot);
    let words = format!(
        "tournament {BOTH} 'Rogue=sh hello.sh' --games 20 --series 2 --seed 1 --jobs 1 -q --json --out m"
    );
    let done = with_fault(dir.run(&words), "hello '' 1 1").succeeds();
    let summary = done.json();
    let record = dir.record("m");
    let games = record.games();
    let count = |ended_by: &str| {
        games
            .iter()
            .filter(|game| game["ended_by"] == ended_by)
            .count()
    };
    assert_eq!(count("won"), 20);
    assert_eq!(count("judge_failed"), 4, "two series");
    let out = [0, 1, 2].map(|player| summary["players"][player]["disqualified"] == true);
    assert_eq!(out, [false, false, true]);
    assert_eq!(summary["players"][2]["judge_failed"], 4);
    dir.run("explain m --player Rogue")
        .succeeds()
        .prints("the judge failed right after its replies in 4 games, which count for nobody");
    dir.run(format!("{} --resume", words.replace(" --json", "")))
        .arg("--judge")
        .arg(faulty("hello '' 1 1"))
        .succeeds()
        .prints("Rogue is disqualified: the judge failed right after its");
}
