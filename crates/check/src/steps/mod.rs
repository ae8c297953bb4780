//! The steps of a check, in order, and what each of them does.

mod games;
mod habits;
mod leave;
mod orders;
mod place;
mod results;
mod talk;

use super::step::Ability::{InStep, Places, PlacesAnywhere, Plays, PlaysAgain, Ready};
use super::step::Step;
use battleship::Rules;

const ON_A_CLEAN_SLATE: &str = "It does not begin the second game on a clean slate. At `game` forget everything of the \
    last game: the size of the board, the ships, the cells tried. After `end` keep reading: another `game` follows, or \
    `quit`.";

const GREETING: Step = Step {
    name: "greeting",
    title: "answers the greeting",
    needs: &[],
    loses: Some(Ready),
    cause: None,
    run: talk::greeting,
};

const ONE_LINE: Step = Step {
    name: "one_line",
    title: "says one line for each request and nothing else",
    needs: &[Ready],
    loses: Some(InStep),
    cause: None,
    run: talk::one_line,
};

const PLACES: Step = Step {
    name: "places",
    title: "places the usual fleet",
    needs: &[Ready, InStep],
    loses: Some(Places),
    cause: None,
    run: place::usual_fleet,
};

const NOTICES: Step = Step {
    name: "notices",
    title: "accepts every notice of its opponent's shots",
    needs: &[Ready, InStep, Places, Plays],
    loses: None,
    cause: Some(
        "It fails on some `opponent` line. Such a notice needs no answer; it may name a cell outside the \
         board or one that was named before, and one may come before the bot's first turn.",
    ),
    run: results::notices,
};

const UNKNOWN_COMMANDS: Step = Step {
    name: "unknown_commands",
    title: "ignores commands that it does not know",
    needs: &[Ready, InStep, Places, Plays],
    loses: None,
    cause: Some(
        "A line whose first word the bot does not know is not an error: later versions of the protocol have more commands, \
         as 1.1 has `limit`. Skip such a line without a word.",
    ),
    run: talk::unknown_commands,
};

const MORE_WORDS: Step = Step {
    name: "more_words",
    title: "ignores words behind those that it knows",
    needs: &[Ready, InStep, Places, Plays],
    loses: None,
    cause: Some(
        "Lines may have more words at their end than the bot knows: take those that it needs from the left and leave \
         the rest, instead of comparing whole lines or counting words.",
    ),
    run: talk::more_words,
};

const CRLF: Step = Step {
    name: "crlf",
    title: "reads lines that end with CR LF",
    needs: &[Ready, InStep, Places, Plays],
    loses: None,
    cause: Some(
        "The carriage return (CR, \\r) at the end of a line has become part of its last word. Drop it before taking the \
         line apart: strip the line, or split it at any white space.",
    ),
    run: talk::crlf,
};

const GAMES: Step = Step {
    name: "games",
    title: "plays several games in one process",
    needs: &[Ready, InStep, Places, Plays],
    loses: Some(PlaysAgain),
    cause: Some(ON_A_CLEAN_SLATE),
    run: games::several,
};

const ENDS: Step = Step {
    name: "end",
    title: "accepts the end of a game at any moment",
    needs: &[Ready, InStep, Places, Plays, PlaysAgain],
    loses: None,
    cause: Some(
        "A game may end at any moment, even before it has begun: the opponent fails or cannot place its ships. At `end` \
         the bot only has to keep reading: another `game` follows, or `quit`.",
    ),
    run: games::ends_at_any_moment,
};

const QUIT: Step = Step {
    name: "quit",
    title: "leaves when it is asked to quit",
    needs: &[Ready],
    loses: None,
    cause: None,
    run: leave::quit,
};

const END_OF_INPUT: Step = Step {
    name: "end_of_input",
    title: "leaves when its input ends",
    needs: &[Ready],
    loses: None,
    cause: None,
    run: leave::end_of_input,
};

const PROCESSES: Step = Step {
    name: "processes",
    title: "leaves no process behind",
    needs: &[Ready],
    loses: None,
    cause: None,
    run: leave::processes,
};

