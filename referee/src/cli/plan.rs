use std::fmt;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use battleship::{Game, GameError};
use thiserror::Error;

use super::arguments::{
    DemoArguments, LaunchArguments, PauseArguments, PlayArguments, RulesArgument, SandboxLevel,
    TermsArguments,
};
use super::player;
use crate::game::{Entrant, Rules, draw_seed, tell_apart};
use bothost::{Launch, Sandbox, Side, text};

/// What was typed cannot be done; what, and how to mend it.
#[derive(Clone, Debug, Error)]
#[error("{0}")]
pub(super) struct Misuse(String);

impl Misuse {
    pub(super) fn new(what: impl fmt::Display) -> Misuse {
        Misuse(what.to_string())
    }
}

/// One game, checked as far as it can be without opening or starting anything.
#[derive(Clone, Debug)]
pub(super) struct PlayPlan {
    pub(super) players: [Entrant; 2],
    pub(super) rules: Rules,
    pub(super) seed: Seed,
    /// Who moves first.
    pub(super) first: Side,
    pub(super) limits: [Option<Duration>; 2],
    pub(super) start_limit: Duration,
    pub(super) max_turns: u32,
    pub(super) pause: bool,
    pub(super) record: Option<PathBuf>,
    /// Where to write the log of the original twist program.
    pub(super) log: Option<PathBuf>,
    pub(super) json: bool,
    pub(super) transcript: Option<PathBuf>,
    pub(super) launch: Launch,
}

impl PlayPlan {
    /// What the players are called before their greeting.
    pub(super) fn names(&self) -> [String; 2] {
        names_of(&self.players)
    }
}

/// A seed, and whether it was drawn because none was given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) value: u64,
    pub(super) drawn: bool,
}

impl Seed {
    pub(super) fn given_or_drawn(given: Option<u64>) -> io::Result<Seed> {
        match given {
            Some(value) => Ok(Seed { value, drawn: false }),
            None => Ok(Seed { value: draw_seed()?, drawn: true }),
        }
    }
}

pub(super) fn plan_play(arguments: &PlayArguments) -> anyhow::Result<PlayPlan> {
    let terms = &arguments.terms;
    let players = players([&arguments.one, &arguments.two])?;
    let rules = rules(terms)?;
    let files = [&arguments.record, &arguments.transcript, &arguments.log];
    if (1..3).any(|place| files[place].is_some() && files[..place].contains(&files[place])) {
        return Err(Misuse::new("--record, --transcript and --log need a file each").into());
    }
    if arguments.log.is_some() && terms.rules != RulesArgument::Twist {
        return Err(
            Misuse::new("--log: only twist games have such a log; add --rules twist").into()
        );
    }
    let limits = players
        .each_ref()
        .map(|player| if player.human { arguments.human_limit } else { Some(terms.limit) });
    let seed = Seed::given_or_drawn(arguments.seed)?;
    let first = match (arguments.first, &rules) {
        (Some(2), _) => Side::Two,
        (Some(_), _) => Side::One,
        (None, rules) => rules.usual_first(seed.value),
    };
    // A person at the twist game plays for as long as it takes.
    let endless = matches!(rules, Rules::Twist) && players.iter().any(|player| player.human);
    let usual_turns = if endless { u32::MAX } else { rules.default_max_turns() };
    Ok(PlayPlan {
        max_turns: terms.max_turns.unwrap_or(usual_turns),
        first,
        pause: !arguments.json && pauses(&arguments.pause),
        seed,
        start_limit: terms.start_limit,
        record: arguments.record.clone(),
        log: arguments.log.clone(),
        json: arguments.json,
        transcript: arguments.transcript.clone(),
        launch: launch(terms)?,
        players,
        rules,
        limits,
    })
}

/// What two players are called, so that they can be told apart.
fn names_of(players: &[Entrant; 2]) -> [String; 2] {
    let mut names = players.each_ref().map(|player| player.name.clone());
    tell_apart(&mut names);
    names
}

/// The two players. A human player is told its name, which tells it apart from another: it is addressed by it.
fn players(typed: [&str; 2]) -> anyhow::Result<[Entrant; 2]> {
    let referee = own_program()?;
    let [one, two] = typed.map(|typed| player::parse(typed, &referee).map_err(Misuse::new));
    let mut players = [one?, two?];
    let names = names_of(&players);
    for (player, name) in players.iter_mut().zip(names).filter(|(player, _)| player.human) {
        let arguments = ["--name".to_owned(), name.clone()];
        player.program.arguments.extend(arguments.map(Into::into));
        player.name = name;
    }
    Ok(players)
}

pub(super) fn launch(terms: &TermsArguments) -> anyhow::Result<Launch> {
    let launch = launch_bots(&terms.launch)?;
    Ok(Launch { strict: terms.strict, grace: terms.grace, ..launch })
}

pub(super) fn launch_bots(arguments: &LaunchArguments) -> anyhow::Result<Launch> {
    let LaunchArguments { portable, no_pin, .. } = *arguments;
    let launch = if portable { Launch::portable() } else { Launch::supervised_by(own_program()?) };
    let (environment, sandbox) = (arguments.env.clone(), sandbox(arguments)?);
    Ok(Launch { pinned: !no_pin, environment, sandbox, ..launch })
}

