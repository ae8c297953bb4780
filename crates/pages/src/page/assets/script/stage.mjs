// What the boards of a game show.
// @ts-check

import { timesText } from './words.mjs';
import { el, setText } from './dom.mjs';
import { SEATS, nameOf, playerLink } from './data.mjs';
import { cellsOf, gridOf } from './scenes.mjs';
import { FleetList, Grid, lightTogether } from './board.mjs';

/** Returns the classes, the sign and the words of a cell with a mark, on a ship if there is one and it is shown. */
export function lookOf(mark, hull, ship, setup, cell) {
  const name = hull ? ship.name : '';
  const known = name && ` ${name}`;
  const shaped = (kind) => (hull ? `${kind} ${shapeOf(hull, cell, setup)}` : kind);
  if (hull?.sunk || mark === 'x') return [shaped('sunk'), '#', `sunk${known}`];
  if (mark === 'm') return ['miss', '•', 'miss'];
  if (mark === 'h') return [shaped('hit'), '×', hull && setup.shipsMove ? `damaged${known}` : `hit${known}`];
  if (mark === 's') return ['seen', 'Y', 'seen'];
  return hull ? [shaped('ship'), setup.shipsMove ? ship.symbol : '', name] : ['', '', ''];
}

/** Returns the classes that say which part of a ship is on a cell: all of them together are one shape. */
function shapeOf(hull, cell, setup) {
  const part = cellsOf(hull, setup).indexOf(cell);
  const ends = [part === 0 && 'bow', part === hull.length - 1 && 'stern'];
  const centre = setup.shipsMove && part === Math.floor(hull.length / 2) && 'centre';
  return ['hull', hull.down ? 'down' : 'across', ...ends, centre].filter(Boolean).join(' ');
}

/** Returns the number of the ship on each cell of some waters, where there is one. */
export function shipsOn(hulls, setup) {
  const pairs = hulls.map((hull, id) => (hull ? cellsOf(hull, setup).map((cell) => [cell, id]) : []));
  return new Map(/** @type {[number, number][]} */ (pairs.flat()));
}

/** Returns which parts of each ship are hit, as bits. */
export function damageOf(hulls, sunk, marks, setup) {
  return setup.ships.map((ship, id) => {
    if (sunk[id]) return 2 ** ship.length - 1;
    const cells = hulls[id] ? cellsOf(hulls[id], setup) : [];
    return cells.reduce((bits, cell, i) => bits + (marks[cell] === 'h' ? 2 ** i : 0), 0);
  });
}

/** Returns the signs of a game and what they mean: their class, sign and words. */
export function legendOf(setup) {
  const names = new Map(setup.ships.map((ship) => [ship.symbol, ship.name]));
  const ships = setup.shipsMove ? [...names].map(([symbol, name]) => ['ship', symbol, name]) : [['ship', '', 'ship']];
  const marks = [
    ['hit', '×', setup.shipsMove ? 'damaged, or hit' : 'hit'],
    ['miss', '•', 'miss'],
  ];
  return [...ships, ...marks, setup.shipsMove ? ['seen', 'Y', 'seen by sonar'] : ['sunk', '#', 'sunk']];
}

/** The boards of a game: the waters of both players, and under each what its enemy has noted of it, if it has. */
export class Stage {
  /**
   * @param {import('./scenes.mjs').Game} game
   * @param {import('./data.mjs').Setup} setup
   * @param {(turn: number) => void} onTurn
   */
  constructor(game, setup, onTurn) {
    this.game = game;
    this.setup = setup;
    this.fleets = SEATS.map(() => new FleetList(setup.ships));
    const grid = (number, title) => new Grid(setup, [title], (cell) => onTurn(this.turnAt(number, cell)));
    this.waters = SEATS.map((seat) => grid(seat, playerLink(nameOf(game, seat))));
    this.notes = SEATS.map((seat) => grid(3 - seat, `what ${nameOf(game, 1 - seat)} knows of it`));
    SEATS.forEach((seat) => lightTogether(this.waters[seat], this.fleets[seat]));
    const notes = (seat) => (setup.hasNotes ? this.notes[seat].node : null);
    this.nodes = SEATS.map((seat) =>
      el(
        'div',
        { class: `sea${setup.hasNotes ? ' twist' : ''}` },
        this.waters[seat].node,
        notes(seat),
        this.fleets[seat].node,
      ),
    );
    this.legend = [...legendOf(setup), ['last', '', `last ${setup.turn}`]];
    if (setup.shipsMove) this.legend.push(['changed', '', 'changed in this turn']);
  }

  /** Returns the number of the first turn that is outlined at a cell, from 1; 0 if there is none. */
  turnAt(grid, cell) {
    const isAt = (turn) => turn.cell === cell && this.isOn(turn, grid);
    return this.game.turns.findIndex(isAt) + 1;
  }

  isOn(turn, grid) {
    return turn.phrase.on.some((on) => gridOf(on, turn.seat) === grid);
  }

  show(time, view, best) {
    const { setup, game } = this;
    const scene = game.scenes[time];
    for (const seat of SEATS) {
      const open = view === 'judge' || view === String(seat);
      this.fill(this.waters[seat], time, seat, open, best);
      this.fill(this.notes[seat], time, 3 - seat, false, -1);
      this.waters[seat].node.hidden = setup.hasNotes && !open;
      this.notes[seat].node.hidden = view === String(seat);
      this.fleets[seat].node.hidden = setup.hasNotes && !open;
      const hulls = open ? scene.hulls[seat] : [];
      this.fleets[seat].show(damageOf(hulls, scene.sunk[seat], scene.marks[seat], setup));
      setText(this.waters[seat].count, this.remark(seat, time));
    }
  }

  remark(seat, time) {
    const sunk = this.game.scenes[time].sunk[seat].filter(Boolean).length;
    if (this.setup.hasNotes) return sunk ? `${sunk} sunk` : 'all afloat';
    const attacks = this.game.turns.slice(0, time).filter((turn) => turn.seat !== seat);
    return `attacked ${timesText(attacks.length)}`;
  }

  fill(grid, time, number, open, best) {
    const { setup, game } = this;
    const [now, before] = [game.scenes[time], game.scenes[Math.max(time - 1, 0)]].map((scene) => {
      const hulls = number < 2 ? scene.hulls[number] : [];
      const owner = shipsOn(hulls, setup);
      return { marks: scene.marks[number], hulls, owner };
    });
    const last = time > 0 ? game.turns[time - 1] : null;
    const isTarget = last !== null && this.isOn(last, number);
    const look = (scene, cell) => {
      const id = scene.owner.get(cell);
      const hull = id !== undefined && (open || scene.hulls[id].sunk) ? scene.hulls[id] : null;
      return lookOf(scene.marks[cell], hull, setup.ships[id ?? 0], setup, cell);
    };
    const isShown = ([, id]) => open || now.hulls[id].sunk;
    grid.moor(new Map([...now.owner].filter(isShown)));
    now.marks.forEach((_, cell) => {
      const [kind, sign, words] = look(now, cell);
      const notes = [];
      if (setup.shipsMove && look(before, cell).join() !== [kind, sign, words].join()) notes.push('changed');
      if (isTarget && cell === last.cell) notes.push('last');
      if (isTarget && cell === best) notes.push('best');
      const said = notes.map((note) => ({ changed: 'changed', last: `last ${setup.turn}`, best: 'advised' })[note]);
      grid.set(cell, [kind, ...notes].join(' '), sign, [words, ...said].join(', ').replace(/^, /, ''));
    });
  }
}
