//! Playing in a browser, with a client that speaks HTTP: what is served to whom, and what becomes of the game.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::client::{Events, Served};
use testkit::list::Tests;
use testkit::programs::{Folder, PLACEMENT, SMALL, referee};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_classic_game_in_the_browser_is_the_same_as_in_words,
        a_twist_game_in_the_browser_is_the_same_as_in_words,
        of_two_tabs_the_first_answer_counts_and_the_other_tab_hears_of_it,
        a_person_whose_page_stays_closed_resigns_and_one_who_reloads_continues,
        a_page_that_is_closed_while_the_opponent_thinks_has_its_time_from_the_question_on,
        a_question_says_how_long_the_person_may_take,
        ctrl_c_ends_a_game_in_the_browser,
        what_cannot_be_shown_in_a_browser_is_refused,
        a_tip_and_further_games_are_had_at_the_same_address
    );
    #[cfg(target_os = "linux")]
    {
        add!(tests, nothing_listens_but_on_the_loopback_interface);
    }
}

/// Replies to the questions of a game until it is over.
fn play(served: &Served, events: &mut Events, replies: &[String]) {
    let mut replies = replies.iter();
    while let Some(turn) = events.asked() {
        let reply = replies.next().expect("the game continues longer than that");
        assert_eq!(served.say(turn, reply), (204, String::new()), "{reply}");
    }
}

/// Returns the only game of a record without what differs from game to game: its times.
fn recorded(path: &str) -> Value {
    let text = fs::read_to_string(path).unwrap();
    let mut game: Value = serde_json::from_str(&text).unwrap();
    for list in ["shots", "moves"] {
        for turn in game[list].as_array_mut().into_iter().flatten() {
            turn.as_array_mut()
                .unwrap()
                .pop()
                .expect("every turn has a time");
        }
    }
    game
}

/// Returns all cells of the usual board, row by row.
fn cells() -> impl Iterator<Item = (i32, i32)> {
    (0..10).flat_map(|row| (0..10).map(move |col| (row, col)))
}

fn a_classic_game_in_the_browser_is_the_same_as_in_words() {
    let folder = Folder::new();
    let [web, words] = ["web.jsonl", "words.jsonl"].map(|name| folder.path(name));
    let game = ["play", "human", "awful", "--seed", "3", "--record"];
    let served = Served::by(&[&game[..], &[&web]].concat());
    let mut events = served.events();
    let attacks = cells().map(|(row, col)| format!("attack {row} {col}"));
    let replies: Vec<String> = [PLACEMENT.to_owned()].into_iter().chain(attacks).collect();
    play(&served, &mut events, &replies);
    let ended = events
        .seen
        .iter()
        .find(|event| event["type"] == "ended")
        .unwrap();
    assert_eq!(ended["winner"], 0, "{ended}");
    assert_hides_the_other_fleet(&events.seen);
    let replay = events.seen.last().unwrap();
    assert_eq!(replay["replay"]["data"]["kind"], "game");
    drop(events);
    let (status, said) = served.leaves();
    assert_eq!(status.code(), Some(0), "{said}");

    let placed: Vec<String> = (0..5).map(|row| format!("h\n{row} 0\n")).collect();
    let attacks: Vec<String> = cells().map(|(row, col)| format!("{row} {col}\n")).collect();
    let mut piped = referee();
    piped
        .args(game)
        .arg(&words)
        .write_stdin([placed, attacks].concat().concat())
        .assert()
        .code(0);
    assert_eq!(recorded(&web), recorded(&words));
}

/// Checks that the events of the page before the end have none of the other's ships.
fn assert_hides_the_other_fleet(seen: &[Value]) {
    let before = seen.iter().take_while(|event| event["type"] != "ended");
    let scenes: Vec<_> = before.filter(|event| event["type"] == "scene").collect();
    assert!(scenes.len() > 10, "{} scenes", scenes.len());
    for scene in scenes {
        assert!(!scene["waters"][0]["hulls"].as_array().unwrap().is_empty());
        assert_eq!(
            scene["waters"][1]["hulls"].as_array().unwrap().len(),
            0,
            "{scene}"
        );
    }
}

