// Games that a person plays in the browser, and records that are watched there.

import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PHONE } from '../browser.mjs';
import { seriousFindings } from './access.mjs';
import { asked, says, serve, served, turnsOf } from '../table.mjs';

const CLASSIC = ['play', 'human', 'awful', '--seed', '3'];
const TWIST = ['play', 'human', 'awful', '--rules', 'twist', '--first', '1', '--seed', '1'];

/** The cells of the twist board on which awful places its units: by row, from the first column on. */
const AWFULS_FLEET = [
  [0, 5],
  [2, 5],
  [4, 5],
  [6, 3],
  [8, 3],
  [10, 3],
  [1, 1],
  [3, 1],
].flatMap(([row, length]) => Array.from({ length }, (_, col) => 12 * row + col));

/** Attacks the cells of the usual board in order with `attack`, from `first` on, until the game is over. `attack`
    returns false for a cell that it leaves out. */
async function attackAll(page, attack, first = 0) {
  for (let cell = first; cell < 100; cell++) {
    const known = await turnsOf(page);
    if ((await attack(cell)) === false) continue;
    if (!(await asked(page, known + 1))) return;
  }
}

/** Waits for the replay, and returns what it says of the end. */
async function ended(page) {
  await page.waitForFunction(
    () => document.body.dataset.view === 'replay' && !document.getElementById('replay-stage').hidden,
  );
  return page.locator('#replay-result').innerText();
}

/** Returns the numbers of the cells of a board whose sign is this letter. */
const cellsWith = (page, board, letter) =>
  page.evaluate(
    ([name, sign]) =>
      [...document.querySelectorAll(`#live-${name} tbody td`)].flatMap((cell, i) =>
        cell.querySelector('i')?.textContent === sign ? [i] : [],
      ),
    [board, letter],
  );