fn sandbox(arguments: &LaunchArguments) -> anyhow::Result<Option<Sandbox>> {
    let Some(level) = arguments.sandbox else { return Ok(None) };
    if !cfg!(target_os = "linux") || arguments.portable {
        return Err(Misuse::new("--sandbox: there is a sandbox on Linux only").into());
    }
    let folder = |folder: &PathBuf| {
        let found = folder.canonicalize().ok().filter(|folder| folder.is_dir());
        found
            .ok_or_else(|| Misuse(format!("--allow {}: there is no such folder", folder.display())))
    };
    let allow = arguments.allow.iter().map(folder).collect::<Result<_, _>>()?;
    let usual = Sandbox::default();
    Ok(Some(Sandbox {
        strict: level == SandboxLevel::Strict,
        allow,
        memory: arguments.max_memory.map_or(usual.memory, |mebibytes| u64::from(mebibytes) << 20),
        threads: arguments.max_threads.map_or(usual.threads, u64::from),
        ..usual
    }))
}

pub(super) fn own_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("the referee does not find its own program")
}

fn pauses(arguments: &PauseArguments) -> bool {
    arguments.choice().unwrap_or_else(|| io::stdin().is_terminal())
}

pub(super) fn rules(terms: &TermsArguments) -> Result<Rules, Misuse> {
    match terms.rules {
        RulesArgument::Classic => game(terms).map(Rules::Classic),
        RulesArgument::Twist if terms.rows.is_some() || terms.cols.is_some() => {
            Err(Misuse::new("--rows, --cols: the grids of the twist game are always 12x12"))
        }
        RulesArgument::Twist if !terms.ship.is_empty() => {
            Err(Misuse::new("--ship: the units of the twist game are always the same eight"))
        }
        RulesArgument::Twist => Ok(Rules::Twist),
    }
}

fn game(terms: &TermsArguments) -> Result<Game, Misuse> {
    let (rows, cols) = (terms.rows.unwrap_or(10), terms.cols.unwrap_or(10));
    let mut game = Game::new(rows, cols)
        .map_err(|error| Misuse(format!("--rows {rows} --cols {cols}: {error}")))?;
    if terms.ship.is_empty() {
        game.add_standard_ships().map_err(|error| {
            let what = format!("the standard fleet does not fit a board of {rows}x{cols}: {error}");
            Misuse(format!("{what}; name the ships with --ship, e.g. --ship '2 R rowboat'"))
        })?;
    }
    for typed in &terms.ship {
        add_ship(&mut game, typed).map_err(|why| {
            Misuse(format!(
                "--ship '{typed}': {why}; write LEN SYMBOL NAME, e.g. --ship '3 S submarine'"
            ))
        })?;
    }
    Ok(game)
}

fn add_ship(game: &mut Game, typed: &str) -> Result<(), ShipError> {
    let (length, rest) = typed.trim().split_once(char::is_whitespace).ok_or(ShipError::Words)?;
    let (symbol, name) = rest.trim().split_once(char::is_whitespace).ok_or(ShipError::Words)?;
    let length = length.parse().map_err(|_| ShipError::Length(length.to_owned()))?;
    let mut characters = symbol.chars();
    let (Some(symbol), None) = (characters.next(), characters.next()) else {
        return Err(ShipError::Symbol(symbol.to_owned()));
    };
    if text::shown(name.as_bytes()) != name {
        return Err(ShipError::Name);
    }
    game.add_ship(length, symbol, name.trim())?;
    Ok(())
}

#[derive(Debug, Error)]
enum ShipError {
    #[error("a length, a symbol and a name are needed")]
    Words,
    #[error("{0:?} is not a length")]
    Length(String),
    #[error("{0:?} is not one character")]
    Symbol(String),
    #[error("the name has characters that cannot be seen")]
    Name,
    #[error(transparent)]
    Rule(#[from] GameError),
}

/// A choice of the sample program's menu, or one of the two ways to start the original of the twist game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    MiniGame,
    Human,
    Match,
    PlayerAndComputer,
    TwoComputers,
}

impl Choice {
    pub(super) fn from_digit(digit: char) -> Option<Choice> {
        match digit {
            '1' => Some(Choice::MiniGame),
            '2' => Some(Choice::Human),
            '3' => Some(Choice::Match),
            _ => None,
        }
    }

    pub(super) fn from_word(word: &str) -> Result<Choice, String> {
        let mut letters = word.chars();
        match (word, letters.next(), letters.next()) {
            ("pc", ..) => Some(Choice::PlayerAndComputer),
            ("cc", ..) => Some(Choice::TwoComputers),
            (_, Some(digit), None) => Choice::from_digit(digit),
            _ => None,
        }
        .ok_or_else(|| "the choices are 1, 2, 3, pc and cc".to_owned())
    }
}

/// What the sample program plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct DemoPlan {
    pub(super) choice: Option<Choice>,
    pub(super) games: u32,
    pub(super) seed: Seed,
    pub(super) pause: bool,
}

pub(super) fn plan_demo(arguments: &DemoArguments) -> anyhow::Result<DemoPlan> {
    Ok(DemoPlan {
        choice: arguments.choice,
        games: arguments.games,
        seed: Seed::given_or_drawn(arguments.seed)?,
        // Two hundred turns that nobody asked to press enter for.
        pause: match arguments.choice {
            Some(Choice::TwoComputers) => arguments.pause.choice().unwrap_or(false),
            _ => pauses(&arguments.pause),
        },
    })
}
