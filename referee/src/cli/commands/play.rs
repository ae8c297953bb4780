//! `referee play`: one game.

use std::ffi::OsString;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use battleship::{BySide, Rules};
use bothost::{Clock, Interrupt, Launch, Side};
use clap::Args;
use screen::story::{Next, Series};

use super::game_session::GameSession;
use super::pause::PauseArguments;
use super::sandbox_test::test_sandbox;
use super::series;
use super::show::{Show, ShowArguments};
use crate::cli::config_file::{ConfigArguments, Settings};
use crate::cli::exit::Failure;
use crate::cli::in_browser::{BrowserOptions, Seating};
use crate::cli::options::{TermsOptions, headings, time_limit};
use crate::cli::outputs::Outputs;
use crate::cli::player::PairLimits;
use crate::cli::programs;
use crate::cli::secrets;
use crate::cli::seed::{Seed, seed};
use crate::cli::{listen, own_program, player};
use arena::game::{
    EndedBy, Ending, Entrant, Event, Game as _, GameListener, Listener, Pair, Round, Starter as _,
    Stopped, seeds_of_game, tell_apart,
};
use arena::record::{FigureRecorder, GameLine, LinePlayer, Output, separate};
use arena::terms::GameTerms;
use pages::{Pause, Transcript};

#[derive(Debug, Args)]
pub struct PlayArguments {
    /// The player who moves first
    #[arg(value_name = "P1")]
    one: String,
    /// The other player
    #[arg(value_name = "P2")]
    two: String,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    terms: TermsOptions,
    #[command(flatten)]
    limits: PairLimits,
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
    /// Time limit of a human [default: none]
    #[arg(long, help_heading = headings::LIMITS, value_name = "TIME", value_parser = time_limit, hide_short_help = true)]
    human_limit: Option<Duration>,
    #[command(flatten)]
    pause: PauseArguments,
    #[command(flatten)]
    show: ShowArguments,
    #[command(flatten)]
    written: WrittenGame,
    #[command(flatten)]
    browser: BrowserOptions,
}

/// The files that are written of a game, besides the display.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct WrittenGame {
    /// Replace files that are there
    ///
    /// These are the files of --record, --log, --transcript and --html.
    #[arg(long, help_heading = headings::OUTPUT)]
    pub(super) force: bool,
    /// Append the game to this file, as a line of JSON
    ///
    /// The file is a new one, or one with such lines. It is compressed if its name ends in .gz.
    #[arg(long, help_heading = headings::OUTPUT, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Write a twist game to this file too, as a log like those of the original program. referee replay and replay show
    /// the game from it; the original reads it too, but shows another game where its quirks matter
    #[arg(long, help_heading = headings::OUTPUT, value_name = "FILE", hide_short_help = true)]
    pub(super) log: Option<PathBuf>,
    /// Print the game as a line of JSON, and do not show it
    #[arg(long, help_heading = headings::OUTPUT)]
    pub(super) json: bool,
    /// Write the dialogue with both bots to this file
    #[arg(long, help_heading = headings::OUTPUT, value_name = "FILE", hide_short_help = true)]
    pub(super) transcript: Option<PathBuf>,
    /// Write a page of the game to this file
    ///
    /// A browser shows both boards, and what was said in each turn.
    #[arg(long, help_heading = headings::OUTPUT, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
}

