// The players of the engine in a page, which answer at once: how they are told, heard and played back.
//
// Exports:
//   new Players({ makers, log, pass, onAsk, onSaid })   .imports(memory) is what the engine imports as players
//     makers: functions that get a command line and return a Maker, or null for another player's
//     lives: players of an earlier run with this log, which have heard all that is in it
//     log: what was said before, for each player in the order of their starts; it is played back, and then grows
//     pass(milliseconds): lets time pass on the engine's clock while that is done
//     onAsk(handle): a bot of the page's user begins to compute; onSaid(handle, entry): a player has answered
//   shipped(module)           the makers' function of play.wasm; instance(module, players, event) is one of that
//   Ended                     what a player throws that leaves; Waiting: see there
// @ts-check

import { nothing, Wasi } from './wasi.mjs';

/**
 * What a player was told at once, and what it said then: to its standard output and standard error, whether it
 * ended, and the milliseconds that it took. Of one that did not come back it is known only that it hung.
 * @typedef {{ said: string, out: string, err: string, over: boolean, taken: number, hung?: boolean }} Entry
 *
 * A player that runs: it is handed whole lines, and says what it likes by `say`. It throws Ended if it ends.
 * It may return how many milliseconds it took.
 * @typedef {(text: string) => number | void} Hear
 *
 * Starts a player, which is handed all that it has said before. Only those that are written in the page are watched.
 * @typedef {object} Maker
 * @property {(say: (stream: 1 | 2, text: string) => void, past: Entry[]) => Hear} start
 * @property {boolean} watched
 * @property {boolean} [person]
 */

/** What a player may say on a stream at once, in UTF-16 units: the engine takes 64 KiB for a flood. */
const MOST_SAID = 128 << 10;

/** A player has ended. */
export class Ended extends Error {}

/** A person has not replied yet: thrown through the engine, which is of no more use then. */
export class Waiting extends Error {}

/** A player has said more than is read of it. */
class Flood extends Error {}

class Player {
  /** @param {Maker} maker @param {Entry[]} past */
  constructor(maker, past) {
    this.maker = maker;
    this.past = past;
    this.rewound();
    /** @type {Hear | null} */
    this.hear = null;
    /** @type {Entry} */
    this.entry = null;
  }

  /** Returns it at the beginning of what it has said, which is played back. */
  rewound() {
    this.place = 0;
    this.unread = { 1: new Uint8Array(), 2: new Uint8Array() };
    this.isOver = false;
    return this;
  }

  isPlayedBack() {
    return this.place < this.past.length;
  }

  /**
   * Has the player hear lines, after all earlier ones if it was played back; `onAsk` is called for each. Returns the
   * milliseconds that it says it took besides.
   */
  live(said, onAsk) {
    const lines = this.hear ? [] : this.past.map((entry) => entry.said);
    let [start, taken] = [0, undefined];
    for (const text of [...lines, said]) {
      onAsk();
      start = performance.now();
      this.entry = { said: text, out: '', err: '', over: false, taken: 0 };
      try {
        this.hear ??= this.maker.start((stream, text) => this.note(stream, text), this.past);
        taken = this.hear(text);
      } catch (error) {
        if (error instanceof Waiting) throw error;
        this.entry.over = !(error instanceof Flood);
        if (this.entry.over && !(error instanceof Ended)) this.entry.err += `${textOf(error)}\n`;
      }
    }
    this.entry.taken = taken ?? performance.now() - start;
    this.past.push(this.entry);
    return taken ?? 0;
  }

  note(stream, text) {
    const name = stream === 1 ? 'out' : 'err';
    const room = MOST_SAID - this.entry[name].length;
    this.entry[name] += text.length > room ? text.slice(0, room) : text;
    if (text.length > room && stream === 1) throw new Flood();
  }

  /** Lets the engine read what the next entry says. */
  take() {
    const entry = this.past[this.place++];
    for (const [stream, text] of /** @type {[1 | 2, string][]} */ ([
      [1, entry.out],
      [2, entry.err],
    ])) {
      const bytes = new TextEncoder().encode(text);
      const all = new Uint8Array(this.unread[stream].length + bytes.length);
      all.set(this.unread[stream]);
      all.set(bytes, this.unread[stream].length);
      this.unread[stream] = all;
    }
    this.isOver = entry.over;
    return entry;
  }
}

