//! `referee play`: one game, and those that a person plays after it.

mod display;
mod pause;
mod rematch;
mod session;

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use battleship::{BySide, Rules};
use bothost::{Clock, Interrupt, Launch, Side};
use clap::{Args, ValueHint};
use screen::story::{Next, Series};

pub(super) use self::display::has_screen;
use self::display::{DisplayOptions, GameScreen};
pub(super) use self::pause::PauseOptions;
use self::session::GameSession;
use super::commands::CommandArgs;
use super::exit::Failure;
use super::help::Group;
use super::in_browser::{BrowserOptions, Seating};
use super::options::{ChosenGame, GameOptions, headings, seed};
use super::outputs::Outputs;
use super::seed::Seed;
use super::words::ConfigArgument;
use super::{World, listen, own_program, player, programs, secrets, test_sandbox};
use arena::game::{
    ENDLESS, EndedBy, Ending, Entrant, Event, GameListener, Listener, Pair, Round, Starter as _,
    Stopped, seeds_of_game, tell_apart,
};
use arena::record::{FigureRecorder, GameLine, LinePlayer};
use arena::terms::GameTerms;
use pages::{Pause, Transcript};

#[derive(Args, Debug)]
pub struct PlayArguments {
    /// The player who moves first
    #[arg(value_name = "P1", value_hint = ValueHint::CommandString)]
    one: String,
    /// The other player
    #[arg(value_name = "P2", value_hint = ValueHint::CommandString)]
    two: String,
    #[command(flatten)]
    game: GameOptions,
    /// Repeat the game with this seed [default: one is drawn]
    ///
    /// Without this option a seed is drawn and reported.
    #[arg(long, help_heading = headings::GAME, value_name = "N", allow_hyphen_values = true, value_parser = seed)]
    seed: Option<u64>,
    /// First mover, 1 or 2 [default: 1; twist: drawn]
    ///
    /// In twist games it follows from the seed.
    #[arg(long, help_heading = headings::GAME, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2))]
    first: Option<u8>,
    #[command(flatten)]
    pause: PauseOptions,
    #[command(flatten)]
    display: DisplayOptions,
    #[command(flatten)]
    outputs: PlayOutputs,
    #[command(flatten)]
    browser: BrowserOptions,
    #[command(flatten)]
    config: ConfigArgument,
}

/// The files that are written of a game.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = headings::OUTPUT)]
struct PlayOutputs {
    /// Append the game to this file, as a line of JSON
    ///
    /// The file is a new one, or one with such lines. It is compressed if its name ends in .gz.
    #[arg(long, alias = "record", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a page of the game to this file
    ///
    /// A browser shows both boards, and the dialogue of each turn.
    #[arg(long, alias = "html", value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write the dialogue with both bots to this file
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Write a twist game to this file too, as a log like those of the original program. referee
    /// replay and replay show the game from it; the original reads it too, but shows another game
    /// where its quirks matter
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    log: Option<PathBuf>,
    /// Replace files that exist
    ///
    /// These are the files of --out, --report, --transcript and --log.
    #[arg(long)]
    force: bool,
    /// Print the game as a line of JSON, and do not show it
    #[arg(long)]
    json: bool,
}

impl PlayOutputs {
    /// Returns the files, by their options.
    fn files_mut(&mut self) -> [(&'static str, &mut Option<PathBuf>); 4] {
        [
            ("--out", &mut self.out),
            ("--log", &mut self.log),
            ("--transcript", &mut self.transcript),
            ("--report", &mut self.report),
        ]
    }
}

/// One game, checked as far as it can be without opening or starting anything.
#[derive(Clone, Debug)]
pub struct PlayPlan {
    pub game: ChosenGame,
    pub terms: GameTerms,
    /// The player who moves first.
    pub first: Side,
    /// The games before and after this one.
    pub series: Series,
    pub browser: BrowserOptions,
    pub(super) players: BySide<Entrant>,
    pub(super) launch: Launch,
    pub(super) seed: Seed,
    pub(super) clocks: BySide<Clock>,
    pub(super) pause: Pause,
    /// The first mover that was typed.
    given_first: Option<Side>,
    screen: Option<GameScreen>,
    outputs: PlayOutputs,
}

/// A game that was played.
pub(super) struct PlayedGame {
    winner: Option<Side>,
    /// The game that the person wants to play next.
    next: Option<Next>,
    /// The failure of a game without a winner.
    pub(super) outcome: Result<(), Failure>,
}

impl PlayPlan {
    /// Returns the plan of a game between these players with no further options.
    ///
    /// # Errors
    /// If the options make no terms, or a word names no player.
    pub(super) fn new(
        typed: [&str; 2],
        options: &GameOptions,
        seed: Seed,
    ) -> Result<PlayPlan, Failure> {
        let referee = own_program()?;
        let [one, two] = typed.map(|typed| player::parse(typed, &referee));
        let mut players = [one?, two?];
        tell_apart(&mut players);
        options.bots.limit_players(&mut players)?;
        // The program of a person addresses it by its name, because two of them at one terminal
        // have to be told apart.
        for player in players.iter_mut().filter(|player| player.human) {
            let name = player.name.clone();
            player
                .program
                .arguments
                .extend(["--name".into(), name.into()]);
        }
        let programs: Vec<_> = players.iter().map(|player| &player.program).collect();
        let (game, mut terms) = options.game(&referee, Path::new(""), &programs, &[])?;
        if options.board.max_turns.is_none()
            && let Some(rules) = &game.rules
        {
            let has_person = players.iter().any(|player| player.human);
            terms.max_turns = rules.usual_max_turns(has_person);
        }
        let launch = terms.launch(referee);
        let players = BySide::from(players);
        let clocks = players
            .as_ref()
            .map(|player| match (player.human, player.limits.limit) {
                (true, Some(limit)) => Clock::Wall(limit),
                (true, None) => Clock::None,
                (false, _) => launch.clock_under(&terms, player),
            });
        Ok(PlayPlan {
            first: game.game.first(seed.value),
            game,
            launch,
            players,
            terms,
            seed,
            given_first: None,
            clocks,
            pause: Pause::None,
            screen: None,
            outputs: PlayOutputs::default(),
            browser: BrowserOptions::default(),
            series: Series::default(),
        })
    }

