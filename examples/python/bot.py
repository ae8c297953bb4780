"""A Battleship bot in Python: shoots at random, and next to its hits.

Copy this file, change choose_attack, and play:
    referee play 'python3 bot.py' mediocre
"""

import random


def place_ships(rows, cols, lengths, rng):
    """Returns (row, column, direction) for each ship, in order, at random; None if it finds no room."""
    for _ in range(1000):
        taken, places = set(), []
        for length in lengths:
            row, col, direction = rng.randrange(rows), rng.randrange(cols), rng.choice("hv")
            step = (0, 1) if direction == "h" else (1, 0)
            cells = [(row + i * step[0], col + i * step[1]) for i in range(length)]
            if cells[-1][0] >= rows or cells[-1][1] >= cols or taken & set(cells):
                break  # it does not fit: try again with all ships
            taken |= set(cells)
            places.append((row, col, direction))
        if len(places) == len(lengths):
            return places
    return None


def choose_attack(untried, hits, rng):
    """Returns the (row, column) to attack; hits are those on ships still afloat, as far as we know."""
    around = [(r + dr, c + dc) for r, c in hits for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    targets = [cell for cell in around if cell in untried]
    return rng.choice(targets or sorted(untried))


def say(line):
    print(line, flush=True)  # without flush the referee would wait in vain


def main():
    rng = random.Random()
    while True:
        try:
            command, *words = input().split()
        except EOFError:
            return
        if command == "battleship":
            say("name Pythonista")
            say("ready")
        elif command == "game":  # a new game: forget the last one
            rows, cols = int(words[1]), int(words[2])
            lengths, hits = [], set()
            untried = {(r, c) for r in range(rows) for c in range(cols)}
        elif command == "ship":
            lengths.append(int(words[1]))
        elif command == "seed":
            rng = random.Random(int(words[0]))
        elif command == "place":
            places = place_ships(rows, cols, lengths, rng)
            words = [f"{r} {c} {d}" for r, c, d in places] if places else ["none"]
            say("place " + " ".join(words))
        elif command == "attack":
            row, col = choose_attack(untried, hits, rng)
            untried.discard((row, col))
            say(f"attack {row} {col}")
        elif command == "result":
            if words[2] == "hit":
                hits.add((int(words[0]), int(words[1])))
            elif words[2] == "sunk":
                hits.clear()
        elif command == "quit":
            return


if __name__ == "__main__":
    main()
