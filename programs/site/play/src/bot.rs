//! The shipped bot that an instance is.

use std::cell::RefCell;

use battleship::Dialogue;
use battleship::protocol::strip_line_end;
use bots::{Settings, Shipped};

thread_local! {
    static BOT: RefCell<Option<Dialogue<'static>>> = RefCell::default();
}

/// Begins the bot of the command line `referee bot KIND`, as the referee starts its own. Returns
/// whether there is one.
pub(super) fn begin(line: &str) -> bool {
    let mut words = line.split(' ').skip_while(|word| *word != "bot").skip(1);
    let shipped = words.next().and_then(Shipped::named);
    // A person plays at the page's table.
    let shipped = shipped.filter(|shipped| !shipped.is_human());
    BOT.set(shipped.map(|shipped| shipped.program(Settings::default()).dialogue()));
    BOT.with_borrow(Option::is_some)
}

/// Lets the bot hear `lines`. Returns what it says, and whether it lives on.
pub(super) fn hear(lines: &[u8]) -> (Vec<u8>, bool) {
    BOT.with_borrow_mut(|bot| {
        let mut said = Vec::new();
        let Some(dialogue) = bot else {
            return (said, false);
        };
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            match dialogue.receive(strip_line_end(line), &mut said, &mut std::io::sink()) {
                Ok(true) => {}
                Ok(false) => return (said, false),
                Err(error) => return (error.to_string().into(), false),
            }
        }
        (said, true)
    })
}