impl WrittenGame {
    /// Returns the files that are named.
    fn files(&self) -> Vec<&PathBuf> {
        [&self.record, &self.transcript, &self.log, &self.html]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Leaves out the files that would be replaced, and says so in `complaints`.
    pub(super) fn keep_what_is_there(
        &mut self,
        replaces_record: bool,
        complaints: &mut Vec<String>,
    ) {
        let force = self.force;
        for (option, file, replaces) in [
            ("--record", &mut self.record, replaces_record),
            ("--log", &mut self.log, true),
            ("--transcript", &mut self.transcript, true),
            ("--html", &mut self.html, true),
        ] {
            let has_text = |path: &mut PathBuf| {
                let output = Output {
                    option,
                    path,
                    force,
                };
                replaces && output.has_text()
            };
            if let Some(path) = file.take_if(has_text) {
                complaints.push(format!("{option} {} is left as it was", path.display()));
            }
        }
    }

    /// Returns the file of an option.
    pub(super) fn output<'p>(&self, option: &'static str, path: &'p Path) -> Output<'p> {
        Output {
            option,
            path,
            force: self.force,
        }
    }
}

/// One game, checked as far as it can be without opening or starting anything.
#[derive(Clone, Debug)]
pub struct PlayPlan {
    pub(super) players: BySide<Entrant>,
    pub rules: Rules,
    pub terms: GameTerms,
    pub(super) launch: Launch,
    pub(super) seed: Seed,
    /// The player who moves first.
    pub first: Side,
    /// The first mover that was typed.
    pub(super) given_first: Option<Side>,
    /// The clock of each player.
    pub(super) clocks: BySide<Clock>,
    pub(super) pause: Pause,
    /// The display of the game.
    pub(super) show: Show,
    pub(super) written: WrittenGame,
    /// Whether the person plays in a browser.
    pub browser: BrowserOptions,
    /// The games before and after this one.
    pub series: Series,
}

/// A game that was played.
pub(super) struct Played {
    pub(super) winner: Option<Side>,
    /// The game that the person wants to play next.
    pub(super) next: Option<Next>,
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
        options: &TermsOptions,
        seed: Seed,
        human_limit: Option<Duration>,
    ) -> Result<PlayPlan, Failure> {
        let players = players(typed)?;
        let (rules, mut terms) = options.terms()?;
        if options.max_turns.is_none() {
            let has_person = players.iter().any(|(_, player)| player.human);
            terms.max_turns = rules.usual_max_turns(has_person);
        }
        let launch = terms.launch(own_program()?);
        let clocks = players.as_ref().map(|player| {
            if player.human {
                human_limit.map_or(Clock::None, Clock::Wall)
            } else {
                launch.clock_under(&terms, player)
            }
        });
        Ok(PlayPlan {
            first: rules.first(seed.value),
            rules,
            launch,
            players,
            terms,
            seed,
            given_first: None,
            clocks,
            pause: Pause::None,
            show: Show::Words,
            written: WrittenGame::default(),
            browser: BrowserOptions::default(),
            series: Series::default(),
        })
    }

    /// Returns the game as it is played with these clocks.
    pub(super) fn round(&self, clocks: BySide<Clock>) -> Round {
        Round {
            seed: self.seed.value,
            bot_seeds: self.bot_seeds(),
            clocks,
            first: self.first,
            max_turns: self.terms.max_turns,
        }
    }

    /// Returns the seeds that the bots receive.
    pub(super) fn bot_seeds(&self) -> BySide<u32> {
        seeds_of_game(self.seed.value, self.first)
    }

    /// Returns how long a person may take for an answer; without a limit if they differ.
    #[must_use]
    pub fn human_limit(&self) -> Option<Duration> {
        let mut people = self.players.iter().filter(|(_, player)| player.human);
        people
            .next()
            .and_then(|(side, _)| self.clocks[side].reply_limit())
    }

    /// Returns what the players are called.
    #[must_use]
    pub fn names(&self) -> BySide<String> {
        self.players.as_ref().map(|player| player.name.clone())
    }
}

/// Returns the two players.
fn players(typed: [&str; 2]) -> Result<BySide<Entrant>, Failure> {
    let referee = own_program()?;
    let [one, two] = typed.map(|typed| player::parse(typed, &referee));
    let mut players = [one?, two?];
    tell_apart(&mut players);
    // The program of a person addresses it by its name, because two of them at one terminal have to be told apart.
    for player in players.iter_mut().filter(|player| player.human) {
        let arguments = ["--name".to_owned(), player.name.clone()];
        player.program.arguments.extend(arguments.map(Into::into));
    }
    Ok(players.into())
}

