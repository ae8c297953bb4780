//! The steps of a check.

use battleship::Rules;

use crate::battleship::{orders, place, results};
use crate::check::Check;
use crate::failure::StepError;
use crate::general::{games, habits, leave, talk};
use crate::report::Finding;

/// An ability that other steps rely on. A bot that turns out not to have it is spared them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ability {
    /// It gets ready.
    Ready,
    /// It says one line for each request, so that it is known which line answers what.
    InStep,
    /// It places the usual fleet.
    Places,
    /// It places other fleets on other boards.
    PlacesAnywhere,
    /// It takes turns in a game.
    Plays,
    /// It plays another game after the first.
    PlaysAgain,
}

/// The result of a step.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// All is well.
    Pass(String),
    /// Good to know.
    Note(String),
    /// The bot can play, but this should be fixed.
    Warn(Finding),
    /// The bot breaks the protocol, or loses by it.
    Fail(Finding),
    /// It could not be tried; why.
    Unknown(String),
}

/// All is well, and there is no more to say.
pub(crate) const PASS: Verdict = Verdict::Pass(String::new());

/// One step of a check.
pub(crate) struct Step {
    /// The word that stands for it.
    pub(crate) name: &'static str,
    /// The expected behaviour of the bot, as the end of a sentence that begins with its name.
    pub(crate) title: &'static str,
    /// The abilities that it relies on.
    pub(crate) needs: &'static [Ability],
    /// The ability that a bot which fails here does not have.
    pub(crate) loses: Option<Ability>,
    /// The usual cause if a bot fails in this step after it passed those before.
    pub(crate) cause: Option<&'static str>,
    /// Tries it.
    pub(crate) run: fn(&mut Check) -> Result<Verdict, StepError>,
    games: Games,
    /// Whether programs of one game are asked for it too. The other steps have several games in one
    /// process, other boards, or lines that the adapter of such a program reads.
    one_game: bool,
}

/// The games that have a step.
#[derive(Clone, Copy)]
enum Games {
    All,
    /// Those on the boards of the course, where a turn names cells of the opponent's.
    OnBoards,
    /// The one whose turns name a ship.
    WithUnits,
}

const READY: &[Ability] = &[Ability::Ready];
const IN_STEP: &[Ability] = &[Ability::Ready, Ability::InStep];
const PLACES: &[Ability] = &[Ability::Ready, Ability::InStep, Ability::Places];
const PLACES_ANYWHERE: &[Ability] = &[
    Ability::Ready,
    Ability::InStep,
    Ability::Places,
    Ability::PlacesAnywhere,
];
const PLAYS: &[Ability] = &[
    Ability::Ready,
    Ability::InStep,
    Ability::Places,
    Ability::Plays,
];
const PLAYS_AGAIN: &[Ability] = &[
    Ability::Ready,
    Ability::InStep,
    Ability::Places,
    Ability::Plays,
    Ability::PlaysAgain,
];

/// What most steps have: a step names the rest.
const STEP: Step = Step {
    name: "",
    title: "",
    needs: PLAYS,
    loses: None,
    cause: None,
    run: |_| Ok(PASS),
    games: Games::All,
    one_game: false,
};

