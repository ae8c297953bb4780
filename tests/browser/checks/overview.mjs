// The overview: it opens, sorts, filters, and leads to games and players.

import assert from 'node:assert/strict';
import { address, editData, HOSTILE } from '../fixtures.mjs';
import { arrived, textOf, visit } from '../browser.mjs';

const column = (page, index) =>
  page.$$eval('table.standings tbody tr', (rows, at) => rows.map((row) => row.cells[at].dataset.value), index);

const names = (page) =>
  page.$$eval('table.standings tbody tr', (rows) => {
    return rows.filter((row) => !row.hidden).map((row) => row.querySelector('th a').textContent);
  });

export const overviewChecks = {
  'a report opens at its standings and asks nothing of a network': async ({ browser, fixtures }) => {
    for (const { page: path } of [fixtures.classic, fixtures.twist]) {
      const page = await browser.open(address(path));
      assert.equal((await names(page)).length, 8);
      assert.match(await textOf(page, 'h1 >> visible=true'), /8 players/);
      assert.deepEqual(page.requests, [address(path)]);
      assert.deepEqual(page.faults, []);
    }
  },

  'the standings sort by each column, in both directions': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page));
    const heads = page.locator('table.standings thead th');
    for (let at = 0; at < (await heads.count()); at++) {
      const button = heads.nth(at).locator('button.sort');
      if ((await button.count()) === 0) continue;
      await button.click();
      assert.equal(await heads.nth(at).getAttribute('aria-sort'), 'ascending');
      const up = (await column(page, at)).filter((value) => value !== undefined).map(Number);
      assert.deepEqual(
        up,
        [...up].sort((a, b) => a - b),
        `column ${at}`,
      );
      await button.click();
      assert.equal(await heads.nth(at).getAttribute('aria-sort'), 'descending');
      const down = (await column(page, at)).filter((value) => value !== undefined).map(Number);
      assert.deepEqual(
        down,
        [...down].sort((a, b) => b - a),
        `column ${at}`,
      );
    }
    assert.equal(await page.locator('table.standings [aria-sort]').count(), 1);
  },

  'a filter leaves players in the standings and in the cross table': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page));
    await page.fill('#filter', 'GOOD');
    assert.deepEqual((await names(page)).sort(), ['good-1', 'good-2']);
    assert.equal(await page.locator('table.cross tbody tr:visible').count(), 2);
    assert.equal(await page.locator('table.cross thead th:visible').count(), 2);
    for (const chart of ['#course g', '#attacks g', '#first-mover tbody tr', '#times tbody tr']) {
      const shown = await page.locator(`${chart}[data-name]:not([hidden])`).count();
      assert.ok(shown === 2, `${shown} of ${chart}`);
    }
    await page.fill('#filter', 'zzz');
    assert.equal(await textOf(page, '#filter-found'), "No player's name has “zzz”.");
    await page.fill('#filter', '');
    assert.equal(await textOf(page, '#filter-found'), '');
    assert.equal((await names(page)).length, 8);
  },

  'a cell of the cross table leads to its games, and they to their replays': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page));
    await page.locator('table.cross tbody tr').first().locator('td a').first().click();
    await page.locator('.games tbody tr').first().waitFor();
    assert.match(page.url(), /#games=/);
    const pair = (await textOf(page, '#games-title')).split(' against ');
    const recorded = fixtures.classic.games
      .map((game, i) => ({ ...game, number: i + 1, names: game.players.map((player) => player.name) }))
      .filter((game) => pair.every((name) => game.names.includes(name)));
    const rows = await page.$$eval('.games tbody tr', (all) => {
      return all.map((row) => [...row.cells].map((cell) => cell.textContent));
    });
    assert.equal(rows.length, 8);
    rows.forEach((row, i) => {
      const game = recorded[i];
      const turns = pair.map((name) => game.shots.filter((shot) => game.names[shot[0]] === name).length);
      assert.deepEqual(row.slice(0, 3), [String(game.number), game.names[game.first], game.winner]);
      assert.deepEqual(row.slice(3, 5).map(Number), turns);
    });
    await page.locator('.games tbody a').first().click();
    await arrived(page);
    assert.match(await textOf(page, '#replay-title'), new RegExp(`^Game ${recorded[0].number}: `));
    assert.deepEqual(page.faults, []);
  },

  'the games of an encounter sort and are chosen by their winners': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, '#games=good-1,good-2'));
    const winners = () => page.$$eval('.games tbody tr', (rows) => rows.map((row) => row.cells[2].textContent));
    const all = await winners();
    await page.locator('#games-body .tools select').first().selectOption({ label: 'good-1' });
    assert.deepEqual(
      await winners(),
      all.filter((name) => name === 'good-1'),
    );
    await page.locator('#games-body .tools select').first().selectOption('0');
    const numbers = () => page.$$eval('.games tbody tr', (rows) => rows.map((row) => Number(row.cells[4].textContent)));
    await page.locator('.games th button').nth(4).click();
    assert.deepEqual(
      await numbers(),
      [...(await numbers())].sort((a, b) => a - b),
    );
  },

  'a player has its opponents, its maps and its forfeits': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, `#player=${encodeURIComponent(HOSTILE)}`));
    assert.equal(await textOf(page, '#player-title'), HOSTILE);
    assert.equal(await page.locator('#player-body table.list').first().locator('tbody tr').count(), 7);
    assert.equal(await page.locator('.map').count(), 2);
    assert.match(await textOf(page, '.map >> nth=0'), /100/);
    assert.ok((await page.locator('.forfeits li').count()) > 5);
    await page.locator('.forfeits a').first().click();
    await arrived(page);
    await page.keyboard.press('End');
    assert.match(await textOf(page, '#replay-result'), /won\./);
    assert.deepEqual(page.faults, []);
  },

  'what does not count is said wherever it is shown': async ({ browser, fixtures }) => {
    const path = editData(fixtures.classic.page, 'void.html', (data) => {
      const index = data.players.findIndex((player) => player.name === 'good-1');
      for (const pairing of data.pairings) if (pairing.slice(0, 2).includes(index)) pairing[5] = 0;
    });
    const page = await browser.open(address(path, '#games=good-1,good-2'));
    assert.match(await textOf(page, '#games-facts'), /None of them counts: a player is disqualified\./);
    await page.locator('.games tbody a').first().click();
    await arrived(page);
    assert.match(await textOf(page, '#replay-facts'), /does not count: a player is disqualified/);
    await page.goto(address(path, '#games=good-2'));
    await page.waitForFunction(() => document.getElementById('games-facts').textContent.includes('8 of them do not'));
    await page.goto(address(path));
    assert.equal(await page.locator('#cross .legend').count(), 1);
    await page.goto(address(fixtures.classic.page));
    assert.equal(await page.locator('#cross .legend').count(), 0);
  },

  'figures that do not change are a flat line': async ({ browser, fixtures }) => {
    const path = editData(fixtures.classic.page, 'flat.html', (data) => {
      const index = data.players.findIndex((player) => player.name === HOSTILE);
      const points = Array.from({ length: 50 }, (_, i) => [i + 1, 7 + (i % 2) * 1e-15]);
      data.details[index].figures = [{ name: 0, points }];
    });
    const page = await browser.open(address(path, `#player=${encodeURIComponent(HOSTILE)}`));
    const points = await page.locator('.figures-of-bot .chart.small polyline').first().getAttribute('points');
    assert.equal(new Set(points.split(' ').map((point) => point.split(',')[1])).size, 1);
    assert.match(
      await page.locator('.figures-of-bot .chart.small svg').first().getAttribute('aria-label'),
      /, always 7$/,
    );
    const huge = editData(path, 'huge.html', (data) => {
      const index = data.players.findIndex((player) => player.name === HOSTILE);
      data.details[index].figures[0].points = [-1.5e308, 0, 1.5e308].map((value, i) => [i + 1, value]);
    });
    await page.goto(address(huge, `#player=${encodeURIComponent(HOSTILE)}`));
    const ends = await page.locator('.figures-of-bot .chart.small polyline').first().getAttribute('points');
    const heights = ends.split(' ').map((point) => Number(point.split(',')[1]));
    assert.deepEqual(heights, [100, 55, 10]);
  },

  'the map of attacks shows one quantity, in its numbers and its shades': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, '#player=good-1'));
    const cells = await page
      .locator('.map')
      .nth(1)
      .locator('tbody td')
      .evaluateAll((all) =>
        all.map((cell) => [Number(cell.textContent), parseFloat(cell.style.getPropertyValue('--heat'))]),
      );
    assert.equal(cells.length, 100);
    cells.sort((one, other) => one[0] - other[0] || other[1] - one[1]);
    for (const [i, [, shade]] of cells.slice(1).entries())
      assert.ok(shade <= cells[i][1], `${cells[i]} ${cells[i + 1]}`);
  },

  'two players have a page with what both do': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, '#games=good-1,good-2'));
    const table = await page.locator('#games-body table').first().innerText();
    assert.match(table, /score\s+\d+(\.\d)?% \(\d+(\.\d)?% to \d+(\.\d)?%\)/);
    assert.match(table, /sunk in \d+ of \d+ games/);
    assert.equal(await page.locator('.map').count(), 4);
    const score = async () => (await page.locator('#games-body table td').nth(1).innerText()).split(' ')[0];
    const first = parseFloat(await score());
    await visit(page, '#games=good-2,good-1');
    assert.ok(Math.abs(first + parseFloat(await score()) - 100) < 0.2, `${first} ${await score()}`);
    assert.deepEqual(page.faults, []);
  },

  'the way back names an encounter once': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, '#games=good-1,good-2'));
    assert.deepEqual(await page.locator('#trail li').allTextContents(), [
      'Round robin of 8 players',
      'good-1 against good-2',
    ]);
    const two = editData(fixtures.classic.page, 'two.html', (data) => data.players.splice(2));
    await page.goto(address(two, '#game=1'));
    await page.waitForSelector('#replay-stage:visible');
    assert.deepEqual(await page.locator('#trail li').allTextContents(), ['Round robin of 8 players', 'game 1']);
  },

  'a game that the page does not keep comes with a command to paste': async ({ browser, fixtures }) => {
    const path = editData(fixtures.classic.page, 'sample.html', (data) => {
      for (const chunk of data.chunks) chunk.numbers = [];
      data.records[0].name = "the cup's.jsonl";
    });
    const page = await browser.open(address(path, '#game=2'));
    const text = await textOf(page, '#replay-problem');
    assert.ok(text.includes("record with: referee replay 'the cup'\\''s.jsonl' --game 2 --html game.html"), text);
  },

  'an unknown player or game is a sentence, not a blank page': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page, '#player=Popeye'));
    assert.match(await textOf(page, '#player-problem'), /no player Popeye/);
    await page.goto(address(fixtures.classic.page, '#game=9999'));
    await page.waitForSelector('#replay-problem:visible');
    assert.match(await textOf(page, '#replay-problem'), /no game 9999: the games are numbered from 1 to 224/);
    assert.deepEqual(page.faults, []);
  },
};
