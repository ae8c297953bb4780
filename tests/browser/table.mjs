// Games that are played in the browser: the referee that serves one, and how a person plays there.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The referees that run. */
const running = new Set();

/** Ends what a check has left. */
export async function endAll() {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all([...running].map(({ ended }) => ended));
}

/** Starts `referee` with `--web` and waits for its link. */
export async function play(referee, folder, words) {
  const child = spawn(referee, [...words, '--web'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const game = { child, said: '', ended: once(child, 'close') };
  running.add(game);
  game.ended.then(() => running.delete(game));
  await new Promise((resolve, reject) => {
    child.stderr.on('data', (bytes) => {
      game.said += bytes;
      game.link = /http:\S+token=\S+/.exec(game.said)?.[0];
      if (game.link) resolve();
    });
    child.on('close', () => reject(new Error(`no link: ${game.said}`)));
  });
  return Object.assign(game, { origin: new URL(game.link).origin });
}

export const turnsOf = (page) => page.locator('#live-log tbody tr').count();

/** Returns whether the person is asked after more than `known` turns, or the game is over. */
export async function asked(page, known) {
  const isAsked = (count) => {
    if (document.body.dataset.view === 'replay') return true;
    const rows = document.querySelectorAll('#live-log tbody tr').length;
    return document.querySelector('.board.offered') && rows > count;
  };
  await page.waitForFunction(isAsked, known);
  return page.evaluate(() => document.body.dataset.view !== 'replay');
}
