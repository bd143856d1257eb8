// A browser, pages made by the program, and watchers that note everything a page should not do.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const folder = mkdtempSync(join(tmpdir(), 'fleetfoot-browser-'));
const program = process.env.FLEETFOOT;
export const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

/** Runs the program in a folder of its own. */
export function fleetfoot(...args) {
  return execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
}

export const file = (name) => join(folder, name);
export const read = (name) => readFileSync(file(name), 'utf8');

let browser;
export async function open(name, { width = 1280, height = 800, dark = false, hash = '' } = {}) {
  // As root, as in a container, Chromium has no sandbox; what it shows here is our own.
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch: width < 500 });
  const page = await context.newPage();
  const address = pathToFileURL(file(name)).href;
  const faults = [];
  page.on('console', (message) => {
    // That a canvas is read is this test's doing.
    const isOurs = message.text().includes('willReadFrequently');
    if (['error', 'warning'].includes(message.type()) && !isOurs) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => request.url().split('#')[0] === address || request.url().startsWith('data:') || faults.push(`request: ${request.url()}`));
  await page.goto(address + (hash && `#${hash}`));
  await page.waitForFunction(() => ['all', 'failed'].includes(document.body.dataset.ready), null, { timeout: 120000 });
  await settle(page);
  return { page, faults };
}

/** Waits until everything asked for has been drawn. */
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function closeAll() {
  await browser?.close();
}

/** All that the page knows at a moment and has painted of it, as one number per life and map. */
export function moment(page) {
  return page.evaluate(() => {
    const digests = window.fleetfoot.timelines.map(({ life, outline }) => {
      let digest = 17;
      const add = (n) => (digest = (Math.imul(digest, 31) + n) | 0);
      for (const tree of [life.far, life.near]) {
        for (const page of tree?.pages ?? []) if (page) for (const word of page) add(word);
        add(tree?.search ?? 0);
      }
      for (const list of [life.traced, life.followed, life.nearCells]) for (const cell of list) add(cell);
      add(life.t), add(outline.at[life.t]);
      return digest;
    });
    const pictures = window.fleetfoot.panes.map(({ pixels }) => {
      let picture = 17;
      for (const pixel of pixels) picture = (Math.imul(picture, 31) + pixel) | 0;
      return picture;
    });
    return { digests, pictures, colours: new Set(window.fleetfoot.panes[0].pixels).size, tick: window.fleetfoot.tick };
  });
}
