//! The progress of a contest on standard error: a bar on a terminal, lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::pace::Pace;
use arena::contest::ContestEvent;
use arena::game::{Listener, Stop};
use arena::system::is_dumb;
use bothost::text;

/// The time to wait before the next line, where lines are all that can be shown.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// The message after a request to stop a contest.
pub const STOPPING: &str = "stopping after the running games; Ctrl-C again stops at once";

/// Returns the message about a player that is disqualified.
#[must_use]
pub fn disqualified(name: &str, faults: u64, games: u64) -> String {
    if faults == 0 {
        return format!("the judge keeps failing after replies of {name}, which plays no more");
    }
    format!("{name} spoiled {faults} of its {games} games and is disqualified")
}

/// Shows on standard error how a contest goes: a bar on a terminal, now and then a line elsewhere.
#[derive(Debug)]
pub struct Progress {
    pace: Pace,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Returns the progress of a contest between players of these names.
    #[must_use]
    pub fn new(names: Vec<String>) -> Progress {
        Progress {
            pace: Pace::new(names),
            last_line: Instant::now(),
            bar: None,
        }
    }

    fn start(&mut self, games: u64) {
        self.last_line = Instant::now();
        if io::stderr().is_terminal() && !is_dumb() {
            let bar = ProgressBar::new(games);
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}");
            bar.set_style(
                style
                    .expect("the template is well-formed")
                    .progress_chars("=> "),
            );
            self.bar = Some(bar);
        }
    }

    /// Returns the speed, the score of two players, and the time that is left.
    fn state(&self) -> String {
        let speed = self.pace.speed();
        let left = self.pace.left();
        let score = self
            .pace
            .wins()
            .map_or(String::new(), |wins| format!(", {wins}"));
        text::shown(format!("{speed}{score}{left}").as_bytes())
    }

    fn line(&mut self) -> io::Result<()> {
        self.last_line = Instant::now();
        let games = self.pace.games();
        let total = self.pace.total();
        let state = self.state();
        writeln!(io::stderr(), "{games}/{total} games, {state}")
    }

    fn refresh(&mut self) -> io::Result<()> {
        match &self.bar {
            Some(bar) => {
                bar.set_length(self.pace.total());
                bar.set_message(self.state());
                bar.set_position(self.pace.games());
                Ok(())
            }
            None if self.last_line.elapsed() > BETWEEN_LINES => self.line(),
            None => Ok(()),
        }
    }

    /// Says something beside the bar.
    fn say(&self, message: &str) {
        let message = text::shown(message.as_bytes());
        match &self.bar {
            Some(bar) => bar.println(format!("referee: {message}")),
            // If standard error is closed there is no place for a message.
            None => drop(writeln!(io::stderr(), "referee: {message}")),
        }
    }
}

impl Listener<ContestEvent<'_>> for Progress {
    fn on_event(&mut self, event: &ContestEvent<'_>) -> Result<(), Stop> {
        self.pace.hear(event);
        match event {
            ContestEvent::Started { games, .. } => self.start(*games),
            ContestEvent::GameOver(_) | ContestEvent::SeriesOver { .. } => {}
            ContestEvent::Disqualified {
                player,
                faults,
                games,
            } => {
                self.say(&disqualified(self.pace.name(*player), *faults, *games));
            }
            ContestEvent::Stopping => {
                self.say(STOPPING);
            }
            ContestEvent::Tick => return Ok(self.refresh()?),
        }
        match &self.bar {
            Some(_) => Ok(self.refresh()?),
            None => Ok(()),
        }
    }
}

/// Removes the bar, so that the summary does not follow half a line.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
