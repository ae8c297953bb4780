// The replay of a game: what it shows, how it is stepped through, and the addresses of its positions.

import assert from 'node:assert/strict';
import { address, editChunks, editData } from '../fixtures.mjs';

/** Returns twenty numbers of games, spread over a record. */
const twenty = (games) => Array.from({ length: 20 }, (_, i) => Math.floor((i * games.length) / 20) + 1);

const rows = (page) =>
  page.$$eval('#replay-log tbody tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));

/** Goes through twenty games of a contest and compares their ends, and more by `also`. */
async function sameEnd(open, contest, turnsOf, also) {
  const page = await open(contest.page);
  for (const [i, number] of twenty(contest.games).entries()) {
    const recorded = contest.games[number - 1];
    const end = recorded.winner === null ? 'No winner' : `${recorded.winner.replace(/[()]/g, '\\$&')} won`;
    await page.does(`
      visit #game=${number}&shot=99999
      until text #replay-title ~ ^Game ${number}:
      until value #replay-slider = ${turnsOf(recorded).length}
      text #replay-result ~ ^${end}\\.
      count #replay-log tbody tr = ${turnsOf(recorded).length}`);
    await also?.(page, recorded, i);
  }
  return page;
}

export const checks = {
  'twenty classic games end as the record says, with its results on both boards': async ({ open, classic }) => {
    const boards = async (page, { shots }, i) => {
      if (i >= 5) return;
      assert.deepEqual(
        (await rows(page)).map((row) => [row[2], row[3]]),
        shots.map(([, row, col, result]) => [`(${row},${col})`, result.split(' ')[0]]),
      );
      for (const seat of [0, 1]) {
        const struck = shots.filter((shot) => shot[0] !== seat && /hit|sunk/.test(shot[3])).length;
        await page.does(`count .sea >> nth=${seat} >> css=td.hit, td.sunk = ${struck}`);
      }
    };
    await sameEnd(open, classic, (game) => game.shots, boards);
  },

  'twenty twist games end as the record says': async ({ open, twist }) => {
    const page = await sameEnd(open, twist, (game) => game.moves);
    await page.does(`
      count .board = 4
      texts .board >> nth=0 >> tbody th = ${[...'ABCDEFGHILMN'].join(', ')}`);
  },

  'the lists beside and below the boards of a twist game are whole': async ({ open, twist }) => {
    for (const width of [1120, 1180, 1240, 1280]) {
      const page = await open(twist.page, '#game=3&shot=9', { viewport: { width, height: 800 } });
      const beyond = await page.$$eval('#replay-log, .fleet, .fleet li', (all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className),
      );
      assert.deepEqual(beyond, [], `at ${width}`);
    }
  },

  'a link leads to a position, and steps keep the address up to date': async ({ open, classic }) => {
    const page = await open(classic.page, '#game=20&shot=11');
    await page.does(`
      until value #replay-slider = 11
      text #replay-place ~ ^turn 11 of 
      press ArrowRight
      until js location.hash = #game=20&shot=12
      click #replay-neighbours a >> nth=-1
      until text #replay-title ~ ^Game 21
      back
      until text #replay-title ~ ^Game 20
      until value #replay-slider = 12
      title ~ ^Game 20: .* 8 players$`);
  },

  'the fleets are shown to the judge, and hidden from those who do not know them': async ({ open, classic }) => {
    const page = await open(classic.page, '#game=1&shot=0');
    for (const ships of [
      [17, 17],
      [17, 0],
      [0, 17],
      [0, 0],
    ]) {
      for (const seat of [0, 1]) await page.does(`count .sea >> nth=${seat} >> td.ship = ${ships[seat]}`);
      await page.does('press f');
    }
  },

  'a game plays, pauses and announces its steps': async ({ open, classic }) => {
    const page = await open(classic.page, '#game=2&shot=0');
    await page.does(`press 1 Space`);
    await page.waitForFunction(() => document.getElementById('replay-slider').value === '1');
    await page.does(`
      text #replay-status ~ (missed|hit something|sank .*) at \\(\\d,\\d\\)\\.
      js document.getElementById('replay-status').ariaLive = polite
      press 9
      until value #replay-slider ~ ^([6-9]|\\d\\d+)$
      js document.getElementById('replay-status').ariaLive = off
      wait #replay-result
      text #replay-play = ▶ play`);
  },

  'the slider and a click in the list step too': async ({ open, classic }) => {
    const page = await open(classic.page, '#game=2&shot=5');
    await page.does(`
      click #replay-log tbody tr >> nth=7
      until value #replay-slider = 8
      focus #replay-slider
      press ArrowLeft
      until value #replay-slider = 7
      js document.getElementById('replay-slider').ariaValueText ~ ^turn 7 of \\d+: .* at \\(\\d,\\d\\)`);
  },

  'dialogue, advice and a stronger attack are shown where the page has them': async ({ open, classic }) => {
    const path = editData(classic.page, 'told.html', (data) => {
      data.dialogue = {
        1: [
          [3, 0, '->', 'attack <b>', 12.5],
          [3, 1, '!!', '<img src=x onerror=alert(1)>', 13],
        ],
      };
      const attacks = [[[34, 12.4, 31.2]], [[55, 8, 40]]];
      data.reviews = { 1: { attacks, winning: [50, 40, 30] } };
    });
    const page = await open(path, '#game=1&shot=1');
    await page.does(`
      text #replay-review ~ ^good: \\(\\d,\\d\\), (31.2|40)% instead of (12.4|8)%$
      count .board td.best = 1
      text #replay-legend ~ good would have attacked
      text #replay-chances ~ Chance to win
      js [...document.querySelectorAll('.costly a')].map((link) => link.hash) = #game=1&shot=2,#game=1&shot=1
      visit #game=1&shot=4
      click #replay-dialogue summary
      until count #replay-lines li = 2
      text #replay-lines li >> nth=1 ~ stderr\\s*<img src=x onerror=alert\\(1\\)>`);
  },

  'without a dialogue the lines of the protocol are put together from the record': async ({ open, classic }) => {
    const page = await open(classic.page, '#game=1&shot=1');
    const [, row, col, result] = classic.games[0].shots[0];
    await page.does(`
      click #replay-dialogue summary
      text #replay-dialogue summary ~ reconstructed from the record
      text #replay-debug ~ referee debug BOT --from .* --game 1 --player .* --turn 1$`);
    const lines = (await page.locator('#replay-lines li').allInnerTexts()).join('\n');
    for (const line of ['attack', `attack ${row} ${col}`, `result ${row} ${col} ${result}`, `opponent ${row} ${col}`]) {
      assert.ok(lines.includes(line), `${line} in ${lines}`);
    }
  },

  'games that are damaged are a sentence, and the rest of the page works': async ({ open, classic }) => {
    for (const edit of [(base64) => base64.slice(0, 40), () => 'AAAA', () => '~', () => '']) {
      const page = await open(editChunks(classic.page, 'broken.html', edit), '#game=1');
      await page.does(`
        text #replay-problem ~ damaged: .*Make the page again from the record\\.
        count #replay-stage:visible = 0`);
    }
  },

  'a browser that cannot unpack the games is told so': async ({ open, classic }) => {
    const page = await open(classic.page, '#game=1', { before: () => delete window.DecompressionStream });
    await page.does('text #replay-problem ~ Chrome 103, Firefox 113, Safari 16\\.4');
  },

  'a page of one game opens at that game': async ({ open, classic, game }) => {
    const page = await open(game);
    const { shots, winner } = classic.games[2];
    await page.does(`
      count #replay-log tbody tr = ${shots.length}
      press End
      until text #replay-result ~ ^${winner} won\\.`);
    assert.deepEqual(page.requests, [address(game)]);
  },
};
