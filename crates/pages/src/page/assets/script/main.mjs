// Starts the page.
// @ts-check

import { byId } from './dom.mjs';
import { setData } from './data.mjs';
import { startOverview } from './overview.mjs';
import { startBar, startReplay, visit } from './places.mjs';
import { restorePlace, startLive } from './running.mjs';

async function start() {
  setData(JSON.parse(byId('page-data').textContent));
  startBar();
  startReplay();
  startOverview();
  window.addEventListener('hashchange', () => visit(false));
  await visit(true);
  restorePlace();
  startLive();
}

start();
