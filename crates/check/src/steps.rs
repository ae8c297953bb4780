//! The steps of a check.

use self::Scope::{
    AnyGame, Attacks, EveryBot, JudgedGame, JudgedGames, ManyBoards, ManyGames, ManyOrders, Orders,
};
use crate::battleship::{orders, place, results};
use crate::check::Ability::{InStep, Places, PlacesAnywhere, Plays, PlaysAgain, Ready};
use crate::check::{Ability, Check, CheckSetup, StepResult};
use crate::general::{games, habits, judged, leave, talk};

/// One step of a check.
pub(crate) struct Step {
    /// The word that stands for it.
    pub(crate) name: &'static str,
    /// The expected behaviour of the bot, as the end of a sentence that begins with its name.
    pub(crate) title: &'static str,
    scope: Scope,
    /// The last of the abilities that it relies on.
    pub(crate) needs: Ability,
    /// The ability that a bot which fails here does not have.
    pub(crate) loses: Option<Ability>,
    /// The usual cause if a bot fails in this step after it passed those before.
    pub(crate) cause: Option<&'static str>,
    pub(crate) run: fn(&mut Check) -> StepResult,
}

/// The bots that are asked for a step. Programs that play one game a process are not asked for
/// several games, other boards, or lines that their adapter reads.
#[derive(Clone, Copy)]
enum Scope {
    /// In every game, one that a judge knows too.
    AnyGame,
    /// Where a judge knows the game.
    JudgedGame,
    /// Of those that play several games, where a judge knows the game.
    JudgedGames,
    EveryBot,
    /// Of those that play several games.
    ManyGames,
    /// Where a turn names cells of the opponent's.
    Attacks,
    /// Of those that play several games, on the boards of such a game.
    ManyBoards,
    /// Where a turn names a ship.
    Orders,
    /// Of those that play several games, in such a game.
    ManyOrders,
}

const fn step(
    name: &'static str,
    title: &'static str,
    scope: Scope,
    needs: Ability,
    loses: Option<Ability>,
    cause: Option<&'static str>,
    run: fn(&mut Check) -> StepResult,
) -> Step {
    Step {
        name,
        title,
        scope,
        needs,
        loses,
        cause,
        run,
    }
}

