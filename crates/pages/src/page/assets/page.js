// The script of the pages that the referee writes: reads the games in the page, and shows replays, players and lists.
// Plain and without libraries, since it is written into each page. Text of bots only ever becomes text, never markup.
'use strict';

// ---- Reading the games of a chunk ----------------------------------------------------------------------------------

const TWIST_ROWS = 'ABCDEFGHILMN';
const TWIST_CELLS = 144;
const SEATS = [0, 1];

/** Reads numbers from bytes, and says which section ends too early instead of reading past its end. */
class Reader {
  constructor(bytes, section) {
    this.bytes = bytes;
    this.section = section;
    this.at = 0;
  }

  take(count) {
    if (this.at + count > this.bytes.length) throw new RangeError(`its ${this.section} end too early`);
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  byte() {
    return this.take(1)[0];
  }

  /** Little endian, as all numbers of a chunk. */
  number(size) {
    return this.take(size).reduceRight((value, byte) => value * 256 + byte, 0);
  }

  varint() {
    let value = 0;
    for (let scale = 1; scale < Number.MAX_SAFE_INTEGER; scale *= 128) {
      const byte = this.byte();
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
    throw new RangeError(`its ${this.section} have a number that is too large`);
  }

  zigzag() {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A number below `limit`: the place in a list. */
  index(limit) {
    const value = this.varint();
    if (value >= limit) throw new RangeError(`its ${this.section} name entry ${value} of ${limit}`);
    return value;
  }

  float() {
    const four = this.take(4);
    return new DataView(four.buffer, four.byteOffset, 4).getFloat32(0, true);
  }
}

/** Cuts the bytes of a chunk into its six sections. */
function sections(bytes) {
  const head = new Reader(bytes, 'first bytes');
  const names = ['games', 'fleets', 'turns', 'times', 'frames', 'figures'];
  const lengths = names.map(() => head.number(4));
  return lengths.map((length, i) => {
    const rest = new Reader(bytes, names[i]);
    rest.at = head.at;
    head.at += length;
    return new Reader(rest.take(length), names[i]);
  });
}

/**
 * Returns the games of a chunk in short: all but their fleets, turns and figures, which `unpackGame` reads of one game.
 * `data` is the page's data, whose lists the games refer to. After a game that cannot be read the next cannot be found:
 * then the games before it are returned, with the error as their `fault`.
 */
function decodeChunk(bytes, chunk, data) {
  const [meta, ...rest] = sections(bytes);
  const games = [];
  try {
    for (let i = 0; i < chunk.games; i++) {
      const game = readGame(meta, chunk, data, i > 0 ? games[i - 1].number : 0);
      game.packed = packedParts(meta, game, data.setups[game.setup], rest);
      games.push(game);
    }
  } catch (error) {
    if (games.length === 0) throw error;
    games.fault = error;
  }
  return games;
}

/** Cuts the parts of a game from the sections behind the first, each of which goes on with the next game. */
function packedParts(meta, game, setup, [fleets, turns, times, frames, figures]) {
  const count = game.lengths[0] + game.lengths[1];
  const [moreTurns, frameBytes, figureBytes] = [meta.varint(), meta.varint(), meta.varint()];
  const fleetBytes = game.placed.filter(Boolean).length * setup.ships.length * shipSize(setup);
  const part = (section, length) => new Reader(section.take(length), section.section);
  return {
    fleets: part(fleets, fleetBytes),
    turns: part(turns, count + moreTurns),
    times: part(times, count),
    frames: part(frames, frameBytes),
    figures: part(figures, figureBytes),
  };
}

/**
 * Reads the fleets, turns and figures of a game of `decodeChunk` into it; once, however often it is asked for. A game
 * that cannot be read fails alone, and each time with the same error.
 */
function unpackGame(game, data) {
  if (game.fault) throw game.fault;
  if (!game.packed) return game;
  try {
    readParts(game, data);
  } catch (error) {
    game.fault = error;
    throw error;
  }
  delete game.packed;
  return game;
}

function readParts(game, data) {
  const ahead = game.lengths[game.first] - game.lengths[1 - game.first];
  if (ahead !== 0 && ahead !== 1) throw new RangeError(`the turns of game ${game.number} do not alternate`);
  const { fleets, turns, times, frames, figures } = game.packed;
  const setup = data.setups[game.setup];
  game.fleets = SEATS.map((seat) => (game.placed[seat] ? readFleet(fleets, setup) : null));
  if (setup.rules === 'twist') readTwist(turns, frames, game, setup, data);
  else game.turns = readAttacks(turns, game, setup);
  readTimes(times, game);
  game.figures = readFigures(figures, data);
}

/** Returns how many bytes a ship takes. */
const shipSize = (setup) => (setup.rows * setup.cols <= 128 ? 1 : 2);

function readGame(meta, chunk, data, before) {
  const number = before + meta.varint();
  const flags = meta.varint();
  const bit = (n) => Math.floor(flags / 2 ** n) % 2;
  const seat = (n) => [null, 0, 1, null][bit(n) + 2 * bit(n + 1)];
  const [a, b] = chunk.players;
  return {
    number,
    players: bit(0) ? [b, a] : [a, b],
    first: bit(1),
    winner: seat(2),
    by: seat(4),
    counts: bit(6) === 1,
    placed: [bit(7) === 1, bit(8) === 1],
    unfinished: bit(9) === 1,
    reason: meta.index(data.reasons.length),
    text: meta.index(data.texts.length + 1) - 1,
    setup: meta.index(data.setups.length),
    encounter: meta.varint(),
    lengths: [meta.varint(), meta.varint()],
  };
}

function readFleet(fleets, setup) {
  return setup.ships.map((ship) => {
    const value = fleets.number(shipSize(setup));
    const cell = Math.floor(value / 2);
    const start = {
      row: Math.floor(cell / setup.cols),
      col: cell % setup.cols,
    };
    return { ...start, down: value % 2 === 1, length: ship.length };
  });
}

/** Returns the seat whose turn is the `i`th of a game, from 0. */
const seatOf = (game, i) => (i % 2 === 0 ? game.first : 1 - game.first);

/** Returns the places of the turns in their sections, where all turns of seat 0 come before those of seat 1. */
function seatOrder(game) {
  const places = Array.from({ length: game.lengths[0] + game.lengths[1] }, (_, i) => i);
  return SEATS.flatMap((seat) => places.filter((i) => seatOf(game, i) === seat));
}

function readAttacks(turns, game, setup) {
  const attacks = [];
  const size = setup.rows * setup.cols <= 255 ? 1 : 2;
  const outside = 256 ** size - 1;
  for (const i of seatOrder(game)) {
    const cell = turns.number(size);
    const [row, col] =
      cell === outside ? [turns.zigzag(), turns.zigzag()] : [Math.floor(cell / setup.cols), cell % setup.cols];
    attacks[i] = { seat: seatOf(game, i), row, col };
  }
  return attacks;
}

/**
 * Reads the orders of a twist game, and what the four grids show before the first and after each. The page forecasts
 * the own grids of the players as `pack_twist.rs` does, and reads where they are otherwise.
 */
function readTwist(turns, frames, game, setup, data) {
  const water = '~'.charCodeAt(0);
  let grids = Array.from({ length: 4 }, () => new Uint8Array(TWIST_CELLS).fill(water));
  game.turns = [];
  game.frames = [];
  if (!game.fleets[0] || !game.fleets[1]) {
    game.frames.push(grids);
    return;
  }
  for (const seat of SEATS) {
    game.fleets[seat].forEach((unit, id) => {
      for (const cell of unitCells(unit)) grids[seat][cell] = setup.ships[id].symbol.charCodeAt(0);
    });
  }
  const units = SEATS.map((seat) => game.fleets[seat].map((unit) => ({ ...unit, afloat: true })));
  const correct = () => {
    for (const seat of SEATS) {
      const changes = frames.take(frames.varint() * 2);
      for (let i = 0; i < changes.length; i += 2) grids[seat][changes[i]] = changes[i + 1];
      for (const unit of units[seat]) {
        const [row, col] = unitCentre(unit);
        // A place that one had which sank may be another's later.
        if (grids[seat][12 * row + col] === water) unit.afloat = false;
      }
    }
    game.frames.push(grids);
  };
  correct();
  for (let i = 0; i < game.lengths[0] + game.lengths[1]; i++) {
    grids = grids.map((grid) => grid.slice());
    const order = readOrder(turns, seatOf(game, i), units, grids, data);
    forecast(order, units[order.seat], grids);
    correct();
    game.turns.push(order);
  }
}

/** Returns the cells of a unit that are on the grid, from the first on. */
function unitCells({ row, col, down, length }) {
  const cells = Array.from({ length }, (_, i) => [row + (down ? i : 0), col + (down ? 0 : i)]);
  return cells.filter(([r, c]) => r >= 0 && r < 12 && c >= 0 && c < 12).map(([r, c]) => 12 * r + c);
}

/** Returns the cell by which a unit is ordered, as its row and column. */
function unitCentre({ row, col, down, length }) {
  const half = Math.floor(length / 2);
  return down ? [row + half, col] : [row, col + half];
}

function readOrder(turns, seat, units, grids, data) {
  const first = turns.byte();
  const order = { seat };
  const code = first >= 128 ? first - 128 : Math.floor(first / 8);
  if (first >= 128) {
    [order.fromRow, order.fromCol, order.row, order.col] = Array.from(turns.take(4), (byte) => byte - 1);
  } else {
    const unit = units[seat][first % 8];
    if (!unit) throw new RangeError('an order is of no unit');
    [order.fromRow, order.fromCol] = unitCentre(unit);
    const cell = turns.byte();
    [order.row, order.col] = [Math.floor(cell / 12), cell % 12];
  }
  order.result = ['miss', 'hit', 'repaired', 'found', 'refused', 'found'][code];
  if (!order.result) throw new RangeError('an order has no result');
  if (order.result === 'repaired') order.ids = Array.from(turns.take(turns.varint()));
  if (order.result === 'refused') order.why = data.texts[turns.index(data.texts.length)];
  if (code === 3) {
    const pairs = turns.take(turns.varint() * 2);
    order.found = Array.from({ length: pairs.length / 2 }, (_, n) => [pairs[2 * n], pairs[2 * n + 1]]);
  }
  if (code === 5) order.found = sonar(grids[1 - seat], order);
  return order;
}

/** Returns what sonar finds on a grid around the target of an order: cells, and 1 where a unit is damaged. */
function sonar(grid, { row, col }) {
  const found = [];
  for (let r = Math.max(row - 2, 0); r <= Math.min(row + 2, 11); r++) {
    for (let c = Math.max(col - 2, 0); c <= Math.min(col + 2, 11); c++) {
      const shown = String.fromCharCode(grid[12 * r + c]);
      if (shown !== '~') found.push([12 * r + c, shown === shown.toLowerCase() ? 1 : 0]);
    }
  }
  return found;
}

/** Changes the grids as an order is likely to: shots mark and damage cells, other units move with their damage. */
function forecast(order, units, grids) {
  const { seat, row, col, result } = order;
  const cell = 12 * row + col;
  const marks = grids[2 + seat];
  const code = (letter) => letter.charCodeAt(0);
  if (result === 'miss' || result === 'hit') marks[cell] = code(result === 'hit' ? 'X' : 'O');
  if (result === 'hit') {
    const grid = grids[1 - seat];
    grid[cell] = code(String.fromCharCode(grid[cell]).toLowerCase());
  }
  for (const [at, damaged] of order.found ?? []) marks[at] = code(damaged ? 'X' : 'Y');
  if (result !== 'repaired' && result !== 'found') return;
  const from = [order.fromRow, order.fromCol].join();
  const isOrdered = (unit) => unit.afloat && unitCentre(unit).join() === from;
  const unit = units.find(isOrdered);
  if (!unit) return;
  const grid = grids[seat];
  const shown = unitCells(unit).map((at) => grid[at]);
  for (const at of unitCells(unit)) grid[at] = code('~');
  unit.row += row - order.fromRow;
  unit.col += col - order.fromCol;
  unitCells(unit).forEach((at, i) => (grid[at] = shown[i]));
}

/** Fills in how long each reply took, in microseconds; 0 is less than one. */
function readTimes(times, game) {
  const order = game.turns[0] && 'fromRow' in game.turns[0] ? game.turns.keys() : seatOrder(game);
  for (const i of order) {
    const byte = times.byte();
    game.turns[i].us = byte === 0 ? 0 : 2 ** ((byte - 1) / 8);
  }
}

function readFigures(figures, data) {
  return Array.from({ length: figures.index(1e7) }, () => ({
    seat: figures.byte() % 2,
    name: figures.index(data.figureNames.length),
    turn: figures.varint(),
    value: figures.float(),
  }));
}

// ---- Playing a game back -------------------------------------------------------------------------------------------

/** Returns the cells of a ship, as places on its board. */
function cellsOf(ship, setup) {
  const start = ship.row * setup.cols + ship.col;
  return Array.from({ length: ship.length }, (_, i) => start + i * (ship.down ? setup.cols : 1));
}

/**
 * Works out the results of a classic game's attacks from its fleets: adds `result`, `cell` and `ship` to the turns, and
 * returns for each board when each cell was attacked and each ship sunk. Times are numbers of turns.
 */
function judgeClassic(game, setup) {
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
function followUnits(game, setup) {
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

// ---- Words ---------------------------------------------------------------------------------------------------------

const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** The largest number that a figure of a game can be: larger ones are kept as it. */
const LARGEST_FIGURE = (2 - 2 ** -23) * 2 ** 127;

/** Returns a number with three digits, without needless zeros; up to a million, with all those before the point. */
function short(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || value === 0) return String(value);
  if (size >= 1e6 || size < 1e-3) {
    const [digits, exponent] = value.toExponential(2).split('e');
    const bound = { [LARGEST_FIGURE]: '≥', [-LARGEST_FIGURE]: '≤' }[value] || '';
    return `${bound}${Number(digits)}e${Number(exponent)}`;
  }
  return size >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function timeText(us) {
  const two = (value) => Number(value.toPrecision(2));
  if (us === 0) return '<1 µs';
  if (us < 999) return `${two(us)} µs`;
  return us < 999e3 ? `${two(us / 1e3)} ms` : `${two(us / 1e6)} s`;
}

function rowName(setup, row) {
  return setup.rules === 'twist' ? TWIST_ROWS[row] : String(row);
}

function colName(setup, col) {
  return setup.rules === 'twist' ? String(col + 1) : String(col);
}

function cellName(setup, row, col) {
  if (setup.rules !== 'twist') return `(${row},${col})`;
  const inside = row >= 0 && row < 12 && col >= 0 && col < 12;
  return inside ? `${TWIST_ROWS[row]}${col + 1}` : 'a cell outside';
}

const cellNameAt = (setup, cell) => cellName(setup, Math.floor(cell / setup.cols), cell % setup.cols);

/** Returns a sentence for a turn, without the player's name: "attacks (3,4): hit". */
function turnText(turn, setup) {
  const target = cellName(setup, turn.row, turn.col);
  if (setup.rules !== 'twist') return `attacks ${target}: ${resultText(turn, setup)}`;
  const unit = turn.unit >= 0 ? setup.ships[turn.unit].name : 'order';
  const from = cellName(setup, turn.fromRow, turn.fromCol);
  if (turn.result === 'refused') return `orders ${from} to ${target}, refused: ${turn.why}`;
  if (turn.result === 'hit' || turn.result === 'miss') {
    return `fires from ${from} at ${target}: ${resultText(turn, setup)}`;
  }
  const way = turn.from === turn.cell ? `keeps its ${unit} at ${from}` : `moves its ${unit} from ${from} to ${target}`;
  return `${way}: ${resultText(turn, setup)}`;
}

/** Returns the result of a turn in a few words. */
function resultText(turn, setup) {
  if (turn.result === 'sunk') return `sunk, ${setup.ships[turn.ship].name}`;
  if (turn.sunk !== undefined) return `hit, sinks a ${setup.ships[turn.sunk].name}`;
  if (turn.result === 'repaired') return turn.ids.length ? `repairs ${plural(turn.ids.length, 'unit')}` : 'no repairs';
  if (turn.result === 'found')
    return turn.found.length ? `finds ${plural(turn.found.length, 'cell')}` : 'finds nothing';
  if (turn.result === 'wasted') return turn.cell < 0 ? 'wasted, outside' : 'wasted, again';
  return turn.result;
}

/** Returns the result of a turn in a word or two, for the list. */
function resultWord(turn) {
  if (turn.sunk !== undefined) return 'sunk';
  if (turn.result === 'repaired') return `repairs ${turn.ids.length}`;
  return turn.result === 'found' ? `finds ${turn.found.length}` : turn.result;
}

/** Returns the words after `result` in the protocol. */
function protocolResult(turn) {
  if (turn.result === 'sunk') return `sunk ${turn.ship}`;
  if (turn.result === 'repaired') return ['repaired', ...turn.ids].join(' ');
  if (turn.result === 'refused') return `refused ${turn.why}`;
  if (turn.result !== 'found') return turn.result;
  const marks = turn.found.flatMap(([cell, mark]) => [Math.floor(cell / 12), cell % 12, mark ? 'x' : 'y']);
  return ['found', ...marks].join(' ');
}

/** Returns the lines of the protocol that the `i`th turn of a game consisted of, as [seat, mark, text]. */
function protocolLines(game, i) {
  const turn = game.turns[i];
  const [word, from] = 'fromRow' in turn ? ['act', `${turn.fromRow} ${turn.fromCol} `] : ['attack', ''];
  const target = `${turn.row} ${turn.col}`;
  const lines = [
    [turn.seat, '<-', word],
    [turn.seat, '->', `${word} ${from}${target}`],
    [turn.seat, '<-', `result ${from}${target} ${protocolResult(turn)}`],
  ];
  const heard = word === 'attack' || turn.result === 'hit' || turn.result === 'miss';
  if (heard) lines.push([1 - turn.seat, '<-', `opponent ${target}`]);
  return lines;
}

/** Returns the lines with which both players placed their ships. */
function placingLines(game) {
  return [game.first, 1 - game.first].flatMap((seat) => {
    if (!game.fleets[seat]) return [];
    const ships = game.fleets[seat].map((ship) => `${ship.row} ${ship.col} ${ship.down ? 'v' : 'h'}`);
    return [
      [seat, '<-', 'place'],
      [seat, '->', `place ${ships.join(' ')}`],
    ];
  });
}

if (typeof module !== 'undefined') {
  module.exports = { decodeChunk, unpackGame, judgeClassic, followUnits, protocolResult, short };
}

// ---- The page ------------------------------------------------------------------------------------------------------

const SVG = 'http://www.w3.org/2000/svg';
const OUTDATED =
  'This browser cannot unpack the games. Open the page with Chrome 103, Firefox 113, Safari 16.4 or a later one.';

/** The page's data, from `page-data`. */
let data = null;

const byId = (id) => document.getElementById(id);

function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, String(value));
  }
}

/** Returns an element. Functions among its attributes listen to events; children are elements or text. */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  setAttributes(node, attributes);
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}

function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  setAttributes(node, attributes);
  node.append(...children.flat());
  return node;
}

