// Makes docs/pictures/demo.gif, the moving picture at the top of the README: node demo.mjs REFEREE
//
// The referee really plays: its screen is read from a pseudo-terminal, keys are pressed as the script below has them,
// and the page at the end is that of the same game. The seed fixes what the opponent does, and each picture is taken
// when the screen has come to rest, so the film does not depend on how fast the machine is.
//
// A GIF, since GitHub shows it in a README everywhere and a small encoder makes it. The pictures have few colours, and
// of each only what has changed is stored, so it stays crisp and small.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import gifenc from 'gifenc';
import { PNG } from 'pngjs';
import { launch, open } from './browser.mjs';
import { address } from './fixtures.mjs';
import { COLUMNS, Terminal } from './terminal.mjs';

const OUT = fileURLToPath(new URL('../../docs/pictures/demo.gif', import.meta.url));
const SIZE = { width: 1120, height: 700 };
const SEED = '3';

const UP = '\x1b[A';
const DOWN = '\x1b[B';
const RIGHT = '\x1b[C';
const LEFT = '\x1b[D';
const ENTER = '\r';

/** The time that a picture is shown after a key, and after an attack, in milliseconds. */
const KEY = 80;
const ATTACK = 260;

/** The ships, as a person places them. */
const PLACING = [
  ['b', '2', ENTER],
  [' ', DOWN, DOWN, ENTER],
  ['d', '8', ENTER],
  [' ', 'h', '4', ENTER],
  ['j', '0', ENTER],
  [ENTER],
];

/** The attacks: the opponent's ships are where this seed has them. */
const ATTACKS = [
  ['2', '2', ENTER],
  ['4', '4', ENTER],
  [RIGHT, ENTER],
  [LEFT, UP, ENTER],
  [UP, ENTER],
  ['5', '4', ENTER],
  [DOWN, ENTER],
  ['7', '7', ENTER],
  [RIGHT, ENTER],
  [UP, ENTER],
  [DOWN, DOWN, ENTER],
  ['2', '8', ENTER],
  [RIGHT, ENTER],
  ['0', '1', ENTER],
  [RIGHT, ENTER],
  [RIGHT, ENTER],
  ['8', '1', ENTER],
  ['8', '3', ENTER],
  [UP, ENTER],
  [UP, ENTER],
  [DOWN, DOWN, DOWN, ENTER],
];

/** Returns one of the 240 colours that all terminals have alike: a cube of six by six by six, then greys. */
function colourOf(number) {
  const level = (step) => (step === 0 ? 0 : 55 + 40 * step);
  const cube = [36, 6, 1].map((part) => level(Math.floor((number - 16) / part) % 6));
  const [red, green, blue] = number < 232 ? cube : Array(3).fill(8 + 10 * (number - 232));
  return `rgb(${red} ${green} ${blue})`;
}

const STYLE = `
  body { margin: 0; background: #11111b; }
  main { margin: 14px 20px; background: #1e1e2e; border-radius: 10px; height: 672px; overflow: hidden; }
  header { height: 34px; background: #313244; color: #bac2de; text-align: center; }
  header { font: 15px/34px 'DejaVu Sans', sans-serif; }
  header i { float: left; width: 12px; height: 12px; margin: 11px -4px 0 12px; }
  header i { border-radius: 6px; background: #585b70; }
  #screen { margin: 6px auto 0; width: ${COLUMNS}ch; color: #cdd6f4; font: 21.5px/26px 'DejaVu Sans Mono', monospace; }
  #screen div { white-space: pre; height: 26px; }
  .bold { font-weight: bold; }
  .dim { color: #7f849c; }
  .inverse { background: #f5e0dc; color: #1e1e2e; }`;

class Film {
  constructor() {
    this.frames = [];
  }

  /** Shows a picture for so long; one that is the same as the last makes that longer. */
  add(png, milliseconds) {
    const { data } = PNG.sync.read(png);
    const last = this.frames.at(-1);
    if (last && last.data.equals(data)) last.milliseconds += milliseconds;
    else this.frames.push({ data, milliseconds });
  }

  /** Returns the film as a GIF, in which unchanged points are transparent. */
  encode() {
    const palette = this.palette();
    // Behind the colours of the palette.
    const clear = palette.length;
    const gif = gifenc.GIFEncoder();
    let last = null;
    for (const { data, milliseconds } of this.frames) {
      const points = gifenc.applyPalette(data, palette);
      const changed = last ? points.map((point, index) => (point === last[index] ? clear : point)) : points;
      gif.writeFrame(changed, SIZE.width, SIZE.height, {
        palette: last ? undefined : [...palette, [0, 0, 0]],
        delay: milliseconds,
        transparent: last !== null,
        transparentIndex: clear,
        dispose: 1,
      });
      last = points;
    }
    gif.finish();
    return gif.bytes();
  }

