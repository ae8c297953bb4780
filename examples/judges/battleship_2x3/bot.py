"""A bot for Battleship with a ship of 2x3 cells: it shoots beside hits, and else at random."""

import random

ROWS, COLS = "ABCDEFGHIJ", "0123456789"
CELLS = [row + col for row in ROWS for col in COLS]


def say(line):
    print(line, flush=True)


def place(height, width):
    """Returns a place for a ship of this size beside those that are placed."""
    while True:
        direction = random.choice("hv")
        rows, cols = (height, width) if direction == "h" else (width, height)
        row, col = random.randrange(10 - rows + 1), random.randrange(10 - cols + 1)
        cells = {r + c for r in ROWS[row : row + rows] for c in COLS[col : col + cols]}
        if not cells & fleet:
            fleet.update(cells)
            return f"{ROWS[row]}{COLS[col]} {direction}"


def is_beside(cell, hit):
    return abs(ord(cell[0]) - ord(hit[0])) + abs(ord(cell[1]) - ord(hit[1])) == 1


while True:
    command, *words = input().split(" ")
    if command == "battleship":
        say("plays battleship2x3")
        say("ready")
    elif command == "game":
        fleet, untried, hits = set(), list(CELLS), []
    elif command == "seed":
        random.seed(int(words[0]))
    elif command == "place":
        say(place(int(words[0]), int(words[1])))
    elif command == "shoot":
        near = [cell for cell in untried if any(is_beside(cell, hit) for hit in hits)]
        cell = random.choice(near or untried)
        untried.remove(cell)
        say(cell)
    elif command == "result":
        if words[1] == "hit":
            hits.append(words[0])
        elif words[1] == "sunk":
            hits = []
    elif command == "quit":
        break