/** Sets the text of an element only if it changes, so that screen readers do not repeat it. */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Storage may be refused to a page in a file. */
function remember(storage, key, value) {
  try {
    if (value === null) window[storage].removeItem(key);
    else window[storage].setItem(key, value);
  } catch {
    // The page works without it.
  }
}

function recall(storage, key) {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

const playerName = (index) => (data.players[index] ? data.players[index].name : 'unknown');
const nameOf = (game, seat) => playerName(game.players[seat]);
const gameLink = (number, text = `game ${number}`) => el('a', { href: `#game=${number}` }, text);
const playerAddress = (name) => `#player=${encodeURIComponent(name)}`;
const gamesAddress = (...names) => `#games=${names.map(encodeURIComponent).join(',')}`;
const playerLink = (name) =>
  data.kind === 'report' ? el('a', { href: playerAddress(name) }, name) : document.createTextNode(name);

// ---- Chunks --------------------------------------------------------------------------------------------------------

const chunkGames = new Map();

/** Returns the games of a chunk; it is unpacked once, when they are first asked for. */
function loadChunk(index) {
  if (!chunkGames.has(index)) chunkGames.set(index, unpackChunk(index));
  return chunkGames.get(index);
}

async function unpackChunk(index) {
  let bytes;
  try {
    bytes = await inflate(byId(`chunk-${index}`).textContent.trim());
  } catch (error) {
    if (error === OUTDATED) throw new Error(OUTDATED);
    throw new Error(damaged(index, 'it cannot be unpacked'));
  }
  try {
    return decodeChunk(bytes, data.chunks[index], data);
  } catch (error) {
    throw new Error(damaged(index, error.message));
  }
}

function damaged(index, why) {
  const who = data.chunks[index].players.map(playerName).join(' and ');
  return `The games of ${who} in this page are damaged: ${why}. Make the page again from the record.`;
}

const damagedGame = (number, why) =>
  `Game ${number} in this page is damaged: ${why}. Make the page again from the record.`;

async function inflate(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  let stream;
  try {
    stream = new DecompressionStream('deflate-raw');
  } catch {
    throw OUTDATED;
  }
  const bytes = new Blob([packed]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(bytes).arrayBuffer());
}

/** Returns the index of the chunk with a game, or -1. */
function chunkOf(number) {
  return data.chunks.findIndex((chunk) =>
    chunk.numbers.some(([first, count]) => number >= first && number < first + count),
  );
}

async function loadGame(number) {
  const chunk = chunkOf(number);
  if (chunk < 0) throw new Error(whyMissing(number));
  const games = await loadChunk(chunk);
  const game = games.find((one) => one.number === number);
  if (!game) throw new Error(damaged(chunk, games.fault ? games.fault.message : `game ${number} is missing`));
  try {
    return unpackGame(game, data);
  } catch (error) {
    throw new Error(damagedGame(number, error.message));
  }
}

/** Returns the name of a file as a shell and the referee read it. */
function quoted(name) {
  const path = name.startsWith('-') ? `./${name}` : name;
  return /^[A-Za-z0-9._/-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;
}

/** Explains why a game is not in the page, and how to see it. */
function whyMissing(number) {
  if (!(number >= 1 && number <= data.games)) {
    return `There is no game ${number}: the games are numbered from 1 to ${data.games}.`;
  }
  const kept = `This page keeps the replays of ${data.kept} of ${data.games} games, and not of game ${number}.`;
  let before = 0;
  for (const record of data.records) {
    if (number <= before + record.games) {
      const name = quoted(record.name);
      const words = `referee replay ${name} --game ${number - before} --html game.html`;
      return `${kept} See it in the folder of the record with: ${words}`;
    }
    before += record.games;
  }
  return kept;
}

/** Returns the numbers of the games of the same two players next to this one, as far as there are any. */
function neighboursOf({ number, players }) {
  const pair = [...players].sort((a, b) => a - b).join();
  const runs = data.chunks.filter((chunk) => chunk.players.join() === pair).flatMap((chunk) => chunk.numbers);
  let [before, after] = [0, Infinity];
  for (const [first, count] of runs) {
    const last = first + count - 1;
    if (first < number) before = Math.max(before, Math.min(last, number - 1));
    if (last > number) after = Math.min(after, Math.max(first, number + 1));
  }
  return { before: before || null, after: after === Infinity ? null : after };
}

/** Returns the games of one player, or of two players against each other, in order. */
async function loadGames(wanted) {
  const indexes = data.chunks
    .map((chunk, index) => (wanted.every((player) => chunk.players.includes(player)) ? index : -1))
    .filter((index) => index >= 0);
  const games = (await Promise.all(indexes.map(loadChunk))).flat();
  return games.sort((a, b) => a.number - b.number);
}

// ---- Small charts --------------------------------------------------------------------------------------------------

const CHART = {
  width: 480,
  height: 120,
  left: 44,
  right: 8,
  top: 10,
  bottom: 20,
};

/** Returns the least and the greatest of numbers, of which there may be more than a call takes arguments. */
function range(values) {
  const widen = ([low, high], value) => [Math.min(low, value), Math.max(high, value)];
  return values.reduce(widen, [Infinity, -Infinity]);
}

/**
 * Draws lines over a common axis, from 0 to `xLast` if that is given. A series is `{name, points: [[x, y], ...]}`, with
 * its points in order. Returns the figure, and a function that moves the cursor to an x and says the values there.
 */
function lineChart(title, xName, series, xLast) {
  const { width, height, left, right, top, bottom } = CHART;
  const ys = series.flatMap((one) => one.points.map((point) => point[1])).filter(Number.isFinite);
  const xs = series.flatMap((one) => one.points.map((point) => point[0]));
  const [firstX, lastX] = range(xs);
  const [x0, x1] = xLast === undefined ? [firstX, lastX] : [0, Math.max(lastX, xLast)];
  const [low, high] = range(ys);
  // What differs by less is rounded differently.
  const flat = !(high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high)));
  const x = (value) => left + ((value - x0) / (x1 - x0 || 1)) * (width - left - right);
  // By halves, since the difference of very large numbers is infinite.
  const share = (value) => (flat ? 0.5 : (value / 2 - low / 2) / (high / 2 - low / 2));
  const y = (value) => height - bottom - share(value) * (height - top - bottom);
  const label = (at, text, more) => svg('text', { x: at[0], y: at[1], class: 'label', ...more }, text);
  const lines = series.map((one, i) => {
    const points = one.points.filter((point) => Number.isFinite(point[1]));
    return svg('polyline', {
      class: `line s${i}`,
      points: points.map((point) => `${x(point[0]).toFixed(1)},${y(point[1]).toFixed(1)}`).join(' '),
    });
  });
  const cursor = svg('line', {
    class: 'cursor',
    y1: top,
    y2: height - bottom,
    x1: -99,
    x2: -99,
  });
  const drawing = svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': flat ? `${title}, always ${short(high)}` : `${title}, from ${short(low)} to ${short(high)}`,
    },
    svg('line', {
      class: 'axis',
      x1: left,
      x2: width - right,
      y1: height - bottom,
      y2: height - bottom,
    }),
    label([left - 6, y(high) + 4], short(high), { 'text-anchor': 'end' }),
    flat ? [] : [label([left - 6, y(low) + 4], short(low), { 'text-anchor': 'end' })],
    label([left, height - 5], `${xName} ${x0}`),
    label([width - right, height - 5], String(x1), { 'text-anchor': 'end' }),
    lines,
    cursor,
  );
  const values = el('p', { class: 'values' });
  const say = (to) => values.replaceChildren(...series.map((one, i) => seriesValue(one, i, to)));
  const move = (to) => {
    cursor.setAttribute('x1', x(to));
    cursor.setAttribute('x2', x(to));
    say(to);
  };
  say(x1);
  return {
    node: el('figure', { class: 'chart small' }, el('figcaption', {}, title), drawing, values),
    move,
  };
}