/** Asks for something with exactly these headers, and returns the status. */
function status(origin, path, headers, method = 'GET') {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(origin);
    const asking = request({ hostname, port, path, method, headers: { host, ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asking.on('error', reject);
    asking.end();
  });
}

export const playChecks = {
  'a classic game is placed and won by clicks, through a reload': async ({ browser, fixtures, referee }) => {
    await served(referee, fixtures.folder, CLASSIC, async ({ link, origin }) => {
      const page = await browser.open(link);
      assert.equal(new URL(page.url()).search, '', 'the token leaves the address');
      await says(page, 'Place your aircraft carrier, 5 cells long.');
      await page.hover('#live-own-7');
      await page.locator('#live-own .outline.bad').first().waitFor();
      await page.click('#live-own-7');
      assert.equal(await page.locator('#live-problem').innerText(), 'The ship has no room there.');
      await page.click('#live-own-0');
      await page.click('text=Turn the ship');
      await page.click('#live-own-10');
      await page.click('text=Take back');
      await says(page, 'Place your battleship');
      await page.click('text=Turn the ship');
      await page.click('#live-own-10');
      await page.click('text=Turn the ship');
      await page.reload();
      await says(page, 'Place your destroyer');
      assert.equal(await page.locator('#live-own .ship').count(), 9);
      await page.click('text=Turn the ship');
      for (const cell of [20, 30, 40]) await page.click(`#live-own-${cell}`);
      await says(page, 'All ships are placed.');
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole('button', { name: 'Ready' }).click();
      await says(page, 'Your turn: choose a cell to attack.');
      await page.click('#live-foe-0');
      await asked(page, 1);
      await page.reload();
      await asked(page, 1);
      assert.equal(await turnsOf(page), 2);
      assert.equal(await page.evaluate(() => sessionStorage.getItem('referee-draft /')), null, 'the draft is gone');
      await page.click('#live-foe-0');
      const again = page.getByText('You have attacked (0,0) before; choose another cell.');
      await again.waitFor();
      await says(page, 'Your turn');
      assert.match(page.faults.pop(), /422/);
      assert.equal(await page.locator('#live-own .ship, #live-own .hit').count(), 17);
      assert.equal(await page.locator('#live-foe .ship').count(), 0);
      assert.deepEqual(await seriousFindings(page), []);
      await attackAll(page, (cell) => page.click(`#live-foe-${cell}`), 1);
      assert.match(await ended(page), /^human won\./);
      assert.match(page.url(), /#game=1&shot=\d+$/);
      await page.keyboard.press('Home');
      await page.waitForFunction(() => document.getElementById('replay-place').textContent.startsWith('turn 0'));
      await page.waitForURL(/shot=0$/);
      await page.reload();
      await page.waitForFunction(() => document.getElementById('replay-place').textContent.startsWith('turn 0'));
      await page.keyboard.press('End');
      assert.match(await ended(page), /^human won\./);
      assert.deepEqual(page.faults, []);
      assert.ok(page.requests.every((address) => address.startsWith(origin)));
    });
  },

  'a game of salvos is won by choosing all shots of each': async ({ browser, fixtures, referee }) => {
    await served(referee, fixtures.folder, [...CLASSIC, '--rules', 'salvo', '--apart'], async ({ link }) => {
      const page = await browser.open(link);
      await says(page, 'Place your');
      for (const key of ['r', 'Enter']) await page.keyboard.press(key);
      await says(page, 'Your turn: choose shot 1 of 5');
      for (const cell of [7, 8, 8]) await page.click(`#live-foe-${cell}`);
      await page.getByText('You have shot there before.').waitFor();
      assert.equal(await page.locator('#live-foe .chosen').count(), 2);
      await page.keyboard.press('u');
      await says(page, 'choose shot 2 of 5');
      await page.keyboard.press('u');
      assert.equal(await turnsOf(page), 0);
      let cell = 0;
      for (let goesOn = true; goesOn;) {
        const shots = await page.evaluate(() =>
          Number(/of (\d)/.exec(document.getElementById('live-status').textContent)?.[1] || 1),
        );
        const known = await turnsOf(page);
        // The last salvo may have more shots than there are cells left; then the game is over before.
        for (let shot = 0; shot < shots; shot++) await page.click(`#live-foe-${cell++}`);
        goesOn = await asked(page, known + shots);
      }
      assert.match(await ended(page), /^human won\./);
      assert.deepEqual(page.faults, []);
    });
  },

  'a classic game is placed and won by keys': async ({ browser, fixtures, referee }) => {
    const record = join(fixtures.folder, `keys-${Date.now()}.jsonl`);
    await served(referee, fixtures.folder, [...CLASSIC, '--record', record], async ({ link }) => {
      const page = await browser.open(link);
      await says(page, 'Place your');
      const press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      await press('v', 'Enter', 'u', 'v');
      await says(page, 'Place your aircraft carrier');
      for (let ship = 0; ship < 5; ship++) await press('Enter', 'ArrowDown');
      await says(page, 'All ships are placed.');
      await press('x');
      await says(page, 'Place your aircraft carrier');
      await press('r', 'Enter');
      await says(page, 'Your turn');
      // One cell is typed, the others are reached by the arrows.
      await press('/');
      await page.keyboard.type('Z9');
      await press('Enter');
      assert.match(await page.locator('#live-problem').innerText(), /“Z9” is not a cell of the board/);
      await page.fill('#live-type', 'B7');
      await press('Enter');
      await asked(page, 1);
      assert.match(await page.locator('#live-log tbody tr').last().innerText(), /\(1,7\)/);
      await press('Escape', 'ArrowUp');
      for (let col = 7; col > 0; col--) await press('ArrowLeft');
      await attackAll(page, async (cell) => {
        if (cell > 0) await press('ArrowRight');
        if (cell > 0 && cell % 10 === 0) await press('ArrowDown');
        // It was attacked first, as B7.
        if (cell === 17) return false;
        await press('Enter');
        return true;
      });
      assert.match(await ended(page), /^human won\./);
      assert.deepEqual(page.faults, []);
    });
    const game = JSON.parse(readFileSync(record, 'utf8'));
    assert.equal(game.winner, 'human');
    assert.deepEqual(game.shots[0].slice(0, 3), [0, 1, 7]);
  },

  'a twist game is placed and won by clicks': async ({ browser, fixtures, referee }) => {
    await served(referee, fixtures.folder, TWIST, async ({ link }) => {
      const page = await browser.open(link);
      await says(page, 'Place your battleship, 5 cells long.');
      for (const cell of [60, 72, 84, 96, 108, 120, 132, 143]) await page.click(`#live-own-${cell}`);
      await page.getByRole('button', { name: 'Ready' }).click();
      await says(page, 'Your turn: choose a unit.');
      await page.click('#live-own-0');
      assert.equal(await page.locator('#live-problem').innerText(), 'None of your units is there.');
      // A submarine moves to where it sees what awful placed.
      await page.click('#live-own-143');
      await says(page, 'exploration submarine moves');
      assert.equal(await page.locator('#live-own .possible').count(), 144 - 25);
      await page.click('#live-own-60');
      await says(page, 'battleship fires');
      await page.click('#live-own-143');
      await page.click('#live-own-26');
      await asked(page, 1);
      assert.equal((await cellsWith(page, 'foe', 'Y')).length, 17);
      assert.deepEqual(await seriousFindings(page), []);
      for (const target of AWFULS_FLEET) {
        const known = await turnsOf(page);
        await page.click('#live-own-62');
        await says(page, 'choose a target');
        await page.click(`#live-foe-${target}`);
        if (!(await asked(page, known + 1))) break;
      }
      assert.match(await ended(page), /^human won\./);
      assert.equal(await page.locator('#replay-seas .board:visible').count(), 4);
      assert.deepEqual(page.faults, []);
    });
  },

  'a twist game is placed and won by keys': async ({ browser, fixtures, referee }) => {
    await served(referee, fixtures.folder, TWIST, async ({ link }) => {
      const page = await browser.open(link);
      await says(page, 'Place your battleship');
      const type = async (...cells) => {
        for (const cell of cells) {
          await page.keyboard.type(cell);
          await page.keyboard.press('Enter');
        }
      };
      // The first by arrows, the others typed.
      for (let row = 0; row < 5; row++) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await says(page, 'Place your battleship');
      await page.keyboard.press('/');
      await type('G1', 'H1', 'I1', 'L1', 'M1', 'N1', 'N12');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      await says(page, 'choose a unit');
      // Tab goes from unit to unit, by their centres.
      const board = page.locator('#live-own');
      await board.focus();
      const seen = new Set();
      for (let unit = 0; unit < 3; unit++) {
        await page.keyboard.press('Shift+Tab');
        const cell = await board.getAttribute('aria-activedescendant');
        assert.ok(await page.locator(`#${cell}.ship.centre`).count(), cell);
        seen.add(cell);
      }
      assert.equal(seen.size, 3);
      await page.keyboard.press('/');
      for (const target of AWFULS_FLEET) {
        const known = await turnsOf(page);
        await type('F3', `${'ABCDEFGHILMN'[Math.floor(target / 12)]}${(target % 12) + 1}`);
        if (!(await asked(page, known + 1))) break;
      }
      assert.match(await ended(page), /^human won\./);
      assert.deepEqual(page.faults, []);
    });
  },

  'a tip, a rematch and another opponent': async ({ browser, fixtures, referee }) => {
    await served(referee, fixtures.folder, CLASSIC, async ({ link, origin }) => {
      const page = await browser.open(link, { viewport: PHONE });
      const begin = async () => {
        await says(page, 'Place your');
        await page.keyboard.press('r');
        await page.keyboard.press('Enter');
        await says(page, 'Your turn');
      };
      const resign = async () => {
        await page.getByRole('button', { name: 'Resign' }).click();
        await page.click('#live-resign-yes');
        await ended(page);
      };
      const heading = () => page.locator('#replay-title').innerText();
      await begin();
      await page.keyboard.press('t');
      await says(page, 'likely to hit.');
      await page.keyboard.press('Enter');
      await asked(page, 1);
      await resign();
      assert.match(await heading(), /^You lost after 1 attack, 0% hits: human resigned\.$/);
      assert.match(await page.title(), /^You lost after 1 attack/);
      assert.equal(await page.evaluate(() => document.activeElement.id), 'replay-title');
      const last = await page.getByRole('button', { name: 'Look back' }).boundingBox();
      assert.ok(last.y + last.height < PHONE.height, 'the buttons are seen without scrolling');
      assert.deepEqual(await seriousFindings(page), []);
      await page.keyboard.press('?');
      await page.getByText('rematch', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Look back' }).click();
      await page.waitForFunction(() => document.getElementById('replay-place').textContent.startsWith('turn 0'));
      await page.keyboard.press('r');
      await begin();
      assert.equal(page.url(), `${origin}/`);
      await resign();
      assert.match(await heading(), /You 0, awful 2\.$/);
      await page.keyboard.press('o');
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole('button', { name: /^fair \(/ }).click();
      await begin();
      assert.equal(await page.locator('h1').first().innerText(), 'human against fair');
      assert.deepEqual(page.faults, []);
    });
  },

  'two tabs show one game': async ({ browser, fixtures, referee }) => {
    await served(referee, fixtures.folder, CLASSIC, async ({ link, origin }) => {
      const page = await browser.open(link);
      await says(page, 'Place your');
      const other = await page.context().newPage();
      await other.goto(origin);
      await says(other, 'Place your');
      await page.keyboard.press('r');
      await page.keyboard.press('Enter');
      await says(other, 'Your turn');
      assert.equal(await other.locator('#live-own .ship').count(), 17);
      await other.click('#live-foe-5');
      await asked(page, 1);
      // What is said too late is refused in words: as if this tab had not heard of the other.
      const late = await page.evaluate(async () => {
        const body = JSON.stringify({ turn: 2, reply: 'attack 0 0' });
        const answer = await fetch('say', { method: 'POST', body });
        return [answer.status, await answer.text()];
      });
      assert.deepEqual(late, [409, 'That answers an earlier question.']);
      await page.click('text=Resign');
      assert.deepEqual(await seriousFindings(page), []);
      await page.click('#live-resign-no');
      await page.click('text=Resign');
      await page.click('#live-resign-yes');
      for (const tab of [page, other]) assert.match(await ended(tab), /^awful won\. human resigned/);
      assert.equal(page.faults.filter((fault) => !fault.includes('409')).length, 0);
    });
  },

  'the clock shows what is left of --human-limit': async ({ browser, fixtures, referee }) => {
    await served(referee, fixtures.folder, [...CLASSIC, '--human-limit', '1h'], async ({ link }) => {
      const page = await browser.open(link);
      await says(page, 'Place your');
      assert.match(await page.locator('#live-clock').innerText(), /^3[56]\d\d s left$/);
      await page.keyboard.press('r');
      await page.keyboard.press('Enter');
      await says(page, 'Your turn');
      assert.match(await page.locator('#live-clock').innerText(), /^your turn for [\d.]+ s · 3[56]\d\d s left$/);
    });
  },

  'a person plays on a phone': async ({ browser, fixtures, referee }) => {
    await served(referee, fixtures.folder, CLASSIC, async ({ link }) => {
      const page = await browser.open(link, { viewport: PHONE, hasTouch: true, dark: true });
      await says(page, 'Place your');
      await page.tap('#live-own-44');
      await says(page, 'Place your battleship');
      await page.tap('text=Random fleet');
      await page.getByRole('button', { name: 'Ready' }).tap();
      await says(page, 'Your turn');
      const [foe, own] = await Promise.all(['#live-foe', '#live-own'].map((id) => page.locator(id).boundingBox()));
      assert.ok(foe.y < own.y, 'the board that is attacked comes first');
      await page.tap('#live-foe-0');
      await asked(page, 1);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
      assert.deepEqual(await seriousFindings(page), []);
      assert.deepEqual(page.faults, []);
    });
  },

  'only the browser with the link is let in': async ({ browser, fixtures, referee }) => {
    await served(referee, fixtures.folder, CLASSIC, async ({ link, origin }) => {
      const page = await browser.open(link);
      const [{ name, value, httpOnly, sameSite }] = await page.context().cookies();
      assert.deepEqual([httpOnly, sameSite], [true, 'Strict']);
      const cookie = { cookie: `${name}=${value}` };
      assert.equal(await status(origin, '/', cookie), 200);
      assert.equal(await status(origin, '/', {}), 403);
      assert.equal(await status(origin, '/events', {}), 403);
      assert.equal(await status(origin, '/', { ...cookie, host: 'example.org' }), 403);
      assert.equal(await status(origin, '/say', cookie, 'POST'), 403);
      assert.equal(await status(origin, '/say', { ...cookie, origin: 'http://example.org' }, 'POST'), 403);
      const stranger = await (await browser.profile()).newPage();
      assert.equal((await stranger.goto(link)).status(), 403);
      assert.match(await stranger.locator('body').innerText(), /This link was used before/);
    });
  },

  '--open leads the browser to the page by a file that goes': async ({ browser, fixtures, referee }) => {
    const folder = join(fixtures.folder, 'opener');
    mkdirSync(folder, { recursive: true });
    const note = join(folder, `opened-${Date.now()}`);
    writeFileSync(
      join(folder, 'xdg-open'),
      `#!/bin/sh\ncp "$1" '${note}.html'; echo "$1" > '${note}.new'; mv '${note}.new' '${note}'\n`,
    );
    chmodSync(join(folder, 'xdg-open'), 0o755);
    const before = process.env.PATH;
    process.env.PATH = `${folder}:${before}`;
    const opening = serve(referee, fixtures.folder, ...CLASSIC, '--open');
    for (let i = 0; i < 600 && !existsSync(note); i++) await new Promise((wait) => setTimeout(wait, 50));
    process.env.PATH = before;
    const file = readFileSync(note, 'utf8').trim();
    assert.ok(existsSync(file));
    const page = await browser.open(pathToFileURL(file).href, { before: 'window.x = 1', opens: true });
    await says(page, 'Place your');
    assert.ok(!existsSync(file), 'the file is gone');
    copyFileSync(`${note}.html`, join(folder, 'copy.html'));
    await page.click('text=Resign');
    await page.click('#live-resign-yes');
    assert.match(await ended(page), /^awful won/);
    await page.context().close();
    const { said, ended: left } = await opening;
    assert.match(said, /referee: your browser opens; if it does not, open http:\S+ in one on this machine/);
    await left;
  },
};
