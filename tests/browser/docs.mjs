// Makes the pictures of the documentation, and notes which pages they show: node docs.mjs REFEREE

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, open, PHONE } from './browser.mjs';
import { address } from './fixtures.mjs';

const PICTURES = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

/** Pages, and the words that make them of the records in the folder. */
const PAGES = {
  'cup.html': (out) => ['report', 'cup.jsonl', '-o', out],
  'twist.html': (out) => ['report', 'twist.jsonl', '--game', '1', '-o', out],
};

/** Pictures of games, which the referee draws itself; a test compares them byte by byte. */
const DRAWN = {
  'game.svg': ['report', 'cup.jsonl', '--game', '80'],
};

const REPLAY = '#game=80&shot=61';
const SMALL = { width: 1120, height: 700 };

/** The name of a picture, its page and the place in it, and how it is shown. */
const SHOWN = [
  ['report.png', 'cup.html', '', { viewport: SMALL }],
  ['report-dark.png', 'cup.html', '', { viewport: SMALL, dark: true }],
  ['charts.png', 'cup.html', '#cross', { viewport: { width: 1120, height: 820 } }],
  ['player.png', 'cup.html', '#player=Bluto', { viewport: { width: 1120, height: 1130 } }],
  ['games.png', 'cup.html', '#games=Olive,Bluto', { viewport: { width: 1120, height: 450 } }],
  ['replay.png', 'cup.html', REPLAY, { viewport: { width: 1120, height: 800 } }],
  ['replay-dark.png', 'cup.html', REPLAY, { viewport: { width: 1120, height: 800 }, dark: true }],
  ['twist.png', 'twist.html', '#game=1&shot=61', { viewport: { width: 1120, height: 1080 } }],
  ['phone.png', 'cup.html', REPLAY, { viewport: PHONE }],
];

const [referee] = process.argv.slice(2).map((path) => resolve(path));
if (!referee) {
  console.error('usage: node docs.mjs REFEREE');
  process.exit(2);
}
const run = (words) => execFileSync(referee, words, { cwd: PICTURES, stdio: ['ignore', 'ignore', 'inherit'] });
const folder = mkdtempSync(join(tmpdir(), 'pages-'));
const browser = await launch();
try {
  for (const [name, words] of Object.entries(PAGES)) run(words(join(folder, name)));
  for (const [name, words] of Object.entries(DRAWN)) run([...words, '--force', '-o', name]);
  const lines = [];
  for (const [name, page, place, options] of SHOWN) {
    const shown = await open(browser, address(join(folder, page), place), options);
    await shown.does('there');
    await shown.screenshot({ path: join(PICTURES, name) });
    lines.push(`${digest(join(folder, page))}  ${page}  ${name}\n`);
    console.log(name);
  }
  writeFileSync(join(PICTURES, 'shown'), lines.join(''));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** Returns the digest of a page without the version of the referee, which is in no picture. */
function digest(path) {
  const html = readFileSync(path, 'utf8');
  const version = /content="(referee [^"]*)"/.exec(html)[1];
  return createHash('sha256').update(html.replaceAll(version, 'referee')).digest('hex');
}
