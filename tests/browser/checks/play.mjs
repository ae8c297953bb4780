// Games that a person plays in the browser, and records that are watched there.

import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { open, PHONE } from '../browser.mjs';
import { asked, play, turnsOf } from '../table.mjs';

const CLASSIC = ['play', 'human', 'awful', '--seed', '3'];
const TWIST = ['play', 'human', 'awful', '--rules', 'twist', '--first', '1', '--seed', '1'];

const says = (words) => `until text #live-status ~ ${words}`;
const ended = (words) => `until js document.body.dataset.view = replay\nthere\ntext #replay-result ~ ${words}`;
const atStart = 'until text #replay-place ~ ^turn 0';
const fleet = `${says('Place your')}\npress r Enter`;
const begin = `${fleet}\n${says('Your turn')}`;
const resign = 'click text=Resign\nclick #live-resign-yes';

/** The cells of the twist board on which awful places its units: by row, from the first column on. */
const AWFULS_FLEET = [
  [0, 5],
  [2, 5],
  [4, 5],
  [6, 3],
  [8, 3],
  [10, 3],
  [1, 1],
  [3, 1],
].flatMap(([row, length]) => Array.from({ length }, (_, col) => [row, col]));

/** Follows the lines for each cell, until the game is over. */
async function attackAll(page, cells, lines) {
  for (const cell of cells) {
    const known = await turnsOf(page);
    await page.does(lines(cell));
    if (!(await asked(page, known + 1))) return;
  }
}

