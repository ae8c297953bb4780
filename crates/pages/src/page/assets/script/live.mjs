// The page on which a person plays: places ships, attacks, and hears of the game by events. It comes after the
// others, whose boards, words and replay it uses. The referee tells it what the person knows, and no more.

import { plural, timeText } from './words.mjs';
import { byId, el, recall, remember, setText } from './dom.mjs';
import { data, playerName, setData } from './data.mjs';
import { TWIST_CELLS, TWIST_ROWS, unitCentre } from './decode.mjs';
import { cellsOf } from './judge.mjs';
import { cellName, cellNameAt, resultWord, turnText } from './turns.mjs';
import { chunkGames } from './games.mjs';
import { FleetList, Grid } from './board.mjs';
import { TwistStage, knownLook } from './stage.mjs';
import { showView, visit } from './places.mjs';

/** So many times a random fleet is begun anew, before there is said to be no room. */
const MOST_FLEETS = 500;

/** Turns that the list shows: the page of a long game stays quick. */
const TURNS_SHOWN = 200;

/** Where a tab keeps the ships that are being placed, through a reload. */
const draftKey = () => `referee-draft ${location.pathname}`;

/** The ships that a person is placing. */
class Draft {
  constructor(setup) {
    this.setup = setup;
    this.clear();
  }

  /** Keeps the ships for a reload. */
  keep() {
    const ships = this.ships.map(({ row, col, down }) => [row * this.setup.cols + col, down]);
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
    this.ships = [];
    this.down = false;
  }

  isFull() {
    return this.ships.length === this.setup.ships.length;
  }

  /** Returns the next ship if it lay at a cell, with its cells on the board and whether it may lie there. */
  at(cell) {
    const { length } = this.setup.ships[this.ships.length];
    const ship = { row: Math.floor(cell / this.setup.cols), col: cell % this.setup.cols, down: this.down, length };
    const room = this.down ? this.setup.rows - ship.row : this.setup.cols - ship.col;
    const cells = cellsOf({ ...ship, length: Math.min(length, room) }, this.setup);
    const taken = new Set(this.ships.flatMap((other) => cellsOf(other, this.setup)));
    return { ship, cells, fits: room >= length && !cells.some((one) => taken.has(one)) };
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

  reply() {
    return `place ${this.ships.map(({ row, col, down }) => `${row} ${col} ${down ? 'v' : 'h'}`).join(' ')}`;
  }
}

/** A board of the game that is played, which cells are pointed at, and how it looks. */
class LiveBoard {
  constructor(name, title, setup, listener) {
    this.grid = new Grid(setup, [title], (cell) => listener.act(name, cell));
    this.node = this.grid.node;
    this.node.setAttribute('role', 'grid');
    this.node.id = `live-${name}`;
    this.grid.cells.forEach((node, cell) => {
      node.id = `live-${name}-${cell}`;
      node.addEventListener('pointerenter', (event) => event.pointerType === 'mouse' && listener.point(name, cell));
    });
    this.node.addEventListener('pointerleave', () => listener.point(name, -1));
  }

  /** Makes this the board that the keys move over, with the cursor at a cell; -1 for none. */
  offer(isOffered, cursor) {
    this.node.classList.toggle('offered', isOffered);
    this.node.tabIndex = isOffered ? 0 : -1;
    if (isOffered && cursor >= 0) this.node.setAttribute('aria-activedescendant', this.grid.cells[cursor].id);
    else this.node.removeAttribute('aria-activedescendant');
  }
}

class LiveGame {
  constructor() {
    this.setup = data.setups[0];
    this.twist = this.setup.rules === 'twist';
    this.draft = new Draft(this.setup);
    this.draft.restore();
    this.fleet = null;
    this.turns = [];
    this.asked = null;
    this.toMove = null;
    this.since = 0;
    this.end = null;
    this.grids = null;
    this.chosen = null;
    this.pointed = null;
    this.cursor = { own: 0, foe: 0 };
    this.lost = false;
    this.sending = false;
    this.clockOffset = 0;
    this.wanted = location.hash.startsWith('#game=') ? location.hash : null;
    this.timer = null;
    if (this.wanted) showView('overview');
    this.listen();
  }