function seriesValue(one, i, to) {
  const known = one.points.filter((point) => point[0] <= to);
  const value = known.length > 0 ? short(known[known.length - 1][1]) : '–';
  const key = svg('svg', { viewBox: '0 0 24 8', class: 'key' }, svg('path', { class: `line s${i}`, d: 'M0 4H24' }));
  return el('span', {}, key, ` ${one.name} ${value}`);
}

// ---- Boards --------------------------------------------------------------------------------------------------------

/** A board as a table, whose cells are only touched where they change. */
class Grid {
  constructor(setup, title, onCell) {
    this.count = el('span', { class: 'count' });
    this.cells = [];
    this.looks = [];
    const columns = Array.from({ length: setup.cols }, (_, col) => el('th', { scope: 'col' }, colName(setup, col)));
    const rows = Array.from({ length: setup.rows }, (_, row) => {
      const cells = columns.map((_, col) => el('td', { click: () => onCell(row * setup.cols + col) }));
      this.cells.push(...cells);
      return el('tr', {}, el('th', { scope: 'row' }, rowName(setup, row)), cells);
    });
    this.node = el(
      'table',
      { class: 'board' },
      el('caption', {}, el('span', { class: 'who' }, ...title), this.count),
      el('thead', {}, el('tr', {}, el('td', { class: 'corner' }), columns)),
      el('tbody', {}, rows),
    );
    this.node.style.setProperty('--cols', String(setup.cols));
  }

  /** Shows a cell: its classes, its sign, and what it is in words. */
  set(cell, classes, sign, words) {
    const look = `${classes}|${sign}|${words}`;
    if (this.looks[cell] === look) return;
    this.looks[cell] = look;
    this.cells[cell].className = classes;
    const children = sign ? [el('i', { 'aria-hidden': 'true' }, sign)] : [];
    if (words) children.push(el('span', { class: 'sr' }, words));
    this.cells[cell].replaceChildren(...children);
  }
}

/** The ships of a player with a bar for each, and what is sunk. */
class FleetList {
  constructor(ships) {
    this.items = ships.map((ship) => ({
      parts: Array.from({ length: ship.length }, () => el('i', {})),
      state: el('span', { class: 'sr' }),
      name: ship.name,
    }));
    this.nodes = this.items.map(({ parts, state, name }) =>
      el(
        'li',
        {},
        el('span', { class: 'bar', 'aria-hidden': 'true' }, parts),
        el('span', { class: 'name' }, name),
        state,
      ),
    );
    this.node = el('ul', { class: 'fleet' }, this.nodes);
  }

  /** `hits` has for each ship which of its parts are hit, as bits. */
  show(hits) {
    this.items.forEach(({ parts, state }, id) => {
      const count = parts.filter((part, i) => part.classList.toggle('hit', (hits[id] >> i) % 2 === 1)).length;
      const all = hits[id] === 2 ** parts.length - 1;
      this.nodes[id].className = all ? 'sunk' : '';
      setText(state, all ? ', sunk' : count > 0 ? `, ${count} of ${parts.length} hit` : '');
    });
  }
}

