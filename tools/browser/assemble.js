// Puts pages together from the scripts as they are now, as the program does when it is built.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

const crates = fileURLToPath(new URL('../../crates/', import.meta.url));
const text = (...path) => readFileSync(join(crates, ...path), 'utf8');

/** The files that a Rust source includes from a folder, in their order. */
export function included(source, folder) {
  return [...text(source).matchAll(new RegExp(`include_str!\\("\\.\\./${folder}/([\\w.-]+)"\\)`, 'g'))].map(([, name]) => name);
}

const viewerScripts = () => included('fleetfoot-view/src/html.rs', 'viewer').filter((name, k, all) => name.endsWith('.js') && all.indexOf(name) === k);
const viewer = (names) => names.map((name) => text('fleetfoot-view/viewer', name)).join('');

function furnish(page) {
  const parts = [...text('fleetfoot-view/src/html.rs').matchAll(/\("(\{\{\w+\}\})", include_str!\("\.\.\/viewer\/([\w.-]+)"\)\)/g)];
  // The style of all pages: the table of colors, and the rules.
  page = page.replace('{{style}}', () => included('fleetfoot-view/src/html.rs', 'viewer').filter((name) => name.endsWith('.css')).map((name) => text('fleetfoot-view/viewer', name)).join(''));
  return parts.reduce((page, [, name, part]) => page.replace(name, () => text('fleetfoot-view/viewer', part)), page);
}

/** A replay with the record (and the story) of another. */
export function replayFromSource(page) {
  const held = /(?:<script id="story"[^]*?<\/script>\n)?<script id="record"[^]*?<\/script>/.exec(page)?.[0];
  if (!held) return page;
  return furnish(text('fleetfoot-view/viewer/page.html')).replace('{{script}}', () => viewer(viewerScripts())).replace('{{record}}', () => held);
}

/** A report with the style as it is now. */
export function reportFromSource(page) {
  const [light, dark] = text('fleetfoot-view/viewer/colors.css').split(":root[data-theme='dark']");
  const style = `${light}@media (prefers-color-scheme:dark){:root${dark}}\n${text('fleetfoot-lab/src/report/report.css')}`;
  return page.replace(/<style>[^]*?<\/style>/, () => `<style>${style}</style>`);
}

/** The playground, written to a folder; its wasm is that of `dist`. */
export function playgroundFromSource(folder) {
  const own = included('fleetfoot-web/src/page.rs', 'page').filter((name) => name.endsWith('.js'));
  const wasm = readFileSync(join(crates, 'fleetfoot-web/dist/fleetfoot.wasm')), glue = text('fleetfoot-web/dist/fleetfoot.js');
  const scripts = viewer(viewerScripts().slice(0, -1)) + own.map((name) => text('fleetfoot-web/page', name)).join('');
  const page = furnish(text('fleetfoot-web/page/index.html')).replace('{{own}}', () => text('fleetfoot-web/page/style.css'));
  mkdirSync(folder, { recursive: true });
  const write = (name, data) => writeFileSync(join(folder, name), data);
  write('index.html', page);
  write('playground.js', `'use strict';\n${glue}\n(() => {\n${scripts}})();\n`);
  write('playground.wasm', wasm);
  write('playground.wasm.js', `window.playgroundWasmSize = ${wasm.length};\nwindow.playgroundWasm = '${deflateSync(wasm, { level: 9 }).toString('base64')}';\n`);
}
