//! Playing in a browser, with a client that speaks HTTP: what is served to whom, and what becomes
//! of the game.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::client::{Events, Served};
use testkit::list::Tests;
use testkit::programs::PLACEMENT;
use testkit::record::list;
use testkit::run::{Dir, SMALL};
use testkit::text::{ends, has};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_classic_game_equals_that_in_words,
        a_twist_game_equals_that_in_words,
        of_two_tabs_the_first_answer_counts,
        a_closed_page_resigns_and_a_reloaded_continues,
        a_closed_page_waits_from_the_question_on,
        ctrl_c_ends_a_game_in_the_browser,
        what_no_browser_can_show_is_refused,
        tips_and_further_games_need_no_restart
    );
}

/// A small game of a person in the browser against `awful`.
fn small(dir: &Dir, options: &str) -> Served {
    Served::by(dir, &format!("play human awful {SMALL} {options}"))
}

/// Replies to the questions of a game until the person has won; returns the events.
fn win(served: &Served, mut events: Events, replies: &[String]) -> Vec<Value> {
    let mut replies = replies.iter();
    while let Some(turn) = events.asked() {
        let reply = replies.next().expect("the game continues longer than that");
        served.replies(turn, reply, 204);
    }
    let is_won = |event: &Value| event["type"] == "ended" && event["winner"] == 0;
    let end = events.seen.iter().position(is_won).expect("it is won");
    // Before that no event has a ship of the other.
    let mut scenes = 0;
    for scene in &events.seen[..end] {
        if scene["type"] == "scene" {
            let [own, other] = [0, 1].map(|side| scene["waters"][side]["hulls"].as_array());
            assert!(
                !own.unwrap().is_empty() && other.unwrap().is_empty(),
                "{scene}"
            );
            scenes += 1;
        }
    }
    assert!(scenes > 10, "{scenes}");
    events.seen
}

/// Plays the same game in words, and checks that the record is the same.
fn is_the_same_in_words(dir: &Dir, game: &str, typed: &str) {
    dir.run(format!("{game} --out words")).types(typed).exits(0);
    assert_eq!(dir.record("web"), dir.record("words"));
}

fn a_classic_game_equals_that_in_words() {
    let dir = Dir::new();
    let game = "play human awful --seed 3";
    let served = Served::by(&dir, &format!("{game} --out web"));
    let mut replies = vec![PLACEMENT.to_owned()];
    let mut typed = "h\n0 0\nh\n1 0\nh\n2 0\nh\n3 0\nh\n4 0\n".to_owned();
    for cell in 0..100 {
        replies.push(format!("attack {} {}", cell / 10, cell % 10));
        writeln!(typed, "{} {}", cell / 10, cell % 10).unwrap();
    }
    let seen = win(&served, served.events(), &replies);
    assert_eq!(seen.last().unwrap()["replay"]["data"]["kind"], "game");
    served.ends(0);
    is_the_same_in_words(&dir, game, &typed);
}

/// A cell of the twist game by the letter of its row.
fn named(row: usize, col: usize) -> String {
    format!("{}{}", &"ABCDEFGHILMN"[row..=row], col + 1)
}

