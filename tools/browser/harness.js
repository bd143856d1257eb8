// A browser, pages made by the program, and observers that note every fault of a page.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

import { playgroundFromSource, replayFromSource, reportFromSource } from './assemble.js';

export const folder = mkdtempSync(join(tmpdir(), 'fleetfoot-browser-'));
export const program = process.env.FLEETFOOT;
export const shots = process.env.SHOTS;
const isFromSource = Boolean(process.env.FROM_SOURCE);
if (shots) mkdirSync(shots, { recursive: true });

export const file = (name) => join(folder, name);
export const read = (name) => readFileSync(file(name), 'utf8');

/** Runs the program in a folder of its own. */
export function fleetfoot(...args) {
  const out = execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
  const page = args[args.indexOf('--replay') + 1];
  if (isFromSource && page?.endsWith('.html')) writeFileSync(file(page), replayFromSource(read(page)));
  return out;
}

let browser, server;

async function launched() {
  // As root, as in a container, Chromium has no sandbox; what it shows here is our own.
  const args = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--js-flags=--expose-gc',
    '--enable-precise-memory-info'];
  return (browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM, args }));
}

/** Opens a page at an address, and notes its faults and requests. `home` is the part of the address that all its requests have. */
async function visit(address, home, { width = 1280, height = 800, dark = false, hash = '', touch = width < 500, context: options = {}, prepare } = {}) {
  const context = await (await launched()).newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch: touch, isMobile: touch, ...options });
  const page = await context.newPage(), faults = [], requests = [];
  page.on('console', (message) => {
    // That a canvas is read is the tests' doing.
    const isOurs = message.text().includes('willReadFrequently');
    if (['error', 'warning'].includes(message.type()) && !isOurs) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const [url] = request.url().split('#');
    requests.push(url.slice(home.length));
    if (!url.startsWith(home) && !url.startsWith('data:')) faults.push(`request: ${url}`);
  });
  await prepare?.(page);
  await page.goto(address + (hash && `#${hash}`));
  return { page, faults, requests, context };
}

/** Opens a replay that the program wrote. */
export async function open(name, options) {
  const address = pathToFileURL(file(name)).href, opened = await visit(address, address, options);
  await ready(opened.page);
  return opened;
}

/** Opens a page that has no script of its own, such as a report. */
export async function openPlain(name, options) {
  if (isFromSource) writeFileSync(file(name), reportFromSource(read(name)));
  const address = pathToFileURL(file(name)).href;
  return visit(address, address, options);
}

/** The folder of the playground, which is written when it is first asked for. */
let page;
function playgroundFolder() {
  if (!page) {
    page = join(folder, 'page');
    if (isFromSource) playgroundFromSource(page);
    else execFileSync(program, ['playground', '-o', 'page'], { cwd: folder });
  }
  return page;
}

const TYPES = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };

/** The playground on a host. */
async function hosted() {
  server ??= await new Promise((started) => {
    const made = createServer((request, answer) => {
      const name = request.url === '/' ? 'index.html' : request.url.slice(1).split('?')[0];
      answer.writeHead(200, { 'content-type': TYPES[name.split('.').pop()] });
      answer.end(readFileSync(join(playgroundFolder(), name)));
    });
    made.listen(0, '127.0.0.1', () => started(made));
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

/** Opens the playground, from disk unless said otherwise. Without an address, and unless it is a first visit, on a map of 100 × 100. */
export async function openPlayground({ host = false, first = false, ...options } = {}) {
  const base = host ? await hosted() : pathToFileURL(join(playgroundFolder(), 'index.html')).href;
  const opened = await visit(base, host ? base : base.replace('index.html', ''), options);
  await ready(opened.page);
  if (!first && !options.hash) {
    await opened.page.evaluate(() => window.playground.takeMap?.('builtin:rooms100'));
    await settle(opened.page);
  }
  return opened;
}

export async function ready(page) {
  await page.waitForFunction(() => ['all', 'failed'].includes(document.body.dataset.ready), null, { timeout: 120000 });
  await settle(page);
}

/** Waits until everything that was asked for has been drawn. */
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

/** Returns the state of the page and its pixels at a moment, as numbers. */
export function moment(page) {
  return page.evaluate(() => {
    const { timelines, tick, part, panes } = window.fleetfoot;
    const digests = timelines.map(({ replay, track }) => {
      let digest = 17;
      const add = (n) => (digest = (Math.imul(digest, 31) + n) | 0);
      for (const tree of [replay.far, replay.near]) {
        for (const page of tree?.pages ?? []) if (page) for (const word of page) add(word);
        add(tree?.search ?? 0);
      }
      for (const list of [replay.traced, replay.followed, replay.nearCells]) for (const cell of list) add(cell);
      add(replay.t), add(track.at[replay.over]);
      return digest;
    });
    const pictures = panes.map(({ pixels }) => pixels.reduce((sum, pixel) => (Math.imul(sum, 31) + pixel) | 0, 17));
    return { digests, tick, part, pictures, colors: new Set(panes[0].pixels).size };
  });
}

/** Goes to a tick; what has not been computed yet is. */
export async function goTo(page, tick) {
  await page.evaluate((tick) => {
    window.playground?.extend(tick, 20000);
    window.fleetfoot.goTo(tick);
  }, tick);
  await settle(page);
}