/// The cells of the twist game by the letters of their rows.
fn named((row, col): (usize, usize)) -> String {
    format!("{}{}", &"ABCDEFGHILMN"[row..=row], col + 1)
}

fn a_twist_game_in_the_browser_is_the_same_as_in_words() {
    let folder = Folder::new();
    let [web, words] = ["web.jsonl", "words.jsonl"].map(|name| folder.path(name));
    let game = [
        "play", "human", "awful", "--rules", "twist", "--first", "1", "--seed", "1", "--record",
    ];
    let served = Served::by(&[&game[..], &[&web]].concat());
    let mut events = served.events();
    // Rows that awful does not fire at first, and the cells where it places its units, as it always does.
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
    let place = units
        .map(|(row, col, _)| format!("{row} {col} h"))
        .join(" ");
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
    let targets = rows
        .iter()
        .flat_map(|(row, length)| (0..*length).map(|col| (*row, col)));
    let orders: Vec<_> = [((11, 11), (2, 2))]
        .into_iter()
        .chain(targets.map(|target| ((5, 2), target)))
        .collect();
    let turn = events.asked().unwrap();
    let (status, why) = served.say(turn, "place 0 0 h");
    assert_eq!(status, 422, "{why}");
    assert_eq!(
        why,
        "These ships cannot be placed: you placed 1 unit instead of 8."
    );
    assert_eq!(served.say(turn, &format!("place {place}")).0, 204);
    let turn = events.asked().unwrap();
    let (status, why) = served.say(turn, "act 0 0 1 1");
    assert_eq!(status, 422, "{why}");
    let ((row, col), (to, at)) = orders[0];
    assert_eq!(
        served.say(turn, &format!("act {row} {col} {to} {at}")).0,
        204
    );
    let acts = orders[1..]
        .iter()
        .map(|((r, c), (to, at))| format!("act {r} {c} {to} {at}"));
    play(&served, &mut events, &acts.collect::<Vec<_>>());
    let ended = events
        .seen
        .iter()
        .find(|event| event["type"] == "ended")
        .unwrap();
    assert_eq!(ended["winner"], 0, "{ended}");
    // Of the other's turns the page knows shots only.
    for event in events
        .seen
        .iter()
        .filter(|event| event["type"] == "played" && event["by"] == 1)
    {
        let cells = event["cells"].as_array().unwrap();
        assert_eq!(
            cells.len(),
            usize::from(event["result"] != "not seen"),
            "{event}"
        );
        assert_eq!(
            event["at"].is_null(),
            event["result"] == "not seen",
            "{event}"
        );
    }
    assert_hides_the_other_fleet(&events.seen);
    drop(events);
    let (status, said) = served.leaves();
    assert_eq!(status.code(), Some(0), "{said}");

    let typed = units.map(|(row, col, length)| {
        format!("{} {}\n", named((row, col)), named((row, col + length - 1)))
    });
    let orders = orders
        .iter()
        .map(|(from, to)| format!("{} {}\n", named(*from), named(*to)));
    let typed = typed
        .into_iter()
        .chain(orders)
        .collect::<Vec<String>>()
        .concat();
    referee()
        .args(game)
        .arg(&words)
        .write_stdin(typed)
        .assert()
        .code(0);
    assert_eq!(recorded(&web), recorded(&words));
}

