// A board and a list of ships.
// @ts-check

import { el, setText } from './dom.mjs';

/** A board as a table, whose cells are only touched where they change. */
export class Grid {
  constructor(setup, title, onCell) {
    this.count = el('span', { class: 'count' });
    this.cells = [];
    this.looks = [];
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
    const children = sign ? [el('i', { 'aria-hidden': 'true' }, sign)] : [];
    if (words) children.push(el('span', { class: 'sr' }, words));
    this.cells[cell].replaceChildren(...children);
  }
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