    /// Returns the game as it is played with these clocks.
    pub(super) fn round(&self, clocks: BySide<Clock>) -> Round {
        Round {
            seed: self.seed.value,
            bot_seeds: seeds_of_game(self.seed.value, self.first),
            clocks,
            first: self.first,
            max_turns: self.terms.max_turns,
            retries: self.players.as_ref().map(|player| {
                if player.human {
                    ENDLESS
                } else {
                    self.terms.retries
                }
            }),
        }
    }

    /// Returns the time limit of a person for an answer; without one if the limits of two people
    /// differ.
    #[must_use]
    pub fn human_limit(&self) -> Option<std::time::Duration> {
        let mut people = self.players.iter().filter(|(_, player)| player.human);
        let (side, _) = people.next()?;
        self.clocks[side].reply_limit()
    }

    #[must_use]
    pub fn names(&self) -> BySide<String> {
        self.players.as_ref().map(|player| player.name.clone())
    }
}

impl PlayArguments {
    fn plan(self, world: &World) -> Result<PlayPlan, Failure> {
        let seed = Seed::given_or_drawn(self.seed)?;
        let mut plan = PlayPlan::new([&self.one, &self.two], &self.game, seed)?;
        let mut outputs = self.outputs;
        let files = outputs
            .files_mut()
            .map(|(option, path)| (option, path.clone()));
        let own_files = Outputs {
            files: files
                .iter()
                .map(|(option, path)| (*option, path.as_deref()))
                .collect(),
            force: outputs.force,
            inputs: world.inputs(),
            players: plan.players.iter().map(|(_, player)| player).collect(),
        }
        .check()?;
        if outputs.log.is_some() && plan.game.rules != Some(Rules::Twist) {
            return Err(Failure::misuse(
                "--log: only twist games have such a log; add --rules twist",
            ));
        }
        let BySide { one, two } = &mut plan.players;
        let bots = [&mut one.program, &mut two.program];
        secrets::hide(&mut plan.launch, bots, &own_files);
        let screen = self.display.screen(&plan, outputs.json, self.pause.delay)?;
        if self.browser.web {
            plan.game.needs_rules("--web")?;
        } else {
            plan.screen = screen;
        }
        plan.given_first = self.first.map(|first| match first {
            2 => Side::Two,
            _ => Side::One,
        });
        plan.first = plan.given_first.unwrap_or(plan.first);
        plan.pause = self.pause.pause();
        plan.outputs = outputs;
        plan.browser = self.browser;
        Ok(plan)
    }
}

impl CommandArgs for PlayArguments {
    const NAME: &'static str = "play";
    const ABOUT: &'static str = "Play one game";
    const GROUP: Group = Group::Begin;
    const EXAMPLES: &'static str = "\
A player is awful, mediocre, fair, decent, good, human, the folder of a bot, or
the command line of a program that speaks the protocol. NAME= names it;
NAME@DIR= starts it in DIR. A name with spaces needs quotation marks of its own.

Examples:
  referee play human good
  referee play 'Popeye=python3 my_bot.py' Bluto@bots/bluto=./bluto
  referee play \"'Popeye the Sailor=python3' my_bot.py\" mediocre";

