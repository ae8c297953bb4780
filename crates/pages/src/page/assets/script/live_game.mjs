// The game that a person plays on the page: what happens, by events, and what the person does. The referee tells the
// page what the person knows, and no more.
// @ts-check

import { byId, dialogById, el, setText } from './dom.mjs';
import { data, setData } from './data.mjs';
import { cellsOf, stepped } from './scenes.mjs';
import { exampleOf, typedCell } from './turns.mjs';
import { chunkGames } from './games.mjs';
import { showView, visit } from './places.mjs';
import { Draft } from './draft.mjs';
import { LiveView } from './live_view.mjs';
import { listen, send } from './wire.mjs';

class LiveGame {
  constructor() {
    this.setup = data.setups[0];
    this.draft = new Draft(this.setup);
    this.draft.restore();
    this.fleet = null;
    this.turns = [];
    this.asked = null;
    this.toMove = null;
    this.since = 0;
    this.end = null;
    this.waters = null;
    /** @type {LiveView | null} */
    this.view = null;
    this.you = -1;
    this.foe = -1;
    this.first = -1;
    this.chosen = null;
    /** The cells of a salvo that were chosen so far. */
    this.shots = [];
    this.pointed = null;
    this.cursor = { own: 0, foe: 0 };
    this.lost = false;
    this.sending = false;
    this.clockOffset = 0;
    this.over = false;
    this.tips = false;
    this.tip = null;
    this.wanted = location.hash.startsWith('#game=') ? location.hash : null;
    this.timer = null;
    if (this.wanted) showView('overview');
    this.listen();
  }

  listen() {
    this.close = listen(
      (event) => this.hear(event),
      (is) => this.connected(is),
    );
    document.addEventListener('keydown', (event) => this.key(event));
    byId('live-resign-no').addEventListener('click', () => dialogById('live-ask').close());
    byId('live-resign-yes').addEventListener('click', () => {
      dialogById('live-ask').close();
      this.say('resign');
    });
    byId('live-keys-close').addEventListener('click', () => dialogById('live-keys').close());
    setInterval(() => this.view && this.view.showClock(), 200);
  }

  connected(is) {
    this.lost = !is;
    // After the game the referee may end, and the replay needs it no more.
    if (this.lost && this.over) this.close();
    if (this.view) this.view.showClock();
  }

  // ---- What happens ----

  hear(event) {
    const hearers = {
      clock: () => (this.clockOffset = performance.now() - event.now),
      seat: () => this.sit(event),
      ask: () => this.ask(event),
      said: () => this.answered(event),
      scene: () => (this.waters = event.waters),
      turn: () => Object.assign(this, { toMove: event.by, since: event.at }),
      played: () => this.turns.push(event),
      tip: () => this.advised(event),
      ended: () => {
        Object.assign(this, { end: event, toMove: null, asked: null });
        this.draft.drop();
      },
      replay: () => this.replay(event.replay),
      again: () => {
        this.close();
        location.replace(location.pathname);
      },
    };
    if (hearers[event.type]) hearers[event.type]();
    this.later();
  }

