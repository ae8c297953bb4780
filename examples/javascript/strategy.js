// How the bot plays: the file to change.

// One Strategy plays all games of a series, so it can learn from one game to the next.
class Strategy {
  name = "Scripter";

  newGame(rows, cols, lengths, seed, apart) {
    this.lengths = lengths;
    this.apart = apart; // whether ships may not touch, not at corners either
    this.state = seed; // the same seed, the same game
    this.untried = [];
    this.hits = []; // on ships still afloat, as far as we know
    for (let row = 0; row < rows; row++)
      for (let col = 0; col < cols; col++) this.untried.push({ row, col });
  }

  // Returns { row, col, direction: "h" or "v" } for each ship, in the order of lengths; null if there is no way.
  place() {
    let places = null;
    for (let tries = 0; tries < 200 && !places; tries++) places = this.tryToPlace();
    return places;
  }

  // Puts each ship where there is room, at random, the longest first; null if one finds no room.
  tryToPlace() {
    const places = [];
    const free = new Set(this.untried.map(({ row, col }) => key(row, col))); // all cells, before the first attack
    const ships = [...this.lengths.keys()].sort((a, b) => this.lengths[b] - this.lengths[a]);
    for (const ship of ships) {
      const options = [];
      for (const { row, col } of this.untried)
        for (const direction of ["h", "v"]) {
          const place = { row, col, direction };
          if (cellsOf(place, this.lengths[ship]).every((cell) => free.has(cell))) options.push(place);
        }
      if (options.length === 0) return null;
      places[ship] = this.oneOf(options);
      const beside = this.apart ? [-101, -100, -99, -1, 0, 1, 99, 100, 101] : [0]; // as key counts
      for (const cell of cellsOf(places[ship], this.lengths[ship]))
        for (const step of beside) free.delete(cell + step);
    }
    return places;
  }

  // Returns the { row, col } to shoot at: next to a hit if there is one, else anywhere.
  attack() {
    const touch = (one, other) => Math.abs(one.row - other.row) + Math.abs(one.col - other.col) === 1;
    const near = this.untried.filter((cell) => this.hits.some((hit) => touch(cell, hit)));
    const chosen = this.oneOf(near.length > 0 ? near : this.untried) ?? { row: 0, col: 0 };
    this.untried = this.untried.filter((cell) => cell !== chosen);
    return chosen;
  }

  // Returns the cells for all shots of a turn of the salvo game. Their results come after the last shot.
  salvo(shots) {
    return Array.from({ length: shots }, () => this.attack());
  }

  // A random one. Math.random takes no seed, so this makes its own random numbers.
  oneOf(choices) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return choices[Math.floor((this.state / 2 ** 32) * choices.length)];
  }

  // Says what became of an attack: "miss", "hit", "sunk" (then ship is its number) or "wasted".
  result(row, col, what, ship) {
    this.untried = this.untried.filter((cell) => key(cell.row, cell.col) !== key(row, col)); // a test may tell other attacks
    if (what === "hit") this.hits.push({ row, col });
    if (what === "sunk") this.hits = [];
  }

  // Says where the opponent has shot.
  opponent(row, col) {}
}

// A ship's cells, each as one number, so that a Set can tell them apart.
function cellsOf({ row, col, direction }, length) {
  const cells = [];
  for (let i = 0; i < length; i++) cells.push(direction === "h" ? key(row, col + i) : key(row + i, col));
  return cells;
}

function key(row, col) {
  return 100 * row + col;
}

module.exports = { Strategy };