  listen() {
    this.source = new EventSource('events');
    this.source.addEventListener('message', (event) => this.hear(JSON.parse(event.data)));
    this.source.addEventListener('open', () => this.connected(true));
    this.source.addEventListener('error', () => this.connected(false));
    document.addEventListener('keydown', (event) => this.key(event));
    byId('live-resign-no').addEventListener('click', () => byId('live-ask').close());
    byId('live-resign-yes').addEventListener('click', () => {
      byId('live-ask').close();
      this.say('resign');
    });
    byId('live-keys-close').addEventListener('click', () => byId('live-keys').close());
    setInterval(() => this.showClock(), 200);
  }

  connected(is) {
    this.lost = !is;
    // After the game the referee may end, and the replay needs it no more.
    if (this.lost && this.over) this.source.close();
    this.showClock();
  }

  // ---- What happens ----

  hear(event) {
    const hearers = {
      clock: () => (this.clockOffset = performance.now() - event.now),
      seat: () => this.sit(event),
      ask: () => this.ask(event),
      said: () => this.answered(event),
      placed: () => (this.fleet = this.fleetOf(event.fleet)),
      turn: () => Object.assign(this, { toMove: event.by, since: event.at }),
      attack: () => this.addAttack(event),
      order: () => this.addOrder(event),
      grids: () => (this.grids = event),
      ended: () => {
        Object.assign(this, { end: event, toMove: null, asked: null });
        this.draft.drop();
      },
      replay: () => this.replay(event.replay),
    };
    if (hearers[event.type]) hearers[event.type]();
    this.later();
  }

  /** Shows what has happened, once for all events that come at a time. */
  later() {
    if (this.timer !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.show();
    });
  }

