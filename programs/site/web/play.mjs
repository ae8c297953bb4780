// The page on which one plays against the shipped bots, or watches two of them. The game itself is a page of the
// referee's, in a frame: it is told events, and says what the person does.
// @ts-check

import { byId, el, inputById, selectById, setText } from './script/dom.mjs';
import { load, newWorker } from './referee.mjs';
import { canRun, framed, tell } from './site.mjs';
import { levelsOf } from './table.mjs';

/** The seeds that are drawn: numbers that are exact everywhere. */
const SEEDS = 2 ** 32;

let frame = /** @type {HTMLIFrameElement} */ (byId('table'));
const save = /** @type {HTMLAnchorElement} */ (byId('save'));

/** One game. After each reply of the person it is played again from its beginning; see table.mjs. */
class Game {
  constructor(wish, module, over) {
    this.wish = wish;
    this.over = over;
    this.replies = [];
    this.times = [];
    /** What has happened, for the frame. */
    this.events = [];
    this.isReady = false;
    this.winner = null;
    this.worker = newWorker();
    this.worker.addEventListener('message', ({ data }) => this.hear(data));
    this.worker.addEventListener('error', (event) => this.fail(event.message));
    this.run({ module });
  }

  run(more) {
    this.isBusy = true;
    this.isTip = more.tip === true;
    this.worker.postMessage({ table: this.wish, replies: this.replies, times: this.times, ...more });
  }

  fail(message) {
    this.worker.terminate();
    tell(`The game cannot be played: ${message}`, true);
  }

  /** Hears an event that is new. */
  hear(event) {
    if (event.type === 'failed') {
      this.fail(event.why);
    } else if (event.type === 'page') {
      tell('');
      frame = framed(frame, event.html);
      frame.addEventListener('load', () => frame.focus(), { once: true });
    } else if (event.type === 'record') {
      if (save.href) URL.revokeObjectURL(save.href);
      save.href = URL.createObjectURL(new Blob([event.line, '\n'], { type: 'application/jsonl' }));
      save.hidden = false;
    } else if (event.type === 'taken') {
      this.isBusy = false;
      if (!event.why && !this.isTip) this.asked = performance.now();
      // A reply that was refused is none.
      if (event.why) [this.replies, this.times].forEach((all) => all.pop());
      this.pass(event);
    } else {
      if (event.type === 'ended') this.winner = event.winner;
      this.pass(event);
    }
  }

  /** Tells the frame of an event, as soon as it listens. */
  pass(event) {
    this.events.push(event);
    if (this.isReady) frame.contentWindow.postMessage(event, window.origin);
  }

  /** Hears what the frame says. */
  said({ ready, reply }) {
    if (ready) {
      this.isReady = true;
      this.events.forEach((event) => frame.contentWindow.postMessage(event, window.origin));
    } else if (reply === 'rematch' || /^against \d+$/.test(reply)) {
      this.over(this, Number(/\d+/.exec(reply)?.[0] ?? -1));
    } else if (!this.isBusy && reply === 'tip') {
      this.run({ tip: true });
    } else if (!this.isBusy && typeof reply === 'string') {
      this.replies.push(reply);
      this.times.push(performance.now() - this.asked);
      this.run({});
    }
  }
}

const table = { game: null, module: null, levels: [] };

/** Starts a game, the first of some or one of those that follow. */
function start(wish) {
  table.game?.worker.terminate();
  save.hidden = true;
  tell('The game begins.');
  setText(byId('drawn'), `Seed ${wish.seed}`);
  table.game = new Game(wish, table.module, next);
  show(true);
}

/** Shows the game, or what one can play. */
function show(isPlaying) {
  document.body.classList.toggle('playing', isPlaying);
  byId('during').hidden = !isPlaying;
  byId('wish').hidden = isPlaying;
  frame.hidden = true;
}

/** Leaves the game for what else one can play. */
function leave() {
  table.game?.worker.terminate();
  show(false);
  tell('');
  byId('start').focus();
}

/** Plays the next game of a person: the other one moves first. Against a new opponent the score begins again. */
function next({ wish, winner }, opponent) {
  const foe = 1 - wish.players.indexOf('human');
  const players = [...wish.players];
  const score = wish.score.map((won, side) => won + (winner === side ? 1 : 0));
  if (opponent >= 0) {
    players[foe] = table.levels[opponent].name;
    score.fill(0);
    selectById(foe ? 'two' : 'one').value = players[foe];
  }
  start({ ...wish, players, score, first: 1 - wish.first, seed: anySeed() });
}

const anySeed = () => Math.floor(Math.random() * SEEDS);

function wished() {
  const seed = inputById('seed').value;
  return {
    game: selectById('game').value,
    rules: inputById('apart').checked ? ['apart all'] : [],
    players: [selectById('one').value, selectById('two').value],
    seed: seed === '' ? anySeed() : Number(seed),
    first: 0,
    score: [0, 0],
    opponents: table.levels.map(({ words }) => words),
  };
}

/** Two people cannot play on one page, and in the twist game ships may touch. */
function heed() {
  const people = [selectById('one'), selectById('two')].filter(({ value }) => value === 'human');
  setText(byId('start'), people.length > 0 ? 'Play' : 'Watch');
  selectById('two').setCustomValidity(people.length > 1 ? 'One of the two can be you.' : '');
  inputById('apart').disabled = selectById('game').value === 'twist';
  if (inputById('apart').disabled) inputById('apart').checked = false;
}

async function open() {
  if (!canRun()) return;
  try {
    table.module = await load('play.wasm');
  } catch (error) {
    tell(`The game cannot be loaded: ${error.message}. Reload the page to try again.`, true);
    return;
  }
  table.levels = levelsOf(table.module);
  const choice = [{ name: 'human', words: 'you' }, ...table.levels];
  for (const [id, chosen] of Object.entries({ one: 'human', two: 'decent' })) {
    selectById(id).replaceChildren(...choice.map(({ name, words }) => el('option', { value: name }, words)));
    selectById(id).value = chosen;
  }
  window.addEventListener('message', ({ source, data }) => {
    if (source === frame.contentWindow) table.game?.said(data);
  });
  byId('wish').addEventListener('change', heed);
  byId('wish').addEventListener('submit', (event) => {
    event.preventDefault();
    start(wished());
  });
  byId('other').addEventListener('click', leave);
  heed();
  byId('start').removeAttribute('disabled');
  tell('');
  byId('start').focus();
}

open();
