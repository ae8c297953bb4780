// Plays the same games by the referee of the site and by this machine, in Node.js: same_games.mjs REFEREE SITE GAMES
// What differs is told, and ends the script with 1. Times are left out, and the programs, which are others.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [referee, site, games] = process.argv.slice(2);
const of = (name) => import(pathToFileURL(join(resolve(site), name)).href);
const [{ Wasi }, { Players, shipped }, { Table }] = await Promise.all(['wasi.mjs', 'players.mjs', 'table.mjs'].map(of));
const compiled = (name) => new WebAssembly.Module(readFileSync(join(site, name)));
const [inPage, play] = [compiled('referee.wasm'), compiled('play.wasm')];

const RULES = [
  ['--rules', 'classic'],
  ['--rules', 'classic', '--apart'],
  ['--rules', 'salvo'],
  ['--rules', 'twist'],
];

/** Returns the files that a command of the site's referee writes. */
function run(args) {
  const wasi = new Wasi({ args: ['referee', ...args], seed: 1 });
  const players = new Players({ makers: [shipped(play)], pass: (time) => wasi.pass(time) });
  const done = wasi.run(inPage, (memory) => ({ players: players.imports(memory) }));
  if (done.code !== 0) throw new Error(`referee ${args.join(' ')}: ${done.code}\n${done.stderr}`);
  return done.files;
}

/** Returns a record as text: what depends on the machine is left out, and the time behind each turn. */
function comparable(text) {
  const ownOfMachine = ['program', 'files', 'id', 'contest', 'took_ms', 'cpu_ms', 'started'];
  const without = (key, value) => {
    if (ownOfMachine.includes(key)) return undefined;
    return key === 'shots' || key === 'moves' ? value.map((turn) => turn.slice(0, -1)) : value;
  };
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.stringify(JSON.parse(line, without))).join('\n');
}

let failed = 0;
function compare(what, one, other) {
  const [site_, native] = [comparable(one), comparable(other)];
  const isSame = site_ === native;
  failed += isSame ? 0 : 1;
  console.log(`${isSame ? 'same' : 'DIFFERENT'} ${what}: ${site_.length} characters`);
  if (!isSame) {
    const at = [...site_].findIndex((letter, i) => letter !== native[i]);
    console.log(`  site   ${site_.slice(at - 100, at + 100)}\n  native ${native.slice(at - 100, at + 100)}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'same-games-'));
for (const rules of RULES) {
  const args = ['match', 'mediocre', 'good', '--games', games, '--seed', '7', ...rules, '--out'];
  const native = join(folder, `${rules.slice(1).join('')}.jsonl`);
  execFileSync(referee, [...args, native], { stdio: 'ignore' });
  compare(args.join(' '), new TextDecoder().decode(run([...args, 'r.jsonl'])['r.jsonl']), readFileSync(native, 'utf8'));
}
// The table of the page on which people play.
for (const [game, first] of [
  ['classic', 0],
  ['salvo', 0],
]) {
  let line = '';
  const table = new Table(play, (event) => (line = event.type === 'record' ? event.line : line));
  table.play({ game, rules: [], players: ['fair', 'good'], seed: 5, first, replies: [], times: [] });
  const native = join(folder, `table-${game}.jsonl`);
  execFileSync(referee, ['play', 'fair', 'good', '--rules', game, '--seed', '5', '--no-pause', '--out', native]);
  compare(`the table, ${game}`, line, readFileSync(native, 'utf8'));
}
process.exitCode = failed === 0 ? 0 : 1;