// ---- What the boards of each game show -----------------------------------------------------------------------------

/** Both boards of a classic game. */
class ClassicStage {
  constructor(game, setup, onTurn) {
    Object.assign(this, { game, setup });
    this.boards = judgeClassic(game, setup);
    this.fleets = SEATS.map(() => new FleetList(setup.ships));
    this.grids = SEATS.map(
      (seat) => new Grid(setup, [playerLink(nameOf(game, seat))], (cell) => onTurn(this.boards[seat].attacked[cell])),
    );
    this.nodes = SEATS.map((seat) => el('div', { class: 'sea' }, this.grids[seat].node, this.fleets[seat].node));
    this.legend = [
      ['miss', '•', 'miss'],
      ['hit', '×', 'hit'],
      ['sunk', '#', 'sunk'],
      ['ship', '', 'ship'],
      ['last', '', 'last attack'],
    ];
  }

  show(time, view, best) {
    const last = time > 0 ? this.game.turns[time - 1] : null;
    for (const seat of SEATS) {
      const open = view === 'judge' || view === String(seat);
      const board = this.boards[seat];
      const attacked = last && last.seat !== seat;
      for (let cell = 0; cell < board.owner.length; cell++) {
        const [kind, sign, words] = this.look(board, cell, time, open);
        const isLast = attacked && cell === last.cell;
        const isBest = attacked && cell === best;
        const classes = `${kind}${isLast ? ' last' : ''}${isBest ? ' best' : ''}`;
        this.grids[seat].set(
          cell,
          classes,
          sign,
          `${words}${isLast ? ', last attack' : ''}${isBest ? ', advised' : ''}`,
        );
      }
      const count = this.game.turns.filter((turn, i) => i < time && turn.seat !== seat).length;
      setText(this.grids[seat].count, `attacked ${count === 1 ? 'once' : `${count} times`}`);
      this.fleets[seat].show(this.hits(seat, time, open));
    }
  }

  look(board, cell, time, open) {
    const ship = board.owner[cell];
    const name = ship >= 0 ? this.setup.ships[ship].name : '';
    if (board.attacked[cell] > 0 && board.attacked[cell] <= time) {
      if (ship < 0) return ['miss', '•', 'miss'];
      if (board.sunk[ship] <= time) return ['sunk', '#', `sunk ${name}`];
      return ['hit', '×', open ? `hit ${name}` : 'hit'];
    }
    return open && ship >= 0 ? ['ship', '', name] : ['', '', ''];
  }

  /** Returns the damage of a fleet; an opponent knows only which ships are sunk. */
  hits(seat, time, open) {
    const board = this.boards[seat];
    return this.setup.ships.map((ship, id) => {
      if (board.sunk[id] <= time) return 2 ** ship.length - 1;
      if (!open || !this.game.fleets[seat]) return 0;
      const cells = cellsOf(this.game.fleets[seat][id], this.setup);
      return cells.reduce((bits, cell, i) => {
        const hit = board.attacked[cell] > 0 && board.attacked[cell] <= time;
        return bits + (hit ? 2 ** i : 0);
      }, 0);
    });
  }
}

/** The four grids of a twist game: under each player's own grid what its enemy has noted of it. */
class TwistStage {
  constructor(game, setup) {
    Object.assign(this, { game, setup });
    this.damage = followUnits(game, setup);
    this.fleets = SEATS.map(() => new FleetList(setup.ships));
    const ignore = () => {};
    this.own = SEATS.map((seat) => new Grid(setup, [playerLink(nameOf(game, seat))], ignore));
    this.known = SEATS.map((seat) => new Grid(setup, [`what ${nameOf(game, 1 - seat)} knows of it`], ignore));
    this.nodes = SEATS.map((seat) =>
      el('div', { class: 'sea twist' }, this.own[seat].node, this.known[seat].node, this.fleets[seat].node),
    );
    this.legend = [
      ['ship', 'C', 'battleship'],
      ['ship', 'S', 'support ship'],
      ['ship', 'E', 'submarine'],
      ['hit', '×', 'damaged, or hit'],
      ['miss', '•', 'miss'],
      ['seen', 'Y', 'seen by sonar'],
      ['changed', '', 'changed in this turn'],
      ['last', '', 'target of this turn'],
    ];
  }

  show(time, view) {
    const now = this.game.frames[time];
    const before = this.game.frames[Math.max(time - 1, 0)];
    const last = time > 0 ? this.game.turns[time - 1] : null;
    for (const seat of SEATS) {
      const open = view === 'judge' || view === String(seat);
      this.own[seat].node.hidden = !open;
      this.known[seat].node.hidden = view === String(seat);
      const fires = last && (last.result === 'hit' || last.result === 'miss');
      const target = last && (fires ? last.seat !== seat : last.seat === seat) ? last.cell : -1;
      this.fill(this.own[seat], now[seat], before[seat], target, (letter) => this.ownLook(letter));
      const notes = 2 + (1 - seat);
      this.fill(this.known[seat], now[notes], before[notes], fires ? target : -1, knownLook);
      const sunk = this.damage[time][seat].filter((hits, id) => hits === 2 ** this.setup.ships[id].length - 1).length;
      setText(this.own[seat].count, sunk ? `${plural(sunk, 'unit')} sunk` : 'all units afloat');
      this.fleets[seat].node.hidden = !open;
      this.fleets[seat].show(this.damage[time][seat]);
    }
  }

  fill(grid, now, before, target, look) {
    now.forEach((byte, cell) => {
      const [kind, sign, words] = look(String.fromCharCode(byte));
      const marks = `${byte !== before[cell] ? ' changed' : ''}${cell === target ? ' last' : ''}`;
      const said = `${words}${byte !== before[cell] ? ', changed' : ''}${cell === target ? ', target' : ''}`;
      grid.set(cell, kind + marks, sign, said);
    });
  }

  ownLook(letter) {
    if (letter === '~') return ['', '', ''];
    const ship = this.setup.ships.find((one) => one.symbol === letter.toUpperCase());
    const name = ship ? ship.name : letter;
    return letter === letter.toUpperCase() ? ['ship', letter, name] : ['hit', '×', `damaged ${name}`];
  }
}

function knownLook(letter) {
  if (letter === 'X') return ['hit', '×', 'hit'];
  if (letter === 'O') return ['miss', '•', 'miss'];
  return letter === 'Y' ? ['seen', 'Y', 'seen by sonar'] : ['', '', ''];
}

// ---- The replay of a game ------------------------------------------------------------------------------------------

/** Turns a second. */
const SPEEDS = [0.5, 1, 2, 3, 5, 8, 15, 30, 60];
/** No announcement while turns follow each other faster than this; they could not be read. */
const SLOWEST_UNREAD = 1;

/** Runs a function at most once in a while, and then with its last arguments: browsers limit changes of the address. */
function throttle(milliseconds, run) {
  let timer = null;
  return () => {
    if (timer === null) {
      timer = setTimeout(() => {
        timer = null;
        run();
      }, milliseconds);
    }
  };
}

class Replay {
  constructor() {
    this.game = null;
    this.time = 0;
    this.speed = 2;
    this.timer = null;
    this.writeAddress = throttle(300, () => this.replaceAddress());
    this.listen();
  }

  listen() {
    const on = (id, event, run) => byId(`replay-${id}`).addEventListener(event, run);
    on('start', 'click', () => this.go(0));
    on('back', 'click', () => this.go(this.time - 1));
    on('step', 'click', () => this.go(this.time + 1));
    on('end', 'click', () => this.go(Infinity));
    on('play', 'click', () => this.play(this.timer === null));
    on('slider', 'input', (event) => this.go(Number(event.target.value)));
    on('view', 'change', () => this.show());
    on('speed', 'change', (event) => (this.speed = Number(event.target.value)));
    on('help', 'click', () => byId('replay-keys').showModal());
    on('keys-close', 'click', () => byId('replay-keys').close());
    byId('replay-speed').append(
      ...SPEEDS.map((speed, i) => el('option', { value: i, selected: i === this.speed }, `${speed} a second`)),
    );
    this.listenToBoards(byId('replay-seas'));
    document.addEventListener('keydown', (event) => this.key(event));
  }

