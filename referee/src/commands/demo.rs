//! `referee demo`: what the course's sample program plays, and the two starts of the twist's original.

use battleship::{BySide, Ruleset};
use std::io::{self, BufWriter, Write};
use std::num::NonZeroU32;
use std::sync::Arc;

use bothost::{Interrupt, Side};
use clap::Args;

use super::CommandArgs;
use crate::World;
use crate::exit::{self, Failure};
use crate::help::Group;
use crate::options::{GameOptions, positive, seed};
use crate::play::PauseOptions;
use crate::play::{self, PlayPlan, won};
use crate::seed::Seed;
use crate::{listen, note, say};
use arena::game::{EndedBy, Pair, Round, Stop, Stopped, derived_seed, seeds_of_game};
use arena::terms::GameTerms;
use pages::{Keyboard, Pause, Transcript};

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// 1: a mini-game between two mediocre players; 2: a mediocre player against a human player; 3: a match
    /// between a mediocre and an awful player; pc: a human player against a mediocre one in the twist game; cc: two
    /// mediocre ones in the twist game [default: a menu asks for 1, 2 or 3]
    #[arg(value_parser = DemoGame::from_word)]
    choice: Option<DemoGame>,
    /// Games of the match, which is choice 3
    #[arg(long, value_name = "N", default_value = "100", value_parser = positive)]
    games: NonZeroU32,
    /// Repeat what was played with this seed [default: one is drawn and reported]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = seed)]
    seed: Option<u64>,
    #[command(flatten)]
    pause: PauseOptions,
}

impl CommandArgs for DemoArguments {
    const NAME: &'static str = "demo";
    const ABOUT: &'static str = "Play what the course's sample program plays";
    const GROUP: Group = Group::More;
    const EXAMPLES: &'static str =
        "At a pause, enter continues, a and enter plays the rest without pauses, and
q and enter ends the game.

Examples:
  referee demo
  referee demo 2
  referee demo cc --delay 300ms";

    fn run(self, _: &World) -> Result<(), Failure> {
        run(&self)
    }
}

/// A choice of the sample program's menu, or one of the two ways to start the original of the twist game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DemoGame {
    MiniGame,
    Human,
    Match,
    PlayerAndComputer,
    TwoComputers,
}

impl DemoGame {
    fn from_digit(digit: char) -> Option<DemoGame> {
        match digit {
            '1' => Some(DemoGame::MiniGame),
            '2' => Some(DemoGame::Human),
            '3' => Some(DemoGame::Match),
            _ => None,
        }
    }

    fn from_word(word: &str) -> Result<DemoGame, String> {
        let mut letters = word.chars();
        match (word, letters.next(), letters.next()) {
            ("pc", ..) => Some(DemoGame::PlayerAndComputer),
            ("cc", ..) => Some(DemoGame::TwoComputers),
            (_, Some(digit), None) => DemoGame::from_digit(digit),
            _ => None,
        }
        .ok_or_else(|| "the choices are 1, 2, 3, pc and cc".to_owned())
    }
}

/// The games of the sample program.
#[derive(Clone, Copy, Debug)]
struct DemoPlan {
    choice: Option<DemoGame>,
    games: u32,
    seed: Seed,
    pause: Pause,
}

fn plan(arguments: &DemoArguments) -> Result<DemoPlan, Failure> {
    Ok(DemoPlan {
        choice: arguments.choice,
        games: arguments.games.get(),
        seed: Seed::given_or_drawn(arguments.seed)?,
        // A game of two programs has up to two hundred turns: too many to press enter after each unasked.
        pause: match arguments.choice {
            Some(DemoGame::TwoComputers) => arguments.pause.choice().unwrap_or_default(),
            _ => arguments.pause.pause(),
        },
    })
}

