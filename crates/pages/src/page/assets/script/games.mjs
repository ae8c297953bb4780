// The games of the page, which are unpacked when they are first asked for.
// @ts-check

import { byId } from './dom.mjs';
import { data, playerName } from './data.mjs';
import { gamesOf, unpackGame } from './scenes.mjs';

const OUTDATED =
  'This browser cannot unpack the games. Open the page with Chrome 103, Firefox 113, Safari 16.4 or a later one.';

export const chunkGames = new Map();

/** Returns the games of a chunk; it is unpacked once, when they are first asked for. */
function loadChunk(index) {
  if (!chunkGames.has(index)) chunkGames.set(index, unpackChunk(index));
  return chunkGames.get(index);
}

async function unpackChunk(index) {
  try {
    return gamesOf(JSON.parse(await inflate(byId(`chunk-${index}`).textContent.trim())), data.chunks[index]);
  } catch (error) {
    throw error === OUTDATED ? new Error(OUTDATED) : new Error(damaged(index, 'they cannot be unpacked'));
  }
}

function damaged(index, why) {
  const who = data.chunks[index].players.map(playerName).join(' and ');
  return `The games of ${who} in this page are damaged: ${why}. Make the page again from the record.`;
}

const damagedGame = (number, why) =>
  `Game ${number} in this page is damaged: ${why}. Make the page again from the record.`;

async function inflate(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  let stream;
  try {
    stream = new DecompressionStream('deflate-raw');
  } catch {
    throw OUTDATED;
  }
  const bytes = new Blob([packed]).stream().pipeThrough(stream);
  return new Response(bytes).text();
}

/** Returns the index of the chunk with a game, or -1. */
function chunkOf(number) {
  return data.chunks.findIndex((chunk) =>
    chunk.numbers.some(([first, count]) => number >= first && number < first + count),
  );
}

export async function loadGame(number) {
  const chunk = chunkOf(number);
  if (chunk < 0) throw new Error(whyMissing(number));
  const games = await loadChunk(chunk);
  const game = games.find((one) => one.number === number);
  if (!game) throw new Error(damaged(chunk, `game ${number} is missing`));
  try {
    return unpackGame(game, data);
  } catch (error) {
    throw new Error(damagedGame(number, error.message));
  }
}

/** Returns the name of a file as a shell and the referee read it. */
export function quoted(name) {
  const path = name.startsWith('-') ? `./${name}` : name;
  return /^[A-Za-z0-9._/-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;
}

/** Returns the record that has a game, as a shell reads its name, and the game's number there; null without one. */
export function placeOf(number) {
  let before = 0;
  for (const record of data.records) {
    if (number <= before + record.games) return { record: quoted(record.name), number: number - before };
    before += record.games;
  }
  return null;
}

/** Explains why a game is not in the page, and how to see it. */
function whyMissing(number) {
  if (!(number >= 1 && number <= data.games)) {
    return `There is no game ${number}: the games are numbered from 1 to ${data.games}.`;
  }
  const kept = `This page keeps the replays of ${data.kept} of ${data.games} games, and not of game ${number}.`;
  const place = placeOf(number);
  if (!place) return kept;
  const words = `referee report ${place.record} --game ${place.number} -o game.html`;
  return `${kept} See it in the folder of the record with: ${words}`;
}

/** Returns the numbers of the games of the same two players next to this one, as far as there are any. */
export function neighboursOf({ number, players }) {
  const pair = [...players].sort((a, b) => a - b).join();
  const runs = data.chunks.filter((chunk) => chunk.players.join() === pair).flatMap((chunk) => chunk.numbers);
  let [before, after] = [0, Infinity];
  for (const [first, count] of runs) {
    const last = first + count - 1;
    if (first < number) before = Math.max(before, Math.min(last, number - 1));
    if (last > number) after = Math.min(after, Math.max(first, number + 1));
  }
  return { before: before || null, after: after === Infinity ? null : after };
}

/** Returns the games of one player, or of two players against each other, in order. */
export async function loadGames(wanted) {
  const indexes = data.chunks
    .map((chunk, index) => (wanted.every((player) => chunk.players.includes(player)) ? index : -1))
    .filter((index) => index >= 0);
  const games = (await Promise.all(indexes.map(loadChunk))).flat();
  return games.sort((a, b) => a.number - b.number);
}
