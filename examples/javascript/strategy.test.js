// The first tests of the strategy: node --test
const assert = require("node:assert");
const test = require("node:test");
const { Strategy } = require("./strategy.js");

function newGame(rows, cols, lengths, seed = 1, apart = false) {
  const strategy = new Strategy();
  strategy.newGame(rows, cols, lengths, seed, apart);
  return strategy;
}

test("ships lie on the board and not on one another", () => {
  const lengths = [5, 4, 3, 3, 2];
  const taken = new Set();
  newGame(10, 10, lengths).place().forEach(({ row, col, direction }, ship) => {
    for (let i = 0; i < lengths[ship]; i++) {
      const [r, c] = direction === "h" ? [row, col + i] : [row + i, col];
      assert.ok(r >= 0 && r < 10 && c >= 0 && c < 10);
      taken.add(10 * r + c);
    }
  });
  assert.equal(taken.size, 17);
});

test("ships that may not touch do not", () => {
  const lengths = [5, 4, 3, 3, 2];
  for (let seed = 0; seed < 20; seed++) {
    const others = [];
    newGame(10, 10, lengths, seed, true).place().forEach(({ row, col, direction }, ship) => {
      const cells = [];
      for (let i = 0; i < lengths[ship]; i++) cells.push(direction === "h" ? [row, col + i] : [row + i, col]);
      for (const [r, c] of cells)
        assert.ok(others.every(([row, col]) => Math.max(Math.abs(r - row), Math.abs(c - col)) > 1));
      others.push(...cells);
    });
  }
});

test("a fleet without room is not placed", () => {
  assert.equal(newGame(1, 2, [2, 1]).place(), null);
});

test("no cell is attacked twice", () => {
  const strategy = newGame(3, 7, [2]);
  const tried = Array.from({ length: 21 }, () => JSON.stringify(strategy.attack()));
  assert.equal(new Set(tried).size, 21);
});

test("a salvo has a cell for each shot", () => {
  const strategy = newGame(2, 4, [2]);
  const cells = [...strategy.salvo(5), ...strategy.salvo(3)].map((cell) => JSON.stringify(cell));
  assert.equal(new Set(cells).size, 8);
  assert.equal(strategy.salvo(2).length, 2); // no cell is left to try
});

test("after a hit comes its neighbour", () => {
  const strategy = newGame(1, 9, [2]);
  strategy.result(0, 4, "hit");
  assert.ok([3, 5].includes(strategy.attack().col));
});

test("the same seed gives the same play", () => {
  assert.deepEqual(newGame(10, 10, [5, 4]).place(), newGame(10, 10, [5, 4]).place());
});
