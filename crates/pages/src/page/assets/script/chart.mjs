// Small charts of lines.
// @ts-check

import { short } from './words.mjs';
import { el, svg } from './dom.mjs';

const CHART = {
  width: 480,
  height: 120,
  left: 44,
  right: 8,
  top: 10,
  bottom: 20,
};

/** Returns the least and the greatest of numbers, of which there may be more than a call takes arguments. */
export function range(values) {
  const widen = ([low, high], value) => [Math.min(low, value), Math.max(high, value)];
  return values.reduce(widen, [Infinity, -Infinity]);
}

/**
 * Draws lines over a common axis, from 0 to `xLast` if that is given, and between `ends` if these are. A series is
 * `{name, points: [[x, y], ...]}`, with its points in order. Returns the figure, and a function that moves the cursor
 * to an x and says the values there.
 * @param {string} title
 * @param {string} xName
 * @param {{name: string, points: number[][]}[]} series
 * @param {{xLast?: number, ends?: [number, number]}} more
 */
export function lineChart(title, xName, series, more = {}) {
  const { xLast, ends } = more;
  const { width, height, left, right, top, bottom } = CHART;
  const ys = series.flatMap((one) => one.points.map((point) => point[1])).filter(Number.isFinite);
  const xs = series.flatMap((one) => one.points.map((point) => point[0]));
  const [firstX, lastX] = range(xs);
  const [x0, x1] = xLast === undefined ? [firstX, lastX] : [0, Math.max(lastX, xLast)];
  const [low, high] = ends ?? range(ys);
  // What differs by less is rounded differently.
  const flat = !(high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high)));
  const x = (value) => left + ((value - x0) / (x1 - x0 || 1)) * (width - left - right);
  // By halves, since the difference of very large numbers is infinite.
  const share = (value) => (flat ? 0.5 : (value / 2 - low / 2) / (high / 2 - low / 2));
  const y = (value) => height - bottom - share(value) * (height - top - bottom);
  const label = (at, text, more) => svg('text', { x: at[0], y: at[1], class: 'label', ...more }, text);
  const lines = series.map((one, i) => {
    const points = one.points.filter((point) => Number.isFinite(point[1]));
    return svg('polyline', {
      class: `line s${i}`,
      points: points.map((point) => `${x(point[0]).toFixed(1)},${y(point[1]).toFixed(1)}`).join(' '),
    });
  });
  const cursor = svg('line', {
    class: 'cursor',
    y1: top,
    y2: height - bottom,
    x1: -99,
    x2: -99,
  });
  const drawing = svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': flat ? `${title}, always ${short(high)}` : `${title}, from ${short(low)} to ${short(high)}`,
    },
    svg('line', {
      class: 'axis',
      x1: left,
      x2: width - right,
      y1: height - bottom,
      y2: height - bottom,
    }),
    label([left - 6, y(high) + 4], short(high), { 'text-anchor': 'end' }),
    flat ? [] : [label([left - 6, y(low) + 4], short(low), { 'text-anchor': 'end' })],
    label([left, height - 5], `${xName} ${x0}`),
    label([width - right, height - 5], String(x1), { 'text-anchor': 'end' }),
    lines,
    cursor,
  );
  const values = el('p', { class: 'values' });
  const say = (to) => values.replaceChildren(...series.map((one, i) => seriesValue(one, i, to)));
  const move = (to) => {
    cursor.setAttribute('x1', x(to));
    cursor.setAttribute('x2', x(to));
    say(to);
  };
  say(x1);
  return {
    node: el('figure', { class: 'chart small' }, el('figcaption', {}, title), drawing, values),
    move,
  };
}

function seriesValue(one, i, to) {
  const known = one.points.filter((point) => point[0] <= to);
  const value = known.length > 0 ? short(known[known.length - 1][1]) : '–';
  const key = svg('svg', { viewBox: '0 0 24 8', class: 'key' }, svg('path', { class: `line s${i}`, d: 'M0 4H24' }));
  return el('span', {}, key, ` ${one.name} ${value}`);
}
