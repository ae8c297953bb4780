// The turns of a game in words.

import { plural } from './words.mjs';
import { TWIST_ROWS } from './decode.mjs';

export function rowName(setup, row) {
  return setup.rules === 'twist' ? TWIST_ROWS[row] : String(row);
}

export function colName(setup, col) {
  return setup.rules === 'twist' ? String(col + 1) : String(col);
}

export function cellName(setup, row, col) {
  if (setup.rules !== 'twist') return `(${row},${col})`;
  const inside = row >= 0 && row < 12 && col >= 0 && col < 12;
  return inside ? `${TWIST_ROWS[row]}${col + 1}` : 'a cell outside';
}

export const cellNameAt = (setup, cell) => cellName(setup, Math.floor(cell / setup.cols), cell % setup.cols);

/** Returns a sentence for a turn, without the player's name: "attacks (3,4): hit". */
export function turnText(turn, setup) {
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
export function resultWord(turn) {
  if (turn.sunk !== undefined) return 'sunk';
  if (turn.result === 'repaired') return `repairs ${turn.ids.length}`;
  return turn.result === 'found' ? `finds ${turn.found.length}` : turn.result;
}

/** Returns the words after `result` in the protocol. */
export function protocolResult(turn) {
  if (turn.result === 'sunk') return `sunk ${turn.ship}`;
  if (turn.result === 'repaired') return ['repaired', ...turn.ids].join(' ');
  if (turn.result === 'refused') return `refused ${turn.why}`;
  if (turn.result !== 'found') return turn.result;
  const marks = turn.found.flatMap(([cell, mark]) => [Math.floor(cell / 12), cell % 12, mark ? 'x' : 'y']);
  return ['found', ...marks].join(' ');
}

/** Returns the lines of the protocol that the `i`th turn of a game consisted of, as [seat, mark, text]. */
export function protocolLines(game, i) {
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
export function placingLines(game) {
  return [game.first, 1 - game.first].flatMap((seat) => {
    if (!game.fleets[seat]) return [];
    const ships = game.fleets[seat].map((ship) => `${ship.row} ${ship.col} ${ship.down ? 'v' : 'h'}`);
    return [
      [seat, '<-', 'place'],
      [seat, '->', `place ${ships.join(' ')}`],
    ];
  });
}
