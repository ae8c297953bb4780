// The turns of a game in words.
// @ts-check

import { SEATS, data, nameOf } from './data.mjs';

/** Returns the name of a cell. Those outside the board are behind its cells. */
export const cellName = (setup, cell) => setup.cells[cell] ?? data.outside[cell - setup.cells.length] ?? '';

/** Returns row and column of a cell as the protocol has them. */
const rowCol = (setup, cell) =>
  cell < setup.cells.length
    ? `${Math.floor(cell / setup.cols)} ${cell % setup.cols}`
    : cellName(setup, cell).replace(/[()]/g, '').replace(',', ' ');

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Returns how a cell can be typed. */
export const exampleOf = (setup) => (setup.rowNames.includes('A') ? 'B7' : 'B7 or 1 7');

/** Returns the cell that was typed, as B7 or 1 7; -1 if there is none. */
export function typedCell(text, { rowNames, colNames, cols }) {
  const [, letter, digits, one, two] = /^\s*(?:([a-z])\s*(\d+)|\(?(\d+)[\s,]+(\d+)\)?)\s*$/i.exec(text) || [];
  const letters = rowNames.includes('A') ? rowNames : LETTERS.slice(0, rowNames.length);
  const row = letter ? letters.indexOf(letter.toUpperCase()) : rowNames.indexOf(one);
  const col = colNames.indexOf(letter ? digits : two);
  return row < 0 || col < 0 ? -1 : row * cols + col;
}

/** Fills the slots of a text, as {to}. */
export const filled = (text, slots) => text.replace(/\{(\w+)\}/g, (slot, name) => slots[name] ?? slot);

/**
 * Returns a turn as a sentence.
 * @param {import('./scenes.mjs').Game} game
 * @param {import('./scenes.mjs').Turn} turn
 * @param {import('./data.mjs').Setup} setup
 */
export function sentenceOf(game, turn, setup) {
  const [from, to] = [turn.cells[0], turn.cell].map((cell) => cellName(setup, cell));
  const ship = turn.phrase.sinks === null ? '' : setup.ships[turn.phrase.sinks].name;
  return filled(turn.phrase.said, { who: nameOf(game, turn.seat), other: nameOf(game, 1 - turn.seat), from, to, ship });
}

/**
 * Returns the lines of the protocol that a turn consisted of, as [seat, mark, text].
 * @param {import('./scenes.mjs').Turn} turn
 * @param {import('./data.mjs').Setup} setup
 */
export function protocolLines(turn, setup) {
  const cells = turn.cells.map((cell) => rowCol(setup, cell)).join(' ');
  return turn.phrase.lines.map(([own, mark, text]) => {
    const said = filled(text, { cells, to: rowCol(setup, turn.cell), rest: turn.rest });
    return [own ? turn.seat : 1 - turn.seat, mark, said];
  });
}

/** Returns the lines with which both players placed their ships. */
export function placingLines(game, setup) {
  return [game.first, 1 - game.first].flatMap((seat) => {
    if (!game.fleets[seat]) return [];
    const ships = game.fleets[seat].map((ship) => {
      return `${rowCol(setup, ship.cell)} ${ship.down ? 'v' : 'h'}`;
    });
    return [
      [seat, '<-', 'place'],
      [seat, '->', `place ${ships.join(' ')}`],
    ];
  });
}

/** Returns the lines with which a game ended. */
export function endingLines(game) {
  const { word, fault } = data.reasons[game.reason];
  return SEATS.filter((seat) => !(fault && seat === game.by)).map((seat) => {
    const result = game.winner === null ? 'void' : game.winner === seat ? 'won' : 'lost';
    return [seat, '<-', `end ${result} ${word}`];
  });
}
