"""The first tests of the strategy: python3 -m unittest"""

import unittest

from strategy import Strategy


def new_game(rows, cols, lengths, seed=1, apart=False):
    strategy = Strategy()
    strategy.new_game(rows, cols, lengths, seed, apart)
    return strategy


class StrategyTest(unittest.TestCase):
    def test_ships_lie_on_the_board_and_not_on_one_another(self):
        lengths = [5, 4, 3, 3, 2]
        cells = set()
        for (row, col, direction), length in zip(new_game(10, 10, lengths).place(), lengths):
            down, right = (0, 1) if direction == "h" else (1, 0)
            cells |= {(row + i * down, col + i * right) for i in range(length)}
        self.assertEqual(len(cells), sum(lengths))
        self.assertLessEqual(cells, {(row, col) for row in range(10) for col in range(10)})

    def test_ships_that_may_not_touch_do_not(self):
        lengths = [5, 4, 3, 3, 2]
        for seed in range(20):
            near = set()  # the cells of the ships so far, and those around them
            places = new_game(10, 10, lengths, seed, apart=True).place()
            for (row, col, direction), length in zip(places, lengths):
                down, right = (0, 1) if direction == "h" else (1, 0)
                cells = {(row + i * down, col + i * right) for i in range(length)}
                self.assertFalse(cells & near)
                near |= {(r + i, c + j) for r, c in cells for i in (-1, 0, 1) for j in (-1, 0, 1)}

    def test_a_fleet_without_room_is_not_placed(self):
        self.assertIsNone(new_game(1, 2, [2, 1]).place())

    def test_no_cell_is_attacked_twice(self):
        strategy = new_game(3, 7, [2])
        self.assertEqual(len({strategy.attack() for _ in range(21)}), 21)

    def test_a_salvo_has_a_cell_for_each_shot(self):
        strategy = new_game(2, 4, [2])
        self.assertEqual(len(set(strategy.salvo(5) + strategy.salvo(3))), 8)
        self.assertEqual(len(strategy.salvo(2)), 2)  # no cell is left to try

    def test_after_a_hit_comes_its_neighbour(self):
        strategy = new_game(1, 9, [2])
        strategy.result(0, 4, "hit", None)
        self.assertIn(strategy.attack(), [(0, 3), (0, 5)])

    def test_the_same_seed_gives_the_same_play(self):
        self.assertEqual(new_game(10, 10, [5, 4], 7).place(), new_game(10, 10, [5, 4], 7).place())


if __name__ == "__main__":
    unittest.main()
