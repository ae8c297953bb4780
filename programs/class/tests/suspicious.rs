//! The findings of `referee class suspicious` in games that were played.

use super::Class;
use super::submissions::Desk;
use testkit::list::Tests;
use testkit::tools::SYSTEM_PYTHON;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[SYSTEM_PYTHON], |tests| {
        add!(
            tests,
            a_bot_that_knows_the_fleets_of_one_other_is_named_and_the_others_are_not,
            a_copy_is_shown_whatever_its_names_are
        );
    });
}

/// Few games, each of them with fresh fleets, and no sandbox: what bots do here needs no channel.
const SETTINGS: &str = "\
[game]
sandbox = false
[play]
series = 10
provisional = 20
staff-games = 20
most-staff-games = 20
interval = 60
[[staff]]
name = 'awful'
command = 'awful'
rating = 1000
";

/// A bot whose fleet in the nth game of its process follows from n, which all such bots know: `KNOWS` is whether it uses that.
const BOT: &str = "
import random, sys
KNOWS = False
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
        if KNOWS: left += reversed(fleet(games)[1])
    elif word == 'place': print('place', fleet(games)[0], flush=True)
    elif word == 'attack': print('attack', *left.pop(), flush=True)
    elif word == 'quit': break
";

fn a_bot_that_knows_the_fleets_of_one_other_is_named_and_the_others_are_not() {
    let students = ["vic", "eve", "ann"];
    let (class, desk) = (
        Class::new(SETTINGS, &students.map(|id| (id, "", ""))),
        Desk::new(),
    );
    let honest = BOT
        .replace("random.Random(n)", "random.Random()")
        .replace("int(more[0])", "int(more[0]) + 1");
    let folders = [
        desk.folder("vic", &[("bot.py", BOT)]),
        desk.folder(
            "eve",
            &[("bot.py", &BOT.replace("KNOWS = False", "KNOWS = True"))],
        ),
        desk.folder("ann", &[("bot.py", &honest)]),
    ];
    for (id, folder) in students.iter().zip(folders) {
        class.succeeds(&[
            "add",
            id,
            folder.to_str().unwrap(),
            "--at",
            "2026-11-30T10-00-00",
        ]);
    }
    class.succeeds(&["intake"]);
    class.succeeds(&["check"]);
    assert_eq!(class.succeeds(&["suspicious"]), "nothing is odd\n");
    class.plays();
    let said = class.succeeds(&["suspicious"]);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("eve against vic: eve attacks as if it knew where the ships are"),
        "{said}"
    );
}

/// Has the names of another author, a comment and another layout.
fn in_other_words(text: &str) -> String {
    let renamed = text
        .replace("draw", "dice")
        .replace("left", "cells_to_try")
        .replace("taken", "used");
    renamed.replace("games = 0", "# My own idea.\n\ngames   =   0")
}

/// A bot of its own: it looks for the parity of a cell and goes around hits.
const OTHER: &str = "
import random, sys
def sizes(): return [5, 4, 3, 3, 2]
def settle(dice):
    out, grid = [], [[0] * 10 for _ in range(10)]
    for size in sizes():
        spots = []
        for x in range(10):
            for y in range(11 - size):
                if not any(grid[x][y + k] for k in range(size)): spots.append((x, y))
        x, y = dice.choice(spots)
        for k in range(size): grid[x][y + k] = 1
        out.append(f'{x} {y} h')
    return ' '.join(out)
todo, hits, dice = [], [], None
while True:
    text = sys.stdin.readline()
    if not text or text.startswith('quit'): break
    if text.startswith('battleship'): print('ready', flush=True)
    elif text.startswith('seed'):
        dice, hits = random.Random(text), []
        todo = [(x, y) for x in range(10) for y in range(10)]
    elif text.startswith('place'): print('place ' + settle(dice), flush=True)
    elif text.startswith('result'):
        parts = text.split()
        if parts[3] == 'hit': hits.append((int(parts[1]), int(parts[2])))
    elif text.startswith('attack'):
        near = [c for c in todo if any(abs(c[0] - x) + abs(c[1] - y) == 1 for x, y in hits)]
        best = dice.choice(near or [c for c in todo if sum(c) % 2] or todo)
        todo.remove(best)
        print('attack', best[0], best[1], flush=True)
";

fn a_copy_is_shown_whatever_its_names_are() {
    let students = ["ann", "bob", "cyd", "dan", "eve"];
    let (class, desk) = (
        Class::new(SETTINGS, &students.map(|id| (id, "", ""))),
        Desk::new(),
    );
    let other = in_other_words(BOT).replace("int(more[0])", "int(more[0]) + 1");
    let texts = [
        BOT,
        &in_other_words(BOT),
        &other,
        OTHER,
        &OTHER.replace("% 2", "% 3"),
    ];
    for (id, text) in students.iter().zip(texts) {
        let folder = desk.folder(id, &[("bot.py", text)]);
        class.succeeds(&[
            "add",
            id,
            folder.to_str().unwrap(),
            "--at",
            "2026-11-30T10-00-00",
        ]);
    }
    class.succeeds(&["intake"]);
    let said = class.succeeds(&["suspicious"]);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("ann and bob have different programs that play alike: "),
        "{said}"
    );
}
