"""How the bot plays: the file to change."""

import random

NAME = "Pythonista"


class Strategy:
    """One Strategy plays all games of a series, so it can learn from one game to the next."""

    def new_game(self, rows, cols, lengths, seed, apart):
        self.rows, self.cols, self.lengths = rows, cols, lengths
        self.apart = apart  # whether ships may not touch, not at corners either
        self.random = random.Random(seed)  # the same seed, the same game
        self.untried = [(row, col) for row in range(rows) for col in range(cols)]
        self.hits = []  # on ships still afloat, as far as we know

    def place(self):
        """Returns (row, col, "h" or "v") for each ship, in the order of lengths; None if there is no way."""
        tries = (self.try_to_place() for _ in range(200))
        return next((places for places in tries if places), None)

    def try_to_place(self):
        """Puts each ship where there is room, at random, the longest first; None if one finds no room."""
        places, taken = {}, set()
        for ship in sorted(range(len(self.lengths)), key=lambda ship: -self.lengths[ship]):
            options = list(self.options(self.lengths[ship], taken))
            if not options:
                return None
            places[ship], cells = self.random.choice(options)
            beside = (-1, 0, 1) if self.apart else (0,)
            taken |= {(row + down, col + right) for row, col in cells for down in beside for right in beside}
        return [places[ship] for ship in range(len(places))]

    def options(self, length, taken):
        """Yields all places for a ship of this length, and their cells."""
        for row, col in self.untried:  # all cells, before the first attack
            for direction, down, right in (("h", 0, 1), ("v", 1, 0)):
                cells = {(row + i * down, col + i * right) for i in range(length)}
                inside = row + (length - 1) * down < self.rows and col + (length - 1) * right < self.cols
                if inside and not cells & taken:
                    yield (row, col, direction), cells

    def attack(self):
        """Returns the (row, col) to shoot at: next to a hit if there is one, else anywhere."""
        near = [cell for cell in self.untried if any(self.touch(cell, hit) for hit in self.hits)]
        cell = self.random.choice(near or self.untried or [(0, 0)])
        if cell in self.untried:
            self.untried.remove(cell)
        return cell

    def salvo(self, shots):
        """Returns the cells for all shots of a turn of the salvo game. Their results come after the last shot."""
        return [self.attack() for _ in range(shots)]

    def touch(self, cell, other):
        return abs(cell[0] - other[0]) + abs(cell[1] - other[1]) == 1

    def result(self, row, col, what, ship):
        """Says what became of an attack: "miss", "hit", "sunk" (then ship is its number) or "wasted"."""
        self.untried = [cell for cell in self.untried if cell != (row, col)]  # a test may tell other attacks
        if what == "hit":
            self.hits.append((row, col))
        elif what == "sunk":
            self.hits.clear()

    def opponent(self, row, col):
        """Says where the opponent has shot."""
