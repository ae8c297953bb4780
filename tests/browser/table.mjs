// Games that are played in the browser: the referee that serves one, and how a person plays there.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The referees that run. */
const running = new Set();

/** Ends what a check that failed has left. */
export async function endAll() {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all([...running].map(({ ended }) => ended));
}

/** Starts `referee` with `--web` and waits for its link. */
export async function serve(referee, folder, ...words) {
  const child = spawn(referee, [...words, '--web'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const served = { child, out: '', said: '', ended: once(child, 'close') };
  running.add(served);
  served.ended.then(() => running.delete(served));
  child.stdout.on('data', (bytes) => (served.out += bytes));
  await new Promise((resolve, reject) => {
    child.stderr.on('data', (bytes) => {
      served.said += bytes;
      const link = /http:\S+token=\S+/.exec(served.said);
      if (!link) return;
      served.link = link[0];
      served.origin = new URL(served.link).origin;
      resolve();
    });
    child.on('close', () => reject(new Error(`no link: ${served.said}`)));
  });
  return served;
}

/** Lets `use` have a referee that serves a game, and ends it afterwards. */
export async function served(referee, folder, words, use) {
  const game = await serve(referee, folder, ...words);
  try {
    await use(game);
  } finally {
    game.child.kill('SIGINT');
    await game.ended;
  }
}

/** Waits until the page says something. */
export const says = (page, words) =>
  page.waitForFunction((text) => document.getElementById('live-status').textContent.includes(text), words);

/** Returns whether the person is asked once more, or the game is over. */
export async function asked(page, known) {
  const isAsked = (count) => {
    if (document.body.dataset.view === 'replay') return true;
    const rows = document.querySelectorAll('#live-log tbody tr').length;
    return document.querySelector('.board.offered') && rows > count;
  };
  await page.waitForFunction(isAsked, known);
  return page.evaluate(() => document.body.dataset.view !== 'replay');
}

export const turnsOf = (page) => page.locator('#live-log tbody tr').count();
