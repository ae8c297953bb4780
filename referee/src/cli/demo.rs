use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use clap::Parser;

use super::arguments::PlayArguments;
use super::exit;
use super::plan::{Choice, DemoPlan, PlayPlan, plan_play};
use super::play::{self, exit_code, report};
use crate::game::{EndedBy, Match, Over, Seated, Stop, bot_seeds};
use crate::report::{Keyboard, Transcript};
use bothost::{Interrupt, Side};

/// Plays what the sample program plays; returns the exit code.
pub(super) fn run(plan: &DemoPlan, interrupt: &Arc<Interrupt>) -> anyhow::Result<u8> {
    let choice = match plan.choice {
        Some(choice) => choice,
        None => match ask(plan.games, &Keyboard::new(interrupt.clone())) {
            Ok(Some(choice)) => choice,
            Ok(None) => return Ok(exit::MISUSE),
            Err(Stop::Interrupted) => {
                super::complain_behind_prompt("interrupted");
                return Ok(exit::INTERRUPTED);
            }
            Err(Stop::Io(error)) => return Err(error.into()),
        },
    };
    match choice {
        Choice::MiniGame => {
            say("This mini-game has one ship, a 2-segment rowboat.\n")?;
            let board = ["--rows", "2", "--cols", "3", "--ship", "2 R rowboat"];
            let typed = ["Popeye=mediocre", "Bluto=mediocre"];
            play::run(&as_if_typed(plan, typed, &board)?, interrupt)
        }
        Choice::Human => {
            let typed = ["'Mediocre Midori=mediocre'", "'Shuman the Human=human'"];
            play::run(&as_if_typed(plan, typed, &[])?, interrupt)
        }
        Choice::Match => play_match(plan, interrupt),
        Choice::PlayerAndComputer => {
            let typed = ["Player=human", "Computer=mediocre"];
            play::run(&as_if_typed(plan, typed, &["--rules", "twist"])?, interrupt)
        }
        Choice::TwoComputers => {
            let typed = ["'Computer 1=mediocre'", "'Computer 2=mediocre'"];
            play::run(&as_if_typed(plan, typed, &["--rules", "twist"])?, interrupt)
        }
    }
}

/// Shows the menu and reads a choice; nothing if what was typed is none.
fn ask(games: u32, keyboard: &Keyboard) -> Result<Option<Choice>, Stop> {
    say(&format!(
        "Select one of these choices for an example of the game:
  1.  A mini-game between two mediocre players
  2.  A mediocre player against a human player
  3.  A {games}-game match between a mediocre and an awful player, with no pauses
Enter your choice: "
    ))?;
    let line = keyboard.read_line()?;
    let Some(first) = line.chars().next() else {
        say("You did not enter a choice\n")?;
        return Ok(None);
    };
    let choice = Choice::from_digit(first);
    if choice.is_none() {
        say("That's not one of the choices.\n")?;
    }
    Ok(choice)
}

fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The plan of a game as if somebody had typed it as `referee play`.
fn as_if_typed(plan: &DemoPlan, players: [&str; 2], options: &[&str]) -> anyhow::Result<PlayPlan> {
    let words = ["play"].iter().chain(&players).chain(options);
    let plan_of_play = plan_play(&PlayArguments::try_parse_from(words)?)?;
    let first = plan_of_play.rules.usual_first(plan.seed.value);
    Ok(PlayPlan { seed: plan.seed, pause: plan.pause, first, ..plan_of_play })
}

/// The match between an awful and a mediocre player, who move first in turn.
fn play_match(plan: &DemoPlan, interrupt: &Arc<Interrupt>) -> anyhow::Result<u8> {
    report(plan.seed);
    let typed = ["'Awful Audrey=awful'", "'Mediocre Mimi=mediocre'"];
    let PlayPlan { players, rules, limits, start_limit, max_turns, launch, .. } =
        as_if_typed(plan, typed, &[])?;
    let names = players.each_ref().map(|player| player.name.clone());
    let mut seated =
        match Seated::start(&players, &launch, rules.ruleset(), start_limit, interrupt, None) {
            Ok(seated) => seated,
            Err(Over::Ended(ending)) => {
                super::complain(&ending.reason(&names));
                return Ok(exit_code(&ending));
            }
            Err(Over::Failed(error)) => return Err(error.into()),
        };
    let mut mediocre_wins = 0;
    let mut out = BufWriter::new(io::stdout().lock());
    for (k, seeds) in (1..=plan.games).zip(bot_seeds(plan.seed.value)) {
        let rule = "=".repeat(29);
        writeln!(out, "{rule} Game {k} {rule}")?;
        let game = Match { rules: rules.clone(), seeds, limits, max_turns };
        let first = if k % 2 == 1 { Side::One } else { Side::Two };
        let mut transcript = Transcript::new(&mut out, names.clone(), [false; 2], None);
        let ending = seated.play(&game, first, &mut transcript)?;
        if ending.ended_by == EndedBy::Interrupted || ending.ended_by.is_forfeit() {
            super::complain(&ending.reason(&names));
            seated.end(&ending)?;
            return Ok(if ending.winner.is_some() { exit::FAULT } else { exit_code(&ending) });
        }
        mediocre_wins += u32::from(ending.winner == Some(Side::Two));
    }
    let games = plan.games;
    writeln!(out, "The mediocre player won {mediocre_wins} out of {games} games.")?;
    out.flush()?;
    seated.quit()?;
    Ok(exit::DONE)
}
