// The games of an encounter, or of a player.
// @ts-check

import { plural } from './words.mjs';
import { byId, el, setText } from './dom.mjs';
import { data, gameLink, nameOf, playerName } from './data.mjs';
import { pairParts } from './duel.mjs';
import { makeSortable, sortHead } from './tables.mjs';

/** A list with more rows than this is slow to show; the rest follows on demand. */
const ROWS_AT_ONCE = 500;

export function showGames(games, wanted) {
  const filters = [gameFilter('Winner', games, winnerName), gameFilter('Ended by', games, endName)];
  const count = el('p', { class: 'count', role: 'status' });
  const players = wanted.length === 2 ? wanted : null;
  const heads = players ? players.map((player) => `turns of ${playerName(player)}`) : ['opponent', 'turns'];
  const columns = [
    sortHead('game', true),
    sortHead('moved first', false, 'wide-only'),
    sortHead('winner'),
    sortHead(heads[0], Boolean(players)),
    sortHead(heads[1], true),
    sortHead('how it ended'),
  ];
  const body = el('tbody');
  const table = el('table', { class: 'list games' }, el('thead', {}, el('tr', {}, columns)), body);
  const more = el('button', { type: 'button' }, 'Show all');
  const fill = (limit) => {
    const chosen = games.filter((game) => filters.every((filter) => filter.accepts(game)));
    const shown = chosen.slice(0, limit);
    body.replaceChildren(...shown.map((game) => gameRow(game, wanted)));
    for (const head of columns) head.removeAttribute('aria-sort');
    setText(count, `${shown.length} of ${plural(games.length, 'game')}`);
    more.hidden = shown.length === chosen.length;
  };
  more.addEventListener('click', () => fill(Infinity));
  filters.forEach((filter) => filter.select.addEventListener('change', () => fill(ROWS_AT_ONCE)));
  fill(ROWS_AT_ONCE);
  makeSortable(table);
  const tools = el('div', { class: 'tools' }, ...filters.map((filter) => filter.node), count);
  const head = players ? pairParts(players, games) : [];
  byId('games-body').replaceChildren(...head, tools, el('div', { class: 'card wide' }, table), more);
}

const winnerName = (game) => (game.winner === null ? 'no winner' : nameOf(game, game.winner));
const endName = (game) => data.reasons[game.reason].word.replace(/_/g, ' ');

/** A choice among the values that `valueOf` has for the games. */
function gameFilter(label, games, valueOf) {
  const values = [...new Set(games.map(valueOf))].sort();
  const options = ['all', ...values].map((text, i) => el('option', { value: i }, text));
  const select = el('select', {}, options);
  const accepts = (game) => select.value === '0' || valueOf(game) === values[Number(select.value) - 1];
  return { select, accepts, node: el('label', {}, `${label} `, select) };
}

function gameRow(game, wanted) {
  const seats = wanted.map((player) => Math.max(game.players.indexOf(player), 0));
  // A player in both seats is named twice, and each has its own turns.
  if (wanted.length === 2 && seats[0] === seats[1]) seats[1] = 1 - seats[0];
  const turns = (seat) => el('td', { class: 'num' }, String(game.lengths[seat]));
  const middle = wanted.length === 2 ? seats.map(turns) : [el('td', {}, nameOf(game, 1 - seats[0])), turns(seats[0])];
  const { fault } = data.reasons[game.reason];
  const by = game.by !== null && fault ? `${nameOf(game, game.by)}: ` : '';
  return el(
    'tr',
    {},
    el('td', { class: 'num', 'data-value': game.number }, gameLink(game.number, String(game.number))),
    el('td', { class: 'wide-only' }, nameOf(game, game.first)),
    el('td', { class: game.winner === null ? 'none' : 'winner' }, winnerName(game)),
    middle,
    el('td', { class: fault ? 'fault' : null }, by + endName(game)),
  );
}
