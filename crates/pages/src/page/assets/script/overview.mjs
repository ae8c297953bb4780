// The overview of a contest.
// @ts-check

import { el, inputById } from './dom.mjs';
import { VOID, data, gamesAddress, pairingCounts, playerName } from './data.mjs';
import { makeSortable } from './tables.mjs';

export function startOverview() {
  const standings = document.querySelector('table.standings');
  const cross = document.querySelector('table.cross');
  if (standings) {
    labelCells(standings);
    makeSortable(standings);
  }
  if (cross) {
    linkCells(cross);
    roveCells(cross);
  }
  const filter = inputById('filter');
  if (filter) filter.addEventListener('input', () => filterPlayers(filter.value, standings, cross));
}

/** Copies the heads into the cells, for narrow screens that show a row as a card. */
function labelCells(table) {
  const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
  for (const row of table.tBodies[0].rows) {
    [...row.cells].forEach((cell, i) => (cell.dataset.label = cell.dataset.label || heads[i]));
  }
}

const rowPlayer = (row) => (row.querySelector('th a') || row.querySelector('th')).textContent;

function filterPlayers(text, standings, cross) {
  const wanted = text.trim().toLowerCase();
  const matches = (name) => name.toLowerCase().includes(wanted);
  if (standings) for (const row of standings.tBodies[0].rows) row.hidden = !matches(rowPlayer(row));
  if (!cross) return;
  const heads = [...cross.tHead.rows[0].cells];
  const shown = heads.map((head, i) => i === 0 || matches(head.title || head.textContent));
  for (const row of cross.rows) {
    [...row.cells].forEach((cell, i) => (cell.hidden = !shown[i]));
    if (row.parentNode !== cross.tHead) row.hidden = !matches(rowPlayer(row));
  }
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
