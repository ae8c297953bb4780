// A page that is rewritten while a contest runs.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { address, editData } from '../fixtures.mjs';
import { arrived, textOf } from '../browser.mjs';

/** Serves a file on this machine while `use` runs with its address. */
async function served(path, use) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const live = (fixtures, finished) =>
  editData(fixtures.classic.page, `live-${finished}.html`, (data) => {
    data.live = { finished, done: 120, of: 224, stamp: 1 };
  });

export const liveChecks = {
  'a live page reloads itself and keeps its place': async ({ browser, fixtures }) => {
    await served(live(fixtures, false), async (url) => {
      const page = await browser.open(url);
      assert.match(await textOf(page, '.live >> visible=true'), /120 of 224 games/);
      await page.locator('table.standings th button').nth(1).click();
      await page.fill('#filter', 'o');
      await page
        .locator('details')
        .first()
        .evaluate((details) => (details.open = true));
      await page.evaluate(() => window.scrollTo(0, 300));
      await page.evaluate(() => (window.before = true));
      await page.waitForFunction(() => !window.before && document.body.dataset.view);
      await page.waitForFunction(() => window.scrollY === 300);
      assert.equal(await page.inputValue('#filter'), 'o');
      assert.equal(await page.locator('table.standings th').nth(1).getAttribute('aria-sort'), 'ascending');
      assert.equal(await page.locator('details').first().getAttribute('open'), '');
      assert.deepEqual(page.faults, []);
    });
  },

  'a replay on a live page keeps its position': async ({ browser, fixtures }) => {
    await served(live(fixtures, false), async (url) => {
      const page = await browser.open(`${url}#game=3&shot=7`);
      await page.keyboard.press('f');
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(() => location.hash === '#game=3&shot=8');
      await page.evaluate(() => (window.before = true));
      await page.waitForFunction(() => !window.before);
      await arrived(page);
      await page.waitForFunction(() => document.getElementById('replay-slider').value === '8');
      await page.waitForFunction(() => document.getElementById('replay-view').value === '0');
    });
  },

  'a live page in a file says how to see more, and a finished one says nothing': async ({ browser, fixtures }) => {
    const page = await browser.open(address(live(fixtures, false)));
    assert.match(await textOf(page, '.live >> visible=true'), /while the contest ran, after 120 of 224 games/);
    const finished = await browser.open(address(live(fixtures, true)));
    assert.equal(await finished.locator('.live:visible').count(), 0);
  },
};
