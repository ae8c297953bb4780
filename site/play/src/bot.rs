//! The shipped bot that an instance is.

use std::cell::RefCell;

use battleship::Dialogue;
use battleship::protocol::strip_line_end;
use battleship_bots::{Kind, program};

thread_local! {
    static BOT: RefCell<Option<Dialogue<'static>>> = RefCell::default();
}

/// Begins the bot of the command line `referee bot KIND [--careless=N]`, as the referee starts its own. Returns whether there is
/// one.
pub(super) fn begin(line: &str) -> bool {
    let mut words = line.split(' ').skip_while(|word| *word != "bot").skip(1);
    let kind = words.next().and_then(Kind::from_name);
    let careless = words.find_map(|word| word.strip_prefix("--careless=")?.parse().ok());
    let bot = kind.and_then(|kind| program(kind, careless.unwrap_or(0)));
    BOT.set(bot.map(battleship::Program::dialogue));
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
            match dialogue.hear(strip_line_end(line), &mut said, &mut std::io::sink()) {
                Ok(true) => {}
                Ok(false) => return (said, false),
                Err(error) => return (error.to_string().into(), false),
            }
        }
        (said, true)
    })
}
