//! `referee demo`: what the course's sample program plays, and the two starts of the twist's
//! original.

use std::io::{self, BufWriter, Write};
use std::num::NonZeroU32;
use std::sync::Arc;

use battleship::{BySide, Ruleset};
use bothost::{Interrupt, Side};
use clap::Args;

use super::CommandArgs;
use crate::World;
use crate::exit::{self, Failure};
use crate::help::Group;
use crate::options::{GameOptions, positive, seed};
use crate::play::{self, PauseOptions, PlayPlan, won};
use crate::seed::Seed;
use crate::{listen, note, say};
use arena::game::{EndedBy, Pair, Round, Stop, Stopped, derived_seed, seeds_of_game};
use pages::{Keyboard, Transcript};

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// 1: a mini-game between two mediocre players; 2: a mediocre player against a human player; 3:
    /// a match between a mediocre and an awful player; pc: a human player against a mediocre one in
    /// the twist game; cc: two mediocre ones in the twist game [default: a menu asks for 1, 2 or 3]
    #[arg(value_parser = demo_game)]
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
        let interrupt = &listen()?;
        let seed = Seed::given_or_drawn(self.seed)?;
        // A game of two programs has up to two hundred turns: too many to press enter after each
        // unasked.
        let pause = match self.choice {
            Some(DemoGame::TwoComputers) => self.pause.choice().unwrap_or_default(),
            _ => self.pause.pause(),
        };
        let choice = match self.choice {
            Some(choice) => choice,
            None => ask(self.games, &Keyboard::new(interrupt.clone()))?,
        };
        let mut options = GameOptions::default();
        let typed = match choice {
            DemoGame::MiniGame => {
                say("This mini-game has one ship, a 2-segment rowboat.\n")?;
                options.board.rows = Some(2);
                options.board.cols = Some(3);
                options.board.ship = vec!["2 R rowboat".to_owned()];
                ["Popeye=mediocre", "Bluto=mediocre"]
            }
            DemoGame::Human => ["'Mediocre Midori=mediocre'", "'Shuman the Human=human'"],
            DemoGame::Match => return play_match(seed, self.games, interrupt),
            DemoGame::PlayerAndComputer => ["Player=human", "Computer=mediocre"],
            DemoGame::TwoComputers => ["'Computer 1=mediocre'", "'Computer 2=mediocre'"],
        };
        if matches!(choice, DemoGame::PlayerAndComputer | DemoGame::TwoComputers) {
            options.rules.rules = Some(Ruleset::Twist);
        }
        let mut game = PlayPlan::new(typed, &options, seed)?;
        game.pause = pause;
        play::play(&game, None, interrupt)?.outcome
    }
}

/// A choice of the sample program's menu, or one of the two ways to start the original of the twist
/// game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DemoGame {
    MiniGame,
    Human,
    Match,
    PlayerAndComputer,
    TwoComputers,
}

fn demo_game(word: &str) -> Result<DemoGame, &'static str> {
    match word {
        "1" => Ok(DemoGame::MiniGame),
        "2" => Ok(DemoGame::Human),
        "3" => Ok(DemoGame::Match),
        "pc" => Ok(DemoGame::PlayerAndComputer),
        "cc" => Ok(DemoGame::TwoComputers),
        _ => Err("the choices are 1, 2, 3, pc and cc"),
    }
}

/// Shows the menu and returns the choice.
fn ask(games: NonZeroU32, keyboard: &Keyboard) -> Result<DemoGame, Failure> {
    say(&format!(
        "Select one of these choices for an example of the game:
  1.  A mini-game between two mediocre players
  2.  A mediocre player against a human player
  3.  A {games}-game match between a mediocre and an awful player, with no pauses
Enter your choice: "
    ))?;
    let line = match keyboard.read() {
        Ok(line) => line.unwrap_or_default(),
        Err(Stop::Interrupted) => return Err(Failure::Interrupted("interrupted".to_owned())),
        Err(Stop::Io(error)) => return Err(error.into()),
    };
    let first: String = line.chars().take(1).collect();
    if let Ok(choice) = demo_game(&first) {
        return Ok(choice);
    }
    say(if first.is_empty() {
        "You did not enter a choice\n"
    } else {
        "That's not one of the choices.\n"
    })?;
    Err(Failure::Reported(exit::MISUSE))
}

/// The match between an awful and a mediocre player, who move first in turn.
fn play_match(seed: Seed, games: NonZeroU32, interrupt: &Arc<Interrupt>) -> Result<(), Failure> {
    seed.report();
    let typed = ["'Awful Audrey=awful'", "'Mediocre Mimi=mediocre'"];
    let plan = PlayPlan::new(typed, &GameOptions::default(), seed)?;
    let names = plan.names();
    let game = &plan.game.game;
    let mut pair = match Pair::start(
        &plan.players,
        &plan.launch,
        game.name(),
        plan.terms.start_limit,
        interrupt,
        None,
    ) {
        Ok(pair) => pair,
        Err(Stopped::Ended(ending)) => return won(&ending, &ending.reason(names.as_ref())),
        Err(Stopped::Failed(error)) => return Err(error.into()),
    };
    let mut table = game.table()?;
    let mut mediocre_wins = 0;
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 1..=games.get() {
        let rule = "=".repeat(29);
        writeln!(out, "{rule} Game {number} {rule}")?;
        let first = if number % 2 == 1 {
            Side::One
        } else {
            Side::Two
        };
        let seed = derived_seed(seed.value, "demo", &[number.into()]);
        let round = Round {
            seed,
            bot_seeds: seeds_of_game(seed, first),
            first,
            ..plan.round(plan.clocks)
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
    writeln!(
        out,
        "The mediocre player won {mediocre_wins} out of {games} games."
    )?;
    out.flush()?;
    pair.quit()?;
    Ok(())
}
