// The site, of which SITE names the folder: the front page, and the page on which one writes a bot. A server of files
// on the loopback is all that there is; requests to others are faults.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { seriousFindings } from './access.mjs';

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

async function origin() {
  if (!server.listening) await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening()));
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}

/** Opens a page of the site for `use`, and asserts that nothing in it was refused or came from elsewhere. */
export async function on({ browser }, name, use, { language = 'javascript', before = null, ...more } = {}) {
  const context = await browser.profile({ acceptDownloads: true, ...more });
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) =>
    faults.push(...(/^(blob|data):|127\.0\.0\.1/.test(request.url()) ? [] : [request.url()])),
  );
  await page.addInitScript((chosen) => localStorage.setItem('battleship-language', chosen), language);
  if (before) await page.addInitScript(before);
  await page.goto(`${await origin()}/${name}`);
  await use(page);
  assert.deepEqual(faults, []);
  await context.close();
}

const ready = (page) => page.waitForSelector('#check:enabled');
const statusOf = (page) => page.locator('#status').innerText();
const printed = (page) => page.locator('#said').textContent();

/** Presses a button and waits for the end of what it begins. */
async function run(page, id) {
  await page.click(id);
  await ready(page);
  return statusOf(page);
}

/** Puts text into the strategy, at the beginning of newGame. */
async function insert(page, text) {
  await page.click('#again');
  await page.click('#replace');
  await ready(page);
  await page.locator('#editor .cm-content').focus();
  await page.keyboard.press('Control+Home');
  for (let line = 1; line < 7; line++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.insertText(`\n${text}`);
}

/** Presses the tab key until this is focused. */
export async function tabTo(page, selector) {
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  assert.fail(`the tab key does not reach ${selector}`);
}

const FAULTS = [
  ['what modules may not have', 'with (Math) sin(1);', /^strategy\.js, line 8: Strict mode code.*$/, /^$/],
  ['a syntax error', '}', /^strategy\.js, line \d+: Unexpected token.*\.$/, /^$/],
  [
    'an exception',
    'throw new Error("no luck");',
    /^mybot forfeits: .* mediocre wins!$/,
    /Error: no luck\n +at .*strategy\.js:8:/,
  ],
  [
    'endless recursion',
    'const f = () => f() + 1; f();',
    /^mybot forfeits: .* mediocre wins!$/,
    /RangeError: Maximum call stack/,
  ],
  ['a flood of output', 'for (;;) console.log("flood");', /^mybot forfeits: .* mediocre wins!$/, /^$/],
  [
    'an endless loop',
    'for (;;) console.error("loop");',
    /^mybot forfeits: .* mediocre wins!$/,
    /did not answer in time/,
  ],
  [
    'all the memory',
    // Which is refused before it is filled. A heap that is full ends the tab, of which the strategy is kept.
    'const all = []; for (;;) all.push(new Uint8Array(2 ** 33));',
    /^mybot forfeits: .* mediocre wins!$/,
    /RangeError: Array buffer allocation failed/,
  ],
  [
    'the network',
    'const x = new XMLHttpRequest(); x.open("GET", "https://127.0.0.1:9/", false); x.send();',
    /^mybot forfeits: .* mediocre wins!$/,
    /NetworkError/,
  ],
];

export const siteChecks = {
  'the front page leads to every page of the site': async (tools) => {
    await on(tools, 'index.html', async (page) => {
      assert.equal(await page.locator('.doors a').count(), 3);
      for (const address of await page.locator('.doors a').evaluateAll((all) => all.map((one) => one.href))) {
        assert.equal((await page.request.get(address)).status(), 200, address);
      }
      assert.deepEqual(await seriousFindings(page), []);
    });
  },

  'a bot is checked and plays, by keyboard alone': async (tools) => {
    await on(tools, 'author.html', async (page) => {
      await ready(page);
      const press = async (id) => {
        await tabTo(page, id);
        await page.keyboard.press('Enter');
        await ready(page);
        return statusOf(page);
      };
      assert.match(await press('#check'), /^mybot keeps to the protocol: 20 steps/);
      assert.ok((await page.locator('#steps .ok').count()) >= 17);
      await tabTo(page, '#seed');
      await page.keyboard.type('3');
      assert.match(await press('#play'), / wins!$/);
      const frame = page.frameLocator('#shown iframe');
      assert.match(await frame.locator('#replay-title').innerText(), /mybot against mediocre/);
      await page.keyboard.press('Shift+Tab');
      assert.equal(await press('#match'), 'All 100 games are played.');
      assert.match(await page.locator('#table').innerText(), /^mybot \d+ - \d+ mediocre {3}\(100 games/);
      assert.match(await frame.locator('table.standings').innerText(), /mybot/);
      await tabTo(page, '#editor');
      await page.keyboard.press('Escape');
      await tabTo(page, '#download');
      assert.deepEqual(await seriousFindings(page), []);
    });
  },

  'what is wrong with a bot is said': async (tools) => {
    await on(tools, 'author.html', async (page) => {
      await ready(page);
      await page.fill('#seed', '3');
      for (const [what, text, status, said] of FAULTS) {
        await insert(page, text);
        assert.match(await run(page, '#play'), status, what);
        assert.match(await printed(page), said, what);
      }
    }).catch((error) => {
      // The browser notes the request that it refuses.
      if (!/Content Security Policy/.test(error.message)) throw error;
    });
  },

  'a match continues after an endless loop in one of its games': async (tools) => {
    await on(tools, 'author.html', async (page) => {
      await ready(page);
      await page.fill('#seed', '3');
      await insert(page, 'this.games = (this.games ?? 0) + 1; if (this.games === 17 && seed % 2 === 0) for (;;);');
      assert.equal(await run(page, '#match'), 'All 100 games are played.');
      const late = (await printed(page)).split('\n').filter((line) => line.includes('did not answer in time')).length;
      assert.ok(late >= 1 && late <= 5, `${late}`);
      assert.match(await page.locator('#table').innerText(), new RegExp(` own faults +${late} `));
    });
  },

  'a run is stopped, and the strategy outlives the page': async (tools) => {
    await on(tools, 'author.html', async (page) => {
      await ready(page);
      await insert(page, 'for (;;); // mine');
      await page.click('#play');
      await page.waitForSelector('#stop:enabled');
      await page.click('#stop');
      await ready(page);
      assert.equal(await statusOf(page), 'Stopped.');
      await page.reload();
      await ready(page);
      assert.match(await page.locator('#editor .cm-content').innerText(), /for \(;;\); \/\/ mine/);
    });
  },

  'the bot that is downloaded plays the same game without the page': async (tools) => {
    await on(tools, 'author.html', async (page) => {
      await ready(page);
      await insert(page, '// The same, but for this line.');
      await page.fill('#seed', '5');
      await run(page, '#play');
      const saved = async (click) => {
        const [file] = await Promise.all([page.waitForEvent('download'), click()]);
        return file.path();
      };
      const record = readFileSync(await saved(() => page.click('text=Save the record')), 'utf8');
      const folder = mkdtempSync(join(tools.fixtures.folder, 'kit-'));
      execFileSync('python3', ['-m', 'zipfile', '-e', await saved(() => page.click('#download')), folder]);
      const kit = join(folder, 'mybot');
      assert.ok(existsSync(join(kit, '.github/workflows/check.yml')));
      const words = ['play', 'mybot=node bot.js', 'mediocre', '--seed', '5', '--no-pause', '--record', 'native.jsonl'];
      execFileSync(tools.referee, words, { cwd: kit });
      const game = (text) => {
        const { fleets, shots, reason, players } = JSON.parse(text);
        return [fleets, shots.map((shot) => shot.slice(0, -1)), reason, players.map(({ name, seed }) => [name, seed])];
      };
      assert.deepEqual(game(record), game(readFileSync(join(kit, 'native.jsonl'), 'utf8')));
      execFileSync(tools.referee, ['check', 'node bot.js'], { cwd: kit });
    });
  },

  'a bot in Python is checked and plays': async (tools) => {
    await on(
      tools,
      'author.html',
      async (page) => {
        await ready(page);
        assert.match(await run(page, '#check'), /^mybot keeps to the protocol/);
        await page.fill('#seed', '3');
        assert.match(await run(page, '#play'), / wins!$/);
        await insert(page, '        1 / 0');
        assert.match(await run(page, '#play'), /^strategy\.py, line 8: unexpected indent\.$/);
      },
      { language: 'python' },
    );
  },

  'a browser without WebAssembly is told so': async (tools) => {
    const before = () => Reflect.deleteProperty(globalThis, 'WebAssembly');
    await on(
      tools,
      'author.html',
      async (page) => {
        await page.waitForFunction(() => document.getElementById('status').textContent.includes('no WebAssembly'));
        assert.equal(await page.locator('#check:disabled').count(), 1);
      },
      { before },
    );
  },

  'on a phone and in the dark nothing scrolls sideways or is too pale': async (tools) => {
    for (const name of ['index.html', 'author.html']) {
      const look = async (page) => {
        if (name === 'author.html') {
          await ready(page);
          await run(page, '#check');
        }
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), PHONE.width, name);
        assert.deepEqual(await seriousFindings(page), [], name);
      };
      await on(tools, name, look, { viewport: PHONE, colorScheme: 'dark' });
    }
  },
};
