// Reads the games of a chunk.

import { SEATS } from './data.mjs';

export const TWIST_ROWS = 'ABCDEFGHILMN';
export const TWIST_CELLS = 144;

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
export function decodeChunk(bytes, chunk, data) {
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
export function unpackGame(game, data) {
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
export function unitCentre({ row, col, down, length }) {
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
