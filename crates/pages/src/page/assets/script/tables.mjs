// Tables that sort.
// @ts-check

import { el } from './dom.mjs';

/** Returns a header cell with a button that sorts. */
export const sortHead = (text, numeric, more = '') =>
  el(
    'th',
    { scope: 'col', class: `${numeric ? 'num' : ''} ${more}` },
    el('button', { type: 'button', class: 'sort' }, text),
  );

function cellValue(row, column) {
  const cell = row.cells[column];
  const value = cell && (cell.dataset.value !== undefined ? cell.dataset.value : cell.textContent.trim());
  return value === undefined || value === '' || value === '–' ? null : value;
}

/** Orders values: numbers by size, other text by its letters, and what is missing last. */
function compareValues(a, b, sign) {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const difference = Number(a) - Number(b);
  return sign * (Number.isNaN(difference) ? a.localeCompare(b) : difference);
}

export function sortTable(table, column, descending) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [cellValue(row, column), row]);
  rows.sort((a, b) => compareValues(a[0], b[0], descending ? -1 : 1));
  body.append(...rows.map((pair) => pair[1]));
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    if (i === column) head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  });
}

/** Makes the buttons in a table's head sort it; a second press turns the order around. */
export function makeSortable(table) {
  for (const button of table.tHead.querySelectorAll('button.sort')) {
    button.addEventListener('click', () => {
      const head = button.closest('th');
      const sorted = head.getAttribute('aria-sort');
      sortTable(table, head.cellIndex, sorted === 'ascending');
    });
  }
}
