// Runs the checks of the pages in a browser, a line for each: node run.mjs REFEREE FOLDER [GROUP [WORDS OF A NAME]]
// Without a group it only makes the records and pages that the checks look at.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { launch, LONGEST_MS, open } from './browser.mjs';
import { address, makeFixtures } from './fixtures.mjs';
import { endAll, play } from './table.mjs';

const [referee, folder, group, words = ''] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node run.mjs REFEREE FOLDER [GROUP [WORDS OF A NAME]]');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const fixtures = makeFixtures(resolve(referee), resolve(folder));
const checks = group ? (await import(`./checks/${group}.mjs`)).checks : {};
const browser = await launch();

/** What a check uses: pages that are opened are to have no faults at its end, and to have asked nothing of others. */
const tools = { ...fixtures, browser, referee: resolve(referee), pages: [] };
tools.openAt = async (url, options) => {
  const page = await open(browser, url, options);
  tools.pages.push(page);
  return page;
};
tools.openThere = async (url, options) => {
  const page = await tools.openAt(url, options);
  await page.does('there');
  return page;
};
tools.open = (path, hash = '', options = {}) => tools.openThere(address(path, hash), options);
/** Opens the game that the referee serves for these words. */
tools.plays = async (words, options) => {
  const game = await play(tools.referee, folder, words);
  return Object.assign(await tools.openThere(game.link, options), game);
};

class Late extends Error {}

/** Waits for what `run` does, but not for ever. */
function limited(run) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Late(`no end after ${LONGEST_MS / 1000} s`)), LONGEST_MS);
  });
  return Promise.race([run(), late]).finally(() => clearTimeout(timer));
}

/** Returns what each open page shows, for the reader of a failure. */
async function shown() {
  const texts = tools.pages.map(async (page) => {
    const text = await page.locator('body').innerText({ timeout: 5000 });
    return `\n${page.url()} shows: ${text.slice(0, 1000)}`;
  });
  return (await Promise.allSettled(texts)).map(({ value }) => value ?? '').join('');
}

for (const [name, check] of Object.entries(checks).filter(([name]) => name.includes(words))) {
  const start = Date.now();
  try {
    await limited(async () => {
      await check(tools);
      const others = (page) =>
        page.requests.filter((url) => !/^(file|blob|data):|\/\/(127\.0\.0\.1|localhost):/.test(url));
      const faults = tools.pages.flatMap((page) => [...page.faults, ...others(page)]);
      assert.deepEqual(faults, []);
    });
    console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAILED  ${name}\n${(error.stack + (await shown())).replace(/^/gm, '        ')}`);
    // What hangs once would do so in the checks that follow.
    if (error instanceof Late) break;
  }
  await endAll();
  for (const context of browser.contexts()) await context.close();
  tools.pages.length = 0;
}
await browser.close();
