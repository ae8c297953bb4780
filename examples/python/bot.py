"""Speaks the protocol for the strategy in strategy.py. Nothing to change here."""

import sys

from strategy import NAME, Strategy


def say(line):
    print(line, flush=True)  # without flush the referee would wait in vain


strategy = Strategy()


def hear(line):
    """Takes a line of the referee, and prints the reply if it asks for one."""
    global rows, cols, lengths, seed, apart
    command, *words = line.split() or [""]
    if command == "battleship":
        say(f"name {NAME}")
        say("plays classic salvo apart")
        say("ready")
    elif command == "game":
        rows, cols, lengths, seed, apart = int(words[1]), int(words[2]), [], 0, False
    elif command == "ship":
        lengths.append(int(words[1]))
    elif command == "rule":
        apart = apart or words[0] == "apart"
    elif command == "seed":
        seed = int(words[0])
    elif command == "place":
        strategy.new_game(rows, cols, lengths, seed, apart)
        places = strategy.place() or [["none"]]
        say("place " + " ".join(str(word) for place in places for word in place))
    elif command == "attack":
        row, col = strategy.attack()
        say(f"attack {row} {col}")
    elif command == "salvo":
        cells = strategy.salvo(int(words[0]))
        say("salvo " + " ".join(f"{row} {col}" for row, col in cells))
    elif command == "result":
        row, col, what, *ship = words
        strategy.result(int(row), int(col), what, int(ship[0]) if what == "sunk" else None)
    elif command == "opponent":
        strategy.opponent(int(words[0]), int(words[1]))
    elif command == "quit":
        sys.exit()


if __name__ == "__main__":
    for line in sys.stdin:
        hear(line)