/// Plays what the sample program plays.
fn run(arguments: &DemoArguments) -> Result<(), Failure> {
    let plan = &plan(arguments)?;
    let interrupt = &listen()?;
    let choice = match plan.choice {
        Some(choice) => choice,
        None => match ask(plan.games, &Keyboard::new(interrupt.clone())) {
            Ok(Some(choice)) => choice,
            Ok(None) => return Err(Failure::Reported(exit::MISUSE)),
            Err(Stop::Interrupted) => return Err(Failure::Interrupted("interrupted".to_owned())),
            Err(Stop::Io(error)) => return Err(error.into()),
        },
    };
    let mut twist = GameOptions::default();
    twist.rules.rules = Some(Ruleset::Twist);
    let (typed, options) = match choice {
        DemoGame::MiniGame => {
            say("This mini-game has one ship, a 2-segment rowboat.\n")?;
            let mut options = GameOptions::default();
            options.board.rows = Some(2);
            options.board.cols = Some(3);
            options.board.ship = vec!["2 R rowboat".to_owned()];
            (["Popeye=mediocre", "Bluto=mediocre"], options)
        }
        DemoGame::Human => (
            ["'Mediocre Midori=mediocre'", "'Shuman the Human=human'"],
            GameOptions::default(),
        ),
        DemoGame::Match => return play_match(plan, interrupt),
        DemoGame::PlayerAndComputer => (["Player=human", "Computer=mediocre"], twist),
        DemoGame::TwoComputers => (["'Computer 1=mediocre'", "'Computer 2=mediocre'"], twist),
    };
    let mut game = PlayPlan::new(typed, &options, plan.seed)?;
    game.pause = plan.pause;
    play::play(&game, None, interrupt)?.outcome
}

/// Shows the menu and returns the choice; `None` if none was typed.
fn ask(games: u32, keyboard: &Keyboard) -> Result<Option<DemoGame>, Stop> {
    say(&format!(
        "Select one of these choices for an example of the game:
  1.  A mini-game between two mediocre players
  2.  A mediocre player against a human player
  3.  A {games}-game match between a mediocre and an awful player, with no pauses
Enter your choice: "
    ))?;
    let line = keyboard.read()?.unwrap_or_default();
    let Some(first) = line.chars().next() else {
        say("You did not enter a choice\n")?;
        return Ok(None);
    };
    let choice = DemoGame::from_digit(first);
    if choice.is_none() {
        say("That's not one of the choices.\n")?;
    }
    Ok(choice)
}

/// The match between an awful and a mediocre player, who move first in turn.
fn play_match(plan: &DemoPlan, interrupt: &Arc<Interrupt>) -> Result<(), Failure> {
    plan.seed.report();
    let typed = ["'Awful Audrey=awful'", "'Mediocre Mimi=mediocre'"];
    let PlayPlan {
        players,
        game,
        terms,
        clocks,
        launch,
        ..
    } = PlayPlan::new(typed, &GameOptions::default(), plan.seed)?;
    let GameTerms {
        start_limit,
        max_turns,
        ..
    } = terms;
    let names = players.as_ref().map(|player| player.name.clone());
    let mut pair = match Pair::start(
        &players,
        &launch,
        game.game().name(),
        start_limit,
        interrupt,
        None,
    ) {
        Ok(pair) => pair,
        Err(Stopped::Ended(ending)) => {
            return won(&ending, &ending.reason(names.as_ref()));
        }
        Err(Stopped::Failed(error)) => return Err(error.into()),
    };
    let mut table = game.game().table()?;
    let mut mediocre_wins = 0;
    let mut out = BufWriter::new(io::stdout().lock());
    for k in 1..=plan.games {
        let rule = "=".repeat(29);
        writeln!(out, "{rule} Game {k} {rule}")?;
        let first = if k % 2 == 1 { Side::One } else { Side::Two };
        let seed = derived_seed(plan.seed.value, "demo", &[k.into()]);
        let round = Round {
            seed,
            bot_seeds: seeds_of_game(seed, first),
            clocks,
            first,
            max_turns,
            retries: BySide::default(),
        };
        let mut transcript = Transcript::new(&mut out, names.clone(), BySide::default());
        let ending = pair.play(&mut *table, &round, &mut transcript)?.ending;
        if ending.ended_by == EndedBy::Interrupted || ending.ended_by.is_forfeit() {
            pair.end(&ending)?;
            let reason = ending.reason(names.as_ref());
            won(&ending, &reason)?;
            // A shipped bot does not forfeit: this one did.
            note(&reason);
            return Err(Failure::Reported(exit::FAULT));
        }
        mediocre_wins += u32::from(ending.winner == Some(Side::Two));
    }
    let games = plan.games;
    writeln!(
        out,
        "The mediocre player won {mediocre_wins} out of {games} games."
    )?;
    out.flush()?;
    pair.quit()?;
    Ok(())
}