  /** The wheel and a swipe over the boards step; at either end the wheel scrolls the page as everywhere. */
  listenToBoards(seas) {
    let turned = 0;
    let touch = null;
    const wheel = (event) => {
      const ahead = event.deltaY > 0;
      if (event.ctrlKey || event.deltaY === 0 || (ahead ? this.time === this.last() : this.time === 0)) return;
      event.preventDefault();
      turned += event.deltaY * (event.deltaMode === 1 ? 33 : 1);
      if (Math.abs(turned) < 50) return;
      turned = 0;
      this.go(this.time + (ahead ? 1 : -1));
    };
    seas.addEventListener('wheel', wheel, { passive: false });
    seas.addEventListener('touchstart', (event) => (touch = event.touches[0]), {
      passive: true,
    });
    seas.addEventListener('touchend', (event) => {
      const [dx, dy] = [
        event.changedTouches[0].clientX - touch.clientX,
        event.changedTouches[0].clientY - touch.clientY,
      ];
      if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) this.go(this.time + (dx < 0 ? 1 : -1));
    });
  }

  last() {
    return this.game ? this.game.turns.length : 0;
  }

  /** Shows a game that was loaded, after `time` turns. */
  open(game, time) {
    this.play(false);
    const setup = data.setups[game.setup];
    Object.assign(this, { game, setup });
    const stage = setup.rules === 'twist' ? TwistStage : ClassicStage;
    this.stage = new stage(game, setup, (turn) => turn > 0 && this.go(turn));
    byId('replay-seas').replaceChildren(...this.stage.nodes);
    byId('replay-facts').replaceChildren(this.facts());
    const slider = byId('replay-slider');
    slider.max = this.last();
    slider.disabled = this.last() === 0;
    this.fillViews();
    this.fillNeighbours();
    this.fillLegend();
    this.fillLog();
    this.fillMarks();
    this.fillFigures();
    byId('replay-stage').hidden = false;
    this.go(time, true);
  }

  close() {
    this.play(false);
    this.game = null;
    byId('replay-stage').hidden = true;
  }

  name(seat) {
    return nameOf(this.game, seat);
  }

  facts() {
    const { game, setup } = this;
    const of = game.encounter > 0 ? `their game ${game.encounter}, ` : '';
    const fleet =
      setup.rules === 'twist' ? 'the twist' : `${plural(setup.ships.length, 'ship')} on ${setup.rows}×${setup.cols}`;
    const counts = pairingCounts(game.players) ? (game.counts ? '' : ' · does not count') : ` · ${VOID}`;
    const odd = `${counts}${game.unfinished ? ' · of an unfinished series' : ''}`;
    return `${of}${fleet} · ${this.name(game.first)} moved first · ${winText(game)}${odd}`;
  }

  fillViews() {
    const old = byId('replay-view').value || 'judge';
    const options = [
      ['judge', 'as the judge saw them'],
      ['0', `as ${this.name(0)} saw them`],
      ['1', `as ${this.name(1)} saw them`],
      ['none', 'hidden'],
    ];
    byId('replay-view').replaceChildren(
      ...options.map(([value, text]) => el('option', { value, selected: value === old }, text)),
    );
  }

  fillNeighbours() {
    const { before, after } = neighboursOf(this.game);
    byId('replay-neighbours').replaceChildren(
      ...(before ? [gameLink(before, `← game ${before}`)] : []),
      ...(after ? [gameLink(after, `game ${after} →`)] : []),
    );
  }

  fillLegend() {
    byId('replay-legend').replaceChildren(
      ...this.stage.legend.map(([kind, sign, text]) =>
        el('span', {}, el('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }, sign), text),
      ),
    );
  }

  fillLog() {
    const { game, setup } = this;
    const twist = setup.rules === 'twist';
    this.rows = game.turns.map((turn, i) => {
      const to = cellName(setup, turn.row, turn.col);
      const from = twist ? `${cellName(setup, turn.fromRow, turn.fromCol)} → ` : '';
      const address = `#game=${game.number}&shot=${i + 1}`;
      const struck = turn.result === 'hit' || turn.result === 'sunk';
      return el(
        'tr',
        { click: () => this.go(i + 1) },
        el('td', { class: 'num' }, el('a', { href: address, tabindex: -1 }, String(i + 1))),
        el('td', { class: 'who' }, this.name(turn.seat)),
        el('td', { class: 'cell' }, from + to),
        el('td', { class: struck ? 'struck' : '' }, resultWord(turn)),
        el('td', { class: 'num' }, timeText(turn.us)),
      );
    });
    const heads = ['', 'player', twist ? 'order' : 'cell', 'result', 'reply'];
    const head = heads.map((text, i) => el('th', { scope: 'col', class: i % 4 ? '' : 'num' }, text || '#'));
    const table = el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, this.rows));
    byId('replay-log').replaceChildren(table);
    setText(byId('replay-log-title'), twist ? 'Turns' : 'Attacks');
  }

  /** Marks hits on the time line, above it those of the first player and below it those of the second. */
  fillMarks() {
    this.sinkings = [];
    const marks = this.game.turns.flatMap((turn, i) => {
      const sunk = turn.result === 'sunk' || turn.sunk !== undefined;
      if (sunk) this.sinkings.push(i + 1);
      if (!sunk && turn.result !== 'hit') return [];
      const way = turn.seat === 0 ? -1 : 1;
      return [
        svg('line', {
          class: sunk ? 'sunk' : 'hit',
          x1: i + 1,
          x2: i + 1,
          y1: 2 * way,
          y2: (sunk ? 10 : 6) * way,
        }),
      ];
    });
    const drawing = byId('replay-marks');
    drawing.setAttribute('viewBox', `0 -10 ${Math.max(this.last(), 1)} 20`);
    drawing.replaceChildren(...marks);
  }

  /** Draws what the bots printed of themselves, over the turns of the game. */
  fillFigures() {
    const { game } = this;
    const step = ({ turn, seat }) => Math.min(turn === 0 ? 0 : 2 * turn - (seat === game.first ? 1 : 0), this.last());
    const names = [...new Set(game.figures.map((figure) => figure.name))];
    this.charts = names.map((name) => {
      const series = SEATS.map((seat) => ({
        name: this.name(seat),
        points: game.figures
          .filter((figure) => figure.name === name && figure.seat === seat)
          .map((figure) => [step(figure), figure.value]),
      })).filter((one) => one.points.length > 0);
      return lineChart(data.figureNames[name], 'turn', series, this.last());
    });
    byId('replay-figures').hidden = this.charts.length === 0;
    byId('replay-figures').replaceChildren(...this.charts.map((chart) => chart.node));
  }

  /** Goes to the position after `time` turns. */
  go(time, isNew = false) {
    if (!this.game) return;
    const to = Math.max(0, Math.min(Math.floor(time) || 0, this.last()));
    this.time = time === Infinity ? this.last() : to;
    this.show();
    if (!isNew) this.writeAddress();
  }

  address() {
    return `#game=${this.game.number}&shot=${this.time}`;
  }

  replaceAddress() {
    if (!this.game) return;
    try {
      history.replaceState(history.state, '', this.address());
    } catch {
      // The browser refuses too many changes; the next step writes it.
    }
  }

  show() {
    const { game, setup, time } = this;
    const review = this.review();
    this.stage.show(time, byId('replay-view').value, review ? review.best : -1);
    const unit = setup.rules === 'twist' ? 'turn' : 'attack';
    const slider = byId('replay-slider');
    slider.value = time;
    slider.setAttribute('aria-label', unit);
    slider.setAttribute('aria-valuetext', `${unit} ${time} of ${this.last()}${time > 0 ? `: ${this.sentence()}` : ''}`);
    setText(byId('replay-place'), `${unit} ${time} of ${this.last()}`);
    for (const [id, off] of [
      ['start', time === 0],
      ['back', time === 0],
      ['step', time === this.last()],
      ['end', time === this.last()],
    ]) {
      byId(`replay-${id}`).setAttribute('aria-disabled', String(off));
    }
    this.showStatus(review, unit);
    this.showRow();
    this.showLines(unit);
    this.charts.forEach((chart) => chart.move(time));
    const ended = time === this.last();
    byId('replay-result').hidden = !ended;
    if (ended) byId('replay-result').replaceChildren(...resultParagraphs(game));
  }

  sentence() {
    const turn = this.game.turns[this.time - 1];
    return `${this.name(turn.seat)} ${turnText(turn, this.setup)}`;
  }

  showStatus(review, unit) {
    const status = byId('replay-status');
    const fast = this.timer !== null && SPEEDS[this.speed] > SLOWEST_UNREAD;
    status.setAttribute('aria-live', fast ? 'off' : 'polite');
    const start = this.last() > 0 ? `Before the first ${unit}.` : 'The game ended before the first turn.';
    setText(status, this.time > 0 ? `${this.sentence()}` : start);
    byId('replay-review').hidden = !review;
    setText(byId('replay-review'), review ? review.text : '');
  }

  /** Returns what `good` would have attacked instead in the last turn, if that is known. */
  review() {
    const reviews = data.reviews && data.reviews[this.game.number];
    const turn = this.game.turns[this.time - 1];
    const ofSeat = reviews && turn && reviews[turn.seat];
    if (!ofSeat) return null;
    const own = this.game.turns.slice(0, this.time).filter((one) => one.seat === turn.seat).length;
    const entry = ofSeat[own - 1];
    if (!entry) return null;
    const [best, made, chance] = entry;
    const cell = cellNameAt(this.setup, best);
    const same = best === null || best === turn.cell || chance <= made;
    const text = same
      ? `good: no better attack, ${short(made)}%`
      : `good: ${cell}, ${short(chance)}% instead of ${short(made)}%`;
    return { best: same ? -1 : best, text };
  }

  /** Highlights the current row of the list and scrolls it into the list's view, not the page. */
  showRow() {
    this.rows.forEach((row, i) => {
      row.classList.toggle('later', i >= this.time);
      if (i === this.time - 1) row.setAttribute('aria-current', 'step');
      else row.removeAttribute('aria-current');
    });
    const list = byId('replay-log');
    const row = this.rows[this.time - 1];
    list.scrollTop = row ? row.offsetTop - list.clientHeight / 2 : 0;
  }

  showLines(unit) {
    const { game, time } = this;
    const said = data.dialogue && data.dialogue[game.number];
    const when = time > 0 ? `${unit} ${time}` : 'the start';
    const lines = said ? this.saidLines(said) : this.reconstructedLines();
    setText(
      byId('replay-dialogue-title'),
      said ? `What was said at ${when}` : `The protocol at ${when}, reconstructed from the record`,
    );
    byId('replay-lines').replaceChildren(
      ...lines.map(([seat, mark, text]) =>
        el(
          'li',
          { class: mark === '!!' ? 'stderr' : null },
          el('b', {}, this.name(seat)),
          el('span', { class: 'mark' }, mark === '!!' ? 'stderr' : mark),
          el('span', {}, text),
        ),
      ),
    );
  }

  saidLines(said) {
    const turns = [this.time - 1, this.time === this.last() ? this.time : -2];
    return said.filter(([turn]) => turns.includes(turn)).map(([, seat, mark, text]) => [seat, mark, text]);
  }

  reconstructedLines() {
    const { game, time } = this;
    const lines = time > 0 ? protocolLines(game, time - 1) : placingLines(game);
    if (time < this.last()) return lines;
    const { word, fault } = data.reasons[game.reason];
    const ends = SEATS.filter((seat) => !(fault && seat === game.by)).map((seat) => {
      const result = game.winner === null ? 'void' : game.winner === seat ? 'won' : 'lost';
      return [seat, '<-', `end ${result} ${word}`];
    });
    return lines.concat(ends);
  }

  play(on) {
    clearTimeout(this.timer);
    this.timer = null;
    if (on && this.game) {
      if (this.time === this.last()) this.go(0);
      this.next();
    }
    const button = byId('replay-play');
    setText(button, on ? '⏸ pause' : '▶ play');
  }

  next() {
    this.timer = setTimeout(() => {
      this.go(this.time + 1);
      if (this.time < this.last()) this.next();
      else this.play(false);
    }, 1000 / SPEEDS[this.speed]);
  }

  /** Returns whether a game is playing, which a reload would interrupt. */
  isPlaying() {
    return this.timer !== null;
  }

  key(event) {
    if (!this.game || event.ctrlKey || event.metaKey || event.altKey || byId('replay-keys').open) return;
    const target = event.target.closest('input, select, textarea, button, a, summary, [tabindex="0"]');
    const name = target ? target.localName : '';
    const used = {
      input: ['ArrowLeft', 'ArrowRight', 'Home', 'End'],
      select: null,
      button: [' '],
      summary: [' '],
      a: [' '],
      div: ['Home', 'End', ' '],
    }[name];
    if (used === null || (used && used.includes(event.key))) return;
    if (this.act(event.key)) event.preventDefault();
  }

  /** Does what a key stands for, and returns whether it stands for anything. */
  act(key) {
    const actions = {
      ' ': () => this.play(this.timer === null),
      ArrowLeft: () => this.go(this.time - 1),
      ArrowRight: () => this.go(this.time + 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      n: () => this.go(this.sinkings.find((time) => time > this.time) || this.last()),
      p: () => this.go(this.sinkings.filter((time) => time < this.time).pop() || 0),
      f: () => this.nextView(),
      l: () => this.copyLink(),
      '?': () => byId('replay-keys').showModal(),
    };
    if (key >= '1' && key <= '9' && key.length === 1) {
      this.speed = Number(key) - 1;
      byId('replay-speed').value = String(this.speed);
      return true;
    }
    if (actions[key]) actions[key]();
    return key in actions;
  }

  nextView() {
    const select = byId('replay-view');
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    this.show();
    setText(byId('replay-status'), `Fleets ${select.selectedOptions[0].textContent}.`);
  }

  async copyLink() {
    this.replaceAddress();
    let text = 'Link copied.';
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      text = 'The address bar has the link to this position.';
    }
    setText(byId('replay-status'), text);
  }
}

