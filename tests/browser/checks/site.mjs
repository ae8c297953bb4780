// The site, of which SITE names the folder: the front page, and the page on which one writes a bot. A server of files
// on the loopback is all that there is; requests to others are faults.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';

export const PHONE = { width: 360, height: 780 };

const TYPES = { html: 'text/html', css: 'text/css', mjs: 'text/javascript', wasm: 'application/wasm' };

/** Serves the files of the site, as any server does. */
const server = createServer((request, response) => {
  const path = join(process.env.SITE ?? '', new URL(request.url, 'http://site').pathname);
  if (!existsSync(path)) return response.writeHead(404).end();
  return response
    .writeHead(200, { 'content-type': TYPES[path.split('.').pop()] ?? 'text/plain' })
    .end(readFileSync(path));
});

/** Opens a page of the site. */
export async function site({ openAt }, name, options = {}) {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  return openAt(`http://127.0.0.1:${server.address().port}/${name}`, options);
}

const READY = 'wait #check:enabled';

/** Opens the page on which one writes a bot. */
async function author(tools, { language = 'javascript', ...options } = {}) {
  const before = `localStorage.setItem('battleship-language', '${language}')`;
  const page = await site(tools, 'author.html', { before, ...options });
  await page.does(READY);
  return page;
}

const run = (id) => `click ${id}\n${READY}`;

/** Puts text into the strategy, at the beginning of newGame. */
async function insert(page, text) {
  await page.does(`
    click #again
    ${run('#replace')}
    focus #editor .cm-content
    press Control+Home ArrowDown ArrowDown ArrowDown ArrowDown ArrowDown ArrowDown End`);
  await page.keyboard.insertText(`\n${text}`);
}

/** Waits for the file that a click saves, and returns its path. */
export async function saved(page, what) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(what)]);
  return file.path();
}

const LOST = '^mybot forfeits: .* mediocre wins!$';

const FAULTS = [
  ['with (Math) sin(1);', '^strategy\\.js, line 8: Strict mode code.*$', '^$'],
  ['}', '^strategy\\.js, line \\d+: Unexpected token.*\\.$', '^$'],
  ['throw new Error("no luck");', LOST, 'Error: no luck\\n +at .*strategy\\.js:8:'],
  ['const f = () => f() + 1; f();', LOST, 'RangeError: Maximum call stack'],
  ['for (;;) console.log("flood");', LOST, '^$'],
  ['for (;;) console.error("loop");', LOST, 'did not answer in time'],
  // It is refused before it is filled. A heap that is full ends the tab, of which the strategy is kept.
  ['const all = []; for (;;) all.push(new Uint8Array(2 ** 33));', LOST, 'RangeError: Array buffer allocation failed'],
  ['const x = new XMLHttpRequest(); x.open("GET", "https://127.0.0.1:9/", false); x.send();', LOST, 'NetworkError'],
];

