// The replay of a game: its place in the game, and what moves that.
// @ts-check

import { byId, dialogById, el, inputById, selectById, setText, throttle } from './dom.mjs';
import { data, gameLink, nameOf } from './data.mjs';
import { sentenceOf } from './turns.mjs';
import { neighboursOf } from './games.mjs';
import { Stage } from './stage.mjs';
import {
  factsOf,
  fillChances,
  fillFigures,
  fillLegend,
  fillLog,
  fillMarks,
  resultParagraphs,
  reviewOf,
  showLines,
} from './replay_parts.mjs';

/** Turns a second. */
const SPEEDS = [0.5, 1, 2, 3, 5, 8, 15, 30, 60];
/** No announcement while turns follow each other faster than this; they could not be read. */
const SLOWEST_UNREAD = 1;

export class Replay {
  constructor() {
    /** @type {import('./scenes.mjs').Game | null} */
    this.game = null;
    /** @type {import('./data.mjs').Setup | null} */
    this.setup = null;
    this.time = 0;
    this.speed = 2;
    this.timer = null;
    this.writeAddress = throttle(300, () => this.replaceAddress());
    this.listen();
  }

  listen() {
    const on = (id, event, run) => byId(`replay-${id}`).addEventListener(event, run);
    on('start', 'click', () => this.go(0));
    on('back', 'click', () => this.go(this.time - 1));
    on('step', 'click', () => this.go(this.time + 1));
    on('end', 'click', () => this.go(Infinity));
    on('play', 'click', () => this.play(this.timer === null));
    on('slider', 'input', (event) => this.go(Number(event.target.value)));
    on('view', 'change', () => this.show());
    on('speed', 'change', (event) => (this.speed = Number(event.target.value)));
    on('help', 'click', () => dialogById('replay-keys').showModal());
    on('keys-close', 'click', () => dialogById('replay-keys').close());
    byId('replay-speed').append(
      ...SPEEDS.map((speed, i) => el('option', { value: i, selected: i === this.speed }, `${speed} a second`)),
    );
    this.listenToBoards(byId('replay-seas'));
    document.addEventListener('keydown', (event) => this.key(event));
  }