function winText(game) {
  if (game.winner === null) return 'no winner';
  const own = game.lengths[game.winner];
  return `${nameOf(game, game.winner)} won after ${plural(own, 'turn')}`;
}

/** Returns how a game ended: a sentence, and advice where the page has it. */
function resultParagraphs(game) {
  const reason = data.reasons[game.reason];
  const cause = game.by === null ? reason.text : `${nameOf(game, game.by)} ${reason.text}`;
  const sentence = game.text >= 0 ? data.texts[game.text] : cause;
  const forfeit = data.details.flatMap((details) => details.forfeits).find((one) => one.game === game.number);
  const parts = [
    el('strong', {}, game.winner === null ? 'No winner.' : `${nameOf(game, game.winner)} won.`),
    ` ${sentence}.`,
  ];
  if (forfeit && forfeit.advice) parts.push(el('span', { class: 'advice' }, ` ${forfeit.advice}`));
  return parts;
}

// ---- Tables that sort ----------------------------------------------------------------------------------------------

/** Returns a header cell with a button that sorts. */
const sortHead = (text, numeric, more = '') =>
  el(
    'th',
    { scope: 'col', class: `${numeric ? 'num' : ''} ${more}` },
    el('button', { type: 'button', class: 'sort' }, text),
  );

function cellValue(row, column) {
  const cell = row.cells[column];
  const value = cell && (cell.dataset.value !== undefined ? cell.dataset.value : cell.textContent.trim());
  return value === undefined || value === '' || value === '–' ? null : value;
}

/** Orders values: numbers by size, other text by its letters, and what is missing last. */
function compareValues(a, b, sign) {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const difference = Number(a) - Number(b);
  return sign * (Number.isNaN(difference) ? a.localeCompare(b) : difference);
}

function sortTable(table, column, descending) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [cellValue(row, column), row]);
  rows.sort((a, b) => compareValues(a[0], b[0], descending ? -1 : 1));
  body.append(...rows.map((pair) => pair[1]));
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    if (i === column) head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  });
}

/** Makes the buttons in a table's head sort it; a second press turns the order around. */
function makeSortable(table) {
  for (const button of table.tHead.querySelectorAll('button.sort')) {
    button.addEventListener('click', () => {
      const head = button.closest('th');
      const sorted = head.getAttribute('aria-sort');
      sortTable(table, head.cellIndex, sorted === 'ascending');
    });
  }
}

// ---- The games of an encounter, or of a player ---------------------------------------------------------------------

/** A list with more rows than this is slow to show; the rest follows on demand. */
const ROWS_AT_ONCE = 500;

function showGames(games, wanted) {
  const filters = [gameFilter('Winner', games, winnerName), gameFilter('Ended by', games, endName)];
  const count = el('p', { class: 'count', role: 'status' });
  const players = wanted.length === 2 ? wanted : null;
  const heads = players ? players.map((player) => `turns of ${playerName(player)}`) : ['opponent', 'turns'];
  const columns = [
    sortHead('game', true),
    sortHead('moved first', false, 'wide-only'),
    sortHead('winner'),
    sortHead(heads[0], Boolean(players)),
    sortHead(heads[1], true),
    sortHead('how it ended'),
  ];
  const body = el('tbody');
  const table = el('table', { class: 'list' }, el('thead', {}, el('tr', {}, columns)), body);
  const more = el('button', { type: 'button' }, 'Show all');
  const fill = (limit) => {
    const chosen = games.filter((game) => filters.every((filter) => filter.accepts(game)));
    const shown = chosen.slice(0, limit);
    body.replaceChildren(...shown.map((game) => gameRow(game, wanted)));
    for (const head of columns) head.removeAttribute('aria-sort');
    setText(count, `${shown.length} of ${plural(games.length, 'game')}`);
    more.hidden = shown.length === chosen.length;
  };
  more.addEventListener('click', () => fill(Infinity));
  filters.forEach((filter) => filter.select.addEventListener('change', () => fill(ROWS_AT_ONCE)));
  fill(ROWS_AT_ONCE);
  makeSortable(table);
  const tools = el('div', { class: 'tools' }, ...filters.map((filter) => filter.node), count);
  byId('games-body').replaceChildren(tools, el('div', { class: 'card wide' }, table), more);
}

const VOID = 'does not count: a player is disqualified';

/** Returns whether the games of two players against each other count, as they do if both stay in the standings. */
function pairingCounts([one, two]) {
  const isTheirs = ([a, b]) => (a === one && b === two) || (a === two && b === one);
  const pairing = (data.pairings || []).find(isTheirs);
  return !pairing || Boolean(pairing[5]);
}

const winnerName = (game) => (game.winner === null ? 'no winner' : nameOf(game, game.winner));
const endName = (game) => data.reasons[game.reason].word.replace(/_/g, ' ');

/** A choice among the values that `valueOf` has for the games. */
function gameFilter(label, games, valueOf) {
  const values = [...new Set(games.map(valueOf))].sort();
  const options = ['all', ...values].map((text, i) => el('option', { value: i }, text));
  const select = el('select', {}, options);
  const accepts = (game) => select.value === '0' || valueOf(game) === values[Number(select.value) - 1];
  return { select, accepts, node: el('label', {}, `${label} `, select) };
}

function gameRow(game, wanted) {
  const seats = wanted.map((player) => Math.max(game.players.indexOf(player), 0));
  // A player in both seats is named twice, and each has its own turns.
  if (wanted.length === 2 && seats[0] === seats[1]) seats[1] = 1 - seats[0];
  const turns = (seat) => el('td', { class: 'num' }, String(game.lengths[seat]));
  const middle = wanted.length === 2 ? seats.map(turns) : [el('td', {}, nameOf(game, 1 - seats[0])), turns(seats[0])];
  const { fault } = data.reasons[game.reason];
  const by = game.by !== null && fault ? `${nameOf(game, game.by)}: ` : '';
  return el(
    'tr',
    {},
    el('td', { class: 'num', 'data-value': game.number }, gameLink(game.number, String(game.number))),
    el('td', { class: 'wide-only' }, nameOf(game, game.first)),
    el('td', { class: game.winner === null ? 'none' : 'winner' }, winnerName(game)),
    middle,
    el('td', { class: fault ? 'fault' : null }, by + endName(game)),
  );
}

// ---- A player ------------------------------------------------------------------------------------------------------

const part = (title, ...content) => el('section', {}, el('h2', {}, title), ...content);

function showPlayer(index) {
  const player = data.players[index];
  const details = data.details[index];
  const place = player.place === null ? '' : ` · place ${player.place} of ${data.players.length}`;
  byId('player-facts').replaceChildren(el('code', {}, player.command), place);
  const pairs = details.summary.map(([label, value]) => el('div', {}, el('dt', {}, label), el('dd', {}, value)));
  byId('player-body').replaceChildren(
    ...(details.notes.length
      ? [
          el(
            'ul',
            { class: 'notes' },
            details.notes.map((note) => el('li', {}, note)),
          ),
        ]
      : []),
    el('dl', { class: 'summary' }, pairs),
    ...opponentsPart(index),
    ...mapsPart(details),
    ...worstPart(details),
    ...forfeitsPart(details),
    ...figuresPart(details),
  );
}

