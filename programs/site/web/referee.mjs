// Runs the referee from a page.
//
// Exports:
//   run(order, listener, signal)   promises { code, stdout, stderr, files } of the command `referee ...order.args`
//     order: { args, files, bot }; bot: null or { language: 'javascript' | 'python', files }
//     listener: { line(stream, text), said(entry, isOwn), ready(), late() }, each of them optional
//     it is rejected with { problem: { file, line, message } } if the bot cannot be read, and with an Error otherwise
//   prepare(language)              has a worker load what a bot in that language needs, before it is asked for
//   load(name)                     promises a module of the site
//   newWorker()                    a worker that is to run the referee, or a table
// @ts-check

/** The time that a bot has for its greeting and for another reply, in milliseconds: as the referee's options are. */
const [START_LIMIT, LIMIT] = [10_000, 5_000];

/** The poll interval for late bots. */
const TICK = 100;

/** The worker's script. It has the policy of the page; one from an address would have none. */
const WORKER = new Blob([`import ${JSON.stringify(new URL('worker.mjs', import.meta.url).href)};`], {
  type: 'text/javascript',
});
const WORKER_ADDRESS = URL.createObjectURL(WORKER);

export const newWorker = () => new Worker(WORKER_ADDRESS, { type: 'module' });

/** A worker that has Python, or is loading it: no bot has run there. That takes some seconds. */
let spare = null;

/** @param {string} language */
export function prepare(language) {
  if (language !== 'python') {
    spare?.terminate();
    spare = null;
  } else if (!spare) {
    spare = newWorker();
    spare.postMessage({ python: true });
  }
}

/** Returns a worker for a bot in that language, if there is one. */
function workerFor(bot) {
  if (!spare || bot?.language !== 'python') return newWorker();
  const worker = spare;
  spare = null;
  return worker;
}

const modules = {};

/** Loads a module of the site, once for all runs. */
export function load(name) {
  modules[name] ??= fetch(new URL(name, import.meta.url)).then(async (answer) => {
    if (!answer.ok) throw new Error(`${name} cannot be loaded: ${answer.status} ${answer.statusText}`);
    return WebAssembly.compile(await answer.arrayBuffer());
  });
  // One that failed is tried again.
  modules[name].catch(() => delete modules[name]);
  return modules[name];
}

class Run {
  constructor(order, listener) {
    this.order = order;
    this.listener = listener;
    /** @type {import('./players.mjs').Entry[][]} */
    this.log = [];
    /** The players that are the bot. */
    this.own = new Set();
    this.isReady = false;
    /** The number of lines that the listener has heard. */
    this.lines = 0;
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.timer = setInterval(() => this.look(), TICK);
    this.start();
  }

  start() {
    this.asked = null;
    this.repeated = 0;
    this.worker = workerFor(this.order.bot);
    this.worker.addEventListener('message', ({ data }) => this.hear(data));
    this.worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.end(() => this.reject(new Error(event.message || 'the worker of the page has failed')));
    });
    this.worker.postMessage({ ...this.order, log: this.log });
  }

  end(settle) {
    clearInterval(this.timer);
    this.worker.terminate();
    if (this.order.bot) prepare(this.order.bot.language);
    settle();
  }

  hear({ ready, line, asked, said, done, problem, failed }) {
    this.asked = asked === undefined ? null : { handle: asked, since: performance.now(), looks: 0 };
    if (asked !== undefined) this.own.add(asked);
    for (const [handle, entry] of said ?? []) {
      (this.log[handle] ??= []).push(entry);
      this.listener.said?.(entry, this.own.has(handle));
    }
    if (ready && !this.isReady) this.listener.ready?.();
    this.isReady ||= Boolean(ready);
    // A run that is played back says again what it has said.
    if (line && ++this.repeated > this.lines) {
      this.lines += 1;
      this.listener.line?.(...line);
    }
    if (done) this.end(() => this.resolve(done));
    if (problem) this.end(() => this.reject({ problem }));
    if (failed) this.end(() => this.reject(new Error(failed)));
  }

  /** Looks whether a bot is late: then the run is begun again in another worker and played back to this place. */
  look() {
    if (!this.asked) return;
    const { handle, since } = this.asked;
    const past = (this.log[handle] ??= []);
    if (performance.now() - since < (past.length ? LIMIT : START_LIMIT)) return;
    // What the page itself was too busy to hear comes before the second look.
    if (++this.asked.looks < 2) return;
    past.push({ said: '', out: '', err: '', over: false, taken: 0, hung: true });
    this.listener.late?.();
    this.worker.terminate();
    this.start();
  }
}

/**
 * @param {{ args: string[], files?: Record<string, string | Uint8Array>, bot?: object | null }} order
 * @param {object} listener
 * @param {AbortSignal} [signal]
 */
export async function run({ args, files = {}, bot = null }, listener = {}, signal) {
  const [referee, play] = await Promise.all([load('referee.wasm'), load('play.wasm')]);
  signal?.throwIfAborted();
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  const started = new Run({ args, files, bot, seed, referee, play }, listener);
  signal?.addEventListener('abort', () => started.end(() => started.reject(signal.reason)));
  return started.result;
}
