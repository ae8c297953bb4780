// How two players, or one and all others, attack and endure.
// @ts-check

import { plural } from './words.mjs';
import { el } from './dom.mjs';
import { data, playerName } from './data.mjs';
import { lineChart } from './chart.mjs';
import { attacksMap, mapsOf, placesMap } from './maps.mjs';

const share = (value) => `${Number((100 * value).toFixed(1))}%`;
export const rate = (hits, attacks) => (attacks > 0 ? share(hits / attacks) : '–');
const span = ({ first, last }) => (first === last ? String(first) : `${first} to ${last}`);
export const part = (title, ...content) => el('section', {}, el('h2', {}, title), ...content);

/** Returns after how many attacks a fleet is sunk, in words. */
export function enduranceOf({ fell, stood, endures }) {
  const sunk = `sunk in ${fell} of ${plural(fell + stood, 'game')}`;
  return endures === null ? sunk : `${endures} attacks sink half of them; ${sunk}`;
}

/** Returns the score by the game's place in its series, as a chart and a table, if there is more than one place. */
export function learningPart({ places }, title) {
  if (places.length < 2) return [];
  const name = 'share of the points in percent';
  const points = places.map(({ first, last, share }) => [(first + last) / 2, 100 * share]);
  const { node } = lineChart(name, 'game', [{ name: 'last games', points }], { ends: [0, 100] });
  const rows = places.map((place) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, span(place)),
      [String(place.games), share(place.share), `${share(place.low)} to ${share(place.high)}`].map((text) =>
        el('td', { class: 'num' }, text),
      ),
    ),
  );
  const heads = ['games of a series', 'games', 'score', '95% interval'];
  const head = heads.map((text, i) => el('th', { scope: 'col', class: i > 0 ? 'num' : '' }, text));
  const table = el('table', { class: 'list' }, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows));
  return [part(title, el('div', { class: 'charts' }, node, el('div', { class: 'card' }, table)))];
}

/** Returns what the games of two players against each other say of both. */
export function pairParts([one, two], games) {
  const pairing = data.pairings.find(([a, b]) => (a === one && b === two) || (a === two && b === one));
  const found = data.duels.find(([[a, b]]) => (a === one && b === two) || (a === two && b === one));
  if (!pairing || !found) return [];
  const swap = found[0][0] !== one;
  const duels = swap ? [...found[1]].reverse() : found[1];
  const [, , wins, draws, losses, , interval] = pairing;
  const of = wins + draws + losses;
  const first = of > 0 ? (wins + draws / 2) / of : 0.5;
  const mine = pairing[0] === one;
  const ends = interval && (mine ? interval : [1 - interval[1], 1 - interval[0]]);
  const scores = mine ? [first, 1 - first] : [1 - first, first];
  const wide = ends ? [ends, [1 - ends[1], 1 - ends[0]]] : [null, null];
  const score = (i) => `${share(scores[i])}${wide[i] ? ` (${wide[i].map(share).join(' to ')})` : ''}`;
  const rowOf = (label, text) =>
    el('tr', {}, el('th', { scope: 'row' }, label), el('td', {}, text(0)), el('td', {}, text(1)));
  const rows = [
    rowOf('score', (i) => (of > 0 ? score(i) : '–')),
    rowOf('turns that hit', (i) => rate(duels[i].hits[0], duels[i].attacks[0])),
    rowOf('its fleet', (i) => enduranceOf(duels[i])),
  ];
  const heads = [one, two].map((player) => el('th', { scope: 'col' }, playerName(player)));
  const head = el('tr', {}, el('td'), heads);
  const table = el('table', { class: 'list' }, el('thead', {}, head), el('tbody', {}, rows));
  const maps = mapsOf(games, (some, setup) =>
    [one, two].flatMap((owner, i) => [placesMap(some, setup, owner), attacksMap(some, setup, [two, one][i])]),
  );
  return [
    el('div', { class: 'card wide' }, table),
    ...learningPart(duels[0], `Score of ${playerName(one)} by the game of the series`),
    ...(maps.length > 0 ? [part('Where ships lay, and where the other attacked', ...maps)] : []),
  ];
}