fn a_twist_game_equals_that_in_words() {
    let dir = Dir::new();
    let game = "play human awful --rules twist --first 1 --seed 1";
    let served = Served::by(&dir, &format!("{game} --out web"));
    let mut events = served.events();
    let turn = events.asked().unwrap();
    let why = served.replies(turn, "place 0 0 h", 422);
    let sentence = "These ships cannot be placed: you placed 1 unit instead of 8.";
    assert_eq!(why, sentence);
    // Rows that awful does not fire at first, and the rows where it places its units, as it always
    // does.
    let units = [
        (5, 0, 5),
        (6, 0, 5),
        (7, 0, 5),
        (8, 0, 3),
        (9, 0, 3),
        (10, 0, 3),
        (11, 0, 1),
        (11, 11, 1),
    ];
    let rows = [
        (0, 5),
        (2, 5),
        (4, 5),
        (6, 3),
        (8, 3),
        (10, 3),
        (1, 1),
        (3, 1),
    ];
    let mut place = "place".to_owned();
    let mut typed = String::new();
    for (row, col, length) in units {
        write!(place, " {row} {col} h").unwrap();
        writeln!(
            typed,
            "{} {}",
            named(row, col),
            named(row, col + length - 1)
        )
        .unwrap();
    }
    served.replies(turn, &place, 204);
    let turn = events.asked().unwrap();
    served.replies(turn, "act 0 0 1 1", 422);
    served.replies(turn, "act 11 11 2 2", 204);
    writeln!(typed, "{} {}", named(11, 11), named(2, 2)).unwrap();
    let mut acts = Vec::new();
    for (row, length) in rows {
        for col in 0..length {
            acts.push(format!("act 5 2 {row} {col}"));
            writeln!(typed, "{} {}", named(5, 2), named(row, col)).unwrap();
        }
    }
    let seen = win(&served, events, &acts);
    // Of the other's turns the page knows shots only.
    for event in &seen {
        if event["type"] == "played" && event["by"] == 1 {
            let is_hidden = event["result"] == "not seen";
            let cells = list(&event["cells"]).len();
            assert_eq!(cells, usize::from(!is_hidden), "{event}");
            assert_eq!(event["at"].is_null(), is_hidden, "{event}");
        }
    }
    served.ends(0);
    is_the_same_in_words(&dir, game, &typed);
}

fn of_two_tabs_the_first_answer_counts() {
    let dir = Dir::new();
    let served = small(&dir, "");
    let [mut one, mut two] = [served.events(), served.events()];
    let ask = one.next("ask");
    assert!(ask["limit"].is_null() && ask["at"].is_u64(), "{ask}");
    let turn = two.asked().unwrap();
    assert_eq!(ask["turn"], turn);
    served.replies(turn, "attack 0 0", 422);
    served.replies(turn, "place 0 1 h", 204);
    served.replies(turn, "place 0 0 h", 409);
    assert_eq!(two.next("said")["reply"], "place 0 1 h");
    let next = one.asked().unwrap();
    let why = served.replies(turn, "attack 0 0", 409);
    has(&why, "earlier question");
    for malformed in ["attack 0 0\nattack 0 1", "attack 0", "", "quit"] {
        served.replies(next, malformed, 400);
    }
    for wide in [
        "attack 2 0",
        "attack 0 3",
        "attack -1 0",
        "attack 2147483647 0",
    ] {
        let why = served.replies(next, wide, 422);
        ends(&why, "is not on the board; choose another cell.");
    }
    // A tab that is opened now hears all of it.
    let mut three = served.events();
    assert_eq!(three.next("said")["reply"], "place 0 1 h");
    assert_eq!(three.asked(), Some(next));
    // One attack sinks no ship of two cells.
    served.replies(next, "attack 1 2", 204);
    let third = three.asked().unwrap();
    let why = served.replies(third, "attack 1 2", 422);
    assert_eq!(why, "You have attacked (1,2) before; choose another cell.");
    served.replies(third, "resign", 204);
    assert_eq!(one.next("ended")["winner"], 1);
    drop((one, two, three));
    served.ends(0);
}

fn a_closed_page_resigns_and_a_reloaded_continues() {
    let dir = Dir::new();
    let served = small(&dir, "--web-patience 300ms");
    let turn = served.events().asked().unwrap();
    let mut events = served.events();
    assert_eq!(events.asked(), Some(turn));
    served.replies(turn, "place 0 1 h", 204);
    events.asked().unwrap();
    drop(events);
    served.ends(0);
}

