// Makes pictures of pages in many states, to look at: node pictures.mjs REFEREE FOLDER PICTURES

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Browser, PHONE } from './browser.mjs';
import { address, HOSTILE, makeFixtures } from './fixtures.mjs';

const [referee, folder, pictures] = process.argv.slice(2).map((path) => resolve(path));
if (!pictures) {
  console.error('usage: node pictures.mjs REFEREE FOLDER PICTURES');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
mkdirSync(pictures, { recursive: true });
const fixtures = makeFixtures(referee, folder);
const classic = fixtures.classic.page;
const twist = fixtures.twist.page;
const hostile = encodeURIComponent(HOSTILE);
const middle = Math.floor(fixtures.classic.games[12].shots.length * 0.7);

/** The name of a picture, its page and the place in it, and how it is shown. */
const PICTURES = [
  ['report', classic, ''],
  ['report-dark', classic, '', { dark: true }],
  ['report-phone', classic, '', { viewport: PHONE }],
  ['report-print', classic, '', { print: true }],
  ['report-whole', classic, '', { whole: true }],
  ['games', classic, '#games=good-1,mediocre-3'],
  ['player', classic, '#player=good-1', { whole: true }],
  ['player-dark', classic, '#player=mediocre-3', { dark: true, whole: true }],
  ['player-phone', classic, '#player=mediocre-3', { viewport: PHONE, whole: true }],
  ['player-forfeits', classic, `#player=${hostile}`, { whole: true }],
  ['replay', classic, `#game=13&shot=${middle}`],
  ['replay-dark', classic, `#game=13&shot=${middle}`, { dark: true }],
  ['replay-phone', classic, `#game=13&shot=${middle}`, { viewport: PHONE }],
  ['replay-end', classic, '#game=13&shot=999', { whole: true }],
  ['twist', twist, '#game=5&shot=33', { viewport: { width: 1280, height: 1080 } }],
  ['twist-dark', twist, '#game=5&shot=33', { dark: true, viewport: { width: 1280, height: 1080 } }],
  ['twist-phone', twist, '#game=5&shot=33', { viewport: PHONE, whole: true }],
  ['twist-player', twist, '#player=good-1', { whole: true }],
];

const browser = await Browser.launch();
try {
  for (const [name, path, place, options = {}] of PICTURES) {
    await browser.picture(join(pictures, `${name}.png`), address(path, place), options);
    console.log(`${name}.png`);
  }
} finally {
  await browser.close();
}
