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

import { instance, Players, shipped, Waiting } from './players.mjs';

export function levelsOf(module) {
  const table = instance(module);
  return JSON.parse(table.text(table.call('levels', '')));
}

export class Table {
  constructor(module, tell) {
    this.module = module;
    this.tell = tell;
    /** @type {import('./players.mjs').Entry[][]} */
    this.log = [];
    /** The bots, which live on from one call to the next. */
    this.lives = [];
    /** The number of events that were told. */
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
      const length = at.call('table', JSON.stringify(order));
      if (length > 0) return this.tell({ type: 'failed', why: at.text(length) });
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