fn plan(arguments: &PlayArguments) -> Result<PlayPlan, Failure> {
    let seed = Seed::given_or_drawn(arguments.seed)?;
    let typed = [arguments.one.as_str(), &arguments.two];
    let config = arguments.config.read::<TermsOptions>()?.without_players()?;
    let Settings { time, launch, .. } = config.settings;
    let terms = arguments
        .terms
        .clone()
        .over(config.options)
        .over_settings(time, launch);
    let mut plan = PlayPlan::new(typed, &terms, seed, arguments.human_limit)?;
    let BySide { one, two } = &mut plan.players;
    arguments.limits.apply([one, two]);
    for side in Side::BOTH {
        let player = &plan.players[side];
        if !player.human {
            plan.clocks[side] = plan.launch.clock_under(&plan.terms, player);
        }
    }
    let files = arguments.written.files();
    let WrittenGame {
        force,
        record,
        log,
        transcript,
        html,
        ..
    } = &arguments.written;
    Outputs {
        files: vec![
            ("--record", record.as_deref()),
            ("--transcript", transcript.as_deref()),
            ("--log", log.as_deref()),
            ("--html", html.as_deref()),
        ],
        force: *force,
        inputs: config.file.iter().collect(),
        players: plan.players.iter().map(|(_, player)| player).collect(),
    }
    .check()?;
    if arguments.written.log.is_some() && plan.rules != Rules::Twist {
        return Err(Failure::misuse(
            "--log: only twist games have such a log; add --rules twist",
        ));
    }
    let show = arguments.show.show(&plan.players, arguments.written.json)?;
    let given_first = arguments
        .first
        .map(|first| if first == 2 { Side::Two } else { Side::One });
    let mut launch = plan.launch;
    let own_files = secrets::own_files(files.into_iter().chain(&config.file));
    secrets::hide(&mut launch, &own_files);
    if launch.sandbox.is_some() {
        let BySide { one, two } = &mut plan.players;
        separate(&mut [&mut one.program, &mut two.program], &own_files);
    }
    Ok(PlayPlan {
        first: given_first.unwrap_or(plan.first),
        given_first,
        launch,
        pause: arguments.pause.pause(),
        show: if arguments.browser.web {
            Show::Words
        } else {
            show
        },
        written: arguments.written.clone(),
        browser: arguments.browser.clone(),
        ..plan
    })
}

/// Plays a game, and those that a person wants to play after it. `typed` is the command line, which another program gets if
/// the person wants to play in a browser.
pub(crate) fn run(arguments: &PlayArguments, typed: &[OsString]) -> Result<(), Failure> {
    if arguments.browser.web {
        return programs::WEB.run(&typed[2..]);
    }
    series::play(plan(arguments)?, None, &listen()?)
}

/// Plays a game, and those that follow, with the person at that place.
///
/// # Errors
/// As for `referee play`, and those of the place.
pub fn play_at(arguments: &PlayArguments, place: &mut dyn Seating) -> Result<(), Failure> {
    series::play(plan(arguments)?, Some(place), &listen()?)
}

