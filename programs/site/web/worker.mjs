// The worker in which the engine runs with its players. referee.mjs starts it, and ends it if a bot hangs.
//
// It is sent orders for one table, see table.mjs; or { python: true }, which has it load Python before it is needed,
// and one Order for the referee, and answers
//   { ready: true }                      the bot is loaded, the engine begins
//   { line: [stream, text] }             a line of the engine's output
//   { asked: handle, said }              a bot of the user's begins to compute; said as below
//   { said: [[handle, entry], ...] }     what players have said since the last message
//   { done: { code, stdout, stderr, files } }, { problem: { file, line, message } } or { failed: text }   the last
// @ts-check

import { Players, shipped } from './players.mjs';
import { Table } from './table.mjs';
import { nothing, Wasi } from './wasi.mjs';
import { javascript, loadPython, Problem, python } from './written.mjs';

/**
 * What the worker is to do. The bot has a language, `javascript` or `python`, and its files; the log is for a run
 * that is played back, with the same arguments, files and seed.
 * @typedef {object} Order
 * @property {string[]} args
 * @property {Record<string, string | Uint8Array>} files
 * @property {number} seed of the engine's random bytes
 * @property {{ language: string, files: Record<string, string> } | null} bot
 * @property {import('./players.mjs').Entry[][]} log
 * @property {WebAssembly.Module} referee
 * @property {WebAssembly.Module} play
 */

const post = (message) => self.postMessage(message);

let loading = null;

/** Loads Python, once. */
const loaded = () => (loading ??= loadPython(new URL('pyodide/', import.meta.url).href));

/** @param {Order} order */
async function run({ args, files, seed, bot, log, referee, play }) {
  const makers = [shipped(play)];
  if (bot) {
    makers.unshift(await (bot.language === 'python' ? python(bot.files, await loaded()) : javascript(bot.files)));
  }
  post({ ready: true });
  const wasi = new Wasi({
    args: ['referee', ...args],
    files,
    seed,
    onLine: (stream, line) => post({ line: [stream, line] }),
  });
  let said = [];
  const players = new Players({
    makers,
    log,
    pass: (milliseconds) => wasi.pass(milliseconds),
    onAsk: (handle) => {
      post({ asked: handle, said });
      said = [];
    },
    onSaid: (handle, entry) => {
      said.push([handle, entry]);
      if (!players.players[handle].maker.watched && said.length < 100) return;
      post({ said });
      said = [];
    },
  });
  post({ done: wasi.run(referee, (memory) => ({ players: players.imports(memory) })) });
}

/** @type {Table | null} */
let table = null;

/** Plays the game of a table, as far as the person's replies go. */
function play({ module, table: order, ...more }) {
  table ??= new Table(module, post);
  table.play({ ...order, ...more });
}

self.addEventListener('message', ({ data }) => {
  if (data.table) {
    play(data);
    return;
  }
  if (data.python) {
    // If that fails, so does the order, which says it.
    loaded().catch(nothing);
    return;
  }
  run(data).catch((error) => {
    if (error instanceof Problem) post({ problem: { file: error.file, line: error.line, message: error.message } });
    else post({ failed: String(error?.stack ?? error) });
  });
});