  /** A swipe over the boards steps. */
  listenToBoards(seas) {
    let touch = null;
    seas.addEventListener('touchstart', (event) => (touch = event.touches[0]), {
      passive: true,
    });
    seas.addEventListener('touchend', (event) => {
      const [dx, dy] = [
        event.changedTouches[0].clientX - touch.clientX,
        event.changedTouches[0].clientY - touch.clientY,
      ];
      if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) this.go(this.time + (dx < 0 ? 1 : -1));
    });
  }

  last() {
    return this.game ? this.game.turns.length : 0;
  }

  /** Shows a game that was loaded, after `time` turns. */
  open(game, time) {
    this.play(false);
    const setup = data.setups[game.setup];
    Object.assign(this, { game, setup });
    this.stage = new Stage(game, setup, (turn) => turn > 0 && this.go(turn));
    byId('replay-seas').replaceChildren(...this.stage.nodes);
    byId('replay-facts').replaceChildren(factsOf(game, setup));
    const slider = inputById('replay-slider');
    slider.max = String(this.last());
    slider.disabled = this.last() === 0;
    this.fillViews();
    this.fillNeighbours();
    const advised = data.reviews && data.reviews[game.number] ? [['best', '', 'good would have attacked']] : [];
    fillLegend(byId('replay-legend'), [...this.stage.legend, ...advised]);
    this.rows = fillLog(game, setup, (time) => this.go(time));
    this.sinkings = fillMarks(game);
    this.charts = [...fillChances(game, setup), ...fillFigures(game)];
    byId('replay-stage').hidden = false;
    if (byId('still')) byId('still').remove();
    this.go(time, true);
  }

  close() {
    this.play(false);
    this.game = null;
    byId('replay-stage').hidden = true;
  }

  name(seat) {
    return nameOf(this.game, seat);
  }

  fillViews() {
    const old = selectById('replay-view').value || 'judge';
    const options = [
      ['judge', 'both fleets'],
      ['0', `as ${this.name(0)} saw them`],
      ['1', `as ${this.name(1)} saw them`],
      ['none', 'hidden'],
    ];
    selectById('replay-view').replaceChildren(
      ...options.map(([value, text]) => el('option', { value, selected: value === old }, text)),
    );
  }

  fillNeighbours() {
    const { before, after } = neighboursOf(this.game);
    byId('replay-neighbours').replaceChildren(
      ...(before ? [gameLink(before, `← game ${before}`)] : []),
      ...(after ? [gameLink(after, `game ${after} →`)] : []),
    );
  }

  /** Goes to the position after `time` turns. */
  go(time, isNew = false) {
    if (!this.game) return;
    const to = Math.max(0, Math.min(Math.floor(time) || 0, this.last()));
    this.time = time === Infinity ? this.last() : to;
    this.show();
    if (!isNew) this.writeAddress();
  }

  address() {
    return `#game=${this.game.number}&shot=${this.time}`;
  }

  replaceAddress() {
    if (!this.game) return;
    try {
      history.replaceState(history.state, '', this.address());
    } catch {
      // The browser refuses too many changes; the next step writes it.
    }
  }

  show() {
    const { game, setup, time } = this;
    const review = reviewOf(game, setup, time);
    this.stage.show(time, selectById('replay-view').value, review ? review.best : -1);
    const slider = inputById('replay-slider');
    slider.value = String(time);
    slider.setAttribute('aria-valuetext', `turn ${time} of ${this.last()}${time > 0 ? `: ${this.sentence()}` : ''}`);
    setText(byId('replay-place'), `turn ${time} of ${this.last()}`);
    for (const [id, off] of [
      ['start', time === 0],
      ['back', time === 0],
      ['step', time === this.last()],
      ['end', time === this.last()],
    ]) {
      byId(`replay-${id}`).setAttribute('aria-disabled', String(off));
    }
    this.showStatus(review);
    this.showRow();
    showLines(game, setup, time);
    this.charts.forEach((chart) => chart.move(time));
    const ended = time === this.last();
    byId('replay-result').hidden = !ended;
    if (ended) byId('replay-result').replaceChildren(...resultParagraphs(game));
  }

  sentence() {
    return sentenceOf(this.game, this.game.turns[this.time - 1], this.setup);
  }

  showStatus(review) {
    const status = byId('replay-status');
    const fast = this.timer !== null && SPEEDS[this.speed] > SLOWEST_UNREAD;
    status.setAttribute('aria-live', fast ? 'off' : 'polite');
    const start = this.last() > 0 ? 'Before the first turn.' : 'The game ended before the first turn.';
    setText(status, this.time > 0 ? this.sentence() : start);
    byId('replay-review').hidden = !review;
    setText(byId('replay-review'), review ? review.text : '');
  }

  /** Highlights the current row of the list and scrolls it into the list's view, not the page. */
  showRow() {
    this.rows.forEach((row, i) => {
      row.classList.toggle('later', i >= this.time);
      if (i === this.time - 1) row.setAttribute('aria-current', 'step');
      else row.removeAttribute('aria-current');
    });
    const list = byId('replay-log');
    const row = this.rows[this.time - 1];
    list.scrollTop = row ? row.offsetTop - list.clientHeight / 2 : 0;
  }

  play(on) {
    clearTimeout(this.timer);
    this.timer = null;
    if (on && this.game) {
      if (this.time === this.last()) this.go(0);
      this.next();
    }
    const button = byId('replay-play');
    setText(button, on ? '⏸ pause' : '▶ play');
  }

  next() {
    this.timer = setTimeout(() => {
      this.go(this.time + 1);
      if (this.time < this.last()) this.next();
      else this.play(false);
    }, 1000 / SPEEDS[this.speed]);
  }

  /** Returns whether a game is playing, which a reload would interrupt. */
  isPlaying() {
    return this.timer !== null;
  }

  key(event) {
    if (!this.game || event.ctrlKey || event.metaKey || event.altKey || dialogById('replay-keys').open) return;
    const target = event.target.closest('input, select, textarea, button, a, summary, [tabindex="0"]');
    const name = target ? target.localName : '';
    const used = {
      input: ['ArrowLeft', 'ArrowRight', 'Home', 'End'],
      select: null,
      button: [' '],
      summary: [' '],
      a: [' '],
      div: ['Home', 'End', ' '],
    }[name];
    if (used === null || (used && used.includes(event.key))) return;
    if (this.act(event.key)) event.preventDefault();
  }

  /** Does what a key stands for, and returns whether it stands for anything. */
  act(key) {
    const actions = {
      ' ': () => this.play(this.timer === null),
      ArrowLeft: () => this.go(this.time - 1),
      ArrowRight: () => this.go(this.time + 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      n: () => this.go(this.sinkings.find((time) => time > this.time) || this.last()),
      p: () => this.go(this.sinkings.filter((time) => time < this.time).pop() || 0),
      f: () => this.nextView(),
      l: () => this.copyLink(),
      '?': () => dialogById('replay-keys').showModal(),
    };
    if (key >= '1' && key <= '9' && key.length === 1) {
      this.speed = Number(key) - 1;
      selectById('replay-speed').value = String(this.speed);
      return true;
    }
    if (actions[key]) actions[key]();
    return key in actions;
  }

  nextView() {
    const select = selectById('replay-view');
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    this.show();
    setText(byId('replay-status'), `Fleets ${select.selectedOptions[0].textContent}.`);
  }

  async copyLink() {
    this.replaceAddress();
    let text = 'Link copied.';
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      text = 'The address bar has the link to this position.';
    }
    setText(byId('replay-status'), text);
  }
}