/// Plays one game as planned; the person plays at `place`, if there is one.
pub(super) fn play<'p>(
    plan: &'p PlayPlan,
    place: Option<&'p mut (dyn Seating + 'p)>,
    interrupt: &Arc<Interrupt>,
) -> Result<Played, Failure> {
    let sandbox = test_sandbox(&plan.terms, &plan.launch)?;
    let mut players = plan.players.clone();
    let (session, wiretap) = GameSession::begin(plan, &mut players, place, interrupt)?;
    for side in Side::BOTH {
        let player = &mut players[side];
        if player.human && player.shipped && player.program.local.is_none() {
            player::seat_at_terminal(player, plan.written.json);
        }
    }
    let pair = Pair::start(
        &players,
        &plan.launch,
        plan.rules.name(),
        plan.terms.start_limit,
        interrupt,
        wiretap,
    );
    let (mut own_names, mut authors) = (BySide::default(), BySide::default());
    let pair = match pair {
        Ok(pair) => {
            own_names = BySide::from_fn(|side| pair.own_name(side));
            authors.clone_from(&pair.authors);
            Ok(pair)
        }
        Err(Stopped::Ended(ending)) => Err(ending),
        Err(Stopped::Failed(error)) => return Err(error.into()),
    };
    let mut line = GameLine {
        sandbox,
        ..new_line(plan, &own_names, &authors)
    };
    let mut figures = FigureRecorder::default();
    let human = plan.players.as_ref().map(|player| player.human);
    let out = BufWriter::new(io::stdout().lock());
    let WrittenGame {
        record,
        transcript: dialogue,
        ..
    } = &plan.written;
    let wanted = record.is_some() || dialogue.is_some() || human != BySide::default();
    let mut transcript = Transcript::new(out, plan.names(), human)
        .pausing(plan.pause, interrupt)
        .play_on_unread(wanted);
    let mut teller = session.teller();
    let mut listeners: Vec<&mut GameListener<'_>> = vec![&mut figures];
    match &mut teller {
        Some(teller) => listeners.push(teller),
        None if plan.written.json => {}
        None => listeners.push(&mut transcript),
    }
    let (game, pair) = match pair {
        Ok(mut pair) => {
            let mut table = plan.rules.table()?;
            let played = pair.play(&mut *table, &plan.round(plan.clocks), &mut listeners)?;
            (played, Some(pair))
        }
        Err(ending) => {
            let event = Event::Ended {
                ending: &ending,
                position: None,
            };
            // No listener pauses at an ending, so none can be interrupted.
            let _ = listeners.on_event(&event);
            let own = plan.rules.unplayed();
            (arena::game::Played { ending, own }, None)
        }
    };
    drop(transcript);
    // First, since how they leave belongs to the record. If ending them fails, there is a record all the same.
    let ending = &game.ending;
    let ended = pair.map_or_else(|| Ok(BySide::default()), |pair| pair.end(ending));
    let ended = ended.map(|warnings| {
        for (side, warnings) in warnings {
            line.players[side].warnings.extend(warnings);
        }
    });
    line.figures = figures.figures;
    let line = line.finished(&game, plan.rules.reader());
    let next = session.close(&line, ending, interrupt)?;
    ended?;
    let outcome = won(ending, &line.reason);
    Ok(Played {
        winner: ending.winner,
        next,
        outcome,
    })
}

/// Returns the record of a game that is yet to be played.
pub(super) fn new_line(
    plan: &PlayPlan,
    own_names: &BySide<Option<String>>,
    authors: &BySide<Option<String>>,
) -> GameLine {
    let seeds = plan.bot_seeds();
    let players = BySide::from_fn(|side: Side| LinePlayer {
        calls_itself: own_names[side].clone(),
        author: authors[side].clone(),
        ..LinePlayer::of(&plan.players[side], seeds[side], plan.clocks[side])
    });
    let (seed, max_turns) = (plan.seed.value, plan.terms.max_turns);
    GameLine::new(plan.rules.name(), seed, plan.first, max_turns, players)
}

/// Returns whether a player won; the failure that says `reason` if not.
pub(super) fn won(ending: &Ending, reason: &str) -> Result<(), Failure> {
    let reason = reason.to_owned();
    match (ending.winner, ending.ended_by) {
        (Some(_), _) => Ok(()),
        (None, EndedBy::CouldNotStart) => Err(Failure::NotStarted(reason)),
        (None, EndedBy::Interrupted) => Err(Failure::Interrupted(reason)),
        (None, _) => Err(Failure::NoWinner(reason)),
    }
}
