//! Players of a game that a judge knows: bots that misbehave, bots that may try again, a model, and
//! a person.

use testkit::list::Tests;
use testkit::run::{Dir, Game};

use super::{BOTH, JUDGE, example, with_fault};
use testkit::text::all_are_right;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_fault_of_a_bot_loses,
        a_bot_of_another_game_could_not_start,
        refused_replies_are_counted,
        refused_replies_are_counted_in_battleship,
        a_model_plays_a_whole_game,
        a_person_sees_its_own_lines,
        a_person_may_always_try_again
    );
}

/// What a bot does at its second attack, the reason for which it loses, and the sentence: as in
/// Battleship, but for what is a bad reply.
#[rustfmt::skip]
const FAULTS: [(&str, &str, &str); 10] = [
    ("say 'fire\\n'", "bad_reply", "\"fire\" breaks the rules: expected: attack 0 0"),
    ("say '\\n'", "bad_reply", "\"\" breaks the rules: a reply is a line with no space at either end"),
    ("say 'attack 0 0 \\n'", "bad_reply", "\"attack 0 0 \" breaks the rules: a reply is a line with no space at either end"),
    ("say 'attack \\xff\\n'", "bad_reply", "\"attack \\xff\" breaks the rules: the line is not UTF-8"),
    ("say 'attack \\e[2J\\n'", "bad_reply", "\"attack \\u{1b}[2J\" breaks the rules: the line has control characters"),
    ("say 'attack \\0\\n'", "bad_reply", "\"attack \\u{0}\" breaks the rules: the line has control characters"),
    ("say 'resign\\n'", "resigned", "resigned"),
    ("exit 1", "exited", "exited with status 1; nothing on stderr"),
    ("crash", "crashed", "was ended by signal 6 (abort: a failed assertion, or an exception that nothing catches); nothing on stderr"),
    ("hang", "timeout", "no reply to attack within 1 s (0 bytes read; is stdout flushed?)"),
];

fn a_fault_of_a_bot_loses() {
    let dir = Dir::new();
    dir.file("judge.sh", JUDGE);
    let mut wrong = Vec::new();
    for (flags, ended_by, sentence) in FAULTS {
        let limit = if ended_by == "timeout" { "1s" } else { "60s" };
        let words =
            format!("play --judge 'sh judge.sh' --json --seed 1 --limit 1={limit} --limit 2=60s");
        let rogue = format!("A=test-bot act --plays turns --after 1 {flags}");
        let run = dir
            .run(&words)
            .arg(rogue)
            .arg("B=test-bot act --plays turns nothing");
        let game = run.succeeds().game();
        let ending = [
            game.text("ended_by"),
            game.text("winner"),
            game.text("reason"),
        ];
        let reason = match ended_by {
            "resigned" => "A resigned".to_owned(),
            _ => format!("A forfeits: {sentence}"),
        };
        if ending != [ended_by, "B", &reason] {
            wrong.push(format!("{flags}: {ending:?}"));
        }
    }
    all_are_right(&wrong);
}

fn a_bot_of_another_game_could_not_start() {
    let dir = Dir::new();
    dir.file("judge.sh", JUDGE);
    let done = dir
        .run(format!(
            "play {} awful --judge 'sh judge.sh' --no-pause",
            "'A=test-bot act --plays turns nothing'"
        ))
        .ends();
    done.exits(4)
        .warns("awful")
        .warns("could not start: it does not play turns");
}

/// The number of refused replies of both players in a game.
fn refused(game: &Game) -> [u64; 2] {
    [0, 1].map(|side| game.0["players"][side]["retries"].as_u64().unwrap_or(0))
}

