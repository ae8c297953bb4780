// The page of a player.
// @ts-check

import { plural, short } from './words.mjs';
import { byId, el, svg } from './dom.mjs';
import { data, gameLink, gamesAddress, hasGames, playerName } from './data.mjs';
import { lineChart } from './chart.mjs';
import { enduranceOf, learningPart, part, rate } from './duel.mjs';
import { loadGames } from './games.mjs';
import { attacksMap, mapsOf, placesMap } from './maps.mjs';
import { makeSortable, sortHead } from './tables.mjs';

export function showPlayer(index) {
  const player = data.players[index];
  const details = data.details[index];
  const place = player.place === null ? '' : ` · place ${player.place} of ${data.players.length}`;
  byId('player-facts').replaceChildren(el('code', {}, player.command), place);
  const pairs = [...details.summary, ...playRows(details)].map(([label, value]) =>
    el('div', {}, el('dt', {}, label), el('dd', {}, value)),
  );
  const maps = el('div');
  fillMaps(maps, index);
  byId('player-body').replaceChildren(
    ...(details.notes.length
      ? [
          el(
            'ul',
            { class: 'notes' },
            details.notes.map((note) => el('li', {}, note)),
          ),
        ]
      : []),
    el('dl', { class: 'summary' }, pairs),
    ...opponentsPart(index),
    ...learningPart(details.duel, 'Score by the game of the series'),
    maps,
    ...worstPart(details),
    ...forfeitsPart(details),
    ...figuresPart(details),
  );
}

function opponentsPart(index) {
  const rows = data.pairings
    .filter(([a, b]) => a === index || b === index)
    .map(([a, b, wins, draws, losses, counts]) => {
      const mine = a === index ? [wins, draws, losses] : [losses, draws, wins];
      return opponentRow(index, a === index ? b : a, mine, counts);
    });
  if (rows.length === 0) return [];
  const heads = [
    sortHead('opponent'),
    el('td', { class: 'wide-only' }),
    sortHead('share', true),
    sortHead('won', true),
    sortHead('no winner', true),
    sortHead('lost', true),
  ];
  const table = el('table', { class: 'list' }, el('thead', {}, el('tr', {}, heads)), el('tbody', {}, rows));
  makeSortable(table);
  const all = el('a', { href: gamesAddress(playerName(index)) }, `All games of ${playerName(index)}`);
  const parts = [el('div', { class: 'card wide' }, table)];
  if (hasGames()) parts.push(el('p', {}, all));
  return [part('Against each opponent', ...parts)];
}

/** @param {number[]} results how many games were won, drawn and lost */
function opponentRow(index, opponent, results, counts) {
  const [won, drawn, lost] = results;
  const games = won + drawn + lost;
  const share = games > 0 ? (won + drawn / 2) / games : 0;
  const label = `${playerName(opponent)}${counts ? '' : ', does not count'}`;
  const address = gamesAddress(playerName(index), playerName(opponent));
  const link = hasGames() ? el('a', { href: address }, label) : document.createTextNode(label);
  const number = (value) => el('td', { class: 'num' }, String(value));
  const bar = svg(
    'svg',
    {
      viewBox: '0 0 100 10',
      preserveAspectRatio: 'none',
      class: 'share',
      'aria-hidden': 'true',
    },
    svg('rect', {
      class: 'won',
      width: games ? (100 * won) / games : 0,
      height: 10,
    }),
    svg('rect', {
      class: 'lost',
      x: games ? 100 - (100 * lost) / games : 0,
      width: games ? (100 * lost) / games : 0,
      height: 10,
    }),
  );
  const text = games ? `${Math.round(100 * share)}%` : '–';
  const score = el('td', { class: 'num', 'data-value': share }, text);
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, link),
    el('td', { class: 'wide-only' }, bar),
    score,
    [won, drawn, lost].map(number),
  );
}

/** Fills the part with maps once the games of the player are unpacked. */
async function fillMaps(node, index) {
  const games = await loadGames([index]).catch(() => []);
  const maps = mapsOf(games, (some, setup) => [placesMap(some, setup, index), attacksMap(some, setup, index)]);
  if (maps.length > 0) node.replaceChildren(part('Where its ships lie, and how early it attacks', ...maps));
}

/** Returns what fleets endure and what attacks were worth, as rows of the summary. */
function playRows({ duel, skill }) {
  if (duel.fell + duel.stood === 0) return [];
  const rows = [
    ['opponents against its fleets', enduranceOf(duel)],
    ["turns that hit, and its opponents'", [0, 1].map((i) => rate(duel.hits[i], duel.attacks[i])).join(', ')],
  ];
  if (skill) {
    const luck = `hits ${skill.luck < 0 ? '' : '+'}${skill.luck.toFixed(1)} times more than was likely`;
    rows.push([
      `skill and luck, in ${plural(skill.games, 'game')}`,
      `gives away ${short(skill.lost)} expected hits a game; ${luck}`,
    ]);
  }
  return rows;
}

function worstPart(details) {
  const cards = details.worst.map(({ game, why }) =>
    el('article', { class: 'card' }, el('h3', {}, gameLink(game, `Game ${game}`)), el('p', {}, why)),
  );
  return cards.length ? [part('Games to look at', el('div', { class: 'cards' }, cards))] : [];
}

function forfeitsPart(details) {
  if (details.nForfeits === 0) return [];
  const rows = details.forfeits.map(({ game, reason, text, advice }, i) => {
    const word = data.reasons[reason].word.replace(/_/g, ' ');
    const isNew = advice && (i === 0 || details.forfeits[i - 1].advice !== advice);
    const first = el('p', {}, gameLink(game), ' ', el('strong', {}, word), ` ${text}`);
    return el('li', {}, first, isNew ? el('p', { class: 'advice' }, advice) : null);
  });
  const hidden = details.nForfeits - rows.length;
  const rest = hidden > 0 ? [el('p', {}, `And ${hidden} more.`)] : [];
  return [part(`Forfeits: ${details.nForfeits}`, el('ol', { class: 'forfeits' }, rows), ...rest)];
}

function figuresPart(details) {
  if (details.figures.length === 0) return [];
  const charts = details.figures.map(({ name, points }) => {
    const title = data.figureNames[name];
    const chart = lineChart(title, 'game', [{ name: 'mean of a game, last', points }]);
    const rows = points.map(([game, mean]) =>
      el('tr', {}, el('td', {}, gameLink(game)), el('td', { class: 'num' }, short(mean))),
    );
    const head = el('tr', {}, el('th', { scope: 'col' }, 'game'), el('th', { scope: 'col', class: 'num' }, title));
    const table = el('table', { class: 'list' }, el('thead', {}, head), el('tbody', {}, rows));
    return el('div', {}, chart.node, el('details', { class: 'data' }, el('summary', {}, 'As a table'), table));
  });
  return [part('What it printed of itself', el('div', { class: 'charts figures-of-bot' }, charts))];
}
