// Records and pages for the checks: two tournaments of shipped bots and one bot that tries to break pages.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateRawSync } from 'node:zlib';

/** A name that must stay text wherever it is shown. */
export const HOSTILE = '<script>alert(1)<b>';

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

const players = (commands) => commands.map((command, i) => ({ name: `${command}-${i + 1}`, command }));

/** Makes everything once; a folder that has it already is used as it is. */
export function makeFixtures(referee, folder) {
  const path = (name) => join(folder, name);
  const run = (output, ...words) => {
    if (existsSync(path(output))) return;
    execFileSync(referee, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const contest = (name, entrants, options) => {
    const [config, record, page] = ['toml', 'jsonl', 'html'].map((kind) => `${name}.${kind}`);
    const tables = entrants.map(
      ({ name, command }) => `[[player]]\nname = ${JSON.stringify(name)}\ncommand = ${JSON.stringify(command)}\n`,
    );
    writeFileSync(path(config), tables.join('\n'));
    run(record, 'tournament', '--config', config, '--seed', '5', '-q', '--out', record, ...options);
    run(page, 'report', record, '-o', page);
    const lines = readFileSync(path(record), 'utf8').trim().split('\n');
    const games = lines.map((line) => JSON.parse(line)).filter((line) => line.format === 'battleship-game');
    return { page: path(page), games };
  };
  writeFileSync(path('hostile.py'), HOSTILE_BOT);
  const hostile = { name: HOSTILE, command: 'python3 hostile.py' };
  const classic = contest('classic', [...players(CLASSIC), hostile], ['--games', '8', '--max-faults', '0.9']);
  const twist = contest('twist', players(TWIST), ['--rules', 'twist', '--games', '4']);
  run('game.html', 'report', 'classic.jsonl', '--game', '3', '-o', 'game.html');
  return { folder, classic, twist, game: path('game.html') };
}

export const address = (path, hash = '') => pathToFileURL(path).href + hash;

// ---- Pages as text ----

const DATA = /(<script type="application\/json" id="page-data">)([^]*?)(<\/script>)/;

export const pageData = (html) => JSON.parse(DATA.exec(html)[2]);

function copy(path, name, edit) {
  const made = join(path, '..', name);
  writeFileSync(made, edit(readFileSync(path, 'utf8')));
  return made;
}

/** Writes a copy of a page whose data `edit` has changed, and returns its path. */
export const editData = (path, name, edit) =>
  copy(path, name, (html) => {
    const data = pageData(html);
    edit(data);
    const json = JSON.stringify(data).replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
    return html.replace(DATA, (_, before, __, after) => before + json + after);
  });

const CHUNK = /(<script type="text\/plain" id="chunk-\d+">)([^<]*)/g;

/** Writes a copy of a page whose packed games `edit` has changed, and returns its path. */
export const editChunks = (path, name, edit) =>
  copy(path, name, (html) => html.replace(CHUNK, (_, before, base64) => before + edit(base64)));

/** Returns the inflated chunks of a page. */
export const chunks = (html) =>
  [...html.matchAll(CHUNK)].map((match) => inflateRawSync(Buffer.from(match[2], 'base64')));
