# A bot with a weakness, for the pictures: it places its ships at random, attacks along diagonals and beside hits, prints
# how many cells it still wants to attack next, and stumbles in some games.
import random

for line in iter(input, "quit"):
    word, *rest = line.split()
    if word == "battleship":
        print("ready", flush=True)
    elif word == "seed":
        chance = random.Random(int(rest[0]))
        stumbles = chance.random() < 0.15
        hunt = [(row, col) for row in range(10) for col in range(10)]
        hunt.sort(key=lambda cell: ((cell[0] + cell[1]) % 3, chance.random()))
        wanted, attacked = [], set()
    elif word == "place":
        taken, places = set(), []
        for length in (5, 4, 3, 3, 2):
            while True:
                row, col, down = chance.randrange(10), chance.randrange(10), chance.random() < 0.5
                cells = {(row + i, col) if down else (row, col + i) for i in range(length)}
                if max(max(cell) for cell in cells) < 10 and not cells & taken:
                    break
            taken |= cells
            places.append(f"{row} {col} {'v' if down else 'h'}")
        print("place", *places, flush=True)
    elif word == "attack":
        cell = next(cell for cell in wanted[::-1] + hunt if cell not in attacked)
        attacked.add(cell)
        print("# wanted =", len([cell for cell in wanted if cell not in attacked]))
        print("attack", *(["here"] if stumbles and len(attacked) == 25 else cell), flush=True)
    elif word == "result" and rest[2] in ("hit", "sunk"):
        row, col = int(rest[0]), int(rest[1])
        beside = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        wanted += [cell for cell in beside if 0 <= min(cell) and max(cell) <= 9]