const SEED: Step = Step {
    name: "seed",
    title: "plays the same for the same seed",
    needs: &[Ready, InStep, Places, Plays],
    loses: None,
    cause: None,
    run: habits::seed,
};

const TIMES: Step = Step {
    name: "times",
    title: "replies in time",
    needs: &[Ready],
    loses: None,
    cause: None,
    run: habits::times,
};

const PLACEMENTS: Step = Step {
    name: "placements",
    title: "places its ships in every game",
    needs: &[Ready, InStep, Places],
    loses: None,
    cause: None,
    run: habits::placements,
};

const BOARDS: Step = Step {
    name: "boards",
    title: "places other fleets on other boards",
    needs: &[Ready, InStep, Places],
    loses: Some(PlacesAnywhere),
    cause: None,
    run: place::other_boards,
};

const ONLY_PLACEMENT: Step = Step {
    name: "only_placement",
    title: "finds the only way to place its ships",
    needs: &[Ready, InStep, Places, PlacesAnywhere],
    loses: None,
    cause: None,
    run: place::only_placement,
};

const NO_PLACEMENT: Step = Step {
    name: "no_placement",
    title: "says so where no placement is possible",
    needs: &[Ready, InStep, Places, PlacesAnywhere],
    loses: None,
    cause: None,
    run: place::no_placement,
};

const ATTACKS: Step = Step {
    name: "attacks",
    title: "attacks cell after cell until it has sunk every ship",
    needs: &[Ready, InStep, Places],
    loses: Some(Plays),
    cause: None,
    run: results::attacks,
};

const RESULTS_OF_ATTACKS: Step = Step {
    name: "results",
    title: "takes every result of its attacks",
    needs: &[Ready, InStep, Places, Plays],
    loses: None,
    cause: Some(
        "It fails on some `result` line. The third word is miss, hit, sunk (a ship's id follows) or \
         wasted; a bot that cannot use one of them skips it.",
    ),
    run: results::every_result,
};

const ORDERS: Step = Step {
    name: "orders",
    title: "gives orders that can be carried out",
    needs: &[Ready, InStep, Places],
    loses: Some(Plays),
    cause: None,
    run: orders::orders,
};

const RESULTS_OF_ORDERS: Step = Step {
    name: "results",
    title: "takes every result of its orders",
    needs: &[Ready, InStep, Places, Plays],
    loses: None,
    cause: Some(
        "It fails on some `result` line. After the four numbers come miss, hit, repaired (with ids, or \
         none), found (with cells, or none) or refused (with a reason); a bot that cannot use one of them skips it.",
    ),
    run: orders::every_result,
};

/// The steps that a program of one game is asked for. The others have several games in one process, other boards, or lines
/// that its adapter reads.
const OF_ONE_GAME: [&str; 11] = [
    "greeting",
    "one_line",
    "places",
    "attacks",
    "orders",
    "notices",
    "quit",
    "end_of_input",
    "processes",
    "times",
    "placements",
];

/// Returns the steps of a check for games by these rules, in order; only those of `one_game`, if each process plays one.
pub(crate) fn steps(rules: &Rules, one_game: bool) -> Vec<&'static Step> {
    let mut steps = vec![&GREETING, &ONE_LINE, &PLACES];
    if rules.game().is_some() {
        steps.extend([&BOARDS, &ONLY_PLACEMENT, &NO_PLACEMENT]);
    }
    steps.extend(if rules.describe().names_ship {
        [&ORDERS, &RESULTS_OF_ORDERS]
    } else {
        [&ATTACKS, &RESULTS_OF_ATTACKS]
    });
    steps.extend([
        &NOTICES,
        &UNKNOWN_COMMANDS,
        &MORE_WORDS,
        &CRLF,
        &GAMES,
        &ENDS,
        &QUIT,
    ]);
    steps.extend([&END_OF_INPUT, &PROCESSES, &SEED, &TIMES, &PLACEMENTS]);
    steps.retain(|step| !one_game || OF_ONE_GAME.contains(&step.name));
    steps
}