const numbers = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/** Asks for something with exactly these headers, and returns the status. */
function status(origin, path, headers, method = 'GET') {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(origin);
    const asking = request({ hostname, port, path, method, headers: { host, ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asking.on('error', reject);
    asking.end();
  });
}

export const checks = {
  'a classic game is placed and won by clicks, through a reload': async ({ plays }) => {
    const page = await plays(CLASSIC);
    assert.equal(new URL(page.url()).search, '', 'the token leaves the address');
    await page.does(`
      ${says('Place your aircraft carrier, 5 cells long.')}
      hover #live-own-7
      wait #live-own .outline.bad
      click #live-own-7
      text #live-problem = The ship has no room there.
      click #live-own-0
      click text=Turn the ship
      click #live-own-10
      click text=Take back
      ${says('Place your battleship')}
      click text=Turn the ship
      click #live-own-10
      click text=Turn the ship
      reload
      ${says('Place your destroyer')}
      count #live-own .ship = 9
      click text=Turn the ship
      click #live-own-20
      click #live-own-30
      click #live-own-40
      ${says('All ships are placed.')}
      axe
      click button:text-is("Ready")
      ${says('Your turn: choose a cell to attack.')}
      click #live-foe-0`);
    await asked(page, 1);
    await page.reload();
    await asked(page, 1);
    assert.equal(await turnsOf(page), 2);
    await page.does(`
      js sessionStorage.getItem('referee-draft /') = null
      click #live-foe-0
      wait text=You have attacked (0,0) before; choose another cell.
      ${says('Your turn')}
      count #live-own .ship, #live-own .hit = 17
      count #live-foe .ship = 0
      axe`);
    assert.match(page.faults.pop(), /422/);
    await attackAll(page, numbers(1, 100), (cell) => `click #live-foe-${cell}`);
    await page.does(`
      ${ended('^human won\\.')}
      url ~ #game=1&shot=\\d+$
      press Home
      ${atStart}
      until url ~ shot=0$
      reload
      ${atStart}
      press End
      ${ended('^human won\\.')}`);
    assert.ok(page.requests.every((address) => address.startsWith(page.origin)));
  },

  'a game of salvos is won by choosing all shots of each': async ({ plays }) => {
    const page = await plays([...CLASSIC, '--rules', 'salvo', '--apart']);
    await page.does(`
      ${fleet}
      ${says('Your turn: choose shot 1 of 5')}
      click #live-foe-7
      click #live-foe-8
      click #live-foe-8
      wait text=You have shot there before.
      count #live-foe .chosen = 2
      press u
      ${says('choose shot 2 of 5')}
      press u`);
    assert.equal(await turnsOf(page), 0);
    let cell = 0;
    for (let goesOn = true; goesOn;) {
      const shots = Number(/of (\d)/.exec(await page.locator('#live-status').textContent())?.[1] || 1);
      const known = await turnsOf(page);
      // The last salvo may have more shots than there are cells left; then the game is over before.
      for (let shot = 0; shot < shots; shot++) await page.click(`#live-foe-${cell++}`);
      goesOn = await asked(page, known + shots);
    }
    await page.does(ended('^human won\\.'));
  },

  'a classic game is placed and won by keys': async ({ plays, folder }) => {
    const record = join(folder, `keys-${Date.now()}.jsonl`);
    const page = await plays([...CLASSIC, '--out', record]);
    await page.does(`
      ${says('Place your')}
      press v Enter u v
      ${says('Place your aircraft carrier')}
      press Enter ArrowDown Enter ArrowDown Enter ArrowDown Enter ArrowDown Enter ArrowDown
      ${says('All ships are placed.')}
      press x
      ${says('Place your aircraft carrier')}
      press r Enter
      ${says('Your turn')}
      press /
      type Z9
      press Enter
      text #live-problem ~ “Z9” is not a cell of the board
      fill #live-type = B7
      press Enter`);
    // One cell is typed, the others are reached by the arrows.
    await asked(page, 1);
    await page.does(`
      text #live-log tbody tr >> nth=-1 ~ \\(1,7\\)
      press Escape ArrowUp ArrowLeft ArrowLeft ArrowLeft ArrowLeft ArrowLeft ArrowLeft ArrowLeft`);
    const keys = (cell) => {
      if (cell === 0) return 'press Enter';
      // B7, number 17, was attacked first.
      const steps = cell === 18 ? 'ArrowRight ArrowRight' : 'ArrowRight';
      return `press ${steps}${cell % 10 === 0 ? ' ArrowDown' : ''} Enter`;
    };
    await attackAll(
      page,
      numbers(0, 100).filter((cell) => cell !== 17),
      keys,
    );
    await page.does(ended('^human won\\.'));
    // To an open page the end of its server would be a fault.
    await page.close();
    page.child.kill('SIGINT');
    await page.ended;
    const game = JSON.parse(readFileSync(record, 'utf8'));
    assert.equal(game.winner, 'human');
    assert.deepEqual(game.shots[0].slice(0, 3), [0, 1, 7]);
  },

  'a twist game is placed and won by clicks': async ({ plays }) => {
    const page = await plays(TWIST);
    await page.does(`
      ${says('Place your battleship, 5 cells long.')}
      ${[60, 72, 84, 96, 108, 120, 132, 143].map((cell) => `click #live-own-${cell}`).join('\n')}
      click button:text-is("Ready")
      ${says('Your turn: choose a unit.')}
      click #live-own-0
      text #live-problem = None of your units is there.
      click #live-own-143
      ${says('exploration submarine moves')}
      count #live-own .possible = ${144 - 25}
      click #live-own-60
      ${says('battleship fires')}
      click #live-own-143
      click #live-own-26`);
    await asked(page, 1);
    // The submarine sees what awful placed.
    await page.does(`
      count #live-foe tbody td i:text-is("Y") = 17
      axe`);
    const shot = ([row, col]) => `
      click #live-own-62
      ${says('choose a target')}
      click #live-foe-${12 * row + col}`;
    await attackAll(page, AWFULS_FLEET, shot);
    await page.does(`
      ${ended('^human won\\.')}
      count #replay-seas .board:visible = 4`);
  },

  'a twist game is placed and won by keys': async ({ plays }) => {
    const page = await plays(TWIST);
    const type = (...cells) => cells.map((cell) => `type ${cell}\npress Enter`).join('\n');
    // The first by arrows, the others typed.
    await page.does(`
      ${says('Place your battleship')}
      press ArrowDown ArrowDown ArrowDown ArrowDown ArrowDown Enter
      ${says('Place your battleship')}
      press /
      ${type('G1', 'H1', 'I1', 'L1', 'M1', 'N1', 'N12')}
      press Escape Enter
      ${says('choose a unit')}
      focus #live-own`);
    // Tab goes from unit to unit, by their centres.
    const seen = new Set();
    for (let unit = 0; unit < 3; unit++) {
      await page.keyboard.press('Shift+Tab');
      const cell = await page.getAttribute('#live-own', 'aria-activedescendant');
      await page.does(`count #${cell}.ship.centre = 1`);
      seen.add(cell);
    }
    assert.equal(seen.size, 3);
    await page.does('press /');
    await attackAll(page, AWFULS_FLEET, ([row, col]) => type('F3', `${'ABCDEFGHILMN'[row]}${col + 1}`));
    await page.does(ended('^human won\\.'));
  },

  'a tip, a rematch and another opponent': async ({ plays }) => {
    const page = await plays(CLASSIC, { viewport: PHONE });
    await page.does(`
      ${begin}
      press t
      ${says('likely to hit.')}
      press Enter`);
    await asked(page, 1);
    await page.does(`
      ${resign}
      ${ended('.')}
      text #replay-title = You lost after 1 attack, 0% hits: you gave up.
      title ~ ^You lost after 1 attack
      js document.activeElement.id = replay-title`);
    const last = await page.getByRole('button', { name: 'Look back' }).boundingBox();
    assert.ok(last.y + last.height < PHONE.height, 'the buttons are seen without scrolling');
    await page.does(`
      axe
      press ?
      wait :text-is("rematch")
      press Escape
      click button:text("Look back")
      ${atStart}
      press r
      ${begin}
      url = ${page.origin}/
      ${resign}
      ${ended('.')}
      text #replay-title ~ You 0, awful 2\\.$
      press o
      axe
      click button:text-matches("^fair \\\\(")
      ${begin}
      text h1 = human against fair`);
  },

  'two tabs show one game': async ({ plays }) => {
    const page = await plays(CLASSIC);
    const other = await page.context().newPage();
    await page.does(says('Place your'));
    await other.goto(page.origin);
    const awaits = (words) => other.locator('#live-status', { hasText: words }).waitFor();
    await awaits('Place your');
    await page.does('press r Enter');
    await awaits('Your turn');
    assert.equal(await other.locator('#live-own .ship').count(), 17);
    await other.click('#live-foe-5');
    await asked(page, 1);
    // What is said too late is refused in words: as if this tab had not heard of the other.
    const late = await page.evaluate(async () => {
      const body = JSON.stringify({ turn: 2, reply: 'attack 0 0' });
      const answer = await fetch('say', { method: 'POST', body });
      return [answer.status, await answer.text()];
    });
    assert.deepEqual(late, [409, 'That answers an earlier question.']);
    await page.does(`
      click text=Resign
      axe
      click #live-resign-no
      ${resign}
      ${ended('^awful won. human resigned')}`);
    await other.locator('#replay-result', { hasText: /^awful won. human resigned/ }).waitFor();
    assert.match(page.faults.pop(), /409/);
  },

  'the clock shows what is left of the limit': async ({ plays }) => {
    const page = await plays([...CLASSIC, '--limit', 'human=1h']);
    await page.does(`
      ${says('Place your')}
      text #live-clock ~ ^3[56]\\d\\d s left$
      press r Enter
      ${says('Your turn')}
      text #live-clock ~ ^your turn for [\\d.]+ s · 3[56]\\d\\d s left$`);
  },

  'a person plays on a phone': async ({ plays }) => {
    const page = await plays(CLASSIC, { viewport: PHONE, hasTouch: true, dark: true });
    await page.does(`
      ${says('Place your')}
      tap #live-own-44
      ${says('Place your battleship')}
      tap text=Random fleet
      tap button:text-is("Ready")
      ${says('Your turn')}`);
    const [foe, own] = await Promise.all(['#live-foe', '#live-own'].map((id) => page.locator(id).boundingBox()));
    assert.ok(foe.y < own.y, 'the board that is attacked comes first');
    await page.tap('#live-foe-0');
    await asked(page, 1);
    await page.does(`
      js document.documentElement.scrollWidth <= innerWidth = true
      axe`);
  },

  'only the browser with the link is let in': async ({ plays, browser }) => {
    const page = await plays(CLASSIC);
    const { link, origin } = page;
    const [{ name, value, httpOnly, sameSite }] = await page.context().cookies();
    assert.deepEqual([httpOnly, sameSite], [true, 'Strict']);
    const cookie = { cookie: `${name}=${value}` };
    for (const [code, path, headers, method] of [
      [200, '/', cookie],
      [403, '/', {}],
      [403, '/events', {}],
      [403, '/', { ...cookie, host: 'example.org' }],
      [403, '/say', cookie, 'POST'],
      [403, '/say', { ...cookie, origin: 'http://example.org' }, 'POST'],
    ]) {
      assert.equal(await status(origin, path, headers, method), code, path);
    }
    const stranger = await open(browser, link);
    await stranger.does('text body ~ This link was used before');
    assert.match(stranger.faults[0], /403/);
  },

  '--open leads the browser to the page by a file that goes': async ({ openThere, folder, referee }) => {
    const home = join(folder, 'opener');
    mkdirSync(home, { recursive: true });
    const note = join(home, `opened-${Date.now()}`);
    const opener = join(home, 'xdg-open');
    writeFileSync(opener, `#!/bin/sh\ncp "$1" '${note}.html'; echo "$1" > '${note}.new'; mv '${note}.new' '${note}'\n`);
    chmodSync(opener, 0o755);
    const before = process.env.PATH;
    process.env.PATH = `${home}:${before}`;
    const opening = play(referee, folder, [...CLASSIC, '--open']);
    for (let i = 0; i < 600 && !existsSync(note); i++) await new Promise((wait) => setTimeout(wait, 50));
    process.env.PATH = before;
    const file = readFileSync(note, 'utf8').trim();
    assert.ok(existsSync(file));
    const page = await openThere(pathToFileURL(file).href);
    await page.does(says('Place your'));
    assert.ok(!existsSync(file), 'the file is gone');
    copyFileSync(`${note}.html`, join(home, 'copy.html'));
    await page.does(`${resign}\n${ended('^awful won')}`);
    await page.context().close();
    const game = await opening;
    assert.match(game.said, /referee: your browser opens; if it does not, open http:\S+ in one on this machine/);
    await game.ended;
  },
};
