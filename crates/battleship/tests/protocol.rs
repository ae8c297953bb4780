//! The protocol's lines: what is well-formed, what is not and why, and that printing and parsing
//! agree.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use battleship::protocol::{MalformedLine, Order, OrderResult, Reply, Request, strip_line_end};
use battleship::twist::Fleet;
use battleship::{
    AttackResult, Board, Bot, Direction, Game, Outcome, Placement, Player, PlayerBot, Point,
    Program, TwistBot,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::nearly_right::try_with;

#[test]
fn the_documented_lines_are_understood() {
    for (line, request) in [
        ("battleship 1", "Battleship(1)"),
        (
            "game classic 10 8",
            "Game { ruleset: Classic, rows: 10, cols: 8 }",
        ),
        (
            "ship 0 5 A aircraft carrier",
            r#"Ship { id: 0, length: 5, symbol: 'A', name: "aircraft carrier" }"#,
        ),
        ("seed 42", "Seed(42)"),
        ("limit 1500", "Limit(1.5s)"),
        ("clock 59999", "Clock(59.999s)"),
        ("place", "Place"),
        ("attack", "Attack"),
        ("result 5 3 miss", "Result(Point { row: 5, col: 3 }, Miss)"),
        (
            "result 5 3 sunk 2",
            "Result(Point { row: 5, col: 3 }, Sunk(2))",
        ),
        (
            "result -1 30 wasted",
            "Result(Point { row: -1, col: 30 }, Wasted)",
        ),
        ("act", "Act"),
        (
            "result 2 0 5 3 hit",
            "OrderResult(Order { origin: Point { row: 2, col: 0 }, target: Point { row: 5, col: 3 } }, Hit)",
        ),
        (
            "result 2 0 5 3 repaired 0 4",
            "OrderResult(Order { origin: Point { row: 2, col: 0 }, target: Point { row: 5, col: 3 } }, Repaired({UnitId(0), UnitId(4)}))",
        ),
        (
            "result 2 0 5 3 repaired",
            "OrderResult(Order { origin: Point { row: 2, col: 0 }, target: Point { row: 5, col: 3 } }, Repaired({}))",
        ),
        (
            "result 2 0 5 3 found 3 4 y 3 5 x",
            "OrderResult(Order { origin: Point { row: 2, col: 0 }, target: Point { row: 5, col: 3 } }, Found { whole: {D5}, damaged: {D6} })",
        ),
        (
            "result 2 0 5 3 refused there is no room",
            r#"OrderResult(Order { origin: Point { row: 2, col: 0 }, target: Point { row: 5, col: 3 } }, Refused("there is no room"))"#,
        ),
        ("opponent 4 4", "Opponent(Point { row: 4, col: 4 })"),
        ("end won fleet_sunk", r#"End(Won, "fleet_sunk")"#),
        ("end void", r#"End(Void, "")"#),
        ("error too late", r#"Error("too late")"#),
        ("quit", "Quit"),
    ] {
        let parsed = Request::parse(line.as_bytes()).unwrap();
        assert_eq!(format!("{parsed:?}"), request);
        assert_eq!(parsed.to_string(), line);
    }
    // Additions of later versions are ignored.
    assert_eq!(Request::parse(b"attack quickly"), Ok(Request::Attack));
    assert_eq!(
        Request::parse(b"result 2 0 5 3 hit hard"),
        Request::parse(b"result 2 0 5 3 hit")
    );
    let word = MalformedLine::Word("splash".to_owned());
    assert_eq!(Request::parse(b"result 5 3 splash"), Err(word.clone()));
    assert_eq!(Request::parse(b"result 5 3 2 0 splash"), Err(word));
    let twice = MalformedLine::Word("3 5".to_owned());
    assert_eq!(
        Request::parse(b"result 2 0 5 3 found 3 5 y 3 5 x"),
        Err(twice)
    );
    assert_eq!(
        Request::parse(b"sing a song"),
        Err(MalformedLine::UnknownCommand)
    );
}

#[test]
fn a_reply_has_to_be_to_the_letter() {
    let number = |word: &str| MalformedLine::Number(word.to_owned());
    let word = |word: &str| MalformedLine::Word(word.to_owned());
    for (line, why) in [
        (&b""[..], MalformedLine::Empty),
        (b"fire 3 4", MalformedLine::UnknownCommand),
        (b"Attack 3 4", MalformedLine::UnknownCommand),
        (b"attack", MalformedLine::TooFewWords),
        (b"attack 3", MalformedLine::TooFewWords),
        (b"attack 3 4 5", MalformedLine::TooManyWords),
        (b"attack 3 4 attack 3 5", MalformedLine::TooManyWords),
        (b"attack  3 4", MalformedLine::Spaces),
        (b" attack 3 4", MalformedLine::Spaces),
        (b"attack 3 4 ", MalformedLine::Spaces),
        (b"attack 3\t4", number("3\t4")),
        (b"attack +7 4", number("+7")),
        (b"attack 007 4", number("007")),
        (b"attack -0 4", number("-0")),
        (b"attack 1e3 4", number("1e3")),
        (
            b"attack 18446744073709551616 4",
            number("18446744073709551616"),
        ),
        ("attack \u{663} 4".as_bytes(), number("\u{663}")),
        ("attack 3\u{a0}4".as_bytes(), number("3\u{a0}4")),
        (
            "\u{feff}attack 3 4".as_bytes(),
            MalformedLine::UnknownCommand,
        ),
        (b"attack 3 \xff", MalformedLine::NotUtf8(9)),
        (b"attack 3 4\0", number("4\0")),
        (b"place", MalformedLine::TooFewWords),
        (b"place none none", MalformedLine::TooManyWords),
        (b"place 0 0 d", word("d")),
        (b"place 0 0 h 1", MalformedLine::TooFewWords),
        (b"place 0 0 h none", number("none")),
        (b"name", MalformedLine::TooFewWords),
        (b"ready now", MalformedLine::TooManyWords),
    ] {
        assert_eq!(
            Reply::parse(line),
            Err(why),
            "{}",
            String::from_utf8_lossy(line)
        );
    }
}

#[test]
fn apart_may_stand_anywhere_in_plays() {
    for line in [
        "plays apart",
        "plays apart classic salvo",
        "plays salvo apart",
    ] {
        let reply = Reply::parse(line.as_bytes()).unwrap();
        assert!(matches!(reply, Reply::Plays { apart: true, .. }), "{line}");
    }
}

#[test]
fn one_carriage_return_is_dropped() {
    assert_eq!(strip_line_end(b"attack 3 4\r\n"), b"attack 3 4");
    assert_eq!(strip_line_end(b"attack 3 4\n"), b"attack 3 4");
    assert_eq!(strip_line_end(b"attack 3 4\r\r\n"), b"attack 3 4\r");
    assert_eq!(strip_line_end(b""), b"");
}

/// For any bytes: no panic; what is taken for a reply is printed as it came, and what is taken for
/// a request means the same when printed.
fn check_any_line(line: &[u8]) {
    let line = strip_line_end(line);
    if let Ok(reply) = Reply::parse(line)
        && !matches!(reply, Reply::Comment(_) | Reply::Plays { .. })
    {
        assert_eq!(reply.to_string().as_bytes(), line);
    }
    if let Ok(request) = Request::parse(line) {
        assert_eq!(Request::parse(request.to_string().as_bytes()), Ok(request));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_never_misread(bytes in vec(any::<u8>(), 0..=200)) {
        check_any_line(&bytes);
    }
}

/// Lines of requests and of replies.
const LINES: [&str; 2] = [
    include_str!("corpus/requests.txt"),
    include_str!("corpus/replies.txt"),
];

/// The lines of a referee to a bot: one whole dialogue by each of the rules.
const DIALOGUES: [&str; 2] = [
    include_str!("corpus/classic.txt"),
    include_str!("corpus/twist.txt"),
];

#[test]
fn lines_nearly_right_are_never_misread() {
    let lines: Vec<&[u8]> = LINES
        .iter()
        .flat_map(|text| text.lines())
        .map(str::as_bytes)
        .collect();
    for line in &lines {
        assert!(
            Reply::parse(line).is_ok() || Request::parse(line).is_ok(),
            "{}",
            line.escape_ascii()
        );
    }
    try_with(&lines, 10_000, |line| {
        check_any_line(line);
        if let Ok(Request::OrderResult(order, result)) = Request::parse(line) {
            let _ = (order.on_grid(), result.is_of_shot());
        }
        if let Ok(reply) = Reply::parse(line)
            && let Some(Some(placement)) = reply.into_placement()
        {
            let _ = Fleet::new(&placement);
        }
    });
}

#[test]
fn a_nearly_right_referee_makes_no_program_panic() {
    try_with(&DIALOGUES.map(str::as_bytes), 4_000, |dialogue| {
        let program = Program::new("rookie")
            .classic(Box::new(Rookie::default()))
            .twist(Box::new(Cadet::default()));
        let _ = program.serve(dialogue, std::io::sink(), std::io::sink());
    });
}

/// Places its ships row by row and shoots where its opponent shot last, (0,0) at first. It notes
/// what it hears of the beginnings and ends of games.
#[derive(Default)]
struct Rookie {
    next: Point,
    notes: Rc<RefCell<Vec<String>>>,
}

impl Bot for Rookie {
    fn new_game(&mut self, game: &Game, seed: u64) {
        self.next = Point::new(0, i32::try_from(seed).unwrap_or(0));
        self.notes
            .borrow_mut()
            .push(format!("new {}x{}", game.rows(), game.cols()));
    }

    fn time_limit(&mut self, limit: Duration) {
        self.notes.borrow_mut().push(format!("limit {limit:?}"));
    }

    fn game_time(&mut self, time: Duration) {
        self.notes.borrow_mut().push(format!("time {time:?}"));
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        let n_ships = board.game().n_ships();
        (0..n_ships).zip(0..).all(|(ship, row)| {
            board
                .place_ship(Point::new(row, 0), ship, Direction::Horizontal)
                .is_ok()
        })
    }

    fn attack(&mut self) -> Point {
        self.next
    }

    fn opponent_attacked(&mut self, at: Point) {
        self.next = at;
    }

    fn game_over(&mut self, outcome: Outcome) {
        self.notes.borrow_mut().push(outcome.word().to_owned());
    }
}

fn dialogue_with(program: Program<'_>, input: &str) -> (String, String, bool) {
    let (mut output, mut log) = (Vec::new(), Vec::new());
    let result = program.serve(input.as_bytes(), &mut output, &mut log);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output), text(log), result.is_ok())
}

fn dialogue(input: &str) -> (String, String, bool) {
    dialogue_with(
        Program::new("rookie").classic(Box::new(Rookie::default())),
        input,
    )
}

/// Returns what a bot hears of beginnings and ends of games when the referee says `input`.
fn notes(input: &str) -> String {
    let notes = Rc::default();
    let rookie = Rookie {
        notes: Rc::clone(&notes),
        ..Rookie::default()
    };
    dialogue_with(Program::new("rookie").classic(Box::new(rookie)), input);
    notes.take().join(", ")
}

#[test]
fn each_game_begins_once_and_ends_once() {
    let game = "game classic 2 2\nship 0 1 D dinghy\nseed 1\n";
    for (dialogue, heard) in [
        ("GAMEplace\nattack\nend won fleet_sunk\n", "new 2x2, won"),
        (
            "GAMEplace\nend lost timeout\nGAMEplace\nend void turn_cap\n",
            "new 2x2, lost, new 2x2, void",
        ),
        // The game is not worth a word to a bot that was not asked.
        ("GAMEend void cannot_place\n", ""),
        ("GAMEGAMEend void cannot_place\n", ""),
        // The time limit is that of one game, and known before the first question.
        (
            "GAMElimit 1500\nplace\nattack\nend won resigned\nGAMEplace\nend lost timeout\n",
            "new 2x2, limit 1.5s, won, new 2x2, lost",
        ),
        // The time of a whole game is what its first clock says.
        (
            "GAMEclock 60000\nplace\nclock 59000\nattack\nend won resigned\nGAMEplace\nquit\n",
            "new 2x2, time 60s, won, new 2x2, void",
        ),
        // A game that breaks off is void.
        (
            "GAMEplace\nGAMEplace\nend won resigned\n",
            "new 2x2, void, new 2x2, won",
        ),
        ("GAMEplace\nquit\n", "new 2x2, void"),
        ("GAMEplace\nattack\n", "new 2x2, void"),
        // Nothing is left to end.
        (
            "GAMEplace\nend won resigned\nend lost timeout\nquit\n",
            "new 2x2, won",
        ),
    ] {
        assert_eq!(notes(&dialogue.replace("GAME", game)), heard, "{dialogue}");
    }
}

#[test]
fn a_course_player_is_made_for_each_game() {
    /// Attacks the cell whose row is its number among the players made.
    struct Numbered(i32);
    impl Player for Numbered {
        fn name(&self) -> &'static str {
            "numbered"
        }
        fn place_ships(&mut self, _board: &mut Board<'_>) -> bool {
            false
        }
        fn recommend_attack(&mut self) -> Point {
            Point::new(self.0, 0)
        }
        fn record_attack_result(&mut self, _at: Point, _result: AttackResult) {}
        fn record_attack_by_opponent(&mut self, _at: Point) {}
    }
    let mut made = 0;
    let bot = PlayerBot::new(|_: &Game, _| -> Box<dyn Player> {
        made += 1;
        Box::new(Numbered(made))
    });
    let program = Program::new("numbered").classic(Box::new(bot));
    let (output, ..) = dialogue_with(
        program,
        "game classic 2 2\nattack\nattack\nend void turn_cap\ngame classic 2 2\nattack\n",
    );
    assert_eq!(output, "attack 1 0\nattack 1 0\nattack 2 0\n");
}

#[test]
fn one_type_speaks_the_whole_protocol() {
    let (output, log, ok) = dialogue(
        "battleship 1\r\ngame classic 3 3\r\nship 0 2 R rowboat\r\nship 1 3 C canoe\nseed 2\nplace\n\
         attack\nresult 0 2 miss\nopponent 1 1\nattack\nunknown words\n\n\r\nend won fleet_sunk\n\
         game classic 1 1\nship 0 1 D dinghy\nseed 0\nplace\nattack\nerror you were too slow\nquit\nattack\n",
    );
    assert_eq!(
        output,
        "name rookie\nplays classic apart\nready\nplace 0 0 h 1 0 h\nattack 0 2\nattack 1 1\n\
         place 0 0 h\nattack 0 0\n"
    );
    assert_eq!(log, "rookie: you were too slow\n");
    assert!(ok);
}

#[test]
fn a_bot_that_cannot_place_says_so() {
    let (output, ..) =
        dialogue("game classic 1 3\nship 0 3 A raft\nship 1 1 B buoy\nplace\nquit\n");
    assert_eq!(output, "place none\n");
}

#[test]
fn a_referee_breaking_the_protocol_ends_the_program() {
    for input in [
        "attack\n",
        "game classic 11 3\n",
        "game twist 12 12\n",
        "battleship 2\n",
        "game classic 3 3\nresult 1\n",
        &format!("# {}\n", "x".repeat(5000)),
    ] {
        let (_, _, ok) = dialogue(input);
        assert!(!ok, "{input}");
    }
}

#[test]
fn a_limit_has_to_be_a_number() {
    let game = "game classic 2 2\nship 0 1 D dinghy\nseed 1\n";
    for (line, understood) in [
        ("limit 5000 fischer 100", true),
        ("limit", false),
        ("limit 5s", false),
        ("limit -1", false),
        ("limit 4294967296", false),
    ] {
        let (_, _, ok) = dialogue(&format!("{game}{line}\nplace\nquit\n"));
        assert_eq!(ok, understood, "{line}");
    }
}

/// Places its units row by row and fires with the first of them at where its opponent fired last,
/// (0,0) at first, or in the column of the seconds that it has for a reply.
#[derive(Default)]
struct Cadet {
    next: Point,
}

impl TwistBot for Cadet {
    fn new_game(&mut self, _seed: u64) {
        *self = Cadet::default();
    }

    fn time_limit(&mut self, limit: Duration) {
        self.next.col = i32::try_from(limit.as_secs()).unwrap_or(0);
    }

    fn place_units(&mut self) -> Option<Vec<Placement>> {
        let at = |row| Placement {
            top_or_left: Point::new(row, 0),
            direction: Direction::Horizontal,
        };
        Some((0..8).map(at).collect())
    }

    fn act(&mut self) -> Order {
        Order {
            origin: Point::new(0, 2),
            target: self.next,
        }
    }

    fn act_result(&mut self, order: Order, result: &OrderResult) {
        if *result == OrderResult::Hit {
            self.next.row = order.target.row + 1;
        }
    }

    fn opponent_fired(&mut self, at: Point) {
        self.next = at;
    }
}

#[test]
fn a_program_plays_both_games() {
    let input = "battleship 1\ngame twist 12 12\nship 0 5 C battleship\nseed 2\nlimit 4000\nplace\nact\n\
                 result 0 2 0 0 hit\nact\nopponent 7 3\nact\nend won fleet_sunk\n\
                 game classic 1 1\nship 0 1 D dinghy\nplace\nquit\n";
    let program = Program::new("cadet")
        .classic(Box::new(Rookie::default()))
        .twist(Box::new(Cadet::default()));
    let (output, _, ok) = dialogue_with(program, input);
    assert_eq!(
        output,
        "name cadet\nplays classic twist apart\nready\n\
         place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h 5 0 h 6 0 h 7 0 h\n\
         act 0 2 0 4\nact 0 2 1 4\nact 0 2 7 3\nplace 0 0 h\n"
    );
    assert!(ok);
}
