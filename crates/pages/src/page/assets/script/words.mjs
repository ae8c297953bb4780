// Numbers and times in words.
// @ts-check

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** The largest number that a figure of a game can be: larger ones are kept as it. */
const LARGEST_FIGURE = (2 - 2 ** -23) * 2 ** 127;

/** Returns a number with three digits, without needless zeros; up to a million, with all those before the point. */
export function short(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || value === 0) return String(value);
  if (size >= 1e6 || size < 1e-3) {
    const [digits, exponent] = value.toExponential(2).split('e');
    const bound = { [LARGEST_FIGURE]: '≥', [-LARGEST_FIGURE]: '≤' }[value] || '';
    return `${bound}${Number(digits)}e${Number(exponent)}`;
  }
  return size >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

export function timeText(us) {
  const two = (value) => Number(value.toPrecision(2));
  // A shot that is not the first of its salvo took no time of its own.
  if (us === 0) return '';
  if (us < 999) return `${two(us)} µs`;
  return us < 999e3 ? `${two(us / 1e3)} ms` : `${two(us / 1e6)} s`;
}

export const timesText = (count) => (count === 1 ? 'once' : `${count} times`);
