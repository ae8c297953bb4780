// The replay of a game: what it shows, how it is stepped through, and the addresses of its positions.

import assert from 'node:assert/strict';
import { address, editChunks, editData } from '../fixtures.mjs';
import { shows, textOf, visit } from '../browser.mjs';

/** Returns twenty numbers of games, spread over a record. */
const twenty = (games) => Array.from({ length: 20 }, (_, i) => Math.floor((i * games.length) / 20) + 1);

const rows = (page) =>
  page.$$eval('#replay-log tbody tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));

async function sameEnd(browser, contest, turnsOf) {
  const page = await browser.open(address(contest.page));
  for (const number of twenty(contest.games)) {
    const recorded = contest.games[number - 1];
    await visit(page, `#game=${number}&shot=99999`);
    await shows(page, turnsOf(recorded).length);
    const result = await textOf(page, '#replay-result');
    assert.ok(result.startsWith(recorded.winner === null ? 'No winner.' : `${recorded.winner} won.`), result);
    assert.equal((await rows(page)).length, turnsOf(recorded).length);
  }
  assert.deepEqual(page.faults, []);
  return page;
}

export const replayChecks = {
  'twenty classic games end as the record says, with its results on both boards': async ({ browser, fixtures }) => {
    const page = await sameEnd(browser, fixtures.classic, (game) => game.shots);
    for (const number of twenty(fixtures.classic.games).slice(0, 5)) {
      const recorded = fixtures.classic.games[number - 1];
      await visit(page, `#game=${number}&shot=99999`);
      await shows(page, recorded.shots.length);
      const shown = (await rows(page)).map((row) => [row[2], row[3]]);
      assert.deepEqual(
        shown,
        recorded.shots.map(([, row, col, result]) => [`(${row},${col})`, result.split(' ')[0]]),
      );
      for (const seat of [0, 1]) {
        const struck = recorded.shots.filter((shot) => shot[0] !== seat && /hit|sunk/.test(shot[3])).length;
        assert.equal(await page.locator('.sea').nth(seat).locator('td.hit, td.sunk').count(), struck);
      }
    }
  },

  'twenty twist games end as the record says': async ({ browser, fixtures }) => {
    const page = await sameEnd(browser, fixtures.twist, (game) => game.moves);
    assert.equal(await page.locator('.board').count(), 4);
    assert.deepEqual(await page.locator('.board').first().locator('tbody th').allInnerTexts(), [...'ABCDEFGHILMN']);
  },

  'the lists beside and below the boards of a twist game are whole': async ({ browser, fixtures }) => {
    for (const width of [1120, 1180, 1240, 1280]) {
      const page = await browser.open(address(fixtures.twist.page, '#game=3&shot=9'), {
        viewport: { width, height: 800 },
      });
      const beyond = (selector) => page.$$eval(selector, (all) => all.map((one) => one.scrollWidth - one.clientWidth));
      for (const selector of ['#replay-log', '.fleet', '.fleet li']) {
        assert.ok(
          (await beyond(selector)).every((columns) => columns <= 0),
          `${selector} at ${width}`,
        );
      }
    }
  },

  'a link leads to a position, and steps keep the address up to date': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, '#game=20&shot=11'));
    await shows(page, 11);
    assert.match(await textOf(page, '#replay-place'), /^turn 11 of /);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => location.hash === '#game=20&shot=12');
    await page.locator('#replay-neighbours a').last().click();
    await page.waitForFunction(() => document.getElementById('replay-title').textContent.startsWith('Game 21'));
    await page.goBack();
    await page.waitForFunction(() => document.getElementById('replay-title').textContent.startsWith('Game 20'));
    await shows(page, 12);
    assert.match(await page.title(), /^Game 20: .* 8 players$/);
  },

  'the fleets are shown to the judge, and hidden from those who do not know them': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, '#game=1&shot=0'));
    const ships = async () => [
      await page.locator('.sea').nth(0).locator('td.ship').count(),
      await page.locator('.sea').nth(1).locator('td.ship').count(),
    ];
    assert.deepEqual(await ships(), [17, 17]);
    await page.keyboard.press('f');
    assert.deepEqual(await ships(), [17, 0]);
    await page.keyboard.press('f');
    assert.deepEqual(await ships(), [0, 17]);
    await page.keyboard.press('f');
    assert.deepEqual(await ships(), [0, 0]);
  },

  'a game plays, pauses and announces its steps': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, '#game=2&shot=0'));
    await page.keyboard.press('1');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => document.getElementById('replay-slider').value === '1');
    assert.match(await textOf(page, '#replay-status'), /(missed|hit something|sank .*) at \(\d,\d\)\./);
    assert.equal(await page.getAttribute('#replay-status', 'aria-live'), 'polite');
    await page.keyboard.press('9');
    await page.waitForFunction(() => Number(document.getElementById('replay-slider').value) > 5);
    assert.equal(await page.getAttribute('#replay-status', 'aria-live'), 'off');
    await page.waitForSelector('#replay-result:visible');
    assert.equal(await textOf(page, '#replay-play'), '▶ play');
  },

  'the slider and a click in the list step too': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, '#game=2&shot=5'));
    await page.locator('#replay-log tbody tr').nth(7).click();
    await shows(page, 8);
    await page.focus('#replay-slider');
    await page.keyboard.press('ArrowLeft');
    await shows(page, 7);
    assert.match(await page.getAttribute('#replay-slider', 'aria-valuetext'), /^turn 7 of \d+: .* at \(\d,\d\)/);
  },

  'dialogue, advice and a stronger attack are shown where the page has them': async ({ browser, fixtures }) => {
    const path = editData(fixtures.classic.page, 'told.html', (data) => {
      data.dialogue = {
        1: [
          [3, 0, '->', 'attack <b>', 12.5],
          [3, 1, '!!', '<img src=x onerror=alert(1)>', 13],
        ],
      };
      const attacks = [[[34, 12.4, 31.2]], [[55, 8, 40]]];
      data.reviews = { 1: { attacks, winning: [50, 40, 30] } };
    });
    const page = await browser.open(address(path, '#game=1&shot=1'));
    assert.match(await textOf(page, '#replay-review'), /^good: \(\d,\d\), (31.2|40)% instead of (12.4|8)%$/);
    assert.equal(await page.locator('.board td.best').count(), 1);
    assert.match(await textOf(page, '#replay-legend'), /good would have attacked/);
    assert.match(await textOf(page, '#replay-chances'), /Chance to win/);
    assert.deepEqual(await page.locator('.costly a').evaluateAll((all) => all.map((link) => link.hash)), [
      '#game=1&shot=2',
      '#game=1&shot=1',
    ]);
    await visit(page, '#game=1&shot=4');
    await page.locator('#replay-dialogue summary').click();
    const lines = await page.locator('#replay-lines li').allInnerTexts();
    assert.equal(lines.length, 2);
    assert.match(lines[1], /stderr\s*<img src=x onerror=alert\(1\)>/);
    assert.deepEqual(page.faults, []);
  },

  'without a dialogue the lines of the protocol are put together from the record': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, '#game=1&shot=1'));
    await page.locator('#replay-dialogue summary').click();
    assert.match(await textOf(page, '#replay-dialogue summary'), /reconstructed from the record/);
    assert.match(await textOf(page, '#replay-debug'), /referee debug BOT --from .* --game 1 --player .* --turn 1$/);
    const [, row, col, result] = fixtures.classic.games[0].shots[0];
    const lines = (await page.locator('#replay-lines li').allInnerTexts()).join('\n');
    for (const line of ['attack', `attack ${row} ${col}`, `result ${row} ${col} ${result}`, `opponent ${row} ${col}`]) {
      assert.ok(lines.includes(line), `${line} in ${lines}`);
    }
  },

  'games that are damaged are a sentence, and the rest of the page works': async ({ browser, fixtures }) => {
    const broken = [(base64) => base64.slice(0, 40), () => 'AAAA', () => '~', () => ''];
    for (const [i, edit] of broken.entries()) {
      const page = await browser.open(address(editChunks(fixtures.classic.page, `broken-${i}.html`, edit), '#game=1'));
      assert.match(await textOf(page, '#replay-problem'), /damaged: .*Make the page again from the record\./);
      assert.equal(await page.locator('#replay-stage').isVisible(), false);
      assert.deepEqual(page.faults, []);
    }
  },

  'a browser that cannot unpack the games is told so': async ({ browser, fixtures }) => {
    const before = () => delete window.DecompressionStream;
    const page = await browser.open(address(fixtures.classic.page, '#game=1'), { before });
    assert.match(await textOf(page, '#replay-problem'), /Chrome 103, Firefox 113, Safari 16\.4/);
    assert.deepEqual(page.faults, []);
  },

  'a page of one game opens at that game': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.game));
    const recorded = fixtures.classic.games[2];
    assert.equal((await rows(page)).length, recorded.shots.length);
    await page.keyboard.press('End');
    assert.ok((await textOf(page, '#replay-result')).startsWith(`${recorded.winner} won.`));
    assert.deepEqual(page.requests, [address(fixtures.game)]);
    assert.deepEqual(page.faults, []);
  },
};
