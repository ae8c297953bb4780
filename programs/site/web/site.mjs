// What all pages of the site have: the way back, light or dark, and a line that says how it stands.
// @ts-check

import { byId, el, setText } from './script/dom.mjs';
import { themeButton } from './script/theme.mjs';

const home = document.body.dataset.home === '' ? el('a', { href: 'index.html' }, 'Battleship') : null;
document.body.prepend(el('header', { class: 'topbar' }, el('nav', { 'aria-label': 'Way back' }, home), themeButton()));

/** Says how it stands, and whether that is bad news. */
export function tell(text, isBad = false) {
  const status = byId('status');
  status.classList.toggle('bad', isBad);
  setText(status, text);
}

/** Returns whether this browser can run the referee, and says so if it cannot. */
export function canRun() {
  const can = typeof WebAssembly === 'object' && typeof Worker === 'function';
  if (!can) {
    tell('This browser has no WebAssembly, which the referee needs: use a newer one, or install the referee.', true);
  }
  return can;
}

/** Returns what the referee says on standard error: its sentences, without what is of use at a terminal only. */
export function sentencesOf(stderr) {
  const lines = stderr.split('\n').map((line) => /^(?:referee|error): (.*)$/.exec(line)?.[1]);
  return lines.filter((line) => line && !line.startsWith('the report is in')).join('; ');
}

/** Returns a frame with a page, in place of another: a frame that goes to another page adds to the history. */
export function framed(old, html) {
  if (old.src) URL.revokeObjectURL(old.src);
  const src = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
  const frame = /** @type {HTMLIFrameElement} */ (el('iframe', { id: old.id, title: old.title, src }));
  old.replaceWith(frame);
  return frame;
}
