// The site: the pages on which one plays, and opens records.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PHONE, saved, site } from './site.mjs';

/** Starts a game: two players, and what else is chosen. */
const start = (one, two, game = 'classic', seed = 1) => `
  wait #start:enabled
  choose #game = ${game}
  choose #one = ${one}
  choose #two = ${two}
  fill #seed = ${seed}
  focus #start
  press Enter`;

const frameOf = (page) => page.frameLocator('iframe:not([hidden])');

/** Places a random fleet in the frame, by keys. */
async function place(page) {
  const frame = frameOf(page);
  await page.does('until text #live-status ~ Place your\npress r Enter\nuntil text #live-status ~ Your turn', frame);
  return frame;
}

export const checks = {
  'a game against a bot is played to its end by the keyboard alone, and saved': async (tools) => {
    const page = await site(tools, 'play.html');
    await page.does(`
      wait #start:enabled
      axe
      click #apart
      ${start('human', 'awful')}`);
    const frame = await place(page);
    // What good would attack wins against awful.
    const over = frame.locator('button', { hasText: 'Rematch' });
    const advised = frame.locator('#live-status', { hasText: 'good would attack' });
    const asked = frame.locator('#live-status', { hasText: /Your turn|good would attack/ });
    let sunk = 0;
    for (let turn = 0; turn < 100; turn++) {
      await asked.or(over).first().waitFor();
      if (await over.isVisible()) break;
      sunk = Math.max(sunk, await frame.locator('#live-seas .sunk').count());
      await page.keyboard.press('t');
      await advised.waitFor();
      await page.keyboard.press('Enter');
      // The tip is gone when the reply is taken.
      await advised.waitFor({ state: 'hidden' });
    }
    assert.ok(sunk > 10, `${sunk} cells of sunk ships are to be seen`);
    await page.does('text body ~ You won in \\d+', frame);
    const path = await saved(page, '#save');
    const record = JSON.parse(readFileSync(path, 'utf8'));
    assert.deepEqual([record.winner, record.players[0].human], ['human', true]);
    // The referee of this machine reads it, and finds the same end.
    assert.match(execFileSync(tools.referee, ['list', path], { encoding: 'utf8' }), /human won/);
    await over.click();
    await place(page);
  },

  'every game can be played, and resigned': async (tools) => {
    for (const [game, ask] of Object.entries({ salvo: 'choose shot 1 of', twist: 'choose a unit' })) {
      const page = await site(tools, 'play.html');
      await page.does(start('human', 'good', game));
      const lines = `
        text #live-status ~ ${ask}
        click button:text("Resign")
        click #live-resign-yes
        wait button:text("Rematch")`;
      await page.does(lines, await place(page));
    }
  },

  'two bots are watched': async (tools) => {
    const page = await site(tools, 'play.html');
    await page.does(start('mediocre', 'good', 'classic', 5));
    await page.does('wait #replay-slider\ntext body ~ mediocre against good', frameOf(page));
    await page.does(`
      click #other
      ${start('human', 'human')}
      count #two:invalid = 1`);
  },

  'a record is opened, and a file that is none is refused': async (tools) => {
    const page = await site(tools, 'record.html');
    const path = join(tools.folder, 'site.jsonl.gz');
    const words = ['match', 'awful', 'mediocre', '--games', '30', '--seed', '2', '--out', path, '--force'];
    execFileSync(tools.referee, words, { stdio: 'ignore' });
    await page.setInputFiles('#files', path);
    await page.does('wait table.standings\ntext table.standings ~ mediocre\naxe', frameOf(page));
    const texts = { 'none.jsonl': 'no record\n', 'later.jsonl': '{"format":"battleship-contest","version":99}\n' };
    for (const [name, text] of Object.entries(texts)) {
      await page.setInputFiles('#files', { name, mimeType: 'text/plain', buffer: Buffer.from(text) });
      await page.does(`until text #status.bad ~ ${name}`);
    }
  },

  'on a phone and in the dark the pages of games fit': async (tools) => {
    for (const name of ['play.html', 'record.html']) {
      const page = await site(tools, name, { viewport: PHONE, dark: true });
      if (name === 'play.html') await page.does('wait #start:enabled');
      await page.does(`
        js document.scrollingElement.scrollWidth = ${PHONE.width}
        axe`);
    }
  },
};
