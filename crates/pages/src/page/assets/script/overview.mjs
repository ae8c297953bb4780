// The overview of a contest.
// @ts-check

import { byId, el, inputById, setText } from './dom.mjs';
import { VOID, data, gamesAddress, pairingCounts, playerName } from './data.mjs';
import { makeSortable } from './tables.mjs';

export function startOverview() {
  const standings = document.querySelector('table.standings');
  const cross = document.querySelector('table.cross');
  if (standings) {
    makeSortable(standings);
    const more = byId('all-columns');
    more.addEventListener('click', () => toggleColumns(more, standings));
  }
  if (cross) {
    linkCells(cross);
    roveCells(cross);
  }
  const filter = inputById('filter');
  if (filter) filter.addEventListener('input', () => filterPlayers(filter.value, cross));
}

/** Shows the players whose name has a text, in every table and chart, and says how many these are. */
function filterPlayers(text, cross) {
  const wanted = text.trim().toLowerCase();
  const matches = (name) => name.toLowerCase().includes(wanted);
  const named = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#overview [data-name]'));
  for (const node of named) node.toggleAttribute('hidden', !matches(node.dataset.name));
  const found = data.players.filter((player) => matches(player.name)).length;
  setText(byId('filter-found'), found > 0 ? '' : `No player's name has “${text.trim()}”.`);
  if (!cross) return;
  const heads = [...cross.tHead.rows[0].cells];
  const shown = heads.map((head, i) => i === 0 || matches(head.title || head.textContent));
  for (const row of cross.rows) {
    [...row.cells].forEach((cell, i) => (cell.hidden = !shown[i]));
    if (row.parentNode !== cross.tHead) row.hidden = !matches(data.players[row.cells[0].dataset.player].name);
  }
}

/** Shows all columns of the standings on a screen that has no room for them, or only the main ones. */
function toggleColumns(button, standings) {
  const all = standings.classList.toggle('all');
  button.setAttribute('aria-pressed', String(all));
}

/** Leads the cells of the cross table to their games and says what they stand for: in the page it takes much room. */
function linkCells(table) {
  const rows = [...table.tBodies[0].rows];
  const players = rows.map((row) => Number(row.cells[0].dataset.player));
  const results = new Map();
  for (const [a, b, wins, draws, losses] of data.pairings) {
    results.set(`${a} ${b}`, [wins, draws, losses]);
    results.set(`${b} ${a}`, [losses, draws, wins]);
  }
  rows.forEach((row, i) => {
    for (const link of row.querySelectorAll('td a')) {
      const [one, two] = [players[i], players[link.parentNode.cellIndex - 1]];
      const [wins, draws, losses] = results.get(`${one} ${two}`);
      link.href = gamesAddress(playerName(one), playerName(two));
      const odd = pairingCounts([one, two]) ? '' : `; ${VOID}`;
      link.title = `${playerName(one)} against ${playerName(two)}: ${wins} won, ${draws} drawn, ${losses} lost${odd}`;
    }
  });
  if (data.pairings.some((pairing) => !pairing[5])) {
    const legend = el('p', { class: 'legend' }, `In italics: ${VOID}.`);
    (table.closest('.scroll') || table).after(legend);
  }
}

/** Makes the links of the cross table one stop of the tab key; arrows move between them. */
function roveCells(table) {
  const links = [...table.tBodies[0].querySelectorAll('td a')];
  const take = (link) => links.forEach((other) => (other.tabIndex = other === link ? 0 : -1));
  if (links.length > 0) take(links[0]);
  const next = (row, column, down, right) => {
    for (let r = row + down, c = column + right; ; r += down, c += right) {
      const line = table.tBodies[0].rows[r];
      if (!line || !line.cells[c]) return null;
      const link = line.hidden || line.cells[c].hidden ? null : line.cells[c].querySelector('a');
      if (link) return link;
    }
  };
  table.addEventListener('focusin', (event) => links.includes(event.target) && take(event.target));
  table.addEventListener('keydown', (event) => {
    const ways = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const cell = event.target.closest('td');
    if (!ways[event.key] || !cell) return;
    event.preventDefault();
    const link = next(cell.parentNode.sectionRowIndex, cell.cellIndex, ...ways[event.key]);
    if (link) link.focus();
  });
}
