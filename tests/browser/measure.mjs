// Measures how soon a page can be used: node measure.mjs PAGE [GAME]. Medians of several openings, in milliseconds.
//
// "table" is the time from the navigation until the standings have been sorted by a click; "replay" the time from the
// change of the address to a game until its boards show the last attack.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from './browser.mjs';

const [file, game = '1'] = process.argv.slice(2);
if (!file) {
  console.error('usage: node measure.mjs PAGE [GAME]');
  process.exit(2);
}
const address = pathToFileURL(resolve(file)).href;
const OPENINGS = 7;

const table = () => {
  document.querySelector('table.standings button.sort').click();
  return performance.now();
};

const replay = (number) =>
  new Promise((done) => {
    const begun = performance.now();
    location.hash = `#game=${number}&shot=1`;
    const look = () => {
      if (document.querySelector('#replay:not([hidden]) .last')) done(performance.now() - begun);
      else requestAnimationFrame(look);
    };
    look();
  });

const median = (times) => times.toSorted((one, two) => one - two)[Math.floor(times.length / 2)].toFixed(0);

const browser = await Browser.launch();
const tables = [];
const replays = [];
try {
  for (let i = 0; i < OPENINGS; i++) {
    const page = await browser.open(address);
    tables.push(await page.evaluate(table));
    replays.push(await page.evaluate(replay, game));
    await page.context().close();
  }
} finally {
  await browser.close();
}
const size = (statSync(file).size / 1e6).toFixed(2);
console.log(`${file}: ${size} MB, table ${median(tables)} ms, replay ${median(replays)} ms`);
