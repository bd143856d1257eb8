// Reads the table of colors (colors.css) for scripts.

const THEME_NAMES = ['light', 'dark'];
/** The letters of maps, and the names of their colors. */
const GROUND_COLORS = { '.': 'ground', G: 'grass', S: 'swamp', '@': 'wall', O: 'outside', T: 'trees', W: 'water' };

/** Returns the colors of the theme that the page has now. */
function readTheme() {
  const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(`--${name}`).trim();
  const list = (name, length) => Array.from({ length }, (_, k) => color(`${name}${k}`));
  const names = ['edge', 'fog', 'hidden', 'phantom', 'halo', 'now', 'closed', 'earlier', 'open', 'near', 'shut', 'opened', 'door', 'followed', 'traced', 'start', 'goal'];
  return {
    ...Object.fromEntries(names.map((name) => [name, color(name)])),
    ground: Object.fromEntries(Object.entries(GROUND_COLORS).map(([letter, name]) => [letter, color(name)])),
    ink: color('mark'),
    heat: list('heat', 4), agents: list('a', 4), kinds: list('k', 10),
    units: Object.fromEntries(['idle', 'seeking', 'moving', 'waiting', 'arrived', 'unreachable'].map((name) => [name, color(`unit-${name}`)])),
  };
}

/** Converts a color to the number of a pixel in memory. */
function packed(hex) {
  const n = parseInt(hex.slice(1), 16);
  return (0xff000000 | ((n & 0xff) << 16) | (n & 0xff00) | (n >> 16)) >>> 0;
}

/** Blends `share` 256ths of the second color over the first. */
function mix(under, over, share) {
  const rest = 256 - share;
  const even = ((under & 0xff00ff) * rest + (over & 0xff00ff) * share) >>> 8;
  const odd = ((under >>> 8) & 0xff) * rest + ((over >>> 8) & 0xff) * share;
  return (0xff000000 | (even & 0xff00ff) | (odd & 0xff00)) >>> 0;
}

/** The colors of a theme that painting cells needs. */
class Palette {
  constructor(theme) {
    this.theme = theme;
    this.letters = new Uint32Array(128).fill(packed(theme.ground.O));
    for (const [letter, color] of Object.entries(theme.ground)) this.letters[letter.charCodeAt(0)] = packed(color);
    for (const key of ['fog', 'hidden', 'phantom', 'now', 'closed', 'earlier', 'open', 'shut', 'opened']) this[key] = packed(theme[key]);
    this.plain = packed(theme.ground['.']);
    this.wall = packed(theme.ground['@']);
    this.agents = theme.agents.map(packed);
    this.heat = new Uint32Array(256);
    const steps = theme.heat.map(packed), last = steps.length - 1;
    for (let k = 0; k < 256; k++) {
      const place = (k / 255) * last, low = Math.min(last - 1, place | 0);
      this.heat[k] = mix(steps[low], steps[low + 1], Math.round((place - low) * 256));
    }
  }
}
