//! Lines of judges and recorded games, right ones and wrong ones.

use proptest::prelude::*;
use serde_json::{Value, json};
use wire::Side::{One, Two};
use wire::game::{GameReader, Speaker};

use super::record::{JudgeReader, JudgedGame, MOST_PICTURES, OwnPart, Picture};
use super::words::{JudgeLine, announced, reply_in};

/// Lines of a judge, and what is read of them if player 1 is on side two.
#[rustfmt::skip]
const LINES: [(&[u8], Result<&str, &str>); 71] = [
    (b"tell 1 dealt 7", Ok("Tell(Some(Two), \"dealt 7\")")),
    (b"tell 2 dealt 7", Ok("Tell(Some(One), \"dealt 7\")")),
    (b"tell * a  b", Ok("Tell(None, \"a  b\")")),
    (b"tell * games", Ok("Tell(None, \"games\")")),
    ("tell * \u{e9}t\u{e9}".as_bytes(), Ok("Tell(None, \"été\")")),
    (b"ask 1 move", Ok("Ask(Two, \"move\")")),
    (b"ask 2 take 3 4", Ok("Ask(One, \"take 3 4\")")),
    (b"bad 1 no: 1, 2", Ok("Bad(Two, \"no: 1, 2\")")),
    (b"bad 2 end it", Ok("Bad(One, \"end it\")")),
    (b"show * ", Ok("Show(None, \"\")")),
    (b"show *", Ok("Show(None, \"\")")),
    (b"show 1  |  ", Ok("Show(Some(Two), \" |  \")")),
    (b"show 2 game over", Ok("Show(Some(One), \"game over\")")),
    (b"figure 1 points 12", Ok("Figure(Two, \"points\", 12.0)")),
    (b"figure 2 a_b -0.5", Ok("Figure(One, \"a_b\", -0.5)")),
    (b"figure 2 a .5", Ok("Figure(One, \"a\", 0.5)")),
    (b"figure 2 a +1", Ok("Figure(One, \"a\", 1.0)")),
    (b"figure 2 a 1e3", Ok("Figure(One, \"a\", 1000.0)")),
    (b"figure 2 a 1e-999", Ok("Figure(One, \"a\", 0.0)")),
    (b"over 1 three in a row", Ok("Over(Some(Two), \"three in a row\")")),
    (b"over 2 won", Ok("Over(Some(One), \"won\")")),
    (b"over draw no cell", Ok("Over(None, \"no cell\")")),
    (b"", Err("the line is blank")),
    (b" ask 1 move", Err("the line is blank")),
    (b"hello", Err("a judge does not say \"hello\"; lines for its author go to standard error or begin with #")),
    (b"Ask 1 move", Err("a judge does not say \"Ask\"; lines for its author go to standard error or begin with #")),
    (b"game x", Err("a judge does not say \"game\"; lines for its author go to standard error or begin with #")),
    (b"reply 1 5", Err("a judge does not say \"reply\"; lines for its author go to standard error or begin with #")),
    (b"again 1 x", Err("a judge does not say \"again\"; lines for its author go to standard error or begin with #")),
    (b"tell", Err("expected player 1, 2 or * behind tell")),
    (b"tell 3 a", Err("expected player 1, 2 or * behind tell")),
    (b"tell 01 a", Err("expected player 1, 2 or * behind tell")),
    (b"tell  1 a", Err("expected player 1, 2 or * behind tell")),
    (b"show 0 a", Err("expected player 1, 2 or * behind show")),
    (b"ask", Err("expected player 1 or 2 behind ask")),
    (b"ask 3 move", Err("expected player 1 or 2 behind ask")),
    (b"ask * move", Err("expected player 1 or 2 behind ask")),
    (b"bad * no", Err("expected player 1 or 2 behind bad")),
    (b"bad -1 no", Err("expected player 1 or 2 behind bad")),
    (b"figure * a 1", Err("expected player 1 or 2 behind figure")),
    (b"over", Err("expected player 1 or 2, or draw, behind over")),
    (b"over * x", Err("expected player 1 or 2, or draw, behind over")),
    (b"over Draw x", Err("expected player 1 or 2, or draw, behind over")),
    (b"ask 1", Err("expected more behind ask 1")),
    (b"ask 1 ", Err("expected more behind ask 1")),
    (b"bad 2", Err("expected more behind bad 2")),
    (b"tell *", Err("expected more behind tell *")),
    (b"over draw", Err("expected more behind over draw")),
    (b"over 1", Err("expected more behind over 1")),
    (b"ask 1  move", Err("there is a space at an end of what it says")),
    (b"ask 1 move ", Err("there is a space at an end of what it says")),
    (b"over draw x ", Err("there is a space at an end of what it says")),
    (b"bad 1  x", Err("there is a space at an end of what it says")),
    (b"tell 1 end won", Err("only the referee says end to a player")),
    (b"tell * ask", Err("only the referee says ask to a player")),
    (b"ask 1 quit now", Err("only the referee says quit to a player")),
    (b"ask 2 again", Err("only the referee says again to a player")),
    (b"figure 1 a", Err("expected a name and a number behind the player")),
    (b"figure 1 a b 1", Err("expected a name and a number behind the player")),
    (b"figure 1 <b> 1", Err("expected a name and a number behind the player")),
    (b"figure 1  1", Err("expected a name and a number behind the player")),
    (b"figure 1 a 1e999", Err("\"1e999\" is not a number")),
    (b"figure 1 a nan", Err("\"nan\" is not a number")),
    (b"figure 1 a -inf", Err("\"-inf\" is not a number")),
    (b"figure 1 a +-1", Err("\"+-1\" is not a number")),
    (b"figure 1 a 0x1", Err("\"0x1\" is not a number")),
    (b"figure 1 a 1,5", Err("\"1,5\" is not a number")),
    (b"figure 1 a ", Err("\"\" is not a number")),
    (b"tell 1 \xff", Err("the line is not UTF-8")),
    (b"show * \x1b[31m", Err("the line has control characters")),
    (b"ask 1 a\tb", Err("the line has control characters")),
];