  /** Returns 255 colours for all pictures, from some of them. */
  palette() {
    const some = this.frames.filter((_, index) => index % 8 === 0 || index === this.frames.length - 1);
    const points = new Uint8Array(some.length * SIZE.width * SIZE.height * 4);
    some.forEach(({ data }, index) => points.set(data, index * data.length));
    return gifenc.quantize(points, 255);
  }
}

/** Returns the terminal's screen as lines of pieces: a text, its classes, and its colour if it has one. */
function pieces(terminal) {
  const piece = ({ text, colour, bold, dim, inverse }) => {
    const kinds = Object.entries({ bold, dim, inverse }).filter(([, is]) => is);
    const own = colour === null || inverse ? '' : colourOf(colour);
    return { text, kinds: kinds.map(([kind]) => kind).join(' '), colour: own };
  };
  return terminal.cells().map((line) => line.map(piece));
}

/** Puts lines of pieces onto the page; runs there. */
function show(lines) {
  const rows = lines.map((line) => {
    const row = document.createElement('div');
    for (const { text, kinds, colour } of line) {
      const span = document.createElement('span');
      span.textContent = text;
      span.className = kinds;
      span.style.color = colour;
      row.append(span);
    }
    return row;
  });
  document.getElementById('screen').replaceChildren(...rows);
}

/** Waits until the screen no longer changes. */
async function rest(terminal) {
  let last = '';
  for (let same = 0; same < 6;) {
    await new Promise((over) => setTimeout(over, 15));
    const now = terminal.text();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}

async function filmPlay(film, browser, referee, html) {
  const words = ['play', 'human', 'good'];
  const page = await open(browser, 'about:blank', { viewport: SIZE });
  const title = `referee ${words.join(' ')}`;
  await page.setContent(
    `<style>${STYLE}</style><main><header><i></i><i></i><i></i>${title}</header><div id="screen"></div></main>`,
  );
  const terminal = new Terminal([referee, ...words, '--seed', SEED, '--report', html]);
  const shoot = async (milliseconds) => {
    await page.evaluate(show, pieces(terminal));
    film.add(await page.screenshot(), milliseconds);
  };
  const press = async (keys, after, prompt) => {
    for (const key of keys) {
      terminal.press(key);
      await rest(terminal);
      if (key === ENTER) await terminal.shows(prompt);
      await rest(terminal);
      await shoot(key === ENTER ? after : KEY);
    }
  };
  await terminal.shows('enter place');
  await rest(terminal);
  await shoot(900);
  for (const keys of PLACING) await press(keys, 250, /enter place|arrows aim/);
  for (const keys of ATTACKS) await press(keys, ATTACK, /arrows aim|Home End/);
  await terminal.shows('Home End');
  await shoot(1500);
  terminal.press('q');
  await terminal.ended;
  await page.context().close();
}

async function filmPage(film, browser, html) {
  const page = await open(browser, address(html, ''), { viewport: SIZE, dark: true });
  await page.does('there');
  const slider = page.locator('#replay-slider');
  const last = Number(await slider.getAttribute('max'));
  const shoot = async (milliseconds) => film.add(await page.screenshot(), milliseconds);
  for (let shot = 0; shot <= last; shot += 1) {
    await slider.evaluate((slider, shot) => {
      slider.value = shot;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }, shot);
    await shoot(shot === 0 ? 700 : 130);
  }
  await shoot(2000);
}

const [referee] = process.argv.slice(2).map((path) => resolve(path));
if (!referee) {
  console.error('usage: node demo.mjs REFEREE');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'demo-'));
const browser = await launch();
try {
  const film = new Film();
  await filmPlay(film, browser, referee, join(folder, 'game.html'));
  await filmPage(film, browser, join(folder, 'game.html'));
  const gif = film.encode();
  writeFileSync(OUT, gif);
  const seconds = film.frames.reduce((sum, frame) => sum + frame.milliseconds, 0) / 1000;
  console.log(`demo.gif: ${film.frames.length} pictures, ${seconds.toFixed(1)} s, ${(gif.length / 1e6).toFixed(2)} MB`);
  if (process.env.STILLS) {
    film.frames.forEach(({ data }, index) => {
      const png = new PNG(SIZE);
      png.data = data;
      writeFileSync(join(process.env.STILLS, `${String(index).padStart(3, '0')}.png`), PNG.sync.write(png));
    });
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
