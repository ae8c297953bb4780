// Works out what happened in a game.

/** Returns the cells of a ship, as places on its board. */
export function cellsOf(ship, setup) {
  const start = ship.row * setup.cols + ship.col;
  return Array.from({ length: ship.length }, (_, i) => start + i * (ship.down ? setup.cols : 1));
}

/**
 * Works out the results of a classic game's attacks from its fleets: adds `result`, `cell` and `ship` to the turns, and
 * returns for each board when each cell was attacked and each ship sunk. Times are numbers of turns.
 */
export function judgeClassic(game, setup) {
  const boards = game.fleets.map((fleet) => {
    const owner = new Int8Array(setup.rows * setup.cols).fill(-1);
    (fleet || []).forEach((ship, id) => {
      for (const cell of cellsOf(ship, setup)) owner[cell] = id;
    });
    const left = setup.ships.map((ship) => ship.length);
    return { owner, attacked: new Uint32Array(owner.length), left, sunk: [] };
  });
  game.turns.forEach((turn, i) => judgeAttack(boards[1 - turn.seat], turn, i + 1, setup));
  return boards;
}

function judgeAttack(board, turn, time, setup) {
  const inside = turn.row >= 0 && turn.row < setup.rows && turn.col >= 0 && turn.col < setup.cols;
  turn.cell = inside ? turn.row * setup.cols + turn.col : -1;
  turn.ship = -1;
  if (!inside || board.attacked[turn.cell] > 0) {
    turn.result = 'wasted';
    return;
  }
  board.attacked[turn.cell] = time;
  turn.ship = board.owner[turn.cell];
  turn.result = 'miss';
  if (turn.ship >= 0) {
    board.left[turn.ship] -= 1;
    turn.result = board.left[turn.ship] === 0 ? 'sunk' : 'hit';
    if (turn.result === 'sunk') board.sunk[turn.ship] = time;
  }
}

/**
 * Follows the units of a twist game: adds `unit` to the turns, and `sunk` where an enemy unit sinks. Returns the damage
 * of all units after each turn, and before the first, as bits.
 */
export function followUnits(game, setup) {
  const sides = game.fleets.map((fleet) => (fleet || []).map((unit) => ({ ...unit, hits: 0 })));
  const all = (unit) => 2 ** unit.length - 1;
  const damage = () => sides.map((units) => units.map((unit) => unit.hits));
  const history = [damage()];
  for (const turn of game.turns) {
    const middle = (unit) => cellsOf(unit, setup)[(unit.length - 1) / 2];
    const place = (row, col) => (row >= 0 && row < 12 && col >= 0 && col < 12 ? row * 12 + col : -1);
    const own = sides[turn.seat];
    turn.cell = place(turn.row, turn.col);
    turn.from = place(turn.fromRow, turn.fromCol);
    turn.unit = own.findIndex((unit) => unit.hits < all(unit) && middle(unit) === turn.from);
    if (turn.result === 'hit') hitUnit(sides[1 - turn.seat], turn, setup, all);
    if ((turn.result === 'repaired' || turn.result === 'found') && turn.unit >= 0 && turn.cell >= 0) {
      const half = (own[turn.unit].length - 1) / 2;
      own[turn.unit].row = turn.row - (own[turn.unit].down ? half : 0);
      own[turn.unit].col = turn.col - (own[turn.unit].down ? 0 : half);
    }
    for (const id of turn.ids || []) if (own[id]) own[id].hits = 0;
    history.push(damage());
  }
  return history;
}

function hitUnit(units, turn, setup, all) {
  const id = units.findIndex((unit) => unit.hits < all(unit) && cellsOf(unit, setup).includes(turn.cell));
  if (id < 0) return;
  units[id].hits |= 1 << cellsOf(units[id], setup).indexOf(turn.cell);
  if (units[id].hits === all(units[id])) turn.sunk = id;
}
