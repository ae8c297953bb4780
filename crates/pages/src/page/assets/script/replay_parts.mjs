// What is shown around the boards of a replay.
// @ts-check

import { plural, short, timeText } from './words.mjs';
import { byId, el, setText, svg } from './dom.mjs';
import { SEATS, VOID, data, nameOf, pairingCounts } from './data.mjs';
import { placeOf, quoted } from './games.mjs';
import { cellName, endingLines, placingLines, protocolLines } from './turns.mjs';
import { lineChart } from './chart.mjs';

/** Attacks less than this many points below the best are within the error of the estimate. */
const WORTH_A_WORD = 5;
/** The number of attacks that are listed, those that cost most. */
const MOST_COSTLY = 5;

/** Returns the line below the title. */
export function factsOf(game, setup) {
  const of = game.encounter > 0 ? `their game ${game.encounter}, ` : '';
  const counts = pairingCounts(game.players) ? (game.counts ? '' : ' · does not count') : ` · ${VOID}`;
  const odd = `${counts}${game.unfinished ? ' · of an unfinished series' : ''}`;
  return `${of}${setup.short} · ${nameOf(game, game.first)} moved first · ${winText(game, setup)}${odd}`;
}

/** Shows what signs mean. */
export function fillLegend(node, legend) {
  node.replaceChildren(
    ...legend.map(([kind, sign, text]) =>
      el('span', {}, el('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }, sign), text),
    ),
  );
}

/** Lists the turns, and returns the rows of the list. */
export function fillLog(game, setup, onTurn) {
  const rows = game.turns.map((turn, i) => {
    const address = `#game=${game.number}&shot=${i + 1}`;
    return el(
      'tr',
      { click: () => onTurn(i + 1) },
      el('td', { class: 'num' }, el('a', { href: address, tabindex: -1 }, String(i + 1))),
      el('td', { class: 'who' }, nameOf(game, turn.seat)),
      el('td', { class: 'cell' }, turn.cells.map((cell) => cellName(setup, cell)).join(' → ')),
      el('td', { class: turn.phrase.hits ? 'struck' : '' }, turn.phrase.word),
      el('td', { class: 'num' }, timeText(turn.us)),
    );
  });
  byId('replay-log').replaceChildren(turnTable(rows, setup.cellsOfTurn > 1 ? 'from → to' : 'cell'));
  setText(byId('replay-log-title'), `${setup.turn[0].toUpperCase()}${setup.turn.slice(1)}s`);
  return rows;
}

/** Returns a list of turns, with what is above their cells. */
export function turnTable(rows, cells = 'cell') {
  const heads = ['#', 'player', cells, 'result', 'reply'];
  const head = heads.map((text, i) => el('th', { scope: 'col', class: i % 4 ? '' : 'num' }, text));
  return el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows));
}

/** Marks hits on the time line, above it those of the first player and below it those of the second. Returns in which
    turns ships sank. */
export function fillMarks(game) {
  const marks = game.turns.flatMap(({ phrase, seat }, i) => {
    if (!phrase.hits) return [];
    const way = seat === 0 ? -1 : 1;
    const sunk = phrase.sinks !== null;
    const [y1, y2] = [2 * way, (sunk ? 10 : 6) * way];
    return [svg('line', { class: sunk ? 'sunk' : 'hit', x1: i + 1, x2: i + 1, y1, y2 })];
  });
  const drawing = byId('replay-marks');
  drawing.setAttribute('viewBox', `0 -10 ${Math.max(game.turns.length, 1)} 20`);
  drawing.replaceChildren(...marks);
  return game.turns.flatMap(({ phrase }, i) => (phrase.sinks === null ? [] : [i + 1]));
}

/** Draws what the bots printed of themselves, over the turns of the game. */
export function fillFigures(game) {
  const last = game.turns.length;
  const step = ({ turn, seat }) => Math.min(turn === 0 ? 0 : 2 * turn - (seat === game.first ? 1 : 0), last);
  const names = [...new Set(game.figures.map((figure) => figure.name))];
  const charts = names.map((name) => {
    const series = SEATS.map((seat) => ({
      name: nameOf(game, seat),
      points: game.figures
        .filter((figure) => figure.name === name && figure.seat === seat)
        .map((figure) => [step(figure), figure.value]),
    })).filter((one) => one.points.length > 0);
    return lineChart(data.figureNames[name], 'turn', series, { xLast: last });
  });
  byId('replay-figures').hidden = charts.length === 0;
  byId('replay-figures').replaceChildren(...charts.map((chart) => chart.node));
  return charts;
}

/** Returns what is known of each turn of a game: the best cell, the chance of the attack, and that of the best. */
function reviewsOf(game) {
  const found = data.reviews && data.reviews[game.number];
  const made = [0, 0];
  return found ? game.turns.map(({ seat }) => found.attacks[seat][made[seat]++]) : [];
}

