//! What `referee class suspicious` finds in games that were played.

use super::Class;
use super::submissions::Desk;

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

#[test]
#[needs(SYSTEM_PYTHON)]
fn a_bot_that_knows_the_fleets_of_one_other_is_named_and_the_others_are_not() {
    let students = ["vic", "eve", "ann"];
    let (class, desk) = (Class::new(SETTINGS, &students.map(|id| (id, "", ""))), Desk::new());
    let honest = BOT.replace("random.Random(n)", "random.Random()");
    let folders = [
        desk.folder("vic", &[("bot.py", BOT)]),
        desk.folder("eve", &[("bot.py", &BOT.replace("KNOWS = False", "KNOWS = True"))]),
        desk.folder("ann", &[("bot.py", &honest)]),
    ];
    for (id, folder) in students.iter().zip(folders) {
        class.succeeds(&["add", id, folder.to_str().unwrap(), "--at", "2026-11-30T10-00-00"]);
    }
    class.succeeds(&["intake"]);
    class.succeeds(&["check"]);
    assert_eq!(class.succeeds(&["suspicious"]), "nothing is odd\n");
    class.plays();
    let said = class.succeeds(&["suspicious"]);
    assert!(
        said.starts_with("eve against vic: eve attacks as if it knew where the ships are"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}
