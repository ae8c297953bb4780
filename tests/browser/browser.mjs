// Chromium as the checks need it, and the lines in which a check says what a person does there and sees.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** The longest that a check may take, and so a wait in it: many times what the slowest takes on a busy machine. */
export const LONGEST_MS = 900_000;

/** Without these it would ask the network for things of its own. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const DESKTOP = { width: 1280, height: 800 };
export const TABLET = { width: 800, height: 900 };
export const PHONE = { width: 390, height: 844 };

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts Chromium. */
export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: FLAGS, timeout: LONGEST_MS });

/** Opens a page in a fresh profile after `before` ran in it; `page.does` follows lines, `page.faults` and
    `page.requests` are what went wrong in it and what it asked for. */
export async function open(browser, address, { dark = false, before = null, ...options } = {}) {
  const context = await browser.newContext({
    viewport: DESKTOP,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(LONGEST_MS);
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  const faults = [];
  const requests = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(address);
  return Object.assign(page, { faults, requests, does: (lines, root) => follow(page, lines, root) });
}

/** Returns whether a page of the referee shows something for its address. */
const isThere = () => {
  const view = document.body.dataset.view;
  const shown = (id) => document.getElementById(id) && !document.getElementById(id).hidden;
  if (!view || view === 'overview') return Boolean(view);
  const filled = view === 'replay' ? shown('replay-stage') : document.getElementById(`${view}-body`).children.length;
  return filled || shown(`${view}-problem`);
};

/** Returns what keeps people out of a page as it is now: what, and where. Without `rules` by all of axe. */
export async function findings(page, rules) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), options);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160))}`);
}

/** What a line has a person do: the page, what is named, and what stands behind ` = `. */
const DEEDS = {
  press: async (page, keys) => {
    for (const key of keys.split(' ')) await page.keyboard.press(key === 'Space' ? ' ' : key);
  },
  type: (page, text) => page.keyboard.type(text),
  tab: async (page, what) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), what)) return;
    }
    assert.fail('60 presses of the tab key do not reach it');
  },
  click: (page, what, _, root) => root.locator(what).first().click(),
  tap: (page, what) => page.tap(what),
  hover: (page, what) => page.hover(what),
  focus: (page, what) => page.focus(what),
  fill: (page, what, value) => page.fill(what, value),
  choose: (page, what, value) => page.selectOption(what, value),
  wait: (page, what, _, root) => root.locator(what).first().waitFor(),
  reload: (page) => page.reload(),
  back: (page) => page.goBack(),
  visit: (page, hash) => page.evaluate((to) => (location.hash = to), hash),
  there: (page) => page.waitForFunction(isThere),
  axe: async (page) => assert.deepEqual(await findings(page), []),
};

/** What a line compares with what stands behind ` = `, or with the pattern behind ` ~ `. */
const SIGHTS = {
  text: (page, what, root) => root.locator(what).first().innerText(),
  texts: async (page, what, root) => (await root.locator(what).allInnerTexts()).join(', '),
  value: (page, what, root) => root.locator(what).inputValue(),
  count: async (page, what, root) => String(await root.locator(what).count()),
  title: (page) => page.title(),
  url: (page) => page.url(),
  // Of the page, an expression in JavaScript.
  js: async (page, what) => String(await page.evaluate(what)),
};

/** `until`, a verb, what it is about, how that is compared, and with what. */
const LINE = /^(until )?(\w+)(?: (?![=~] )(.*?))?(?: (=|~)(?: (.*))?)?$/;

/** Follows lines: `VERB WHAT`, `VERB WHAT = TEXT`, `VERB WHAT ~ PATTERN`; `until` before a comparison waits for it.
    Selectors are looked up in `root`, a page or a frame. */
async function follow(page, lines, root = page) {
  for (const line of lines.trim().split(/\s*\n\s*/)) {
    const [, until, verb, what, sign, value = ''] = LINE.exec(line);
    const compare = async () => {
      const seen = await SIGHTS[verb](page, what, root);
      if (sign === '=') return assert.equal(seen, value);
      assert.ok(sign, 'it says with what it compares');
      return assert.match(seen, new RegExp(value));
    };
    const once = async () => (SIGHTS[verb] ? compare() : DEEDS[verb](page, what, value, root));
    const end = Date.now() + (until ? LONGEST_MS : 0);
    for (let done = false; !done;) {
      try {
        await once();
        done = true;
      } catch (error) {
        if (Date.now() >= end) {
          error.stack = `${line}\n${error.stack}`;
          throw error;
        }
        await new Promise((over) => setTimeout(over, 20));
      }
    }
  }
}
