// The overview: it opens, sorts, filters, and leads to games and players.

import assert from 'node:assert/strict';
import { address, editData, HOSTILE } from '../fixtures.mjs';

const PLAYER = `#player=${encodeURIComponent(HOSTILE)}`;

const indexOf = (data, name) => data.players.findIndex((player) => player.name === name);

/** Returns the texts of the cells of each row of the games of an encounter. */
const games = (page) =>
  page.$$eval('.games tbody tr', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

export const checks = {
  'a report opens at its standings and asks nothing of a network': async ({ open, classic, twist }) => {
    for (const { page: path } of [classic, twist]) {
      const page = await open(path);
      await page.does(`
        count table.standings tbody tr:visible = 8
        text h1 >> visible=true ~ 8 players`);
      assert.deepEqual(page.requests, [address(path)]);
    }
  },

  'the standings sort by each column, in both directions': async ({ open, classic }) => {
    const page = await open(classic.page);
    const heads = page.locator('table.standings thead th');
    for (let at = 0; at < (await heads.count()); at++) {
      const button = heads.nth(at).locator('button.sort');
      if ((await button.count()) === 0) continue;
      for (const [order, sign] of [
        ['ascending', 1],
        ['descending', -1],
      ]) {
        await button.click();
        assert.equal(await heads.nth(at).getAttribute('aria-sort'), order);
        const values = await page.$$eval(
          'table.standings tbody tr',
          (rows, at) => rows.flatMap((row) => row.cells[at].dataset.value ?? []).map(Number),
          at,
        );
        assert.deepEqual(
          values,
          values.toSorted((a, b) => sign * (a - b)),
          `column ${at}`,
        );
      }
    }
    await page.does('count table.standings [aria-sort] = 1');
  },

  'a filter leaves players in the standings and in the cross table': async ({ open, classic }) => {
    const page = await open(classic.page);
    await page.does(`
      fill #filter = GOOD
      texts table.standings tbody tr:visible th a ~ ^good-[12], good-[12]$
      count table.cross tbody tr:visible = 2
      count table.cross thead th:visible = 2
      count #course g[data-name]:not([hidden]) = 2
      count #attacks g[data-name]:not([hidden]) = 2
      count #first-mover tbody tr[data-name]:not([hidden]) = 2
      count #times tbody tr[data-name]:not([hidden]) = 2
      fill #filter = zzz
      text #filter-found = No player's name has “zzz”.
      fill #filter =
      text #filter-found =
      count table.standings tbody tr:visible = 8`);
  },

  'a cell of the cross table leads to its games, and they to their replays': async ({ open, classic }) => {
    const page = await open(classic.page);
    await page.does(`
      click table.cross tbody tr:first-child td a
      wait .games tbody tr
      url ~ #games=`);
    const pair = (await page.locator('#games-title').innerText()).split(' against ');
    const recorded = classic.games
      .map((game, i) => ({ ...game, number: i + 1, names: game.players.map((player) => player.name) }))
      .filter((game) => pair.every((name) => game.names.includes(name)));
    const rows = (await games(page)).map((row) => row.slice(0, 5));
    const expected = recorded.map(({ number, names, first, winner, shots }) => {
      const turns = pair.map((name) => String(shots.filter((shot) => names[shot[0]] === name).length));
      return [String(number), names[first], winner, ...turns];
    });
    assert.equal(rows.length, 8);
    assert.deepEqual(rows, expected);
    await page.does(`
      click .games tbody a
      until text #replay-title ~ ^Game ${recorded[0].number}: `);
  },

  'the games of an encounter sort and are chosen by their winners': async ({ open, classic }) => {
    const page = await open(classic.page, '#games=good-1,good-2');
    const winners = async () => (await games(page)).map((row) => row[2]);
    const all = await winners();
    const choice = page.locator('#games-body .tools select').first();
    await choice.selectOption({ label: 'good-1' });
    assert.deepEqual(
      await winners(),
      all.filter((name) => name === 'good-1'),
    );
    await choice.selectOption('0');
    await page.locator('.games th button').nth(4).click();
    const numbers = (await games(page)).map((row) => Number(row[4]));
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
  },

  'a player has its opponents, its maps and its forfeits': async ({ open, classic }) => {
    const page = await open(classic.page, PLAYER);
    await page.does(`
      text #player-title = ${HOSTILE}
      count #player-body table.list >> nth=0 >> tbody tr = 7
      count .map = 2
      text .map ~ 100
      count .forfeits li ~ ^([6-9]|\\d\\d+)$
      click .forfeits a
      until js document.body.dataset.view = replay
      there
      press End
      until text #replay-result ~ won\\.`);
  },

  'what does not count is said wherever it is shown': async ({ open, classic }) => {
    const path = editData(classic.page, 'void.html', (data) => {
      const index = indexOf(data, 'good-1');
      for (const pairing of data.pairings) if (pairing.slice(0, 2).includes(index)) pairing[5] = 0;
    });
    for (const [file, place, lines] of [
      [path, '#games=good-1,good-2', 'text #games-facts ~ None of them counts: a player is disqualified\\.'],
      [path, '#games=good-2', 'until text #games-facts ~ 8 of them do not'],
      [path, '', 'count #cross .legend = 1'],
      [classic.page, '', 'count #cross .legend = 0'],
    ]) {
      const page = await open(file, place);
      await page.does(lines);
      if (place.includes('1')) {
        await page.does(`
          click .games tbody a
          until text #replay-facts ~ does not count: a player is disqualified`);
      }
    }
  },

  'figures that do not change are a flat line': async ({ open, classic }) => {
    const flat = Array.from({ length: 50 }, (_, i) => [i + 1, 7 + (i % 2) * 1e-15]);
    const huge = [-1.5e308, 0, 1.5e308].map((value, i) => [i + 1, value]);
    const seen = [];
    for (const points of [flat, huge]) {
      const path = editData(classic.page, 'figures.html', (data) => {
        data.details[indexOf(data, HOSTILE)].figures = [{ name: 0, points }];
      });
      const chart = (await open(path, PLAYER)).locator('.figures-of-bot .chart.small').first();
      const line = await chart.locator('polyline').first().getAttribute('points');
      seen.push(line.split(' ').map((point) => Number(point.split(',')[1])));
      if (points === flat) assert.match(await chart.locator('svg').first().getAttribute('aria-label'), /, always 7$/);
    }
    assert.equal(new Set(seen[0]).size, 1);
    assert.deepEqual(seen[1], [100, 55, 10]);
  },

  'the map of attacks shows one quantity, in its numbers and its shades': async ({ open, classic }) => {
    const page = await open(classic.page, '#player=good-1');
    const map = page.locator('.map >> nth=1 >> tbody td');
    const cells = await map.evaluateAll((all) =>
      all.map((cell) => [Number(cell.textContent), parseFloat(cell.style.getPropertyValue('--heat'))]),
    );
    assert.equal(cells.length, 100);
    cells.sort((one, other) => one[0] - other[0] || other[1] - one[1]);
    const shades = cells.map(([, shade]) => shade);
    assert.ok(shades.every((shade) => shade >= 0));
    assert.deepEqual(
      shades,
      shades.toSorted((a, b) => b - a),
    );
  },

  'two players have a page with what both do': async ({ open, classic }) => {
    const page = await open(classic.page, '#games=good-1,good-2');
    await page.does(`
      text #games-body table ~ score\\s+\\d+(\\.\\d)?% \\(\\d+(\\.\\d)?% to \\d+(\\.\\d)?%\\)
      text #games-body table ~ sunk in \\d+ of \\d+ games
      count .map = 4`);
    const score = async () => parseFloat(await page.locator('#games-body table td').nth(1).innerText());
    const first = await score();
    await page.does(`
      visit #games=good-2,good-1
      until text #games-title ~ ^good-2`);
    assert.ok(Math.abs(first + (await score()) - 100) < 0.2, `${first} ${await score()}`);
  },

  'the way back names an encounter once': async ({ open, classic }) => {
    const page = await open(classic.page, '#games=good-1,good-2');
    await page.does('texts #trail li = Round robin of 8 players, good-1 against good-2');
    const two = await open(
      editData(classic.page, 'two.html', (data) => data.players.splice(2)),
      '#game=1',
    );
    await two.does('texts #trail li = Round robin of 8 players, game 1');
  },

  'a game that the page does not keep comes with a command to paste': async ({ open, classic }) => {
    const path = editData(classic.page, 'sample.html', (data) => {
      for (const chunk of data.chunks) chunk.numbers = [];
      data.records[0].name = "the cup's.jsonl";
    });
    const text = await (await open(path, '#game=2')).locator('#replay-problem').innerText();
    assert.ok(text.includes("record with: referee report 'the cup'\\''s.jsonl' --game 2 -o game.html"), text);
  },

  'an unknown player or game is a sentence, not a blank page': async ({ open, classic }) => {
    await (await open(classic.page, '#player=Popeye')).does('text #player-problem ~ no player Popeye');
    const page = await open(classic.page, '#game=9999');
    await page.does('text #replay-problem ~ no game 9999: the games are numbered from 1 to 224');
  },
};
