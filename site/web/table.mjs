// The table of a game, for the worker: play.wasm plays it with the shipped bots, and with a person who may sit there.
//
// Exports:
//   levelsOf(module)   the opponents: { name, words } each
//   new Table(module, tell)
//     .play(order)     tells the events that are new, and then { type: 'taken', why }: why the last reply was refused
//                      order: as in site/play, with the times of the person's replies in milliseconds
//
// A call cannot wait for a person. So the game is played again from its beginning after each reply: what the bots have
// said before is played back, and the person leaves the call when there is no reply left.
// @ts-check

import { Players, shipped, Waiting } from './players.mjs';
import { nothing, Wasi } from './wasi.mjs';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns a new instance of the module: its functions, with text for bytes. */
function instance(module, players = null, event = nothing) {
  const wasi = new Wasi();
  const bytes = (at, length) => new Uint8Array(wasi.memory.buffer, at, length);
  const imports = {
    wasi_snapshot_preview1: wasi.imports,
    players: (players ?? new Players({ makers: [] })).imports(() => wasi.memory),
    page: { event: (at, length) => event(JSON.parse(decoder.decode(bytes(at, length)))) },
  };
  const { exports } = new WebAssembly.Instance(module, imports);
  const { memory, _initialize, input, output, table, levels } = /** @type {any} */ (exports);
  wasi.memory = memory;
  _initialize?.();
  const text = (length) => decoder.decode(bytes(output(), length));
  const play = (order) => {
    const json = encoder.encode(JSON.stringify(order));
    bytes(input(json.length), json.length).set(json);
    return text(table());
  };
  return { wasi, play, levels: () => JSON.parse(text(levels())) };
}

export const levelsOf = (module) => instance(module).levels();

export class Table {
  constructor(module, tell) {
    this.module = module;
    this.tell = tell;
    /** @type {import('./players.mjs').Entry[][]} */
    this.log = [];
    /** The bots, which live on from one call to the next. */
    this.lives = [];
    /** How many events were told. */
    this.told = 0;
  }

  play(order) {
    let why = '';
    let count = 0;
    const event = (news) => {
      if (news.type === 'refused') ({ why } = news);
      else if (news.type === 'tip' || ++count > this.told) this.tell(news);
    };
    const person = (command) => (/ bot human$/.test(command) ? personWith(order, () => why) : null);
    const makers = [person, shipped(this.module)];
    const { log, lives } = this;
    const players = new Players({ makers, log, lives, pass: (time) => at.wasi.pass(time) });
    const at = instance(this.module, players, event);
    try {
      const error = at.play(order);
      if (error) return this.tell({ type: 'failed', why: error });
    } catch (error) {
      if (!(error instanceof Waiting)) throw error;
    }
    this.told = Math.max(this.told, count);
    this.lives = players.players.map((player) => (player?.maker.person ? null : player));
    return this.tell({ type: 'taken', why });
  }
}

/** Returns the maker of the person, who replies what is in the order, and then leaves the call. */
function personWith({ replies, times }, refusal) {
  const start = (say, past) => (text) => {
    for (const line of text.split('\n').slice(0, -1)) {
      const [word] = line.split(' ');
      if (word === 'battleship') say(1, 'name human\nplays classic salvo twist apart\nhuman\nready\n');
      if (!['place', 'attack', 'salvo', 'act'].includes(word)) continue;
      // The greeting was the first of what it has said.
      const number = past.filter(({ out }) => out !== '').length - 1;
      if (refusal() || number >= replies.length) throw new Waiting();
      say(1, `${replies[number]}\n`);
      return times[number];
    }
    return 0;
  };
  return { start, watched: false, person: true };
}