export const checks = {
  'the front page leads to every page of the site': async (tools) => {
    const page = await site(tools, 'index.html');
    await page.does('count .doors a = 3');
    for (const address of await page.locator('.doors a').evaluateAll((all) => all.map((one) => one.href))) {
      assert.equal((await page.request.get(address)).status(), 200, address);
    }
    await page.does('axe');
  },

  'a bot is checked and plays, by keyboard alone': async (tools) => {
    const page = await author(tools);
    const frame = page.frameLocator('#shown iframe');
    await page.does(`
      tab #check
      press Enter
      ${READY}
      text #status ~ ^mybot keeps to the protocol: 20 steps
      count #steps .ok ~ ^(1[789]|2\\d)$
      tab #seed
      type 3
      tab #play
      press Enter
      ${READY}
      text #status ~  wins!$`);
    await page.does('text #replay-title ~ mybot against mediocre', frame);
    await page.does(`
      press Shift+Tab
      tab #match
      press Enter
      ${READY}
      text #status = All 100 games are played.
      text #table ~ ^mybot \\d+ - \\d+ mediocre {3}\\(100 games`);
    await page.does('text table.standings ~ mybot', frame);
    await page.does(`
      tab #editor
      press Escape
      tab #download
      axe`);
  },

  'what is wrong with a bot is said': async (tools) => {
    const page = await author(tools);
    await page.does('fill #seed = 3');
    for (const [text, status, said] of FAULTS) {
      await insert(page, text);
      await page.does(`
        ${run('#play')}
        text #status ~ ${status}
        js document.getElementById('said').textContent ~ ${said}`);
    }
    // The browser notes the request that it refuses.
    page.faults.splice(0).forEach((fault) => assert.match(fault, /Content Security Policy/));
  },

  'a match continues after an endless loop in one of its games': async (tools) => {
    const page = await author(tools);
    await page.does('fill #seed = 3');
    await insert(page, 'this.games = (this.games ?? 0) + 1; if (this.games === 17 && seed % 2 === 0) for (;;);');
    await page.does(`
      ${run('#match')}
      text #status = All 100 games are played.`);
    const late = (await page.locator('#said').textContent()).match(/did not answer in time/g).length;
    assert.ok(late <= 5, `${late}`);
    await page.does(`text #table ~  own faults +${late} `);
  },

  'a run is stopped, and the strategy outlives the page': async (tools) => {
    const page = await author(tools);
    await insert(page, 'for (;;); // mine');
    await page.does(`
      click #play
      wait #stop:enabled
      ${run('#stop')}
      text #status = Stopped.
      reload
      ${READY}
      text #editor .cm-content ~ for \\(;;\\); // mine`);
  },

  'the bot that is downloaded plays the same game without the page': async (tools) => {
    const page = await author(tools);
    await insert(page, '// The same, but for this line.');
    await page.does(`fill #seed = 5\n${run('#play')}`);
    const record = await saved(page, 'text=Save the record');
    const folder = mkdtempSync(join(tools.folder, 'kit-'));
    execFileSync('python3', ['-m', 'zipfile', '-e', await saved(page, '#download'), folder]);
    const cwd = join(folder, 'mybot');
    assert.ok(existsSync(join(cwd, '.github/workflows/check.yml')));
    const words = ['play', 'mybot=node bot.js', 'mediocre', '--seed', '5', '--no-pause', '--out', 'native.jsonl'];
    execFileSync(tools.referee, words, { cwd });
    const game = (path) => {
      const { fleets, shots, reason, players } = JSON.parse(readFileSync(path, 'utf8'));
      return [fleets, shots.map((shot) => shot.slice(0, -1)), reason, players.map(({ name, seed }) => [name, seed])];
    };
    assert.deepEqual(game(record), game(join(cwd, 'native.jsonl')));
    execFileSync(tools.referee, ['check', 'node bot.js'], { cwd });
  },

  'a bot in Python is checked and plays': async (tools) => {
    const page = await author(tools, { language: 'python' });
    await page.does(`
      ${run('#check')}
      text #status ~ ^mybot keeps to the protocol
      fill #seed = 3
      ${run('#play')}
      text #status ~  wins!$`);
    await insert(page, '        1 / 0');
    await page.does(`
      ${run('#play')}
      text #status = strategy.py, line 8: unexpected indent.`);
  },

  'a browser without WebAssembly is told so': async (tools) => {
    const page = await site(tools, 'author.html', { before: 'delete globalThis.WebAssembly' });
    await page.does(`
      until text #status ~ no WebAssembly
      count #check:disabled = 1`);
  },

  'on a phone and in the dark nothing scrolls sideways or is too pale': async (tools) => {
    const options = { viewport: PHONE, dark: true };
    const pages = [await site(tools, 'index.html', options), await author(tools, options)];
    await pages[1].does(run('#check'));
    for (const page of pages) {
      await page.does(`
        js document.scrollingElement.scrollWidth = ${PHONE.width}
        axe`);
    }
  },
};