/// All steps, in order.
static STEPS: [Step; 22] = [
    Step {
        name: "greeting",
        title: "answers the greeting",
        needs: &[],
        loses: Some(Ability::Ready),
        run: talk::greeting,
        one_game: true,
        ..STEP
    },
    Step {
        name: "one_line",
        title: "says one line for each request and nothing else",
        needs: READY,
        loses: Some(Ability::InStep),
        run: talk::one_line,
        one_game: true,
        ..STEP
    },
    Step {
        name: "places",
        title: "places the usual fleet",
        needs: IN_STEP,
        loses: Some(Ability::Places),
        run: place::usual_fleet,
        one_game: true,
        ..STEP
    },
    Step {
        name: "boards",
        title: "places other fleets on other boards",
        needs: PLACES,
        loses: Some(Ability::PlacesAnywhere),
        run: place::other_boards,
        games: Games::OnBoards,
        ..STEP
    },
    Step {
        name: "only_placement",
        title: "finds the only way to place its ships",
        needs: PLACES_ANYWHERE,
        run: place::only_placement,
        games: Games::OnBoards,
        ..STEP
    },
    Step {
        name: "no_placement",
        title: "says so where no placement is possible",
        needs: PLACES_ANYWHERE,
        run: place::no_placement,
        games: Games::OnBoards,
        ..STEP
    },
    Step {
        name: "attacks",
        title: "attacks cell after cell until it has sunk every ship",
        needs: PLACES,
        loses: Some(Ability::Plays),
        run: results::attacks,
        games: Games::OnBoards,
        one_game: true,
        ..STEP
    },
    Step {
        name: "results",
        title: "takes every result of its attacks",
        cause: Some(
            "It fails on some `result` line. The third word is miss, hit, sunk (a ship's id follows) or \
             wasted; a bot that cannot use one of them skips it.",
        ),
        run: results::every_result,
        games: Games::OnBoards,
        ..STEP
    },
    Step {
        name: "orders",
        title: "gives orders that can be carried out",
        needs: PLACES,
        loses: Some(Ability::Plays),
        run: orders::orders,
        games: Games::WithUnits,
        one_game: true,
        ..STEP
    },
    Step {
        name: "results",
        title: "takes every result of its orders",
        cause: Some(
            "It fails on some `result` line. After the four numbers come miss, hit, repaired (with ids, or \
             none), found (with cells, or none) or refused (with a reason); a bot that cannot use one of them skips it.",
        ),
        run: orders::every_result,
        games: Games::WithUnits,
        ..STEP
    },
    Step {
        name: "notices",
        title: "accepts every notice of its opponent's shots",
        cause: Some(
            "It fails on some `opponent` line. Such a notice needs no answer; it may name a cell outside the \
             board or one that was named before, and one may come before the bot's first turn.",
        ),
        run: results::notices,
        one_game: true,
        ..STEP
    },
    Step {
        name: "unknown_commands",
        title: "ignores commands that it does not know",
        cause: Some(
            "A line whose first word the bot does not know is not an error: later versions of the protocol have more commands, \
             as 1.1 has `limit`. Skip such a line without a word.",
        ),
        run: talk::unknown_commands,
        ..STEP
    },
    Step {
        name: "more_words",
        title: "ignores words behind those that it knows",
        cause: Some(
            "Lines may have more words at their end than the bot knows: take those that it needs from the left and leave \
             the rest, instead of comparing whole lines or counting words.",
        ),
        run: talk::more_words,
        ..STEP
    },
    Step {
        name: "crlf",
        title: "reads lines that end with CR LF",
        cause: Some(
            "The carriage return (CR, \\r) at the end of a line has become part of its last word. Drop it before taking the \
             line apart: strip the line, or split it at any white space.",
        ),
        run: talk::crlf,
        ..STEP
    },
    Step {
        name: "games",
        title: "plays several games in one process",
        loses: Some(Ability::PlaysAgain),
        cause: Some(
            "It does not begin the second game on a clean slate. At `game` forget everything of the \
             last game: the size of the board, the ships, the cells tried. After `end` keep reading: another `game` follows, or \
             `quit`.",
        ),
        run: games::several,
        ..STEP
    },
    Step {
        name: "end",
        title: "accepts the end of a game at any moment",
        needs: PLAYS_AGAIN,
        cause: Some(
            "A game may end at any moment, even before it has begun: the opponent fails or cannot place its ships. At `end` \
             the bot only has to keep reading: another `game` follows, or `quit`.",
        ),
        run: games::ends_at_any_moment,
        ..STEP
    },
    Step {
        name: "quit",
        title: "leaves when it is asked to quit",
        needs: READY,
        run: leave::quit,
        one_game: true,
        ..STEP
    },
    Step {
        name: "end_of_input",
        title: "leaves when its input ends",
        needs: READY,
        run: leave::end_of_input,
        one_game: true,
        ..STEP
    },
    Step {
        name: "processes",
        title: "leaves no process behind",
        needs: READY,
        run: leave::processes,
        one_game: true,
        ..STEP
    },
    Step {
        name: "seed",
        title: "plays the same for the same seed",
        run: habits::seed,
        ..STEP
    },
    Step {
        name: "times",
        title: "replies in time",
        needs: READY,
        run: habits::times,
        one_game: true,
        ..STEP
    },
    Step {
        name: "placements",
        title: "places its ships in every game",
        needs: PLACES,
        run: habits::placements,
        one_game: true,
        ..STEP
    },
];

/// Returns the steps of a check for games by these rules, in order; only those of `one_game`, if
/// each process plays one.
pub(crate) fn steps(rules: &Rules, one_game: bool) -> impl Iterator<Item = &'static Step> + use<> {
    let on_boards = rules.game().is_some();
    STEPS.iter().filter(move |step| {
        let is_of_game = match step.games {
            Games::All => true,
            Games::OnBoards => on_boards,
            Games::WithUnits => !on_boards,
        };
        is_of_game && (step.one_game || !one_game)
    })
}