/// All steps, in order.
static STEPS: [Step; 25] = [
    step(
        "greeting",
        "answers the greeting",
        AnyGame,
        Ready,
        Some(Ready),
        None,
        talk::greeting,
    ),
    step(
        "game",
        "plays a whole game against itself",
        JudgedGame,
        Ready,
        Some(Plays),
        None,
        judged::game,
    ),
    step(
        "games",
        "plays several games in one process",
        JudgedGames,
        Plays,
        None,
        None,
        judged::games,
    ),
    step(
        "one_line",
        "says one line for each request and nothing else",
        EveryBot,
        Ready,
        Some(InStep),
        None,
        talk::one_line,
    ),
    step(
        "places",
        "places the usual fleet",
        EveryBot,
        InStep,
        Some(Places),
        None,
        place::usual_fleet,
    ),
    step(
        "boards",
        "places other fleets on other boards",
        ManyBoards,
        Places,
        Some(PlacesAnywhere),
        None,
        place::other_boards,
    ),
    step(
        "only_placement",
        "finds the only way to place its ships",
        ManyBoards,
        PlacesAnywhere,
        None,
        None,
        place::only_placement,
    ),
    step(
        "no_placement",
        "says so where no placement is possible",
        ManyBoards,
        PlacesAnywhere,
        None,
        None,
        place::no_placement,
    ),
    step(
        "attacks",
        "attacks cell after cell until it has sunk every ship",
        Attacks,
        Places,
        Some(Plays),
        None,
        results::attacks,
    ),
    step(
        "results",
        "takes every result of its attacks",
        ManyBoards,
        Plays,
        None,
        Some(
            "It fails on some `result` line. The third word is miss, hit, sunk (a ship's id follows) or wasted; a bot that cannot use one of them skips it.",
        ),
        results::every_result,
    ),
    step(
        "orders",
        "gives orders that can be carried out",
        Orders,
        Places,
        Some(Plays),
        None,
        orders::orders,
    ),
    step(
        "results",
        "takes every result of its orders",
        ManyOrders,
        Plays,
        None,
        Some(
            "It fails on some `result` line. After the four numbers come miss, hit, repaired (with ids, or none), found (with cells, or none) or refused (with a reason); a bot that cannot use one of them skips it.",
        ),
        orders::every_result,
    ),
    step(
        "notices",
        "accepts every notice of its opponent's shots",
        EveryBot,
        Plays,
        None,
        Some(
            "It fails on some `opponent` line. Such a notice needs no answer; it may name a cell outside the board or one that was named before, and one may come before the bot's first turn.",
        ),
        results::notices,
    ),
    step(
        "unknown_commands",
        "ignores commands that it does not know",
        ManyGames,
        Plays,
        None,
        Some(
            "A line whose first word the bot does not know is not an error: later versions of the protocol have more commands, as 1.1 has `limit`. Skip such a line without a word.",
        ),
        talk::unknown_commands,
    ),
    step(
        "more_words",
        "ignores words behind those that it knows",
        ManyGames,
        Plays,
        None,
        Some(
            "Lines may have more words at their end than the bot knows: take those that it needs from the left and leave the rest, instead of comparing whole lines or counting words.",
        ),
        talk::more_words,
    ),
    step(
        "crlf",
        "reads lines that end with CR LF",
        ManyGames,
        Plays,
        None,
        Some(
            "The carriage return (CR, \\r) at the end of a line has become part of its last word. Drop it before taking the line apart: strip the line, or split it at any white space.",
        ),
        talk::crlf,
    ),
    step(
        "games",
        "plays several games in one process",
        ManyGames,
        Plays,
        Some(PlaysAgain),
        Some(
            "It does not begin the second game on a clean slate. At `game` forget everything of the last game: the size of the board, the ships, the cells tried. After `end` keep reading: another `game` follows, or `quit`.",
        ),
        games::several,
    ),
    step(
        "end",
        "accepts the end of a game at any moment",
        ManyGames,
        PlaysAgain,
        None,
        Some(
            "A game may end at any moment, even before it has begun: the opponent fails or cannot place its ships. At `end` the bot only has to keep reading: another `game` follows, or `quit`.",
        ),
        games::ends_at_any_moment,
    ),
    step(
        "quit",
        "leaves when it is asked to quit",
        AnyGame,
        Ready,
        None,
        None,
        leave::quit,
    ),
    step(
        "end_of_input",
        "leaves when its input ends",
        AnyGame,
        Ready,
        None,
        None,
        leave::end_of_input,
    ),
    step(
        "processes",
        "leaves no process behind",
        AnyGame,
        Ready,
        None,
        None,
        leave::processes,
    ),
    step(
        "seed",
        "plays the same for the same seed",
        ManyGames,
        Plays,
        None,
        None,
        habits::seed,
    ),
    step(
        "seed",
        "plays the same for the same seed",
        JudgedGame,
        Plays,
        None,
        None,
        judged::seed,
    ),
    step(
        "times",
        "replies in time",
        AnyGame,
        Ready,
        None,
        None,
        habits::times,
    ),
    step(
        "placements",
        "places its ships in every game",
        EveryBot,
        Places,
        None,
        None,
        habits::placements,
    ),
];

/// Returns the steps of a check, in order; of a bot whose processes play one game each only those
/// for such a bot.
pub(crate) fn steps(setup: &CheckSetup) -> impl Iterator<Item = &'static Step> + use<> {
    let is_judged = setup.judge.is_some();
    let on_boards = setup.rules.game().is_some();
    let one_game = setup.player.one_game;
    STEPS.iter().filter(move |step| match step.scope {
        AnyGame => true,
        JudgedGame => is_judged,
        JudgedGames => is_judged && !one_game,
        _ if is_judged => false,
        EveryBot => true,
        ManyGames => !one_game,
        Attacks => on_boards,
        ManyBoards => on_boards && !one_game,
        Orders => !on_boards,
        ManyOrders => !on_boards && !one_game,
    })
}