#[test]
fn each_line_is_read_or_explained() {
    let mut wrong = Vec::new();
    for (line, expected) in LINES {
        let read = JudgeLine::read(line, Two).map(|said| format!("{said:?}"));
        if read.as_deref().map_err(String::as_str) != expected {
            wrong.push(format!("{}: {read:?}", String::from_utf8_lossy(line)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_referee_says_its_words() {
    let words = "battleship game seed limit clock ask again end error quit";
    for word in words.split(' ') {
        for line in [format!("tell 1 {word} x"), format!("ask 2 {word}")] {
            let why = JudgeLine::read(line.as_bytes(), One).unwrap_err();
            assert_eq!(why, format!("only the referee says {word} to a player"));
        }
    }
}

/// Announcements of games, and their names and options.
#[rustfmt::skip]
const ANNOUNCED: [(&str, Option<(&str, &str)>); 14] = [
    ("game othello", Some(("othello", ""))),
    ("game othello 6", Some(("othello", "6"))),
    ("game o-t_h.3 6  x", Some(("o-t_h.3", "6  x"))),
    ("game abcdefghijklmnopqrstuvwxyz012345", Some(("abcdefghijklmnopqrstuvwxyz012345", ""))),
    ("game abcdefghijklmnopqrstuvwxyz0123456", None),
    ("game any", None),
    ("game anything", Some(("anything", ""))),
    ("game ", None),
    ("game", None),
    ("game  othello", None),
    ("game othello ", Some(("othello", ""))),
    ("game othello  6", None),
    ("game été", None),
    ("plays othello", None),
];

#[test]
fn a_game_is_announced_by_name_and_options() {
    for (line, expected) in ANNOUNCED {
        let read = announced(line.as_bytes()).ok();
        let read = read.as_ref().map(|(name, words)| (&**name, &**words));
        assert_eq!(read, expected, "{line}");
    }
}

#[test]
fn a_reply_is_a_whole_line() {
    for good in ["5", "a b", "²", "bad 1 x"] {
        assert_eq!(reply_in(good.as_bytes()), Ok(good));
    }
    for bad in [
        &b""[..],
        b" ",
        b" 5",
        b"5 ",
        b"\xff",
        b"5\r6",
        "\u{9b}".as_bytes(),
    ] {
        assert!(reply_in(bad).is_err(), "{bad:?}");
    }
}

/// The line of a game in a record. Player 1 is on side two.
fn recorded(dialogue: &[&str], reply_us: &[u32]) -> String {
    let player = |seed: u32| json!({"seed": seed, "limit_ms": 5000});
    let line = json!({
        "first": 1, "rules": "judge sticks", "words": "3", "players": [player(1), player(2)],
        "judge": "./sticks", "judge_digest": null, "dialogue": dialogue, "reply_us": reply_us,
    });
    line.to_string()
}

const STICKS: [&str; 12] = [
    "begin 5",
    "show * |||",
    "ask 1 take",
    "reply 1 3",
    "bad 1 one of: 1, 2",
    "reply 1 2",
    "tell * opponent 2",
    "ask 2 take",
    "reply 2 1",
    "figure 2 taken 1",
    "tell 1 opponent 1",
    "over 2 took the last stick",
];

#[test]
fn refused_replies_are_no_turns() {
    let read = |reply: &str| {
        let lines = STICKS.map(|line| if line == "reply 1 3" { reply } else { line });
        JudgeReader.stats(&recorded(&lines, &[7, 8, 9])).unwrap()
    };
    let stats = read("reply 1 3");
    assert_eq!([stats.turns[One], stats.turns[Two]], [1, 1]);
    assert_eq!(
        [&stats.reply_us[One], &stats.reply_us[Two]],
        [&vec![9], &vec![7, 8]]
    );
    assert_eq!(stats.reached[Two], "1 turns");
    assert_eq!(stats.game_hash, read("reply 1 3").game_hash);
    assert_ne!(stats.game_hash, read("reply 1 4").game_hash);
}

/// The payoffs of a game may be an option that only the judge knows.
#[test]
fn games_of_different_judges_are_different() {
    let line = recorded(&STICKS, &[7, 8, 9]);
    let hash = |line: &str| JudgeReader.stats(line).unwrap().game_hash;
    for (field, other) in [("judge", "python3 pd.py -5"), ("words", "-5")] {
        let mut value: Value = serde_json::from_str(&line).unwrap();
        value[field] = other.into();
        assert_ne!(hash(&line), hash(&value.to_string()), "{field}");
    }
}

#[test]
fn a_dialogue_is_the_one_of_the_bots() {
    let lines = JudgeReader.dialogue(&recorded(&STICKS, &[])).unwrap();
    let lines: Vec<_> = lines
        .iter()
        .map(|line| {
            let arrow = if line.from == Speaker::Reply {
                "->"
            } else {
                "<-"
            };
            format!("{} {arrow} {}", line.side.index() + 1, line.text)
        })
        .collect();
    let expected = [
        "1 <- game sticks 3",
        "1 <- seed 1",
        "1 <- limit 5000",
        "2 <- game sticks 3",
        "2 <- seed 2",
        "2 <- limit 5000",
        "2 <- take",
        "2 -> 3",
        "2 <- again one of: 1, 2",
        "2 <- take",
        "2 -> 2",
        "1 <- opponent 2",
        "2 <- opponent 2",
        "1 <- take",
        "1 -> 1",
        "2 <- opponent 1",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_game_that_did_not_begin_has_no_dialogue() {
    let line = recorded(&[], &[]);
    assert_eq!(JudgeReader.dialogue(&line).unwrap(), []);
    assert_eq!(JudgeReader.stats(&line).unwrap().turns[One], 0);
}

#[test]
fn each_viewer_sees_its_lines_of_a_picture() {
    let lines = [
        "begin 1",
        "show 1 one",
        "show * both",
        "show 2 two",
        "show * <svg>",
        "show 2 </svg>",
    ];
    let game = JudgedGame::read(&recorded(&lines, &[])).unwrap();
    let picture = |viewer| game.steps[0].picture(viewer);
    let pictured = |text: &[&str], svg: &str| Picture {
        text: text.iter().map(ToString::to_string).collect(),
        svg: Some(svg.to_owned()),
    };
    assert_eq!(picture(Some(Two)), pictured(&["one", "both"], "<svg>\n"));
    assert_eq!(
        picture(Some(One)),
        pictured(&["both", "two"], "<svg>\n</svg>\n")
    );
    assert_eq!(
        picture(None),
        pictured(&["one", "both", "two"], "<svg>\n</svg>\n")
    );
}

#[test]
fn pictures_of_a_record_have_a_bound() {
    let mut own = OwnPart::default();
    let line = format!("show * {}", "x".repeat(1017));
    for _ in 0..MOST_PICTURES / line.len() {
        own.add_line(&line, true).unwrap();
    }
    assert!(!own.pictures_cut);
    own.add_line("show * y", true).unwrap();
    own.add_line("ask 1 move", false).unwrap();
    assert!(own.pictures_cut);
    assert_eq!(own.dialogue.len(), MOST_PICTURES / line.len() + 1);
    assert!(own.to_json().get().contains("\"pictures_cut\":true"));
}

/// Recorded lines of a game that are wrong, and why.
const WRONG: [(&str, &str); 7] = [
    ("reply 3 x", "a reply of no player"),
    ("reply 1", "a reply of no player"),
    ("hello", "a judge does not say"),
    ("over draw", "expected more"),
    ("", "the line is blank"),
    ("tell * end", "only the referee says end"),
    ("show * \u{7}", "control characters"),
];

#[test]
fn a_wrong_line_of_a_record_is_named() {
    for (line, why) in WRONG {
        let error = JudgedGame::read(&recorded(&["begin 1", line], &[])).unwrap_err();
        assert!(error.to_string().contains(why), "{line}: {error}");
    }
    let error = JudgedGame::read(&recorded(&["ask 1 move"], &[])).unwrap_err();
    assert!(
        error.to_string().contains("the game does not begin"),
        "{error}"
    );
}

/// Reads a line in all ways. None may panic; all agree whether it is a game.
fn reads(line: &str) -> bool {
    let is_game = JudgedGame::read(line).is_ok();
    assert_eq!(JudgeReader.stats(line).is_ok(), is_game);
    assert!(is_game || JudgeReader.dialogue(line).is_err());
    is_game
}

proptest! {
    #[test]
    fn arbitrary_dialogues_never_panic(
        lines in prop::collection::vec("(begin|reply|tell|ask|bad|show|figure|over|) ?([12*]|draw|) .{0,9}|.*", 0..12),
        times in prop::collection::vec(any::<u32>(), 0..12),
    ) {
        let lines: Vec<_> = ["begin 1"].into_iter().chain(lines.iter().map(String::as_str)).collect();
        reads(&recorded(&lines, &times));
    }

    #[test]
    fn a_cut_line_never_panics(from in 0..600_usize, length in 1..200_usize, junk in ".{0,3}") {
        let line = recorded(&STICKS, &[7, 8, 9]);
        let from = from % line.len();
        let to = (from + length).min(line.len());
        let cut = [&line[..from], &*junk, &line[to..]].concat();
        if let Ok(Value::Object(_)) = serde_json::from_str(&cut) {
            reads(&cut);
        } else {
            prop_assert!(!reads(&cut), "{}", cut);
        }
        prop_assert!(!reads(&line[..from]));
    }
}