/** Draws how likely the players were to win, and lists the attacks that cost most, each with a link. */
export function fillChances(game, setup) {
  const reviews = reviewsOf(game);
  const node = byId('replay-chances');
  node.hidden = reviews.length === 0;
  if (node.hidden) return [];
  const { winning } = data.reviews[game.number];
  const series = SEATS.map((seat) => ({
    name: nameOf(game, seat),
    // Whose turn it is matters as well: both have had as many before each turn of the player that moved first.
    points: winning
      .map((chance, i) => [i, seat === 0 ? chance : 100 - chance])
      .filter(([i]) => i % 2 === 0 || i === game.turns.length),
  }));
  const title = 'Chance to win in percent, if both continued as good does';
  const charts =
    winning.length > 0 ? [lineChart(title, 'turn', series, { xLast: game.turns.length, ends: [0, 100] })] : [];
  const cost = (entry) => (entry ? entry[2] - entry[1] : 0);
  const worst = reviews
    .map((entry, i) => ({ entry, time: i + 1 }))
    .filter(({ entry }) => cost(entry) >= WORTH_A_WORD)
    .sort((one, other) => cost(other.entry) - cost(one.entry))
    .slice(0, MOST_COSTLY);
  const items = worst.map(({ entry, time }) => {
    const turn = game.turns[time - 1];
    const text = `${setup.turn} ${time}: ${nameOf(game, turn.seat)} ${cellName(setup, turn.cell)}`;
    const link = el('a', { href: `#game=${game.number}&shot=${time}` }, text);
    return el('li', {}, link, `, ${short(entry[1])}% to hit; ${setup.cells[entry[0]]} was ${short(entry[2])}%`);
  });
  const list = items.length > 0 ? [el('p', {}, 'The attacks that cost most:'), el('ol', {}, items)] : [];
  node.replaceChildren(...charts.map((chart) => chart.node), el('div', { class: 'costly' }, list));
  return charts;
}

/** Returns what `good` would have attacked instead in the last turn, if that is known. */
export function reviewOf(game, setup, time) {
  const turn = game.turns[time - 1];
  const entry = reviewsOf(game)[time - 1];
  if (!entry) return null;
  const [best, made, chance] = entry;
  const cell = setup.cells[best];
  const same = best === null || best === turn.cell || chance <= made;
  const text = same
    ? `good: no better attack, ${short(made)}%`
    : `good: ${cell}, ${short(chance)}% instead of ${short(made)}%`;
  return { best: same ? -1 : best, text };
}

/** Shows what was said in a turn, or the lines of the protocol that it consisted of. */
export function showLines(game, setup, time) {
  const said = data.dialogue && data.dialogue[game.number];
  const when = time > 0 ? `turn ${time}` : 'the start';
  const lines = said ? saidLines(game, said, time) : reconstructedLines(game, setup, time);
  setText(
    byId('replay-dialogue-title'),
    said ? `What was said at ${when}` : `The protocol at ${when}, reconstructed from the record`,
  );
  byId('replay-lines').replaceChildren(
    ...lines.map(([seat, mark, text]) =>
      el(
        'li',
        { class: mark === '!!' ? 'stderr' : null },
        el('b', {}, nameOf(game, seat)),
        el('span', { class: 'mark' }, mark === '!!' ? 'stderr' : mark),
        el('span', {}, text),
      ),
    ),
  );
  setText(byId('replay-debug'), debugText(game, time));
}

/** Returns the command that stops a bot at the turn that is shown, if a record has the game. */
function debugText(game, time) {
  const turn = game.turns[time - 1];
  const place = placeOf(game.number);
  if (!turn || !place) return '';
  const own = game.turns.slice(0, time).filter(({ seat }) => seat === turn.seat).length;
  const player = quoted(nameOf(game, turn.seat));
  const from = `--from ${place.record} --game ${place.number} --player ${player} --turn ${own}`;
  return `To stop there, with the command of the bot: referee debug BOT ${from}`;
}

function saidLines(game, said, time) {
  const turns = [time - 1, time === game.turns.length ? time : -2];
  return said.filter(([turn]) => turns.includes(turn)).map(([, seat, mark, text]) => [seat, mark, text]);
}

function reconstructedLines(game, setup, time) {
  const lines = time > 0 ? protocolLines(game.turns[time - 1], setup) : placingLines(game, setup);
  return time < game.turns.length ? lines : lines.concat(endingLines(game));
}

/** A turn is one of either player; an attack is one of the player who made it. */
function winText(game, setup) {
  if (game.winner === null) return 'no winner';
  const isOwn = setup.turn !== 'turn';
  const how = isOwn ? `in ${plural(game.lengths[game.winner], setup.turn)}` : `in turn ${game.turns.length}`;
  return `${nameOf(game, game.winner)} won ${how}`;
}

/** Returns how a game ended: a sentence, and advice where the page has it. */
export function resultParagraphs(game) {
  const reason = data.reasons[game.reason];
  const cause = game.by === null ? reason.text : `${nameOf(game, game.by)} ${reason.text}`;
  const sentence = game.text === null ? cause : data.texts[game.text];
  const forfeit = data.details.flatMap((details) => details.forfeits).find((one) => one.game === game.number);
  const parts = [
    el('strong', {}, game.winner === null ? 'No winner.' : `${nameOf(game, game.winner)} won.`),
    ` ${sentence}.`,
  ];
  if (forfeit && forfeit.advice) parts.push(el('span', { class: 'advice' }, ` ${forfeit.advice}`));
  return parts;
}
