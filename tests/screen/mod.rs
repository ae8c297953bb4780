//! Playing and watching on the screen of a terminal, through a real pseudo-terminal.

#![cfg(unix)]

mod leaving;
mod looks;
mod people;
mod playing;
mod watching;

use testkit::list::Tests;
use testkit::screen::Screen;
use testkit::tools::UNIX;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[UNIX], |tests| {
        leaving::tests(tests);
        looks::tests(tests);
        people::tests(tests);
        playing::tests(tests);
        watching::tests(tests);
    });
}

/// The usual terminal.
const USUAL: (u16, u16) = (80, 24);

const ESCAPE: &str = "\x1b";
const CTRL_C: &str = "\x03";

/// The code that the arrow key to the left sends.
const LEFT: &str = "\x1b[D";

/// Returns the first cells of both grids on the screen: those below their first columns' names.
fn origins(screen: &Screen, names: &str) -> [(u16, u16); 2] {
    let text = screen.text();
    let (row, line) = text.lines().enumerate().nth(2).unwrap();
    let mut columns = line.match_indices(names).map(|(at, _)| at);
    let mut next = || u16::try_from(columns.next().unwrap()).unwrap();
    let row = u16::try_from(row).unwrap() + 1;
    [(next(), row), (next(), row)]
}

/// Returns the place of a cell of a grid on the screen.
fn cell((x, y): (u16, u16), row: u16, column: u16) -> (u16, u16) {
    (x + 2 * column, y + row)
}
