// For everyone: keyboards, screen readers, narrow and dark screens, and names that try to be more than names.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { address, HOSTILE } from '../fixtures.mjs';
import { arrived, DESKTOP, PHONE, shows, TABLET, textOf, visit } from '../browser.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const PLACES = [
  '',
  '#player=good-1',
  '#games=good-1,mediocre-3',
  '#games=good-1',
  '#game=9&shot=30',
  '#game=9&shot=999',
];

/** Returns what keeps people out of a page as it is now: what, and where. Without `rules` by all of axe. */
export async function seriousFindings(page, rules) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), options);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => {
    const where = nodes.slice(0, 3).map((node) => node.html.slice(0, 160));
    return `${id}: ${where.join(' ; ')}`;
  });
}

/** Presses the tab key until the element is focused, as a person would. */
async function tabTo(page, selector, limit = 60) {
  for (let i = 0; i < limit; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  assert.fail(`${limit} presses of the tab key do not reach ${selector}`);
}

const focused = (page, id) => page.waitForFunction((wanted) => document.activeElement.id === wanted, id);

export const accessChecks = {
  'everything works with a keyboard alone': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page));
    await tabTo(page, 'table.standings button.sort');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('table.standings th').first().getAttribute('aria-sort'), 'ascending');
    await tabTo(page, 'table.cross td a');
    const from = await page.evaluate(() => document.activeElement.getAttribute('href'));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    assert.notEqual(await page.evaluate(() => document.activeElement.getAttribute('href')), from);
    await page.keyboard.press('Enter');
    await focused(page, 'games-title');
    await tabTo(page, '.games tbody a');
    await page.keyboard.press('Enter');
    await focused(page, 'replay-title');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await shows(page, 1);
    await page.keyboard.press('n');
    assert.match(await textOf(page, '#replay-status'), / sank .* at /);
    const sunk = Number(await page.inputValue('#replay-slider'));
    await page.keyboard.press('n');
    await page.keyboard.press('p');
    await shows(page, sunk);
    await page.keyboard.press('End');
    await page.waitForSelector('#replay-result:visible');
    await page.keyboard.press('Home');
    await shows(page, 0);
    await page.keyboard.press('?');
    await page.waitForSelector('#replay-keys[open]');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#replay-keys[open]').count(), 0);
    await tabTo(page, '#replay-step');
    await page.keyboard.press(' ');
    await shows(page, 1);
    assert.deepEqual(page.faults, []);
  },

  'no place of the page has serious findings of axe, in light and in dark': async ({ browser, fixtures }) => {
    const found = [];
    for (const [path, places] of [
      [fixtures.classic.page, PLACES],
      [fixtures.twist.page, ['', '#player=good-1', '#game=3&shot=21']],
      [fixtures.game, ['']],
    ]) {
      const page = await browser.open(address(path));
      for (const place of places) {
        if (place) await visit(page, place);
        found.push(...(await seriousFindings(page)).map((one) => `light ${place}: ${one}`));
        // In the dark only colours are others.
        await page.emulateMedia({ colorScheme: 'dark' });
        found.push(...(await seriousFindings(page, ['color-contrast'])).map((one) => `dark ${place}: ${one}`));
        await page.emulateMedia({ colorScheme: 'light' });
      }
      await page.context().close();
    }
    assert.deepEqual(found, []);
  },

  'nothing scrolls sideways on a desk, a tablet and a phone': async ({ browser, fixtures }) => {
    for (const viewport of [DESKTOP, TABLET, PHONE]) {
      for (const [path, places] of [
        [fixtures.classic.page, [...PLACES, `#player=${encodeURIComponent(HOSTILE)}`]],
        [fixtures.twist.page, ['', '#game=3&shot=21', '#player=good-1']],
      ]) {
        const page = await browser.open(address(path), { viewport });
        for (const place of places) {
          await visit(page, place || '#standings');
          const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
          assert.ok(width <= viewport.width, `${place} is ${width} wide on ${viewport.width}`);
        }
        assert.deepEqual(page.faults, []);
        await page.context().close();
      }
    }
  },

  'light or dark is chosen by the system or by a button, which is remembered': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page), { dark: true });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.locator('button.theme').click();
    const light = await paper();
    assert.notEqual(light, dark);
    // Chromium writes down what is remembered a while after it is told, and a reload may come first.
    for (let tries = 1; tries === 1 || (tries <= 20 && (await paper()) !== light); tries++) {
      await page.reload();
      await arrived(page);
    }
    assert.equal(await paper(), light);
    await page.locator('button.theme').click();
    assert.equal(await paper(), dark);
  },

  'a printed page is light and has no controls': async ({ browser, fixtures }) => {
    for (const place of ['', '#game=9&shot=30', '#player=good-1']) {
      const page = await browser.open(address(fixtures.classic.page, place), { dark: true });
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), 'rgb(28, 40, 48)');
      assert.equal(await page.locator('button:visible:not(.sort), input:visible').count(), 0, place);
    }
  },

  'without storage and in a file the page works the same': async ({ browser, fixtures }) => {
    const before = () => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('refused', 'SecurityError');
          },
        });
      }
    };
    const page = await browser.open(address(fixtures.classic.page), { before });
    await page.locator('button.theme').click();
    await visit(page, '#game=1&shot=3');
    await shows(page, 3);
    assert.deepEqual(page.faults, []);
  },

  'markup in names, words and errors of bots stays text': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page));
    const hostile = encodeURIComponent(HOSTILE);
    assert.ok((await textOf(page, 'table.standings')).includes(HOSTILE));
    await visit(page, `#player=${hostile}`);
    assert.equal(await textOf(page, '#player-title'), HOSTILE);
    assert.match(await textOf(page, '.forfeits'), /fire <\/script><script>alert\(5\)<\/script>/);
    await visit(page, `#games=${hostile},good-1`);
    assert.ok((await textOf(page, '#games-title')).includes(HOSTILE));
    const names = fixtures.classic.games.map((game) => game.players.map((player) => player.name));
    const number = names.findIndex((pair) => pair.includes(HOSTILE)) + 1;
    await visit(page, `#game=${number}&shot=999`);
    assert.ok((await textOf(page, '#replay-title')).includes(HOSTILE));
    assert.equal(await page.locator('main script, main img, [onclick], [onerror]').count(), 0);
    assert.deepEqual(page.faults, []);
  },

  'the policy of the page refuses scripts, styles and requests of others': async ({ browser, fixtures }) => {
    const page = await browser.open(address(fixtures.classic.page));
    const refused = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "changed"';
      document.body.append(script);
      const request = await fetch('https://localhost:9/').then(
        () => 'sent',
        () => 'refused',
      );
      return [document.title === 'changed', request];
    });
    assert.deepEqual(refused, [false, 'refused']);
  },
};
