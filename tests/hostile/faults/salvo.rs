//! Bots that misbehave in a game of salvos.

use testkit::arena::{Arena, Seen, Way};
use testkit::programs::misbehaving;

use super::Fault;
use testkit::list::Tests;

pub(crate) fn tests(tests: &mut Tests) {
    add!(tests, wasted_shots_of_a_salvo_lose_nothing_else);
    rows!(
        tests,
        WRONG,
        a_wrong_reply_to_a_salvo_is_quoted_beside_the_right_one
    );
    rows!(
        tests,
        OTHERS,
        a_bot_that_fails_amid_a_game_of_salvos_loses_as_in_any_game
    );
}

/// Plays a game with a supervisor and as on any operating system, and checks each.
fn in_salvo(flags: &str, options: &[&str], check: impl Fn(&Seen)) {
    let flags = format!("--plays 'classic salvo' {flags}");
    let options = [&["--rules", "salvo"], options].concat();
    for way in Way::SUPERVISED_OR_NOT {
        check(
            &Arena::new(way)
                .with(&options)
                .play([&misbehaving(&flags), "awful"]),
        );
    }
}

/// A reply, as far as the referee quotes it.
pub(crate) const WRONG: [Fault; 9] = [
    (
        "a cell too few",
        "salvo 0 0 0 1 0 2 0 3\\n",
        "\"salvo 0 0 0 1 0 2 0 3\"",
    ),
    (
        "a cell too many",
        "salvo 0 0 0 1 0 2 0 3 0 4 0 5\\n",
        "\"salvo 0 0 0 1 0 2 0 3 0 4 0 5\"",
    ),
    ("no cell", "salvo\\n", "\"salvo\""),
    (
        "half a cell",
        "salvo 0 0 0 1 0 2 0 3 0\\n",
        "\"salvo 0 0 0 1 0 2 0 3 0\"",
    ),
    ("an attack", "attack 0 0\\n", "\"attack 0 0\""),
    ("an order", "act 0 0 0 1\\n", "\"act 0 0 0 1\""),
    ("a placement", "place none\\n", "\"place none\""),
    (
        "a number that is none",
        "salvo 0 0 0 1 0 2 0 3 0 4294967296\\n",
        "\"salvo 0 0 0 1 0 2 0 3 0 4294967296\" (\"4294967296\" is not a plain whole number of 32 bits)",
    ),
    ("nothing", "\\n", "\"\""),
];

fn a_wrong_reply_to_a_salvo_is_quoted_beside_the_right_one((_, said, quoted): Fault) {
    let sentence = format!("expected \"salvo ROW COL ...\" with 5 cells, got {quoted}");
    in_salvo(&format!("say '{said}'"), &[], |seen| {
        seen.is_forfeit("bad_reply", &sentence);
    });
}

/// The misbehaviour of a bot, and the reason for which it loses.
pub(crate) const OTHERS: [(&str, &str); 7] = [
    ("hang", "timeout"),
    ("drip", "timeout"),
    ("endless-line", "line_too_long"),
    ("comment-flood", "flood"),
    ("close-output", "closed_output"),
    ("exit 3", "exited"),
    ("crash", "crashed"),
];

fn a_bot_that_fails_amid_a_game_of_salvos_loses_as_in_any_game((flags, ended_by): (&str, &str)) {
    // Its first salvo is a good one, so that a part of the game is recorded.
    let flags = format!("--after 1 {flags}");
    let limits: &[&str] = if ended_by == "timeout" {
        &["--limits", "1s:60s"]
    } else {
        &[]
    };
    in_salvo(&flags, limits, |seen| {
        assert_eq!(
            (seen.ended_by(), &seen.record["winner"]),
            (ended_by, &"awful".into())
        );
        let shots = seen.record["shots"].as_array().unwrap();
        assert_eq!(
            shots.iter().filter(|shot| shot[0] == 0).count(),
            5,
            "{shots:?}"
        );
    });
}

/// Shots outside the board and on the same cell are wasted, each by itself; the longest line that fits is read.
fn wasted_shots_of_a_salvo_lose_nothing_else() {
    for (shots, reply) in [
        (
            "5",
            "salvo 0 0 0 0 10 0 -1 -1 2147483647 -2147483648".to_owned(),
        ),
        ("100", format!("salvo{}", " 9 9".repeat(100))),
    ] {
        in_salvo(
            &format!("say '{reply}\\n'"),
            &["--salvo", shots, "--max-turns", "2"],
            |seen| {
                let fired = seen.record["shots"].as_array().unwrap();
                let count: usize = shots.parse().unwrap();
                let results: Vec<_> = fired[..count].iter().map(|shot| shot[3].clone()).collect();
                assert_ne!(results[0], "wasted");
                assert!(
                    results[1..].iter().all(|result| result == "wasted"),
                    "{results:?}"
                );
                // The shots behind the first cell took no time of their own.
                assert!(fired[1..count].iter().all(|shot| shot[4] == 0));
            },
        );
    }
}
