// The site: the pages on which one plays, and opens records.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seriousFindings } from './access.mjs';
import { on, PHONE, tabTo } from './site.mjs';

const frameOf = (page) => page.frameLocator('iframe:not([hidden])');

/** Chooses what is to be played, and starts it. */
async function start(page, { game = 'classic', one = 'human', two = 'awful', apart = false, seed = '1' }) {
  await page.waitForSelector('#start:enabled');
  for (const [id, value] of Object.entries({ game, one, two })) await page.selectOption(`#${id}`, value);
  if (apart) await page.check('#apart');
  await page.fill('#seed', seed);
  await page.locator('#start').focus();
  await page.keyboard.press('Enter');
}

/** Places a random fleet in the frame, by keys. */
async function place(page) {
  const frame = frameOf(page);
  await frame.locator('#live-status', { hasText: 'Place your' }).waitFor();
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await frame.locator('#live-status', { hasText: 'Your turn' }).waitFor();
}

export const siteGamesChecks = {
  'a game against a bot is played to its end by the keyboard alone, and saved': async (tools) => {
    await on(tools, 'play.html', async (page) => {
      await page.waitForSelector('#start:enabled');
      assert.deepEqual(await seriousFindings(page), []);
      await start(page, { apart: true });
      await place(page);
      const frame = frameOf(page);
      await page.keyboard.press('t');
      await frame.locator('#live-status', { hasText: 'good would attack' }).waitFor();
      // What good would attack wins against awful.
      const over = frame.locator('button', { hasText: 'Rematch' });
      const advised = frame.locator('#live-status', { hasText: 'good would attack' });
      let sunk = 0;
      const asked = frame.locator('#live-status', { hasText: /Your turn|good would attack/ });
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
      assert.match(await frame.locator('body').innerText(), /You won in \d+/);
      const [file] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
      const path = await file.path();
      const record = JSON.parse(readFileSync(path, 'utf8'));
      assert.equal(record.winner, 'human');
      assert.equal(record.players[0].human, true);
      // The referee of this machine reads it, and finds the same end.
      assert.match(execFileSync(tools.referee, ['list', path], { encoding: 'utf8' }), /human won/);
      await frame.locator('button', { hasText: 'Rematch' }).click();
      await place(page);
    });
  },

  'every game can be played, and resigned': async (tools) => {
    for (const [game, ask] of Object.entries({ salvo: /choose shot 1 of/, twist: /choose a unit/ })) {
      await on(tools, 'play.html', async (page) => {
        await start(page, { game, two: 'good' });
        await place(page);
        const frame = frameOf(page);
        assert.match(await frame.locator('#live-status').innerText(), ask);
        await frame.getByRole('button', { name: 'Resign' }).first().click();
        await frame.locator('#live-resign-yes').click();
        await frame.locator('button', { hasText: 'Rematch' }).waitFor();
      });
    }
  },

  'two bots are watched': async (tools) => {
    await on(tools, 'play.html', async (page) => {
      await start(page, { one: 'mediocre', two: 'good', seed: '5' });
      const frame = frameOf(page);
      await frame.locator('#replay-slider').waitFor();
      assert.match(await frame.locator('body').innerText(), /mediocre against good/);
      await page.click('#other');
      await start(page, { one: 'human', two: 'human' });
      assert.ok(await page.locator('#two:invalid').count());
    });
  },

  'a record is opened, and a file that is none is refused': async (tools) => {
    await on(tools, 'record.html', async (page) => {
      const { folder } = tools.fixtures;
      const path = join(folder, 'site.jsonl.gz');
      const words = ['match', 'awful', 'mediocre', '--games', '30', '--seed', '2', '--out', path, '--force'];
      execFileSync(tools.referee, words, { stdio: 'ignore' });
      await page.setInputFiles('#files', path);
      const frame = frameOf(page);
      await frame.locator('table.standings').waitFor();
      assert.match(await frame.locator('table.standings').innerText(), /mediocre/);
      assert.deepEqual(await seriousFindings(page), []);
      const texts = { 'none.jsonl': 'no record\n', 'later.jsonl': '{"format":"battleship-contest","version":99}\n' };
      for (const [name, text] of Object.entries(texts)) {
        await page.setInputFiles('#files', { name, mimeType: 'text/plain', buffer: Buffer.from(text) });
        await page.locator('#status.bad').waitFor();
        assert.match(await page.locator('#status').innerText(), new RegExp(name));
      }
    });
  },

  'on a phone and in the dark the pages of games fit': async (tools) => {
    for (const name of ['play.html', 'record.html']) {
      await on(
        tools,
        name,
        async (page) => {
          if (name === 'play.html') await page.waitForSelector('#start:enabled');
          assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), PHONE.width, name);
          assert.deepEqual(await seriousFindings(page), [], name);
          if (name === 'record.html') return;
          await start(page, {});
          await place(page);
          await tabTo(page, '#start').catch(() => {});
        },
        { viewport: PHONE, colorScheme: 'dark' },
      );
    }
  },
};
