// What the page of a game that is played shows.
// @ts-check

import { plural, timeText } from './words.mjs';
import { byId, dialogById, el, setText } from './dom.mjs';
import { data, playerName } from './data.mjs';
import { cellsOf } from './scenes.mjs';
import { exampleOf, filled } from './turns.mjs';
import { FleetList, Grid, lightTogether } from './board.mjs';
import { damageOf, legendOf, lookOf, shipsOn } from './stage.mjs';
import { fillLegend, turnTable } from './replay_parts.mjs';

/** Turns that the list shows: the page of a long game stays quick. */
const TURNS_SHOWN = 200;

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

/** The page of a game: boards, list, tools and words for what `game` knows. */
export class LiveView {
  constructor(game) {
    this.game = game;
    const { setup, you, foe, first } = game;
    const mover = first === you ? 'your move' : `${playerName(foe)} moves first`;
    setText(byId('live-facts'), `You against ${playerName(foe)} · ${setup.short} · ${mover}`);
    const title = setup.hasNotes ? `what you know of ${playerName(foe)}` : playerName(foe);
    this.boards = {
      own: new LiveBoard('own', 'your fleet', setup, game),
      foe: new LiveBoard('foe', title, setup, game),
    };
    this.lists = { own: new FleetList(setup.ships), foe: new FleetList(setup.ships) };
    for (const name of ['own', 'foe']) lightTogether(this.boards[name].grid, this.lists[name]);
    const sea = (name) => {
      const list = setup.hasNotes && name === 'foe' ? null : this.lists[name].node;
      return el('div', { class: 'sea' }, this.boards[name].node, list);
    };
    byId('live-seas').replaceChildren(sea('foe'), sea('own'));
    byId('live-seas').classList.toggle('twist-game', setup.hasNotes);
    fillLegend(byId('live-legend'), [...legendOf(setup), ['last', '', 'last turn']]);
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
    const { game } = this;
    const typed = (event) => {
      event.preventDefault();
      game.type(this.input.value);
    };
    byId('live-tools').replaceChildren(
      button('ready', 'Ready', 'Enter', () => game.ready()),
      button('random', 'Random fleet', 'r', () => game.press('r')),
      button('turn', 'Turn the ship', 'space', () => game.press(' ')),
      button('undo', 'Take back', 'u', () => game.press('u')),
      button('clear', 'Start over', 'x', () => game.press('x')),
      el(
        'form',
        { class: 'type', submit: typed },
        el('label', { for: 'live-type' }, `Cell (${exampleOf(game.setup)}) `),
        this.input,
      ),
      button('tip', 'Tip', 't', () => game.press('t')),
      button('resign', 'Resign', '', () => dialogById('live-ask').showModal()),
      button('keys', 'Keys', '?', () => dialogById('live-keys').showModal()),
    );
  }

  show() {
    const { game } = this;
    const offered = game.offered();
    for (const name of ['own', 'foe']) {
      this.boards[name].offer(name === offered, game.cursor[name]);
      this.showBoard(name, offered);
    }
    this.showTools();
    this.showLog();
    setText(byId('live-status'), [this.lastSentences(), this.prompt()].filter(Boolean).join(' '));
    this.showClock();
    // A tab in the background shows when it is wanted.
    if (document.body.dataset.view === 'overview') document.title = `${offered ? '● ' : ''}${data.title}`;
  }

  /** Returns what is to be marked on a board: classes by cells. */
  marks(name, offered) {
    const { asked, draft, chosen, shots, setup } = this.game;
    const marks = new Map();
    const add = (cell, kind) => marks.set(cell, `${marks.get(cell) || ''} ${kind}`);
    if (name === offered) {
      const cursor = this.game.cursor[name];
      if (asked.what === 'place' && !draft.isFull()) {
        const { cells, fits } = draft.at(cursor);
        for (const cell of cells) add(cell, fits ? 'outline' : 'outline bad');
      }
      if (chosen && chosen.targets && name === 'own') for (const cell of chosen.targets) add(cell, 'possible');
      if (name === 'foe') for (const cell of shots) add(cell, 'chosen');
      add(cursor, 'cursor');
    }
    const ship = chosen && name === 'own' && this.game.watersOf('own').hulls[chosen.ship];
    if (ship) for (const cell of cellsOf(ship, setup)) add(cell, 'chosen');
    return marks;
  }

