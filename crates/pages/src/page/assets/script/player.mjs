// The page of a player.
// @ts-check

import { plural, short } from './words.mjs';
import { byId, el, svg } from './dom.mjs';
import { data, gameLink, gamesAddress, playerName } from './data.mjs';
import { lineChart, range } from './chart.mjs';
import { makeSortable, sortHead } from './tables.mjs';

const part = (title, ...content) => el('section', {}, el('h2', {}, title), ...content);

export function showPlayer(index) {
  const player = data.players[index];
  const details = data.details[index];
  const place = player.place === null ? '' : ` · place ${player.place} of ${data.players.length}`;
  byId('player-facts').replaceChildren(el('code', {}, player.command), place);
  const pairs = details.summary.map(([label, value]) => el('div', {}, el('dt', {}, label), el('dd', {}, value)));
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
    ...mapsPart(details),
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
  const all = el('p', {}, el('a', { href: gamesAddress(playerName(index)) }, `All games of ${playerName(index)}`));
  return [part('Against each opponent', el('div', { class: 'card wide' }, table), all)];
}

/** @param {number[]} results how many games were won, drawn and lost */
function opponentRow(index, opponent, results, counts) {
  const [won, drawn, lost] = results;
  const games = won + drawn + lost;
  const share = games > 0 ? (won + drawn / 2) / games : 0;
  const label = `${playerName(opponent)}${counts ? '' : ', does not count'}`;
  const link = el('a', { href: gamesAddress(playerName(index), playerName(opponent)) }, label);
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

/** Two maps of the board, and a choice of the games that they show. */
function mapsPart(details) {
  if (details.maps.length === 0) return [];
  const names = details.maps.map((map) => {
    const setup = data.setups[map.setup];
    const board = data.setups.length > 1 ? `${setup.rules} ${setup.rows}×${setup.cols}, ` : '';
    return `${board}${map.when} (${map.games})`;
  });
  const select = el(
    'select',
    {},
    names.map((name, i) => el('option', { value: i }, name)),
  );
  const maps = el('div', { class: 'maps' });
  const fill = () => maps.replaceChildren(...heatMaps(details.maps[Number(select.value)]));
  select.addEventListener('change', fill);
  fill();
  return [part('Where it places its ships, and how early it attacks', el('label', {}, 'Games ', select), maps)];
}

function heatMaps(map) {
  const setup = data.setups[map.setup];
  return [placesMap(map, setup), attacksMap(map, setup)];
}

function placesMap(map, setup) {
  const placed = map.placed.map((count) => (map.games > 0 ? (100 * count) / map.games : 0));
  const most = Math.max(...placed, 1e-9);
  const cells = placed.map((value) => ({
    text: String(Math.round(value)),
    words: value > 0 ? `${short(value)}%` : 'never',
    level: Math.ceil((8 * value) / most),
  }));
  return heatMap(setup, 'Ships: share of games in percent', cells, ['never', `${short(most)}%`]);
}

/** Cells that are attacked early and often are dark: a game without an attack on a cell counts as if it came last. */
function attacksMap(map, setup) {
  const { games, attacked, reached } = map;
  const size = setup.rows * setup.cols;
  const overAll = (value, i) => (value * reached[i] + size * Math.max(games - reached[i], 0)) / Math.max(games, 1);
  const means = attacked.map((value, i) => (value === null || !reached ? value : overAll(value, i)));
  const [first, last] = range(means.filter((value) => value !== null));
  const cells = attacked.map((value, i) => {
    if (value === null) return { text: '–', words: 'never', level: 0 };
    const often = reached ? `attacked in ${reached[i]} of ${plural(games, 'game')}, as ` : '';
    return {
      text: String(Math.round(value)),
      words: `${often}attack ${short(value)} on average`,
      level: 1 + Math.round((7 * (last - means[i])) / (last - first || 1)),
    };
  });
  return heatMap(setup, 'Attacks: the mean number of the attack', cells, ['late or seldom', 'early and often']);
}

/** Draws a map of cells `{text, words, level}`, of which the level is from 0 to 8. */
function heatMap(setup, title, cells, [least, most]) {
  const columns = Array.from({ length: setup.cols }, (_, col) => el('th', { scope: 'col' }, setup.colNames[col]));
  const cell = (row, col) => {
    const { text, words, level } = cells[row * setup.cols + col] || { text: '–', words: 'never', level: 0 };
    const title = `${setup.cells[row * setup.cols + col]}: ${words}`;
    return el('td', { class: `h${level}`, title, 'aria-label': title }, text);
  };
  const rows = Array.from({ length: setup.rows }, (_, row) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, setup.rowNames[row]),
      columns.map((_, col) => cell(row, col)),
    ),
  );
  const steps = Array.from({ length: 9 }, (_, i) => el('i', { class: `h${i}` }));
  const table = el(
    'table',
    { class: 'board heat' },
    el('caption', {}, title),
    el('thead', {}, el('tr', {}, el('td', { class: 'corner' }), columns)),
    el('tbody', {}, rows),
  );
  table.style.setProperty('--cols', String(setup.cols));
  return el(
    'figure',
    { class: 'map' },
    table,
    el('figcaption', { class: 'legend' }, least, el('span', { class: 'steps', 'aria-hidden': 'true' }, steps), most),
  );
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
  return [part('What it printed of itself', el('div', { class: 'charts' }, charts))];
}
