// For everyone: keyboards, screen readers, narrow and dark screens, and names that try to be more than names.

import assert from 'node:assert/strict';
import { HOSTILE } from '../fixtures.mjs';
import { DESKTOP, findings, PHONE, TABLET } from '../browser.mjs';

const HOSTILE_PLAYER = `#player=${encodeURIComponent(HOSTILE)}`;

const CLASSIC = [
  '#standings',
  '#player=good-1',
  '#games=good-1,mediocre-3',
  '#games=good-1',
  '#game=9&shot=30',
  '#game=9&shot=999',
];
const TWIST = ['#standings', '#game=3&shot=21', '#player=good-1'];

export const checks = {
  'everything works with a keyboard alone': async ({ open, classic }) => {
    const page = await open(classic.page);
    const link = () => page.evaluate(() => document.activeElement.getAttribute('href'));
    await page.does(`
      tab table.standings button.sort
      press Enter
      js document.querySelector('table.standings th').ariaSort = ascending
      tab table.cross td a`);
    const from = await link();
    await page.does('press ArrowRight ArrowDown');
    assert.notEqual(await link(), from);
    await page.does(`
      press Enter
      until js document.activeElement.id = games-title
      tab .games tbody a
      press Enter
      until js document.activeElement.id = replay-title
      press ArrowRight ArrowRight ArrowLeft
      until value #replay-slider = 1
      press n
      text #replay-status ~  sank .* at `);
    const sunk = await page.inputValue('#replay-slider');
    await page.does(`
      press n p
      until value #replay-slider = ${sunk}
      press End
      wait #replay-result
      press Home
      until value #replay-slider = 0
      press ?
      wait #replay-keys[open]
      press Escape
      count #replay-keys[open] = 0
      tab #replay-step
      press Space
      until value #replay-slider = 1`);
  },

  'no place of the page has serious findings of axe, in light and in dark': async ({ open, classic, twist, game }) => {
    const found = [];
    for (const [path, places] of [
      [classic.page, CLASSIC],
      [twist.page, TWIST],
      [game, ['']],
    ]) {
      const page = await open(path);
      for (const place of places) {
        await page.does(`visit ${place}\nthere`);
        found.push(...(await findings(page)).map((one) => `light ${place}: ${one}`));
        // In the dark only colours are others.
        await page.emulateMedia({ colorScheme: 'dark' });
        found.push(...(await findings(page, ['color-contrast'])).map((one) => `dark ${place}: ${one}`));
        await page.emulateMedia({ colorScheme: 'light' });
      }
    }
    assert.deepEqual(found, []);
  },

  'nothing scrolls sideways on a desk, a tablet and a phone': async ({ open, classic, twist }) => {
    for (const viewport of [DESKTOP, TABLET, PHONE]) {
      for (const [path, places] of [
        [classic.page, [...CLASSIC, HOSTILE_PLAYER]],
        [twist.page, TWIST],
      ]) {
        const page = await open(path, '', { viewport });
        for (const place of places) {
          await page.does(`visit ${place}\nthere`);
          const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
          assert.ok(width <= viewport.width, `${place} is ${width} wide on ${viewport.width}`);
        }
      }
    }
  },

  'light or dark is chosen by the system or by a button, which is remembered': async ({ open, classic }) => {
    const page = await open(classic.page, '', { dark: true });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.does('click button.theme');
    const light = await paper();
    assert.notEqual(light, dark);
    // Chromium writes down what is remembered a while after it is told, and a reload may come first.
    for (let tries = 1; tries === 1 || (tries <= 20 && (await paper()) !== light); tries++) {
      await page.does('reload\nthere');
    }
    assert.equal(await paper(), light);
    await page.does('click button.theme');
    assert.equal(await paper(), dark);
  },

  'a printed page is light and has no controls': async ({ open, classic }) => {
    for (const place of ['', '#game=9&shot=30', '#player=good-1']) {
      const page = await open(classic.page, place, { dark: true });
      await page.emulateMedia({ media: 'print' });
      await page.does(`
        js getComputedStyle(document.body).color = rgb(28, 40, 48)
        count button:visible:not(.sort), input:visible = 0`);
    }
  },

  'without storage and in a file the page works the same': async ({ open, classic }) => {
    const before = () => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('refused', 'SecurityError');
          },
        });
      }
    };
    const page = await open(classic.page, '', { before });
    await page.does(`
      click button.theme
      visit #game=1&shot=3
      until value #replay-slider = 3`);
  },

  'markup in names, words and errors of bots stays text': async ({ open, classic }) => {
    const page = await open(classic.page);
    const number = classic.games.findIndex((game) => game.players.some((player) => player.name === HOSTILE)) + 1;
    await page.does(`
      text table.standings ~ ${HOSTILE.replace(/[()]/g, '\\$&')}
      visit ${HOSTILE_PLAYER}
      until text #player-title = ${HOSTILE}
      text .forfeits ~ fire </script><script>alert\\(5\\)</script>
      visit ${HOSTILE_PLAYER.replace('player', 'games')},good-1
      until text #games-title = ${HOSTILE} against good-1
      visit #game=${number}&shot=999
      until text #replay-title ~ ${HOSTILE.replace(/[()]/g, '\\$&')}
      count main script, main img, [onclick], [onerror] = 0`);
  },

  'the policy of the page refuses scripts, styles and requests of others': async ({ open, classic }) => {
    const page = await open(classic.page);
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
    // What it refuses is noted as an error, for the script and for the request.
    assert.equal(page.faults.splice(0).length > 1, true);
  },
};
