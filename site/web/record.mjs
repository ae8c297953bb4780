// The page that shows records: the referee makes its report of them, here in the browser.
// @ts-check

import './site.mjs';
import { byId, inputById, setText } from './script/dom.mjs';
import { canRun, run } from './referee.mjs';

const frame = /** @type {HTMLIFrameElement} */ (byId('report'));
const alone = /** @type {HTMLAnchorElement} */ (byId('alone'));

/** The name that the page of the report has among the files. */
const PAGE = 'report.html';

/** Says how it stands, and whether that is bad news. */
function tell(text, isBad = false) {
  byId('status').classList.toggle('bad', isBad);
  setText(byId('status'), text);
}

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
    // A name is no option, and no path.
    const names = chosen.map(({ name }, i) => `${i + 1}-${name.replace(/[^\w.-]/g, '_')}`);
    const bytes = await Promise.all(chosen.map((file) => file.arrayBuffer()));
    const files = Object.fromEntries(names.map((name, i) => [name, new Uint8Array(bytes[i])]));
    const done = await run({ args: ['report', ...names, '-o', PAGE], files }, {}, stopping.signal);
    const lines = done.stderr.trim().split('\n');
    if (!done.files[PAGE]) {
      tell(lines.pop().replace(/^referee: /, ''), true);
      return;
    }
    if (frame.src) URL.revokeObjectURL(frame.src);
    frame.src = URL.createObjectURL(new Blob([done.files[PAGE]], { type: 'text/html' }));
    frame.hidden = false;
    alone.href = frame.src;
    alone.hidden = false;
    tell(done.stderr.trim());
  } catch (error) {
    if (error.name !== 'AbortError') tell(`The report cannot be made: ${error.message}`, true);
  }
}

function open() {
  if (!canRun()) {
    tell('This browser has no WebAssembly, which the report needs: use a newer one, or install the referee.', true);
    return;
  }
  byId('files').addEventListener('change', () => show([...inputById('files').files]));
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    show([...event.dataTransfer.files]);
  });
}

open();
