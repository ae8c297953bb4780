// Where ships lay, and how early cells were attacked, over some games.
// @ts-check

import { plural, short } from './words.mjs';
import { el } from './dom.mjs';
import { SEATS, data, playerName } from './data.mjs';
import { range } from './chart.mjs';
import { cellsOf, unpackTurns } from './scenes.mjs';

/** Games of an encounter up to this number are those in which an opponent cannot have learned much. */
const EARLY = 5;
/** Of more games, as many spread over all. */
const MOST_GAMES = 1000;

/** The choices of games, as far as each has some. */
/** @type {{when: string, takes: (game: import('./scenes.mjs').Game) => boolean}[]} */
const WHEN = [
  { when: 'all games', takes: () => true },
  { when: 'games 1 to 5 of each series', takes: (game) => game.encounter <= EARLY },
  { when: 'later games', takes: (game) => game.encounter > EARLY },
];

/**
 * Returns a choice of games and the maps of those, of which `draw(games, setup)` returns the nodes.
 * @param {import('./scenes.mjs').Game[]} all
 */
export function mapsOf(all, draw) {
  const step = Math.max(all.length / MOST_GAMES, 1);
  const games = Array.from({ length: Math.floor(all.length / step) }, (_, i) => all[Math.floor(i * step)]);
  const choices = data.setups.flatMap((setup, number) => {
    const ofSetup = games.filter((game) => game.setup === number && setup.cells);
    const board = data.setups.length > 1 ? `${setup.short}, ` : '';
    const some = WHEN.map(({ when, takes }) => ({ when, setup, games: ofSetup.filter(takes) }));
    const differ = some[1].games.length > 0 && some[2].games.length > 0;
    return some
      .filter((choice, i) => choice.games.length > 0 && (i === 0 || differ))
      .map((choice) => ({ ...choice, name: `${board}${choice.when} (${choice.games.length})` }));
  });
  if (choices.length === 0) return [];
  const select = el(
    'select',
    {},
    choices.map(({ name }, i) => el('option', { value: i }, name)),
  );
  const maps = el('div', { class: 'maps' });
  const fill = () => {
    const choice = choices[Number(select.value)];
    for (const game of choice.games) unpackTurns(game, data);
    maps.replaceChildren(...draw(choice.games, choice.setup));
  };
  select.addEventListener('change', fill);
  fill();
  return [el('label', {}, 'Games ', select), maps];
}

/** Returns the seats of a player in a game: both if it met itself. */
const seatsOf = (game, player) => SEATS.filter((seat) => game.players[seat] === player);

/** Draws where the ships of a player lay. */
export function placesMap(games, setup, player) {
  const counts = setup.cells.map(() => 0);
  let fleets = 0;
  for (const game of games) {
    for (const seat of seatsOf(game, player)) {
      if (!game.fleets[seat]) continue;
      fleets += 1;
      for (const ship of game.fleets[seat]) for (const cell of cellsOf(ship, setup)) counts[cell] += 1;
    }
  }
  const placed = counts.map((count) => (100 * count) / Math.max(fleets, 1));
  const most = Math.max(...placed, 1e-9);
  const cells = placed.map((value) => ({
    text: String(Math.round(value)),
    words: value > 0 ? `${short(value)}%` : 'never',
    level: Math.ceil((8 * value) / most),
  }));
  const title = `Ships of ${playerName(player)}: share of games in percent`;
  return heatMap(setup, title, cells, ['never', `${short(most)}%`]);
}

/** Draws with which of its attacks a player attacked each cell; a game without one counts as if it came last. */
export function attacksMap(games, setup, player) {
  const last = setup.cells.length;
  const sums = setup.cells.map(() => 0);
  const reached = setup.cells.map(() => 0);
  let played = 0;
  for (const game of games) {
    for (const seat of seatsOf(game, player)) {
      played += 1;
      const firsts = new Map();
      game.turns
        .filter((turn) => turn.seat === seat)
        .forEach(({ phrase, cell }, i) => {
          // The opponent is told of attacks, and of nothing else.
          if (phrase.lines.some(([own]) => !own) && cell < last && !firsts.has(cell)) firsts.set(cell, i + 1);
        });
      for (const [cell, number] of firsts) {
        sums[cell] += number;
        reached[cell] += 1;
      }
    }
  }
  const means = sums.map((sum, i) => (sum + last * (played - reached[i])) / Math.max(played, 1));
  const [first, latest] = range(means);
  const cells = means.map((mean, i) => ({
    text: String(Math.round(mean)),
    words: `attacked in ${reached[i]} of ${plural(played, 'game')}, mean ${short(mean)}`,
    level: Math.round((8 * (latest - mean)) / (latest - first || 1)),
  }));
  const title = `Attacks of ${playerName(player)}: the mean number of the attack, ${last} in a game without it`;
  return heatMap(setup, title, cells, [short(latest), short(first)]);
}

/** Shades a node as dark as a level from 0 to 8. */
function shaded(node, level) {
  node.style.setProperty('--heat', `${8 * level}%`);
  return node;
}

/** Draws a map of cells `{text, words, level}`, of which the level is from 0 to 8. */
function heatMap(setup, title, cells, [least, most]) {
  const columns = setup.colNames.map((name) => el('th', { scope: 'col' }, name));
  const cell = (row, col) => {
    const { text, words, level } = cells[row * setup.cols + col];
    const title = `${setup.cells[row * setup.cols + col]}: ${words}`;
    return shaded(el('td', { title, 'aria-label': title }, text), level);
  };
  const rows = setup.rowNames.map((name, row) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, name),
      columns.map((_, col) => cell(row, col)),
    ),
  );
  const steps = Array.from({ length: 9 }, (_, i) => shaded(el('i'), i));
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