    fn run(self, world: &World) -> Result<(), Failure> {
        if self.browser.web {
            return programs::WEB.run(&world.typed[2..]);
        }
        rematch::play_all(self.plan(world)?, None, &listen()?)
    }
}

/// Plays the game that is typed behind `play`, and those that follow, with the person at that
/// place. Ends the program if the words are none of `referee play`.
///
/// # Errors
/// As for `referee play`, and those of the place.
pub fn play_at(
    words: impl IntoIterator<Item = std::ffi::OsString>,
    place: &mut dyn Seating,
) -> Result<(), Failure> {
    let typed = ["referee".into(), "play".into()].into_iter().chain(words);
    let (arguments, world) = super::commands::arguments_of::<PlayArguments>(typed.collect())?;
    let plan = arguments
        .plan(&world)
        .map_err(|failure| world.located(failure))?;
    rematch::play_all(plan, Some(place), &listen()?)
}

/// Plays one game as planned; the person plays at `place`, if there is one.
pub(super) fn play<'p>(
    plan: &'p PlayPlan,
    place: Option<&'p mut (dyn Seating + 'p)>,
    interrupt: &Arc<Interrupt>,
) -> Result<PlayedGame, Failure> {
    let sandbox = test_sandbox(&plan.terms, &plan.launch)?;
    let mut players = plan.players.clone();
    let (session, dialogue) = GameSession::open(plan, &mut players, place, interrupt)?;
    for side in Side::BOTH {
        let player = &mut players[side];
        if player.human && player.shipped && player.program.local.is_none() {
            player::seat_at_terminal(player, plan.outputs.json);
        }
    }
    let mut line = new_line(plan);
    line.sandbox = sandbox;
    let mut pair = match Pair::start(
        &players,
        &plan.launch,
        plan.game.game.name(),
        plan.terms.start_limit,
        interrupt,
        dialogue,
    ) {
        Ok(pair) => {
            for side in Side::BOTH {
                line.players[side].calls_itself = pair.own_name(side);
                line.players[side].author.clone_from(&pair.authors[side]);
            }
            Ok(pair)
        }
        Err(Stopped::Ended(ending)) => Err(ending),
        Err(Stopped::Failed(error)) => return Err(error.into()),
    };
    let mut figures = FigureRecorder::default();
    let human = plan.players.as_ref().map(|player| player.human);
    let outputs = &plan.outputs;
    let plays_on =
        outputs.out.is_some() || outputs.transcript.is_some() || human != BySide::default();
    let mut transcript = Transcript::new(BufWriter::new(io::stdout().lock()), plan.names(), human)
        .pausing(plan.pause, interrupt)
        .play_on_unread(plays_on);
    let mut teller = session.teller();
    let mut listeners: Vec<&mut GameListener<'_>> = vec![&mut figures];
    match &mut teller {
        Some(teller) => listeners.push(teller),
        None if outputs.json => {}
        None => listeners.push(&mut transcript),
    }
    let game = match &mut pair {
        Ok(pair) => {
            let mut table = plan.game.game.table()?;
            pair.play(&mut *table, &plan.round(plan.clocks), &mut listeners)?
        }
        Err(ending) => {
            // No listener pauses at an ending, so none can be interrupted.
            let _ = listeners.on_event(&Event::Ended {
                ending,
                position: None,
            });
            arena::game::Played::without_play(ending.clone(), plan.game.game.unplayed())
        }
    };
    drop(transcript);
    // First, since how they leave belongs to the record. If ending them fails, there is a record
    // all the same.
    let ending = &game.ending;
    let ended = match pair {
        Ok(pair) => pair.end(ending).map(|warnings| {
            for (side, warnings) in warnings {
                line.players[side].warnings.extend(warnings);
            }
        }),
        Err(_) => Ok(()),
    };
    line.figures = figures.figures;
    let line = line.finished(&game, plan.game.game.reader());
    let next = session.close(&line, ending, interrupt)?;
    ended?;
    Ok(PlayedGame {
        winner: ending.winner,
        next,
        outcome: won(ending, &line.reason),
    })
}

/// Returns the line of the game of `plan`, which has yet to be played.
fn new_line(plan: &PlayPlan) -> GameLine {
    let seed = plan.seed.value;
    let seeds = seeds_of_game(seed, plan.first);
    let players = BySide::from_fn(|side: Side| {
        LinePlayer::of(&plan.players[side], seeds[side], plan.clocks[side])
    });
    let max_turns = plan.terms.max_turns;
    GameLine::new(plan.game.game.rules(), seed, plan.first, max_turns, players)
}

/// Returns the failure of a game that has no winner, for this reason.
pub(super) fn won(ending: &Ending, reason: &str) -> Result<(), Failure> {
    let reason = reason.to_owned();
    match (ending.winner, ending.ended_by) {
        (Some(_), _) => Ok(()),
        (None, EndedBy::CouldNotStart) => Err(Failure::NotStarted(reason)),
        (None, EndedBy::Interrupted) => Err(Failure::Interrupted(reason)),
        (None, _) => Err(Failure::NoWinner(reason)),
    }
}
