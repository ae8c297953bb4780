// The page on which one writes a bot: it is edited, checked, and plays; all of it by the referee's own commands.
// @ts-check

import { byId, dialogById, el, inputById, recall, remember, selectById } from './script/dom.mjs';
import { edit, hasPython } from './editor.mjs';
import { load, prepare, run } from './referee.mjs';
import { canRun, sentencesOf, tell } from './site.mjs';
import { levelsOf } from './table.mjs';
import { zip } from './zip.mjs';

/** How much of what a bot prints is shown. */
const MOST_PRINTED = 64 << 10;

const GAMES = 100;

const LANGUAGES = {
  javascript: { command: 'mybot=node bot.js', strategy: 'strategy.js', label: 'strategy.js, in JavaScript' },
  python: { command: 'mybot=python3 bot.py', strategy: 'strategy.py', label: 'strategy.py, in Python' },
};

/** The folder in which `referee new` writes a kit. */
const FOLDER = 'mybot';

const buttons = ['check', 'play', 'match', 'download', 'again'].map(byId);
const language = selectById('language');
const editor = edit(byId('editor'), (text) => {
  bot.text = text;
  remember('localStorage', storageKey(), text);
});
const storageKey = () => `battleship-bot ${language.value}`;

/** The kit's files by their paths, and the text of its strategy as it is edited. */
const bot = { files: {}, text: '' };

/** Stops what runs. */
let stopping = null;

const allFiles = () => ({ ...bot.files, [LANGUAGES[language.value].strategy]: new TextEncoder().encode(bot.text) });

/** Returns the files that are the program. */
function program() {
  const files = Object.entries(allFiles()).filter(([name]) => /^(bot|strategy)\.\w+$/.test(name));
  return Object.fromEntries(files.map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]));
}

/** Shows what the bot prints to standard error. */
function print(text) {
  byId('printed').hidden = false;
  const all = byId('said').textContent + text;
  byId('said').textContent = all.length > MOST_PRINTED ? `… ${all.slice(-MOST_PRINTED)}` : all;
}

function clear() {
  for (const id of ['steps', 'table', 'shown', 'printed']) byId(id).hidden = true;
  for (const id of ['steps', 'said', 'table']) byId(id).replaceChildren();
  for (const link of byId('shown').querySelectorAll('a')) URL.revokeObjectURL(link.href);
  byId('shown').replaceChildren();
}

function setBusy(isBusy) {
  for (const button of buttons) /** @type {HTMLButtonElement} */ (button).disabled = isBusy;
  /** @type {HTMLButtonElement} */ (byId('stop')).disabled = !isBusy;
  language.disabled = isBusy;
}

/** Returns a sentence on why something could not be done, and shows the place if it is one of the bot's. */
function explained(error) {
  if (error.name === 'AbortError') return 'Stopped.';
  if (!error.problem) return `This did not work: ${error.message}`;
  const { file, line, message } = error.problem;
  if (line && file === LANGUAGES[language.value].strategy) editor.goTo(line);
  return `${file}${line ? `, line ${line}` : ''}: ${message}.`;
}

/** Runs a command with the bot; `heed` gets its lines and what the bot says. Returns null if it was not finished. */
async function command(name, args, heed = {}) {
  clear();
  const pressed = /** @type {HTMLElement} */ (document.activeElement);
  setBusy(true);
  stopping = new AbortController();
  tell(language.value === 'python' ? 'Python is loading.' : `${name} begins.`);
  byId('status').scrollIntoView({ block: 'nearest' });
  const listener = {
    ready: () => tell(`${name} runs.`),
    ...heed,
    late: () => {
      print('(It did not answer in time, and was ended.)\n');
      heed.late?.();
    },
    said: (entry, isOwn) => {
      if (entry.err) print(entry.err);
      if (isOwn) heed.said?.(entry);
    },
  };
  try {
    const order = { args, bot: { language: language.value, files: program() } };
    return await run(order, listener, stopping.signal);
  } catch (error) {
    tell(explained(error), error.name !== 'AbortError');
    return null;
  } finally {
    setBusy(false);
    byId('status').scrollIntoView({ block: 'nearest' });
    // A button that is disabled loses the focus of who presses it.
    if (document.activeElement === document.body) pressed.focus();
  }
}

/** Shows a line of `referee check`: a step, or more of the last one. */
function showStep(line) {
  byId('steps').hidden = false;
  const step = /^(\S+) +([\d-]+) +(.*)$/.exec(line);
  if (step) {
    const [, word, number, text] = step;
    byId('steps').append(el('li', { class: word.toLowerCase() }, el('b', {}, word), ` ${number} ${text}`));
  } else if (line.startsWith(' ')) {
    const last = byId('steps').lastElementChild;
    if (!last.querySelector('pre')) last.append(el('pre', { tabindex: 0, 'aria-label': 'The cause' }));
    last.querySelector('pre').append(`${line.trim()}\n`);
  } else if (line) {
    tell(line, line.includes('not keep'));
  }
}

async function check() {
  const done = await command('The check', ['check', LANGUAGES[language.value].command], {
    line: (stream, line) => (stream === 1 ? showStep(line) : print(`${line}\n`)),
  });
  if (done && done.stdout === '') tell(sentencesOf(done.stderr), true);
}