fn refused_replies_are_counted() {
    let dir = Dir::new();
    let bots = "'A=test-bot act --plays turns say \"x\\n\"' 'B=test-bot act --plays turns nothing'";
    for (retries, ended_by, count) in [(0, "bad_reply", 0), (1, "won", 1), (9, "won", 1)] {
        let run = dir.run(format!("play {bots} --json --seed 1 --retries {retries}"));
        let game = with_fault(run, "").succeeds().game();
        assert_eq!(
            (game.text("ended_by"), refused(&game)),
            (ended_by, [count, 0])
        );
    }
    let words = format!("match {bots} --games 2 --seed 1 --retries 1 -q");
    let done = with_fault(dir.run(&words), "").succeeds();
    done.prints("\n replies refused   1  ");
    let summary = with_fault(dir.run(format!("{words} --json")), "")
        .succeeds()
        .json();
    assert_eq!(summary["players"][0]["retries"], 1);
    let words = format!("match {BOTH} --games 2 --seed 1 --retries 1 -q");
    with_fault(dir.run(&words), "").succeeds().lacks("refused");
}

/// A placement and an attack are refused once each.
fn refused_replies_are_counted_in_battleship() {
    let bot = "while read -r word rest; do case $word in battleship) echo ready;; \
        place) [ $p ] && echo place 0 0 h || echo place 9 9 h; p=1;; \
        attack) [ $a ] && echo attack 0 $a || echo fire; a=$((a + 1));; \
        again) echo \"$rest\" >>again;; quit) exit;; esac; done";
    let dir = Dir::new();
    dir.file("bot.sh", bot);
    let play = |retries: u32| {
        let run = dir.run(format!(
            "play 'A=sh bot.sh' awful --first 1 --json --retries {retries}"
        ));
        run.small().ends().game()
    };
    for (retries, count) in [(0, 0), (1, 1)] {
        let game = play(retries);
        assert_eq!((game.text("winner"), refused(&game)), ("awful", [count, 0]));
    }
    let game = play(2);
    assert_eq!(
        (game.text("ended_by"), refused(&game)),
        ("fleet_sunk", [2, 0])
    );
    assert!(
        dir.text("again")
            .contains("expected \"attack ROW COL\", got \"fire\"")
    );
}

fn a_model_plays_a_whole_game() {
    let dir = Dir::new();
    let (model, stand_in) = (example("model/bot.py"), example("model/stand_in.py"));
    let model = format!("Model={model} {}", shlex::try_quote(&stand_in).unwrap());
    let other = format!("Other={}", example("tic_tac_toe/bot.py"));
    let run = dir
        .run("play --retries 20 --json --seed 1")
        .arg(model)
        .arg(other);
    let game = run
        .arg("--judge")
        .arg(example("tic_tac_toe/judge.py"))
        .succeeds()
        .game();
    assert!(
        ["won", "drawn"].contains(&game.text("ended_by")),
        "{}",
        game.text("reason")
    );
    assert!(refused(&game)[0] >= 3, "{:?}", refused(&game));
}

/// A judge that deals each player a hand of its own.
fn dealing() -> String {
    let shown = "echo 'show 1 hand of one'; echo 'show 2 hand of two'; echo 'tell 1 for one'; echo 'tell 2 for two'; echo ask 1";
    JUDGE.replace("echo ask 1", shown)
}

fn a_person_sees_its_own_lines() {
    let dir = Dir::new();
    dir.file("judge.sh", dealing());
    let words = "play human 'B=test-bot act --plays turns nothing' --judge 'sh judge.sh' --seed 1 --no-pause";
    for (first, own, other) in [(1, "one", "two"), (2, "two", "one")] {
        let done = dir
            .run(format!("{words} --first {first}"))
            .types("attack 0 0\n");
        done.exits(0)
            .prints(&format!("hand of {own}\n"))
            .prints(&format!("for {own}\n"));
        done.lacks(&format!("of {other}"))
            .lacks(&format!("for {other}"));
        // The end of the input.
        done.prints("human resigned.\nB wins!\n");
    }
}

fn a_person_may_always_try_again() {
    let dir = Dir::new();
    dir.file("judge.sh", JUDGE);
    let words = "play human 'B=test-bot act --plays turns nothing' --judge 'sh judge.sh' --seed 1 --no-pause --first 2";
    let done = dir
        .run(words)
        .types("what\n?\n\nattack 1 1\nattack 2 2\nattack 3 3\n");
    done.exits(0)
        .prints("That will not do: expected: attack 0 0\n");
    done.prints(
        "Type the reply to attack: expected: attack 0 0. The end of the input (Ctrl-D) resigns.\n",
    );
    done.prints("human won: has attacked three times");
}
