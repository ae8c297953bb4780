"""The judge of Battleship with a ship of 2x3 cells. A hit tells how many cells the ship has."""

import sys

SHIPS = (2, 3), (1, 4), (1, 3), (1, 3), (1, 2)  # rows and columns of a ship that lies horizontally
ROWS, COLS = "ABCDEFGHIJ", "0123456789"
CELLS = [row + col for row in ROWS for col in COLS]


def say(*words):
    print(*words, flush=True)


def ask(player, request, legal):
    """Returns the reply of the player, which is one of the legal replies."""
    say("ask", player, request)
    reply = input()[8:]  # what follows `reply 1 `
    while reply not in legal:
        say("bad", player, "expected one of:", ", ".join(legal))
        reply = input()[8:]
    return reply


def places(ship, fleet):
    """Returns where a ship has room beside a fleet: replies such as "B0 h", with their cells."""
    found = {}
    for direction, (height, width) in ("h", ship), ("v", ship[::-1]):
        for row in range(10 - height + 1):
            for col in range(10 - width + 1):
                cells = [r + c for r in ROWS[row : row + height] for c in COLS[col : col + width]]
                if not any(cell in fleet for cell in cells):
                    found[f"{cells[0]} {direction}"] = cells
    return found


def show(player, fleets, shots):
    """Shows the player its own fleet, and beside it what it knows of the other one."""
    other = 3 - player

    def own(cell):
        if cell in shots[other]:
            return "X" if cell in fleets[player] else "o"
        return str(len(fleets[player][cell])) if cell in fleets[player] else "."

    def known(cell):
        if cell not in shots[player]:
            return "."
        return str(len(fleets[other][cell])) if cell in fleets[other] else "o"

    say("show", player, f"  {COLS}    {COLS}")
    for row in ROWS:
        left, right = ("".join(mark(row + col) for col in COLS) for mark in (own, known))
        say("show", player, f"{row} {left}  {row} {right}")


def play():
    """Plays one game. A fleet has for each of its cells the cells of the ship there."""
    fleets, shots = {1: {}, 2: {}}, {1: [], 2: []}
    for player in 1, 2:
        for ship in SHIPS:
            show(player, fleets, shots)
            legal = places(ship, fleets[player])
            cells = legal[ask(player, "place {} {}".format(*ship), legal)]
            fleets[player].update(dict.fromkeys(cells, cells))
    player, other = 1, 2
    while True:
        show(player, fleets, shots)
        cell = ask(player, "shoot", [cell for cell in CELLS if cell not in shots[player]])
        shots[player].append(cell)
        ship = fleets[other].get(cell)
        if not ship:
            result = "miss"
        elif all(part in shots[player] for part in ship):
            result = f"sunk {len(ship)}"
        else:
            result = f"hit {len(ship)}"
        say("tell", player, "result", cell, result)
        say("tell", other, "opponent", cell)
        say("figure", player, "shots", len(shots[player]))
        if all(part in shots[player] for part in fleets[other]):
            show(1, fleets, shots)
            show(2, fleets, shots)
            return say("over", player, "sank the whole fleet")
        player, other = other, player


sys.stdin.reconfigure(encoding="utf-8")  # on Windows too: a bot may reply anything
for line in sys.stdin:
    if line.startswith("judge"):
        say("game battleship2x3")
    elif line.startswith("begin"):
        play()
    elif line.startswith("quit"):
        break
