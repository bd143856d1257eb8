// Colours, in two themes. Told apart by the colour-blind (after Okabe and Ito): they differ in brightness too, and what
// matters also differs in shape.

const THEMES = {
  light: {
    ground: { '.': '#f7f4ec', G: '#d6e4be', S: '#d9c496', '@': '#58585c', O: '#1c1c1e', T: '#165c4a', W: '#56a0d6' },
    edge: '#e9e7e1',
    fog: '#c4c0b8',
    hidden: '#8e8a82',
    phantom: '#6e5a4a',
    now: '#0072b2',
    closed: '#7eb8e2',
    earlier: '#cddee9',
    open: '#f0c420',
    heat: ['#fad6c4', '#e18278', '#aa3278', '#50086e'],
    shut: '#96143c',
    opened: '#009e73',
    followed: '#003c78',
    traced: '#7a4f00',
    halo: '#ffffff',
    ink: '#141418',
    start: '#0054aa',
    goal: '#cc5496',
    near: '#00564d',
    agents: ['#d55e00', '#7a1fff', '#101014', '#d45cff'],
    kinds: ['#0072b2', '#cc79a7', '#e69f00', '#56b4e9', '#009e73', '#f0e442', '#8c8c8c', '#bfbfbf', '#d55e00', '#6a3d9a'],
  },
  dark: {
    ground: { '.': '#52565f', G: '#4a6340', S: '#6e5e39', '@': '#0d0e11', O: '#000000', T: '#0b2f26', W: '#143f68' },
    edge: '#1b1c20',
    fog: '#302c25',
    hidden: '#64573d',
    phantom: '#3a1f1f',
    now: '#4cc3ff',
    closed: '#2b77a8',
    earlier: '#456f86',
    open: '#c9a000',
    heat: ['#6b4a44', '#b0524f', '#d95fa0', '#f3c6f0'],
    shut: '#ff5c7a',
    opened: '#1fbf92',
    followed: '#9ccbff',
    traced: '#ffcf6b',
    halo: '#101114',
    ink: '#f2f2f2',
    start: '#58a6ff',
    goal: '#ff8ac4',
    near: '#7ff5e0',
    agents: ['#ff8f66', '#b46bff', '#f4ffe0', '#b8ff00'],
    kinds: ['#5bb8f0', '#e59ac2', '#ffb733', '#8fd0f5', '#2fc99b', '#f0e442', '#a8a8a8', '#6c6c6c', '#ff8c42', '#b79adf'],
  },
};

/** A colour as the number that a picture's pixel has in memory. */
function packed(hex) {
  const n = parseInt(hex.slice(1), 16);
  return (0xff000000 | ((n & 0xff) << 16) | (n & 0xff00) | (n >> 16)) >>> 0;
}

/** So many 256ths of the second colour over the first. */
function mix(under, over, share) {
  const rest = 256 - share;
  const even = ((under & 0xff00ff) * rest + (over & 0xff00ff) * share) >>> 8;
  const odd = ((under >>> 8) & 0xff) * rest + ((over >>> 8) & 0xff) * share;
  return (0xff000000 | (even & 0xff00ff) | (odd & 0xff00)) >>> 0;
}

/** What painting cells needs of a theme. */
class Palette {
  constructor(theme) {
    this.theme = theme;
    this.letters = new Uint32Array(128).fill(packed(theme.ground.O));
    for (const [letter, colour] of Object.entries(theme.ground)) this.letters[letter.charCodeAt(0)] = packed(colour);
    for (const key of ['fog', 'hidden', 'phantom', 'now', 'closed', 'earlier', 'open', 'shut', 'opened']) this[key] = packed(theme[key]);
    this.plain = packed(theme.ground['.']);
    this.wall = packed(theme.ground['@']);
    this.heat = new Uint32Array(256);
    const steps = theme.heat.map(packed), last = steps.length - 1;
    for (let k = 0; k < 256; k++) {
      const place = (k / 255) * last, low = Math.min(last - 1, place | 0);
      this.heat[k] = mix(steps[low], steps[low + 1], Math.round((place - low) * 256));
    }
  }
}