function opponentsPart(index) {
  const rows = data.pairings
    .filter(([a, b]) => a === index || b === index)
    .map(([a, b, wins, draws, losses, counts]) => {
      const mine = a === index ? [wins, draws, losses] : [losses, draws, wins];
      return opponentRow(index, a === index ? b : a, mine, counts);
    });
  if (rows.length === 0) return [];
  const heads = [
    sortHead('opponent'),
    el('td', { class: 'wide-only' }),
    sortHead('share', true),
    sortHead('won', true),
    sortHead('no winner', true),
    sortHead('lost', true),
  ];
  const table = el('table', { class: 'list' }, el('thead', {}, el('tr', {}, heads)), el('tbody', {}, rows));
  makeSortable(table);
  const all = el('p', {}, el('a', { href: gamesAddress(playerName(index)) }, `All games of ${playerName(index)}`));
  return [part('Against each opponent', el('div', { class: 'card wide' }, table), all)];
}

function opponentRow(index, opponent, [won, drawn, lost], counts) {
  const games = won + drawn + lost;
  const share = games > 0 ? (won + drawn / 2) / games : 0;
  const label = `${playerName(opponent)}${counts ? '' : ', does not count'}`;
  const link = el('a', { href: gamesAddress(playerName(index), playerName(opponent)) }, label);
  const number = (value) => el('td', { class: 'num' }, String(value));
  const bar = svg(
    'svg',
    {
      viewBox: '0 0 100 10',
      preserveAspectRatio: 'none',
      class: 'share',
      'aria-hidden': 'true',
    },
    svg('rect', {
      class: 'won',
      width: games ? (100 * won) / games : 0,
      height: 10,
    }),
    svg('rect', {
      class: 'lost',
      x: games ? 100 - (100 * lost) / games : 0,
      width: games ? (100 * lost) / games : 0,
      height: 10,
    }),
  );
  const text = games ? `${Math.round(100 * share)}%` : '–';
  const score = el('td', { class: 'num', 'data-value': share }, text);
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, link),
    el('td', { class: 'wide-only' }, bar),
    score,
    [won, drawn, lost].map(number),
  );
}

/** Two maps of the board, and a choice of the games that they show. */
function mapsPart(details) {
  if (details.maps.length === 0) return [];
  const names = details.maps.map((map) => {
    const setup = data.setups[map.setup];
    const board = data.setups.length > 1 ? `${setup.rules} ${setup.rows}×${setup.cols}, ` : '';
    return `${board}${map.when} (${map.games})`;
  });
  const select = el(
    'select',
    {},
    names.map((name, i) => el('option', { value: i }, name)),
  );
  const maps = el('div', { class: 'maps' });
  const fill = () => maps.replaceChildren(...heatMaps(details.maps[Number(select.value)]));
  select.addEventListener('change', fill);
  fill();
  return [part('Where it places its ships, and how early it attacks', el('label', {}, 'Games ', select), maps)];
}

function heatMaps(map) {
  const setup = data.setups[map.setup];
  return [placesMap(map, setup), attacksMap(map, setup)];
}

function placesMap(map, setup) {
  const placed = map.placed.map((count) => (map.games > 0 ? (100 * count) / map.games : 0));
  const most = Math.max(...placed, 1e-9);
  const cells = placed.map((value) => ({
    text: String(Math.round(value)),
    words: value > 0 ? `${short(value)}%` : 'never',
    level: Math.ceil((8 * value) / most),
  }));
  return heatMap(setup, 'Ships: share of games in percent', cells, ['never', `${short(most)}%`]);
}

/** Cells that are attacked early and often are dark: a game without an attack on a cell counts as if it came last. */
function attacksMap(map, setup) {
  const { games, attacked, reached } = map;
  const size = setup.rows * setup.cols;
  const overAll = (value, i) => (value * reached[i] + size * Math.max(games - reached[i], 0)) / Math.max(games, 1);
  const means = attacked.map((value, i) => (value === null || !reached ? value : overAll(value, i)));
  const [first, last] = range(means.filter((value) => value !== null));
  const cells = attacked.map((value, i) => {
    if (value === null) return { text: '–', words: 'never', level: 0 };
    const often = reached ? `attacked in ${reached[i]} of ${plural(games, 'game')}, as ` : '';
    return {
      text: String(Math.round(value)),
      words: `${often}attack ${short(value)} on average`,
      level: 1 + Math.round((7 * (last - means[i])) / (last - first || 1)),
    };
  });
  return heatMap(setup, 'Attacks: the mean number of the attack', cells, ['late or seldom', 'early and often']);
}

/** Draws a map of cells `{text, words, level}`, of which the level is from 0 to 8. */
function heatMap(setup, title, cells, [least, most]) {
  const columns = Array.from({ length: setup.cols }, (_, col) => el('th', { scope: 'col' }, colName(setup, col)));
  const cell = (row, col) => {
    const { text, words, level } = cells[row * setup.cols + col] || { text: '–', words: 'never', level: 0 };
    const title = `${cellName(setup, row, col)}: ${words}`;
    return el('td', { class: `h${level}`, title, 'aria-label': title }, text);
  };
  const rows = Array.from({ length: setup.rows }, (_, row) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, rowName(setup, row)),
      columns.map((_, col) => cell(row, col)),
    ),
  );
  const steps = Array.from({ length: 9 }, (_, i) => el('i', { class: `h${i}` }));
  const table = el(
    'table',
    { class: 'board heat' },
    el('caption', {}, title),
    el('thead', {}, el('tr', {}, el('td', { class: 'corner' }), columns)),
    el('tbody', {}, rows),
  );
  table.style.setProperty('--cols', String(setup.cols));
  return el(
    'figure',
    { class: 'map' },
    table,
    el('figcaption', { class: 'legend' }, least, el('span', { class: 'steps', 'aria-hidden': 'true' }, steps), most),
  );
}

function worstPart(details) {
  const cards = details.worst.map(({ game, why }) =>
    el('article', { class: 'card' }, el('h3', {}, gameLink(game, `Game ${game}`)), el('p', {}, why)),
  );
  return cards.length ? [part('Games to look at', el('div', { class: 'cards' }, cards))] : [];
}

function forfeitsPart(details) {
  if (details.nForfeits === 0) return [];
  const rows = details.forfeits.map(({ game, reason, text, advice }, i) => {
    const word = data.reasons[reason].word.replace(/_/g, ' ');
    const isNew = advice && (i === 0 || details.forfeits[i - 1].advice !== advice);
    const first = el('p', {}, gameLink(game), ' ', el('strong', {}, word), ` ${text}`);
    return el('li', {}, first, isNew ? el('p', { class: 'advice' }, advice) : null);
  });
  const hidden = details.nForfeits - rows.length;
  const rest = hidden > 0 ? [el('p', {}, `And ${hidden} more.`)] : [];
  return [part(`Forfeits: ${details.nForfeits}`, el('ol', { class: 'forfeits' }, rows), ...rest)];
}

function figuresPart(details) {
  if (details.figures.length === 0) return [];
  const charts = details.figures.map(({ name, points }) => {
    const title = data.figureNames[name];
    const chart = lineChart(title, 'game', [{ name: 'mean of a game, last', points }]);
    const rows = points.map(([game, mean]) =>
      el('tr', {}, el('td', {}, gameLink(game)), el('td', { class: 'num' }, short(mean))),
    );
    const head = el('tr', {}, el('th', { scope: 'col' }, 'game'), el('th', { scope: 'col', class: 'num' }, title));
    const table = el('table', { class: 'list' }, el('thead', {}, head), el('tbody', {}, rows));
    return el('div', {}, chart.node, el('details', { class: 'data' }, el('summary', {}, 'As a table'), table));
  });
  return [part('What it printed of itself', el('div', { class: 'charts' }, charts))];
}

// ---- The overview --------------------------------------------------------------------------------------------------

function startOverview() {
  const standings = document.querySelector('table.standings');
  const cross = document.querySelector('table.cross');
  if (standings) {
    labelCells(standings);
    makeSortable(standings);
  }
  if (cross) {
    linkCells(cross);
    roveCells(cross);
  }
  const filter = byId('filter');
  if (filter) filter.addEventListener('input', () => filterPlayers(filter.value, standings, cross));
}

/** Copies the heads into the cells, for narrow screens that show a row as a card. */
function labelCells(table) {
  const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
  for (const row of table.tBodies[0].rows) {
    [...row.cells].forEach((cell, i) => (cell.dataset.label = cell.dataset.label || heads[i]));
  }
}

const rowPlayer = (row) => (row.querySelector('th a') || row.querySelector('th')).textContent;

function filterPlayers(text, standings, cross) {
  const wanted = text.trim().toLowerCase();
  const matches = (name) => name.toLowerCase().includes(wanted);
  if (standings) for (const row of standings.tBodies[0].rows) row.hidden = !matches(rowPlayer(row));
  if (!cross) return;
  const heads = [...cross.tHead.rows[0].cells];
  const shown = heads.map((head, i) => i === 0 || matches(head.title || head.textContent));
  for (const row of cross.rows) {
    [...row.cells].forEach((cell, i) => (cell.hidden = !shown[i]));
    if (row.parentNode !== cross.tHead) row.hidden = !matches(rowPlayer(row));
  }
}

/** Leads the cells of the cross table to their games and says what they stand for: in the page it takes much room. */
function linkCells(table) {
  const rows = [...table.tBodies[0].rows];
  const players = rows.map((row) => Number(row.cells[0].dataset.player));
  const results = new Map();
  for (const [a, b, wins, draws, losses] of data.pairings) {
    results.set(`${a} ${b}`, [wins, draws, losses]);
    results.set(`${b} ${a}`, [losses, draws, wins]);
  }
  rows.forEach((row, i) => {
    for (const link of row.querySelectorAll('td a')) {
      const [one, two] = [players[i], players[link.parentNode.cellIndex - 1]];
      const [wins, draws, losses] = results.get(`${one} ${two}`);
      link.href = gamesAddress(playerName(one), playerName(two));
      const odd = pairingCounts([one, two]) ? '' : `; ${VOID}`;
      link.title = `${playerName(one)} against ${playerName(two)}: ${wins} won, ${draws} drawn, ${losses} lost${odd}`;
    }
  });
  if (data.pairings.some((pairing) => !pairing[5])) {
    const legend = el('p', { class: 'legend' }, `In italics: ${VOID}.`);
    (table.closest('.scroll') || table).after(legend);
  }
}

