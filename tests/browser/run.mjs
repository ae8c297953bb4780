// Runs the checks of the pages in a browser, a line for each: node run.mjs REFEREE FOLDER [GROUP [WORDS OF A NAME]]

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Browser, LONGEST_MS } from './browser.mjs';
import { accessChecks } from './checks/access.mjs';
import { decoderChecks } from './checks/decoder.mjs';
import { liveChecks } from './checks/live.mjs';
import { overviewChecks } from './checks/overview.mjs';
import { playChecks } from './checks/play.mjs';
import { replayChecks } from './checks/replay.mjs';
import { siteChecks } from './checks/site.mjs';
import { siteGamesChecks } from './checks/site_games.mjs';
import { makeFixtures } from './fixtures.mjs';
import { endAll } from './table.mjs';

const GROUPS = {
  decoder: decoderChecks,
  overview: overviewChecks,
  replay: replayChecks,
  access: accessChecks,
  live: liveChecks,
  play: playChecks,
};
if (process.env.SITE) Object.assign(GROUPS, { site: siteChecks, site_games: siteGamesChecks });

class Late extends Error {}

/** Waits for what `run` does, but not for ever. */
function limited(run) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Late(`no end after ${LONGEST_MS / 1000} s`)), LONGEST_MS);
  });
  return Promise.race([Promise.resolve().then(run), late]).finally(() => clearTimeout(timer));
}

/** Returns what each open page shows, for the reader of a failure. */
async function shown(browser) {
  const pages = browser.chromium.contexts().flatMap((context) => context.pages());
  const texts = pages.map(async (page) => {
    const text = await page.locator('body').innerText({ timeout: 5000 });
    return `\n${page.url()} shows: ${text.slice(0, 1000)}`;
  });
  const settled = await Promise.allSettled(texts);
  return settled.map(({ value }) => value ?? '').join('');
}

const [referee, folder, group, words = ''] = process.argv.slice(2);
if (!folder || (group && !GROUPS[group])) {
  console.error(`usage: node run.mjs REFEREE FOLDER [${Object.keys(GROUPS).join('|')} [WORDS OF A NAME]]`);
  process.exit(2);
}
const checks = Object.assign({}, ...(group ? [GROUPS[group]] : Object.values(GROUPS)));
mkdirSync(folder, { recursive: true });
const fixtures = makeFixtures(resolve(referee), resolve(folder));
const browser = await Browser.launch();
let failed = 0;
try {
  for (const [name, check] of Object.entries(checks).filter(([name]) => name.includes(words))) {
    const start = Date.now();
    try {
      await limited(() => check({ browser, fixtures, referee: resolve(referee) }));
      console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${(error.stack + (await shown(browser))).replace(/^/gm, '        ')}`);
      // What hangs once would do so in the checks that follow.
      if (error instanceof Late) break;
    }
    await endAll();
    for (const context of browser.chromium.contexts()) await context.close();
  }
} finally {
  await browser.close();
}
process.exitCode = failed === 0 ? 0 : 1;
