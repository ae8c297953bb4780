//! Games in a page, as one module: the shipped bots, of which each instance is one, and the table
//! of a game, at which a person may sit. The page hands bytes over in a buffer, and is told of a
//! game by events.
#![cfg(target_os = "wasi")]

mod bot;
mod table;

use std::cell::RefCell;

use bots::SHIPPED;
use serde_json::{Value, json};

thread_local! {
    /// The bytes that the page hands over, and those that it gets.
    static BUFFERS: RefCell<[Vec<u8>; 2]> = RefCell::default();
}

/// Returns where the page is to write the next `length` bytes that it hands over.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|[input, _]| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Returns where the bytes are that the last call made.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    BUFFERS.with_borrow(|[_, output]| output.as_ptr())
}

/// Makes this instance the bot that a command line of the referee names, which was handed over.
/// Returns 0, or 1 if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn bot_new() -> i32 {
    i32::from(!bot::begin(&String::from_utf8_lossy(&handed_over())))
}

/// Lets the bot hear lines, which were handed over. Returns the number of bytes that it replies; -1
/// if it has ended, and what it says last is its error.
#[unsafe(no_mangle)]
pub extern "C" fn bot_hear() -> i32 {
    let (said, lives) = bot::hear(&handed_over());
    let length = hand_out(said);
    if lives { length } else { -1 - length }
}

/// Returns the number of bytes of the opponents in JSON: an array of `{ name, words }`, the weakest
/// first.
#[unsafe(no_mangle)]
pub extern "C" fn levels() -> i32 {
    let opponents = SHIPPED.iter().filter(|shipped| !shipped.is_human());
    let opponents = opponents.map(|bot| json!({ "name": bot.name, "words": bot.in_words() }));
    hand_out(opponents.collect::<Value>().to_string().into())
}

/// Plays a game by an order in JSON, which was handed over: see `table`. Returns 0, or the number
/// of bytes of an error.
#[unsafe(no_mangle)]
pub extern "C" fn table() -> i32 {
    table::play(&handed_over()).map_or_else(|error| hand_out(format!("{error:#}").into()), |()| 0)
}

fn handed_over() -> Vec<u8> {
    BUFFERS.with_borrow_mut(|[input, _]| std::mem::take(input))
}

fn hand_out(bytes: Vec<u8>) -> i32 {
    let length = i32::try_from(bytes.len()).expect("a reply is short");
    BUFFERS.with_borrow_mut(|[_, output]| *output = bytes);
    length
}

mod page {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Tells the page an event: `length` bytes of JSON.
        pub(super) fn event(json: *const u8, length: usize);
    }
}

/// Tells the page of `event`.
fn tell(event: &Value) {
    let json = event.to_string();
    // SAFETY: the text lives until the call returns.
    unsafe { page::event(json.as_ptr(), json.len()) }
}
