// The part of the script that needs no browser: what it reads from a page is what the record says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chunks, pageData, script } from '../fixtures.mjs';

/** Returns all games of a page by their numbers, with the results worked out. */
function decode(path) {
  const html = readFileSync(path, 'utf8');
  const data = pageData(html);
  const { decodeChunk, unpackGame, judgeClassic, followUnits } = script(html);
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
  'every classic game in the page is that of the record': ({ fixtures, protocolResult }) => {
    const { data, games } = decode(fixtures.classic.page);
    assert.equal(games.size, fixtures.classic.games.length);
    fixtures.classic.games.forEach((recorded, i) => {
      const turnOf = (turn) => [turn.seat, turn.row, turn.col, protocolResult(turn)];
      sameGame(data, games.get(i + 1), recorded, recorded.shots, turnOf);
    });
  },

  'every twist game in the page is that of the record': ({ fixtures, protocolResult }) => {
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

  'broken games are refused, wherever they are cut or changed': ({ fixtures }) => {
    const html = readFileSync(fixtures.twist.page, 'utf8');
    const data = pageData(html);
    const { decodeChunk, unpackGame } = script(html);
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
