// Chromium as the checks need it: pages that note their errors and what they asked the network for.

import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';

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

export class Browser {
  static async launch() {
    return new Browser(await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: LONGEST_MS }));
  }

  constructor(chromium) {
    this.chromium = chromium;
  }

  /** Makes a fresh profile. */
  async profile(options = {}) {
    const context = await this.chromium.newContext({ viewport: DESKTOP, ...options });
    context.setDefaultTimeout(LONGEST_MS);
    return context;
  }

  /** Opens a page in a fresh profile after `before` ran in it, and waits until it shows what the address names. */
  async open(address, options = {}) {
    const { dark = false, before = null, ...more } = options;
    const context = await this.profile({
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      ...more,
    });
    const page = await context.newPage();
    if (before) await page.addInitScript(before);
    page.faults = [];
    page.requests = [];
    page.on('console', (message) => message.type() === 'error' && page.faults.push(message.text()));
    page.on('pageerror', (error) => page.faults.push(error.message));
    page.on('request', (request) => page.requests.push(request.url()));
    page.on('dialog', (dialog) => {
      page.faults.push(`a dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    await page.goto(address);
    await arrived(page);
    return page;
  }

  /** Writes a picture of a page to `path`: what fits the viewport, or all of it if it is `whole` or for `print`. */
  async picture(path, address, options = {}) {
    const { whole = false, print = false, ...more } = options;
    const page = await this.open(address, more);
    if (print) await page.emulateMedia({ media: 'print' });
    await page.screenshot({ path, fullPage: whole || print });
    await page.context().close();
  }

  async close() {
    await this.chromium.close();
  }
}

/** Waits until the page shows something for its address. */
export async function arrived(page) {
  await page.waitForFunction(() => {
    const view = document.body.dataset.view;
    const shown = (id) => document.getElementById(id) && !document.getElementById(id).hidden;
    if (view === 'overview') return true;
    if (!view) return false;
    const filled =
      view === 'replay' ? shown('replay-stage') : document.getElementById(`${view}-body`).children.length > 0;
    return filled || shown(`${view}-problem`);
  });
}

/** Goes to another place in the page, as a link would. */
export async function visit(page, hash) {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.waitForFunction((to) => location.hash.startsWith(to.split('&')[0]), hash);
  await arrived(page);
}

/** Waits until the replay shows the position after `shot` turns. */
export async function shows(page, shot) {
  await page.waitForFunction((time) => document.getElementById('replay-slider').value === String(time), shot);
}

/** Returns the visible text of an element. */
export const textOf = (page, selector) => page.locator(selector).innerText();