/** Returns what there is to read of something thrown. */
function textOf(error) {
  if (!(error instanceof Error)) return `Uncaught ${String(error)}`;
  const stack = error.stack || String(error);
  // What called the bot's strategy is not its author's.
  const lines = stack.split('\n').filter((line) => !/^ +at .*(bot\.js:|\.mjs:|wasm:|<anonymous>)/.test(line));
  return lines.slice(0, 12).join('\n');
}

export class Players {
  constructor({ makers, log = [], lives = [], pass = nothing, onAsk = nothing, onSaid = nothing }) {
    /** @type {((command: string) => Maker | null)[]} */
    this.makers = makers;
    /** @type {Entry[][]} */
    this.log = log;
    /** @type {(Player | null)[]} */
    this.lives = lives;
    /** @type {(Player | null)[]} */
    this.players = [];
    this.pass = pass;
    this.onAsk = onAsk;
    this.onSaid = onSaid;
  }

  start(command) {
    const handle = this.players.length;
    let player = this.lives[handle]?.rewound();
    if (!player) {
      let maker = null;
      for (const find of this.makers) maker ??= find(command);
      if (!maker) return -1;
      player = new Player(maker, (this.log[handle] ??= []));
    }
    this.players.push(player);
    return handle;
  }

  say(handle, text) {
    const player = this.players[handle];
    if (!player || player.isOver || player.past[player.place - 1]?.hung) return;
    // The end of its input, at which every bot leaves.
    if (text === '' && !player.isPlayedBack()) player.past.push({ said: '', out: '', err: '', over: true, taken: 0 });
    if (player.isPlayedBack()) {
      this.pass(player.take().taken);
    } else {
      this.pass(player.live(text, () => player.maker.watched && this.onAsk(handle)));
      this.onSaid(handle, player.take());
    }
  }

  read(handle, stream, into) {
    const player = this.players[handle];
    if (!player) return -1;
    const all = player.unread[stream];
    const piece = all.subarray(0, into.length);
    into.set(piece);
    player.unread[stream] = all.subarray(piece.length);
    return all.length === 0 && player.isOver ? -1 : piece.length;
  }

  /** @param {() => WebAssembly.Memory} memory */
  imports(memory) {
    const bytes = (at, length) => new Uint8Array(memory().buffer, at, length);
    const text = (at, length) => new TextDecoder().decode(bytes(at, length));
    return {
      start: (at, length) => this.start(text(at, length)),
      say: (handle, at, length) => this.say(handle, text(at, length)),
      read: (handle, stream, at, length) => this.read(handle, stream, bytes(at, length)),
      end: (handle) => {
        this.players[handle] = null;
      },
    };
  }
}

/**
 * Returns a new instance of play.wasm: `call` hands a text to a function and returns its number; `text` returns what
 * that made, by its length in bytes.
 * @param {WebAssembly.Module} module
 */
export function instance(module, players = new Players({ makers: [] }), event = nothing) {
  const wasi = new Wasi();
  const bytes = (at, length) => new Uint8Array(wasi.memory.buffer, at, length);
  const text = (at, length) => new TextDecoder().decode(bytes(at, length));
  const imports = {
    wasi_snapshot_preview1: wasi.imports,
    players: players.imports(() => wasi.memory),
    page: { event: (at, length) => event(JSON.parse(text(at, length))) },
  };
  const exports = /** @type {any} */ (new WebAssembly.Instance(module, imports).exports);
  wasi.memory = exports.memory;
  exports._initialize?.();
  return {
    wasi,
    call: (name, said) => {
      const json = new TextEncoder().encode(said);
      bytes(exports.input(json.length), json.length).set(json);
      return exports[name]();
    },
    text: (length) => text(exports.output(), length),
  };
}

/** @param {WebAssembly.Module} module */
export function shipped(module) {
  return (command) => {
    const bot = instance(module);
    if (bot.call('bot_new', command) !== 0) return null;
    const start = (say) => (text) => {
      const length = bot.call('bot_hear', text);
      say(1, bot.text(length < 0 ? -1 - length : length));
      if (length < 0) throw new Ended();
    };
    return { start, watched: false };
  };
}