  /** Returns where a board was struck last; -1 if it was not in its attacker's last turn. */
  lastOn(name) {
    const { you, foe, turns } = this.game;
    const [owner, attacker] = name === 'own' ? [you, foe] : [foe, you];
    const last = turns.findLast((turn) => turn.by === attacker);
    return last && last.on === owner ? last.at : -1;
  }

  showBoard(name, offered) {
    const { setup } = this.game;
    const { marks, hulls, sunk } = this.game.watersOf(name);
    const owner = shipsOn(hulls, setup);
    this.boards[name].grid.moor(owner);
    const extra = this.marks(name, offered);
    const last = this.lastOn(name);
    for (let cell = 0; cell < setup.rows * setup.cols; cell++) {
      const id = owner.get(cell);
      const look = lookOf(marks[cell], id === undefined ? null : hulls[id], setup.ships[id ?? 0], setup, cell);
      this.setCell(name, cell, look, extra.get(cell), cell === last);
    }
    this.lists[name].show(damageOf(hulls, sunk, marks, setup));
    const afloat = `${sunk.filter((one) => !one).length} of ${sunk.length} afloat`;
    setText(this.boards[name].grid.count, setup.hasNotes && name === 'foe' ? '' : afloat);
  }

  setCell(name, cell, look, marks = '', isLast = false) {
    const [kind, sign, words] = look;
    const said = [this.game.setup.cells[cell], words, isLast ? 'last turn' : ''];
    if (marks.includes('possible')) said.push('possible');
    if (marks.includes('bad')) said.push('no room');
    this.boards[name].grid.set(cell, `${kind}${marks}${isLast ? ' last' : ''}`, sign, said.filter(Boolean).join(', '));
  }

  showTools() {
    const { game } = this;
    const placing = game.isPlacing();
    for (const name of ['ready', 'random', 'turn', 'clear']) this.tools[name].hidden = !placing;
    // Not while a reply is on its way, or the others would move.
    this.tools.tip.hidden = !game.tips || game.end !== null || (game.asked !== null && game.asked.what === 'place');
    this.tools.tip.disabled = !game.canAdvise();
    this.tools.undo.hidden = !placing && !game.chosen;
    this.tools.ready.disabled = !game.draft.isFull();
    this.tools.resign.hidden = game.end !== null;
    // Not while the opponent thinks: what is hidden loses the focus of who types.
    this.input.closest('form').hidden = game.end !== null;
  }

  showLog() {
    const { turns, you } = this.game;
    if (this.logLength === turns.length) return;
    this.logLength = turns.length;
    const shown = turns.map((turn, i) => [turn, i]).slice(-TURNS_SHOWN);
    const rows = shown
      .reverse()
      .map(([turn, i]) =>
        el(
          'tr',
          {},
          el('td', { class: 'num' }, String(i + 1)),
          el('td', { class: 'who' }, turn.by === you ? 'you' : playerName(turn.by)),
          el('td', { class: 'cell' }, turn.cells.join(' → ')),
          el('td', { class: ['hit', 'sunk'].includes(turn.result) ? 'struck' : '' }, turn.result),
          el('td', { class: 'num' }, timeText(turn.us)),
        ),
      );
    byId('live-log').replaceChildren(turnTable(rows));
  }

