//! The terminal device: how it is taken, and given back as it was.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui_core::layout::Rect;
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use ratatui_crossterm::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui_crossterm::crossterm::{cursor, execute};

use crate::draw::{self, Places};
use crate::input::{Input, input};
use crate::look::Look;
use crate::picture::Picture;

/// The terminal that this program runs in, taken for a screen. It is given back when this is
/// dropped, and when the program panics.
#[derive(Debug)]
pub struct Device {
    terminal: Terminal<CrosstermBackend<File>>,
    /// The source of the keys, to look whether any have come.
    #[cfg(unix)]
    input: File,
    look: Look,
    /// The keys that were typed before the terminal was given back for a while.
    typed_ahead: VecDeque<Event>,
}

/// Panics give the terminal back before they are told of.
static HOOK: Once = Once::new();

/// Whether the terminal is taken.
static TAKEN: AtomicBool = AtomicBool::new(false);

impl Device {
    /// Takes the terminal, even if standard output is another file.
    ///
    /// # Errors
    /// If the program runs in none, or in one that cannot be asked for its keys.
    pub fn take(look: Look) -> io::Result<Device> {
        let look = look.for_terminal();
        let device = open()?;
        #[cfg(unix)]
        let input = open()?;
        HOOK.call_once(|| {
            let usual = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                give_back();
                usual(panic);
            }));
        });
        enter()?;
        // From here on dropping it gives the terminal back.
        let terminal = Terminal::new(CrosstermBackend::new(device)).inspect_err(|_| give_back())?;
        let mut device = Device {
            terminal,
            #[cfg(unix)]
            input,
            look,
            typed_ahead: VecDeque::new(),
        };
        device.redraw()?;
        Ok(device)
    }

    /// Returns the terminal's size in columns and rows.
    ///
    /// # Errors
    /// If it does not say.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Draws `picture`, and returns where its grids are; `None` if the terminal is too small for
    /// it, and says so.
    pub(crate) fn show(&mut self, picture: &Picture) -> io::Result<Option<Places>> {
        let look = self.look;
        let mut places = None;
        self.terminal
            .draw(|frame| places = draw::draw(picture, look, frame.buffer_mut()))?;
        Ok(places)
    }

    /// Waits for a key, the mouse or another size, for this time at most.
    pub(crate) fn event(&mut self, patience: Duration) -> io::Result<Option<Event>> {
        if let Some(event) = self.typed_ahead.pop_front() {
            return Ok(Some(event));
        }
        // Keys that have been read already come first.
        if event::poll(Duration::ZERO)? {
            return event::read().map(Some);
        }
        self.wait_for_input(patience)?;
        if event::poll(Duration::ZERO)? {
            event::read().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Forgets what was typed until now, except what stops the program.
    pub(crate) fn forget_typed(&mut self) -> io::Result<()> {
        self.read_ahead()?;
        self.typed_ahead.retain(|event| {
            let meant = input(event, &Places::default());
            matches!(meant, Some(Input::Interrupt | Input::Suspend))
        });
        Ok(())
    }

    fn read_ahead(&mut self) -> io::Result<()> {
        while event::poll(Duration::ZERO)? {
            self.typed_ahead.push_back(event::read()?);
        }
        Ok(())
    }

    /// Waits until something is typed, for this time at most. The library's own wait never returns
    /// once the terminal is gone: it reads the end of the input again and again.
    #[cfg(unix)]
    fn wait_for_input(&self, patience: Duration) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut watched = [PollFd::new(&self.input, PollFlags::IN)];
        let timeout = Timespec::try_from(patience).ok();
        match poll(&mut watched, timeout.as_ref()) {
            // As by the signal that says that the terminal has another size.
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if watched[0]
            .revents()
            .intersects(PollFlags::HUP | PollFlags::ERR)
        {
            return Err(io::Error::new(
                io::ErrorKind::BrokenPipe,
                "the terminal is gone",
            ));
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn wait_for_input(&self, patience: Duration) -> io::Result<()> {
        event::poll(patience).map(drop)
    }

    /// Stops this program as Ctrl-Z does, with the terminal as it was; takes it again when the
    /// program continues.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        execute!(open()?, DisableMouseCapture)?;
        // A Ctrl-C that follows the Ctrl-Z at once counts too.
        self.read_ahead()?;
        leave(Unread::Kept);
        #[cfg(unix)]
        crate::stop::stop()?;
        enter()?;
        self.redraw()
    }

    /// Redraws everything with the next picture.
    pub(crate) fn redraw(&mut self) -> io::Result<()> {
        // `Terminal::clear` would ask the terminal where its cursor is, and not every terminal
        // answers.
        let size = self.terminal.size()?;
        self.terminal
            .resize(Rect::new(0, 0, size.width, size.height))
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        give_back();
    }
}

fn open() -> io::Result<File> {
    let path = if cfg!(windows) { "CONOUT$" } else { "/dev/tty" };
    OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .map_err(|error| io::Error::new(error.kind(), format!("{path} cannot be opened: {error}")))
}

fn enter() -> io::Result<()> {
    let mut device = open()?;
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(
        device,
        EnterAlternateScreen,
        EnableMouseCapture,
        cursor::Hide
    )
    .inspect_err(|_| give_back())
}

/// The fate of keys that were typed and not read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unread {
    Kept,
    Dropped,
}

/// Gives the terminal back, if it is taken, whatever is drawn there. A terminal that no longer
/// exists needs nothing.
pub fn give_back() {
    leave(Unread::Dropped);
}

#[cfg_attr(
    not(unix),
    allow(unused_variables, reason = "what is unread stays there")
)]
fn leave(unread: Unread) {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    if let Ok(mut device) = open() {
        let _ = execute!(
            device,
            DisableMouseCapture,
            LeaveAlternateScreen,
            cursor::Show
        );
        // The reports of the mouse meanwhile are not a command for a shell.
        #[cfg(unix)]
        if unread == Unread::Dropped {
            let _ = rustix::termios::tcflush(&device, rustix::termios::QueueSelector::IFlush);
        }
        let _ = device.flush();
    }
    let _ = disable_raw_mode();
}
