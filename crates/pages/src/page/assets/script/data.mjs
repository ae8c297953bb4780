// The data of the page, and who and where everything in it is called.

import { el } from './dom.mjs';

/** The page's data, from `page-data`. */
export let data = null;

/** Takes the data: that of the page, or what a server has sent instead. */
export const setData = (all) => {
  data = all;
};

export const SEATS = [0, 1];

export const playerName = (index) => (data.players[index] ? data.players[index].name : 'unknown');
export const nameOf = (game, seat) => playerName(game.players[seat]);
export const gameLink = (number, text = `game ${number}`) => el('a', { href: `#game=${number}` }, text);
const playerAddress = (name) => `#player=${encodeURIComponent(name)}`;
export const gamesAddress = (...names) => `#games=${names.map(encodeURIComponent).join(',')}`;
export const playerLink = (name) =>
  data.kind === 'report' ? el('a', { href: playerAddress(name) }, name) : document.createTextNode(name);

export const VOID = 'does not count: a player is disqualified';

/** Returns whether the games of two players against each other count, as they do if both stay in the standings. */
export function pairingCounts([one, two]) {
  const isTheirs = ([a, b]) => (a === one && b === two) || (a === two && b === one);
  const pairing = (data.pairings || []).find(isTheirs);
  return !pairing || Boolean(pairing[5]);
}