/// The opponent thinks for as long as a page may be closed.
fn a_closed_page_waits_from_the_question_on() {
    let dir = Dir::new();
    dir.file("slow.sh", "while read word rest; do case $word in battleship) echo ready;; place) echo place 0 0 h;; attack) sleep 1; echo attack 0 0;; esac; done");
    let game = "play human 'slow=sh slow.sh' --first 2 --limit 60s --web-patience 1s";
    let served = Served::by(&dir, &format!("{game} {SMALL}"));
    let turn = served.events().asked().unwrap();
    let begun = Instant::now();
    served.replies(turn, "place 0 1 h", 204);
    served.ends(0);
    let took = begun.elapsed();
    assert!(took >= Duration::from_secs(2), "{took:?}");
}

/// The addresses at which a process listens, as `/proc` writes them.
#[cfg(target_os = "linux")]
fn listening(process: u32) -> Vec<String> {
    let mut sockets = Vec::new();
    for entry in std::fs::read_dir(format!("/proc/{process}/fd"))
        .unwrap()
        .flatten()
    {
        let target = std::fs::read_link(entry.path()).unwrap_or_default();
        sockets.push(target.display().to_string());
    }
    let mut addresses = Vec::new();
    for table in ["tcp", "tcp6", "udp", "udp6"] {
        let text = std::fs::read_to_string(format!("/proc/{process}/net/{table}")).unwrap();
        for line in text.lines().skip(1) {
            let words: Vec<&str> = line.split_whitespace().collect();
            // State 0A is that of a socket that listens.
            if words[3] == "0A" && sockets.contains(&format!("socket:[{}]", words[9])) {
                addresses.push(words[1].to_owned());
            }
        }
    }
    addresses
}

fn ctrl_c_ends_a_game_in_the_browser() {
    let dir = Dir::new();
    let served = small(&dir, "--limit human=90s");
    let mut events = served.events();
    assert_eq!(events.next("ask")["limit"], 90_000);
    // Nothing listens but on the loopback interface.
    #[cfg(target_os = "linux")]
    {
        let (_, port) = served.host.rsplit_once(':').unwrap();
        let port: u16 = port.parse().unwrap();
        assert_eq!(listening(served.id()), [format!("0100007F:{port:04X}")]);
    }
    served.interrupt();
    served.ends(130);
}

fn what_no_browser_can_show_is_refused() {
    for (words, why) in [
        ("awful awful --web", "--web: no player is human"),
        (
            "human human --web",
            "--web: one player of the two can be human",
        ),
        ("human awful --open", "--web"),
    ] {
        Dir::new().run(format!("play {words}")).fails(2, why);
    }
}

fn tips_and_further_games_need_no_restart() {
    let dir = Dir::new();
    let served = small(&dir, "--out games");
    let mut events = served.events();
    let turn = events.asked().unwrap();
    for early in ["tip", "rematch", "against 0"] {
        served.replies(turn, early, 400);
    }
    served.replies(turn, "place 0 1 h", 204);
    let turn = events.asked().unwrap();
    served.replies(turn, "tip", 204);
    let tip = events.next("tip");
    assert!(
        tip["said"].as_str().unwrap().ends_with("% likely to hit"),
        "{tip}"
    );
    served.replies(turn, "attack 1 2", 204);
    served.replies(events.asked().unwrap(), "resign", 204);
    let ended = events.next("ended");
    let verdict = "You lost after 1 attack, 0% hits: you gave up.";
    assert_eq!(
        [&ended["verdict"], &ended["opponents"][2]],
        [verdict, "fair"]
    );
    for none in ["against 5", "against -1", "against", "tip"] {
        served.replies(0, none, 400);
    }
    for (word, score) in [
        ("rematch", Value::from("you 0, {1} 2")),
        ("against 2", Value::Null),
    ] {
        served.replies(0, word, 204);
        events.next("again");
        events = served.events();
        assert!(events.asked().is_some());
        served.replies(0, "resign", 204);
        assert_eq!(events.next("ended")["score"], score);
    }
    drop(events);
    served.ends(0);
    let record = dir.record("games");
    let opponents: Vec<_> = record
        .games()
        .iter()
        .map(|game| &game["players"][1]["name"])
        .collect();
    assert_eq!(opponents, ["awful", "awful", "fair"]);
}
