//! The findings of `referee class suspicious`.

use crate::class::Class;
use testkit::list::Tests;
use testkit::programs::built;
use testkit::tools::SYSTEM_PYTHON;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[SYSTEM_PYTHON], |tests| {
        add!(
            tests,
            a_renamed_copy_is_named,
            a_hidden_player_of_the_referee_is_named
        );
    });
}

/// A bot whose fleet in the nth game of its process follows from n.
const BOT: &str = "
import random, sys
def fleet(n):
    draw, taken, words = random.Random(n), set(), []
    for length in (5, 4, 3, 3, 2):
        while True:
            row, col, across = draw.randrange(10), draw.randrange(10), draw.random() < 0.5
            cells = [(row, col + i) if across else (row + i, col) for i in range(length)]
            if max(map(max, cells)) < 10 and not taken & set(cells): break
        taken |= set(cells)
        words += [str(row), str(col), 'h' if across else 'v']
    return ' '.join(words), sorted(taken)
games = 0
for line in sys.stdin:
    word, *more = line.split()
    if word == 'battleship': print('ready', flush=True)
    elif word == 'game': games += 1
    elif word == 'seed':
        draw = random.Random(int(more[0]))
        left = [(row, col) for row in range(10) for col in range(10)]
        draw.shuffle(left)
    elif word == 'place': print('place', fleet(games)[0], flush=True)
    elif word == 'attack': print('attack', *left.pop(), flush=True)
    elif word == 'quit': break
";

/// A class of these bots, whose games have fresh fleets, without a sandbox: what bots do here needs
/// no channel.
fn class_of(bots: &[(&str, &str)]) -> Class {
    let ids: Vec<_> = bots.iter().map(|(id, _)| *id).collect();
    let class = Class::new(&ids.join(" "));
    class.set("[build]", "[game]\nsandbox = false\n[build]");
    for (id, text) in bots {
        class.hands_in(id, &[("bot.py", text)]);
    }
    class.run("intake");
    class
}

/// Games with this bot differ, as its seed is another one.
fn own(bot: &str) -> String {
    bot.replace("int(more[0])", "int(more[0]) + 1")
}

/// With the names of another author, a comment and another layout.
fn a_renamed_copy_is_named() {
    let mut copy = BOT.replace("games = 0", "# My own idea.\n\ngames   =   0");
    for (from, to) in [("draw", "dice"), ("left", "to_try"), ("taken", "used")] {
        copy = copy.replace(from, to);
    }
    let class = class_of(&[("ann", BOT), ("bob", &copy), ("cyd", &own(&copy))]);
    let findings = class.run("suspicious").stdout;
    assert_eq!(findings.lines().count(), 1, "{findings}");
    let named = "ann and bob have different programs that play alike: ";
    assert!(findings.starts_with(named), "{findings}");
}

/// Where no sandbox hides the installed players, a script can start them.
fn a_hidden_player_of_the_referee_is_named() {
    let wrapper = |player: &str| {
        let program = built(player);
        format!("import os\nos.execv({program:?}, ['bot'])\n")
    };
    let class = class_of(&[
        ("ann", &wrapper("good-bot")),
        ("bob", &wrapper("mediocre-bot")),
        ("cyd", &own(BOT)),
    ]);
    let findings = class.run("suspicious").stdout;
    for finding in [
        "ann play as good, which comes with the referee, does: ",
        "bob play as mediocre, which comes with the referee, does: ",
    ] {
        assert!(findings.contains(finding), "{finding}{findings}");
    }
    assert_eq!(findings.lines().count(), 2, "{findings}");
}