fn of_two_tabs_the_first_answer_counts_and_the_other_tab_hears_of_it() {
    let served = Served::by(&[&["play", "human", "awful"][..], &SMALL].concat());
    let [mut one, mut two] = [served.events(), served.events()];
    let turn = one.asked().unwrap();
    assert_eq!(two.asked(), Some(turn));
    assert_eq!(served.say(turn, "attack 0 0").0, 422);
    assert_eq!(served.say(turn, "place 0 1 h").0, 204);
    let (status, why) = served.say(turn, "place 0 0 h");
    assert_eq!(status, 409, "{why}");
    assert_eq!(two.next("said")["reply"], "place 0 1 h");
    let next = one.asked().unwrap();
    let (status, why) = served.say(turn, "attack 0 0");
    assert_eq!(status, 409, "{why}");
    assert!(why.contains("earlier question"), "{why}");
    for line in ["attack 0 0\nattack 0 1", "attack 0", "", "quit"] {
        assert_eq!(served.say(next, line).0, 400, "{line:?}");
    }
    for wide in [
        "attack 2 0",
        "attack 0 3",
        "attack -1 0",
        "attack 2147483647 0",
    ] {
        let (status, why) = served.say(next, wide);
        assert_eq!(status, 422, "{why}");
        assert!(
            why.ends_with("is not on the board; choose another cell."),
            "{why}"
        );
    }
    // A tab that is opened now hears all of it.
    let mut three = served.events();
    assert_eq!(three.next("said")["reply"], "place 0 1 h");
    assert_eq!(three.asked(), Some(next));
    // One attack sinks no ship of two cells.
    assert_eq!(served.say(next, "attack 1 2").0, 204);
    let third = three.asked().unwrap();
    let again = (
        422,
        "You have attacked (1,2) before; choose another cell.".to_owned(),
    );
    assert_eq!(served.say(third, "attack 1 2"), again);
    assert_eq!(served.say(third, "resign").0, 204);
    assert_eq!(one.next("ended")["winner"], 1);
    drop((one, two, three));
    let (status, said) = served.leaves();
    assert_eq!(status.code(), Some(0), "{said}");
}

fn a_person_whose_page_stays_closed_resigns_and_one_who_reloads_continues() {
    let game = ["play", "human", "awful", "--web-patience", "300ms"];
    let served = Served::by(&[&game[..], &SMALL].concat());
    let mut events = served.events();
    let turn = events.asked().unwrap();
    drop(events);
    let mut events = served.events();
    assert_eq!(events.asked(), Some(turn));
    assert_eq!(served.say(turn, "place 0 1 h").0, 204);
    events.asked().unwrap();
    drop(events);
    let (status, said) = served.leaves();
    assert_eq!(status.code(), Some(0), "{said}");
}

fn a_page_that_is_closed_while_the_opponent_thinks_has_its_time_from_the_question_on() {
    // It thinks for as long as a page may be closed.
    let slow = "slow=sh -c 'while read word rest; do case $word in battleship) echo ready;; place) echo place 0 0 h;; \
                attack) sleep 1; echo attack 0 0;; esac; done'";
    let game = [
        "play",
        "human",
        slow,
        "--first",
        "2",
        "--limit",
        "60s",
        "--web-patience",
        "1s",
    ];
    let served = Served::by(&[&game[..], &SMALL].concat());
    let mut events = served.events();
    let turn = events.asked().unwrap();
    let begun = Instant::now();
    assert_eq!(served.say(turn, "place 0 1 h").0, 204);
    drop(events);
    let (status, said) = served.leaves();
    assert_eq!(status.code(), Some(0), "{said}");
    let lasted = begun.elapsed();
    assert!(lasted >= Duration::from_secs(2), "{lasted:?}");
}

fn a_question_says_how_long_the_person_may_take() {
    for (options, expected) in [
        (&["--human-limit", "90s"][..], Value::from(90_000)),
        (&[], Value::Null),
    ] {
        let served = Served::by(&[&["play", "human", "awful"][..], &SMALL, options].concat());
        let mut events = served.events();
        let ask = events.next("ask");
        assert_eq!(ask["limit"], expected);
        assert!(ask["at"].is_u64(), "{ask}");
    }
}

fn ctrl_c_ends_a_game_in_the_browser() {
    let served = Served::by(&[&["play", "human", "awful"][..], &SMALL].concat());
    let mut events = served.events();
    events.asked().unwrap();
    interrupt(&served);
    let (status, said) = served.leaves();
    assert_eq!(status.code(), Some(130), "{said}");
}

fn interrupt(served: &Served) {
    let id = i32::try_from(served.id()).unwrap();
    kill_process(Pid::from_raw(id).unwrap(), Signal::INT).unwrap();
}

