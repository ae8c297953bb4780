// The page that shows records: the referee makes its report of them, here in the browser.
// @ts-check

import { byId, inputById } from './script/dom.mjs';
import { run } from './referee.mjs';
import { canRun, framed, sentencesOf, tell } from './site.mjs';

let frame = /** @type {HTMLIFrameElement} */ (byId('report'));
const alone = /** @type {HTMLAnchorElement} */ (byId('alone'));

/** The name that the page of the report has among the files. */
const PAGE = 'report.html';

let stopping = new AbortController();

/** Shows what is in these records. @param {File[]} chosen */
async function show(chosen) {
  if (chosen.length === 0) return;
  stopping.abort();
  stopping = new AbortController();
  frame.hidden = true;
  alone.hidden = true;
  tell('The report is made.');
  try {
    // A name is not an option or a path, and names one file.
    const safe = chosen.map(({ name }) => name.replace(/^-|[^\w.-]/g, '_'));
    const names = safe.map((name, i) => (safe.indexOf(name) < i ? `${i + 1}-${name}` : name));
    const bytes = await Promise.all(chosen.map((file) => file.arrayBuffer()));
    const files = Object.fromEntries(names.map((name, i) => [name, new Uint8Array(bytes[i])]));
    const done = await run({ args: ['report', ...names, '-o', PAGE], files }, {}, stopping.signal);
    const isMade = Boolean(done.files[PAGE]);
    tell(sentencesOf(done.stderr), !isMade);
    if (!isMade) return;
    frame = framed(frame, done.files[PAGE]);
    alone.href = frame.src;
    alone.hidden = false;
  } catch (error) {
    if (error.name !== 'AbortError') tell(`The report cannot be made: ${error.message}`, true);
  }
}

function open() {
  if (!canRun()) return;
  byId('files').addEventListener('change', () => show([...inputById('files').files]));
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    show([...event.dataTransfer.files]);
  });
}

open();
