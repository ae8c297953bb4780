//! The progress of a contest on standard error: a bar on a terminal, lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::contest::{ContestEvent, GameOver, Reporter};
use bothost::text;
use league::statistics::real;

/// How long to wait before the next line, where lines are all that can be shown.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Shows on standard error how a contest goes: a bar on a terminal, now and then a line elsewhere.
#[derive(Debug)]
pub(crate) struct Progress {
    names: Vec<String>,
    /// Games won by each player.
    wins: Vec<u64>,
    /// Games that are over, now or in an earlier run.
    games: u64,
    /// Those of an earlier run.
    before: u64,
    total: u64,
    started: Instant,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Returns the progress of a contest between players of these names.
    pub(crate) fn new(names: Vec<String>) -> Progress {
        let now = Instant::now();
        Progress {
            wins: vec![0; names.len()],
            names,
            games: 0,
            before: 0,
            total: 0,
            started: now,
            last_line: now,
            bar: None,
        }
    }

    fn start(&mut self, games: u64) {
        self.total = games;
        self.started = Instant::now();
        self.last_line = self.started;
        if io::stderr().is_terminal() {
            let bar = ProgressBar::new(games);
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}");
            bar.set_style(style.expect("the template is well-formed").progress_chars("=> "));
            self.bar = Some(bar);
        }
    }

    fn count(&mut self, over: &GameOver) {
        self.games += 1;
        if let Some(winner) = over.winner {
            self.wins[over.players[winner]] += 1;
        }
    }

    /// Returns the speed, the score of two players, and the time that is left.
    fn state(&self) -> String {
        // Games of an earlier run took no time of this one, so they would make the speed and the time left
        // too good.
        let (played, seconds) = (self.games - self.before, self.started.elapsed().as_secs_f64());
        // Both bounds only keep the division finite at the start.
        let rate = real(played) / seconds.max(0.001);
        let left = real(self.total.saturating_sub(self.games)) / rate.max(1e-9);
        let score = match (&self.names[..], &self.wins[..]) {
            ([one, two], [won, lost]) => format!(", {one} {won} - {lost} {two}"),
            _ => String::new(),
        };
        let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
        let left =
            if played > 0 { format!(", {} left", HumanDuration(left)) } else { String::new() };
        text::shown(format!("{rate:.0} games/s{score}{left}").as_bytes())
    }

    fn line(&mut self) -> io::Result<()> {
        self.last_line = Instant::now();
        let (games, total, state) = (self.games, self.total, self.state());
        writeln!(io::stderr(), "{games}/{total} games, {state}")
    }

    fn refresh(&mut self) -> io::Result<()> {
        match &self.bar {
            Some(bar) => {
                // The total is a lower bound, since tie-breaks come on top.
                bar.set_length(self.total.max(self.games));
                bar.set_message(self.state());
                bar.set_position(self.games);
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

impl Reporter for Progress {
    fn report(&mut self, event: &ContestEvent<'_>) -> io::Result<()> {
        match event {
            ContestEvent::Started { games, .. } => self.start(*games),
            ContestEvent::GameOver(over) => self.count(over),
            ContestEvent::SeriesOver { series, games, from_record: true, .. } => {
                // Games of the record were never announced one by one.
                self.before += games.len() as u64;
                for (index, game) in (series.first_game..).zip(*games) {
                    self.count(&GameOver::new(series, index, game));
                }
            }
            ContestEvent::SeriesOver { .. } => {}
            ContestEvent::Disqualified { player, faults, games } => {
                let name = &self.names[*player];
                self.say(&format!(
                    "{name} spoiled {faults} of its {games} games and is disqualified"
                ));
            }
            ContestEvent::Stopping => {
                self.say("stopping after the running games; Ctrl-C again stops at once");
            }
            ContestEvent::Tick => return self.refresh(),
        }
        match &self.bar {
            Some(_) => self.refresh(),
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
