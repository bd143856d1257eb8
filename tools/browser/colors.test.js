// The table of colors: its colors are distinguishable in both themes, with and without color blindness.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apart, contrast, mixed } from './vision.js';

const text = readFileSync(new URL('../../crates/fleetfoot-view/viewer/colors.css', import.meta.url), 'utf8');
const themes = Object.fromEntries(text.split(/(?=^:root)/m).slice(1).map((block) => [
  block.startsWith(":root[data-theme='dark']") ? 'dark' : 'light',
  Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex])),
]));

for (const [name, theme] of Object.entries(themes)) {
  const units = Object.keys(theme).filter((key) => key.startsWith('unit-'));
  // Ground that was opened is painted over what was there.
  const opened = mixed(theme.ground, theme.opened, 115), colors = { ...theme, opened };
  const groups = {
    units: [...units, 'ground', 'wall'],
    changes: ['shut', 'opened', 'ground', 'wall'],
    searches: ['now', 'closed', 'open', 'ground', 'wall'],
    agents: ['a0', 'a1', 'a2', 'a3', 'ground'],
    ends: ['start', 'goal', 'ground', 'a0'],
  };
  for (const [group, keys] of Object.entries(groups)) {
    test(`${name}: ${group} differ by 15 at least, also for the color-blind`, () => {
      for (const [k, a] of keys.entries()) {
        for (const b of keys.slice(0, k)) assert.ok(apart(colors[a], colors[b]) >= 15, `${a} and ${b}: ${apart(colors[a], colors[b]).toFixed(1)}`);
      }
    });
  }

  test(`${name}: units contrast with the ground, texts with their paper`, () => {
    for (const key of units) assert.ok(contrast(theme[key], theme.ground) >= 2.9, `${key}: ${contrast(theme[key], theme.ground).toFixed(2)}`);
    assert.ok(contrast(theme.wall, theme.ground) >= 2.4, `wall: ${contrast(theme.wall, theme.ground).toFixed(2)}`);
    for (const [ink, paper] of [['ink', 'paper'], ['ink', 'card'], ['soft', 'paper'], ['soft', 'card'], ['accent-ink', 'accent'], ['accent', 'paper']]) {
      assert.ok(contrast(theme[ink], theme[paper]) >= 4.5, `${ink} on ${paper}: ${contrast(theme[ink], theme[paper]).toFixed(2)}`);
    }
  });
}
