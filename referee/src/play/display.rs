//! The display of a game while it is played: in words, or on a screen.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;

use battleship::protocol::Reply;
use battleship::{BySide, Rules, Side};
use bothost::Interrupt;
use clap::Args;
use screen::live::{OnStage, Person, Stage};
use screen::story::Story;
use screen::{Device, Fit, Look, People};

use super::PlayPlan;
use crate::exit::{self, Failure};
use crate::options::headings;
use crate::seed::Seed;
use arena::game::Entrant;
use arena::system::is_dumb;

/// The time of a turn on a screen, if no option says otherwise.
const DELAY: Duration = Duration::from_millis(300);

#[derive(Args, Debug)]
#[command(next_help_heading = headings::OUTPUT)]
pub(super) struct DisplayOptions {
    /// Watch on a screen, with --delay [default: 300ms]
    ///
    /// Both boards stay in place and change step by step.
    #[arg(long, conflicts_with_all = ["json", "plain"])]
    watch: bool,
    /// Show the game in plain words, line by line
    #[arg(long)]
    plain: bool,
    /// Draw the screen with ASCII characters only
    #[arg(long, hide_short_help = true)]
    ascii: bool,
}

/// A screen on which a game is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameScreen {
    look: Look,
    /// The time of each turn, for people who watch; `None` for people who play.
    delay: Option<Duration>,
}

/// Returns whether this program has a terminal that can be drawn on.
pub(crate) fn has_screen() -> bool {
    !is_dumb() && io::stdin().is_terminal() && io::stdout().is_terminal()
}

impl DisplayOptions {
    /// Returns the screen for the game of `plan`; `None` if it is shown in words, or not at all.
    ///
    /// # Errors
    /// If the game cannot be watched.
    pub(super) fn screen(
        &self,
        plan: &PlayPlan,
        json: bool,
        delay: Option<Duration>,
    ) -> Result<Option<GameScreen>, Failure> {
        let players = &plan.players;
        let has_person = players.iter().any(|(_, player)| player.human);
        let look = Look::of_environment(self.ascii);
        if self.watch {
            plan.game.needs_rules("--watch")?;
            if has_person {
                return Err(Failure::misuse(
                    "--watch: a person plays, who must not see both fleets; leave --watch out",
                ));
            }
            if !has_screen() {
                return Err(Failure::misuse(
                    "--watch needs a terminal; --delay TIME shows the game turn by turn anywhere",
                ));
            }
            let delay = Some(delay.unwrap_or(DELAY));
            return Ok(Some(GameScreen { look, delay }));
        }
        // Another program for people asks them itself.
        let asks = players
            .iter()
            .all(|(_, player)| player.shipped || !player.human);
        let is_shown = plan.game.rules.is_some() && !self.plain && !json && has_screen();
        let screen = GameScreen { look, delay: None };
        Ok((has_person && asks && is_shown).then_some(screen))
    }
}

impl GameScreen {
    /// Begins to show the game of `plan`, by these rules; `None` if the person prefers words. The
    /// people among `players` are asked on the screen.
    ///
    /// # Errors
    /// If the terminal fails, or the person has left before the game.
    pub(super) fn open(
        self,
        plan: &PlayPlan,
        rules: &Rules,
        players: &mut BySide<Entrant>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Option<Stage>, Failure> {
        let mut device = Device::take(self.look)?;
        match screen::wait_until_fits(&mut device, &|| interrupt.is_noted())? {
            Fit::Enough => {}
            Fit::Plain => return Ok(None),
            Fit::Left => return Err(Failure::Reported(exit::INTERRUPTED)),
        }
        let story = Story::new(rules.clone(), plan.names(), plan.first);
        if let Some(delay) = self.delay {
            let stage = Stage::open(interrupt, move |stage: OnStage| {
                screen::watch(&mut device, story, Some(&stage.news), delay, &|| {
                    stage.is_closing()
                })
                .map(|left| stage.left(left))
            })?;
            return Ok(Some(stage));
        }
        let humans = players.as_ref().map(|player| player.human);
        let people = People {
            here: humans,
            limit: plan.human_limit(),
            seed: Seed::given_or_drawn(None)?.value,
            series: plan.series.clone(),
        };
        let mut seated = Vec::new();
        for side in Side::BOTH {
            if humans[side] {
                seated.push(Person::seated(&mut players[side], side));
            }
        }
        let answering = seated.clone();
        let stage = Stage::open(interrupt, move |stage: OnStage| {
            screen::play(
                &mut device,
                story,
                people,
                &stage.news,
                &mut |side, reply: Reply| {
                    // Without its program the game ends, which is reported in a moment.
                    for person in answering.iter().filter(|person| person.side() == side) {
                        let _ = person.answer(reply.clone());
                    }
                },
                &|| stage.is_closing(),
            )
            .map(|left| stage.left(left))
        })?;
        for person in &seated {
            person.tell_of_questions(stage.news());
        }
        Ok(Some(stage))
    }
}
