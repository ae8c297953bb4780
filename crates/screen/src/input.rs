//! The inputs of a person at the terminal, before they mean anything.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "most keys mean nothing most of the time"
)]

#[cfg(not(target_os = "wasi"))]
pub(crate) use ratatui_crossterm::crossterm::event::Event;
#[cfg(not(target_os = "wasi"))]
use ratatui_crossterm::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use crate::draw::Places;
use crate::picture::At;

/// There are none without a terminal.
#[cfg(target_os = "wasi")]
pub(crate) enum Event {}

/// Something that was pressed or pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    Enter,
    Escape,
    Tab,
    BackTab,
    Backspace,
    /// A character.
    Typed(char),
    /// The pointer is over a cell of the grid with this number.
    Over(usize, At),
    /// It was pressed there: the left button.
    Click(usize, At),
    /// The right button, or the wheel, anywhere.
    Turn,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
    /// Redraw everything: Ctrl-L, or another size.
    Redraw,
}

/// Returns what an event of the terminal is, if it is anything.
#[cfg(target_os = "wasi")]
pub(crate) fn input(event: &Event, _places: &Places) -> Option<Input> {
    match *event {}
}

/// The same.
#[cfg(not(target_os = "wasi"))]
pub(crate) fn input(event: &Event, places: &Places) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(*key),
        Event::Mouse(mouse) => {
            let over = places.cell_at(mouse.column, mouse.row);
            match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => {
                    over.map(|(grid, at)| Input::Click(grid, at))
                }
                MouseEventKind::Down(MouseButton::Right) => Some(Input::Turn),
                MouseEventKind::Moved => over.map(|(grid, at)| Input::Over(grid, at)),
                MouseEventKind::Down(MouseButton::Middle)
                | MouseEventKind::Up(_)
                | MouseEventKind::Drag(_)
                | MouseEventKind::ScrollDown
                | MouseEventKind::ScrollUp
                | MouseEventKind::ScrollLeft
                | MouseEventKind::ScrollRight => None,
            }
        }
        Event::Resize(..) => Some(Input::Redraw),
        Event::Key(_) | Event::FocusGained | Event::FocusLost | Event::Paste(_) => None,
    }
}

#[cfg(not(target_os = "wasi"))]
fn of_key(key: KeyEvent) -> Option<Input> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Input::Interrupt),
            KeyCode::Char('z') => Some(Input::Suspend),
            KeyCode::Char('l') => Some(Input::Redraw),
            KeyCode::Char('m' | 'j') => Some(Input::Enter),
            KeyCode::Char('h') => Some(Input::Backspace),
            _ => None,
        };
    }
    match key.code {
        KeyCode::Up => Some(Input::Up),
        KeyCode::Down => Some(Input::Down),
        KeyCode::Left => Some(Input::Left),
        KeyCode::Right => Some(Input::Right),
        KeyCode::Home => Some(Input::Home),
        KeyCode::End => Some(Input::End),
        KeyCode::Enter => Some(Input::Enter),
        KeyCode::Esc => Some(Input::Escape),
        KeyCode::Tab => Some(Input::Tab),
        KeyCode::BackTab => Some(Input::BackTab),
        KeyCode::Backspace | KeyCode::Delete => Some(Input::Backspace),
        KeyCode::Char(c) => Some(Input::Typed(c)),
        _ => None,
    }
}
