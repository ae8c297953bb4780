// The replay of a game.

import { plural, short, timeText } from './words.mjs';
import { byId, el, setText, svg } from './dom.mjs';
import { SEATS, VOID, data, gameLink, nameOf, pairingCounts } from './data.mjs';
import { cellName, cellNameAt, placingLines, protocolLines, resultWord, turnText } from './turns.mjs';
import { neighboursOf } from './games.mjs';
import { lineChart } from './chart.mjs';
import { ClassicStage, TwistStage } from './stage.mjs';

/** Turns a second. */
const SPEEDS = [0.5, 1, 2, 3, 5, 8, 15, 30, 60];
/** No announcement while turns follow each other faster than this; they could not be read. */
const SLOWEST_UNREAD = 1;

/** Runs a function at most once in a while, and then with its last arguments: browsers limit changes of the address. */
function throttle(milliseconds, run) {
  let timer = null;
  return () => {
    if (timer === null) {
      timer = setTimeout(() => {
        timer = null;
        run();
      }, milliseconds);
    }
  };
}

export class Replay {
  constructor() {
    this.game = null;
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
    on('help', 'click', () => byId('replay-keys').showModal());
    on('keys-close', 'click', () => byId('replay-keys').close());
    byId('replay-speed').append(
      ...SPEEDS.map((speed, i) => el('option', { value: i, selected: i === this.speed }, `${speed} a second`)),
    );
    this.listenToBoards(byId('replay-seas'));
    document.addEventListener('keydown', (event) => this.key(event));
  }