  lastSentences() {
    const { end, turns } = this.game;
    if (end) return this.verdict();
    // The opponent may answer at once: what the person's own turn led to is to be read too.
    const names = { 0: playerName(0), 1: playerName(1) };
    return turns
      .slice(-2)
      .map((turn) => filled(turn.said, names))
      .join(' ');
  }

  /** Returns how the game ended, and the score. */
  verdict() {
    const { verdict, score } = this.game.end;
    const said = score ? `${verdict} ${score[0].toUpperCase()}${score.slice(1)}.` : verdict;
    return filled(said, { 0: playerName(0), 1: playerName(1) });
  }

  /** Offers what can be done after the game, above its replay. */
  offerGames() {
    const { game } = this;
    const button = (text, run) => el('button', { type: 'button', click: run }, text);
    const { opponents } = game.end;
    const list = dialogById('live-opponents');
    const choice = opponents.map((name, i) =>
      el(
        'li',
        {},
        button(name, () => game.say(`against ${i}`)),
      ),
    );
    byId('live-opponents-list').replaceChildren(...choice);
    byId('live-opponents-close').addEventListener('click', () => list.close());
    const back = () => {
      location.hash = '#game=1&shot=0';
      byId('replay-slider').focus();
    };
    /** By its key. */
    this.next = {
      r: button('Rematch', () => game.say('rematch')),
      o: button('Another opponent', () => list.showModal()),
    };
    const group = { class: 'live-tools', role: 'group', 'aria-label': 'What comes next' };
    byId('replay-facts').before(el('div', group, Object.values(this.next), button('Look back', back)));
    const keys = Object.entries(this.next).map(([key, { textContent }]) =>
      el('div', {}, el('dt', {}, el('kbd', {}, key)), el('dd', {}, textContent.toLowerCase())),
    );
    byId('replay-keys')
      .querySelector('dl')
      .prepend(...keys);
  }

  prompt() {
    const { end, sending, asked, toMove, you, foe, fleet, draft, chosen, shots, setup, tip, cursor } = this.game;
    if (end) return '';
    if (sending) return 'Your reply is on its way.';
    if (!asked) {
      if (toMove !== null && toMove !== you) return `${playerName(foe)} is thinking.`;
      return fleet ? `Waiting for ${playerName(foe)}.` : 'The game begins.';
    }
    if (asked.what === 'place') {
      if (draft.isFull()) return 'All ships are placed. Press Enter or Ready, or take one back.';
      const { name, length } = setup.ships[draft.ships.length];
      return `Place your ${name}, ${plural(length, 'cell')} long.`;
    }
    if (tip && tip.turn === asked.turn && tip.at === cursor.foe) return `${tip.said}.`;
    if (asked.actors.length === 0) {
      if (asked.cells === 1) return 'Your turn: choose a cell to attack.';
      return `Your turn: choose shot ${shots.length + 1} of ${asked.cells}; u takes the last one back.`;
    }
    if (!chosen) return 'Your turn: choose a unit.';
    const unit = setup.ships[chosen.ship].name;
    if (chosen.targets === null) return `Your ${unit} fires: choose a target on the other board.`;
    return `Your ${unit} moves: choose where its centre goes, or its own place.`;
  }

  showClock() {
    const { clockOffset, since, lost, over, toMove, you, foe, asked } = this.game;
    const now = performance.now() - clockOffset;
    const seconds = Math.max(0, (now - since) / 1000);
    const time = seconds < 10 ? seconds.toFixed(1) : String(Math.floor(seconds));
    let text = '';
    if (lost && !over) text = 'The referee cannot be reached; trying again.';
    else if (toMove === you) text = `your turn for ${time} s`;
    else if (toMove !== null) text = `${playerName(foe)} has thought for ${time} s`;
    if (asked && asked.limit !== null && !lost) {
      const left = Math.max(0, Math.floor((asked.at + asked.limit - now) / 1000));
      text = [text, `${left} s left`].filter(Boolean).join(' · ');
    }
    setText(byId('live-clock'), text);
  }
}
