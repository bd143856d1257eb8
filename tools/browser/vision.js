// How far two colors are apart to people with and without color blindness, and how much they contrast.

/** Light to light, for readers who see all colors and for the red-, green- and blue-blind (Machado, Oliveira & Fernandes 2009). */
export const EYES = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
/** Light to CIE XYZ, each divided by that of white. */
const XYZ = [[0.433953, 0.37622, 0.189827], [0.212673, 0.715152, 0.072175], [0.017757, 0.109477, 0.872766]];

const bytes = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
const light = (hex) => bytes(hex).map((byte) => byte / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
const times = (matrix, v) => matrix.map((row) => row.reduce((sum, c, k) => sum + c * v[k], 0));

function lab(hex, eye) {
  const seen = times(eye, light(hex)).map((c) => Math.max(0, Math.min(1, c)));
  const [x, y, z] = times(XYZ, seen).map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Returns the minimum difference (CIE 1976 Delta E) of two colors over all kinds of vision. */
export function apart(a, b) {
  return Math.min(...Object.values(EYES).map((eye) => {
    const [p, q] = [lab(a, eye), lab(b, eye)];
    return Math.hypot(...p.map((c, k) => c - q[k]));
  }));
}

/** The contrast of two colors, as the guidelines for accessible pages define it. */
export function contrast(a, b) {
  const luminance = (hex) => times([[0.2126, 0.7152, 0.0722]], light(hex))[0] + 0.05;
  return Math.max(luminance(a), luminance(b)) / Math.min(luminance(a), luminance(b));
}

/** One color over another; the share counts 256ths, as on the maps. */
export function mixed(under, over, share) {
  const [p, q] = [bytes(under), bytes(over)];
  return '#' + p.map((c, k) => ((c * (256 - share) + q[k] * share) >> 8).toString(16).padStart(2, '0')).join('');
}
