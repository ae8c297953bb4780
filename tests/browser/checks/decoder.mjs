// The part of the script that needs no browser: what it reads from a page is what the record says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { decodeChunk, unpackGame } from '../../../crates/pages/src/page/assets/script/decode.mjs';
import { followUnits, judgeClassic } from '../../../crates/pages/src/page/assets/script/judge.mjs';
import { protocolResult } from '../../../crates/pages/src/page/assets/script/turns.mjs';
import { short } from '../../../crates/pages/src/page/assets/script/words.mjs';
import { chunks, pageData } from '../fixtures.mjs';

/** Returns all games of a page by their numbers, with the results worked out. */
function decode(path) {
  const html = readFileSync(path, 'utf8');
  const data = pageData(html);
  const games = chunks(html).flatMap((bytes, i) => decodeChunk(bytes, data.chunks[i], data));
  for (const game of games) {
    unpackGame(game, data);
    const setup = data.setups[game.setup];
    if (setup.rules === 'twist') followUnits(game, setup);
    else judgeClassic(game, setup);
  }
  return { data, games: new Map(games.map((game) => [game.number, game])) };
}

function sameGame(data, game, recorded, turns, turnOf) {
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
    assert.deepEqual(turnOf(turn), turns[i].slice(0, -1), `turn ${i + 1} of game ${game.number}`);
    // Times are rounded to an eighth of an octave.
    const us = turns[i][turns[i].length - 1];
    assert.ok(Math.abs(turn.us - us) <= 0.06 * us + 1, `${turn.us} and ${us} us`);
  });
}

export const decoderChecks = {
  'every classic game in the page is that of the record': ({ fixtures }) => {
    const { data, games } = decode(fixtures.classic.page);
    assert.equal(games.size, fixtures.classic.games.length);
    fixtures.classic.games.forEach((recorded, i) => {
      const turnOf = (turn) => [turn.seat, turn.row, turn.col, protocolResult(turn)];
      sameGame(data, games.get(i + 1), recorded, recorded.shots, turnOf);
    });
  },

  'every twist game in the page is that of the record': ({ fixtures }) => {
    const { data, games } = decode(fixtures.twist.page);
    assert.equal(games.size, fixtures.twist.games.length);
    fixtures.twist.games.forEach((recorded, i) => {
      const turnOf = (turn) => [turn.seat, turn.fromRow, turn.fromCol, turn.row, turn.col, protocolResult(turn)];
      sameGame(data, games.get(i + 1), recorded, recorded.moves, turnOf);
    });
  },

  'the units of a twist game are where its grids show them': ({ fixtures }) => {
    const { data, games } = decode(fixtures.twist.page);
    for (const game of games.values()) {
      const { ships } = data.setups[game.setup];
      const last = game.frames[game.frames.length - 1];
      const sunk = game.turns.filter((turn) => turn.sunk !== undefined);
      for (const seat of [0, 1]) {
        const lost = sunk.filter((turn) => turn.seat !== seat).map((turn) => ships[turn.sunk].length);
        const afloat = last[seat].filter((byte) => byte !== '~'.charCodeAt(0)).length;
        assert.equal(afloat, 26 - lost.reduce((sum, length) => sum + length, 0), `game ${game.number}, seat ${seat}`);
      }
    }
  },

  'a game that cannot be read leaves the others': ({ fixtures }) => {
    const html = readFileSync(fixtures.classic.page, 'utf8');
    const data = pageData(html);
    const [bytes] = chunks(html);
    // One game more than there is.
    const chunk = { ...data.chunks[0], games: data.chunks[0].games + 1 };
    const games = decodeChunk(bytes, chunk, data);
    assert.equal(games.length, data.chunks[0].games);
    assert.match(games.fault.message, /games end too early/);
    games[1].packed.turns.bytes = new Uint8Array();
    games[2].lengths[games[2].first] += 2;
    for (const again of [1, 2]) {
      assert.throws(() => unpackGame(games[1], data), /turns end too early/, `time ${again}`);
      assert.throws(() => unpackGame(games[2], data), /do not alternate/, `time ${again}`);
    }
    assert.ok(unpackGame(games[0], data).turns.length > 0);
    assert.ok(unpackGame(games[3], data).turns.length > 0);
  },

  'numbers are short, whatever their size': () => {
    const numbers = [0, 0.125, -2.5, 1234.5, 999999, 1e6, 12345678, 1.5e-7, 1e300, Math.fround(3.4028235e38), -1e-9];
    const texts = ['0', '0.125', '-2.5', '1235', '999999', '1e6', '1.23e7', '1.5e-7', '1e300', '≥3.4e38', '-1e-9'];
    assert.deepEqual(numbers.map(short), texts);
    assert.equal(short(NaN), 'NaN');
  },

  'broken games are refused, wherever they are cut or changed': ({ fixtures }) => {
    const html = readFileSync(fixtures.twist.page, 'utf8');
    const data = pageData(html);
    const whole = chunks(html)[0];
    for (let length = 0; length < whole.length; length += 97) {
      assert.throws(() => decodeChunk(whole.subarray(0, length), data.chunks[0], data), /end too early/);
    }
    for (let at = 24; at < whole.length; at += 41) {
      const changed = Buffer.from(whole);
      changed[at] = 255 - changed[at];
      // A change may go unnoticed, but it may neither hang nor fail in another way.
      try {
        for (const game of decodeChunk(changed, data.chunks[0], data)) unpackGame(game, data);
      } catch (error) {
        assert.equal(error.name, 'RangeError', error.message);
      }
    }
  },
};
