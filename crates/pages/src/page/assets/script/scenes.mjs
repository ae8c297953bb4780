// Reads the games of a chunk, and what there is to see of each, turn by turn.
// @ts-check

import { SEATS } from './data.mjs';

/**
 * A ship as it lies, from its topmost or leftmost cell.
 * @typedef {{cell: number, down: boolean, length: number, sunk: boolean}} Hull
 *
 * What there is to see at a moment: the marks of the waters of both players and of what both have noted, the ships in
 * those waters, and which ships have sunk.
 * @typedef {{marks: string[][], hulls: (Hull | null)[][], sunk: boolean[][]}} Scene
 *
 * A turn: its phrase, the cells that it names, how long it took in microseconds, and the rest of a long result.
 * @typedef {object} Turn
 * @property {number} seat
 * @property {import('./data.mjs').Phrase} phrase
 * @property {number[]} cells
 * @property {number} cell the last of them
 * @property {number} us
 * @property {string} rest
 *
 * A game: in short, and once it is unpacked with what there is to see.
 * @typedef {object} Game
 * @property {number} number
 * @property {[number, number]} players
 * @property {number} setup
 * @property {boolean} counts
 * @property {boolean} unfinished
 * @property {number} first
 * @property {number | null} winner
 * @property {number | null} by
 * @property {number} reason
 * @property {number | null} text
 * @property {number} encounter
 * @property {number[]} lengths
 * @property {{columns: any, i: number}} [packed]
 * @property {(Hull[] | null)[]} [fleets]
 * @property {Turn[]} [turns]
 * @property {Scene[]} [scenes]
 * @property {{seat: number, name: number, turn: number, value: number}[]} [figures]
 */

/** The marks of changes, by their numbers. */
const MARKS = ['', 'm', 'h', 's'];

/** Numbers are characters, whose codes are 32 more. */
const numbersOf = (text) => Array.from(text, (sign) => (sign.codePointAt(0) ?? 32) - 32);

/**
 * Returns the games of a chunk in short, with the columns from which `unpackGame` reads the rest of one.
 * @returns {Game[]}
 */
export function gamesOf(columns, chunk) {
  const numbers = chunk.numbers.flatMap(([first, count]) => Array.from({ length: count }, (_, i) => first + i));
  return numbers.map((number, i) => ({
    number,
    players: columns.players[i],
    setup: columns.setups[i],
    counts: columns.counts[i],
    unfinished: !columns.finished[i],
    first: columns.first[i],
    winner: columns.winners[i],
    by: columns.by[i],
    reason: columns.reasons[i],
    text: columns.texts[i],
    encounter: number - columns.before[i],
    lengths: SEATS.map((seat) => columns.phrases[i][seat].length),
    packed: { columns, i },
  }));
}

/**
 * Reads the fleets and turns of a game into it, once.
 * @param {Game} game
 * @param {import('./data.mjs').PageData} data
 */
export function unpackTurns(game, data) {
  if (game.turns) return;
  const { columns, i } = game.packed;
  const setup = data.setups[game.setup];
  game.fleets = columns.fleets[i].map((fleet) => fleet && fleetOf(fleet, setup));
  game.turns = turnsOf(game, columns, i, setup, data);
}

/**
 * Reads the fleets, turns, scenes and figures of a game into it, once.
 * @param {Game} game
 * @param {import('./data.mjs').PageData} data
 */
export function unpackGame(game, data) {
  if (!game.packed) return game;
  unpackTurns(game, data);
  const { columns, i } = game.packed;
  const setup = data.setups[game.setup];
  game.scenes = scenesOf(game, numbersOf(columns.changes[i]), setup);
  game.figures = columns.figures[i].map(([seat, name, turn, value]) => {
    return { seat, name, turn, value };
  });
  delete game.packed;
  return game;
}

/** Returns a ship at a place: twice its cell, and one more if it lies down. */
const hullAt = (place, length) => {
  return { cell: Math.floor(place / 2), down: place % 2 === 1, length, sunk: false };
};

function fleetOf(fleet, setup) {
  return numbersOf(fleet).map((place, id) => hullAt(place, setup.ships[id].length));
}

