//! The games that a person plays one after the other: the next one is chosen when one is over.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::Arc;

use battleship::game_reader::RecordedGame;
use battleship::{BySide, Rules, Ruleset, Side};
use bothost::Interrupt;
use bots::{SHIPPED, Shipped};
use screen::live::recorded_story;
use screen::story::{Advice, Next};

use super::{PlayPlan, play};
use crate::exit::Failure;
use crate::in_browser::Seating;
use crate::menu;
use crate::seed::Seed;
use crate::{note, own_program, player, say};
use arena::game::{Starter as _, derived_seed, tell_apart};
use arena::record::GameLine;
use pages::Keyboard;

/// Returns the opponents in a game by these rules; none in a game that a judge knows. Some are
/// weaker than good in the classic game only.
fn opponents(rules: Option<&Rules>) -> impl Iterator<Item = &'static Shipped> {
    let is_classic = rules.is_some_and(|rules| rules.classic_game().is_some());
    SHIPPED.iter().filter(move |shipped| {
        rules.is_some() && !shipped.is_human() && (is_classic || !shipped.is_classic_only())
    })
}

/// Plays the game of `plan`, and as many after it as the person wants, who plays at `place` if
/// there is one.
///
/// # Errors
/// As for the last of them.
pub(super) fn play_all(
    mut plan: PlayPlan,
    mut place: Option<&mut dyn Seating>,
    interrupt: &Arc<Interrupt>,
) -> Result<(), Failure> {
    plan.series.advice = Some(Advice {
        attack: bots::advise,
        needed: bots::attacks_needed,
    });
    if plan.players.one.human != plan.players.two.human {
        // The means are those for the usual board and fleet.
        let is_usual = plan.game.rules == Some(Rules::usual(Ruleset::Classic));
        for opponent in opponents(plan.game.rules.as_ref()) {
            plan.series.opponents.push(if is_usual {
                opponent.in_words()
            } else {
                opponent.name.to_owned()
            });
        }
    }
    loop {
        // A borrow of its own for each game, which `as_deref_mut` cannot shorten.
        let seating: Option<&mut dyn Seating> = match &mut place {
            Some(place) => Some(&mut **place),
            None => None,
        };
        let game = play(&plan, seating, interrupt)?;
        let Some(next) = game.next else {
            return game.outcome;
        };
        if let Some(winner) = game.winner {
            plan.series.score[winner] += 1;
        }
        plan = following(plan, next)?;
    }
}

/// Returns the plan of the game after that of `plan`.
fn following(mut plan: PlayPlan, next: Next) -> Result<PlayPlan, Failure> {
    if let Next::Opponent(number) = next {
        plan.series.score = BySide::default();
        let side = if plan.players.one.human {
            Side::Two
        } else {
            Side::One
        };
        if let Some(opponent) = opponents(plan.game.rules.as_ref()).nth(number) {
            plan.players[side] = player::parse(opponent.name, &own_program()?)?;
            plan.clocks[side] = plan.launch.clock_under(&plan.terms, &plan.players[side]);
        }
        let BySide { one, two } = &mut plan.players;
        tell_apart([one, two]);
    }
    for (option, file) in plan.outputs.files_mut() {
        if option != "--out"
            && let Some(file) = file.take()
        {
            note(&format!(
                "{option} {} has the first game only",
                file.display()
            ));
        }
    }
    // It would replace the games before.
    plan.outputs.force = false;
    // The same command line leads to the same games.
    plan.seed = Seed::following(derived_seed(plan.seed.value, "rematch", &[]));
    plan.first = match plan.given_first {
        Some(first) => first,
        None => plan.game.game.first(plan.seed.value),
    };
    Ok(plan)
}

/// Asks a person in plain words for the next game, if the game was played at a terminal.
pub(super) fn ask(
    plan: &PlayPlan,
    line: &GameLine,
    interrupt: &Arc<Interrupt>,
) -> io::Result<Option<Next>> {
    let people = plan
        .players
        .as_ref()
        .map(|player| player.human && player.shipped);
    let is_at_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    // A person who has given up has left.
    let has_left = !line.ended_by.is_by_rules() || interrupt.is_noted();
    if people == BySide::default() || !is_at_terminal || plan.outputs.json || has_left {
        return Ok(None);
    }
    let game = RecordedGame::read(&line.json).ok();
    if let Some(Ok(story)) = game.as_ref().map(recorded_story) {
        let verdict = story.verdict(people, plan.series.advice);
        say(&format!("\n{verdict}\n"))?;
    }
    let opponents = &plan.series.opponents;
    let mut choices = "\n  r      a rematch\n".to_owned();
    for (number, opponent) in opponents.iter().enumerate() {
        let _ = writeln!(choices, "  {}      against {opponent}", number + 1);
    }
    say(&format!("{choices}  enter  leave\n\n"))?;
    let keyboard = Keyboard::new(interrupt.clone());
    let answer = menu::ask(&keyboard, "What next? ", "", |line| {
        match (line, line.parse::<usize>()) {
            ("r" | "R", _) => Some(Next::Rematch),
            (_, Ok(number)) if (1..=opponents.len()).contains(&number) => {
                Some(Next::Opponent(number - 1))
            }
            _ => None,
        }
    });
    // No choice leaves.
    Ok(answer.unwrap_or(None))
}
