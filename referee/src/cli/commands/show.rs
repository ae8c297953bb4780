//! The display of a game while it is played: in words, or on a screen.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;

use battleship::protocol::Reply;
use battleship::{BySide, Side};
use bothost::Interrupt;
use clap::Args;
use screen::story::Story;
use screen::{Device, Look, People, Room};

use super::play::PlayPlan;
use crate::cli::exit::Failure;
use crate::cli::options::{headings, time_limit};
use crate::cli::seed::Seed;
use arena::game::Entrant;
use arena::system::is_dumb;
use screen::live::{OnStage, Person, Stage};

#[derive(Debug, Args)]
#[command(next_help_heading = headings::OUTPUT)]
pub(super) struct ShowArguments {
    /// Watch on a screen, each turn for DELAY [default: 300ms]
    ///
    /// Both boards stay in place and change step by step.
    #[arg(long, value_name = "DELAY", num_args = 0..=1, default_missing_value = "300ms", value_parser = time_limit, conflicts_with_all = ["json", "plain"])]
    watch: Option<Duration>,
    /// Show the game in plain words, line by line, on a terminal too
    #[arg(long, hide_short_help = true)]
    plain: bool,
    /// Draw the screen with ASCII characters only
    #[arg(long, hide_short_help = true)]
    ascii: bool,
}

/// The display of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// In words, on standard output; or not at all.
    Words,
    /// On a screen, to people who play.
    Played(Look),
    /// On a screen, to people who watch: each turn for so long.
    Watched(Look, Duration),
}

/// A display of a game that has begun.
pub(super) enum Shown {
    Words,
    On(Stage),
    /// The person has left before the game.
    Left,
}

/// Whether this program has a terminal that can be drawn on.
pub(in crate::cli) fn has_screen() -> bool {
    !is_dumb() && io::stdin().is_terminal() && io::stdout().is_terminal()
}

impl ShowArguments {
    /// Returns how to show a game of these players.
    ///
    /// # Errors
    /// If that cannot be shown.
    pub(super) fn show(&self, players: &BySide<Entrant>, json: bool) -> Result<Show, Failure> {
        let has_person = players.iter().any(|(_, player)| player.human);
        // Another program for people asks them itself.
        let asks = players
            .iter()
            .all(|(_, player)| player.shipped || !player.human);
        let look = Look::of_environment(self.ascii);
        match self.watch {
            Some(_) if has_person => Err(Failure::misuse(
                "--watch: a person plays, who must not see both fleets; leave --watch out",
            )),
            Some(_) if !has_screen() => Err(Failure::misuse(
                "--watch needs a terminal; --delay TIME shows the game turn by turn anywhere",
            )),
            Some(delay) => Ok(Show::Watched(look, delay)),
            None if has_person && asks && !self.plain && !json && has_screen() => {
                Ok(Show::Played(look))
            }
            None => Ok(Show::Words),
        }
    }
}

impl Show {
    /// Begins to show the game of `plan`. The people among `players` are asked there, if they can be.
    ///
    /// # Errors
    /// If there is no terminal, or it fails.
    pub(super) fn begin(
        self,
        plan: &PlayPlan,
        players: &mut BySide<Entrant>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Shown, Failure> {
        let look = match self {
            Show::Words => return Ok(Shown::Words),
            Show::Played(look) | Show::Watched(look, _) => look,
        };
        let mut device = Device::take(look)?;
        match screen::wait_for_room(&mut device, &|| interrupt.is_noted())? {
            Room::Enough => {}
            Room::Plain => return Ok(Shown::Words),
            Room::Left => return Ok(Shown::Left),
        }
        let story = Story::new(plan.rules.clone(), plan.names(), plan.first);
        let stage = match self {
            Show::Words => return Ok(Shown::Words),
            Show::Watched(_, delay) => Stage::open(interrupt, move |stage: OnStage| {
                let closes = || stage.is_closing();
                screen::watch(&mut device, story, Some(&stage.news), delay, &closes)
                    .map(|left| stage.left(left))
            })?,
            Show::Played(_) => {
                let here = players.as_ref().map(|player| player.human);
                let seed = Seed::given_or_drawn(None)?.value;
                let series = plan.series.clone();
                let people = People {
                    here,
                    limit: plan.human_limit(),
                    seed,
                    series,
                };
                let seats = Side::BOTH.into_iter().filter(|side| here[*side]);
                let seats = seats.map(|side| Person::seated(&mut players[side], side));
                let seats: Vec<Person> = seats.collect();
                let (asked, answered) = (seats.clone(), seats);
                let stage = Stage::open(interrupt, move |stage: OnStage| {
                    let closes = || stage.is_closing();
                    let mut answer = |side: Side, reply: Reply| {
                        let person = answered.iter().find(|person| person.side() == side);
                        // Without its program the game ends, which is told in a moment.
                        let _ = person.map(|person| person.answer(reply.clone()));
                    };
                    let news = &stage.news;
                    screen::play(&mut device, story, people, news, &mut answer, &closes)
                        .map(|left| stage.left(left))
                })?;
                for person in &asked {
                    person.tell_of_questions(stage.news());
                }
                stage
            }
        };
        Ok(Shown::On(stage))
    }
}
