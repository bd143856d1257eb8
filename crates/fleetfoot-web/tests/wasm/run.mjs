// Checks the wasm build under Node: golden walks equal the native ones, and a step takes at most 2.5 times as long.
// `node run.mjs` after `build.sh --check`; `--measure` also measures, compared with the native program in one run.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

const root = join(import.meta.dirname, '../../../..'), target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const folder = join(target, 'web/testing');

/** Loads the output of wasm-bindgen, which is a script for pages. */
function library() {
  const made = runInThisContext(`${readFileSync(join(folder, 'fleetfoot.js'), 'utf8')}\nfleetfootWasm;`);
  made.initSync({ module: readFileSync(join(folder, 'fleetfoot_bg.wasm')) });
  return made;
}

const wasm = library();
const walks = JSON.parse(wasm.golden_walks());
let differing = 0;
for (const [name, text] of walks) {
  if (readFileSync(join(root, 'data/golden', name), 'utf8') === text) continue;
  console.error(`golden walk ${name} is another in wasm`);
  differing++;
}
if (differing || walks.length < 100) process.exit(1);
console.log(`${walks.length} golden walks are the same in wasm`);

if (process.argv.includes('--measure')) {
  const most = 2.5, times = 7;
  const example = ['run', '--quiet', '--release', '--locked', '-p', 'fleetfoot-web-testing', '--example', 'measure', '--'];
  let isSlow = false;
  for (const [planner, problems, budget] of [['tba', 10, 100], ['corner-tba', 40, 100], ['astar', 10, 100], ['rtaa', 3, 100], ['lrta', 2, 10], ['dstar-lite', 4, 100]]) {
    const work = wasm.Work.of(planner, problems), walked = work.walk(budget), here = [];
    const native = execFileSync('cargo', [...example, planner, problems, budget, times].map(String), { cwd: root, encoding: 'utf8' }).trim().split('\n');
    if (native[0] !== walked) throw new Error(`${planner} walks otherwise in wasm: ${walked}, natively ${native[0]}`);
    for (let k = 0; k < times; k++) {
      const begun = performance.now();
      work.walk(budget);
      here.push(performance.now() - begun);
    }
    // The fastest round of each: other programs only make rounds longer.
    const [a, b] = [Math.min(...here), Math.min(...native.slice(1).map(Number))], ratio = a / b;
    console.log(`${planner.padEnd(12)} budget ${String(budget).padStart(3)}: ${walked.split(' ')[0]} steps, ${a.toFixed(1)} ms in wasm, ${b.toFixed(1)} ms natively, ratio ${ratio.toFixed(2)}`);
    isSlow ||= ratio > most;
  }
  if (isSlow) console.log(`a ratio is above ${most}`);
}
