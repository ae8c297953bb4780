// The ships that a person is placing.
// @ts-check

import { recall, remember } from './dom.mjs';
import { cellsOf } from './scenes.mjs';

/** The number of times that a random fleet is tried before there is said to be no room. */
const MOST_FLEETS = 500;

/** Where a tab keeps the ships that are being placed, through a reload. */
const draftKey = () => `referee-draft ${location.pathname}`;

export class Draft {
  constructor(setup) {
    this.setup = setup;
    this.clear();
  }

  /** Keeps the ships for a reload. */
  keep() {
    const ships = this.ships.map(({ cell, down }) => [cell, down]);
    remember('sessionStorage', draftKey(), JSON.stringify({ ships, down: this.down }));
  }

  drop() {
    remember('sessionStorage', draftKey(), null);
  }

  /** Places the ships that were kept, unless they are of another game that was at the same address. */
  restore() {
    const kept = recall('sessionStorage', draftKey());
    if (kept === null) return;
    try {
      const { ships, down } = JSON.parse(kept);
      for (const [cell, isDown] of ships) {
        const isOnBoard = Number.isInteger(cell) && cell >= 0 && cell < this.setup.rows * this.setup.cols;
        this.down = isDown === true;
        if (this.isFull() || !isOnBoard || !this.place(cell)) throw new Error('a ship of another game');
      }
      this.down = down === true;
    } catch {
      this.clear();
    }
  }

  clear() {
    /** @type {import('./scenes.mjs').Hull[]} */
    this.ships = [];
    this.down = false;
  }

  isFull() {
    return this.ships.length === this.setup.ships.length;
  }

  /** Returns the next ship if it lay at a cell, with its cells on the board and whether it may lie there. */
  at(cell) {
    const { length } = this.setup.ships[this.ships.length];
    const ship = { cell, down: this.down, length, sunk: false };
    const room = this.down
      ? this.setup.rows - Math.floor(cell / this.setup.cols)
      : this.setup.cols - (cell % this.setup.cols);
    const cells = cellsOf({ ...ship, length: Math.min(length, room) }, this.setup);
    const taken = this.ships.flatMap((other) => cellsOf(other, this.setup));
    const isFree = (one) => taken.every((other) => this.areApart(one, other));
    return { ship, cells, fits: room >= length && cells.every(isFree) };
  }

  /** Returns whether two cells may be of different ships. */
  areApart(one, other) {
    const { apart, cols } = this.setup;
    const down = Math.abs(Math.floor(one / cols) - Math.floor(other / cols));
    const across = Math.abs((one % cols) - (other % cols));
    return Math.max(down, across) > (apart ? 1 : 0);
  }

  /** Places the next ship, and returns whether it may lie there. */
  place(cell) {
    const { ship, fits } = this.at(cell);
    if (fits) this.ships.push(ship);
    return fits;
  }

  /** Places all ships at random, and returns whether there was room. */
  random() {
    const cells = this.setup.rows * this.setup.cols;
    for (let i = 0; i < MOST_FLEETS; i++) {
      this.clear();
      while (!this.isFull() && this.placeAnywhere(cells));
      if (this.isFull()) return true;
    }
    this.clear();
    return false;
  }

  placeAnywhere(count) {
    this.down = Math.random() < 0.5;
    const fitting = Array.from({ length: count }, (_, cell) => cell).filter((cell) => this.at(cell).fits);
    if (fitting.length === 0) {
      this.down = !this.down;
      fitting.push(...Array.from({ length: count }, (_, cell) => cell).filter((cell) => this.at(cell).fits));
    }
    return fitting.length > 0 && this.place(fitting[Math.floor(Math.random() * fitting.length)]);
  }
}
