"""A bot for tic-tac-toe. It wins if it can, and otherwise plays at random. RULES.md has the game."""

import random

LINES = "123", "456", "789", "147", "258", "369", "159", "357"


def say(line):
    print(line, flush=True)  # without flush the referee would wait in vain


def wins(cell):
    return any(cell in line and mine >= set(line) - {cell} for line in LINES)


while True:
    command, *words = input().split(" ")
    if command == "battleship":  # the greeting of the referee, in every game
        say("plays tictactoe")
        say("ready")
    elif command == "game":
        free, mine = list("123456789"), set()
    elif command == "seed":
        random.seed(int(words[0]))  # the same seed, the same game
    elif command == "opponent":
        free.remove(words[0])
    elif command == "move":
        cell = random.choice([cell for cell in free if wins(cell)] or free)
        free.remove(cell)
        mine.add(cell)
        say(cell)
    elif command == "quit":
        break