/** Makes the links of the cross table one stop of the tab key; arrows move between them. */
function roveCells(table) {
  const links = [...table.tBodies[0].querySelectorAll('td a')];
  const take = (link) => links.forEach((other) => (other.tabIndex = other === link ? 0 : -1));
  if (links.length > 0) take(links[0]);
  const next = (row, column, down, right) => {
    for (let r = row + down, c = column + right; ; r += down, c += right) {
      const line = table.tBodies[0].rows[r];
      if (!line || !line.cells[c]) return null;
      const link = line.hidden || line.cells[c].hidden ? null : line.cells[c].querySelector('a');
      if (link) return link;
    }
  };
  table.addEventListener('focusin', (event) => links.includes(event.target) && take(event.target));
  table.addEventListener('keydown', (event) => {
    const ways = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const cell = event.target.closest('td');
    if (!ways[event.key] || !cell) return;
    event.preventDefault();
    const link = next(cell.parentNode.sectionRowIndex, cell.cellIndex, ...ways[event.key]);
    if (link) link.focus();
  });
}

// ---- Where one is: the address, the bar at the top, the title ------------------------------------------------------

const VIEWS = ['replay', 'player', 'games'];
let replay = null;
let visits = 0;
let overviewScroll = 0;

/** Takes an address apart: `{view, number, shot, names}`. */
function parseAddress(hash) {
  const game = /^#game=(\d+)(?:&shot=(\d+))?$/.exec(hash);
  if (game)
    return {
      view: 'replay',
      number: Number(game[1]),
      shot: Number(game[2] || 0),
    };
  const list = /^#(player|games)=(.+)$/.exec(hash);
  if (!list) return { view: 'overview' };
  try {
    return { view: list[1], names: list[2].split(',').map(decodeURIComponent) };
  } catch {
    return { view: 'overview' };
  }
}

/** Shows what the address names. */
async function visit(isFirst) {
  const visitNumber = ++visits;
  let place = parseAddress(location.hash);
  if (data.kind === 'game' && place.view !== 'replay') place = { view: 'replay', number: firstGame(), shot: 0 };
  if (replay.game && place.view === 'replay' && place.number === replay.game.number) {
    replay.go(place.shot, true);
    return;
  }
  replay.close();
  showView(place.view);
  if (place.view === 'overview') return arrive(isFirst, null);
  const title = byId(`${place.view}-title`);
  const problem = byId(`${place.view}-problem`);
  problem.hidden = true;
  setText(title, placeTitle(place));
  try {
    await fillView(place, title, () => visitNumber === visits);
  } catch (error) {
    if (visitNumber !== visits) return undefined;
    replay.close();
    setText(problem, error.message);
    problem.hidden = false;
  }
  return visitNumber === visits ? arrive(isFirst, title) : undefined;
}

const firstGame = () => (data.chunks.length > 0 ? data.chunks[0].numbers[0][0] : 1);

function placeTitle(place) {
  if (place.view === 'replay') return `Game ${place.number}`;
  return place.names.join(' against ');
}

function playerIndexes(names) {
  return names.map((name) => {
    const index = data.players.findIndex((player) => player.name === name);
    if (index < 0) throw new Error(`There is no player ${name} in these games.`);
    return index;
  });
}

async function fillView(place, title, isCurrent) {
  if (place.view === 'replay') {
    byId('replay-facts').replaceChildren();
    const game = await loadGame(place.number);
    if (!isCurrent()) return;
    setText(title, `Game ${game.number}: ${nameOf(game, 0)} against ${nameOf(game, 1)}`);
    showTrail(game.players.map(playerName), `game ${game.number}`);
    replay.open(game, place.shot);
    return;
  }
  byId(`${place.view}-body`).replaceChildren();
  byId(`${place.view}-facts`).replaceChildren();
  showTrail(place.names, null);
  const indexes = playerIndexes(place.names);
  if (place.view === 'player') {
    showPlayer(indexes[0]);
    return;
  }
  const games = await loadGames(indexes);
  if (!isCurrent()) return;
  byId('games-facts').replaceChildren(gamesFacts(indexes, games));
  showGames(games, indexes);
}

function gamesFacts(indexes, games) {
  const pairings = data.pairings.filter(([a, b]) => indexes.every((index) => index === a || index === b));
  const count = (some) => some.reduce((sum, [, , wins, draws, losses]) => sum + wins + draws + losses, 0);
  const total = count(pairings);
  const notCounted = count(pairings.filter((pairing) => !pairing[5]));
  const odd = [
    notCounted === 0 ? '' : '. ',
    notCounted === 0 ? '' : notCounted === total ? `None of them counts` : `${notCounted} of them do not count`,
    notCounted === 0 ? '' : ': a player is disqualified.',
  ].join('');
  return games.length < total
    ? `The replays of ${games.length} of ${plural(total, 'game')} are in this page${odd || '.'}`
    : plural(games.length, 'game') + odd;
}

function showView(view) {
  if (document.body.dataset.view === 'overview') overviewScroll = window.scrollY;
  document.body.dataset.view = view;
  for (const name of VIEWS) if (byId(name)) byId(name).hidden = name !== view;
  showTrail([], null);
}

/** Ends a visit: the title, the focus, and where the page is scrolled to. */
function arrive(isFirst, title) {
  document.title = title ? `${title.textContent} · ${data.title}` : data.title;
  if (isFirst) return;
  const target = location.hash.length > 1 ? byId(location.hash.slice(1)) : null;
  if (title) {
    window.scrollTo(0, 0);
    title.focus({ preventScroll: true });
  } else if (target) {
    target.scrollIntoView();
  } else {
    window.scrollTo(0, overviewScroll);
    const heading = document.querySelector('main h1');
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

/** Shows the way back: the overview, which is the encounter of a match, the encounter or the player, and the game. */
function showTrail(names, last) {
  if (data.kind !== 'report') return;
  const { view } = document.body.dataset;
  const entries = [];
  if (view !== 'overview') entries.push(el('a', { href: '#standings' }, data.title));
  if (names.length === 2 && data.players.length > 2) {
    if (last) entries.push(el('a', { href: gamesAddress(...names) }, names.join(' against ')));
    else entries.push([playerLink(names[0]), ' against ', playerLink(names[1])]);
  } else if (names.length === 2 && !last) {
    entries.push('games');
  } else if (names.length === 1 && view === 'games') {
    entries.push(playerLink(names[0]));
  }
  if (last) entries.push(last);
  byId('trail').replaceChildren(...entries.map((entry) => el('li', {}, entry)));
}

/** Puts the bar above the page: the way back, how far a contest is, and light or dark. */
function startBar() {
  const theme = el('button', { type: 'button', class: 'theme' });
  const themes = ['auto', 'light', 'dark'];
  const use = (name) => {
    if (name === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    const sign = { auto: '◐', light: '○', dark: '●' }[name];
    theme.replaceChildren(el('span', { class: 'sr' }, 'Colours: '), `${sign} ${name}`);
  };
  let current = themes.includes(recall('localStorage', 'referee-theme'))
    ? recall('localStorage', 'referee-theme')
    : 'auto';
  use(current);
  theme.addEventListener('click', () => {
    current = themes[(themes.indexOf(current) + 1) % 3];
    remember('localStorage', 'referee-theme', current === 'auto' ? null : current);
    use(current);
  });
  const trail = el('nav', { 'aria-label': 'Way back' }, el('ol', { id: 'trail' }));
  document.body.prepend(el('header', { class: 'topbar' }, trail, el('p', { class: 'live', role: 'status' }), theme));
}

// ---- While a contest runs ------------------------------------------------------------------------------------------

const RELOAD_MILLISECONDS = 5000;
const placeKey = () => `referee-page ${location.pathname}`;

/** Says how far the contest is. A page that a server sent is loaded anew, and then looks as before. */
function startLive() {
  const { live } = data;
  if (!live || live.finished) return;
  const text = document.querySelector('.live');
  const progress = `${live.done} of ${live.of} games`;
  if (!/^https?:$/.test(location.protocol)) {
    setText(text, `Made while the contest ran, after ${progress}. Reload the page, or make it again, to see more.`);
    return;
  }
  setText(text, `${progress}, live`);
  setInterval(() => {
    const typing = document.activeElement && document.activeElement.localName === 'select';
    if (document.hidden || typing || replay.isPlaying() || document.querySelector('dialog[open]')) return;
    remember('sessionStorage', placeKey(), JSON.stringify(placeNow()));
    location.reload();
  }, RELOAD_MILLISECONDS);
}

/** What a reload would lose. */
function placeNow() {
  const sorted = document.querySelector('table.standings th[aria-sort]');
  const filter = byId('filter');
  return {
    scroll: window.scrollY,
    filter: filter ? filter.value : '',
    typing: document.activeElement === filter,
    view: byId('replay-view').value,
    open: [...document.querySelectorAll('details')].map((details) => details.open),
    sort: sorted ? [sorted.cellIndex, sorted.getAttribute('aria-sort') === 'descending'] : null,
  };
}

function restorePlace() {
  const saved = recall('sessionStorage', placeKey());
  remember('sessionStorage', placeKey(), null);
  if (!saved) return;
  const place = JSON.parse(saved);
  const filter = byId('filter');
  const standings = document.querySelector('table.standings');
  if (filter && place.filter) {
    filter.value = place.filter;
    filter.dispatchEvent(new Event('input'));
  }
  if (filter && place.typing) filter.focus();
  if (standings && place.sort) sortTable(standings, ...place.sort);
  [...document.querySelectorAll('details')].forEach((details, i) => (details.open = Boolean(place.open[i])));
  if (replay.game && place.view) {
    byId('replay-view').value = place.view;
    replay.show();
  }
  window.scrollTo(0, place.scroll);
}

async function start() {
  data = JSON.parse(byId('page-data').textContent);
  startBar();
  replay = new Replay();
  startOverview();
  window.addEventListener('hashchange', () => visit(false));
  await visit(true);
  restorePlace();
  startLive();
}

if (typeof document !== 'undefined') start();
