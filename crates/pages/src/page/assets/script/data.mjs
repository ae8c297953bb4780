// The data of the page, and who and where everything in it is called.
// @ts-check

import { el } from './dom.mjs';

/**
 * A board and a fleet, and what they look like.
 * @typedef {object} Setup
 * @property {string} rules
 * @property {number} rows
 * @property {number} cols
 * @property {{length: number, symbol: string, name: string}[]} ships
 * @property {string} short the game in a few words
 * @property {string[]} rowNames
 * @property {string[]} colNames
 * @property {string[]} cells the names of all cells
 * @property {string} turn what a turn is called
 * @property {number} cellsOfTurn how many cells it names
 * @property {boolean} [apart] whether ships may not touch
 * @property {boolean} hasNotes whether what players find out is on a grid of its own
 * @property {boolean} shipsMove
 *
 * What turns have in common that differ only in their cells.
 * @typedef {object} Phrase
 * @property {string} said
 * @property {string} word
 * @property {boolean} hits
 * @property {number | null} sinks
 * @property {string[]} on
 * @property {[string, string][]} marks
 * @property {[boolean, string, string][]} lines
 *
 * Games of a player: its own turns and hits and those of its opponents, how often and by which turn its fleet was
 * sunk, and the score by the game's place in its series.
 * @typedef {object} Duel
 * @property {[number, number]} attacks
 * @property {[number, number]} hits
 * @property {number} fell
 * @property {number} stood
 * @property {number | null} endures
 * @property {{first: number, last: number, games: number, share: number, low: number, high: number}[]} places
 *
 * What the page knows of a player.
 * @typedef {object} Details
 * @property {[string, string][]} summary
 * @property {Duel} duel
 * @property {{games: number, lost: number, luck: number} | null} skill
 * @property {{game: number, reason: number, text: string, advice: string}[]} forfeits
 * @property {number} nForfeits
 * @property {{game: number, why: string}[]} worst
 * @property {{name: number, points: [number, number][]}[]} figures
 * @property {string[]} notes
 *
 * The data of a page.
 * @typedef {object} PageData
 * @property {'report' | 'game' | 'live'} kind
 * @property {string} title
 * @property {string} [verdict] how the game ended for the person who played it
 * @property {{name: string, command: string, place: number | null}[]} players
 * @property {Setup[]} setups
 * @property {{word: string, text: string, fault: boolean}[]} reasons
 * @property {string[]} texts
 * @property {string[]} outside
 * @property {Phrase[]} phrases
 * @property {string[]} figureNames
 * @property {{name: string, games: number}[]} records
 * @property {number} games
 * @property {number} kept
 * @property {{players: [number, number], games: number, numbers: [number, number][]}[]} chunks
 * @property {[number, number, number, number, number, number, [number, number] | null][]} pairings
 * @property {[[number, number], [Duel, Duel]][]} duels
 * @property {Details[]} details
 * @property {Record<number, [number, number, string, string, number][]>} dialogue
 * @property {Record<number, {attacks: [number | null, number, number][][], winning: number[]}>} reviews
 * @property {{finished: boolean, done: number, of: number} | null} live
 */

/**
 * The page's data, from `page-data`.
 * @type {PageData}
 */
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
/** Returns whether the page has games, or gets some while a contest runs: links to lists of games lead somewhere. */
export const hasGames = () => data.kept > 0 || Boolean(data.live);
export const gamesAddress = (...names) => `#games=${names.map(encodeURIComponent).join(',')}`;
export const playerLink = (name) =>
  data.kind === 'report' ? el('a', { href: playerAddress(name) }, name) : document.createTextNode(name);

export const VOID = 'does not count: a player is disqualified';

/** Returns whether the games of two players against each other count, as they do if both stay in the standings. */
export function pairingCounts([one, two]) {
  const pairing = (data.pairings || []).find(([a, b]) => (a === one && b === two) || (a === two && b === one));
  return !pairing || Boolean(pairing[5]);
}
