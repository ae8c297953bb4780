// A page that is rewritten while a contest runs.

import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { editData } from '../fixtures.mjs';

const live = (classic, finished) =>
  editData(classic.page, `live-${finished}.html`, (data) => {
    data.live = { finished, done: 120, of: 224, stamp: 1 };
  });

/** Opens a live page of a server. */
async function served({ openThere, classic }, hash) {
  const path = live(classic, false);
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(readFileSync(path));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  return openThere(`http://127.0.0.1:${server.address().port}/${hash}`);
}

const RELOADED = `
  js (window.before=true) = true
  until js window.before = undefined
  there`;

export const checks = {
  'a live page reloads itself and keeps its place': async (tools) => {
    const page = await served(tools, '');
    await page.does(`
      text .live >> visible=true ~ 120 of 224 games
      click table.standings th:nth-child(2) button
      fill #filter = o
      js document.querySelector('details').open=true = true
      js scrollTo(0,300) ~
      ${RELOADED}
      until js scrollY = 300
      value #filter = o
      js document.querySelectorAll('table.standings th')[1].ariaSort = ascending
      js document.querySelector('details').open = true`);
  },

  'a replay on a live page keeps its position': async (tools) => {
    const page = await served(tools, '#game=3&shot=7');
    await page.does(`
      press f ArrowRight
      until js location.hash = #game=3&shot=8
      ${RELOADED}
      until value #replay-slider = 8
      until value #replay-view = 0`);
  },

  'a live page in a file says how to see more, and a finished one says nothing': async ({ open, classic }) => {
    const page = await open(live(classic, false));
    await page.does('text .live >> visible=true ~ while the contest ran, after 120 of 224 games');
    const finished = await open(live(classic, true));
    await finished.does('count .live:visible = 0');
  },
};
