// A browser, the playground as the program writes it, and watchers that note everything a page should not do.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const folder = mkdtempSync(join(tmpdir(), 'fleetfoot-playground-'));
export const program = process.env.FLEETFOOT;
export const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
execFileSync(program, ['playground', '-o', 'page'], { cwd: folder });

const TYPES = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
let browser, server;

/** The page on a host. */
async function hosted() {
  server ??= await new Promise((ready) => {
    const made = createServer((request, answer) => {
      const name = request.url === '/' ? 'index.html' : request.url.slice(1).split('?')[0];
      answer.writeHead(200, { 'content-type': TYPES[name.split('.').pop()] });
      answer.end(readFileSync(join(folder, 'page', name)));
    });
    made.listen(0, '127.0.0.1', () => ready(made));
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

/** Opens the page, from disk unless said otherwise. */
export async function open({ width = 1280, height = 800, dark = false, hash = '', host = false } = {}) {
  // As root, as in a container, Chromium has no sandbox; what it shows here is our own.
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--js-flags=--expose-gc'] });
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch: width < 500 });
  const page = await context.newPage();
  const base = host ? await hosted() : pathToFileURL(join(folder, 'page', 'index.html')).href;
  const home = host ? base : base.replace('index.html', '');
  const faults = [], requests = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const { url } = { url: request.url().split('#')[0] };
    requests.push(url.slice(home.length));
    if (!url.startsWith(home) && !url.startsWith('data:')) faults.push(`request: ${url}`);
  });
  await page.goto(base + (hash && `#${hash}`));
  await ready(page);
  return { page, faults, requests, context };
}

export async function ready(page) {
  await page.waitForFunction(() => ['all', 'failed'].includes(document.body.dataset.ready), null, { timeout: 120000 });
  await settle(page);
}

/** Waits until everything asked for has been drawn. */
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function closeAll() {
  await browser?.close();
  server?.close();
}

/** Where a cell is on the screen. */
export function place(page, x, y, pane = 0) {
  return page.evaluate(([x, y, pane]) => {
    const shown = window.fleetfoot.panes[pane], box = shown.canvas.getBoundingClientRect(), [px, py] = shown.toScreen(x + 0.5, y + 0.5);
    return { x: box.left + px, y: box.top + py };
  }, [x, y, pane]);
}

/** Drags the pointer over cells. */
export async function drag(page, cells, pane = 0) {
  const places = [];
  for (const [x, y] of cells) places.push(await place(page, x, y, pane));
  await page.mouse.move(places[0].x, places[0].y);
  await page.mouse.down();
  for (const { x, y } of places.slice(1)) await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up();
  await settle(page);
}

/** All that the page knows at a moment, as numbers. */
export function moment(page) {
  return page.evaluate(() => {
    const { timelines, tick, part } = window.fleetfoot;
    const digests = timelines.map(({ life, outline }) => {
      let digest = 17;
      const add = (n) => (digest = (Math.imul(digest, 31) + n) | 0);
      for (const tree of [life.far, life.near]) {
        for (const page of tree?.pages ?? []) if (page) for (const word of page) add(word);
        add(tree?.search ?? 0);
      }
      for (const list of [life.traced, life.followed, life.nearCells]) for (const cell of list) add(cell);
      add(life.t), add(outline.at[life.over]);
      return digest;
    });
    return { digests, tick, part };
  });
}

export const goTo = async (page, tick) => {
  await page.evaluate((tick) => window.playground.live(tick, 20000), tick);
  await page.evaluate((tick) => window.fleetfoot.goTo(tick), tick);
  await settle(page);
};