  /** The wheel and a swipe over the boards step; at either end the wheel scrolls the page as everywhere. */
  listenToBoards(seas) {
    let turned = 0;
    let touch = null;
    const wheel = (event) => {
      const ahead = event.deltaY > 0;
      if (event.ctrlKey || event.deltaY === 0 || (ahead ? this.time === this.last() : this.time === 0)) return;
      event.preventDefault();
      turned += event.deltaY * (event.deltaMode === 1 ? 33 : 1);
      if (Math.abs(turned) < 50) return;
      turned = 0;
      this.go(this.time + (ahead ? 1 : -1));
    };
    seas.addEventListener('wheel', wheel, { passive: false });
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
    const stage = setup.rules === 'twist' ? TwistStage : ClassicStage;
    this.stage = new stage(game, setup, (turn) => turn > 0 && this.go(turn));
    byId('replay-seas').replaceChildren(...this.stage.nodes);
    byId('replay-facts').replaceChildren(this.facts());
    const slider = byId('replay-slider');
    slider.max = this.last();
    slider.disabled = this.last() === 0;
    this.fillViews();
    this.fillNeighbours();
    this.fillLegend();
    this.fillLog();
    this.fillMarks();
    this.fillFigures();
    byId('replay-stage').hidden = false;
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

  facts() {
    const { game, setup } = this;
    const of = game.encounter > 0 ? `their game ${game.encounter}, ` : '';
    const fleet =
      setup.rules === 'twist' ? 'the twist' : `${plural(setup.ships.length, 'ship')} on ${setup.rows}×${setup.cols}`;
    const counts = pairingCounts(game.players) ? (game.counts ? '' : ' · does not count') : ` · ${VOID}`;
    const odd = `${counts}${game.unfinished ? ' · of an unfinished series' : ''}`;
    return `${of}${fleet} · ${this.name(game.first)} moved first · ${winText(game)}${odd}`;
  }

  fillViews() {
    const old = byId('replay-view').value || 'judge';
    const options = [
      ['judge', 'as the judge saw them'],
      ['0', `as ${this.name(0)} saw them`],
      ['1', `as ${this.name(1)} saw them`],
      ['none', 'hidden'],
    ];
    byId('replay-view').replaceChildren(
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

  fillLegend() {
    byId('replay-legend').replaceChildren(
      ...this.stage.legend.map(([kind, sign, text]) =>
        el('span', {}, el('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }, sign), text),
      ),
    );
  }

  fillLog() {
    const { game, setup } = this;
    const twist = setup.rules === 'twist';
    this.rows = game.turns.map((turn, i) => {
      const to = cellName(setup, turn.row, turn.col);
      const from = twist ? `${cellName(setup, turn.fromRow, turn.fromCol)} → ` : '';
      const address = `#game=${game.number}&shot=${i + 1}`;
      const struck = turn.result === 'hit' || turn.result === 'sunk';
      return el(
        'tr',
        { click: () => this.go(i + 1) },
        el('td', { class: 'num' }, el('a', { href: address, tabindex: -1 }, String(i + 1))),
        el('td', { class: 'who' }, this.name(turn.seat)),
        el('td', { class: 'cell' }, from + to),
        el('td', { class: struck ? 'struck' : '' }, resultWord(turn)),
        el('td', { class: 'num' }, timeText(turn.us)),
      );
    });
    const heads = ['', 'player', twist ? 'order' : 'cell', 'result', 'reply'];
    const head = heads.map((text, i) => el('th', { scope: 'col', class: i % 4 ? '' : 'num' }, text || '#'));
    const table = el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, this.rows));
    byId('replay-log').replaceChildren(table);
    setText(byId('replay-log-title'), twist ? 'Turns' : 'Attacks');
  }

  /** Marks hits on the time line, above it those of the first player and below it those of the second. */
  fillMarks() {
    this.sinkings = [];
    const marks = this.game.turns.flatMap((turn, i) => {
      const sunk = turn.result === 'sunk' || turn.sunk !== undefined;
      if (sunk) this.sinkings.push(i + 1);
      if (!sunk && turn.result !== 'hit') return [];
      const way = turn.seat === 0 ? -1 : 1;
      return [
        svg('line', {
          class: sunk ? 'sunk' : 'hit',
          x1: i + 1,
          x2: i + 1,
          y1: 2 * way,
          y2: (sunk ? 10 : 6) * way,
        }),
      ];
    });
    const drawing = byId('replay-marks');
    drawing.setAttribute('viewBox', `0 -10 ${Math.max(this.last(), 1)} 20`);
    drawing.replaceChildren(...marks);
  }

  /** Draws what the bots printed of themselves, over the turns of the game. */
  fillFigures() {
    const { game } = this;
    const step = ({ turn, seat }) => Math.min(turn === 0 ? 0 : 2 * turn - (seat === game.first ? 1 : 0), this.last());
    const names = [...new Set(game.figures.map((figure) => figure.name))];
    this.charts = names.map((name) => {
      const series = SEATS.map((seat) => ({
        name: this.name(seat),
        points: game.figures
          .filter((figure) => figure.name === name && figure.seat === seat)
          .map((figure) => [step(figure), figure.value]),
      })).filter((one) => one.points.length > 0);
      return lineChart(data.figureNames[name], 'turn', series, this.last());
    });
    byId('replay-figures').hidden = this.charts.length === 0;
    byId('replay-figures').replaceChildren(...this.charts.map((chart) => chart.node));
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
    const review = this.review();
    this.stage.show(time, byId('replay-view').value, review ? review.best : -1);
    const unit = setup.rules === 'twist' ? 'turn' : 'attack';
    const slider = byId('replay-slider');
    slider.value = time;
    slider.setAttribute('aria-label', unit);
    slider.setAttribute('aria-valuetext', `${unit} ${time} of ${this.last()}${time > 0 ? `: ${this.sentence()}` : ''}`);
    setText(byId('replay-place'), `${unit} ${time} of ${this.last()}`);
    for (const [id, off] of [
      ['start', time === 0],
      ['back', time === 0],
      ['step', time === this.last()],
      ['end', time === this.last()],
    ]) {
      byId(`replay-${id}`).setAttribute('aria-disabled', String(off));
    }
    this.showStatus(review, unit);
    this.showRow();
    this.showLines(unit);
    this.charts.forEach((chart) => chart.move(time));
    const ended = time === this.last();
    byId('replay-result').hidden = !ended;
    if (ended) byId('replay-result').replaceChildren(...resultParagraphs(game));
  }

  sentence() {
    const turn = this.game.turns[this.time - 1];
    return `${this.name(turn.seat)} ${turnText(turn, this.setup)}`;
  }

  showStatus(review, unit) {
    const status = byId('replay-status');
    const fast = this.timer !== null && SPEEDS[this.speed] > SLOWEST_UNREAD;
    status.setAttribute('aria-live', fast ? 'off' : 'polite');
    const start = this.last() > 0 ? `Before the first ${unit}.` : 'The game ended before the first turn.';
    setText(status, this.time > 0 ? `${this.sentence()}` : start);
    byId('replay-review').hidden = !review;
    setText(byId('replay-review'), review ? review.text : '');
  }

  /** Returns what `good` would have attacked instead in the last turn, if that is known. */
  review() {
    const reviews = data.reviews && data.reviews[this.game.number];
    const turn = this.game.turns[this.time - 1];
    const ofSeat = reviews && turn && reviews[turn.seat];
    if (!ofSeat) return null;
    const own = this.game.turns.slice(0, this.time).filter((one) => one.seat === turn.seat).length;
    const entry = ofSeat[own - 1];
    if (!entry) return null;
    const [best, made, chance] = entry;
    const cell = cellNameAt(this.setup, best);
    const same = best === null || best === turn.cell || chance <= made;
    const text = same
      ? `good: no better attack, ${short(made)}%`
      : `good: ${cell}, ${short(chance)}% instead of ${short(made)}%`;
    return { best: same ? -1 : best, text };
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

  showLines(unit) {
    const { game, time } = this;
    const said = data.dialogue && data.dialogue[game.number];
    const when = time > 0 ? `${unit} ${time}` : 'the start';
    const lines = said ? this.saidLines(said) : this.reconstructedLines();
    setText(
      byId('replay-dialogue-title'),
      said ? `What was said at ${when}` : `The protocol at ${when}, reconstructed from the record`,
    );
    byId('replay-lines').replaceChildren(
      ...lines.map(([seat, mark, text]) =>
        el(
          'li',
          { class: mark === '!!' ? 'stderr' : null },
          el('b', {}, this.name(seat)),
          el('span', { class: 'mark' }, mark === '!!' ? 'stderr' : mark),
          el('span', {}, text),
        ),
      ),
    );
  }

  saidLines(said) {
    const turns = [this.time - 1, this.time === this.last() ? this.time : -2];
    return said.filter(([turn]) => turns.includes(turn)).map(([, seat, mark, text]) => [seat, mark, text]);
  }

  reconstructedLines() {
    const { game, time } = this;
    const lines = time > 0 ? protocolLines(game, time - 1) : placingLines(game);
    if (time < this.last()) return lines;
    const { word, fault } = data.reasons[game.reason];
    const ends = SEATS.filter((seat) => !(fault && seat === game.by)).map((seat) => {
      const result = game.winner === null ? 'void' : game.winner === seat ? 'won' : 'lost';
      return [seat, '<-', `end ${result} ${word}`];
    });
    return lines.concat(ends);
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
    if (!this.game || event.ctrlKey || event.metaKey || event.altKey || byId('replay-keys').open) return;
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
      '?': () => byId('replay-keys').showModal(),
    };
    if (key >= '1' && key <= '9' && key.length === 1) {
      this.speed = Number(key) - 1;
      byId('replay-speed').value = String(this.speed);
      return true;
    }
    if (actions[key]) actions[key]();
    return key in actions;
  }

  nextView() {
    const select = byId('replay-view');
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

function winText(game) {
  if (game.winner === null) return 'no winner';
  const own = game.lengths[game.winner];
  return `${nameOf(game, game.winner)} won after ${plural(own, 'turn')}`;
}

/** Returns how a game ended: a sentence, and advice where the page has it. */
function resultParagraphs(game) {
  const reason = data.reasons[game.reason];
  const cause = game.by === null ? reason.text : `${nameOf(game, game.by)} ${reason.text}`;
  const sentence = game.text >= 0 ? data.texts[game.text] : cause;
  const forfeit = data.details.flatMap((details) => details.forfeits).find((one) => one.game === game.number);
  const parts = [
    el('strong', {}, game.winner === null ? 'No winner.' : `${nameOf(game, game.winner)} won.`),
    ` ${sentence}.`,
  ];
  if (forfeit && forfeit.advice) parts.push(el('span', { class: 'advice' }, ` ${forfeit.advice}`));
  return parts;
}
