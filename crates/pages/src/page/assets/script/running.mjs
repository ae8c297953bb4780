// A page that is made while a contest runs.
// @ts-check

import { inputById, recall, remember, selectById, setText } from './dom.mjs';
import { data } from './data.mjs';
import { sortTable } from './tables.mjs';
import { replay } from './places.mjs';

const RELOAD_MILLISECONDS = 5000;
const placeKey = () => `referee-page ${location.pathname}`;

/** Says how far the contest is. A page that a server sent is reloaded, and then looks as before. */
export function startLive() {
  const { live } = data;
  if (!live || live.finished) return;
  const text = document.querySelector('.live');
  const progress = `${live.done} of ${live.of} games`;
  if (!/^https?:$/.test(location.protocol)) {
    setText(text, `Made while the contest ran, after ${progress}. Reload the page, or make it again, to see more.`);
    return;
  }
  setText(text, `${progress}, live`);
  setInterval(() => {
    const typing = document.activeElement && document.activeElement.localName === 'select';
    if (document.hidden || typing || replay.isPlaying() || document.querySelector('dialog[open]')) return;
    remember('sessionStorage', placeKey(), JSON.stringify(placeNow()));
    location.reload();
  }, RELOAD_MILLISECONDS);
}

/** What a reload would lose. */
function placeNow() {
  const sorted = /** @type {HTMLTableCellElement} */ (document.querySelector('table.standings th[aria-sort]'));
  const filter = inputById('filter');
  return {
    scroll: window.scrollY,
    filter: filter ? filter.value : '',
    typing: document.activeElement === filter,
    view: selectById('replay-view').value,
    open: [...document.querySelectorAll('details')].map((details) => details.open),
    sort: sorted ? [sorted.cellIndex, sorted.getAttribute('aria-sort') === 'descending'] : null,
  };
}

export function restorePlace() {
  const saved = recall('sessionStorage', placeKey());
  remember('sessionStorage', placeKey(), null);
  if (!saved) return;
  const place = JSON.parse(saved);
  const filter = inputById('filter');
  const standings = document.querySelector('table.standings');
  if (filter && place.filter) {
    filter.value = place.filter;
    filter.dispatchEvent(new Event('input'));
  }
  if (filter && place.typing) filter.focus();
  if (standings && place.sort) sortTable(standings, ...place.sort);
  [...document.querySelectorAll('details')].forEach((details, i) => (details.open = Boolean(place.open[i])));
  if (replay.game && place.view) {
    selectById('replay-view').value = place.view;
    replay.show();
  }
  window.scrollTo(0, place.scroll);
}