  sit({ you, first }) {
    if (this.boards) return;
    Object.assign(this, { you, foe: 1 - you });
    const size = this.twist
      ? 'the twist'
      : `${plural(this.setup.ships.length, 'ship')} on ${this.setup.rows}×${this.setup.cols}`;
    const mover = first === you ? 'you move' : `${playerName(first)} moves`;
    setText(byId('live-facts'), `You are ${playerName(you)} · ${size} · ${mover} first`);
    const title = this.twist ? `what you know of ${playerName(this.foe)}` : playerName(this.foe);
    this.boards = {
      own: new LiveBoard('own', 'your fleet', this.setup, this),
      foe: new LiveBoard('foe', title, this.setup, this),
    };
    this.lists = { own: new FleetList(this.setup.ships), foe: new FleetList(this.setup.ships) };
    const sea = (name) =>
      el('div', { class: 'sea' }, this.boards[name].node, this.twist && name === 'foe' ? null : this.lists[name].node);
    byId('live-seas').replaceChildren(sea('foe'), sea('own'));
    byId('live-seas').classList.toggle('twist-game', this.twist);
    const legend = this.twist
      ? [
          ['ship', 'C', 'battleship'],
          ['ship', 'S', 'support ship'],
          ['ship', 'E', 'submarine'],
          ['seen', 'Y', 'seen by sonar'],
        ]
      : [
          ['ship', '', 'ship'],
          ['sunk', '#', 'sunk'],
        ];
    legend.push(['hit', '×', 'hit'], ['miss', '•', 'miss'], ['last', '', 'last turn']);
    byId('live-legend').replaceChildren(
      ...legend.map(([kind, sign, text]) =>
        el('span', {}, el('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }, sign), text),
      ),
    );
    this.makeTools();
  }

  makeTools() {
    const button = (name, text, key, run) => {
      const made = el('button', { type: 'button', title: key ? `${text} (${key})` : text, click: run }, text);
      this.tools[name] = made;
      return made;
    };
    this.tools = {};
    this.input = el('input', { type: 'text', id: 'live-type', autocomplete: 'off', size: 8, maxlength: 12 });
    const example = this.twist ? 'B7' : 'B7 or 1 7';
    const typed = (event) => {
      event.preventDefault();
      this.type(this.input.value);
    };
    byId('live-tools').replaceChildren(
      button('ready', 'Ready', 'Enter', () => this.ready()),
      button('random', 'Random fleet', 'r', () => this.press('r')),
      button('turn', 'Turn the ship', 'space', () => this.press(' ')),
      button('undo', 'Take back', 'u', () => this.press('u')),
      button('clear', 'Start over', 'x', () => this.press('x')),
      el('form', { class: 'type', submit: typed }, el('label', { for: 'live-type' }, `Cell (${example}) `), this.input),
      button('resign', 'Resign', '', () => byId('live-ask').showModal()),
      button('keys', 'Keys', '?', () => byId('live-keys').showModal()),
    );
  }

  fleetOf(list) {
    return list.map(([row, col, down], id) => ({ row, col, down, length: this.setup.ships[id].length }));
  }

  ask(event) {
    this.asked = event;
    this.chosen = null;
    this.sending = false;
    this.problem('');
    if (event.what === 'act' && event.moves.length > 0) {
      const at = event.moves.map((move) => move.at);
      if (!at.includes(this.cursor.own)) [this.cursor.own] = at;
    }
  }

  /** A reply was taken, of this page or of another that shows the same game. */
  answered({ turn, reply }) {
    if (this.asked && this.asked.turn === turn) this.asked = null;
    this.sending = false;
    const words = reply.split(' ');
    if (words[0] !== 'place') return;
    this.draft.drop();
    const ships = this.setup.ships.map((_, id) => words.slice(1 + 3 * id, 4 + 3 * id));
    this.fleet = this.fleetOf(ships.map(([row, col, way]) => [Number(row), Number(col), way === 'v']));
  }

  addAttack(event) {
    const { row, col } = event;
    const inside = row >= 0 && row < this.setup.rows && col >= 0 && col < this.setup.cols;
    this.turns.push({ ...event, cell: inside ? row * this.setup.cols + col : -1 });
  }

  addOrder(event) {
    const place = (at) => (at && at.every((one) => one >= 0 && one < 12) ? 12 * at[0] + at[1] : -1);
    const turn = { ...event, cell: place(event.to) };
    if (event.to) [turn.row, turn.col] = event.to;
    if (event.from) {
      [turn.fromRow, turn.fromCol] = event.from;
      turn.from = place(event.from);
      turn.unit = this.unitAt(turn.from);
    }
    this.turns.push(turn);
  }

  /** Returns the unit whose kind the own grid has at a cell; -1 if there is none. */
  unitAt(cell) {
    const letter = this.grids && cell >= 0 ? this.grids.own[cell].toUpperCase() : '';
    return this.setup.ships.findIndex((ship) => ship.symbol === letter);
  }

  /** Turns into the page of the game that is over. */
  replay({ data: all, chunks }) {
    this.over = true;
    setData({ ...all, kind: 'live' });
    chunkGames.clear();
    // The replay looks for the games in elements of these names.
    chunks.forEach((packed, i) => document.body.append(el('pre', { id: `chunk-${i}`, hidden: true }, packed)));
    const address = this.wanted || `#game=1&shot=${this.turns.length}`;
    if (location.hash === address) visit(false);
    else location.hash = address;
  }

  // ---- What the person does ----

  /** Returns the board that the person is to use, if it is asked. */
  offered() {
    if (!this.asked || this.sending || this.end) return null;
    if (this.asked.what === 'place') return 'own';
    if (this.asked.what === 'attack') return 'foe';
    return this.chosen && this.chosen.to === null ? 'foe' : 'own';
  }

  point(board, cell) {
    this.pointed = cell < 0 ? null : { board, cell };
    if (board === this.offered()) {
      if (cell >= 0) this.cursor[board] = cell;
      this.later();
    }
  }

  /** A cell of a board was clicked, typed, or chosen by keys. */
  act(board, cell) {
    if (!this.asked || this.sending || this.end) return;
    this.problem('');
    if (this.asked.what === 'act' && board === 'own' && this.choose(cell)) return this.later();
    if (board !== this.offered()) return;
    this.cursor[board] = cell;
    if (this.asked.what === 'place') this.place(cell);
    else if (this.asked.what === 'attack') this.say(`attack ${this.rowCol(cell)}`);
    else this.order(cell);
    this.later();
  }

  rowCol(cell) {
    return `${Math.floor(cell / this.setup.cols)} ${cell % this.setup.cols}`;
  }

  place(cell) {
    if (this.draft.isFull()) return;
    if (this.draft.place(cell)) this.draft.keep();
    else this.problem('The ship has no room there.');
  }

  /** Chooses the unit at a cell, unless the chosen one is to move there; and returns whether it did. */
  choose(cell) {
    const moves = this.asked.moves;
    if (this.chosen && this.chosen.to && this.chosen.to.includes(cell)) return false;
    const ownCells = (move) => this.cellsOfUnit(move.unit);
    const move = moves.find((one) => one.at === cell) || moves.find((one) => ownCells(one).includes(cell));
    if (!move) {
      if (this.chosen)
        this.problem(this.chosen.to ? 'The unit has no room there.' : 'Choose a target on the other board.');
      else this.problem('None of your units is there.');
      return true;
    }
    this.chosen = move;
    return true;
  }

  /** Returns the cells of an own unit, by where it can be ordered: units that move keep their direction. */
  cellsOfUnit(id) {
    const unit = this.fleet && this.fleet[id];
    const move = this.asked && this.asked.moves && this.asked.moves.find((one) => one.unit === id);
    if (!unit || !move) return [];
    const [row, col] = unitCentre(unit);
    const by = [Math.floor(move.at / 12) - row, (move.at % 12) - col];
    return cellsOf({ ...unit, row: unit.row + by[0], col: unit.col + by[1] }, this.setup);
  }

  order(cell) {
    if (!this.chosen) return;
    if (this.chosen.to && !this.chosen.to.includes(cell)) this.problem('The unit has no room there.');
    else this.say(`act ${this.rowCol(this.chosen.at)} ${this.rowCol(cell)}`);
  }

  ready() {
    if (this.asked && this.asked.what === 'place' && this.draft.isFull()) this.say(this.draft.reply());
  }

  /** Takes a cell that was typed, as B7 or 1 7. */
  type(text) {
    const letter = /^\s*([a-z])\s*(\d+)\s*$/i.exec(text);
    const numbers = this.twist ? null : /^\s*\(?(\d+)[\s,]+(\d+)\)?\s*$/.exec(text);
    const rows = this.twist ? TWIST_ROWS : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    let [row, col] = [-1, -1];
    if (letter) [row, col] = [rows.indexOf(letter[1].toUpperCase()), Number(letter[2]) - (this.twist ? 1 : 0)];
    else if (numbers) [row, col] = [Number(numbers[1]), Number(numbers[2])];
    if (row < 0 || row >= this.setup.rows || col < 0 || col >= this.setup.cols) {
      this.problem(`“${text}” is no cell of the board. Type one as ${this.twist ? 'B7' : 'B7 or 1 7'}.`);
      return;
    }
    const board = this.offered();
    if (!board) return;
    this.input.value = '';
    this.act(board, row * this.setup.cols + col);
  }

  async say(reply) {
    if (this.sending) return;
    this.sending = true;
    this.later();
    const body = JSON.stringify({ turn: this.asked ? this.asked.turn : 0, reply });
    try {
      const response = await fetch('say', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      if (!response.ok) this.problem(await response.text());
    } catch {
      this.problem('The referee cannot be reached.');
    }
    this.sending = false;
    this.later();
  }

  problem(text) {
    setText(byId('live-problem'), text);
    byId('live-problem').hidden = text === '';
  }

  key(event) {
    const isElsewhere = document.body.dataset.view !== 'overview' || document.querySelector('dialog[open]');
    if (isElsewhere || !this.boards || event.ctrlKey || event.metaKey || event.altKey) return;
    const { localName } = event.target;
    if (['input', 'select', 'textarea'].includes(localName)) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    if (['button', 'a', 'summary'].includes(localName) && [' ', 'Enter'].includes(event.key)) return;
    if (event.target === byId('live-log') && event.key.startsWith('Arrow')) return;
    if (this.press(event.key)) event.preventDefault();
  }

  /** Does what a key stands for, and returns whether it stands for anything. */
  press(key) {
    const board = this.offered();
    const placing = board !== null && this.asked.what === 'place';
    const ways = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const actions = {
      Enter: () => (placing && this.draft.isFull() ? this.ready() : this.act(board, this.cursor[board])),
      ' ': () => placing && (this.draft.down = !this.draft.down),
      v: () => placing && (this.draft.down = !this.draft.down),
      r: () =>
        placing && !this.draft.random() && this.problem('There is no room for a random fleet; place it by hand.'),
      u: () => (placing ? this.draft.ships.pop() : (this.chosen = null)),
      x: () => placing && this.draft.clear(),
    };
    if (key === '?') byId('live-keys').showModal();
    else if (key === '/') this.input.focus();
    else if (board && ways[key]) this.move(board, ways[key]);
    else if (board && actions[key]) {
      this.problem('');
      actions[key]();
      if (placing) this.draft.keep();
    } else return false;
    this.later();
    return true;
  }

  move(board, [down, right]) {
    const { rows, cols } = this.setup;
    const cursor = this.cursor[board];
    const row = (Math.floor(cursor / cols) + down + rows) % rows;
    const col = ((cursor % cols) + right + cols) % cols;
    this.cursor[board] = row * cols + col;
    this.pointed = null;
    this.boards[board].node.focus({ preventScroll: true });
  }

  // ---- What is shown ----

  show() {
    if (!this.boards) return;
    const offered = this.offered();
    for (const name of ['own', 'foe']) this.boards[name].offer(name === offered, this.cursor[name]);
    if (this.twist && this.grids) this.showTwist(offered);
    else this.showClassic(offered);
    this.showTools();
    this.showLog();
    setText(byId('live-status'), [this.lastSentences(), this.prompt()].filter(Boolean).join(' '));
    this.showClock();
    // A tab in the background shows when it is wanted.
    if (document.body.dataset.view === 'overview') document.title = `${offered ? '● ' : ''}${data.title}`;
  }

  /** Returns what is to be marked on a board: classes by cells. */
  marks(name, offered) {
    const marks = new Map();
    const add = (cell, kind) => marks.set(cell, `${marks.get(cell) || ''} ${kind}`);
    if (name === offered) {
      const cursor = this.cursor[name];
      if (this.asked.what === 'place' && !this.draft.isFull()) {
        const { cells, fits } = this.draft.at(cursor);
        for (const cell of cells) add(cell, fits ? 'outline' : 'outline bad');
      }
      if (this.chosen && this.chosen.to && name === 'own') for (const cell of this.chosen.to) add(cell, 'possible');
      add(cursor, 'cursor');
    }
    if (this.chosen && name === 'own') for (const cell of this.cellsOfUnit(this.chosen.unit)) add(cell, 'chosen');
    return marks;
  }

  /** Returns where a board was struck last; -1 if it was not in its attacker's last turn. */
  lastOn(name) {
    const seat = name === 'own' ? this.foe : this.you;
    const last = this.turns.findLast((turn) => turn.by === seat);
    return last && ['hit', 'miss', 'sunk', 'wasted'].includes(last.result) ? last.cell : -1;
  }

  showClassic(offered) {
    const fleet = this.fleet || this.draft.ships;
    const owner = new Map(fleet.flatMap((ship, id) => cellsOf(ship, this.setup).map((cell) => [cell, id])));
    for (const name of ['own', 'foe']) {
      const struck = new Map();
      const sunk = new Set();
      const seat = name === 'own' ? this.foe : this.you;
      for (const turn of this.turns) {
        if (turn.by !== seat || turn.result === 'wasted' || turn.cell < 0 || turn.cell === undefined) continue;
        struck.set(turn.cell, turn.result);
        if (turn.result === 'sunk') sunk.add(turn.ship);
      }
      const marks = this.marks(name, offered);
      const last = this.lastOn(name);
      for (let cell = 0; cell < this.setup.rows * this.setup.cols; cell++) {
        const ship = name === 'own' && owner.has(cell) ? owner.get(cell) : -1;
        const [kind, sign, words] = this.look(struck.get(cell), ship, sunk);
        this.setCell(name, cell, [kind, sign, words], marks.get(cell), cell === last);
      }
      const hits = this.setup.ships.map((one, id) => {
        if (sunk.has(id)) return 2 ** one.length - 1;
        if (name === 'foe' || !fleet[id]) return 0;
        return cellsOf(fleet[id], this.setup).reduce((bits, cell, i) => bits + (struck.has(cell) ? 2 ** i : 0), 0);
      });
      this.lists[name].show(hits);
      const afloat = this.setup.ships.length - sunk.size;
      setText(this.boards[name].grid.count, `${afloat} of ${this.setup.ships.length} afloat`);
    }
  }

  look(result, ship, sunk) {
    const name = ship >= 0 ? this.setup.ships[ship].name : '';
    if (result === 'miss') return ['miss', '•', 'miss'];
    if (result === 'sunk' || (result && ship >= 0 && sunk.has(ship))) return ['sunk', '#', `sunk ${name}`];
    if (result === 'hit') return ['hit', '×', `hit ${name}`];
    return ship >= 0 ? ['ship', '', name] : ['', '', ''];
  }

  setCell(name, cell, [kind, sign, words], marks = '', isLast = false) {
    const said = [cellNameAt(this.setup, cell), words, isLast ? 'last turn' : ''];
    if (marks.includes('possible')) said.push('possible');
    if (marks.includes('bad')) said.push('no room');
    this.boards[name].grid.set(cell, `${kind}${marks}${isLast ? ' last' : ''}`, sign, said.filter(Boolean).join(', '));
  }

  showTwist(offered) {
    const stage = { setup: this.setup };
    for (const name of ['own', 'foe']) {
      const marks = this.marks(name, offered);
      const last = this.lastOn(name);
      for (let cell = 0; cell < TWIST_CELLS; cell++) {
        const look =
          name === 'own'
            ? TwistStage.prototype.ownLook.call(stage, this.grids.own[cell])
            : knownLook(this.grids.notes[cell]);
        this.setCell(name, cell, look, marks.get(cell), cell === last);
      }
    }
    this.lists.own.show(this.grids.damage);
    const sunk = this.grids.damage.filter((hits, id) => hits === 2 ** this.setup.ships[id].length - 1).length;
    setText(this.boards.own.grid.count, `${this.setup.ships.length - sunk} of ${this.setup.ships.length} afloat`);
    setText(this.boards.foe.grid.count, '');
  }

  showTools() {
    const placing = this.offered() === 'own' && this.asked.what === 'place';
    for (const name of ['ready', 'random', 'turn', 'clear']) this.tools[name].hidden = !placing;
    this.tools.undo.hidden = !placing && !this.chosen;
    this.tools.ready.disabled = !this.draft.isFull();
    this.tools.resign.hidden = this.end !== null;
    // Not while the opponent thinks: what is hidden loses the focus of who types.
    this.input.closest('form').hidden = this.end !== null;
  }

  showLog() {
    const shown = this.turns.map((turn, i) => [turn, i]).slice(-TURNS_SHOWN);
    const rows = shown
      .reverse()
      .map(([turn, i]) =>
        el(
          'tr',
          {},
          el('td', { class: 'num' }, String(i + 1)),
          el('td', { class: 'who' }, turn.by === this.you ? 'you' : playerName(turn.by)),
          el('td', { class: 'cell' }, this.turnCell(turn)),
          el('td', { class: ['hit', 'sunk'].includes(turn.result) ? 'struck' : '' }, this.turnWord(turn)),
          el('td', { class: 'num' }, timeText(turn.us)),
        ),
      );
    if (this.logLength === this.turns.length) return;
    this.logLength = this.turns.length;
    const heads = ['#', 'player', this.twist ? 'order' : 'cell', 'result', 'reply'];
    const head = heads.map((text, i) => el('th', { scope: 'col', class: i % 4 ? '' : 'num' }, text));
    byId('live-log').replaceChildren(el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows)));
  }

  turnCell(turn) {
    if (turn.row === undefined) return '';
    const to = cellName(this.setup, turn.row, turn.col);
    return turn.fromRow === undefined ? to : `${cellName(this.setup, turn.fromRow, turn.fromCol)} → ${to}`;
  }

  turnWord(turn) {
    return turn.result === 'hidden' ? 'not seen' : resultWord({ ...turn, sunk: undefined });
  }

  lastSentences() {
    if (this.end) {
      const who = this.end.winner === null ? 'No winner.' : this.end.winner === this.you ? 'You won.' : 'You lost.';
      return `${who} ${this.end.why}.`;
    }
    // The opponent may answer at once: what came of the person's own turn is to be read too.
    return this.turns
      .slice(-2)
      .map((turn) => this.sentence(turn))
      .join(' ');
  }

  sentence(turn) {
    const who = turn.by === this.you ? 'You' : playerName(turn.by);
    // The words are those of a third person.
    const said = (text) =>
      turn.by === this.you ? text.replace(/^(attack|fire|move|keep|order)s /, '$1 ').replace(' its ', ' your ') : text;
    if (turn.result === 'hidden') return `${who} moves a unit.`;
    if (turn.row !== undefined && turn.fromRow === undefined && this.twist) {
      return `${who} fires at ${cellName(this.setup, turn.row, turn.col)}: ${turn.result}.`;
    }
    return `${who} ${said(turnText(turn, this.setup))}.`;
  }

  prompt() {
    if (this.end) return '';
    if (this.sending) return 'Your reply is on its way.';
    if (!this.asked) {
      if (this.toMove !== null && this.toMove !== this.you) return `${playerName(this.foe)} is thinking.`;
      return this.fleet ? `Waiting for ${playerName(this.foe)}.` : 'The game begins.';
    }
    if (this.asked.what === 'attack') return 'Your turn: choose a cell to attack.';
    if (this.asked.what === 'place') {
      if (this.draft.isFull()) return 'All ships are placed. Press Enter or Ready, or take one back.';
      const { name, length } = this.setup.ships[this.draft.ships.length];
      return `Place your ${name}, ${plural(length, 'cell')} long.`;
    }
    if (!this.chosen) return 'Your turn: choose a unit.';
    const unit = this.setup.ships[this.chosen.unit].name;
    if (this.chosen.to === null) return `Your ${unit} fires: choose a target on the other board.`;
    return `Your ${unit} moves: choose where its centre goes, or its own place.`;
  }

  showClock() {
    const now = performance.now() - this.clockOffset;
    const seconds = Math.max(0, (now - this.since) / 1000);
    const time = seconds < 10 ? seconds.toFixed(1) : String(Math.floor(seconds));
    let text = '';
    if (this.lost && !this.over) text = 'The referee cannot be reached; trying again.';
    else if (this.toMove === this.you) text = `your turn for ${time} s`;
    else if (this.toMove !== null) text = `${playerName(this.foe)} has thought for ${time} s`;
    if (this.asked && this.asked.limit !== null && !this.lost) {
      const left = Math.max(0, Math.floor((this.asked.at + this.asked.limit - now) / 1000));
      text = [text, `${left} s left`].filter(Boolean).join(' · ');
    }
    setText(byId('live-clock'), text);
  }
}

new LiveGame();
