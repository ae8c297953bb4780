// Records and pages for the checks: two tournaments of shipped bots and one bot that tries to break pages.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateRawSync } from 'node:zlib';

/** A name that must stay text wherever it is shown. */
export const HOSTILE = '<script>alert(1)</script>';

/** A bot in Python whose every word is markup. It prints a figure, writes to standard error, and sometimes forfeits. */
const HOSTILE_BOT = `
import random, sys

games = 0
for line in sys.stdin:
    word = line.split()[0]
    if word == 'battleship':
        print('name <b onclick=alert(2)>bold</b>\\nready', flush=True)
    elif word == 'game':
        games += 1
        turns = 0
        cells = random.sample([(row, col) for row in range(10) for col in range(10)], 100)
    elif word == 'place':
        print('place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h', flush=True)
    elif word == 'attack':
        turns += 1
        print('<img src=x onerror=alert(3)>', file=sys.stderr, flush=True)
        print(f'# heat = {100 - turns + random.random()}\\n# </script><script>alert(4)</script>', flush=True)
        if games % 4 == 3 and turns == 12:
            print('fire </script><script>alert(5)</script>', flush=True)
        else:
            row, col = cells.pop()
            print('attack', row, col, flush=True)
    elif word == 'quit':
        break
`;

const CLASSIC = ['good', 'good', 'mediocre', 'mediocre', 'mediocre', 'awful', 'awful'];
const TWIST = ['good', 'mediocre', 'awful', 'mediocre', 'good', 'awful', 'mediocre', 'awful'];

/** Makes everything once; a folder that has it already is used as it is. */
export function makeFixtures(referee, folder) {
  const make = new Maker(referee, folder);
  writeFileSync(make.path('hostile.py'), HOSTILE_BOT);
  const hostile = { name: HOSTILE, command: 'python3 hostile.py' };
  make.tournament('classic', [...players(CLASSIC), hostile], ['--games', '8', '--max-faults', '0.9']);
  make.tournament('twist', players(TWIST), ['--rules', 'twist', '--games', '4']);
  make.report('classic');
  make.report('twist');
  make.game('classic', 3);
  return {
    folder,
    classic: make.contest('classic'),
    twist: make.contest('twist'),
    game: make.path('classic-game-3.html'),
  };
}

const players = (commands) => commands.map((command, i) => ({ name: `${command}-${i + 1}`, command }));

class Maker {
  constructor(referee, folder) {
    this.referee = referee;
    this.folder = folder;
  }

  path(name) {
    return join(this.folder, name);
  }

  run(output, ...words) {
    if (!existsSync(this.path(output))) {
      execFileSync(this.referee, words, { cwd: this.folder, stdio: ['ignore', 'ignore', 'inherit'] });
    }
  }

  tournament(name, entrants, options) {
    const tables = entrants.map(({ name, command }) => {
      return `[[player]]\nname = ${JSON.stringify(name)}\ncommand = ${JSON.stringify(command)}\n`;
    });
    writeFileSync(this.path(`${name}.toml`), tables.join('\n'));
    const record = `${name}.jsonl`;
    this.run(record, 'tournament', '--config', `${name}.toml`, '--seed', '5', '-q', '--out', record, ...options);
  }

  report(name) {
    this.run(`${name}.html`, 'report', `${name}.jsonl`, '-o', `${name}.html`);
  }

  game(name, number) {
    const page = `${name}-game-${number}.html`;
    this.run(page, 'replay', `${name}.jsonl`, '--game', String(number), '--html', page);
  }

  contest(name) {
    const lines = readFileSync(this.path(`${name}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    const games = lines.map((line) => JSON.parse(line)).filter((line) => line.format === 'battleship-game');
    return { page: this.path(`${name}.html`), games };
  }
}

export const address = (path, hash = '') => pathToFileURL(path).href + hash;

// ---- Pages as text ----

const DATA = /(<script type="application\/json" id="page-data">)([^]*?)(<\/script>)/;

export const pageData = (html) => JSON.parse(DATA.exec(html)[2]);

/** Writes a copy of a page whose data `edit` has changed, and returns its path. */
export function editData(path, name, edit) {
  const html = readFileSync(path, 'utf8');
  const data = pageData(html);
  edit(data);
  const json = JSON.stringify(data).replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
  const copy = path.replace(/[^/]*$/, name);
  writeFileSync(
    copy,
    html.replace(DATA, (_, before, __, after) => before + json + after),
  );
  return copy;
}

/** Writes a copy of a page whose packed games `edit` has changed, and returns its path. */
export function editChunks(path, name, edit) {
  const copy = path.replace(/[^/]*$/, name);
  const chunk = /(<script type="text\/plain" id="chunk-\d+">)([^<]*)/g;
  writeFileSync(
    copy,
    readFileSync(path, 'utf8').replace(chunk, (_, before, base64) => before + edit(base64)),
  );
  return copy;
}

/** Returns the inflated chunks of a page. */
export function chunks(html) {
  const found = html.matchAll(/<script type="text\/plain" id="chunk-\d+">([^<]*)/g);
  return [...found].map((match) => inflateRawSync(Buffer.from(match[1], 'base64')));
}