  /** Shows what has happened, once for all events that come at a time. */
  later() {
    if (this.timer !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.view) this.view.show();
    });
  }

  sit({ you, first, tips }) {
    if (this.view) return;
    Object.assign(this, { you, foe: 1 - you, first, tips });
    this.view = new LiveView(this);
  }

  /** Returns what the person sees of some waters: while nothing is played, its own ships. */
  watersOf(name) {
    if (this.waters) return this.waters[name === 'own' ? this.you : this.foe];
    const hulls = name === 'own' ? this.fleet || this.draft.ships : [];
    return { marks: '', hulls, sunk: this.setup.ships.map(() => false) };
  }

  ask(event) {
    this.asked = event;
    this.chosen = null;
    this.shots = [];
    this.sending = false;
    this.problem('');
    const at = event.actors.map((actor) => actor.at);
    if (at.length > 0 && !at.includes(this.cursor.own)) [this.cursor.own] = at;
  }

  /** What good would attack, in this page or in another that shows the same game. */
  advised(tip) {
    if (!this.asked || this.asked.turn !== tip.turn) return;
    this.tip = tip;
    this.cursor.foe = tip.at;
    this.view.boards.foe.node.focus({ preventScroll: true });
  }

  /** A reply was taken, of this page or of another that shows the same game. */
  answered({ turn, reply }) {
    if (this.asked && this.asked.turn === turn) this.asked = null;
    this.sending = false;
    const words = reply.split(' ');
    if (words[0] !== 'place') return;
    this.draft.drop();
    this.fleet = this.setup.ships.map(({ length }, id) => {
      const [row, col, way] = words.slice(1 + 3 * id, 4 + 3 * id);
      return { cell: Number(row) * this.setup.cols + Number(col), down: way === 'v', length, sunk: false };
    });
  }

  /** Turns into the page of the game that is over. */
  replay({ data: all, chunks }) {
    this.over = true;
    setData({ ...all, kind: 'live', verdict: this.view.verdict() });
    this.view.offerGames();
    chunkGames.clear();
    // The replay looks for the games in elements of these names.
    chunks.forEach((packed, i) => document.body.append(el('pre', { id: `chunk-${i}`, hidden: true }, packed)));
    const address = this.wanted || `#game=1&shot=${this.turns.length}`;
    // No step of the history: the game is over, and nothing is behind it to go back to.
    history.replaceState(null, '', address);
    visit(false);
  }

  // ---- What the person does ----

  /** Returns the board that the person is to use, if it is asked. */
  offered() {
    if (!this.asked || this.sending || this.end) return null;
    if (this.asked.what === 'place') return 'own';
    if (this.asked.actors.length === 0) return 'foe';
    return this.chosen && this.chosen.targets === null ? 'foe' : 'own';
  }

  isPlacing() {
    return this.offered() === 'own' && this.asked.what === 'place';
  }

  /** Returns whether good can say what it would attack. */
  canAdvise() {
    return this.tips && this.offered() === 'foe';
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
    if (this.asked.actors.length > 0 && board === 'own' && this.choose(cell)) return this.later();
    if (board !== this.offered()) return;
    this.cursor[board] = cell;
    if (this.asked.what === 'place') this.place(cell);
    else this.take(cell);
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
    if (this.chosen && this.chosen.targets && this.chosen.targets.includes(cell)) return false;
    const { hulls } = this.watersOf('own');
    const isOn = ({ ship }) => hulls[ship] && cellsOf(hulls[ship], this.setup).includes(cell);
    const { actors } = this.asked;
    const actor = actors.find((one) => one.at === cell) || actors.find(isOn);
    if (actor) this.chosen = actor;
    else if (!this.chosen) this.problem('None of your units is there.');
    else this.problem(this.chosen.targets ? 'The unit has no room there.' : 'Choose a target on the other board.');
    return true;
  }

  /** Takes the turn on a cell, with the ship that is chosen if the game asks for one. */
  take(cell) {
    const { what, actors } = this.asked;
    if (actors.length > 0 && !this.chosen) return;
    if (this.chosen && this.chosen.targets && !this.chosen.targets.includes(cell)) {
      this.problem('The unit has no room there.');
      return;
    }
    if (this.asked.cells > 1 && actors.length === 0) {
      const marks = [...this.waters[this.foe].marks];
      const shots = [...this.shots, cell];
      const wasted = shots.filter((one, i) => marks[one] !== '-' || shots.indexOf(one) !== i).length;
      // Where fewer cells are left than there are shots, the rest has to be wasted.
      if (wasted > Math.max(0, this.asked.cells - marks.filter((mark) => mark === '-').length)) {
        this.problem('You have shot there before.');
        return;
      }
      this.shots = shots;
      if (this.shots.length < this.asked.cells) return;
    }
    const cells = this.chosen ? [this.chosen.at, cell] : this.shots.length > 0 ? this.shots : [cell];
    this.say(`${what} ${cells.map((one) => this.rowCol(one)).join(' ')}`);
  }

  ready() {
    if (this.asked && this.asked.what === 'place' && this.draft.isFull()) {
      const ships = this.draft.ships.map(({ cell, down }) => `${this.rowCol(cell)} ${down ? 'v' : 'h'}`);
      this.say(`place ${ships.join(' ')}`);
    }
  }

  /** Takes a cell that was typed, as B7 or 1 7. */
  type(text) {
    const cell = typedCell(text, this.setup);
    if (cell < 0) {
      this.problem(`“${text}” is not a cell of the board. Type one as ${exampleOf(this.setup)}.`);
      return;
    }
    const board = this.offered();
    if (!board) return;
    this.view.input.value = '';
    this.act(board, cell);
  }

  async say(reply) {
    if (this.sending) return;
    this.sending = true;
    this.later();
    const problem = await send(this.asked ? this.asked.turn : 0, reply);
    if (problem) this.problem(problem);
    this.sending = false;
    this.later();
  }

  problem(text) {
    setText(byId('live-problem'), text);
    byId('live-problem').hidden = text === '';
  }

  key(event) {
    if (!this.view || document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return;
    const { localName } = event.target;
    if (document.body.dataset.view !== 'overview') {
      if (this.over && localName !== 'select') this.view.next[event.key]?.click();
      return;
    }
    if (['input', 'select', 'textarea'].includes(localName)) {
      if (event.key === 'Escape') {
        this.view.input.value = '';
        event.target.blur();
      }
      return;
    }
    if (['button', 'a', 'summary'].includes(localName) && [' ', 'Enter'].includes(event.key)) return;
    if (event.target === byId('live-log') && event.key.startsWith('Arrow')) return;
    if (event.key === 'Tab' ? this.nextUnit(event) : this.press(event.key)) event.preventDefault();
  }

  /** Goes from unit to unit while one is to be chosen on its board; behind the last one Tab moves on as everywhere. */
  nextUnit({ target, shiftKey }) {
    if (this.offered() !== 'own' || this.chosen || target !== this.view.boards.own.node) return false;
    const cells = this.asked.actors.map(({ at }) => at).sort((one, two) => one - two);
    const isNext = (cell) => (shiftKey ? cell < this.cursor.own : cell > this.cursor.own);
    const next = shiftKey ? cells.findLast(isNext) : cells.find(isNext);
    if (next === undefined) return false;
    this.cursor.own = next;
    this.later();
    return true;
  }

  /** Does what a key stands for, and returns whether it stands for anything. */
  press(key) {
    const board = this.offered();
    const placing = this.isPlacing();
    const ways = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const actions = {
      Enter: () => (placing && this.draft.isFull() ? this.ready() : this.act(board, this.cursor[board])),
      ' ': () => placing && (this.draft.down = !this.draft.down),
      v: () => placing && (this.draft.down = !this.draft.down),
      r: () =>
        placing && !this.draft.random() && this.problem('There is no room for a random fleet; place it by hand.'),
      u: () => (placing ? this.draft.ships : this.shots).pop() || (this.chosen = null),
      x: () => placing && this.draft.clear(),
      t: () => this.canAdvise() && this.say('tip'),
    };
    if (key === '?') dialogById('live-keys').showModal();
    else if (key === '/') this.view.input.focus();
    else if (board && ways[key]) this.move(board, ways[key]);
    else if (board && actions[key]) {
      this.problem('');
      actions[key]();
      if (placing) this.draft.keep();
    } else return false;
    this.later();
    return true;
  }

  move(board, step) {
    this.cursor[board] = stepped(this.cursor[board], step, this.setup);
    this.pointed = null;
    this.view.boards[board].node.focus({ preventScroll: true });
  }
}

new LiveGame();
