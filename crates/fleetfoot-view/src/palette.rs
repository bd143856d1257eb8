//! The colors of pictures, distinguishable for color-blind readers (after Okabe and Ito): they differ in brightness
//! as well. The viewer's light theme uses the same colors.

use crate::canvas::Colour;
use crate::record::MAX_TRACKS;

pub(crate) const PAPER: Colour = [255, 255, 255];
pub(crate) const INK: Colour = [20, 20, 24];
pub(crate) const START: Colour = [0, 84, 170];
pub(crate) const GOAL: Colour = [204, 84, 150];
/// Colors of agents and their walks, by track. Distinct from every layer color, also for color-blind readers
/// (tested).
pub(crate) const AGENTS: [Colour; MAX_TRACKS] = [[213, 94, 0], [122, 31, 255], [16, 16, 20], [212, 92, 255]];
pub(crate) const FOLLOWED: Colour = [0, 60, 120];
/// Expanded in this tick.
pub(crate) const NOW: Colour = [0, 114, 178];
/// Expanded earlier in the current search.
pub(crate) const CLOSED: Colour = [126, 184, 226];
/// Expanded in earlier searches.
pub(crate) const EARLIER: Colour = [205, 222, 233];
pub(crate) const OPEN: Colour = [240, 196, 32];
/// Dots: the local search of a planner that has two.
pub(crate) const NEAR: Colour = [0, 86, 77];
/// Unseen and assumed free, and the same for cells that are walls.
pub(crate) const FOG: Colour = [196, 192, 184];
pub(crate) const HIDDEN: Colour = [142, 138, 130];
/// Assumed to be a wall that no longer exists.
pub(crate) const PHANTOM: Colour = [110, 90, 74];
/// A door or an edited cell that was free at first and is blocked now, and the opposite.
pub(crate) const SHUT: Colour = [153, 0, 26];
pub(crate) const OPENED: Colour = [0, 158, 115];

/// From slightly above the initial h to the maximum.
const HEAT: [Colour; 4] = [[250, 214, 196], [225, 130, 120], [170, 50, 120], [80, 8, 110]];

/// A shortest path on a map.
pub(crate) const PATH: Colour = [213, 94, 0];

/// Returns the color of a terrain letter.
pub(crate) fn ground(letter: u8) -> Colour {
    match letter {
        b'.' => [247, 244, 236],
        b'G' => [214, 228, 190],
        b'S' => [217, 196, 150],
        b'@' => [88, 88, 92],
        b'T' => [22, 92, 74],
        b'W' => [86, 160, 214],
        _ => [28, 28, 30],
    }
}

/// Returns the color of a learned value, from 0 to 1.
pub(crate) fn heat(share: f64) -> Colour {
    along(&HEAT, share)
}

/// Returns a color of a scale, from its first (0) to its last (1).
pub(crate) fn along(scale: &[Colour], share: f64) -> Colour {
    let place = share.clamp(0.0, 1.0) * (scale.len() - 1) as f64;
    #[expect(clippy::cast_sign_loss, reason = "clamped")]
    let k = (place as usize).min(scale.len() - 2);
    crate::canvas::blend(scale[k], scale[k + 1], place - k as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The red, green and blue light that red-, green- and blue-blind readers perceive (Machado, Oliveira & Fernandes
    /// 2009), and full color vision last.
    const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ];
    /// From light to CIE XYZ, each component divided by that of white.
    const XYZ: [[f64; 3]; 3] = [
        [0.433_953, 0.376_220, 0.189_827],
        [0.212_673, 0.715_152, 0.072_175],
        [0.017_757, 0.109_477, 0.872_766],
    ];

    fn times(by: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
        by.map(|row| (0..3).map(|k| row[k] * v[k]).sum())
    }

    /// Converts a color to CIE L*a*b*, as perceived by an eye.
    fn lab(colour: Colour, eye: &[[f64; 3]; 3]) -> [f64; 3] {
        let light = colour.map(|byte| {
            let c = f64::from(byte) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        let seen = times(eye, light).map(|c| c.clamp(0.0, 1.0));
        let [x, y, z] =
            times(&XYZ, seen).map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// Returns the minimum distance of two colors over all eyes. 2 is just visible.
    fn apart(a: Colour, b: Colour) -> f64 {
        let distance = |eye| {
            let (a, b) = (lab(a, eye), lab(b, eye));
            (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
        };
        EYES.iter().map(distance).fold(f64::MAX, f64::min)
    }

    #[test]
    fn walks_stand_out_from_all_layers_and_from_each_other() {
        let opened = crate::canvas::blend(ground(b'.'), OPENED, 0.45);
        let layers = [
            NOW,
            CLOSED,
            EARLIER,
            OPEN,
            FOLLOWED,
            FOG,
            HIDDEN,
            SHUT,
            opened,
            ground(b'.'),
            HEAT[0],
            HEAT[1],
            HEAT[2],
        ];
        for (k, agent) in AGENTS.into_iter().enumerate() {
            for layer in layers {
                assert!(apart(agent, layer) > 15.0, "{agent:?} {layer:?}: {}", apart(agent, layer));
            }
            for other in &AGENTS[..k] {
                assert!(apart(agent, *other) > 25.0, "{agent:?} {other:?}: {}", apart(agent, *other));
            }
        }
    }

    #[test]
    fn belief_and_truth_are_distinguishable() {
        assert!(apart(FOG, EARLIER) > 10.0, "what was searched in the dark: {}", apart(FOG, EARLIER));
        let shades = [ground(b'.'), FOG, HIDDEN, ground(b'@')];
        for (k, a) in shades.into_iter().enumerate() {
            for b in &shades[..k] {
                assert!(apart(a, *b) > 10.0, "{a:?} {b:?}: {}", apart(a, *b));
            }
        }
    }

    /// Checks that the page's light theme has the same colors.
    #[test]
    fn the_page_has_the_same_colors() {
        let light = crate::html::COLORS.split("data-theme").next().expect("two themes");
        let agents = ["a0", "a1", "a2", "a3"].into_iter().zip(AGENTS);
        let heat = ["heat0", "heat1", "heat2", "heat3"].into_iter().zip(HEAT);
        let grounds = [("ground", b'.'), ("grass", b'G'), ("swamp", b'S'), ("wall", b'@'), ("trees", b'T')];
        let grounds = grounds.map(|(name, letter)| (name, ground(letter)));
        let layers = [
            ("now", NOW),
            ("closed", CLOSED),
            ("earlier", EARLIER),
            ("open", OPEN),
            ("fog", FOG),
            ("hidden", HIDDEN),
            ("phantom", PHANTOM),
            ("shut", SHUT),
            ("opened", OPENED),
            ("followed", FOLLOWED),
            ("near", NEAR),
            ("start", START),
            ("goal", GOAL),
        ];
        for (name, [r, g, b]) in layers.into_iter().chain(agents).chain(heat).chain(grounds) {
            let line = format!("--{name}: #{r:02x}{g:02x}{b:02x};");
            assert!(light.contains(&line), "{line}");
        }
    }
}
