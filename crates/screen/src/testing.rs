//! The tools that the tests of this crate share: games to show, and the text of a screen.

use std::fmt::Write;
use std::time::Duration;

use battleship::protocol::Order;
use battleship::{BySide, Direction, Placement, PlayedTurn, Point, Rules, Ruleset, Side, Step};
use ratatui_core::backend::TestBackend;
use ratatui_core::style::{Color, Modifier};
use ratatui_core::terminal::Terminal;

use crate::draw::draw;
use crate::look::{Ground, Look};
use crate::picture::Picture;
use crate::story::{End, News, Story};

pub(crate) const DARK: Look = Look {
    ascii: false,
    colourless: false,
    ground: Ground::Dark,
};
pub(crate) const PLAIN: Look = Look {
    ascii: true,
    colourless: true,
    ground: Ground::Dark,
};

/// The terminals that the screens are tried in.
pub(crate) const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];

/// Returns what a terminal of that size shows, and below it where it is coloured: a letter stands
/// for each colour, a capital one for the lighter, and `*` for a cell in reverse.
pub(crate) fn screenshot(picture: &Picture, (width, height): (u16, u16), look: Look) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| drop(draw(picture, look, frame.buffer_mut())))
        .unwrap();
    let buffer = terminal.backend().buffer();
    let lines = |sign: &dyn Fn(u16, u16) -> String| {
        (0..height)
            .map(|y| {
                (0..width)
                    .map(|x| sign(x, y))
                    .collect::<String>()
                    .trim_end()
                    .to_owned()
            })
            .collect::<Vec<_>>()
            .join("\n")
    };
    let mut shown = lines(&|x, y| buffer[(x, y)].symbol().to_owned());
    let colours = lines(&|x, y| {
        let cell = &buffer[(x, y)];
        let is_blank = cell.symbol() == " " && !cell.modifier.contains(Modifier::REVERSED);
        letter(cell.fg, cell.modifier, is_blank).to_string()
    });
    write!(shown, "\n{:-<80}\n{colours}", "").unwrap();
    shown
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the other colours are not used"
)]
fn letter(colour: Color, modifier: Modifier, is_blank: bool) -> char {
    if modifier.contains(Modifier::REVERSED) {
        return '*';
    }
    match colour {
        _ if is_blank => ' ',
        Color::Indexed(167) => 'r',
        Color::Indexed(203) => 'R',
        Color::Indexed(83) => 'G',
        Color::Indexed(80) => 'c',
        Color::Indexed(51) => 'C',
        Color::Indexed(207) => 'M',
        Color::Indexed(227) => 'Y',
        Color::Indexed(245) => '.',
        _ if modifier.contains(Modifier::DIM) => '.',
        _ => ' ',
    }
}

pub(crate) fn names() -> BySide<String> {
    BySide::new("Ada".to_owned(), "good".to_owned())
}

fn across(row: i32, col: i32) -> Placement {
    Placement {
        top_or_left: Point::new(row, col),
        direction: Direction::Horizontal,
    }
}

fn down(row: i32, col: i32) -> Placement {
    Placement {
        direction: Direction::Vertical,
        ..across(row, col)
    }
}

/// A classic game in its course: Ada has sunk a ship, and the other has hit one.
pub(crate) fn classic_story() -> Story {
    let fleets = BySide::new(
        vec![
            across(1, 1),
            down(3, 7),
            across(6, 1),
            across(8, 2),
            across(8, 7),
        ],
        vec![
            across(2, 2),
            across(5, 4),
            down(6, 9),
            down(0, 0),
            across(9, 4),
        ],
    );
    let attacks = [
        (9, 4),
        (3, 3),
        (9, 5),
        (3, 7),
        (0, 3),
        (4, 7),
        (2, 2),
        (5, 6),
        (7, 6),
        (5, 7),
    ];
    let steps = attacks.map(|(row, col)| Step::Attack(Point::new(row, col)));
    played_story(Rules::usual(Ruleset::Classic), fleets, &steps, 37_000)
}

/// A game by these rules, in which Ada began, after these steps; each took so many microseconds
/// longer than the one before.
fn played_story(rules: Rules, fleets: BySide<Vec<Placement>>, steps: &[Step], us: u64) -> Story {
    let mut game = rules.begin();
    for (side, fleet) in &fleets {
        game.place(side, fleet).unwrap();
    }
    game.start(Side::One);
    let mut story = Story::new(rules, names(), Side::One);
    story.hear(News::Placed(fleets));
    for (number, step) in (1..).zip(steps) {
        let mover = game.mover().unwrap();
        let turn = game.play(*step).unwrap();
        story.hear(News::Turn(mover));
        let time = Duration::from_micros(number * us);
        story.hear(News::Played(PlayedTurn::new(mover, turn, time)));
    }
    story.hear(News::Turn(Side::One));
    story
}

/// A twist game in its course: Ada's battleship has fired, her submarine has searched, and one of
/// hers is damaged.
pub(crate) fn twist_story() -> Story {
    let fleet = || {
        vec![
            across(0, 0),
            across(1, 0),
            across(2, 0),
            across(4, 0),
            across(5, 0),
            across(6, 0),
            across(8, 0),
            across(8, 2),
        ]
    };
    let fleets = BySide::new(fleet(), fleet());
    let orders = [
        [0, 2, 0, 1],
        [0, 2, 1, 1],
        [0, 2, 11, 11],
        [0, 2, 1, 2],
        [8, 0, 6, 2],
        [4, 1, 9, 5],
        [1, 2, 5, 5],
        [0, 2, 11, 0],
        [0, 2, 7, 7],
        [0, 2, 11, 1],
        [0, 2, 7, 8],
        [0, 2, 10, 1],
        [0, 2, 7, 9],
        [0, 2, 10, 2],
        [4, 1, 10, 8],
        [5, 1, 2, 10],
    ];
    let steps = orders.map(|[row, col, to_row, to_col]| {
        Step::Order(Order::new(Point::new(row, col), Point::new(to_row, to_col)))
    });
    played_story(Rules::Twist, fleets, &steps, 410)
}

/// The end of a game that Ada loses.
pub(crate) fn lost() -> News {
    let why = "good sank the whole fleet of Ada".to_owned();
    News::Ended(End {
        winner: Some(Side::Two),
        why,
    })
}

/// Compares a picture at both sizes and in all looks with the one that is kept.
macro_rules! assert_screens {
    ($name:literal, $picture:expr) => {{
        let picture = $picture;
        for size in crate::testing::SIZES {
            let name = format!("{}_{}x{}", $name, size.0, size.1);
            insta::assert_snapshot!(
                name,
                crate::testing::screenshot(&picture, size, crate::testing::DARK)
            );
        }
        let small = crate::testing::SIZES[0];
        let plain = crate::testing::screenshot(&picture, small, crate::testing::PLAIN);
        insta::assert_snapshot!(format!("{}_ascii", $name), plain);
    }};
}

pub(crate) use assert_screens;