/** Shows a page that the referee has made, and offers the record. */
function showPage(title, files) {
  const address = (name, type) => URL.createObjectURL(new Blob([files[name]], { type }));
  const page = address('page.html', 'text/html');
  byId('shown').hidden = false;
  byId('shown').append(
    el('iframe', { title, src: page }),
    el('p', {}, el('a', { href: page, target: '_blank' }, 'Open in a tab of its own'), [
      el('a', { href: address('record.jsonl', 'application/jsonl'), download: 'record.jsonl' }, 'Save the record'),
    ]),
  );
  byId('shown').scrollIntoView({ block: 'nearest' });
}

/** Returns the options that the page sets. */
function options() {
  const seed = inputById('seed').value.trim();
  return [selectById('opponent').value, ...(seed ? ['--seed', seed] : [])];
}

/** Shows how a run has ended: by `text` and its page, or by what the referee says if it made none. */
function showEnd(done, title, text, isBad = false) {
  if (!done) return;
  const isMade = text !== '' && Boolean(done.files['page.html']);
  tell(isMade ? text : sentencesOf(done.stderr), isBad || !isMade);
  if (isBad) /** @type {HTMLDetailsElement} */ (byId('printed')).open = true;
  if (isMade) showPage(title, done.files);
}

async function play() {
  const words = ['--no-pause', '--report', 'page.html', '--out', 'record.jsonl'];
  const done = await command('The game', ['play', LANGUAGES[language.value].command, ...options(), ...words]);
  const lines = (done?.stdout ?? '').trim().split('\n');
  const forfeits = lines.filter((line) => line.includes(' forfeits: '));
  showEnd(done, 'The game', [...forfeits, lines.at(-1)].join(' '), forfeits.length > 0);
}

async function match() {
  const points = { won: 0, lost: 0, void: 0 };
  const count = (how) => {
    points[how] += 1;
    const games = points.won + points.lost + points.void;
    // Screen readers say each: not too many.
    if (games % 10 === 0) tell(`${games} of ${GAMES} games: ${points.won} won, ${points.lost} lost.`);
  };
  const words = ['--games', String(GAMES), '--report', 'page.html', '--out', 'record.jsonl'];
  const done = await command('The match', ['match', LANGUAGES[language.value].command, ...options(), ...words], {
    said: (entry) => [...entry.said.matchAll(/^end (won|lost|void) /gm)].forEach(([, how]) => count(how)),
    late: () => count('lost'),
  });
  if (done) {
    byId('table').hidden = false;
    byId('table').textContent = done.stdout || done.stderr;
  }
  showEnd(done, 'The match', `All ${GAMES} games are played.`);
}

function download() {
  const files = Object.entries(allFiles()).map(([name, bytes]) => [`${FOLDER}/${name}`, bytes]);
  const href = URL.createObjectURL(zip(Object.fromEntries(files)));
  el('a', { href, download: `${FOLDER}.zip` }).click();
  tell(
    `${FOLDER}.zip has the whole bot: unpack it, and try referee check "${LANGUAGES[language.value].command}" in it.`,
  );
}

/** Offers the opponents, once. */
async function offerOpponents() {
  const opponent = selectById('opponent');
  if (opponent.options.length > 0) return;
  const levels = levelsOf(await load('play.wasm'));
  opponent.replaceChildren(...levels.map(({ name, words }) => el('option', { value: name }, words)));
  opponent.value = 'mediocre';
}

/** Gets the kit of the chosen language, and shows the strategy that was kept, or the kit's. */
async function open() {
  const { files } = await run({ args: ['new', language.value, FOLDER] });
  const { strategy, label } = LANGUAGES[language.value];
  bot.files = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path.slice(FOLDER.length + 1), bytes]));
  bot.text = recall('localStorage', storageKey()) ?? new TextDecoder().decode(bot.files[strategy]);
  editor.show(bot.text, language.value, label);
}

async function choose() {
  remember('localStorage', 'battleship-language', language.value);
  clear();
  setBusy(true);
  tell('The referee is loading.');
  try {
    await Promise.all([offerOpponents(), open()]);
    prepare(language.value);
    setBusy(false);
    tell('');
  } catch (error) {
    tell(`${explained(error)} Reload the page to try again.`, true);
  } finally {
    language.disabled = false;
    byId('stop').setAttribute('disabled', '');
  }
}

function startOver() {
  dialogById('ask').close();
  remember('localStorage', storageKey(), null);
  choose();
}

function start() {
  const python = language.querySelector('[value=python]');
  if (!hasPython) {
    python.setAttribute('disabled', '');
    python.textContent = 'Python (not on this site)';
  }
  const last = recall('localStorage', 'battleship-language');
  if (last === 'javascript' || (last === 'python' && hasPython)) language.value = last;
  if (!canRun()) return;
  const actions = { check, play, match, download, again: () => dialogById('ask').showModal(), replace: startOver };
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', () => action());
  byId('keep').addEventListener('click', () => dialogById('ask').close());
  byId('stop').addEventListener('click', () => stopping?.abort());
  language.addEventListener('change', choose);
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKey())
      tell('Another tab has changed this bot. Reload to get that; a change here replaces it.', true);
  });
  choose();
}

start();
