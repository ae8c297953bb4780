// The part of the script that needs no browser: what it reads from a page is what the record says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setData } from '../../../crates/pages/src/page/assets/script/data.mjs';
import { cellsOf, gamesOf, unpackGame } from '../../../crates/pages/src/page/assets/script/scenes.mjs';
import { protocolLines } from '../../../crates/pages/src/page/assets/script/turns.mjs';
import { short } from '../../../crates/pages/src/page/assets/script/words.mjs';
import { chunks, pageData } from '../fixtures.mjs';

/** Returns all games of a page by their numbers. */
function decode(path) {
  const html = readFileSync(path, 'utf8');
  const data = pageData(html);
  setData(data);
  const games = chunks(html).flatMap((json, i) => gamesOf(JSON.parse(json), data.chunks[i]));
  return { data, games: new Map(games.map((game) => [game.number, unpackGame(game, data)])) };
}

function sameGame(data, game, recorded, turns) {
  const names = game.players.map((player) => data.players[player].name);
  assert.deepEqual(
    [...names],
    recorded.players.map((player) => player.name),
  );
  assert.equal(game.first, recorded.first);
  assert.equal(game.winner === null ? null : names[game.winner], recorded.winner);
  assert.equal(data.reasons[game.reason].word, recorded.ended_by);
  assert.equal(game.turns.length, turns.length);
  game.turns.forEach((turn, i) => {
    const [player, ...words] = turns[i];
    const us = words.pop();
    const result = [player, '<-', `result ${words.join(' ')}`];
    assert.deepEqual(protocolLines(turn, data.setups[game.setup])[2], result, `turn ${i + 1} of game ${game.number}`);
    // Times are rounded to an eighth of an octave.
    assert.ok(Math.abs(turn.us - us) <= 0.06 * us + 1, `${turn.us} and ${us} us`);
  });
}

export const checks = {
  'every game in the page is that of the record': ({ classic, twist }) => {
    for (const { page, games: recorded } of [classic, twist]) {
      const { data, games } = decode(page);
      assert.equal(games.size, recorded.length);
      recorded.forEach((game, i) => sameGame(data, games.get(i + 1), game, game.shots ?? game.moves));
    }
  },

  'the ships of a twist game are where the marks of its scenes show them': ({ twist }) => {
    const { data, games } = decode(twist.page);
    for (const game of games.values()) {
      const setup = data.setups[game.setup];
      game.scenes.forEach(({ marks, hulls, sunk }, time) => {
        for (const seat of [0, 1]) {
          const cells = new Set(hulls[seat].flatMap((hull) => (hull ? cellsOf(hull, setup) : [])));
          const struck = marks[seat].flatMap((mark, cell) => (mark === 'h' ? [cell] : []));
          assert.ok(
            struck.every((cell) => cells.has(cell)),
            `game ${game.number}, turn ${time}`,
          );
          assert.deepEqual(
            hulls[seat].map((hull) => hull === null),
            sunk[seat],
          );
        }
      });
    }
  },

  'a game that cannot be read leaves the others': ({ classic }) => {
    const html = readFileSync(classic.page, 'utf8');
    const data = pageData(html);
    const games = gamesOf(JSON.parse(chunks(html)[0]), data.chunks[0]);
    games[1].packed.columns.phrases[1] = ['\uffff', ''];
    for (const again of [1, 2]) assert.throws(() => unpackGame(games[1], data), /turn 1 is missing/, `time ${again}`);
    assert.ok(unpackGame(games[0], data).turns.length > 0);
  },

  'numbers are short, whatever their size': () => {
    const numbers = [0, 0.125, -2.5, 1234.5, 999999, 1e6, 12345678, 1.5e-7, 1e300, Math.fround(3.4028235e38), -1e-9];
    const texts = ['0', '0.125', '-2.5', '1235', '999999', '1e6', '1.23e7', '1.5e-7', '1e300', '≥3.4e38', '-1e-9'];
    assert.deepEqual(numbers.map(short), texts);
    assert.equal(short(NaN), 'NaN');
  },
};