fn what_cannot_be_shown_in_a_browser_is_refused() {
    for (arguments, why) in [
        (
            &["play", "awful", "awful", "--web"][..],
            "--web: no player is human",
        ),
        (
            &["play", "human", "human", "--web"],
            "--web: one player of the two can be human",
        ),
        (&["play", "human", "awful", "--open"], "--web"),
    ] {
        let output = referee().args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(why), "{said}");
    }
}

/// Returns the addresses at which a process listens, as `/proc` writes them.
#[cfg(target_os = "linux")]
fn listening(process: u32) -> Vec<String> {
    let folder = format!("/proc/{process}");
    let sockets = fs::read_dir(format!("{folder}/fd"))
        .unwrap()
        .filter_map(|entry| {
            let target = fs::read_link(entry.ok()?.path()).ok()?;
            Some(
                target
                    .to_str()?
                    .strip_prefix("socket:[")?
                    .strip_suffix(']')?
                    .to_owned(),
            )
        });
    let sockets: Vec<String> = sockets.collect();
    let tables = ["tcp", "tcp6", "udp", "udp6"];
    let lines = tables.map(|table| fs::read_to_string(format!("{folder}/net/{table}")).unwrap());
    let of_process = lines
        .iter()
        .flat_map(|table| table.lines())
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            // State 0A is that of a socket that listens.
            let is_own = words
                .get(9)
                .is_some_and(|inode| sockets.iter().any(|own| own == inode));
            (is_own && words[3] == "0A").then(|| words[1].to_owned())
        });
    of_process.collect()
}

#[cfg(target_os = "linux")]
fn nothing_listens_but_on_the_loopback_interface() {
    let served = Served::by(&[&["play", "human", "awful"][..], &SMALL].concat());
    let mut events = served.events();
    events.asked().unwrap();
    let port: u16 = served.host.rsplit_once(':').unwrap().1.parse().unwrap();
    assert_eq!(listening(served.id()), [format!("0100007F:{port:04X}")]);
}

fn a_tip_and_further_games_are_had_at_the_same_address() {
    let folder = Folder::new();
    let record = folder.path("games.jsonl");
    let words = ["play", "human", "awful", "--record", &record];
    let served = Served::by(&[&words[..], &SMALL].concat());
    let mut events = served.events();
    let turn = events.asked().unwrap();
    for early in ["tip", "rematch", "against 0"] {
        assert_eq!(served.say(turn, early).0, 400, "{early}");
    }
    assert_eq!(served.say(turn, "place 0 1 h").0, 204);
    let turn = events.asked().unwrap();
    assert_eq!(served.say(turn, "tip").0, 204);
    let tip = events.next("tip");
    assert!(
        tip["said"].as_str().unwrap().ends_with("% likely to hit"),
        "{tip}"
    );
    assert_eq!(served.say(turn, "attack 1 2").0, 204);
    let turn = events.asked().unwrap();
    assert_eq!(served.say(turn, "resign").0, 204);
    let ended = events.next("ended");
    assert_eq!(
        ended["verdict"],
        "You lost after 1 attack, 0% hits: human resigned."
    );
    assert_eq!(ended["opponents"][2], "fair");
    for none in ["against 5", "against -1", "against", "tip"] {
        assert_eq!(served.say(0, none).0, 400, "{none}");
    }
    assert_eq!(served.say(0, "rematch").0, 204);
    events.next("again");
    let mut events = served.events();
    assert!(events.asked().is_some());
    assert_eq!(served.say(0, "resign").0, 204);
    assert_eq!(events.next("ended")["score"], "you 0, {1} 2");
    assert_eq!(served.say(0, "against 2").0, 204);
    events.next("again");
    let mut events = served.events();
    assert!(events.asked().is_some());
    assert_eq!(served.say(0, "resign").0, 204);
    assert!(events.next("ended")["score"].is_null());
    drop(events);
    let (status, said) = served.leaves();
    assert_eq!(status.code(), Some(0), "{said}");
    let games = std::fs::read_to_string(&record).unwrap();
    let opponent = |line: &str| {
        let game: Value = serde_json::from_str(line).unwrap();
        game["players"][1]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        games.lines().map(opponent).collect::<Vec<_>>(),
        ["awful", "awful", "fair"]
    );
}