/** Returns the cells of a ship, as places on its board. */
export function cellsOf(hull, setup) {
  return Array.from({ length: hull.length }, (_, i) => hull.cell + i * (hull.down ? setup.cols : 1));
}

/** @returns {Turn[]} */
function turnsOf(game, columns, i, setup, data) {
  const [phrases, cells, times] = ['phrases', 'cells', 'times'].map((name) => columns[name][i].map(numbersOf));
  const rests = new Map(columns.rests[i]);
  const taken = [0, 0];
  const salvos = numbersOf(columns.salvos[i]);
  let [seat, salvo, left] = [game.first, 0, salvos[0] ?? 1];
  return Array.from({ length: phrases[0].length + phrases[1].length }, (_, turn) => {
    // Where there are no salvos, each turn is the only one of its reply.
    if (left === 0) [seat, salvo, left] = [1 - seat, salvo + 1, salvos[salvo + 1] ?? 1];
    left--;
    const own = taken[seat]++;
    const named = cells[seat].slice(own * setup.cellsOfTurn, (own + 1) * setup.cellsOfTurn);
    const phrase = data.phrases[phrases[seat][own]];
    if (!phrase || named.length < setup.cellsOfTurn) throw new Error(`its turn ${turn + 1} is missing`);
    const steps = times[seat][own];
    const us = steps === 0 ? 0 : 2 ** ((steps - 1) / 8);
    return { seat, phrase, cells: named, cell: named[named.length - 1], us, rest: String(rests.get(turn) ?? '') };
  });
}

/** Returns what a grid of a phrase is in the scenes, for a turn of this seat. */
export const gridOf = (on, seat) => {
  return on === 'own' ? seat : on === 'theirs' ? 1 - seat : 2 + seat;
};

/**
 * Returns the scenes before the first turn and after each.
 * @param {Game} game
 * @param {number[]} changes
 * @param {import('./data.mjs').Setup} setup
 */
function scenesOf(game, changes, setup) {
  const empty = () => Array(setup.rows * setup.cols).fill('');
  /** @type {Scene} */
  let scene = {
    marks: [empty(), empty(), empty(), empty()],
    hulls: game.fleets.map((fleet) => fleet ?? []),
    sunk: SEATS.map(() => setup.ships.map(() => false)),
  };
  const scenes = [scene];
  let at = 0;
  game.turns.forEach((turn, number) => {
    scene = { marks: [...scene.marks], hulls: [...scene.hulls], sunk: [...scene.sunk] };
    const mark = (grid, cell, kind) => {
      if (scene.marks[grid] === scenes[number].marks[grid]) scene.marks[grid] = [...scene.marks[grid]];
      scene.marks[grid][cell] = kind;
    };
    const { marks, sinks } = turn.phrase;
    if (turn.cell < setup.rows * setup.cols)
      for (const [on, kind] of marks) mark(gridOf(on, turn.seat), turn.cell, kind);
    const other = 1 - turn.seat;
    if (sinks !== null) {
      scene.sunk[other] = scene.sunk[other].map((sunk, id) => sunk || id === sinks);
      scene.hulls[other] = scene.hulls[other].map((hull, id) =>
        hull && id === sinks ? { ...hull, sunk: true } : hull,
      );
    }
    for (; changes[at] === number; at += 4) {
      const [, grid, place, what] = changes.slice(at, at + 4);
      if (grid < 4) mark(grid, place, MARKS[what]);
      else {
        const hull = what === 0 ? null : hullAt(what - 1, setup.ships[place].length);
        scene.hulls[grid - 4] = scene.hulls[grid - 4].map((one, id) => (id === place ? hull : one));
      }
    }
    scenes.push(scene);
  });
  return scenes;
}

/**
 * Returns the cell that lies a step down and right of another; behind the last one is the first.
 * @param {number} cell
 * @param {[number, number]} step
 * @param {{rows: number, cols: number}} setup
 */
export function stepped(cell, [down, right], { rows, cols }) {
  const row = (Math.floor(cell / cols) + down + rows) % rows;
  const col = ((cell % cols) + right + cols) % cols;
  return row * cols + col;
}
