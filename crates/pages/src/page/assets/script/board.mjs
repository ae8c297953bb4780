// A board and a list of ships.
// @ts-check

import { el, setText } from './dom.mjs';

/** A board as a table, whose cells are only touched where they change. */
export class Grid {
  constructor(setup, title, onCell) {
    this.count = el('span', { class: 'count' });
    this.cells = [];
    this.looks = [];
    /** @type {Map<number, number>} The ship on each cell, as far as it is shown. */
    this.ships = new Map();
    this.lit = -1;
    const columns = Array.from({ length: setup.cols }, (_, col) => el('th', { scope: 'col' }, setup.colNames[col]));
    const rows = Array.from({ length: setup.rows }, (_, row) => {
      const cells = columns.map((_, col) => el('td', { click: () => onCell(row * setup.cols + col) }));
      this.cells.push(...cells);
      return el('tr', {}, el('th', { scope: 'row' }, setup.rowNames[row]), cells);
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
    const hull = classes.includes('hull') ? [el('b', {})] : [];
    const children = [...hull, ...(sign ? [el('i', { 'aria-hidden': 'true' }, sign)] : [])];
    if (words) children.push(el('span', { class: 'sr' }, words));
    this.cells[cell].replaceChildren(...children);
  }

  /** Says which ship is on each cell. */
  moor(ships) {
    this.ships = ships;
    this.light(this.lit);
  }

  /** Lights up a ship, by its number, and no other. */
  light(ship) {
    this.lit = ship;
    this.cells.forEach((cell, at) => cell.toggleAttribute('data-lit', ship >= 0 && this.ships.get(at) === ship));
  }
}

/** Lights up a ship on its board and in its list, whichever of the two is pointed at. */
export function lightTogether(grid, list) {
  const light = (ship) => {
    grid.light(ship);
    list.nodes.forEach((node, id) => node.toggleAttribute('data-lit', id === ship));
  };
  const onBoard = (event) => grid.ships.get(grid.cells.indexOf(event.target.closest('td'))) ?? -1;
  grid.node.addEventListener('pointerover', (event) => light(onBoard(event)));
  grid.node.addEventListener('pointerleave', () => light(-1));
  for (const begin of ['pointerover', 'focusin'])
    list.node.addEventListener(begin, (event) => light(list.nodes.indexOf(event.target.closest('li'))));
  for (const end of ['pointerleave', 'focusout']) list.node.addEventListener(end, () => light(-1));
}

/** The ships of a player with a bar for each, and what is sunk. */
export class FleetList {
  constructor(ships) {
    this.items = ships.map((ship) => ({
      parts: Array.from({ length: ship.length }, () => el('i', {})),
      state: el('span', { class: 'sr' }),
      name: ship.name,
    }));
    this.nodes = this.items.map(({ parts, state, name }) =>
      el(
        'li',
        { tabindex: 0 },
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
